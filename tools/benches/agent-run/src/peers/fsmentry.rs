//! fsmentry: a graph; each state returns its possible transitions, and hand-written code matches events to them.

use super::plain_state;
use crate::{Ask, Contender, State};

fsmentry::fsmentry! {
    #[derive(Debug, Clone, Copy)]
    pub enum AgentRun {
        Queued -> Running,
        Queued -> Cancelled,
        Queued -> Failed,
        Running -> Correcting,
        Running -> Optimizing,
        Running -> Validating,
        Running -> Failed,
        Running -> Complete,
        Running -> Cancelled,
        Correcting -> Running,
        Correcting -> Validating,
        Correcting -> Failed,
        Correcting -> Cancelled,
        Optimizing -> Running,
        Optimizing -> Validating,
        Optimizing -> Failed,
        Optimizing -> Complete,
        Optimizing -> Cancelled,
        Validating -> Running,
        Validating -> Optimizing,
        Validating -> Failed,
        Validating -> Complete,
        Validating -> Cancelled,
        Failed -resume-> Queued,
        Cancelled -resume-> Queued,
    }
}

pub struct Peer(AgentRun);

impl Contender for Peer {
    type Event = Ask;

    fn new() -> Self {
        Peer(AgentRun::Queued)
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        use AgentRunEntry as Entry;
        use Ask::{Go, Resume};
        match (self.0.entry(), ask) {
            (Entry::Queued(it), Go(State::Running)) => it.running(),
            (Entry::Queued(it), Go(State::Cancelled)) => it.cancelled(),
            (Entry::Queued(it), Go(State::Failed)) => it.failed(),
            (Entry::Running(it), Go(State::Correcting)) => it.correcting(),
            (Entry::Running(it), Go(State::Optimizing)) => it.optimizing(),
            (Entry::Running(it), Go(State::Validating)) => it.validating(),
            (Entry::Running(it), Go(State::Failed)) => it.failed(),
            (Entry::Running(it), Go(State::Complete)) => it.complete(),
            (Entry::Running(it), Go(State::Cancelled)) => it.cancelled(),
            (Entry::Correcting(it), Go(State::Running)) => it.running(),
            (Entry::Correcting(it), Go(State::Validating)) => it.validating(),
            (Entry::Correcting(it), Go(State::Failed)) => it.failed(),
            (Entry::Correcting(it), Go(State::Cancelled)) => it.cancelled(),
            (Entry::Optimizing(it), Go(State::Running)) => it.running(),
            (Entry::Optimizing(it), Go(State::Validating)) => it.validating(),
            (Entry::Optimizing(it), Go(State::Failed)) => it.failed(),
            (Entry::Optimizing(it), Go(State::Complete)) => it.complete(),
            (Entry::Optimizing(it), Go(State::Cancelled)) => it.cancelled(),
            (Entry::Validating(it), Go(State::Running)) => it.running(),
            (Entry::Validating(it), Go(State::Optimizing)) => it.optimizing(),
            (Entry::Validating(it), Go(State::Failed)) => it.failed(),
            (Entry::Validating(it), Go(State::Complete)) => it.complete(),
            (Entry::Validating(it), Go(State::Cancelled)) => it.cancelled(),
            (Entry::Failed(it), Resume) => it.resume(),
            (Entry::Cancelled(it), Resume) => it.resume(),
            _ => return false,
        }
        true
    }

    fn state(&self) -> State {
        plain_state!(AgentRun, self.0)
    }
}
