//! One text for conditions that mean the same in other words: without negations of negations and of comparisons, with what is equal
//! said once, and in one order.

use std::collections::BTreeSet;

use statespec_lang::expr::{Compare, Expr, ExprKind, divides};
use statespec_lang::model::machine::Constant;
use statespec_lang::show::MachineNames;

/// The text of a condition. Where a division decides whether it has a value, the order of its parts is meaning.
pub(super) fn shown(condition: &Expr, constants: &[Constant], names: &MachineNames<'_>) -> String {
    if divides(condition, constants).is_some() { condition.show(names) } else { text(condition, true, names) }
}

/// The text of a condition, or of its negation.
fn text(condition: &Expr, holds: bool, names: &MachineNames<'_>) -> String {
    match (&condition.kind, holds) {
        (ExprKind::Not(inner), _) => text(inner, !holds, names),
        (ExprKind::And(..), true) | (ExprKind::Or(..), false) => joined(condition, "and", holds, names),
        (ExprKind::Or(..), true) | (ExprKind::And(..), false) => joined(condition, "or", holds, names),
        (ExprKind::Compare(operator, left, right), _) => compared(*operator, holds, left.show(names), right.show(names)),
        (_, true) => condition.show(names),
        (_, false) => format!("not ({})", condition.show(names)),
    }
}

fn joined(condition: &Expr, word: &str, holds: bool, names: &MachineNames<'_>) -> String {
    let (mut parts, mut open) = (BTreeSet::new(), vec![(condition, holds)]);
    while let Some((part, holds)) = open.pop() {
        match &part.kind {
            ExprKind::Not(inner) => open.push((inner, !holds)),
            ExprKind::And(left, right) if joins(true, holds) == word => open.extend([(&**left, holds), (&**right, holds)]),
            ExprKind::Or(left, right) if joins(false, holds) == word => open.extend([(&**left, holds), (&**right, holds)]),
            _ => _ = parts.insert(text(part, holds, names)),
        }
    }
    match parts.len() {
        1 => parts.into_iter().collect(),
        _ => format!("({})", parts.into_iter().collect::<Vec<_>>().join(&format!(" {word} "))),
    }
}

/// The word between the parts of a condition or of its negation.
fn joins(is_and: bool, holds: bool) -> &'static str {
    if is_and == holds { "and" } else { "or" }
}

fn compared(operator: Compare, holds: bool, left: String, right: String) -> String {
    let operator = match (operator, holds) {
        (it, true) => it,
        (Compare::Eq, false) => Compare::Ne,
        (Compare::Ne, false) => Compare::Eq,
        (Compare::Lt, false) => Compare::Ge,
        (Compare::Le, false) => Compare::Gt,
        (Compare::Gt, false) => Compare::Le,
        (Compare::Ge, false) => Compare::Lt,
    };
    // The smaller text is on the left, or the smaller value.
    match operator {
        Compare::Gt => format!("{right} < {left}"),
        Compare::Ge => format!("{right} <= {left}"),
        Compare::Lt => format!("{left} < {right}"),
        Compare::Le => format!("{left} <= {right}"),
        Compare::Eq if right < left => format!("{right} == {left}"),
        Compare::Ne if right < left => format!("{right} != {left}"),
        Compare::Eq => format!("{left} == {right}"),
        Compare::Ne => format!("{left} != {right}"),
    }
}
