//! Single conditions: the constraints that they put on variables.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use super::domain::{Domain, End, Range};
use super::{Key, Solver};
use crate::expr::{Arithmetic, Compare, Expr, ExprKind, Var};
use crate::model::machine::Machine;
use crate::model::{Literal, PartId, StateId, Type};

/// Constraints that hold together.
type Conjunction = Vec<(Key, Domain)>;

/// A sum of variables with their factors, plus a constant.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<Var, Decimal>,
    number: Decimal,
    /// Whether a variable is a decimal or a factor has a fraction.
    fractions: bool,
}

/// Beyond this many digits, decimals round; such numbers are left to the evaluator.
const MAX_SCALE: u32 = 12;

impl Solver<'_> {
    /// The conjunctions for which a condition without `and`, `or` and `not` has the wanted truth value.
    pub(super) fn atom(&mut self, expr: &Expr, wanted: bool) -> Vec<Conjunction> {
        let found = match &expr.kind {
            ExprKind::Var(var) | ExprKind::NonNull(var) => Some(vec![vec![(Key::Choice(*var), Domain::truth(wanted))]]),
            ExprKind::Predicate(id) => Some(vec![vec![(Key::Predicate(*id), Domain::truth(wanted))]]),
            ExprKind::Active(state) => Some(vec![vec![(Key::Active(*state), Domain::truth(wanted))]]),
            ExprKind::In(subject, whole) => match self.with_regions(subject) {
                Some((part, machine)) => Some(within(part, machine, *whole, wanted)),
                None => var_of(subject).map(|var| {
                    let inside = self.world.leaves(var).into_iter().filter(|it| self.world.is_in(var, *it, *whole) == wanted);
                    vec![vec![(Key::Choice(var), Domain::Few(inside.map(|it| it.index()).collect()))]]
                }),
            },
            ExprKind::Compare(operator, left, right) => {
                let operator = if wanted { *operator } else { operator.negated() };
                self.comparison(operator, left, right)
            }
            _ => None,
        };
        let mut conjunctions = found.unwrap_or_else(|| {
            // `a > b` and `a <= b` are one condition and its negation.
            let (negated, wanted) = match &expr.kind {
                ExprKind::Compare(operator @ (Compare::Ne | Compare::Gt | Compare::Ge), left, right) => {
                    let kind = ExprKind::Compare(operator.negated(), left.clone(), right.clone());
                    (Some(Expr { kind, ..expr.clone() }), !wanted)
                }
                _ => (None, wanted),
            };
            vec![vec![(Key::Opaque(self.opaque(negated.as_ref().unwrap_or(expr))), Domain::truth(wanted))]]
        });
        // These variables are known not to be null where the expression is evaluated.
        expr.walk(&mut |it| {
            if let ExprKind::NonNull(var) = &it.kind {
                conjunctions.iter_mut().for_each(|conjunction| conjunction.push((Key::Null(*var), Domain::truth(false))));
            }
        });
        conjunctions
    }

    /// The part whose state is asked for, and its machine, if it has regions.
    fn with_regions(&self, subject: &Expr) -> Option<(PartId, &Machine)> {
        let part = subject.part_state()?;
        Some((part, self.world.machine_with_regions(part)?))
    }

    fn comparison(&mut self, operator: Compare, left: &Expr, right: &Expr) -> Option<Vec<Conjunction>> {
        let null = |it: &Expr| matches!(it.kind, ExprKind::Literal(Literal::Null));
        if null(left) || null(right) {
            let var = var_of(if null(left) { right } else { left })?;
            return Some(vec![vec![(Key::Null(var), Domain::truth(operator == Compare::Eq))]]);
        }
        if left.optional && right.optional {
            return self.sameness(operator, left, right);
        }
        let conjunction = self.values(operator, left, right);
        let optional = [left, right].into_iter().find(|it| it.optional).and_then(var_of);
        let Some(var) = optional else { return conjunction };
        // One of the two may be null, and null equals no value.
        let known = (Key::Null(var), Domain::truth(false));
        let mut conjunctions = conjunction?;
        conjunctions.iter_mut().for_each(|it| it.push(known.clone()));
        if operator == Compare::Ne {
            conjunctions.push(vec![(Key::Null(var), Domain::truth(true))]);
        }
        Some(conjunctions)
    }

    /// A comparison of two values, neither of which is null.
    fn values(&mut self, operator: Compare, left: &Expr, right: &Expr) -> Option<Vec<Conjunction>> {
        if let Some(found) = length(operator, left, right) {
            return Some(vec![vec![found]]);
        }
        if matches!(left.ty, Type::Int | Type::Decimal | Type::Duration | Type::Timestamp) {
            return self.numbers(operator, left, right).map(|it| vec![vec![it]]);
        }
        let (var, literal) = match (&left.kind, &right.kind) {
            (ExprKind::Literal(literal), _) => (var_of(right), literal),
            (_, ExprKind::Literal(literal)) => (var_of(left), literal),
            _ => return self.sameness(operator, left, right),
        };
        let var = var?;
        let equal = operator == Compare::Eq;
        let choice = |number: usize, all: BTreeSet<usize>| Domain::Few(all.into_iter().filter(|it| (*it == number) == equal).collect());
        Some(vec![vec![match literal {
            Literal::Bool(value) => (Key::Choice(var), Domain::truth(*value == equal)),
            Literal::Enum(_, idx) => (Key::Choice(var), choice(*idx, (0..self.world.n_values(var)).collect())),
            Literal::State(state) => {
                let leaves = self.world.leaves(var).into_iter().map(|it| it.index()).collect();
                (Key::Choice(var), choice(state.index(), leaves))
            }
            Literal::Text(text) if equal => (Key::Text(var), Domain::Only(text.clone())),
            Literal::Text(text) => (Key::Text(var), Domain::Not(BTreeSet::from([text.clone()]))),
            _ => return None,
        }]])
    }

    /// Whether two variables are equal, for any type.
    fn sameness(&mut self, operator: Compare, left: &Expr, right: &Expr) -> Option<Vec<Conjunction>> {
        let (a, b) = (var_of(left)?, var_of(right)?);
        let equal = operator == Compare::Eq;
        if a == b || !matches!(operator, Compare::Eq | Compare::Ne) {
            return None;
        }
        Some(vec![vec![(Key::Same(a.min(b), a.max(b)), Domain::truth(equal))]])
    }

    /// Converts a comparison of sums to a comparison of a sum of variables with a number.
    fn numbers(&mut self, operator: Compare, left: &Expr, right: &Expr) -> Option<(Key, Domain)> {
        let mut sum = Sum::default();
        add(&mut sum, left, Decimal::ONE)?;
        add(&mut sum, right, Decimal::NEGATIVE_ONE)?;
        for var in sum.factors.keys() {
            sum.fractions |= self.world.var(*var)?.0 == Type::Decimal;
        }
        sum.fractions |= sum.factors.values().any(|it| !it.is_integer());
        let limit = Decimal::from(i64::MAX / 4);
        // Near the limits of their types, numbers saturate.
        let tame = |it: &Decimal| it.abs() < limit && it.scale() <= MAX_SCALE;
        if !tame(&sum.number) || !sum.factors.values().all(tame) {
            return None;
        }
        let (&first, &factor) = sum.factors.iter().next()?;
        let (mut number, mut operator) = (-sum.number, operator);
        let single = sum.factors.len() == 1;
        if single {
            let quotient = number.checked_div(factor)?;
            if sum.fractions && quotient.checked_mul(factor)? != number {
                return None;
            }
            number = quotient;
        }
        if factor.is_sign_negative() {
            operator = turned(operator);
            if !single {
                number = -number;
                sum.factors.values_mut().for_each(|it| *it = -*it);
            }
        }
        let mut all = Range {
            whole: !sum.fractions,
            from: End::closed(if sum.fractions { Decimal::MIN } else { Decimal::from(i64::MIN) }),
            to: End::closed(if sum.fractions { Decimal::MAX } else { Decimal::from(i64::MAX) }),
            without: BTreeSet::new(),
        };
        let mut key = Key::Amount(sum.factors.iter().map(|(var, factor)| (*var, *factor)).collect());
        if single {
            key = Key::Amount(vec![(first, Decimal::ONE)]);
            let (least, greatest) = self.world.bounds(first);
            all = least.into_iter().fold(all, |all, it| all.compare(Compare::Ge, it));
            all = greatest.into_iter().fold(all, |all, it| all.compare(Compare::Le, it));
        } else if all.whole {
            // A sum of 64-bit numbers may be larger than one.
            all.from = End::closed(Decimal::MIN.floor());
            all.to = End::closed(Decimal::MAX.floor());
        }
        Some((key, Domain::Range(all.compare(operator, number))))
    }
}

