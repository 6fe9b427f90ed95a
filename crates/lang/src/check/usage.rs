//! Lints about unused declarations.

use std::collections::BTreeSet;

use super::SystemCx;
use super::{Finding, MachineCx};
use crate::diagnostic::Code;
use crate::expr::{Expr, ExprKind, Var, divides_in_row};
use crate::model::machine::{Machine, Origin, Target};
use crate::model::{ActorId, ConstantId, EffectId, EventId, FieldId, Model, PayloadId, PredicateId, StateId};

/// The uses of a machine by systems.
#[derive(Default)]
pub(super) struct Uses {
    /// Context fields that expressions of a system read, or that its orders compare.
    pub(super) read: BTreeSet<FieldId>,
    /// Context fields that identify an instance's owner: set at creation, read by the system.
    pub(super) owner: BTreeSet<FieldId>,
    /// States whose borders links watch.
    pub(super) crossed: BTreeSet<StateId>,
}

impl Uses {
    /// The uses of each machine by all systems.
    pub(super) fn of(model: &Model) -> Vec<Uses> {
        let mut uses: Vec<Uses> = model.machines.iter().map(|_| Uses::default()).collect();
        for system in &model.systems {
            for part in &system.parts {
                uses[part.machine].owner.extend(part.of.map(|(_, field)| field));
                uses[part.machine].read.extend(part.orders.iter().flat_map(|it| &it.fields));
            }
            for link in &system.links {
                uses[system.part(link.part).machine].crossed.insert(link.state);
            }
            let fires = system.transactions.iter().flat_map(|it| &it.fire).chain(system.links.iter().map(|it| &it.fire));
            let exprs = fires.flat_map(|it| &it.payload).chain(system.rules.iter().map(|it| &it.require));
            let exprs =
                exprs.chain(system.invariants.iter().map(|it| &it.require)).chain(system.links.iter().filter_map(|it| it.when.as_ref()));
            for var in exprs.flat_map(Expr::vars) {
                if let Var::PartContext(part, field) = var {
                    uses[system.part(part).machine].read.insert(field);
                }
            }
        }
        uses
    }
}

/// The expressions of a machine.
fn exprs(machine: &Machine) -> impl Iterator<Item = &Expr> {
    let rows = machine.transitions.iter().flat_map(|row| row.guard.iter().chain(row.set.iter().map(|it| &it.1)));
    rows.chain(machine.timers().map(|(_, it)| &it.after))
}

/// The events that some row names.
fn used_events(machine: &Machine) -> BTreeSet<EventId> {
    machine.transitions.iter().flat_map(|it| it.events().iter().copied()).collect()
}

pub(super) fn unused_event(cx: &MachineCx<'_>) -> Vec<Finding> {
    let used = used_events(cx.machine);
    let unused = cx.machine.events.iter().enumerate().filter(|(idx, _)| !used.contains(&EventId::new(*idx)));
    let finding = |(_, event): (usize, &crate::model::machine::Event)| {
        Finding::new(event.span, format!("no transition takes the event `{}`", event.name)).help("add the transition, or remove the event")
    };
    unused.map(finding).collect()
}

pub(super) fn unused_effect(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let rows = machine.transitions.iter().flat_map(|it| it.before.iter().chain(&it.effects));
    let used: BTreeSet<EffectId> = rows.chain(machine.states.iter().flat_map(|it| it.entry.iter().chain(&it.exit))).copied().collect();
    let unused = machine.effects.iter().enumerate().filter(|(idx, _)| !used.contains(&EffectId::new(*idx)));
    let finding = |(_, effect): (usize, &crate::model::machine::Effect)| {
        let message = format!("nothing uses the effect `{}`", effect.name);
        Finding::new(effect.span, message)
            .help("use it under `do` or `before` of a transition or `entry` or `exit` of a state, or remove it")
    };
    unused.map(finding).collect()
}

pub(super) fn unused_predicate(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut used = BTreeSet::new();
    for expr in exprs(cx.machine) {
        expr.walk(&mut |it| {
            if let ExprKind::Predicate(id) = &it.kind {
                used.insert(*id);
            }
        });
    }
    let unused = cx.machine.predicates.iter().enumerate().filter(|(idx, _)| !used.contains(&PredicateId::new(*idx)));
    let finding = |(_, predicate): (usize, &crate::model::machine::Predicate)| {
        Finding::new(predicate.span, format!("no guard uses `{}`", predicate.name)).help("use it in a guard, or remove it")
    };
    unused.map(finding).collect()
}

