//! From one revision to the next one, with programs of both.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use statespec_codegen::changes::{earlier, states};
use statespec_lang::model::Machine;
use statespec_sql::{Deletes, Engine, Guard, Kind, Mapping, Migration, Revision, Style, guard, migration};

use crate::oracle::machine;
use crate::server::server;
use crate::tables::{Database, mapping, quoted};

const OLD: &str = "machine: job
states:
  queued: { initial: true }
  claimed:
  running:
  paused:
  complete: { terminal: true }
transitions:
  - { from: queued, to: claimed }
  - { from: claimed, to: running }
  - { from: running, to: [paused, complete] }
  - { from: paused, to: running }
";

const NEW: &str = "machine: job
states:
  waiting: { initial: true, aka: [queued] }
  claimed:
  running:
  complete: { terminal: true }
  cancelled: { terminal: true }
transitions:
  - { from: waiting, to: claimed }
  - { from: claimed, to: [running, waiting] }
  - { from: running, to: [complete, cancelled] }
";

type Pairs = BTreeSet<(String, String)>;

/// The pairs of values that the database lets pass; from values that some row has.
fn passing(database: &mut dyn Database, values: &[&str]) -> Pairs {
    let mut pairs = Pairs::new();
    for from in values {
        let Some(id) = database.ask(&format!("SELECT min(id) FROM jobs WHERE status = {}", quoted(Some(from)))) else { continue };
        for to in values.iter().filter(|to| *to != from) {
            if database.attempt(&format!("UPDATE jobs SET status = {} WHERE id = {id}", quoted(Some(to)))).is_ok() {
                pairs.insert(((*from).to_owned(), (*to).to_owned()));
            }
        }
    }
    pairs
}

fn pairs(guard: &Guard) -> Pairs {
    guard.graph.pairs.keys().map(|(from, to)| (guard.stored[*from].clone(), guard.stored[*to].clone())).collect()
}

pub(crate) fn step(database: &mut dyn Database, statements: &[String]) -> Result<(), String> {
    let script: String = statements.iter().map(|it| format!("{it};\n")).collect();
    let done = database.run(&format!("BEGIN;\n{script}"));
    database.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" }).unwrap();
    done
}

pub(crate) fn of(old: &Machine, new: &Machine, mapping: &Mapping) -> Migration {
    let before = earlier(old, new, mapping);
    let (old_revision, new_revision) = (Revision { machine: old, mapping: &before }, Revision { machine: new, mapping });
    migration(old_revision, new_revision, &states(old, new)).unwrap()
}

