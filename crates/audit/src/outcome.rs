//! The result of an audit.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::Code;
use statespec_lang::model::machine::Trigger;
use statespec_lang::model::{Configuration, Machine, StateId};
use statespec_lang::types::TransitionId;

use super::dwell::Dwell;
use super::findings::{Finding, Place};
use super::shown::plain;

/// How much of an attempt was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The states before and after.
    Pairs,
    /// The event, too.
    Events,
    /// The payload and the context, too: the interpreter executed it.
    Replay,
}

impl Level {
    /// All levels, from the least to the most.
    pub const ALL: [Level; 3] = [Level::Pairs, Level::Events, Level::Replay];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Pairs => "pairs",
            Level::Events => "events",
            Level::Replay => "full replay",
        }
    }
}

/// The result of an audit.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The machine.
    pub machine: String,
    /// The files, in the order in which they were read.
    pub files: Vec<String>,
    /// The records of the machine.
    pub n_records: u64,
    /// The instances.
    pub n_entities: u64,
    /// The records that are about something else: of other types, or of other attributes.
    pub n_skipped: u64,
    /// The records of other machines.
    pub n_others: u64,
    /// The number of records at each level, in the order of [`Level::ALL`].
    pub levels: [u64; 3],
    /// The findings, in the order of files and lines; of each code, the first thousand.
    pub findings: Vec<Finding>,
    /// The number of all findings by code.
    pub counts: BTreeMap<Code, u64>,
    /// The kinds of steps, sorted by their names.
    pub steps: Vec<Step>,
    /// The rows that were seen.
    pub seen: BTreeMap<TransitionId, Seen>,
    /// The rows that were not seen, of those that would have been.
    pub unseen: Vec<TransitionId>,
    /// The number of rows that records of this level do not show.
    pub n_hidden: u64,
    /// The times in states, by their names.
    pub dwell: BTreeMap<String, Dwell>,
}

/// A kind of step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The state before; `None` at creation.
    pub from: Option<String>,
    /// The event: `None` if none was recorded, and `Some(None)` for a direct transition.
    pub event: Option<Option<String>>,
    /// The state after; `None` if the instance was deleted.
    pub to: Option<String>,
    /// How often it was recorded.
    pub n: u64,
    /// Whether the graph has it.
    pub is_allowed: bool,
    /// The first record.
    pub first: Place,
    /// The configurations before and after.
    pub ends: (End, End),
    /// The rows that may have begun it.
    pub rows: BTreeSet<TransitionId>,
    /// The rows that a replay took first.
    pub taken: BTreeMap<TransitionId, u64>,
    /// How often it was replayed.
    pub n_replayed: u64,
}

impl Step {
    /// `queued --claim--> claimed`
    pub(crate) fn text(&self) -> String {
        let from = self.from.as_deref().map_or_else(|| "[*]".to_owned(), plain);
        let to = self.to.as_deref().map_or_else(|| "deleted".to_owned(), plain);
        match &self.event {
            Some(Some(event)) => format!("{from} --{}--> {to}", plain(event)),
            _ => format!("{from} --> {to}"),
        }
    }
}

/// The configuration before or after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// None: before a creation, and after a deletion.
    Nothing,
    /// One of the graph.
    At(Configuration),
    /// A state that the machine does not have, as it was recorded.
    Foreign(String),
    /// It was not recorded, and several are possible or none is.
    Several,
}

/// How often a row was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Certainly.
    pub certain: u64,
    /// Beyond that, as often as this: other rows explain the same records.
    pub at_most: u64,
}

impl Outcome {
    /// How often a row was taken from a state, or at creation, to a state; `None` if the records do not show this row.
    pub fn count(&self, machine: &Machine, row: TransitionId, from: Option<StateId>, to: StateId) -> Option<Seen> {
        if matches!(machine.transition(row).trigger, Trigger::Automatic | Trigger::Done) {
            // It follows other rows: its own ends are not recorded.
            return self.seen.get(&row).copied().or_else(|| self.unseen.contains(&row).then(Seen::default));
        }
        if !self.seen.contains_key(&row) && !self.unseen.contains(&row) {
            return None;
        }
        let is_in = |it: &End, whole: StateId| matches!(it, End::At(it) if machine.is_active(it, whole));
        let leads_on = machine.reacts() || machine.transition(row).events().iter().any(|it| machine.event(*it).settles);
        let mut sum = Seen::default();
        for step in self.steps.iter().filter(|it| it.is_allowed) {
            let leaves = match from {
                Some(from) => is_in(&step.ends.0, from),
                None => step.from.is_none(),
            };
            if !leaves || !(leads_on || is_in(&step.ends.1, to)) {
                continue;
            }
            sum.certain += step.taken.get(&row).copied().unwrap_or(0);
            if step.rows.contains(&row) {
                let n = step.n - step.n_replayed.min(step.n);
                *(if step.rows.len() == 1 { &mut sum.certain } else { &mut sum.at_most }) += n;
            }
        }
        Some(sum)
    }

    /// The number of all findings.
    pub fn n_findings(&self) -> u64 {
        self.counts.values().sum()
    }
}
