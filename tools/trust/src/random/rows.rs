//! The rows of a machine.

use super::dice::Dice as _;
use super::expressions::{Scope, Ty, Vocabulary};
use super::machine::{Event, Field, Machine, Maker, Use, one_or_many};
use super::timers::Timers;
use super::yaml::{Map, Put as _, Yaml, plain, text};

/// The kind of a row's target or trigger.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A target in the spec.
    To,
    Stay,
    Refuse,
    /// A target in the payload.
    Payload,
    /// No event: a direct transition.
    Direct,
    /// No event: taken as soon as its guard holds.
    Automatic,
    /// No event: taken when its source, a state around others, is done.
    Done,
    /// No event: taken when its source has been active for a duration.
    After,
    /// Any other event, with a target.
    AnyOther,
    /// Creates the machine.
    Create,
}

/// The rows.
pub(super) fn rows(maker: &mut Maker<'_>, machine: &Machine) -> Vec<Yaml> {
    // A row uses no names of other machines.
    let mut machines = vec![Vocabulary::default(); machine.number + 1];
    machines[machine.number] = machine.vocabulary.clone();
    let mut rows = Vec::new();
    let mut timers = Timers::of(machine);
    let creating: Vec<&Event> = machine.events.iter().filter(|it| it.creates).collect();
    if !creating.is_empty() {
        for _ in 0..creating.len() + maker.rng.below(2) {
            let event = *maker.rng.pick(&creating);
            rows.push(row(maker, machine, &machines, Kind::Create, vec![event], &mut timers));
        }
    }
    let moving: Vec<&Event> = machine.events.iter().filter(|it| !it.creates || (maker.usage == Use::Alone && it.by.len() == 1)).collect();
    let n_rows = maker.rng.between(0, machine.states.len() + 2 * moving.len());
    let done = machine.may_be_done();
    // Without an event that creates the machine, nothing may come before the first step.
    let reacts = machine.reacts && !creating.is_empty();
    for _ in 0..n_rows {
        if maker.rng.chance(10) {
            rows.push(row(maker, machine, &machines, Kind::After, Vec::new(), &mut timers));
            continue;
        }
        if reacts && maker.rng.chance(15) {
            let kind = if !done.is_empty() && maker.rng.chance(60) { Kind::Done } else { Kind::Automatic };
            rows.push(row(maker, machine, &machines, kind, Vec::new(), &mut timers));
            continue;
        }
        if !moving.is_empty() && maker.rng.chance(5) {
            let others = machine.events.iter().filter(|it| !it.creates).collect();
            rows.push(row(maker, machine, &machines, Kind::AnyOther, others, &mut timers));
            continue;
        }
        let direct = moving.is_empty() || maker.rng.chance(12);
        if direct {
            rows.push(row(maker, machine, &machines, Kind::Direct, Vec::new(), &mut timers));
            continue;
        }
        let events = match maker.rng.below(10) {
            0 => maker.rng.several(&moving, 3),
            1..4 => alike(maker, &moving),
            _ => vec![*maker.rng.pick(&moving)],
        };
        let has_target = shared(&events).iter().any(|it| matches!(it.ty, Ty::State(_)) && !it.optional);
        let kind = match maker.rng.below(10) {
            0 | 1 => Kind::Stay,
            2 => Kind::Refuse,
            3..7 if has_target => Kind::Payload,
            _ => Kind::To,
        };
        rows.push(row(maker, machine, &machines, kind, events, &mut timers));
    }
    rows
}

/// The fields that all these events carry, at any position.
fn shared(events: &[&Event]) -> Vec<Field> {
    let Some((first, rest)) = events.split_first() else { return Vec::new() };
    let same = |a: &Field, b: &Field| a.name == b.name && a.ty == b.ty && a.optional == b.optional;
    let in_all = |field: &Field| rest.iter().all(|it| it.payload.iter().any(|other| same(field, other)));
    first.payload.iter().filter(|it| in_all(it)).cloned().collect()
}

