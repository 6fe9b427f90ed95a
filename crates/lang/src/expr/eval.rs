//! The meaning of expressions: evaluation, and constant folding.

use rust_decimal::Decimal;

use super::{Arithmetic, Expr, ExprKind, Var};
use crate::types::{Constant, Literal, PartId, PredicateId, StateId, Value};

/// The values that an expression reads during evaluation.
pub trait Env {
    /// The value of a variable.
    fn var(&self, var: Var) -> Value;
    /// The constants of the machine or system.
    fn constants(&self) -> &[Constant];
    /// The answer of the user's code.
    fn predicate(&self, predicate: PredicateId) -> bool;
    /// Whether `state` is `whole` or inside it, in the machine that `subject` belongs to.
    fn is_in(&self, subject: &Expr, state: StateId, whole: StateId) -> bool;
    /// Whether a part of a system exists and is in this state.
    fn part_is_in(&self, part: PartId, whole: StateId) -> bool;
    /// Whether the machine itself is in this state.
    fn is_active(&self, state: StateId) -> bool;
}

/// The reason why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DivisionByZero;

/// Evaluates a checked expression.
///
/// Arithmetic saturates at the limits of each type. Only a division by zero has no value, and neither has whatever depends
/// on it: `and` and `or` do not evaluate their right side where the left one decides.
pub fn eval(expr: &Expr, env: &dyn Env) -> Result<Value, DivisionByZero> {
    Ok(match &expr.kind {
        ExprKind::Literal(literal) => literal.to_value().unwrap_or(Value::Null),
        ExprKind::Constant(id) => env.constants().get(id.index()).and_then(|it| it.value.to_value()).unwrap_or(Value::Null),
        ExprKind::Var(var) | ExprKind::NonNull(var) => env.var(*var),
        ExprKind::Predicate(id) => Value::Bool(env.predicate(*id)),
        ExprKind::Not(inner) => Value::Bool(!eval_bool(inner, env)?),
        ExprKind::And(left, right) => Value::Bool(eval_bool(left, env)? && eval_bool(right, env)?),
        ExprKind::Or(left, right) => Value::Bool(eval_bool(left, env)? || eval_bool(right, env)?),
        ExprKind::Compare(operator, left, right) => Value::Bool(operator.holds(eval(left, env)?.cmp(&eval(right, env)?))),
        ExprKind::Arithmetic(operator, left, right) => arithmetic(*operator, eval(left, env)?, eval(right, env)?)?,
        ExprKind::Len(inner) => length(eval(inner, env)?),
        ExprKind::In(subject, whole) => Value::Bool(match subject.part_state() {
            Some(part) => env.part_is_in(part, *whole),
            None => matches!(eval(subject, env)?, Value::State(state) if env.is_in(subject, state, *whole)),
        }),
        ExprKind::Active(state) => Value::Bool(env.is_active(*state)),
        ExprKind::ToDecimal(inner) => match eval(inner, env)? {
            Value::Int(value) => Value::Decimal(Decimal::from(value)),
            other => other,
        },
    })
}

/// Evaluates a condition.
pub fn eval_bool(expr: &Expr, env: &dyn Env) -> Result<bool, DivisionByZero> {
    Ok(eval(expr, env)? == Value::Bool(true))
}

fn arithmetic(operator: Arithmetic, left: Value, right: Value) -> Result<Value, DivisionByZero> {
    let on_int = |a: i64, b: i64| {
        Ok(match operator {
            Arithmetic::Add => a.saturating_add(b),
            Arithmetic::Sub => a.saturating_sub(b),
            Arithmetic::Mul => a.saturating_mul(b),
            Arithmetic::Div | Arithmetic::Rem if b == 0 => return Err(DivisionByZero),
            Arithmetic::Div => a.saturating_div(b),
            Arithmetic::Rem => a.wrapping_rem(b),
        })
    };
    let on_decimal = |a: Decimal, b: Decimal| {
        Ok(match operator {
            Arithmetic::Add => a.saturating_add(b),
            Arithmetic::Sub => a.saturating_sub(b),
            Arithmetic::Mul => a.saturating_mul(b),
            Arithmetic::Div | Arithmetic::Rem if b.is_zero() => return Err(DivisionByZero),
            Arithmetic::Div => decimal_quotient(a, b),
            Arithmetic::Rem => decimal_remainder(a, b),
        })
    };
    Ok(match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(on_int(a, b)?),
        (Value::Decimal(a), Value::Decimal(b)) => Value::Decimal(on_decimal(a, b)?),
        (Value::Duration(a), Value::Duration(b)) => Value::Duration(on_int(a, b)?),
        (Value::Duration(a), Value::Int(b)) | (Value::Int(a), Value::Duration(b)) => Value::Duration(on_int(a, b)?),
        (Value::Timestamp(a), Value::Duration(b)) | (Value::Duration(b), Value::Timestamp(a)) => Value::Timestamp(on_int(a, b)?),
        (Value::Timestamp(a), Value::Timestamp(b)) => Value::Duration(on_int(a, b)?),
        // The checker allows no other pair.
        (left, _) => left,
    })
}

