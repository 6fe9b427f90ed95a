//! Statements of sets and tables: which sets are of states, and which tables tell of their steps.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources, Span};

use super::pieces::{Map, Member, Number, Pieces, Set, Word};
use statespec_import::{Edge, Kind, Named, Statement, Statements, is_onward};

/// The statements of a text: one for each set of states, with the steps of the table that speaks of it; and one for each table
/// of states that the text does not declare.
pub(super) fn make(sources: &Sources, id: SourceId, kind: Kind, pieces: Pieces) -> Statements {
    let source = sources.get(id);
    let (named, constants): (Vec<Set>, Vec<Set>) = pieces.sets.into_iter().filter(|it| !it.has_others).partition(|it| it.name.is_some());
    let mut problems = Vec::new();
    let (broken, named): (Vec<Set>, Vec<Set>) = named.into_iter().partition(|it| it.broken.is_some());
    for (name, place) in broken.into_iter().filter_map(|it| Some((it.name?, it.broken?))) {
        if is_of_states(&within(None, snake(&name.text))) {
            let message = format!("this is not of the language: nothing was read of `{}`", name.text);
            problems.push(Diagnostic::new(Code::ImportLoss, Span::new(id, place), message));
        }
    }
    let sets = named.into_iter().filter_map(|it| of_set(source.path(), id, kind, it));
    let constants =
        of_constants(constants).into_iter().filter_map(|(name, members)| statement(source.path(), id, kind, name, None, members));
    let mut sets: Vec<Statement> = sets.chain(constants).collect();
    let mut tables: Vec<Statement> = Vec::new();
    // The table of each set: of several ones, none decides every case.
    let mut n_tables: BTreeMap<usize, usize> = BTreeMap::new();
    for map in pieces.maps.iter().filter(|it| is_about_steps(it)) {
        let alone = of_map(source.path(), id, kind, map);
        let is_of = |it: &Statement| map.of.as_deref().is_some_and(|of| snake(of) == it.name) && has_all(it, &alone);
        match sets.iter().position(is_of).or_else(|| sets.iter().position(|it| has_all(it, &alone))) {
            Some(set) => {
                *n_tables.entry(set).or_default() += 1;
                add_edges(&mut sets[set], &alone);
                sets[set].partial |= map.rows.iter().any(|it| it.to.is_none());
            }
            None if is_closed(&alone, map) => tables.push(alone),
            None => continue,
        }
        problems.extend(map.rows.iter().filter(|it| it.to.is_none()).map(|it| {
            let message = format!("what follows `{}` is no list of states: the table was read without this row", it.from.text);
            Diagnostic::new(Code::ImportLoss, Span::new(id, it.from.range.clone()), message)
        }));
    }
    for (set, statement) in sets.iter_mut().enumerate() {
        statement.complete = n_tables.get(&set) == Some(&1) && !statement.partial;
    }
    sets.retain(|it| is_of_states(&it.name) || !it.edges.is_empty());
    sets.extend(tables);
    sets.sort_by_key(|it| it.span);
    Statements { found: sets, problems }
}

/// The statement of a set with a name.
fn of_set(path: &str, id: SourceId, kind: Kind, set: Set) -> Option<Statement> {
    let name = set.name?;
    statement(path, id, kind, within(set.owner.as_deref(), snake(&name.text)), Some(name), set.members)
}

/// A name of one word says nothing without the declaration around it.
fn within(owner: Option<&str>, own: String) -> String {
    match owner {
        Some(owner) if own.split('_').filter(|it| !BEHIND.contains(it)).count() < 2 => format!("{}_{own}", snake(owner)),
        _ => own,
    }
}

/// The constants of each type, wherever they stand, and those whose names begin in the same way.
fn of_constants(sets: Vec<Set>) -> BTreeMap<String, Vec<Member>> {
    let mut found: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    for set in sets {
        let (mut of, mut iota) = (None, None);
        for (position, mut member) in (0..).zip(set.members) {
            // A constant without a type and without a value has the type of the one before.
            if member.of.is_some() || member.number == Number::Text {
                of = member.of.clone();
            }
            iota = match member.number {
                Number::Iota(offset) => Some(offset),
                Number::None => iota,
                Number::Is(_) | Number::Text => None,
            };
            if let Some(offset) = iota {
                member.number = Number::Is(position + offset);
            }
            let name = match &of {
                Some(of) => Some(snake(of)),
                None => beginning(&member.word.text).map(|it| within(set.owner.as_deref(), it)),
            };
            if let Some(name) = name {
                found.entry(name).or_default().push(member);
            }
        }
    }
    found
}

