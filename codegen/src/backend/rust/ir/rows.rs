//! The rows of the spec, and the code that executes them.

use proc_macro2::{Ident, TokenStream};

use super::{Expr, Place};

/// The rows of the spec.
pub(crate) struct Rows {
    pub(crate) list: Vec<Row>,
    /// Whether every row has a name; otherwise the rows are packed into a text, and only those that code refers to have names.
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
    /// The events that the machine raises itself.
    pub(crate) raise: Vec<Ident>,
    /// The node that is left and entered again in any case.
    pub(crate) reenter: Option<usize>,
    /// The method that sets the commit order; `None` for the usual one.
    pub(crate) commit: Option<&'static str>,
    pub(crate) label: Option<String>,
    pub(crate) doc: Option<String>,
    pub(crate) inferred: Option<String>,
    /// The positions of source, event and target, if the row has no other data.
    pub(crate) plain: Option<[usize; 3]>,
    /// Whether code refers to the row.
    pub(crate) referred: bool,
}

/// The source of a row.
pub(crate) enum Source {
    Creation,
    Leaf(Ident),
    In(Vec<Ident>),
    AnyBut(Vec<Ident>),
}

/// The trigger of a row.
pub(crate) enum Trigger {
    Direct,
    Automatic,
    Done,
    Event(Ident),
    AnyOf(Vec<Ident>),
}

/// The target of a row.
pub(crate) enum Target {
    Stay,
    To(Ident),
    OneOf(Vec<Ident>),
    Payload(String),
    /// These leaves of different regions at once.
    All(Vec<Ident>),
    /// The remembered leaf, or this one.
    History(Ident),
    Refuse(String),
}

/// The creation of a machine by events.
pub(crate) struct Creation {
    pub(crate) arms: Vec<Arm>,
    /// Whether some events do not create a machine.
    pub(crate) partial: bool,
    /// The events that create a machine.
    pub(crate) events: Vec<Ident>,
    /// The events among them that settle.
    pub(crate) settling: Vec<Ident>,
    pub(crate) doc: String,
    pub(crate) asks: bool,
}

/// The search for a step: a match for rows with guards, and a table for the others.
pub(crate) struct Dispatch {
    pub(crate) arms: Vec<Arm>,
    /// Whether the arms cover every pair, so that no table is needed.
    pub(crate) total: bool,
    pub(crate) table: Table,
    /// The events that settle; empty for direct transitions.
    pub(crate) settling: Vec<Ident>,
    /// Whether all events settle.
    pub(crate) all_settle: bool,
    /// Whether a guard asks a predicate.
    pub(crate) asks: bool,
}

/// The steps that may follow a step within the same call.
pub(crate) struct Reactions {
    /// The search for the step of a cause that is no event.
    pub(crate) arms: Vec<Arm>,
    /// The events that the machine raises itself.
    pub(crate) raised: Vec<Ident>,
    /// Whether a guard asks a predicate.
    pub(crate) asks: bool,
}

impl Dispatch {
    /// Whether a guard converts a value.
    pub(crate) fn converts(&self) -> bool {
        self.arms.iter().any(Arm::converts)
    }
}

impl Arm {
    /// Whether the guard converts a value.
    pub(crate) fn converts(&self) -> bool {
        self.guard.as_ref().is_some_and(Expr::converts)
    }
}

/// The table for pairs that the match does not cover.
pub(crate) enum Table {
    /// There are no rows without a guard.
    Empty,
    /// A cell for every pair, computed from the rows; pairs that a later row decides are listed.
    Dense(Vec<(Ident, Ident, TokenStream)>),
    /// A sorted list, if most pairs have no edge.
    Sparse(Vec<(Ident, Ident, Outcome)>),
}

/// An arm of a match that finds a step.
pub(crate) struct Arm {
    pub(crate) pattern: Pattern,
    pub(crate) guard: Option<Expr>,
    pub(crate) outcome: Outcome,
}