/// The whole way there and back.
fn there_and_back(database: &mut dyn Database, mapping: &Mapping, column: &str) {
    let (old, new) = (machine(OLD), machine(NEW));
    let (old, new) = (&old.machines[0], &new.machines[0]);
    let migration = of(old, new, mapping);
    let names: Vec<&str> = migration.steps.iter().map(|it| it.name).collect();
    assert_eq!(names, ["expand", "move", "contract"]);
    assert_eq!(migration.renamed, [("queued".to_owned(), "waiting".to_owned())]);
    let [expand, moving, contract] = &migration.steps[..] else { unreachable!("there are three steps") };

    let values = ["queued", "claimed", "running", "paused", "complete", "waiting", "cancelled"];
    database.run(&format!("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status {column})")).unwrap();
    for (id, value) in values.iter().enumerate().filter(|it| !["waiting", "cancelled"].contains(it.1)) {
        database.run(&format!("INSERT INTO jobs VALUES ({id}, {})", quoted(Some(value)))).unwrap();
    }
    let before = database.attach(old, &earlier(old, new, mapping));
    let after = guard(new, mapping).unwrap();
    assert_eq!(passing(database, &values), pairs(&before));

    // Both programs write: each step of either passes, under both names of a state, and no other one.
    step(database, &expand.up).unwrap();
    let either: Pairs = pairs(&before).union(&pairs(&after)).cloned().collect();
    let other = |it: &str| {
        if it == "queued" {
            "waiting".to_owned()
        } else if it == "waiting" {
            "queued".to_owned()
        } else {
            it.to_owned()
        }
    };
    let mut named: Pairs = either
        .iter()
        .flat_map(|(a, b)| [(a.clone(), b.clone()), (other(a), b.clone()), (a.clone(), other(b)), (other(a), other(b))])
        .collect();
    named.extend([("queued".to_owned(), "waiting".to_owned()), ("waiting".to_owned(), "queued".to_owned())]);
    database.run("INSERT INTO jobs VALUES (20, 'waiting'), (21, 'waiting'), (22, 'queued')").unwrap();
    database.run("UPDATE jobs SET status = 'claimed' WHERE id = 21").unwrap();
    database.run("UPDATE jobs SET status = 'running' WHERE id = 21").unwrap();
    database.run("UPDATE jobs SET status = 'cancelled' WHERE id = 21").unwrap();
    assert_eq!(passing(database, &values), named);
    database.attempt("INSERT INTO jobs VALUES (30, 'running')").unwrap_err();

    // A row is left in a state that the later revision lacks: nothing has changed.
    step(database, &moving.up).unwrap();
    assert_eq!(database.ask("SELECT count(*) FROM jobs WHERE status = 'queued'"), Some("0".to_owned()));
    let said = step(database, &contract.up).unwrap_err();
    match database.engine() {
        Engine::Postgres => {
            assert!(said.contains("job: 1 rows have a removed value of status") && said.contains("keys: 3"), "{said}");
        }
        Engine::Sqlite => assert!(said.contains("job: rows have a removed value of status (paused, queued)"), "{said}"),
    }
    named.retain(|(from, _)| from != "queued");
    assert_eq!(passing(database, &values), named);
    database.run("UPDATE jobs SET status = 'running' WHERE id = 3").unwrap();
    step(database, &contract.up).unwrap();
    assert_eq!(passing(database, &values), pairs(&after));

    // Back: both again, the earlier names, and the earlier guard once no row has a state that it lacks.
    step(database, &contract.down).unwrap();
    step(database, &moving.down).unwrap();
    assert_eq!(database.ask("SELECT count(*) FROM jobs WHERE status = 'waiting'"), Some("0".to_owned()));
    let said = step(database, &expand.down).unwrap_err();
    assert!(said.contains("removed value of status"), "{said}");
    database.run("DELETE FROM jobs WHERE status = 'cancelled'; UPDATE jobs SET status = 'paused' WHERE id = 3").unwrap();
    step(database, &expand.down).unwrap();
    assert_eq!(passing(database, &values), pairs(&before));
}

#[test]
fn both_programs_write_while_a_revision_is_rolled_out_and_back() {
    let mut sqlite = Connection::open_in_memory().unwrap();
    there_and_back(&mut sqlite, &mapping(Engine::Sqlite), "TEXT");
    let Some(server) = server("guards in PostgreSQL") else { return };
    there_and_back(&mut server.database().0, &mapping(Engine::Postgres), "text");
    let mut client = server.database().0;
    client.run("CREATE TYPE job_state AS ENUM ('queued', 'claimed', 'running', 'paused', 'complete')").unwrap();
    // `passing` asks for the later values from the first step on.
    client.run("ALTER TYPE job_state ADD VALUE 'waiting'; ALTER TYPE job_state ADD VALUE 'cancelled'").unwrap();
    there_and_back(&mut client, &Mapping { kind: Kind::Enum, ..mapping(Engine::Postgres) }, "job_state");
}

#[test]
fn an_enum_gets_the_values_of_the_later_revision() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (old, new) = (machine(OLD), machine(NEW));
    let (old, new) = (&old.machines[0], &new.machines[0]);
    let mapping = Mapping { kind: Kind::Enum, ..mapping(Engine::Postgres) };
    let migration = of(old, new, &mapping);
    let mut client = server.database().0;
    client.run("CREATE TYPE job_state AS ENUM ('queued', 'claimed', 'running', 'paused', 'complete')").unwrap();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status job_state)").unwrap();
    client.attach(old, &earlier(old, new, &mapping));
    step(&mut client, &migration.steps[0].up).unwrap();
    client.run("INSERT INTO jobs VALUES (1, 'waiting')").unwrap();
    client.attempt("INSERT INTO jobs VALUES (2, 'cancelled')").unwrap_err();
}

