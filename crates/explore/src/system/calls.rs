//! Enumerates all calls: combinations of transaction, instances and payload.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Expr;
use statespec_lang::interpret::BoundaryValues;
use statespec_lang::model::system::{Input, Transaction};
use statespec_lang::model::{Machine, Model, PartId, System, Type, Value};

use super::super::report::{Bound, Limit};
use super::super::table::Table;
use super::super::values::{choices, combinations};
use super::inputs::Inputs;
use super::{Call, SystemSpace};

/// Payloads of a transaction at the boundaries of all conditions, as far as they are few.
pub fn payloads_of(model: &Model, system: &System, transaction: &Transaction) -> Vec<Vec<Value>> {
    let first = &model.machines[system.part(transaction.fire[0].part).machine];
    let of_input = |input: &Input| {
        let states = input.of.map_or(first, |part| &model.machines[system.part(part).machine]);
        let boundary = boundary(model, system, states);
        choices(&input.field, &boundary, states, n_enum_values(system, input), 2, true)
    };
    let choices: Vec<Vec<Value>> = transaction.payload.iter().map(of_input).collect();
    combinations(&choices).0
}

/// Values at and beside every literal of a system and its machines.
fn boundary<'m>(model: &'m Model, system: &System, states: &'m Machine) -> BoundaryValues<'m> {
    let exprs = system.transactions.iter().flat_map(|it| it.fire.iter().flat_map(|fire| &fire.payload));
    let conditions = system.rules.iter().map(|it| &it.require).chain(system.invariants.iter().map(|it| &it.require));
    let exprs: Vec<&Expr> = exprs.chain(conditions).collect();
    let mut boundary = BoundaryValues::without_extremes(states);
    for part in &system.parts {
        boundary.extend(&BoundaryValues::without_extremes(&model.machines[part.machine]), &exprs);
    }
    boundary
}

fn n_enum_values(system: &System, input: &Input) -> usize {
    match input.field.ty {
        Type::Enum(id) => system.enums[id.index()].values.len(),
        _ => 0,
    }
}

/// The instance of each part: its number, and its slot if it has one.
type Chosen = BTreeMap<PartId, (u64, Option<usize>)>;

