//! rust-fsm: a list of transitions, compiled to a `match`.

use self::agent_run::{Input, State, StateMachine};

use super::{flat_event, plain_state};
use crate::{Ask, Contender};

rust_fsm::state_machine! {
    #[derive(Debug, Clone, Copy)]
    pub agent_run(Queued)

    Queued => {
        ToRunning => Running,
        ToCancelled => Cancelled,
        ToFailed => Failed,
    },
    Running => {
        ToCorrecting => Correcting,
        ToOptimizing => Optimizing,
        ToValidating => Validating,
        ToFailed => Failed,
        ToComplete => Complete,
        ToCancelled => Cancelled,
    },
    Correcting => {
        ToRunning => Running,
        ToValidating => Validating,
        ToFailed => Failed,
        ToCancelled => Cancelled,
    },
    Optimizing => {
        ToRunning => Running,
        ToValidating => Validating,
        ToFailed => Failed,
        ToComplete => Complete,
        ToCancelled => Cancelled,
    },
    Validating => {
        ToRunning => Running,
        ToOptimizing => Optimizing,
        ToFailed => Failed,
        ToComplete => Complete,
        ToCancelled => Cancelled,
    },
    Failed(Resume) => Queued,
    Cancelled(Resume) => Queued,
}

pub struct Peer(StateMachine);

impl Contender for Peer {
    type Event = Input;

    fn new() -> Self {
        Peer(StateMachine::new())
    }

    fn event(ask: Ask) -> Input {
        flat_event!(Input, ask)
    }

    #[inline]
    fn raise(&mut self, event: Input) -> bool {
        self.0.consume(&event).is_ok()
    }

    fn state(&self) -> crate::State {
        plain_state!(State, self.0.state())
    }
}
