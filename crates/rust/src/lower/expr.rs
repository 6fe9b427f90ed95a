//! Typed expressions: `nudge_failures + 1 >= nudge_limit` becomes
//! `self.context.nudge_failures.saturating_add(1) >= NUDGE_LIMIT`.

use proc_macro2::{Ident, TokenStream};
use statespec_lang::expr::{Arithmetic, Compare, Expr as SpecExpr, ExprKind, Var, fold};
use statespec_lang::model::machine::Constant;
use statespec_lang::model::{ConstantId, Literal, PredicateId, StateId, Type};

use super::types::some_if;
use crate::ir::{Expr, Held, Place};

/// The resolution of names in an expression.
pub(crate) trait Resolve {
    /// The place of a variable.
    fn place(&self, var: Var) -> Place;
    /// The variable with the value of `var`, if the value was tested against null and read before the expression.
    fn known(&self, var: Var) -> Option<Ident> {
        let _ = var;
        None
    }
    /// Whether the variable is a text stored in a context (`Text`, not `&str`), and whether it may be null.
    fn kept_text(&self, var: Var) -> Option<bool>;
    /// The type of the user that holds the variable, if it does so by conversion.
    fn held(&self, var: Var) -> Option<Held> {
        let _ = var;
        None
    }
    /// The call of a predicate.
    fn predicate(&self, predicate: PredicateId) -> Expr;
    /// A constant by name.
    fn constant(&self, constant: ConstantId) -> TokenStream;
    /// The values of the constants.
    fn constants(&self) -> &[Constant];
    /// A constant expression on decimals, which Rust cannot compute in a constant; `None` if it has no name.
    fn computed(&self, expr: &SpecExpr, value: &Literal) -> Option<TokenStream>;
    /// A value; `subject` is the other operand of a comparison.
    fn literal(&self, literal: &Literal, subject: Option<&SpecExpr>) -> Expr;
    /// Whether the machine is in a state.
    fn is_active(&self, state: StateId) -> Expr {
        let _ = state;
        Expr::Bool(false)
    }
    /// Whether a state is a leaf, or is inside a composite.
    fn is_in(&self, state: Expr, optional: bool, subject: &SpecExpr, whole: StateId) -> Expr;
}

/// A condition, or a value that is not null.
pub(crate) fn value(expr: &SpecExpr, resolve: &dyn Resolve) -> Expr {
    lower(expr, None, resolve).known()
}

/// A value that may be null, as an option.
pub(crate) fn optional_value(expr: &SpecExpr, resolve: &dyn Resolve) -> Expr {
    lower(expr, None, resolve).option()
}

/// An expression, and whether it is an option.
struct Lowered {
    expr: Expr,
    is_option: bool,
}

impl Lowered {
    fn plain(expr: Expr) -> Self {
        Lowered { expr, is_option: false }
    }

    fn option(self) -> Expr {
        some_if(!self.is_option, self.expr)
    }

    /// A value that was tested against null earlier, so it is never null.
    fn known(self) -> Expr {
        if self.is_option { Expr::Known(Box::new(self.expr)) } else { self.expr }
    }
}

fn lower(expr: &SpecExpr, subject: Option<&SpecExpr>, resolve: &dyn Resolve) -> Lowered {
    let boxed = |it: &SpecExpr| Box::new(lower(it, None, resolve).known());
    Lowered::plain(match &expr.kind {
        ExprKind::Literal(Literal::Null) => return Lowered { expr: Expr::Null, is_option: true },
        ExprKind::Literal(literal) => resolve.literal(literal, subject),
        ExprKind::Constant(id) => Expr::Path(resolve.constant(*id)),
        ExprKind::Var(var) => return Lowered { expr: variable(*var, expr.optional, resolve), is_option: expr.optional },
        ExprKind::NonNull(var) => match resolve.known(*var) {
            Some(local) if resolve.kept_text(*var).is_some() => Expr::Str { place: Place::Local(local), optional: false },
            Some(local) => load(Expr::Place(Place::Local(local)), *var, false, resolve),
            None => return Lowered { expr: variable(*var, true, resolve), is_option: true },
        },
        ExprKind::Predicate(id) => resolve.predicate(*id),
        ExprKind::Active(state) => resolve.is_active(*state),
        ExprKind::Not(inner) => return Lowered::plain(negation(inner, resolve)),
        ExprKind::And(left, right) => Expr::And(boxed(left), boxed(right)),
        ExprKind::Or(left, right) => Expr::Or(boxed(left), boxed(right)),
        ExprKind::Compare(operator, left, right) => comparison(*operator, left, right, resolve),
        ExprKind::Arithmetic(operator, left, right) => return arithmetic(expr, *operator, (left, right), subject, resolve),
        ExprKind::In(inner, whole) => {
            let state = lower(inner, None, resolve);
            resolve.is_in(state.expr, state.is_option, inner, *whole)
        }
        ExprKind::Len(inner) => Expr::Call { function: "len", arguments: vec![*boxed(inner)] },
        ExprKind::ToDecimal(inner) => Expr::ToDecimal(boxed(inner)),
    })
}

