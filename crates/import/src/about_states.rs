//! Whether a table with the columns of steps is one of states: messages and versions, too, lead from one to another.

use super::column::{self, Column};
use super::page::About;
use super::phrase::words;
use super::table::Edges;

/// The words of headings that only states have.
const OF_STATES: &[&str] = &["state", "states", "status", "statuses"];

/// The words of headings that states have, and parts of plans, too.
const OF_PHASES: &[&str] = &["phase", "phases", "stage", "stages", "mode", "modes"];

/// The words of headings beside `From` and `To` that messages, pages and files have.
const OF_OTHER_THINGS: &[&str] =
    &["interface", "protocol", "payload", "port", "url", "route", "endpoint", "field", "metric", "redirect", "gate", "milestone"];

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
        if is_backwards || is_plan || self.is_gap() {
            return false;
        }
        let to = self.heading(Column::To);
        let is_chained = self.is_chained();
        let names_states = self.speaks_of(OF_STATES);
        // Messages, links and copies have these sides, too.
        let has_other_sides = from.trim() == "source" || to.trim() == "destination";
        let is_of = |it: &str| matches!(words(it).as_slice(), [only] if OF_OTHER_THINGS.contains(&only.as_str()));
        let is_of_other_things = self.table.head.iter().any(|it| is_of(&it.text)) || self.has_mostly_paths();
        if is_of_other_things && !names_states {
            return false;
        }
        if triggers && (names_states || !has_other_sides) {
            return true;
        }
        let may_be_anything = has_other_sides || to.trim() == "target" || column::of_steps(&from) == Some(true);
        // What `From` and `To` are of, nothing else says.
        let is_guarded = [Column::Guard, Column::Verdict, Column::Forbidden].iter().any(|it| self.columns.has(*it));
        if may_be_anything {
            is_chained && is_around && (!has_other_sides || around == About::States)
        } else if names_states {
            true
        } else if self.is_split() {
            // `Transition` alone may be one of versions, `1 → 2`, or of pages.
            match self.has_mostly_numbers() {
                true => around == About::States,
                false => is_chained || around >= About::Lives,
            }
        } else {
            let says_steps = self.speaks_of(OF_PHASES) || self.speaks_of(&["transition", "transitions"]);
            says_steps || is_around || (is_chained && is_guarded)
        }
    }

    /// Whether the columns say how a thing is, and how it is wanted: the things have a column of their own, or no row begins where
    /// another one leads.
    fn is_gap(&self) -> bool {
        let has = |of: Column, set: &[&str]| words(&self.heading(of)).iter().any(|it| set.contains(&it.as_str()));
        let compares =
            has(Column::From, &["current", "present", "baseline"]) && has(Column::To, &["target", "desired", "goal", "future", "planned"]);
        let is_of_things = self.columns.position(Column::From) > Some(0);
        compares && !self.columns.has(Column::Event) && (is_of_things || !self.is_chained())
    }

    /// Whether a row begins where another one leads.
    fn is_chained(&self) -> bool {
        !self.known.sources.is_disjoint(&self.known.targets)
    }

    /// Whether no row leads to where another one begins, though there are several.
    pub(super) fn has_islands(&self) -> bool {
        const LEAST: usize = 3;
        self.known.sources.len() >= LEAST && !self.is_chained()
    }

    /// Whether the names are mostly those of pages: `/login`.
    fn has_mostly_paths(&self) -> bool {
        let names: Vec<&String> = self.known.sources.union(&self.known.targets).collect();
        names.iter().filter(|it| it.contains("://") || it.split_whitespace().any(|it| it.starts_with('/') && it.len() > 1)).count() * 2
            > names.len()
    }

    /// Whether only a column of events tells that this is a table of states.
    pub(super) fn only_has_events(&self) -> bool {
        // `From → To` may be of anything.
        let is_sure = self.is_chained() && column::of_steps(&self.heading(Column::From)) != Some(true);
        let speaks = self.speaks_of(OF_STATES) || self.speaks_of(OF_PHASES) || self.speaks_of(&["transition", "transitions"]);
        !is_sure && !speaks && self.about == About::Others
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
