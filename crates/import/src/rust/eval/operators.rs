//! Operators, and what they do to values.

use super::fields::is_path;
use super::*;

impl Eval<'_, '_> {
    pub(super) fn binary(&mut self, it: &syn::ExprBinary, expr: &Expr, scope: &Scope) -> Vec<Case> {
        if let Some(op) = assigning(&it.op) {
            return self.changed(it, op, scope);
        }
        let left = self.expr(&it.left, scope);
        self.then(left, |eval, left| {
            match (&it.op, &left) {
                (BinOp::And(_), Value::Bool(false)) | (BinOp::Or(_), Value::Bool(true)) => return Case::value(left),
                _ => {}
            }
            let right = eval.expr(&it.right, scope);
            // What the right side sets is set only where the left one does not decide.
            let is_lazy = matches!(it.op, BinOp::And(_) | BinOp::Or(_)) && !matches!(left, Value::Bool(_));
            if is_lazy && right.iter().any(|it| !it.effects.is_none()) {
                return lost_at(expr);
            }
            eval.then(right, |eval, right| {
                let value = match &it.op {
                    BinOp::And(_) => Some(and(&left, &right)),
                    BinOp::Or(_) => Some(or(&left, &right)),
                    BinOp::Eq(_) => equal(&left, &right).map(Value::Bool),
                    BinOp::Ne(_) => equal(&left, &right).map(|it| Value::Bool(!it)),
                    op => arithmetic(op, &left, &right),
                };
                // A variant that stands in the code says nothing about the state.
                let from_state =
                    |value: &Value, side: &Expr| value.is_of_state() || (matches!(value, Value::Variant(..)) && !is_constant(side));
                let of_state = from_state(&left, &it.left) || from_state(&right, &it.right);
                let unknown = || match eval.unknown(expr, scope) {
                    Value::Unknown { text, of_state: other } => Value::Unknown { text, of_state: of_state || other },
                    known => known,
                };
                Case::value(value.unwrap_or_else(unknown))
            })
        })
    }
}

/// The outcome of code that cannot be followed, and may set the state or leave the function.
pub(super) fn lost_at(code: &impl ToTokens) -> Vec<Case> {
    Case::flow(Flow::Lost(Some(place(code))))
}

/// Whether two values are equal; a field that is read twice is.
fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Unknown { text: a, .. }, Value::Unknown { text: b, .. }) if a == b && a.contains('.') && is_path(a) => Some(true),
        _ => left.equals(right),
    }
}

/// Without the cases whose conditions make no difference: `[(a, X), (always, X)]` is `[(always, X)]`.
pub(in crate::rust) fn merged(cases: Vec<Case>) -> Vec<Case> {
    let mut kept: Vec<Case> = Vec::new();
    for case in cases.into_iter().rev() {
        let covers =
            |it: &Case| it.flow == case.flow && it.effects == case.effects && it.guards.iter().all(|guard| case.guards.contains(guard));
        if !kept.last().is_some_and(covers) {
            kept.push(case);
        }
    }
    kept.reverse();
    kept
}

/// The operator of `+=` and its like, with its sign.
pub(super) fn assigning(op: &BinOp) -> Option<(BinOp, &'static str)> {
    Some(match op {
        BinOp::AddAssign(_) => (BinOp::Add(Default::default()), "+"),
        BinOp::SubAssign(_) => (BinOp::Sub(Default::default()), "-"),
        BinOp::MulAssign(_) => (BinOp::Mul(Default::default()), "*"),
        BinOp::DivAssign(_) => (BinOp::Div(Default::default()), "/"),
        BinOp::RemAssign(_) => (BinOp::Rem(Default::default()), "%"),
        BinOp::BitAndAssign(_) => (BinOp::BitAnd(Default::default()), "&"),
        BinOp::BitOrAssign(_) => (BinOp::BitOr(Default::default()), "|"),
        BinOp::BitXorAssign(_) => (BinOp::BitXor(Default::default()), "^"),
        BinOp::ShlAssign(_) => (BinOp::Shl(Default::default()), "<<"),
        BinOp::ShrAssign(_) => (BinOp::Shr(Default::default()), ">>"),
        _ => return None,
    })
}

