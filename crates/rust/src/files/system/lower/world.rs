//! `World`: the parts as a transaction sees them.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::quote;
use statespec_lang::model::{EventId, PartId};
use statespec_lang::program::{Expr, system as program};

use super::SystemLowering;
use crate::files::system::ir::{Create, Link, LoadOwner, Owner, RoleRule, Slot, World};
use crate::lower::expr::value;

impl SystemLowering<'_> {
    /// The methods that all transactions use; the transactions are lowered before.
    pub(super) fn world(&self) -> World {
        let fired = self.fired();
        let parts = self.program.links.iter().enumerate().filter(|(_, link)| fired.contains(&link.part));
        let roles = self.system.role_ids().filter(|it| fired.contains(it)).flat_map(|it| self.program.links_of(it));
        let links: Vec<Link> = parts.chain(roles).map(|(idx, link)| self.link(idx, link)).collect();
        let rules = if self.used.borrow().rules.is_empty() { Vec::new() } else { self.rule_conditions() };
        let role_rules = self.used.borrow().role_rules.clone();
        let role_rules = role_rules.iter().map(|((idx, role), require)| self.role_rule(*idx, *role, require)).collect();
        for part in &fired {
            self.use_methods(*part);
        }
        let mut slots: BTreeSet<PartId> = self.used.borrow().slots.clone();
        slots.extend(slots.clone().into_iter().filter_map(|part| Some(self.beginning_owner(part)?.part)));
        let slots = slots.iter().map(|part| self.slot(*part, &fired, &slots)).collect();
        World { checks: self.checks(&fired), slots, rules, role_rules, links }
    }

    fn rule_conditions(&self) -> Vec<(Ident, crate::ir::Expr)> {
        let rules = self.program.rules.iter().zip(&self.names.rules);
        rules.map(|(require, ident)| (ident.clone(), value(require, &self.reads(quote! { self })))).collect()
    }

    /// A rule about a part, read with the instance of a role.
    fn role_rule(&self, idx: usize, role: PartId, require: &Expr) -> RoleRule {
        RoleRule {
            method: self.names.role_rules[&(idx, role)].clone(),
            rule: self.names.rules[idx].clone(),
            role: self.system.part(role).name.clone(),
            condition: value(require, &self.reads(quote! { self })),
        }
    }

    /// Records the methods that raising events needs.
    fn use_methods(&self, part: PartId) {
        let (creates, mut fires) = {
            let used = self.used.borrow();
            (used.create.contains(&part), used.fire.contains(&part))
        };
        if creates && self.may_be_there(part) {
            fires = true;
            self.used.borrow_mut().fire.insert(part);
        }
        if fires {
            self.get(part);
        }
        let steps = self.machine(part).has_dispatch();
        if (creates || (fires && steps)) && self.part(part).many && self.has_effects(part) {
            self.id(part);
        }
    }

    /// Whether an instance may exist when an event creates it; for a part with `many`, transactions always create a new one.
    fn may_be_there(&self, part: PartId) -> bool {
        !self.part(part).many || self.program.links.iter().any(|link| link.fire.part == part && link.fire.creates)
    }

    /// The events that create an instance in memory only.
    fn creations_in_memory(&self, part: PartId) -> Vec<Ident> {
        let lowering = self.machine(part);
        let events = lowering.names.events.iter().enumerate();
        events.filter(|(idx, _)| lowering.machine.is_creation_in_memory(EventId::new(*idx))).map(|(_, it)| it.clone()).collect()
    }

    /// The owner with which an instance begins.
    pub(super) fn beginning_owner(&self, part: PartId) -> Option<program::Owner> {
        let part = self.program.part(part);
        part.owner.filter(|_| part.begins.is_some())
    }

    fn slot(&self, part: PartId, fired: &BTreeSet<PartId>, slots: &BTreeSet<PartId>) -> Slot {
        let (names, used) = (self.names(part), self.used.borrow());
        let is_used = |set: &BTreeSet<PartId>, method: &Ident| set.contains(&part).then(|| method.clone());
        let tellers = used.load_owner.iter().filter(|(owner, _)| *owner == part);
        let plays = self.system.plays(part);
        // An owner that no transaction names may be the instance of the part, of a role, or of another such owner. The first of
        // their slots has it.
        let is_unnamed = |it: PartId| self.system.plays(it) != it && self.system.declared_roles().all(|role| role != it);
        let comes_first = |it: &PartId| is_unnamed(part) && *it != part && (*it < part || !is_unnamed(*it));
        let (named, unnamed): (Vec<PartId>, Vec<PartId>) =
            slots.iter().copied().filter(|it| comes_first(it) && self.system.plays(*it) == plays).partition(|it| !is_unnamed(*it));
        Slot {
            part: plays.index(),
            name: self.part(part).name.clone(),
            field: names.field.clone(),
            may_be: named.iter().chain(&unnamed).map(|it| self.names(*it).field.clone()).collect(),
            predicates: (!self.machine(part).machine.predicates.is_empty() && fired.contains(&part)).then(|| names.predicates.clone()),
            get: is_used(&used.get, &names.get),
            id: is_used(&used.id, &names.id),
            load: is_used(&used.load, &names.load),
            load_owner: tellers.filter_map(|(_, owned)| self.load_owner(part, *owned)).collect(),
            make: is_used(&used.make, &names.make),
            owner: self.beginning_owner(part).and_then(|_| self.owner(part)),
            fire: is_used(&used.fire, &names.fire),
            create: used.create.contains(&part).then(|| Create {
                method: names.create.clone(),
                or_fire: self.may_be_there(part).then(|| names.fire.clone()),
                in_memory: self.creations_in_memory(part),
                owner: self.owner(part),
            }),
            follow: if fired.contains(&part) { self.follow_method(part) } else { None },
        }
    }

    fn load_owner(&self, part: PartId, owned: PartId) -> Option<LoadOwner> {
        let (_, by) = self.part(owned).of?;
        Some(LoadOwner {
            method: self.names(part).load_owner[&owned].clone(),
            owned: (self.part(owned).name.clone(), self.names(owned).field.clone()),
            by: self.machine(owned).names.fields[by.index()].clone(),
        })
    }

    /// The owner of a new instance. The field may be null: a spec has no syntax for a default reference.
    fn owner(&self, part: PartId) -> Option<Owner> {
        let (owner, by) = self.part(part).of?;
        let fields = &self.machine(part).names.fields;
        Some(Owner { field: self.names(owner).field.clone(), by: fields[by.index()].clone(), rest: fields.len() > 1 })
    }

    /// The invariants that read a part which may change.
    fn checks(&self, fired: &BTreeSet<PartId>) -> Vec<(Vec<Ident>, Ident)> {
        let mut checks = Vec::new();
        for (invariant, variant) in self.program.invariants.iter().zip(&self.names.invariants) {
            let read = fired.iter().copied().filter(|it| invariant.parts.contains(&self.system.plays(*it)));
            let fields: Vec<Ident> = read.map(|it| self.names(it).field.clone()).collect();
            if !fields.is_empty() {
                checks.push((fields, variant.clone()));
            }
        }
        checks
    }
}
