//! Witnesses: values chosen from a case and verified on the evaluator.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::domain::{Domain, Range};
use super::{Case, Key, TooMany, World};
use crate::expr::{Env, Expr, ExprKind, Var, eval_bool};
use crate::model::machine::Constant;
use crate::model::{EnumId, PartId, PredicateId, StateId, Type, Value};

/// Values for which conditions hold, and answers to the predicates in them.
#[derive(Debug, Clone, Default)]
pub(in crate::check) struct Witness {
    pub(in crate::check) values: BTreeMap<Var, Value>,
    pub(in crate::check) answers: BTreeMap<PredicateId, bool>,
    /// The states that are active, of those that the conditions ask for.
    pub(in crate::check) active: BTreeSet<StateId>,
    /// The children in which parts with regions are, as far as the conditions ask for them.
    pub(in crate::check) children: BTreeSet<(PartId, StateId)>,
}

/// The maximum number of cases, and of combinations of values for each, that are tried.
const MAX_CASES: usize = 16;
const MAX_TRIES: usize = 512;
/// The maximum length of a text that is tried.
const MAX_LENGTH: usize = 1_000;

/// The first combination of values for which all conditions have the given truth values.
pub(super) fn find(world: &dyn World, conditions: &[(Expr, bool)], cases: &[Case]) -> Result<Option<Witness>, TooMany> {
    let n_nodes: usize = conditions.iter().map(|(expr, _)| expr.n_nodes()).sum();
    let mut vars = BTreeSet::new();
    let mut predicates = BTreeSet::new();
    let mut asked = BTreeSet::new();
    for (expr, _) in conditions {
        vars.extend(expr.vars());
        asked.extend(expr.active());
        expr.walk(&mut |it| {
            if let ExprKind::Predicate(id) = &it.kind {
                predicates.insert(*id);
            }
        });
    }
    for case in cases.iter().take(MAX_CASES) {
        world.effort().spend(n_nodes + case.values().map(Domain::size).sum::<usize>())?;
        let mut choices: BTreeMap<Var, Vec<Value>> = vars.iter().map(|var| (*var, choices(world, case, *var))).collect();
        relate(world, case, &mut choices);
        let holds = |key: Key| matches!(case.get(&key), Some(Domain::Few(values)) if values.contains(&1));
        let answers: BTreeMap<_, _> = predicates.iter().map(|id| (*id, holds(Key::Predicate(*id)))).collect();
        let active: BTreeSet<StateId> = asked.iter().copied().filter(|it| holds(Key::Active(*it))).collect();
        let child = |(key, domain): (&Key, &Domain)| match (key, domain) {
            (Key::Child(part, _), Domain::Few(values)) => Some((*part, StateId::new(*values.first()?))),
            _ => None,
        };
        let children: BTreeSet<(PartId, StateId)> = case.iter().filter_map(child).collect();
        let n_all = choices.values().map(Vec::len).try_fold(1_usize, usize::checked_mul).unwrap_or(usize::MAX);
        for mut number in 0..n_all.min(MAX_TRIES) {
            world.effort().spend(n_nodes)?;
            // Counts like an odometer.
            let values = choices.iter().map(|(var, values)| {
                let digit = number % values.len();
                number /= values.len();
                (*var, values[digit].clone())
            });
            let witness =
                Witness { values: values.collect(), answers: answers.clone(), active: active.clone(), children: children.clone() };
            let tried = Tried { world, witness: &witness };
            if conditions.iter().all(|(expr, wanted)| eval_bool(expr, &tried) == Ok(*wanted)) {
                return Ok(Some(witness));
            }
        }
    }
    Ok(None)
}

/// The values of one variable to try in a case; at least one.
fn choices(world: &dyn World, case: &Case, var: Var) -> Vec<Value> {
    let Some((ty, optional)) = world.var(var) else { return vec![Value::Null] };
    let null = case.get(&Key::Null(var));
    let can_be = |answer: usize| null.is_none_or(|it| matches!(it, Domain::Few(values) if values.contains(&answer)));
    let mut values = Vec::new();
    if can_be(0) {
        values.extend(of_type(world, case, var, &ty));
    }
    if (optional && can_be(1)) || values.is_empty() {
        values.push(Value::Null);
    }
    values
}

