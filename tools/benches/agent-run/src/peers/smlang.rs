//! smlang: a list of transitions, compiled to a `match`.

use super::{flat_event, plain_state};
use crate::{Ask, Contender};

smlang::statemachine! {
    transitions: {
        *Queued + ToRunning = Running,
        Queued + ToCancelled = Cancelled,
        Queued + ToFailed = Failed,
        Running + ToCorrecting = Correcting,
        Running + ToOptimizing = Optimizing,
        Running + ToValidating = Validating,
        Running + ToFailed = Failed,
        Running + ToComplete = Complete,
        Running + ToCancelled = Cancelled,
        Correcting + ToRunning = Running,
        Correcting + ToValidating = Validating,
        Correcting + ToFailed = Failed,
        Correcting + ToCancelled = Cancelled,
        Optimizing + ToRunning = Running,
        Optimizing + ToValidating = Validating,
        Optimizing + ToFailed = Failed,
        Optimizing + ToComplete = Complete,
        Optimizing + ToCancelled = Cancelled,
        Validating + ToRunning = Running,
        Validating + ToOptimizing = Optimizing,
        Validating + ToFailed = Failed,
        Validating + ToComplete = Complete,
        Validating + ToCancelled = Cancelled,
        Failed | Cancelled + Resume = Queued,
    }
}

pub struct Nothing;

impl StateMachineContext for Nothing {}

pub struct Peer(StateMachine<Nothing>);

/// The events of smlang cannot be copied or cloned, so the loop stores the request.
impl Contender for Peer {
    type Event = Ask;

    fn new() -> Self {
        Peer(StateMachine::new(Nothing))
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        self.0.process_event(flat_event!(Events, ask)).is_ok()
    }

    fn state(&self) -> crate::State {
        plain_state!(States, self.0.state())
    }
}
