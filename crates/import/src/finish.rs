//! Converts a draft to the text of a spec: names for everything, and defaults for missing parts.

pub(super) mod names;
mod yaml;

use std::collections::BTreeSet;

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::source::Span;

use super::draft::{Draft, Findings, From, Row, Trigger};
use super::guard::truth;
use names::Names;

/// The machine's name, the spec, and the findings.
pub(super) fn finish(mut draft: Draft) -> (String, String, Vec<Diagnostic>) {
    let mut found = std::mem::take(&mut draft.found);
    settle_initials(&mut draft, &mut found);
    settle_first_step(&mut draft, &mut found);
    settle_creation(&mut draft);
    let has_events = draft.rows.iter().any(|row| row.from != From::Creation && !row.events.is_empty()) || !draft.events.is_empty();
    let done = draft.rows.iter().filter(|it| it.trigger == Trigger::Done);
    let sources = done.filter_map(|it| if let From::State(of) = it.from { Some(of) } else { None });
    let may_be_done: BTreeSet<usize> = sources.filter(|it| draft.may_be_done(*it)).collect();
    let never = never_other(&draft);
    draft.rows.retain(|row| {
        let why = match row.trigger {
            Trigger::Events if row.from == From::Creation && row.to.is_none() => "a start that leads nowhere has no place in a spec",
            Trigger::Events if row.to.is_none() && row.events.is_empty() => {
                "a step without an event that goes nowhere has no place in a spec"
            }
            Trigger::Automatic if row.to.is_none() && !row.is_guarded() => {
                "this step would be taken forever, because it needs no event and goes nowhere: it was left out"
            }
            Trigger::AnyOther if !has_events => "this is for any other event, and there is none",
            Trigger::AnyOther if matches!(row.from, From::State(of) if never.contains(&of)) => {
                "this is for any other event, and a spec has only those that the chart names: each has a transition here"
            }
            Trigger::Done if !matches!(row.from, From::State(of) if may_be_done.contains(&of)) => {
                "this step is never taken: its source is never done"
            }
            _ => return true,
        };
        found.loss(row.span, why);
        false
    });
    super::order::report_forks(&draft, &mut found);
    super::order::report_order(&draft, &mut found);
    let names = Names::new(&draft, &mut found);
    for (name, place) in std::mem::take(&mut draft.untyped) {
        if !names.all_guards.fields.iter().any(|it| it.name == name) {
            found.loss(place, format!("the type of `{name}` cannot be determined: its declaration was left out"));
        }
    }
    let yaml = yaml::spec(&draft, &names);
    (names.machine, yaml, found.finish())
}

/// The states in which a row for any other event is never taken: every event has a row there.
fn never_other(draft: &Draft) -> BTreeSet<usize> {
    let of_rows = draft.rows.iter().filter(|it| it.from != From::Creation).flat_map(|it| &it.events);
    let events: BTreeSet<&String> = of_rows.chain(&draft.events).collect();
    let has_row = |state: usize, event: &String| {
        draft.rows.iter().any(|it| it.from == From::State(state) && !it.is_guarded() && it.events.contains(event))
    };
    (0..draft.states.len()).filter(|state| events.iter().all(|it| has_row(*state, it))).collect()
}

/// Ensures exactly one initial state among siblings.
fn settle_initials(draft: &mut Draft, found: &mut Findings) {
    let scopes: BTreeSet<Option<usize>> = draft.states.iter().map(|it| it.parent).collect();
    for scope in scopes {
        let inside = draft.inside(scope);
        if draft.is_parallel(scope) {
            // All regions start.
            inside.into_iter().for_each(|it| draft.states[it].initial = false);
            continue;
        }
        let mut marked = inside.iter().copied().filter(|it| draft.states[*it].initial);
        if let Some(first) = marked.next() {
            for other in marked.collect::<Vec<_>>() {
                draft.states[other].initial = false;
            }
            debug_assert!(draft.states[first].initial);
            continue;
        }
        let Some(&first) = inside.first() else { continue };
        let whole = scope.map_or("the machine".to_owned(), |it| format!("`{}`", draft.states[it].id));
        let span = scope.map_or(draft.states[first].span, |it| draft.states[it].span);
        // Code may say it in other ways.
        let who = if draft.kind == super::Kind::Code { "no constructor that was recognized" } else { "nothing that was read" };
        found.added(span, format!("{who} says where {whole} starts: its first state, `{}`, was marked", draft.states[first].id));
        let state = &mut draft.states[first];
        state.initial = true;
        state
            .inferred
            .get_or_insert_with(|| format!("{}{} says where it starts; this is the first state.", who[..1].to_uppercase(), &who[1..]));
    }
}

