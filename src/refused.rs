//! The refusal of an event, and its reason.

use core::fmt;

use crate::configuration::{Configuration, ConfigurationOf, paths};
use crate::named::{write_actors, write_names};
use crate::{Event, Named, OutOfRange, Row, State, Target};

/// The refusal of an event or a direct transition; nothing changed.
pub struct Refused<S: State> {
    from: Option<ConfigurationOf<S>>,
    event: Option<S::Event>,
    to: Option<S>,
    reason: Reason,
    row: Option<S::Row>,
    /// The actor that may not raise the event.
    actor: Option<ActorOf<S>>,
    /// The field whose value is out of range: its position among the converted fields, counted from 1.
    field: u8,
}

type ActorOf<S> = <<S as State>::Event as Event>::Actor;

/// The reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The graph has no such transition.
    NoTransition,
    /// There are transitions, but no guard holds.
    Guard,
    /// The spec refuses the event with a text.
    Text,
    /// The event keeps firing and never settles, or the machine keeps reacting to it.
    Unsettled,
    /// The actor may not raise the event.
    Actor,
    /// A guard or an assignment divides by zero.
    DivisionByZero,
    /// A value is out of the range of the type that is to hold it.
    OutOfRange,
}

/// Refuses an actor that may not raise an event in a state, or at creation.
pub fn permit<S: State>(from: Option<ConfigurationOf<S>>, event: S::Event, actor: ActorOf<S>) -> Result<(), Refused<S>> {
    if event.may_be_raised_by(actor) {
        return Ok(());
    }
    Err(Refused { actor: Some(actor), ..Refused::of_event(from, event, Reason::Actor, None) })
}

impl Reason {
    /// The name in logs: `no_transition`, `guard`, `text`, `unsettled`, `actor`, `division_by_zero` or `out_of_range`.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::NoTransition => "no_transition",
            Reason::Guard => "guard",
            Reason::Text => "text",
            Reason::Unsettled => "unsettled",
            Reason::Actor => "actor",
            Reason::DivisionByZero => "division_by_zero",
            Reason::OutOfRange => "out_of_range",
        }
    }

    /// Whether the spec has a text for the refusal.
    pub(crate) const fn has_text(self) -> bool {
        matches!(self, Reason::Text)
    }
}

impl<S: State> Clone for Refused<S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: State> Copy for Refused<S> {}

impl<S: State> PartialEq for Refused<S> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |it: &Self| (it.from, it.event, it.to, it.reason, it.row, it.actor, it.field);
        parts(self) == parts(other)
    }
}

impl<S: State> Eq for Refused<S> {}

impl<S: State> Refused<S> {
    /// The refusal of an event in a state, or at creation.
    #[doc(hidden)]
    #[inline]
    pub const fn of_event(from: Option<ConfigurationOf<S>>, event: S::Event, reason: Reason, row: Option<S::Row>) -> Self {
        Refused { from, event: Some(event), to: None, reason, row, actor: None, field: 0 }
    }

    /// The refusal of a direct transition.
    #[doc(hidden)]
    #[inline]
    pub const fn of_direct(from: ConfigurationOf<S>, to: S, reason: Reason, row: Option<S::Row>) -> Self {
        Refused { from: Some(from), event: None, to: Some(to), reason, row, actor: None, field: 0 }
    }

    /// The same refusal of an event that was raised in another state.
    pub(crate) fn at(self, from: Option<ConfigurationOf<S>>) -> Self {
        Refused { from, ..self }
    }

    /// The same refusal, because a value is out of range.
    #[doc(hidden)]
    #[cold]
    pub fn out_of_range(self, error: OutOfRange) -> Self {
        let position = S::CONVERTED.iter().position(|it| *it == error.field());
        let field = position.and_then(|it| u8::try_from(it + 1).ok()).unwrap_or(0);
        Refused { reason: Reason::OutOfRange, row: None, field, ..self }
    }

    /// The same refusal, in the field of another one.
    pub(crate) fn in_field_of(self, other: Self) -> Self {
        Refused { field: other.field, ..self }
    }

    /// The state, which is unchanged; `None` at creation.
    pub fn from(&self) -> Option<ConfigurationOf<S>> {
        self.from
    }

    /// The event; `None` if a direct transition was refused.
    pub fn event(&self) -> Option<S::Event> {
        self.event
    }

