//! The guards of the tables of the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use statespec_lang::lower::load;
use statespec_lang::model::{EventId, FieldId, Machine, PayloadId};
use statespec_lang::source::Input;
use statespec_sql::{Births, Column as Mapped, Deletes, Engine as SqlEngine, Mapping, Table as SqlTable, guard};
use statespec_store::{Engine, Kind, Table};

/// The guard of a table, from the spec. It is made once: each test has the same tables.
pub(crate) fn guarded(table: &Table) -> String {
    static MADE: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    made.entry(format!("{table:?}")).or_insert_with(|| guard_of(table)).clone()
}

fn guard_of(table: &Table) -> String {
    let path = format!("{}/../../machines/{}.yaml", env!("CARGO_MANIFEST_DIR"), table.machine);
    let text = std::fs::read_to_string(&path).unwrap();
    let model = load(&[Input { path, text }]).model.expect("the spec is right");
    let machine: &Machine = &model.machines[0];
    let field = |name: &str| machine.fields.iter().position(|it| it.name == name).map(FieldId::new);
    let columns = table.columns.iter().filter(|it| it.kind == Kind::Timestamp);
    let columns = columns.filter_map(|it| Some((field(it.field)?, Mapped { name: it.name.to_owned(), unit: None })));
    let clock: BTreeSet<(EventId, PayloadId)> = machine
        .event_named("reclaim")
        .into_iter()
        .flat_map(|event| machine.payload_fields(event).map(move |(id, _)| (event, id)).collect::<Vec<_>>())
        .collect();
    let mapping = Mapping {
        engine: match table.engine {
            Engine::Sqlite => SqlEngine::Sqlite,
            Engine::Postgres => SqlEngine::Postgres,
        },
        table: SqlTable { schema: None, name: table.name.to_owned() },
        key: table.key.iter().map(|it| it.name.to_owned()).collect(),
        unique: Vec::new(),
        state: table.state.to_owned(),
        kind: statespec_sql::Kind::Text,
        values: BTreeMap::new(),
        version: Some(table.version.to_owned()),
        columns: columns.collect(),
        births: Births::Initial,
        deletes: Deletes::Any,
        journal: true,
        payload: BTreeSet::new(),
        timers: BTreeMap::new(),
        store: true,
        clock,
        parts: Vec::new(),
        membership: None,
    };
    guard(machine, &mapping).unwrap().script()
}
