//! The values that the expressions of a machine read while a step is planned.

use crate::expr::{Env, Expr, Var};
use crate::model::machine::Constant;
use crate::model::{Configuration, EventId, Machine, PartId, PayloadId, PredicateId, StateId, Value};

/// The values that expressions read: the machine before the step.
pub(super) struct Snapshot<'a> {
    pub(super) machine: &'a Machine,
    /// None at creation.
    pub(super) configuration: Option<&'a Configuration>,
    pub(super) context: &'a [Value],
    /// The event of the step, whose payload it is.
    pub(super) event: Option<EventId>,
    pub(super) payload: &'a [Value],
    pub(super) predicates: &'a dyn Fn(PredicateId) -> bool,
}

impl<'a> Snapshot<'a> {
    /// The values between two steps, where no predicate is asked.
    pub(super) fn of_context(machine: &'a Machine, context: &'a [Value]) -> Self {
        Snapshot { machine, configuration: None, context, event: None, payload: &[], predicates: &|_| false }
    }

    /// The value of a payload field.
    pub(super) fn field(&self, id: PayloadId) -> Option<&Value> {
        self.payload.get(self.machine.payload_position(self.event?, id)?)
    }
}

impl Env for Snapshot<'_> {
    fn var(&self, var: Var) -> Value {
        let value = match var {
            Var::Context(field) => self.context.get(field.index()),
            Var::Payload(id) => self.field(id),
            // Expressions of a machine do not read parts.
            Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        };
        value.cloned().unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn predicate(&self, predicate: PredicateId) -> bool {
        (self.predicates)(predicate)
    }

    fn is_in(&self, _: &Expr, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn part_is_in(&self, _: PartId, _: StateId) -> bool {
        // Expressions of a machine do not read parts.
        false
    }

    fn is_active(&self, state: StateId) -> bool {
        self.configuration.is_some_and(|it| self.machine.is_active(it, state))
    }
}
