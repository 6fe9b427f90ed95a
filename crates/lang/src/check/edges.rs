//! Lints about single rows: edges from outcomes, and edges without an effect.

use std::collections::{BTreeMap, BTreeSet};

use super::show::names;
use super::{Finding, MachineCx};
use crate::model::machine::{Edge, From, Machine, Outcome};
use crate::model::{StateId, TransitionId};

/// Whether the row of an edge names exactly the source state of the edge.
fn is_explicit(machine: &Machine, edge: &Edge) -> bool {
    match (&machine.transition(edge.transition).from, edge.from) {
        (From::States(named), Some(leaf)) => named.contains(&leaf),
        _ => false,
    }
}

/// The rows with edges that match, each with the source states of these edges.
fn rows(machine: &Machine, wanted: impl Fn(&Edge, StateId) -> bool) -> BTreeMap<TransitionId, Vec<StateId>> {
    let mut rows = BTreeMap::<TransitionId, Vec<StateId>>::new();
    for edge in &machine.edges {
        if let Some(from) = edge.from.filter(|it| wanted(edge, *it)) {
            let states = rows.entry(edge.transition).or_default();
            if states.last() != Some(&from) {
                states.push(from);
            }
        }
    }
    rows
}

/// A finding about a row; its source states can waive it, too.
fn about(machine: &Machine, row: TransitionId, states: &[StateId], message: String) -> Finding {
    let finding = Finding::new(machine.transition(row).span, message);
    // A waiver for one of several states does not cover the others.
    match states {
        [only] => finding.within(machine.state(*only).span),
        _ => finding,
    }
}

fn listed(machine: &Machine, states: &[StateId]) -> String {
    names(states.iter().map(|it| machine.state(*it).name.as_str()), 4)
}

/// The part of a row that includes states without naming them.
fn catch_all(machine: &Machine, row: TransitionId) -> &'static str {
    match machine.transition(row).from {
        From::Any { .. } => "`\"*\"`",
        _ => "the composite",
    }
}

pub(super) fn sink_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let goes_on = |edge: &Edge, from: StateId| {
        let is_sink = machine.state(from).terminal && !cx.graph.leaves[from.index()];
        let acts = match edge.outcome {
            Outcome::Leaf(_) | Outcome::Parallel(_) | Outcome::Fork | Outcome::History(_) => true,
            Outcome::Stay => !machine.transition(edge.transition).set.is_empty(),
            Outcome::Payload(_) | Outcome::Refuse => false,
        };
        is_sink && acts && !is_explicit(machine, edge)
    };
    let finding = |(row, states): (TransitionId, Vec<StateId>)| {
        let message = format!("{} takes in {}, where all is over", catch_all(machine, row), listed(machine, &states));
        about(machine, row, &states, message).help("leave the sink states out with `except`, or name the states that are meant")
    };
    rows(machine, goes_on).into_iter().map(finding).collect()
}

pub(super) fn terminal_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let unasked = |edge: &Edge, from: StateId| {
        let leads_on = match edge.outcome {
            Outcome::Leaf(to) => to != from,
            Outcome::Payload(_) | Outcome::History(_) | Outcome::Parallel(_) | Outcome::Fork => true,
            Outcome::Stay | Outcome::Refuse => false,
        };
        // The state around it is done, alone or with the other regions, and goes on.
        let is_part = machine.completes(from).or_else(|| machine.may_complete(from)).is_some();
        machine.state(from).terminal && leads_on && !is_part && (edge.on.event().is_none() || !is_explicit(machine, edge))
    };
    let finding = |(row, states): (TransitionId, Vec<StateId>)| {
        let how = match machine.transition(row).events().is_empty() {
            true => "without an event",
            false => "without naming it",
        };
        let message = format!("this leaves the outcome {} {how}", listed(machine, &states));
        about(machine, row, &states, message)
            .help("make resuming explicit with a row that names the state and an event; otherwise exclude the state")
    };
    rows(machine, unasked).into_iter().map(finding).collect()
}

pub(super) fn self_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let timed: BTreeSet<StateId> = machine.timers().flat_map(|(_, it)| it.states.iter().copied()).collect();
    // Entering a state again performs its effects again, and starts its timers again.
    let acts = |it: &StateId| !machine.state(*it).exit.is_empty() || !machine.state(*it).entry.is_empty() || timed.contains(it);
    let acts_again = |edge: &Edge, leaf: StateId| {
        let (left, _) = machine.path(leaf, leaf, machine.reentered(machine.transition(edge.transition)));
        left.iter().any(acts)
    };
    let mut idle = BTreeMap::<TransitionId, (bool, Vec<StateId>)>::new();
    for edge in &machine.edges {
        let row = machine.transition(edge.transition);
        let (all, states) = idle.entry(edge.transition).or_insert((true, Vec::new()));
        let Some(from) = edge.from else { continue };
        let does =
            !(row.set.is_empty() && row.before.is_empty() && row.effects.is_empty() && row.raise.is_empty() && !acts_again(edge, from));
        // A row that changes the state from other sources only passes through this one.
        *all &= edge.outcome == Outcome::Leaf(from) && !does && !cx.uses.crossed.contains(&from);
        states.push(from);
    }
    let idle = idle.into_iter().filter(|(_, (all, states))| *all && !states.is_empty());
    let finding = |(row, (_, states)): (TransitionId, (bool, Vec<StateId>))| {
        let message = format!("this leaves {} and enters it again without any effect", listed(machine, &states));
        about(machine, row, &states, message).help("omit `to` if the event is only accepted, or add an effect or assignment")
    };
    idle.map(finding).collect()
}
