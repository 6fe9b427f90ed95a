//! Sums of variables with whole factors, and where they change their sign.
//!
//! Arithmetic is exact and has no limits here; a number too large for it is not a sum.

use std::collections::BTreeMap;

use num_rational::Ratio;
use num_traits::{CheckedAdd as _, CheckedMul as _, CheckedSub as _, Signed as _, Zero as _};
use rust_decimal::Decimal;
use statespec_lang::expr::{Arithmetic, Expr, ExprKind, Var};
use statespec_lang::model::{Literal, Type, Value};
use statespec_lang::types::Constant;

/// An exact number.
pub(super) type Number = Ratio<i128>;

/// Factors and constants beyond this are not handled, so that no product of two of them overflows.
const LIMIT: i128 = 1 << 60;

/// A sum of variables, times a factor each, and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sum {
    factors: BTreeMap<Var, Number>,
    constant: Number,
}

/// A sum of which only the sign matters: its factors are whole, have no common divisor, and the first is positive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    factors: Vec<(Var, i128)>,
    constant: Number,
}

impl Sum {
    /// The expression as a sum, if it is one.
    pub(super) fn of(expr: &Expr, constants: &[Constant]) -> Option<Sum> {
        let of = |it: &Expr| Sum::of(it, constants);
        match &expr.kind {
            ExprKind::Literal(literal) => Sum::number(number_of(&literal.to_value()?)?),
            ExprKind::Constant(id) => Sum::number(number_of(&constants.get(id.index())?.value.to_value()?)?),
            ExprKind::Var(var) | ExprKind::NonNull(var) => Some(Sum::var(*var)),
            ExprKind::ToDecimal(inner) => of(inner),
            ExprKind::Arithmetic(Arithmetic::Add, left, right) => of(left)?.plus(&of(right)?, &Number::from(1)),
            ExprKind::Arithmetic(Arithmetic::Sub, left, right) => of(left)?.plus(&of(right)?, &Number::from(-1)),
            ExprKind::Arithmetic(Arithmetic::Mul, left, right) => {
                let (left, right) = (of(left)?, of(right)?);
                let (factor, sum) = if left.factors.is_empty() { (left.constant, right) } else { (right.as_constant()?, left) };
                Sum::default().plus(&sum, &factor)
            }
            _ => None,
        }
    }

    pub(super) fn var(var: Var) -> Sum {
        Sum { factors: BTreeMap::from([(var, Number::from(1))]), constant: Number::zero() }
    }

    pub(super) fn number(constant: Number) -> Option<Sum> {
        is_small(&constant).then_some(Sum { factors: BTreeMap::new(), constant })
    }

    fn as_constant(&self) -> Option<Number> {
        self.factors.is_empty().then_some(self.constant)
    }

    /// This sum and a multiple of another.
    pub(super) fn plus(&self, other: &Sum, factor: &Number) -> Option<Sum> {
        let mut sum = self.clone();
        let add = |to: &Number, it: &Number| to.checked_add(&it.checked_mul(factor)?).filter(is_small);
        sum.constant = add(&sum.constant, &other.constant)?;
        for (var, it) in &other.factors {
            let entry = sum.factors.entry(*var).or_default();
            *entry = add(entry, it)?;
        }
        sum.factors.retain(|_, it| !it.is_zero());
        Some(sum)
    }

    pub(super) fn constant_part(&self) -> Number {
        self.constant
    }

    pub(super) fn factors(&self) -> impl Iterator<Item = (Var, Number)> + '_ {
        self.factors.iter().map(|(var, it)| (*var, *it))
    }

    pub(super) fn factor_is_negative(&self, var: Var) -> bool {
        self.factors.get(&var).is_some_and(|it| it.is_negative())
    }

    /// The variables that it reads.
    pub(super) fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.factors.keys().copied()
    }

    /// The forms whose signs determine the sign of this sum: one, or two where only whole numbers occur and the sum is
    /// never zero. None if it has no variable.
    pub(super) fn forms(&self, is_whole: &dyn Fn(Var) -> bool) -> Option<Vec<Form>> {
        let mut common = 1_i128;
        for it in self.factors.values() {
            common = num_integer::lcm(common, *it.denom());
            if common > LIMIT {
                return None;
            }
        }
        let Some(first) = self.factors.values().next() else { return Some(Vec::new()) };
        let scaled: Vec<(Var, i128)> = self.factors.iter().map(|(var, it)| (*var, it.numer() * (common / it.denom()))).collect();
        let divisor = scaled.iter().fold(0, |divisor, (_, it)| num_integer::gcd(divisor, *it)) * if first.is_negative() { -1 } else { 1 };
        let factors: Vec<(Var, i128)> = scaled.into_iter().map(|(var, it)| (var, it / divisor)).collect();
        let constant = self.constant.checked_mul(&Ratio::new(common, divisor)).filter(is_small)?;
        let form = |constant| Form { factors: factors.clone(), constant };
        Some(match factors.iter().all(|(var, _)| is_whole(*var)) && !constant.is_integer() {
            true => vec![form(constant.floor()), form(constant.ceil())],
            false => vec![form(constant)],
        })
    }
}

impl Form {
    /// The factor of a variable; 0 if the form does not read it.
    pub(super) fn factor(&self, var: Var) -> i128 {
        self.factors.iter().find(|it| it.0 == var).map_or(0, |it| it.1)
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.factors.iter().map(|it| it.0)
    }

    /// The factors, without the constant.
    pub(super) fn shape(&self) -> &[(Var, i128)] {
        &self.factors
    }

    pub(super) fn sum(&self) -> Sum {
        Sum { factors: self.factors.iter().map(|(var, it)| (*var, Number::from(*it))).collect(), constant: self.constant }
    }

