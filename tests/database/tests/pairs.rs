//! Every pair of stored states of every reference machine, and every value outside, by every kind of write.

use std::collections::BTreeSet;

use postgres::Client;
use rusqlite::Connection;
use statespec_lang::model::{Configuration, Machine, Model};
use statespec_sql::{Deletes, Engine, Guard, Mapping};

use crate::checks::is_complete;
use crate::oracle::{Oracle, machine, model};
use crate::server::server;
use crate::tables::{Database, mapping, quoted};

/// How a row in one state is written with another value, and what makes it legal.
type Write = (&'static str, Option<Engine>, fn(&Case<'_>) -> String, Legal);

/// What makes a write legal.
#[derive(Clone, Copy, PartialEq)]
enum Legal {
    /// The pair of states.
    Pair,
    /// Nothing changes.
    Always,
    Never,
    /// The value is that of a new row.
    Birth,
    /// The row may be deleted, and the value is that of a new row.
    Reborn,
}

/// A row, and the value that is written.
struct Case<'a> {
    id: usize,
    to: &'a str,
    birth: &'a str,
}

const WRITES: &[Write] = &[
    ("update", None, |it| format!("UPDATE jobs SET status = {} WHERE id = {}", it.to, it.id), Legal::Pair),
    (
        "update of all columns",
        None,
        |it| format!("UPDATE jobs SET status = {}, id = id, note = 'x' WHERE id = {}", it.to, it.id),
        Legal::Pair,
    ),
    (
        "upsert",
        None,
        |it| format!("INSERT INTO jobs (id, status) VALUES ({}, {}) ON CONFLICT (id) DO UPDATE SET status = {}", it.id, it.birth, it.to),
        Legal::Pair,
    ),
    ("do nothing", None, |it| format!("INSERT INTO jobs (id, status) VALUES ({}, {}) ON CONFLICT DO NOTHING", it.id, it.to), Legal::Always),
    ("another column", None, |it| format!("UPDATE jobs SET note = 'x' WHERE id = {}", it.id), Legal::Always),
    ("key", None, |it| format!("UPDATE jobs SET id = id + 5000 WHERE id = {}", it.id), Legal::Never),
    ("insert", None, |it| format!("INSERT INTO jobs (id, status) VALUES (9000, {})", it.to), Legal::Birth),
    ("insert of several", None, |it| format!("INSERT INTO jobs (id, status) VALUES (9000, {}), (9001, {})", it.birth, it.to), Legal::Birth),
    (
        "delete and insert",
        None,
        |it| format!("DELETE FROM jobs WHERE id = {0}; INSERT INTO jobs (id, status) VALUES ({0}, {1})", it.id, it.to),
        Legal::Reborn,
    ),
    (
        "merge",
        Some(Engine::Postgres),
        |it| {
            format!(
                "MERGE INTO jobs USING (VALUES ({})) AS v (id) ON jobs.id = v.id WHEN MATCHED THEN UPDATE SET status = {}",
                it.id, it.to
            )
        },
        Legal::Pair,
    ),
    ("replace", Some(Engine::Sqlite), |it| format!("REPLACE INTO jobs (id, status) VALUES ({}, {})", it.id, it.to), Legal::Never),
    (
        "insert or ignore",
        Some(Engine::Sqlite),
        |it| format!("INSERT OR IGNORE INTO jobs (id, status) VALUES ({}, {})", it.id, it.to),
        Legal::Always,
    ),
    (
        "update or replace",
        Some(Engine::Sqlite),
        |it| format!("UPDATE OR REPLACE jobs SET status = {} WHERE id = {}", it.to, it.id),
        Legal::Pair,
    ),
    (
        "update or ignore",
        Some(Engine::Sqlite),
        |it| format!("UPDATE OR IGNORE jobs SET status = {} WHERE id = {}", it.to, it.id),
        Legal::Pair,
    ),
];

/// The pairs that the oracle does not find: see `graph`.
const WIDER: &[(&str, &str, &str)] =
    &[("elevator", "standing+shut", "waiting+shut"), ("media_player", "interrupted", "paused+muted+picture")];

