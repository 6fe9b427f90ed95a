//! Ways around a guard: each is refused.

use std::collections::BTreeMap;

use postgres::Client;
use rusqlite::Connection;
use statespec_lang::model::{FieldId, Machine, Model};
use statespec_sql::{Column, Deletes, Engine, Kind, Mapping, Objection, Table, guard};

use crate::oracle::{machine, model};
use crate::server::server;
use crate::tables::{Database, mapping, quoted};

/// The machine `run_job`.
fn job(model: &Model) -> &Machine {
    model.machines.iter().find(|it| it.name == "run_job").unwrap()
}

/// The numbers of its states.
fn numbers(machine: &Machine) -> BTreeMap<statespec_lang::model::StateId, String> {
    machine.leaves().enumerate().map(|(idx, it)| (it, idx.to_string())).collect()
}

fn sqlite(table: &str, mapping: &Mapping) -> Connection {
    let mut sqlite = Connection::open_in_memory().unwrap();
    sqlite.run(table).unwrap();
    sqlite.attach(job(model()), mapping);
    sqlite
}

#[track_caller]
fn refused(database: &mut dyn Database, sql: &str) {
    let said = database.attempt(sql).expect_err(sql);
    assert!(said.contains("run_job"), "{sql}: {said}");
}

#[track_caller]
fn accepted(database: &mut dyn Database, sql: &str) {
    database.run(sql).unwrap_or_else(|said| panic!("{sql}: {said}"));
}

#[test]
fn sqlite_replaces_no_row_over_any_of_its_keys() {
    for recursive in ["off", "on"] {
        for (deletes, unique) in [(Deletes::Any, "dedupe"), (Deletes::Terminal, "dedupe"), (Deletes::Any, "rowid")] {
            let mut mapping = Mapping { deletes, ..mapping(Engine::Sqlite) };
            mapping.unique = vec![vec!["dedupe".into()]];
            let (table, key) = match unique {
                "rowid" => ("CREATE TABLE jobs (id TEXT PRIMARY KEY, status TEXT, dedupe TEXT UNIQUE)", "'1'"),
                _ => ("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, dedupe TEXT UNIQUE)", "1"),
            };
            if unique == "rowid" {
                mapping.unique.push(vec!["rowid".into()]);
            }
            let mut sqlite = sqlite(table, &mapping);
            let sqlite = &mut sqlite;
            sqlite.run(&format!("PRAGMA recursive_triggers = {recursive}")).unwrap();
            accepted(sqlite, &format!("INSERT INTO jobs VALUES ({key}, 'queued', 'k'); UPDATE jobs SET status = 'claimed'"));
            accepted(sqlite, "INSERT INTO jobs VALUES (2, 'queued', 'l')");
            refused(sqlite, &format!("REPLACE INTO jobs VALUES ({key}, 'queued', 'k')"));
            refused(sqlite, &format!("REPLACE INTO jobs VALUES ({key}, 'queued', 'm')"));
            refused(sqlite, "REPLACE INTO jobs VALUES (3, 'queued', 'k')");
            refused(sqlite, "INSERT OR REPLACE INTO jobs VALUES (3, 'queued', 'k')");
            refused(sqlite, "INSERT OR REPLACE INTO jobs VALUES (3, 'queued', 'n'), (4, 'queued', 'k')");
            refused(sqlite, "UPDATE OR REPLACE jobs SET dedupe = 'k' WHERE dedupe = 'l'");
            if unique == "rowid" {
                refused(
                    sqlite,
                    "REPLACE INTO jobs (rowid, id, status, dedupe) SELECT rowid, 'x', 'queued', 'x' FROM jobs WHERE dedupe = 'k'",
                );
            }
            // What replaces nothing leaves no trace that a later write stumbles over.
            accepted(sqlite, "INSERT OR IGNORE INTO jobs VALUES (5, 'queued', 'k')");
            accepted(sqlite, "INSERT INTO jobs VALUES (6, 'queued', 'k') ON CONFLICT (dedupe) DO UPDATE SET status = 'running'");
            accepted(sqlite, "INSERT INTO jobs VALUES (6, 'queued', 'k') ON CONFLICT DO NOTHING");
            accepted(sqlite, "UPDATE OR IGNORE jobs SET dedupe = 'k' WHERE dedupe = 'l'");
            accepted(sqlite, "UPDATE jobs SET status = 'complete' WHERE dedupe = 'k'; DELETE FROM jobs WHERE dedupe = 'k'");
            accepted(sqlite, "INSERT INTO jobs VALUES (6, 'queued', 'k')");
            accepted(sqlite, "REPLACE INTO jobs VALUES (7, 'queued', 'o')");
            accepted(
                sqlite,
                "UPDATE OR REPLACE jobs SET dedupe = 'p' WHERE dedupe = 'k'; UPDATE OR REPLACE jobs SET dedupe = 'k' WHERE dedupe = 'l'",
            );
        }
    }
}

