//! Cases on both sides of a comparison: a guard that is one step too wide or too narrow gives another result in one of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rust_decimal::Decimal;

use statespec_lang::expr::{Env, Expr, ExprKind, Var, eval, eval_bool};
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::machine::Constant;
use statespec_lang::model::{Machine, PartId, PredicateId, StateId, TransitionId, Value};

use super::cases::TestCase;

/// The nearest case on each side of each comparison.
#[derive(Default)]
pub(super) struct Sides {
    nearest: BTreeMap<Side, (Decimal, TestCase)>,
}

/// A comparison, by its row and its position in the guard, and how its sides compare.
type Side = (Option<StateId>, TransitionId, usize, Ordering);

impl Sides {
    /// Keeps a case if it is the nearest so far on a side of a comparison that decides about a row.
    pub(super) fn put(&mut self, machine: &Machine, request: Request, payload: &[Value], holds: &[PredicateId], case: &TestCase) {
        let before = case.before.as_ref();
        let leaves: Vec<Option<StateId>> = before.map_or_else(|| vec![None], |it| it.configuration.leaves().map(Some).collect());
        let values = Values { machine, before, request, payload, holds };
        for leaf in leaves {
            for edge in request.candidates(machine, leaf) {
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

    pub(super) fn cases(self) -> impl Iterator<Item = TestCase> {
        self.nearest.into_values().map(|it| it.1)
    }
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
        ExprKind::And(left, right) => {
            if holds(left)? {
                holds(right)
            } else {
                Some(false)
            }
        }
        ExprKind::Or(left, right) => {
            if holds(left)? {
                Some(true)
            } else {
                holds(right)
            }
        }
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
