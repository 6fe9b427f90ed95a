//! The instances that a transaction involves.

use std::collections::BTreeSet;

use statespec_codegen::model::system::{System, Transaction};
use statespec_codegen::model::{Model, PartId};

/// The instances that a transaction takes by their keys: those of `many` parts that it needs, does not create,
/// and does not find through the ownership of other instances.
pub(crate) fn named(model: &Model, system: &System, transaction: &Transaction) -> Vec<PartId> {
    let machine = |part: PartId| &model.machines[system.part(part).machine];
    let needed = needed(system, transaction);
    let created = |part: PartId| {
        system.part(part).many && transaction.fire.iter().any(|it| it.part == part && machine(part).is_creation_event(it.event))
    };
    // An instance that an event created is stored with the key of its owner.
    let found: BTreeSet<PartId> = needed
        .iter()
        .filter(|part| !created(**part) && !machine(**part).edges_from(None).is_empty())
        .flat_map(|part| system.owners(*part))
        .collect();
    needed.iter().copied().filter(|part| system.part(*part).many && !created(*part) && !found.contains(part)).collect()
}

/// The parts that a transaction needs, its links included.
fn needed(system: &System, transaction: &Transaction) -> BTreeSet<PartId> {
    let mut needed: BTreeSet<PartId> = system.parts_of(transaction).into_iter().collect();
    let mut open: Vec<PartId> = transaction.fire.iter().map(|it| it.part).collect();
    let mut seen: BTreeSet<PartId> = BTreeSet::new();
    while let Some(part) = open.pop() {
        if !seen.insert(part) {
            continue;
        }
        for link in system.links.iter().filter(|it| it.part == part) {
            needed.extend(system.parts_of_fire(&link.fire));
            needed.extend(link.when.iter().flat_map(|it| it.parts()));
            open.push(link.fire.part);
        }
    }
    needed
}

/// Whether the identity of a part is used anywhere.
pub(crate) fn needs_key(system: &System, part: PartId) -> bool {
    let is_owner = system.parts.iter().any(|it| it.of.is_some_and(|(owner, _)| owner == part));
    let fires = system.transactions.iter().flat_map(|it| &it.fire).chain(system.links.iter().map(|it| &it.fire));
    let rules = system.rules.iter().map(|it| &it.require).chain(system.invariants.iter().map(|it| &it.require));
    let conditions = system.links.iter().filter_map(|it| it.when.as_ref());
    let mut expressions = fires.flat_map(|it| &it.payload).chain(rules).chain(conditions);
    let identity = statespec_codegen::expr::Var::PartId(part);
    system.part(part).many || is_owner || expressions.any(|it| it.vars().contains(&identity))
}
