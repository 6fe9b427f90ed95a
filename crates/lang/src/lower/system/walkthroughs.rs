//! Lowers walkthroughs: resolves names and reads values. [`crate::interpret`] executes them.

use super::limits::check_effort;
use super::{Lowering, check_distinct, check_name, dotted, fill, fill_opt, part_named, sub_span, unknown};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::parse_duration;
use crate::lower::fields::{LiteralNames, literal};
use crate::model::configuration::SEPARATOR;
use crate::model::system::{Input, Step, Walkthrough};
use crate::model::{Literal, Machine, PartId, PredicateId, StateId, System};
use crate::names;
use crate::read::{Entries, Text};
use crate::spec;

pub(super) fn lower(spec: &spec::system::System, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Vec<Walkthrough> {
    let declared = || spec.walkthroughs.iter().flat_map(Entries::iter);
    check_distinct("walkthroughs", declared().map(|(name, _)| (name.value.as_str(), name.span)), names::snake, diagnostics);
    let told: Vec<Walkthrough> = declared().map(|(name, body)| walkthrough(name, body, spec, system, cx, diagnostics)).collect();
    check_effort(&told, system, cx.machines, diagnostics);
    told
}

fn walkthrough(
    name: &Text,
    body: &spec::system::Walkthrough,
    spec: &spec::system::System,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Walkthrough {
    check_name(name, "walkthrough", diagnostics);
    check_distinct("steps", body.steps.iter().map(|it| (it.step.value.as_str(), it.step.span)), str::to_owned, diagnostics);
    let steps = body.steps.iter().filter_map(|it| step(it, spec, system, cx, diagnostics)).collect();
    Walkthrough { name: name.value.clone(), doc: fill_opt(&body.doc, &[], diagnostics), steps, span: name.span }
}

fn step(
    spec: &spec::system::Step,
    all: &spec::system::System,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Step> {
    let transaction = system.transactions.iter().position(|it| it.name == spec.run.value);
    let roles = transaction.map_or(&[][..], |it| &system.transactions[it].roles);
    let mut instances = Vec::new();
    for (name, number) in spec.instances.iter().flat_map(Entries::iter) {
        if let Some(it) = instance(name, number, roles, system, diagnostics) {
            instances.push(it);
        }
    }
    let mut holds = Vec::new();
    for text in spec.holds.iter().flat_map(|it| &it.0) {
        if let Some(it) = predicate(text, system, cx, diagnostics) {
            holds.push(it);
        }
    }
    let mut then = Vec::new();
    for (name, state) in spec.then.iter().flat_map(Entries::iter) {
        let Some(part) = part_named(name, roles, system, diagnostics) else { continue };
        then.extend(expected(state, cx.machine(system, part), diagnostics).into_iter().map(|it| (part, it)));
    }
    let trigger = fill(&spec.trigger, &[], diagnostics);
    let note = fill_opt(&spec.note, &[], diagnostics);
    let refused = fill_opt(&spec.refused, &[], diagnostics);
    check_refused(spec, &then, diagnostics);

    let Some(transaction) = transaction else {
        // A transaction that could not be lowered is already reported.
        let declared = || all.transactions.iter().flat_map(Entries::iter).map(|(name, _)| name.value.as_str());
        if declared().all(|it| it != spec.run.value) {
            unknown("transaction", &spec.run, declared().collect::<Vec<_>>(), diagnostics);
        }
        return None;
    };
    let payload = payload(spec, &system.transactions[transaction].payload, system, cx, diagnostics)?;
    let wait = match &spec.wait {
        Some(text) => Some(span_of_time(text, diagnostics)?),
        None => None,
    };
    Some(Step {
        number: spec.step.value.clone(),
        transaction,
        wait,
        instances,
        holds,
        payload,
        trigger,
        note,
        refused,
        then,
        span: spec.span,
    })
}

/// The states in which a part must be after a step: one, or with regions several, as in `full+red`.
fn expected(text: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<StateId> {
    let mut found: Vec<StateId> = Vec::new();
    let mut start = 0;
    let names: Vec<&str> = if machine.has_regions() { text.value.split(SEPARATOR).collect() } else { vec![&text.value] };
    for name in names {
        let written = Text::new(name.to_owned(), sub_span(text, start..start + name.len()));
        start += name.len() + SEPARATOR.len_utf8();
        // `ACTIVE/HOT`, as tables show it, is accepted for `HOT`.
        let Some(id) = machine.state_ids().find(|it| machine.state(*it).name == name || machine.path_name(*it) == name) else {
            unknown("state", &written, machine.states.iter().map(|it| it.name.as_str()), diagnostics);
            continue;
        };
        let apart =
            |other: &&StateId| !machine.is_in(id, **other) && !machine.is_in(**other, id) && machine.parallel_around(id, **other).is_none();
        if let Some(other) = found.iter().find(apart) {
            let message =
                format!("`{}` is never in `{}` and in `{}` at once", machine.name, machine.path_name(*other), machine.path_name(id));
            let diagnostic = Diagnostic::new(Code::BadSystem, written.span, message).also(machine.state(id).span, "declared here");
            diagnostics.push(diagnostic.help("name at most one state of each region"));
            continue;
        }
        found.push(id);
    }
    found
}

/// The time that passes before a step.
fn span_of_time(text: &Text, diagnostics: &mut Diagnostics) -> Option<i64> {
    let found = parse_duration(&text.value).filter(|it| *it >= 0);
    if found.is_none() {
        let message = format!("`wait` is a duration, `{}` is none", text.value);
        diagnostics.push(Diagnostic::new(Code::TypeMismatch, text.span, message).help("write one such as `30s` or `1h`"));
    }
    found
}

fn check_refused(spec: &spec::system::Step, then: &[(PartId, StateId)], diagnostics: &mut Diagnostics) {
    if let Some(refused) = &spec.refused
        && !then.is_empty()
    {
        let message = "a step that is refused changes nothing: `refused` and `then` exclude each other";
        diagnostics.push(Diagnostic::new(Code::BadSystem, refused.span, message));
    }
}

fn instance(name: &Text, number: &Text, roles: &[PartId], system: &System, diagnostics: &mut Diagnostics) -> Option<(PartId, u64)> {
    let part = part_named(name, roles, system, diagnostics)?;
    if !system.part(part).many {
        let message = format!("there is only one `{}`", name.value);
        diagnostics.push(Diagnostic::new(Code::BadSystem, name.span, message).help("omit it, or declare the part with `many: true`"));
        return None;
    }
    match number.value.parse::<u64>() {
        Ok(number) if number > 0 => Some((part, number)),
        _ => {
            let message = format!("instances are counted from 1, `{}` is none", number.value);
            diagnostics.push(Diagnostic::new(Code::TypeMismatch, number.span, message));
            None
        }
    }
}

fn predicate(text: &Text, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<(PartId, PredicateId)> {
    let (part, name) = dotted(text, "predicate", &[], system, diagnostics)?;
    let machine = cx.machine(system, part);
    let found = machine.predicates.iter().position(|it| it.name == name.value);
    if found.is_none() {
        unknown("predicate", &name, machine.predicates.iter().map(|it| it.name.as_str()), diagnostics);
    }
    found.map(|idx| (part, PredicateId::new(idx)))
}

/// One value for every field of the transaction's payload.
fn payload(
    spec: &spec::system::Step,
    inputs: &[Input],
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Literal>> {
    let given = || spec.with.iter().flat_map(Entries::iter);
    let mut complete = true;
    for (name, _) in given().filter(|(it, _)| inputs.iter().all(|input| input.field.name != it.value)) {
        unknown("payload field", name, inputs.iter().map(|it| it.field.name.as_str()), diagnostics);
        complete = false;
    }
    let mut payload = Vec::new();
    for input in inputs {
        let field = &input.field;
        match given().find(|(it, _)| it.value == field.name) {
            Some((_, value)) => {
                let states = input.of.map(|it| cx.machine(system, it).states.as_slice()).unwrap_or_default();
                let names = LiteralNames { enums: &system.enums, states, events: &[] };
                payload.extend(literal(&value.0, &field.ty, field.optional, &names, diagnostics));
            }
            None if field.optional => payload.push(Literal::Null),
            None => {
                let message = format!("`{}` needs a value for `{}`", spec.run.value, field.name);
                let help = format!("write `with: {{ {}: … }}`", field.name);
                diagnostics.push(Diagnostic::new(Code::MissingKey, spec.run.span, message).also(field.span, "declared here").help(help));
            }
        }
    }
    (complete && payload.len() == inputs.len()).then_some(payload)
}
