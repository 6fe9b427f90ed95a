//! The text of one diagram, with the position of each byte in the imported file.

use std::ops::Range;

use statespec_lang::source::{SourceId, Span};

/// A diagram's text.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    text: String,
    /// The beginnings of the pieces: in the text, and in the file.
    pieces: Vec<(usize, usize)>,
    id: SourceId,
}

impl Block {
    /// A block of pieces of the file: `(offset in the file, text)`.
    pub(crate) fn new<'a>(id: SourceId, parts: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut text = String::new();
        let mut pieces = Vec::new();
        for (offset, part) in parts {
            pieces.push((text.len(), offset));
            text.push_str(part);
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Block { text: without_controls(&text), pieces, id }
    }

    /// The same places with another text of the same length.
    pub(crate) fn with_text(&self, text: String) -> Self {
        debug_assert_eq!(text.len(), self.text.len(), "every byte keeps its place");
        Block { text, ..self.clone() }
    }

    /// A part of the text, with its places.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let first = self.pieces.partition_point(|(start, _)| *start <= range.start).saturating_sub(1);
        let inside = self.pieces[first..].iter().take_while(|(start, _)| *start <= range.start || *start < range.end);
        let pieces = inside.map(|(start, place)| {
            let from = (*start).max(range.start);
            (from - range.start, place + (from - start))
        });
        Block { text: self.text[range.clone()].to_owned(), pieces: pieces.collect(), id: self.id }
    }

    /// The text, without controls other than line ends and tabs.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The range in the file that corresponds to a range of the text.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let at = |offset: usize| {
            let idx = self.pieces.partition_point(|(start, _)| *start <= offset);
            let (start, place) = idx.checked_sub(1).and_then(|it| self.pieces.get(it)).copied().unwrap_or_default();
            place + (offset - start)
        };
        let start = at(range.start);
        // An end belongs to the piece of the byte before it.
        let end = if range.end > range.start { at(range.end - 1) + 1 } else { start };
        Span::new(self.id, start..end)
    }

    /// The first line that is not blank.
    pub(crate) fn first_line(&self) -> Span {
        let start = self.text.len() - self.text.trim_start().len();
        let length = self.text[start..].find('\n').unwrap_or(0);
        self.span(start..start + length)
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> Span {
        self.span(0..self.text.trim_end().len())
    }
}

/// Blanks controls; every byte keeps its position.
fn without_controls(text: &str) -> String {
    text.chars().map(|it| if it.is_ascii_control() && it != '\n' && it != '\t' { ' ' } else { it }).collect()
}
