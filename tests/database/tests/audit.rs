//! The generated statement of SQL gives the answers of `audit`, for random histories; and `audit --journal` reads what a guard records.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use statespec_audit::{Audit, Dialect, Format, Options, Query, Reading, columns, sql};

use crate::checks::{duckdb, needed};
use crate::oracle::model;
use crate::server::server;

/// A record: the instance, and the states before and after.
type Record = (usize, Option<&'static str>, Option<&'static str>);

const STATES: [&str; 6] = ["queued", "claimed", "running", "complete", "failed", "lost"];

/// A history with some legal steps and some that are not.
fn history(seed: u64) -> Vec<Record> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut at = [None; 12];
    let legal: [&[&str]; 5] = [&["claimed"], &["running", "complete", "failed"], &["complete", "failed", "claimed"], &[], &[]];
    let mut records = Vec::new();
    for _ in 0..80 {
        let entity = below(12);
        let from: Option<&'static str> = if below(25) == 0 { Some(STATES[below(5)]) } else { at[entity] };
        let next =
            from.and_then(|it| STATES.iter().position(|name| *name == it)).and_then(|it| legal.get(it).copied()).unwrap_or(&["queued"]);
        let to: Option<&'static str> =
            if next.is_empty() || below(12) == 0 { Some(STATES[below(6)]) } else { Some(next[below(next.len())]) };
        records.push((entity, from, to));
        at[entity] = to;
    }
    records
}

/// The first record of each instance that deviates, counted within the instance, by the audit.
fn by_audit(records: &[Record], with_from: bool) -> BTreeSet<(String, i64)> {
    let model = model();
    let mut text = String::from("id,from,to\n");
    for (entity, from, to) in records {
        text.push_str(&format!("{entity},{},{}\n", from.unwrap_or(""), to.unwrap_or("")));
    }
    let reading = match with_from {
        true => Reading::default(),
        false => Reading { columns: columns("entity=id,to=to").unwrap(), ..Reading::default() },
    };
    let mut audit = Audit::new(model.machine("run_job").unwrap(), Options::default()).unwrap();
    audit.read("log", Format::Csv, &reading, text.as_bytes()).unwrap();
    let mut first = BTreeMap::<usize, usize>::new();
    for finding in audit.finish().findings {
        let idx = finding.place.line as usize - 2;
        first.entry(records[idx].0).or_insert(idx);
    }
    let position = |(entity, idx): (usize, usize)| (entity.to_string(), records[..=idx].iter().filter(|it| it.0 == entity).count() as i64);
    first.into_iter().map(position).collect()
}

fn statement(dialect: Dialect, with_from: bool) -> String {
    let model = model();
    let from = with_from.then(|| "old".to_owned());
    let query = Query {
        table: "history".into(),
        entity: vec!["id".into()],
        order: vec!["n".into()],
        from,
        to: "new".into(),
        machine: None,
        only: Vec::new(),
    };
    sql(model.machine("run_job").unwrap(), &BTreeMap::new(), dialect, &query).unwrap()
}

fn inserts(records: &[Record]) -> String {
    let text = |it: Option<&str>| it.map_or_else(|| "NULL".to_owned(), |it| format!("'{it}'"));
    let row = |(n, (entity, from, to)): (usize, &Record)| format!("({n}, {entity}, {}, {})", text(*from), text(*to));
    let rows: Vec<String> = records.iter().enumerate().map(row).collect();
    format!("DELETE FROM history; INSERT INTO history (n, id, old, new) VALUES {};", rows.join(", "))
}

const TABLE: &str = "CREATE TABLE history (n integer, id integer, old text, new text);";

#[test]
fn sqlite_answers_as_the_audit() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLE).unwrap();
    let mut n_found = 0;
    for seed in 1..150 {
        let records = history(seed);
        connection.execute_batch(&inserts(&records)).unwrap();
        for with_from in [true, false] {
            let mut statement = connection.prepare(&statement(Dialect::Sqlite, with_from)).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let found: BTreeSet<(String, i64)> = rows.collect::<Result<_, _>>().unwrap();
            assert_eq!(found, by_audit(&records, with_from), "{seed}, {with_from}: {records:?}");
            n_found += found.len();
        }
    }
    assert!(n_found > 500, "{n_found}");
}

#[test]
fn postgresql_answers_as_the_audit() {
    let Some(server) = server("the audit as SQL in PostgreSQL") else { return };
    let (mut client, _) = server.database();
    client.batch_execute(TABLE).unwrap();
    for seed in 1..40 {
        let records = history(seed);
        client.batch_execute(&inserts(&records)).unwrap();
        for with_from in [true, false] {
            let rows = client.query(&statement(Dialect::Postgres, with_from), &[]).unwrap();
            let found: BTreeSet<(String, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
            assert_eq!(found, by_audit(&records, with_from), "{seed}, {with_from}: {records:?}");
        }
    }
}

/// Reads lists of statements, of which the last asks, and prints the rows of the answers.
const DUCKDB: &str = "\
import json, sys, duckdb
connection = duckdb.connect(config={'threads': 1})
for statements in json.load(sys.stdin):
    for statement in statements:
        rows = connection.execute(statement).fetchall()
    print(json.dumps([[entity, position] for entity, position, *_ in rows]))
";

#[test]
fn duckdb_answers_as_the_audit() {
    let Some(python) = needed("the audit as SQL in DuckDB", duckdb()) else { return };
    let cases: Vec<(Vec<Record>, bool)> = (1..40).flat_map(|seed| [(history(seed), true), (history(seed), false)]).collect();
    let statements = |(records, with_from): &(Vec<Record>, bool)| {
        let table = TABLE.replace("CREATE", "CREATE OR REPLACE");
        let mut all = vec![table];
        all.extend(inserts(records).trim_end_matches(';').split("; ").map(str::to_owned));
        all.push(statement(Dialect::Duckdb, *with_from));
        all
    };
    let input = serde_json::to_string(&cases.iter().map(statements).collect::<Vec<_>>()).unwrap();
    let mut child = Command::new(python).args(["-c", DUCKDB]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.success(), text.lines().count()), (true, cases.len()));
    let mut n_found = 0;
    for ((records, with_from), line) in cases.iter().zip(text.lines()) {
        let found: BTreeSet<(String, i64)> = serde_json::from_str(line).unwrap();
        assert_eq!(found, by_audit(records, *with_from), "{with_from}: {records:?}");
        n_found += found.len();
    }
    assert!(n_found > 150, "{n_found}");
}

