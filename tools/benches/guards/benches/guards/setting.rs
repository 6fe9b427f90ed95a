//! The machines, their mappings, and what all comparisons have in common.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::lower::load;
use statespec_lang::model::Model;
use statespec_lang::source::Input;
use statespec_sql::{Births, Deletes, Engine, Kind, Mapping, Table, guard};

/// The machine of a file of this repository.
pub(crate) fn model(path: &str) -> Model {
    let text = std::fs::read_to_string(crate::root().join(path)).expect("the spec is there");
    let loaded = load(&[Input { path: path.to_owned(), text }]);
    loaded.model.unwrap_or_else(|| panic!("{path}: {:?}", loaded.diagnostics))
}

/// The mapping of a machine to the table of the comparisons.
pub(crate) fn mapping(engine: Engine, journal: bool) -> Mapping {
    Mapping {
        engine,
        table: Table { schema: None, name: "jobs".into() },
        key: vec!["id".into()],
        unique: Vec::new(),
        state: "status".into(),
        kind: Kind::Text,
        values: BTreeMap::new(),
        version: None,
        columns: BTreeMap::new(),
        births: Births::Initial,
        deletes: Deletes::Any,
        journal,
        payload: BTreeSet::new(),
        timers: BTreeMap::new(),
        store: false,
        clock: BTreeSet::new(),
        parts: Vec::new(),
        membership: None,
    }
}

/// What a contender has besides the table, and what it does in a step besides the update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contender {
    /// The update alone.
    Bare,
    /// The guard.
    Guard,
    /// No guard; the program inserts a row into a journal of its own.
    OwnJournal,
    /// The guard with its journal.
    Journal,
    /// The same, and the program says the event and the actor.
    ToldJournal,
}

impl Contender {
    pub(crate) const ALL: [Contender; 5] =
        [Contender::Bare, Contender::Guard, Contender::OwnJournal, Contender::Journal, Contender::ToldJournal];

    /// The script after the table and its rows.
    pub(crate) fn script(self, engine: Engine) -> String {
        let model = model("machines/run_job.yaml");
        let of = |journal| guard(&model.machines[0], &mapping(engine, journal)).expect("the machine has a guard").script();
        match self {
            Contender::Bare => String::new(),
            Contender::Guard => of(false),
            Contender::Journal | Contender::ToldJournal => of(true),
            // The columns of the journal of a guard.
            Contender::OwnJournal => match engine {
                Engine::Sqlite => "CREATE TABLE history (entry INTEGER PRIMARY KEY, id INTEGER, from_state TEXT, to_state TEXT, at TEXT NOT NULL, event TEXT, actor TEXT);",
                Engine::Postgres => "CREATE TABLE history (entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bigint, from_state text, to_state text, at timestamptz NOT NULL DEFAULT clock_timestamp(), event text, actor text);",
            }
            .to_owned(),
        }
    }

    /// Whether a step is more than one statement, so that it needs a transaction.
    pub(crate) fn has_several(self) -> bool {
        matches!(self, Contender::OwnJournal | Contender::ToldJournal)
    }
}

/// The two states between which the rows go to and fro: each turn is a step of every row.
pub(crate) const STATES: [&str; 2] = ["claimed", "running"];

/// The ratio of each turn of one contender to that of another one.
pub(crate) fn ratios(these: &[f64], those: &[f64]) -> Vec<f64> {
    these.iter().zip(those).map(|(a, b)| a / b).collect()
}
