//! Lints about machines that react without end: automatic steps in a circle, and events that raise each other.

use std::collections::{BTreeMap, BTreeSet};

use super::guards::MachineWorld;
use super::races::decided;
use super::reason::{Verdict, solve};
use super::show::{self, witness};
use super::{Finding, MachineCx};
use crate::expr::{Expr, Var};
use crate::model::machine::{Edge, Machine, On, Outcome};
use crate::model::{EventId, StateId};

/// The maximum number of paths that are followed from one leaf.
const MAX_PATHS: usize = 1_000;

pub(super) fn never_rests(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    if !machine.reacts() {
        return Vec::new();
    }
    let reachable: Vec<StateId> = machine.leaves().filter(|it| cx.graph.reachable[it.index()]).collect();
    let mut findings: Vec<Finding> = reachable.iter().filter_map(|it| automatic(cx, *it)).collect();
    findings.extend(raised(machine, &reachable));
    findings
}

/// A path of automatic edges, and what must hold for each of them to be taken.
#[derive(Clone)]
struct Path {
    at: StateId,
    edges: Vec<Edge>,
    conditions: Vec<(Expr, bool)>,
}

/// A circle of automatic steps through a leaf and later ones that some values of the context take forever.
fn automatic(cx: &MachineCx<'_>, start: StateId) -> Option<Finding> {
    let machine = cx.machine;
    let world = MachineWorld::new(machine, None, &cx.effort);
    let world = MachineWorld { bounds: &cx.bounds, ..world };
    let mut open = vec![Path { at: start, edges: Vec::new(), conditions: Vec::new() }];
    let mut n_paths = 0;
    while let Some(path) = open.pop() {
        let mut before: Vec<(Expr, bool)> = Vec::new();
        for edge in machine.candidates(Some(path.at), On::Automatic) {
            n_paths += 1;
            if n_paths > MAX_PATHS {
                return None;
            }
            // Where the machine is on the way, its guards may ask.
            let guard = machine.transition(edge.transition).guard.as_ref().map(|it| decided(machine, it, &[Some(path.at)]));
            let to = match edge.outcome {
                Outcome::Leaf(to) => to,
                Outcome::Stay => path.at,
                Outcome::Payload(_) | Outcome::History(_) | Outcome::Parallel(_) | Outcome::Fork | Outcome::Refuse => continue,
            };
            let mut next = Path { at: to, ..path.clone() };
            next.edges.push(*edge);
            next.conditions.extend(before.iter().cloned().chain(guard.clone().map(|it| (it, true))));
            before.extend(guard.clone().map(|it| (it, false)));
            if to == start && is_constant(machine, &next) {
                let conditions: Vec<(&Expr, bool)> = next.conditions.iter().map(|(it, wanted)| (it, *wanted)).collect();
                if let Verdict::With(found) = solve(&world, &conditions) {
                    let shown = witness(machine, &found);
                    let with = if shown.is_empty() { String::new() } else { format!("with {shown} ") };
                    return Some(finding(machine, &next.edges, &format!("{with}the automatic steps never end")));
                }
            // Each circle is found from its first leaf.
            } else if to > start && next.edges.iter().all(|it| it.from != Some(to)) {
                open.push(next);
            }
            if guard.is_none() {
                break;
            }
        }
    }
    None
}

/// Whether no step of a circle changes what its guards read.
fn is_constant(machine: &Machine, circle: &Path) -> bool {
    let read: BTreeSet<Var> = circle.conditions.iter().flat_map(|it| it.0.vars()).collect();
    let asks = circle.conditions.iter().any(|it| it.0.has_predicate());
    let mut set = circle.edges.iter().flat_map(|it| &machine.transition(it.transition).set);
    // A predicate may read the whole context.
    !set.any(|(field, _)| asks || read.contains(&Var::Context(*field)))
}

/// Circles of raised events, along edges that are always taken.
fn raised(machine: &Machine, reachable: &[StateId]) -> Vec<Finding> {
    let certain = |at: StateId, event: EventId| {
        let first = machine.candidates(Some(at), On::Event(event)).first()?;
        let row = machine.transition(first.transition);
        let to = match first.outcome {
            Outcome::Leaf(to) => to,
            Outcome::Stay => at,
            Outcome::Payload(_) | Outcome::History(_) | Outcome::Parallel(_) | Outcome::Fork | Outcome::Refuse => return None,
        };
        // An automatic step may come between.
        let rests = machine.candidates(Some(to), On::Automatic).is_empty();
        let raised = row.raise.first().filter(|_| row.guard.is_none() && rests)?;
        Some((*first, to, *raised))
    };
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    let starts = machine.raised();
    for (start, event) in reachable.iter().flat_map(|leaf| starts.iter().map(|event| (*leaf, *event))) {
        let mut places = BTreeMap::new();
        let mut edges = Vec::new();
        let mut at = (start, event);
        while let Some((edge, to, raised)) = certain(at.0, at.1).filter(|_| seen.insert(at)) {
            places.insert(at, edges.len());
            edges.push(edge);
            at = (to, raised);
        }
        if let Some(first) = places.get(&at) {
            findings.push(finding(machine, &edges[*first..], "the events that these steps raise never end"));
        }
    }
    findings
}

fn finding(machine: &Machine, circle: &[Edge], what: &str) -> Finding {
    let row = |edge: &Edge| machine.transition(edge.transition).span;
    let mut finding = Finding::new(row(&circle[0]), format!("{what}: {}", show::circle(machine, circle)));
    let mut told = BTreeSet::from([circle[0].transition]);
    for edge in circle.iter().filter(|it| told.insert(it.transition)).take(3) {
        finding = finding.also(row(edge), "on and on");
    }
    finding.help("add a guard that ends it, or make the guards in both directions mutually exclusive")
}
