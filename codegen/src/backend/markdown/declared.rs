//! The rows of tables about a machine's declarations other than states and transitions.

use statespec_lang::expr::type_name;
use statespec_lang::model::document::{Aspect, Fact, TableView};
use statespec_lang::model::machine::{Actor, Attribute, Constant, Effect, Event, Field, From, Machine, Piece, Predicate, Target};
use statespec_lang::model::{ActorId, EventId, StateId, Type};

use super::cell::{self, code, join, label, literal, prose};
use super::rows::Rows;

/// Writes the rows of a view.
pub(super) fn rows(machine: &Machine, view: &TableView, rows: &mut Rows<'_>) {
    let picked = |idx: &usize| view.only.as_ref().is_none_or(|it| it.contains(idx));
    macro_rules! each {
        ($list:expr, $fact:expr) => {
            for (idx, it) in $list.iter().enumerate().filter(|(idx, _)| picked(idx)) {
                rows.push_facts(false, it.span, |cell, fact| $fact(cell, machine, idx, it, fact));
            }
        };
    }
    match view.aspect {
        Aspect::Actors => each!(machine.actors, actor),
        Aspect::Events => each!(machine.events, event),
        Aspect::Effects => each!(machine.effects, effect),
        Aspect::Predicates => each!(machine.predicates, predicate),
        Aspect::Context => each!(machine.fields, field),
        Aspect::Constants => each!(machine.constants, constant),
        Aspect::Attributes => each!(machine.attributes, attribute),
        Aspect::Enums => {
            let usual = view.columns.is_empty();
            for (whole, value) in machine.enums.iter().flat_map(|whole| whole.values.iter().map(move |value| (whole, value))) {
                rows.push_facts(false, value.span, |cell, fact| match fact {
                    Fact::Enum => code(cell, &whole.name),
                    Fact::Value => code(cell, &value.name),
                    Fact::Wire if usual && value.wire == value.name => {}
                    Fact::Wire => code(cell, &value.wire),
                    Fact::Label => label(cell, value.label.as_deref()),
                    Fact::Doc => prose(cell, value.doc.as_deref()),
                    _ => {}
                });
            }
        }
        _ => {}
    }
}

fn actor(cell: &mut String, machine: &Machine, idx: usize, actor: &Actor, fact: Fact) {
    let id = ActorId::new(idx);
    match fact {
        Fact::Name => cell::actor(cell, &actor.name),
        Fact::Doc => prose(cell, actor.doc.as_str()),
        Fact::Events => join(cell, ", ", machine.events.iter().filter(|it| it.by.contains(&id)), |cell, it| code(cell, &it.name)),
        _ => {}
    }
}

fn event(cell: &mut String, machine: &Machine, idx: usize, event: &Event, fact: Fact) {
    let id = EventId::new(idx);
    let actor = |cell: &mut String, id: &ActorId| cell::actor(cell, &machine.actors[id.index()].name);
    match fact {
        Fact::Name => code(cell, &event.name),
        Fact::Label => label(cell, event.label.as_deref()),
        Fact::By => join(cell, ", ", &event.by, actor),
        Fact::Performer => join(cell, "", &event.performer, actor),
        Fact::Payload => join(cell, "<br>", &event.payload, |cell, it| payload(cell, machine, it)),
        Fact::Aliases => join(cell, ", ", &event.aliases, |cell, it| code(cell, it)),
        Fact::From => ends(cell, machine, id, true),
        Fact::To => ends(cell, machine, id, false),
        Fact::Doc => prose(cell, event.doc.as_deref()),
        _ => {}
    }
}

/// The side of rows that tables about events show: source or target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Creation,
    Any,
    State(StateId),
}

