//! Matrices: a row for each state before a step; a column for each state after it, or for each event.

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
    if !is_corner || heads.len() < 2 || heads.iter().any(|it| vocabulary::heading(&it.text()).is_some()) {
        return Ok(None);
    }
    let sources: BTreeSet<String> = table.rows.iter().filter_map(|it| it.first()).map(Cell::text).collect();
    let n_states = heads.iter().filter(|it| sources.contains(&it.text())).count();
    let cells = || table.rows.iter().flat_map(|row| row.iter().skip(1));
    let is_plain = |it: &Cell| it.is_empty() || it.sense(words).is_some();
    let of_states = match n_states {
        _ if n_states * 2 > heads.len() && says == Some(Heading::Corner) => true,
        _ if n_states == heads.len() => true,
        // The columns are events, and the cells are the states of the rows.
        0 if cells().any(|it| sources.contains(&it.text())) && cells().all(|it| is_plain(it) || sources.contains(&it.text())) => false,
        _ => return Ok(None),
    };
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
                (true, None) if !cell.text().contains(['(', '✓', '✔', '✅', '❌']) => {
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
    Ok(Some(Written { table, columns: Columns { of, speak_of_states: true } }))
}

/// The table with a column `Transition` of steps, `A → B`, as two columns.
pub(super) fn with_split_steps(table: &Table) -> Cow<'_, Table> {
    let is_of_steps = |idx: usize| {
        let says =
            matches!(vocabulary::words(&table.head[idx].text()).join(" ").as_str(), "transition" | "from to" | "state transition" | "step");
        says && !table.rows.is_empty() && table.rows.iter().all(|row| row.get(idx).is_some_and(|it| it.step().is_some()))
    };
    let Some(at) = (0..table.head.len()).find(|it| is_of_steps(*it)) else { return Cow::Borrowed(table) };
    let mut split = table.clone();
    let head = |text: &str| Cell { plain: text.to_owned(), ..table.head[at].clone() };
    split.head.splice(at..=at, [head("From state"), head("To state")]);
    for row in &mut split.rows {
        if let Some((from, to)) = row.get(at).and_then(Cell::step) {
            row.splice(at..=at, [from, to]);
        }
    }
    Cow::Owned(split)
}
