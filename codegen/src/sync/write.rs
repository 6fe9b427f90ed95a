//! Applying a plan: completely or not at all, unless a file is edited at the same time.

use std::time::Duration;

use statespec_lang::parallel;

use super::change::{Action, Change};
use super::disk::Failure;
use super::leftover::State;
use super::plan::Plan;
use super::swap::stage;
use crate::digest::digest;

/// The changes that were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The files that were written.
    pub written: Vec<String>,
    /// The files that were removed.
    pub removed: Vec<String>,
    /// The number of removed temporary files of interrupted runs.
    pub n_swept: usize,
}

/// A file that a run changed, and what the run left there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The file, relative to the project's root.
    pub path: String,
    /// The digest of the text; `None` if the file was removed.
    digest: Option<String>,
}

impl Made {
    /// Whether the file is still as the run left it; `now` is `None` if there is no such file.
    pub fn is_left(&self, now: Option<&[u8]>) -> bool {
        now.map(|it| digest([it])) == self.digest
    }
}

/// The reason why a plan was not applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Some findings need a manual change, or `force`. Nothing was changed.
    Blocked,
    /// An operation failed. Nothing was changed.
    Failed(Vec<Failure>),
    /// An operation failed after other files had been changed.
    Stopped {
        /// The failed operations.
        failures: Vec<Failure>,
        /// The changes made before.
        done: Applied,
        /// The unchanged files.
        left: Vec<String>,
    },
}

impl Refusal {
    /// The failed operations.
    pub fn failures(self) -> Vec<Failure> {
        match self {
            Refusal::Blocked => Vec::new(),
            Refusal::Failed(failures) | Refusal::Stopped { failures, .. } => failures,
        }
    }
}

/// The time that a program may need between opening a file and writing to it.
const GRACE: Duration = Duration::from_millis(5);

impl Plan {
    /// The texts that would be written, by path.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.changes.iter().filter_map(|it| match &it.action {
            Action::Write(bytes) => Some((it.path.as_str(), bytes.as_slice())),
            Action::Remove => None,
        })
    }

    /// The files that would be written and removed.
    pub fn changes(&self) -> Applied {
        let mut applied = Applied::default();
        self.changes.iter().for_each(|it| applied.push(it));
        applied.sort();
        applied
    }

    /// What was left on the disk where these changes were made.
    pub fn made(&self, applied: &Applied) -> Vec<Made> {
        let is_done = |it: &&Change| applied.written.contains(&it.path) || applied.removed.contains(&it.path);
        let made = |it: &Change| match &it.action {
            Action::Write(bytes) => Made { path: it.path.clone(), digest: Some(digest([bytes.as_slice()])) },
            Action::Remove => Made { path: it.path.clone(), digest: None },
        };
        self.changes.iter().filter(is_done).map(made).collect()
    }

    /// Files with the name of a temporary file that no run of this version created. They stay.
    pub fn foreign(&self) -> impl Iterator<Item = &str> {
        self.leftovers.iter().filter(|it| it.state == State::Foreign).map(|it| it.path.as_str())
    }

    /// Updates the disk to the generated outputs.
    ///
    /// Edits by hand are only lost with `force`, and edits that are saved during the run are never lost.
    /// One finding that must not be fixed stops the whole plan, so that a run updates either everything
    /// or nothing. Each file is written next to its place and moved there, so no reader ever sees a partial file.
    ///
    /// # Errors
    ///
    /// [`Refusal::Blocked`] if findings need `force` or a manual change, [`Refusal::Failed`] if a file operation fails, and
    /// [`Refusal::Stopped`] if it fails after other changes, or if one of the files is edited meanwhile.
    pub fn apply(&self, force: bool) -> Result<Applied, Refusal> {
        if !self.failures.is_empty() {
            return Err(Refusal::Failed(self.failures.clone()));
        }
        let n_swept = self.sweep();
        if self.findings.iter().any(|it| it.fix.blocks(force)) {
            return Err(Refusal::Blocked);
        }
        let mut staged = Vec::new();
        let mut failures = Vec::new();
        let changes: Vec<&Change> = self.changes.iter().collect();
        for (change, it) in changes.iter().zip(parallel::map(&changes, |it| stage(&self.root, it))) {
            match it {
                Ok(it) => staged.push((*change, it)),
                Err(why) => failures.push(Failure::new(&change.path, verb(change), why)),
            }
        }
        if !failures.is_empty() {
            return Err(Refusal::Failed(failures));
        }
        // From here on every text is complete beside its place; only names still change.
        let mut done = Vec::new();
        let mut asides = Vec::new();
        for (change, staged) in staged {
            match staged.commit() {
                Ok(aside) => {
                    done.push(change);
                    asides.extend(aside);
                }
                Err(why) => {
                    failures.push(Failure::new(&change.path, verb(change), why));
                    break;
                }
            }
        }
        // An editor that opened a page before the exchange now writes to the file that was moved aside.
        if asides.iter().any(|it| it.change.keeps_words) {
            std::thread::sleep(GRACE);
        }
        for aside in asides {
            let change = aside.change;
            if let Err(why) = aside.settle() {
                done.retain(|it| it.path != change.path);
                failures.push(Failure::new(&change.path, verb(change), why));
            }
        }
        let mut applied = Applied { n_swept, ..Applied::default() };
        done.iter().for_each(|it| applied.push(it));
        applied.sort();
        match (failures.is_empty(), done.is_empty()) {
            (true, _) => Ok(applied),
            (false, true) => Err(Refusal::Failed(failures)),
            (false, false) => {
                let is_left = |it: &&Change| !done.iter().any(|done| done.path == it.path);
                let mut left: Vec<String> = self.changes.iter().filter(is_left).map(|it| it.path.clone()).collect();
                left.sort();
                Err(Refusal::Stopped { failures, done: applied, left })
            }
        }
    }

    /// Removes the temporary files of interrupted runs and returns their number.
    fn sweep(&self) -> usize {
        // A file that cannot be removed does no harm, and the next run tries again.
        self.leftovers.iter().filter(|it| it.state == State::Ours && std::fs::remove_file(&it.full).is_ok()).count()
    }
}

impl Applied {
    fn push(&mut self, change: &Change) {
        match change.action {
            Action::Write(_) => self.written.push(change.path.clone()),
            Action::Remove => self.removed.push(change.path.clone()),
        }
    }

    fn sort(&mut self) {
        self.written.sort();
        self.removed.sort();
    }
}

fn verb(change: &Change) -> &'static str {
    match change.action {
        Action::Write(_) => "write",
        Action::Remove => "remove",
    }
}
