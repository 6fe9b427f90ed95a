//! Statements of sets and tables: which sets are of states, and which tables tell of their steps.

use std::collections::BTreeMap;

use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources, Span};

use super::pieces::{Map, Member, Pieces, Set, Word};
use statespec_import::{Edge, Kind, Named, Stated, Statement, is_onward};

/// The statements of a text: one for each set of states, with the steps of the table that speaks of it; and one for each table
/// of states that the text does not declare.
pub(super) fn make(sources: &Sources, id: SourceId, kind: Kind, pieces: Pieces) -> Vec<Statement> {
    let source = sources.get(id);
    let mut sets: Vec<Statement> = pieces.sets.into_iter().flat_map(|it| of_set(source.path(), id, kind, it)).collect();
    let mut tables: Vec<Statement> = Vec::new();
    // The table of each set: of several ones, none decides every case.
    let mut n_tables: BTreeMap<usize, usize> = BTreeMap::new();
    for map in pieces.maps.iter().filter(|it| is_about_steps(it)) {
        let alone = of_map(source.path(), id, kind, map);
        match sets
            .iter()
            .position(|it| map.of.as_deref().is_some_and(|of| snake(of) == it.name) && has_all(it, &alone))
            .or_else(|| sets.iter().position(|it| has_all(it, &alone)))
        {
            Some(set) => {
                *n_tables.entry(set).or_default() += 1;
                add_edges(&mut sets[set], &alone);
            }
            None => tables.extend(Some(alone).filter(|it| is_closed(it, map))),
        }
    }
    for (set, statement) in sets.iter_mut().enumerate() {
        statement.complete = n_tables.get(&set) == Some(&1);
    }
    sets.retain(|it| is_of_states(&it.name) || !it.edges.is_empty());
    sets.extend(tables);
    sets.sort_by_key(|it| it.span);
    sets
}

/// The statements of a set: constants are one for each type.
fn of_set(path: &str, id: SourceId, kind: Kind, set: Set) -> Vec<Statement> {
    if set.has_others {
        return Vec::new();
    }
    let Some(name) = set.name else {
        let mut of_types: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        let mut last = None;
        for member in set.members {
            // A constant without a type has that of the one before.
            last = member.of.clone().or(last);
            if let Some(of) = &last {
                of_types.entry(of.clone()).or_default().push(member);
            }
        }
        return of_types.into_iter().filter_map(|(of, members)| statement(path, id, kind, snake(&of), None, members)).collect();
    };
    let own = snake(&name.text);
    let whole = match set.owner {
        // A name of one word says nothing without the declaration around it.
        Some(owner) if own.split('_').filter(|it| !BEHIND.contains(it)).count() < 2 => format!("{}_{own}", snake(&owner)),
        _ => own,
    };
    statement(path, id, kind, whole, Some(name), set.members).into_iter().collect()
}

fn statement(path: &str, id: SourceId, kind: Kind, name: String, place: Option<Word>, members: Vec<Member>) -> Option<Statement> {
    let mut states: Vec<Named> = Vec::new();
    // The zero value of an interface stands for a field that is not set.
    let is_state =
        |it: &Member| !it.word.text.starts_with('_') && !it.word.text.is_empty() && !snake(&it.word.text).ends_with("unspecified");
    for member in members.into_iter().filter(is_state) {
        let Member { word, value, .. } = member;
        if states.iter().all(|it| it.name != word.text) {
            let label = value.filter(|it| !it.is_empty() && *it != word.text);
            states.push(Named { label, ..Named::new(word.text, Span::new(id, word.range)) });
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
            edges.push(Edge { from, to: position(to), span: Span::new(id, to.range.clone()), stated: Stated::Plainly });
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

/// Whether a table is about steps onward, by its name, and all of its rows can be read.
fn is_about_steps(map: &Map) -> bool {
    let is_read = map.rows.iter().all(|it| it.to.is_some()) && map.rows.iter().any(|it| it.to.as_ref().is_some_and(|to| !to.is_empty()));
    is_read && is_onward(&map.name.text)
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