/// A machine that takes a step by itself at its start is created by an event: a spec takes no step before the first event.
fn settle_first_step(draft: &mut Draft, found: &mut Findings) {
    if draft.rows.iter().any(|row| row.from == From::Creation) {
        return;
    }
    let entered = |scope: Option<usize>| {
        let inside = draft.inside(scope);
        if draft.is_parallel(scope) { inside } else { inside.into_iter().filter(|it| draft.states[*it].initial).collect() }
    };
    let tops = entered(None);
    let Some(&top) = tops.first() else { return };
    let mut starts = tops.clone();
    let mut open = starts.clone();
    while let Some(state) = open.pop() {
        let inner = entered(Some(state));
        starts.extend(&inner);
        open.extend(inner);
    }
    let Some((span, message, inferred)) = first_step(draft, &starts, top) else {
        for state in starts.iter().map(|it| &draft.states[*it]).filter(|it| !it.entry.is_empty()) {
            let message = format!(
                "the machine starts in `{}`, and a spec performs nothing at its start: the effects of entering it are for later entries, unless an event creates the machine",
                state.id
            );
            found.assumed(state.span, message);
        }
        return;
    };
    found.assumed(span, message);
    let mut row = Row::new(From::Creation, Some(top), span);
    row.also = tops[1..].iter().map(|it| (*it, None)).collect();
    row.raise = std::mem::take(&mut draft.raised_at_start);
    row.inferred = Some(inferred.to_owned());
    draft.rows.insert(0, row);
}

/// Why a machine that starts in these states, inside this top state, needs an event that creates it: the place, the message, and
/// what the row says.
fn first_step(draft: &Draft, starts: &[usize], top: usize) -> Option<(Span, String, &'static str)> {
    const TAKES_STEP: &str = "The machine takes a step by itself at its start.";
    let at_once: Vec<&Row> = draft.rows.iter().filter(|it| is_at_once(it, draft, starts)).collect();
    let may_be_taken = at_once.iter().find(|it| may_hold_in(it, draft, starts));
    let of_row = may_be_taken
        .map(|row| (row.span, format!("this step {} at the start", if row.is_guarded() { "may be taken" } else { "is taken" })));
    let of_raised = || {
        let raised = draft.raised_at_start.join("`, `");
        (!raised.is_empty()).then(|| (draft.states[top].span, format!("the machine raises `{raised}` at its start")))
    };
    if let Some((span, what)) = of_row.or_else(of_raised) {
        return Some((span, format!("{what}, before any event: the spec has an event that creates the machine"), TAKES_STEP));
    }
    let message = "this step needs no event, and begins where the machine starts: its condition does not hold there, but a spec has such a step only behind an event, here one that creates the machine";
    at_once.first().map(|it| (it.span, message.to_owned(), "A step without an event begins where the machine starts."))
}

/// Whether a row needs no event where the machine starts in these states.
fn is_at_once(row: &Row, draft: &Draft, starts: &[usize]) -> bool {
    let is_first = match row.from {
        From::State(from) => starts.contains(&from),
        From::Any => true,
        From::Creation => false,
    };
    // A composite that starts in a terminal state is done at once.
    let is_done = |from: usize| starts.iter().any(|it| draft.states[*it].terminal && draft.is_in(*it, Some(from)));
    is_first
        && match (row.trigger, row.from) {
            (Trigger::Automatic, _) => true,
            (Trigger::Done, From::State(from)) => is_done(from),
            _ => false,
        }
}

/// Whether a row may be taken where exactly these states are active, as far as its guards ask where the machine is.
fn may_hold_in(row: &Row, draft: &Draft, active: &[usize]) -> bool {
    let of_name = |name: &str, idx: usize| draft.states[idx].id == name;
    let is_active = |name: &str| {
        let is_known = (0..draft.states.len()).any(|it| of_name(name, it));
        is_known.then(|| active.iter().any(|it| of_name(name, *it)))
    };
    let may_hold = |truth: Option<bool>| truth != Some(false);
    row.guards.iter().all(|it| may_hold(truth(it, row.span, &is_active)))
        && row.composed.iter().all(|it| may_hold(it.truth(row.span, &is_active)))
}

/// A creation needs an event: a missing one is added, with an empty label.
fn settle_creation(draft: &mut Draft) {
    let mut n_made = 0;
    for row in draft.rows.iter_mut().filter(|it| it.from == From::Creation && it.events.is_empty()) {
        let Some(to) = row.to else { continue };
        let event = if n_made == 0 { "create".to_owned() } else { format!("create {}", draft.states[to].id) };
        n_made += 1;
        row.events = vec![event];
        row.label.get_or_insert_default();
        row.inferred.get_or_insert_with(|| "The text names no event for this start.".to_owned());
    }
}
