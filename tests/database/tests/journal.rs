//! The journal of a guard.

use rusqlite::Connection;
use statespec_lang::model::Model;
use statespec_sql::{Engine, Mapping};

use crate::oracle::model;
use crate::server::server;
use crate::tables::{Database, mapping};

fn attach(database: &mut dyn Database, model: &Model) {
    let job = model.machines.iter().find(|it| it.name == "run_job").unwrap();
    let mapping = Mapping { journal: true, version: Some("rev".into()), ..mapping(database.engine()) };
    database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, rev INTEGER)").unwrap();
    database.attach(job, &mapping);
}

/// The journal: each entry as a line.
fn lines(database: &mut dyn Database) -> String {
    let (journal, list) = match database.engine() {
        Engine::Sqlite => ("statespec_run_job_journal", "group_concat(line, ' | ')"),
        Engine::Postgres => ("statespec.run_job_journal", "string_agg(line, ' | ')"),
    };
    let line = "id || ' v' || coalesce(version, 0) || ' ' || coalesce(from_state, '-') || ' ' || coalesce(to_state, '-') || ' ' || coalesce(event, '-') || ' ' || coalesce(actor, '-')";
    database.ask(&format!("SELECT {list} FROM (SELECT {line} AS line FROM {journal} ORDER BY entry) AS lines")).unwrap_or_default()
}

#[test]
fn sqlite_records_each_change_with_what_the_statement_says() {
    let mut sqlite = Connection::open_in_memory().unwrap();
    attach(&mut sqlite, model());
    sqlite.run("INSERT INTO jobs VALUES (1, 'queued', 1)").unwrap();
    sqlite
        .run(
            "BEGIN; INSERT INTO statespec_statement VALUES (1, 'claim', 'worker-1');
             UPDATE jobs SET status = 'claimed', rev = 2; DELETE FROM statespec_statement; COMMIT",
        )
        .unwrap();
    sqlite.run("UPDATE jobs SET rev = rev; UPDATE jobs SET rev = 3; UPDATE jobs SET status = 'failed', rev = 4").unwrap();
    sqlite.attempt("UPDATE jobs SET status = 'queued'").unwrap_err();
    sqlite.run("DELETE FROM jobs").unwrap();
    assert_eq!(
        lines(&mut sqlite),
        "1 v1 - queued - - | 1 v2 queued claimed claim worker-1 | 1 v3 claimed claimed - - | 1 v4 claimed failed - - | 1 v4 failed - - -"
    );
    let at = sqlite.ask("SELECT at FROM statespec_run_job_journal").unwrap();
    assert!(at.ends_with('Z') && at.len() == 24, "{at}");
    for sql in [
        "UPDATE statespec_run_job_journal SET event = 'x'",
        "DELETE FROM statespec_run_job_journal",
        "REPLACE INTO statespec_run_job_journal (entry, id, at) VALUES (1, 1, '')",
    ] {
        assert_eq!(sqlite.attempt(sql), Err("the journal of run_job is append-only".to_owned()), "{sql}");
    }
}

#[test]
fn postgresql_records_each_change_with_what_the_transaction_says() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    attach(&mut client, model());
    // The role of the program has no right on the journal.
    let role = format!("app_{name}");
    client.run(&format!("CREATE ROLE {role} LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO {role}")).unwrap();
    client.run(&format!("SET ROLE {role}; INSERT INTO jobs VALUES (1, 'queued', 1)")).unwrap();
    client
        .run(
            "BEGIN; SELECT set_config('statespec.event', 'claim', true), set_config('statespec.actor', 'worker-1', true);
             UPDATE jobs SET status = 'claimed', rev = 2; COMMIT",
        )
        .unwrap();
    client.run("UPDATE jobs SET rev = rev; UPDATE jobs SET rev = 3; UPDATE jobs SET status = 'failed', rev = 4").unwrap();
    client.attempt("UPDATE jobs SET status = 'queued'").unwrap_err();
    client.run("DELETE FROM jobs").unwrap();
    assert!(client.attempt("SELECT * FROM statespec.run_job_journal").is_err());
    client.run("RESET ROLE").unwrap();
    assert_eq!(
        lines(&mut client),
        "1 v1 - queued - - | 1 v2 queued claimed claim worker-1 | 1 v3 claimed claimed - - | 1 v4 claimed failed - - | 1 v4 failed - - -"
    );
    for sql in [
        "UPDATE statespec.run_job_journal SET event = 'x'",
        "DELETE FROM statespec.run_job_journal",
        "TRUNCATE statespec.run_job_journal",
        "TRUNCATE jobs",
    ] {
        let said = client.attempt(sql).expect_err(sql);
        assert!(said.contains("the journal of run_job is append-only") || said.contains("TRUNCATE deletes rows"), "{sql}: {said}");
    }
}
