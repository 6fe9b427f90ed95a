//! What stops a migration: rows of PostgreSQL, columns of numbers and of histories, and a machine that gets another name.

use std::collections::BTreeMap;

use rusqlite::Connection;
use statespec_codegen::changes::earlier;
use statespec_lang::model::{FieldId, Model};
use statespec_sql::{Column, Kind, Mapping};

use crate::commands::{Project, guide, later};
use crate::migrations::{of, step};
use crate::oracle::machine;
use crate::server::server;
use crate::tables::{Database, mapping};

#[test]
fn a_plan_names_the_rows_of_postgresql_that_would_stop_it() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let (mut client, name) = server.database();
    client.run(&guide("sql", 0)).unwrap();
    client
        .run(
            "INSERT INTO jobs (id, status) SELECT n, 'failed' FROM generate_series(1, 12) AS n;
             INSERT INTO jobs (id, status) VALUES (20, 'queued'), (21, 'running')",
        )
        .unwrap();
    let project = Project::new(server.url(&name));
    project.put("statespec.toml", &guide("toml", 0));
    let old = project.get("machines/job.yaml");
    project.put("old.yaml", &old);
    project.put("machines/job.yaml", &later(&old));
    let (code, said) = project.statespec("db plan old.yaml machines/job.yaml");
    assert_eq!(code, Some(100), "{said}");
    let rows: Vec<String> = (1..=10).map(|it| format!("{it} has `failed`")).collect();
    assert!(said.contains(&format!("12 rows have a removed value in `status`: {}, and so on", rows.join(", "))), "{said}");
    assert!(said.contains("job: 1 row with `queued` will have `waiting`"), "{said}");
    client.run("UPDATE jobs SET status = 'running' WHERE id > 1; UPDATE jobs SET status = 'complete' WHERE id = 1").unwrap();
    let (code, said) = project.statespec("db plan old.yaml machines/job.yaml");
    assert!(code == Some(0) && said.contains("job: no row stops the 3 steps"), "{said}");
    // Nothing was written.
    assert_eq!(client.ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'statespec'"), Some("0".to_owned()));
}

#[test]
fn a_machine_with_another_name_is_not_attached_beside_its_old_guard() {
    let project = Project::new(String::new());
    let old = project.get("machines/job.yaml");
    let new = old.replace("machine: job", "machine: task");
    project.put("old/machines/job.yaml", &old);
    project.put("new/machines/job.yaml", &new);
    let section = "[[database]]\nmachine = \"task\"\nengine = \"sqlite\"\nout = \"db/task.sql\"\ntable = \"jobs\"\nkey = \"id\"\nstate = \"status\"\nmigrations = { out = \"migrations\" }\n";
    project.put("statespec.toml", section);
    for words in ["db migrate old new", "db plan old new"] {
        let (code, said) = project.statespec(words);
        assert!(
            code == Some(1) && said.contains("`task` was called `job`, and the triggers of a guard have the name of its machine"),
            "{said}"
        );
    }
    assert!(!project.folder.path().join("migrations").exists());
    // Where it is done by hand, the check finds the guard that stayed.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.db");
    let mut databases: Vec<(String, &str, Box<dyn Database>)> =
        vec![(format!("sqlite:{}", file.display()), "sqlite", Box::new(Connection::open(&file).unwrap()))];
    if let Some(server) = server("guards in PostgreSQL") {
        let (client, name) = server.database();
        databases.push((server.url(&name), "postgresql", Box::new(client)));
    }
    for (url, engine, mut database) in databases {
        database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, stage TEXT)").unwrap();
        let project = Project::new(url);
        let section = |machine: &str, column: &str| {
            format!(
                "[[database]]\nmachine = \"{machine}\"\nengine = \"{engine}\"\nout = \"db/job.sql\"\ntable = \"jobs\"\nkey = \"id\"\nstate = \"{column}\"\n"
            )
        };
        project.put("statespec.toml", &section("job", "status"));
        project.attach(&mut *database);
        project.put("machines/job.yaml", &new);
        // Another column of the table is another matter.
        project.put("statespec.toml", &section("task", "stage"));
        project.attach(&mut *database);
        project.is_clean();
        project.put("statespec.toml", &section("task", "status"));
        project.attach(&mut *database);
        project.finds("the trigger `statespec_job_edge` holds the column to the graph of another machine");
        let on = if engine == "sqlite" { "" } else { " ON jobs" };
        database.run(&format!("DROP TRIGGER statespec_job_edge{on}")).unwrap();
        project.is_clean();
    }
}

/// A table for each engine that there is.
fn databases() -> Vec<Box<dyn Database>> {
    let mut all: Vec<Box<dyn Database>> = vec![Box::new(Connection::open_in_memory().unwrap())];
    all.extend(server("guards in PostgreSQL").map(|it| Box::new(it.database().0) as Box<dyn Database>));
    all
}

const NUMBERED: &str = "machine: job
states:
  queued: { initial: true, number: 0 }
  running: { number: 1 }
  paused: { number: 2 }
  complete: { terminal: true, number: 3 }
transitions:
  - { from: queued, to: running }
  - { from: running, to: [paused, complete] }
  - { from: paused, to: running }
";

