//! Lints about the graph, guards aside.

use super::{Finding, MachineCx};
use crate::model::StateId;
use crate::model::machine::{Machine, Outcome};

/// The reachability in the graph. Every list has an entry for every state, composites included.
pub(super) struct Graph {
    /// Whether the leaf is reachable from the start; for a composite, whether a leaf inside is.
    pub(super) reachable: Vec<bool>,
    /// An edge leads from the leaf to another one.
    pub(super) leaves: Vec<bool>,
    /// Whether the machine can get from the leaf to an outcome or a sink.
    pub(super) ends: Vec<bool>,
}

impl Graph {
    pub(super) fn new(machine: &Machine) -> Self {
        let n_states = machine.states.len();
        let mut reachable = vec![false; n_states];
        let mut leaves = vec![false; n_states];
        let mut backwards: Vec<Vec<StateId>> = vec![Vec::new(); n_states];
        // A target given by the payload can be any leaf.
        let mut anywhere = Vec::new();
        let n_leaves = machine.leaves().count();
        for from in machine.leaves() {
            for edge in machine.edges_leaving(from) {
                let mut targets = machine.targets_out_of(edge, from);
                targets.retain(|to| *to != from);
                leaves[from.index()] |= !targets.is_empty();
                match edge.outcome {
                    Outcome::Payload(_) if targets.len() + 1 == n_leaves => anywhere.push(from),
                    _ => targets.into_iter().for_each(|to| backwards[to.index()].push(from)),
                }
            }
        }

        let mut open = Vec::new();
        let mut visit = |leaf: StateId, open: &mut Vec<StateId>| {
            if !std::mem::replace(&mut reachable[leaf.index()], true) {
                open.push(leaf);
            }
        };
        let creations = machine.edges_from(None);
        if creations.is_empty() {
            machine.initial().leaves().for_each(|it| visit(it, &mut open));
        }
        let mut everything = false;
        let mut follow = |edges: &[crate::model::machine::Edge], open: &mut Vec<StateId>| {
            for edge in edges {
                match edge.outcome {
                    Outcome::Payload(_) if everything => {}
                    Outcome::Payload(_) => {
                        let targets = machine.targets(edge);
                        everything = targets.len() == n_leaves;
                        targets.into_iter().for_each(|it| visit(it, open));
                    }
                    _ => machine.starts_in(edge).into_iter().for_each(|it| visit(it, open)),
                }
            }
        };
        follow(creations, &mut open);
        while let Some(leaf) = open.pop() {
            follow(machine.edges_from(Some(leaf)), &mut open);
        }

        let ends = ends(machine, &leaves, &backwards, anywhere);
        // Children come after their parents.
        for id in machine.state_ids().rev() {
            if let Some(parent) = machine.state(id).parent {
                reachable[parent.index()] |= reachable[id.index()];
            }
        }
        Graph { reachable, leaves, ends }
    }

    /// The reachable leaves.
    pub(super) fn reached<'a>(&'a self, machine: &'a Machine) -> impl Iterator<Item = StateId> + 'a {
        machine.leaves().filter(|it| self.reachable[it.index()])
    }
}

/// The leaves from which the machine can get to an outcome or a sink.
fn ends(machine: &Machine, leaves: &[bool], backwards: &[Vec<StateId>], anywhere: Vec<StateId>) -> Vec<bool> {
    let mut ends = vec![false; leaves.len()];
    let is_end = |leaf: &StateId| machine.state(*leaf).terminal || !leaves[leaf.index()];
    let mut open: Vec<StateId> = machine.leaves().filter(is_end).collect();
    open.iter().for_each(|it| ends[it.index()] = true);
    if !open.is_empty() {
        open.extend(anywhere.into_iter().filter(|it| !std::mem::replace(&mut ends[it.index()], true)));
    }
    while let Some(leaf) = open.pop() {
        open.extend(backwards[leaf.index()].iter().filter(|it| !std::mem::replace(&mut ends[it.index()], true)));
    }
    ends
}

/// A finding about a state; its ancestors can waive it, too.
fn about(machine: &Machine, state: StateId, message: impl Into<String>) -> Finding {
    let finding = Finding::new(machine.state(state).span, message);
    machine.ancestors(state).skip(1).fold(finding, |finding, it| finding.within(machine.state(it).span))
}

pub(super) fn unreachable_state(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let reachable = |id: StateId| cx.graph.reachable[id.index()];
    // Reporting an unreachable composite covers the states inside.
    let lost = machine.state_ids().filter(|id| !reachable(*id) && machine.state(*id).parent.is_none_or(reachable));
    let mut findings = Vec::new();
    for id in lost {
        let state = machine.state(id);
        let message = format!("no edge leads to `{}`", state.name);
        let start = match machine.edges_from(None) {
            [] => format!("`{}`, where the machine starts", machine.configuration_path(&machine.initial())),
            _ => "the states in which the machine is created".into(),
        };
        findings.push(
            about(machine, id, message)
                .help(format!("add a transition to `{}` that can be reached from {start}, or remove the state", state.name)),
        );
    }
    findings
}

pub(super) fn dead_end(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    // A machine of one state needs no other state to go to.
    if machine.leaves().nth(1).is_none() {
        return Vec::new();
    }
    // A region of one state needs none, either.
    let is_alone = |leaf: StateId| {
        let region = machine.ancestors(leaf).find(|it| machine.is_region(*it));
        region.is_some_and(|it| machine.leaves_in(it).nth(1).is_none())
    };
    let is_stuck = |it: &StateId| !cx.graph.leaves[it.index()] && !machine.state(*it).terminal && !is_alone(*it);
    let stuck = cx.graph.reached(machine).filter(is_stuck);
    let finding = |id: StateId| {
        let name = &machine.state(id).name;
        let help = format!("add a transition out of it, or mark it as an outcome: `{name}: {{ terminal: true }}`");
        about(machine, id, format!("no edge leads out of `{name}`, and it is not an outcome")).help(help)
    };
    stuck.map(finding).collect()
}

pub(super) fn no_outcome(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    if !machine.states.iter().any(|it| it.terminal) {
        return Vec::new();
    }
    // A region without an outcome of its own runs for as long as the state around it.
    let region = |it: StateId| machine.ancestors(it).find(|it| machine.is_region(*it));
    let has_outcome = |region: StateId| machine.leaves_in(region).any(|it| machine.state(it).terminal);
    let lost = cx.graph.reached(machine).filter(|it| !cx.graph.ends[it.index()] && region(*it).is_none_or(has_outcome));
    let finding = |id: StateId| {
        let message = format!("no outcome can be reached from `{}`", machine.state(id).name);
        about(machine, id, message).help("add a path to a terminal state, or mark an outcome in this cycle `terminal: true`")
    };
    lost.map(finding).collect()
}

pub(super) fn lone_child(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    // A region may well have a single state.
    let lone = machine.composites().filter(|it| machine.state(*it).children.len() == 1 && !machine.is_region(*it));
    let finding = |id: StateId| {
        let message = format!("`{}` has only one state inside", machine.state(id).name);
        about(machine, id, message).help("merge the two states, or add the missing states inside")
    };
    lone.map(finding).collect()
}
