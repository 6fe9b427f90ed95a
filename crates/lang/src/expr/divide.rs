//! Where an expression divides by zero, as a condition of the same language: `n == 0` for `total / n`.
//!
//! A condition that earlier tests exclude is omitted: `n != 0 and total / n > 3` never divides by zero.

use super::{Compare, Expr, ExprKind, fold};
use crate::source::Span;
use crate::types::{Constant, Literal, Type};

/// The condition under which the evaluation of an expression divides by zero; `None` if it never does.
pub fn divides(expr: &Expr, constants: &[Constant]) -> Option<Expr> {
    divides_where([expr], None, constants)
}

/// The condition under which the evaluation of one of these expressions divides by zero, where the guard holds.
pub fn divides_where<'e>(exprs: impl IntoIterator<Item = &'e Expr>, guard: Option<&'e Expr>, constants: &'e [Constant]) -> Option<Expr> {
    let mut search = Search::new(guard, constants);
    exprs.into_iter().fold(None, |found, expr| {
        let found = either(found, search.find(expr));
        search.evaluated(expr);
        found
    })
}

/// A divisor that may be zero.
#[derive(Debug)]
pub struct Division<'e> {
    /// The divisor.
    pub divisor: &'e Expr,
    /// The condition that it is evaluated and zero.
    pub when: Expr,
}

/// The divisors of an expression that may be zero where the guard holds, from left to right.
pub fn divisions<'e>(expr: &'e Expr, guard: Option<&'e Expr>, constants: &'e [Constant]) -> impl Iterator<Item = Division<'e>> {
    let mut search = Search::new(guard, constants);
    search.find(expr);
    std::mem::take(&mut search.divisors).into_iter().filter_map(move |divisor| {
        search.only = Some(divisor.span);
        Some(Division { divisor, when: search.find(expr)? })
    })
}

/// The conditions under which a row that is tried divides by zero: in its guard, and where that holds in its assignments.
pub fn divides_in_row<'e>(guard: Option<&'e Expr>, values: impl IntoIterator<Item = &'e Expr>, constants: &'e [Constant]) -> Vec<Expr> {
    let in_values = divides_where(values, guard, constants).map(|it| match guard {
        Some(guard) => guard.clone().and(it),
        None => it,
    });
    guard.and_then(|it| divides(it, constants)).into_iter().chain(in_values).collect()
}

/// The condition that an expression has a value and holds.
pub fn defined(expr: &Expr, constants: &[Constant]) -> Expr {
    match divides(expr, constants) {
        Some(divides) => divides.negated().and(expr.clone()),
        None => expr.clone(),
    }
}

struct Search<'e> {
    constants: &'e [Constant],
    /// The comparisons that hold at this place.
    known: Vec<(Compare, &'e Expr, &'e Expr)>,
    /// The divisors of divisions before this place.
    passed: Vec<&'e Expr>,
    /// The divisors found.
    divisors: Vec<&'e Expr>,
    /// The only divisor that counts.
    only: Option<Span>,
}

impl<'e> Search<'e> {
    fn new(guard: Option<&'e Expr>, constants: &'e [Constant]) -> Self {
        let mut search = Search { constants, known: Vec::new(), passed: Vec::new(), divisors: Vec::new(), only: None };
        if let Some(guard) = guard {
            search.learn(guard, true);
        }
        search
    }

