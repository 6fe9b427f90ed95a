//! Why an event was turned down.

use core::fmt;

use crate::named::write_names;
use crate::{Event, Named, State, Target};

/// An event, or a wish for a state, was turned down; nothing changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Refused<S: State> {
    from: Option<S>,
    event: Option<S::Event>,
    to: Option<S>,
    why: Why,
}

/// The reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The graph has no such edge.
    NoTransition,
    /// There are edges, but no guard holds.
    Guard,
    /// The spec turns it down with a text; the position of the row in [`State::transitions`].
    Text(u32),
    /// The event goes on firing without coming to rest.
    Unsettled,
    /// Whoever raised the event may not.
    Actor,
}

impl<S: State> Refused<S> {
    /// An event was turned down in a state, or at birth.
    #[inline]
    pub const fn event_in(from: Option<S>, event: S::Event, why: Why) -> Self {
        Refused { from, event: Some(event), to: None, why }
    }

    /// A wish for a state was turned down.
    #[inline]
    pub const fn way_to(from: S, to: S, why: Why) -> Self {
        Refused { from: Some(from), event: None, to: Some(to), why }
    }

    /// The state, which has not changed; `None` at birth.
    pub fn from(&self) -> Option<S> {
        self.from
    }

    /// The event.
    pub fn event(&self) -> Option<S::Event> {
        self.event
    }

    /// The state that was asked for by name.
    pub fn to(&self) -> Option<S> {
        self.to
    }

    /// The reason.
    pub fn why(&self) -> Why {
        self.why
    }

    /// The spec's text, where it has one for this case.
    pub fn text(&self) -> Option<&'static str> {
        match self.why {
            Why::Text(row) => match S::transitions().get(row as usize)?.to() {
                Target::Refuse(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The events that some edge takes in this state, guards aside.
    pub fn allowed(&self) -> &'static [S::Event] {
        match self.from {
            Some(from) => from.events(),
            None => S::BIRTH_EVENTS,
        }
    }
}

impl<S: State> fmt::Debug for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused")
            .field("from", &self.from)
            .field("event", &self.event)
            .field("to", &self.to)
            .field("why", &self.why)
            .finish()
    }
}

impl<S: State> fmt::Display for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text() {
            return f.write_str(text);
        }
        if let (Some(from), Some(to)) = (self.from, self.to) {
            return self.write_way(f, from, to);
        }
        let event = self.event.map_or("", |it| it.name());
        match self.from {
            Some(from) => write!(f, "`{event}` is refused in `{}`: ", from.name())?,
            None => write!(f, "`{event}` is refused at birth: ")?,
        }
        match self.why {
            Why::Guard => f.write_str("no guard holds"),
            Why::Unsettled => f.write_str("it does not settle"),
            Why::Actor => {
                f.write_str("only ")?;
                write_names(f, self.event.map_or(&[][..], |it| it.by()).iter().map(|it| it.name()), "or")?;
                f.write_str(" may raise it")
            }
            Why::NoTransition | Why::Text(_) => self.write_allowed(f),
        }
    }
}

impl<S: State> Refused<S> {
    fn write_way(&self, f: &mut fmt::Formatter<'_>, from: S, to: S) -> fmt::Result {
        write!(f, "`{}` does not go to `{}`: ", from.name(), to.name())?;
        match self.why {
            Why::Guard => f.write_str("no guard holds"),
            _ if from.successors().is_empty() => f.write_str("there is no way out"),
            // The graph has the edge, but an event takes it.
            _ if from.allows(to) => f.write_str("that takes an event"),
            _ => {
                f.write_str("from here it goes to ")?;
                write_names(f, from.successors().iter().map(|it| it.name()), "or")
            }
        }
    }

    fn write_allowed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.allowed() {
            [] => f.write_str("nothing is allowed here"),
            [only] => write!(f, "allowed here is `{}`", only.name()),
            events => {
                f.write_str("allowed here are ")?;
                write_names(f, events.iter().map(|it| it.name()), "and")
            }
        }
    }
}

impl<S: State> core::error::Error for Refused<S> {}
