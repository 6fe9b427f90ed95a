//! `World`: the parts as a transaction sees them.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::quote;

use super::SystemLowering;
use crate::backend::rust::system::ir::{Create, LoadOwner, Owner, Slot, World};
use crate::model::{EventId, PartId};

impl SystemLowering<'_> {
    /// The methods that all transactions use; the transactions are lowered before.
    pub(super) fn world(&self) -> World {
        let fired = self.fired();
        let links = (0..self.system.links.len()).filter(|idx| fired.contains(&self.system.links[*idx].part));
        let links = links.map(|idx| self.link(idx)).collect();
        let rules = if self.used.borrow().rules.is_empty() { Vec::new() } else { self.rule_conditions() };
        for part in &fired {
            self.use_methods(*part);
        }
        let mut slots: BTreeSet<PartId> = self.used.borrow().slots.clone();
        slots.extend(slots.clone().into_iter().filter_map(|part| self.beginning_owner(part)));
        World { checks: self.checks(&fired), slots: slots.into_iter().map(|part| self.slot(part, &fired)).collect(), rules, links }
    }

    fn rule_conditions(&self) -> Vec<(Ident, crate::backend::rust::ir::Expr)> {
        let rules = self.system.rules.iter().zip(&self.names.rules);
        rules.map(|(rule, ident)| (ident.clone(), self.condition(&rule.require, quote! { self }))).collect()
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
        let steps = self.machine(part).machine.edges.iter().any(|it| it.from.is_some() && it.on.event().is_some());
        if (creates || (fires && steps)) && self.part(part).many && self.has_effects(part) {
            self.id(part);
        }
    }

    /// Whether an instance may exist when an event creates it; for a part with `many`, transactions always create a new one.
    fn may_be_there(&self, part: PartId) -> bool {
        !self.part(part).many || self.system.links.iter().any(|link| link.fire.part == part && self.creates(&link.fire))
    }

    /// The events that create an instance in memory only.
    fn creations_in_memory(&self, part: PartId) -> Vec<Ident> {
        let lowering = self.machine(part);
        let events = lowering.names.events.iter().enumerate();
        events.filter(|(idx, _)| lowering.machine.is_creation_in_memory(EventId::new(*idx))).map(|(_, it)| it.clone()).collect()
    }

    /// The owner of a machine without a creation event.
    fn beginning_owner(&self, part: PartId) -> Option<PartId> {
        let (owner, _) = self.part(part).of.filter(|_| !self.machine(part).has_creation())?;
        Some(owner)
    }

    fn slot(&self, part: PartId, fired: &BTreeSet<PartId>) -> Slot {
        let (names, used) = (self.names(part), self.used.borrow());
        let is_used = |set: &BTreeSet<PartId>, method: &Ident| set.contains(&part).then(|| method.clone());
        let tellers = used.load_owner.iter().filter(|(owner, _)| *owner == part);
        Slot {
            part: part.index(),
            field: names.field.clone(),
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
        for (invariant, variant) in self.system.invariants.iter().zip(&self.names.invariants) {
            let read = invariant.require.parts().into_iter().filter(|it| fired.contains(it));
            let fields: Vec<Ident> = read.map(|it| self.names(it).field.clone()).collect();
            if !fields.is_empty() {
                checks.push((fields, variant.clone()));
            }
        }
        checks
    }
}