/// A program that leads one row through some states again and again, until it is told to end; the number of its steps.
fn program(mut client: postgres::Client, id: u32, states: [&'static str; 2], is_over: Arc<AtomicBool>) -> JoinHandle<usize> {
    std::thread::spawn(move || {
        let mut n_steps = 0;
        while !is_over.load(Ordering::Relaxed) {
            for state in states {
                client.run(&format!("UPDATE jobs SET status = '{state}' WHERE id = {id}")).unwrap();
                n_steps += 1;
            }
        }
        n_steps
    })
}

#[test]
fn no_legal_step_is_refused_while_programs_of_both_revisions_write() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (old, new) = (machine(OLD), machine(NEW));
    let (old, new) = (&old.machines[0], &new.machines[0]);
    let mapping = mapping(Engine::Postgres);
    let migration = of(old, new, &mapping);
    let (mut client, name) = server.database();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text); INSERT INTO jobs VALUES (1, 'running'), (2, 'queued')").unwrap();
    client.attach(old, &earlier(old, new, &mapping));
    let (first, second) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let pause = || std::thread::sleep(Duration::from_millis(200));
    let earlier_program = program(server.connect(&name).unwrap(), 1, ["paused", "running"], Arc::clone(&first));
    pause();
    step(&mut client, &migration.steps[0].up).unwrap();
    let later_program = program(server.connect(&name).unwrap(), 2, ["claimed", "waiting"], Arc::clone(&second));
    pause();
    // Back and there again: the earlier program writes on.
    second.store(true, Ordering::Relaxed);
    assert!(later_program.join().unwrap() > 0);
    step(&mut client, &migration.steps[1].down).unwrap();
    step(&mut client, &migration.steps[0].down).unwrap();
    pause();
    step(&mut client, &migration.steps[0].up).unwrap();
    second.store(false, Ordering::Relaxed);
    let later_program = program(server.connect(&name).unwrap(), 2, ["claimed", "waiting"], Arc::clone(&second));
    pause();
    first.store(true, Ordering::Relaxed);
    assert!(earlier_program.join().unwrap() > 0);
    step(&mut client, &migration.steps[1].up).unwrap();
    step(&mut client, &migration.steps[2].up).unwrap();
    pause();
    second.store(true, Ordering::Relaxed);
    assert!(later_program.join().unwrap() > 0);
    client.attempt("UPDATE jobs SET status = 'paused' WHERE id = 1").unwrap_err();
}

#[test]
fn a_writer_that_has_not_committed_is_waited_for() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (old, new) = (machine(OLD), machine(NEW));
    let (old, new) = (&old.machines[0], &new.machines[0]);
    let mapping = mapping(Engine::Postgres);
    let migration = of(old, new, &mapping);
    let (mut client, name) = server.database();
    client.run("CREATE TABLE jobs (id bigint PRIMARY KEY, status text); INSERT INTO jobs VALUES (1, 'running')").unwrap();
    client.attach(old, &earlier(old, new, &mapping));
    // To expand takes no lock on the table; to contract waits for the writer, and gives up after two seconds.
    let mut writer = server.connect(&name).unwrap();
    writer.run("BEGIN; UPDATE jobs SET status = 'paused'").unwrap();
    step(&mut client, &migration.steps[0].up).unwrap();
    let said = step(&mut client, &migration.steps[2].up).unwrap_err();
    assert!(said.contains("lock timeout"), "{said}");
    writer.run("COMMIT").unwrap();
    let said = step(&mut client, &migration.steps[2].up).unwrap_err();
    assert!(said.contains("1 rows have a removed value of status: paused"), "{said}");
}

#[test]
fn what_cannot_be_rolled_out_at_once_is_refused() {
    let start = OLD.replace("queued: { initial: true }", "queued:").replace("  claimed:\n", "  claimed: { initial: true }\n");
    let swapped = NEW
        .replace("  complete: { terminal: true }\n", "  complete: { terminal: true }\n  queued:\n")
        .replace("[complete, cancelled]", "[complete, cancelled, queued]")
        .replace("aka: [queued]", "wire: complete")
        .replace("complete: { terminal: true }", "complete: { terminal: true, wire: finished }");
    let (old, start, swapped) = (machine(OLD), machine(&start), machine(&swapped));
    let (old, mapping) = (&old.machines[0], mapping(Engine::Sqlite));
    assert_eq!(of(old, old, &mapping).steps, []);
    let names: Vec<&str> = of(old, &start.machines[0], &mapping).steps.iter().map(|it| it.name).collect();
    assert_eq!(names, ["expand", "contract"]);
    let before = earlier(old, &swapped.machines[0], &mapping);
    let revision = |machine, mapping| Revision { machine, mapping };
    let said = migration(revision(old, &before), revision(&swapped.machines[0], &mapping), &states(old, &swapped.machines[0])).unwrap_err();
    assert!(said[0].message.contains("`complete` and `finished` are states of both revisions"), "{said:?}");
    // Rows that may be deleted in either revision.
    let terminal = Mapping { deletes: Deletes::Terminal, ..mapping };
    let new = machine(NEW);
    assert_eq!(of(old, &new.machines[0], &terminal).steps.len(), 3);
}

