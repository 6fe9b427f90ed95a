//! Expressions of a program. Each kind is one construct of the target language; the rules that decide between constructs are
//! applied already:
//!
//! - A value that a test for null protects is a [`Kind::Known`]; a test that cannot fail is a literal.
//! - `flag == true` is `flag`, `not (a < b)` is `a >= b`, and `not not a` is `a`.
//! - [`Operation`] names each pair of types, the larger one first.
//! - Nothing divides by zero: whoever evaluates an expression has evaluated the condition under which it would
//!   ([`Row::guard_divides`](super::Row::guard_divides) and the like).

use std::collections::BTreeSet;

use crate::expr::{self, Arithmetic, Compare, ExprKind, Var, fold};
use crate::model::system::Input;
use crate::types::{Constant, ConstantId, FieldId, Literal, PartId, PredicateId, StateId, Type};

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// Whether it may be null: only a [`Kind::Read`] and the literal null are.
    pub nullable: bool,
    /// Its value, if it reads only constants and literals.
    pub value: Option<Literal>,
}

/// The kind of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A value.
    Literal(Literal),
    /// A constant of the machine.
    Constant(ConstantId),
    /// A variable.
    Read(Var),
    /// A variable that may be null, and is not null here.
    Known(Var),
    /// Whether a variable is null.
    IsNull(Var),
    /// A condition that the user's code decides.
    Predicate(PredicateId),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b`: `b` is evaluated only if `a` is true.
    And(Box<Expr>, Box<Expr>),
    /// `a or b`: `b` is evaluated only if `a` is false.
    Or(Box<Expr>, Box<Expr>),
    /// A comparison of two values of one type. If a side is nullable, it is `==` or `!=`, and null equals null alone.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// An operation on numbers and times.
    Operation(Operation, Box<Expr>, Box<Expr>),
    /// The number of Unicode scalar values of a text.
    Len(Box<Expr>),
    /// A whole number as a decimal.
    ToDecimal(Box<Expr>),
    /// Whether the value of an expression, a leaf, is this state or lies inside it.
    In(Box<Expr>, StateId),
    /// Whether a part of a system is in this state, in one of its regions if it has some.
    PartIn(PartId, StateId),
    /// Whether the machine itself is in this state.
    Active(StateId),
}

/// An operation on numbers and times.
///
/// Whole numbers, durations and timestamps have 64 bits with sign. Decimals have up to 28 digits. A result beyond the limits of
/// its type is the nearest limit. The right side of a division is never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The sum of two values of one type.
    Add,
    /// The difference of two values of one type.
    Sub,
    /// The product of two values of one type.
    Mul,
    /// The quotient of two values of one type. That of whole numbers is rounded towards zero; that of decimals to the nearest
    /// decimal.
    Div,
    /// The exact remainder of such a division, with the sign of the left side.
    Rem,
    /// A timestamp, and a duration later.
    Later,
    /// A timestamp, and a duration earlier.
    Earlier,
    /// A timestamp, and another one: the duration from the second to the first.
    Since,
    /// A duration, and a whole number: the multiple.
    Times,
}

impl Operation {
    /// Whether the right side must not be zero.
    pub fn divides(self) -> bool {
        matches!(self, Operation::Div | Operation::Rem)
    }
}

impl Expr {
    /// An expression of the language as one of a program.
    pub fn of(expr: &expr::Expr, constants: &[Constant]) -> Expr {
        let lower = |it: &expr::Expr| Expr::of(it, constants);
        let boxed = |it: &expr::Expr| Box::new(lower(it));
        let kind = match &expr.kind {
            ExprKind::Literal(it) => Kind::Literal(it.clone()),
            ExprKind::Constant(id) => Kind::Constant(*id),
            ExprKind::Var(var) => Kind::Read(*var),
            ExprKind::NonNull(var) => Kind::Known(*var),
            ExprKind::Predicate(id) => Kind::Predicate(*id),
            ExprKind::Not(inner) => return lower(inner).negated(),
            ExprKind::And(left, right) => Kind::And(boxed(left), boxed(right)),
            ExprKind::Or(left, right) => Kind::Or(boxed(left), boxed(right)),
            ExprKind::Compare(operator, left, right) => return Expr::comparison(*operator, lower(left), lower(right)),
            ExprKind::Arithmetic(operator, left, right) => {
                let (operation, swapped) = Operation::of(*operator, &left.ty, &right.ty);
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                Kind::Operation(operation, boxed(left), boxed(right))
            }
            ExprKind::Len(inner) => Kind::Len(boxed(inner)),
            ExprKind::ToDecimal(inner) => Kind::ToDecimal(boxed(inner)),
            ExprKind::In(subject, whole) => match subject.part_state() {
                Some(part) => Kind::PartIn(part, *whole),
                None => Kind::In(boxed(subject), *whole),
            },
            ExprKind::Active(state) => Kind::Active(*state),
        };
        let value = match fold(expr, constants).kind {
            ExprKind::Literal(it) => Some(it),
            _ => None,
        };
        Expr { kind, ty: expr.ty.clone(), nullable: expr.optional, value }
    }

    /// A condition of this kind.
    fn condition(kind: Kind) -> Expr {
        Expr { kind, ty: Type::Bool, nullable: false, value: None }
    }

    /// A condition that is always true, or always false.
    fn always(value: bool) -> Expr {
        Expr { value: Some(Literal::Bool(value)), ..Expr::condition(Kind::Literal(Literal::Bool(value))) }
    }

    /// `not self`
    fn negated(self) -> Expr {
        match self.kind {
            Kind::Not(inner) => *inner,
            Kind::Compare(operator, left, right) => Expr::condition(Kind::Compare(operator.negated(), left, right)),
            Kind::Literal(Literal::Bool(value)) => Expr::always(!value),
            _ => Expr::condition(Kind::Not(Box::new(self))),
        }
    }

    fn comparison(operator: Compare, left: Expr, right: Expr) -> Expr {
        let equal = operator == Compare::Eq;
        let literal = |it: &Expr| if let Kind::Literal(literal) = &it.kind { Some(literal.clone()) } else { None };
        match (literal(&left), literal(&right)) {
            (Some(Literal::Null), _) => right.null_test(equal),
            (_, Some(Literal::Null)) => left.null_test(equal),
            (Some(Literal::Bool(wanted)), _) if !right.nullable => {
                if wanted == equal {
                    right
                } else {
                    right.negated()
                }
            }
            (_, Some(Literal::Bool(wanted))) if !left.nullable => {
                if wanted == equal {
                    left
                } else {
                    left.negated()
                }
            }
            _ => Expr::condition(Kind::Compare(operator, Box::new(left), Box::new(right))),
        }
    }

    /// Whether it is null, or whether it is not.
    fn null_test(self, is_null: bool) -> Expr {
        match self.kind {
            Kind::Read(var) if self.nullable => {
                let test = Expr::condition(Kind::IsNull(var));
                if is_null { test } else { test.negated() }
            }
            Kind::Literal(Literal::Null) => Expr::always(is_null),
            _ => Expr::always(!is_null),
        }
    }

    /// The part whose states it names, if it is a variable of a system with a state as its value; `inputs` are those of the
    /// transaction.
    pub fn states_of(&self, inputs: &[Input]) -> Option<PartId> {
        let (Kind::Read(var) | Kind::Known(var)) = &self.kind else { return None };
        match var {
            Var::PartState(part) | Var::PartContext(part, _) => Some(*part),
            Var::Input(idx) => inputs.get(*idx)?.of,
            Var::PartId(_) | Var::Context(_) | Var::Payload(_) => None,
        }
    }

    /// The variables that it reads or tests for null, sorted, each once.
    pub fn vars(&self) -> BTreeSet<Var> {
        let mut vars = BTreeSet::new();
        self.walk(&mut |it| match it.kind {
            Kind::Read(var) | Kind::Known(var) | Kind::IsNull(var) => drop(vars.insert(var)),
            Kind::PartIn(part, _) => drop(vars.insert(Var::PartState(part))),
            _ => {}
        });
        vars
    }

    /// The predicates that it asks, sorted, each once.
    pub fn predicates(&self) -> BTreeSet<PredicateId> {
        let mut predicates = BTreeSet::new();
        self.walk(&mut |it| {
            if let Kind::Predicate(id) = it.kind {
                predicates.insert(id);
            }
        });
        predicates
    }

    /// Whether it is the value of this field of the context, and nothing more.
    pub fn is_field(&self, field: FieldId) -> bool {
        matches!(self.kind, Kind::Read(Var::Context(it)) | Kind::Known(Var::Context(it)) if it == field)
    }

    /// Calls `visit` on this expression and everything inside, outermost first.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            Kind::Not(a) | Kind::Len(a) | Kind::ToDecimal(a) | Kind::In(a, _) => a.walk(visit),
            Kind::And(a, b) | Kind::Or(a, b) | Kind::Compare(_, a, b) | Kind::Operation(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Kind::Literal(_) | Kind::Constant(_) | Kind::Read(_) | Kind::Known(_) | Kind::IsNull(_) => {}
            Kind::Predicate(_) | Kind::PartIn(..) | Kind::Active(_) => {}
        }
    }
}

impl Operation {
    /// The operation on values of these types, and whether it takes them in the other order. The checker allows no other pair.
    fn of(operator: Arithmetic, left: &Type, right: &Type) -> (Operation, bool) {
        match (operator, left, right) {
            (Arithmetic::Add, Type::Duration, Type::Timestamp) => (Operation::Later, true),
            (Arithmetic::Add, Type::Timestamp, Type::Duration) => (Operation::Later, false),
            (Arithmetic::Sub, Type::Timestamp, Type::Duration) => (Operation::Earlier, false),
            (Arithmetic::Sub, Type::Timestamp, Type::Timestamp) => (Operation::Since, false),
            (Arithmetic::Mul, Type::Int, Type::Duration) => (Operation::Times, true),
            (Arithmetic::Mul, Type::Duration, Type::Int) => (Operation::Times, false),
            (Arithmetic::Add, ..) => (Operation::Add, false),
            (Arithmetic::Sub, ..) => (Operation::Sub, false),
            (Arithmetic::Mul, ..) => (Operation::Mul, false),
            (Arithmetic::Div, ..) => (Operation::Div, false),
            (Arithmetic::Rem, ..) => (Operation::Rem, false),
        }
    }
}
