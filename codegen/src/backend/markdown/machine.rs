//! The rows of tables about states and transitions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use statespec_lang::expr::{Compare, Expr, ExprKind, fold};
use statespec_lang::model::document::{Aspect, Column, Content, Fact, TableView};
use statespec_lang::model::machine::{Branch, Commit, Edge, From, Key, Machine, On, Outcome, Recall, Target, Transition, Trigger};
use statespec_lang::model::{EffectId, EventId, Literal, OrderId, StateId, TransitionId};
use statespec_lang::show::MachineNames;

use super::cell::{self, code, join, label, literal, prose};
use super::declared;
use super::rows::Rows;
use crate::backend::mermaid;

/// The rows of a view, a cell for every column.
pub(super) fn rows<'a>(machine: &Machine, view: &TableView, columns: &'a [Column]) -> Rows<'a> {
    let names = Names { machine, display: view.display_names, usual: view.columns.is_empty() };
    let mut rows = Rows::new(columns);
    match view.aspect {
        Aspect::States => states(names, view, &mut rows),
        Aspect::Adjacency => adjacency(names, view, &mut rows),
        Aspect::Transitions => transitions(names, view, &mut rows, |_| true),
        Aspect::Thresholds => {
            transitions(names, view, &mut rows, |row| has_threshold(machine, row) && !matches!(row.target, Target::Refuse(_)));
        }
        Aspect::Refusals => transitions(names, view, &mut rows, |row| matches!(row.target, Target::Refuse(_))),
        Aspect::Timers => transitions(names, view, &mut rows, |row| row.events().iter().any(|it| machine.timer(*it).is_some())),
        Aspect::Acceptance => acceptance(names, view, &mut rows),
        Aspect::Orders => orders(names, view, &mut rows),
        Aspect::Inferred => inferred(names, &mut rows),
        _ => declared::rows(machine, view, &mut rows),
    }
    rows
}

/// The displayed names of states.
#[derive(Clone, Copy)]
struct Names<'a> {
    machine: &'a Machine,
    display: bool,
    /// No columns are chosen, so implied facts are omitted.
    usual: bool,
}

impl<'a> Names<'a> {
    fn state(self, id: StateId) -> Cow<'a, str> {
        if self.display { self.machine.display_name(id) } else { self.machine.path_name(id) }
    }

    fn code(self, cell: &mut String, id: StateId) {
        code(cell, &self.state(id));
    }

    fn codes(self, cell: &mut String, ids: &[StateId]) {
        join(cell, ", ", ids, |cell, it| self.code(cell, *it));
    }

    /// The source of a row.
    fn from(self, cell: &mut String, from: &From) {
        match from {
            From::Creation => cell.push_str("*creation*"),
            From::States(states) => self.codes(cell, states),
            From::Any { except } => {
                cell.push_str(if except.is_empty() { "ANY" } else { "ANY but " });
                self.codes(cell, except);
            }
        }
    }

    /// The outcome of a row.
    fn to(self, cell: &mut String, row: &Transition) {
        match &row.target {
            Target::Stay => cell.push_str("*stays*"),
            Target::Refuse(_) => cell.push_str("*refused*"),
            Target::To(states) => self.codes(cell, states),
            Target::Fork(branches) => join(cell, " and ", branches.iter(), |cell, it| match it {
                Branch::To(id) => self.code(cell, *id),
                Branch::History(recall) => self.recall(cell, *recall),
            }),
            Target::Payload(id) => {
                cell.push_str("*the state in* ");
                code(cell, self.machine.payload_name(*id));
            }
            Target::History(recall) => self.recall(cell, *recall),
        }
    }

    /// A history; of several of one state, with its field.
    fn recall(self, cell: &mut String, recall: Recall) {
        self.code(cell, recall.whole);
        cell.push_str(", *where it was last*");
        if let Some(field) = self.machine.distinguishing_field(recall) {
            cell.push_str(" in ");
            code(cell, field);
        }
    }
}

/// The rows that are taken if none of the guards before them holds: rows of one source and trigger.
fn otherwise(machine: &Machine) -> BTreeSet<TransitionId> {
    let mut found = BTreeSet::new();
    // A request names its target, so that none of its rows excludes another.
    for tried in machine.edges.chunk_by(|a, b| (a.from, a.on) == (b.from, b.on)).filter(|it| it[0].on != On::Direct) {
        let mut guarded: Vec<Option<StateId>> = Vec::new();
        for edge in tried {
            match machine.transition(edge.transition).guard {
                Some(_) if guarded.contains(&edge.source) => {}
                Some(_) => guarded.push(edge.source),
                None if guarded.contains(&edge.source) => _ = found.insert(edge.transition),
                None => {}
            }
        }
    }
    found
}

