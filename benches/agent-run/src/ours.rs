//! What statespec makes of the spec.

use statespec::Named;
use statespec_machines::agent_run::{self, AgentRun, Event};

use crate::{Ask, Contender, State};

/// What is asked, in emitted types.
#[derive(Debug, Clone, Copy)]
pub enum OurAsk {
    Go(agent_run::State),
    Raise(Event),
}

/// The emitted module that is checked in.
pub struct CheckedIn(AgentRun);

impl Contender for CheckedIn {
    type Event = OurAsk;

    fn new() -> Self {
        CheckedIn(AgentRun::new())
    }

    fn event(ask: Ask) -> OurAsk {
        match ask {
            Ask::Go(to) => OurAsk::Go(agent_run::State::ALL[to as usize]),
            Ask::Resume => OurAsk::Raise(Event::Resume),
        }
    }

    #[inline]
    fn raise(&mut self, ask: OurAsk) -> bool {
        match ask {
            OurAsk::Go(to) => self.0.transition_to(to).is_ok(),
            OurAsk::Raise(event) => self.0.apply(event).is_ok(),
        }
    }

    fn state(&self) -> State {
        by_position(self.0.state().index())
    }
}

/// The hand-written state in the same place of the list.
fn by_position(position: usize) -> State {
    use State::*;
    [Queued, Running, Correcting, Optimizing, Validating, Complete, Failed, Cancelled][position]
}
