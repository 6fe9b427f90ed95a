//! The statements that a program may use: each changes a row exactly where the graph has its step.

use rusqlite::Connection;
use statespec_lang::model::FieldId;
use statespec_sql::{Column, Engine, Guard, Mapping, Statement};

use crate::oracle::model;
use crate::server::server;
use crate::tables::{Database, mapping, quoted};

/// The statement with values in the place of its parameters.
fn filled(statement: &Statement, id: usize) -> String {
    let mut sql = statement.sql.clone();
    for (idx, meaning) in statement.parameters.iter().enumerate().rev() {
        let value = match meaning.as_str() {
            "id" => id.to_string(),
            "rev" => "1".to_owned(),
            _ => "'2030-01-01 00:00:00'".to_owned(),
        };
        sql = sql.replace(&format!("${}", idx + 1), &value).replace(&format!("?{}", idx + 1), &value);
    }
    sql
}

/// The names of the statements that change a row in each state, with the state and the version after it.
fn changes(database: &mut dyn Database) -> String {
    let model = model();
    let job = model.machines.iter().find(|it| it.name == "run_job").unwrap();
    let mut mapping = Mapping { version: Some("rev".into()), ..mapping(database.engine()) };
    mapping.columns.insert(FieldId::new(0), Column { name: "locked_until".into(), unit: None });
    database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, rev INTEGER, locked_until TIMESTAMP)").unwrap();
    let guard: Guard = database.attach(job, &mapping);
    let mut text = String::new();
    for (idx, state) in guard.stored.iter().enumerate() {
        database.unguarded(&guard, &format!("INSERT INTO jobs VALUES ({idx}, {}, 1, '2020-01-01 00:00:00');", quoted(Some(state))));
        for statement in guard.statements.iter().filter(|it| it.sql.starts_with("UPDATE")) {
            database.run("BEGIN").unwrap();
            database.run(&filled(statement, idx)).unwrap();
            let after = database
                .ask(&format!("SELECT status || ' ' || rev || ' ' || coalesce(CAST(locked_until AS TEXT), '-') FROM jobs WHERE id = {idx}"))
                .unwrap();
            database.run("ROLLBACK").unwrap();
            if after != format!("{state} 1 2020-01-01 00:00:00") {
                text += &format!("{state} {}: {after}\n", statement.name);
            }
        }
    }
    for name in ["active", "ended"] {
        let statement = guard.statements.iter().find(|it| it.name == name).unwrap();
        text += &format!("{name} {}\n", database.ask(&format!("SELECT count(*) FROM ({}) AS rows_of_it", statement.sql)).unwrap());
    }
    text
}

const CHANGES: &str = "queued claim: claimed 2 2030-01-01 00:00:00
queued to_claimed: claimed 2 2020-01-01 00:00:00
claimed renew: claimed 2 2030-01-01 00:00:00
claimed reclaim_stays: claimed 2 -
claimed to_running: running 2 2020-01-01 00:00:00
claimed to_complete: complete 2 2020-01-01 00:00:00
claimed to_failed: failed 2 2020-01-01 00:00:00
running renew: running 2 2030-01-01 00:00:00
running reclaim: claimed 2 -
running to_complete: complete 2 2020-01-01 00:00:00
running to_failed: failed 2 2020-01-01 00:00:00
active 3
ended 2
";

#[test]
fn each_statement_changes_a_row_where_the_graph_has_its_step() {
    let mut sqlite = Connection::open_in_memory().unwrap();
    assert_eq!(sqlite.engine(), Engine::Sqlite);
    assert_eq!(changes(&mut sqlite), CHANGES);
    let Some(server) = server("guards in PostgreSQL") else { return };
    assert_eq!(changes(&mut server.database().0), CHANGES);
}

#[test]
fn rows_whose_timer_is_due_are_a_query() {
    let model = model();
    let order = model.machines.iter().find(|it| it.name == "order").unwrap();
    let due = |database: &mut dyn Database| {
        let event = order.event_named("payment_deadline").unwrap();
        let mapping = Mapping { timers: [(event, "due_at".to_owned())].into(), ..mapping(database.engine()) };
        database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, due_at TIMESTAMP)").unwrap();
        let guard = database.attach(order, &mapping);
        for (idx, state) in guard.stored.iter().enumerate() {
            let rows = format!(
                "({idx}, {0}, '2020-01-01 00:00:00'), ({idx} + 100, {0}, '2040-01-01 00:00:00'), ({idx} + 200, {0}, NULL)",
                quoted(Some(state))
            );
            database.unguarded(&guard, &format!("INSERT INTO jobs VALUES {rows};"));
        }
        let statement = guard.statements.iter().find(|it| it.name == "due_payment_deadline").unwrap();
        assert_eq!(statement.parameters, ["now"]);
        let sql = statement.sql.replace(['$', '?'], "").replace("<= 1", "<= '2030-01-01 00:00:00'");
        let list = if database.engine() == Engine::Sqlite { "group_concat(status, ' ')" } else { "string_agg(status, ' ')" };
        database.ask(&format!("SELECT {list} FROM ({sql}) AS rows_of_it"))
    };
    let mut sqlite = Connection::open_in_memory().unwrap();
    assert_eq!(due(&mut sqlite), Some("awaiting_payment".to_owned()));
    let Some(server) = server("guards in PostgreSQL") else { return };
    assert_eq!(due(&mut server.database().0), Some("awaiting_payment".to_owned()));
}
