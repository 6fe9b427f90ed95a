//! The rows of tables about a machine's declarations other than states and transitions.

use statespec_lang::expr::type_name;
use statespec_lang::model::document::{Aspect, Fact, TableView};
use statespec_lang::model::machine::{
    Actor, Attribute, Constant, Effect, Event, Field, From, Machine, Piece, Predicate, Target, Transition,
};
use statespec_lang::model::{ActorId, EventId, StateId, Type};

use statespec_lang::model::document::Content;

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
        Aspect::Events => {
            // Timers have a table of their own, unless a document shows both in one.
            let is_shown = |it: &Event| view.only.is_some() || !view.columns.is_empty() || it.timer.is_none();
            for (idx, it) in machine.events.iter().enumerate().filter(|(idx, it)| picked(idx) && is_shown(it)) {
                event(machine, idx, it, rows);
            }
        }
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

/// The row of an event. A table with its sources and its targets has a row for each pair of them: only so do they belong together.
fn event(machine: &Machine, idx: usize, event: &Event, rows: &mut Rows<'_>) {
    let has = |fact: Fact| rows.columns.iter().any(|it| it.content == Content::Fact(fact));
    // Most tables of events show neither; large machines have many events and many rows.
    let moves = if has(Fact::From) || has(Fact::To) { moves(machine, EventId::new(idx)) } else { Vec::new() };
    if !(has(Fact::From) && has(Fact::To)) {
        let all = |ends: fn(&Move) -> &Vec<End>| {
            let mut found = Vec::new();
            moves.iter().flat_map(ends).for_each(|it| add(&mut found, *it));
            found
        };
        let whole = Move { from: all(|it| &it.from), to: all(|it| &it.to) };
        return rows.push_facts(false, event.span, |cell, fact| self::fact(cell, machine, event, &whole, fact));
    }
    let mut moves = paired(moves).into_iter();
    let first = moves.next().unwrap_or_default();
    rows.push_facts(false, event.span, |cell, fact| self::fact(cell, machine, event, &first, fact));
    for it in moves {
        rows.push_facts(false, event.span, |cell, fact| {
            if matches!(fact, Fact::Name | Fact::From | Fact::To) {
                self::fact(cell, machine, event, &it, fact);
            }
        });
    }
}

fn fact(cell: &mut String, machine: &Machine, event: &Event, steps: &Move, fact: Fact) {
    let actor = |cell: &mut String, id: &ActorId| cell::actor(cell, &machine.actors[id.index()].name);
    match fact {
        Fact::Name => code(cell, &event.name),
        Fact::Label => label(cell, event.label.as_deref()),
        Fact::By => join(cell, ", ", &event.by, actor),
        Fact::Performer => join(cell, "", &event.performer, actor),
        Fact::Payload => join(cell, "<br>", &event.payload, |cell, it| payload(cell, machine, it)),
        Fact::Aliases => join(cell, ", ", &event.aliases, |cell, it| code(cell, it)),
        Fact::From => ends(cell, machine, &steps.from),
        Fact::To => ends(cell, machine, &steps.to),
        Fact::Doc => prose(cell, event.doc.as_deref()),
        _ => {}
    }
}

/// The side of rows that tables about events show: source or target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Creation,
    Any,
    State(StateId),
}

/// Sources, each of which an event leads to each of the targets.
#[derive(Debug, Clone, Default)]
struct Move {
    from: Vec<End>,
    to: Vec<End>,
}

/// The sources and targets of the rows of an event; a row that stays in its state or refuses is none of them.
fn moves(machine: &Machine, event: EventId) -> Vec<Move> {
    let states = |all: &[StateId]| all.iter().map(|it| End::State(*it)).collect();
    let rows = machine.transitions.iter().filter(|it| it.events().contains(&event));
    let of_row = |row: &Transition| {
        let to = match &row.target {
            Target::Stay | Target::Refuse(_) => return None,
            Target::To(to) => states(to),
            Target::Fork(branches) => branches.iter().map(|it| End::State(it.state())).collect(),
            Target::Payload(_) => vec![End::Any],
            Target::History(to) => vec![End::State(to.whole)],
        };
        let from = match &row.from {
            From::Creation => vec![End::Creation],
            From::States(from) => states(from),
            From::Any { .. } => vec![End::Any],
        };
        Some(Move { from, to })
    };
    rows.filter_map(of_row).collect()
}

/// The same with as few entries as possible: those that lead to the same targets are one, and those that lead from the same sources.
fn paired(moves: Vec<Move>) -> Vec<Move> {
    let mut by_target: Vec<Move> = Vec::new();
    for it in moves {
        match by_target.iter_mut().find(|known| known.to == it.to) {
            Some(known) => it.from.into_iter().for_each(|it| add(&mut known.from, it)),
            None => by_target.push(it),
        }
    }
    let mut paired: Vec<Move> = Vec::new();
    for it in by_target {
        match paired.iter_mut().find(|known| known.from == it.from) {
            Some(known) => it.to.into_iter().for_each(|it| add(&mut known.to, it)),
            None => paired.push(it),
        }
    }
    paired
}

/// Adds an end that is not there yet.
fn add(ends: &mut Vec<End>, end: End) {
    if !ends.contains(&end) {
        ends.push(end);
    }
}

fn ends(cell: &mut String, machine: &Machine, ends: &[End]) {
    join(cell, ", ", ends, |cell, it| match it {
        End::Creation => cell.push_str("*creation*"),
        End::Any => cell.push_str("ANY"),
        End::State(id) => code(cell, &machine.path_name(*id)),
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
