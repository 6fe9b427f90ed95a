//! Tables with a guard, on both engines.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::Machine;
use statespec_sql::{Births, Deletes, Engine, Guard, Kind, Mapping, ObjectKind, Table, guard};

/// A mapping of a machine to a table `jobs` with the columns `id` and `status`.
pub(crate) fn mapping(engine: Engine) -> Mapping {
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
        journal: false,
        payload: BTreeSet::new(),
        timers: BTreeMap::new(),
        store: false,
        clock: BTreeSet::new(),
        parts: Vec::new(),
        membership: None,
    }
}

/// What tests ask of a database.
pub(crate) trait Database {
    fn engine(&self) -> Engine;

    /// Runs statements; the error is what the database says.
    fn run(&mut self, sql: &str) -> Result<(), String>;

    /// The first column of the first row.
    fn ask(&mut self, sql: &str) -> Option<String>;

    /// Runs statements and undoes them; the error is what the database says.
    fn attempt(&mut self, sql: &str) -> Result<(), String> {
        let done = self.run(&format!("BEGIN;\n{sql};\nROLLBACK"));
        if done.is_err() {
            // What follows an error is not executed.
            self.run("ROLLBACK").unwrap();
        }
        done
    }

    /// Attaches a guard, twice: the second time changes nothing.
    fn attach(&mut self, machine: &Machine, mapping: &Mapping) -> Guard {
        let guard = guard(machine, mapping).unwrap();
        for _ in 0..2 {
            self.run(&format!("BEGIN;\n{}COMMIT", guard.script())).unwrap();
        }
        guard
    }

    /// Writes what no guard sees.
    fn unguarded(&mut self, guard: &Guard, sql: &str) {
        match self.engine() {
            Engine::Postgres => {
                let on: BTreeSet<String> = guard
                    .triggers()
                    .map(|it| match &it.kind {
                        ObjectKind::Trigger { on, .. } => on.schema.as_ref().map_or(on.name.clone(), |it| format!("{it}.{}", on.name)),
                        _ => unreachable!("only triggers are listed"),
                    })
                    .collect();
                let each = |what: &str| on.iter().map(|it| format!("ALTER TABLE {it} {what};")).collect::<String>();
                let enable: String = guard
                    .triggers()
                    .map(|it| match &it.kind {
                        ObjectKind::Trigger { on, .. } => {
                            let table = on.schema.as_ref().map_or(on.name.clone(), |it| format!("{it}.{}", on.name));
                            format!("ALTER TABLE {table} ENABLE ALWAYS TRIGGER \"{}\";", it.name)
                        }
                        _ => unreachable!("only triggers are listed"),
                    })
                    .collect();
                self.run(&format!("BEGIN; {} {sql}; {enable} COMMIT", each("DISABLE TRIGGER USER"))).unwrap();
            }
            Engine::Sqlite => {
                let drop: String = guard.triggers().map(|it| format!("DROP TRIGGER \"{}\";", it.name)).collect();
                self.run(&format!("BEGIN; {drop} {sql}; {} COMMIT", guard.script())).unwrap();
            }
        }
    }
}

impl Database for rusqlite::Connection {
    fn engine(&self) -> Engine {
        Engine::Sqlite
    }

    fn run(&mut self, sql: &str) -> Result<(), String> {
        self.execute_batch(sql).map_err(|it| it.to_string())
    }

    fn ask(&mut self, sql: &str) -> Option<String> {
        self.query_row(sql, [], |row| row.get::<_, Option<rusqlite::types::Value>>(0))
            .unwrap()
            .map(|it| match it {
                rusqlite::types::Value::Text(it) => it,
                rusqlite::types::Value::Integer(it) => it.to_string(),
                other => format!("{other:?}"),
            })
            .filter(|it| it != "Null")
    }
}

impl Database for postgres::Client {
    fn engine(&self) -> Engine {
        Engine::Postgres
    }

    fn run(&mut self, sql: &str) -> Result<(), String> {
        self.batch_execute(sql).map_err(|it| match it.as_db_error() {
            Some(it) => format!("{}: {} ({})", it.code().code(), it.message(), it.hint().unwrap_or_default()),
            None => it.to_string(),
        })
    }

    fn ask(&mut self, sql: &str) -> Option<String> {
        self.query_one(&format!("SELECT (q.*)::text FROM ({sql}) AS q"), &[])
            .unwrap()
            .get::<_, Option<String>>(0)
            .map(|it| it.trim_matches(['(', ')']).trim_matches('"').to_owned())
            .filter(|it| !it.is_empty())
    }
}

/// A text as SQL has it; `NULL` for none.
pub(crate) fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "NULL".to_owned(), |it| format!("'{}'", it.replace('\'', "''")))
}
