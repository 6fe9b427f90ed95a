//! Lowers transactions, links and invariants.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::instances::{self, begins, creates, machine};
use super::{Distinct, Fire, Given, Invariant, Key, Link, Load, Need, Rule, Transaction, When};
use crate::expr::{self, defined, divides};
use crate::model::system::Crossing;
use crate::model::{Model, PartId, StateId, System, system};
use crate::program::Expr;

pub(super) fn transaction(model: &Model, system: &System, spec: &system::Transaction) -> Transaction {
    let reaches = instances::reached(model, system, spec);
    let created = instances::created(model, system, spec);
    let named = instances::named(model, system, &reaches, &created);
    let mut loads = instances::loads(system, &named, &created, &reaches);
    loads.extend(created.iter().map(|part| Load { part: *part, key: Key::New, owned: Vec::new() }));
    let several = system.distinct_in(spec, |it| creates(model, system, it)).into_iter().filter(|(_, among)| among.len() > 1);
    let several = several.map(|(part, among)| Distinct { part, among });
    let (distinct_new, distinct) = several.partition(|it| it.among.iter().any(|it| created.contains(it)));
    let parts = system.parts_of(spec);
    let changes = instances::changed(system, spec);
    Transaction {
        needs: needs(model, system, &parts, &spec.fire, &created),
        rules: spec.fire.iter().flat_map(|it| rules(system, it)).collect(),
        fires: spec.fire.iter().map(|it| fire(model, system, it)).collect(),
        checks: checks(system, &changes),
        stored: instances::stored(model, system, &reaches, &created, &loads),
        distinct,
        distinct_new,
        changes,
        keys: named.into_iter().collect(),
        creates: created.into_iter().collect(),
        reaches,
        loads,
        parts,
    }
}

pub(super) fn link(model: &Model, system: &System, spec: &system::Link) -> Link {
    let fires = std::slice::from_ref(&spec.fire);
    let parts = system.parts_of_fire(&spec.fire);
    let when = spec.when.as_ref().map(|it| When { needs: it.parts(), divides: divided(it), condition: Expr::of(it, &[]) });
    let read: BTreeSet<PartId> = when.iter().flat_map(|it| &it.needs).copied().collect();
    let needed = parts.iter().copied().chain(read.iter().copied()).collect();
    let mut loads = instances::loads(system, &BTreeSet::from([spec.part]), &BTreeSet::new(), &needed);
    for load in loads.iter_mut().filter(|it| it.part == spec.fire.part && it.key == Key::Owned && creates(model, system, &spec.fire)) {
        load.key = Key::New;
    }
    // The parts of the condition are there.
    let others: Vec<PartId> = parts.iter().copied().filter(|it| !read.contains(it)).collect();
    Link {
        part: spec.part,
        on: spec.on,
        state: spec.state,
        needs: needs(model, system, &others, fires, &BTreeSet::new()),
        rules: rules(system, &spec.fire),
        fire: fire(model, system, &spec.fire),
        optional: spec.optional,
        loads,
        parts,
        when,
    }
}

/// The links of the part that a role plays, with their positions.
pub(super) fn links_of(model: &Model, system: &System, role: PartId) -> Vec<(usize, Link)> {
    system.links_of(role).map(|(idx, spec)| (idx, link(model, system, &spec))).collect()
}

/// The borders of states that links of a part watch, in the order in which a step crosses them.
pub(super) fn borders(model: &Model, system: &System, part: PartId) -> Vec<(Crossing, StateId)> {
    let machine = machine(model, system, part);
    let depth = |state: &StateId| machine.ancestors(*state).count();
    let links: Vec<_> = system.links_of(part).collect();
    let watched = |on: Crossing| links.iter().filter(move |(_, it)| it.on == on).map(|(_, it)| it.state).collect::<BTreeSet<StateId>>();
    let mut left: Vec<StateId> = watched(Crossing::Exit).into_iter().collect();
    let mut entered: Vec<StateId> = watched(Crossing::Enter).into_iter().collect();
    // Regions are left in the reverse order of the states, and entered in their order; a state comes before those inside it.
    if machine.has_regions() {
        left.reverse();
    } else {
        left.sort_by_key(|it| std::cmp::Reverse(depth(it)));
        entered.sort_by_key(depth);
    }
    left.into_iter().map(|it| (Crossing::Exit, it)).chain(entered.into_iter().map(|it| (Crossing::Enter, it))).collect()
}

pub(super) fn invariant(system: &System, spec: &system::Invariant) -> Invariant {
    let parts = spec.require.parts();
    let mut owners: Vec<PartId> = spec.of.map_or(Vec::new(), |of| system.owners(of).collect());
    let n_owners = owners.iter().rposition(|it| parts.contains(it)).map_or(0, |last| last + 1);
    owners.truncate(n_owners);
    Invariant { each: spec.of, owners, parts, require: condition(&spec.require) }
}

/// The instances that must be there before these events.
fn needs(model: &Model, system: &System, parts: &[PartId], fires: &[system::Fire], created: &BTreeSet<PartId>) -> Vec<Need> {
    let read = system.parts_read_before(fires);
    let need = |part: PartId| {
        let owner_is_new = system.part(part).of.is_some_and(|(owner, _)| created.contains(&owner));
        Need {
            part,
            created: !read.contains(&part) && fires.iter().any(|it| it.part == part && creates(model, system, it)),
            belongs: owner_is_new && begins(model, system, part),
        }
    };
    parts.iter().map(|it| need(*it)).collect()
}

fn rules(system: &System, fire: &system::Fire) -> Vec<Rule> {
    let rule = |(rule, require): (usize, Cow<'_, expr::Expr>)| Rule {
        rule,
        role: matches!(require, Cow::Owned(_)).then_some(fire.part),
        require: condition(&require),
    };
    system.conditions_for(fire.part, fire.event).map(rule).collect()
}

fn fire(model: &Model, system: &System, spec: &system::Fire) -> Fire {
    let machine = machine(model, system, spec.part);
    Fire {
        part: spec.part,
        event: spec.event,
        payload: spec.payload.iter().map(|it| Given { divides: divided(it), value: Expr::of(it, &[]) }).collect(),
        creates: machine.is_creation_event(spec.event),
        in_memory: machine.is_creation_in_memory(spec.event),
    }
}

/// The invariants that read a part which a transaction may change.
fn checks(system: &System, changes: &BTreeSet<PartId>) -> Vec<usize> {
    let changed: BTreeSet<PartId> = changes.iter().map(|it| system.plays(*it)).collect();
    let reads = |it: &system::Invariant| it.require.parts().iter().any(|part| changed.contains(part));
    system.invariants.iter().enumerate().filter(|(_, it)| reads(it)).map(|(idx, _)| idx).collect()
}

/// The condition under which a value divides by zero.
fn divided(spec: &expr::Expr) -> Option<Expr> {
    divides(spec, &[]).map(|it| Expr::of(&it, &[]))
}

/// A condition that is false where it would divide by zero.
pub(super) fn condition(spec: &expr::Expr) -> Expr {
    Expr::of(&defined(spec, &[]), &[])
}
