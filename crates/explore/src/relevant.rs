//! Relevance: the fields and payloads that can affect any decision.
//!
//! A field that no guard, rule, invariant or target reads, directly or through other fields, is left
//! out of a configuration: two configurations that differ only there always behave alike.

use std::collections::BTreeSet;

use statespec_lang::expr::{Expr, Var, divides, divides_in_row};
use statespec_lang::model::machine::Target;
use statespec_lang::model::system::Fire;
use statespec_lang::model::{EventId, FieldId, Machine, Model, PayloadId, System};

/// Machines by their position in [`Model::machines`], transactions by theirs in the system.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Relevant {
    pub(super) fields: BTreeSet<(usize, FieldId)>,
    pub(super) payloads: BTreeSet<(usize, EventId, usize)>,
    pub(super) inputs: BTreeSet<(usize, usize)>,
}

impl Relevant {
    pub(super) fn of_machine(model: &Model, machine: usize) -> Self {
        let mut relevant = Relevant::default();
        relevant.until_settled(|it| it.machine(machine, &model.machines[machine]));
        relevant
    }

    pub(super) fn of_system(model: &Model, system: &System) -> Self {
        let mut relevant = Relevant::default();
        relevant.until_settled(|it| {
            for part in &system.parts {
                it.machine(part.machine, &model.machines[part.machine]);
                it.fields.extend(part.of.map(|(_, field)| (part.machine, field)));
            }
            let conditions = system.rules.iter().map(|it| &it.require).chain(system.invariants.iter().map(|it| &it.require));
            for expr in conditions.chain(system.links.iter().filter_map(|it| it.when.as_ref())) {
                it.read_by_system(system, expr, None);
            }
            for (idx, transaction) in system.transactions.iter().enumerate() {
                transaction.fire.iter().for_each(|fire| it.fire(system, fire, Some(idx)));
            }
            system.links.iter().for_each(|link| it.fire(system, &link.fire, None));
        });
        relevant
    }

    /// Repeats `round` to a fixed point: whatever affects a relevant item is relevant too.
    fn until_settled(&mut self, round: impl Fn(&mut Self)) {
        loop {
            let before = self.clone();
            round(self);
            if *self == before {
                return;
            }
        }
    }

    fn machine(&mut self, idx: usize, machine: &Machine) {
        for row in &machine.transitions {
            let assigned = row.set.iter().filter(|(field, _)| self.fields.contains(&(idx, *field)));
            let exprs: Vec<&Expr> = row.guard.iter().chain(assigned.map(|(_, value)| value)).collect();
            // A division by zero refuses the step, whatever field the result is for.
            let divides = divides_in_row(row.guard.as_ref(), row.set.iter().map(|(_, value)| value), &machine.constants);
            for var in exprs.into_iter().chain(&divides).flat_map(|it| it.vars()) {
                match var {
                    Var::Context(field) => _ = self.fields.insert((idx, field)),
                    Var::Payload(id) => self.carried(idx, machine, row.events(), id),
                    Var::Input(_) | Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => {}
                }
            }
            if let Target::Payload(id) = row.target {
                self.carried(idx, machine, row.events(), id);
            }
            self.fields.extend(row.recalls().map(|it| (idx, it)));
        }
    }

    /// Adds a field of the payload of these events.
    fn carried(&mut self, idx: usize, machine: &Machine, events: &[EventId], id: PayloadId) {
        let position = |event: &EventId| machine.payload_position(*event, id).map(|it| (idx, *event, it));
        self.payloads.extend(events.iter().filter_map(position));
    }

    fn fire(&mut self, system: &System, fire: &Fire, transaction: Option<usize>) {
        let machine = system.part(fire.part).machine;
        for (position, expr) in fire.payload.iter().enumerate() {
            if self.payloads.contains(&(machine, fire.event, position)) {
                self.read_by_system(system, expr, transaction);
            }
            if let Some(divides) = divides(expr, &[]) {
                self.read_by_system(system, &divides, transaction);
            }
        }
    }

    fn read_by_system(&mut self, system: &System, expr: &Expr, transaction: Option<usize>) {
        for var in expr.vars() {
            match var {
                Var::PartContext(part, field) => _ = self.fields.insert((system.part(part).machine, field)),
                Var::Input(position) => self.inputs.extend(transaction.map(|it| (it, position))),
                Var::Context(_) | Var::Payload(_) | Var::PartState(_) | Var::PartId(_) => {}
            }
        }
    }
}
