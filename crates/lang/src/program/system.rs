//! The program of a system: its transactions, links and invariants.
//!
//! One transaction, all or nothing:
//!
//! 1. The key of each instance in [`Transaction::loads`] is determined, in their order. The caller names
//!    [`Transaction::keys`]; an instance that is there determines its owner. If two instances determine different keys for
//!    one part, the call is refused: the caller named instances that do not belong together.
//! 2. If two parts of a list in [`Transaction::distinct`] have the same key, the transaction is refused with
//!    [`Part::same`]. The store chooses different keys for those of a list in [`Transaction::distinct_new`]; where it is not trusted to,
//!    the transaction is refused in the same way.
//! 3. If the key of a part in [`Transaction::parts`] is unknown, the call is refused: the instance that should determine it
//!    is not there, or has no owner.
//! 4. An instance that is not there begins, if its machine does ([`Part::begins`]). It is stored only if an event changes
//!    it, unless the part has only one instance: then it is there from the start.
//! 5. The instances of [`Transaction::needs`] must be there. Otherwise, the transaction is refused with
//!    [`Part::missing`].
//! 6. The rules are checked in order. If one does not hold, the transaction is refused with its text.
//! 7. Each of [`Transaction::fires`] is computed: its payload, then the step of the machine. If a value divides by zero
//!    ([`Given::divides`]), or if the machine refuses the event, the transaction is refused. All of them, as all rules, read
//!    the state before the transaction.
//! 8. All changes are made. For each, in order, the links that watch it follow: for each step, first those of the states
//!    that are left, innermost first, then those of the states that are entered, outermost first; for each state, the links in
//!    the order of [`SystemProgram::watching`].
//! 9. [`Transaction::checks`] must hold afterwards. Otherwise, the transaction is refused with the text of the first that does
//!    not.
//! 10. The effects are performed and the instances stored: all effects before the change, in the order of the changes and their
//!     steps; then the store and the change, in the earliest order of [`Row::commit`](super::Row::commit) among all rows;
//!     then all other effects. If an effect before the change fails, nothing has changed.
//!
//! One link: its instances are determined from the one that changed, as in 1 and 3. [`Link::when`] is checked. The link then
//! proceeds as in 5 to 7 for its one event, but reads the current state. The change is made, and the links that watch it
//! follow before the next link. If the link is optional and refused, it is skipped; the links that follow it are not part of
//! it. Any other refusal undoes the whole transaction. A transaction with more than
//! [`MAX_FIRED`](crate::interpret::system::MAX_FIRED) events is refused.
//!
//! Expressions read parts by [`Var`]. Enums are those of the system; a payload has those of its machine
//! ([`System::enum_origins`]). [`Expr::states_of`](super::Expr::states_of) returns the part whose states a value names; a
//! literal state is one of the part that it is compared with, otherwise of the part that takes the value.

mod instances;
mod lower;

use std::collections::{BTreeMap, BTreeSet};

use super::Expr;
use crate::expr::Var;
use crate::interpret::SystemReason;
use crate::model::system::Crossing;
use crate::model::{EventId, FieldId, Model, PartId, StateId, System};

/// What a system does, without a rule that is left to decide. Names, descriptions and declarations are those of the system. Each
/// of its machines has a [`Program`](super::Program) of its own.
#[derive(Debug)]
pub struct SystemProgram<'m> {
    /// The system.
    pub system: &'m System,
    /// The parts, then the roles, by [`PartId`].
    pub parts: Vec<Part>,
    /// The transactions, by position in [`System::transactions`].
    pub transactions: Vec<Transaction>,
    /// The conditions of the rules, by position in [`System::rules`]. Each is false where it would divide by zero.
    pub rules: Vec<Expr>,
    /// The links, by position in [`System::links`].
    pub links: Vec<Link>,
    /// The links of the parts that roles play, as they follow a change of an instance in that role: by role, with the positions in
    /// [`System::links`].
    pub role_links: BTreeMap<PartId, Vec<(usize, Link)>>,
    /// The invariants, by position in [`System::invariants`].
    pub invariants: Vec<Invariant>,
}

