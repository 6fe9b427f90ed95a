//! The rows of the spec, and the code that takes them.

use proc_macro2::{Ident, TokenStream};

use super::Expr;

/// The rows of the spec.
pub(crate) struct Rows {
    pub(crate) list: Vec<Row>,
    /// Rows have names each; otherwise they are packed into a text, and only those that code refers to have names.
    pub(crate) named: bool,
}

/// One row of the spec.
pub(crate) struct Row {
    /// Its name.
    pub(crate) ident: Ident,
    /// The row in the words of the spec.
    pub(crate) words: String,
    pub(crate) source: Source,
    pub(crate) trigger: Trigger,
    pub(crate) target: Target,
    /// The guard in the words of the spec.
    pub(crate) guard: Option<String>,
    pub(crate) before: Vec<Ident>,
    pub(crate) effects: Vec<Ident>,
    pub(crate) memory_first: bool,
    pub(crate) label: Option<String>,
    pub(crate) doc: Option<String>,
    pub(crate) inferred: Option<String>,
    /// The positions of source, event and target, where the row says nothing else.
    pub(crate) plain: Option<[usize; 3]>,
    /// Code refers to the row.
    pub(crate) referred: bool,
}

/// Where a row starts.
pub(crate) enum Source {
    Creation,
    Leaf(Ident),
    In(Vec<Ident>),
    AnyBut(Vec<Ident>),
}

/// What triggers a row.
pub(crate) enum Trigger {
    Direct,
    Event(Ident),
    AnyOf(Vec<Ident>),
}

/// Where a row leads.
pub(crate) enum Target {
    Stay,
    To(Ident),
    OneOf(Vec<Ident>),
    Payload(String),
    Refuse(String),
}

/// How events create a machine.
pub(crate) struct Creation {
    pub(crate) arms: Vec<Arm>,
    /// Some events do not create a machine.
    pub(crate) partial: bool,
    /// The events that create a machine.
    pub(crate) events: Vec<Ident>,
    /// The events among them that settle.
    pub(crate) settling: Vec<Ident>,
    pub(crate) doc: String,
    pub(crate) asks: bool,
}

/// How a step is found: a match for rows with guards, and a table for the others.
pub(crate) struct Dispatch {
    pub(crate) arms: Vec<Arm>,
    /// The arms leave nothing to the table.
    pub(crate) total: bool,
    pub(crate) table: Table,
    /// The events that settle; for direct transitions, none.
    pub(crate) settling: Vec<Ident>,
    /// All events settle.
    pub(crate) all_settle: bool,
    /// A guard asks a predicate.
    pub(crate) asks: bool,
}

/// The table behind the match.
pub(crate) enum Table {
    /// There are no rows without a guard.
    Empty,
    /// A cell for every pair, computed from the rows; the pairs that a later row decides are listed.
    Dense(Vec<(Ident, Ident, TokenStream)>),
    /// A sorted list, where most pairs have no edge.
    Sparse(Vec<(Ident, Ident, Outcome)>),
}

/// An arm of a match that finds a step.
pub(crate) struct Arm {
    pub(crate) pattern: Pattern,
    pub(crate) guard: Option<Expr>,
    pub(crate) outcome: Outcome,
}

/// The pattern of an arm.
pub(crate) enum Pattern {
    /// An event at creation.
    Event(EventPattern),
    /// An event in some states; in all of them where the list is empty.
    StateAndEvent(Vec<Ident>, EventPattern),
    /// A state and the target of a direct transition.
    StateAndTarget(Ident, Ident),
}

/// An event, with the fields of its payload that are used.
#[derive(Clone)]
pub(crate) struct EventPattern {
    pub(crate) variant: Ident,
    /// Fields, and the variables that hold them.
    pub(crate) bindings: Vec<(Ident, Ident)>,
    /// The event has other fields.
    pub(crate) rest: bool,
}

/// The outcome of an arm; each but the last names the row.
#[derive(Clone)]
pub(crate) enum Outcome {
    To(Ident, TokenStream),
    /// To the state in a variable.
    ToLocal(Ident, TokenStream),
    Stay(TokenStream),
    Refuse(TokenStream),
    NoGuard,
}

/// The assignments that some rows share.
pub(crate) struct Assignment {
    pub(crate) rows: Vec<TokenStream>,
    /// The events whose payload is read; empty where none is.
    pub(crate) events: Vec<EventPattern>,
    /// Fields and their new values, which read what was there before.
    pub(crate) set: Vec<(Ident, Expr)>,
    /// A value reads a field that an earlier one assigns.
    pub(crate) simultaneous: bool,
    pub(crate) asks: bool,
}
