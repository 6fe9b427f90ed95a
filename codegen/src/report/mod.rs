//! Reports of a run, for people and for programs: text, JSON, GitHub annotations, SARIF.
//!
//! ```text
//! diagnostics, findings, failures ──▶ annotations ──▶ json | github | sarif
//! ```
//!
//! The printers share one annotation type: no printer depends on the stage that created an annotation.

mod annotation;
mod audit;
mod cause;
mod diff;
mod drift;
#[cfg(feature = "project")]
mod exploration;
mod github;
mod sarif;

use serde::Serialize;

pub use annotation::{Annotation, Drift, Place, Related};
pub use audit::{AuditRow, AuditStep, AuditSummary, AuditTime};
pub use diff::diff_of_draft;
pub use drift::{RenderOptions, describe, plan_text};

use statespec_lang::chars::{plain_json, printable, visible};
use statespec_lang::diagnostic::{Diagnostic, Level, Style, render};
use statespec_lang::source::Sources;

use crate::sync::{Failure, Made};

/// The version of the JSON form. It increases when a key changes its meaning or is removed; new keys do not increase it.
pub const VERSION: u32 = 1;

/// The audience of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A person.
    #[default]
    Text,
    /// A program.
    Json,
    /// GitHub Actions: a workflow command for each annotation.
    Github,
    /// A code scanning service: SARIF 2.1.0.
    Sarif,
}

impl Format {
    /// Every format, in the order of the docs.
    pub const ALL: [Format; 4] = [Format::Text, Format::Json, Format::Github, Format::Sarif];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Github => "github",
            Format::Sarif => "sarif",
        }
    }

    /// The reader, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Format::Text => "A person",
            Format::Json => "A program",
            Format::Github => "GitHub Actions: annotations on the lines to blame",
            Format::Sarif => "A code scanning service: SARIF 2.1.0",
        }
    }
}

/// The outcome of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Everything is up to date, or would be after a write.
    Clean,
    /// There are findings that this run did not fix.
    Findings,
    /// Nothing was found, but not everything was looked at.
    Bounded,
    /// Nothing was found up to a limit that the user set.
    BoundedAsAsked,
    /// An error prevented the run from checking or writing.
    CouldNotRun,
    /// The user asked for something that does not exist or is not possible.
    Misused,
}

impl Status {
    /// Every outcome, in the order of the docs.
    pub const ALL: [Status; 6] =
        [Status::Clean, Status::BoundedAsAsked, Status::Findings, Status::Bounded, Status::CouldNotRun, Status::Misused];

    /// The meaning for the user, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Status::Clean => "No findings: every output agrees with the specs.",
            Status::Findings => "There are findings.",
            Status::Bounded => "Exploration found nothing in what it saw, but did not see everything; the report says what is missing.",
            Status::BoundedAsAsked => "Exploration found nothing up to the number of configurations that `--max-states` sets.",
            Status::CouldNotRun => "The run failed: a spec or the configuration has errors, or a file cannot be read or written.",
            Status::Misused => "The command line is invalid: an unknown option, or the name of something that does not exist.",
        }
    }

    /// The outcome of two runs together.
    fn and(self, other: Status) -> Self {
        use Status::{Bounded, BoundedAsAsked, Clean, CouldNotRun, Findings, Misused};
        let worst_first = [CouldNotRun, Misused, Findings, Bounded, BoundedAsAsked, Clean];
        worst_first.into_iter().find(|it| [self, other].contains(it)).unwrap_or(Clean)
    }

    /// The exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            Status::Clean | Status::BoundedAsAsked => 0,
            Status::Findings => 100,
            Status::Bounded => 3,
            Status::CouldNotRun => 1,
            Status::Misused => 2,
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Clean => "clean",
            Status::Findings => "findings",
            Status::Bounded | Status::BoundedAsAsked => "bounded",
            Status::CouldNotRun | Status::Misused => "could-not-run",
        }
    }
}

/// The outcome of a run, with its text and its annotations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The outcome.
    pub status: Status,
    /// The report for people; the other formats leave it out.
    pub text: String,
    /// The findings, in the order of the text.
    pub annotations: Vec<Annotation>,
    /// The numbers of audits.
    pub audits: Vec<AuditSummary>,
    /// The files that the run changed.
    pub made: Vec<Made>,
}

