//! Answers as lines, each with the colour that a terminal gives it.

use statespec_lang::chars::{printable, visible};
use statespec_lang::diagnostic::Style;

/// The meaning of a line, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    /// The current state, and headings.
    Head,
    /// A step that was taken.
    Good,
    /// A refusal.
    Bad,
    /// A mistake in the line that was typed.
    Mistake,
    /// A detail.
    Dim,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Head => "\x1b[1m",
            Ink::Good => "\x1b[32m",
            Ink::Bad => "\x1b[31m",
            Ink::Mistake => "\x1b[33m",
            Ink::Dim => "\x1b[2m",
        }
    }
}

/// A text of several lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text(Vec<(Ink, String)>);

impl Text {
    /// A text in one colour; empty if it is.
    pub(super) fn of(ink: Ink, text: impl AsRef<str>) -> Text {
        let mut it = Text::default();
        it.line(ink, text);
        it
    }

    /// Adds a line, or several.
    pub(super) fn line(&mut self, ink: Ink, text: impl AsRef<str>) {
        self.0.extend(text.as_ref().lines().map(|it| (ink, it.to_owned())));
    }

    pub(super) fn append(&mut self, other: Text) {
        self.0.extend(other.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text for a terminal: the line that was typed, which answers quote, may contain any character.
    pub(super) fn show(&self, style: Style) -> String {
        let mut shown = String::new();
        for (ink, line) in &self.0 {
            let (line, code) = (visible(line), ink.code());
            match style {
                Style::Colour if !code.is_empty() => shown.push_str(&format!("{code}{line}\x1b[0m\n")),
                _ => shown.push_str(&format!("{line}\n")),
            }
        }
        printable(&shown)
    }
}
