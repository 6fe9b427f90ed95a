//! The declarations of a machine: enums, constants, fields, events and effects.

use std::collections::BTreeSet;

use statespec_lang::names::{shouty, snake, upper_camel};

use super::dice::Dice as _;
use super::expressions::{Ty, Var};
use super::machine::{Effect, Event, Field, Machine, Maker, Use, one_or_many, put_aka, put_number, retired, type_name};
use super::names::Names;
use super::texts;
use super::values::{self, constant};
use super::yaml::{Map, Put as _, Yaml, plain, text, texts as list_of_texts};

/// The names of the language's types.
const TYPES: [&str; 9] = ["bool", "int", "decimal", "text", "duration", "timestamp", "reference", "state", "event"];

/// The enums of a machine.
pub(super) fn enums(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut names = Names::words(upper_camel).without(TYPES);
    let mut enums = Map::new();
    let n_enums = if maker.rng.chance(50) { maker.rng.between(1, 3) } else { 0 };
    for _ in 0..n_enums {
        let name = maker.name(&mut names);
        let mut value_names = Names::new(upper_camel);
        let values: Vec<String> = (0..maker.rng.between(1, 5)).map(|_| maker.name(&mut value_names)).collect();
        let spec = if maker.rng.chance(40) {
            list_of_texts(values.clone())
        } else {
            let mut written = Map::new();
            // Distinct whatever their case, also beside the names of other values.
            let mut wires: BTreeSet<String> = values.iter().map(|it| it.to_ascii_lowercase()).collect();
            for value in &values {
                let mut body = Map::new();
                if maker.rng.chance(20) {
                    let wire = super::states::wire(maker);
                    if wires.insert(wire.to_ascii_lowercase()) {
                        body.put("wire", text(wire));
                    }
                }
                maker.put_text("label", 30, machine, &mut body);
                maker.put_text("doc", 30, machine, &mut body);
                put_aka(value, &mut body);
                put_number(value, &mut body);
                written.put(value, if body.is_empty() { plain("") } else { Yaml::Map(body) });
            }
            let mut body: Map = vec![("values".into(), Yaml::Map(written))];
            maker.put_text("doc", 40, machine, &mut body);
            retired(&name).into_iter().for_each(|it| body.put("reserved", it));
            let distinct: BTreeSet<String> = values.iter().map(|it| it.to_ascii_lowercase()).collect();
            if maker.rng.chance(30) && distinct.len() == values.len() {
                body.put("ignore_case", plain(maker.rng.chance(80)));
            }
            Yaml::Map(body)
        };
        enums.put(&name, spec);
        machine.vocabulary.enums.push((name, values));
    }
    enums
}

/// The constants of a machine. Docs of constants refer to the constants before them.
pub(super) fn constants(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut names = Names::words(shouty);
    let mut constants = Map::new();
    let n_constants = if maker.rng.chance(55) { maker.rng.between(1, 5) } else { 0 };
    for _ in 0..n_constants {
        let name = maker.name(&mut names);
        let (ty, value, declared) = constant(maker);
        let spec = if declared || maker.rng.chance(50) {
            let mut body: Map = vec![("value".into(), value)];
            if declared || maker.rng.chance(50) {
                body.put("type", text(type_name(ty, &[])));
            }
            maker.put_text("doc", 50, machine, &mut body);
            maker.put_allow(&mut body);
            Yaml::Map(body)
        } else {
            value
        };
        constants.put(&name, spec);
        machine.constants.push(Var { name, ty, optional: false });
    }
    constants
}

/// A type for a field.
fn field_type(maker: &mut Maker<'_>, machine: &Machine) -> Ty {
    let number = machine.number;
    let mut types = vec![Ty::Bool, Ty::Int, Ty::Decimal, Ty::Text, Ty::Duration, Ty::Timestamp, Ty::Reference, Ty::State(number)];
    types.extend((0..machine.vocabulary.enums.len()).flat_map(|idx| [Ty::Enum(number, idx); 2]));
    *maker.rng.pick(&types)
}