/// An event, and another one that carries one of its fields, if there is one.
fn alike<'e>(maker: &mut Maker<'_>, events: &[&'e Event]) -> Vec<&'e Event> {
    let first = *maker.rng.pick(events);
    let others = events.iter().filter(|it| it.name != first.name && !shared(&[first, it]).is_empty());
    let others: Vec<&Event> = others.copied().collect();
    [first].into_iter().chain(maker.rng.maybe(&others).copied()).collect()
}

fn row(maker: &mut Maker<'_>, machine: &Machine, machines: &[Vocabulary], kind: Kind, events: Vec<&Event>, timers: &mut Timers) -> Yaml {
    let mut body = Map::new();
    // A source and a target of which one contains the other.
    let around: Vec<usize> = (0..machine.states.len()).filter(|it| !machine.states[*it].is_leaf).collect();
    let reenters = matches!(kind, Kind::To | Kind::Automatic) && !around.is_empty() && maker.rng.chance(15);
    let mut related = Vec::new();
    if reenters {
        let outer = *maker.rng.pick(&around);
        let inner = outer + maker.rng.between(0, machine.states[outer].n_inside);
        related = [outer, inner].map(|it| machine.states[it].name.clone()).to_vec();
        if maker.rng.chance(30) {
            related.reverse();
        }
        body.put("from", text(related[0].clone()));
        body.put("reenter", plain(true));
    } else if kind == Kind::After {
        timers.put(maker, machine, &mut body);
    } else {
        from(maker, machine, kind, &mut body);
    }
    let payload = shared(&events);
    match kind {
        Kind::Automatic => body.put("automatic", plain(true)),
        Kind::Done => body.put("done", plain(true)),
        Kind::AnyOther => body.put("event", text("*")),
        _ => {}
    }
    if !events.is_empty() && kind != Kind::AnyOther {
        body.put("event", one_or_many(maker.rng, events.iter().map(|it| text(it.name.clone())).collect()));
    }
    let names: Vec<&str> = machine.states.iter().map(|it| it.name.as_str()).collect();
    match kind {
        _ if reenters => body.put("to", text(related[1].clone())),
        Kind::To | Kind::Automatic | Kind::Done | Kind::After if !machine.histories.is_empty() && maker.rng.chance(40) => {
            body.put("to", text(format!("{{{}}}", maker.rng.pick(&machine.histories).1)));
        }
        Kind::After if maker.rng.chance(20) => {}
        Kind::To | Kind::Automatic | Kind::Done | Kind::After if maker.rng.chance(25) && machine.has_regions() => {
            let targets = machine.fork(maker).unwrap_or_else(|| vec![(*maker.rng.pick(&names)).to_owned()]);
            body.put("to", one_or_many(maker.rng, targets.into_iter().map(text).collect()));
        }
        Kind::Automatic | Kind::Done | Kind::After | Kind::AnyOther => body.put("to", text(*maker.rng.pick(&names))),
        Kind::To | Kind::Create => {
            let by_payload = kind == Kind::Create && maker.rng.chance(30);
            let field = payload.iter().find(|it| by_payload && matches!(it.ty, Ty::State(_)) && !it.optional);
            body.put("to", text(field.map_or_else(|| (*maker.rng.pick(&names)).to_owned(), |it| format!("{{{}}}", it.name))));
        }
        Kind::Direct => {
            // The caller names one leaf.
            let is_named = |name: &&str| !machine.has_regions() || machine.states.iter().any(|it| it.name == *name && it.is_leaf);
            let names: Vec<&str> = names.into_iter().filter(is_named).collect();
            let targets = maker.rng.several(&names, 3).into_iter().map(text).collect();
            body.put("to", one_or_many(maker.rng, targets));
        }
        Kind::Payload => {
            let fields: Vec<&Field> = payload.iter().filter(|it| matches!(it.ty, Ty::State(_)) && !it.optional).collect();
            body.put("to", text(format!("{{{}}}", maker.rng.pick(&fields).name)));
        }
        Kind::Refuse => body.put("refuse", maker.text(machine)),
        Kind::Stay => {}
    }
    let named = machine.named(&payload);
    let mut scope = machine.scope(&named, machines);
    // A row of several events mostly reads what they share.
    let n_more = if events.len() > 1 { 3 } else { 0 };
    (0..n_more).for_each(|_| scope.vars.extend(named.iter().cloned()));
    let mut known = Vec::new();
    if maker.rng.chance(50) {
        let guard = scope.guard(maker.rng);
        // Of other variables, nobody knows whether the guard tests them, so no assignment may.
        scope.vars.retain(|it| !it.optional || guard.known.contains(&it.name) || !guard.text.contains(&it.name));
        known = guard.known;
        let state = maker.rng.pick(&machine.states).name.clone();
        let asked = match maker.rng.below(12) {
            // An expression has no name with a `-`, and before its creation a machine is in no state.
            _ if state.contains('-') || kind == Kind::Create => guard.text,
            0 => format!("({}) and not in({state})", guard.text),
            1 => format!("in({state}) and ({})", guard.text),
            _ => guard.text,
        };
        body.put("when", text(asked));
    }
    if kind != Kind::Refuse {
        body.put_map("set", assignments(maker, machine, &scope, &known));
        effects(maker, machine, &events, &mut body);
        if maker.rng.chance(12) && machine.reacts {
            let raised = machine.events.iter().filter(|it| it.payload.is_empty() && !it.creates).map(|it| it.name.as_str());
            let raised: Vec<&str> = raised.collect();
            if !raised.is_empty() {
                let raised = maker.rng.several(&raised, 2).into_iter().map(text).collect();
                body.put("raise", one_or_many(maker.rng, raised));
            }
        }
        if maker.rng.chance(15) {
            body.put("commit", text(*maker.rng.pick(&["persist_first", "memory_first", "memory_only"])));
        }
    }
    for (key, percent) in [("label", 12), ("summary", 12), ("doc", 25), ("inferred", 6)] {
        maker.put_text(key, percent, machine, &mut body);
    }
    maker.put_allow(&mut body);
    Yaml::Map(body)
}

fn from(maker: &mut Maker<'_>, machine: &Machine, kind: Kind, body: &mut Map) {
    let names: Vec<&str> = machine.states.iter().map(|it| it.name.as_str()).collect();
    if kind == Kind::Create {
        return body.put("from", text("[*]"));
    }
    if kind == Kind::Done {
        let done = machine.may_be_done();
        let sources = maker.rng.several(&done, 2).into_iter().map(text).collect();
        return body.put("from", one_or_many(maker.rng, sources));
    }
    if maker.rng.chance(20) {
        body.put("from", text("*"));
        if maker.rng.chance(50) {
            let except = maker.rng.several(&names, 2).into_iter().map(text).collect();
            body.put("except", one_or_many(maker.rng, except));
        }
        return;
    }
    let n_sources = if maker.rng.chance(30) { 4 } else { 1 };
    let sources = maker.rng.several(&names, n_sources).into_iter().map(text).collect();
    body.put("from", one_or_many(maker.rng, sources));
}

/// The assignments of a row whose guard guarantees that the variables in `known` are not null.
fn assignments(maker: &mut Maker<'_>, machine: &Machine, scope: &Scope<'_>, known: &[String]) -> Map {
    let mut set = Map::new();
    let free: Vec<&Field> = machine.context.iter().filter(|it| machine.owner.as_ref() != Some(&it.name)).collect();
    if free.is_empty() || !maker.rng.chance(if known.is_empty() { 50 } else { 80 }) {
        return set;
    }
    // Two fields swap their values.
    if maker.rng.chance(25) {
        let first = *maker.rng.pick(&free);
        let other = free.iter().find(|it| it.name != first.name && it.ty == first.ty && it.optional == first.optional);
        if let Some(other) = other {
            set.put(&first.name, text(other.name.clone()));
            set.put(&other.name, text(first.name.clone()));
            return set;
        }
    }
    for field in maker.rng.several(&free, 3) {
        // A predicate, which the host evaluates.
        let predicate = maker.rng.maybe(&machine.predicates).filter(|_| field.ty == Ty::Bool && maker.rng.chance(30));
        let value = predicate.cloned();
        let value = value.or_else(|| scope.tested(maker.rng, field.ty, known));
        let value = value.or_else(|| scope.given(maker.rng, field.ty, field.optional, known));
        if let Some(value) = value {
            set.put(&field.name, text(value));
        }
    }
    set
}

/// The effects before and after a change whose fields are in the payloads of all these events.
fn effects(maker: &mut Maker<'_>, machine: &Machine, events: &[&Event], body: &mut Map) {
    let carried = |event: &&Event, field: &Field| {
        event.payload.iter().any(|it| it.name == field.name && it.ty == field.ty && it.optional == field.optional)
    };
    let fits = |payload: &[Field]| payload.iter().all(|it| !events.is_empty() && events.iter().all(|event| carried(event, it)));
    let fit: Vec<&str> = machine.effects.iter().filter(|it| fits(&it.payload)).map(|it| it.name.as_str()).collect();
    for (key, percent) in [("before", 15), ("do", 40)] {
        if !fit.is_empty() && maker.rng.chance(percent) {
            let effects = maker.rng.several(&fit, 3).into_iter().map(text).collect();
            body.put(key, one_or_many(maker.rng, effects));
        }
    }
}
