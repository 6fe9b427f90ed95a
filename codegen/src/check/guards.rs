//! Lints about guards: what can hold, together, and not at all.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use super::reason::{Verdict, World, same, solve};
use super::show::{names, witness};
use super::{Finding, MachineCx};
use crate::expr::{Arithmetic, Expr, ExprKind, Var, fold};
use crate::model::machine::{Constant, Edge, Field, From, Machine, Outcome, Transition};
use crate::model::{EventId, FieldId, Literal, StateId, TransitionId, Type};

/// Groups with more guards than this are only looked at for edges without a guard.
const MAX_GUARDS: usize = 48;

/// Edges that compete: one event, and the same rows in the same order, in one or more states.
pub(super) struct Group {
    pub(super) event: Option<EventId>,
    /// The rows, in the order in which they are tried, and how far out each one's source lies.
    pub(super) rows: Vec<(TransitionId, usize)>,
    /// The sources; empty at creation.
    pub(super) from: Vec<StateId>,
}

/// All groups of a machine. States with the same rows share one, so that each is thought about once.
pub(super) fn groups(machine: &Machine) -> Vec<Group> {
    let mut known = BTreeMap::<(Option<EventId>, Vec<(TransitionId, usize)>), usize>::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut put = |edges: &[&Edge]| {
        let rows: Vec<_> = edges.iter().map(|it| (it.transition, distance(machine, it))).collect();
        let event = edges[0].event;
        let idx = *known.entry((event, rows.clone())).or_insert(groups.len());
        if idx == groups.len() {
            groups.push(Group { event, rows, from: Vec::new() });
        }
        groups[idx].from.extend(edges[0].from);
    };
    for chunk in machine.edges.chunk_by(|a, b| a.from == b.from && a.event == b.event) {
        if chunk[0].event.is_some() {
            put(&chunk.iter().collect::<Vec<_>>());
            continue;
        }
        // Without an event an edge is asked for by its target.
        let mut by_outcome = BTreeMap::<Outcome, Vec<&Edge>>::new();
        chunk.iter().for_each(|edge| by_outcome.entry(edge.outcome).or_default().push(edge));
        by_outcome.values().for_each(|it| put(it));
    }
    groups
}

/// How far out from an edge's leaf the state lies that its row names.
fn distance(machine: &Machine, edge: &Edge) -> usize {
    match (&machine.transition(edge.transition).from, edge.from) {
        (From::States(named), Some(leaf)) => machine.ancestors(leaf).position(|it| named.contains(&it)).unwrap_or(0),
        _ => 0,
    }
}

/// The variables of a machine's guards where an event is at hand.
pub(super) struct MachineWorld<'m> {
    machine: &'m Machine,
    event: Option<EventId>,
    /// The bounds that assignments and defaults leave the context fields, where these are taken to be kept.
    bounds: &'m [Bounds],
}

/// The least and the greatest value of a field, where they are known.
pub(super) type Bounds = (Option<Decimal>, Option<Decimal>);

impl<'m> MachineWorld<'m> {
    pub(super) fn new(machine: &'m Machine, event: Option<EventId>) -> Self {
        MachineWorld { machine, event, bounds: &[] }
    }
}

impl World for MachineWorld<'_> {
    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn var(&self, var: Var) -> Option<(Type, bool)> {
        let field = match var {
            Var::Context(id) => self.machine.fields.get(id.index()),
            Var::Payload(idx) => self.machine.event(self.event?).payload.get(idx),
            _ => None,
        };
        field.map(|it| (it.ty.clone(), it.optional))
    }

    fn n_values(&self, var: Var) -> usize {
        match self.var(var) {
            Some((Type::Enum(id), _)) => self.machine.enums.get(id.index()).map_or(0, |it| it.values.len()),
            _ => 0,
        }
    }

    fn leaves(&self, _: Var) -> Vec<StateId> {
        self.machine.leaves().collect()
    }

    fn is_in(&self, _: Var, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn bounds(&self, var: Var) -> (Option<Decimal>, Option<Decimal>) {
        match var {
            Var::Context(field) => self.bounds.get(field.index()).copied().unwrap_or_default(),
            _ => (None, None),
        }
    }
}

