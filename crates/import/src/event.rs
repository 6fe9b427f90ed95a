//! The events in cells of tables: `a` / `b`, a list, `event [guard] / effect`.

use statespec_lang::names::is_name;

use super::cell::{Cell, distinct};
use super::label::{self, Label};
use super::phrase::{self, outside_brackets};

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

    /// The one name that a cell begins with, and the remark behind it: `close` (by hand).
    pub(super) fn name_and_remark(&self) -> Option<(&str, &str)> {
        if self.codes.is_empty() {
            let (name, remark) = phrase::split_remark(&self.text);
            return remark.filter(|_| is_name(name)).map(|it| (name, it));
        }
        let [code] = self.codes.as_slice() else { return None };
        let rest = self.text.trim().strip_prefix(code.as_str())?.trim();
        let is_remark = (rest.starts_with('(') && rest.ends_with(')')) || rest.starts_with(['—', '–']);
        is_remark.then_some((code, rest))
    }

    /// Whether a cell of events says that nothing has to happen: `automatic`. In code marks, it is a name.
    pub(super) fn is_automatic(&self) -> bool {
        const AUTOMATIC: &[&str] = &[
            "automatic",
            "automatically",
            "immediate",
            "immediately",
            "automatic transition",
            "immediate transition",
            "no event",
            "no trigger",
            "ε",
            "epsilon",
        ];
        let text = self.words().join(" ");
        // `auto` may be a name, `(auto)` is a remark.
        self.codes.is_empty() && (AUTOMATIC.contains(&text.as_str()) || (self.is_bracketed() && text == "auto"))
    }

    /// Whether a cell of events says that somebody does it, so that `automatic` in others is one of two modes.
    pub(super) fn is_manual(&self) -> bool {
        self.words().first().is_some_and(|it| it == "manual" || it == "manually")
    }

    /// Whether a cell of events tells of an end rather than of an event: `(terminal)`, `Terminal for this version`.
    pub(super) fn is_end(&self) -> bool {
        self.codes.is_empty() && phrase::end(&self.text).is_some()
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
        if !label.effects.is_empty() && label.guards.is_empty() && slash {
            return (several(alternatives.iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()), true, Vec::new());
        }
        let pieces: Vec<String> = self.text.split([',', ';', '|']).flat_map(|it| it.split(" or ")).map(|it| it.trim().to_owned()).collect();
        if pieces.len() > 1 && pieces.iter().all(|it| is_name(it)) {
            return (several(pieces), false, Vec::new());
        }
        (label, false, Vec::new())
    }
}
