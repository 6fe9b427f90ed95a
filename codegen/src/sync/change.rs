//! The change of one file.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The change of one file.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) full: PathBuf,
    /// The contents that the plan is based on; if the file has changed since, it is left alone.
    pub(super) seen: Seen,
    pub(super) action: Action,
    /// Whether the file contains hand-written text besides the generated text.
    pub(super) keeps_words: bool,
}

/// What is done to the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    Write(Vec<u8>),
    Remove,
}

/// The contents of a place. Links are not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    File(Vec<u8>),
    Link(PathBuf),
    /// A folder or a device.
    Other,
}

impl Seen {
    pub(super) fn now(full: &Path) -> io::Result<Seen> {
        let absent = |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        let now = fs::symlink_metadata(full).and_then(|it| match it.file_type() {
            it if it.is_symlink() => fs::read_link(full).map(Seen::Link),
            it if it.is_file() => fs::read(full).map(Seen::File),
            _ => Ok(Seen::Other),
        });
        now.or_else(|error| if absent(&error) { Ok(Seen::Nothing) } else { Err(error) })
    }
}

impl From<Option<Vec<u8>>> for Seen {
    fn from(bytes: Option<Vec<u8>>) -> Seen {
        bytes.map_or(Seen::Nothing, Seen::File)
    }
}
