//! Cargo in crates of users, which tests write into folders of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo in a folder, with one target folder for all such crates.
///
/// The folder is the one of trybuild, which `tests/ui` builds in, so that the derive is compiled once for all of them. It is, where
/// the crates of users enable the same features of the same libraries: each of them has the derives of `serde`, as most crates do.
pub(crate) fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("trybuild"))
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_INCREMENTAL", "0")
        // The variables of the outer `cargo test` describe that crate, not the inner one.
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("RUSTFLAGS");
    command
}
