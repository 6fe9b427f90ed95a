//! What is asked of a machine.

use crate::model::machine::{Edge, On};
use crate::model::{EventId, Machine, StateId};

/// A request to a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// To process an event.
    Event(EventId),
    /// A direct transition: an edge without an event, named by its target. A composite means its default leaf.
    Direct(StateId),
}

impl Request {
    /// The event; `None` for a direct transition.
    pub fn event(self) -> Option<EventId> {
        self.on().event()
    }

    /// The trigger of the edges that the request may take.
    pub fn on(self) -> On {
        match self {
            Request::Event(event) => On::Event(event),
            Request::Direct(_) => On::Direct,
        }
    }

    /// The edges that the request may take in a state, in the order in which they are tried.
    pub fn candidates(self, machine: &Machine, from: Option<StateId>) -> impl Iterator<Item = &Edge> {
        let wanted = match self {
            Request::Event(_) => None,
            Request::Direct(target) => Some(machine.entering(target)),
        };
        machine.tried(from, self.on()).iter().filter(move |it| wanted.is_none_or(|wanted| it.outcome == wanted))
    }
}
