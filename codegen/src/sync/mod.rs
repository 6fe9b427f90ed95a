//! Expected outputs against the disk: write, check and dry run over one plan.
//!
//! ```text
//! Outputs ──plan──▶ findings ──apply──▶ the disk
//! ```
//!
//! Drift has four kinds: an output is missing, stale, edited by hand, or orphaned. A digest in each
//! header and on each end marker tells an edit from a stale text. Regions in hand-written pages can also have broken
//! markers or unknown names. All of it is found in one run, and planning changes nothing. [`crate::report`] renders it.
//!
//! What is deliberately not looked at: hidden files, `target` and `node_modules`, whatever is
//! behind a symbolic link, and other projects below the root.

mod blame;
pub(crate) mod diff;
mod digest;
mod disk;
mod draft;
mod finding;
mod header;
mod leftover;
pub(crate) mod marker;
mod page;
mod plan;
pub(crate) mod region;
mod swap;
mod write;

use std::path::PathBuf;

pub(crate) use disk::visible;
pub use disk::{Failure, read, read_specs, read_specs_in};
#[cfg(feature = "project")]
pub(crate) use disk::{PROJECT_FILE, objection};
pub use draft::{Draft, plan_files};
pub use finding::{Finding, Fix, Kind, Place, Texts};
pub use plan::{Plan, plan, plan_page};
pub use write::{Applied, Refusal};

use crate::output::Outputs;
use crate::source::Sources;

/// Where outputs live in a project. Every output must lie in one of the places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The project's root; all other paths are relative to it, with forward slashes.
    pub root: PathBuf,
    /// Folders in which every file is generated: any other file there is an orphan.
    pub owned: Vec<String>,
    /// Folders and single files in which generated and hand-written stand side by side: a file there that
    /// bears our header and has no spec is an orphan, and regions are looked for in `.md` files.
    pub shared: Vec<String>,
    /// The command that generates, for headers and messages.
    pub command: String,
    /// Orphans that are removed although somebody wrote or edited them, each by its path.
    pub remove: Vec<String>,
}

impl Config {
    /// All places, with whether everything there is generated.
    fn places(&self) -> impl Iterator<Item = (&str, bool)> {
        let owned = self.owned.iter().map(|it| (it.as_str(), true));
        owned.chain(self.shared.iter().map(|it| (it.as_str(), false))).map(|(place, owned)| (place.trim_end_matches('/'), owned))
    }

    /// Whether a file would be found there once it is an orphan.
    fn watches(&self, path: &str) -> bool {
        self.places().any(|(place, _)| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

/// What to do with a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Carry it out.
    Write {
        /// Drop edits by hand.
        force: bool,
    },
    /// Report on it.
    Check,
    /// Show what would be written.
    DryRun {
        /// As if edits by hand were dropped.
        force: bool,
    },
}

/// A plan, and what came of it.
#[derive(Debug)]
pub struct Run {
    /// What is not as it should be.
    pub plan: Plan,
    /// What the plan was made for.
    pub mode: Mode,
    /// What was written and removed, or why nothing was; nothing is, unless [`Mode::Write`] asks for it.
    pub applied: Option<Result<Applied, Refusal>>,
}

/// Plans, and carries the plan out where `mode` is to write.
pub fn run<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, sources: &Sources, mode: Mode) -> Run {
    let plan = plan(config, outputs, sources);
    let applied = match mode {
        Mode::Write { force } => Some(plan.apply(force)),
        Mode::Check | Mode::DryRun { .. } => None,
    };
    Run { plan, mode, applied }
}
