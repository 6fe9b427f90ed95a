//! `cargo xtask`: generate, check, build the book, measure coverage, survey.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::{Format, RenderOptions};
use statespec_codegen::sync::Mode;
use xtask::survey::survey;
use xtask::{Scope, generate_and_remove, root};

/// The chores of this repository.
///
/// Exit codes: 0 no findings, 100 findings, 1 the run failed, 2 invalid usage.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Generate the docs: whole pages, and the regions of hand-written pages.
    GenDocs(GenArgs),
    /// Generate everything: docs, Rust, JSON.
    Gen(GenArgs),
    /// The same as `gen --check`.
    Check {
        /// Show diffs in full.
        #[arg(long)]
        full_diff: bool,
    },
    /// Build the book into `target/book`, with the pinned mdBook and Mermaid; installs what is missing.
    Book {
        /// Also open every page in Chromium, as wide as a desktop and as a phone, and report what is wrong there.
        #[arg(long)]
        look: bool,
    },
    /// Run the tests that record attempts, and write the page about the rows of the reference machines that they take.
    Coverage,
    /// Import every state diagram in the Markdown of a folder of repositories, and tell how many were carried over.
    ImportSurvey(SurveyArgs),
    /// Play the cases of SCION's test framework for SCXML, and tell which fail.
    ScxmlCases(CasesArgs),
}

#[derive(Debug, Args)]
struct CasesArgs {
    /// The folder `test` of the framework, which is no part of this repository.
    folder: std::path::PathBuf,
}

#[derive(Debug, Args)]
struct SurveyArgs {
    /// A folder of repositories, or of pages out of them.
    folder: std::path::PathBuf,
}

#[derive(Debug, Args)]
struct GenArgs {
    /// Write nothing; report what differs and exit with 100 if anything does.
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    check: bool,
    /// Write nothing; show what would be written.
    #[arg(long)]
    dry_run: bool,
    /// Drop edits that were made by hand in generated text.
    #[arg(long)]
    force: bool,
    /// Remove the file at this path, which no spec provides; can be repeated.
    #[arg(long, value_name = "PATH")]
    remove: Vec<String>,
    /// Show diffs in full.
    #[arg(long)]
    full_diff: bool,
}

impl GenArgs {
    fn mode(&self) -> Mode {
        match (self.check, self.dry_run) {
            (true, _) => Mode::Check,
            (false, true) => Mode::DryRun { force: self.force },
            (false, false) => Mode::Write { force: self.force },
        }
    }
}

fn main() -> ExitCode {
    let run = |scope: Scope, mode: Mode, remove: &[String], full_diff: bool| {
        // The stream removes the colours if the terminal cannot show them.
        let report = generate_and_remove(&root(), scope, mode, remove, RenderOptions { full_diff, style: Style::Colour });
        // A closed stderr does not change the exit code of the run.
        let _ = anstream::stderr().write_all(report.print(Format::Text).as_bytes());
        ExitCode::from(report.status.exit_code())
    };
    match Cli::parse().chore {
        Chore::GenDocs(args) => run(Scope::Docs, args.mode(), &args.remove, args.full_diff),
        Chore::Gen(args) => run(Scope::All, args.mode(), &args.remove, args.full_diff),
        Chore::Check { full_diff } => run(Scope::All, Mode::Check, &[], full_diff),
        Chore::Book { look } => match xtask::book::build(&root(), look) {
            Ok(said) => {
                let _ = anstream::stdout().write_all(said.as_bytes());
                ExitCode::SUCCESS
            }
            Err(problem) => {
                let _ = writeln!(anstream::stderr(), "error: {problem}");
                ExitCode::FAILURE
            }
        },
        Chore::Coverage => match xtask::coverage::write(&root()) {
            Ok(said) => {
                let _ = anstream::stdout().write_all(said.as_bytes());
                ExitCode::SUCCESS
            }
            Err(problem) => {
                let _ = writeln!(anstream::stderr(), "error: {problem}");
                ExitCode::FAILURE
            }
        },
        Chore::ScxmlCases(args) => match xtask::scxml_cases::run(&args.folder, &root().join("target/scxml-cases")) {
            Ok((report, passed)) => {
                let _ = anstream::stdout().write_all(report.as_bytes());
                if passed { ExitCode::SUCCESS } else { ExitCode::from(100) }
            }
            Err(error) => {
                let _ = writeln!(anstream::stderr(), "error: `{}` cannot be read: {error}", args.folder.display());
                ExitCode::FAILURE
            }
        },
        Chore::ImportSurvey(args) => match survey(&args.folder) {
            Ok(report) => {
                let _ = anstream::stdout().write_all(report.as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => {
                let _ = writeln!(anstream::stderr(), "error: `{}` cannot be read: {error}", args.folder.display());
                ExitCode::FAILURE
            }
        },
    }
}