/// The states that an event leads out of, or into; a row that stays in its state counts as neither.
fn ends(cell: &mut String, machine: &Machine, event: EventId, from: bool) {
    let mut found: Vec<End> = Vec::new();
    for row in machine.transitions.iter().filter(|it| it.events().contains(&event)) {
        let forked: Vec<StateId> = match &row.target {
            Target::Fork(branches) => branches.iter().map(|it| it.state()).collect(),
            _ => Vec::new(),
        };
        let (one, states) = match (&row.target, &row.from) {
            (Target::Stay | Target::Refuse(_), _) => continue,
            (_, From::Creation) if from => (Some(End::Creation), &[][..]),
            (_, From::States(states)) if from => (None, states.as_slice()),
            (_, From::Any { .. }) if from => (Some(End::Any), &[][..]),
            (Target::To(states), _) => (None, states.as_slice()),
            (Target::Fork(_), _) => (None, forked.as_slice()),
            (Target::Payload(_), _) => (Some(End::Any), &[][..]),
            (Target::History(to), _) => (None, std::slice::from_ref(&to.whole)),
        };
        for end in one.into_iter().chain(states.iter().map(|it| End::State(*it))) {
            if !found.contains(&end) {
                found.push(end);
            }
        }
    }
    join(cell, ", ", found, |cell, it| match it {
        End::Creation => cell.push_str("*creation*"),
        End::Any => cell.push_str("ANY"),
        End::State(id) => code(cell, &machine.path_name(id)),
    });
}

fn payload(cell: &mut String, machine: &Machine, field: &Field) {
    cell::payload(cell, field, &type_name(&field.ty, &machine.enums));
}

fn effect(cell: &mut String, machine: &Machine, _: usize, effect: &Effect, fact: Fact) {
    match fact {
        Fact::Name => code(cell, &effect.name),
        Fact::Label => label(cell, effect.label.as_deref()),
        Fact::Payload => join(cell, ", ", &effect.takes, |cell, it| payload(cell, machine, &it.field)),
        Fact::Message => {
            let piece = |it: &Piece| match it {
                Piece::Text(text) => text.clone(),
                Piece::Taken(idx) => effect.takes.get(*idx).map_or_else(String::new, |it| format!("<{}>", it.field.name)),
            };
            let text: String = effect.message.iter().flatten().map(piece).collect();
            if !text.is_empty() {
                code(cell, &text);
            }
        }
        Fact::Doc => prose(cell, effect.doc.as_deref()),
        _ => {}
    }
}

fn predicate(cell: &mut String, _: &Machine, _: usize, predicate: &Predicate, fact: Fact) {
    match fact {
        Fact::Name => code(cell, &predicate.name),
        Fact::Doc => prose(cell, predicate.doc.as_deref()),
        _ => {}
    }
}

fn attribute(cell: &mut String, machine: &Machine, _: usize, attribute: &Attribute, fact: Fact) {
    match fact {
        Fact::Name => code(cell, &attribute.name),
        Fact::Label => label(cell, attribute.label.as_deref()),
        Fact::Type => ty(cell, machine, &attribute.ty, attribute.optional),
        Fact::Doc => prose(cell, attribute.doc.as_deref()),
        _ => {}
    }
}

fn ty(cell: &mut String, machine: &Machine, ty: &Type, optional: bool) {
    code(cell, &type_name(ty, &machine.enums));
    if optional {
        cell.push_str(", optional");
    }
}

fn field(cell: &mut String, machine: &Machine, _: usize, field: &Field, fact: Fact) {
    match fact {
        Fact::Name => code(cell, &field.name),
        Fact::Label => label(cell, field.label.as_deref()),
        Fact::Type => ty(cell, machine, &field.ty, field.optional),
        Fact::Default => match &field.default {
            Some(statespec_lang::model::Literal::Null) => cell.push_str("`null`"),
            Some(statespec_lang::model::Literal::Text(text)) if text.is_empty() => cell.push_str("empty"),
            Some(value) => literal(cell, machine, value),
            None => cell.push_str("*given*"),
        },
        Fact::Aliases => join(cell, ", ", &field.aliases, |cell, it| code(cell, it)),
        Fact::Doc => prose(cell, field.doc.as_deref()),
        _ => {}
    }
}

fn constant(cell: &mut String, machine: &Machine, _: usize, constant: &Constant, fact: Fact) {
    match fact {
        Fact::Name => code(cell, &constant.name),
        Fact::Type => ty(cell, machine, &constant.ty, false),
        Fact::Value => literal(cell, machine, &constant.value),
        Fact::Doc => prose(cell, constant.doc.as_deref()),
        _ => {}
    }
}
