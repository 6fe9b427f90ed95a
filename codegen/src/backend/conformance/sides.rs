//! Cases on both sides of a comparison: a guard that is one step too wide or too narrow gives another result in one of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use statespec_lang::expr::{Env, Expr, ExprKind, Var, eval, eval_bool};
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::machine::Constant;
use statespec_lang::model::{Machine, PartId, PredicateId, StateId, TransitionId, Value};

use super::case::{Call, TestCase};

/// The nearest case on each side of each comparison.
#[derive(Default)]
pub(super) struct Sides {
    nearest: BTreeMap<Side, (Decimal, TestCase)>,
}

/// A comparison, by its row and its position in the guard, and how its sides compare.
type Side = (Option<StateId>, TransitionId, usize, Ordering);

impl Sides {
    /// Keeps a case if it is the nearest so far on a side of a comparison that decides about a row.
    pub(super) fn put(&mut self, machine: &Machine, case: &TestCase) {
        let values = Values::of(machine, case.before.as_ref(), &case.call);
        let leaves: Vec<Option<StateId>> = values.before.map_or_else(|| vec![None], |it| it.configuration.leaves().map(Some).collect());
        for leaf in leaves {
            for edge in values.request.candidates(machine, leaf) {
                let Some(guard) = &machine.transition(edge.transition).guard else { break };
                let Ok(taken) = eval_bool(guard, &values) else { break };
                for (idx, comparison) in comparisons(guard).into_iter().enumerate() {
                    let decides = || holds_with(guard, comparison, &values).is_some_and(|it| it != taken);
                    if let Some((ordering, distance)) = sides(comparison, &values)
                        && decides()
                    {
                        self.keep((leaf, edge.transition, idx, ordering), distance, case);
                    }
                }
                // Behind the row that is taken, no guard is asked.
                if taken {
                    break;
                }
            }
        }
    }

    fn keep(&mut self, side: Side, distance: Decimal, case: &TestCase) {
        match self.nearest.get(&side) {
            Some((nearest, _)) if *nearest <= distance => {}
            _ => _ = self.nearest.insert(side, (distance, case.clone())),
        }
    }

    /// The calls between those on two sides of a comparison that are next to its boundary, as far as one value alone leads from one
    /// side to the other.
    pub(super) fn between(&self, machine: &Machine) -> Vec<(Option<Instance>, Call)> {
        let mut found = Vec::new();
        for ((leaf, row, idx, _), (_, first)) in &self.nearest {
            let of_comparison = (*leaf, *row, *idx, Ordering::Less)..=(*leaf, *row, *idx, Ordering::Greater);
            let Some(guard) = &machine.transition(*row).guard else { continue };
            let Some(comparison) = comparisons(guard).get(*idx).copied() else { continue };
            for (_, second) in self.nearest.range(of_comparison).map(|it| it.1) {
                for var in variables(comparison) {
                    found.extend(Line::between(machine, first, second, var).into_iter().flat_map(|it| it.last_on_the_side(comparison)));
                }
            }
        }
        found
    }

    pub(super) fn cases(self) -> impl Iterator<Item = TestCase> {
        self.nearest.into_values().map(|it| it.1)
    }
}

/// The inputs of one case, with one value that varies.
struct Line<'a> {
    machine: &'a Machine,
    case: &'a TestCase,
    var: Var,
    /// The digits behind the point; none of a whole number or a time.
    scale: Option<u32>,
    /// The value of the case and of another one, in units of the last digit.
    ends: (i128, i128),
}

impl<'a> Line<'a> {
    fn between(machine: &'a Machine, case: &'a TestCase, other: &TestCase, var: Var) -> Option<Self> {
        let read = |it: &TestCase| Values::of(machine, it.before.as_ref(), &it.call).var(var);
        let (scale, ends) = match (read(case), read(other)) {
            (Value::Int(from), Value::Int(to))
            | (Value::Duration(from), Value::Duration(to))
            | (Value::Timestamp(from), Value::Timestamp(to)) => (None, (i128::from(from), i128::from(to))),
            (Value::Decimal(mut from), Value::Decimal(mut to)) => {
                let scale = from.scale().max(to.scale());
                from.rescale(scale);
                to.rescale(scale);
                // The extremes have no digits behind the point.
                let fits = from.scale() == scale && to.scale() == scale;
                fits.then_some((Some(scale), (from.mantissa(), to.mantissa())))?
            }
            _ => return None,
        };
        Some(Line { machine, case, var, scale, ends })
    }

