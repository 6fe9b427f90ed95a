//! The rows of tables about states and transitions.

use super::declared;
use super::escape::{self, Place};
use super::table::Row;
use crate::backend::mermaid;
use crate::backend::show::MachineNames;
use crate::expr::{Expr, fold, show_literal};
use crate::model::document::{Aspect, Column, Content, Fact, TableView};
use crate::model::machine::{Commit, Edge, From, Key, Machine, Outcome, Target, Transition};
use crate::model::{AttributeId, EffectId, EventId, Literal, OrderId, StateId};

/// The rows of a view, a cell for every column.
pub(super) fn rows(machine: &Machine, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let names = Names { machine, display: view.display_names, usual: view.columns.is_empty() };
    match view.aspect {
        Aspect::States => states(names, view, columns),
        Aspect::Adjacency => adjacency(names, view, columns),
        Aspect::Transitions => transitions(names, view, columns),
        Aspect::Thresholds => {
            transitions_with(names, view, columns, |row| row.guard.is_some() && !matches!(row.outcome, Outcome::Refuse(_)))
        }
        Aspect::Refusals => transitions_with(names, view, columns, |row| matches!(row.outcome, Outcome::Refuse(_))),
        Aspect::Acceptance => acceptance(names, view, columns),
        Aspect::Orders => orders(names, view, columns),
        Aspect::Inferred => inferred(names, columns),
        _ => declared::rows(machine, view, columns),
    }
}

/// What states are called.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) machine: &'a Machine,
    pub(super) display: bool,
    /// No columns are chosen, so what goes without saying is left out.
    pub(super) usual: bool,
}

impl Names<'_> {
    fn state(self, id: StateId) -> String {
        if self.display { self.machine.display_name(id) } else { self.machine.path_name(id) }
    }

    fn code(self, id: StateId) -> String {
        code(&self.state(id))
    }

    fn codes(self, ids: &[StateId]) -> String {
        join(ids.iter().map(|it| self.code(*it)))
    }

    /// Where a row starts.
    fn from(self, from: &From) -> String {
        match from {
            From::Birth => "*birth*".into(),
            From::States(states) => self.codes(states),
            From::Any { except } if except.is_empty() => "ANY".into(),
            From::Any { except } => format!("ANY but {}", self.codes(except)),
        }
    }

    /// What a row comes to.
    fn to(self, row: &Transition) -> String {
        match &row.outcome {
            Outcome::Stay => "*stays*".into(),
            Outcome::Refuse(_) => "*refused*".into(),
            Outcome::To(states) => self.codes(states),
            Outcome::Payload(idx) => {
                let field = row.events.first().and_then(|it| self.machine.event(*it).payload.get(*idx));
                field.map_or_else(String::new, |it| format!("*the state in* {}", code(&it.name)))
            }
        }
    }
}

pub(super) fn code(name: &str) -> String {
    escape::code(name, Place::Cell)
}

pub(super) fn label(text: &str) -> String {
    escape::label(text, Place::Cell)
}

pub(super) fn prose(text: &Option<String>) -> String {
    text.as_deref().map_or_else(String::new, |it| escape::prose(it, Place::Cell))
}

pub(super) fn join(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |text, part| text + ", " + &part)
}

/// A condition with constants worked out.
fn guard(machine: &Machine, events: &[EventId], guard: &Expr) -> String {
    code(&fold(guard, &machine.constants).show(&MachineNames::new(machine, events)))
}

/// The cells of a row, one for every column.
pub(super) fn cells(columns: &[Column], fact: impl Fn(Fact) -> String) -> Vec<String> {
    columns.iter().map(|column| if let Content::Fact(it) = column.content { fact(it) } else { String::new() }).collect()
}

fn states(names: Names<'_>, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let machine = names.machine;
    // Composites are no rows of their own in the tables that a document lays out, unless it names them.
    let shown: Vec<StateId> = match &view.only {
        Some(only) => only.iter().map(|it| StateId::new(*it)).collect(),
        None => machine.state_ids().filter(|it| machine.is_leaf(*it) || view.columns.is_empty()).collect(),
    };
    let row = |id: StateId| {
        let state = machine.state(id);
        let cell = |column: &Column| match column.content {
            Content::Attribute(attribute) => value(names, attribute, &state.attributes),
            Content::Order(order) => keys(names, order, Some(id)),
            Content::Part(_) => String::new(),
            Content::Fact(fact) => match fact {
                Fact::State => names.code(id),
                Fact::Name => code(&state.name),
                Fact::Path => code(&machine.path_name(id)),
                Fact::Display => code(&machine.display_name(id)),
                Fact::Parent => state.parent.map_or_else(String::new, |it| names.code(it)),
                Fact::Label => state.label.as_deref().map_or_else(String::new, label),
                Fact::Wire if names.usual && state.wire == state.name => String::new(),
                Fact::Wire if machine.is_leaf(id) => code(&state.wire),
                Fact::Kind => kind(machine, id),
                Fact::Entry => effects(machine, &state.entry),
                Fact::Exit => effects(machine, &state.exit),
                Fact::Doc => prose(&state.doc),
                _ => String::new(),
            },
        };
        Row { cells: columns.iter().map(cell).collect(), inferred: state.inferred.is_some(), span: state.span }
    };
    shown.into_iter().map(row).collect()
}

