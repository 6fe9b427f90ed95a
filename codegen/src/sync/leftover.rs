//! The names of temporary files, and the cleanup of those that an interrupted run left behind.
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
use std::time::Duration;

use super::{header, page};

const PREFIX: &str = ".statespec-";

/// The age from which a temporary file is unused, even if a process with its number exists.
const OLD: Duration = Duration::from_secs(3600);

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

/// A file with the name of a temporary file.
#[derive(Debug)]
pub(super) struct Leftover {
    /// The path, relative to the project's root.
    pub(super) path: String,
    pub(super) full: PathBuf,
    pub(super) state: State,
}

/// The permitted treatment of such a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum State {
    /// A running process needs it.
    InUse,
    /// Its removal loses nothing.
    Ours,
    /// The previous contents of this file; may contain somebody's work.
    Unknown(String),
    /// Its name was not created by a run of this version.
    Foreign,
}

impl Leftover {
    pub(super) fn new(path: String, full: PathBuf) -> Self {
        let state = state(&path, &full);
        Leftover { path, full, state }
    }
}

/// The parts of a temporary file's name.
struct Name<'a> {
    is_new: bool,
    process: i32,
    /// The file whose contents it was.
    of: &'a str,
}

fn parse(name: &str) -> Option<Name<'_>> {
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

fn state(path: &str, full: &Path) -> State {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let Some(Name { is_new, process, of }) = parse(name) else { return State::Foreign };
    let Ok(metadata) = fs::symlink_metadata(full) else { return State::InUse };
    if !metadata.is_file() {
        return State::Foreign;
    }
    let is_old = || metadata.modified().ok().and_then(|it| it.elapsed().ok()).is_some_and(|it| it > OLD);
    match is_running(process) {
        Some(false) => {}
        // A file that was moved aside has the age of its contents, so its age is no evidence.
        Some(true) | None if is_new && is_old() => {}
        Some(true) => return State::InUse,
        None if is_new => return State::InUse,
        None => {}
    }
    if is_new || is_harmless(full, of) {
        return State::Ours;
    }
    let separator = if folder.is_empty() { "" } else { "/" };
    State::Unknown(format!("{folder}{separator}{of}"))
}

/// Whether the previous contents of a file can be removed without losing anything that a person wrote.
fn is_harmless(full: &Path, of: &str) -> bool {
    let Ok(aside) = fs::read(full) else { return false };
    if header::read(&aside).is_some_and(|it| it.intact) {
        return true;
    }
    let place = full.with_file_name(of);
    let is_plain = !of.is_empty() && fs::symlink_metadata(&place).is_ok_and(|it| it.is_file());
    let Some(now) = is_plain.then(|| fs::read(place).ok()).flatten() else { return false };
    aside == now || page::by_hand(&aside).is_some_and(|it| page::by_hand(&now) == Some(it))
}

/// Whether a process with this number exists, if the system can determine it.
#[cfg(unix)]
fn is_running(process: i32) -> Option<bool> {
    use rustix::process::{Pid, test_kill_process};

    let process = Pid::from_raw(process)?;
    Some(!matches!(test_kill_process(process), Err(error) if error == rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_: i32) -> Option<bool> {
    None
}
