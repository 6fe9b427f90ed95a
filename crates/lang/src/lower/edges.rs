//! Expands rows to leaf states and single events.

use std::collections::BTreeMap;
use std::ops::Range;

use super::limits::Rows;
use crate::diagnostic::Diagnostics;
use crate::model::machine::{Edge, From, Machine, On, Outcome, Target, Transition, Trigger};
use crate::model::{StateId, TransitionId};

/// All edges, in the order in which [`Machine::candidates`] finds and tries them, also those that are never taken; none if there are
/// too many.
pub(super) fn spread(machine: &Machine, n_bytes: usize, diagnostics: &mut Diagnostics) -> Vec<Edge> {
    let leaves = Leaves::of(machine);
    let mut admitted = Rows::new(machine, n_bytes);
    if !machine.transitions.iter().all(|row| admitted.admit(row, leaves.n_sources(&row.from), diagnostics)) {
        return Vec::new();
    }
    let mut edges: Vec<(Order, Edge)> = Vec::new();
    for (idx, transition) in machine.transitions.iter().enumerate() {
        let (outcome, states) = match &transition.target {
            Target::Stay => (Some(Outcome::Stay), &[][..]),
            Target::Refuse(_) => (Some(Outcome::Refuse), &[][..]),
            Target::Payload(field) => (Some(Outcome::Payload(*field)), &[][..]),
            Target::History(to) => (Some(Outcome::History(*to)), &[][..]),
            Target::Fork(_) => (Some(Outcome::Fork), &[][..]),
            Target::To(states) => (None, states.as_slice()),
        };
        let outcomes = || outcome.into_iter().chain(states.iter().map(|it| machine.entering(*it)));
        for (from, distance) in leaves.sources(&transition.from, machine) {
            for (on, distance) in triggers(transition, from, distance, machine) {
                let order = (distance, matches!(transition.trigger, Trigger::AnyOther(_)));
                let is_any = matches!(transition.from, From::Any { .. });
                let source = from.filter(|_| !is_any).and_then(|it| machine.ancestors(it).nth(distance));
                for outcome in outcomes() {
                    edges.push((order, Edge { from, on, transition: TransitionId::new(idx), source, outcome }));
                }
            }
        }
    }
    edges.sort_by_key(|(order, edge)| (edge.from, edge.on, *order, edge.transition));
    edges.into_iter().map(|(_, edge)| edge).collect()
}

/// The order of edges of one leaf and trigger: innermost source first, then rows that name the event before `"*"`. Then comes
/// document order.
type Order = (usize, bool);

/// The triggers of a row in one source leaf, each with the distance to the state that the row names for it: the composite that
/// is done, or else the nearest.
fn triggers(row: &Transition, from: Option<StateId>, nearest: usize, machine: &Machine) -> Vec<(On, usize)> {
    match (&row.trigger, &row.from) {
        (Trigger::Events(events) | Trigger::AnyOther(events), _) => events.iter().map(|it| (On::Event(*it), nearest)).collect(),
        (Trigger::Direct, _) => vec![(On::Direct, nearest)],
        (Trigger::Automatic, _) => vec![(On::Automatic, nearest)],
        (Trigger::Done, From::States(named)) => {
            let of = |leaf: StateId| {
                let done = [(machine.completes(leaf), 1), (machine.may_complete(leaf), 2)];
                done.into_iter().filter_map(|(whole, distance)| Some((whole.filter(|it| named.contains(it))?, distance)))
            };
            from.into_iter().flat_map(of).map(|(whole, distance)| (On::Done(whole), distance)).collect()
        }
        (Trigger::Done, From::Creation | From::Any { .. }) => Vec::new(),
    }
}

/// The leaves, in order. Those inside a state are neighbours.
struct Leaves {
    all: Vec<StateId>,
    /// For every state, the positions of the leaves inside it; a leaf contains itself.
    inside: Vec<Range<usize>>,
}

impl Leaves {
    fn of(machine: &Machine) -> Self {
        let all: Vec<StateId> = machine.leaves().collect();
        let mut inside = vec![0..0; machine.states.len()];
        for (position, leaf) in all.iter().enumerate() {
            for whole in machine.ancestors(*leaf) {
                let range = &mut inside[whole.index()];
                *range = if range.end == 0 { position } else { range.start }..position + 1;
            }
        }
        Leaves { all, inside }
    }

    /// The leaves inside any of some states, as ranges that do not overlap.
    fn union(&self, states: &[StateId]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = states.iter().map(|it| self.inside[it.index()].clone()).filter(|it| !it.is_empty()).collect();
        ranges.sort_by_key(|it| it.start);
        let mut union: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match union.last_mut().filter(|it| it.end >= range.start) {
                Some(last) => last.end = last.end.max(range.end),
                None => union.push(range),
            }
        }
        union
    }

    /// The number of source leaves of a row.
    fn n_sources(&self, from: &From) -> usize {
        let n_inside = |states: &[StateId]| self.union(states).iter().map(Range::len).sum::<usize>();
        match from {
            From::Creation => 1,
            From::Any { except } => self.all.len() - n_inside(except),
            From::States(named) => n_inside(named),
        }
    }

    /// The source leaves of a row, each with its distance to the state that the row names.
    fn sources(&self, from: &From, machine: &Machine) -> Vec<(Option<StateId>, usize)> {
        match from {
            From::Creation => vec![(None, 0)],
            From::Any { except } => {
                let end = self.all.len()..self.all.len();
                let mut sources = Vec::new();
                let mut start = 0;
                for without in self.union(except).into_iter().chain([end]) {
                    sources.extend(self.all[start..without.start].iter().map(|leaf| (Some(*leaf), 0)));
                    start = without.end;
                }
                sources
            }
            From::States(named) => {
                let mut nearest = BTreeMap::<StateId, usize>::new();
                for &whole in named {
                    for &leaf in &self.all[self.inside[whole.index()].clone()] {
                        let distance = machine.ancestors(leaf).position(|it| it == whole).unwrap_or(0);
                        nearest.entry(leaf).and_modify(|it| *it = (*it).min(distance)).or_insert(distance);
                    }
                }
                nearest.into_iter().map(|(leaf, distance)| (Some(leaf), distance)).collect()
            }
        }
    }
}
