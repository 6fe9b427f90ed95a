//! Comparing expected outputs with the disk: write, check and dry run share one plan.
//!
//! ```text
//! Outputs ──plan──▶ findings ──apply──▶ the disk
//! ```
//!
//! Drift has four kinds: an output is missing, stale, edited by hand, or orphaned. A digest in each
//! header and on each end marker distinguishes an edited text from a stale one. Regions in hand-written pages can also have
//! broken markers or unknown names. One run finds all problems, and planning changes nothing. [`crate::report`] renders them.
//!
//! Deliberately ignored: hidden files, `target` and `node_modules`, everything behind a symbolic
//! link, and other projects below the root. Generated text that is nevertheless found there or outside all places
//! causes a warning.

mod blame;
mod change;
pub(crate) mod diff;
mod disk;
mod draft;
mod finding;
mod header;
mod leftover;
mod line_ends;
mod marker;
mod page;
mod plan;
mod region;
mod rust_files;
mod swap;
mod temporary;
mod text;
mod unserved;
mod write;

use std::path::PathBuf;

pub use crate::digest::digest as digest_of;
pub use blame::words::{without, words};
pub use disk::{Failure, read, read_specs, read_specs_in};
pub use disk::{objection, read_bytes};
pub use draft::{Draft, plan_files};
pub use finding::{Finding, Fix, Kind, Place, Texts};
pub use plan::{Plan, plan, plan_page};
pub use region::{marked, regions};
pub use rust_files::rust_files;
pub use text::{Region, Text, end_words, regions_of_text};
pub use write::{Applied, Made, Refusal};

use statespec_lang::output::Outputs;
use statespec_lang::source::Sources;

/// The places of outputs in a project. Every output must be in one of these places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The project's root; all other paths are relative to it, with forward slashes.
    pub root: PathBuf,
    /// Folders in which every file is generated: any other file there is an orphan.
    pub owned: Vec<String>,
    /// Folders and single files with both generated and hand-written files: a file there that has our
    /// header but no spec is an orphan, and `.md` files are searched for regions.
    pub shared: Vec<String>,
    /// The command that generates, for headers and messages.
    pub command: String,
    /// Orphans to remove although they were written or edited by hand, each by its path.
    pub remove: Vec<String>,
}

impl Config {
    /// All places, and whether everything there is generated.
    fn places(&self) -> impl Iterator<Item = (&str, bool)> {
        let owned = self.owned.iter().map(|it| (it.as_str(), true));
        owned.chain(self.shared.iter().map(|it| (it.as_str(), false))).map(|(place, owned)| (place.trim_end_matches('/'), owned))
    }

    /// Whether a file at this path would be detected as an orphan.
    fn watches(&self, path: &str) -> bool {
        self.places().any(|(place, _)| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

/// The treatment of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Apply it.
    Write {
        /// Discard edits by hand.
        force: bool,
    },
    /// Report on it.
    Check,
    /// Show what would be written.
    DryRun {
        /// Behave as if edits by hand were discarded.
        force: bool,
    },
}

/// A plan and its outcome.
#[derive(Debug)]
pub struct Run {
    /// The findings.
    pub plan: Plan,
    /// The treatment that the plan was made for.
    pub mode: Mode,
    /// The files written and removed, or the reason for the refusal; `None` unless the mode is [`Mode::Write`].
    pub applied: Option<Result<Applied, Refusal>>,
}

/// Makes a plan, and applies it if `mode` is [`Mode::Write`].
pub fn run<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, sources: &Sources, mode: Mode) -> Run {
    run_with_texts(config, outputs, Vec::new(), sources, mode)
}

/// The same, with the regions in files of other languages.
pub fn run_with_texts<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, texts: Vec<Text<'a>>, sources: &Sources, mode: Mode) -> Run {
    let plan = plan::plan_with_texts(config, outputs, texts, sources);
    let applied = match mode {
        Mode::Write { force } => Some(plan.apply(force)),
        Mode::Check | Mode::DryRun { .. } => None,
    };
    Run { plan, mode, applied }
}
