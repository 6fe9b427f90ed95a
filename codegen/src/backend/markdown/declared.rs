//! The rows of tables about what a machine declares beside its states and transitions.

use super::actor_name;
use super::machine::{cells, code, join, label, literal, prose};
use super::table::Row;
use crate::expr::type_name;
use crate::model::document::{Aspect, Column, Fact, TableView};
use crate::model::machine::{Actor, Constant, Effect, Event, Field, From, Machine, Outcome, Piece};
use crate::model::{ActorId, EventId, Type};
use crate::source::Span;

/// The rows of a view, a cell for every column.
pub(super) fn rows(machine: &Machine, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let row = |span: Span, fact: &dyn Fn(Fact) -> String| Row { cells: cells(columns, fact), inferred: false, span };
    let picked = |idx: &usize| view.only.as_ref().is_none_or(|it| it.contains(idx));
    macro_rules! each {
        ($list:expr, $fact:expr) => {
            $list
                .iter()
                .enumerate()
                .filter(|(idx, _)| picked(idx))
                .map(|(idx, it)| row(it.span, &|fact| $fact(machine, idx, it, fact)))
                .collect()
        };
    }
    match view.aspect {
        Aspect::Actors => each!(machine.actors, actor),
        Aspect::Events => each!(machine.events, event),
        Aspect::Effects => each!(machine.effects, effect),
        Aspect::Predicates => each!(machine.predicates, |_, _, it: &crate::model::machine::Predicate, fact| match fact {
            Fact::Name => code(&it.name),
            Fact::Doc => prose(&it.doc),
            _ => String::new(),
        }),
        Aspect::Context => each!(machine.fields, |machine, _, it: &Field, fact| field(machine, it, fact)),
        Aspect::Constants => each!(machine.constants, constant),
        Aspect::Attributes => each!(machine.attributes, |machine: &Machine, _, it: &crate::model::machine::Attribute, fact| match fact {
            Fact::Name => code(&it.name),
            Fact::Label => it.label.as_deref().map_or_else(String::new, label),
            Fact::Type => ty(machine, &it.ty, it.optional),
            Fact::Doc => prose(&it.doc),
            _ => String::new(),
        }),
        Aspect::Enums => {
            let values = machine.enums.iter().flat_map(|whole| whole.values.iter().map(move |value| (whole, value)));
            let values = values.map(|(whole, value)| {
                row(value.span, &|fact| match fact {
                    Fact::Enum => code(&whole.name),
                    Fact::Value => code(&value.name),
                    Fact::Label => value.label.as_deref().map_or_else(String::new, label),
                    Fact::Doc => prose(&value.doc),
                    _ => String::new(),
                })
            });
            values.collect()
        }
        _ => Vec::new(),
    }
}

fn actor(machine: &Machine, idx: usize, actor: &Actor, fact: Fact) -> String {
    let id = ActorId::new(idx);
    match fact {
        Fact::Name => actor_name(&actor.name),
        Fact::Doc => prose(&Some(actor.doc.clone())),
        Fact::Events => join(machine.events.iter().filter(|it| it.by.contains(&id)).map(|it| code(&it.name))),
        _ => String::new(),
    }
}

fn event(machine: &Machine, idx: usize, event: &Event, fact: Fact) -> String {
    let id = EventId::new(idx);
    let actor = |id: &ActorId| actor_name(&machine.actors[id.index()].name);
    match fact {
        Fact::Name => code(&event.name),
        Fact::Label => event.label.as_deref().map_or_else(String::new, label),
        Fact::By => join(event.by.iter().map(actor)),
        Fact::Performer => event.performer.iter().map(actor).collect(),
        Fact::Payload => event.payload.iter().map(|it| payload(machine, it)).collect::<Vec<_>>().join("<br>"),
        Fact::Aliases => join(event.aliases.iter().map(|it| code(it))),
        Fact::From => ends(machine, id, true),
        Fact::To => ends(machine, id, false),
        Fact::Doc => prose(&event.doc),
        _ => String::new(),
    }
}

/// The states that an event leads out of, or into; staying is neither.
fn ends(machine: &Machine, event: EventId, from: bool) -> String {
    let mut found: Vec<String> = Vec::new();
    for row in machine.transitions.iter().filter(|it| it.events.contains(&event)) {
        let names = |ids: &[crate::model::StateId]| ids.iter().map(|it| code(&machine.path_name(*it))).collect::<Vec<_>>();
        let named = match (&row.outcome, &row.from) {
            (Outcome::Stay | Outcome::Refuse(_), _) => continue,
            (_, From::Birth) if from => vec!["*birth*".to_owned()],
            (_, From::States(states)) if from => names(states),
            (_, From::Any { .. }) if from => vec!["ANY".to_owned()],
            (Outcome::To(states), _) => names(states),
            (Outcome::Payload(_), _) => vec!["ANY".to_owned()],
        };
        for name in named {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    join(found)
}

fn payload(machine: &Machine, field: &Field) -> String {
    let doc = prose(&field.doc);
    let typed = code(&format!("{}: {}{}", field.name, type_name(&field.ty, &machine.enums), if field.optional { "?" } else { "" }));
    if doc.is_empty() { typed } else { format!("{typed} – {doc}") }
}

fn effect(machine: &Machine, _: usize, effect: &Effect, fact: Fact) -> String {
    match fact {
        Fact::Name => code(&effect.name),
        Fact::Label => effect.label.as_deref().map_or_else(String::new, label),
        Fact::Payload => join(effect.payload.iter().map(|it| payload(machine, it))),
        Fact::Message => {
            let piece = |it: &Piece| match it {
                Piece::Text(text) => text.clone(),
                Piece::Payload(idx) => effect.payload.get(*idx).map_or_else(String::new, |it| format!("<{}>", it.name)),
            };
            let text: String = effect.message.iter().flatten().map(piece).collect();
            if text.is_empty() { text } else { code(&text) }
        }
        Fact::Doc => prose(&effect.doc),
        _ => String::new(),
    }
}

fn ty(machine: &Machine, ty: &Type, optional: bool) -> String {
    let name = code(&type_name(ty, &machine.enums));
    if optional { format!("{name}, optional") } else { name }
}

fn field(machine: &Machine, field: &Field, fact: Fact) -> String {
    match fact {
        Fact::Name => code(&field.name),
        Fact::Label => field.label.as_deref().map_or_else(String::new, label),
        Fact::Type => ty(machine, &field.ty, field.optional),
        Fact::Default => match &field.default {
            Some(crate::model::Literal::Null) => "`null`".into(),
            Some(crate::model::Literal::Text(text)) if text.is_empty() => "empty".into(),
            Some(value) => literal(machine, value),
            None => "*given*".into(),
        },
        Fact::Aliases => join(field.aliases.iter().map(|it| code(it))),
        Fact::Doc => prose(&field.doc),
        _ => String::new(),
    }
}

fn constant(machine: &Machine, _: usize, constant: &Constant, fact: Fact) -> String {
    match fact {
        Fact::Name => code(&constant.name),
        Fact::Type => ty(machine, &constant.ty, false),
        Fact::Value => literal(machine, &constant.value),
        Fact::Doc => prose(&constant.doc),
        _ => String::new(),
    }
}
