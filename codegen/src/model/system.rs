//! A validated system: several machines that act together.

use super::*;
use crate::expr::Expr;
#[cfg(feature = "systems")]
use crate::expr::Var;
use crate::source::{SourceId, Span};

/// A system of machines.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct System {
    /// The name, unique among machines, systems and documents.
    pub name: String,
    /// The source file.
    pub source: SourceId,
    /// The span of the name.
    pub span: Span,
    /// The title of its page.
    pub title: String,
    /// The description.
    pub doc: Option<String>,
    /// The sources of the facts.
    pub sources: Vec<String>,
    /// The actors that trigger transactions.
    pub actors: Vec<machine::Actor>,
    /// The machines that take part.
    pub parts: Vec<Part>,
    /// The enums of all its machines, as this system's expressions and inputs number them.
    pub enums: Vec<machine::Enum>,
    /// The origin of each of [`System::enums`]: position in [`Model::machines`], and its id there.
    pub enum_origins: Vec<(usize, EnumId)>,
    /// Conditions on firing events, in transactions and links alike.
    pub rules: Vec<Rule>,
    /// The transactions.
    pub transactions: Vec<Transaction>,
    /// Events that a change of one part raises in another.
    pub links: Vec<Link>,
    /// The conditions that hold after every transaction.
    pub invariants: Vec<Invariant>,
    /// The walkthroughs; executed when the model is built.
    pub walkthroughs: Vec<Walkthrough>,
    /// Notes for the page.
    pub notes: Vec<String>,
}

/// A machine in a role.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Part {
    /// The name.
    pub name: String,
    /// The text in tables: "Hop".
    pub label: String,
    /// Position in [`Model::machines`].
    pub machine: usize,
    /// Whether there may be many instances; otherwise at most one.
    pub many: bool,
    /// The part that owns every instance, and the context field that contains the owner's identity.
    /// The field is a reference, is given at creation and never assigned. Ownership has no cycles.
    pub of: Option<(PartId, FieldId)>,
    /// The orders that sort its instances.
    pub orders: Vec<PartOrder>,
    /// The description.
    pub doc: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}

/// An order that sorts the instances of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartOrder {
    /// The part whose state determines the keys.
    pub by: PartId,
    /// The order of its machine.
    pub order: OrderId,
    /// For each field of the item that the order compares, the field of the sorted part's context.
    pub fields: Vec<FieldId>,
    /// The span of its name.
    pub span: Span,
}

/// A condition on firing events; it reads the state before the transaction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rule {
    /// The guarded events, sorted.
    pub events: Vec<(PartId, EventId)>,
    /// The events as written: `hop.* except hop.create`.
    pub written: String,
    /// The condition. It reads the fired part, its owners, and parts without `many`;
    /// of a part that the event creates, only the identity.
    pub require: Expr,
    /// The description; shown on a refusal.
    pub doc: String,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the whole rule.
    pub span: Span,
}

/// A transaction: one or more events, all or none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transaction {
    /// The name.
    pub name: String,
    /// The actors that may trigger it.
    pub by: Vec<ActorId>,
    /// The actor that does the work that it starts.
    pub performer: Option<ActorId>,
    /// The place where a user finds it: `button "Execute Hop"`.
    pub surface: Option<String>,
    /// The data it takes.
    pub payload: Vec<Input>,
    /// Whether it must be one database transaction.
    pub atomic: bool,
    /// The events, in order, at most one for each part.
    pub fire: Vec<Fire>,
    /// The description.
    pub doc: Option<String>,
    /// The actions that do not happen when a part of it fails.
    pub on_failure: Option<String>,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}

/// An input of a transaction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Input {
    /// Its name and type; enums are numbered as in [`System::enums`].
    pub field: machine::Field,
    /// For a field of type `state`, the part whose states it names (`part.state` in the spec); for an
    /// enum, the part that declares it.
    pub of: Option<PartId>,
}

/// One event of a transaction or link.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fire {
    /// The part. A creation event creates a new instance.
    pub part: PartId,
    /// The event.
    pub event: EventId,
    /// The payload, one expression for every payload field of the event. The expressions read the state
    /// before the transaction (for a link: after the change). `part.id` of an instance that the
    /// transaction creates is known.
    pub payload: Vec<Expr>,
    /// The span of the event.
    pub span: Span,
}