    /// The form with sums in place of some variables. `None` if it becomes too large.
    pub(super) fn replace(&self, by: &dyn Fn(Var) -> Option<Sum>) -> Option<Sum> {
        let mut sum = Sum { factors: BTreeMap::new(), constant: self.constant };
        for (var, factor) in &self.factors {
            sum = sum.plus(&by(*var).unwrap_or_else(|| Sum::var(*var)), &Number::from(*factor))?;
        }
        Some(sum)
    }

    /// Its value; `None` if a variable has none, or the value is too large.
    pub(super) fn value(&self, of: &dyn Fn(Var) -> Option<Number>) -> Option<Number> {
        self.factors.iter().try_fold(self.constant, |value, (var, it)| value.checked_add(&of(*var)?.checked_mul(&Number::from(*it))?))
    }

    /// Where the form is zero, as a value of `var`, if the other variables are known.
    pub(super) fn root(&self, var: Var, of: &dyn Fn(Var) -> Option<Number>) -> Option<Number> {
        let rest = self.value(&|it| if it == var { Some(Number::zero()) } else { of(it) })?;
        rest.checked_mul(&Ratio::new(-1, 1).checked_mul(&Ratio::new(1, self.factor(var)))?)
    }

    /// The difference of the roots of two forms that both read `var`, as a sum without it.
    pub(super) fn distance(&self, other: &Form, var: Var) -> Option<Sum> {
        let scaled = |it: &Form| Sum::default().plus(&it.sum(), &Ratio::new(1, it.factor(var)));
        scaled(self)?.plus(&scaled(other)?, &Number::from(-1))
    }
}

fn is_small(number: &Number) -> bool {
    number.numer().abs() <= LIMIT && *number.denom() <= LIMIT
}

/// The number that a value stands for: times and durations in microseconds.
pub(super) fn number_of(value: &Value) -> Option<Number> {
    Some(match value {
        Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => Number::from(i128::from(*it)),
        Value::Decimal(it) => {
            let it = it.normalize();
            Ratio::new(it.mantissa(), 10_i128.checked_pow(it.scale())?)
        }
        _ => return None,
    })
}

/// The value of this type that stands for a number, if it has one.
pub(super) fn value_of(ty: &Type, number: &Number) -> Option<Value> {
    if *ty == Type::Decimal {
        return decimal(number).map(Value::Decimal);
    }
    let whole = number.is_integer().then(|| i64::try_from(number.to_integer()).ok()).flatten()?;
    Some(match ty {
        Type::Int => Value::Int(whole),
        Type::Duration => Value::Duration(whole),
        Type::Timestamp => Value::Timestamp(whole),
        _ => return None,
    })
}

/// The decimal that is exactly this number.
fn decimal(number: &Number) -> Option<Decimal> {
    let mut scaled = *number;
    for scale in 0..=28 {
        if scaled.is_integer() {
            return Decimal::try_from_i128_with_scale(scaled.to_integer(), scale).ok();
        }
        scaled = scaled.checked_mul(&Number::from(10))?;
    }
    None
}

/// The shortest decimal between two numbers, of which neither need be a decimal: a third is none.
fn decimal_between(from: &Number, to: &Number) -> Option<Number> {
    let mut unit = Number::from(1);
    for _ in 0..=28 {
        let above = from.checked_mul(&unit.recip())?.floor().checked_add(&Number::from(1))?.checked_mul(&unit)?;
        if above < *to {
            return Some(above);
        }
        unit = unit.checked_mul(&Ratio::new(1, 10))?;
    }
    None
}

/// Whether a type has numbers; of these, whether they are whole.
pub(super) fn is_number(ty: &Type) -> bool {
    is_whole(ty) || *ty == Type::Decimal
}

/// Whether the values of a type are whole numbers.
pub(super) fn is_whole(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Duration | Type::Timestamp)
}

/// One number of every interval between the points, and the points themselves, sorted: the values that guards with these
/// borders can tell apart. Points that the type does not have are left out, and so are intervals without a value.
pub(super) fn cells(ty: &Type, points: &[Number]) -> Vec<Value> {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.dedup();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return value_of(ty, &Number::zero()).into_iter().collect();
    };
    let one = Number::from(1);
    let mut numbers = vec![first.ceil().checked_sub(&one)];
    for (idx, point) in points.iter().enumerate() {
        numbers.push(Some(*point));
        let Some(next) = points.get(idx + 1) else { continue };
        let whole = point.floor().checked_add(&one).filter(|it| it < next);
        let middle = || point.checked_add(next).and_then(|it| it.checked_mul(&Ratio::new(1, 2))).filter(|it| decimal(it).is_some());
        numbers.push(if is_whole(ty) { whole } else { whole.or_else(middle).or_else(|| decimal_between(point, next)) });
    }
    numbers.push(last.floor().checked_add(&one));
    let mut values: Vec<Value> = numbers.into_iter().flatten().filter_map(|it| value_of(ty, &it)).collect();
    values.dedup();
    values
}

/// Whether a value is so close to the limits of its type that arithmetic may saturate.
pub(super) fn is_extreme(value: &Value) -> bool {
    match value {
        Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => it.unsigned_abs() > 1 << 60,
        Value::Decimal(it) => it.mantissa().unsigned_abs() > 1 << 60 || it.scale() > 17,
        _ => false,
    }
}

/// The literal of an expression that is one.
pub(super) fn literal<'e>(expr: &'e Expr, constants: &'e [Constant]) -> Option<&'e Literal> {
    match &expr.kind {
        ExprKind::Literal(literal) => Some(literal),
        ExprKind::Constant(id) => constants.get(id.index()).map(|it| &it.value),
        _ => None,
    }
}
