//! The numbers that each field of a machine can have at all: a guard that compares a field with a number outside its range
//! distinguishes nothing.

use std::collections::BTreeMap;

use num_traits::{CheckedAdd as _, CheckedMul as _, Signed as _, Zero as _};
use statespec_lang::expr::{Compare, Expr, ExprKind, Var};
use statespec_lang::model::machine::{Field, Transition};
use statespec_lang::model::{FieldId, Literal, Machine};

use super::linear::{Form, Number, Sum, is_number, is_whole, literal, number_of};
use super::values::given_fields;

/// Rounds before growing ranges are taken to be unlimited, and rounds that narrow them again.
const ROUNDS: usize = 3;

/// The numbers from one end to the other, both included; without an end there is no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Range {
    from: Option<Number>,
    to: Option<Number>,
}

/// The range of every field that has numbers; none for a field that is always null.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranges(BTreeMap<FieldId, Range>);

impl Ranges {
    /// The ranges of a machine where code outside gives any initial values.
    pub(super) fn of(machine: &Machine) -> Ranges {
        let first = starts(machine);
        let mut ranges = first.clone();
        for round in 0..ROUNDS + 3 * machine.fields.len() + 2 {
            let next = ranges.after(machine, &first);
            if next.0 == ranges.0 {
                break;
            }
            ranges = if round < ROUNDS { next } else { ranges.widened(&next) };
        }
        for _ in 0..ROUNDS {
            ranges = ranges.after_from(machine, first.clone());
        }
        ranges
    }

    /// Whether a form is not always negative, always zero or always positive.
    pub(super) fn has_both_signs(&self, form: &Form) -> bool {
        let Some(range) = self.of_sum(&form.sum(), &BTreeMap::new()) else { return true };
        let positive = range.from.is_some_and(|it| it.is_positive());
        let negative = range.to.is_some_and(|it| it.is_negative());
        let zero = range.from.is_some_and(|it| it.is_zero()) && range.to.is_some_and(|it| it.is_zero());
        !(positive || negative || zero)
    }

    /// These ranges and what one step makes of them.
    fn after(&self, machine: &Machine, first: &Ranges) -> Ranges {
        let mut next = self.after_from(machine, first.clone());
        for (field, range) in &self.0 {
            next.include(*field, range.clone());
        }
        next
    }

    fn after_from(&self, machine: &Machine, mut next: Ranges) -> Ranges {
        for row in &machine.transitions {
            let Some(known) = self.within(machine, row) else { continue };
            for (field, value) in &row.set {
                let is_null = matches!(literal(value, &machine.constants), Some(Literal::Null));
                if is_null || !is_number(&machine.fields[field.index()].ty) {
                    continue;
                }
                let sum = Sum::of(value, &machine.constants);
                // A field that is always null gives nothing.
                let reads_nothing = value.vars().iter().any(|it| matches!(it, Var::Context(field) if !self.0.contains_key(field)));
                if !reads_nothing {
                    next.include(*field, sum.and_then(|it| self.of_sum(&it, &known)).unwrap_or_default());
                }
            }
        }
        next
    }

