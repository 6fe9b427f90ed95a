//! The command line, defined once: help, man page, completions and the chapter in the docs are made from here.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use statespec_codegen::config::Part;
use statespec_codegen::diagnostic::Code;
use statespec_codegen::report::Format;
use statespec_codegen::schema::KINDS;
use statespec_codegen::sync::Mode;

/// One state graph in YAML; the code and the docs that follow it.
///
/// Specs lie in `machines/`, pages go to `docs/machines/`; a `statespec.toml` in the project's root says otherwise.
///
/// Exit codes: 0 all is well, 100 there are findings, 1 it could not run, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(name = "statespec", version, max_term_width = 100)]
pub struct Cli {
    /// The project's root; found upwards from here by `statespec.toml`, else `Cargo.toml`, else `.git`.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Scaffold a machine and its page.
    New(NewArgs),
    /// Generate everything that the specs say: pages, regions, and whatever the configuration asks for.
    ///
    /// Edits by hand are never lost: when there are any in generated text, nothing is written.
    Gen(GenArgs),
    /// Report whatever is on the disk and says something else than the specs. Writes nothing.
    Check(CheckArgs),
    /// Read the specs and report what is wrong with them, without looking at outputs.
    Lint(LintArgs),
    /// Explain a code of a message, such as drift::stale.
    Explain {
        /// The code.
        #[arg(value_parser = PossibleValuesParser::new(Code::ALL.iter().map(|it| it.id())), hide_possible_values = true)]
        code: String,
    },
    /// Print the JSON Schema of a kind of file, for editors.
    Schema {
        /// The kind of file.
        #[arg(value_parser = PossibleValuesParser::new(KINDS.iter().copied()))]
        kind: String,
    },
    /// Print a resolved model: what templates are given.
    Export(ExportArgs),
    /// Turn diagrams, tables, charts or enums into specs, and tell what could not be carried over.
    ///
    /// Exits with 0 when everything was carried over, with 100 when something was lost or assumed.
    Import(ImportArgs),
    /// Go through everything that can happen to machines and systems, and report what goes wrong.
    Explore(ExploreArgs),
    /// Step through a machine or system by hand; `help` inside tells what can be said.
    Play(PlayArgs),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the man page, of the whole or of one command.
    Man {
        /// The command.
        of: Option<String>,
    },
}

/// What `new` makes. On a terminal it asks for what is left out.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The machine's name, such as `ticket`.
    pub name: Option<String>,
    /// The title of its page.
    #[arg(long)]
    pub title: Option<String>,
    /// A state; the first is the initial one.
    #[arg(long = "state", value_name = "NAME", value_delimiter = ',')]
    pub states: Vec<String>,
    /// A transition, such as `open -> closed: close`; without an event it is asked for by naming the target.
    #[arg(long = "transition", value_name = "FROM -> TO: EVENT")]
    pub transitions: Vec<String>,
    /// A page of your own with regions to write around, such as `docs/ticket.md`, besides the generated one.
    #[arg(long, value_name = "PATH")]
    pub page: Option<String>,
    /// Ask nothing, even on a terminal.
    #[arg(long)]
    pub no_input: bool,
}

/// What `gen` does.
#[derive(Debug, Args)]
pub struct GenArgs {
    /// Write nothing; show what would be written.
    #[arg(long)]
    pub dry_run: bool,
    /// Drop edits that were made by hand in generated text.
    #[arg(long)]
    pub force: bool,
    /// Remove this file, which is in the way of generated ones and bears no header; `--force` does not.
    #[arg(long, value_name = "PATH")]
    pub remove: Vec<String>,
    /// Generate again whenever a spec changes.
    #[arg(long, conflicts_with_all = ["dry_run", "remove"])]
    pub watch: bool,
    /// What is looked at, and how it is shown.
    #[command(flatten)]
    pub look: LookArgs,
}

impl GenArgs {
    /// What becomes of the plan.
    pub fn mode(&self) -> Mode {
        if self.dry_run { Mode::DryRun { force: self.force } } else { Mode::Write { force: self.force } }
    }
}

/// What `check` does.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What is looked at, and how it is shown.
    #[command(flatten)]
    pub look: LookArgs,
}

/// What `lint` does.
#[derive(Debug, Args)]
pub struct LintArgs {
    /// Who the report is for.
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
}

