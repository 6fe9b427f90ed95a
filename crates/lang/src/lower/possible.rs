//! Which edges can be taken: everything that states edges asks the model, whose edges these are.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Expr, ExprKind, Facts, Var, decided, fold};
use crate::model::machine::{Edge, Machine, On, Outcome};
use crate::model::{PayloadId, StateId};

/// Parts the edges of a machine: those that can be taken, and those that never are.
///
/// A row that always decides cuts off the rows behind it: it has no guard, or one that holds whatever the values are. A row whose
/// guard never holds is cut off itself. In a leaf with an automatic row that always decides, nothing else ever happens. A payload
/// names the leaves that the guard of its row does not exclude, and for which no row before always decides.
pub(super) fn part(machine: &mut Machine, spread: Vec<Edge>) {
    let guards = Guards { machine, of: machine.transitions.iter().map(|row| row.guard.as_ref().map(|it| Guard::of(it, machine))).collect() };
    let (mut edges, mut never) = (Vec::with_capacity(spread.len()), Vec::new());
    let mut named = BTreeMap::new();
    for of_leaf in spread.chunk_by(|a, b| a.from == b.from) {
        let leads_on = of_leaf.iter().any(|it| it.on == On::Automatic && guards.decides(it, None) == Some(true));
        for competing in of_leaf.chunk_by(|a, b| a.on == b.on) {
            // A request names its target, so only edges with the same outcome compete for it.
            let wanted = |it: &Edge| Some(it.outcome).filter(|_| it.on == On::Direct);
            let mut closed = BTreeSet::new();
            for (idx, edge) in competing.iter().enumerate() {
                let verdict = guards.decides(edge, None);
                let leaves = guards.named(edge, &competing[..idx]);
                let is_cut = closed.contains(&wanted(edge)) || leads_on && edge.on != On::Automatic;
                if is_cut || verdict == Some(false) || leaves.as_ref().is_some_and(Vec::is_empty) {
                    never.push(*edge);
                    continue;
                }
                if let Some(leaves) = leaves {
                    named.insert((edge.from, edge.on, edge.transition), leaves);
                }
                edges.push(*edge);
                if verdict == Some(true) {
                    closed.insert(wanted(edge));
                }
            }
        }
    }
    machine.edges = edges;
    machine.lookup.never = never;
    machine.lookup.named = named;
}

/// The guards of a machine, by row; none of a row without a guard.
struct Guards<'m> {
    machine: &'m Machine,
    of: Vec<Option<Guard>>,
}

struct Guard {
    /// The guard, with the constants filled in.
    expr: Expr,
    /// Whether it asks in which states the machine is.
    asks_place: bool,
    /// The fields of the payload that it compares.
    payload: BTreeSet<PayloadId>,
    /// What it says in any leaf.
    decided: Option<bool>,
}

impl Guard {
    fn of(guard: &Expr, machine: &Machine) -> Self {
        let expr = fold(guard, &machine.constants);
        let (mut asks_place, mut payload) = (false, BTreeSet::new());
        expr.walk(&mut |it| match it.kind {
            ExprKind::Active(_) => asks_place = true,
            ExprKind::Var(Var::Payload(field)) | ExprKind::NonNull(Var::Payload(field)) => _ = payload.insert(field),
            _ => {}
        });
        let decided = decided(&expr, &At { machine, leaf: None, named: None });
        Guard { expr, asks_place, payload, decided }
    }
}

impl Guards<'_> {
    /// What the guard of an edge says, whatever the values are but for a state that the payload names.
    fn decides(&self, edge: &Edge, named: Option<(PayloadId, StateId)>) -> Option<bool> {
        let Some(guard) = &self.of[edge.transition.index()] else { return Some(true) };
        let is_asked = guard.asks_place || named.is_some_and(|it| guard.payload.contains(&it.0));
        match guard.decided {
            None if is_asked => decided(&guard.expr, &At { machine: self.machine, leaf: edge.from, named }),
            known => known,
        }
    }

    /// The leaves that the payload may name as the target of an edge, behind the edges before it; none if it may name any.
    fn named(&self, edge: &Edge, before: &[Edge]) -> Option<Vec<StateId>> {
        let Outcome::Payload(field) = edge.outcome else { return None };
        let reads = |it: &Edge| self.of[it.transition.index()].as_ref().is_some_and(|it| it.payload.contains(&field));
        let earlier: Vec<&Edge> = before.iter().filter(|it| reads(it)).collect();
        if earlier.is_empty() && !reads(edge) {
            return None;
        }
        let may_be = |leaf: &StateId| {
            let decides = |it: &Edge| self.decides(it, Some((field, *leaf)));
            decides(edge) != Some(false) && earlier.iter().all(|it| decides(it) != Some(true))
        };
        let leaves: Vec<StateId> = self.machine.leaves().filter(may_be).collect();
        (leaves.len() < self.machine.leaves().count()).then_some(leaves)
    }
}

/// What is known in a leaf.
struct At<'m> {
    machine: &'m Machine,
    leaf: Option<StateId>,
    named: Option<(PayloadId, StateId)>,
}

impl Facts for At<'_> {
    fn is_in(&self, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn is_active(&self, state: StateId) -> Option<bool> {
        let leaf = self.leaf?;
        let is_around = self.machine.is_in(leaf, state);
        (is_around || self.machine.parallel_around(leaf, state).is_none()).then_some(is_around)
    }

    fn named(&self, field: PayloadId) -> Option<StateId> {
        self.named.filter(|it| it.0 == field).map(|it| it.1)
    }
}
