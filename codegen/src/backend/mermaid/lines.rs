//! The text of a diagram of a system, with the spec element of each line.

use statespec_lang::source::Span;

use super::{MAX_CHARACTERS, escape};

/// A diagram of a system, or of one of its walkthroughs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    text: String,
    elements: Vec<Option<Span>>,
}

impl Lines {
    pub(super) fn push(&mut self, depth: usize, parts: &[&str], element: Option<Span>) {
        self.text.extend(std::iter::repeat_n("    ", depth));
        self.text.extend(parts.iter().copied());
        self.text.push('\n');
        self.elements.push(element);
    }

    /// The whole text, with a newline at the end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines, without line ends, each with the element that it shows alone.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Option<Span>)> {
        self.text.lines().zip(self.elements.iter().copied())
    }

    /// Whether Mermaid draws it.
    pub(super) fn fits(&self) -> bool {
        self.text.chars().count() <= MAX_CHARACTERS
    }
}

/// A text as a label; a text without any visible character is replaced by a question mark, which Mermaid needs.
pub(super) fn label(text: &str) -> String {
    let escaped = escape(text);
    if escaped.is_empty() { "?".to_owned() } else { escaped.into_owned() }
}
