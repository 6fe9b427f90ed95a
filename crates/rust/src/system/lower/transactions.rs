//! Transactions: the instances, and the events in order.

use std::borrow::Cow;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::{Expr as SpecExpr, Var, defined, divides};
use statespec_lang::model::PartId;
use statespec_lang::model::system::{Fire as SpecFire, Input, Transaction as SpecTransaction};
use statespec_lang::names::snake;
use statespec_lang::program::system::Transaction;

use super::SystemLowering;
use super::resolve::{Reader, Reads};
use crate::ir::Expr;
use crate::lower::expr::{Resolve, optional_value, value};
use crate::lower::held::store;
use crate::names::UniqueNames;
use crate::system::ir::{self, Distinct, Fire, LoadCall, NewKey, RuleCheck};

/// The variables of a transaction's function.
const LOCALS: &[&str] = &["unit", "before", "after", "phase", "self"];

/// A value that refuses the transaction where it divides by zero.
pub(super) fn checked(expr: &SpecExpr, reads: &Reads<'_>, lower: fn(&SpecExpr, &dyn Resolve) -> Expr) -> Expr {
    let lowered = lower(expr, reads);
    match divides(expr, &[]) {
        Some(divides) => Expr::Checked { divides: Box::new(value(&divides, reads)), value: Box::new(lowered) },
        None => lowered,
    }
}

/// A part that a transaction loads.
struct Loaded {
    part: PartId,
    /// The part that determines the instance: its instance belongs to this one.
    told_by: Option<PartId>,
}