/// What fields start with and what is assigned to them bound them: a counter that only grows is never negative.
pub(super) fn bounds(machine: &Machine) -> Vec<Bounds> {
    let start = |it: &Field| it.default.as_ref().and_then(number);
    let mut all: Vec<Bounds> = machine.fields.iter().map(|it| (start(it), start(it))).collect();
    for (field, value) in machine.transitions.iter().flat_map(|row| &row.set) {
        let known = &mut all[field.index()];
        if known.0.is_some() || known.1.is_some() {
            *known = assigned(*known, *field, &fold(value, &machine.constants));
        }
    }
    all
}

fn number(literal: &Literal) -> Option<Decimal> {
    match literal {
        Literal::Int(it) | Literal::Duration(it) => Some(Decimal::from(*it)),
        Literal::Decimal(it) => Some(*it),
        _ => None,
    }
}

/// The bounds of a field to which this may be assigned.
fn assigned((least, greatest): Bounds, field: FieldId, value: &Expr) -> Bounds {
    let own = |it: &Expr| matches!(it.kind, ExprKind::Var(Var::Context(it)) if it == field);
    match &value.kind {
        ExprKind::Literal(literal) => {
            let value = number(literal);
            (least.zip(value).map(|(a, b)| a.min(b)), greatest.zip(value).map(|(a, b)| a.max(b)))
        }
        ExprKind::Var(_) if own(value) => (least, greatest),
        ExprKind::Arithmetic(operator @ (Arithmetic::Add | Arithmetic::Sub), left, right) if own(left) => {
            let step = match &right.kind {
                ExprKind::Literal(literal) => number(literal),
                _ => None,
            };
            let step = step.map(|it| if *operator == Arithmetic::Sub { -it } else { it });
            let up = least.filter(|_| step.is_some_and(|it| it >= Decimal::ZERO));
            (up, greatest.filter(|_| step.is_some_and(|it| it <= Decimal::ZERO)))
        }
        _ => (None, None),
    }
}

fn guard(machine: &Machine, row: TransitionId) -> Option<&Expr> {
    machine.transition(row).guard.as_ref()
}

/// Where a group stands: "in `a` and `b`", "at creation".
fn place(machine: &Machine, group: &Group) -> String {
    match group.from.as_slice() {
        [] => "at creation".into(),
        from => format!("in {}", names(from.iter().map(|it| machine.state(*it).name.as_str()), 4)),
    }
}

pub(super) fn never_holds(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for row in machine.transitions.iter() {
        let Some(guard) = &row.guard else { continue };
        let world = MachineWorld::new(machine, row.events.first().copied());
        if let Verdict::Never = solve(&world, &[(guard, true)]) {
            let finding = Finding::new(guard.span, "this guard holds for no values").within(row.span);
            findings.push(finding.help("fix the guard, or remove the transition: it is never taken"));
        }
    }
    findings
}

pub(super) fn shadowed_edge(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    // For every row, event and state that it names: whether some edge is taken, and what shadows the others.
    let mut rows = BTreeMap::<(TransitionId, Option<EventId>, Option<StateId>), (bool, Vec<TransitionId>)>::new();
    for group in &cx.groups {
        for (idx, (row, distance)) in group.rows.iter().enumerate() {
            let shadows = shadows(machine, group, idx);
            let mut note = |named: Option<StateId>| {
                let (taken, all) = rows.entry((*row, group.event, named)).or_default();
                match &shadows {
                    Some(shadows) => all.extend(shadows.iter().filter(|it| !all.contains(it)).copied().collect::<Vec<_>>()),
                    None => *taken = true,
                }
            };
            // A list means every one of its states; `*` and a composite mean the rest.
            match machine.transition(*row).from {
                From::States(_) => group.from.iter().for_each(|leaf| note(machine.ancestors(*leaf).nth(*distance))),
                From::Any { .. } | From::Creation => note(None),
            }
        }
    }
    let mut findings = Vec::new();
    for ((row, event, named), (taken, shadows)) in rows {
        let [first, others @ ..] = shadows.as_slice() else { continue };
        if taken {
            continue;
        }
        let of_event = event.map(|it| format!(" for `{}`", machine.event(it).name)).unwrap_or_default();
        let of_state = named.map(|it| format!(" in `{}`", machine.state(it).name)).unwrap_or_default();
        let message = format!("this edge is never taken{of_event}{of_state}: the rows before it cover every case");
        let finding = Finding::new(machine.transition(row).span, message).also(machine.transition(*first).span, "tried before it");
        let finding = others.iter().take(3).fold(finding, |finding, it| finding.also(machine.transition(*it).span, "and this"));
        findings.push(finding.help("move the exception above the rule, or remove the row that is never taken"));
    }
    findings
}

