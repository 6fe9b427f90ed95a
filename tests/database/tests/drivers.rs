//! The examples of drivers: their outputs are those of their specs, and psycopg does what the page says. The drivers of Rust are
//! tested in `examples/drivers`, which has its own workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checks::{needed, psycopg};
use crate::commands::{Project, later};
use crate::server::server;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/drivers")
}

/// Runs the command in the project of an example.
pub(crate) fn statespec(words: &[&str], folder: &Path) {
    let done = Command::new(env!("CARGO_BIN_EXE_statespec-with-database")).args(words).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "UPDATE_EMITTED=1 writes them: {}", String::from_utf8_lossy(&done.stdout));
}

/// The outputs of an example are those of its specs.
pub(crate) fn assert_outputs(folder: &Path) {
    statespec(&[if std::env::var_os("UPDATE_EMITTED").is_some() { "gen" } else { "check" }], folder);
}

#[test]
fn the_outputs_of_the_example_are_those_of_its_specs() {
    assert_outputs(&example());
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
pub(crate) fn migrated(style: &str, out: &str, first: &[(&str, &str)]) -> Project {
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
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
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

/// A folder of an example has these files and no others.
pub(crate) fn assert_written(folder: &Path, wanted: &BTreeMap<PathBuf, String>) {
    if std::env::var_os("UPDATE_EMITTED").is_some() {
        let _ = fs::remove_dir_all(folder);
        for (path, text) in wanted {
            fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            fs::write(folder.join(path), text).unwrap();
        }
    }
    let (shown, present) = (folder.display(), files(folder));
    let (present_paths, wanted_paths) = (present.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    assert_eq!(present_paths, wanted_paths, "{shown}: UPDATE_EMITTED=1 writes them");
    let differs: Vec<_> = wanted.iter().filter(|(path, text)| present.get(*path) != Some(*text)).map(|it| it.0).collect();
    assert!(differs.is_empty(), "{shown}: UPDATE_EMITTED=1 writes them: {differs:?}");
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
        assert_written(&example().join("migrations").join(style), &wanted);
    }
}
