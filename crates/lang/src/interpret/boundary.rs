//! Boundary values, for tests that compare an implementation with the interpreter.
//!
//! Each value that a guard compares with is a boundary; it is tried, and so are the values on both sides of it.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use crate::expr::{Expr, ExprKind, fold};
use crate::model::machine::Field;
use crate::model::{Literal, Machine, Type, Value};

/// The maximum number that is taken to be the length of a text.
const MAX_LENGTH: i64 = 256;

/// A text of this many Unicode scalar values. The first has four bytes, and two units in UTF-16.
fn text_of_length(length: usize) -> String {
    let first = if length == 0 { "" } else { "𝄞" };
    first.to_owned() + &"x".repeat(length.saturating_sub(1))
}

/// The boundary values of each type.
#[derive(Debug, Clone)]
pub struct BoundaryValues<'m> {
    machine: &'m Machine,
    ints: BTreeSet<i64>,
    decimals: BTreeSet<Decimal>,
    micros: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

impl<'m> BoundaryValues<'m> {
    /// Collects the boundaries of a machine, and adds the limits of every type and values that are hard to represent.
    pub fn new(machine: &'m Machine) -> Self {
        let mut boundary = BoundaryValues::without_extremes(machine);
        boundary.ints.extend([i64::MIN, -1, 0, 1, 2, i64::MAX]);
        boundary.decimals.extend([Decimal::MIN, Decimal::NEGATIVE_ONE, Decimal::ZERO, Decimal::ONE, Decimal::new(700, 3), Decimal::MAX]);
        boundary.micros.extend([i64::MIN, -1, 0, 1, i64::MAX]);
        boundary.texts.extend(["", "a", "{n} `x` | <b>\n\"ä\"'"].map(String::from));
        boundary
    }

    /// Collects only the boundaries of a machine; a type without boundaries gets one or two plain values.
    pub fn without_extremes(machine: &'m Machine) -> Self {
        let mut boundary = BoundaryValues {
            machine,
            ints: BTreeSet::from([0]),
            decimals: BTreeSet::from([Decimal::ZERO]),
            micros: BTreeSet::from([0, 1]),
            texts: BTreeSet::from(["text".to_owned()]),
        };
        let rows = &machine.transitions;
        let exprs = rows.iter().flat_map(|row| row.guard.iter().chain(row.set.iter().map(|(_, value)| value)));
        for expr in exprs {
            boundary.collect(&fold(expr, &machine.constants));
        }
        let defaults = machine.fields.iter().filter_map(|it| it.default.as_ref());
        for literal in machine.constants.iter().map(|it| &it.value).chain(defaults) {
            boundary.add(literal);
        }
        boundary
    }

    /// Adds the boundaries of another machine and of expressions, that is, of the system that contains them.
    pub fn extend(&mut self, other: &BoundaryValues<'_>, exprs: &[&Expr]) {
        self.ints.extend(&other.ints);
        self.decimals.extend(&other.decimals);
        self.micros.extend(&other.micros);
        self.texts.extend(other.texts.iter().cloned());
        exprs.iter().for_each(|it| self.collect(it));
    }

    fn collect(&mut self, expr: &Expr) {
        let (mut has_length, mut numbers) = (false, Vec::new());
        expr.walk(&mut |it| match &it.kind {
            ExprKind::Literal(literal) => {
                self.add(literal);
                numbers.extend(if let Literal::Int(it) = literal { Some(*it) } else { None });
            }
            ExprKind::Len(_) => has_length = true,
            _ => {}
        });
        if has_length {
            let lengths = numbers.into_iter().filter(|it| (0..=MAX_LENGTH).contains(it)).flat_map(|it| it - 1..=it + 1);
            self.texts.extend(lengths.filter_map(|it| usize::try_from(it).ok()).map(text_of_length));
        }
    }

    fn add(&mut self, literal: &Literal) {
        match literal {
            Literal::Int(it) => {
                self.ints.extend([it.saturating_sub(1), *it, it.saturating_add(1)]);
                self.decimals.insert(Decimal::from(*it));
            }
            Literal::Decimal(it) => {
                let step = Decimal::new(1, (it.scale() + 1).min(28));
                self.decimals.extend([it.saturating_sub(step), *it, it.saturating_add(step)]);
            }
            Literal::Duration(it) | Literal::Timestamp(it) => {
                self.micros.extend([it.saturating_sub(1), *it, it.saturating_add(1)]);
            }
            Literal::Text(it) => {
                self.texts.insert(it.clone());
            }
            Literal::Null | Literal::Bool(_) | Literal::Enum(..) | Literal::State(_) | Literal::Event(_) | Literal::List(_) => {}
        }
    }

    /// The boundary values of a field.
    pub fn of(&self, field: &Field) -> Vec<Value> {
        let mut values: Vec<Value> = match &field.ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => self.ints.iter().copied().map(Value::Int).collect(),
            Type::Decimal => self.decimals.iter().copied().map(Value::Decimal).collect(),
            Type::Text => self.texts.iter().cloned().map(Value::Text).collect(),
            Type::Duration => self.micros.iter().copied().map(Value::Duration).collect(),
            Type::Timestamp => self.micros.iter().copied().map(Value::Timestamp).collect(),
            Type::Reference => [0, 1, 2, u64::MAX].map(Value::Reference).into(),
            Type::State => self.machine.leaves().map(Value::State).collect(),
            Type::Enum(id) => {
                let n_values = self.machine.enums.get(id.index()).map_or(0, |it| it.values.len());
                (0..n_values).map(|idx| Value::Enum(*id, idx)).collect()
            }
            // Neither is ever the type of a field.
            Type::Event | Type::List(_) => vec![Value::Null],
        };
        if field.optional {
            values.push(Value::Null);
        }
        values
    }

    /// Values for all fields: every combination if there are at most `limit`, else `limit` combinations.
    /// For each of those, `pick` chooses numbers below its argument.
    pub fn combinations(&self, fields: &[&Field], limit: usize, pick: &mut dyn FnMut(usize) -> usize) -> Vec<Vec<Value>> {
        let choices: Vec<Vec<Value>> = fields.iter().map(|it| self.of(it)).collect();
        // Every type has a value.
        let chosen = |pick: &mut dyn FnMut(usize) -> usize| choices.iter().map(|it| it[pick(it.len()) % it.len()].clone()).collect();
        let n_all = choices.iter().try_fold(1_usize, |product, it| product.checked_mul(it.len()).filter(|it| *it <= limit));
        match n_all {
            Some(n_all) => (0..n_all)
                .map(|mut number| {
                    // Counts like an odometer.
                    let mut next = |n_values: usize| {
                        let digit = number % n_values;
                        number /= n_values;
                        digit
                    };
                    chosen(&mut next)
                })
                .collect(),
            None => (0..limit).map(|_| chosen(pick)).collect(),
        }
    }
}