fn kind(machine: &Machine, id: StateId) -> String {
    let mut words = Vec::new();
    if machine.is_initial(id) {
        words.push("initial".to_owned());
    }
    if machine.state(id).terminal {
        words.push(if machine.is_final(id) { "terminal, final" } else { "terminal" }.to_owned());
    }
    if !machine.is_leaf(id) {
        words.push("composite".to_owned());
    }
    join(words)
}

fn effects(machine: &Machine, ids: &[EffectId]) -> String {
    join(ids.iter().map(|it| code(&machine.effect(*it).name)))
}

/// The value of an attribute: words are names, texts are labels.
fn value(names: Names<'_>, attribute: AttributeId, values: &[Literal]) -> String {
    values.get(attribute.index()).map_or_else(String::new, |it| literal(names.machine, it))
}

pub(super) fn literal(machine: &Machine, literal: &Literal) -> String {
    let names = MachineNames::new(machine, &[]);
    match literal {
        Literal::Null => String::new(),
        Literal::Text(text) => label(text),
        Literal::List(items) => join(items.iter().map(|it| self::literal(machine, it))),
        Literal::Enum(id, idx) => {
            let value = machine.enums.get(id.index()).and_then(|it| it.values.get(*idx));
            value.map_or_else(String::new, |it| it.label.as_deref().map_or_else(|| code(&it.name), label))
        }
        other => code(&show_literal(other, &names, None)),
    }
}

fn adjacency(names: Names<'_>, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let machine = names.machine;
    let picked = |id: &StateId| view.only.as_ref().is_none_or(|it| it.contains(&id.index()));
    let next = |id: StateId| {
        let mut following: Vec<String> = machine.successors(id).into_iter().map(|it| names.state(it)).collect();
        following.sort();
        match following.as_slice() {
            [] if machine.state(id).terminal => "`(terminal)`".into(),
            [] => "`(none)`".into(),
            some => join(some.iter().map(|it| code(it))),
        }
    };
    let row = |id: StateId| Row {
        cells: cells(columns, |fact| match fact {
            Fact::State => names.code(id),
            Fact::Name => code(&machine.state(id).name),
            Fact::Path => code(&machine.path_name(id)),
            Fact::Display => code(&machine.display_name(id)),
            Fact::Next => next(id),
            _ => String::new(),
        }),
        inferred: machine.state(id).inferred.is_some(),
        span: machine.edges_from(Some(id)).first().map_or(machine.state(id).span, |it| machine.transition(it.transition).span),
    };
    machine.leaves().filter(picked).map(row).collect()
}

fn transitions(names: Names<'_>, view: &TableView, columns: &[Column]) -> Vec<Row> {
    transitions_with(names, view, columns, |row| !matches!(row.outcome, Outcome::Refuse(_)))
}

fn transitions_with(names: Names<'_>, view: &TableView, columns: &[Column], wanted: fn(&Transition) -> bool) -> Vec<Row> {
    let picked = |row: &&Transition| view.only.as_ref().is_none_or(|only| row.events.iter().any(|it| only.contains(&it.index())));
    let row = |row: &Transition| Row {
        cells: cells(columns, |fact| transition(names, row, fact)),
        inferred: row.inferred.is_some(),
        span: row.span,
    };
    names.machine.transitions.iter().filter(|it| wanted(it)).filter(picked).map(row).collect()
}

