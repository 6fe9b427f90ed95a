//! Several machines that act together, known to be true.

use super::*;
use crate::expr::Expr;
use crate::source::{SourceId, Span};

/// A system of machines.
#[derive(Debug, Clone)]
pub struct System {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The file it was read from.
    pub source: SourceId,
    /// Where the name is written.
    pub span: Span,
    /// The heading of its page.
    pub title: String,
    /// What it is about.
    pub doc: Option<String>,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// Who triggers transactions.
    pub actors: Vec<machine::Actor>,
    /// The machines that take part.
    pub parts: Vec<Part>,
    /// Conditions on firing events, wherever that happens.
    pub rules: Vec<Rule>,
    /// What can be done to the system.
    pub transactions: Vec<Transaction>,
    /// Events that a change of one part raises in another.
    pub links: Vec<Link>,
    /// What holds after every transaction.
    pub invariants: Vec<Invariant>,
    /// Told ways through the system; executed when the model is built.
    pub walkthroughs: Vec<Walkthrough>,
    /// Sentences for the page.
    pub notes: Vec<String>,
}

/// A machine in a role.
#[derive(Debug, Clone)]
pub struct Part {
    /// The name.
    pub name: String,
    /// What tables show: "Hop".
    pub label: String,
    /// Position in [`Model::machines`].
    pub machine: usize,
    /// There may be many instances; otherwise at most one.
    pub many: bool,
    /// The part that every instance belongs to, and the context field that holds its identity.
    /// The field is set at birth and never assigned.
    pub of: Option<(PartId, FieldId)>,
    /// What it is here for.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A condition on firing events of one part; it reads the state before the transaction.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The part.
    pub part: PartId,
    /// The events it guards.
    pub events: Vec<EventId>,
    /// What must hold.
    pub require: Expr,
    /// What it says; shown when it turns something down.
    pub doc: String,
    /// The whole rule.
    pub span: Span,
}

/// Something that can be done to the system: one or more events, all or none.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The name.
    pub name: String,
    /// Who may trigger it.
    pub by: Vec<ActorId>,
    /// Who does the work it starts.
    pub performer: Option<ActorId>,
    /// Where a person finds it: `button "Execute Hop"`.
    pub surface: Option<String>,
    /// The data it takes.
    pub payload: Vec<machine::Field>,
    /// Must be one database transaction.
    pub atomic: bool,
    /// The events, in order.
    pub fire: Vec<Fire>,
    /// What it means.
    pub doc: Option<String>,
    /// What does not happen when a part of it fails.
    pub on_failure: Option<String>,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// One event of a transaction or link.
#[derive(Debug, Clone)]
pub struct Fire {
    /// The part. A birth event makes a new instance.
    pub part: PartId,
    /// The event.
    pub event: EventId,
    /// The payload, one expression for every payload field of the event; they read the state
    /// before the transaction. `part.id` of an instance that the transaction makes is known.
    pub payload: Vec<Expr>,
    /// Where it is written.
    pub span: Span,
}

/// An event that a change of one part raises in another.
#[derive(Debug, Clone)]
pub struct Link {
    /// The part that changes.
    pub part: PartId,
    /// On entering or leaving the state.
    pub on: Crossing,
    /// The state, leaf or composite.
    pub state: StateId,
    /// What must hold, read after the change.
    pub when: Option<Expr>,
    /// What is raised.
    pub fire: Fire,
    /// A refusal is passed over; otherwise it undoes the whole transaction.
    pub optional: bool,
    /// What it says.
    pub doc: Option<String>,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// The whole link.
    pub span: Span,
}

/// Which way over the border of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// Into it.
    Enter,
    /// Out of it.
    Exit,
}

/// What holds after every transaction, for every combination of instances that belong together.
#[derive(Debug, Clone)]
pub struct Invariant {
    /// The condition.
    pub require: Expr,
    /// What it says.
    pub doc: String,
    /// The whole invariant.
    pub span: Span,
}

/// A told way through the system.
#[derive(Debug, Clone)]
pub struct Walkthrough {
    /// The name.
    pub name: String,
    /// What it shows.
    pub doc: Option<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Where it is declared.
    pub span: Span,
}

/// One step of a walkthrough.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its number: `2.1`.
    pub number: String,
    /// Position in [`System::transactions`].
    pub transaction: usize,
    /// Which instance (counted from 1) of each `many` part; a new one gets this number.
    pub instances: Vec<(PartId, u64)>,
    /// The payload, one value for every field of the transaction's payload.
    pub payload: Vec<Literal>,
    /// What the table's Trigger column says.
    pub trigger: String,
    /// What the table's Notes column says.
    pub note: Option<String>,
    /// The step must be turned down, with this text.
    pub refused: Option<String>,
    /// The whole step.
    pub span: Span,
}

impl System {
    /// The part with this id.
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// The position of a part.
    pub fn part_id(&self, name: &str) -> Option<PartId> {
        self.parts.iter().position(|it| it.name == name).map(PartId::new)
    }
}
