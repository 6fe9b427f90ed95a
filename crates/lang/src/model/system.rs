//! A validated system: several machines that act together.

use std::borrow::Cow;

use super::*;
use crate::expr::Expr;
use crate::expr::Var;
use crate::source::{SourceId, Span};

/// A system of machines.
#[derive(Debug, Clone)]
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
    /// The roles of transactions; their ids follow those of the parts.
    pub roles: Vec<Role>,
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

/// A further instance of a part with `many`, in the transactions that declare the role.
#[derive(Debug, Clone)]
pub struct Role {
    /// The part as the role sees it: with the name of the role, and with the role of its owner.
    pub part: Part,
    /// The part whose instance it is.
    pub plays: PartId,
    /// Whether a spec declares it. Otherwise it is the owner of the instance in another role, which no expression names.
    pub declared: bool,
}

/// An order that sorts the instances of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
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
pub struct Rule {
    /// The guarded events, sorted. An event of a part is guarded in every role of that part.
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
    /// The roles that it declares.
    pub roles: Vec<PartId>,
    /// Whether it must be one database transaction.
    pub atomic: bool,
    /// The events, in order, at most one for each part or role.
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
pub struct Input {
    /// Its name and type; enums are numbered as in [`System::enums`].
    pub field: machine::Field,
    /// For a field of type `state`, the part whose states it names (`part.state` in the spec); for an
    /// enum, the part that declares it.
    pub of: Option<PartId>,
}

/// One event of a transaction or link.
#[derive(Debug, Clone)]
pub struct Fire {
    /// The part or role. A creation event creates a new instance.
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
pub enum Crossing {
    /// Into it.
    Enter,
    /// Out of it.
    Exit,
}

/// A condition that holds after every transaction, for every instance of one part together with its
/// owners and the parts without `many`, as far as these exist.
#[derive(Debug, Clone)]
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
pub struct Step {
    /// Its number: `2.1`.
    pub number: String,
    /// Position in [`System::transactions`].
    pub transaction: usize,
    /// The time in microseconds that passes before it.
    pub wait: Option<i64>,
    /// The instance (counted from 1) of each `many` part and role; a new one gets this number.
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
    /// The expected states of parts and roles afterwards: each is active. A part with regions may have several entries.
    pub then: Vec<(PartId, StateId)>,
    /// The span of the whole step.
    pub span: Span,
}

impl System {
    /// The part or role with this id.
    pub fn part(&self, id: PartId) -> &Part {
        match id.index().checked_sub(self.parts.len()) {
            Some(idx) => &self.roles[idx].part,
            None => &self.parts[id.index()],
        }
    }

    /// The part whose instances take a role; a part itself.
    pub fn plays(&self, id: PartId) -> PartId {
        let role = id.index().checked_sub(self.parts.len()).and_then(|it| self.roles.get(it));
        role.map_or(id, |it| it.plays)
    }

    /// The position of a part.
    pub fn part_id(&self, name: &str) -> Option<PartId> {
        self.parts.iter().position(|it| it.name == name).map(PartId::new)
    }

    /// The id of a role that a spec declares.
    pub fn role_id(&self, name: &str) -> Option<PartId> {
        self.declared_roles().find(|it| self.part(*it).name == name)
    }

    /// All part ids, in order; without roles.
    pub fn part_ids(&self) -> impl DoubleEndedIterator<Item = PartId> + use<> {
        (0..self.parts.len()).map(PartId::new)
    }

    /// The ids of the roles that the spec declares, in order.
    pub fn declared_roles(&self) -> impl Iterator<Item = PartId> + '_ {
        self.role_ids().zip(&self.roles).filter(|(_, it)| it.declared).map(|(id, _)| id)
    }

    /// All ids of roles, in order.
    pub fn role_ids(&self) -> impl DoubleEndedIterator<Item = PartId> + use<> {
        (self.parts.len()..self.parts.len() + self.roles.len()).map(PartId::new)
    }

