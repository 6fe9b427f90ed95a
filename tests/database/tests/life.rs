//! The example of a service through its life: its outputs are those of its specs, and its migrations those that are written. What it
//! does is tested in `examples/life`, which is in a workspace of its own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::drivers::{assert_outputs, assert_written, files, statespec};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/life")
}

#[test]
fn the_outputs_of_both_revisions_are_those_of_their_specs() {
    assert_outputs(&example());
    assert_outputs(&example().join("before"));
}

#[test]
fn the_migrations_of_the_life_are_those_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["statespec.toml", "machines/job.yaml", "before/machines/job.yaml"] {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::copy(example().join(path), folder.path().join(path)).unwrap();
    }
    statespec(&["db", "migrate", "before/machines/job.yaml", "machines/job.yaml"], folder.path());
    let wanted = files(&folder.path().join("migrations"));
    assert_eq!(wanted.len(), 12);
    assert_written(&example().join("migrations"), &wanted);
}
