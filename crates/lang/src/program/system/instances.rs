//! The instances of a transaction or link, and where their keys come from.

use std::collections::{BTreeMap, BTreeSet};

use super::{Key, Load, Stored};
use crate::model::system::{Fire, Transaction};
use crate::model::{Machine, Model, PartId, System};

/// The machine of a part or role.
pub(super) fn machine<'m>(model: &'m Model, system: &System, part: PartId) -> &'m Machine {
    &model.machines[system.part(part).machine]
}

/// Whether the machine of a part begins without an event.
pub(super) fn begins(model: &Model, system: &System, part: PartId) -> bool {
    machine(model, system, part).edges_from(None).is_empty()
}

/// Whether an event creates an instance of its part.
pub(super) fn creates(model: &Model, system: &System, fire: &Fire) -> bool {
    machine(model, system, fire.part).is_creation_event(fire.event)
}

/// The parts and roles that a transaction changes, including those of its links.
pub(super) fn changed(system: &System, transaction: &Transaction) -> BTreeSet<PartId> {
    let mut changed: BTreeSet<PartId> = transaction.fire.iter().map(|it| it.part).collect();
    let mut open: Vec<PartId> = changed.iter().copied().collect();
    while let Some(part) = open.pop() {
        open.extend(system.links_of(part).map(|(_, link)| link.fire.part).filter(|it| changed.insert(*it)));
    }
    changed
}

/// The parts and roles that a transaction needs, including those of its links.
pub(super) fn reached(model: &Model, system: &System, transaction: &Transaction) -> BTreeSet<PartId> {
    let mut reached: BTreeSet<PartId> = system.parts_of(transaction).into_iter().collect();
    for part in changed(system, transaction) {
        for (_, link) in system.links_of(part) {
            reached.extend(system.parts_of_fire(&link.fire));
            reached.extend(link.when.iter().flat_map(|it| it.parts()));
        }
    }
    // The instance of a part is compared with those in roles of the part.
    reached.extend(system.distinct_in(transaction, |it| creates(model, system, it)).into_iter().flat_map(|(_, parts)| parts));
    // A machine without a creation event begins with its owner.
    for part in reached.clone() {
        let chain: Vec<PartId> = std::iter::once(part).chain(system.owners(part)).collect();
        reached.extend(chain.windows(2).take_while(|it| begins(model, system, it[0])).map(|it| it[1]));
    }
    // The owner of an owner is found through the parts between.
    for part in reached.clone() {
        let owners: Vec<PartId> = system.owners(part).collect();
        let n_between = owners.iter().rposition(|it| reached.contains(it)).unwrap_or(0);
        reached.extend(&owners[..n_between]);
    }
    reached
}

/// The parts and roles with `many` of which a transaction creates an instance.
pub(super) fn created(model: &Model, system: &System, transaction: &Transaction) -> BTreeSet<PartId> {
    let many = transaction.fire.iter().filter(|it| system.part(it.part).many);
    many.filter(|it| creates(model, system, it)).map(|it| it.part).collect()
}

/// The parts and roles whose instances a caller names. An existing instance determines its owners, up to one that the
/// transaction creates: the caller names the owner of that. An instance that may have to begin determines none.
pub(super) fn named(model: &Model, system: &System, reached: &BTreeSet<PartId>, created: &BTreeSet<PartId>) -> BTreeSet<PartId> {
    let exists = |it: &&PartId| !created.contains(it) && !begins(model, system, **it);
    let owners = |it: &PartId| system.owners(*it).take_while(|owner| !created.contains(owner));
    let owners: BTreeSet<PartId> = reached.iter().filter(exists).flat_map(owners).collect();
    let is_named = |it: &PartId| system.part(*it).many && !created.contains(it) && !owners.contains(it);
    reached.iter().copied().filter(is_named).collect()
}

/// The instances that are determined from named ones, each after those that determine it. Parts that matter to none of
/// `needed` are omitted.
pub(super) fn loads(system: &System, named: &BTreeSet<PartId>, created: &BTreeSet<PartId>, needed: &BTreeSet<PartId>) -> Vec<Load> {
    let is_single = |it: PartId| !system.part(it).many;
    let mut owned: BTreeMap<PartId, Vec<PartId>> = BTreeMap::new();
    let mut all: BTreeSet<PartId> = BTreeSet::new();
    let mut open: Vec<PartId> = named.iter().copied().chain(system.part_ids().filter(|it| is_single(*it))).collect();
    while let Some(part) = open.pop() {
        // An owner without `many` is the only instance: nothing determines it.
        if all.insert(part)
            && let Some(owner) = owner_to_load(system, created, part)
        {
            owned.entry(owner).or_default().push(part);
            open.push(owner);
        }
    }
    let contradictory = |it: &PartId| owned.get(it).map_or(0, Vec::len) + usize::from(named.contains(it)) > 1;
    let matters = |it: &PartId| needed.contains(it) || named.contains(it) || contradictory(it);
    let chain = |it: PartId| std::iter::successors(Some(it), |it| owner_to_load(system, created, *it));
    let mut loaded: Vec<PartId> = all.into_iter().filter(|it| chain(*it).any(|it| matters(&it))).collect();
    loaded.sort_by_key(|it| (std::cmp::Reverse(system.owners(*it).count()), *it));
    let load = |part: PartId| {
        let mut owned = owned.remove(&part).unwrap_or_default();
        owned.sort_unstable();
        let key = match named.contains(&part) {
            true => Key::Named,
            false if is_single(part) => Key::Single,
            false => Key::Owned,
        };
        Load { part, key, owned }
    };
    loaded.into_iter().map(load).collect()
}

/// The instances that may exist before a transaction, in an order in which a store can be asked for them and they can begin.
pub(super) fn stored(
    model: &Model,
    system: &System,
    reached: &BTreeSet<PartId>,
    created: &BTreeSet<PartId>,
    loads: &[Load],
) -> Vec<Stored> {
    let determined = |part: PartId| loads.iter().find(|it| it.part == part && it.key == Key::Owned);
    // An instance that may have to begin determines none.
    let determines = |it: &&PartId| reached.contains(it) && (!begins(model, system, **it) || determined(**it).is_some());
    let owner_of = |part: PartId| determined(part)?.owned.iter().find(determines).copied();
    let mut open: Vec<Stored> = reached.difference(created).map(|it| Stored { part: *it, owner_of: owner_of(*it) }).collect();
    let mut stored: Vec<Stored> = Vec::with_capacity(open.len());
    while !open.is_empty() {
        // An instance follows the one that determines it, or else the owner with which it begins.
        let owner = |part: PartId| system.part(part).of.map(|(owner, _)| owner).filter(|_| begins(model, system, part));
        let is_open = |part: PartId| open.iter().any(|it| it.part == part);
        // Ownership has no cycles, so some part does not wait for another.
        let next = open.iter().position(|it| !it.owner_of.or_else(|| owner(it.part)).is_some_and(is_open)).unwrap_or(0);
        stored.push(open.remove(next));
    }
    stored
}

/// The owner that an instance determines.
fn owner_to_load(system: &System, created: &BTreeSet<PartId>, part: PartId) -> Option<PartId> {
    let (owner, _) = system.part(part).of?;
    (system.part(owner).many && !created.contains(&owner)).then_some(owner)
}