    /// The part or role that a part stands for where another instance takes a role: the role in the place of its part, and
    /// the owners of that instance in the place of the owners.
    pub fn in_role(&self, role: PartId, id: PartId) -> PartId {
        let mut pair = Some((self.plays(role), role));
        while let Some((part, role)) = pair.filter(|(part, role)| part != role) {
            if part == id {
                return role;
            }
            pair = self.part(part).of.and_then(|(part, _)| Some((part, self.part(role).of?.0)));
        }
        id
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

    /// The rules that apply to an event, in order. A rule about a part applies to each of its roles.
    pub fn rules_for(&self, part: PartId, event: EventId) -> impl Iterator<Item = (usize, &Rule)> {
        let applies = move |rule: &Rule| rule.guards(part, event) || rule.guards(self.plays(part), event);
        self.rules.iter().enumerate().filter(move |(_, rule)| applies(rule))
    }

    /// The condition of a rule for the event of a part or role. A rule about the part is read with the instance of the role.
    pub(crate) fn condition_for<'a>(&self, rule: &'a Rule, part: PartId, event: EventId) -> Cow<'a, Expr> {
        if rule.guards(part, event) {
            return Cow::Borrowed(&rule.require);
        }
        Cow::Owned(rule.require.with_parts(&|id| self.in_role(part, id)))
    }

    /// The conditions of the rules that apply to an event.
    pub fn conditions_for(&self, part: PartId, event: EventId) -> impl Iterator<Item = (usize, Cow<'_, Expr>)> {
        self.rules_for(part, event).map(move |(idx, rule)| (idx, self.condition_for(rule, part, event)))
    }

    /// The links that watch a part or role, with their positions. A link of a part is read with the instance of the role.
    pub fn links_of(&self, part: PartId) -> impl Iterator<Item = (usize, Cow<'_, Link>)> {
        let plays = self.plays(part);
        let of_role = move |link: &Link| {
            let map = |id| self.in_role(part, id);
            let fire = Fire {
                part: map(link.fire.part),
                payload: link.fire.payload.iter().map(|it| it.with_parts(&map)).collect(),
                ..link.fire.clone()
            };
            Link { part, when: link.when.as_ref().map(|it| it.with_parts(&map)), fire, ..link.clone() }
        };
        let links = self.links.iter().enumerate().filter(move |(_, link)| link.part == plays);
        links.map(move |(idx, link)| (idx, if part == plays { Cow::Borrowed(link) } else { Cow::Owned(of_role(link)) }))
    }

    /// All parts and roles that a transaction may reach: those that it reads or changes, their owners, and the same of its
    /// links.
    pub fn reached_by(&self, transaction: &Transaction) -> std::collections::BTreeSet<PartId> {
        let mut reached = std::collections::BTreeSet::new();
        let mut open = self.parts_of(transaction);
        while let Some(part) = open.pop() {
            if !reached.insert(part) {
                continue;
            }
            open.extend(self.owners(part));
            for (_, link) in self.links_of(part) {
                open.extend(self.parts_of_fire(&link.fire));
                open.extend(link.when.iter().flat_map(|it| it.parts()));
            }
        }
        reached
    }

    /// The parts of which a transaction involves several instances, each with the roles that these take: in every list, no
    /// instance occurs twice. An instance that the transaction creates is no instance that exists.
    pub fn distinct_in(&self, transaction: &Transaction, creates: impl Fn(&Fire) -> bool) -> Vec<(PartId, Vec<PartId>)> {
        let parts: std::collections::BTreeSet<PartId> = transaction.roles.iter().map(|it| self.plays(*it)).collect();
        let reached = if parts.is_empty() { Default::default() } else { self.reached_by(transaction) };
        let is_new = |id: &PartId| transaction.fire.iter().any(|it| it.part == *id && creates(it));
        let several = parts.into_iter().flat_map(|part| {
            let itself = reached.contains(&part).then_some(part);
            let all = itself.into_iter().chain(transaction.roles.iter().copied().filter(|it| self.plays(*it) == part));
            let (new, found) = all.partition::<Vec<PartId>, _>(is_new);
            [(part, found), (part, new)]
        });
        several.filter(|(_, roles)| !roles.is_empty()).collect()
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
    pub fn parts_read_before(&self, fires: &[Fire]) -> std::collections::BTreeSet<PartId> {
        let rules = fires.iter().flat_map(|it| self.conditions_for(it.part, it.event)).flat_map(|(_, it)| it.vars());
        let vars = fires.iter().flat_map(|it| &it.payload).flat_map(|it| it.vars()).chain(rules);
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
        let rules = self.conditions_for(fire.part, fire.event).flat_map(|(_, it)| it.parts());
        parts.extend(fire.payload.iter().flat_map(|it| it.parts()).chain(rules));
    }
}

impl Rule {
    /// Whether the rule names this event of this part or role.
    fn guards(&self, part: PartId, event: EventId) -> bool {
        self.events.binary_search(&(part, event)).is_ok()
    }
}