fn variable(var: Var, optional: bool, resolve: &dyn Resolve) -> Expr {
    let place = resolve.place(var);
    match resolve.kept_text(var) {
        Some(optional) => Expr::Str { place, optional },
        None => load(Expr::Place(place), var, optional, resolve),
    }
}

/// A value as the façade has it.
fn load(value: Expr, var: Var, optional: bool, resolve: &dyn Resolve) -> Expr {
    match resolve.held(var) {
        Some(held) => Expr::Load { value: Box::new(value), held, optional },
        None => value,
    }
}

/// `not a`, without `!` before a comparison.
fn negation(inner: &SpecExpr, resolve: &dyn Resolve) -> Expr {
    match &inner.kind {
        ExprKind::Not(twice) => lower(twice, None, resolve).known(),
        ExprKind::Compare(operator, left, right) => comparison(operator.negated(), left, right, resolve),
        _ => Expr::Not(Box::new(lower(inner, None, resolve).known())),
    }
}

fn comparison(operator: Compare, left: &SpecExpr, right: &SpecExpr, resolve: &dyn Resolve) -> Expr {
    let is_null = |it: &SpecExpr| matches!(it.kind, ExprKind::Literal(Literal::Null));
    if is_null(left) && is_null(right) {
        return Expr::Bool(matches!(operator, Compare::Eq | Compare::Le | Compare::Ge));
    }
    for (this, other) in [(left, right), (right, left)] {
        if is_null(this) {
            return null_test(operator, other, resolve);
        }
        // `flag == true` is `flag`.
        if let ExprKind::Literal(Literal::Bool(wanted)) = this.kind {
            let lowered = lower(other, None, resolve);
            if !lowered.is_option {
                return if wanted == (operator == Compare::Eq) { lowered.expr } else { negation(other, resolve) };
            }
        }
    }
    let (left, right) = (lower(left, Some(right), resolve), lower(right, Some(left), resolve));
    let (left, right) = if left.is_option || right.is_option { (left.option(), right.option()) } else { (left.expr, right.expr) };
    // The operators of specs are those of Rust.
    Expr::Compare(operator.sign(), Box::new(left), Box::new(right))
}

fn null_test(operator: Compare, other: &SpecExpr, resolve: &dyn Resolve) -> Expr {
    let other = match &other.kind {
        ExprKind::Var(var) if other.optional => Expr::Place(resolve.place(*var)),
        ExprKind::NonNull(var) if resolve.known(*var).is_none() => Expr::Place(resolve.place(*var)),
        // The operand is never null.
        _ => return Expr::Bool(operator != Compare::Eq),
    };
    if operator == Compare::Eq { Expr::IsNone(Box::new(other)) } else { Expr::IsSome(Box::new(other)) }
}

/// Saturating arithmetic as methods: `a.saturating_add(b)`.
fn arithmetic(
    expr: &SpecExpr,
    operator: Arithmetic,
    (left, right): (&SpecExpr, &SpecExpr),
    subject: Option<&SpecExpr>,
    resolve: &dyn Resolve,
) -> Lowered {
    let mut has_constant = false;
    expr.walk(&mut |it| has_constant |= matches!(it.kind, ExprKind::Constant(_)));
    // Constants keep their names if Rust can compute with them; it cannot compute decimals in advance.
    if let ExprKind::Literal(folded) = fold(expr, resolve.constants()).kind
        && (!has_constant || expr.ty == Type::Decimal)
    {
        let computed = if has_constant { resolve.computed(expr, &folded) } else { None };
        return Lowered::plain(computed.map_or_else(|| resolve.literal(&folded, subject), Expr::Path));
    }
    if operator.divides() {
        let function = if operator == Arithmetic::Div { "quotient" } else { "remainder" };
        let arguments = [left, right].map(|it| lower(it, None, resolve).known());
        return Lowered::plain(Expr::Call { function, arguments: arguments.into() });
    }
    // The method belongs to the larger type: `duration * int`, `timestamp + duration`.
    let swapped = matches!((&left.ty, &right.ty), (Type::Int, Type::Duration) | (Type::Duration, Type::Timestamp));
    let (left, right) = if swapped { (right, left) } else { (left, right) };
    let method = match operator {
        Arithmetic::Add => "saturating_add",
        Arithmetic::Sub if left.ty == Type::Timestamp && right.ty == Type::Timestamp => "saturating_since",
        Arithmetic::Sub => "saturating_sub",
        _ => "saturating_mul",
    };
    let (receiver, argument) = (lower(left, None, resolve).known(), lower(right, None, resolve).known());
    Lowered::plain(Expr::Method { receiver: Box::new(receiver), method, argument: Box::new(argument) })
}