impl SystemSpace<'_> {
    pub(super) fn find_calls(&mut self) {
        let system = self.system;
        let inputs = Inputs::of(self.model, system, &self.relevant);
        let inexact = inputs.inexact(&self.relevant);
        for span in &inexact {
            let message = "this compares or computes values that are inputs of transactions, of which only some were tried".into();
            self.bounds.push(Bound { limit: Limit::Values, message, help: None, span: *span });
        }
        for (idx, transaction) in system.transactions.iter().enumerate() {
            let (payloads, cut) = self.payloads(idx, transaction, &inputs);
            let omitted = cut || !inexact.is_empty();
            for chosen in self.choices_of_instances(transaction) {
                for payload in &payloads {
                    let call = self.call(idx, &chosen, payload.clone(), omitted);
                    self.calls.push(call);
                }
            }
        }
    }

    /// The payloads to try, and whether there are others that make a difference.
    fn payloads(&mut self, idx: usize, transaction: &Transaction, inputs: &Inputs) -> (Vec<Vec<Value>>, bool) {
        let first = &self.model.machines[self.system.part(transaction.fire[0].part).machine];
        let of_input = |(position, input): (usize, &Input)| {
            let states = input.of.map_or(first, |part| &self.model.machines[self.system.part(part).machine]);
            let is_relevant = self.relevant.inputs.contains(&(idx, position));
            let boundary = boundary(self.model, self.system, states);
            if is_relevant && let Some(values) = inputs.values(idx, position, &input.field, &boundary) {
                return values;
            }
            let mut values =
                choices(&input.field, &boundary, states, n_enum_values(self.system, input), self.slots.len() as u64, is_relevant);
            if is_relevant && input.field.ty == Type::Reference {
                // No instance has this number, not even one beyond the population.
                values.push(Value::Reference(self.slots.len() as u64 + 2));
            }
            values
        };
        let all: Vec<Vec<Value>> = transaction.payload.iter().enumerate().map(of_input).collect();
        let (payloads, cut) = combinations(&all);
        if cut {
            let message = format!("`{}` has too many combinations of inputs to try them all", transaction.name);
            self.bounds.push(Bound { limit: Limit::Combinations, message, help: None, span: transaction.span });
        }
        (payloads, cut)
    }

    /// Every choice of instances for a transaction.
    fn choices_of_instances(&self, transaction: &Transaction) -> Vec<Chosen> {
        let parts = self.system.parts_of(transaction);
        // The parts that determine the others.
        let follows = |part: PartId| parts.iter().any(|it| *it != part && self.system.owners(*it).any(|owner| owner == part));
        let heads: Vec<PartId> = parts.iter().copied().filter(|it| self.system.part(*it).many && !follows(*it)).collect();
        let mut all = vec![self.singles()];
        for head in heads {
            let instances = self.instances(head, transaction);
            all = all.iter().flat_map(|chosen| instances.iter().filter_map(|it| together(chosen, it))).collect();
        }
        all
    }

    fn singles(&self) -> Chosen {
        let slots = self.slots.iter().enumerate().filter_map(|(idx, slot)| Some((slot.part?, idx)));
        slots.filter(|(part, _)| !self.system.part(*part).many).map(|(part, idx)| (part, (1, Some(idx)))).collect()
    }

    /// Every instance of a part with its owners; plus one beyond the population for each owner
    /// if the transaction can create one.
    fn instances(&self, part: PartId, transaction: &Transaction) -> Vec<Chosen> {
        // A slot and its owners, each as the part or role that it takes.
        let as_parts = |slot: Option<usize>, parts: &mut dyn Iterator<Item = PartId>| -> Chosen {
            let slots = std::iter::successors(slot, |it| self.slots[*it].owner);
            parts.zip(slots).map(|(part, it)| (part, (self.slots[it].number, Some(it)))).collect()
        };
        let plays = self.system.plays(part);
        let with_owners = |it| as_parts(Some(it), &mut std::iter::once(part).chain(self.system.owners(part)));
        let mut instances: Vec<Chosen> = self.slots_of(plays).map(with_owners).collect();
        if self.is_created(part, transaction) {
            // Two new instances have two numbers; no input has that of a role.
            let number = self.slots.len() as u64 + if part == plays { 1 } else { 3 + part.index() as u64 };
            let owners: BTreeSet<Option<usize>> = self.slots_of(plays).map(|it| self.slots[it].owner).collect();
            for owner in owners {
                let mut beyond = as_parts(owner, &mut self.system.owners(part));
                beyond.insert(part, (number, None));
                instances.push(beyond);
            }
        }
        instances
    }

    fn is_created(&self, part: PartId, transaction: &Transaction) -> bool {
        let machine = &self.model.machines[self.system.part(part).machine];
        transaction.fire.iter().any(|it| it.part == part && machine.is_creation_event(it.event))
    }

    fn call(&self, transaction: usize, chosen: &Chosen, payload: Vec<Value>, omitted: bool) -> Call {
        let declared = &self.system.transactions[transaction];
        let parts = self.system.reached_by(declared);
        let footprint: BTreeSet<usize> = parts.iter().filter_map(|it| chosen.get(it)?.1).collect();
        let named = chosen.iter().filter(|(part, _)| self.system.part(**part).many).map(|(part, (number, _))| (*part, *number));
        let (mut created, mut after) = (Vec::new(), Vec::new());
        for (part, (_, slot)) in chosen.iter().filter(|(part, _)| self.is_created(**part, declared)) {
            created.extend(*slot);
            // The preceding sibling; the last one if there is no slot left.
            let owner = self.system.part(*part).of.and_then(|(owner, _)| chosen.get(&owner)?.1);
            let siblings = self.slots_of(self.system.plays(*part)).filter(|it| self.slots[*it].owner == owner);
            after.extend(siblings.take_while(|it| Some(*it) != *slot).last());
        }
        // An instance may follow another one that the same transaction creates.
        after.retain(|it| !created.contains(it));
        let scopes = (0..self.scopes.len()).filter(|it| {
            // The interpreter itself checks the scopes inside the footprint.
            let slots = &self.scopes[*it].slots;
            slots.iter().any(|it| footprint.contains(it)) && !slots.iter().all(|it| footprint.contains(it))
        });
        Call {
            transaction,
            named: named.collect(),
            payload,
            omitted,
            created,
            after,
            beyond: chosen.values().any(|(_, slot)| slot.is_none()),
            scopes: scopes.collect(),
            keys: Table::new(footprint.len()),
            footprint: footprint.into_iter().collect(),
            answers: Vec::new(),
        }
    }
}

/// The union of both choices, unless they disagree about an instance.
fn together(one: &Chosen, other: &Chosen) -> Option<Chosen> {
    let mut chosen = one.clone();
    for (part, instance) in other {
        if chosen.insert(*part, *instance).is_some_and(|it| it != *instance) {
            return None;
        }
    }
    Some(chosen)
}
