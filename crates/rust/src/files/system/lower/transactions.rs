//! Transactions: the instances, and the events in order.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use statespec_lang::expr::Var;
use statespec_lang::model::PartId;
use statespec_lang::model::system::Input;
use statespec_lang::names::snake;
use statespec_lang::program::system::{self as program, Given, Need, Rule, Stored};

use super::SystemLowering;
use super::resolve::{Reader, Reads};
use crate::files::system::ir::{self, Distinct, Fire, LoadCall, NewKey, RuleCheck};
use crate::ir::Expr;
use crate::lower::expr as lower;
use crate::lower::held::store;
use crate::names::UniqueNames;

/// The variables of a transaction's function.
const LOCALS: &[&str] = &["unit", "before", "after", "phase", "self"];

/// A value that refuses the transaction where it divides by zero.
pub(super) fn checked(divides: Option<&statespec_lang::program::Expr>, value: Expr, reads: &Reads<'_>) -> Expr {
    match divides {
        Some(divides) => Expr::Checked { divides: Box::new(lower::value(divides, reads)), value: Box::new(value) },
        None => value,
    }
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
        let several = program.fires.len() > 1;
        let fires: Vec<Fire> = program.fires.iter().map(|fire| self.fire(fire, reader(), &mut unique, several)).collect();
        let rules = self.rules(&program.rules);
        let present = self.present(&program.needs, &program.fires, &rules);
        let distinct = self.distinct(program);
        let given = || program.fires.iter().flat_map(|it| &it.payload);
        let vars = || given().flat_map(|it| it.value.vars().into_iter().chain(it.divides.iter().flat_map(|it| it.vars())));
        let is_read = |idx: usize| vars().any(|it| it == Var::Input(idx));
        let reads_parts = vars().any(|it| !matches!(it, Var::Input(_)));
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
            reads: !present.is_empty() || !distinct.is_empty() || !rules.is_empty() || reads_parts,
            distinct,
            present,
            rules,
            fires,
            by: spec.by.iter().map(actor).collect(),
            performer: spec.performer.as_ref().map(actor),
            atomic: spec.atomic,
        }
    }

    /// The instances of each part that must differ: those that are found, and those for which the store chooses keys, in case it
    /// chooses one twice.
    fn distinct(&self, transaction: &program::Transaction) -> Vec<Distinct> {
        let mut distinct: Vec<&program::Distinct> = transaction.distinct.iter().chain(&transaction.distinct_new).collect();
        distinct.sort_by_key(|it| it.part);
        let slots = |it: &program::Distinct| it.among.iter().map(|id| self.names(*id).field.clone()).collect();
        distinct.into_iter().map(|it| Distinct { variant: self.names(it.part).variant.clone(), slots: slots(it) }).collect()
    }

    fn load_calls(&self, transaction: &program::Transaction, keys: &[Ident]) -> Vec<LoadCall> {
        let mut used = self.used.borrow_mut();
        let created = transaction.creates.iter().map(|part| {
            used.slots.insert(*part);
            used.make.insert(*part);
            let asks = !self.machine(*part).machine.predicates.is_empty();
            LoadCall { method: self.names(*part).make.clone(), key: Some(keys[part.index()].clone()), asks }
        });
        let mut calls: Vec<LoadCall> = created.collect();
        for Stored { part, owner_of } in &transaction.stored {
            used.slots.insert(*part);
            let names = self.names(*part);
            if let Some(owned) = owner_of {
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
    pub(super) fn present(&self, needs: &[Need], fires: &[program::Fire], rules: &[RuleCheck]) -> Vec<Ident> {
        // The method that raises the only event checks whether its part exists, unless it may create it. A payload that divides by
        // zero is a reason that comes later.
        if let ([fire], [need], []) = (fires, needs, rules)
            && fire.part == need.part
            && (need.created || !fire.creates)
            && fire.payload.iter().all(|it| it.divides.is_none())
        {
            return Vec::new();
        }
        needs.iter().filter(|it| !it.created).map(|it| self.get(it.part)).collect()
    }

    /// The rules that must hold before an event.
    pub(super) fn rules(&self, rules: &[Rule]) -> Vec<RuleCheck> {
        let mut used = self.used.borrow_mut();
        let check = |Rule { rule, role, require }: &Rule| match role {
            None => {
                used.rules.insert(*rule);
                RuleCheck::Rule(self.names.rules[*rule].clone())
            }
            Some(role) => {
                used.role_rules.insert((*rule, *role), require.clone());
                RuleCheck::Method(self.names.role_rules[&(*rule, *role)].clone())
            }
        };
        rules.iter().map(check).collect()
    }

    /// The call that raises an event.
    pub(super) fn fire(&self, fire: &program::Fire, mut reads: Reads<'_>, unique: &mut UniqueNames, several: bool) -> Fire {
        let (machine, names) = (self.machine(fire.part), self.names(fire.part));
        reads.taker = Some(fire.part);
        let event = machine.machine.event(fire.event);
        let values = event.payload.iter().zip(&fire.payload);
        let values = values.map(|(field, Given { divides, value })| {
            let value = if field.optional { lower::optional_value(value, &reads) } else { lower::value(value, &reads) };
            let value = checked(divides.as_ref(), value, &reads);
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
        let (method, ty) = if fire.creates {
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
        (!self.program.links_of(part).is_empty()).then(|| self.names(part).follow.clone())
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

    /// The scope of expressions without inputs.
    pub(super) fn reads(&self, world: TokenStream) -> Reads<'_> {
        const NONE: &[Input] = &[];
        Reads { lowering: self, reader: Reader::World(world), inputs: NONE, input_locals: &[], taker: None }
    }
}
