//! Lowers `allow:` wherever it occurs: the lint, the element for which it is waived, and the reason.

use super::name_table::Health;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, unknown_lint};
use crate::model::Waiver;
use crate::read::{Entries, Named, Text};
use crate::source::Span;
use crate::spec::machine::{ConstantOrValue, Field, Machine, State};
use crate::spec::system::System;

type Allow = Option<Entries<Text>>;

/// Waivers, and the errors in them. Nothing depends on a waiver, so an invalid one hides no other error.
#[derive(Default)]
pub(super) struct Waivers {
    found: Vec<Waiver>,
    errors: Diagnostics,
}

impl Waivers {
    /// Adds the waivers of a machine or system; only their errors if it is not in the model.
    pub(super) fn add(&mut self, of_one: Waivers, health: Health) {
        if health == Health::Valid {
            self.found.extend(of_one.found);
        }
        self.errors.append(of_one.errors);
    }

    /// All waivers, sorted; their errors are reported.
    pub(super) fn finish(mut self, diagnostics: &mut Diagnostics) -> Vec<Waiver> {
        diagnostics.append(self.errors);
        self.found.sort();
        self.found
    }

    /// The waivers of a machine.
    pub(super) fn of_machine(machine: &Machine) -> Waivers {
        let mut to = Collector { whole: machine.machine.span, waivers: Waivers::default() };
        to.add(machine.machine.span, &machine.allow);
        for (name, constant) in machine.constants.iter().flat_map(Entries::iter) {
            if let ConstantOrValue::Full(body) = constant {
                to.add(name.span, &body.allow);
            }
        }
        to.fields(&machine.context);
        machine.inside().into_iter().for_each(|it| to.states(it));
        for (name, event) in machine.events.iter().flat_map(Named::iter) {
            to.add(name.span, &event.allow);
            to.fields(&event.payload);
        }
        for (name, predicate) in machine.predicates.iter().flat_map(Named::iter) {
            to.add(name.span, &predicate.allow);
        }
        for (name, effect) in machine.effects.iter().flat_map(Named::iter) {
            to.add(name.span, &effect.allow);
        }
        for transition in &machine.transitions {
            to.add(transition.span, &transition.allow);
        }
        for (_, order) in machine.orders.iter().flat_map(Entries::iter) {
            order.item.iter().for_each(|it| to.field(it));
        }
        to.waivers
    }

    /// The waivers of a system.
    pub(super) fn of_system(system: &System) -> Waivers {
        let mut to = Collector { whole: system.system.span, waivers: Waivers::default() };
        to.add(system.system.span, &system.allow);
        for (name, part) in system.parts.iter() {
            to.add(name.span, &part.allow);
        }
        for rule in system.rules.iter().flatten() {
            to.add(rule.span, &rule.allow);
        }
        for (name, transaction) in system.transactions.iter().flat_map(Entries::iter) {
            to.add(name.span, &transaction.allow);
            to.fields(&transaction.payload);
        }
        for link in system.links.iter().flatten() {
            to.add(link.span, &link.allow);
        }
        for invariant in system.invariants.iter().flatten() {
            to.add(invariant.span, &invariant.allow);
        }
        for (name, walkthrough) in system.walkthroughs.iter().flat_map(Entries::iter) {
            to.add(name.span, &walkthrough.allow);
        }
        to.waivers
    }
}

struct Collector {
    /// The machine or system.
    whole: Span,
    waivers: Waivers,
}

impl Collector {
    fn add(&mut self, element: Span, allow: &Allow) {
        for (name, reason) in allow.iter().flat_map(Entries::iter) {
            let Some(code) = Code::lint(&name.value) else {
                let (message, help) = unknown_lint(&name.value);
                let diagnostic = Diagnostic::new(Code::UnknownName, name.span, message);
                self.waivers.errors.push(match help {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                });
                continue;
            };
            if reason.value.trim().is_empty() {
                let message = format!("`{}` is allowed without a reason", name.value);
                self.waivers.errors.push(
                    Diagnostic::new(Code::WrongShape, reason.span, message).help("give the reason why the finding is correct as it is"),
                );
            }
            self.waivers.found.push(Waiver { element, code, reason: reason.value.clone(), span: name.span, whole: self.whole });
        }
    }

    fn fields(&mut self, fields: &Option<Entries<Field>>) {
        fields.iter().flat_map(Entries::iter).for_each(|it| self.field(it));
    }

    fn field(&mut self, (name, field): (&Text, &Field)) {
        if let Field::Full(body) = field {
            self.add(name.span, &body.allow);
        }
    }

    // The depth is limited by that of the YAML.
    fn states(&mut self, states: &Named<State>) {
        for (name, state) in states.iter() {
            self.add(name.span, &state.allow);
            state.inside().into_iter().for_each(|it| self.states(it));
        }
    }
}
