//! Payload values to try: every relevant field takes the values at the boundaries of guards, every
//! other one a single plain value.

use std::collections::BTreeSet;

use statespec_lang::interpret::BoundaryValues;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{FieldId, Machine, StateId, Type, Value};

/// The maximum number of combinations for one event; the report states when it is exceeded.
const MAX_COMBINATIONS: usize = 4_096;

/// All combinations of the choices, and whether some had to be left out.
pub(super) fn combinations(choices: &[Vec<Value>]) -> (Vec<Vec<Value>>, bool) {
    let mut all = vec![Vec::new()];
    let mut cut = false;
    for values in choices {
        let longer = all.iter().flat_map(|it: &Vec<Value>| values.iter().map(move |value| [it, std::slice::from_ref(value)].concat()));
        let longer: Vec<Vec<Value>> = longer.take(MAX_COMBINATIONS + 1).collect();
        cut |= longer.len() > MAX_COMBINATIONS;
        all = longer;
        all.truncate(MAX_COMBINATIONS);
    }
    (all, cut)
}

/// The values for one field. `states` is the machine whose states it contains, `references` the
/// number of instances.
pub(super) fn choices(
    field: &Field,
    boundary: &BoundaryValues<'_>,
    states: &Machine,
    n_enum_values: usize,
    references: u64,
    relevant: bool,
) -> Vec<Value> {
    let mut values: Vec<Value> = match &field.ty {
        Type::Enum(id) => (0..n_enum_values).map(|idx| Value::Enum(*id, idx)).collect(),
        Type::State => states.leaves().map(Value::State).collect(),
        Type::Reference => (1..=references.max(1)).map(Value::Reference).collect(),
        _ => boundary.of(field),
    };
    if relevant {
        if field.optional && !values.contains(&Value::Null) {
            values.push(Value::Null);
        }
        return values;
    }
    vec![plain_or(field, values)]
}

/// The value of a field at creation; null if it has none.
pub(super) fn default_of(field: &Field) -> Value {
    field.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null)
}

/// The fields that code outside the graph gives a value at creation: those that neither a row nor a history assigns, and those
/// that need a value and have no default.
pub(super) fn given_fields(machine: &Machine) -> Vec<FieldId> {
    let mut written: BTreeSet<FieldId> = machine.transitions.iter().flat_map(|it| it.set.iter().map(|(field, _)| *field)).collect();
    written.extend(machine.states.iter().flat_map(|it| &it.histories).map(|it| it.field));
    let needs = |field: &Field| default_of(field) == Value::Null && !field.optional;
    (0..machine.fields.len()).map(FieldId::new).filter(|it| !written.contains(it) || needs(&machine.fields[it.index()])).collect()
}

/// The value of a field that nothing depends on.
pub(super) fn plain(field: &Field, machine: &Machine) -> Value {
    let first = match &field.ty {
        Type::Enum(id) => vec![Value::Enum(*id, 0)],
        Type::State => machine.leaves().next().map(Value::State).into_iter().collect(),
        Type::Reference => vec![Value::Reference(1)],
        _ => Vec::new(),
    };
    plain_or(field, first)
}

/// The value of a field that nothing depends on; of a type with named values, the first of these.
fn plain_or(field: &Field, named: Vec<Value>) -> Value {
    match &field.ty {
        Type::Bool => Value::Bool(false),
        Type::Int => Value::Int(0),
        Type::Decimal => Value::Decimal(0.into()),
        Type::Text => Value::Text("text".into()),
        Type::Duration => Value::Duration(0),
        Type::Timestamp if field.optional => Value::Null,
        Type::Timestamp => Value::Timestamp(0),
        _ => named.into_iter().next().unwrap_or(Value::Null),
    }
}

/// The leaves reachable in the graph, guards aside.
pub(super) fn reachable(machine: &Machine) -> BTreeSet<StateId> {
    let creations = machine.edges_from(None);
    let mut open: Vec<StateId> = if creations.is_empty() { machine.initial().leaves().collect() } else { Vec::new() };
    open.extend(creations.iter().flat_map(|it| machine.targets(it)));
    let mut reached = BTreeSet::new();
    while let Some(state) = open.pop() {
        if reached.insert(state) {
            open.extend(machine.successors(state));
        }
    }
    reached
}
