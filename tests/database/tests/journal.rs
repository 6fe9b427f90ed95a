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

/// The payloads of the journal, an entry a line.
fn payloads(database: &mut dyn Database) -> String {
    let sql = match database.engine() {
        Engine::Sqlite => {
            "SELECT group_concat(line, ' | ') FROM (SELECT j.event || ' ' || coalesce((SELECT group_concat(p.name || '=' || p.value) \
             FROM statespec_run_job_payload AS p WHERE p.entry = j.entry), '-') AS line FROM statespec_run_job_journal AS j \
             WHERE j.event IS NOT NULL ORDER BY j.entry)"
        }
        Engine::Postgres => {
            "SELECT string_agg(line, ' | ') FROM (SELECT event || ' ' || coalesce((SELECT string_agg(key || '=' || value, ',') \
             FROM jsonb_each_text(payload)), '-') AS line FROM statespec.run_job_journal WHERE event IS NOT NULL ORDER BY entry) AS lines"
        }
    };
    database.ask(sql).unwrap()
}

/// Makes the statements with which a transaction says its event and its payload.
type Says<'a> = &'a dyn Fn(&str, &[(&str, &str)]) -> String;

/// A payload is recorded where it is listed.
fn listed(database: &mut dyn Database, says: Says<'_>) {
    let model = model();
    let job = model.machines.iter().find(|it| it.name == "run_job").unwrap();
    // A journal without payloads gets them later.
    attach(database, model);
    let payload = [("claim".to_owned(), "until".to_owned())].into();
    let mapping = Mapping { journal: true, version: Some("rev".into()), payload, ..mapping(database.engine()) };
    database.attach(job, &mapping);
    database.run("INSERT INTO jobs VALUES (1, 'queued', 1), (2, 'queued', 1)").unwrap();
    let step = |id: usize, event: &str, payload: &[(&str, &str)]| {
        format!("BEGIN; {} UPDATE jobs SET status = 'claimed', rev = rev + 1 WHERE id = {id};", says(event, payload))
    };
    let end = match database.engine() {
        Engine::Sqlite => "DELETE FROM statespec_statement; DELETE FROM statespec_payload; COMMIT",
        Engine::Postgres => "COMMIT",
    };
    // What is not listed is not recorded, and neither is what another event carries.
    database.run(&format!("{} {end}", step(1, "claim", &[("until", "2030-01-01"), ("secret", "x")]))).unwrap();
    database.run(&format!("{} {end}", step(2, "renew", &[("until", "2031-01-01")]))).unwrap();
    assert_eq!(payloads(database), "claim until=2030-01-01 | renew -");
}

#[test]
fn a_payload_is_recorded_where_it_is_listed() {
    let mut sqlite = Connection::open_in_memory().unwrap();
    listed(&mut sqlite, &|event, payload| {
        let values: String =
            payload.iter().map(|(name, value)| format!("INSERT INTO statespec_payload VALUES ('{name}', '{value}');")).collect();
        format!("INSERT INTO statespec_statement VALUES (1, '{event}', NULL); {values}")
    });
    for sql in [
        "UPDATE statespec_run_job_payload SET value = 'x'",
        "DELETE FROM statespec_run_job_payload",
        "REPLACE INTO statespec_run_job_payload SELECT entry, name, 'x' FROM statespec_run_job_payload",
    ] {
        assert_eq!(sqlite.attempt(sql), Err("the journal of run_job is append-only".to_owned()), "{sql}");
    }
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, _) = server.database();
    listed(&mut client, &|event, payload| {
        let values: Vec<String> = payload.iter().map(|(name, value)| format!("\"{name}\": \"{value}\"")).collect();
        format!(
            "SELECT set_config('statespec.event', '{event}', true), set_config('statespec.payload', '{{{}}}', true);",
            values.join(", ")
        )
    });
    let said = client.attempt("SELECT set_config('statespec.payload', 'no object', true); UPDATE jobs SET rev = 9").unwrap_err();
    assert!(said.contains("json"), "{said}");
}

#[test]
fn entries_are_deleted_and_erased_by_the_owner_as_the_guide_says() {
    let page = include_str!("../../../docs/guide/database.md").replace("\r\n", "\n");
    let section = page.split("### Retention and erasure").nth(1).unwrap();
    let blocks: Vec<&str> = section.split("```sql\n").skip(1).map(|it| it.split("```").next().unwrap()).collect();
    let job = "machine: job\nstates: { queued: { initial: true }, claimed:, complete: { terminal: true } }\nevents: { claim: { payload: { until: timestamp } } }\n\
               transitions:\n  - { from: queued, event: claim, to: claimed }\n  - { from: claimed, to: complete }\n";
    let model = crate::oracle::machine(job);
    let erased = |database: &mut dyn Database, block: &str, old: &str| {
        let payload = [("claim".to_owned(), "until".to_owned())].into();
        database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT)").unwrap();
        let guard = database.attach(&model.machines[0], &Mapping { journal: true, payload, ..mapping(database.engine()) });
        database.run("INSERT INTO jobs VALUES (9, 'queued'), (10, 'queued'), (11, 'queued')").unwrap();
        let (journal, count) = match database.engine() {
            Engine::Sqlite => ("statespec_job_journal", "SELECT count(*) FROM statespec_job_journal"),
            Engine::Postgres => ("statespec.job_journal", "SELECT count(*) FROM statespec.job_journal"),
        };
        // An entry that is old enough.
        let off = match database.engine() {
            Engine::Sqlite => "DROP TRIGGER statespec_job_append_update",
            Engine::Postgres => "ALTER TABLE statespec.job_journal DISABLE TRIGGER USER",
        };
        database
            .run(&format!(
                "{off}; UPDATE {journal} SET at = {old}, actor = 'a' WHERE id = 9; UPDATE {journal} SET actor = 'b' WHERE id = 10"
            ))
            .unwrap();
        database.run(&guard.script()).unwrap();
        database.run(block).unwrap();
        database.run(&guard.script()).unwrap();
        assert_eq!(database.ask(count), Some("2".to_owned()));
        assert_eq!(database.ask(&format!("SELECT count(*) FROM {journal} WHERE actor IS NOT NULL")), Some("0".to_owned()));
        database.attempt(&format!("DELETE FROM {journal}")).unwrap_err();
        database.run("UPDATE jobs SET status = 'claimed'").unwrap();
    };
    let mut sqlite = Connection::open_in_memory().unwrap();
    erased(&mut sqlite, blocks[1], "'2001-01-01T00:00:00.000Z'");
    let Some(server) = server("guards in PostgreSQL") else { return };
    erased(&mut server.database().0, blocks[0], "'2001-01-01'");
}