/// Whether the guard of a row compares a value with a constant number, duration or time.
fn has_threshold(machine: &Machine, row: &Transition) -> bool {
    let is_number = |it: &Expr| {
        matches!(&it.kind, ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Duration(_) | Literal::Timestamp(_)))
    };
    let mut found = false;
    if let Some(guard) = &row.guard {
        fold(guard, &machine.constants).walk(&mut |it| {
            if let ExprKind::Compare(Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge, a, b) = &it.kind {
                found |= is_number(a) != is_number(b);
            }
        });
    }
    found
}

/// A condition with constants replaced by their values.
fn guard(cell: &mut String, machine: &Machine, guard: &Expr) {
    code(cell, &fold(guard, &machine.constants).show(&MachineNames::new(machine)));
}

fn states(names: Names<'_>, view: &TableView, rows: &mut Rows<'_>) {
    let machine = names.machine;
    // Composites have no rows in the tables of a document, unless the document names them.
    let shown: Vec<StateId> = match &view.only {
        Some(only) => only.iter().map(|it| StateId::new(*it)).collect(),
        None => machine.state_ids().filter(|it| machine.is_leaf(*it) || view.columns.is_empty()).collect(),
    };
    for id in shown {
        let state = machine.state(id);
        rows.push(state.inferred.is_some(), state.span, |cell, content| match content {
            // Names are code, texts are labels.
            Content::Attribute(attribute) => {
                if let Some(value) = state.attributes.get(attribute.index()) {
                    literal(cell, machine, value);
                }
            }
            Content::Order(order) => keys(cell, names, order, Some(id)),
            Content::Part(_) => {}
            Content::Fact(fact) => match fact {
                Fact::State => names.code(cell, id),
                Fact::Name => code(cell, &state.name),
                Fact::Path => code(cell, &machine.path_name(id)),
                Fact::Display => code(cell, &machine.display_name(id)),
                Fact::Parent => names.codes(cell, state.parent.as_slice()),
                Fact::Label => label(cell, state.label.as_deref()),
                Fact::Wire if names.usual && state.wire == state.name => {}
                Fact::Wire if machine.is_leaf(id) => code(cell, &state.wire),
                Fact::Kind => kind(cell, machine, id),
                Fact::Entry => effects(cell, machine, &state.entry),
                Fact::Exit => effects(cell, machine, &state.exit),
                Fact::Doc => prose(cell, state.doc.as_deref()),
                _ => {}
            },
        });
    }
}

fn kind(cell: &mut String, machine: &Machine, id: StateId) {
    let terminal = machine.state(id).terminal;
    let words = [
        (machine.is_initial(id), "initial"),
        (terminal, "terminal"),
        (terminal && machine.is_sink(id), "sink"),
        (!machine.is_leaf(id) && !machine.state(id).parallel, "composite"),
        (machine.state(id).parallel, "parallel"),
        (machine.is_region(id), "region"),
    ];
    join(cell, ", ", words.iter().filter(|(holds, _)| *holds), |cell, (_, word)| cell.push_str(word));
}

fn effects(cell: &mut String, machine: &Machine, ids: &[EffectId]) {
    join(cell, ", ", ids, |cell, it| code(cell, &machine.effect(*it).name));
}

fn adjacency(names: Names<'_>, view: &TableView, rows: &mut Rows<'_>) {
    let machine = names.machine;
    let picked = |id: &StateId| view.only.as_ref().is_none_or(|it| it.contains(&id.index()));
    let next = |cell: &mut String, id: StateId| {
        let mut following: Vec<_> = machine.successors(id).into_iter().map(|it| names.state(it)).collect();
        following.sort_unstable();
        match following.as_slice() {
            [] if machine.state(id).terminal => cell.push_str("`(terminal)`"),
            [] => cell.push_str("`(none)`"),
            some => join(cell, ", ", some, |cell, it| code(cell, it)),
        }
    };
    for id in machine.leaves().filter(picked) {
        let state = machine.state(id);
        let span = machine.edges_from(Some(id)).first().map_or(state.span, |it| machine.transition(it.transition).span);
        rows.push_facts(state.inferred.is_some(), span, |cell, fact| match fact {
            Fact::State => names.code(cell, id),
            Fact::Name => code(cell, &state.name),
            Fact::Path => code(cell, &machine.path_name(id)),
            Fact::Display => code(cell, &machine.display_name(id)),
            Fact::Next => next(cell, id),
            _ => {}
        });
    }
}