fn transition(names: Names<'_>, row: &Transition, fact: Fact) -> String {
    let machine = names.machine;
    match fact {
        Fact::From | Fact::State => names.from(&row.from),
        Fact::To => names.to(row),
        Fact::Trigger => match &row.label {
            Some(text) => label(text),
            None if row.events.is_empty() => "*by name*".into(),
            None => {
                let events = row.events.iter().map(|it| machine.event(*it));
                join(events.map(|it| it.label.as_deref().map_or_else(|| code(&it.name), label)))
            }
        },
        Fact::Event if row.events.is_empty() => "*by name*".into(),
        Fact::Event => join(row.events.iter().map(|it| code(&machine.event(*it).name))),
        Fact::Label => row.label.as_deref().map_or_else(String::new, label),
        Fact::By => {
            let mut actors: Vec<_> = row.events.iter().flat_map(|it| &machine.event(*it).by).collect();
            actors.sort();
            actors.dedup();
            join(actors.into_iter().map(|it| super::actor_name(&machine.actors[it.index()].name)))
        }
        Fact::Guard => row.guard.as_ref().map_or_else(String::new, |it| guard(machine, &row.events, it)),
        Fact::Set => {
            let names = MachineNames::new(machine, &row.events);
            let set = row.set.iter().map(|(field, expr)| {
                code(&format!("{} = {}", machine.fields[field.index()].name, fold(expr, &machine.constants).show(&names)))
            });
            set.collect::<Vec<_>>().join("<br>")
        }
        Fact::Does => {
            let before = row.before.iter().map(|it| format!("before: {}", code(&machine.effect(*it).name)));
            join(before.chain(row.effects.iter().map(|it| code(&machine.effect(*it).name))))
        }
        Fact::Effects => match &row.summary {
            Some(summary) => label(summary),
            None => {
                let effects = row.before.iter().chain(&row.effects).map(|it| machine.effect(*it));
                join(effects.map(|it| label(it.label.as_deref().or(it.doc.as_deref()).unwrap_or(&it.name))))
            }
        },
        Fact::Commit => match row.commit {
            Commit::PersistFirst if names.usual => String::new(),
            Commit::PersistFirst => "`persist_first`".into(),
            Commit::MemoryFirst => "`memory_first`".into(),
        },
        Fact::Text => match &row.outcome {
            Outcome::Refuse(text) => escape::plain(text, Place::Cell),
            _ => String::new(),
        },
        Fact::Doc => {
            let doc = prose(&row.doc);
            if doc.is_empty() { row.summary.as_deref().map_or_else(String::new, label) } else { doc }
        }
        _ => String::new(),
    }
}

/// Which states take an event: a row an event, or, where a column asks for the state, a row for
/// every state and event.
fn acceptance(names: Names<'_>, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let machine = names.machine;
    let by_state = columns.iter().any(|it| it.content == Content::Fact(Fact::State));
    let born = |id: EventId| machine.edges.iter().any(|it| it.event == Some(id) && it.from.is_some());
    let events: Vec<EventId> = match &view.only {
        Some(only) => only.iter().map(|it| EventId::new(*it)).collect(),
        None => (0..machine.events.len()).map(EventId::new).filter(|it| born(*it)).collect(),
    };
    let mut rows = Vec::new();
    for event in events {
        if !by_state {
            rows.push(Row {
                cells: cells(columns, |fact| acceptance_of(names, event, fact)),
                inferred: false,
                span: machine.event(event).span,
            });
            continue;
        }
        for id in machine.leaves() {
            let edges = machine.candidates(Some(id), Some(event));
            let all_inferred = !edges.is_empty() && edges.iter().all(|it| machine.transition(it.transition).inferred.is_some());
            rows.push(Row {
                cells: cells(columns, |fact| match fact {
                    Fact::State => names.code(id),
                    Fact::Event => code(&machine.event(event).name),
                    Fact::Answer => answer(names, event, edges),
                    Fact::Text => texts(machine, edges),
                    _ => String::new(),
                }),
                inferred: all_inferred,
                span: edges.first().map_or(machine.event(event).span, |it| machine.transition(it.transition).span),
            });
        }
    }
    rows
}

fn acceptance_of(names: Names<'_>, event: EventId, fact: Fact) -> String {
    let machine = names.machine;
    // In the order of states, as edges are.
    let edges = || machine.edges.iter().filter(move |it| it.event == Some(event)).filter_map(|it| Some((it.from?, it)));
    match fact {
        Fact::Event => code(&machine.event(event).name),
        Fact::Accepted => {
            let mut taking: Vec<StateId> = edges().filter(|(_, it)| it.to != Target::Refuse).map(|(from, _)| from).collect();
            taking.dedup();
            if taking.len() == machine.leaves().count() { "*every state*".into() } else { names.codes(&taking) }
        }
        Fact::Refused => {
            let refusals = edges().filter(|(_, it)| it.to == Target::Refuse);
            refusals.map(|(id, it)| format!("{}: {}", names.code(id), refusal(machine, it))).collect::<Vec<_>>().join("<br>")
        }
        _ => String::new(),
    }
}

