//! The digest of what a machine means, whatever its words for people, and whatever the order of its lists.

use statespec_lang::expr::{Expr, fold, show_literal, type_name};
use statespec_lang::model::machine::{Branch, Field, History, On, Outcome, Recall, Target};
use statespec_lang::model::{EffectId, Machine, StateId};
use statespec_lang::show::MachineNames;

use super::normal;

/// The digest. It is the same for machines that differ in titles, descriptions, labels, notes and messages only.
pub fn digest(machine: &Machine) -> String {
    let mut facts = facts(machine);
    facts.sort();
    crate::sync::digest_of([facts.join("\n").as_bytes()])
}

/// One line for each fact.
fn facts(machine: &Machine) -> Vec<String> {
    let names = MachineNames::new(machine);
    let literal = |it: &statespec_lang::model::Literal| show_literal(it, &names, None);
    let field = |it: &Field| {
        let default = it.default.as_ref().map(literal).unwrap_or_default();
        format!("{} {} {} {default}", it.name, type_name(&it.ty, &machine.enums), it.optional)
    };
    let expr = |it: &Expr| fold(it, &machine.constants).show(&names);
    let effects = |ids: &[EffectId]| ids.iter().map(|it| machine.effect(*it).name.as_str()).collect::<Vec<_>>().join(",");
    let mut facts = vec![format!("machine {}", machine.name)];
    if machine.edges_from(None).is_empty() {
        facts.push(format!("initial {}", machine.configuration_name(&machine.initial())));
    }
    for id in machine.state_ids() {
        let state = machine.state(id);
        let parent = state.parent.map_or("", |it| machine.state(it).name.as_str());
        let child = state.default_child.map_or("", |it| machine.state(it).name.as_str());
        let (entry, exit) = (effects(&state.entry), effects(&state.exit));
        facts.push(format!("state {} {} {parent} {child} {} {entry} {exit}", state.name, state.wire, state.terminal));
        if state.parallel {
            facts.push(format!("parallel {} {}", state.name, regions(machine, Some(id))));
        }
        let field = |it: &History| machine.fields[it.field.index()].name.as_str();
        facts.extend(state.histories.iter().map(|it| format!("history {} {} {}", state.name, field(it), it.shallow)));
        for (attribute, value) in machine.attributes.iter().zip(&state.attributes).filter(|it| it.0.ty != statespec_lang::model::Type::Text)
        {
            facts.push(format!("attribute {} {} {}", state.name, attribute.name, literal(value)));
        }
    }
    if machine.parallel {
        facts.push(format!("parallel {}", regions(machine, None)));
    }
    for event in &machine.events {
        let actor = |id: &statespec_lang::model::ActorId| machine.actors[id.index()].name.as_str();
        let mut by: Vec<&str> = event.by.iter().map(actor).collect();
        by.sort_unstable();
        let performer = event.performer.as_ref().map(actor).unwrap_or_default();
        facts.push(format!("event {} {} {performer} {}", event.name, by.join(","), event.settles));
        facts.extend(event.payload.iter().map(|it| format!("payload {} {}", event.name, field(it))));
        if let Some(timer) = &event.timer {
            let mut states: Vec<&str> = timer.states.iter().map(|it| machine.state(*it).name.as_str()).collect();
            states.sort_unstable();
            facts.push(format!("timer {} {} {}", event.name, states.join(","), expr(&timer.after)));
        }
    }
    facts.extend(machine.fields.iter().map(|it| format!("context {}", field(it))));
    for it in &machine.enums {
        facts.extend(it.values.iter().map(|value| format!("value {} {} {} {}", it.name, value.name, value.wire, it.ignore_case)));
    }
    facts.extend(machine.constants.iter().map(|it| format!("constant {} {}", it.name, literal(&it.value))));
    let mut rank = 0;
    for (idx, edge) in machine.edges.iter().enumerate() {
        // Rows that compete are tried in order, and that is meaning.
        let competes = idx > 0 && (machine.edges[idx - 1].from, machine.edges[idx - 1].on) == (edge.from, edge.on);
        rank = if competes { rank + 1 } else { 0 };
        let row = machine.transition(edge.transition);
        let from = edge.from.map_or("[*]", |it| machine.state(it).name.as_str());
        let event = match edge.on {
            On::Event(it) => machine.event(it).name.clone(),
            On::Direct => String::new(),
            On::Automatic => "[automatic]".to_owned(),
            On::Done(it) => format!("[done {}]", machine.state(it).name),
        };
        let to = match edge.outcome {
            Outcome::Stay => "stay".to_owned(),
            Outcome::Refuse => "refuse".to_owned(),
            Outcome::Leaf(it) | Outcome::Parallel(it) => format!("to {}", machine.state(it).name),
            Outcome::Fork => {
                let name = |it: &Branch| match it {
                    Branch::To(id) => format!("to {}", machine.state(*id).name),
                    Branch::History(to) => recalled(machine, *to),
                };
                machine.branches(edge.transition).iter().map(name).collect::<Vec<_>>().join(" and ")
            }
            Outcome::Payload(it) => format!("payload {}", machine.payload_name(it)),
            Outcome::History(to) => recalled(machine, to),
        };
        // Another text of a refusal is another wording.
        let guard =
            row.guard.as_ref().map(|it| normal::shown(&fold(it, &machine.constants), &machine.constants, &names)).unwrap_or_default();
        let set: Vec<String> = row.set.iter().map(|(field, it)| format!("{}={}", machine.fields[field.index()].name, expr(it))).collect();
        let rest = match row.target {
            Target::Refuse(_) => String::new(),
            _ => format!("{} {} {} {}", set.join(","), effects(&row.before), effects(&row.effects), row.commit.name()),
        };
        facts.push(format!("edge {from} {event} {rank:08} {to} {guard} {rest}"));
        if !row.raise.is_empty() || row.reenter {
            let raised: Vec<&str> = row.raise.iter().map(|it| machine.event(*it).name.as_str()).collect();
            facts.push(format!("after {from} {event} {rank:08} {} {}", raised.join(","), row.reenter));
        }
    }
    facts
}

/// The regions of a parallel state. Their order decides which of two rows is taken, and in which order effects follow.
fn regions(machine: &Machine, whole: Option<StateId>) -> String {
    machine.inside(whole).iter().map(|it| machine.state(*it).name.as_str()).collect::<Vec<_>>().join(",")
}

/// A history as a target; of several of one state, with its field.
fn recalled(machine: &Machine, to: Recall) -> String {
    let field = machine.distinguishing_field(to).map(|it| format!(" {it}")).unwrap_or_default();
    format!("history {}{field}", machine.state(to.whole).name)
}
