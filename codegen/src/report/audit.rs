//! What an audit of recorded histories counted, beside its findings.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Place;

/// The numbers of an audit of one machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditSummary {
    /// The machine.
    pub machine: String,
    /// The files, in the order in which they were read.
    pub files: Vec<String>,
    /// The number of its records.
    pub records: u64,
    /// The number of its instances.
    pub entities: u64,
    /// The number of records of other machines.
    pub others: u64,
    /// The number of records about something else.
    pub skipped: u64,
    /// The number of records at each level: `pairs`, `events` and `full replay`.
    pub levels: BTreeMap<&'static str, u64>,
    /// The number of all findings by code, also of those that are not listed.
    pub findings: BTreeMap<&'static str, u64>,
    /// The kinds of steps, sorted by their names.
    pub steps: Vec<AuditStep>,
    /// The rows of the spec that records of this level show.
    pub rows: Vec<AuditRow>,
    /// The number of the other rows: those that follow other rows, refuse or stay.
    pub hidden_rows: u64,
    /// The times in states, by their names.
    pub times: Vec<AuditTime>,
    /// The lines that the spec lacks, as YAML; empty if it lacks none.
    pub missing: String,
    /// The same for people.
    #[serde(skip)]
    pub text: String,
}

/// A kind of step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditStep {
    /// The state before; `null` at creation.
    pub from: Option<String>,
    /// The event; `null` for a direct transition, and left out if it was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Option<String>>,
    /// The state after; `null` if the instance was deleted.
    pub to: Option<String>,
    /// How often it was recorded.
    pub count: u64,
    /// Whether the graph has it.
    pub allowed: bool,
    /// The first record.
    pub first: Place,
}

/// A row of the spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditRow {
    /// The row, as a text.
    pub row: String,
    /// The place in the spec.
    pub place: Place,
    /// How often it was certainly taken.
    pub count: u64,
    /// How often beyond that it may have been taken: other rows explain the same records.
    pub at_most: u64,
}

/// The times that instances spent in one state, in microseconds. The shares are at most an eighth too large.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditTime {
    /// The state.
    pub state: String,
    /// The number of stays that ended.
    pub stays: u64,
    /// The mean.
    pub mean: u64,
    /// The time that half of the stays do not exceed.
    pub half: u64,
    /// The time that 95 of 100 stays do not exceed.
    pub most: u64,
    /// The longest.
    pub longest: u64,
}