/// A part or a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part whose instances it has: itself, unless it is a role.
    pub plays: PartId,
    /// The leaves in which its instances begin without an event; `None` if an event creates them.
    pub begins: Option<Vec<StateId>>,
    /// The owner. A new instance has its key in a field of the context, or null if the key is unknown; the field never changes.
    pub owner: Option<Owner>,
    /// The text of a refusal if the instance is not there.
    pub missing: String,
    /// The text of a refusal if the same instance takes two roles.
    pub same: String,
    /// The borders of states that links watch, in the order in which a step crosses those of them that it crosses.
    pub borders: Vec<(Crossing, StateId)>,
}

/// The owner of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// The part or role of the owner.
    pub part: PartId,
    /// The field of the context that has its key.
    pub field: FieldId,
}

/// A transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The parts and roles that it may read or change, including those of links, sorted.
    pub reaches: BTreeSet<PartId>,
    /// The parts and roles that it may change, including those of links.
    pub changes: BTreeSet<PartId>,
    /// The parts and roles whose instances the caller names, sorted.
    pub keys: Vec<PartId>,
    /// The parts and roles of which it creates an instance, sorted. The store chooses the keys, in this order.
    pub creates: Vec<PartId>,
    /// The instances whose keys are determined.
    pub loads: Vec<Load>,
    /// The instances that may exist before it: what [`Transaction::reaches`] has and [`Transaction::creates`] has not. A store that is
    /// asked for one after the other, in this order, can be asked for each, and one that is not there can begin.
    pub stored: Vec<Stored>,
    /// Parts and roles that must have different instances, sorted by part.
    pub distinct: Vec<Distinct>,
    /// Parts and roles of which it creates different instances, sorted by part.
    pub distinct_new: Vec<Distinct>,
    /// The parts and roles whose key must be known, sorted.
    pub parts: Vec<PartId>,
    /// The instances that must be there, in order.
    pub needs: Vec<Need>,
    /// The rules that must hold, in order.
    pub rules: Vec<Rule>,
    /// The events, in order.
    pub fires: Vec<Fire>,
    /// The invariants that it may violate, in order: positions in [`SystemProgram::invariants`].
    pub checks: Vec<usize>,
}

/// An instance whose key is determined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The part or role.
    pub part: PartId,
    /// Where the key comes from.
    pub key: Key,
    /// Parts and roles that come before, whose instances belong to this one. Each that is there and has an owner determines
    /// the key, too.
    pub owned: Vec<PartId>,
}

/// An instance that may exist before a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The part or role.
    pub part: PartId,
    /// The part or role before it whose instance belongs to this one, and is the first of [`Load::owned`] that always has an owner;
    /// `None` if the key is known without it.
    pub owner_of: Option<PartId>,
}

/// Where the key of an instance comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// There is only one instance.
    Single,
    /// The caller names it. For a link, it is the instance that changed.
    Named,
    /// The store chooses the key of a new instance, unless one of [`Load::owned`] determines it. It does so once all other
    /// keys are determined and [`Transaction::distinct`] is checked.
    New,
    /// Only [`Load::owned`] determine it.
    Owned,
}

/// Parts and roles that must have different instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distinct {
    /// The part whose instances they have.
    pub part: PartId,
    /// The parts and roles.
    pub among: Vec<PartId>,
}

/// An instance that must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The part or role.
    pub part: PartId,
    /// Whether an event creates it, so that it may be missing.
    pub created: bool,
    /// Whether an instance that is there counts only if its owner has the determined key: the transaction creates the owner, so
    /// that an earlier instance belongs to another one.
    pub belongs: bool,
}

/// A rule before an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The position in [`System::rules`], which has the text.
    pub rule: usize,
    /// The role with whose instance it is read, if it guards an event of the part that the role plays.
    pub role: Option<PartId>,
    /// The condition. It is false where it would divide by zero.
    pub require: Expr,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fire {
    /// The part or role.
    pub part: PartId,
    /// The event.
    pub event: EventId,
    /// A value for each field of the payload.
    pub payload: Vec<Given>,
    /// Whether the event creates an instance. If it is there already, the machine decides in its state.
    pub creates: bool,
    /// Whether the instance is created even if it is there: no row of the event stores it.
    pub in_memory: bool,
}

/// A value of a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The condition under which the value divides by zero. It comes first, and refuses the transaction.
    pub divides: Option<Expr>,
    /// The value.
    pub value: Expr,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The part that changes. A change of a role is one of its part.
    pub part: PartId,
    /// Whether it watches entry or exit.
    pub on: Crossing,
    /// The state.
    pub state: StateId,
    /// The instances whose keys are determined.
    pub loads: Vec<Load>,
    /// The parts whose key must be known, sorted.
    pub parts: Vec<PartId>,
    /// The condition.
    pub when: Option<When>,
    /// The instances that must be there after the condition, in order.
    pub needs: Vec<Need>,
    /// The rules that must hold, in order.
    pub rules: Vec<Rule>,
    /// The event.
    pub fire: Fire,
    /// Whether it is skipped if it is refused.
    pub optional: bool,
}

