//! ironstate: the `match` is hand-written, the rest is derived.

use ironstate::prelude::*;

use super::{flat_event, plain_state};
use crate::{Ask, Contender};

/// Only `complete` is declared terminal: ironstate refuses all transitions from a terminal state.
#[derive(StateMachine, Clone, Debug, PartialEq)]
#[state_machine(initial = Queued, terminal = [Complete])]
pub enum AgentRun {
    Queued,
    Running,
    Correcting,
    Optimizing,
    Validating,
    Complete,
    Failed,
    Cancelled,
}

#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    ToRunning,
    ToCorrecting,
    ToOptimizing,
    ToValidating,
    ToComplete,
    ToFailed,
    ToCancelled,
    Resume,
}

impl TransitionRules for AgentRun {
    type Event = Edit;

    fn transition(&self, event: &Edit) -> Option<AgentRun> {
        use AgentRun::*;
        use Edit::*;
        match (self, event) {
            (Queued | Correcting | Optimizing | Validating, ToRunning) => Some(Running),
            (Running, ToCorrecting) => Some(Correcting),
            (Running | Validating, ToOptimizing) => Some(Optimizing),
            (Running | Correcting | Optimizing, ToValidating) => Some(Validating),
            (Running | Optimizing | Validating, ToComplete) => Some(Complete),
            (Queued | Running | Correcting | Optimizing | Validating, ToFailed) => Some(Failed),
            (Queued | Running | Correcting | Optimizing | Validating, ToCancelled) => Some(Cancelled),
            (Failed | Cancelled, Resume) => Some(Queued),
            _ => None,
        }
    }
}

pub struct Peer(Machine<AgentRun>);

impl Contender for Peer {
    type Event = Edit;

    fn new() -> Self {
        Peer(Machine::new())
    }

    fn event(ask: Ask) -> Edit {
        flat_event!(Edit, ask)
    }

    #[inline]
    fn raise(&mut self, event: Edit) -> bool {
        self.0.apply(event).is_ok()
    }

    fn state(&self) -> crate::State {
        plain_state!(AgentRun, self.0.state())
    }
}