fn transitions(names: Names<'_>, view: &TableView, rows: &mut Rows<'_>, wanted: impl Fn(&Transition) -> bool) {
    let picked = |row: &Transition| view.only.as_ref().is_none_or(|only| row.events().iter().any(|it| only.contains(&it.index())));
    let otherwise = otherwise(names.machine);
    for (idx, row) in names.machine.transitions.iter().enumerate().filter(|(_, it)| wanted(it) && picked(it)) {
        rows.push_facts(row.inferred.is_some(), row.span, |cell, fact| match fact {
            Fact::Guard if otherwise.contains(&TransitionId::new(idx)) => cell.push_str("*otherwise*"),
            // The text of a refusal has a column of its own in tables of refusals.
            Fact::Doc if matches!(row.target, Target::Refuse(_)) => {
                refusal(cell, row);
                let text = cell.len();
                transition(cell, names, row, fact);
                if cell.len() > text {
                    cell.insert_str(text, "<br>");
                }
            }
            _ => transition(cell, names, row, fact),
        });
    }
}

fn transition(cell: &mut String, names: Names<'_>, row: &Transition, fact: Fact) {
    let machine = names.machine;
    match fact {
        Fact::From | Fact::State => names.from(cell, &row.from),
        Fact::To => names.to(cell, row),
        // The events of a row with a timer are that timer.
        Fact::Name => join(cell, ", ", row.events(), |cell, it| code(cell, &machine.event(*it).name)),
        Fact::After => {
            let timers = row.events().iter().filter_map(|it| machine.timer(*it));
            join(cell, ", ", timers, |cell, it| guard(cell, machine, &it.after));
        }
        Fact::Trigger if row.label.is_some() => label(cell, row.label.as_deref()),
        Fact::Trigger | Fact::Event => match &row.trigger {
            Trigger::Direct => cell.push_str("*direct*"),
            Trigger::Automatic => cell.push_str("*automatic*"),
            Trigger::Done => cell.push_str("*done*"),
            Trigger::AnyOther(_) => cell.push_str("*any other event*"),
            Trigger::Events(events) if fact == Fact::Trigger => {
                let events = events.iter().map(|it| machine.event(*it));
                join(cell, ", ", events, |cell, it| cell::named(cell, it.label.as_deref(), &it.name));
            }
            Trigger::Events(events) => join(cell, ", ", events, |cell, it| match machine.event(*it) {
                it if it.timer.is_some() => label(cell, it.label.as_deref()),
                it => code(cell, &it.name),
            }),
        },
        Fact::Label => label(cell, row.label.as_deref()),
        Fact::By => {
            let mut actors: Vec<_> = row.events().iter().flat_map(|it| &machine.event(*it).by).collect();
            actors.sort_unstable();
            actors.dedup();
            join(cell, ", ", actors, |cell, it| cell::actor(cell, &machine.actors[it.index()].name));
        }
        Fact::Guard => {
            if let Some(it) = &row.guard {
                guard(cell, machine, it);
            }
        }
        Fact::Set => {
            let names = MachineNames::new(machine);
            join(cell, "<br>", &row.set, |cell, (field, expr)| {
                code(cell, &format!("{} = {}", machine.fields[field.index()].name, fold(expr, &machine.constants).show(&names)));
            });
        }
        Fact::Does => {
            let start = cell.len();
            let does = row.before.iter().map(|it| ("before: ", it)).chain(row.effects.iter().map(|it| ("", it)));
            join(cell, ", ", does, |cell, (when, it)| {
                cell.push_str(when);
                code(cell, &machine.effect(*it).name);
            });
            raised(cell, machine, row, start);
        }
        Fact::Effects if row.summary.is_some() => label(cell, row.summary.as_deref()),
        Fact::Effects => {
            let start = cell.len();
            let effects = row.before.iter().chain(&row.effects).map(|it| machine.effect(*it));
            join(cell, ", ", effects, |cell, it| label(cell, it.label.as_deref().or(it.doc.as_deref()).unwrap_or(&it.name)));
            raised(cell, machine, row, start);
        }
        Fact::Commit if row.commit == Commit::PersistFirst && names.usual => {}
        // A refusal commits nothing.
        Fact::Commit if matches!(row.target, Target::Refuse(_)) => {}
        Fact::Commit => code(cell, row.commit.name()),
        Fact::Text => refusal(cell, row),
        Fact::Doc => {
            let before = cell.len();
            prose(cell, row.doc.as_deref());
            if cell.len() == before {
                label(cell, row.summary.as_deref());
            }
        }
        _ => {}
    }
}

