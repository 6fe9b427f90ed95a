//! Expands rows to leaf states and single events.

use std::collections::BTreeMap;

use crate::model::machine::{Edge, From, Machine, Outcome, Target, edge_key};
use crate::model::{StateId, TransitionId};

/// All edges, in the order in which [`Machine::candidates`] finds and tries them.
pub(super) fn spread(machine: &Machine) -> Vec<Edge> {
    let mut edges: Vec<(usize, Edge)> = Vec::new();
    let inside = leaves_inside(machine);
    for (idx, transition) in machine.transitions.iter().enumerate() {
        let (outcome, states) = match &transition.target {
            Target::Stay => (Some(Outcome::Stay), &[][..]),
            Target::Refuse(_) => (Some(Outcome::Refuse), &[][..]),
            Target::Payload(field) => (Some(Outcome::Payload(*field)), &[][..]),
            Target::To(states) => (None, states.as_slice()),
        };
        let outcomes = || outcome.into_iter().chain(states.iter().map(|it| Outcome::Leaf(machine.default_leaf(*it))));
        let no_event = transition.events.is_empty().then_some(None);
        let events = || no_event.into_iter().chain(transition.events.iter().copied().map(Some));
        for (from, distance) in sources(&transition.from, machine, &inside) {
            for event in events() {
                for outcome in outcomes() {
                    edges.push((distance, Edge { from, event, transition: TransitionId::new(idx), outcome }));
                }
            }
        }
    }
    // Innermost source first, then document order.
    edges.sort_by_key(|(distance, edge)| (edge_key(edge.from, edge.event), *distance, edge.transition));
    edges.into_iter().map(|(_, edge)| edge).collect()
}

/// The leaves inside every state; a leaf contains itself.
fn leaves_inside(machine: &Machine) -> Vec<Vec<StateId>> {
    let mut inside = vec![Vec::new(); machine.states.len()];
    for leaf in machine.leaves() {
        for whole in machine.ancestors(leaf) {
            inside[whole.index()].push(leaf);
        }
    }
    inside
}

/// The source leaves of a row, each with its distance to the state that the row names.
fn sources(from: &From, machine: &Machine, inside: &[Vec<StateId>]) -> Vec<(Option<StateId>, usize)> {
    match from {
        From::Creation => vec![(None, 0)],
        From::Any { except } => {
            let left_out = |leaf: StateId| except.iter().any(|whole| machine.is_in(leaf, *whole));
            machine.leaves().filter(|leaf| !left_out(*leaf)).map(|leaf| (Some(leaf), 0)).collect()
        }
        From::States(named) => {
            let distance = |leaf: StateId, whole: StateId| machine.ancestors(leaf).position(|it| it == whole).unwrap_or(0);
            if let [whole] = *named.as_slice() {
                return inside[whole.index()].iter().map(|leaf| (Some(*leaf), distance(*leaf, whole))).collect();
            }
            let mut nearest = BTreeMap::<StateId, usize>::new();
            for &whole in named {
                for &leaf in &inside[whole.index()] {
                    let distance = distance(leaf, whole);
                    nearest.entry(leaf).and_modify(|it| *it = (*it).min(distance)).or_insert(distance);
                }
            }
            nearest.into_iter().map(|(leaf, distance)| (Some(leaf), distance)).collect()
        }
    }
}
