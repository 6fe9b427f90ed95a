//! The shape of a table: what its headings, or a person, make of its columns.

use super::cell::Cell;
use super::spec::{ColumnAt, Words};
use super::vocabulary::{self, Column, Heading, Sense};
use super::{Table, TableSpec};

/// The columns of a table with a row for each step.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The meaning of each column.
    pub(super) of: Vec<Option<Column>>,
    /// Whether the headings speak of states.
    pub(super) speak_of_states: bool,
    /// Whether the first column is one of states, with what is said about each.
    pub(super) are_states: bool,
}

impl Columns {
    pub(super) fn position(&self, column: Column) -> Option<usize> {
        self.of.iter().position(|it| *it == Some(column))
    }

    pub(super) fn cell<'a>(&self, row: &'a [Cell], column: Column) -> Option<&'a Cell> {
        self.position(column).and_then(|it| row.get(it))
    }

    /// What the headings say of each column.
    fn said_by_headings(table: &Table) -> Columns {
        let said: Vec<Option<Heading>> = table.head.iter().map(|it| vocabulary::heading(&it.text())).collect();
        let has = |column: Column| said.iter().any(|it| matches!(it, Some(Heading::Of(of, _)) if *of == column));
        let first_target = said.iter().position(|it| matches!(it, Some(Heading::Of(Column::To, _))));
        let mut columns = Columns::default();
        for (idx, heading) in said.iter().enumerate() {
            columns.of.push(match heading {
                Some(Heading::Of(column, of_states)) => {
                    columns.speak_of_states |= of_states;
                    Some(*column)
                }
                Some(Heading::State) if !has(Column::From) => {
                    columns.speak_of_states = true;
                    columns.are_states = true;
                    Some(Column::From)
                }
                Some(Heading::Action) if !has(Column::Event) && first_target.is_some_and(|it| idx < it) => Some(Column::Event),
                Some(Heading::Action) if has(Column::Event) && !has(Column::Effect) => Some(Column::Effect),
                _ => None,
            });
        }
        columns
    }

    /// By the headings. `None` if they name no sources, or no targets.
    pub(super) fn of_headings(table: &Table) -> Result<Option<Columns>, String> {
        let columns = Columns::said_by_headings(table);
        if columns.position(Column::From).is_none() || columns.position(Column::To).is_none() {
            return Ok(None);
        }
        for column in Column::ALL.iter().filter(|it| **it != Column::Doc) {
            if columns.of.iter().filter(|it| **it == Some(*column)).count() > 1 {
                return Err(format!("several columns are read as `{}`", column.name()));
            }
        }
        Ok(Some(columns))
    }

    /// By what a person says.
    pub(super) fn of_spec(table: &Table, spec: &TableSpec) -> Result<Columns, String> {
        let mut of = vec![None; table.head.len()];
        for (column, at) in &spec.columns {
            let idx = match at {
                ColumnAt::Number(number) => (*number <= of.len()).then(|| number - 1),
                ColumnAt::Heading(heading) => table.head.iter().position(|it| it.text().trim().eq_ignore_ascii_case(heading.trim())),
            };
            let headings: Vec<String> = table.head.iter().map(|it| format!("`{}`", it.text())).collect();
            let idx = idx.ok_or_else(|| format!("the table has no column {at}; there are: {}", headings.join(", ")))?;
            of[idx] = Some(*column);
        }
        let columns = Columns { of, speak_of_states: true, are_states: false };
        match columns.position(Column::From).is_some() && columns.position(Column::To).is_some() {
            true => Ok(columns),
            false => Err("the columns need `from` and `to`".to_owned()),
        }
    }
}

/// The columns for the flag `--columns`: those whose headings are known, and else the first ones.
pub(crate) fn suggested(table: &Table) -> String {
    let known = Columns::said_by_headings(table);
    let at = |column: Column| known.position(column).map(|it| it + 1);
    let n_columns = table.head.len();
    // Without a known heading, the event is the second of three.
    let event = at(Column::Event).or(Some(2)).filter(|_| n_columns > 2);
    let (from, to) = match (at(Column::From), at(Column::To)) {
        (Some(from), Some(to)) => (from, to),
        _ => {
            let mut others = (1..=n_columns).filter(|it| Some(*it) != event);
            (others.next().unwrap_or(1), others.next().unwrap_or(n_columns))
        }
    };
    let is_free = |it: &usize| *it != from && *it != to;
    let event = event.filter(is_free).or_else(|| (1..=n_columns).find(is_free));
    let event = event.map(|it| format!("event={it},")).unwrap_or_default();
    format!("from={from},{event}to={to}")
}

/// Why a table with a part of the headings of steps is not read.
pub(super) fn missing(table: &Table, about_states: bool) -> Option<String> {
    // `To (allowed)` is none of the headings, but looks like one.
    let says = |it: &Cell| {
        let text = it.text();
        vocabulary::heading(&text).or_else(|| vocabulary::heading(text.split('(').next().unwrap_or_default()))
    };
    let of_side = |it: &&Cell| matches!(says(it), Some(Heading::Of(Column::From | Column::To, of_states)) if of_states || about_states);
    let is_corner = |it: &&Cell| says(it) == Some(Heading::Corner);
    let head = table.head.iter().find(|it| of_side(it) || is_corner(it))?;
    Some(format!("beside `{}`, its headings do not name the states before and after a step", head.text()))
}

/// The column without a meaning that says yes or no of each step.
pub(super) fn verdict<'a>(table: &'a Table, columns: &Columns) -> Option<&'a Cell> {
    let says = |idx: usize| {
        let cells = table.rows.iter().filter_map(move |row| row.get(idx));
        cells.filter_map(|it| it.sense(&Words::default())).any(|it| matches!(it, Sense::Yes | Sense::Refused))
    };
    let idx = (0..table.head.len()).find(|it| columns.of.get(*it) == Some(&None) && says(*it))?;
    table.head.get(idx).filter(|it| !vocabulary::speaks_of_ends(&it.text()))
}

/// The heading that says that the rows are about something else.
pub(super) fn foreign(table: &Table) -> Option<String> {
    let is_foreign = |it: &&Cell| vocabulary::heading(&it.text()) == Some(Heading::Foreign);
    table.head.iter().find(is_foreign).map(Cell::text)
}
