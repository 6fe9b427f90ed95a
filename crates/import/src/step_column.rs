//! Columns of steps such as `A → B`, as a column of sources and one of targets.

use std::ops::Range;

use super::cell::Cell;
use super::column;
use super::phrase::{between_arrows, words};
use super::table::Table;

/// A table with a column of sources and one of targets in place of a column of steps.
pub(super) struct Split {
    pub(super) table: Table,
    /// The position of the sources.
    pub(super) at: usize,
    /// The place of a step that is only likely to be the start.
    pub(super) guessed: Option<Range<usize>>,
}

impl Table {
    /// The table with its steps, `A → B`, in two columns.
    pub(super) fn with_split_steps(&self) -> Option<Split> {
        (0..self.head.len()).find_map(|idx| self.with_split_column(idx))
    }

    fn with_split_column(&self, idx: usize) -> Option<Split> {
        let may_be_anything = column::of_steps(&self.head[idx].text)?;
        let cells = || self.rows.iter().filter_map(|it| it.get(idx)).filter(|it| !it.text.trim().is_empty());
        let steps = || cells().filter_map(Cell::step);
        // A column that can be one of anything has steps only.
        let n_least = if may_be_anything { cells().count() } else { cells().count().div_ceil(2) };
        let n_of_fields = steps().filter(|(from, to)| from.is_value() || to.is_value()).count();
        if steps().count() == 0 || steps().count() < n_least || n_of_fields * 2 > steps().count() {
            return None;
        }
        let start = self.start_of_steps(idx);
        let mut table = self.clone();
        table.head.insert(idx, table.head[idx].clone());
        for (number, row) in table.rows.iter_mut().enumerate().filter(|(_, it)| idx < it.len()) {
            let sign = |text: &str| Cell { text: text.to_owned(), range: row[idx].range.clone(), ..Cell::default() };
            let stays = || row[idx].stays_in().map(|it| (it.clone(), it));
            // Of `Order: open → paid`, the source has a name before it, and the target has none.
            let is_of_one = |(from, to): &(Cell, Cell)| !from.text.contains(": ") || to.text.contains(": ");
            let single = row[idx].step().filter(|it| it.1.step().is_none() && is_of_one(it));
            let (mut from, to) = match single.or_else(stays) {
                Some(step) => step,
                None if row[idx].text.trim().is_empty() => (sign(""), sign("?")),
                // What is no single step cannot be told.
                None => (sign("?"), sign("?")),
            };
            if from.text.is_empty() && !words(&to.text).is_empty() {
                from = sign(if start.is_some_and(|(it, _)| it == number) { "[*]" } else { "?" });
            }
            row[idx] = from;
            row.insert(idx + 1, to);
        }
        let guessed = start.filter(|(_, is_sure)| !is_sure).map(|(number, _)| self.rows[number][idx].range.clone());
        Some(Split { table, at: idx, guessed })
    }

    /// The heading of a column of steps, whatever these lead between. If it is one of anything, its steps are those of a field, or the
    /// text around the table speaks of states.
    pub(super) fn steps_of_anything(&self, about_states: bool) -> Option<&str> {
        let has_steps = |idx: &usize| {
            let may_be_anything = column::of_steps(&self.head[*idx].text)?;
            let cells: Vec<&Cell> = self.rows.iter().filter_map(|it| it.get(*idx)).filter(|it| !it.text.trim().is_empty()).collect();
            let is_single = |it: &&&Cell| between_arrows(&it.text).len() == 2;
            let steps = || cells.iter().filter(is_single).filter_map(|it| it.step());
            let n_of_fields = steps().filter(|(from, to)| from.is_value() || to.is_value()).count();
            let n_least = cells.len() / 2;
            Some(steps().count() > n_least && (!may_be_anything || about_states || n_of_fields > n_least))
        };
        (0..self.head.len()).find(|it| has_steps(it) == Some(true)).map(|it| self.head[it].text.as_str())
    }

    /// The row of a column of steps that says where the machine starts, `→ A`, and whether nothing else can be meant. Several such rows
    /// are steps from anywhere, and so is one between others, unless it speaks of a beginning.
    fn start_of_steps(&self, column: usize) -> Option<(usize, bool)> {
        const BEGINS: &[&str] =
            &["start", "starts", "started", "initial", "initially", "create", "creates", "created", "creation", "begins"];
        let steps: Vec<(usize, Cell, Cell)> = (self.rows.iter().enumerate())
            .filter_map(|(number, row)| row.get(column)?.step().map(|(from, to)| (number, from, to)))
            .collect();
        let mut starts = steps.iter().filter(|(_, from, to)| from.text.is_empty() && !words(&to.text).is_empty());
        let ((number, _, own), None) = (starts.next()?, starts.next()) else { return None };
        let is_left = steps.iter().any(|(_, from, _)| from.text == own.text);
        let is_first = *number == 0 && is_left;
        let is_reached = steps.iter().any(|(other, _, to)| other != number && to.text == own.text);
        let begins = self.rows[*number].iter().flat_map(Cell::words).any(|it| BEGINS.contains(&it.as_str()));
        (is_first || (begins && !is_reached)).then_some((*number, is_first && !is_reached))
    }
}

impl Cell {
    /// Whether it is a field in code marks and its value, as in `` `owner` none → clerk ``.
    fn is_value(&self) -> bool {
        let outside = self.outside_codes();
        let bare = outside.split('(').next().unwrap_or_default();
        !self.codes.is_empty() && words(bare).iter().any(|it| !matches!(it.as_str(), "or" | "and"))
    }
}
