//! Types of the user that a project cannot have, because of the specs.

use statespec_lang::model::machine::{Field, Machine};
use statespec_lang::model::{FieldId, Literal, Model, System};

use crate::Style;
use crate::lower::held::{held_type, integer_fits, payload_name};
use crate::lower::{Lowering, ModuleOptions};

/// A choice that does not fit the specs.
pub struct Objection {
    /// The key in `types` or `fields`.
    pub key: String,
    /// What does not fit.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The choices of a style that do not fit the machines and systems of a model.
pub fn objections(model: &Model, style: &Style) -> Vec<Objection> {
    if style.types.is_empty() && style.fields.is_empty() {
        return Vec::new();
    }
    let unknown = style.fields.keys().filter_map(|key| unknown(model, key));
    let machines = model.machines.iter().flat_map(|machine| defaults(machine, style));
    let systems = model.systems.iter().flat_map(|system| in_system(model, system, style));
    unknown.chain(machines).chain(systems).collect()
}

/// A name of a field that no machine has, or whose values types of users do not hold.
fn unknown(model: &Model, key: &str) -> Option<Objection> {
    let objection = |message: String, help: &str| Some(Objection { key: key.to_owned(), message, help: help.to_owned() });
    let held =
        model.machines.iter().flat_map(|machine| fields(machine).map(move |(name, field)| (format!("{}.{name}", machine.name), field)));
    match held.into_iter().find(|(name, _)| name == key) {
        None => objection(
            format!("no machine has a field `{key}`"),
            "write `machine.field`, or `machine.event.field` for a field of its payloads",
        ),
        Some((_, field)) if held_type(&field.ty).is_none() => objection(
            format!("`{key}` is no number and no time"),
            "only fields of type `int`, `decimal`, `duration` and `timestamp` are held by types of yours",
        ),
        Some(_) => None,
    }
}

/// The fields of a machine, with the names that choices have for them.
fn fields(machine: &Machine) -> impl Iterator<Item = (String, &Field)> {
    let payloads = machine.events.iter().flat_map(|it| &it.payload).map(|it| (payload_name(&it.name), it));
    machine.fields.iter().map(|it| (it.name.clone(), it)).chain(payloads)
}

/// The key that chose the type of a field of a context.
fn key_of(machine: &Machine, field: &Field, style: &Style) -> String {
    let single = format!("{}.{}", machine.name, field.name);
    match held_type(&field.ty) {
        Some(ty) if !style.fields.contains_key(&single) => ty.to_owned(),
        _ => single,
    }
}

/// Defaults that are out of the range of an integer.
fn defaults(machine: &Machine, style: &Style) -> Vec<Objection> {
    let options = ModuleOptions::default();
    let lowering = Lowering::new(machine, style, &options);
    let objection = |(idx, field): (usize, &Field)| {
        let (own, Literal::Int(value)) = (lowering.own_field(FieldId::new(idx))?, field.default.as_ref()?) else { return None };
        is_too_great(&lowering, FieldId::new(idx), field).then(|| Objection {
            key: key_of(machine, field, style),
            message: format!("the default of `{}.{}` is {value}, which `{own}` cannot hold", machine.name, field.name),
            help: "choose a type with a greater range, for this field or for all".into(),
        })
    };
    machine.fields.iter().enumerate().filter_map(objection).collect()
}

/// Whether the default of a field is certainly out of range.
fn is_too_great(lowering: &Lowering<'_>, id: FieldId, field: &Field) -> bool {
    let (Some(own), Some(Literal::Int(value))) = (lowering.own_field(id), &field.default) else { return false };
    integer_fits(&own.to_string(), *value) == Some(false)
}

/// Fields that a system needs as the façade has them: a comparison of instances cannot be refused, and neither can an instance
/// that exists from the start.
fn in_system(model: &Model, system: &System, style: &Style) -> Vec<Objection> {
    let mut objections = Vec::new();
    let options = ModuleOptions::default();
    for part in &system.parts {
        let machine = &model.machines[part.machine];
        let lowering = Lowering::new(machine, style, &options);
        let sorting = part.orders.iter().flat_map(|it| &it.fields);
        for id in sorting.filter(|id| lowering.own_field(**id).is_some()) {
            let field = &machine.fields[id.index()];
            objections.push(Objection {
                key: key_of(machine, field, style),
                message: format!("`{}` sorts its `{}` by `{}`, which needs the type of statespec", system.name, part.name, field.name),
                help: format!("leave out `{}`, or sort in your own code", key_of(machine, field, style)),
            });
        }
        // `create` refuses what does not fit.
        let begins = machine.edges_from(None).is_empty() || part.of.is_some();
        for (idx, field) in machine.fields.iter().enumerate().filter(|_| begins) {
            if !is_too_great(&lowering, FieldId::new(idx), field) && lowering.may_not_start(FieldId::new(idx)) {
                objections.push(Objection {
                    key: key_of(machine, field, style),
                    message: format!("the default of `{}.{}` may not fit, and `{}` has such a part", machine.name, field.name, system.name),
                    help: "use a type of Rust's own, such as `u32`, or make the field `optional: true`".into(),
                });
            }
        }
    }
    objections
}
