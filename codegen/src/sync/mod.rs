//! Expected outputs against the disk: write, check and dry run over one plan.
//!
//! ```text
//! Outputs ──plan──▶ findings ──report──▶ text
//!                            ──apply───▶ the disk
//! ```
//!
//! Drift has four kinds: an output is missing, stale, edited by hand, or orphaned. A digest in each
//! header and on each end marker tells an edit from a stale text. Regions in hand-written pages can also have broken
//! markers or unknown names. All of it is found in one run, and planning changes nothing.
//!
//! What is deliberately not looked at: hidden files, `target` and `node_modules`, and whatever is
//! behind a symbolic link.

mod blame;
mod diff;
mod digest;
mod disk;
mod finding;
mod header;
pub(crate) mod marker;
mod page;
mod plan;
pub(crate) mod region;
mod report;
mod write;

use std::path::PathBuf;

pub(crate) use diff::diff_of;
#[cfg(feature = "project")]
pub(crate) use disk::objection;
pub use disk::{Failure, read, read_specs, read_specs_in};
pub use finding::{Finding, Kind, Mend, Place, Texts};
pub use plan::{Plan, plan, plan_page};
pub use report::{Look, describe};
pub use write::{Applied, Refusal};

use crate::output::Outputs;
use crate::report::{Annotation, Report};
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
}

impl Config {
    /// All places, with whether everything there is generated.
    fn places(&self) -> impl Iterator<Item = (&str, bool)> {
        let owned = self.owned.iter().map(|it| (it.as_str(), true));
        owned.chain(self.shared.iter().map(|it| (it.as_str(), false)))
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

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Everything is as it should be, or would be after a write.
    Clean,
    /// There are findings that this run did not mend.
    Findings,
    /// Something kept the run from looking or writing.
    CouldNotRun,
}

impl Status {
    /// Every way to end, in the order of the docs.
    pub const ALL: [Status; 3] = [Status::Clean, Status::Findings, Status::CouldNotRun];

    /// What it means to whoever started the run, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Status::Clean => "No findings: every output agrees with the specs.",
            Status::Findings => "There are findings.",
            Status::CouldNotRun => "The run failed: a spec or the configuration has errors, or a file cannot be read or written.",
        }
    }

    /// The exit code of a program that ends so.
    pub fn exit_code(self) -> u8 {
        match self {
            Status::Clean => 0,
            Status::Findings => 100,
            Status::CouldNotRun => 1,
        }
    }

    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Clean => "clean",
            Status::Findings => "findings",
            Status::CouldNotRun => "could-not-run",
        }
    }
}

/// Plans, then writes, checks or shows.
pub fn run<'a>(config: &Config, outputs: impl Into<Outputs<'a>>, sources: &Sources, mode: Mode, look: Look) -> Report {
    let plan = plan(config, outputs, sources);
    match mode {
        Mode::Check => check(&plan, sources, look),
        Mode::DryRun { force } => dry_run(&plan, sources, force, look),
        Mode::Write { force } => write(&plan, sources, force, look),
    }
}

fn check(plan: &Plan, sources: &Sources, look: Look) -> Report {
    let status = match (plan.failures.is_empty(), plan.findings.is_empty()) {
        (true, true) => return Report::clean(format!("checked {}: all up to date\n", n_outputs(plan.n_checked))),
        (true, false) => Status::Findings,
        (false, _) => Status::CouldNotRun,
    };
    Report { status, text: plan.report(sources, look), annotations: plan.annotations(sources, |_| true) }
}

fn dry_run(plan: &Plan, sources: &Sources, force: bool, look: Look) -> Report {
    let mut report = check(plan, sources, look);
    if report.status != Status::Findings {
        return report;
    }
    if plan.findings.iter().any(|it| it.mend.blocks(force)) {
        report.text.push_str("nothing would be written until the findings above are resolved (dry run)\n");
        return report;
    }
    let changes = plan.changes();
    report.text.push_str(&report::list("would write", &changes.written, look.style));
    report.text.push_str(&report::list("would remove", &changes.removed, look.style));
    report.text.push_str("nothing was written (dry run)\n");
    Report { status: Status::Clean, ..report }
}

fn write(plan: &Plan, sources: &Sources, force: bool, look: Look) -> Report {
    match plan.apply(force) {
        Ok(applied) => {
            let mut text = report::list("wrote", &applied.written, look.style);
            text.push_str(&report::list("removed", &applied.removed, look.style));
            let n_changed = applied.written.len() + applied.removed.len();
            let changed = if n_changed == 0 { "all up to date".to_owned() } else { format!("{n_changed} changed") };
            text.push_str(&format!("checked {}: {changed}\n", n_outputs(plan.n_checked)));
            Report::clean(text)
        }
        Err(Refusal::Blocked) => {
            let mut text = plan.report_on(sources, look, |it| it.mend.blocks(force));
            text.push_str("nothing was written\n");
            Report { status: Status::Findings, text, annotations: plan.annotations(sources, |it| it.mend.blocks(force)) }
        }
        Err(Refusal::Failed(failures)) => {
            let mut text = describe(&failures, look.style);
            text.push_str("nothing was written\n");
            Report { status: Status::CouldNotRun, text, annotations: failures.iter().map(Annotation::of_failure).collect() }
        }
    }
}

fn n_outputs(n_checked: usize) -> String {
    if n_checked == 1 { "1 output".to_owned() } else { format!("{n_checked} outputs") }
}