/// A field as written, after some given keys; in short form if the type is its only key.
fn field_spec(maker: &mut Maker<'_>, machine: &Machine, field: &Field, aliases: &mut Names, mut keys: Map) -> Yaml {
    let ty = text(type_name(field.ty, &machine.vocabulary.enums));
    if field.optional {
        keys.put("optional", plain(true));
    } else if maker.rng.chance(3) {
        keys.put("optional", plain(false));
    }
    maker.put_text("doc", 25, machine, &mut keys);
    maker.put_text("label", 15, machine, &mut keys);
    maker.put_aliases(aliases, &mut keys);
    put_aka(&field.name, &mut keys);
    if maker.rng.chance(10) {
        keys.put("informative", plain(true));
    }
    maker.put_allow(&mut keys);
    if keys.is_empty() && maker.rng.chance(80) {
        return ty;
    }
    keys.insert(0, ("type".into(), ty));
    Yaml::Map(keys)
}

/// The context, without fields of `reserved` names.
pub(super) fn context(maker: &mut Maker<'_>, machine: &mut Machine, reserved: &[&str]) -> Map {
    let constants = machine.constants.iter().map(|it| it.name.as_str());
    let mut names = Names::words(snake).without(constants.chain(reserved.iter().copied()));
    let mut context = Map::new();
    let n_fields = if maker.rng.chance(70) { maker.rng.between(1, 6) } else { 0 };
    for _ in 0..n_fields {
        let name = maker.name(&mut names);
        let ty = field_type(maker, machine);
        // References are null at first.
        let must = ty == Ty::Reference;
        let field = Var { name: name.clone(), ty, optional: must || maker.rng.chance(25) };
        let mut keys = Map::new();
        let needs_default = !field.optional && matches!(ty, Ty::State(_) | Ty::Enum(..) | Ty::Timestamp);
        if needs_default || maker.rng.chance(30) {
            let default = values::value(maker, machine, ty, field.optional);
            keys.extend(default.map(|it| ("default".to_owned(), it)));
        }
        context.put(&name, field_spec(maker, machine, &field, &mut names, keys));
        machine.context.push(field);
    }
    // The memories of states with others inside.
    for percent in [70, 30] {
        if machine.states.iter().all(|it| it.is_leaf) || !maker.rng.chance(percent) {
            continue;
        }
        let name = maker.name(&mut names);
        let field = Var { name: name.clone(), ty: Ty::State(machine.number), optional: true };
        context.put(&name, field_spec(maker, machine, &field, &mut names, Map::new()));
        machine.context.push(field);
    }
    if maker.usage == Use::Part && maker.rng.chance(60) {
        let name = maker.name(&mut names);
        let field = Var { name: name.clone(), ty: Ty::Reference, optional: true };
        context.put(&name, field_spec(maker, machine, &field, &mut names, Map::new()));
        machine.context.push(field);
        machine.owner = Some(name);
    }
    context
}

/// The events; of all other names in expressions, their payload fields have those of context fields only.
pub(super) fn events(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut names = Names::new(upper_camel);
    let n_events = if maker.rng.chance(92) { maker.rng.between(1, 7) } else { 0 };
    let creates = if maker.rng.chance(35) { maker.rng.between(1, 2) } else { 0 };
    let mut events = Map::new();
    let mut carried: Vec<Field> = Vec::new();
    for idx in 0..n_events {
        let name = maker.name(&mut names);
        let mut body = Map::new();
        let by = if maker.rng.chance(40) { maker.rng.several(&machine.actors, 2) } else { Vec::new() };
        if !by.is_empty() {
            body.put("by", one_or_many(maker.rng, by.iter().map(|it| text(it.clone())).collect()));
        }
        if let Some(performer) = maker.rng.maybe(&machine.actors).cloned().filter(|_| maker.rng.chance(25)) {
            body.put("performer", text(performer));
        }
        let payload = payload(maker, machine, &mut carried);
        let mut aliases = Names::new(snake);
        payload.iter().for_each(|it| _ = aliases.accept(&it.name));
        let fields = payload.iter().map(|it| (it.name.clone(), field_spec(maker, machine, it, &mut aliases, Map::new()))).collect();
        body.put_map("payload", fields);
        maker.put_text("label", 15, machine, &mut body);
        maker.put_text("doc", 40, machine, &mut body);
        maker.put_aliases(&mut names, &mut body);
        put_aka(&name, &mut body);
        put_number(&name, &mut body);
        maker.put_allow(&mut body);
        events.put(&name, if body.is_empty() { plain("") } else { Yaml::Map(body) });
        machine.events.push(Event { name, payload, by, creates: idx < creates });
    }
    events
}