pub(super) fn unused_constant(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut used = BTreeSet::new();
    for expr in exprs(cx.machine) {
        expr.walk(&mut |it| {
            if let ExprKind::Constant(id) = &it.kind {
                used.insert(*id);
            }
        });
    }
    let unused = cx.machine.constants.iter().enumerate().filter(|(idx, it)| !it.shown && !used.contains(&ConstantId::new(*idx)));
    let finding = |(_, constant): (usize, &crate::model::machine::Constant)| {
        let help = format!("use it, or remove it; if other code uses it, add {}", super::waiver(Code::LintUnusedConstant));
        Finding::new(constant.span, format!("nothing uses `{}`", constant.name)).help(help)
    };
    unused.map(finding).collect()
}

/// Fields that are read, and fields that are assigned. Incrementing a field does not count as reading it.
fn context(cx: &MachineCx<'_>) -> (BTreeSet<FieldId>, BTreeSet<FieldId>) {
    let machine = cx.machine;
    let mut read = &cx.uses.read | &cx.uses.owner;
    let mut written = cx.uses.owner.clone();
    let field = |var: Var| match var {
        Var::Context(field) => Some(field),
        _ => None,
    };
    // An effect that nothing performs has a finding of its own.
    read.extend(machine.effects.iter().flat_map(|it| &it.takes).filter_map(|it| match it.origin {
        Origin::Context(field) => Some(field),
        Origin::Payload(_) | Origin::From | Origin::To => None,
    }));
    read.extend(machine.timers().flat_map(|(_, it)| it.after.vars()).filter_map(field));
    for row in &machine.transitions {
        read.extend(row.guard.iter().flat_map(Expr::vars).filter_map(field));
        let divisions = divides_in_row(row.guard.as_ref(), row.set.iter().map(|it| &it.1), &machine.constants);
        read.extend(divisions.iter().flat_map(Expr::vars).filter_map(field));
        for (target, value) in &row.set {
            written.insert(*target);
            read.extend(value.vars().into_iter().filter_map(field).filter(|it| it != target));
        }
        read.extend(row.recalls());
    }
    written.extend(machine.states.iter().flat_map(|it| &it.histories).map(|it| it.field));
    (read, written)
}

pub(super) fn context_never_read(cx: &MachineCx<'_>) -> Vec<Finding> {
    let (read, written) = context(cx);
    let unread = cx.machine.fields.iter().enumerate().filter(|(idx, it)| !it.informative && !read.contains(&FieldId::new(*idx)));
    let finding = |(idx, field): (usize, &crate::model::machine::Field)| {
        let message = match written.contains(&FieldId::new(idx)) {
            true => format!("nothing reads `{}`", field.name),
            false => format!("nothing reads `{}`, and nothing sets it", field.name),
        };
        Finding::new(field.span, message)
            .help("read it in a guard, pass it to an effect, or remove it; if people or other code read it, add `informative: true`")
    };
    unread.map(finding).collect()
}

pub(super) fn context_never_written(cx: &MachineCx<'_>) -> Vec<Finding> {
    let (read, written) = context(cx);
    let fixed = cx.machine.fields.iter().enumerate().filter(|(idx, _)| {
        let id = FieldId::new(*idx);
        read.contains(&id) && !written.contains(&id)
    });
    let finding = |(_, field): (usize, &crate::model::machine::Field)| {
        let message = format!("nothing sets `{}`: it keeps its initial value", field.name);
        Finding::new(field.span, message).help(format!(
            "set it in a transition, or make it a constant; if other code sets it, add {}",
            super::waiver(Code::LintContextNeverWritten)
        ))
    };
    fixed.map(finding).collect()
}