fn of_type(world: &dyn World, case: &Case, var: Var, ty: &Type) -> Vec<Value> {
    let few = |all: Vec<usize>| -> Vec<usize> {
        let allowed = |it: &usize| match case.get(&Key::Choice(var)) {
            Some(Domain::Few(values)) => values.contains(it),
            _ => true,
        };
        all.into_iter().filter(allowed).take(8).collect()
    };
    match ty {
        Type::Bool => few(vec![0, 1]).into_iter().map(|it| Value::Bool(it == 1)).collect(),
        Type::Enum(id) => few((0..world.n_values(var)).collect()).into_iter().map(|it| Value::Enum(EnumId(id.0), it)).collect(),
        Type::State => {
            few(world.leaves(var).into_iter().map(StateId::index).collect()).into_iter().map(|it| Value::State(StateId::new(it))).collect()
        }
        Type::Text => match (case.get(&Key::Text(var)), case.get(&Key::Length(var))) {
            (Some(Domain::Only(text)), _) => vec![Value::Text(text.clone())],
            (not, Some(Domain::Range(lengths))) => {
                let without = if let Some(Domain::Not(texts)) = not { texts } else { &BTreeSet::new() };
                let lengths = lengths.samples().into_iter().filter_map(|it| it.to_usize()).filter(|it| *it <= MAX_LENGTH);
                let texts: Vec<Value> = lengths.filter_map(|it| text_of_length(it, without)).map(Value::Text).collect();
                // Without any, some text: the evaluator rejects it, and null is no value of a field that is never null.
                if texts.is_empty() { vec![Value::Text(String::new())] } else { texts }
            }
            (Some(Domain::Not(without)), _) => {
                let word = (0..).map(|it| "x".repeat(it)).find(|it| !without.contains(it));
                word.map(Value::Text).into_iter().collect()
            }
            _ => vec![Value::Text(String::new())],
        },
        Type::Reference => vec![Value::Reference(1), Value::Reference(2)],
        Type::Int | Type::Decimal | Type::Duration | Type::Timestamp => {
            let samples = match case.get(&Key::Amount(vec![(var, Decimal::ONE)])) {
                Some(Domain::Range(range)) => range.samples(),
                _ => {
                    let (least, greatest) = world.bounds(var);
                    let inside = |it: &Decimal| least.is_none_or(|least| *it >= least) && greatest.is_none_or(|most| *it <= most);
                    let usual = [Decimal::ZERO, Decimal::ONE].into_iter().chain(least).chain(greatest);
                    usual.filter(inside).collect()
                }
            };
            samples.into_iter().filter_map(|it| amount(it, ty)).collect()
        }
        Type::Event | Type::List(_) => Vec::new(),
    }
}

/// A text of this length that is none of the others, if there is one.
fn text_of_length(length: usize, without: &BTreeSet<String>) -> Option<String> {
    let Some(before) = length.checked_sub(1) else { return Some(String::new()).filter(|it| !without.contains(it)) };
    let before = "x".repeat(before);
    ('x'..=char::MAX).map(|last| format!("{before}{last}")).find(|it| !without.contains(it))
}

fn amount(number: Decimal, ty: &Type) -> Option<Value> {
    if *ty == Type::Decimal {
        return Some(Value::Decimal(number));
    }
    let number = number.to_i64().filter(|_| number.is_integer())?;
    Some(match ty {
        Type::Int => Value::Int(number),
        Type::Duration => Value::Duration(number),
        _ => Value::Timestamp(number),
    })
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => Some(Decimal::from(*it)),
        Value::Decimal(it) => Some(*it),
        _ => None,
    }
}

/// Where a case constrains two variables together, adds values of the first that fit the second's,
/// and equal values where the two must be equal.
fn relate(world: &dyn World, case: &Case, choices: &mut BTreeMap<Var, Vec<Value>>) {
    for (key, domain) in case {
        let mut found = Vec::new();
        match (key, domain) {
            (Key::Amount(sum), Domain::Range(range)) => {
                let &[(a, a_factor), (b, b_factor)] = sum.as_slice() else { continue };
                let Some((ty, _)) = world.var(a) else { continue };
                let numbers: Vec<Decimal> = choices.get(&b).into_iter().flatten().filter_map(number).take(4).collect();
                for total in near(range) {
                    // a · a_factor + b · b_factor = total
                    let solved = |b: &Decimal| total.checked_sub(b.checked_mul(b_factor)?)?.checked_div(a_factor);
                    found.extend(numbers.iter().filter_map(solved).filter_map(|it| amount(it, &ty)));
                }
                extend(choices, a, found);
            }
            (Key::Same(a, b), Domain::Few(values)) if values.contains(&1) => {
                found.extend(choices.get(b).into_iter().flatten().cloned());
                extend(choices, *a, found);
            }
            _ => {}
        }
    }
}

/// Sample totals of a range.
fn near(range: &Range) -> Vec<Decimal> {
    range.samples().into_iter().take(4).collect()
}

fn extend(choices: &mut BTreeMap<Var, Vec<Value>>, var: Var, found: Vec<Value>) {
    if let Some(known) = choices.get_mut(&var) {
        for value in found {
            if !known.contains(&value) {
                known.push(value);
            }
        }
    }
}

/// The evaluator's view of a witness.
pub(super) struct Tried<'a> {
    pub(super) world: &'a dyn World,
    pub(super) witness: &'a Witness,
}

impl Env for Tried<'_> {
    fn var(&self, var: Var) -> Value {
        self.witness.values.get(&var).cloned().unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        self.world.constants()
    }

    fn predicate(&self, predicate: PredicateId) -> bool {
        self.witness.answers.get(&predicate).copied().unwrap_or(false)
    }

    fn is_in(&self, subject: &Expr, state: StateId, whole: StateId) -> bool {
        match &subject.kind {
            ExprKind::Var(var) | ExprKind::NonNull(var) => self.world.is_in(*var, state, whole),
            _ => false,
        }
    }

    fn part_is_in(&self, part: PartId, whole: StateId) -> bool {
        match self.world.machine_with_regions(part) {
            Some(machine) => {
                let mut among = machine.ancestors(whole).filter(|it| !machine.is_region(*it));
                among.all(|it| self.witness.children.contains(&(part, it)))
            }
            None => {
                let var = Var::PartState(part);
                matches!(self.witness.values.get(&var), Some(Value::State(state)) if self.world.is_in(var, *state, whole))
            }
        }
    }

    fn is_active(&self, state: StateId) -> bool {
        self.witness.active.contains(&state)
    }
}
