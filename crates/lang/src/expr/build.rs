//! Conditions built from conditions, and expressions without their places.

use super::{Expr, ExprKind};
use crate::source::Span;
use crate::types::Type;

impl Expr {
    /// A condition of this kind at a place.
    pub fn condition(span: Span, kind: ExprKind) -> Expr {
        Expr { kind, ty: Type::Bool, optional: false, span }
    }

    /// `not self`
    pub fn negated(self) -> Expr {
        Expr::condition(self.span, ExprKind::Not(Box::new(self)))
    }

    /// `self and other`
    pub fn and(self, other: Expr) -> Expr {
        Expr::condition(self.span, ExprKind::And(Box::new(self), Box::new(other)))
    }

    /// `self or other`
    pub fn or(self, other: Expr) -> Expr {
        Expr::condition(self.span, ExprKind::Or(Box::new(self), Box::new(other)))
    }

    /// The expression with every place replaced, so that expressions that differ only in their places are equal.
    pub fn placed_at(mut self, span: Span) -> Expr {
        self.place(span);
        self
    }

    fn place(&mut self, span: Span) {
        self.span = span;
        self.each_inside(&mut |it| it.place(span));
    }

    /// Changes the expressions directly inside.
    pub(crate) fn each_inside(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Not(a) | ExprKind::In(a, _) | ExprKind::Len(a) | ExprKind::ToDecimal(a) => change(a),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
                change(a);
                change(b);
            }
            ExprKind::Literal(_) | ExprKind::Constant(_) | ExprKind::Var(_) | ExprKind::NonNull(_) => {}
            ExprKind::Predicate(_) | ExprKind::Active(_) => {}
        }
    }
}
