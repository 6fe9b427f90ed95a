//! What the command prints: requested output to stdout, reports to stderr or to a file.

use std::io::Write as _;
use std::path::Path;

use statespec_codegen::report::{Format, Report, Status};

use crate::args::ReportArgs;
use crate::diff::Told;

/// How much the user wants to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ui {
    /// Nothing, unless there is something to report.
    pub(crate) quiet: bool,
}

impl Ui {
    /// Prints the report of a run. The text for people goes to stderr, a format for programs to stdout or into the file.
    pub(crate) fn report(self, report: &Report, args: &ReportArgs) -> Status {
        self.report_to(report, args, say)
    }

    /// The same for a report that the user asked for: its text goes to stdout, too.
    pub(crate) fn requested(self, report: &Report, args: &ReportArgs) -> Status {
        self.report_to(report, args, |text| _ = print(text))
    }

    fn report_to(self, report: &Report, args: &ReportArgs, show: impl Fn(&str)) -> Status {
        let is_shown = !self.quiet || report.status != Status::Clean || !report.annotations.is_empty();
        if args.output.is_some() || args.format == Format::Text {
            if is_shown {
                show(&report.print(Format::Text));
            }
        } else if print(&report.print(args.format)) != Status::Clean {
            return Status::CouldNotRun;
        }
        let Some(file) = &args.output else { return report.status };
        let text = report.print(args.format);
        // A file shows no colours.
        match std::fs::write(file, anstream::adapter::strip_str(&text).to_string()) {
            Ok(()) => report.status,
            Err(error) => tell(&Report::of_error(&format!("cannot write `{}`: {error}", file.display()))),
        }
    }

    /// Prints requested changes; with a file, the format goes there, and the text for people is printed.
    pub(crate) fn told(self, told: &Told, file: Option<&Path>) -> Status {
        let Some(file) = file else {
            return if print(&told.requested) == Status::Clean { told.status } else { Status::CouldNotRun };
        };
        _ = print(&told.text);
        match std::fs::write(file, &told.requested) {
            Ok(()) => told.status,
            Err(error) => tell(&Report::of_error(&format!("cannot write `{}`: {error}", file.display()))),
        }
    }

    /// Prints what was done.
    pub(crate) fn done(self, report: &Report) -> Status {
        self.report(report, &ReportArgs::default())
    }
}

/// Writes requested output to stdout.
pub(crate) fn print(text: &str) -> Status {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Status::CouldNotRun,
        // A closed pipe is no error: the reader has read enough.
        _ => Status::Clean,
    }
}

/// Writes a message to stderr.
pub(crate) fn say(text: &str) {
    // The stream removes the colours if the terminal cannot show them.
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Prints a problem on stderr, and returns its status.
pub(crate) fn tell(problem: &Report) -> Status {
    say(&problem.print(Format::Text));
    problem.status
}
