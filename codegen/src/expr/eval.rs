//! The meaning of expressions: evaluation, and constant folding.

use rust_decimal::Decimal;

use super::{Arithmetic, Compare, Expr, ExprKind, Var};
use crate::types::{Constant, Literal, PredicateId, StateId, Value};

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
}

/// Evaluates a checked expression.
///
/// Arithmetic saturates at the limits of each type, so there is always a value.
pub fn eval(expr: &Expr, env: &dyn Env) -> Value {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.to_value().unwrap_or(Value::Null),
        ExprKind::Constant(id) => env.constants().get(id.index()).and_then(|it| it.value.to_value()).unwrap_or(Value::Null),
        ExprKind::Var(var) | ExprKind::NonNull(var) => env.var(*var),
        ExprKind::Predicate(id) => Value::Bool(env.predicate(*id)),
        ExprKind::Not(inner) => Value::Bool(!eval_bool(inner, env)),
        ExprKind::And(left, right) => Value::Bool(eval_bool(left, env) && eval_bool(right, env)),
        ExprKind::Or(left, right) => Value::Bool(eval_bool(left, env) || eval_bool(right, env)),
        ExprKind::Compare(operator, left, right) => Value::Bool(compare(*operator, &eval(left, env), &eval(right, env))),
        ExprKind::Arithmetic(operator, left, right) => arithmetic(*operator, eval(left, env), eval(right, env)),
        ExprKind::In(subject, whole) => match eval(subject, env) {
            Value::State(state) => Value::Bool(env.is_in(subject, state, *whole)),
            _ => Value::Bool(false),
        },
        ExprKind::ToDecimal(inner) => match eval(inner, env) {
            Value::Int(value) => Value::Decimal(Decimal::from(value)),
            other => other,
        },
    }
}

/// Evaluates a condition.
pub fn eval_bool(expr: &Expr, env: &dyn Env) -> bool {
    eval(expr, env) == Value::Bool(true)
}

fn compare(operator: Compare, left: &Value, right: &Value) -> bool {
    match operator {
        Compare::Eq => left == right,
        Compare::Ne => left != right,
        Compare::Lt => left < right,
        Compare::Le => left <= right,
        Compare::Gt => left > right,
        Compare::Ge => left >= right,
    }
}

fn arithmetic(operator: Arithmetic, left: Value, right: Value) -> Value {
    let on_int = |a: i64, b: i64| match operator {
        Arithmetic::Add => a.saturating_add(b),
        Arithmetic::Sub => a.saturating_sub(b),
        Arithmetic::Mul => a.saturating_mul(b),
    };
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Value::Int(on_int(a, b)),
        (Value::Decimal(a), Value::Decimal(b)) => Value::Decimal(match operator {
            Arithmetic::Add => a.saturating_add(b),
            Arithmetic::Sub => a.saturating_sub(b),
            Arithmetic::Mul => a.saturating_mul(b),
        }),
        (Value::Duration(a), Value::Duration(b)) => Value::Duration(on_int(a, b)),
        (Value::Duration(a), Value::Int(b)) | (Value::Int(a), Value::Duration(b)) => Value::Duration(on_int(a, b)),
        (Value::Timestamp(a), Value::Duration(b)) | (Value::Duration(b), Value::Timestamp(a)) => Value::Timestamp(on_int(a, b)),
        (Value::Timestamp(a), Value::Timestamp(b)) => Value::Duration(on_int(a, b)),
        // The checker allows no other pair.
        (left, _) => left,
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
                && let Some(literal) = to_literal(arithmetic(*operator, a, b))
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
        ExprKind::Not(inner) => with(ExprKind::Not(boxed(inner))),
        ExprKind::In(inner, state) => with(ExprKind::In(boxed(inner), *state)),
        ExprKind::And(left, right) => with(ExprKind::And(boxed(left), boxed(right))),
        ExprKind::Or(left, right) => with(ExprKind::Or(boxed(left), boxed(right))),
        ExprKind::Compare(operator, left, right) => with(ExprKind::Compare(*operator, boxed(left), boxed(right))),
        ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::NonNull(_) | ExprKind::Predicate(_) => expr.clone(),
    }
}

fn to_literal(value: Value) -> Option<Literal> {
    Some(match value {
        Value::Int(it) => Literal::Int(it),
        Value::Decimal(it) => Literal::Decimal(it),
        Value::Duration(it) => Literal::Duration(it),
        _ => return None,
    })
}