    /// The inputs with another value.
    fn at(&self, position: i128) -> Option<(Option<Instance>, Call)> {
        let (mut before, mut call) = (self.case.before.clone(), self.case.call.clone());
        let place = match (self.var, &mut call) {
            (Var::Context(field), _) => before.as_mut()?.context.get_mut(field.index())?,
            (Var::Payload(field), Call::Event { event, payload, .. }) => payload.get_mut(self.machine.payload_position(*event, field)?)?,
            _ => return None,
        };
        *place = match (&*place, self.scale) {
            (Value::Int(_), None) => Value::Int(i64::try_from(position).ok()?),
            (Value::Duration(_), None) => Value::Duration(i64::try_from(position).ok()?),
            (Value::Timestamp(_), None) => Value::Timestamp(i64::try_from(position).ok()?),
            (Value::Decimal(_), Some(scale)) => Value::Decimal(Decimal::try_from_i128_with_scale(position, scale).ok()?),
            _ => return None,
        };
        Some((before, call))
    }

    /// The last inputs that compare as the case does, and the first that do not.
    fn last_on_the_side(&self, comparison: &Expr) -> Vec<(Option<Instance>, Call)> {
        let compared = |position: i128| {
            let (before, call) = self.at(position)?;
            Some(sides(comparison, &Values::of(self.machine, before.as_ref(), &call))?.0)
        };
        let (mut near, mut far) = self.ends;
        let side = compared(near);
        if side.is_none() || compared(far).is_none_or(|it| Some(it) == side) {
            return Vec::new();
        }
        while near.abs_diff(far) > 1 {
            let middle = near + (far - near) / 2;
            *(if compared(middle) == side { &mut near } else { &mut far }) = middle;
        }
        [near, far].into_iter().filter_map(|it| self.at(it)).collect()
    }
}

/// The variables that an expression reads.
fn variables(expr: &Expr) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |it| {
        if let ExprKind::Var(var) | ExprKind::NonNull(var) = it.kind {
            found.insert(var);
        }
    });
    found
}

/// The comparisons in a condition, in order.
fn comparisons(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Compare(..) => vec![condition],
        ExprKind::Not(inner) => comparisons(inner),
        ExprKind::And(left, right) | ExprKind::Or(left, right) => [comparisons(left), comparisons(right)].concat(),
        _ => Vec::new(),
    }
}

/// How the two sides of a comparison of numbers or times compare, and how far they are from each other.
fn sides(comparison: &Expr, values: &Values<'_>) -> Option<(Ordering, Decimal)> {
    let ExprKind::Compare(_, left, right) = &comparison.kind else { return None };
    let number = |it: &Expr| match eval(it, values).ok()? {
        Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => Some(Decimal::from(it)),
        Value::Decimal(it) => Some(it),
        _ => None,
    };
    let (left, right) = (number(left)?, number(right)?);
    Some((left.cmp(&right), left.saturating_sub(right).abs()))
}

/// Whether a condition holds if one comparison in it were the other way round; `None` if it divides by zero.
fn holds_with(condition: &Expr, other: &Expr, values: &Values<'_>) -> Option<bool> {
    let holds = |it: &Expr| holds_with(it, other, values);
    match &condition.kind {
        _ if std::ptr::eq(condition, other) => eval_bool(condition, values).ok().map(|it| !it),
        ExprKind::Not(inner) => holds(inner).map(|it| !it),
        ExprKind::And(left, right) => Some(holds(left)? && holds(right)?),
        ExprKind::Or(left, right) => Some(holds(left)? || holds(right)?),
        _ => eval_bool(condition, values).ok(),
    }
}

/// What guards read in one case.
struct Values<'a> {
    machine: &'a Machine,
    before: Option<&'a Instance>,
    request: Request,
    payload: &'a [Value],
    holds: &'a [PredicateId],
}

impl<'a> Values<'a> {
    fn of(machine: &'a Machine, before: Option<&'a Instance>, call: &'a Call) -> Self {
        let (request, payload, holds) = call.parts();
        Values { machine, before, request, payload, holds }
    }
}

impl Env for Values<'_> {
    fn var(&self, var: Var) -> Value {
        let value = match (var, self.request) {
            (Var::Context(field), _) => match self.before {
                Some(it) => it.context.get(field.index()).cloned(),
                None => self.machine.fields.get(field.index()).and_then(|it| it.default.as_ref()?.to_value()),
            },
            (Var::Payload(field), Request::Event(event)) => {
                self.machine.payload_position(event, field).and_then(|it| self.payload.get(it).cloned())
            }
            _ => None,
        };
        value.unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn predicate(&self, predicate: PredicateId) -> bool {
        self.holds.contains(&predicate)
    }

    fn is_in(&self, _: &Expr, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }

    fn part_is_in(&self, _: PartId, _: StateId) -> bool {
        // Expressions of a machine do not read parts.
        false
    }

    fn is_active(&self, state: StateId) -> bool {
        self.before.is_some_and(|it| self.machine.is_active(&it.configuration, state))
    }
}
