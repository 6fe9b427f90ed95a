//! Values worth trying: those that guards compare with, and their neighbours.

use std::collections::BTreeSet;

use statespec::Decimal;
use statespec_codegen::expr::{Expr, ExprKind, fold};
use statespec_codegen::model::machine::Field;
use statespec_codegen::model::{EnumId, Literal, Machine, Type, Value};

/// A small generator of numbers: the same seed tells the same story everywhere.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts a story.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// The values to try for a machine.
pub struct Cases<'m> {
    machine: &'m Machine,
    literals: BTreeSet<Value>,
}

impl<'m> Cases<'m> {
    /// Collects what the machine's expressions mention.
    pub fn new(machine: &'m Machine) -> Self {
        let mut literals = BTreeSet::new();
        let mut collect = |expr: &Expr| {
            fold(expr, &machine.constants).walk(&mut |it| {
                if let ExprKind::Literal(literal) = &it.kind {
                    literals.extend(literal.to_value());
                }
            });
        };
        for row in &machine.transitions {
            row.guard.iter().for_each(&mut collect);
            row.set.iter().for_each(|(_, expr)| collect(expr));
        }
        literals.extend(machine.constants.iter().filter_map(|it| it.value.to_value()));
        literals.extend(machine.fields.iter().filter_map(|it| it.default.as_ref().and_then(Literal::to_value)));
        Cases { machine, literals }
    }

    /// The values to try for a field.
    pub fn of(&self, field: &Field) -> Vec<Value> {
        let mut values: BTreeSet<Value> = BTreeSet::new();
        if field.optional {
            values.insert(Value::Null);
        }
        let literals = self.literals.iter();
        match &field.ty {
            Type::Bool => values.extend([Value::Bool(false), Value::Bool(true)]),
            Type::Int => {
                let near = literals.filter_map(|it| if let Value::Int(it) = it { Some(*it) } else { None });
                let near = near.flat_map(|it| [it.saturating_sub(1), it, it.saturating_add(1)]);
                values.extend(near.chain([-1, 0, 1, 7, i64::MIN, i64::MAX]).map(Value::Int));
            }
            Type::Decimal => {
                let step = Decimal::new(1, 4);
                let near = literals.filter_map(|it| if let Value::Decimal(it) = it { Some(*it) } else { None });
                let near = near.flat_map(|it| [it - step, it, it + step]);
                let others = [Decimal::ZERO, Decimal::ONE, -Decimal::ONE, Decimal::MAX, Decimal::MIN, Decimal::new(700, 3)];
                values.extend(near.chain(others).map(Value::Decimal));
            }
            Type::Text => {
                values.extend(literals.filter(|it| matches!(it, Value::Text(_))).cloned());
                values.extend(["", "a", "|`{} \"<b>\u{e9}"].map(|it| Value::Text(it.to_owned())));
            }
            Type::Duration => {
                let near = literals.filter_map(|it| if let Value::Duration(it) = it { Some(*it) } else { None });
                values.extend(near.flat_map(|it| [it - 1, it, it + 1]).chain([0, i64::MAX, i64::MIN]).map(Value::Duration));
            }
            Type::Timestamp => values.extend([0, 1, 90_000_000, 300_000_001, i64::MAX, i64::MIN].map(Value::Timestamp)),
            Type::Reference => values.extend([1, 2].map(Value::Reference)),
            Type::State => values.extend(self.machine.leaves().map(Value::State)),
            Type::Enum(id) => values.extend(self.choices(*id)),
            Type::Event | Type::List(_) => {}
        }
        values.into_iter().collect()
    }

    fn choices(&self, id: EnumId) -> impl Iterator<Item = Value> + use<> {
        (0..self.machine.enums[id.index()].values.len()).map(move |idx| Value::Enum(id, idx))
    }

    /// Values for all fields: every combination if there are at most `limit`, else that many at random.
    pub fn combinations(&self, fields: &[&Field], limit: usize, random: &mut Random) -> Vec<Vec<Value>> {
        let choices: Vec<Vec<Value>> = fields.iter().map(|it| self.of(it)).collect();
        let n_all = choices.iter().try_fold(1usize, |product, it| product.checked_mul(it.len()).filter(|it| *it <= limit));
        match n_all {
            Some(n_all) => (0..n_all).map(|number| nth(&choices, number)).collect(),
            None => (0..limit).map(|_| choices.iter().map(|it| it[random.below(it.len())].clone()).collect()).collect(),
        }
    }
}

/// One combination, counting like an odometer.
fn nth(choices: &[Vec<Value>], mut number: usize) -> Vec<Value> {
    choices
        .iter()
        .map(|it| {
            let value = it[number % it.len()].clone();
            number /= it.len();
            value
        })
        .collect()
}
