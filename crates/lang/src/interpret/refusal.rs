//! The reasons why a call fails.

use std::fmt;

use super::request::Request;
use crate::model::machine::Target;
use crate::model::{Configuration, EffectId, EventId, FieldId, Machine, StateId, TransitionId};

/// The reason why a call changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The machine refused it.
    Refused(Refused),
    /// The call itself is invalid: the wrong payload for the event, or an id of another machine.
    Misuse(String),
    /// The environment failed before any change.
    Failed(Failure),
}

/// A failure outside the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A `before` effect, with its error message.
    Before(EffectId, String),
    /// The store, with its error message.
    Store(String),
}

/// A call that the machine refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The configuration before the call; `None` before creation.
    pub from: Option<Configuration>,
    /// The request.
    pub request: Request,
    /// The reason.
    pub reason: Reason,
    /// The events that some edge accepts here, guards aside; no timers, which nobody raises.
    pub allowed: Vec<EventId>,
}

/// Why a call was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The graph has no such edge here.
    NoTransition,
    /// The graph has matching edges, but no guard holds.
    Guard,
    /// The spec refuses it, with the text of this row.
    Text(TransitionId),
    /// The event settles, and fired more often than there are states; or the machine reacts without end.
    Unsettled,
    /// A guard that was tried, or an assignment, divides by zero.
    DivisionByZero,
}

impl Refused {
    /// The text in the spec, if it has one for this case.
    pub fn text<'a>(&self, machine: &'a Machine) -> Option<&'a str> {
        let Reason::Text(row) = self.reason else { return None };
        match &machine.transitions.get(row.index())?.target {
            Target::Refuse(text) => Some(text),
            _ => None,
        }
    }

    /// The refusal in words: the text in the spec, if any.
    pub fn show<'a>(&'a self, machine: &'a Machine) -> impl fmt::Display + 'a {
        Shown { refused: self, machine }
    }
}

impl Error {
    /// The error in words.
    pub fn show(&self, machine: &Machine) -> String {
        match self {
            Error::Refused(refused) => refused.show(machine).to_string(),
            Error::Misuse(message) => message.clone(),
            Error::Failed(Failure::Before(effect, message)) => format!("`{}` failed: {message}", machine.effect(*effect).name),
            Error::Failed(Failure::Store(message)) => format!("the store failed: {message}"),
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Error::Refused(refused)
    }
}

pub(super) fn not_given(machine: &Machine, field: FieldId) -> Error {
    let name = machine.fields.get(field.index()).map_or("", |it| it.name.as_str());
    Error::Misuse(format!("`{name}` has no value at creation and none was given"))
}

struct Shown<'a> {
    refused: &'a Refused,
    machine: &'a Machine,
}

/// The wording is that of emitted code, so that a walkthrough quotes the text that a user reads.
impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown { refused, machine } = self;
        let path = |state: StateId| machine.refused_name(state);
        if let Some(text) = refused.text(machine) {
            return f.write_str(text);
        }
        let event = match (refused.request, &refused.from) {
            (Request::Event(event), _) => &machine.event(event).name,
            (Request::Direct(to), Some(from)) => return self.show_way(f, from, to),
            (Request::Direct(to), None) => return write!(f, "`{}` is refused at creation: a machine is created by an event", path(to)),
        };
        match &refused.from {
            Some(from) => write!(f, "`{event}` is refused in `{}`: ", machine.configuration_refused(from))?,
            None => write!(f, "`{event}` is refused at creation: ")?,
        }
        let allowed: Vec<&str> = refused.allowed.iter().map(|it| machine.event(*it).name.as_str()).collect();
        match (&refused.reason, allowed.as_slice()) {
            (Reason::Guard, _) => f.write_str("no guard holds"),
            (Reason::Unsettled, _) => f.write_str("it does not settle"),
            (Reason::DivisionByZero, _) => f.write_str("it divides by zero"),
            (_, []) => f.write_str("nothing is allowed here"),
            (_, [only]) => write!(f, "allowed here is `{only}`"),
            (_, events) => write!(f, "allowed here are {}", listed(events, "and")),
        }
    }
}

impl Shown<'_> {
    fn show_way(&self, f: &mut fmt::Formatter<'_>, from: &Configuration, to: StateId) -> fmt::Result {
        let Shown { refused, machine } = self;
        let path = |state: StateId| machine.refused_name(state);
        let to = machine.default_end(to);
        write!(f, "`{}` does not go to `{}`: ", machine.configuration_refused(from), path(to))?;
        let mut successors: Vec<StateId> = from.leaves().flat_map(|it| machine.successors(it)).collect();
        successors.sort_unstable();
        successors.dedup();
        match refused.reason {
            Reason::Guard => f.write_str("no guard holds"),
            Reason::Unsettled => f.write_str("it does not settle"),
            Reason::DivisionByZero => f.write_str("that divides by zero"),
            _ if successors.is_empty() => f.write_str("there is no way out"),
            // The graph has the edge, but it requires an event.
            _ if machine.default_leaves(to).iter().all(|it| successors.contains(it)) => f.write_str("that takes an event"),
            _ => {
                let names: Vec<_> = successors.iter().map(|it| path(*it)).collect();
                write!(f, "from here it goes to {}", listed(&names, "or"))
            }
        }
    }
}

/// "`a`, `b` or `c`".
fn listed(names: &[impl fmt::Display], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [only] => only.clone(),
        [firsts @ .., it] => format!("{} {last} {it}", firsts.join(", ")),
    }
}