    /// The target of a direct transition; `None` if an event was refused.
    pub fn to(&self) -> Option<S> {
        self.to
    }

    /// The reason of the refusal.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The row that refuses.
    pub(crate) fn row(&self) -> Option<S::Row> {
        self.row
    }

    /// The spec's text for this refusal, if there is one.
    pub fn text(&self) -> Option<&'static str> {
        match S::transitions().get(self.row?.position())?.target() {
            Target::Refuse(text) => Some(text),
            _ => None,
        }
    }

    /// The field whose value is out of range, as in [`OutOfRange::field`]; `None` if the reason is another one.
    pub fn field(&self) -> Option<&'static str> {
        S::CONVERTED.get(usize::from(self.field).checked_sub(1)?).copied()
    }

    /// The events that some transition accepts in this state, regardless of guards, in the order of the spec; no timers, which
    /// nobody raises. If an actor was refused, only those that it may raise.
    pub fn allowed(&self) -> impl Iterator<Item = S::Event> + Clone + use<S> {
        let here = self.from.map(Configuration::accepted).into_iter().flatten();
        let at_creation = self.from.is_none().then_some(S::CREATION_EVENTS);
        let accepted = here.chain(at_creation.into_iter().flatten().copied());
        let actor = self.actor;
        let may_raise = move |event: S::Event| actor.is_none_or(|it| event.may_be_raised_by(it));
        accepted.filter(move |event| may_raise(*event) && S::TIMERS.iter().all(|timer| *timer.event() != *event))
    }
}

impl<S: State> fmt::Debug for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused")
            .field("from", &self.from)
            .field("event", &self.event)
            .field("to", &self.to)
            .field("reason", &self.reason)
            .finish()
    }
}

impl<S: State> fmt::Display for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text() {
            return f.write_str(text);
        }
        if let (Some(from), Some(to)) = (self.from, self.to) {
            return self.write_direct(f, from, to);
        }
        let event = self.event.map_or("", |it| it.name());
        match self.from {
            Some(from) => write!(f, "`{event}` is refused in `{}`: ", paths(from))?,
            None => write!(f, "`{event}` is refused at creation: ")?,
        }
        match self.reason {
            Reason::Guard => f.write_str("no guard holds"),
            Reason::Unsettled => f.write_str("it does not settle"),
            Reason::DivisionByZero => f.write_str("it divides by zero"),
            Reason::OutOfRange => self.write_out_of_range(f),
            Reason::Actor => {
                write_actors(f, self.event.map_or(&[][..], |it| it.by()))?;
                f.write_str(" may raise it")
            }
            Reason::NoTransition | Reason::Text => self.write_allowed(f),
        }
    }
}

impl<S: State> Refused<S> {
    fn write_direct(&self, f: &mut fmt::Formatter<'_>, from: ConfigurationOf<S>, to: S) -> fmt::Result {
        write!(f, "`{}` does not go to `{}`: ", paths(from), to.path())?;
        let reachable = from.reachable();
        match self.reason {
            Reason::Guard => f.write_str("no guard holds"),
            Reason::Unsettled => f.write_str("it does not settle"),
            Reason::DivisionByZero => f.write_str("that divides by zero"),
            Reason::OutOfRange => self.write_out_of_range(f),
            _ if reachable.clone().next().is_none() => f.write_str("there is no way out"),
            // The graph has the edge, but it needs an event.
            _ if reachable.clone().any(|it| it == to) => f.write_str("that takes an event"),
            _ => {
                f.write_str("from here it goes to ")?;
                write_names(f, reachable.map(State::path), "or")
            }
        }
    }

    fn write_out_of_range(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field() {
            Some(field) => fmt::Display::fmt(&OutOfRange::of(field), f),
            None => f.write_str("a value is out of range"),
        }
    }

    fn write_allowed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut events = self.allowed();
        match (events.next(), events.next()) {
            (None, _) => f.write_str("nothing is allowed here"),
            (Some(only), None) => write!(f, "allowed here is `{}`", only.name()),
            (Some(_), Some(_)) => {
                f.write_str("allowed here are ")?;
                write_names(f, self.allowed().map(|it| it.name()), "and")
            }
        }
    }
}

impl<S: State> core::error::Error for Refused<S> {}
