//! Lints about settling events that do not settle.

use std::collections::{BTreeMap, BTreeSet};

use super::guards::MachineWorld;
use super::reason::{Witness, World, holds};
use super::{Finding, MachineCx};
use crate::expr::{Expr, Var, divides_where};
use crate::interpret::BoundaryValues;
use crate::model::machine::{Edge, Field, Machine, On, Outcome};
use crate::model::{EventId, StateId, Value};

/// The minimum and maximum number of payloads tried for one event; if there are more, a sample of them.
const PAYLOADS: (usize, usize) = (16, 128);
/// The maximum number of edges followed for one event, over all payloads; the minimum number of payloads
/// takes precedence.
const MAX_EDGES: usize = 3_000;

pub(super) fn never_settles(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let settling: Vec<EventId> = (0..machine.events.len()).map(EventId::new).filter(|it| machine.event(*it).settles).collect();
    if settling.is_empty() {
        return Vec::new();
    }
    let boundary = BoundaryValues::new(machine);
    // The edges of each event, and the reachable leaves that they lead from.
    let mut taking = BTreeMap::<EventId, (usize, Vec<StateId>)>::new();
    for edge in &machine.edges {
        let Some((from, event)) = edge.from.zip(edge.on.event()) else { continue };
        let (n_edges, leaves) = taking.entry(event).or_default();
        *n_edges += 1;
        if cx.graph.reachable[from.index()] && leaves.last() != Some(&from) {
            leaves.push(from);
        }
    }
    let mut findings = Vec::new();
    for event in settling {
        let mut told = BTreeSet::new();
        let fields: Vec<&Field> = machine.event(event).payload.iter().collect();
        let Some((n_edges, leaves)) = taking.get(&event) else { continue };
        let limit = (MAX_EDGES / n_edges).clamp(PAYLOADS.0, PAYLOADS.1);
        // The seed is arbitrary but fixed, so that results are reproducible.
        let mut seed = 1_u64;
        let mut pick = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below.max(1)
        };
        for payload in boundary.combinations(&fields, limit, &mut pick) {
            let positions = &machine.event(event).positions;
            let values = positions.iter().map(|(id, position)| (Var::Payload(*id), payload[*position].clone())).collect();
            let tried = Witness { values, answers: BTreeMap::new(), active: BTreeSet::new(), children: BTreeSet::new() };
            for circle in circles(cx, event, leaves, &tried) {
                let states: BTreeSet<StateId> = circle.iter().filter_map(|it| it.from).collect();
                if told.insert(states) {
                    findings.push(finding(machine, event, &tried, &circle));
                }
            }
        }
    }
    findings
}

/// The cycles of an event with these values, each as its edges.
fn circles(cx: &MachineCx<'_>, event: EventId, leaves: &[StateId], tried: &Witness) -> Vec<Vec<Edge>> {
    let machine = cx.machine;
    let world = MachineWorld::new(machine, Some(event), &cx.effort);
    let mut next = BTreeMap::<StateId, (StateId, Edge)>::new();
    for leaf in leaves {
        next.extend(taken(&world, machine, *leaf, event, tried).map(|it| (*leaf, it)));
    }
    let mut circles = Vec::new();
    let mut seen = BTreeMap::<StateId, StateId>::new();
    for &start in next.keys() {
        let mut at = start;
        let mut way = Vec::new();
        while let Some((to, edge)) = next.get(&at).filter(|_| !seen.contains_key(&at)) {
            seen.insert(at, start);
            way.push(*edge);
            at = *to;
        }
        // A cycle on the path that started here, not on an earlier one.
        if seen.get(&at) == Some(&start)
            && let Some(first) = way.iter().position(|it| it.from == Some(at))
        {
            circles.push(way.split_off(first));
        }
    }
    circles
}

/// The target of the event from a leaf, if the payload alone determines it.
fn taken(world: &dyn World, machine: &Machine, leaf: StateId, event: EventId, tried: &Witness) -> Option<(StateId, Edge)> {
    for edge in machine.candidates(Some(leaf), On::Event(event)) {
        let row = machine.transition(edge.transition);
        let guard = row.guard.as_ref();
        match guard.map(|it| decided(world, it, tried)) {
            Some(None) => return None,
            Some(Some(false)) => {}
            // A division by zero ends the settling.
            _ if divides_where(row.set.iter().map(|it| &it.1), guard, &machine.constants).is_some() => return None,
            None | Some(Some(true)) => {
                let to = match edge.outcome {
                    Outcome::Leaf(to) => to,
                    Outcome::Payload(id) => match tried.values.get(&Var::Payload(id)) {
                        Some(Value::State(to)) => *to,
                        _ => return None,
                    },
                    Outcome::History(_) | Outcome::Parallel(_) | Outcome::Fork | Outcome::Stay | Outcome::Refuse => return None,
                };
                return Some((to, *edge));
            }
        }
    }
    None
}

/// The value of a guard that reads only the payload.
fn decided(world: &dyn World, guard: &Expr, tried: &Witness) -> Option<bool> {
    let only_payload = guard.vars().iter().all(|it| matches!(it, Var::Payload(_))) && !guard.has_predicate();
    only_payload.then(|| holds(world, guard, tried)).flatten()
}

fn finding(machine: &Machine, event: EventId, tried: &Witness, circle: &[Edge]) -> Finding {
    let declared = machine.event(event);
    let shown = super::show::witness(machine, tried);
    let with = if shown.is_empty() { String::new() } else { format!(" with {shown}") };
    let message = format!("`{}`{with} never settles: {}", declared.name, super::show::circle(machine, circle));
    let rows: BTreeSet<_> = circle.iter().map(|it| it.transition).collect();
    let mut finding = Finding::new(declared.span, message);
    for row in rows.into_iter().take(4) {
        finding = finding.also(machine.transition(row).span, "on and on");
    }
    finding.help("make the guards in both directions mutually exclusive, or let the last edge stay (no `to`)")
}
