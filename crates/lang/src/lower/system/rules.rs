//! Rules, links and invariants.

use std::collections::BTreeSet;

use super::reads::{check_not_created, check_reach, read_elsewhere};
use super::transactions::fire;
use super::{Lowering, SystemScope, dotted, dotted_event, dotted_state, expression, fill, fill_opt};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::system::{Crossing, Invariant, Link, Rule};
use crate::model::{EventId, PartId, System, Type};
use crate::read::{OneOrMany, Text};
use crate::source::Span;
use crate::spec;

pub(super) fn rule(spec: &spec::system::Rule, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let roles: Vec<PartId> = system.declared_roles().collect();
    let mut events = patterns(&spec.before, &roles, system, cx, diagnostics);
    if let Some(except) = &spec.except {
        let except = patterns(except, &roles, system, cx, diagnostics)?;
        if let Some(events) = &mut events {
            for (event, span) in except.0.iter().map(|it| (it, except.1)) {
                if !events.0.remove(event) {
                    let message = "`except` excludes an event that the rule does not cover";
                    diagnostics.push(Diagnostic::new(Code::BadSystem, span, message));
                }
            }
        }
    }
    let scope = SystemScope { roles: &roles, ..SystemScope::new(system, cx, &[]) };
    let require = expression(&spec.require, &Type::Bool, false, &scope, diagnostics);
    let doc = fill(&spec.doc, &[], diagnostics);
    let inferred = fill_opt(&spec.inferred, &[], diagnostics);
    let ((events, before), require) = (events?, require?);
    if events.is_empty() {
        diagnostics.push(Diagnostic::new(Code::BadSystem, spec.span, "the rule covers no event"));
        return None;
    }
    if let Some((role, event)) =
        events.iter().find(|(part, event)| system.plays(*part) != *part && events.contains(&(system.plays(*part), *event)))
    {
        let (role, part, event) =
            (&system.part(*role).name, &system.part(system.plays(*role)).name, &cx.machine(system, *role).event(*event).name);
        let message = format!("a rule before `{part}.{event}` covers `{role}.{event}`, too");
        diagnostics.push(Diagnostic::new(Code::BadSystem, before, message).help(format!("remove `{role}.{event}`, or write two rules")));
    }
    let fired: BTreeSet<PartId> = events.iter().map(|(part, _)| *part).collect();
    for part in fired {
        check_reach(&require, part, spec.require.span, system, diagnostics);
    }
    for (part, event) in &events {
        check_not_created(
            &require,
            &[(*part, *event)],
            |part, event| format!("exclude the event: `except: {part}.{event}`"),
            system,
            cx,
            diagnostics,
        );
    }
    let list = |it: &OneOrMany<Text>| it.0.iter().map(|it| it.value.as_str()).collect::<Vec<_>>().join(", ");
    let written = match &spec.except {
        Some(except) => format!("{} except {}", list(&spec.before), list(except)),
        None => list(&spec.before),
    };
    Some(Rule { events: events.into_iter().collect(), written, require, doc, inferred, span: spec.span })
}

