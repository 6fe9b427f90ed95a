//! Why nothing happened.

use std::fmt;

use super::machine::Asked;
use crate::model::{EffectId, EventId, FieldId, Machine, StateId};

/// Why a call changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The machine turned it down.
    Refused(Refused),
    /// The call itself is wrong: another payload than the event carries, an id of another machine.
    Misuse(String),
    /// The world outside failed before anything had changed.
    Failed(Failure),
}

/// What failed outside the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A `before` effect, and what it said.
    Before(EffectId, String),
    /// The store, and what it said.
    Store(String),
}

/// A call that the machine turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The leaf it was in; `None` before birth.
    pub from: Option<StateId>,
    /// What was asked.
    pub asked: Asked,
    /// Why not.
    pub reason: Reason,
    /// The events that some edge takes from here (guards aside).
    pub allowed: Vec<EventId>,
}

/// Why a call was turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The graph has no such edge here.
    NoTransition,
    /// The graph has edges for it, and no guard holds.
    Guard,
    /// The spec turns it down, in these words.
    Text(String),
    /// The event settles, and went on firing more often than there are states.
    Unsettled,
}

impl Refused {
    /// The refusal in words: the spec's own where it has some.
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
    Error::Misuse(format!("`{name}` has no value at birth and none was given"))
}

struct Shown<'a> {
    refused: &'a Refused,
    machine: &'a Machine,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown { refused, machine } = self;
        let here = match refused.from {
            Some(state) => format!("in {}", machine.path_name(state)),
            None => "before birth".into(),
        };
        let asked = match refused.asked {
            Asked::Event(event) => machine.event(event).name.clone(),
            Asked::To(state) => format!("to {}", machine.path_name(state)),
        };
        match &refused.reason {
            Reason::Text(text) => f.write_str(text),
            Reason::Guard => write!(f, "`{asked}` is not possible {here}: no guard holds"),
            Reason::Unsettled => write!(f, "`{asked}` does not settle {here}"),
            Reason::NoTransition => {
                write!(f, "`{asked}` is not possible {here}")?;
                let allowed: Vec<_> = refused.allowed.iter().map(|it| machine.event(*it).name.as_str()).collect();
                if allowed.is_empty() { Ok(()) } else { write!(f, "; possible: {}", allowed.join(", ")) }
            }
        }
    }
}
