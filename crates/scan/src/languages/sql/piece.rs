//! A part of a file of SQL, which knows its place in the file.

use sqlparser::tokenizer::{Location, Token, TokenWithSpan};
use statespec_lang::source::{SourceId, Span};

/// A part of a file.
pub(super) struct Piece<'a> {
    id: SourceId,
    start: usize,
    pub(super) text: &'a str,
}

impl<'a> Piece<'a> {
    /// The beginning of a file.
    pub(super) fn new(id: SourceId, text: &'a str) -> Self {
        Piece { id, start: 0, text }
    }

    /// The text between `$$` and `$$`.
    pub(super) fn quoted(&self, token: &TokenWithSpan) -> Option<Piece<'_>> {
        let Token::DollarQuotedString(quoted) = &token.token else { return None };
        let tag = quoted.tag.as_ref().map_or(0, String::len);
        let start = self.offset(token.span.start) + tag + 2;
        let text = self.text.get(start..start + quoted.value.len())?;
        Some(Piece { id: self.id, start: self.start + start, text })
    }

    /// A place of the file.
    pub(super) fn place(&self, start: Location, end: Location) -> Span {
        let (start, end) = (self.offset(start), self.offset(end));
        Span::new(self.id, self.start + start..self.start + end.max(start))
    }

    /// The bytes before a line and a column, both counted from 1, the column in characters.
    fn offset(&self, location: Location) -> usize {
        let (line, column) = (location.line.saturating_sub(1), location.column.saturating_sub(1));
        let lines = self.text.split_inclusive('\n');
        let mut before = 0;
        for (number, text) in (0..).zip(lines) {
            if number == line {
                return before + text.chars().zip(0..column).map(|it| it.0.len_utf8()).sum::<usize>();
            }
            before += text.len();
        }
        self.text.len()
    }
}