/// The condition of a link: if it does not hold, nothing happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// The parts whose instances must be there, in order. Otherwise, the link is refused.
    pub needs: Vec<PartId>,
    /// The condition under which it divides by zero. It refuses the link.
    pub divides: Option<Expr>,
    /// The condition.
    pub condition: Expr,
}

/// An invariant. It holds for instances that are not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// The part whose instances are each checked; `None` if it is checked once.
    pub each: Option<PartId>,
    /// The owners of that part as far as they are read, nearest first. Each instance determines the next one, until one has no
    /// owner. A part without `many` is its only instance in any case.
    pub owners: Vec<PartId>,
    /// The parts whose instances it reads, sorted: if one is not there, the invariant holds.
    pub parts: Vec<PartId>,
    /// The condition. It is false where it would divide by zero.
    pub require: Expr,
}

impl<'m> SystemProgram<'m> {
    /// The program of a system of this model.
    pub fn of(model: &Model, system: &'m System) -> Self {
        let all = || system.part_ids().chain(system.role_ids());
        let part = |id: PartId| Part {
            plays: system.plays(id),
            begins: instances::begins(model, system, id).then(|| instances::machine(model, system, id).initial().leaves().collect()),
            owner: system.part(id).of.map(|(part, field)| Owner { part, field }),
            missing: SystemReason::Missing(system.plays(id)).show(model, system),
            same: SystemReason::Same(system.plays(id)).show(model, system),
            borders: lower::borders(model, system, id),
        };
        SystemProgram {
            system,
            parts: all().map(part).collect(),
            transactions: system.transactions.iter().map(|it| lower::transaction(model, system, it)).collect(),
            rules: system.rules.iter().map(|it| lower::condition(&it.require)).collect(),
            links: system.links.iter().map(|it| lower::link(model, system, it)).collect(),
            role_links: system.role_ids().map(|role| (role, lower::links_of(model, system, role))).collect(),
            invariants: system.invariants.iter().map(|it| lower::invariant(system, it)).collect(),
        }
    }

    /// A part or role.
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// The links that watch a part or role, with their positions in [`System::links`].
    pub fn links_of(&self, part: PartId) -> Vec<(usize, &Link)> {
        match self.role_links.get(&part) {
            Some(links) => links.iter().map(|(idx, it)| (*idx, it)).collect(),
            None => self.links.iter().enumerate().filter(|(_, it)| it.part == part).collect(),
        }
    }

    /// The links that watch a border of a part, in the order in which they follow: positions in [`SystemProgram::links`].
    pub fn watching(&self, part: PartId, on: Crossing, state: StateId) -> impl Iterator<Item = usize> {
        let watches = move |it: &Link| (it.part, it.on, it.state) == (part, on, state);
        self.links.iter().enumerate().filter(move |(_, it)| watches(it)).map(|(idx, _)| idx)
    }

    /// Whether the key of the instances of a part matters: a condition or a payload reads it, or other instances belong to them.
    pub fn uses_key(&self, part: PartId) -> bool {
        let plays = |it: PartId| self.part(it).plays == part;
        let reads = |it: &Expr| it.vars().iter().any(|it| matches!(it, Var::PartId(id) if plays(*id)));
        self.parts.iter().any(|it| it.owner.is_some_and(|it| plays(it.part))) || self.exprs().any(reads)
    }

    /// The conditions and the values of payloads of all transactions, links, rules and invariants.
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        fn of_given(given: &Given) -> impl Iterator<Item = &Expr> {
            given.divides.iter().chain([&given.value])
        }
        let whens = self.links.iter().filter_map(|it| it.when.as_ref()).flat_map(|it| it.divides.iter().chain([&it.condition]));
        let fires = self.transactions.iter().flat_map(|it| &it.fires).chain(self.links.iter().map(|it| &it.fire));
        let given = fires.flat_map(|it| &it.payload).flat_map(of_given);
        whens.chain(&self.rules).chain(given).chain(self.invariants.iter().map(|it| &it.require))
    }
}
