//! What a person says about a table that the rules do not read.

use std::fmt;
use std::ops::Range;

use super::vocabulary::{Column, Sense};

/// A table of a page, as a person points at it.
///
/// ```
/// use statespec_import::{ColumnAt, TableColumn, TableSpec, columns};
///
/// let spec = TableSpec { table: Some(2), columns: columns("from=1,to=\"Goes to\"").unwrap(), ..TableSpec::default() };
/// assert_eq!(spec.columns[1], (TableColumn::To, ColumnAt::Heading("Goes to".into())));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableSpec {
    /// The part of the page in which tables are counted, in bytes; all of it if omitted.
    pub within: Option<Range<usize>>,
    /// The position of the table, counted from 1; it can be omitted for the only one.
    pub table: Option<usize>,
    /// The columns. Without any, the headings are read by the rules.
    pub columns: Vec<(Column, ColumnAt)>,
    /// Further phrases of this page: every state.
    pub any: Vec<String>,
    /// No change of the state.
    pub stay: Vec<String>,
    /// The state is an end.
    pub end: Vec<String>,
    /// Nothing: no source, no target, no condition.
    pub none: Vec<String>,
}

impl TableSpec {
    pub(super) fn words(&self) -> Words {
        let of = |sense: Sense, phrases: &[String]| phrases.iter().map(|it| (it.trim().to_lowercase(), sense)).collect::<Vec<_>>();
        let all = [(Sense::Any, &self.any), (Sense::Stay, &self.stay), (Sense::End, &self.end), (Sense::Nothing, &self.none)];
        Words(all.into_iter().flat_map(|(sense, phrases)| of(sense, phrases)).collect())
    }
}

/// The phrases of a page that a person named.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<(String, Sense)>);

impl Words {
    /// Those of the pages that this program makes, where every name stands in code marks.
    pub(super) fn of_own_pages() -> Self {
        let own = [
            ("refused", Sense::Refused),
            ("creation", Sense::Nothing),
            ("direct", Sense::Automatic),
            ("done", Sense::Automatic),
            ("otherwise", Sense::Any),
        ];
        Words(own.map(|(text, sense)| (text.to_owned(), sense)).to_vec())
    }

    pub(super) fn sense(&self, text: &str) -> Option<Sense> {
        let text = text.trim().to_lowercase();
        self.0.iter().find(|(phrase, _)| *phrase == text).map(|(_, sense)| *sense)
    }
}

/// Where a column is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnAt {
    /// Its position, counted from 1.
    Number(usize),
    /// Its heading.
    Heading(String),
}

impl fmt::Display for ColumnAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnAt::Number(number) => number.fmt(f),
            ColumnAt::Heading(heading) => write!(f, "\"{heading}\""),
        }
    }
}

/// Reads a list of columns: `from=1,event="Caused by",to=3`.
pub fn columns(text: &str) -> Result<Vec<(Column, ColumnAt)>, String> {
    let mut columns: Vec<(Column, ColumnAt)> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=').ok_or_else(|| format!("`{rest}` is no column: write `from=1,to=2`"))?;
        let name = name.trim();
        let known = || Column::ALL.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ");
        let column = Column::ALL.iter().copied().find(|it| it.name() == name);
        let column = column.ok_or_else(|| format!("there is no column `{name}`; there are: {}", known()))?;
        let behind = behind.trim_start();
        let (value, next) = match behind.strip_prefix('"') {
            Some(quoted) => {
                let (heading, next) = quoted.split_once('"').ok_or_else(|| format!("a quote is missing behind `{quoted}`"))?;
                (ColumnAt::Heading(heading.to_owned()), next)
            }
            None => {
                let (value, next) = behind.find(',').map_or((behind, ""), |at| behind.split_at(at));
                let value = value.trim();
                let at = match value.parse() {
                    Ok(0) => return Err("columns are counted from 1".to_owned()),
                    Ok(number) => ColumnAt::Number(number),
                    Err(_) if value.is_empty() => return Err(format!("`{name}` needs a number or a heading")),
                    Err(_) => ColumnAt::Heading(value.to_owned()),
                };
                (at, next)
            }
        };
        if columns.iter().any(|(it, _)| *it == column) {
            return Err(format!("`{name}` is given twice"));
        }
        columns.push((column, value));
        let next = next.trim_start();
        rest = match next.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if next.is_empty() => next,
            None => return Err(format!("a comma is missing before `{next}`")),
        };
    }
    Ok(columns)
}