#[test]
fn a_collation_of_the_column_does_not_count() {
    let mut sqlite = sqlite("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT COLLATE NOCASE)", &mapping(Engine::Sqlite));
    accepted(&mut sqlite, "INSERT INTO jobs VALUES (1, 'queued')");
    for value in ["QUEUED", "Claimed", "CLAIMED"] {
        refused(&mut sqlite, &format!("UPDATE jobs SET status = '{value}'"));
        refused(&mut sqlite, &format!("INSERT INTO jobs VALUES (2, '{value}')"));
    }
    accepted(&mut sqlite, "UPDATE jobs SET status = 'claimed'");

    let Some(server) = server("guards in PostgreSQL") else { return };
    let mut client = server.database().0;
    if client.run("CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)").is_err() {
        // A server that was built without ICU has no such collation.
        return;
    }
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text COLLATE any_case)").unwrap();
    client.attach(job(model()), &mapping(Engine::Postgres));
    accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued')");
    for value in ["QUEUED", "Claimed", "CLAIMED"] {
        refused(&mut client, &format!("UPDATE jobs SET status = '{value}'"));
        refused(&mut client, &format!("INSERT INTO jobs VALUES (2, '{value}')"));
    }
    accepted(&mut client, "UPDATE jobs SET status = 'claimed'");
}

#[test]
fn numbers_and_enums_are_guarded() {
    let model = model();
    let job = job(model);
    let numbered = |engine| Mapping { kind: Kind::Integer, values: numbers(job), ..mapping(engine) };
    // queued 0, claimed 1, running 2, complete 3, failed 4
    let steps = |database: &mut dyn Database| {
        refused(database, "INSERT INTO jobs (id, status) VALUES (1, 3)");
        accepted(database, "INSERT INTO jobs (id, status) VALUES (1, 0)");
        refused(database, "UPDATE jobs SET status = 2");
        refused(database, "UPDATE jobs SET status = NULL");
        refused(database, "UPDATE jobs SET status = 10");
        accepted(
            database,
            "UPDATE jobs SET status = 1; UPDATE jobs SET status = 2; UPDATE jobs SET status = 2; UPDATE jobs SET status = 3",
        );
        refused(database, "UPDATE jobs SET status = 0");
    };
    // A column of texts has texts, also those of numbers.
    for (ty, kind) in [("INTEGER", Kind::Integer), ("", Kind::Integer), ("TEXT", Kind::Text)] {
        let table = format!("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status {ty})");
        let mut sqlite = sqlite(&table, &Mapping { kind, ..numbered(Engine::Sqlite) });
        steps(&mut sqlite);
        refused(&mut sqlite, "INSERT INTO jobs VALUES (2, 'queued')");
        refused(&mut sqlite, "INSERT INTO jobs VALUES (2, 0.5)");
    }
    let Some(server) = server("guards in PostgreSQL") else { return };
    for ty in ["smallint", "integer", "bigint"] {
        let mut client = server.database().0;
        client.run(&format!("CREATE TABLE jobs (id bigint PRIMARY KEY, status {ty})")).unwrap();
        client.attach(job, &numbered(Engine::Postgres));
        steps(&mut client);
    }
    for ty in ["job_state", "varchar(20)", "char(12)"] {
        let mut client = server.database().0;
        client.run("CREATE TYPE job_state AS ENUM ('queued', 'claimed', 'running', 'complete', 'failed', 'zombie')").unwrap();
        client.run(&format!("CREATE TABLE jobs (id bigint PRIMARY KEY, status {ty})")).unwrap();
        client.attach(job, &Mapping { kind: Kind::Enum, ..mapping(Engine::Postgres) });
        accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued')");
        refused(&mut client, "UPDATE jobs SET status = 'running'");
        refused(&mut client, "UPDATE jobs SET status = 'zombie'");
        accepted(&mut client, "UPDATE jobs SET status = 'claimed'; UPDATE jobs SET status = 'failed'");
        refused(&mut client, "UPDATE jobs SET status = 'queued'");
    }
}

