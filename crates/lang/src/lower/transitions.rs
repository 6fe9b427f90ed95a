//! Lowers the rows of a machine.

use std::collections::BTreeSet;

use super::names::{event, state, unknown};
use super::scope::{MachineScope, expression};
use super::text::{fill, fill_opt, label};
use super::timers;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::{self, Expr, Var};
use crate::model::machine::{Branch, Commit, From, Machine, Recall, Target, Transition, Trigger};
use crate::model::{EffectId, EventId, FieldId, StateId, Type};
use crate::read::{Entries, OneOrMany, Text};
use crate::source::{Span, Spanned};
use crate::spec;

pub(super) fn lower(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Transition> {
    let other = other_events(spec, machine);
    let mut rows = Vec::with_capacity(spec.transitions.len());
    for row in &spec.transitions {
        if diagnostics.is_full() {
            break;
        }
        let transition = transition(row, &other, machine, diagnostics);
        rows.extend(transition.into_iter().flat_map(|it| by_timer(it, machine)));
    }
    rows
}

/// A row whose states have a timer each, as one row for each of them.
fn by_timer(row: Transition, machine: &Machine) -> Vec<Transition> {
    match (&row.from, row.events()) {
        (From::States(states), timers @ [first, _, ..]) if machine.timer(*first).is_some() => {
            let one = |(state, timer): (&StateId, &EventId)| {
                let (from, trigger) = (From::States(vec![*state]), Trigger::Events(vec![*timer]));
                Transition { from, trigger, ..row.clone() }
            };
            states.iter().zip(timers).map(one).collect()
        }
        _ => vec![row],
    }
}

/// The events that `event: "*"` means: all that are declared and do not create the machine. A timer elapses in its states only.
fn other_events(spec: &spec::machine::Machine, machine: &Machine) -> Vec<EventId> {
    let creating = spec.transitions.iter().filter(|row| row.from.0.iter().any(|it| it.value == "[*]"));
    let creating: BTreeSet<&str> = creating.flat_map(|row| &row.event).flat_map(|it| &it.0).map(|it| it.value.as_str()).collect();
    let declared = |id: &EventId| machine.timer(*id).is_none() && !creating.contains(machine.event(*id).name.as_str());
    (0..machine.events.len()).map(EventId::new).filter(declared).collect()
}

fn transition(row: &spec::machine::Transition, other: &[EventId], machine: &Machine, diagnostics: &mut Diagnostics) -> Option<Transition> {
    let trigger = trigger(row, other, machine, diagnostics);
    let events = match &trigger {
        Some(Trigger::Events(events) | Trigger::AnyOther(events)) => events.as_slice(),
        _ => &[],
    };
    let from = from(row, machine, diagnostics);
    let scope = MachineScope::new(machine, events, from == Some(From::Creation));
    let target = target(row, trigger.as_ref(), &scope, machine, diagnostics);
    // Without its events a row has no payload, and every error about it would be a false one.
    let (guard, set) = if trigger.is_some() {
        let guard = row.when.as_ref().map(|it| expression(it, &Type::Bool, false, &[], &scope, diagnostics));
        let known = match &guard {
            None => Vec::new(),
            Some(Some(guard)) => expr::known(guard),
            // The guard has errors, so nobody knows what it tests.
            Some(None) => scope.optional(),
        };
        (guard, assignments(row, &known, &scope, machine, diagnostics))
    } else {
        (None, Some(Vec::new()))
    };
    let before = effects(&row.before, machine, diagnostics);
    let after = effects(&row.r#do, machine, diagnostics);
    if trigger.is_some() {
        for (effect, name) in before.iter().chain(&after).zip(named_effects(row)) {
            check_payload(*effect, name, events, machine, diagnostics);
        }
    }
    let raise = raised(row, machine, diagnostics);
    let commit = commit(row, diagnostics);
    let constants = &machine.constants;
    let transition = Transition {
        label: label(&row.label, constants, diagnostics),
        summary: fill_opt(&row.summary, constants, diagnostics),
        doc: fill_opt(&row.doc, constants, diagnostics),
        inferred: fill_opt(&row.inferred, constants, diagnostics),
        from: from?,
        target: target?,
        guard: match guard {
            Some(guard) => Some(guard?),
            None => None,
        },
        set: set?,
        trigger: trigger?,
        before,
        effects: after,
        raise,
        reenter: row.reenter.as_ref().is_some_and(|it| it.value),
        commit,
        span: row.span,
    };
    check_sense(row, &transition, diagnostics);
    check_source(row, &transition, machine, diagnostics);
    Some(transition)
}

/// The trigger of a row; `None` if it has errors.
fn trigger(row: &spec::machine::Transition, other: &[EventId], machine: &Machine, diagnostics: &mut Diagnostics) -> Option<Trigger> {
    let on = |flag: &Option<Spanned<bool>>| flag.as_ref().filter(|it| it.value).map(|it| it.span);
    let (automatic, done) = (on(&row.automatic), on(&row.done));
    let named = row.event.iter().flat_map(|it| &it.0);
    let (event, after) = (named.clone().next().map(|it| it.span), row.after.as_ref().map(|it| it.0.span));
    if let [_, second, ..] = [event, after, automatic, done].into_iter().flatten().collect::<Vec<_>>()[..] {
        let message = "the transition has two triggers: `event`, `after`, `automatic` and `done` exclude each other";
        diagnostics.push(Diagnostic::new(Code::BadEdge, second, message).help("write one transition for each"));
        return None;
    }
    if let Some(timer) = row.timer.as_ref().filter(|_| after.is_none()) {
        let message = format!("`timer` needs `after`: `{}`", timer.value);
        diagnostics.push(Diagnostic::new(Code::BadEdge, timer.span, message).help("add `after` with the duration, or remove `timer`"));
    }
    if after.is_some() {
        // Every state of the row has a timer, unless that has errors.
        let timers = timers::events(row, machine);
        let n_timers = if row.timer.is_some() { 1 } else { row.from.0.len() };
        return (timers.len() == n_timers).then_some(Trigger::Events(timers));
    }
    if automatic.is_some() {
        return Some(Trigger::Automatic);
    }
    if done.is_some() {
        return Some(Trigger::Done);
    }
    if let Some(any) = named.clone().find(|it| it.value == "*") {
        if named.count() > 1 {
            diagnostics.push(Diagnostic::new(Code::BadEdge, any.span, "`\"*\"` stands alone, not in a list"));
            return None;
        }
        if other.is_empty() {
            let message = "`\"*\"` means any other event, and there is none that happens after creation";
            diagnostics.push(Diagnostic::new(Code::BadEdge, any.span, message).help("declare an event, or remove the transition"));
            return None;
        }
        return Some(Trigger::AnyOther(other.to_vec()));
    }
    let events: Vec<EventId> = named.clone().filter_map(|it| declared_event(it, machine, diagnostics)).collect();
    match (events.len() == named.count(), events.is_empty()) {
        (false, _) => None,
        (true, true) => Some(Trigger::Direct),
        (true, false) => Some(Trigger::Events(events)),
    }
}

/// The event with this name, which is no timer.
fn declared_event(name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<EventId> {
    let found = event(name, machine, diagnostics)?;
    if machine.timer(found).is_none() {
        return Some(found);
    }
    let message = format!("`{}` is a timer, and elapses by itself", name.value);
    let diagnostic = Diagnostic::new(Code::BadEdge, name.span, message).also(machine.event(found).span, "this one");
    diagnostics.push(diagnostic.help("write `after` with its duration in place of the event, or declare an event of another name"));
    None
}

/// The events that the machine raises itself.
fn raised(row: &spec::machine::Transition, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<EventId> {
    let mut events = Vec::new();
    for name in row.raise.iter().flat_map(|it| &it.0) {
        let Some(id) = declared_event(name, machine, diagnostics) else { continue };
        let found = machine.event(id);
        if found.payload.is_empty() {
            events.push(id);
        } else {
            let message = format!("`{}` has a payload, and a machine cannot raise it itself", found.name);
            let diagnostic = Diagnostic::new(Code::BadEdge, name.span, message).also(found.span, "declared here");
            diagnostics.push(diagnostic.help("raise an event without a payload; the context holds what its transitions need"));
        }
    }
    events
}

fn named_effects(row: &spec::machine::Transition) -> impl Iterator<Item = &Text> {
    row.before.iter().chain(&row.r#do).flat_map(|it| &it.0)
}

fn from(row: &spec::machine::Transition, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<From> {
    let special = row.from.0.iter().find(|it| it.value == "*" || it.value == "[*]");
    if let (Some(except), None | Some("[*]")) = (&row.except, special.map(|it| it.value.as_str())) {
        let span = except.0.first().map_or(row.span, |it| it.span);
        diagnostics.push(Diagnostic::new(Code::BadEdge, span, "`except` only goes with `from: \"*\"`"));
    }
    match special {
        Some(special) if row.from.0.len() > 1 => {
            let message = format!("`\"{}\"` stands alone, not in a list", special.value);
            diagnostics.push(Diagnostic::new(Code::BadEdge, special.span, message));
            None
        }
        Some(special) if row.after.is_some() => {
            let (message, help) = match special.value.as_str() {
                "*" => (
                    "a timer starts when a state is entered, and `\"*\"` names none",
                    "name the states, or put them into one and name that",
                ),
                _ => ("nothing can elapse before the machine is created", "name the state in which the time counts"),
            };
            diagnostics.push(Diagnostic::new(Code::BadEdge, special.span, message).help(help));
            None
        }
        Some(special) if special.value == "[*]" => Some(From::Creation),
        Some(_) => Some(From::Any { except: states(row.except.iter().flat_map(|it| &it.0), machine, diagnostics)? }),
        None if row.from.0.is_empty() => {
            diagnostics.push(Diagnostic::new(Code::BadEdge, row.span, "the transition has no source: `from` is an empty list"));
            None
        }
        None => states(&row.from.0, machine, diagnostics).map(From::States),
    }
}

fn states<'a>(names: impl IntoIterator<Item = &'a Text>, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<Vec<StateId>> {
    let mut ids = Vec::new();
    let mut complete = true;
    for name in names {
        match state(name, machine, diagnostics) {
            Some(id) if ids.contains(&id) => {
                diagnostics.push(Diagnostic::new(Code::BadEdge, name.span, format!("`{}` is listed twice", name.value)));
            }
            Some(id) => ids.push(id),
            None => complete = false,
        }
    }
    complete.then_some(ids)
}

fn target(
    row: &spec::machine::Transition,
    trigger: Option<&Trigger>,
    scope: &MachineScope<'_>,
    machine: &Machine,
    diagnostics: &mut Diagnostics,
) -> Option<Target> {
    if let Some(refusal) = &row.refuse {
        if row.after.is_some() {
            let message = "a timer cannot be refused: nobody waits for an answer";
            let help = "remove the transition, and let the guards of the others exclude the case: the timer then ends without a step";
            diagnostics.push(Diagnostic::new(Code::BadEdge, refusal.span, message).help(help));
            return None;
        }
        if row.to.is_some() {
            let message = "a refusal has no target: `to` and `refuse` exclude each other";
            diagnostics.push(Diagnostic::new(Code::BadEdge, refusal.span, message));
            return None;
        }
        return Some(Target::Refuse(fill(refusal, &machine.constants, diagnostics)));
    }
    let Some(to) = &row.to else { return Some(Target::Stay) };
    if to.0.is_empty() {
        diagnostics.push(Diagnostic::new(Code::BadEdge, row.span, "`to` is an empty list").help("omit `to` for a transition that stays"));
        return None;
    }
    if to.0.len() > 1 && trigger.is_some_and(|it| *it != Trigger::Direct) {
        return fork(&to.0, machine, diagnostics);
    }
    let field = |text: &Text| placeholder(text).map(str::to_owned);
    if let Some((text, name)) = to.0.iter().find_map(|it| field(it).map(|name| (it, name))) {
        if to.0.len() > 1 {
            diagnostics.push(Diagnostic::new(Code::BadEdge, text.span, "a target given by the payload stands alone, not in a list"));
            return None;
        }
        let (name, of_event) = match name.strip_prefix("event.") {
            Some(field) => (field.to_owned(), true),
            None => (name, false),
        };
        let recall = history_in(&name, machine);
        return match scope.payload(&name) {
            // A name alone is the context field's, as in expressions.
            _ if recall.is_some() && !of_event => recall.map(Target::History),
            Some((id, field)) if field.ty == Type::State && !field.optional => Some(Target::Payload(id)),
            Some((_, field)) if field.ty.is_unknown() => None,
            Some((_, field)) => {
                let ty = expr::type_name(&field.ty, &machine.enums);
                let optional = if field.optional { "optional " } else { "" };
                let message = format!("the target must be a payload field of type `state`, `{name}` is {optional}`{ty}`");
                diagnostics.push(Diagnostic::new(Code::TypeMismatch, text.span, message).also(field.span, "declared here"));
                None
            }
            None if !of_event && machine.fields.iter().any(|it| it.name == name) => {
                let message = format!("`{name}` is a context field, and the history of no state");
                let help = format!("add `history: {name}` to the state that it should remember");
                diagnostics.push(Diagnostic::new(Code::BadEdge, text.span, message).help(help));
                None
            }
            None => {
                unknown("payload field", &Text::new(name, text.span), scope.payload_names(), diagnostics);
                None
            }
        };
    }
    states(&to.0, machine, diagnostics).map(Target::To)
}

/// The name in braces of a target.
fn placeholder(target: &Text) -> Option<&str> {
    target.value.strip_prefix('{')?.strip_suffix('}')
}

/// The history that the field with this name is.
fn history_in(field: &str, machine: &Machine) -> Option<Recall> {
    machine.recall(FieldId::new(machine.fields.iter().position(|it| it.name == field)?))
}

/// Several targets at once, each in another region of one state.
fn fork(to: &[Text], machine: &Machine, diagnostics: &mut Diagnostics) -> Option<Target> {
    if !machine.has_regions() {
        let (span, message, help) = match to.iter().find(|it| placeholder(it).is_some()) {
            Some(text) => (text.span, "a target given by the payload stands alone, not in a list", None),
            None => {
                let message = "several targets: an event leads to one target; only a direct transition (without `event`) may list several";
                (to[1].span, message, Some("write one transition for each target, distinguished by `when`"))
            }
        };
        let diagnostic = Diagnostic::new(Code::BadEdge, span, message);
        diagnostics.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
        return None;
    }
    let mut branches: Vec<Branch> = Vec::new();
    let mut complete = true;
    for text in to {
        let branch = match placeholder(text) {
            None => state(text, machine, diagnostics).map(Branch::To),
            Some(name) => {
                let found = history_in(name, machine).map(Branch::History);
                if found.is_none() {
                    let message = format!("`{name}` is the history of no state");
                    let help = "each of several targets is a state or a history; a payload target cannot be combined with others";
                    diagnostics.push(Diagnostic::new(Code::BadEdge, text.span, message).help(help));
                }
                found
            }
        };
        let Some(branch) = branch else {
            complete = false;
            continue;
        };
        let together = |it: &&Branch| machine.parallel_around(it.state(), branch.state()).is_none();
        if let Some(other) = branches.iter().find(together) {
            let name = |it: Branch| machine.state(it.state()).name.as_str();
            let message = format!("`{}` and `{}` are not in different regions of one state", name(*other), name(branch));
            let help = "an event leads to several targets only if each is in another region; write one transition for each, distinguished by `when`";
            diagnostics.push(Diagnostic::new(Code::BadEdge, text.span, message).help(help));
            complete = false;
        }
        branches.push(branch);
    }
    complete.then_some(Target::Fork(branches))
}

/// The assignments; the guard guarantees that the variables in `known` are not null.
fn assignments(
    row: &spec::machine::Transition,
    known: &[Var],
    scope: &MachineScope<'_>,
    machine: &Machine,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<(FieldId, Expr)>> {
    let mut set = Vec::new();
    let mut complete = true;
    for (name, value) in row.set.iter().flat_map(Entries::iter) {
        let Some(idx) = machine.fields.iter().position(|it| it.name == name.value) else {
            unknown("context field", name, machine.fields.iter().map(|it| it.name.as_str()), diagnostics);
            complete = false;
            continue;
        };
        let field = &machine.fields[idx];
        match expression(&value.0, &field.ty, field.optional, known, scope, diagnostics) {
            Some(expr) => set.push((FieldId::new(idx), expr)),
            None => complete = false,
        }
    }
    set.sort_by_key(|(field, _)| *field);
    complete.then_some(set)
}

/// Effects by name.
pub(super) fn effects(names: &Option<OneOrMany<Text>>, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<EffectId> {
    let mut ids = Vec::new();
    for name in names.iter().flat_map(|it| &it.0) {
        match machine.effect_named(&name.value) {
            Some(id) => ids.push(id),
            None => unknown("effect", name, machine.effects.iter().map(|it| it.name.as_str()), diagnostics),
        }
    }
    ids
}

/// Every event of the row must carry the payload that the effect takes.
fn check_payload(effect: EffectId, name: &Text, events: &[EventId], machine: &Machine, diagnostics: &mut Diagnostics) {
    let effect = machine.effect(effect);
    for wanted in effect.payload() {
        if events.is_empty() {
            let message = format!("`{}` takes `{}` from the payload, and this transition has no event", effect.name, wanted.name);
            diagnostics.push(Diagnostic::new(Code::BadEffect, name.span, message));
        }
        if let Some(timer) = events.first().map(|it| machine.event(*it)).filter(|it| it.timer.is_some()) {
            let message = format!("`{}` takes `{}` from the payload, and the timer `{}` has none", effect.name, wanted.name, timer.name);
            diagnostics.push(Diagnostic::new(Code::BadEffect, name.span, message).help("take it from the context"));
            continue;
        }
        for event in events.iter().map(|it| machine.event(*it)) {
            match event.payload.iter().find(|it| it.name == wanted.name) {
                Some(field) if field.ty.agrees_with(&wanted.ty) && field.optional == wanted.optional => {}
                Some(field) => {
                    let (found, expected) = (expr::type_name(&field.ty, &machine.enums), expr::type_name(&wanted.ty, &machine.enums));
                    let message =
                        format!("`{}` of `{}` is `{found}` in `{}` and `{expected}` elsewhere", wanted.name, effect.name, event.name);
                    diagnostics.push(Diagnostic::new(Code::BadEffect, name.span, message).also(field.span, "this one"));
                }
                None => {
                    let message =
                        format!("`{}` takes `{}` from the payload, and `{}` does not have it", effect.name, wanted.name, event.name);
                    let help = format!("add `{}` to the payload of `{}`", wanted.name, event.name);
                    diagnostics.push(Diagnostic::new(Code::BadEffect, name.span, message).also(event.span, "this event").help(help));
                }
            }
        }
    }
}

fn commit(row: &spec::machine::Transition, diagnostics: &mut Diagnostics) -> Commit {
    let Some(text) = &row.commit else { return Commit::PersistFirst };
    let found = Commit::ALL.into_iter().find(|it| it.name() == text.value);
    found.unwrap_or_else(|| {
        unknown("commit order", text, Commit::ALL.map(Commit::name), diagnostics);
        Commit::PersistFirst
    })
}

/// Reports parts of a row that contradict each other.
fn check_sense(row: &spec::machine::Transition, transition: &Transition, diagnostics: &mut Diagnostics) {
    let mut complain = |message: &str, help: &str| {
        diagnostics.push(Diagnostic::new(Code::BadEdge, row.span, message).help(help));
    };
    let has_event = !transition.events().is_empty();
    match (&transition.target, &transition.trigger) {
        (Target::Fork(branches), _) if transition.from == From::Creation && branches.iter().any(|it| matches!(it, Branch::History(_))) => {
            complain("nothing is remembered at creation", "name the state in which the machine starts");
        }
        (Target::History(_), _) if transition.from == From::Creation => {
            complain("nothing is remembered at creation", "name the state in which the machine starts");
        }
        (Target::History(_), Trigger::Direct) => {
            complain("a transition without an event needs a state as its target, not a history", "add an `event`");
        }
        (Target::Stay, Trigger::Direct) => complain("a transition without `event` and `to` says nothing", "add an `event`, or a target"),
        (Target::Refuse(_), _) if !has_event => complain("a refusal needs an `event` to refuse", "add the `event`"),
        (_, Trigger::AnyOther(_)) if transition.from == From::Creation => {
            complain("creation needs an `event` with a name", "add one, such as `create`");
        }
        (_, _) if transition.from == From::Creation && !has_event => complain("creation needs an `event`", "add one, such as `create`"),
        (Target::Stay, _) if transition.from == From::Creation => complain("creation needs a target", "add `to`"),
        (Target::Stay, Trigger::Automatic) if transition.guard.is_none() => {
            complain("an automatic transition that stays and has no guard is taken forever", "add a target, or a guard that ends it");
        }
        _ => {}
    }
    let does_something =
        !transition.set.is_empty() || !transition.before.is_empty() || !transition.effects.is_empty() || !transition.raise.is_empty();
    if matches!(transition.target, Target::Refuse(_)) && does_something {
        complain("a refusal changes nothing", "remove `set`, `before`, `do` and `raise`");
    }
}

/// Reports a row whose source does not go with its trigger.
fn check_source(row: &spec::machine::Transition, transition: &Transition, machine: &Machine, diagnostics: &mut Diagnostics) {
    let mut complain = |span: Span, message: String, help: &str| {
        diagnostics.push(Diagnostic::new(Code::BadEdge, span, message).help(help));
    };
    let span = row.from.0.first().map_or(row.span, |it| it.span);
    if transition.reenter {
        let related = |from: StateId| match &transition.target {
            Target::To(to) => matches!(to[..], [to] if machine.is_in(to, from) || machine.is_in(from, to)),
            Target::Fork(branches) => {
                let mut to = branches.iter().map(|it| it.state());
                to.clone().all(|it| machine.is_in(it, from)) || to.any(|it| machine.is_in(from, it))
            }
            Target::Payload(_) => !machine.is_leaf(from),
            Target::History(to) => machine.is_in(to.whole, from) || machine.is_in(from, to.whole),
            Target::Stay | Target::Refuse(_) => false,
        };
        if !matches!(&transition.from, From::States(states) if matches!(states[..], [from] if related(from))) {
            complain(
                span,
                "`reenter` has no effect unless the source contains the target, or the target the source".into(),
                "remove it; any other transition leaves its source and enters its target in any case",
            );
        }
    }
    if transition.trigger != Trigger::Done {
        return;
    }
    let From::States(states) = &transition.from else {
        return complain(span, "`done` needs the states that are done as its source".into(), "name the states with states inside");
    };
    for (state, name) in states.iter().zip(&row.from.0) {
        if machine.is_leaf(*state) {
            complain(name.span, format!("`{}` is never done: it has no states inside", name.value), "name the state around it");
            continue;
        }
        let has_outcome = |it: &StateId| machine.state(*it).children.iter().any(|it| machine.state(*it).terminal);
        let without = machine.state(*state).children.iter().find(|it| !has_outcome(it)).filter(|_| machine.state(*state).parallel);
        if let Some(region) = without {
            let message = format!(
                "`{}` is never done: no state directly inside its region `{}` is terminal",
                name.value,
                machine.state(*region).name
            );
            complain(name.span, message, "mark the state in which its work has ended with `terminal: true`");
        } else if !machine.state(*state).parallel && !has_outcome(state) {
            let message = format!("`{}` is never done: none of the states directly inside is terminal", name.value);
            complain(name.span, message, "mark the state in which its work has ended with `terminal: true`");
        }
    }
}
