//! Checks values against their declared types, and converts values to and from text.

use crate::diagnostic::suggest;
use crate::expr::{number, parse_duration, parse_timestamp, show_duration, show_timestamp};
use crate::model::machine::{Enum, Field};
use crate::model::{Literal, Machine, StateId, Type, Value};

/// Whether a value is valid for a field of this machine.
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

/// A value as messages show it: texts as they are, states and enum values by their stored
/// name, timestamps in RFC 3339, references as numbers.
pub fn show(machine: &Machine, value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Decimal(it) => it.to_string(),
        Value::Text(it) => it.clone(),
        Value::Duration(it) => show_duration(*it),
        Value::Timestamp(it) => show_timestamp(*it),
        Value::Reference(it) => it.to_string(),
        Value::State(id) => machine.states.get(id.index()).map_or_else(String::new, |it| it.wire.clone()),
        Value::Enum(id, idx) => {
            let value = machine.enums.get(id.index()).and_then(|it| it.values.get(*idx));
            value.map_or_else(String::new, |it| it.wire.clone())
        }
    }
}

/// Parses a value that a person typed for a field; states are those of `machine`. The error states what was expected.
pub fn read(machine: &Machine, enums: &[Enum], field: &Field, text: &str) -> Result<Value, String> {
    if field.optional && text == "null" {
        return Ok(Value::Null);
    }
    let unknown = |what: &str, names: Vec<&str>| {
        let help = suggest(text, names.iter().copied()).map_or_else(String::new, |it| format!("; {it}"));
        format!("`{}` takes {what}, not `{text}`{help}", field.name)
    };
    let wrong = || unknown(&kind(enums, &field.ty), Vec::new());
    let value = match &field.ty {
        Type::Bool => text.parse().ok().map(Value::Bool),
        Type::Int => text.parse().ok().map(Value::Int),
        Type::Decimal => match number(text) {
            Some(Literal::Int(it)) => Some(Value::Decimal(it.into())),
            Some(Literal::Decimal(it)) => Some(Value::Decimal(it)),
            _ => None,
        },
        Type::Text => Some(Value::Text(text.to_owned())),
        Type::Duration => parse_duration(text).map(Value::Duration),
        Type::Timestamp => parse_timestamp(text).map(Value::Timestamp),
        Type::Reference => text.parse().ok().map(Value::Reference),
        Type::State => {
            let names: Vec<&str> = machine.leaves().map(|it| machine.state(it).name.as_str()).collect();
            let stored = || machine.leaves().find(|it| machine.state(*it).wire == text);
            let state: Option<StateId> = machine.state_named(text).filter(|it| machine.is_leaf(*it)).or_else(stored);
            return state.map(Value::State).ok_or_else(|| unknown("a state", names));
        }
        Type::Enum(id) => {
            let values = enums.get(id.index()).map_or(&[][..], |it| &it.values);
            let idx = values.iter().position(|it| it.name == text).or_else(|| values.iter().position(|it| it.wire == text));
            let names = values.iter().map(|it| it.name.as_str()).collect();
            return idx.map(|idx| Value::Enum(*id, idx)).ok_or_else(|| unknown(&kind(enums, &field.ty), names));
        }
        // Neither is ever the type of a field.
        Type::Event | Type::List(_) => None,
    };
    value.ok_or_else(wrong)
}

/// A description of the values of this type.
pub fn kind(enums: &[Enum], ty: &Type) -> String {
    match ty {
        Type::Bool => "true or false".into(),
        Type::Int => "a whole number".into(),
        Type::Decimal => "a number".into(),
        Type::Text => "a text".into(),
        Type::Duration => "a duration such as 30s".into(),
        Type::Timestamp => "a point in time such as 2026-01-31T12:00:00Z".into(),
        Type::Reference => "the number of an instance".into(),
        Type::State => "a state".into(),
        Type::Enum(id) => format!("a value of `{}`", enums.get(id.index()).map_or("", |it| it.name.as_str())),
        Type::Event | Type::List(_) => "nothing".into(),
    }
}