/// An event that a change of one part raises in another, in the same all-or-nothing unit. The part
/// that changes determines the other one: the other has no `many`, or owns the first.
/// A chain of links never returns to a part.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Link {
    /// The part that changes.
    pub part: PartId,
    /// Entry or exit of the state.
    pub on: Crossing,
    /// The state, leaf or composite.
    pub state: StateId,
    /// The condition, read after the change.
    pub when: Option<Expr>,
    /// The event that is raised.
    pub fire: Fire,
    /// Whether a refusal is ignored; otherwise it undoes the whole transaction.
    pub optional: bool,
    /// The description.
    pub doc: Option<String>,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the whole link.
    pub span: Span,
}

/// The direction in which the border of a state is crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Crossing {
    /// Into it.
    Enter,
    /// Out of it.
    Exit,
}

/// A condition that holds after every transaction, for every instance of one part together with its
/// owners and the parts without `many`, as far as these exist.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Invariant {
    /// The part whose instances are each checked; none where only parts without `many` are read.
    pub of: Option<PartId>,
    /// The condition.
    pub require: Expr,
    /// The description; shown on a refusal.
    pub doc: String,
    /// The reason for it, if the source text does not state it.
    pub inferred: Option<String>,
    /// The span of the whole invariant.
    pub span: Span,
}

/// A walkthrough of the system.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Walkthrough {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The span of the declaration.
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
    /// The time in microseconds that passes before it.
    pub wait: Option<i64>,
    /// The instance (counted from 1) of each `many` part; a new one gets this number.
    pub instances: Vec<(PartId, u64)>,
    /// The named predicates that hold during the step.
    pub holds: Vec<(PartId, PredicateId)>,
    /// The payload, one value for every field of the transaction's payload.
    pub payload: Vec<Literal>,
    /// The text in the table's Trigger column.
    pub trigger: String,
    /// The text in the table's Notes column.
    pub note: Option<String>,
    /// The text with which the step must be refused.
    pub refused: Option<String>,
    /// The expected states of parts afterwards: this leaf, or a leaf of this composite.
    pub then: Vec<(PartId, StateId)>,
    /// The span of the whole step.
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

    /// The owners of an instance of `id`, nearest first.
    pub fn owners(&self, id: PartId) -> impl Iterator<Item = PartId> + '_ {
        std::iter::successors(Some(id), |id| Some(self.part(*id).of?.0)).skip(1)
    }

    /// Whether an instance of `from` determines the instance of `to`: `to` is the same part, an owner
    /// of it, or has only one instance.
    pub fn determines(&self, from: PartId, to: PartId) -> bool {
        from == to || !self.part(to).many || self.owners(from).any(|it| it == to)
    }

    /// The rules that apply to an event, in order.
    pub fn rules_for(&self, part: PartId, event: EventId) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.iter().enumerate().filter(move |(_, rule)| rule.events.binary_search(&(part, event)).is_ok())
    }

    /// The parts that a transaction reads or changes (links aside), sorted. Each of them
    /// must exist or be created by it.
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

    /// The parts whose state or context rules and payloads of these events read: they must exist before, even if one of
    /// the events creates them.
    #[cfg(feature = "systems")]
    pub(crate) fn parts_read_before(&self, fires: &[Fire]) -> std::collections::BTreeSet<PartId> {
        let rules = fires.iter().flat_map(|it| self.rules_for(it.part, it.event)).map(|(_, rule)| &rule.require);
        let vars = fires.iter().flat_map(|it| &it.payload).chain(rules).flat_map(|it| it.vars());
        let read = vars.filter_map(|it| match it {
            Var::PartState(part) | Var::PartContext(part, _) => Some(part),
            Var::PartId(_) | Var::Input(_) | Var::Context(_) | Var::Payload(_) => None,
        });
        read.collect()
    }

    fn collect_parts_of(&self, fire: &Fire, parts: &mut std::collections::BTreeSet<PartId>) {
        parts.insert(fire.part);
        // A new instance is given its owner; the owner of an existing one exists already.
        parts.extend(self.part(fire.part).of.map(|(owner, _)| owner));
        let rules = self.rules_for(fire.part, fire.event).map(|(_, rule)| &rule.require);
        for expr in fire.payload.iter().chain(rules) {
            parts.extend(expr.parts());
        }
    }
}