/// The events that the machine raises itself, after the effects that are written from `start` on.
fn raised(cell: &mut String, machine: &Machine, row: &Transition, start: usize) {
    if !row.raise.is_empty() {
        cell.push_str(if cell.len() == start { "raises " } else { ", raises " });
        join(cell, ", ", &row.raise, |cell, it| code(cell, &machine.event(*it).name));
    }
}

/// The states that accept an event: one row per event, or, if a column shows the state, one row per
/// state and event.
fn acceptance(names: Names<'_>, view: &TableView, rows: &mut Rows<'_>) {
    let machine = names.machine;
    let by_state = rows.columns.iter().any(|it| it.content == Content::Fact(Fact::State));
    let created = |id: EventId| machine.edges.iter().any(|it| it.on == On::Event(id) && it.from.is_some());
    let events: Vec<EventId> = match &view.only {
        Some(only) => only.iter().map(|it| EventId::new(*it)).collect(),
        None => (0..machine.events.len()).map(EventId::new).filter(|it| created(*it)).collect(),
    };
    for event in events {
        if !by_state {
            rows.push_facts(false, machine.event(event).span, |cell, fact| acceptance_of(cell, names, event, fact));
            continue;
        }
        for id in machine.leaves() {
            let edges = machine.candidates(Some(id), On::Event(event));
            let all_inferred = !edges.is_empty() && edges.iter().all(|it| machine.transition(it.transition).inferred.is_some());
            let span = edges.first().map_or(machine.event(event).span, |it| machine.transition(it.transition).span);
            rows.push_facts(all_inferred, span, |cell, fact| match fact {
                Fact::State => names.code(cell, id),
                Fact::Event => code(cell, &machine.event(event).name),
                Fact::Answer if edges.is_empty() => cell.push_str("refused"),
                Fact::Answer => join(cell, "<br>", edges, |cell, it| answer(cell, names, it)),
                Fact::Text => texts(cell, machine, edges),
                _ => {}
            });
        }
    }
}

fn acceptance_of(cell: &mut String, names: Names<'_>, event: EventId, fact: Fact) {
    let machine = names.machine;
    // In the order of states, like edges.
    let edges = || machine.edges.iter().filter(move |it| it.on == On::Event(event)).filter_map(|it| Some((it.from?, it)));
    match fact {
        Fact::Event => code(cell, &machine.event(event).name),
        Fact::Accepted => {
            let mut taking: Vec<StateId> = edges().filter(|(_, it)| it.outcome != Outcome::Refuse).map(|(from, _)| from).collect();
            taking.dedup();
            if taking.len() == machine.leaves().count() {
                cell.push_str("*every state*");
            } else {
                names.codes(cell, &taking);
            }
        }
        Fact::Refused => join(cell, "<br>", edges().filter(|(_, it)| it.outcome == Outcome::Refuse), |cell, (id, it)| {
            names.code(cell, id);
            cell.push_str(": ");
            refusal(cell, machine.transition(it.transition));
        }),
        _ => {}
    }
}

/// The outcome of an event on one edge.
fn answer(cell: &mut String, names: Names<'_>, edge: &Edge) {
    let machine = names.machine;
    let row = machine.transition(edge.transition);
    cell.push_str(match edge.outcome {
        Outcome::Refuse => "refused",
        Outcome::Stay => "accepted",
        Outcome::Leaf(_) | Outcome::Parallel(_) | Outcome::Payload(_) | Outcome::History(_) | Outcome::Fork => "accepted, leads to ",
    });
    match edge.outcome {
        Outcome::Leaf(to) | Outcome::Parallel(to) => names.code(cell, to),
        Outcome::Payload(_) | Outcome::History(_) | Outcome::Fork => names.to(cell, row),
        Outcome::Refuse | Outcome::Stay => {}
    }
    if let Some(it) = &row.guard {
        cell.push_str(" when ");
        guard(cell, machine, it);
    }
}

