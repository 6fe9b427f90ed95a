//! Values worth trying: for tests that hold something against the interpreter.
//!
//! Whatever a guard compares with is a border; the values are those on it and on both sides of it.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::Instance;
use crate::expr::{Expr, ExprKind, fold};
use crate::model::machine::Field;
use crate::model::{EventId, Literal, Machine, Type, Value};

/// The values worth trying of each type.
#[derive(Debug, Clone)]
pub struct Cases<'m> {
    machine: &'m Machine,
    ints: BTreeSet<i64>,
    decimals: BTreeSet<Decimal>,
    micros: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

impl<'m> Cases<'m> {
    /// Collects the borders of a machine.
    pub fn new(machine: &'m Machine) -> Self {
        let mut cases = Cases {
            machine,
            ints: BTreeSet::from([i64::MIN, -1, 0, 1, 2, i64::MAX]),
            decimals: BTreeSet::from([Decimal::MIN, Decimal::NEGATIVE_ONE, Decimal::ZERO, Decimal::ONE, Decimal::TWO, Decimal::MAX]),
            micros: BTreeSet::from([i64::MIN, -1, 0, 1, i64::MAX]),
            texts: ["", "a", "{n} `x` | <b>\n\"ä\"'"].map(String::from).into(),
        };
        let rows = &machine.transitions;
        let exprs = rows.iter().flat_map(|row| row.guard.iter().chain(row.set.iter().map(|(_, value)| value)));
        for expr in exprs {
            cases.collect(&fold(expr, &machine.constants));
        }
        for constant in &machine.constants {
            cases.border(&constant.value);
        }
        cases
    }

    fn collect(&mut self, expr: &Expr) {
        expr.walk(&mut |it| {
            if let ExprKind::Literal(literal) = &it.kind {
                self.border(literal);
            }
        });
    }

    fn border(&mut self, literal: &Literal) {
        match literal {
            Literal::Int(it) => {
                self.ints.extend([it.saturating_sub(1), *it, it.saturating_add(1)]);
                self.decimals.insert(Decimal::from(*it));
            }
            Literal::Decimal(it) => {
                let step = Decimal::new(1, (it.scale() + 1).min(28));
                self.decimals.extend([it.saturating_sub(step), *it, it.saturating_add(step)]);
            }
            Literal::Duration(it) => self.micros.extend([it.saturating_sub(1), *it, it.saturating_add(1)]),
            Literal::Text(it) => {
                self.texts.insert(it.clone());
            }
            Literal::Null | Literal::Bool(_) | Literal::Enum(..) | Literal::State(_) | Literal::Event(_) | Literal::List(_) => {}
        }
    }

    /// The values worth trying in a field.
    pub fn values(&self, field: &Field) -> Vec<Value> {
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
            Type::Event | Type::List(_) => Vec::new(),
        };
        if field.optional {
            values.push(Value::Null);
        }
        values
    }

    /// Payloads of an event: every combination, or `limit` of them spread evenly.
    pub fn payloads(&self, event: EventId, limit: usize) -> Vec<Vec<Value>> {
        self.combinations(&self.machine.event(event).payload, limit)
    }

    /// Instances in every state: every combination of context values, or `limit` for each state.
    pub fn instances(&self, limit: usize) -> Vec<Instance> {
        let contexts = self.combinations(&self.machine.fields, limit);
        let of = |state| contexts.iter().map(move |context| Instance { state, context: context.clone() });
        self.machine.leaves().flat_map(of).collect()
    }

    fn combinations(&self, fields: &[Field], limit: usize) -> Vec<Vec<Value>> {
        let values: Vec<Vec<Value>> = fields.iter().map(|it| self.values(it)).collect();
        let total = values.iter().fold(1_u128, |total, it| (total * it.len() as u128).min(u64::MAX.into()));
        let wanted = total.min(limit as u128);
        let pick = |nth: u128| {
            let mut rest = nth * total / wanted;
            let one = |values: &Vec<Value>| {
                let (idx, more) = (rest % values.len() as u128, rest / values.len() as u128);
                rest = more;
                values[idx as usize].clone()
            };
            values.iter().map(one).collect()
        };
        (0..wanted).map(pick).collect()
    }
}
