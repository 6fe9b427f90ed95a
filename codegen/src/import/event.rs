//! The events in cells of tables: `a` / `b`, a list, `event [guard] / effect`.

use super::cell::{Cell, distinct};
use super::label::{self, Label};
use super::phrase::outside_brackets;
use crate::names::is_name;

/// What a cell of events says: `push`, `kick` (hard).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Events {
    /// Events, guard and effects.
    pub(super) label: Label,
    /// Whether a slash was read as "or".
    pub(super) guessed: bool,
    /// The remarks behind events.
    pub(super) notes: Vec<String>,
}

impl Cell {
    /// What a cell of events says.
    pub(super) fn events(&self) -> Events {
        let (label, guessed, notes) = self.events_and_notes();
        Events { label, guessed, notes }
    }

    fn events_and_notes(&self) -> (Label, bool, Vec<String>) {
        let several = |events: Vec<String>| Label { events: distinct(events), ..Label::default() };
        let alternatives = outside_brackets(&self.text, &[" / "]);
        let slash = alternatives.len() > 1;
        // Of `a` and `b`, neither is enough.
        if self.only_codes() && self.codes.len() > 1 && !self.words_outside_codes().contains(&"and".to_owned()) {
            return (several(self.codes.clone()), slash, Vec::new());
        }
        const SEPARATORS: &[&str] = &[",", ";", "|", "\n", " or "];
        let list = if slash { self.list_of_codes(&[SEPARATORS, &[" / "]].concat()) } else { self.list(SEPARATORS) };
        if let Some(list) = list.filter(|it| !it.notes.is_empty()) {
            return (several(list.names), slash, list.notes);
        }
        let lines: Vec<String> = self.text.split('\n').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        if lines.len() > 1 {
            return (several(lines), false, Vec::new());
        }
        if self.text.contains(" / ") && !slash {
            return (several(vec![self.text.clone()]), false, Vec::new());
        }
        let label = label::parse(&self.text);
        if !label.effects.is_empty() && label.guard.is_none() && slash {
            return (several(alternatives.iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()), true, Vec::new());
        }
        let pieces: Vec<String> = self.text.split([',', ';', '|']).flat_map(|it| it.split(" or ")).map(|it| it.trim().to_owned()).collect();
        if pieces.len() > 1 && pieces.iter().all(|it| is_name(it)) {
            return (several(pieces), false, Vec::new());
        }
        (label, false, Vec::new())
    }
}
