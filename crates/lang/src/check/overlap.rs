//! Lints about guards that overlap, or that leave values out.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::guards::{Bounds, Group, MAX_GUARDS, MachineWorld, guard};
use super::reason::{Verdict, same, solve};
use super::show::{names, witness};
use super::{Finding, MachineCx};
use crate::expr::{Arithmetic, Expr, ExprKind, Var, fold};
use crate::model::machine::{Field, From, Machine, Transition, Trigger};
use crate::model::{FieldId, Literal, TransitionId};

/// The bounds of fields, derived from their defaults and assignments: a counter that only grows is never negative.
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
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => Some(Decimal::from(*it)),
        Literal::Decimal(it) => Some(*it),
        _ => None,
    }
}

/// The bounds of a field to which this value may be assigned.
fn assigned((least, greatest): Bounds, field: FieldId, value: &Expr) -> Bounds {
    match &value.kind {
        ExprKind::Literal(literal) => {
            let value = number(literal);
            (least.zip(value).map(|(a, b)| a.min(b)), greatest.zip(value).map(|(a, b)| a.max(b)))
        }
        ExprKind::Var(_) | ExprKind::NonNull(_) if value.is_field(field) => (least, greatest),
        ExprKind::Arithmetic(operator @ (Arithmetic::Add | Arithmetic::Sub), left, right) if left.is_field(field) => {
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

/// The place of a group in words: "in `a` and `b`", "at creation".
fn place(machine: &Machine, group: &Group) -> String {
    match group.from.as_slice() {
        [] => "at creation".into(),
        from => format!("in {}", names(from.iter().map(|it| machine.state(*it).name.as_str()), 4)),
    }
}

/// The operands of a chain of `and`.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::And(left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}

/// The conditions that all guards share, and for each guard its remaining conditions.
fn factored<'e>(guards: &[&'e Expr]) -> (Vec<&'e Expr>, Vec<Vec<&'e Expr>>) {
    // Each condition, with its form at one place: two conditions are equal apart from their spans.
    let form = |it: &'e Expr| (it.clone().placed_at(guards[0].span), it);
    let all: Vec<Vec<(Expr, &Expr)>> = guards.iter().map(|it| conjuncts(it).into_iter().map(form).collect()).collect();
    let is_common = |form: &Expr| all.iter().all(|others| others.iter().any(|(other, _)| form == other));
    let common = all[0].iter().filter(|(form, _)| is_common(form)).map(|(_, it)| *it).collect();
    let rest = all.iter().map(|it| it.iter().filter(|(form, _)| !is_common(form)).map(|(_, it)| *it).collect()).collect();
    (common, rest)
}

fn vars(conditions: &[&Expr]) -> BTreeSet<Var> {
    conditions.iter().flat_map(|it| it.vars()).collect()
}

/// Whether guards partition the values of one variable, or of two that they compare, without named
/// predicates. Guards that read different variables are independent conditions.
fn divide(rest: &[Vec<&Expr>]) -> bool {
    let mut read = rest.iter().map(|it| vars(it));
    let first = read.next().unwrap_or_default();
    let compares = |it: &Vec<&Expr>| matches!(it.as_slice(), [Expr { kind: ExprKind::Compare(..), .. }]);
    let few = first.len() == 1 || (first.len() == 2 && rest.iter().all(compares));
    few && read.all(|it| it == first) && !rest.iter().flatten().any(|it| it.has_predicate())
}

/// Whether the variables of one guard include those of the other, without named predicates.
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
                if told.insert((first.0, second.0, group.on)) {
                    findings.extend(overlap(cx, group, *first, *second));
                }
            }
        }
    }
    findings
}

/// Reports two guards that overlap while neither implies the other. A guard that implies the other is
/// an exception before a rule, or shadowed.
fn overlap(cx: &MachineCx<'_>, group: &Group, first: (TransitionId, usize), second: (TransitionId, usize)) -> Option<Finding> {
    let machine = cx.machine;
    let rows = (machine.transition(first.0), machine.transition(second.0));
    let guards = [rows.0.guard.as_ref()?, rows.1.guard.as_ref()?];
    let any = |row: &Transition| (matches!(row.from, From::Any { .. }), matches!(row.trigger, Trigger::AnyOther(_)));
    if first.1 != second.1 || any(rows.0) != any(rows.1) || !differ(rows.0, rows.1) {
        return None;
    }
    let (_, rest) = factored(&guards);
    if !compete(&rest) {
        return None;
    }
    let world = MachineWorld { machine, event: group.on.event(), bounds: &cx.bounds, effort: &cx.effort };
    let with = |wanted: [bool; 2]| match solve(&world, &[(guards[0], wanted[0]), (guards[1], wanted[1])]) {
        Verdict::With(found) => Some(found),
        Verdict::Never | Verdict::Unknown => None,
    };
    with([true, false])?;
    with([false, true])?;
    let before = group.rows.iter().take_while(|it| **it != first).filter_map(|it| guard(machine, it.0)).map(|it| (it, false));
    let conditions: Vec<(&Expr, bool)> = guards.iter().map(|it| (*it, true)).chain(before).collect();
    let Verdict::With(found) = solve(&world, &conditions) else { return None };
    let shown = witness(machine, &found);
    let message = format!("with {shown} both guards hold {}: the first one in the file wins", place(machine, group));
    let finding = Finding::new(guards[1].span, message).within(rows.1.span).within(rows.0.span).also(guards[0].span, "this one wins");
    Some(finding.help("make the guards mutually exclusive, or make the first an exception of the second"))
}

/// Whether two rows do different things. Refusals are excluded: they are checks that come first.
fn differ(a: &Transition, b: &Transition) -> bool {
    use crate::model::machine::Target::Refuse;
    let same_set = a.set.len() == b.set.len() && a.set.iter().zip(&b.set).all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1));
    let refuses = matches!(a.target, Refuse(_)) || matches!(b.target, Refuse(_));
    let alike = a.target == b.target && same_set && a.before == b.before && a.effects == b.effects && a.raise == b.raise;
    !(refuses || alike)
}

pub(super) fn guard_gap(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    for group in cx.groups.iter().filter(|it| (2..=MAX_GUARDS).contains(&it.rows.len())) {
        let Some(event) = group.on.event() else { continue };
        let Some(guards) = group.rows.iter().map(|it| guard(machine, it.0)).collect::<Option<Vec<_>>>() else { continue };
        // A condition shared by all guards is a precondition, and a refusal there is intended.
        let (common, rest) = factored(&guards);
        if rest.iter().any(Vec::is_empty) || !divide(&rest) {
            continue;
        }
        let world = MachineWorld { machine, event: group.on.event(), bounds: &cx.bounds, effort: &cx.effort };
        let conditions = common.iter().map(|it| (*it, true)).chain(guards.iter().map(|it| (*it, false)));
        let Verdict::With(found) = solve(&world, &conditions.collect::<Vec<_>>()) else { continue };
        let shown = witness(machine, &found);
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