/// Whether an expression is a variant that stands in the code: `Version::One`, `Address::V4(it)`.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(it) => it.path.segments.len() > 1,
        Expr::Call(it) => matches!(&*it.func, Expr::Path(it) if it.path.segments.len() > 1),
        Expr::Struct(it) => it.path.segments.len() > 1,
        _ => false,
    }
}

/// The name of `let x`, `let mut x` and `let x: T`.
pub(super) fn name_of(pattern: &Pat) -> Option<&syn::PatIdent> {
    match pattern {
        Pat::Ident(it) => Some(it),
        Pat::Type(it) => name_of(&it.pat),
        _ => None,
    }
}

/// Conditions of which all must hold: one with `||` in brackets, if it is not alone.
pub(in crate::rust) fn all_of(conditions: &[String]) -> String {
    let one = |it: &String| if it.contains("||") && conditions.len() > 1 { format!("({it})") } else { it.clone() };
    conditions.iter().map(one).collect::<Vec<_>>().join(" && ")
}

pub(in crate::rust) fn literal(literal: &syn::Lit) -> Value {
    match literal {
        syn::Lit::Bool(it) => Value::Bool(it.value),
        syn::Lit::Str(it) => Value::Text(it.value()),
        syn::Lit::Int(it) => it.base10_parse().map_or(Value::Unknown { text: it.to_string(), of_state: false }, Value::Int),
        other => Value::Unknown { text: other.to_token_stream().to_string(), of_state: false },
    }
}

/// `!(a && b)`, in the notation of guards.
pub(in crate::rust) fn negated(text: &str) -> String {
    let is_word = |it: &str| it.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'));
    if let Some(inner) = text.strip_prefix('!').filter(|it| is_word(it)) {
        return inner.to_owned();
    }
    match text.strip_prefix("!(").and_then(|it| it.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => inner.to_owned(),
        _ if is_word(text) => format!("!{text}"),
        _ => format!("!({text})"),
    }
}

pub(super) fn and(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), it) | (it, Value::Bool(true)) => it.clone(),
        (Value::Unknown { text: a, of_state }, Value::Unknown { text: b, of_state: other }) => {
            Value::Unknown { text: all_of(&[a.clone(), b.clone()]), of_state: *of_state || *other }
        }
        _ => Value::lost(""),
    }
}

pub(super) fn or(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(true), _) | (_, Value::Bool(true)) => Value::Bool(true),
        (Value::Bool(false), it) | (it, Value::Bool(false)) => it.clone(),
        (Value::Unknown { text: a, of_state }, Value::Unknown { text: b, of_state: other }) => {
            Value::Unknown { text: format!("({a}) || ({b})"), of_state: *of_state || *other }
        }
        _ => Value::lost(""),
    }
}

pub(super) fn arithmetic(op: &BinOp, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Unknown { text: a, .. }, Value::Unknown { text: b, .. }) = (left, right)
        && let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>())
    {
        return match op {
            BinOp::Lt(_) => Some(Value::Bool(a < b)),
            BinOp::Le(_) => Some(Value::Bool(a <= b)),
            BinOp::Gt(_) => Some(Value::Bool(a > b)),
            BinOp::Ge(_) => Some(Value::Bool(a >= b)),
            _ => None,
        };
    }
    let (Value::Int(left), Value::Int(right)) = (left, right) else { return None };
    Some(match op {
        BinOp::Lt(_) => Value::Bool(left < right),
        BinOp::Le(_) => Value::Bool(left <= right),
        BinOp::Gt(_) => Value::Bool(left > right),
        BinOp::Ge(_) => Value::Bool(left >= right),
        BinOp::Add(_) => Value::Int(left.checked_add(*right)?),
        BinOp::Sub(_) => Value::Int(left.checked_sub(*right)?),
        BinOp::Mul(_) => Value::Int(left.checked_mul(*right)?),
        _ => return None,
    })
}