/// The values that a column may have that no state has.
fn outside(stored: &[String], engine: Engine) -> Vec<String> {
    let mut values: Vec<String> = vec![quoted(None), quoted(Some("")), quoted(Some("banana"))];
    let texts = stored.iter().flat_map(|it| [it.to_uppercase(), it.to_lowercase(), format!("{it} "), format!(" {it}")]);
    let texts: BTreeSet<String> = texts.filter(|it| !stored.contains(it)).collect();
    values.extend(texts.iter().map(|it| quoted(Some(it))));
    if engine == Engine::Sqlite {
        values.extend(["7".to_owned(), "1.5".to_owned(), format!("CAST('{}' AS BLOB)", stored[0])]);
    }
    values
}

/// Attempts every write, and lists what was accepted or refused against the oracle.
fn differences(database: &mut dyn Database, model: &Model, idx: usize, mapping: &Mapping) -> Vec<String> {
    let machine = &model.machines[idx];
    let engine = database.engine();
    database.run("DROP TABLE IF EXISTS jobs; CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, note TEXT)").unwrap();
    let guard = database.attach(machine, mapping);
    let rows: Vec<String> = guard.stored.iter().enumerate().map(|(idx, it)| format!("({}, {})", idx + 1, quoted(Some(it)))).collect();
    database.unguarded(&guard, &format!("INSERT INTO jobs (id, status) VALUES {};", rows.join(", ")));

    let configurations: Vec<Configuration> = guard.graph.states.iter().map(|it| it.configuration.clone()).collect();
    let oracle = Oracle::of(idx, &configurations);
    let wider = |from: usize, to: usize| WIDER.contains(&(machine.name.as_str(), guard.stored[from].as_str(), guard.stored[to].as_str()));
    let birth = configurations.iter().position(|it| oracle.births.contains(it)).unwrap();
    let birth = quoted(Some(&guard.stored[birth]));
    let values: Vec<(Option<usize>, String)> = (0..guard.stored.len())
        .map(|it| (Some(it), quoted(Some(&guard.stored[it]))))
        .chain(outside(&guard.stored, engine).into_iter().map(|it| (None, it)))
        .collect();
    let terminal = |it: usize| configurations[it].leaves().all(|leaf| machine.ancestors(leaf).any(|it| machine.state(it).terminal));
    let mut different = Vec::new();
    for from in 0..guard.stored.len() {
        // Of the many pairs of configurations of regions, a sample has one in five.
        let every = if machine.has_regions() && !is_complete() { 5 } else { 1 };
        for (to, value) in values.iter().skip(from % every).step_by(every) {
            let case = Case { id: from + 1, to: value, birth: &birth };
            let pair = to.is_some_and(|to| {
                to == from || wider(from, to) || oracle.pairs.contains(&(configurations[from].clone(), configurations[to].clone()))
            });
            let is_birth = to.is_some_and(|to| oracle.births.contains(&configurations[to]));
            let deletes = match mapping.deletes {
                Deletes::Any => true,
                Deletes::Never => false,
                Deletes::Terminal => terminal(from),
            };
            for (name, _, sql, legal) in WRITES.iter().filter(|it| it.1.is_none_or(|it| it == engine)) {
                let legal = match legal {
                    Legal::Pair => pair,
                    Legal::Always => true,
                    Legal::Never => false,
                    Legal::Birth => is_birth,
                    Legal::Reborn => is_birth && deletes,
                };
                // And writes each in one way.
                if machine.has_regions() && !is_complete() && *name != "update" {
                    continue;
                }
                // Inserts do not depend on the row.
                if from > 0 && name.starts_with("insert") && !name.contains("ignore") {
                    continue;
                }
                let done = database.attempt(&sql(&case));
                let said = done.as_ref().err().is_none_or(|it| it.contains(&machine.name) || it.contains("UNIQUE"));
                if done.is_ok() != legal || !said {
                    different.push(format!("{} {engine:?} {name}: {} -> {value}: {done:?}", machine.name, guard.stored[from]));
                }
            }
        }
    }
    several(database, machine, &guard, &oracle, &configurations, &mut different);
    different
}

