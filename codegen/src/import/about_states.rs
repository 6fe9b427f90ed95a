//! Whether a table with the columns of steps is one of states: messages and versions, too, lead from one to another.

use super::column::{self, Column};
use super::page::About;
use super::phrase::words;
use super::table::Edges;

/// The words of headings that only states have.
const OF_STATES: &[&str] = &["state", "states", "status", "statuses"];

/// The words of headings that states have, and parts of plans, too.
const OF_PHASES: &[&str] = &["phase", "phases", "stage", "stages", "mode", "modes"];

impl Edges<'_> {
    /// Whether the headings, the names or the text around the table are those of states.
    pub(super) fn is_about_states(&self) -> bool {
        let around = self.about;
        let is_around = around != About::Others;
        let triggers = ["trigger", "event", "triggers", "events"].iter().any(|it| self.heading(Column::Event).contains(it));
        let from = self.heading(Column::From);
        // `Target` and `Status` of a measurement are what is wanted and how it is.
        let is_backwards =
            matches!(from.trim(), "state" | "status") && self.columns.position(Column::To) < self.columns.position(Column::From);
        // Whether phases follow each other by steps of a machine, only the text around them says: `Trigger` may be that of a phase.
        let is_plan = self.has_bare_phases() && around < About::Lives;
        if is_backwards || is_plan || triggers {
            return !is_backwards && !is_plan;
        }
        let may_be_anything =
            from.trim() == "source" || self.heading(Column::To).trim() == "target" || column::of_steps(&from) == Some(true);
        // What `From` and `To` are of, nothing else says.
        let is_guarded = [Column::Guard, Column::Verdict, Column::Forbidden].iter().any(|it| self.columns.has(*it));
        let is_chained = self.known.sources.intersection(&self.known.targets).next().is_some();
        if may_be_anything {
            is_chained && is_around
        } else if self.speaks_of(OF_STATES) {
            true
        } else if self.is_split() {
            // `Transition` alone may be one of versions, `1 → 2`, or of pages.
            match self.has_mostly_numbers() {
                true => around == About::States,
                false => is_chained || around >= About::Lives,
            }
        } else {
            self.speaks_of(OF_PHASES) || self.speaks_of(&["transition", "transitions"]) || is_around || (is_chained && is_guarded)
        }
    }

    /// Whether only a column of events tells that this is a table of states.
    pub(super) fn only_has_events(&self) -> bool {
        let is_chained = self.known.sources.intersection(&self.known.targets).next().is_some();
        let speaks = self.speaks_of(OF_STATES) || self.speaks_of(OF_PHASES) || self.speaks_of(&["transition", "transitions"]);
        !is_chained && !speaks && self.about == About::Others
    }

    /// The heading of a column in lower case; empty if there is no such column.
    fn heading(&self, column: Column) -> String {
        self.columns.position(column).map(|it| self.table.head[it].text.to_lowercase()).unwrap_or_default()
    }

    /// Whether the heading of the sources or that of the targets has one of these words.
    fn speaks_of(&self, wanted: &[&str]) -> bool {
        let headings = [Column::From, Column::To].map(|it| self.heading(it));
        headings.iter().flat_map(|it| words(it)).any(|it| wanted.contains(&it.as_str()))
    }

    /// Whether a column of steps stands for sources and targets.
    pub(super) fn is_split(&self) -> bool {
        column::of_steps(&self.heading(Column::From)).is_some()
    }

    /// Whether the sources are phases without a word for a step: those of a plan follow each other, too.
    fn has_bare_phases(&self) -> bool {
        matches!(words(&self.heading(Column::From)).as_slice(), [only] if OF_PHASES.contains(&only.as_str()))
    }

    fn has_mostly_numbers(&self) -> bool {
        let is_number = |it: &&&String| it.chars().all(|it| it.is_ascii_digit() || matches!(it, '.' | 'v'));
        let names: Vec<&String> = self.known.sources.union(&self.known.targets).collect();
        names.iter().filter(is_number).count() * 2 > names.len()
    }
}