#[test]
fn a_trigger_of_the_user_changes_no_state_past_the_guard() {
    let mut sqlite = sqlite("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, n INTEGER)", &mapping(Engine::Sqlite));
    accepted(&mut sqlite, "INSERT INTO jobs VALUES (1, 'queued', 0)");
    for (when, name) in [("BEFORE", "zz_before"), ("AFTER", "aa_after")] {
        let body = "BEGIN UPDATE jobs SET status = 'complete' WHERE id = NEW.id; END";
        accepted(&mut sqlite, &format!("CREATE TRIGGER {name} {when} UPDATE OF n ON jobs {body}"));
        refused(&mut sqlite, "UPDATE jobs SET n = 1");
        accepted(&mut sqlite, &format!("DROP TRIGGER {name}"));
    }
    let Some(server) = server("guards in PostgreSQL") else { return };
    let mut client = server.database().0;
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text, n int)").unwrap();
    client.attach(job(model()), &mapping(Engine::Postgres));
    accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued', 0)");
    client.run("CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.status := 'complete'; RETURN NEW; END$$").unwrap();
    for on in ["UPDATE", "UPDATE OF n", "INSERT OR UPDATE"] {
        client.run(&format!("CREATE TRIGGER zz_own BEFORE {on} ON jobs FOR EACH ROW EXECUTE FUNCTION own()")).unwrap();
        refused(&mut client, "UPDATE jobs SET n = 1");
        client.run("DROP TRIGGER zz_own ON jobs").unwrap();
    }
}

#[test]
fn operators_of_a_search_path_are_not_asked() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (model, mut client) = (model(), server.database().0);
    let job = job(model);
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text)").unwrap();
    let guard = client.attach(job, &Mapping { deletes: Deletes::Terminal, ..mapping(Engine::Postgres) });
    for (idx, state) in guard.stored.iter().enumerate() {
        client.unguarded(&guard, &format!("INSERT INTO jobs VALUES ({idx}, {});", quoted(Some(state))));
    }
    client
        .run(
            "CREATE SCHEMA evil;
             CREATE FUNCTION evil.always(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
             CREATE FUNCTION evil.never(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false';
             CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.always, NEGATOR = OPERATOR(evil.<>));
             CREATE OPERATOR evil.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.never);
             CREATE FUNCTION evil.format(text, text) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';",
        )
        .unwrap();
    let mut different = Vec::new();
    for from in 0..guard.stored.len() {
        for to in 0..guard.stored.len() {
            let legal = from == to || guard.graph.pairs.contains_key(&(from, to));
            let sql = format!(
                "SET LOCAL search_path = evil, pg_catalog, public; UPDATE public.jobs SET status = {} WHERE id OPERATOR(pg_catalog.=) {from}",
                quoted(Some(&guard.stored[to]))
            );
            if client.attempt(&sql).is_ok() != legal {
                different.push(sql);
            }
        }
        let sql = format!(
            "SET LOCAL search_path = evil, pg_catalog, public; UPDATE public.jobs SET id = 99 WHERE id OPERATOR(pg_catalog.=) {from}"
        );
        different.extend(client.attempt(&sql).is_ok().then_some(sql));
        let sql =
            format!("SET LOCAL search_path = evil, pg_catalog, public; DELETE FROM public.jobs WHERE id OPERATOR(pg_catalog.=) {from}");
        different.extend((client.attempt(&sql).is_ok() != guard.graph.states[from].terminal).then_some(sql));
    }
    refused(&mut client, "SET LOCAL search_path = evil, pg_catalog, public; INSERT INTO public.jobs VALUES (50, 'complete')");
    assert_eq!(different, Vec::<String>::new());
}

