//! Lists of names in cells of tables: `push`, `kick` (hard).

use std::collections::BTreeSet;

use super::cell::Cell;
use super::label::is_call;
use super::phrase::{outside_brackets, split_remark};

/// The names of a list, and the remarks in brackets behind them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct List {
    pub(super) names: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Cell {
    /// The list that a cell consists of: each part is in backticks, or one name. `None` if there are fewer than two parts.
    pub(super) fn list(&self, separators: &[&str]) -> Option<List> {
        let codes: BTreeSet<&str> = self.codes.iter().map(String::as_str).collect();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut list = List::default();
        for part in outside_brackets(&self.text, separators) {
            let (name, note) = split_remark(&part);
            if !codes.contains(name) && !is_call(name) {
                return None;
            }
            if seen.insert(name.to_owned()) {
                list.names.push(name.to_owned());
            }
            list.notes.extend(note.map(str::to_owned));
        }
        (list.names.len() > 1).then_some(list)
    }

    /// [`Cell::list`], if every name is in backticks.
    pub(super) fn list_of_codes(&self, separators: &[&str]) -> Option<List> {
        let codes: BTreeSet<&String> = self.codes.iter().collect();
        self.list(separators).filter(|it| it.names.iter().all(|name| codes.contains(name)))
    }
}
