//! Lints about rows of different regions that one step takes together.

use std::collections::BTreeMap;

use super::guards::MachineWorld;
use super::reason::{Verdict, solve};
use super::show::witness;
use super::{Finding, MachineCx};
use crate::expr::{Expr, ExprKind};
use crate::model::machine::{Edge, Machine, On, Outcome};
use crate::model::{Literal, StateId};

/// The maximum number of pairs of rows that are compared.
const MAX_PAIRS: usize = 10_000;

/// Two rows that one step can take together and that set a field to different values: the order of the states would decide.
pub(super) fn racing_assignments(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    if !machine.has_regions() {
        return Vec::new();
    }
    let mut by_trigger: BTreeMap<On, Vec<&Edge>> = BTreeMap::new();
    for edge in machine.edges.iter().filter(|it| it.from.is_some() && it.on != On::Direct && it.outcome != Outcome::Refuse) {
        let edges = by_trigger.entry(edge.on).or_default();
        let is_known = edges.iter().any(|it| (it.transition, it.source) == (edge.transition, edge.source));
        if !is_known && !machine.transition(edge.transition).set.is_empty() {
            edges.push(edge);
        }
    }
    let mut findings = Vec::new();
    let mut told = Vec::new();
    let mut n_pairs = 0;
    for edges in by_trigger.values() {
        for (idx, second) in edges.iter().enumerate() {
            for first in &edges[..idx] {
                n_pairs += 1;
                if n_pairs > MAX_PAIRS {
                    return findings;
                }
                let pair = [first.transition.min(second.transition), first.transition.max(second.transition)];
                if first.transition != second.transition && !told.contains(&pair) {
                    let found = race(cx, first, second);
                    told.extend(found.is_some().then_some(pair));
                    findings.extend(found);
                }
            }
        }
    }
    findings
}

fn race(cx: &MachineCx<'_>, first: &Edge, second: &Edge) -> Option<Finding> {
    let machine = cx.machine;
    let rows = [first, second].map(|it| machine.transition(it.transition));
    let value = |row: usize, wanted| rows[row].set.iter().find(|(field, _)| *field == wanted).map(|(_, value)| value);
    let differs = |a: &Expr, b: &Expr| a.clone().placed_at(a.span) != b.clone().placed_at(a.span);
    let mut fields = rows[0].set.iter().filter(|(field, a)| value(1, *field).is_some_and(|b| differs(a, b))).map(|(field, _)| *field);
    let field = fields.next().filter(|_| are_taken_together(machine, first, second))?;
    let active = [first.source, second.source];
    let guards: Vec<Expr> = rows.iter().flat_map(|it| &it.guard).map(|it| decided(machine, it, &active)).collect();
    let conditions: Vec<(&Expr, bool)> = guards.iter().map(|it| (it, true)).collect();
    let world = MachineWorld::new(machine, first.on.event(), &cx.effort);
    let world = MachineWorld { bounds: &cx.bounds, ..world };
    let with = match solve(&world, &conditions) {
        Verdict::With(found) => witness(machine, &found),
        Verdict::Never | Verdict::Unknown => return None,
    };
    let when = if with.is_empty() { String::new() } else { format!(" with {with}") };
    let message = format!("one step can take this row and another one that sets `{}`, too{when}", machine.fields[field.index()].name);
    let finding = Finding::new(rows[1].span, message).also(rows[0].span, "the other row");
    Some(finding.help("let one of the two set it, give each region a field of its own, or make the guards mutually exclusive"))
}

/// Whether two rows lie in different regions, or one around the other's regions, and neither leaves what the other one leaves.
fn are_taken_together(machine: &Machine, a: &Edge, b: &Edge) -> bool {
    let moves = |it: &Edge| it.outcome != Outcome::Stay;
    between(machine, a.source, b.source).into_iter().any(|whole| {
        let is_preempted = moves(a) && moves(b) && (leaves_all(machine, a, whole) || leaves_all(machine, b, whole));
        !is_preempted
    })
}

/// The parallel states in whose different regions two leaves can be that select rows of these sources; none is the machine.
fn between(machine: &Machine, a: Option<StateId>, b: Option<StateId>) -> Vec<Option<StateId>> {
    let wholes = |inner: StateId, outer: Option<StateId>| {
        let around = machine.ancestors(inner).filter(|it| machine.is_region(*it)).map(|it| machine.state(it).parent);
        around.filter(|whole| outer.is_none_or(|outer| whole.is_some_and(|it| machine.is_in(it, outer)))).collect::<Vec<_>>()
    };
    match (a, b) {
        (Some(a), Some(b)) if machine.is_in(a, b) => wholes(a, Some(b)),
        (Some(a), Some(b)) if machine.is_in(b, a) => wholes(b, Some(a)),
        (Some(a), Some(b)) => machine.parallel_around(a, b).into_iter().collect(),
        (Some(inner), None) | (None, Some(inner)) => wholes(inner, None),
        (None, None) => Vec::new(),
    }
}

/// Whether an edge certainly leaves all regions of a parallel state; `None` is the machine.
fn leaves_all(machine: &Machine, edge: &Edge, whole: Option<StateId>) -> bool {
    let contains = |it: StateId| whole.is_none_or(|whole| machine.is_in(it, whole));
    let targets = match edge.outcome {
        Outcome::Leaf(to) | Outcome::Parallel(to) => vec![to],
        Outcome::Fork => machine.branches(edge.transition).iter().map(|it| it.state()).collect(),
        Outcome::History(to) => vec![to.whole],
        Outcome::Payload(_) | Outcome::Stay | Outcome::Refuse => return false,
    };
    let crosses = |to: StateId| edge.source.is_some_and(|source| machine.parallel_around(source, to).is_some_and(|it| it == whole));
    let reenters = |outer: StateId| !contains(outer) || whole == Some(outer) || machine.is_parallel(machine.state(outer).parent);
    let again = machine.reentered(machine.transition(edge.transition));
    targets.iter().any(|it| !contains(*it) || crosses(*it)) || again.is_some_and(reenters)
}

/// A guard with the questions decided that the active states answer.
pub(super) fn decided(machine: &Machine, guard: &Expr, active: &[Option<StateId>]) -> Expr {
    let mut guard = guard.clone();
    decide(machine, &mut guard, active);
    guard
}

fn decide(machine: &Machine, guard: &mut Expr, active: &[Option<StateId>]) {
    if let ExprKind::Active(state) = &guard.kind {
        let mut known = active.iter().flatten();
        let is_active = known.clone().any(|it| machine.is_in(*it, *state));
        // A state in neither a region of its own nor inside a known one is another alternative.
        let excludes = |it: &StateId| !machine.is_in(*state, *it) && machine.parallel_around(*it, *state).is_none();
        if is_active || known.any(excludes) {
            guard.kind = ExprKind::Literal(Literal::Bool(is_active));
        }
    }
    guard.each_inside(&mut |it| decide(machine, it, active));
}