#[test]
fn sessions_roles_and_policies_are_no_way_around() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text)").unwrap();
    client.attach(job(model()), &Mapping { deletes: Deletes::Terminal, ..mapping(Engine::Postgres) });
    accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued')");
    refused(&mut client, "SET LOCAL session_replication_role = replica; UPDATE jobs SET status = 'failed'");
    refused(&mut client, "TRUNCATE jobs");
    let role = format!("app_{name}");
    client.run(&format!("CREATE ROLE {role} LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO {role}")).unwrap();
    client.run("ALTER TABLE jobs ENABLE ROW LEVEL SECURITY; CREATE POLICY all_rows ON jobs USING (true) WITH CHECK (true)").unwrap();
    let mut app: Client = Client::connect(&server.url(&name).replace("user=postgres", &format!("user={role}")), postgres::NoTls).unwrap();
    refused(&mut app, "UPDATE jobs SET status = 'failed'");
    for sql in [
        "ALTER TABLE jobs DISABLE TRIGGER ALL",
        "ALTER TABLE jobs DISABLE TRIGGER statespec_run_job_edge",
        "DROP TRIGGER statespec_run_job_edge ON jobs",
        "DROP FUNCTION statespec.run_job_edge() CASCADE",
        "SET session_replication_role = replica",
        "CREATE OR REPLACE FUNCTION statespec.run_job_edge() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "TRUNCATE jobs",
    ] {
        assert!(app.attempt(sql).is_err(), "{sql}");
    }
    accepted(&mut app, "UPDATE jobs SET status = 'claimed'");
}

#[test]
fn a_table_that_is_split_by_its_state_is_refused() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let model = model();
    let script = guard(job(model), &mapping(Engine::Postgres)).unwrap().script();
    let attach = |client: &mut Client| client.run(&format!("BEGIN;\n{script}COMMIT"));
    for (by, refused) in [("LIST (status)", true), ("LIST (lower(status))", true), ("RANGE (id)", false)] {
        let mut client = server.database().0;
        let first = if by.starts_with("LIST") { "IN ('queued', 'claimed')" } else { "FROM (0) TO (100)" };
        client
            .run(&format!(
                "CREATE TABLE jobs (id bigint, status text) PARTITION BY {by};
                 CREATE TABLE jobs_1 PARTITION OF jobs FOR VALUES {first};
                 CREATE TABLE jobs_2 PARTITION OF jobs DEFAULT"
            ))
            .unwrap();
        match attach(&mut client) {
            Err(said) => assert!(refused && said.contains("the table is partitioned by its state"), "{by}: {said}"),
            Ok(()) => {
                assert!(!refused, "{by}");
                accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued'), (200, 'queued')");
                self::refused(&mut client, "UPDATE jobs SET status = 'failed' WHERE id = 200");
                self::refused(&mut client, "UPDATE jobs_1 SET status = 'failed'");
                self::refused(&mut client, "INSERT INTO jobs_2 VALUES (300, 'running')");
                accepted(&mut client, "UPDATE jobs SET status = 'claimed'");
            }
        }
    }
}

