//! The results as numbers and as a table of a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The counts of one class of mutants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// Mutants that the check must find.
    pub mutants: usize,
    /// The mutants that were found.
    pub found: usize,
    /// Mutants with the same meaning in other words, which the check must not report.
    pub equal: usize,
    /// The equivalent mutants that were not reported.
    pub silent: usize,
}

/// All counts and failures.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The counts by the changed item and the kind of change.
    pub rows: BTreeMap<(String, String), Row>,
    /// Mutants that were missed, and false alarms: class, file, place.
    pub failures: Vec<String>,
}

impl Table {
    /// Counts one mutant.
    pub(super) fn count(&mut self, class: (&str, &str), place: &dyn Fn() -> String, expected: bool, found: bool) {
        let row = self.rows.entry((class.0.to_owned(), class.1.to_owned())).or_default();
        let (all, right) = if expected { (&mut row.mutants, &mut row.found) } else { (&mut row.equal, &mut row.silent) };
        *all += 1;
        *right += usize::from(expected == found);
        if expected != found {
            let verdict = if expected { "missed" } else { "false alarm" };
            self.failures.push(format!("{verdict}: {}: {}: {}", class.0, class.1, place()));
        }
    }

    /// The sum of all rows.
    pub fn total(&self) -> Row {
        self.rows.values().fold(Row::default(), |sum, row| Row {
            mutants: sum.mutants + row.mutants,
            found: sum.found + row.found,
            equal: sum.equal + row.equal,
            silent: sum.silent + row.silent,
        })
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let mut text =
            String::from("| What | Change | Mutants | Found | Same meaning | Silent |\n| --- | --- | ---: | ---: | ---: | ---: |\n");
        let mut last = "";
        for ((what, change), row) in &self.rows {
            let what = if last == what { "" } else { what };
            line(&mut text, what, change, row);
            last = if what.is_empty() { last } else { what };
        }
        line(&mut text, "**All**", "", &self.total());
        text
    }
}

fn line(text: &mut String, what: &str, change: &str, row: &Row) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {what} | {change} | {} | {} | {} | {} |", row.mutants, row.found, row.equal, row.silent);
}