/// The rows that leave nothing over for a row of a group; `None` where it may be taken, or where
/// its guard alone never holds.
fn shadows(machine: &Machine, group: &Group, idx: usize) -> Option<Vec<TransitionId>> {
    let before: Vec<TransitionId> = group.rows[..idx].iter().map(|it| it.0).collect();
    if let Some(always) = before.iter().find(|it| guard(machine, **it).is_none()) {
        return Some(vec![*always]);
    }
    if before.is_empty() || before.len() > MAX_GUARDS {
        return None;
    }
    let world = MachineWorld::new(machine, group.event);
    let own = guard(machine, group.rows[idx].0).map(|it| (it, true));
    let never = |before: &[TransitionId]| {
        let conditions = own.into_iter().chain(before.iter().filter_map(|it| guard(machine, *it)).map(|it| (it, false)));
        matches!(solve(&world, &conditions.collect::<Vec<_>>()), Verdict::Never)
    };
    if !never(&before) || never(&[]) {
        return None;
    }
    let alone = before.iter().find(|it| never(&[**it]));
    Some(alone.map_or_else(|| before.clone(), |it| vec![*it]))
}

/// The conditions that `and` joins.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::And(left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

/// What all guards ask alike, and for each what it asks beyond that.
fn factored<'e>(guards: &[&'e Expr]) -> (Vec<&'e Expr>, Vec<Vec<&'e Expr>>) {
    let all: Vec<Vec<&Expr>> = guards.iter().map(|it| conjuncts(it)).collect();
    let is_common = |it: &Expr| all.iter().all(|others| others.iter().any(|other| same(it, other)));
    let common = all[0].iter().copied().filter(|it| is_common(it)).collect();
    let rest = all.iter().map(|it| it.iter().copied().filter(|it| !is_common(it)).collect()).collect();
    (common, rest)
}

fn vars(conditions: &[&Expr]) -> BTreeSet<Var> {
    conditions.iter().flat_map(|it| it.vars()).collect()
}

/// Whether guards divide up the values of one variable, or of two that they compare, and no user's
/// code has a say. Guards that read different things are conditions of their own.
fn divide(rest: &[Vec<&Expr>]) -> bool {
    let mut read = rest.iter().map(|it| vars(it));
    let first = read.next().unwrap_or_default();
    let compares = |it: &Vec<&Expr>| matches!(it.as_slice(), [Expr { kind: ExprKind::Compare(..), .. }]);
    let few = first.len() == 1 || (first.len() == 2 && rest.iter().all(compares));
    few && read.all(|it| it == first) && !rest.iter().flatten().any(|it| it.has_predicate())
}

/// Whether what one guard reads is all that the other reads, or part of it, and no user's code has a say.
fn compete(rest: &[Vec<&Expr>]) -> bool {
    let [a, b] = [vars(&rest[0]), vars(&rest[1])];
    let alike = !a.is_empty() && !b.is_empty() && (a.is_subset(&b) || b.is_subset(&a));
    alike && !rest.iter().flatten().any(|it| it.has_predicate())
}

