//! Compares two versions of validated models by meaning, and classes each change for those whom it concerns.
//!
//! ```text
//! old: Machine ─┐
//! new: Machine ─┴─changes──▶ [Change] ──print──▶ text | JSON | Markdown
//! ```
//!
//! Elements are paired by name, else by the earlier names that the new spec lists (`aka`). Guards are compared by what
//! they let pass: the expressions of the old machine are translated into the names of the new one, and the reasoner of
//! the lints looks for values that only one of them lets pass.

mod branches;
mod declared;
mod edges;
mod mapped;
mod numbers;
mod pairs;
mod print;
mod rules;
mod stored;
mod translate;
mod whole;

use std::fmt;

use statespec_lang::model::{Machine, StateId};
use statespec_lang::source::Span;

pub use mapped::earlier;
use pairs::Pairs;
pub(crate) use print::Json;
pub use print::{Format, Side, print};
pub use rules::{Rule, region};
pub use whole::changes_of_models;

/// Those whom a change can concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// State values, enum values and contexts in a store or in messages.
    Stored,
    /// Code that uses the emitted Rust.
    Callers,
    /// Recorded histories: events and steps that happened under the old machine.
    Histories,
    /// People who know the docs.
    Readers,
}

impl Audience {
    /// Every audience, in the order of reports.
    pub const ALL: [Audience; 4] = [Audience::Stored, Audience::Callers, Audience::Histories, Audience::Readers];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Audience::Stored => "stored",
            Audience::Callers => "callers",
            Audience::Histories => "histories",
            Audience::Readers => "readers",
        }
    }

    /// The things or people concerned, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Audience::Stored => "State values, enum values and contexts in a store or in messages",
            Audience::Callers => "Code that uses the emitted Rust",
            Audience::Histories => "Events and steps that were recorded under the old machine",
            Audience::Readers => "People who know the docs",
        }
    }

    /// The heading of its column.
    pub fn heading(self) -> &'static str {
        match self {
            Audience::Stored => "Stored values",
            Audience::Callers => "Callers",
            Audience::Histories => "Histories",
            Audience::Readers => "Readers",
        }
    }
}

/// How much a change asks of an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing.
    Informational,
    /// A look: it can break something.
    Review,
    /// Something that worked, or was true, no longer is.
    Breaking,
}

impl Class {
    /// Every class, the most severe one first.
    pub const ALL: [Class; 3] = [Class::Breaking, Class::Review, Class::Informational];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Informational => "informational",
            Class::Review => "review",
            Class::Breaking => "breaking",
        }
    }

    /// The changes that are at least as severe, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Class::Informational => "Any change",
            Class::Review => "It can break something",
            Class::Breaking => "Something that worked, or was true, no longer is",
        }
    }

    /// The word in a cell of a table; nothing to do is a dash.
    fn in_table(self) -> &'static str {
        match self {
            Class::Informational => "–",
            Class::Review => "review",
            Class::Breaking => "**breaking**",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One change of a machine or system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of change, which determines its classes.
    pub rule: Rule,
    /// The machine or system, as it is called now; as it was called, if it is removed.
    pub whole: String,
    /// The change, in one sentence without a full stop; names and values are in backticks.
    pub message: String,
    /// The place in the old version.
    pub old: Option<Span>,
    /// The place in the new version.
    pub new: Option<Span>,
}

impl Change {
    /// The greatest class for these audiences.
    pub fn class(&self, audiences: &[Audience]) -> Class {
        audiences.iter().map(|it| self.rule.class(*it)).max().unwrap_or(Class::Informational)
    }
}

/// The changes from one version of a machine to another, in the order of [`Rule::ALL`].
///
/// ```
/// use statespec_codegen::changes::{Audience, Class, changes};
/// use statespec_codegen::load;
/// use statespec_codegen::source::Input;
///
/// let machine = |text: &str| load(&[Input { path: "door.yaml".into(), text: text.into() }]).model.unwrap().machines.remove(0);
/// let old = machine("machine: door\nstates: [open, shut]\ntransitions:\n  - { from: open, to: shut }\n  - { from: shut, to: open }\n");
/// let new = machine("machine: door\nstates: [open, shut]\ntransitions:\n  - { from: open, to: shut }\n");
/// let found = changes(&old, &new);
/// let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
/// assert_eq!(messages, ["`shut` has no way out any more", "`shut` → `open`: the edge is removed"]);
/// assert_eq!(found[1].rule.class(Audience::Callers), Class::Breaking);
/// ```
pub fn changes(old: &Machine, new: &Machine) -> Vec<Change> {
    let pairs = Pairs::new(old, new);
    let mut found = Found { whole: new.name.clone(), changes: Vec::new() };
    declared::compare(&pairs, &mut found);
    numbers::compare(&pairs, &mut found);
    edges::compare(&pairs, &mut found);
    stored::compare(&pairs, &mut found);
    found.changes.sort_by_key(|it| it.rule);
    found.changes
}

/// For each state of the old machine, by its position, the state of the new one that it is: by its name, else by its earlier names.
pub fn states(old: &Machine, new: &Machine) -> Vec<Option<StateId>> {
    Pairs::new(old, new).states
}

/// The changes of one machine so far.
struct Found {
    whole: String,
    changes: Vec<Change>,
}

impl Found {
    fn add(&mut self, rule: Rule, old: impl Into<Option<Span>>, new: impl Into<Option<Span>>, message: impl Into<String>) {
        let change = Change { rule, whole: self.whole.clone(), message: message.into(), old: old.into(), new: new.into() };
        self.changes.push(change);
    }
}