/// The quotient, rounded to the nearest decimal; `b` is not zero.
fn decimal_quotient(a: Decimal, b: Decimal) -> Decimal {
    let limit = if a.is_sign_negative() == b.is_sign_negative() { Decimal::MAX } else { Decimal::MIN };
    a.checked_div(b).unwrap_or(limit)
}

/// The exact remainder, with the sign of `a`; `b` is not zero.
fn decimal_remainder(a: Decimal, b: Decimal) -> Decimal {
    let (digits, by) = (a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs());
    let (rest, scale) = if a.scale() < b.scale() {
        // Digit by digit, so that no number needs more than 128 bits.
        let rest = (a.scale()..b.scale()).fold(digits % by, |rest, _| rest * 10 % by);
        (rest, b.scale())
    } else {
        // A divisor of more than 128 bits is larger than `a`.
        let by = 10_u128.checked_pow(a.scale() - b.scale()).and_then(|it| by.checked_mul(it));
        (by.map_or(digits, |by| digits % by), a.scale())
    };
    let rest = if a.is_sign_negative() { -(rest as i128) } else { rest as i128 };
    Decimal::from_i128_with_scale(rest, scale)
}

/// The number of Unicode scalar values.
fn length(text: Value) -> Value {
    match text {
        Value::Text(text) => Value::Int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)),
        other => other,
    }
}

/// The expression with every constant subexpression replaced by its value:
/// `critical_at - buffer` becomes `0.80`.
pub fn fold(expr: &Expr, constants: &[Constant]) -> Expr {
    let with = |kind| Expr { kind, ty: expr.ty.clone(), optional: expr.optional, span: expr.span };
    let boxed = |it: &Expr| Box::new(fold(it, constants));
    match &expr.kind {
        ExprKind::Constant(id) => match constants.get(id.index()) {
            Some(constant) => with(ExprKind::Literal(constant.value.clone())),
            None => expr.clone(),
        },
        ExprKind::Arithmetic(operator, left, right) => {
            let (left, right) = (boxed(left), boxed(right));
            if let (ExprKind::Literal(a), ExprKind::Literal(b)) = (&left.kind, &right.kind)
                && let (Some(a), Some(b)) = (a.to_value(), b.to_value())
                && let Ok(value) = arithmetic(*operator, a, b)
                && let Some(literal) = to_literal(value)
            {
                return with(ExprKind::Literal(literal));
            }
            with(ExprKind::Arithmetic(*operator, left, right))
        }
        ExprKind::ToDecimal(inner) => {
            let inner = boxed(inner);
            match &inner.kind {
                ExprKind::Literal(Literal::Int(value)) => with(ExprKind::Literal(Literal::Decimal(Decimal::from(*value)))),
                _ => with(ExprKind::ToDecimal(inner)),
            }
        }
        ExprKind::Len(inner) => {
            let inner = boxed(inner);
            match &inner.kind {
                ExprKind::Literal(literal) => match literal.to_value().map(length).and_then(to_literal) {
                    Some(literal) => with(ExprKind::Literal(literal)),
                    None => with(ExprKind::Len(inner)),
                },
                _ => with(ExprKind::Len(inner)),
            }
        }
        ExprKind::Not(inner) => with(ExprKind::Not(boxed(inner))),
        ExprKind::In(inner, state) => with(ExprKind::In(boxed(inner), *state)),
        ExprKind::And(left, right) => with(ExprKind::And(boxed(left), boxed(right))),
        ExprKind::Or(left, right) => with(ExprKind::Or(boxed(left), boxed(right))),
        ExprKind::Compare(operator, left, right) => with(ExprKind::Compare(*operator, boxed(left), boxed(right))),
        ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::NonNull(_) | ExprKind::Predicate(_) | ExprKind::Active(_) => expr.clone(),
    }
}

fn to_literal(value: Value) -> Option<Literal> {
    Some(match value {
        Value::Int(it) => Literal::Int(it),
        Value::Decimal(it) => Literal::Decimal(it),
        Value::Duration(it) => Literal::Duration(it),
        Value::Timestamp(it) => Literal::Timestamp(it),
        _ => return None,
    })
}
