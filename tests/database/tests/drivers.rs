//! The examples of drivers: their outputs are those of their specs, and psycopg does what the page says. The drivers of Rust are
//! tested in `examples/drivers`, which has its own workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;

use crate::checks::{alembic, needed, psycopg};
use crate::commands::{Project, later};
use crate::server::server;
use crate::tables::Database;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/drivers")
}

#[test]
fn the_outputs_of_the_example_are_those_of_its_specs() {
    let words = if std::env::var_os("UPDATE_EMITTED").is_some() { "gen" } else { "check" };
    let done = Command::new(env!("CARGO_BIN_EXE_statespec-with-database")).arg(words).current_dir(example()).output().unwrap();
    assert!(done.status.success(), "UPDATE_EMITTED=1 writes them: {}", String::from_utf8_lossy(&done.stdout));
}

#[test]
fn psycopg_claims_a_job_once() {
    let Some(server) = server("guards in PostgreSQL") else { return };
    let Some(python) = needed("psycopg", psycopg()) else { return };
    let (_, name) = server.database();
    let done = Command::new(python).arg(example().join("psycopg_worker.py")).arg(server.url(&name)).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = "claimed: True\nclaimed again: False\nrefused: job 1: no step from claimed to queued\nhint: from claimed: running, complete, failed\n";
    assert_eq!(String::from_utf8(done.stdout).unwrap().replace("\r\n", "\n"), said);
}

/// A project whose migrations, in one style, lead from a table without a guard over one revision to the next one.
fn migrated(style: &str, out: &str, first: &[(&str, &str)]) -> Project {
    let project = Project::new(String::new());
    project.put(
        "statespec.toml",
        &format!(
            "[[database]]\nmachine = \"job\"\nengine = \"sqlite\"\nout = \"db/job.sql\"\ntable = \"jobs\"\nkey = \"id\"\nstate = \"status\"\n\
             migrations = {{ out = \"{out}\", style = \"{style}\" }}\n"
        ),
    );
    let old = project.get("machines/job.yaml");
    project.put("old/none.yaml", &old.replace("machine: job", "machine: task"));
    project.put("old/job.yaml", &old);
    project.put("new/job.yaml", &later(&old));
    for (path, text) in first {
        project.put(&format!("{out}/{path}"), text);
    }
    for words in ["db migrate old/none.yaml old/job.yaml", "db migrate old/job.yaml new/job.yaml"] {
        let (code, said) = project.statespec(words);
        assert_eq!(code, Some(0), "{said}");
    }
    project
}

/// The table before there is a guard.
const TABLE: &str = "CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL);\n";

/// The files of a folder and of the folders in it, by their paths.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
                    found.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
                }
            }
        }
    }
    found
}

#[test]
fn the_migrations_of_the_example_are_those_that_are_written() {
    let drop = "DROP TABLE jobs;\n";
    for (style, first) in [
        ("sqlx", vec![("20260101000000_jobs.up.sql", TABLE), ("20260101000000_jobs.down.sql", drop)]),
        ("refinery", vec![("V1__jobs.sql", TABLE)]),
        ("diesel", vec![("2026-01-01-000000_jobs/up.sql", TABLE), ("2026-01-01-000000_jobs/down.sql", drop)]),
    ] {
        let project = migrated(style, "migrations", &first);
        let wanted = files(&project.folder.path().join("migrations"));
        assert!(wanted.len() > 4, "{wanted:?}");
        let folder = example().join("migrations").join(style);
        if std::env::var_os("UPDATE_EMITTED").is_some() {
            let _ = fs::remove_dir_all(&folder);
            for (path, text) in &wanted {
                fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
                fs::write(folder.join(path), text).unwrap();
            }
        }
        assert_eq!(files(&folder), wanted, "{style}: UPDATE_EMITTED=1 writes them");
    }
}

#[test]
fn alembic_runs_what_is_written_for_it() {
    let Some(program) = needed("alembic", alembic()) else { return };
    let first = "from alembic import op\n\nrevision = \"0001\"\ndown_revision = None\n\n\ndef upgrade():\n    op.execute(\"CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT NOT NULL)\")\n\n\ndef downgrade():\n    op.execute(\"DROP TABLE jobs\")\n";
    let beside = |revision: &str, before: &str| {
        format!("revision = \"{revision}\"\ndown_revision = {before}\n\n\ndef upgrade():\n    pass\n\n\ndef downgrade():\n    pass\n")
    };
    // Two branches, and the revision that merges them.
    let (left, right, merge) =
        (beside("left", "\"0001\""), beside("right", "\"0001\""), beside("merge", "(\n    \"left\",\n    \"right\",\n)"));
    let project = migrated(
        "alembic",
        "migrations/versions",
        &[("0001_jobs.py", first), ("left.py", &left), ("right.py", &right), ("merge.py", &merge)],
    );
    project.put("alembic.ini", "[alembic]\nscript_location = migrations\n");
    project.put(
        "migrations/env.py",
        "from alembic import context\nfrom sqlalchemy import create_engine\n\nwith create_engine(\"sqlite:///app.db\").connect() as connection:\n    \
         context.configure(connection=connection, transaction_per_migration=True)\n    with context.begin_transaction():\n        context.run_migrations()\n",
    );
    let alembic = |words: &str| {
        let done = Command::new(&program).args(words.split(' ')).current_dir(project.folder.path()).output().unwrap();
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr))
    };
    let run = |words: &str| {
        let (is_done, said) = alembic(words);
        assert!(is_done, "{words}: {said}");
    };
    let sqlite = || Connection::open(project.folder.path().join("app.db")).unwrap();
    run("upgrade merge");
    run("upgrade +1");
    sqlite().run("INSERT INTO jobs VALUES (1, 'queued'), (2, 'queued'); UPDATE jobs SET status = 'claimed' WHERE id = 2").unwrap();
    run("upgrade +2");
    // A row in a removed state stops the last step.
    sqlite().run("UPDATE jobs SET status = 'failed' WHERE id = 2").unwrap();
    let (is_done, said) = alembic("upgrade head");
    assert!(!is_done && said.contains("rows have a removed value of status"), "{said}");
    sqlite().run("DELETE FROM jobs WHERE id = 2").unwrap();
    run("upgrade head");
    assert_eq!(sqlite().ask("SELECT status FROM jobs"), Some("waiting".to_owned()));
    sqlite().run("INSERT INTO jobs VALUES (3, 'queued')").unwrap_err();
    run("downgrade -3");
    sqlite().run("INSERT INTO jobs VALUES (3, 'queued')").unwrap();
}
