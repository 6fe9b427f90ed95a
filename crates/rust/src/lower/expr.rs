//! Typed expressions: `nudge_failures + 1 >= nudge_limit` becomes
//! `self.context.nudge_failures.saturating_add(1) >= NUDGE_LIMIT`.

use proc_macro2::{Ident, TokenStream};
use statespec_lang::expr::Var;
use statespec_lang::model::{ConstantId, Literal, PartId, PredicateId, StateId, Type};
use statespec_lang::program::{self, Kind, Operation};

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
    /// A constant expression on decimals, which Rust cannot compute in a constant; `None` if it has no name.
    fn computed(&self, expr: &program::Expr, value: &Literal) -> Option<TokenStream>;
    /// A value; `subject` is the other operand of a comparison.
    fn literal(&self, literal: &Literal, subject: Option<&program::Expr>) -> Expr;
    /// Whether the machine is in a state.
    fn is_active(&self, state: StateId) -> Expr {
        let _ = state;
        Expr::Bool(false)
    }
    /// Whether a part is in a state.
    fn is_part_in(&self, part: PartId, whole: StateId) -> Expr {
        let _ = (part, whole);
        Expr::Bool(false)
    }
    /// Whether a state is a leaf, or is inside a composite.
    fn is_in(&self, state: Expr, optional: bool, subject: &program::Expr, whole: StateId) -> Expr;
}

/// A condition, or a value that is not null.
pub(crate) fn value(expr: &program::Expr, resolve: &dyn Resolve) -> Expr {
    lower(expr, None, resolve).known()
}

/// A value that may be null, as an option.
pub(crate) fn optional_value(expr: &program::Expr, resolve: &dyn Resolve) -> Expr {
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

fn lower(expr: &program::Expr, subject: Option<&program::Expr>, resolve: &dyn Resolve) -> Lowered {
    let boxed = |it: &program::Expr| Box::new(value(it, resolve));
    Lowered::plain(match &expr.kind {
        Kind::Literal(Literal::Null) => return Lowered { expr: Expr::Null, is_option: true },
        Kind::Literal(literal) => resolve.literal(literal, subject),
        Kind::Constant(id) => Expr::Path(resolve.constant(*id)),
        Kind::Read(var) => return Lowered { expr: variable(*var, expr.nullable, resolve), is_option: expr.nullable },
        Kind::Known(var) => match resolve.known(*var) {
            Some(local) if resolve.kept_text(*var).is_some() => Expr::Str { place: Place::Local(local), optional: false },
            Some(local) => load(Expr::Place(Place::Local(local)), *var, false, resolve),
            None => return Lowered { expr: variable(*var, true, resolve), is_option: true },
        },
        Kind::IsNull(var) => Expr::IsNone(Box::new(Expr::Place(resolve.place(*var)))),
        Kind::Predicate(id) => resolve.predicate(*id),
        Kind::Active(state) => resolve.is_active(*state),
        Kind::PartIn(part, whole) => resolve.is_part_in(*part, *whole),
        Kind::In(inner, whole) => {
            let state = lower(inner, None, resolve);
            resolve.is_in(state.expr, state.is_option, inner, *whole)
        }
        Kind::Not(inner) => match inner.kind {
            Kind::IsNull(var) => Expr::IsSome(Box::new(Expr::Place(resolve.place(var)))),
            _ => Expr::Not(boxed(inner)),
        },
        Kind::And(left, right) => Expr::And(boxed(left), boxed(right)),
        Kind::Or(left, right) => Expr::Or(boxed(left), boxed(right)),
        Kind::Compare(operator, left, right) => {
            let (left, right) = (lower(left, Some(right), resolve), lower(right, Some(left), resolve));
            let options = left.is_option || right.is_option;
            let (left, right) = if options { (left.option(), right.option()) } else { (left.expr, right.expr) };
            // The operators of specs are those of Rust.
            Expr::Compare(operator.sign(), Box::new(left), Box::new(right))
        }
        Kind::Operation(operation, left, right) => match folded(expr, resolve) {
            Some(value) => value,
            None => arithmetic(*operation, value(left, resolve), value(right, resolve)),
        },
        Kind::Len(inner) => Expr::Call { function: "len", arguments: vec![*boxed(inner)] },
        Kind::ToDecimal(inner) => Expr::ToDecimal(boxed(inner)),
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

/// The result of an operation, if it is written as such. Constants keep their names if Rust can compute with them; it cannot
/// compute decimals in advance.
fn folded(expr: &program::Expr, resolve: &dyn Resolve) -> Option<Expr> {
    let value = expr.value.as_ref()?;
    let mut has_constant = false;
    expr.walk(&mut |it| has_constant |= matches!(it.kind, Kind::Constant(_)));
    if has_constant && expr.ty != Type::Decimal {
        return None;
    }
    let computed = if has_constant { resolve.computed(expr, value) } else { None };
    Some(computed.map_or_else(|| resolve.literal(value, None), Expr::Path))
}

/// Saturating arithmetic as methods: `a.saturating_add(b)`.
fn arithmetic(operation: Operation, left: Expr, right: Expr) -> Expr {
    let method = match operation {
        Operation::Div => return Expr::Call { function: "quotient", arguments: vec![left, right] },
        Operation::Rem => return Expr::Call { function: "remainder", arguments: vec![left, right] },
        Operation::Add | Operation::Later => "saturating_add",
        Operation::Sub | Operation::Earlier => "saturating_sub",
        Operation::Since => "saturating_since",
        Operation::Mul | Operation::Times => "saturating_mul",
    };
    Expr::Method { receiver: Box::new(left), method, argument: Box::new(right) }
}