/// The conjunctions for which a part with regions is in a state or not: of each state around it that is not parallel, which child
/// it is in. They exclude each other.
fn within(part: PartId, machine: &Machine, whole: StateId, wanted: bool) -> Vec<Conjunction> {
    let outermost_first = machine.ancestors(whole).collect::<Vec<_>>().into_iter().rev();
    let among = outermost_first.map(|id| (id, machine.state(id).parent)).filter(|(_, around)| !machine.is_parallel(*around));
    let (mut so_far, mut outside) = (Conjunction::new(), Vec::new());
    for (id, around) in among {
        let key = Key::Child(part, around);
        let others = machine.inside(around).iter().filter(|it| **it != id).map(|it| it.index()).collect();
        outside.push([so_far.clone(), vec![(key.clone(), Domain::Few(others))]].concat());
        so_far.push((key, Domain::Few([id.index()].into())));
    }
    if wanted { vec![so_far] } else { outside }
}

/// The constraint of a comparison of the length of a text with a number.
fn length(operator: Compare, left: &Expr, right: &Expr) -> Option<(Key, Domain)> {
    let (text, operator, with) = match (&left.kind, &right.kind) {
        (ExprKind::Len(text), ExprKind::Literal(Literal::Int(with))) => (text, operator, with),
        (ExprKind::Literal(Literal::Int(with)), ExprKind::Len(text)) => (text, turned(operator), with),
        _ => return None,
    };
    let (from, to) = (End::closed(Decimal::ZERO), End::closed(Decimal::from(i64::MAX)));
    let all = Range { whole: true, from, to, without: BTreeSet::new() };
    Some((Key::Length(var_of(text)?), Domain::Range(all.compare(operator, Decimal::from(*with)))))
}

