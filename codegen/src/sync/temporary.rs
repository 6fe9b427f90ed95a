//! The names of temporary files.
//!
//! ```text
//! .statespec-new-4711-x7Kq2a            a generated text before it is moved to its place
//! .statespec-old-4711-1-guide.md        the previous contents of guide.md, until they are compared for the last time
//! ```
//!
//! The number is the process id. The first kind never contains anything that a person wrote; the second kind may.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = ".statespec-";

/// No file system allows longer names; the rest is reserved for the prefix.
const MAX_NAME_LEN: usize = 200;

/// Whether a file has the name of a temporary file.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The prefix of a new text's name until it is moved to its place.
pub(super) fn new_prefix() -> String {
    format!("{PREFIX}new-{}-", std::process::id())
}

/// A free name in the same folder for the previous contents of a place.
pub(super) fn aside(place: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let name = place.file_name().map(|it| it.to_string_lossy().into_owned()).filter(|it| it.len() <= MAX_NAME_LEN).unwrap_or_default();
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = place.with_file_name(format!("{PREFIX}old-{}-{count}-{name}", std::process::id()));
        if fs::symlink_metadata(&path).is_err() {
            return path;
        }
    }
}

/// The parts of a temporary file's name.
pub(super) struct Name<'a> {
    /// Whether it is a generated text, else the previous contents of a file.
    pub(super) is_new: bool,
    pub(super) process: i32,
    /// The file whose contents it was.
    pub(super) of: &'a str,
}

/// The parts of a name; `None` if no run of this version gave it.
pub(super) fn parse(name: &str) -> Option<Name<'_>> {
    let (kind, rest) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_new = match kind {
        "new" => true,
        "old" => false,
        _ => return None,
    };
    let (process, rest) = rest.split_once('-')?;
    let of = if is_new { "" } else { rest.split_once('-')?.1 };
    Some(Name { is_new, process: process.parse().ok().filter(|it| *it > 0)?, of })
}