/// A format of reports. Text goes to stderr, everything else to stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ReportFormat {
    /// A person.
    #[default]
    Text,
    /// A program.
    Json,
    /// GitHub Actions: annotations on the lines to blame.
    Github,
    /// A code scanning service: SARIF 2.1.0.
    Sarif,
}

impl From<ReportFormat> for Format {
    fn from(format: ReportFormat) -> Format {
        match format {
            ReportFormat::Text => Format::Text,
            ReportFormat::Json => Format::Json,
            ReportFormat::Github => Format::Github,
            ReportFormat::Sarif => Format::Sarif,
        }
    }
}

/// What is looked at, and how it is shown.
#[derive(Debug, Args)]
pub struct LookArgs {
    /// Only these kinds of outputs.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub only: Vec<Kind>,
    /// Show diffs to their last line.
    #[arg(long)]
    pub full_diff: bool,
    /// Who the report is for.
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
}

/// A kind of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Pages and regions.
    Docs,
    /// Resolved models.
    Json,
    /// Rust modules.
    Rust,
    /// Tests for implementations of your own.
    Conformance,
    /// JSON Schemas of the spec language.
    Schemas,
    /// Your own.
    Templates,
}

impl From<Kind> for Part {
    fn from(kind: Kind) -> Part {
        match kind {
            Kind::Docs => Part::Docs,
            Kind::Json => Part::Json,
            Kind::Rust => Part::Rust,
            Kind::Conformance => Part::Conformance,
            Kind::Schemas => Part::Schemas,
            Kind::Templates => Part::Templates,
        }
    }
}

/// What `import` reads, and where specs go.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file; `-` for the standard input.
    pub file: String,
    /// What it is written in; told by its name and contents when left out.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<ImportFormat>,
    /// Of several machines, only the one with this name.
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// The folder for the specs; where the project has its specs when left out.
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<String>,
    /// Put region markers around what was read, so that from then on `check` guards it.
    #[arg(long)]
    pub markers: bool,
    /// Overwrite specs that are there already.
    #[arg(long)]
    pub force: bool,
    /// Print the specs instead of writing them.
    #[arg(long, conflicts_with_all = ["to", "markers", "force", "format"])]
    pub stdout: bool,
    /// Who the report is for.
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
}

/// What can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// A Mermaid state diagram.
    Mermaid,
    /// A page with such diagrams, or with tables of transitions.
    Markdown,
    /// State Chart XML.
    Scxml,
    /// The configuration of an XState machine, as JSON.
    Xstate,
    /// A Rust file with an enum and its edges.
    Rust,
}

impl From<ImportFormat> for statespec_codegen::import::Format {
    fn from(format: ImportFormat) -> Self {
        match format {
            ImportFormat::Mermaid => Self::Mermaid,
            ImportFormat::Markdown => Self::Markdown,
            ImportFormat::Scxml => Self::Scxml,
            ImportFormat::Xstate => Self::XState,
            ImportFormat::Rust => Self::Rust,
        }
    }
}

/// What `explore` goes through.
#[derive(Debug, Args)]
pub struct ExploreArgs {
    /// A machine or system; all of them when left out.
    pub name: Option<String>,
    /// How many instances of a part of a system there may be, such as `mission=3`.
    #[arg(long, value_name = "PART=N", value_parser = instances, value_delimiter = ',')]
    pub instances: Vec<(String, u64)>,
    /// No more configurations than this.
    #[arg(long, value_name = "N")]
    pub max_states: Option<usize>,
    /// Print each way to a finding as a walkthrough for the spec, too.
    #[arg(long, conflicts_with = "format")]
    pub walkthroughs: bool,
    /// Who the report is for. All of them go to stdout.
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
}

fn instances(text: &str) -> Result<(String, u64), String> {
    let (part, count) = text.split_once('=').ok_or("write the part and a number, such as mission=3")?;
    let count = count.parse().map_err(|_| format!("`{count}` is no number of instances"))?;
    Ok((part.to_owned(), count))
}

/// What `play` steps through.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// A machine or system; may be left out where there is only one.
    pub name: Option<String>,
}

/// What `export` prints.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The machine or system; the whole project when left out.
    pub name: Option<String>,
    /// The format.
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    pub format: ExportFormat,
}

/// A format of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The resolved model, with a version.
    Json,
    /// A graph for Graphviz.
    Dot,
    /// A Mermaid state diagram.
    Mermaid,
}
