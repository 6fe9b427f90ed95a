//! Values against their declared types, and values as text.

use crate::expr::show_duration;
use crate::model::machine::{Enum, Field};
use crate::model::{Machine, Type, Value};

/// Whether a value may stand in a field of this machine.
pub fn fits(machine: &Machine, field: &Field, value: &Value) -> bool {
    match (&field.ty, value) {
        (_, Value::Null) => field.optional,
        (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Decimal, Value::Decimal(_))
        | (Type::Text, Value::Text(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Reference, Value::Reference(_)) => true,
        (Type::State, Value::State(state)) => state.index() < machine.states.len() && machine.is_leaf(*state),
        (Type::Enum(ty), Value::Enum(id, idx)) => ty == id && has_value(&machine.enums, id.index(), *idx),
        _ => false,
    }
}

fn has_value(enums: &[Enum], id: usize, idx: usize) -> bool {
    enums.get(id).is_some_and(|it| idx < it.values.len())
}

/// A value as messages show it: texts as they are, states and enum values by the name they are
/// stored under, timestamps and references as numbers.
pub fn show(machine: &Machine, value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Decimal(it) => it.to_string(),
        Value::Text(it) => it.clone(),
        Value::Duration(it) => show_duration(*it),
        Value::Timestamp(it) => it.to_string(),
        Value::Reference(it) => it.to_string(),
        Value::State(id) => machine.states.get(id.index()).map_or_else(String::new, |it| it.wire.clone()),
        Value::Enum(id, idx) => {
            let value = machine.enums.get(id.index()).and_then(|it| it.values.get(*idx));
            value.map_or_else(String::new, |it| it.name.clone())
        }
    }
}
