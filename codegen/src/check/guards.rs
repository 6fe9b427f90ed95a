//! Lints about guards.

use std::collections::BTreeMap;

use super::{Finding, MachineCx};
use crate::model::machine::{Edge, From};
use crate::model::{EventId, StateId, TransitionId};

/// The edges that compete: of one source and event, or, without an event, of one source and target.
fn groups(edges: &[Edge]) -> Vec<Vec<&Edge>> {
    let mut groups: Vec<Vec<&Edge>> = Vec::new();
    for chunk in edges.chunk_by(|a, b| a.from == b.from && a.event == b.event) {
        if chunk[0].event.is_some() {
            groups.push(chunk.iter().collect());
            continue;
        }
        let mut by_target = BTreeMap::<_, Vec<&Edge>>::new();
        chunk.iter().for_each(|edge| by_target.entry(edge.to).or_default().push(edge));
        groups.extend(by_target.into_values());
    }
    groups
}

pub(super) fn shadowed_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    // For every row and what it names as its source: whether some edge is taken, and what shadows the others.
    let mut rows = BTreeMap::<(TransitionId, Option<EventId>, Option<StateId>), (bool, Vec<TransitionId>)>::new();
    for group in groups(&machine.edges) {
        for (idx, edge) in group.iter().enumerate() {
            let row = machine.transition(edge.transition);
            let by = group[..idx].iter().map(|it| it.transition).find(|it| machine.transition(*it).guard.is_none());
            // A list means every one of its states; `*` and a composite mean the rest.
            let named = match (&row.from, edge.from) {
                (From::States(named), Some(leaf)) => machine.ancestors(leaf).find(|it| named.contains(it)),
                _ => None,
            };
            let (taken, shadows) = rows.entry((edge.transition, edge.event, named)).or_default();
            match by {
                Some(by) if !shadows.contains(&by) => shadows.push(by),
                Some(_) => {}
                None => *taken = true,
            }
        }
    }
    let mut findings = Vec::new();
    for ((row, _, named), (taken, shadows)) in rows {
        let [first, ..] = shadows.as_slice() else { continue };
        if taken {
            continue;
        }
        let of = named.map(|it| format!(" in `{}`", machine.state(it).name)).unwrap_or_default();
        let message = format!("this edge is never taken{of}: another one is tried before it");
        findings.push(
            Finding::new(machine.transition(row).span, message)
                .also(machine.transition(*first).span, "this one is always taken first")
                .help("remove one of the two, or move the exception above the rule"),
        );
    }
    findings
}
