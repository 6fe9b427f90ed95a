//! The mapping of a machine to a table: facts of a deployment, which no spec has.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::{EventId, FieldId, Machine, Model, PayloadId, StateId, System};

use super::membership::Membership;
use super::table::Table;

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// SQLite 3.35 or later.
    Sqlite,
    /// PostgreSQL 14 or later.
    Postgres,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

    /// The name in the configuration.
    pub fn key(self) -> &'static str {
        match self {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgresql",
        }
    }

    /// The name for readers.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Sqlite => "SQLite",
            Engine::Postgres => "PostgreSQL",
        }
    }
}

/// The kind of the state column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// An enum of the database.
    Enum,
    /// A whole number.
    Integer,
}

/// The unit of a column that stores a time as a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

impl Unit {
    /// Its microseconds.
    pub fn micros(self) -> i64 {
        match self {
            Unit::Seconds => 1_000_000,
            Unit::Millis => 1_000,
            Unit::Micros => 1,
        }
    }
}

/// A column with the value of a field of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The unit of a time that is stored as a whole number; the times of the engine if omitted.
    pub unit: Option<Unit>,
}

/// The states in which a row may be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Births {
    /// Those in which a machine is created.
    Initial,
    /// Every state of the graph: for imports and backfills.
    Any,
}

/// The states in which a row may be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletes {
    /// Every state.
    Any,
    /// Terminal states.
    Terminal,
    /// None.
    Never,
}

/// A system of which the machine is a part, with the rules that a guard of one table does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name of the system.
    pub system: String,
    /// Its rules and invariants, for readers.
    pub rules: Vec<String>,
}

impl Part {
    /// The systems of which a machine is a part; without one whose tables are known.
    pub fn of(model: &Model, machine: &Machine, known: Option<&str>) -> Vec<Part> {
        let is = |idx: usize| model.machines[idx].name == machine.name;
        let systems = model.systems.iter().filter(|it| known != Some(&it.name) && it.parts.iter().any(|it| is(it.machine)));
        let rules = |it: &System| it.rules.iter().map(|it| &it.doc).chain(it.invariants.iter().map(|it| &it.doc)).cloned().collect();
        systems.map(|it| Part { system: it.name.clone(), rules: rules(it) }).collect()
    }
}

/// The mapping of a machine to a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The engine.
    pub engine: Engine,
    /// The table.
    pub table: Table,
    /// The columns of the key: at least one.
    pub key: Vec<String>,
    /// Further unique keys over which SQLite may replace a row.
    pub unique: Vec<Vec<String>>,
    /// The state column.
    pub state: String,
    /// Its kind.
    pub kind: Kind,
    /// The stored values of states that are stored neither by name nor by `wire`.
    pub values: BTreeMap<StateId, String>,
    /// The column of a version that grows with each write.
    pub version: Option<String>,
    /// The columns of fields of the context.
    pub columns: BTreeMap<FieldId, Column>,
    /// The states in which a row may be inserted.
    pub births: Births,
    /// The states in which a row may be deleted.
    pub deletes: Deletes,
    /// Whether each change is recorded.
    pub journal: bool,
    /// The fields of payloads that the journal records, each with its event.
    pub payload: BTreeSet<(String, String)>,
    /// The columns that say when timers are due, by the events of the timers.
    pub timers: BTreeMap<EventId, String>,
    /// Whether there are an outbox and a table of commands, for `statespec-store`.
    pub store: bool,
    /// The fields of payloads that are the time of the database.
    pub clock: BTreeSet<(EventId, PayloadId)>,
    /// The systems of which the machine is a part, without that of `membership`.
    pub parts: Vec<Part>,
    /// The system whose tables are known, and what these ask of this one.
    pub membership: Option<Membership>,
}
