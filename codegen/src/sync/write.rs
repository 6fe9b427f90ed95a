//! Carrying out a plan: all of it or nothing.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::TempPath;

use super::disk::Failure;
use super::plan::{Action, Change, Plan};
use crate::parallel;

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The files that were written.
    pub written: Vec<String>,
    /// The files that were removed.
    pub removed: Vec<String>,
}

/// Why a plan was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Some findings need a person, or `force`. Nothing was changed.
    Blocked,
    /// Something could not be done. Unless it says otherwise, nothing was changed.
    Failed(Vec<Failure>),
}

impl Plan {
    /// What would be written, by path.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.changes.iter().filter_map(|it| match &it.action {
            Action::Write(bytes) => Some((it.path.as_str(), bytes.as_slice())),
            Action::Remove => None,
        })
    }

    /// The files that would be written and removed.
    pub fn changes(&self) -> Applied {
        let with = |is_write: bool| {
            let paths = self.changes.iter().filter(move |it| matches!(it.action, Action::Write(_)) == is_write);
            let mut paths: Vec<String> = paths.map(|it| it.path.clone()).collect();
            paths.sort();
            paths
        };
        Applied { written: with(true), removed: with(false) }
    }

    /// Makes the disk say what the generator says.
    ///
    /// Edits by hand are only lost with `force`. One finding that must not be fixed stops the whole
    /// plan, so that a run leaves either everything up to date or everything as it was. Each
    /// file is written next to its place and moved there, so no reader ever sees half a file.
    ///
    /// # Errors
    ///
    /// [`Refusal::Blocked`] when findings need `force` or a person, [`Refusal::Failed`] when the disk refuses.
    pub fn apply(&self, force: bool) -> Result<Applied, Refusal> {
        if !self.failures.is_empty() {
            return Err(Refusal::Failed(self.failures.clone()));
        }
        if self.findings.iter().any(|it| it.fix.blocks(force)) {
            return Err(Refusal::Blocked);
        }
        let mut staged = Vec::new();
        let mut failures = Vec::new();
        for (change, temp) in self.changes.iter().zip(parallel::map(&self.changes, stage)) {
            match temp {
                Ok(temp) => staged.push((change, temp)),
                Err(why) => failures.push(Failure::new(&change.path, verb(change), why)),
            }
        }
        if !failures.is_empty() {
            return Err(Refusal::Failed(failures));
        }
        // After this point every text lies complete beside its place; only names still change.
        let mut done = Applied::default();
        for (change, temp) in staged {
            let moved = match temp {
                Some(temp) => temp.persist(&change.full).map_err(|it| it.error),
                None => fs::remove_file(&change.full),
            };
            match (moved, &change.action) {
                (Ok(()), Action::Write(_)) => done.written.push(change.path.clone()),
                (Ok(()), Action::Remove) => done.removed.push(change.path.clone()),
                (Err(error), _) => {
                    let n_done = done.written.len() + done.removed.len();
                    let why = format!("{error} ({n_done} of {} files had been changed before)", self.changes.len());
                    return Err(Refusal::Failed(vec![Failure::new(&change.path, verb(change), why)]));
                }
            }
        }
        done.written.sort();
        done.removed.sort();
        Ok(done)
    }
}

fn verb(change: &Change) -> &'static str {
    match change.action {
        Action::Write(_) => "write",
        Action::Remove => "remove",
    }
}

/// Prepares a change without touching the file itself.
fn stage(change: &Change) -> Result<Option<TempPath>, String> {
    let metadata = match fs::symlink_metadata(&change.full) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.to_string()),
    };
    let is_plain = metadata.as_ref().is_some_and(fs::Metadata::is_file);
    let now = if is_plain { Some(fs::read(&change.full).map_err(|error| error.to_string())?) } else { None };
    if now != change.seen {
        return Err("it has changed while this ran; run the command again".to_owned());
    }
    let Action::Write(bytes) = &change.action else { return Ok(None) };
    if metadata.as_ref().is_some_and(|it| it.permissions().readonly()) {
        return Err("it is read-only".to_owned());
    }
    let folder = change.full.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| format!("its folder cannot be made: {error}"))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".statespec-");
    #[cfg(unix)]
    {
        // As for any new file; what the user masks is taken away.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|error| plain(&error))?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(|error| plain(&error))?;
    if let Some(metadata) = metadata {
        fs::set_permissions(file.path(), metadata.permissions()).map_err(|error| error.to_string())?;
    }
    Ok(Some(file.into_temp_path()))
}

/// The error without the random name that the temporary file had.
fn plain(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    }
}
