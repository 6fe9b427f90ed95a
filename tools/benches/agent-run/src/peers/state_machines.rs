//! state-machines: a list of events with their transitions; typestate, and an enum around it on request.

use super::{flat_event, plain_state};
use crate::{Ask, Contender};

state_machines::state_machine! {
    name: AgentRun,
    dynamic: true,
    initial: Queued,
    states: [Queued, Running, Correcting, Optimizing, Validating, Complete, Failed, Cancelled],
    events {
        to_running { transition: { from: [Queued, Correcting, Optimizing, Validating], to: Running } }
        to_correcting { transition: { from: Running, to: Correcting } }
        to_optimizing { transition: { from: [Running, Validating], to: Optimizing } }
        to_validating { transition: { from: [Running, Correcting, Optimizing], to: Validating } }
        to_complete { transition: { from: [Running, Optimizing, Validating], to: Complete } }
        to_failed { transition: { from: [Queued, Running, Correcting, Optimizing, Validating], to: Failed } }
        to_cancelled { transition: { from: [Queued, Running, Correcting, Optimizing, Validating], to: Cancelled } }
        resume { transition: { from: [Failed, Cancelled], to: Queued } }
    }
}

pub struct Peer(DynamicAgentRun<()>);

/// The events of state-machines cannot be copied or cloned, so the loop stores the request.
impl Contender for Peer {
    type Event = Ask;

    fn new() -> Self {
        Peer(DynamicAgentRun::new(()))
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        self.0.handle(flat_event!(AgentRunEvent, ask)).is_ok()
    }

    fn state(&self) -> crate::State {
        plain_state!(AgentRunState, self.0.current_state())
    }
}
