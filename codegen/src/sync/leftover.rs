//! Temporary files that an interrupted run left behind: which of them can be removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::temporary::{Name, parse};
use super::{header, page};

/// The age from which a temporary file is unused, even if a process with its number exists.
const OLD: Duration = Duration::from_secs(3600);

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