impl SystemLowering<'_> {
    pub(super) fn transaction(&self, idx: usize) -> ir::Transaction {
        let spec = &self.system.transactions[idx];
        let mut unique = UniqueNames::besides(LOCALS.iter().copied());
        let inputs: Vec<Ident> = spec.payload.iter().map(|it| unique.claim(snake(&it.field.name))).collect();
        let keys: Vec<Ident> = self.names.parts.iter().map(|it| unique.claim(format!("{}_id", it.base))).collect();
        let program = &self.program.transactions[idx];
        let key = |part: &PartId| (part.index(), keys[part.index()].clone());
        let reader = || Reads {
            lowering: self,
            reader: Reader::World(quote! { before }),
            inputs: &spec.payload,
            input_locals: &inputs,
            taker: None,
        };
        let fires: Vec<Fire> = spec.fire.iter().map(|fire| self.fire(fire, reader(), &mut unique, spec.fire.len() > 1)).collect();
        let rules: Vec<RuleCheck> = spec.fire.iter().flat_map(|fire| self.rules(fire)).collect();
        let parts = self.system.parts_of(spec);
        let present = self.present(&parts, &spec.fire, &rules);
        let distinct = self.distinct(spec);
        let is_read = |idx: usize| spec.fire.iter().flat_map(|it| &it.payload).any(|it| it.vars().contains(&Var::Input(idx)));
        let reads_parts = |expr: &SpecExpr| !expr.parts().is_empty();
        let actor = |id: &statespec_lang::model::ActorId| self.names.actors[id.index()].clone();
        ir::Transaction {
            ident: self.names.transactions[idx].clone(),
            variant: self.names.transaction_variants[idx].clone(),
            doc: self.transaction_doc(spec),
            keys: program.keys.iter().map(key).collect(),
            inputs: spec.payload.iter().zip(&inputs).map(|(input, local)| (local.clone(), self.input_ty(input))).collect(),
            unused: (0..inputs.len()).filter(|idx| !is_read(*idx)).map(|idx| inputs[idx].clone()).collect(),
            new: program
                .creates
                .iter()
                .map(|part| NewKey { part: self.system.plays(*part).index(), taken_by: part.index(), key: keys[part.index()].clone() })
                .collect(),
            loads: self.load_calls(program, &keys),
            reads: !present.is_empty()
                || !distinct.is_empty()
                || !rules.is_empty()
                || spec.fire.iter().flat_map(|it| &it.payload).any(reads_parts),
            distinct,
            present,
            rules,
            fires,
            by: spec.by.iter().map(actor).collect(),
            performer: spec.performer.as_ref().map(actor),
            atomic: spec.atomic,
        }
    }

    /// The instances of each part that must differ.
    fn distinct(&self, transaction: &SpecTransaction) -> Vec<Distinct> {
        let several = self.system.distinct_in(transaction, |it| self.creates(it)).into_iter().filter(|(_, parts)| parts.len() > 1);
        let slots = |parts: Vec<PartId>| parts.iter().map(|it| self.names(*it).field.clone()).collect();
        several.map(|(part, parts)| Distinct { variant: self.names(part).variant.clone(), slots: slots(parts) }).collect()
    }

    /// The parts to load, in this order.
    fn loaded(&self, transaction: &Transaction) -> Vec<Loaded> {
        let Transaction { reaches, keys, creates, .. } = transaction;
        let has_creation = |part: &PartId| self.machine(*part).has_creation();
        // The instances of the others are determined by those that belong to them.
        let is_told = |part: &PartId| self.part(*part).many && !keys.contains(part) && !creates.contains(part);
        let told_by = |part: PartId| {
            let owned = |it: &&PartId| !creates.contains(it) && self.part(**it).of.is_some_and(|(owner, _)| owner == part);
            let is_teller = |it: &&PartId| has_creation(it) || is_told(it);
            reaches.iter().filter(owned).find(is_teller).copied().filter(|_| is_told(&part))
        };
        let needed = reaches.iter().copied().filter(|part| !creates.contains(part));
        let mut open: Vec<Loaded> = needed.map(|part| Loaded { part, told_by: told_by(part) }).collect();
        let mut loaded: Vec<Loaded> = Vec::new();
        while !open.is_empty() {
            // A part follows the part that determines it. A machine without a creation event follows its owner, with which it is
            // created.
            let awaited = |it: &Loaded| match it.told_by {
                Some(teller) => Some(teller),
                None => self.part(it.part).of.map(|(owner, _)| owner).filter(|_| !has_creation(&it.part)),
            };
            // Ownership has no cycles, so some part does not wait for another.
            let is_open = |part: PartId| open.iter().any(|it| it.part == part);
            let next = open.iter().position(|it| !awaited(it).is_some_and(is_open)).unwrap_or(0);
            loaded.push(open.remove(next));
        }
        loaded
    }

    fn load_calls(&self, transaction: &Transaction, keys: &[Ident]) -> Vec<LoadCall> {
        let mut used = self.used.borrow_mut();
        let created = transaction.creates.iter().map(|part| {
            used.slots.insert(*part);
            used.make.insert(*part);
            let asks = !self.machine(*part).machine.predicates.is_empty();
            LoadCall { method: self.names(*part).make.clone(), key: Some(keys[part.index()].clone()), asks }
        });
        let mut calls: Vec<LoadCall> = created.collect();
        for Loaded { part, told_by } in &self.loaded(transaction) {
            used.slots.insert(*part);
            let names = self.names(*part);
            if let Some(owned) = told_by {
                used.load_owner.insert((*part, *owned));
                calls.push(LoadCall { method: names.load_owner[owned].clone(), key: None, asks: true });
                continue;
            }
            used.load.insert(*part);
            let key = self.part(*part).many.then(|| keys[part.index()].clone());
            calls.push(LoadCall { method: names.load.clone(), key, asks: true });
        }
        calls
    }

    /// The methods that return the parts whose instances must exist; events create the others.
    pub(super) fn present(&self, parts: &[PartId], fires: &[SpecFire], rules: &[RuleCheck]) -> Vec<Ident> {
        let read = self.system.parts_read_before(fires);
        let creates = |part: &PartId| fires.iter().any(|fire| fire.part == *part && self.creates(fire));
        // The method that raises the only event checks whether its part exists, unless it may create it. A payload that divides by
        // zero is a reason that comes later.
        if let ([fire], [part], []) = (fires, parts, rules)
            && fire.part == *part
            && !(creates(part) && read.contains(part))
            && fire.payload.iter().all(|it| divides(it, &[]).is_none())
        {
            return Vec::new();
        }
        let is_created = |part: &PartId| creates(part) && !read.contains(part);
        parts.iter().filter(|part| !is_created(part)).map(|part| self.get(*part)).collect()
    }

    /// The rules that must hold before an event.
    pub(super) fn rules(&self, fire: &SpecFire) -> Vec<RuleCheck> {
        let rules = self.system.conditions_for(fire.part, fire.event);
        let check = |(idx, condition): (usize, Cow<'_, SpecExpr>)| match condition {
            Cow::Borrowed(_) => {
                self.used.borrow_mut().rules.insert(idx);
                RuleCheck::Rule(self.names.rules[idx].clone())
            }
            // The condition is read with the instance of a role.
            Cow::Owned(_) => {
                self.used.borrow_mut().role_rules.insert((idx, fire.part));
                RuleCheck::Method(self.names.role_rules[&(idx, fire.part)].clone())
            }
        };
        rules.map(check).collect()
    }

    /// The call that raises an event.
    pub(super) fn fire(&self, fire: &SpecFire, mut reads: Reads<'_>, unique: &mut UniqueNames, several: bool) -> Fire {
        let (machine, names) = (self.machine(fire.part), self.names(fire.part));
        reads.taker = Some(fire.part);
        let event = machine.machine.event(fire.event);
        let values = event.payload.iter().zip(&fire.payload);
        let values = values.map(|(field, expr)| {
            let value = checked(expr, &reads, if field.optional { optional_value } else { value });
            let Some(own) = machine.own_payload(field) else { return value };
            let name = format!("{}.{}", self.part(fire.part).name, field.name);
            store(Self::refusing(machine.held(own, &field.ty, &name)), value, field.optional)
        });
        let payload = machine.payload(&event.payload).into_iter().map(|(field, _)| field).zip(values).collect();
        let (path, types, variant) = (self.path(fire.part), &machine.types, machine.event(fire.event));
        let follow = self.follow(fire.part).map(|follow| {
            let name = if several { format!("{}_change", names.base) } else { "change".to_owned() };
            (unique.claim(name), follow)
        });
        let mut used = self.used.borrow_mut();
        used.slots.insert(fire.part);
        let (method, ty) = if self.creates(fire) {
            used.create.insert(fire.part);
            (names.create.clone(), &types.input)
        } else {
            used.fire.insert(fire.part);
            (names.fire.clone(), &types.event)
        };
        Fire { method, event: quote! { #path::#ty::#variant }, payload, follow }
    }

    /// The method that follows the links of a part, if it has any.
    pub(super) fn follow(&self, part: PartId) -> Option<Ident> {
        self.system.links_of(part).next()?;
        Some(self.names(part).follow.clone())
    }

    /// The method that returns an instance.
    pub(super) fn get(&self, part: PartId) -> Ident {
        let mut used = self.used.borrow_mut();
        used.slots.insert(part);
        used.get.insert(part);
        self.names(part).get.clone()
    }

    /// The method that returns the key of an instance.
    pub(super) fn id(&self, part: PartId) -> Ident {
        let mut used = self.used.borrow_mut();
        used.slots.insert(part);
        used.id.insert(part);
        self.names(part).id.clone()
    }

    /// A rule, which does not hold where it divides by zero.
    pub(super) fn condition(&self, expr: &SpecExpr, world: TokenStream) -> Expr {
        value(&defined(expr, &[]), &self.reads(world))
    }

    /// The scope of expressions without inputs.
    pub(super) fn reads(&self, world: TokenStream) -> Reads<'_> {
        const NONE: &[Input] = &[];
        Reads { lowering: self, reader: Reader::World(world), inputs: NONE, input_locals: &[], taker: None }
    }
}