pub(super) fn payload_never_read(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut read = BTreeSet::<(EventId, usize)>::new();
    for row in &machine.transitions {
        let vars = row.guard.iter().chain(row.set.iter().map(|it| &it.1)).flat_map(Expr::vars);
        let mut fields: BTreeSet<PayloadId> = vars.filter_map(|it| if let Var::Payload(id) = it { Some(id) } else { None }).collect();
        if let Target::Payload(id) = row.target {
            fields.insert(id);
        }
        let taken: BTreeSet<&str> =
            row.before.iter().chain(&row.effects).flat_map(|it| machine.effect(*it).payload()).map(|it| it.name.as_str()).collect();
        for event in row.events() {
            read.extend(fields.iter().filter_map(|id| machine.payload_position(*event, *id)).map(|idx| (*event, idx)));
            let carried = machine.event(*event).payload.iter().enumerate().filter(|(_, it)| taken.contains(it.name.as_str()));
            read.extend(carried.map(|(idx, _)| (*event, idx)));
        }
    }
    let mut findings = Vec::new();
    for id in used_events(machine) {
        let event = machine.event(id);
        for (_, field) in event.payload.iter().enumerate().filter(|(idx, it)| !it.informative && !read.contains(&(id, *idx))) {
            let message = format!("nothing reads `{}`, which `{}` carries", field.name, event.name);
            let finding = Finding::new(field.span, message).within(event.span);
            findings.push(finding.help(
                "read it in a guard or `set`, pass it to an effect, or remove it; if people or other code read it, add `informative: true`",
            ));
        }
    }
    findings
}

pub(super) fn input_never_read(cx: &SystemCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for transaction in &cx.system.transactions {
        let read: BTreeSet<Var> = transaction.fire.iter().flat_map(|it| &it.payload).flat_map(Expr::vars).collect();
        for (idx, input) in transaction.payload.iter().enumerate() {
            if !input.field.informative && !read.contains(&Var::Input(idx)) {
                let message = format!("nothing reads `{}`, which `{}` takes", input.field.name, transaction.name);
                let finding = Finding::new(input.field.span, message).within(transaction.span);
                findings
                    .push(finding.help(
                        "pass it to one of the fired events, or remove it; if people or other code read it, add `informative: true`",
                    ));
            }
        }
    }
    findings
}

/// The actors that are never mentioned.
fn idle_actors(actors: &[crate::model::machine::Actor], busy: &BTreeSet<ActorId>, help: &str) -> Vec<Finding> {
    let idle = actors.iter().enumerate().filter(|(idx, _)| !busy.contains(&ActorId::new(*idx)));
    idle.map(|(_, it)| Finding::new(it.span, format!("the actor `{}` does nothing", it.name)).help(help)).collect()
}

pub(super) fn idle_actor(cx: &MachineCx<'_>) -> Vec<Finding> {
    let busy = cx.machine.events.iter().flat_map(|it| it.by.iter().copied().chain(it.performer)).collect();
    idle_actors(&cx.machine.actors, &busy, "name it under `by` or `performer` of an event, or remove it")
}

pub(super) fn idle_system_actor(cx: &SystemCx<'_>) -> Vec<Finding> {
    let busy = cx.system.transactions.iter().flat_map(|it| it.by.iter().copied().chain(it.performer)).collect();
    idle_actors(&cx.system.actors, &busy, "name it under `by` or `performer` of a transaction, or remove it")
}

pub(super) fn raised_by_anyone(cx: &MachineCx<'_>) -> Vec<Finding> {
    // Actors of a shared file may be those of other machines.
    let declares = cx.machine.actors.iter().any(|it| it.span.source == cx.machine.source);
    let names = || cx.machine.events.iter().any(|it| !it.by.is_empty());
    if cx.machine.actors.is_empty() || !(declares || names()) {
        return Vec::new();
    }
    let open = cx.machine.events.iter().filter(|it| it.by.is_empty() && it.timer.is_none());
    let finding = |event: &crate::model::machine::Event| {
        let message = format!("anyone may raise `{}`, although the machine declares actors", event.name);
        Finding::new(event.span, message).help("name the actors with `by`")
    };
    open.map(finding).collect()
}

pub(super) fn triggered_by_anyone(cx: &SystemCx<'_>) -> Vec<Finding> {
    if cx.system.actors.is_empty() {
        return Vec::new();
    }
    let open = cx.system.transactions.iter().filter(|it| it.by.is_empty());
    let finding = |transaction: &crate::model::system::Transaction| {
        let message = format!("anyone may trigger `{}`, although the system declares actors", transaction.name);
        Finding::new(transaction.span, message).help("name the actors with `by`")
    };
    open.map(finding).collect()
}
