//! Machines, events, effects and values in the JSON that Rust's serde writes for emitted modules.

use serde_json::{Map, Value as Json, json};
use statespec_lang::interpret::{EffectCall, Instance};
use statespec_lang::model::machine::{Event, Field};
use statespec_lang::model::{Configuration, Machine, StateId, Value};

/// A machine: its state, and its context if it has one.
pub(super) fn machine_of(machine: &Machine, at: &Instance) -> Json {
    let state = state(machine, &at.configuration);
    match machine.fields.is_empty() {
        true => json!({ "state": state }),
        false => json!({ "state": state, "context": fields(machine, &machine.fields, &at.context) }),
    }
}

/// A state: its name, or in a machine with regions the shape of the configuration.
pub(super) fn state(machine: &Machine, at: &Configuration) -> Json {
    match machine.has_regions() {
        true => inside(machine, at, None),
        false => json!(machine.state(at.first()).wire),
    }
}

/// What is active inside a state, or in the machine.
fn inside(machine: &Machine, at: &Configuration, whole: Option<StateId>) -> Json {
    let wire = |id: StateId| machine.state(id).wire.clone();
    if machine.is_parallel(whole) {
        let regions = machine.inside(whole);
        return Json::Object(regions.iter().map(|it| (wire(*it), inside(machine, at, Some(*it)))).collect());
    }
    let active = machine.inside(whole).iter().copied().find(|it| machine.is_active(at, *it));
    match active {
        Some(leaf) if machine.is_leaf(leaf) => json!(wire(leaf)),
        Some(id) if machine.is_parallel(Some(id)) => Json::Object(Map::from_iter([(wire(id), inside(machine, at, Some(id)))])),
        Some(id) => inside(machine, at, Some(id)),
        None => Json::Null,
    }
}

/// An event: its name, or an object with its payload.
pub(super) fn event(machine: &Machine, event: &Event, payload: &[Value]) -> Json {
    tagged(&event.name, fields(machine, &event.payload, payload))
}

/// An effect: its name, or an object with its values.
pub(super) fn effect(machine: &Machine, call: &EffectCall) -> Json {
    let effect = machine.effect(call.effect);
    let taken: Vec<Field> = effect.takes.iter().map(|it| it.field.clone()).collect();
    tagged(&effect.name, fields(machine, &taken, &call.taken))
}

fn tagged(name: &str, fields: Json) -> Json {
    match fields.as_object().is_some_and(Map::is_empty) {
        true => json!(name),
        false => Json::Object(Map::from_iter([(name.to_owned(), fields)])),
    }
}

/// An object of fields and their values.
pub(super) fn fields(machine: &Machine, declared: &[Field], values: &[Value]) -> Json {
    Json::Object(declared.iter().zip(values).map(|(field, it)| (field.name.clone(), value(machine, it))).collect())
}

/// A value: decimals are texts, times are microseconds, states and enum values are their names.
pub(super) fn value(machine: &Machine, value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(it) => json!(it),
        Value::Int(it) | Value::Duration(it) | Value::Timestamp(it) => json!(it),
        Value::Decimal(it) => json!(it.to_string()),
        Value::Text(it) => json!(it),
        Value::Reference(it) => json!(it),
        Value::State(_) | Value::Enum(..) => json!(statespec_lang::interpret::value::show(machine, value)),
    }
}