    fn find(&mut self, expr: &'e Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Constant(_) | ExprKind::Var(_) | ExprKind::NonNull(_) => None,
            ExprKind::Predicate(_) | ExprKind::Active(_) => None,
            ExprKind::Not(inner) | ExprKind::In(inner, _) | ExprKind::Len(inner) | ExprKind::ToDecimal(inner) => self.find(inner),
            ExprKind::And(..) => self.find_in_chain(expr, true),
            ExprKind::Or(..) => self.find_in_chain(expr, false),
            ExprKind::Compare(_, left, right) => either(self.find(left), self.find(right)),
            ExprKind::Arithmetic(operator, left, right) => {
                let inside = either(self.find(left), self.find(right));
                if operator.divides() { either(inside, self.zero_divisor(right)) } else { inside }
            }
        }
    }

    /// The same for a chain of `and`, or of `or`: an operand is evaluated where all before it are `evaluated`.
    fn find_in_chain(&mut self, chain: &'e Expr, evaluated: bool) -> Option<Expr> {
        let (n_known, n_passed) = (self.known.len(), self.passed.len());
        let mut found = Vec::new();
        for operand in operands(chain) {
            found.push((operand, self.find(operand)));
            self.learn(operand, evaluated);
        }
        self.known.truncate(n_known);
        self.passed.truncate(n_passed);
        found.into_iter().rev().fold(None, |behind, (operand, own)| {
            let reached = || if evaluated { operand.clone() } else { operand.clone().negated() };
            either(own, behind.map(|it| reached().and(it)))
        })
    }

    /// The condition that a divisor is zero; `None` if it never is.
    fn zero_divisor(&mut self, divisor: &'e Expr) -> Option<Expr> {
        let divisor = bare(divisor);
        if self.only.is_some_and(|it| it != divisor.span) {
            return None;
        }
        let folded = fold(divisor, self.constants);
        if let ExprKind::Literal(literal) = &folded.kind {
            let is_zero = sign(literal) == Some(0);
            self.divisors.extend(is_zero.then_some(divisor));
            return is_zero.then(|| Expr::condition(divisor.span, ExprKind::Literal(Literal::Bool(true))));
        }
        let excludes_zero = |(operator, left, right): &(Compare, &Expr, &Expr)| {
            let number = |it: &Expr| match fold(bare(it), self.constants).kind {
                ExprKind::Literal(literal) => sign(&literal),
                _ => None,
            };
            let (left_is, right_is) = (same(left, divisor), same(right, divisor));
            (left_is && number(right).is_some_and(|it| !operator.holds(0.cmp(&it))))
                || (right_is && number(left).is_some_and(|it| !operator.holds(it.cmp(&0))))
        };
        if self.passed.iter().any(|it| same(it, divisor)) || self.known.iter().any(excludes_zero) {
            return None;
        }
        self.divisors.push(divisor);
        let zero = match divisor.ty {
            Type::Decimal => Literal::Decimal(rust_decimal::Decimal::ZERO),
            _ => Literal::Int(0),
        };
        let zero = Expr { kind: ExprKind::Literal(zero), ..divisor.clone() };
        Some(Expr::condition(divisor.span, ExprKind::Compare(Compare::Eq, Box::new(divisor.clone()), Box::new(zero))))
    }

    /// Adds the divisors of an expression that has a value: they are not zero.
    fn evaluated(&mut self, expr: &'e Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Constant(_) | ExprKind::Var(_) | ExprKind::NonNull(_) => {}
            ExprKind::Predicate(_) | ExprKind::Active(_) => {}
            // The right side may not have been evaluated.
            ExprKind::And(inner, _) | ExprKind::Or(inner, _) => self.evaluated(inner),
            ExprKind::Not(inner) | ExprKind::In(inner, _) | ExprKind::Len(inner) | ExprKind::ToDecimal(inner) => self.evaluated(inner),
            ExprKind::Compare(_, left, right) => [left, right].into_iter().for_each(|it| self.evaluated(it)),
            ExprKind::Arithmetic(operator, left, right) => {
                [left, right].into_iter().for_each(|it| self.evaluated(it));
                self.passed.extend(operator.divides().then_some(&**right));
            }
        }
    }

    /// Adds what is known where `expr` is `value`.
    fn learn(&mut self, expr: &'e Expr, value: bool) {
        self.evaluated(expr);
        match (&expr.kind, value) {
            (ExprKind::Compare(operator, left, right), true) => self.known.push((*operator, left, right)),
            (ExprKind::Compare(operator, left, right), false) => self.known.push((operator.negated(), left, right)),
            (ExprKind::And(..), true) | (ExprKind::Or(..), false) => operands(expr).into_iter().for_each(|it| self.learn(it, value)),
            (ExprKind::Not(inner), _) => self.learn(inner, !value),
            _ => {}
        }
    }
}

/// The operands of a chain of `and`, or of `or`, from left to right.
pub(crate) fn operands(chain: &Expr) -> Vec<&Expr> {
    let is_and = matches!(chain.kind, ExprKind::And(..));
    let mut operands = Vec::new();
    let mut open = vec![chain];
    while let Some(it) = open.pop() {
        match &it.kind {
            ExprKind::And(left, right) if is_and => open.extend([&**right, &**left]),
            ExprKind::Or(left, right) if !is_and => open.extend([&**right, &**left]),
            _ => operands.push(it),
        }
    }
    operands
}

/// The whole number that is converted to a decimal, or the expression itself.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::ToDecimal(inner) => bare(inner),
        _ => expr,
    }
}

/// Whether two expressions have the same value wherever both have one.
fn same(a: &Expr, b: &Expr) -> bool {
    let (a, b) = (bare(a), bare(b));
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a) | ExprKind::NonNull(a), ExprKind::Var(b) | ExprKind::NonNull(b)) => a == b,
        (ExprKind::Arithmetic(one, a, b), ExprKind::Arithmetic(other, c, d)) => {
            one == other && a.ty == c.ty && b.ty == d.ty && same(a, c) && same(b, d)
        }
        (ExprKind::Compare(one, a, b), ExprKind::Compare(other, c, d)) => one == other && same(a, c) && same(b, d),
        (ExprKind::Len(a), ExprKind::Len(b)) => same(a, b),
        (a, b) => a == b,
    }
}

/// -1, 0 or 1, if the literal is a number.
fn sign(literal: &Literal) -> Option<i64> {
    match literal {
        Literal::Int(it) => Some(it.signum()),
        Literal::Decimal(it) if it.is_zero() => Some(0),
        Literal::Decimal(it) => Some(if it.is_sign_negative() { -1 } else { 1 }),
        _ => None,
    }
}

fn either(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) if operands_of_or(&left).any(|it| same(it, &right)) => Some(left),
        (Some(left), Some(right)) => Some(left.or(right)),
        (left, right) => left.or(right),
    }
}

/// The operands of a chain of `or`, or the expression itself.
fn operands_of_or(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let operands = if matches!(expr.kind, ExprKind::Or(..)) { operands(expr) } else { vec![expr] };
    operands.into_iter()
}