/// The names of the files that a style adds to a folder.
fn added(style: Style, engine: Engine, present: &[(&str, &str)]) -> Vec<(String, String)> {
    let (old, new) = (machine(OLD), machine(NEW));
    let mapping = mapping(engine);
    let migration = of(&old.machines[0], &new.machines[0], &mapping);
    let present: Vec<(String, String)> = present.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    style.files(engine, "job", &migration.steps, &present).unwrap()
}

#[test]
fn files_follow_the_numbers_and_the_transactions_of_their_tool() {
    let names = |style, present: &[(&str, &str)]| -> String {
        added(style, Engine::Postgres, present).into_iter().map(|it| it.0).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(Style::Sqlx, &[("20250101120000_a.sql", ""), ("9_b.up.sql", ""), ("README.md", "")]),
        "20250101120001_job_expand.up.sql 20250101120001_job_expand.down.sql 20250101120002_job_move.up.sql \
         20250101120002_job_move.down.sql 20250101120003_job_contract.up.sql 20250101120003_job_contract.down.sql"
    );
    assert_eq!(
        names(Style::Refinery, &[("V1__a.sql", ""), ("V12__b.sql", "")]),
        "V13__job_expand.sql V14__job_move.sql V15__job_contract.sql"
    );
    assert!(names(Style::Flyway, &[]).starts_with("V1__job_expand.sql U1__job_expand.sql V2__job_move.sql"));
    assert!(
        names(Style::Diesel, &[("2024-05-06-070809_a", "")])
            .starts_with("20240506070810_job_expand/up.sql 20240506070810_job_expand/down.sql")
    );
    assert!(names(Style::GolangMigrate, &[("000007_a.up.sql", "")]).starts_with("000008_job_expand.up.sql 000008_job_expand.down.sql"));
    assert!(names(Style::Plain, &[]).starts_with("0001_job_expand.sql 0001_job_expand.down.sql"));
    let large = [("99999999999999999999_a.sql".to_owned(), String::new())];
    let refused = "`99999999999999999999` is too large for the number of a file: give it one of at most 19 digits".to_owned();
    assert_eq!(Style::Plain.files(Engine::Sqlite, "job", &[], &large), Err(refused.clone()));
    assert_eq!(Style::Plain.replayed(Engine::Sqlite, &large), Err(refused));
    for (_, style) in Style::ALL {
        for engine in Engine::ALL {
            let has_transaction = style == Style::Plain || style == Style::GolangMigrate && engine == Engine::Postgres;
            for (name, text) in added(style, engine, &[]) {
                let begin = if engine == Engine::Sqlite { "\nBEGIN IMMEDIATE;\n" } else { "\nBEGIN;\n" };
                assert_eq!(text.contains(begin) && text.ends_with("\nCOMMIT;\n"), has_transaction, "{name}");
            }
        }
    }
    let heads = [
        ("a1_x.py", "revision: str = 'a1'\ndown_revision = None\n"),
        ("b2_y.py", "revision = \"b2\"\ndown_revision: str | None = \"a1\"\n"),
    ];
    let files = added(Style::Alembic, Engine::Postgres, &heads);
    let place = |it: &(String, String)| it.1.lines().filter(|it| it.contains("revision = ")).collect::<Vec<_>>().join("; ");
    let places: Vec<String> = files.iter().map(place).collect();
    assert_eq!(places[0], "revision = \"0001_expand\"; down_revision = \"b2\"");
    assert_eq!(places[2], "revision = \"0003_contract\"; down_revision = \"0002_move\"");
    let two: Vec<(String, String)> = heads.iter().map(|it| (it.0.to_owned(), it.1.replace("\"a1\"", "None"))).collect();
    assert_eq!(Style::Alembic.files(Engine::Postgres, "job", &[], &two), Err("alembic has 2 heads (a1, b2): merge them first".to_owned()));
}
