//! The rows of a table, written cell by cell.

use std::borrow::Cow;

use statespec_lang::model::document::{Column, Content, Fact};
use statespec_lang::source::Span;

/// The rows of a table: their cells as Markdown, one after the other.
pub(super) struct Rows<'a> {
    pub(super) columns: &'a [Column],
    text: String,
    /// The end of each cell in the text.
    cell_ends: Vec<usize>,
    /// For each row, whether it is inferred, and the spec element that it describes.
    pub(super) about: Vec<(bool, Span)>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(columns: &'a [Column]) -> Self {
        Rows { columns, text: String::new(), cell_ends: Vec::new(), about: Vec::new() }
    }

    /// Adds a row: `write` writes the contents of a column.
    pub(super) fn push(&mut self, inferred: bool, span: Span, write: impl Fn(&mut String, Content)) {
        for column in self.columns {
            write(&mut self.text, column.content);
            self.cell_ends.push(self.text.len());
        }
        self.about.push((inferred, span));
    }

    /// The same if all columns are facts.
    pub(super) fn push_facts(&mut self, inferred: bool, span: Span, write: impl Fn(&mut String, Fact)) {
        self.push(inferred, span, |cell, content| {
            if let Content::Fact(fact) = content {
                write(cell, fact);
            }
        });
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        let idx = row * self.columns.len() + column;
        let start = idx.checked_sub(1).map_or(0, |it| self.cell_ends[it]);
        &self.text[start..self.cell_ends[idx]]
    }

    /// The cells of a row in these columns; the first one is marked if the row is inferred.
    pub(super) fn cells<'b>(&'b self, row: usize, columns: &'b [usize], marks: bool) -> impl Iterator<Item = Cow<'b, str>> {
        let marked = marks && self.about[row].0;
        columns.iter().enumerate().map(move |(idx, column)| match self.cell(row, *column) {
            first if idx == 0 && marked => Cow::Owned(format!("{first} *(inferred)*")),
            cell => Cow::Borrowed(cell),
        })
    }

    /// The non-empty columns, and the first one.
    pub(super) fn telling(&self) -> Vec<usize> {
        let says = |column: &usize| *column == 0 || (0..self.about.len()).any(|row| !self.cell(row, *column).is_empty());
        (0..self.columns.len()).filter(says).collect()
    }
}

/// Several tables one after another, each with a preceding sentence; usually a single table without one.
pub(super) struct Table<'a> {
    pub(super) caption: Option<String>,
    pub(super) rows: Rows<'a>,
}
