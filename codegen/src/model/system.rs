//! Several machines that act together, known to be true.

use super::*;
use crate::expr::Expr;
use crate::source::{SourceId, Span};

/// A system of machines.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    /// The enums of all its machines, as this system's expressions and inputs number them.
    pub enums: Vec<machine::Enum>,
    /// Where each of [`System::enums`] comes from: position in [`Model::machines`], and its id there.
    pub enum_origins: Vec<(usize, EnumId)>,
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
#[non_exhaustive]
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
    /// The field is a reference, is given at creation and never assigned. Belonging has no cycles.
    pub of: Option<(PartId, FieldId)>,
    /// What it is here for.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A condition on firing events; it reads the state before the transaction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rule {
    /// The events it guards, sorted.
    pub events: Vec<(PartId, EventId)>,
    /// The events as written: `hop.* except hop.create`.
    pub written: String,
    /// What must hold. Reads the fired part, the parts it belongs to, and parts without `many`;
    /// of a part that the event brings into being only the identity.
    pub require: Expr,
    /// What it says; shown when it turns something down.
    pub doc: String,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// The whole rule.
    pub span: Span,
}

/// Something that can be done to the system: one or more events, all or none.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
    pub payload: Vec<Input>,
    /// Must be one database transaction.
    pub atomic: bool,
    /// The events, in order, at most one for each part.
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

/// A piece of data that a transaction takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Input {
    /// Its name and type; enums are numbered as in [`System::enums`].
    pub field: machine::Field,
    /// The part whose states a field of type `state` speaks of (`part.state` in the spec), or
    /// whose enum it is.
    pub of: Option<PartId>,
}

/// One event of a transaction or link.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fire {
    /// The part. A creation event makes a new instance.
    pub part: PartId,
    /// The event.
    pub event: EventId,
    /// The payload, one expression for every payload field of the event; they read the state
    /// before the transaction (a link's: after the change). `part.id` of an instance that the
    /// transaction makes is known.
    pub payload: Vec<Expr>,
    /// Where it is written.
    pub span: Span,
}

/// An event that a change of one part raises in another, in the same all-or-nothing unit. From
/// the part that changes the other one follows: it has no `many`, or is what the first belongs to.
/// Following links never leads back to a part.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
#[non_exhaustive]
pub enum Crossing {
    /// Into it.
    Enter,
    /// Out of it.
    Exit,
}

/// What holds after every transaction, for every instance of one part together with what it
/// belongs to and the parts without `many`; as far as they are there.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Invariant {
    /// The part whose every instance is looked at; none where only parts without `many` are read.
    pub of: Option<PartId>,
    /// The condition.
    pub require: Expr,
    /// What it says; shown when it turns something down.
    pub doc: String,
    /// Why it is here although the source text did not say so.
    pub inferred: Option<String>,
    /// The whole invariant.
    pub span: Span,
}

/// A told way through the system.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Step {
    /// Its number: `2.1`.
    pub number: String,
    /// Position in [`System::transactions`].
    pub transaction: usize,
    /// Which instance (counted from 1) of each `many` part; a new one gets this number.
    pub instances: Vec<(PartId, u64)>,
    /// The named predicates that hold during the step.
    pub holds: Vec<(PartId, PredicateId)>,
    /// The payload, one value for every field of the transaction's payload.
    pub payload: Vec<Literal>,
    /// What the table's Trigger column says.
    pub trigger: String,
    /// What the table's Notes column says.
    pub note: Option<String>,
    /// The step must be turned down, with this text.
    pub refused: Option<String>,
    /// Where parts must be afterwards: in this leaf, or in a leaf of this composite.
    pub then: Vec<(PartId, StateId)>,
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

    /// All part ids, in order.
    pub fn part_ids(&self) -> impl DoubleEndedIterator<Item = PartId> + use<> {
        (0..self.parts.len()).map(PartId::new)
    }

    /// The parts that an instance of `id` belongs to, nearest first.
    pub fn owners(&self, id: PartId) -> impl Iterator<Item = PartId> + '_ {
        std::iter::successors(Some(id), |id| Some(self.part(*id).of?.0)).skip(1)
    }

    /// Whether an instance of `from` tells which instance of `to` is meant: it is the same, what
    /// it belongs to, or there is only one.
    pub fn determines(&self, from: PartId, to: PartId) -> bool {
        from == to || !self.part(to).many || self.owners(from).any(|it| it == to)
    }

    /// The rules that an event must pass, in order.
    pub fn rules_for(&self, part: PartId, event: EventId) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.iter().enumerate().filter(move |(_, rule)| rule.events.binary_search(&(part, event)).is_ok())
    }

    /// The parts that a transaction reads or changes (links aside), sorted. Every one of them
    /// must be there, or be brought into being by it.
    pub fn parts_of(&self, transaction: &Transaction) -> Vec<PartId> {
        let mut parts = std::collections::BTreeSet::new();
        for fire in &transaction.fire {
            self.collect_parts_of(fire, &mut parts);
        }
        parts.into_iter().collect()
    }

    /// The parts that one event of a transaction or link reads or changes, sorted.
    pub fn parts_of_fire(&self, fire: &Fire) -> Vec<PartId> {
        let mut parts = std::collections::BTreeSet::new();
        self.collect_parts_of(fire, &mut parts);
        parts.into_iter().collect()
    }

    fn collect_parts_of(&self, fire: &Fire, parts: &mut std::collections::BTreeSet<PartId>) {
        parts.insert(fire.part);
        // A new instance is given whom it belongs to; an old one's owner is there anyway.
        parts.extend(self.part(fire.part).of.map(|(owner, _)| owner));
        let rules = self.rules_for(fire.part, fire.event).map(|(_, rule)| &rule.require);
        for expr in fire.payload.iter().chain(rules) {
            parts.extend(expr.parts());
        }
    }
}
