//! Formats expressions as text, for tables and messages.

use super::time::{show_duration, show_timestamp};
use super::{Arithmetic, Compare, Expr, ExprKind, Var};
use crate::types::{ConstantId, Enum, EventId, Literal, PredicateId, StateId};

/// The display names of items.
pub trait Names {
    /// A variable.
    fn var(&self, var: Var) -> String;
    /// A constant.
    fn constant(&self, constant: ConstantId) -> String;
    /// A predicate.
    fn predicate(&self, predicate: PredicateId) -> String;
    /// A state of the machine that `subject` belongs to.
    fn state(&self, subject: Option<&Expr>, state: StateId) -> String;
    /// An event.
    fn event(&self, event: EventId) -> String;
    /// The enums.
    fn enums(&self) -> &[Enum];
    /// Whether a bare name stands for a variable, a constant or a predicate: a value of this name is quoted.
    fn is_variable(&self, name: &str) -> bool;
    /// A comparison; as written by default.
    fn compare(&self, operator: Compare) -> &'static str {
        operator.sign()
    }
}

/// The precedence of an operator.
fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Or(..) => 1,
        ExprKind::And(..) => 2,
        ExprKind::Not(_) => 3,
        ExprKind::Compare(..) | ExprKind::In(..) => 4,
        ExprKind::Arithmetic(Arithmetic::Add | Arithmetic::Sub, ..) => 5,
        ExprKind::Arithmetic(Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem, ..) => 6,
        ExprKind::ToDecimal(inner) => strength(&inner.kind),
        _ => 7,
    }
}

impl Expr {
    /// The expression in the spec's own language.
    pub fn show(&self, names: &dyn Names) -> String {
        let wrapped = |inner: &Expr, least: u8| {
            let text = inner.show(names);
            if strength(&inner.kind) < least { format!("({text})") } else { text }
        };
        let value = |literal: &Literal, subject: Option<&Expr>| {
            let text = show_literal(literal, names, subject);
            let is_name = matches!(literal, Literal::Enum(..) | Literal::State(_) | Literal::Event(_));
            if is_name && names.is_variable(&text) { format!("'{text}'") } else { text }
        };
        match &self.kind {
            ExprKind::Literal(literal) => value(literal, None),
            ExprKind::Constant(id) => names.constant(*id),
            ExprKind::Var(var) | ExprKind::NonNull(var) => names.var(*var),
            ExprKind::Predicate(id) => names.predicate(*id),
            ExprKind::Not(inner) => format!("not {}", wrapped(inner, 3)),
            ExprKind::And(left, right) => format!("{} and {}", wrapped(left, 2), wrapped(right, 3)),
            ExprKind::Or(left, right) => format!("{} or {}", wrapped(left, 1), wrapped(right, 2)),
            ExprKind::Compare(operator, left, right) => {
                let side = |it: &Expr, other: &Expr| match &it.kind {
                    ExprKind::Literal(literal @ Literal::State(_)) => value(literal, Some(other)),
                    _ => wrapped(it, 5),
                };
                format!("{} {} {}", side(left, right), names.compare(*operator), side(right, left))
            }
            ExprKind::Arithmetic(operator, left, right) => {
                let own = strength(&self.kind);
                format!("{} {} {}", wrapped(left, own), operator.sign(), wrapped(right, own + 1))
            }
            ExprKind::Len(inner) => format!("len({})", inner.show(names)),
            ExprKind::In(subject, state) => format!("{} in {}", wrapped(subject, 5), names.state(Some(subject), *state)),
            ExprKind::Active(state) => format!("in({})", names.state(None, *state)),
            ExprKind::ToDecimal(inner) => inner.show(names),
        }
    }
}

/// A value in the spec's own language.
pub fn show_literal(literal: &Literal, names: &dyn Names, subject: Option<&Expr>) -> String {
    match literal {
        Literal::Null => "null".into(),
        Literal::Bool(it) => it.to_string(),
        Literal::Int(it) => it.to_string(),
        Literal::Decimal(it) => it.to_string(),
        Literal::Text(it) => format!("'{it}'"),
        Literal::Duration(it) => show_duration(*it),
        Literal::Timestamp(it) => show_timestamp(*it),
        Literal::Enum(id, idx) => {
            let value = names.enums().get(id.index()).and_then(|it| it.values.get(*idx));
            value.map_or_else(String::new, |it| it.name.clone())
        }
        Literal::State(id) => names.state(subject, *id),
        Literal::Event(id) => names.event(*id),
        Literal::List(items) => items.iter().map(|it| show_literal(it, names, subject)).collect::<Vec<_>>().join(", "),
    }
}

impl Compare {
    /// The operator as written.
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Eq => "==",
            Compare::Ne => "!=",
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
        }
    }
}

impl Arithmetic {
    /// The operator as written.
    pub fn sign(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Sub => "-",
            Arithmetic::Mul => "*",
            Arithmetic::Div => "/",
            Arithmetic::Rem => "%",
        }
    }
}
