//! Placement: which instances of a system must lie together if they are spread over several databases.
//!
//! The *root* of an instance is its outermost owner; an instance without an owner is its own root. Instances with the same root lie
//! together, so that a transaction that reaches instances of one root needs one database only. What a transaction reaches is known up
//! to guards and states: a link counts wherever the event of its part has a row that crosses the border, and in a machine that reacts
//! or has regions wherever its part changes.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::Outcome;
use super::system::{Crossing, Fire, Link, System, Transaction};
use super::{EventId, FieldId, Machine, Model, PartId};
use crate::expr::Expr;

/// Where the instances of a system lie, and which transactions need several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The parts, in the order of the system.
    pub parts: Vec<Placed>,
    /// The transactions, in the order of the system.
    pub transactions: Vec<Reach>,
    /// Every part that is a root, in the order of the system.
    pub roots: Vec<Root>,
}

/// Where the instances of a part lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The root: the part itself if it has no owner.
    pub root: PartId,
    /// The fields that lead from an instance to its root, each with the part that has it. Empty for a root; one field is the key of the
    /// root, and of several, the row has only the first.
    pub through: Vec<(PartId, FieldId)>,
}

/// What a transaction reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The roots, with the first reason for each, in the order in which the transaction reaches them. A role that may have an owner of
    /// its own has a root of its own.
    pub roots: Vec<(PartId, Reason)>,
}

/// Why a transaction reaches a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// The part or role of this root that it reaches.
    pub part: PartId,
    /// Whether it changes it; otherwise it reads it.
    pub changes: bool,
    /// What in the spec says so.
    pub cause: Cause,
}

/// What in a spec makes a transaction reach an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// An event of the transaction, by position, with its payload.
    Fire(usize),
    /// A rule, by position.
    Rule(usize),
    /// A link, by position.
    Link(usize),
    /// An invariant, by position.
    Invariant(usize),
}

/// A part that is a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The part.
    pub part: PartId,
    /// The transactions that reach another root as well, by position: while there are some, its key does not keep everything together.
    pub spanning: Vec<usize>,
    /// The parts that are roots of these transactions, too, in order.
    pub others: BTreeSet<PartId>,
}

impl Reach {
    /// Whether one root is enough.
    pub fn is_local(&self) -> bool {
        self.roots.len() < 2
    }
}

impl System {
    /// The root of an instance of a part or role.
    pub fn root(&self, id: PartId) -> PartId {
        self.owners(id).last().unwrap_or(id)
    }

    /// Where the instances lie, and which transactions need several places.
    pub fn placement(&self, model: &Model) -> Placement {
        let through = |id: PartId| {
            let all = std::iter::once(id).chain(self.owners(id));
            all.filter_map(|it| self.part(it).of.map(|(_, field)| (it, field))).collect()
        };
        let parts: Vec<Placed> = self.part_ids().map(|it| Placed { root: self.root(it), through: through(it) }).collect();
        let transactions: Vec<Reach> = self.transactions.iter().map(|it| self.reach(model, it)).collect();
        let mut roots: BTreeMap<PartId, Root> = BTreeMap::new();
        for id in self.part_ids().filter(|it| self.root(*it) == *it) {
            roots.insert(id, Root { part: id, spanning: Vec::new(), others: BTreeSet::new() });
        }
        for (idx, reach) in transactions.iter().enumerate().filter(|(_, it)| !it.is_local()) {
            let all: Vec<PartId> = reach.roots.iter().map(|it| self.plays(it.0)).collect();
            for (position, id) in all.iter().enumerate() {
                let Some(root) = roots.get_mut(id) else { continue };
                if root.spanning.last() != Some(&idx) {
                    root.spanning.push(idx);
                }
                // A role of the same part is another instance of it.
                root.others.extend(all.iter().enumerate().filter(|it| it.0 != position).map(|it| *it.1));
            }
        }
        Placement { parts, transactions, roots: roots.into_values().collect() }
    }

    /// What a transaction reaches: the instances that it changes, those that its links change, and what payloads, rules, conditions of
    /// links and invariants about these read.
    fn reach(&self, model: &Model, transaction: &Transaction) -> Reach {
        let mut reached = Reached { system: self, roots: Vec::new(), changed: Vec::new() };
        for (idx, fire) in transaction.fire.iter().enumerate() {
            reached.fire(fire, Cause::Fire(idx));
        }
        // Links never lead back, so that this ends.
        let mut next = 0;
        while let Some((part, event)) = reached.changed.get(next).copied() {
            next += 1;
            let machine = &model.machines[self.part(part).machine];
            for (idx, link) in self.links_of(part).filter(|(_, it)| may_cross(machine, event, it)) {
                reached.read(link.when.as_ref(), Cause::Link(idx));
                reached.fire(&link.fire, Cause::Link(idx));
            }
        }
        let changed: BTreeSet<PartId> = reached.changed.iter().map(|it| it.0).collect();
        for part in changed {
            for (idx, invariant) in self.invariants.iter().enumerate() {
                let parts = invariant.require.parts();
                if parts.contains(&self.plays(part)) {
                    parts.into_iter().for_each(|it| reached.add(self.in_role(part, it), false, Cause::Invariant(idx)));
                }
            }
        }
        Reach { roots: reached.roots }
    }
}

/// The roots that a transaction has reached so far.
struct Reached<'s> {
    system: &'s System,
    roots: Vec<(PartId, Reason)>,
    /// The parts and roles that it changes, with the events, each once.
    changed: Vec<(PartId, EventId)>,
}

impl Reached<'_> {
    fn fire(&mut self, fire: &Fire, cause: Cause) {
        if !self.changed.contains(&(fire.part, fire.event)) {
            self.changed.push((fire.part, fire.event));
        }
        self.add(fire.part, true, cause);
        self.read(&fire.payload, cause);
        for (idx, condition) in self.system.conditions_for(fire.part, fire.event) {
            self.read([&*condition], Cause::Rule(idx));
        }
    }

    fn read<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>, cause: Cause) {
        all.into_iter().flat_map(Expr::parts).for_each(|it| self.add(it, false, cause));
    }

    fn add(&mut self, part: PartId, changes: bool, cause: Cause) {
        let root = self.system.root(part);
        let reason = Reason { part, changes, cause };
        match self.roots.iter_mut().find(|it| it.0 == root) {
            // A change is the better reason.
            Some((_, known)) if changes && !known.changes => *known = reason,
            Some(_) => {}
            None => self.roots.push((root, reason)),
        }
    }
}

/// Whether an event of a machine may cross the border that a link watches.
fn may_cross(machine: &Machine, event: EventId, link: &Link) -> bool {
    // Further steps may follow, and a step in one region may leave others.
    if machine.reacts() || machine.has_regions() {
        return true;
    }
    machine.edges.iter().filter(|it| it.on.event() == Some(event)).any(|edge| match (edge.outcome, link.on) {
        (Outcome::Stay | Outcome::Refuse, _) => false,
        (Outcome::Leaf(to), Crossing::Enter) => machine.is_in(to, link.state),
        (_, Crossing::Enter) => true,
        (_, Crossing::Exit) => edge.from.is_some_and(|it| machine.is_in(it, link.state)),
    })
}