/// The beginning of a constant's name that says of which states it is one: `order_status` of `ORDER_STATUS_OPEN`.
pub(super) fn beginning(name: &str) -> Option<String> {
    let snake = snake(name);
    let words: Vec<&str> = snake.split('_').collect();
    let last = words.iter().position(|it| LAST.contains(it)).filter(|it| it + 1 < words.len())?;
    Some(words[..=last].join("_"))
}

fn statement(path: &str, id: SourceId, kind: Kind, name: String, place: Option<Word>, members: Vec<Member>) -> Option<Statement> {
    let mut states: Vec<Named> = Vec::new();
    // The zero value of an interface stands for a field that is not set.
    let is_state =
        |it: &Member| !it.word.text.starts_with('_') && !it.word.text.is_empty() && !snake(&it.word.text).ends_with("unspecified");
    for member in members.into_iter().filter(is_state) {
        let Member { word, value, number, .. } = member;
        if states.iter().all(|it| it.name != word.text) {
            let label = value.filter(|it| !it.is_empty() && *it != word.text);
            let number = if let Number::Is(it) = number { Some(it) } else { None };
            states.push(Named { label, number, ..Named::new(word.text, Span::new(id, word.range)) });
        }
    }
    let first = states.first()?.span;
    let span = place.map_or(first, |it| Span::new(id, it.range));
    (states.len() > 1).then(|| Statement::set(path, kind, name, span, states))
}

/// The statement of a table alone.
fn of_map(path: &str, id: SourceId, kind: Kind, map: &Map) -> Statement {
    let mut states: Vec<Named> = Vec::new();
    let mut position = |word: &Word| {
        states.iter().position(|it| it.name == word.text).unwrap_or_else(|| {
            states.push(Named::new(&word.text, Span::new(id, word.range.clone())));
            states.len() - 1
        })
    };
    let froms: Vec<usize> = map.rows.iter().map(|it| position(&it.from)).collect();
    let mut edges = Vec::new();
    for (row, from) in map.rows.iter().zip(froms) {
        for to in row.to.iter().flatten() {
            edges.push(Edge { from, to: position(to), span: Span::new(id, to.range.clone()) });
        }
    }
    let name = snake(map.of.as_ref().unwrap_or(&map.name.text));
    let span = Span::new(id, map.name.range.clone());
    // It decides between the states that it names, and need not name all.
    Statement { complete: true, partial: true, edges, ..Statement::set(path, kind, name, span, states) }
}

/// The position of the state that a table means by a name.
fn find(set: &Statement, name: &str) -> Option<usize> {
    let by_name = set.states.iter().position(|it| it.name == name);
    by_name.or_else(|| set.states.iter().position(|it| it.label.as_deref() == Some(name)))
}

fn has_all(set: &Statement, table: &Statement) -> bool {
    table.states.iter().all(|it| find(set, &it.name).is_some())
}

fn add_edges(set: &mut Statement, table: &Statement) {
    let positions: Vec<Option<usize>> = table.states.iter().map(|it| find(set, &it.name)).collect();
    for edge in &table.edges {
        if let (Some(from), Some(to)) = (positions[edge.from], positions[edge.to])
            && set.edges.iter().all(|it| (it.from, it.to) != (from, to))
        {
            set.edges.push(Edge { from, to, ..*edge });
        }
    }
}

/// Whether a table is about steps onward, by its name, and some row of it can be read.
fn is_about_steps(map: &Map) -> bool {
    map.rows.iter().any(|it| it.to.as_ref().is_some_and(|to| !to.is_empty())) && is_onward(&map.name.text)
}

/// Whether what follows the states of a table are states, too, and not actions.
fn is_closed(table: &Statement, map: &Map) -> bool {
    let is_key = |state: usize| map.rows.iter().any(|it| it.from.text == table.states[state].name);
    let says_so = snake(&map.name.text).split('_').any(|it| it.starts_with("transition"));
    if says_so { table.edges.iter().any(|it| is_key(it.to)) } else { table.edges.iter().all(|it| is_key(it.to)) }
}

/// The last words of types of states.
const LAST: &[&str] = &["state", "states", "status", "statuses", "phase", "phases", "stage", "stages", "lifecycle"];
/// Words behind them that say nothing.
const BEHIND: &[&str] = &["enum", "kind", "type", "value", "values", "code", "choices", "schema", "options", "name"];

/// Whether a name is that of a type of states.
pub(crate) fn is_of_states(name: &str) -> bool {
    let mut words = name.rsplit('_').skip_while(|it| BEHIND.contains(it));
    words.next().is_some_and(|it| LAST.contains(&it))
}
