//! What a condition says whatever the values are: with the constants and the state that a payload names, and nothing else.

use super::{Compare, Expr, ExprKind, Var};
use crate::types::{Literal, PayloadId, StateId};

/// What is known before a machine runs.
pub(crate) trait Facts {
    /// Whether `state` is `whole` or inside it.
    fn is_in(&self, state: StateId, whole: StateId) -> bool;
    /// The state that a field of the payload names, if that is known.
    fn named(&self, field: PayloadId) -> Option<StateId>;
}

/// The truth value that a condition has in any case; `None` if it depends on what is not known. The constants are filled in, and the
/// condition does not divide by zero.
pub(crate) fn decided(expr: &Expr, facts: &dyn Facts) -> Option<bool> {
    match &expr.kind {
        ExprKind::Literal(Literal::Bool(value)) => Some(*value),
        ExprKind::Not(inner) => decided(inner, facts).map(|it| !it),
        ExprKind::And(left, right) => match (decided(left, facts), decided(right, facts)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Or(left, right) => match (decided(left, facts), decided(right, facts)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Compare(operator, left, right) => compared(*operator, &literal(left, facts)?, &literal(right, facts)?),
        ExprKind::In(subject, whole) => match literal(subject, facts)? {
            Literal::State(state) => Some(facts.is_in(state, *whole)),
            _ => None,
        },
        _ => None,
    }
}

fn literal(expr: &Expr, facts: &dyn Facts) -> Option<Literal> {
    match &expr.kind {
        ExprKind::Literal(value) => Some(value.clone()),
        ExprKind::Var(Var::Payload(field)) | ExprKind::NonNull(Var::Payload(field)) => facts.named(*field).map(Literal::State),
        _ => None,
    }
}

fn compared(operator: Compare, left: &Literal, right: &Literal) -> Option<bool> {
    Some(operator.holds(left.to_value()?.cmp(&right.to_value()?)))
}
