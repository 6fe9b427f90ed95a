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
    /// Whether its first word is a day, as in `2026-01-31` and `31.01.2026`.
    fn begins_with_a_day(&self) -> bool {
        let day = self.text.trim().split([' ', 'T']).next().unwrap_or_default();
        let parts: Vec<&str> = day.split(['-', '.', '/']).collect();
        let is_number = |it: &&str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
        parts.len() == 3 && parts.iter().all(is_number) && parts.iter().any(|it| it.len() == 4)
    }
}
