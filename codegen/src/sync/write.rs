//! Carrying out a plan: all of it or nothing, unless somebody edits a file at the same time.

use std::time::Duration;

use super::disk::Failure;
use super::leftover::State;
use super::plan::{Action, Change, Plan};
use super::swap::stage;
use crate::parallel;

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The files that were written.
    pub written: Vec<String>,
    /// The files that were removed.
    pub removed: Vec<String>,
    /// How many temporary files of runs that had been ended in the middle were removed.
    pub n_swept: usize,
}

/// Why a plan was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Some findings need a person, or `force`. Nothing was changed.
    Blocked,
    /// Something could not be done. Nothing was changed.
    Failed(Vec<Failure>),
    /// Something could not be done after other files had been changed.
    Stopped {
        /// What could not be done.
        failures: Vec<Failure>,
        /// What was done before.
        done: Applied,
        /// The files that are as they were.
        left: Vec<String>,
    },
}

/// How long a program may need from opening a file to writing into it.
const GRACE: Duration = Duration::from_millis(5);

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
        let mut applied = Applied::default();
        self.changes.iter().for_each(|it| applied.push(it));
        applied.sort();
        applied
    }

    /// Files with the name of a temporary one that no run of this version made. They stay.
    pub fn foreign(&self) -> impl Iterator<Item = &str> {
        self.leftovers.iter().filter(|it| it.state == State::Foreign).map(|it| it.path.as_str())
    }

    /// Makes the disk say what the generator says.
    ///
    /// Edits by hand are only lost with `force`, and those that are saved while this runs not even then.
    /// One finding that must not be fixed stops the whole plan, so that a run leaves either everything up to date or
    /// everything as it was. Each file is written next to its place and moved there, so no reader ever sees half a file.
    ///
    /// # Errors
    ///
    /// [`Refusal::Blocked`] when findings need `force` or a person, [`Refusal::Failed`] when the disk refuses, and
    /// [`Refusal::Stopped`] when it does so in the middle, or somebody edits one of the files.
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
        // After this point every text lies complete beside its place; only names still change.
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
        // An editor that had opened a page before it was exchanged writes into what lies aside now.
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

    /// Removes the temporary files of runs that were ended in the middle; how many there were.
    fn sweep(&self) -> usize {
        // What cannot be removed is in nobody's way, and the next run tries again.
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