/// Adds an expression, times a factor, to a sum. A variable that occurs twice is not handled: near
/// the limit of its type, `x + 1 > x` does not hold.
fn add(sum: &mut Sum, expr: &Expr, factor: Decimal) -> Option<()> {
    match &expr.kind {
        ExprKind::Literal(literal) => sum.number = sum.number.checked_add(number(literal)?.checked_mul(factor)?)?,
        ExprKind::Var(var) | ExprKind::NonNull(var) => {
            if factor.is_zero() || sum.factors.insert(*var, factor).is_some() {
                return None;
            }
        }
        ExprKind::ToDecimal(inner) => add(sum, inner, factor)?,
        ExprKind::Arithmetic(Arithmetic::Add, left, right) => {
            add(sum, left, factor)?;
            add(sum, right, factor)?;
        }
        ExprKind::Arithmetic(Arithmetic::Sub, left, right) => {
            add(sum, left, factor)?;
            add(sum, right, -factor)?;
        }
        ExprKind::Arithmetic(Arithmetic::Mul, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Literal(literal), _) => add(sum, right, factor.checked_mul(number(literal)?)?)?,
            (_, ExprKind::Literal(literal)) => add(sum, left, factor.checked_mul(number(literal)?)?)?,
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

fn number(literal: &Literal) -> Option<Decimal> {
    match literal {
        Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => Some(Decimal::from(*it)),
        Literal::Decimal(it) => Some(*it),
        _ => None,
    }
}

fn var_of(expr: &Expr) -> Option<Var> {
    match &expr.kind {
        ExprKind::Var(var) | ExprKind::NonNull(var) => Some(*var),
        _ => None,
    }
}

/// The operator with its sides swapped.
fn turned(operator: Compare) -> Compare {
    match operator {
        Compare::Lt => Compare::Gt,
        Compare::Gt => Compare::Lt,
        Compare::Le => Compare::Ge,
        Compare::Ge => Compare::Le,
        other => other,
    }
}