#[test]
fn numbers_of_states_are_moved_and_counted() {
    let gone = NUMBERED.replace("  paused: { number: 2 }\n", "").replace("[paused, complete]", "complete");
    let gone = gone.replace("  - { from: paused, to: running }\n", "");
    // Another name under the same number needs no write; another number does.
    let renamed = |number: u32| {
        let states =
            gone.replace("queued: { initial: true, number: 0 }", &format!("waiting: {{ initial: true, number: {number}, aka: queued }}"));
        machine(&states.replace("from: queued", "from: waiting"))
    };
    let old = machine(NUMBERED);
    for (new, number, names) in [(renamed(0), 0, &["expand", "contract"][..]), (renamed(7), 7, &["expand", "move", "contract"])] {
        for mut database in databases() {
            let database = &mut *database;
            let numbers = |model: &Model| -> BTreeMap<_, _> {
                let machine = &model.machines[0];
                machine.leaves().map(|it| (it, machine.state(it).number.unwrap().to_string())).collect()
            };
            let mapping = Mapping { kind: Kind::Integer, values: numbers(&new), ..mapping(database.engine()) };
            let (old, new) = (&old.machines[0], &new.machines[0]);
            let migration = of(old, new, &mapping);
            assert_eq!(migration.steps.iter().map(|it| it.name).collect::<Vec<_>>(), names);
            assert_eq!(migration.removed[0].values, ["2"]);
            database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status INTEGER)").unwrap();
            database.attach(old, &earlier(old, new, &mapping));
            database.run("INSERT INTO jobs VALUES (1, 0), (2, 0)").unwrap();
            database.run("UPDATE jobs SET status = 1 WHERE id = 2; UPDATE jobs SET status = 2 WHERE id = 2").unwrap();
            let (last, before) = migration.steps.split_last().unwrap();
            for it in before {
                step(database, &it.up).unwrap();
            }
            assert_eq!(database.ask("SELECT status FROM jobs WHERE id = 1"), Some(number.to_string()));
            let said = step(database, &last.up).unwrap_err();
            assert!(said.contains("rows have a removed value of status"), "{said}");
            database.run("UPDATE jobs SET status = 1 WHERE id = 2").unwrap();
            step(database, &last.up).unwrap();
            database.attempt("UPDATE jobs SET status = 2 WHERE id = 2").unwrap_err();
            for it in migration.steps.iter().rev() {
                step(database, &it.down).unwrap();
            }
            assert_eq!(database.ask("SELECT status FROM jobs WHERE id = 1"), Some("0".to_owned()));
            database.run("UPDATE jobs SET status = 2 WHERE id = 2").unwrap();
        }
    }
}

const REMEMBERS: &str = "machine: download
context: { last: { type: state, optional: true } }
states:
  active:
    initial: true
    history: last
    states:
      connecting: { initial: true }
      checking:
      loading:
  suspended:
  done: { terminal: true }
events: [connected, checked, suspend, resume, loaded]
transitions:
  - { from: connecting, event: connected, to: checking }
  - { from: checking, event: checked, to: loading }
  - { from: active, event: suspend, to: suspended }
  - { from: suspended, event: resume, to: \"{last}\" }
  - { from: loading, event: loaded, to: done }
";

#[test]
fn what_a_history_remembers_is_moved_and_counted() {
    let new = REMEMBERS
        .replace("connecting: { initial: true }", "dialing: { initial: true, aka: connecting }")
        .replace("      checking:\n", "")
        .replace(
            "  - { from: connecting, event: connected, to: checking }\n  - { from: checking, event: checked, to: loading }\n",
            "  - { from: dialing, event: connected, to: loading }\n",
        )
        .replace("connected, checked,", "connected,");
    let (old, new) = (machine(REMEMBERS), machine(&new));
    let (old, new) = (&old.machines[0], &new.machines[0]);
    for mut database in databases() {
        let database = &mut *database;
        let columns = BTreeMap::from([(FieldId::new(0), Column { name: "last".into(), unit: None })]);
        let mapping = Mapping { columns, ..mapping(database.engine()) };
        let migration = of(old, new, &mapping);
        let [expand, moving, contract] = &migration.steps[..] else { panic!("{:?}", migration.steps) };
        let removed: Vec<(&str, &[String])> = migration.removed.iter().map(|it| (it.column.as_str(), &it.values[..])).collect();
        assert_eq!(removed, [("status", &["checking".to_owned()][..]), ("last", &["checking".to_owned()])]);
        database.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT, last TEXT)").unwrap();
        database.attach(old, &earlier(old, new, &mapping));
        database.run("INSERT INTO jobs VALUES (1, 'connecting', NULL), (2, 'connecting', NULL)").unwrap();
        database.run("UPDATE jobs SET status = 'suspended', last = 'connecting' WHERE id = 1").unwrap();
        database
            .run("UPDATE jobs SET status = 'checking' WHERE id = 2; UPDATE jobs SET status = 'suspended', last = 'checking' WHERE id = 2")
            .unwrap();
        step(database, &expand.up).unwrap();
        step(database, &moving.up).unwrap();
        assert_eq!(database.ask("SELECT last FROM jobs WHERE id = 1"), Some("dialing".to_owned()));
        // No row is in the removed state, and one remembers it.
        let said = step(database, &contract.up).unwrap_err();
        assert!(said.contains("rows have a removed value of last") && said.contains("checking"), "{said}");
        database.run("UPDATE jobs SET last = 'loading' WHERE id = 2").unwrap();
        step(database, &contract.up).unwrap();
        database.run("UPDATE jobs SET status = last WHERE status = 'suspended'").unwrap();
        assert_eq!(database.ask("SELECT status FROM jobs WHERE id = 1"), Some("dialing".to_owned()));
        database.run("UPDATE jobs SET status = 'suspended', last = 'dialing' WHERE id = 1").unwrap();
        for it in [contract, moving, expand] {
            step(database, &it.down).unwrap();
        }
        assert_eq!(database.ask("SELECT last FROM jobs WHERE id = 1"), Some("connecting".to_owned()));
    }
}
