//! The example of a service through its life: its outputs are those of its specs, and its migrations those that are written. What it
//! does is tested in `examples/life`, which is in a workspace of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::drivers::files;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/life")
}

fn statespec(words: &[&str], folder: &Path) {
    let done = Command::new(env!("CARGO_BIN_EXE_statespec-with-database")).args(words).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "UPDATE_EMITTED=1 writes them: {}", String::from_utf8_lossy(&done.stdout));
}

#[test]
fn the_outputs_of_both_revisions_are_those_of_their_specs() {
    let word = if std::env::var_os("UPDATE_EMITTED").is_some() { "gen" } else { "check" };
    statespec(&[word], &example());
    statespec(&[word], &example().join("before"));
}

#[test]
fn the_migrations_of_the_life_are_those_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["statespec.toml", "machines/job.yaml", "before/machines/job.yaml"] {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::copy(example().join(path), folder.path().join(path)).unwrap();
    }
    statespec(&["db", "migrate", "before/machines/job.yaml", "machines/job.yaml"], folder.path());
    let (wanted, present) = (files(&folder.path().join("migrations")), example().join("migrations"));
    assert_eq!(wanted.len(), 12);
    if std::env::var_os("UPDATE_EMITTED").is_some() {
        fs::remove_dir_all(&present).unwrap();
        for (path, text) in &wanted {
            fs::create_dir_all(present.join(path).parent().unwrap()).unwrap();
            fs::write(present.join(path), text).unwrap();
        }
    }
    assert_eq!(files(&present), wanted, "UPDATE_EMITTED=1 writes them");
}