/// One illegal row refuses the whole statement.
fn several(
    database: &mut dyn Database,
    machine: &Machine,
    guard: &Guard,
    oracle: &Oracle,
    configurations: &[Configuration],
    different: &mut Vec<String>,
) {
    for to in 0..guard.stored.len() {
        let legal = configurations
            .iter()
            .enumerate()
            .all(|(from, it)| from == to || oracle.pairs.contains(&(it.clone(), configurations[to].clone())));
        let done = database.attempt(&format!("UPDATE jobs SET status = {}", quoted(Some(&guard.stored[to]))));
        if done.is_ok() != legal {
            different.push(format!("{} all rows -> {}: {done:?}", machine.name, guard.stored[to]));
        }
    }
    if let Err(why) = database.attempt("UPDATE jobs SET status = status, note = 'y'") {
        different.push(format!("{} written back: {why}", machine.name));
    }
}

fn every_machine(database: &mut dyn Database) -> String {
    let model = model();
    let mut different = Vec::new();
    for idx in 0..model.machines.len() {
        let deletes = [Deletes::Any, Deletes::Terminal, Deletes::Never][idx % 3];
        let mapping = Mapping { deletes, ..mapping(database.engine()) };
        different.extend(differences(database, model, idx, &mapping));
    }
    different.truncate(20);
    different.join("\n")
}

#[test]
fn sqlite_accepts_what_the_interpreter_does_and_nothing_else() {
    assert_eq!(every_machine(&mut Connection::open_in_memory().unwrap()), "");
}

#[test]
fn postgresql_accepts_what_the_interpreter_does_and_nothing_else() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    assert_eq!(every_machine(&mut server.database().0), "");
}

#[test]
fn a_copy_is_an_insert() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, _) = server.database();
    let model = model();
    let job = model.machines.iter().find(|it| it.name == "run_job").unwrap();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text)").unwrap();
    client.attach(job, &mapping(Engine::Postgres));
    let copy = |client: &mut Client, rows: &str| {
        let mut writer = client.copy_in("COPY jobs (id, status) FROM STDIN").unwrap();
        std::io::Write::write_all(&mut writer, rows.as_bytes()).unwrap();
        writer.finish().map_err(|it| it.as_db_error().unwrap().message().to_owned())
    };
    assert_eq!(copy(&mut client, "1\tqueued\n2\tqueued\n"), Ok(2));
    assert_eq!(copy(&mut client, "3\tqueued\n4\tcomplete\n"), Err("run_job 4: inserted in complete".to_owned()));
    assert_eq!(client.ask("SELECT count(*) FROM jobs"), Some("2".to_owned()));
}

#[test]
fn a_message_names_the_key_the_states_and_what_is_allowed() {
    let text = "machine: own\nstates: { a: { initial: true }, its: { wire: \"it's\" }, half: { wire: \"50%\", terminal: true } }\ntransitions:\n  - { from: a, to: its }\n  - { from: its, to: half }\n";
    let model = machine(text);
    let mut sqlite = Connection::open_in_memory().unwrap();
    sqlite.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT)").unwrap();
    sqlite.attach(&model.machines[0], &mapping(Engine::Sqlite));
    sqlite.run("INSERT INTO jobs VALUES (42, 'a')").unwrap();
    let said = sqlite.run("UPDATE jobs SET status = '50%'").unwrap_err();
    assert_eq!(said, "own: no such step; from a: it's");

    let Some(server) = server("guards in PostgreSQL") else { return };
    let mut client = server.database().0;
    client.run("CREATE TABLE jobs (id bigint, tenant text, status text, PRIMARY KEY (tenant, id))").unwrap();
    client.attach(&model.machines[0], &Mapping { key: vec!["tenant".into(), "id".into()], ..mapping(Engine::Postgres) });
    client.run("INSERT INTO jobs VALUES (42, 'x', 'a')").unwrap();
    let said = client.run("UPDATE jobs SET status = '50%'").unwrap_err();
    assert_eq!(said, "23514: own (x, 42): no step from a to 50% (from a: it's)");
    let said = client.run("INSERT INTO jobs VALUES (43, 'x', NULL)").unwrap_err();
    assert_eq!(said, "23514: own (x, 43): inserted in NULL (a row is inserted in: a)");
    let said = client.run("UPDATE jobs SET tenant = 'y'").unwrap_err();
    assert_eq!(said, "23514: own (x, 42): the key of a row never changes (insert another row)");
}