/// The payload of an event: fields of its own, or fields of another event.
fn payload(maker: &mut Maker<'_>, machine: &Machine, carried: &mut Vec<Field>) -> Vec<Field> {
    if !maker.rng.chance(65) {
        return Vec::new();
    }
    if let Some(other) = maker.rng.maybe(&machine.events).filter(|_| maker.rng.chance(35)) {
        let mut payload = other.payload.clone();
        // The same fields at other positions.
        if maker.rng.chance(60) {
            maker.rng.shuffle(&mut payload);
        }
        return payload;
    }
    let constants = machine.constants.iter().map(|it| it.name.as_str());
    let mut names = Names::words(snake).without(constants.chain(machine.predicates.iter().map(String::as_str)));
    let mut payload = Vec::new();
    for _ in 0..maker.rng.between(1, 4) {
        // Several events carry some fields, at the same position or at another one.
        let shared = maker.rng.maybe(carried).cloned().filter(|_| maker.rng.chance(30));
        if let Some(field) = shared
            && names.accept(&field.name)
        {
            payload.push(field);
            continue;
        }
        let kept = maker.rng.maybe(&machine.context).cloned().filter(|_| maker.rng.chance(15));
        if let Some(field) = kept
            && names.accept(&field.name)
        {
            payload.push(Var { optional: maker.rng.chance(20), ..field });
            continue;
        }
        let name = maker.name(&mut names);
        let ty = field_type(maker, machine);
        payload.push(Var { name, ty, optional: maker.rng.chance(20) });
    }
    carried.extend(payload.iter().cloned());
    payload
}

/// The effects: some take payload fields, some have a message.
pub(super) fn effects(maker: &mut Maker<'_>, machine: &mut Machine) -> Map {
    let mut names = Names::new(snake);
    let mut effects = Map::new();
    let n_effects = if maker.rng.chance(55) { maker.rng.between(1, 5) } else { 0 };
    for _ in 0..n_effects {
        let name = maker.name(&mut names);
        let mut body = Map::new();
        maker.put_text("doc", 50, machine, &mut body);
        maker.put_text("label", 30, machine, &mut body);
        let mut payload = Vec::new();
        if let Some(event) = maker.rng.maybe(&machine.events).filter(|_| maker.rng.chance(55)).cloned() {
            // A field has the type that the first event with its name declares.
            let first = |name: &str| machine.events.iter().flat_map(|it| &it.payload).find(|it| it.name == name).cloned();
            payload = maker.rng.several(&event.payload, 4).iter().filter_map(|it| first(&it.name)).collect();
        }
        if !payload.is_empty() {
            let names = payload.iter().map(|it: &Field| text(it.name.clone())).collect();
            body.put("payload", one_or_many(maker.rng, names));
        }
        // The names of the values of one effect are distinct.
        let mut taken: BTreeSet<String> = payload.iter().map(|it: &Field| snake(&it.name)).collect();
        let mut values: Vec<String> = payload.iter().map(|it: &Field| it.name.clone()).collect();
        let context: Vec<String> = machine.context.iter().map(|it| it.name.clone()).collect();
        for (key, percent, names) in [("context", 30, context), ("states", 30, vec!["from".to_owned(), "to".to_owned()])] {
            // In a machine with regions, no effect takes a state.
            if !maker.rng.chance(percent) || (key == "states" && machine.has_regions()) {
                continue;
            }
            let names: Vec<String> = maker.rng.several(&names, 4).into_iter().filter(|it| taken.insert(snake(it))).collect();
            if !names.is_empty() {
                body.put(key, one_or_many(maker.rng, names.iter().map(|it| text(it.clone())).collect()));
            }
            values.extend(names);
        }
        if maker.rng.chance(40) {
            let carried = values.into_iter().map(|it| (it, false));
            let shown: Vec<(String, bool)> = carried.chain(machine.constants.iter().map(|it| (it.name.clone(), false))).collect();
            let message: String = (0..maker.rng.between(1, 4)).map(|_| texts::filled(maker.rng, maker.texts, &shown)).collect();
            body.put("message", text(message));
        }
        maker.put_allow(&mut body);
        effects.put(&name, if body.is_empty() { plain("") } else { Yaml::Map(body) });
        machine.effects.push(Effect { name, payload });
    }
    effects
}
