//! Lints about divisors that can be zero.

use std::collections::BTreeSet;

use super::guards::{MAX_GUARDS, MachineWorld, guard};
use super::reason::{Verdict, Witness, World, solve};
use super::show::witness;
use super::{Finding, MachineCx};
use crate::expr::{Division, Expr, divisions};
use crate::model::machine::{Constant, Target};
use crate::show::MachineNames;

/// The maximum number of divisors of one expression that are examined.
const MAX_DIVISIONS: usize = 16;

pub(super) fn zero_divisor(cx: &MachineCx<'_>) -> Vec<Finding> {
    let machine = cx.machine;
    let mut findings = Vec::new();
    let mut told = BTreeSet::new();
    for group in cx.groups.iter().filter(|it| it.rows.len() <= MAX_GUARDS) {
        let world = MachineWorld { machine, event: group.on.event(), bounds: &cx.bounds, effort: &cx.effort };
        for (idx, (id, _)) in group.rows.iter().enumerate() {
            let row = machine.transition(*id);
            // A row is tried where no earlier one is taken.
            let mut before: Vec<(&Expr, bool)> =
                group.rows[..idx].iter().filter_map(|it| guard(machine, it.0)).map(|it| (it, false)).collect();
            let in_guard = row.guard.iter().flat_map(|it| zero_divisors(&world, it, None, &before, &machine.constants));
            let mut found: Vec<(Division<'_>, Witness)> = in_guard.collect();
            before.extend(row.guard.iter().map(|it| (it, true)));
            if !matches!(row.target, Target::Refuse(_)) {
                let of_value = |value| zero_divisors(&world, value, row.guard.as_ref(), &before, &machine.constants);
                found.extend(row.set.iter().flat_map(|(_, value)| of_value(value)));
            }
            for (division, values) in found {
                let name = division.divisor.show(&MachineNames::new(machine));
                if !told.insert((*id, name.clone())) {
                    continue;
                }
                let shown = witness(machine, &values);
                let message = match shown.is_empty() {
                    true => format!("the divisor `{name}` is zero, so the step is refused"),
                    false => format!("the divisor `{name}` is zero with {shown}, and the step is refused"),
                };
                findings.push(Finding::new(division.divisor.span, message).within(row.span).help(HELP));
            }
        }
    }
    findings
}

/// The remedy.
pub(super) const HELP: &str = "exclude zero in a condition before the division, as in `n != 0 and total / n > 3`";

/// The divisors of an expression that are zero for some values for which the conditions hold, with these values.
pub(super) fn zero_divisors<'e>(
    world: &dyn World,
    expr: &'e Expr,
    guard: Option<&'e Expr>,
    conditions: &[(&'e Expr, bool)],
    constants: &'e [Constant],
) -> Vec<(Division<'e>, Witness)> {
    let mut found = Vec::new();
    for division in divisions(expr, guard, constants).take(MAX_DIVISIONS) {
        let all: Vec<(&Expr, bool)> = conditions.iter().copied().chain([(&division.when, true)]).collect();
        if let Verdict::With(witness) = solve(world, &all) {
            found.push((division, witness));
        }
    }
    found
}