/// The pattern of an arm.
#[derive(Clone)]
pub(crate) enum Pattern {
    /// An event at creation.
    Event(EventPattern),
    /// An event in some states; in all states if the list is empty.
    StateAndEvent(Vec<Ident>, EventPattern),
    /// A state and the target of a direct transition.
    StateAndTarget(Ident, Ident),
    /// Some states, in which an automatic transition is enabled.
    Automatic(Vec<Ident>),
    /// Some states, in which the composite of this name is done.
    Done(Vec<Ident>, Ident),
}

/// An event, with the fields of its payload that are used.
#[derive(Clone)]
pub(crate) struct EventPattern {
    pub(crate) variant: Ident,
    /// Fields, and their variables.
    pub(crate) bindings: Vec<(Ident, Ident)>,
    /// Whether the event has other fields.
    pub(crate) rest: bool,
}

/// The outcome of an arm, with its row if it takes or names one.
#[derive(Clone)]
pub(crate) enum Outcome {
    To(Ident, TokenStream),
    /// A transition to the state in a variable.
    ToLocal(Ident, TokenStream),
    /// A transition to the state that a context field remembers.
    ToHistory(Recall, TokenStream),
    Stay(TokenStream),
    Refuse(TokenStream),
    NoGuard,
    DivisionByZero,
    /// In a machine with regions: a row that a leaf chooses.
    Chosen(Choice),
}

/// A row that a leaf of a machine with regions chooses.
#[derive(Clone)]
pub(crate) struct Choice {
    pub(crate) row: TokenStream,
    /// The node that the row names as its source; `None` for the whole machine, and for creation.
    pub(crate) source: Option<usize>,
    /// The leaves to which it leads.
    pub(crate) to: Vec<Destination>,
    /// The condition under which its assignments divide by zero.
    pub(crate) divides: Option<Expr>,
}

/// A leaf to which a row leads.
#[derive(Clone)]
pub(crate) enum Destination {
    Leaf(Ident),
    /// The leaf in a variable.
    Local(Ident),
    /// The leaf that a context field remembers.
    History(Recall),
}

/// The state that a context field remembers, if it is inside the composite; else the default.
#[derive(Clone)]
pub(crate) struct Recall {
    pub(crate) field: Ident,
    pub(crate) composite: Ident,
    pub(crate) default: Ident,
}

/// A context field that remembers where the machine was in a composite that it leaves.
pub(crate) struct History {
    pub(crate) field: Ident,
    pub(crate) composite: Ident,
    /// The node of the composite, where two leaves do not tell whether a step between them leaves it.
    pub(crate) node: Option<usize>,
    /// For a shallow history: the leaves of each child, and the leaf that is remembered for them.
    pub(crate) shallow: Vec<(Vec<Ident>, Ident)>,
    /// The rows that assign the field themselves.
    pub(crate) unless: Vec<TokenStream>,
}

/// A value that may be null but is not null here.
pub(crate) struct KnownValue {
    pub(crate) place: Place,
    /// Whether its variable is a reference.
    pub(crate) by_reference: bool,
    /// The variable of the value.
    pub(crate) local: Ident,
}

/// The assignments that some rows share.
pub(crate) struct Assignment {
    pub(crate) rows: Vec<TokenStream>,
    /// The events whose payload is read; empty if none is read.
    pub(crate) events: Vec<EventPattern>,
    /// The values that the guard tested against null and that the new values read.
    pub(crate) known: Vec<KnownValue>,
    /// Fields and their new values, which are computed from the old context.
    pub(crate) set: Vec<(Ident, Expr)>,
    /// Whether a value reads a field that an earlier assignment changes.
    pub(crate) simultaneous: bool,
    pub(crate) asks: bool,
}

impl Assignment {
    /// Whether a value is converted.
    pub(crate) fn converts(&self) -> bool {
        self.set.iter().any(|(_, value)| value.converts())
    }
}
