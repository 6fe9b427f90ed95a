//! Lowers the timers of rows with `after`: each is an event, behind the events declared.

use std::collections::{BTreeMap, BTreeSet};

use super::limits;
use super::names::{check_distinct, check_name};
use super::scope::{MachineScope, expression};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expr::{Expr, divides, fold};
use crate::model::machine::{ByName, Event, Machine};
use crate::model::names::MachineNames;
use crate::model::{EventId, StateId, Timer, Type};
use crate::names;
use crate::read::{Expression, Text};
use crate::source::Span;
use crate::spec;

/// Adds the timers of all rows to the events.
pub(super) fn lower(spec: &spec::machine::Machine, machine: &mut Machine, diagnostics: &mut Diagnostics) {
    let rows = spec.transitions.iter().filter_map(|row| Some((row, row.after.as_ref()?)));
    let mut timers: Vec<Named> = Vec::new();
    for (row, after) in rows {
        if diagnostics.is_full() {
            return;
        }
        let Some(duration) = duration(after, machine, diagnostics) else { continue };
        for (name, states) in of_row(row, machine) {
            match timers.iter_mut().find(|it| it.name.value == name.value) {
                Some(known) => known.join(&name, states, &duration, machine, diagnostics),
                None => timers.push(Named { name, states, after: duration.clone() }),
            }
        }
    }
    timers.retain(|it| it.is_flat(machine, diagnostics));
    check_names(&timers, machine, diagnostics);
    for Named { name, states, after } in timers {
        let label = format!("after {}", fold(&after, &machine.constants).show(&MachineNames::new(machine)));
        limits::label(Some(&label), Some(&name), diagnostics);
        let states = states.into_iter().map(|it| it.0).collect();
        machine.events.push(Event {
            span: name.span,
            name: name.value,
            by: Vec::new(),
            performer: None,
            number: None,
            payload: Vec::new(),
            positions: Vec::new(),
            label: Some(label),
            doc: None,
            aliases: Vec::new(),
            former: Vec::new(),
            settles: false,
            timer: Some(Timer { states, after }),
        });
    }
    machine.lookup.events = ByName::new(&machine.events.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
}

/// A timer, and where its parts are written.
struct Named {
    name: Text,
    states: Vec<(StateId, Span)>,
    after: Expr,
}

impl Named {
    /// Adds the states of another row with a timer of this name.
    fn join(&mut self, name: &Text, states: Vec<(StateId, Span)>, after: &Expr, machine: &Machine, diagnostics: &mut Diagnostics) {
        let show = |it: &Expr| fold(it, &machine.constants).show(&MachineNames::new(machine));
        let (first, second) = (show(&self.after), show(after));
        if first != second {
            let message = format!("the timer `{}` has two durations, `{first}` and `{second}`", name.value);
            let diagnostic = Diagnostic::new(Code::BadEdge, after.span, message).also(self.after.span, "the other one");
            diagnostics.push(diagnostic.help("give each a name of its own: add `timer: NAME` to the transition"));
            return;
        }
        for (state, span) in states {
            if self.states.iter().all(|it| it.0 != state) {
                self.states.push((state, span));
            }
        }
    }

    /// Reports states that are active at once; whether there are none. A timer could not tell for which of them it runs.
    fn is_flat(&self, machine: &Machine, diagnostics: &mut Diagnostics) -> bool {
        let name = |id: StateId| &machine.state(id).name;
        let all: BTreeSet<StateId> = self.states.iter().map(|it| it.0).collect();
        let regions =
            |state: StateId| machine.ancestors(state).filter(|it| machine.is_region(*it)).map(|it| (machine.state(it).parent, it));
        // For each parallel state, the first of the states in each of two regions: one of them is in another region than any state.
        let mut inside = BTreeMap::<Option<StateId>, Vec<(StateId, StateId)>>::new();
        for (state, _) in &self.states {
            for (whole, region) in regions(*state) {
                let known = inside.entry(whole).or_default();
                if known.len() < 2 && known.iter().all(|it| it.0 != region) {
                    known.push((region, *state));
                }
            }
        }
        let wrong = |state: StateId| {
            let around = machine.ancestors(state).skip(1).find(|it| all.contains(it));
            let around = around.map(|it| format!("`{}` and for `{}` inside it", name(it), name(state)));
            around.or_else(|| {
                let beside = |(whole, region)| inside.get(&whole)?.iter().find(|it| it.0 != region).map(|it| it.1);
                let beside = regions(state).find_map(beside)?;
                Some(format!("`{}` and `{}`, which are active at the same time", name(beside), name(state)))
            })
        };
        let Some((which, span)) = self.states.iter().find_map(|(state, span)| Some((wrong(*state)?, *span))) else { return true };
        let diagnostic = Diagnostic::new(Code::BadEdge, span, format!("the timer `{}` is for {which}", self.name.value));
        diagnostics.push(diagnostic.help("write one transition for each of the two, whose timers have names of their own"));
        false
    }
}

/// The names of the timers of a row with their states; empty if the states have errors, which the row reports.
fn of_row(row: &spec::machine::Transition, machine: &Machine) -> Vec<(Text, Vec<(StateId, Span)>)> {
    let states: Vec<(StateId, Span)> = row.from.0.iter().filter_map(|it| Some((machine.state_named(&it.value)?, it.span))).collect();
    match &row.timer {
        Some(name) if !states.is_empty() => vec![(name.clone(), states)],
        Some(_) => Vec::new(),
        None => {
            let default = |(state, span)| (Text::new(default_name(machine, state), span), vec![(state, span)]);
            states.into_iter().map(default).collect()
        }
    }
}

fn default_name(machine: &Machine, state: StateId) -> String {
    format!("{}_timeout", machine.state(state).name)
}

/// The timers of a row, by their events: one for each state, or one for all.
pub(super) fn events(row: &spec::machine::Transition, machine: &Machine) -> Vec<EventId> {
    let found = |(name, _): (Text, _)| machine.event_named(&name.value).filter(|it| machine.timer(*it).is_some());
    of_row(row, machine).into_iter().filter_map(found).collect()
}

/// The duration of a row.
fn duration(after: &Expression, machine: &Machine, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let expr = expression(&after.0, &Type::Duration, false, &[], &MachineScope::of_timers(machine), diagnostics)?;
    let mut wrong = |message: &str, help: &str| {
        diagnostics.push(Diagnostic::new(Code::BadEdge, after.0.span, message).help(help));
        None
    };
    if expr.has_predicate() {
        return wrong("the duration of a timer asks no predicate: it must be known at any time", "keep it in a context field");
    }
    if divides(&expr, &machine.constants).is_some() {
        return wrong(
            "the duration of a timer may divide by zero",
            "divide where a context field is set, and let the timer read that field",
        );
    }
    let timer = Timer { states: Vec::new(), after: expr };
    match machine.fixed_duration(&timer) {
        Some(0) => wrong("a timer of no duration elapses at once", "write `automatic: true` in place of `after`"),
        Some(..0) => wrong("the duration of a timer is negative", "write a duration above zero, such as `30s`"),
        _ => Some(timer.after),
    }
}

/// Reports names of timers that no event may have, or that another event has.
fn check_names(timers: &[Named], machine: &Machine, diagnostics: &mut Diagnostics) {
    let mut declared = BTreeMap::new();
    for event in &machine.events {
        for name in event.aliases.iter().chain([&event.name]) {
            declared.insert(names::upper_camel(name), (name.as_str(), event.span));
        }
    }
    for timer in timers {
        check_name(&timer.name, "timer", diagnostics);
        if let Some((name, span)) = declared.get(&names::upper_camel(&timer.name.value)) {
            let message = format!("the timer `{}` has the name of the event `{name}`", timer.name.value);
            let diagnostic = Diagnostic::new(Code::NameCollision, timer.name.span, message).also(*span, "declared here");
            diagnostics.push(diagnostic.help("name the timer: add `timer: NAME` to the transition; or rename the event"));
        }
    }
    check_distinct("timers", timers.iter().map(|it| (it.name.value.as_str(), it.name.span)), names::upper_camel, diagnostics);
}