    /// The ranges of variables where the guard of a row holds; `None` if it never holds.
    fn within(&self, machine: &Machine, row: &Transition) -> Option<BTreeMap<Var, Range>> {
        let mut known: BTreeMap<Var, Range> = BTreeMap::new();
        let mut open: Vec<&Expr> = row.guard.iter().collect();
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::And(left, right) => open.extend([&**left, &**right]),
                ExprKind::Compare(operator, left, right) if is_number(&left.ty) => {
                    let sum = || Sum::of(left, &machine.constants)?.plus(&Sum::of(right, &machine.constants)?, &Number::from(-1));
                    let Some(forms) = sum().and_then(|it| it.forms(&|_| false)) else { continue };
                    let Some(sum) = sum() else { continue };
                    let read: Vec<Var> = sum.vars().collect();
                    let (Some(form), &[var]) = (forms.first(), &read[..]) else { continue };
                    let whole = field(machine, row, var).is_some_and(|it| is_whole(&it.ty));
                    let Some(root) = form.root(var, &|_| None) else { continue };
                    let turned = sum.factor_is_negative(var);
                    let range = known.entry(var).or_insert_with(|| self.of_var(var));
                    range.limit(*operator, turned, root, whole);
                    if matches!((range.from, range.to), (Some(from), Some(to)) if from > to) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(known)
    }

    fn of_var(&self, var: Var) -> Range {
        match var {
            Var::Context(field) => self.0.get(&field).cloned().unwrap_or_default(),
            _ => Range::default(),
        }
    }

    /// The range of a sum; `None` if its ends are too large.
    fn of_sum(&self, sum: &Sum, known: &BTreeMap<Var, Range>) -> Option<Range> {
        let constant = sum.constant_part();
        let mut all = Range { from: Some(constant), to: Some(constant) };
        for (var, factor) in sum.factors() {
            let range = known.get(&var).cloned().unwrap_or_else(|| self.of_var(var));
            let (low, high) = if factor.is_negative() { (range.to, range.from) } else { (range.from, range.to) };
            let add = |end: Option<Number>, it: Option<Number>| match (end, it) {
                (Some(end), Some(it)) => Some(Some(end.checked_add(&it.checked_mul(&factor)?)?)),
                _ => Some(None),
            };
            all = Range { from: add(all.from, low)?, to: add(all.to, high)? };
        }
        Some(all)
    }

    fn include(&mut self, field: FieldId, range: Range) {
        let Some(own) = self.0.get_mut(&field) else {
            self.0.insert(field, range);
            return;
        };
        own.from = own.from.zip(range.from).map(|(a, b)| a.min(b));
        own.to = own.to.zip(range.to).map(|(a, b)| a.max(b));
    }

    /// These ranges without the ends that have moved.
    fn widened(&self, next: &Ranges) -> Ranges {
        let kept = |old: Option<Number>, new: Option<Number>| old.filter(|_| old == new);
        let widened = next.0.iter().map(|(field, new)| match self.0.get(field) {
            Some(old) => (*field, Range { from: kept(old.from, new.from), to: kept(old.to, new.to) }),
            None => (*field, new.clone()),
        });
        Ranges(widened.collect())
    }
}

impl Range {
    /// Limits a range to the numbers that compare with another one in this way.
    fn limit(&mut self, operator: Compare, turned: bool, with: Number, whole: bool) {
        let operator = match (operator, turned) {
            (Compare::Lt, true) => Compare::Gt,
            (Compare::Le, true) => Compare::Ge,
            (Compare::Gt, true) => Compare::Lt,
            (Compare::Ge, true) => Compare::Le,
            (other, _) => other,
        };
        let one = Number::from(1);
        let strict = |it: Number| if whole { it } else { with };
        let (from, to) = match operator {
            Compare::Eq => (Some(with), Some(with)),
            Compare::Ne => (None, None),
            Compare::Lt => (None, Some(strict(with.ceil() - one))),
            Compare::Le => (None, Some(if whole { with.floor() } else { with })),
            Compare::Gt => (Some(strict(with.floor() + one)), None),
            Compare::Ge => (Some(if whole { with.ceil() } else { with }), None),
        };
        self.from = self.from.into_iter().chain(from).max();
        self.to = self.to.into_iter().chain(to).min();
    }
}

/// The initial values: defaults, and any value for a field that is given one.
fn starts(machine: &Machine) -> Ranges {
    let given = given_fields(machine);
    let mut ranges = Ranges::default();
    for (idx, field) in machine.fields.iter().enumerate().filter(|(_, it)| is_number(&it.ty)) {
        let id = FieldId::new(idx);
        let default = field.default.as_ref().and_then(|it| it.to_value());
        let number = default.as_ref().and_then(number_of);
        match number {
            _ if given.contains(&id) => ranges.include(id, Range::default()),
            Some(number) => ranges.include(id, Range { from: Some(number), to: Some(number) }),
            None => {}
        }
    }
    ranges
}

fn field<'m>(machine: &'m Machine, row: &Transition, var: Var) -> Option<&'m Field> {
    match var {
        Var::Context(field) => machine.fields.get(field.index()),
        Var::Payload(id) => machine.payload_field(*row.events().first()?, id),
        _ => None,
    }
}
