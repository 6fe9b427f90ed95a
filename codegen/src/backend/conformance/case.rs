//! One test case: a machine, a call, and the machine after it.

use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::{EventId, PredicateId, StateId, Value};

/// A request, and the predicates that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Call {
    /// An event.
    Event { event: EventId, payload: Vec<Value>, holds: Vec<PredicateId> },
    /// A direct transition to a state.
    Direct { state: StateId, holds: Vec<PredicateId> },
}

impl Call {
    /// The request, the payload and the predicates that hold.
    pub(super) fn parts(&self) -> (Request, &[Value], &[PredicateId]) {
        match self {
            Call::Event { event, payload, holds } => (Request::Event(*event), payload, holds),
            Call::Direct { state, holds } => (Request::Direct(*state), &[], holds),
        }
    }
}

/// One test case.
#[derive(Debug, Clone)]
pub(super) struct TestCase {
    /// The machine before; `None` before creation.
    pub(super) before: Option<Instance>,
    pub(super) call: Call,
    /// The machine after; `None` if the request is refused.
    pub(super) after: Option<Instance>,
}

impl TestCase {
    /// The number of context fields that the step changes.
    pub(super) fn n_changes(&self) -> usize {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return 0 };
        before.context.iter().zip(&after.context).filter(|(old, new)| old != new).count()
    }
}