pub(super) fn overlapping_guards(cx: &MachineCx<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut told = BTreeSet::new();
    for group in cx.groups.iter().filter(|it| it.rows.len() <= MAX_GUARDS) {
        for (idx, second) in group.rows.iter().enumerate() {
            for first in &group.rows[..idx] {
                if told.insert((first.0, second.0, group.event)) {
                    findings.extend(overlap(cx, group, *first, *second));
                }
            }
        }
    }
    findings
}

/// Two guards that hold together and apart. One that only holds where the other does is an
/// exception above a rule, or shadowed.
fn overlap(cx: &MachineCx<'_>, group: &Group, first: (TransitionId, usize), second: (TransitionId, usize)) -> Option<Finding> {
    let machine = cx.machine;
    let rows = (machine.transition(first.0), machine.transition(second.0));
    let guards = [rows.0.guard.as_ref()?, rows.1.guard.as_ref()?];
    let any = |row: &Transition| matches!(row.from, From::Any { .. });
    if first.1 != second.1 || any(rows.0) != any(rows.1) || !differ(rows.0, rows.1) {
        return None;
    }
    let (_, rest) = factored(&guards);
    if !compete(&rest) {
        return None;
    }
    let world = MachineWorld { machine, event: group.event, bounds: &cx.bounds };
    let with = |wanted: [bool; 2]| match solve(&world, &[(guards[0], wanted[0]), (guards[1], wanted[1])]) {
        Verdict::With(found) => Some(found),
        Verdict::Never | Verdict::Unknown => None,
    };
    with([true, false])?;
    with([false, true])?;
    let before = group.rows.iter().take_while(|it| **it != first).filter_map(|it| guard(machine, it.0)).map(|it| (it, false));
    let conditions: Vec<(&Expr, bool)> = guards.iter().map(|it| (*it, true)).chain(before).collect();
    let Verdict::With(found) = solve(&world, &conditions) else { return None };
    let shown = witness(machine, group.event, &found);
    let message = format!("with {shown} both guards hold {}: the first one in the file wins", place(machine, group));
    let finding = Finding::new(guards[1].span, message).within(rows.1.span).within(rows.0.span).also(guards[0].span, "this one wins");
    Some(finding.help("make the guards mutually exclusive, or make the first an exception of the second"))
}

/// Whether two rows do different things; refusals are checks that come first.
fn differ(a: &Transition, b: &Transition) -> bool {
    use crate::model::machine::Target::Refuse;
    let same_set = a.set.len() == b.set.len() && a.set.iter().zip(&b.set).all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1));
    let refuses = matches!(a.target, Refuse(_)) || matches!(b.target, Refuse(_));
    let alike = a.target == b.target && same_set && a.before == b.before && a.effects == b.effects;
    !(refuses || alike)
}

pub(super) fn guard_gap(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for group in cx.groups.iter().filter(|it| (2..=MAX_GUARDS).contains(&it.rows.len())) {
        let Some(event) = group.event else { continue };
        let Some(guards) = group.rows.iter().map(|it| guard(machine, it.0)).collect::<Option<Vec<_>>>() else { continue };
        // What every guard asks is a gate, and being turned down there is meant.
        let (common, rest) = factored(&guards);
        if rest.iter().any(Vec::is_empty) || !divide(&rest) {
            continue;
        }
        let world = MachineWorld { machine, event: group.event, bounds: &cx.bounds };
        let conditions = common.iter().map(|it| (*it, true)).chain(guards.iter().map(|it| (*it, false)));
        let Verdict::With(found) = solve(&world, &conditions.collect::<Vec<_>>()) else { continue };
        let shown = witness(machine, group.event, &found);
        let last = guards[guards.len() - 1];
        let message = format!("with {shown} no guard of `{}` holds {}", machine.event(event).name, place(machine, group));
        let mut finding = Finding::new(last.span, message).within(machine.event(event).span);
        for (idx, (row, _)) in group.rows.iter().enumerate() {
            finding = finding.within(machine.transition(*row).span);
            if idx + 1 < guards.len() && idx < 4 {
                finding = finding.also(guards[idx].span, "nor this one");
            }
        }
        findings.push(finding.help("close the gap, or add a row without `when` for the other values, which may `refuse`"));
    }
    findings
}
