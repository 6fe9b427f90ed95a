//! Tables of steps that were taken once: a log with the day of each.

use super::cell::Cell;
use super::phrase::words;
use super::table::Table;

impl Table {
    /// The heading of a column of days or times, which says that the rows are what happened.
    pub(super) fn times(&self) -> Option<&str> {
        const OF_TIMES: &[&str] = &["date", "dates", "day", "time", "timestamp", "datetime", "when", "at", "utc", "occurred", "and"];
        let is_of_times = |column: &usize| {
            let heading = words(&self.head[*column].text);
            let mut cells = self.rows.iter().filter_map(|it| it.get(*column)).filter(|it| !it.is_nothing()).peekable();
            let is_named = !heading.is_empty() && heading.iter().all(|it| OF_TIMES.contains(&it.as_str()));
            is_named && cells.peek().is_some() && cells.all(Cell::begins_with_a_day)
        };
        (0..self.head.len()).find(is_of_times).map(|it| self.head[it].text.as_str())
    }
}

impl Cell {
    /// Whether it begins with a day or a time, as in `2026-01-31`, `31.01.2026`, `Jan 31, 2026` and `12:30`.
    fn begins_with_a_day(&self) -> bool {
        let text = self.text.trim();
        let numbers = || text.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
        let has_year = numbers().any(|it| it.len() == 4 && (it.starts_with("19") || it.starts_with("20")));
        let first = text.split_whitespace().next().unwrap_or_default();
        let is_time = first.contains(':') && first.chars().all(|it| it.is_ascii_digit() || matches!(it, ':' | '.' | 'Z'));
        (has_year && numbers().count() > 1) || is_time
    }
}