/// What becomes of an event, edge by edge.
fn answer(names: Names<'_>, event: EventId, edges: &[Edge]) -> String {
    let machine = names.machine;
    let one = |edge: &Edge| {
        let row = machine.transition(edge.transition);
        let what = match edge.to {
            Target::Refuse => "refused".to_owned(),
            Target::Stay => "accepted".to_owned(),
            Target::Leaf(to) => format!("accepted, leads to {}", names.code(to)),
            Target::Payload(_) => format!("accepted, leads to {}", names.to(row)),
        };
        match &row.guard {
            Some(it) => format!("{what} when {}", guard(machine, &[event], it)),
            None => what,
        }
    };
    match edges {
        [] => "refused".into(),
        some => some.iter().map(one).collect::<Vec<_>>().join("<br>"),
    }
}

fn texts(machine: &Machine, edges: &[Edge]) -> String {
    let text = |edge: &Edge| match edge.to {
        Target::Refuse => refusal(machine, edge),
        _ => transition(Names { machine, display: false, usual: false }, machine.transition(edge.transition), Fact::Doc),
    };
    let mut texts: Vec<String> = edges.iter().map(text).filter(|it| !it.is_empty()).collect();
    texts.dedup();
    texts.join("<br>")
}

fn refusal(machine: &Machine, edge: &Edge) -> String {
    match &machine.transition(edge.transition).outcome {
        Outcome::Refuse(text) => escape::plain(text, Place::Cell),
        _ => String::new(),
    }
}

fn orders(names: Names<'_>, view: &TableView, columns: &[Column]) -> Vec<Row> {
    let machine = names.machine;
    let mut rows = Vec::new();
    for (idx, order) in machine.orders.iter().enumerate().filter(|(idx, _)| view.only.as_ref().is_none_or(|it| it.contains(idx))) {
        let id = OrderId::new(idx);
        let row = |state: Option<StateId>| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Order => code(&order.name),
                Fact::State => state.map_or_else(|| "*every state, first*".into(), |it| names.code(it)),
                Fact::Keys => keys(names, id, state),
                Fact::Doc if state.is_none() => prose(&order.doc),
                _ => String::new(),
            }),
            inferred: false,
            span: order.span,
        };
        rows.push(row(None));
        let own = machine.leaves().filter(|it| order.state_keys.get(it.index()).is_some_and(|keys| !keys.is_empty()));
        rows.extend(own.map(Some).map(row));
    }
    rows
}

/// The sort keys of a state, or those that come first in every state.
fn keys(names: Names<'_>, order: OrderId, state: Option<StateId>) -> String {
    let Some(order) = names.machine.orders.get(order.index()) else { return String::new() };
    let keys = match state {
        Some(id) => order.state_keys.get(id.index()).map_or(&[][..], Vec::as_slice),
        None => &order.keys,
    };
    let field = |idx: usize| order.item.get(idx).map_or("", |it| it.label.as_deref().unwrap_or(&it.name));
    let key = |key: &Key| match key {
        Key::Field { field: idx, descending } => format!("{} {}", label(field(*idx)), if *descending { "DESC" } else { "ASC" }),
        Key::Rank { field: idx, label: Some(text), .. } => format!("{} ({})", label(field(*idx)), label(text)),
        Key::Rank { field: idx, .. } => label(field(*idx)),
    };
    join(keys.iter().map(key))
}

fn inferred(names: Names<'_>, columns: &[Column]) -> Vec<Row> {
    let machine = names.machine;
    let row = |what: &str, name: String, reason: &String, span| Row {
        cells: cells(columns, |fact| match fact {
            Fact::Kind => what.to_owned(),
            Fact::Name => name.clone(),
            Fact::Reason => escape::prose(reason, Place::Cell),
            _ => String::new(),
        }),
        inferred: true,
        span,
    };
    let states = machine.states.iter().zip(machine.state_ids());
    let states = states.filter_map(|(state, id)| Some(row("State", names.code(id), state.inferred.as_ref()?, state.span)));
    let transitions = machine.transitions.iter().filter_map(|it| {
        let events = it.events.iter().map(|event| code(&machine.event(*event).name));
        let events = if it.events.is_empty() { String::new() } else { format!(" on {}", join(events)) };
        let name = format!("{} → {}{events}", names.from(&it.from), names.to(it));
        Some(row("Transition", name, it.inferred.as_ref()?, it.span))
    });
    states.chain(transitions).collect()
}

/// The diagram of a machine as lines, or a sentence that says why there is none.
pub(super) fn diagram(machine: &Machine, style: &crate::model::document::DiagramStyle) -> Result<mermaid::Diagram, String> {
    mermaid::diagram(machine, style).map_err(|mermaid::TooLarge { n_states }| {
        format!("The diagram is left out: with {n_states} states it is more than a page can draw. The tables say the same.")
    })
}