/// Identities of several columns, stored values and chosen records, by the audit and by SQLite.
#[test]
fn the_statement_reads_identities_values_and_chosen_records_as_the_audit() {
    let model = model();
    let machine = model.machine("run_job").unwrap();
    let values = BTreeMap::from([(machine.state_named("queued").unwrap(), vec!["pending".to_owned(), "new".to_owned()])]);
    let rows = [
        ("x/y", "z", "pending", "claimed", "job"),
        ("x", "y/z", "new", "claimed", "job"),
        ("x", "y/z", "claimed", "new", "job"),
        ("x/y", "z", "claimed", "running", "job"),
        ("x\\", "y", "pending", "pending", "job"),
        ("x\\", "y", "queued", "claimed", "job"),
        ("x\\", "y", "new", "claimed", "job"),
        ("w", "1", "queued", "failed", "other"),
    ];
    let mut text = String::from("a,b,old,new,kind\n");
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE history (n integer, a text, b text, old text, new text, kind text)").unwrap();
    for (n, (a, b, old, new, kind)) in rows.iter().enumerate() {
        text.push_str(&format!("{a},{b},{old},{new},{kind}\n"));
        connection.execute("INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6)", (n as i64, a, b, old, new, kind)).unwrap();
    }
    let only = vec![("kind".to_owned(), "job".to_owned())];
    let reading = Reading { columns: columns("entity=a,entity=b,from=old,to=new").unwrap(), only: only.clone(), ..Reading::default() };
    let mut audit = Audit::new(machine, Options { values: values.clone(), ..Options::default() }).unwrap();
    audit.read("log", Format::Csv, &reading, text.as_bytes()).unwrap();
    let findings = audit.finish().findings;
    let found: Vec<(u64, &str)> = findings.iter().map(|it| (it.place.line, it.code.id())).collect();
    assert_eq!(found, [(4, "audit::step"), (8, "audit::gap")]);
    let query = Query {
        table: "history".into(),
        entity: vec!["a".into(), "b".into()],
        order: vec!["n".into()],
        from: Some("old".into()),
        to: "new".into(),
        machine: None,
        only,
    };
    let mut statement = connection.prepare(&sql(machine, &values, Dialect::Sqlite, &query).unwrap()).unwrap();
    let answers = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(4)?))).unwrap();
    let answers: Vec<(String, i64, String)> = answers.collect::<Result<_, _>>().unwrap();
    assert_eq!(answers, [("x/y\\/z".into(), 2, "step".into()), ("x\\\\/y".into(), 3, "gap".into())]);
    // The identity is the text of the finding.
    assert!(findings[0].message.contains("`x/y\\/z`"), "{}", findings[0].message);
}

const CONFIGURATION: &str = "[[database]]\nmachine = \"run_job\"\nengine = \"ENGINE\"\nout = \"guard.sql\"\nurl_env = \"AUDITED_URL\"\ntable = \"TABLE\"\nkey = \"id\"\nstate = \"status\"\njournal = true\n";

/// The audit of the journal that the guard of a project keeps, after some statements.
fn journal(engine: &str, table: &str, url: &str, execute: impl FnOnce(&str)) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    std::fs::create_dir(folder.path().join("machines")).unwrap();
    put("machines/run_job.yaml", include_str!("../../../machines/run_job.yaml"));
    put("statespec.toml", &CONFIGURATION.replace("ENGINE", engine).replace("TABLE", table));
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_statespec-with-database"))
            .args(args)
            .current_dir(folder.path())
            .env("AUDITED_URL", url)
            .output()
            .unwrap()
    };
    let made = run(&["gen", "--only", "database"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    execute(&std::fs::read_to_string(folder.path().join("guard.sql")).unwrap());
    let output = run(&["audit", "--journal"]);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

const WORK: &str = "INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed' WHERE id = 1; UPDATE jobs SET status = 'failed' WHERE id = 1; DELETE FROM jobs;";

fn check_journal((code, text): (Option<i32>, String)) {
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("audited 4 records of 1 entity of `run_job`")
            && text.contains("1  claimed --> failed\n")
            && text.contains("1  failed --> deleted\n"),
        "{text}"
    );
}

#[test]
fn the_journal_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jobs.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL)").unwrap();
    check_journal(journal("sqlite", "jobs", path.to_str().unwrap(), |script| {
        connection.execute_batch(script).unwrap();
        connection.execute_batch(WORK).unwrap();
    }));
}

#[test]
fn the_journal_of_postgresql() {
    let Some(server) = server("the journal of PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.batch_execute("CREATE TABLE jobs (id bigint PRIMARY KEY, status text NOT NULL)").unwrap();
    check_journal(journal("postgresql", "public.jobs", &server.url(&name), |script| {
        client.batch_execute(script).unwrap();
        client.batch_execute(WORK).unwrap();
    }));
}