/// The events that `part.event` and `part.*` name, and the span of the first pattern.
fn patterns(
    texts: &OneOrMany<Text>,
    roles: &[PartId],
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<(BTreeSet<(PartId, EventId)>, Span)> {
    let mut events = BTreeSet::new();
    let mut complete = true;
    for text in &texts.0 {
        if text.value.ends_with(".*") {
            match dotted(text, "*", roles, system, diagnostics) {
                Some((part, _)) => {
                    let n_events = cx.machine(system, part).events.len();
                    events.extend((0..n_events).map(|idx| (part, EventId::new(idx))));
                }
                None => complete = false,
            }
        } else {
            match dotted_event(text, roles, system, cx, diagnostics) {
                Some(event) => {
                    events.insert(event);
                }
                None => complete = false,
            }
        }
    }
    let first = texts.0.first()?;
    complete.then_some((events, first.span))
}

pub(super) fn link(spec: &spec::system::Link, system: &System, cx: &Lowering<'_>, diagnostics: &mut Diagnostics) -> Option<Link> {
    let crossing = match (&spec.enter, &spec.exit) {
        (Some(state), None) => dotted_state(state, system, cx, diagnostics).map(|it| (Crossing::Enter, it)),
        (None, Some(state)) => dotted_state(state, system, cx, diagnostics).map(|it| (Crossing::Exit, it)),
        _ => {
            let message = "a link has either `enter` or `exit`, not both or none";
            diagnostics.push(Diagnostic::new(Code::BadSystem, spec.span, message));
            None
        }
    };
    let scope = SystemScope::new(system, cx, &[]);
    let when = spec.when.as_ref().map(|it| expression(it, &Type::Bool, false, &scope, diagnostics));
    let fire = fire(&spec.fire, &SystemScope::new(system, cx, &[]), diagnostics);
    let doc = fill_opt(&spec.doc, &[], diagnostics);
    let inferred = fill_opt(&spec.inferred, &[], diagnostics);
    let when = match when {
        Some(when) => Some(when?),
        None => None,
    };
    let ((on, (part, state)), fire) = (crossing?, fire?);
    if !system.determines(part, fire.part) {
        let (from, to) = (&system.part(part).name, &system.part(fire.part).name);
        let message = format!("ambiguous: a `{from}` does not determine one of many `{to}`");
        let help = format!("a link leads to a part without `many`, or to the one that a `{from}` belongs to");
        diagnostics.push(Diagnostic::new(Code::BadSystem, fire.span, message).help(help));
        return None;
    }
    for expr in when.iter().chain(&fire.payload) {
        check_reach(expr, part, expr.span, system, diagnostics);
        check_not_created(expr, &[(fire.part, fire.event)], read_elsewhere, system, cx, diagnostics);
    }
    let optional = spec.optional.as_ref().is_some_and(|it| it.value);
    Some(Link { part, on, state, when, fire, optional, doc, inferred, span: spec.span })
}

/// A cycle of links could continue forever.
pub(super) fn check_cycles(system: &System, diagnostics: &mut Diagnostics) {
    let reached: Vec<BTreeSet<PartId>> = system.part_ids().map(|it| reached(it, system)).collect();
    for link in system.links.iter().filter(|it| reached[it.fire.part.index()].contains(&it.part)) {
        let message = format!("links lead from `{0}` back to `{0}`: they could fire forever", system.part(link.part).name);
        diagnostics.push(Diagnostic::new(Code::BadSystem, link.span, message).help("the event of a link must not lead back"));
    }
}

/// A part, and all parts that links reach from it.
fn reached(part: PartId, system: &System) -> BTreeSet<PartId> {
    let mut reached = BTreeSet::from([part]);
    let mut open = vec![part];
    while let Some(part) = open.pop() {
        let next = system.links.iter().filter(|it| it.part == part).map(|it| it.fire.part);
        open.extend(next.filter(|it| reached.insert(*it)));
    }
    reached
}

pub(super) fn invariant(
    spec: &spec::system::Invariant,
    system: &System,
    cx: &Lowering<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Invariant> {
    let require = expression(&spec.require, &Type::Bool, false, &SystemScope::new(system, cx, &[]), diagnostics);
    let doc = fill(&spec.doc, &[], diagnostics);
    let inferred = fill_opt(&spec.inferred, &[], diagnostics);
    let require = require?;
    let parts = require.parts();
    let many = || parts.iter().copied().filter(|it| system.part(*it).many);
    let of = many().find(|from| parts.iter().all(|to| system.determines(*from, *to)));
    if of.is_none()
        && let Some(first) = many().next()
    {
        let names: Vec<String> = many().map(|it| format!("`{}`", system.part(it).name)).collect();
        let message = format!("the spec does not say which of {} belong together", names.join(" and "));
        let help = format!("say with `of` and `by` what a `{}` belongs to, or read one of them only", system.part(first).name);
        diagnostics.push(Diagnostic::new(Code::BadSystem, spec.require.span, message).help(help));
        return None;
    }
    Some(Invariant { of, require, doc, inferred, span: spec.span })
}
