//! The rows of the spec, and the code that executes them.

use proc_macro2::{Ident, TokenStream};

use super::{Expr, Place};

/// The rows of the spec.
pub struct Rows {
    pub list: Vec<Row>,
    /// Whether every row has a name; otherwise the rows are packed into a text, and only those that code refers to have names.
    pub named: bool,
}

/// One row of the spec.
pub struct Row {
    /// Its name.
    pub ident: Ident,
    /// The row in the words of the spec.
    pub words: String,
    pub source: Source,
    pub trigger: Trigger,
    pub target: Target,
    /// The guard in the words of the spec.
    pub guard: Option<String>,
    pub before: Vec<Ident>,
    pub effects: Vec<Ident>,
    /// The events that the machine raises itself.
    pub raise: Vec<Ident>,
    /// The node that is left and entered again in any case.
    pub reenter: Option<usize>,
    /// The method that sets the commit order; `None` for the usual one.
    pub commit: Option<&'static str>,
    pub label: Option<String>,
    pub doc: Option<String>,
    pub inferred: Option<String>,
    /// The positions of source, event and target, if the row has no other data.
    pub plain: Option<[usize; 3]>,
    /// Whether code refers to the row.
    pub referred: bool,
}

/// The source of a row.
pub enum Source {
    Creation,
    Leaf(Ident),
    In(Vec<Ident>),
    AnyBut(Vec<Ident>),
}

/// The trigger of a row.
pub enum Trigger {
    Direct,
    Automatic,
    Done,
    Event(Ident),
    AnyOf(Vec<Ident>),
}

/// The target of a row.
pub enum Target {
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
pub struct Creation {
    pub arms: Vec<Arm>,
    /// Whether some events do not create a machine.
    pub partial: bool,
    /// The events that create a machine.
    pub events: Vec<Ident>,
    /// The events among them that settle.
    pub settling: Vec<Ident>,
    pub doc: String,
    pub asks: bool,
}

/// The search for a step: a match for rows with guards, and a table for the others.
pub struct Dispatch {
    pub arms: Vec<Arm>,
    /// Whether the arms cover every pair, so that no table is needed.
    pub total: bool,
    pub table: Table,
    /// The events that settle; empty for direct transitions.
    pub settling: Vec<Ident>,
    /// Whether all events settle.
    pub all_settle: bool,
    /// Whether a guard asks a predicate.
    pub asks: bool,
}

/// The steps that may follow a step within the same call.
pub struct Reactions {
    /// The search for the step of a cause that is no event.
    pub arms: Vec<Arm>,
    /// The events that the machine raises itself.
    pub raised: Vec<Ident>,
    /// Whether a guard asks a predicate.
    pub asks: bool,
}

impl Dispatch {
    /// Whether a guard converts a value.
    pub fn converts(&self) -> bool {
        self.arms.iter().any(Arm::converts)
    }
}

impl Arm {
    /// Whether the guard converts a value.
    pub fn converts(&self) -> bool {
        self.guard.as_ref().is_some_and(Expr::converts)
    }
}

/// The table for pairs that the match does not cover.
pub enum Table {
    /// There are no rows without a guard.
    Empty,
    /// A cell for every pair, computed from the rows; pairs that a later row decides are listed.
    Dense(Vec<(Ident, Ident, TokenStream)>),
    /// A sorted list, if most pairs have no edge.
    Sparse(Vec<(Ident, Ident, Outcome)>),
}

/// An arm of a match that finds a step.
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub outcome: Outcome,
}

/// The pattern of an arm.
#[derive(Clone)]
pub enum Pattern {
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
pub struct EventPattern {
    pub variant: Ident,
    /// Fields, and their variables.
    pub bindings: Vec<(Ident, Ident)>,
    /// Whether the event has other fields.
    pub rest: bool,
}

/// The outcome of an arm.
#[derive(Clone)]
pub enum Outcome {
    Chosen(Box<Choice>),
    NoGuard,
    DivisionByZero,
}

/// A row that an arm takes or names; in a machine with regions, the row that a leaf chooses.
#[derive(Clone)]
pub struct Choice {
    pub row: TokenStream,
    /// The node that the row names as its source; `None` for the whole machine, and for creation.
    pub source: Option<usize>,
    /// Whether it refuses the call.
    pub refuses: bool,
    /// The leaves to which it leads: none if the machine stays, one in a machine without regions.
    pub to: Vec<Destination>,
    /// The condition under which its assignments divide by zero, if they do so only once the row is taken.
    pub divides: Option<Expr>,
}

/// A leaf to which a row leads.
#[derive(Clone)]
pub enum Destination {
    Leaf(Ident),
    /// The leaf in a variable.
    Local(Ident),
    /// The leaf that a context field remembers.
    History(Recall),
}

/// The state that a context field remembers, if it is inside the composite; else the default.
#[derive(Clone)]
pub struct Recall {
    pub field: Ident,
    pub composite: Ident,
    pub default: Ident,
}

/// A context field that remembers where the machine was in a composite that it leaves.
pub struct History {
    pub field: Ident,
    pub composite: Ident,
    /// The node of the composite, where two leaves do not tell whether a step between them leaves it.
    pub node: Option<usize>,
    /// For a shallow history: the leaves of each child, and the leaf that is remembered for them.
    pub shallow: Vec<(Vec<Ident>, Ident)>,
    /// The rows that assign the field themselves.
    pub unless: Vec<TokenStream>,
}

/// A value that may be null but is not null here.
pub struct KnownValue {
    pub place: Place,
    /// Whether its variable is a reference.
    pub by_reference: bool,
    /// The variable of the value.
    pub local: Ident,
}

/// The assignments that some rows share.
pub struct Assignment {
    pub rows: Vec<TokenStream>,
    /// The events whose payload is read; empty if none is read.
    pub events: Vec<EventPattern>,
    /// The values that the guard tested against null and that the new values read.
    pub known: Vec<KnownValue>,
    /// Fields and their new values, which are computed from the old context.
    pub set: Vec<(Ident, Expr)>,
    /// Whether a value reads a field that an earlier assignment changes.
    pub simultaneous: bool,
    pub asks: bool,
}

impl Assignment {
    /// Whether a value is converted.
    pub fn converts(&self) -> bool {
        self.set.iter().any(|(_, value)| value.converts())
    }
}
