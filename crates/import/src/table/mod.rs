//! Tables of pages. A table is read by the rules of the guide, or it is not read, and reported at its place.
//!
//! ```text
//! Table ── columns (headings, or what a person says) ─▶ shape: rows, adjacency, matrix, list of values
//!       ── rows ─▶ facts ─▶ draft; a row that has another form is reported, and not read
//! ```

pub(crate) mod cell;
mod columns;
mod matrix;
mod rows;
pub(crate) mod spec;
mod values;
pub(crate) mod vocabulary;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::source::SourceId;

use self::cell::Cell;
use self::columns::Columns;
pub(crate) use self::columns::suggested;
use self::rows::Reader;
use self::spec::TableSpec;
use self::spec::Words;
use self::vocabulary::Column;
use super::draft::{Draft, From};
use super::{Kind, span};

/// A table of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) head: Vec<Cell>,
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) range: Range<usize>,
}

impl Table {
    /// The headings.
    pub(crate) fn head_range(&self) -> Range<usize> {
        rows::row_range(&self.head)
    }
}

/// A list of a page whose items all begin with a text in code marks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bullets {
    /// The beginning of each item.
    pub(crate) items: Vec<Cell>,
}

/// The text around a table.
pub(crate) struct Around<'a> {
    pub(crate) headings: &'a [String],
    /// The paragraph right before it.
    pub(crate) before: &'a str,
    /// Whether a state diagram stands in the same section.
    pub(crate) is_beside_diagram: bool,
    /// Whether this program made the table.
    pub(crate) is_own: bool,
}

impl Around<'_> {
    /// The texts that tell what a table is about: the nearest heading, and the last sentence before the table.
    fn near(&self) -> impl Iterator<Item = &str> {
        let sentence = self.before.trim_end_matches(['.', ':', ' ']).rsplit(". ").next().unwrap_or_default();
        self.headings.last().map(String::as_str).into_iter().chain([sentence])
    }

    fn speaks_of_states(&self) -> bool {
        self.is_beside_diagram || self.headings.iter().map(String::as_str).chain([self.before]).any(vocabulary::speaks_of_states)
    }
}

/// How a table was read.
pub(crate) enum Reading {
    /// Steps, and the view of a machine that the table is.
    Steps(Draft, &'static str),
    /// States without steps.
    Values(Draft),
    /// It has the columns of steps or states, and one of the rules does not hold.
    Unread(String),
    /// It is none of states.
    Other,
}

/// Reads a table by the rules, or by what a person says about it.
pub(crate) fn read(table: &Table, name: &str, title: Option<&str>, around: &Around<'_>, spec: Option<&TableSpec>, id: SourceId) -> Reading {
    match read_steps(table, name, title, around, spec, id) {
        Ok(Some((draft, view))) => Reading::Steps(draft, view),
        Err(why) => Reading::Unread(why),
        Ok(None) if columns::foreign(table).is_some() => Reading::Other,
        Ok(None) => match values::of_table(table, name, around.speaks_of_states(), id) {
            Some(Err(why)) if around.near().any(vocabulary::speaks_of_states) => Reading::Unread(why),
            Some(Ok(draft)) => match around.near().find_map(vocabulary::speaks_of_others) {
                Some(word) => Reading::Unread(format!("`{word}` in the text before it says that it lists something else")),
                None => Reading::Values(draft),
            },
            _ => Reading::Other,
        },
    }
}

/// Reads bullets.
pub(crate) fn read_bullets(bullets: &Bullets, name: &str, around: &Around<'_>, id: SourceId) -> Option<Draft> {
    let speaks_of_states = around.near().any(vocabulary::speaks_of_states);
    values::of_bullets(bullets, name, speaks_of_states && !around.near().any(|it| vocabulary::speaks_of_others(it).is_some()), id)
}

/// The steps of a table. `Ok(None)` if it has no columns of steps.
fn read_steps(
    table: &Table,
    name: &str,
    title: Option<&str>,
    around: &Around<'_>,
    spec: Option<&TableSpec>,
    id: SourceId,
) -> Result<Option<(Draft, &'static str)>, String> {
    let words = if around.is_own { Words::of_own_pages() } else { spec.map(TableSpec::words).unwrap_or_default() };
    let told = spec.is_some_and(|it| !it.columns.is_empty());
    let split = if told { Cow::Borrowed(table) } else { matrix::with_split_steps(table) };
    let (table, columns, view) = match spec.filter(|_| told) {
        Some(spec) => (table.clone(), Columns::of_spec(table, spec)?, "transitions"),
        None => match Columns::of_headings(&split)? {
            Some(columns) if columns.position(Column::Event).is_none() => (split.into_owned(), columns, "adjacency"),
            Some(columns) => (split.into_owned(), columns, "transitions"),
            None => match matrix::written_out(table, &words)? {
                Some(written) => (written.table, written.columns, "matrix"),
                None => {
                    let about_states = around.near().any(vocabulary::speaks_of_states);
                    let why = columns::missing(table, about_states).or_else(|| matrix::unsplit(table));
                    return why.map_or(Ok(None), Err);
                }
            },
        },
    };
    if !told {
        if let Some(heading) = columns::foreign(&table) {
            return Err(format!("the column `{heading}` says that its rows are about something else"));
        }
        if let Some(word) = around.near().find_map(vocabulary::speaks_of_others) {
            return Err(format!("`{word}` in the text before it says that it lists something else"));
        }
        if let Some(head) = columns::verdict(&table, &columns) {
            return Err(format!("its column `{}` says yes or no, and its heading does not tell of what", head.text()));
        }
    }
    let has_events = columns.position(Column::Event).is_some();
    let whole = span(id, table.head_range());
    let draft = Draft { title: title.map(str::to_owned), complete: view != "transitions", ..Draft::new(Kind::Table, name, whole) };
    let mut reader = Reader::new(&table, &columns, &words, told, id, draft);
    reader.is_nested = around.is_own;
    for row in &table.rows {
        reader.row(row);
    }
    let (mut draft, n_unread) = (reader.draft, reader.n_unread);
    if draft.rows.is_empty() {
        return Err("no row of it could be read as a step".to_owned());
    }
    if !told && n_unread * 2 > table.rows.len() {
        return Err(format!("{n_unread} of its {} rows have another form", table.rows.len()));
    }
    // Two columns of names are steps if some step leads to where another one begins, or if the headings say so.
    let sources: BTreeSet<From> = draft.rows.iter().map(|it| it.from).collect();
    let leads_on = draft.rows.iter().filter_map(|it| it.to).any(|it| sources.contains(&From::State(it)) || sources.contains(&From::Any));
    let is_clear = match (columns.speak_of_states, has_events) {
        (true, true) => true,
        (true, false) => leads_on,
        (false, true) => leads_on && around.speaks_of_states(),
        (false, false) => leads_on && around.headings.last().is_some_and(|it| vocabulary::speaks_of_states(it)),
    };
    if !told && !around.is_own && !is_clear {
        return Err("its headings and its names do not tell whether these are steps between states".to_owned());
    }
    // A person names the columns that count.
    if view != "matrix" && !told {
        for (column, head) in columns.of.iter().zip(&table.head).filter(|(it, _)| it.is_none()) {
            debug_assert!(column.is_none());
            draft.found.loss(
                span(id, head.range.clone()),
                format!("no key of a spec matches the heading `{}`: the column was left out", head.text()),
            );
        }
    }
    Ok(Some((draft, view)))
}