/// The texts of the edges' rows, without duplicates.
fn texts(cell: &mut String, machine: &Machine, edges: &[Edge]) {
    let names = Names { machine, display: false, usual: false };
    let text = |edge: &Edge| {
        let fact = if edge.outcome == Outcome::Refuse { Fact::Text } else { Fact::Doc };
        let mut text = String::new();
        transition(&mut text, names, machine.transition(edge.transition), fact);
        text
    };
    let mut texts: Vec<String> = edges.iter().map(text).filter(|it| !it.is_empty()).collect();
    texts.dedup();
    cell.push_str(&texts.join("<br>"));
}

fn refusal(cell: &mut String, row: &Transition) {
    if let Target::Refuse(text) = &row.target {
        cell::plain(cell, text);
    }
}

fn orders(names: Names<'_>, view: &TableView, rows: &mut Rows<'_>) {
    let machine = names.machine;
    for (idx, order) in machine.orders.iter().enumerate().filter(|(idx, _)| view.only.as_ref().is_none_or(|it| it.contains(idx))) {
        let id = OrderId::new(idx);
        let own = machine.leaves().filter(|it| order.state_keys.get(it.index()).is_some_and(|keys| !keys.is_empty()));
        for state in std::iter::once(None).chain(own.map(Some)) {
            rows.push_facts(false, order.span, |cell, fact| match fact {
                Fact::Order => code(cell, &order.name),
                Fact::State => match state {
                    Some(it) => names.code(cell, it),
                    None => cell.push_str("*every state, first*"),
                },
                Fact::Keys => keys(cell, names, id, state),
                Fact::Doc if state.is_none() => prose(cell, order.doc.as_deref()),
                _ => {}
            });
        }
    }
}

/// The sort keys of a state, or those that come first in every state.
fn keys(cell: &mut String, names: Names<'_>, order: OrderId, state: Option<StateId>) {
    let Some(order) = names.machine.orders.get(order.index()) else { return };
    let keys = match state {
        Some(id) => order.state_keys.get(id.index()).map_or(&[][..], Vec::as_slice),
        None => &order.keys,
    };
    join(cell, ", ", keys, |cell, key| {
        let (Key::Field { field, .. } | Key::Rank { field, .. }) = key;
        label(cell, order.item.get(*field).map(|it| it.label.as_deref().unwrap_or(&it.name)));
        match key {
            Key::Field { descending, .. } => cell.push_str(if *descending { " DESC" } else { " ASC" }),
            Key::Rank { label: Some(text), .. } => {
                cell.push_str(" (");
                label(cell, text.as_str());
                cell.push(')');
            }
            Key::Rank { label: None, .. } => {}
        }
    });
}

fn inferred(names: Names<'_>, rows: &mut Rows<'_>) {
    let machine = names.machine;
    for (state, id) in machine.states.iter().zip(machine.state_ids()).filter(|(it, _)| it.inferred.is_some()) {
        rows.push_facts(true, state.span, |cell, fact| match fact {
            Fact::Kind => cell.push_str("State"),
            Fact::Name => names.code(cell, id),
            Fact::Reason => prose(cell, state.inferred.as_deref()),
            _ => {}
        });
    }
    for row in machine.transitions.iter().filter(|it| it.inferred.is_some()) {
        rows.push_facts(true, row.span, |cell, fact| match fact {
            Fact::Kind => cell.push_str("Transition"),
            Fact::Name => {
                names.from(cell, &row.from);
                cell.push_str(" → ");
                names.to(cell, row);
                match &row.trigger {
                    Trigger::Events(events) => {
                        cell.push_str(" on ");
                        join(cell, ", ", events, |cell, it| code(cell, &machine.event(*it).name));
                    }
                    Trigger::AnyOther(_) => cell.push_str(" on any other event"),
                    Trigger::Automatic => cell.push_str(", automatic"),
                    Trigger::Done => cell.push_str(", when done"),
                    Trigger::Direct => {}
                }
            }
            Fact::Reason => prose(cell, row.inferred.as_deref()),
            _ => {}
        });
    }
}

/// The diagram of a machine as lines, or a sentence that explains why there is none.
pub(super) fn diagram(machine: &Machine, style: &statespec_lang::model::document::DiagramStyle) -> Result<mermaid::Diagram, String> {
    mermaid::diagram(machine, style).map_err(|mermaid::TooLarge { n_states }| {
        format!("The diagram is omitted: {n_states} states are too many to draw. The tables contain the same information.")
    })
}
