//! Lowers one machine: its lists, in the order of their dependencies.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{actor, check_distinct, check_file_name, check_name, check_word, texts, unknown};
use super::text::{fill, fill_opt, fill_or, label};
use super::{edges, fields, former, limits, numbers, orders, possible, regions, states, timers, transitions};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::machine::{Actor, ByName, Effect, Event, Field, Lookup, Machine, On, Origin, Predicate, Taken, Transition, Trigger};
use crate::model::{FieldId, Literal, PayloadId, StateId, Type};
use crate::names;
use crate::read::{Entries, Named, Text};
use crate::source::{SourceId, Sources};
use crate::spec;

/// Lowers a machine as far as possible and reports the rest.
pub(super) fn lower(sources: &Sources, spec: &spec::machine::Machine, uses: Vec<SourceId>, diagnostics: &mut Diagnostics) -> Machine {
    let n_bytes = sources.get(spec.span.source).text().len();
    check_file_name(&spec.machine, "machine", diagnostics);
    let mut machine = Machine { uses, ..empty(spec) };
    if !limits::declarations(spec, diagnostics) {
        return machine;
    }
    declarations(spec, &mut machine, diagnostics);
    if !regions::has_states(spec, diagnostics) {
        return machine;
    }
    states::names(spec, &mut machine, diagnostics);
    regions::check(spec, &mut machine, diagnostics);
    machine.lookup.states = ByName::new(&machine.states.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
    machine.events = events(spec, &machine, diagnostics);
    machine.payload_names = payload_names(&mut machine.events);
    machine.lookup.events = ByName::new(&machine.events.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
    // From here on, every name that a type or an expression can use is known.
    machine.fields = fields::context(spec, &machine, diagnostics);
    machine.predicates = predicates(spec, &machine, diagnostics);
    timers::lower(spec, &mut machine, diagnostics);
    // From here on, every event is known.
    machine.attributes = fields::attributes(spec, &machine, diagnostics);
    machine.effects = effects(spec, &machine, diagnostics);
    machine.lookup.effects = ByName::new(&machine.effects.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
    if !limits::states(&machine, n_bytes, diagnostics) || !states::bodies(spec, &mut machine, n_bytes, diagnostics) {
        // Some states lack the values; the derive emits a stand-in without the attributes.
        machine.attributes.clear();
        return machine;
    }
    check_scopes(&machine, diagnostics);
    machine.lookup.has_history = machine.states.iter().any(|it| !it.histories.is_empty());
    machine.transitions = transitions::lower(spec, &machine, diagnostics);
    let reacts = |row: &Transition| matches!(row.trigger, Trigger::Automatic | Trigger::Done) || !row.raise.is_empty();
    machine.lookup.reacts = machine.transitions.iter().any(reacts);
    let spread = edges::spread(&machine, n_bytes, diagnostics);
    possible::part(&mut machine, spread);
    machine.lookup.beside = limits::beside(&machine, n_bytes, diagnostics);
    machine.lookup.outrun = machine.outrun();
    limits::crossings(&machine, n_bytes, diagnostics);
    check_reactions(spec, &machine, diagnostics);
    regions::check_bodies(spec, &machine, diagnostics);
    if let Some(reserved) = &spec.reserved {
        let states = machine.states.iter().map(|it| (it.name.as_str(), it.number, it.span));
        machine.reserved_states = numbers::reserved(&reserved.states, states, diagnostics);
        let events = machine.events.iter().map(|it| (it.name.as_str(), it.number, it.span));
        machine.reserved_events = numbers::reserved(&reserved.events, events, diagnostics);
    }
    machine.orders = orders::lower(spec, &machine, n_bytes, diagnostics);
    machine
}

/// Lowers what needs no other part of the machine: enums, constants and actors, and the texts that constants fill in.
pub(super) fn declarations(spec: &spec::machine::Machine, machine: &mut Machine, diagnostics: &mut Diagnostics) {
    machine.enums = fields::enums(spec, diagnostics);
    machine.constants = fields::constants(spec, diagnostics);
    // From here on, placeholders can be filled in.
    machine.title = fill_or(&spec.title, &machine.constants, diagnostics, || machine.name.clone());
    machine.doc = fill_opt(&spec.doc, &machine.constants, diagnostics);
    machine.notes = spec.notes.iter().flatten().map(|it| fill(it, &machine.constants, diagnostics)).collect();
    machine.actors = actors(&spec.actors, machine, diagnostics);
}

/// A machine without its lists.
pub(super) fn empty(spec: &spec::machine::Machine) -> Machine {
    Machine {
        title: String::new(),
        doc: None,
        source: spec.span.source,
        uses: Vec::new(),
        span: spec.machine.span,
        sources: spec.sources.iter().flatten().map(|it| it.value.clone()).collect(),
        actors: Vec::new(),
        constants: Vec::new(),
        enums: Vec::new(),
        fields: Vec::new(),
        attributes: Vec::new(),
        states: Vec::new(),
        initial_top: StateId(0),
        parallel: false,
        events: Vec::new(),
        payload_names: Vec::new(),
        predicates: Vec::new(),
        effects: Vec::new(),
        transitions: Vec::new(),
        edges: Vec::new(),
        reserved_states: Vec::new(),
        reserved_events: Vec::new(),
        orders: Vec::new(),
        notes: Vec::new(),
        lookup: Lookup::default(),
        name: spec.machine.value.clone(),
    }
}

/// Replaces the types of declarations whose types are wrong: what a derive makes of a wrong spec needs some type.
pub(super) fn settle_types(machine: &mut Machine) {
    let payload = machine.events.iter_mut().flat_map(|it| &mut it.payload);
    let fields =
        machine.fields.iter_mut().chain(payload).chain(machine.effects.iter_mut().flat_map(|it| &mut it.takes).map(|it| &mut it.field));
    let fields = fields.map(|it| &mut it.ty);
    let attributes = machine.attributes.iter_mut().map(|it| &mut it.ty);
    let items = machine.orders.iter_mut().flat_map(|it| &mut it.item).map(|it| &mut it.ty);
    fields.chain(attributes).chain(items).filter(|it| it.is_unknown()).for_each(|it| *it = Type::Text);
    for constant in machine.constants.iter_mut().filter(|it| it.ty.is_unknown()) {
        (constant.ty, constant.value) = (Type::Text, Literal::Text(String::new()));
    }
}

/// Marks the constants that texts show.
pub(super) fn show_constants(machine: &mut Machine, names: &BTreeSet<String>) {
    machine.constants.iter_mut().filter(|it| names.contains(&it.name)).for_each(|it| it.shown = true);
}

fn actors(spec: &Option<Entries<Text>>, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Actor> {
    let mut actors = Vec::new();
    for (name, doc) in spec.iter().flat_map(Entries::iter) {
        check_name(name, "actor", diagnostics);
        actors.push(Actor { name: name.value.clone(), doc: fill(doc, &machine.constants, diagnostics), span: name.span });
    }
    check_distinct("actors", actors.iter().map(|it| (it.name.as_str(), it.span)), names::upper_camel, diagnostics);
    actors
}

fn events(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Event> {
    let constants = &machine.constants;
    let mut events = Vec::new();
    for (name, event) in spec.events.iter().flat_map(Named::iter) {
        check_name(name, "event", diagnostics);
        let by = event.by.iter().flat_map(|it| &it.0).filter_map(|it| actor(it, machine, diagnostics)).collect();
        let performer = event.performer.as_ref().and_then(|it| actor(it, machine, diagnostics));
        events.push(Event {
            name: name.value.clone(),
            number: event.number.as_ref().map(|it| it.value),
            by,
            performer,
            payload: fields::payload(&event.payload, machine, diagnostics),
            positions: Vec::new(),
            label: label(&event.label, constants, diagnostics),
            doc: fill_opt(&event.doc, constants, diagnostics),
            aliases: texts(&event.aliases),
            former: texts(&event.aka),
            settles: false,
            timer: None,
            span: name.span,
        });
    }
    let with_aliases =
        events.iter().flat_map(|it| it.aliases.iter().map(String::as_str).chain([it.name.as_str()]).map(|name| (name, it.span)));
    check_distinct("events", with_aliases, names::upper_camel, diagnostics);
    former::check("event", spec.events.iter().flat_map(Named::iter).map(|(name, it)| (name, &it.aka)), diagnostics);
    for name in spec.settle.iter().flat_map(|it| &it.0) {
        match events.iter().position(|it| it.name == name.value) {
            Some(idx) => events[idx].settles = true,
            None => unknown("event", name, events.iter().map(|it| it.name.as_str()), diagnostics),
        }
    }
    events
}

/// The names of all payload fields, in the order in which they first occur; every event learns its positions of them.
fn payload_names(events: &mut [Event]) -> Vec<String> {
    let mut ids = BTreeMap::<String, PayloadId>::new();
    let mut names = Vec::new();
    for event in events {
        for (position, field) in event.payload.iter().enumerate() {
            let id = *ids.entry(field.name.clone()).or_insert_with(|| {
                names.push(field.name.clone());
                PayloadId::new(names.len() - 1)
            });
            event.positions.push((id, position));
        }
        event.positions.sort_unstable();
    }
    names
}

fn predicates(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Predicate> {
    let mut predicates = Vec::new();
    for (name, predicate) in spec.predicates.iter().flat_map(Named::iter) {
        check_word(name, "predicate", diagnostics);
        let doc = fill_opt(&predicate.doc, &machine.constants, diagnostics);
        predicates.push(Predicate { name: name.value.clone(), doc, span: name.span });
    }
    check_distinct("predicates", predicates.iter().map(|it| (it.name.as_str(), it.span)), names::snake, diagnostics);
    predicates
}

fn effects(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Effect> {
    let constants = &machine.constants;
    let mut effects = Vec::new();
    for (name, effect) in spec.effects.iter().flat_map(Named::iter) {
        check_name(name, "effect", diagnostics);
        let takes = taken(effect, name, machine, diagnostics);
        effects.push(Effect {
            name: name.value.clone(),
            doc: fill_opt(&effect.doc, constants, diagnostics),
            label: label(&effect.label, constants, diagnostics),
            message: effect.message.as_ref().map(|it| super::text::pieces(it, constants, &takes, diagnostics)),
            takes,
            span: name.span,
        });
    }
    check_distinct("effects", effects.iter().map(|it| (it.name.as_str(), it.span)), names::snake, diagnostics);
    effects
}

/// The values that an effect takes.
fn taken(effect: &spec::machine::Effect, name: &Text, machine: &Machine, diagnostics: &mut Diagnostics) -> Vec<Taken> {
    let mut takes: Vec<Taken> = Vec::new();
    let carried = || machine.events.iter().flat_map(|it| &it.payload);
    for wanted in effect.payload.iter().flat_map(|it| &it.0) {
        let id = machine.payload_names.iter().position(|it| *it == wanted.value).map(PayloadId::new);
        match id.zip(carried().find(|it| it.name == wanted.value)) {
            Some((id, field)) => takes.push(Taken { origin: Origin::Payload(id), field: field.clone() }),
            None => unknown("payload field", wanted, carried().map(|it| it.name.as_str()).collect::<BTreeSet<_>>(), diagnostics),
        }
    }
    for wanted in effect.context.iter().flat_map(|it| &it.0) {
        match machine.fields.iter().position(|it| it.name == wanted.value) {
            Some(idx) => takes.push(Taken { origin: Origin::Context(FieldId::new(idx)), field: machine.fields[idx].clone() }),
            None => unknown("context field", wanted, machine.fields.iter().map(|it| it.name.as_str()), diagnostics),
        }
    }
    for wanted in effect.states.iter().flat_map(|it| &it.0) {
        let origin = match wanted.value.as_str() {
            "from" => Origin::From,
            "to" => Origin::To,
            _ => {
                unknown("state of a step", wanted, ["from", "to"], diagnostics);
                continue;
            }
        };
        takes.push(Taken { origin, field: state_of_step(origin, wanted) });
    }
    let wanted = [&effect.payload, &effect.context, &effect.states].into_iter().flatten().flat_map(|it| &it.0);
    let mut seen = BTreeMap::new();
    for wanted in wanted {
        if let Some(first) = seen.insert(names::snake(&wanted.value), wanted.span) {
            let message = format!("`{}` takes two values with the name `{}`", name.value, wanted.value);
            let diagnostic = Diagnostic::new(Code::BadEffect, wanted.span, message).also(first, "first here");
            diagnostics.push(diagnostic.help("omit one of the two, or rename the field"));
        }
    }
    takes
}

/// The state before a step, or after it, as a field. Before a step that creates the machine there is none.
fn state_of_step(origin: Origin, name: &Text) -> Field {
    Field {
        name: name.value.clone(),
        ty: Type::State,
        optional: origin == Origin::From,
        informative: false,
        default: None,
        doc: None,
        label: None,
        aliases: Vec::new(),
        former: Vec::new(),
        span: name.span,
    }
}

/// A context field, a constant and a predicate must not share a name, so that names in expressions are unambiguous. A
/// payload field may have the name of a context field: `event.NAME` is the payload's.
fn check_scopes(machine: &Machine, diagnostics: &mut Diagnostics) {
    let constants = machine.constants.iter().map(|it| (it.name.as_str(), it.span, "a constant"));
    let fields = machine.fields.iter().map(|it| (it.name.as_str(), it.span, "a context field"));
    let predicates = machine.predicates.iter().map(|it| (it.name.as_str(), it.span, "a predicate"));
    let mut seen = BTreeMap::new();
    for (name, span, what) in constants.clone().chain(fields).chain(predicates.clone()) {
        if let Some((first, first_what)) = seen.insert(name, (span, what)) {
            let message = format!("`{name}` is {first_what} and {what}");
            diagnostics.push(Diagnostic::new(Code::NameCollision, span, message).also(first, "first here").help("rename one of the two"));
        }
    }
    let others: BTreeMap<_, _> = constants.chain(predicates).map(|(name, span, what)| (name, (span, what))).collect();
    for field in machine.events.iter().flat_map(|it| &it.payload) {
        if let Some((first, what)) = others.get(field.name.as_str()) {
            let message = format!("the payload field `{}` has the name of {what}", field.name);
            diagnostics.push(Diagnostic::new(Code::NameCollision, field.span, message).also(*first, *what).help("rename one of the two"));
        }
    }
}

/// Reports automatic steps that nothing could take: before the first step, and between the steps of an event that settles.
fn check_reactions(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) {
    if !machine.reacts() {
        return;
    }
    if let Some(settle) = spec.settle.iter().flat_map(|it| &it.0).next() {
        let message = format!("`{}` settles in a machine that takes steps without an event or raises events itself", settle.value);
        let diagnostic = Diagnostic::new(Code::BadEdge, settle.span, message);
        diagnostics.push(diagnostic.help("write what follows the event as `automatic` transitions, and remove `settle`"));
    }
    if !machine.edges_from(None).is_empty() || machine.states.is_empty() {
        return;
    }
    for initial in machine.initial().leaves() {
        for edge in machine.edges_from(Some(initial)).iter().filter(|it| matches!(it.on, On::Automatic | On::Done(_))) {
            let name = &machine.state(initial).name;
            let message = format!("`{name}` is the initial state, and nothing happens before it that could lead on");
            let diagnostic = Diagnostic::new(Code::BadEdge, machine.transition(edge.transition).span, message);
            diagnostics.push(diagnostic.help("create the machine by an event: add a transition with `from: \"[*]\"`"));
        }
    }
}
