//! Which edges can be taken: everything that states edges asks the model, whose edges these are.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Expr, ExprKind, Facts, Var, decided, divides, fold};
use crate::model::machine::{Edge, Machine, On, Outcome};
use crate::model::{EventId, PayloadId, StateId, Type};

/// Parts the edges of a machine: those that can be taken, and those that never are.
///
/// A row that always decides cuts off the rows behind it: it has no guard, or one that holds whatever the values are. A row whose
/// guard never holds is cut off itself. In a leaf in which no machine rests, nothing else happens: one with an automatic row that
/// always decides, or a terminal one of a state whose `done` row always leads on; there, only what rows raise may come before.
/// A machine that was stored there, before the spec said so, takes the other rows all the same: they are passing. A payload names
/// the leaves that the guard of its row does not exclude, and for which no row before always decides.
pub(super) fn part(machine: &mut Machine, spread: Vec<Edge>) {
    let guards =
        Guards { machine, of: machine.transitions.iter().map(|row| row.guard.as_ref().map(|it| Guard::of(it, machine))).collect() };
    let raised: BTreeSet<EventId> = machine.transitions.iter().flat_map(|it| &it.raise).copied().collect();
    let (mut edges, mut never) = (Vec::with_capacity(spread.len()), Vec::new());
    let mut passing = Vec::new();
    let (mut named, mut transient) = (BTreeMap::new(), BTreeSet::new());
    for of_leaf in spread.chunk_by(|a, b| a.from == b.from) {
        let leads_on = of_leaf.iter().any(|it| it.on == On::Automatic && guards.decides(it, None) == Some(true));
        let is_done = !leads_on && guards.leaves_done(of_leaf);
        if leads_on || is_done {
            transient.extend(of_leaf[0].from);
        }
        let happens = |on: On| match on {
            On::Automatic => true,
            On::Done(_) => !leads_on,
            On::Event(event) => !leads_on && (!is_done || raised.contains(&event)),
            On::Direct => !leads_on && !is_done,
        };
        for competing in of_leaf.chunk_by(|a, b| a.on == b.on) {
            // A request names its target, so only edges with the same outcome compete for it.
            let wanted = |it: &Edge| Some(it.outcome).filter(|_| it.on == On::Direct);
            let mut closed = BTreeSet::new();
            for (idx, edge) in competing.iter().enumerate() {
                let verdict = guards.decides(edge, None);
                let is_cut = closed.contains(&wanted(edge));
                let is_possible = !is_cut && verdict != Some(false);
                let leaves = if is_possible { guards.named(edge, &competing[..idx]) } else { Vec::new() };
                if !is_possible || leaves.iter().any(|(_, it)| it.is_empty()) {
                    never.push(*edge);
                    continue;
                }
                for (_, leaves) in leaves.into_iter().filter(|(field, _)| edge.outcome == Outcome::Payload(*field)) {
                    named.insert((edge.from, edge.on, edge.transition), leaves);
                }
                if happens(edge.on) { &mut edges } else { &mut passing }.push(*edge);
                if verdict == Some(true) {
                    closed.insert(wanted(edge));
                }
            }
        }
    }
    machine.edges = edges;
    machine.lookup.never = never;
    machine.lookup.passing = passing;
    machine.lookup.named = named;
    machine.lookup.transient = transient;
}

/// The guards of a machine, by row; none of a row without a guard.
struct Guards<'m> {
    machine: &'m Machine,
    of: Vec<Option<Guard>>,
}

struct Guard {
    /// The guard, with the constants filled in.
    expr: Expr,
    /// The fields of the payload that it compares; none if nothing is said about it.
    payload: BTreeSet<PayloadId>,
    /// What it says whatever the payload is.
    decided: Option<bool>,
}

impl Guard {
    fn of(guard: &Expr, machine: &Machine) -> Self {
        let expr = fold(guard, &machine.constants);
        // A division by zero refuses the call, whatever the rest of the guard says.
        if divides(&expr, &machine.constants).is_some() {
            return Guard { expr, payload: BTreeSet::new(), decided: None };
        }
        let mut payload = BTreeSet::new();
        expr.walk(&mut |it| {
            if let ExprKind::Var(Var::Payload(field)) | ExprKind::NonNull(Var::Payload(field)) = it.kind {
                payload.insert(field);
            }
        });
        let decided = decided(&expr, &Known { machine, named: None });
        Guard { expr, payload, decided }
    }
}

impl Guards<'_> {
    /// Whether a machine that enters a leaf completes a state around it, and leaves the leaf for that. With regions, a row of another
    /// one may come before.
    fn leaves_done(&self, of_leaf: &[Edge]) -> bool {
        let decides = |it: &Edge| self.decides(it, None);
        !self.machine.has_regions()
            && of_leaf.chunk_by(|a, b| a.on == b.on).filter(|it| matches!(it[0].on, On::Done(_))).any(|competing| {
                let last = competing.iter().position(|it| decides(it) == Some(true));
                last.is_some_and(|last| competing[..=last].iter().all(|it| it.outcome != Outcome::Stay || decides(it) == Some(false)))
            })
    }

    /// What the guard of an edge says, whatever the values are but for a state that the payload names.
    fn decides(&self, edge: &Edge, named: Option<(PayloadId, StateId)>) -> Option<bool> {
        let Some(guard) = &self.of[edge.transition.index()] else { return Some(true) };
        match guard.decided {
            None if named.is_some_and(|it| guard.payload.contains(&it.0)) => decided(&guard.expr, &Known { machine: self.machine, named }),
            known => known,
        }
    }

    /// The leaves that the payload may name where an edge is taken, behind the edges before it: for each field that their guards read,
    /// unless it may name any.
    fn named(&self, edge: &Edge, before: &[Edge]) -> Vec<(PayloadId, Vec<StateId>)> {
        let read = |it: &Edge| self.of[it.transition.index()].as_ref().map(|it| &it.payload);
        let Some(event) = edge.on.event() else { return Vec::new() };
        let fields: BTreeSet<PayloadId> = before.iter().chain([edge]).filter_map(read).flatten().copied().collect();
        let names_state = |field: &PayloadId| {
            let field = self.machine.payload_field(event, *field);
            field.is_some_and(|it| it.ty == Type::State && !it.optional)
        };
        let leaves = |field: PayloadId| {
            let decides = |it: &Edge, leaf: StateId| self.decides(it, Some((field, leaf)));
            let readers: Vec<&Edge> = before.iter().filter(|it| read(it).is_some_and(|it| it.contains(&field))).collect();
            let may_be = |leaf: &StateId| decides(edge, *leaf) != Some(false) && readers.iter().all(|it| decides(it, *leaf) != Some(true));
            let leaves: Vec<StateId> = self.machine.leaves().filter(may_be).collect();
            (leaves.len() < self.machine.leaves().count()).then_some((field, leaves))
        };
        fields.into_iter().filter(names_state).filter_map(leaves).collect()
    }
}

/// What is known before a machine runs.
struct Known<'m> {
    machine: &'m Machine,
    named: Option<(PayloadId, StateId)>,
}

impl Facts for Known<'_> {
    fn is_in(&self, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn named(&self, field: PayloadId) -> Option<StateId> {
        self.named.filter(|it| it.0 == field).map(|it| it.1)
    }
}
