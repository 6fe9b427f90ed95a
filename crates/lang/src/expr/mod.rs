//! Typed expressions: guards, assignments, rules and invariants.
//!
//! `text ──parse──▶ Ast (names as written) ──check──▶ Expr (names resolved, types known)`

mod build;
mod check;
mod decide;
mod divide;
mod eval;
mod parse;
mod show;
mod time;

pub use check::{Resolved, Scope, check, known};
pub use check::{number, type_name};
pub(crate) use decide::{Facts, decided};
pub(crate) use divide::operands;
pub use divide::{Division, defined, divides, divides_in_row, divides_where, divisions};
pub use eval::{DivisionByZero, Env, eval, eval_bool, fold};
pub use parse::{Ast, AstKind, parse};
pub use show::{Names, show_literal};
pub use time::{TIMESTAMPS, parse_duration, parse_timestamp};
pub use time::{show_duration, show_timestamp};

use std::cmp::Ordering;

use crate::source::Span;
use crate::types::{ConstantId, FieldId, Literal, PartId, PayloadId, PredicateId, StateId, Type};

/// A typed expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Whether it may be null. Only a bare [`Var`] or the literal `null` is.
    pub optional: bool,
    /// The span in the spec.
    pub span: Span,
}

/// The kind of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// A value.
    Literal(Literal),
    /// A constant of the machine.
    Constant(ConstantId),
    /// A variable, read at run time.
    Var(Var),
    /// A variable that was tested against null: never null here.
    NonNull(Var),
    /// A named predicate.
    Predicate(PredicateId),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b`: `b` is not evaluated when `a` is false.
    And(Box<Expr>, Box<Expr>),
    /// `a or b`: `b` is not evaluated when `a` is true.
    Or(Box<Expr>, Box<Expr>),
    /// `a < b` and the like. Both sides have the same type; with `==` and `!=`, either may be null.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// `a + b` and the like. Saturates at the limits of the type; a division by zero has no value.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// `len(a)`: the number of Unicode scalar values of a text.
    Len(Box<Expr>),
    /// `a in STATE`: the state is `STATE` or lies inside it.
    In(Box<Expr>, StateId),
    /// `in(STATE)`: the machine itself is in `STATE`, a leaf or a state around one.
    Active(StateId),
    /// A whole number where a decimal is needed.
    ToDecimal(Box<Expr>),
}

/// A variable that is read at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Var {
    /// A field of the machine's own context.
    Context(FieldId),
    /// A field of the event's payload. Its position depends on the event.
    Payload(PayloadId),
    /// A field of the transaction's payload, by position.
    Input(usize),
    /// The state of a part of the system.
    PartState(PartId),
    /// A field of the context of a part of the system.
    PartContext(PartId, FieldId),
    /// The identity of a part of the system.
    PartId(PartId),
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// An operation on numbers and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: the quotient of whole numbers is rounded towards zero.
    Div,
    /// `%`: what a division leaves, with the sign of the left side.
    Rem,
}

impl Compare {
    /// Whether two values with this order compare in this way.
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Compare::Eq => order.is_eq(),
            Compare::Ne => order.is_ne(),
            Compare::Lt => order.is_lt(),
            Compare::Le => order.is_le(),
            Compare::Gt => order.is_gt(),
            Compare::Ge => order.is_ge(),
        }
    }

    /// The operator that holds where this one does not.
    pub fn negated(self) -> Compare {
        match self {
            Compare::Eq => Compare::Ne,
            Compare::Ne => Compare::Eq,
            Compare::Lt => Compare::Ge,
            Compare::Ge => Compare::Lt,
            Compare::Gt => Compare::Le,
            Compare::Le => Compare::Gt,
        }
    }
}

impl Arithmetic {
    /// Whether a right side that is zero leaves no value.
    pub fn divides(self) -> bool {
        matches!(self, Arithmetic::Div | Arithmetic::Rem)
    }
}

impl Expr {
    /// The number of subexpressions, with this expression.
    pub fn n_nodes(&self) -> usize {
        let mut n_nodes = 0;
        self.walk(&mut |_| n_nodes += 1);
        n_nodes
    }

    /// Calls `visit` on this expression and all its subexpressions, outermost first.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Not(a) | ExprKind::In(a, _) | ExprKind::Len(a) | ExprKind::ToDecimal(a) => a.walk(visit),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Literal(_) | ExprKind::Constant(_) | ExprKind::Var(_) | ExprKind::NonNull(_) => {}
            ExprKind::Predicate(_) | ExprKind::Active(_) => {}
        }
    }

    /// The variables it reads, sorted, each once.
    pub fn vars(&self) -> Vec<Var> {
        let mut vars = std::collections::BTreeSet::new();
        self.walk(&mut |it| {
            if let ExprKind::Var(var) | ExprKind::NonNull(var) = &it.kind {
                vars.insert(*var);
            }
        });
        vars.into_iter().collect()
    }

    /// The parts of a system whose instances it reads, sorted, each once.
    pub fn parts(&self) -> Vec<PartId> {
        let part = |var: &Var| match var {
            Var::PartState(part) | Var::PartContext(part, _) | Var::PartId(part) => Some(*part),
            Var::Context(_) | Var::Payload(_) | Var::Input(_) => None,
        };
        let parts: std::collections::BTreeSet<_> = self.vars().iter().filter_map(part).collect();
        parts.into_iter().collect()
    }

    /// The part whose state it is: `part.state`.
    pub fn part_state(&self) -> Option<PartId> {
        match self.kind {
            ExprKind::Var(Var::PartState(part)) => Some(part),
            _ => None,
        }
    }

    /// The expression with other parts in the place of those that it reads.
    pub fn with_parts(&self, part: &dyn Fn(PartId) -> PartId) -> Expr {
        let mut other = self.clone();
        other.replace_parts(part);
        other
    }

    fn replace_parts(&mut self, part: &dyn Fn(PartId) -> PartId) {
        if let ExprKind::Var(var) | ExprKind::NonNull(var) = &mut self.kind
            && let Var::PartState(id) | Var::PartContext(id, _) | Var::PartId(id) = var
        {
            *id = part(*id);
        }
        self.each_inside(&mut |it| it.replace_parts(part));
    }

    /// Whether it is the value of this field of the context, and nothing more.
    pub fn is_field(&self, field: FieldId) -> bool {
        matches!(self.kind, ExprKind::Var(Var::Context(it)) | ExprKind::NonNull(Var::Context(it)) if it == field)
    }

    /// Whether it reads this predicate.
    pub fn asks(&self, predicate: PredicateId) -> bool {
        let mut found = false;
        self.walk(&mut |it| found |= it.kind == ExprKind::Predicate(predicate));
        found
    }

    /// The states of the machine itself that it asks for with `in(STATE)`, sorted, each once.
    pub fn active(&self) -> Vec<StateId> {
        let mut states = std::collections::BTreeSet::new();
        self.walk(&mut |it| {
            if let ExprKind::Active(state) = it.kind {
                states.insert(state);
            }
        });
        states.into_iter().collect()
    }

    /// Whether it reads any predicate.
    pub fn has_predicate(&self) -> bool {
        let mut found = false;
        self.walk(&mut |it| found |= matches!(it.kind, ExprKind::Predicate(_)));
        found
    }
}