impl Report {
    /// A report on a run that found nothing.
    pub fn clean(text: impl Into<String>) -> Self {
        Report { status: Status::Clean, text: text.into(), annotations: Vec::new(), audits: Vec::new(), made: Vec::new() }
    }

    /// A report on a run that earlier errors prevented from starting.
    pub fn stopped(text: impl Into<String>) -> Self {
        Report { status: Status::CouldNotRun, ..Report::clean(text) }
    }

    /// A report on files that could not be read or written.
    pub fn of_failures(failures: &[Failure], style: Style) -> Self {
        let annotations = failures.iter().map(Annotation::of_failure).collect();
        Report { status: failed(failures), annotations, ..Report::stopped(describe(failures, style)) }
    }

    /// A report on an error without a place in a file: `why` is one sentence without a final full stop.
    pub fn of_error(why: &str) -> Self {
        let why = visible(why);
        Report { annotations: vec![Annotation::of_error(&why)], ..Report::stopped(format!("error: {why}\n")) }
    }

    /// A report on wrong usage: `why` is one sentence without a final full stop.
    pub fn of_misuse(why: &str) -> Self {
        Report { status: Status::Misused, ..Report::of_error(why) }
    }

    /// The reports of several projects as one. Each comes with the path of its project, which the files of its annotations
    /// then begin with.
    pub fn of_projects(projects: impl IntoIterator<Item = (String, Report)>) -> Self {
        let mut whole = Report::clean("");
        for (project, report) in projects {
            let shown = if project.is_empty() { "." } else { &project };
            whole.text.push_str(&format!("project {}:\n{}", visible(shown), report.text));
            whole.annotations.extend(report.annotations.into_iter().map(|it| it.below(&project)));
            whole.audits.extend(report.audits);
            whole.status = whole.status.and(report.status);
        }
        whole
    }

    /// This report and a further one of the same project.
    pub fn and(mut self, other: Report) -> Self {
        self.text.push_str(&other.text);
        self.annotations.extend(other.annotations);
        self.audits.extend(other.audits);
        self.made.extend(other.made);
        Report { status: self.status.and(other.status), ..self }
    }

    /// The same report, preceded by the diagnostics of the specs. An error among them counts as a finding.
    pub fn after(self, sources: &Sources, diagnostics: &[Diagnostic], style: Style) -> Self {
        let mut annotations: Vec<_> = diagnostics.iter().map(|it| Annotation::of_diagnostic(sources, it)).collect();
        annotations.extend(self.annotations);
        let denied = self.status == Status::Clean && diagnostics.iter().any(|it| it.level == Level::Error);
        let status = if denied { Status::Findings } else { self.status };
        Report { status, text: render(sources, diagnostics, style) + &self.text, annotations, ..self }
    }

    /// The report in a format, ending in a newline unless it is empty.
    pub fn print(&self, format: Format) -> String {
        match format {
            Format::Text => printable(&self.text),
            Format::Json => json(&Json {
                version: VERSION,
                status: self.status.name(),
                exit_code: self.status.exit_code(),
                annotations: &self.annotations,
                audits: (!self.audits.is_empty()).then_some(&self.audits[..]),
            }),
            Format::Github => self.annotations.iter().map(github::command).chain(self.audits.iter().map(github::notice)).collect(),
            Format::Sarif => json(&sarif::log(self)),
        }
    }
}

/// The outcome of a run with these failures.
fn failed(failures: &[Failure]) -> Status {
    if !failures.is_empty() && failures.iter().all(|it| it.is_misuse) { Status::Misused } else { Status::CouldNotRun }
}

/// The JSON form of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Json<'a> {
    /// The version of this format.
    version: u32,
    /// How the run ended: `clean`, `findings`, `bounded` or `could-not-run`.
    status: &'static str,
    /// The exit code of the program that made the report.
    exit_code: u8,
    /// The findings, sorted by file and line within each stage: first the specs, then the outputs.
    annotations: &'a [Annotation],
    /// The numbers of an audit, one for each machine; left out by other commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    audits: Option<&'a [AuditSummary]>,
}

fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("all map keys are texts and no impl fails, so serializing cannot fail");
    plain_json(&json) + "\n"
}
