//! Matrices: a row for each state before a step; a column for each state after it, or for each event.

use crate::phrase::words;
use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Table;
use super::cell::Cell;
use super::columns::Columns;
use super::spec::Words;
use super::vocabulary::{self, Column, Heading, Sense};

/// A matrix as rows: `from`, `event`, `to`.
pub(super) struct Written {
    pub(super) table: Table,
    pub(super) columns: Columns,
}

/// The rows of a matrix. `Ok(None)` if the table is none.
pub(super) fn written_out(table: &Table, words: &Words) -> Result<Option<Written>, String> {
    let Some((corner, heads)) = table.head.split_first() else { return Ok(None) };
    let says = vocabulary::heading(&corner.text());
    let is_corner = matches!(says, Some(Heading::Corner | Heading::State | Heading::Of(Column::From, _)));
    let sources: BTreeSet<String> = table.rows.iter().filter_map(|it| it.first()).map(Cell::text).collect();
    let n_states = heads.iter().filter(|it| sources.contains(&it.text())).count();
    let is_square = n_states > 1 && n_states * 2 > heads.len();
    if !is_corner && is_square {
        return Err(format!("its corner `{}` does not say which side has the states before a step", corner.text()));
    }
    let other = heads.iter().find(|it| vocabulary::heading(&it.text()).is_some());
    if let Some(other) = other.filter(|_| is_square) {
        return Err(format!("`{}` stands among the columns of states", other.text()));
    }
    if !is_corner || heads.len() < 2 || other.is_some() {
        return Ok(None);
    }
    let cells = || table.rows.iter().flat_map(|row| row.iter().skip(1));
    let is_plain = |it: &Cell| it.is_empty() || it.sense(words).is_some();
    let of_states = match n_states {
        _ if n_states * 2 > heads.len() && says == Some(Heading::Corner) => true,
        _ if n_states == heads.len() => true,
        // The columns are events, and the cells are the states of the rows.
        0 if cells().any(|it| sources.contains(&it.text())) && cells().all(|it| is_plain(it) || sources.contains(&it.text())) => false,
        _ => return Ok(None),
    };
    let says_yes = cells().any(|it| it.sense(words) == Some(Sense::Yes));
    // `x` may be a yes or a no, and `0.8` is no event.
    let is_event = |it: &Cell| it.list().is_some_and(|it| it.iter().all(|it| it.starts_with(char::is_alphabetic) && it.len() > 1));
    let mut rows = Vec::new();
    for row in &table.rows {
        let Some((source, cells)) = row.split_first() else { continue };
        for (head, cell) in heads.iter().zip(cells) {
            let at = |cell: &Cell, of: &Cell| Cell { range: cell.range.clone(), ..of.clone() };
            let sense = cell.sense(words);
            if cell.is_empty() || matches!(sense, Some(Sense::Nothing | Sense::Refused)) {
                continue;
            }
            rows.push(match (of_states, sense) {
                (true, Some(Sense::Yes)) => vec![source.clone(), Cell::default(), at(cell, head)],
                (true, None) if !says_yes && is_event(cell) => {
                    vec![source.clone(), cell.clone(), at(cell, head)]
                }
                (false, None | Some(Sense::Stay)) => vec![source.clone(), at(cell, head), cell.clone()],
                _ => return Err(format!("what the cell `{}` means is open", cell.text())),
            });
        }
    }
    let of = [Column::From, Column::Event, Column::To].map(Some).to_vec();
    let head = vec![corner.clone(); 3];
    let table = Table { head, rows, range: table.range.clone() };
    let speak_of_states = !of_states || vocabulary::speaks_of_states(&corner.text());
    Ok(Some(Written { table, columns: Columns { of, speak_of_states, are_states: false } }))
}

/// What the heading of a column of steps says, and whether it speaks of states.
const OF_STEPS: &[(&str, bool)] = &[("transition", true), ("state transition", true), ("from to", false), ("step", false)];

/// Whether the heading of a column is one of steps, and if so, whether it speaks of states.
fn of_steps(head: &Cell) -> Option<bool> {
    let says = words(&head.text()).join(" ");
    OF_STEPS.iter().find(|(phrase, _)| *phrase == says).map(|(_, of_states)| *of_states)
}

/// Whether most cells of a column are steps, `A → B`.
fn has_steps(table: &Table, idx: usize) -> bool {
    table.rows.iter().filter(|row| row.get(idx).is_some_and(|it| it.step().is_some())).count() * 2 > table.rows.len()
}

/// The table with a column `Transition` of steps, `A → B`, as two columns. In a row with another form, the second one is empty.
pub(super) fn with_split_steps(table: &Table) -> Cow<'_, Table> {
    let heads = table.head.iter().enumerate().filter(|(idx, _)| has_steps(table, *idx));
    let Some((at, of_states)) = heads.filter_map(|(idx, it)| Some((idx, of_steps(it)?))).next() else { return Cow::Borrowed(table) };
    let mut split = table.clone();
    let head = |text: &str| Cell { plain: text.to_owned(), codes: Vec::new(), ..table.head[at].clone() };
    split.head.splice(at..=at, if of_states { [head("From state"), head("To state")] } else { [head("From"), head("To")] });
    for row in split.rows.iter_mut().filter(|it| it.len() > at) {
        let cell = row[at].clone();
        let (from, to) = cell.step().unwrap_or_else(|| (cell.clone(), Cell { range: cell.range.clone(), ..Cell::default() }));
        row.splice(at..=at, [from, to]);
    }
    Cow::Owned(split)
}

/// Why a table with steps in a column of another heading, or with other cells below `Transition`, is not read.
pub(super) fn unsplit(table: &Table) -> Option<String> {
    let heads = || table.head.iter().enumerate();
    let other = heads().find(|(idx, _)| has_steps(table, *idx));
    let other = other.map(|(_, it)| format!("its column `{}` has steps, and its heading is no `Transition`", it.text()));
    let named = || heads().find(|(_, it)| of_steps(it) == Some(true));
    other.or_else(|| named().map(|(_, it)| format!("most cells of its column `{}` are no steps `A → B`", it.text())))
}