#[test]
fn a_new_revision_takes_no_lock_on_the_table() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text)").unwrap();
    let model = model();
    let guard = client.attach(job(model), &mapping(Engine::Postgres));
    accepted(&mut client, "INSERT INTO jobs VALUES (1, 'queued')");
    // A writer that has not committed holds a lock that a trigger's creation waits for.
    let mut writer = server.connect(&name).unwrap();
    writer.run("BEGIN; UPDATE jobs SET status = 'claimed'").unwrap();
    accepted(&mut client, &format!("BEGIN;\n{}COMMIT", guard.script()));
    writer.run("COMMIT").unwrap();
}

#[test]
fn what_a_trigger_cannot_hold_is_refused_with_the_reason() {
    let regions: String = (0..9).map(|it| format!("  r{it}: {{ states: {{ a{it}: {{ initial: true }}, b{it}: {{}} }} }}\n")).collect();
    let rows: String = (0..9).map(|it| format!("  - {{ from: a{it}, to: b{it} }}\n")).collect();
    let large = machine(&format!("machine: own\nregions:\n{regions}transitions:\n{rows}"));
    let said: Vec<String> = guard(&large.machines[0], &mapping(Engine::Sqlite)).unwrap_err().into_iter().map(|it| it.message).collect();
    assert_eq!(said, ["`own` is not guarded: it has more than 256 configurations"]);

    let model = model();
    let objections = |mapping: Mapping| -> Vec<String> {
        let said = guard(job(model), &mapping).err().unwrap_or_default();
        said.into_iter().map(|Objection { message, .. }| message).collect()
    };
    let queued = job(model).state_named("queued").unwrap();
    let twice = Mapping { values: BTreeMap::from([(queued, "failed".to_owned())]), ..mapping(Engine::Postgres) };
    assert_eq!(objections(twice), ["two states are stored as `failed`"]);
    let words = Mapping { kind: Kind::Integer, values: BTreeMap::from([(queued, "0".to_owned())]), ..mapping(Engine::Postgres) };
    assert_eq!(objections(words)[0], "`claimed` is no whole number, and the column has numbers");
    let quote = Mapping { table: Table { schema: None, name: "a$statespec$b".into() }, ..mapping(Engine::Postgres) };
    assert_eq!(objections(quote), ["`a$statespec$b` cannot stand in a script of SQL"]);
    let key = Mapping { key: vec!["event".into()], journal: true, ..mapping(Engine::Postgres) };
    assert_eq!(objections(key), ["the journal has a column `event` of its own"]);
}

/// The functions of PostgreSQL stand between `$statespec$`. A script has the texts of guards and the stored values.
#[test]
fn a_text_does_not_end_a_function() {
    let script = |stored: &str, text: &str| {
        let model = machine(&format!(
            "machine: own\ncontext: {{ note: text }}\nstates: {{ a: {{ initial: true }}, b: {{}} }}\n\
             transitions:\n  - {{ from: a, to: b }}\n  - from: b\n    to: a\n    when: >-\n      note == '{text}'\n"
        ));
        let a = model.machines[0].state_named("a").unwrap();
        let (columns, values) = (BTreeMap::from([(FieldId::new(0), Column { name: "note".into(), unit: None })]), [(a, stored.to_owned())]);
        let mapping = Mapping { columns, values: BTreeMap::from(values), ..mapping(Engine::Postgres) };
        guard(&model.machines[0], &mapping).unwrap().script()
    };
    let plain = script("a", "plain");
    assert!(plain.contains("'plain'"), "{plain}");
    for (stored, text, shown) in [
        ("it's", "plain", "'it''s'"),
        ("a\\b", "plain", "E'a\\\\b'"),
        ("a", "a\\b", "E'a\\\\b'"),
        ("a", "$statespec$; DROP TABLE job", "E'\\x24statespec\\x24; DROP TABLE job'"),
        ("a", "$statespec$statespec$", "E'\\x24statespec\\x24statespec$'"),
    ] {
        let script = script(stored, text);
        assert!(script.contains(shown), "{stored} {text}: {script}");
        assert_eq!(script.matches("$statespec$").count(), plain.matches("$statespec$").count(), "{stored} {text}");
    }
}
