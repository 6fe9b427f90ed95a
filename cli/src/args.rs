//! The command line, defined once: help, man page, completions and the chapter in the docs are made from here.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use statespec_audit as audit;
use statespec_codegen::backend::Backend;
use statespec_codegen::changes::{self, Audience, Class};
use statespec_codegen::diagnostic::{Code, nearest};
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::Format;
use statespec_codegen::schema::KINDS;
use statespec_codegen::sync::Mode;
use statespec_import as import;

/// Generate code and docs from one state graph in YAML, and check that they agree.
///
/// Specs are in `machines/` and pages in `docs/machines/`, unless a `statespec.toml` in the project's root sets other paths.
///
/// Exit codes: 0 no findings, 100 findings, 3 exploration did not see everything, 1 the run failed, 2 invalid usage.
#[derive(Debug, Parser)]
#[command(name = "statespec", version, max_term_width = 100)]
pub struct Cli {
    /// The project's root; can be repeated. By default the nearest folder upwards with `statespec.toml`, else with specs in
    /// `machines`, else the Cargo workspace, else the repository.
    #[arg(long, global = true, value_name = "FOLDER", value_parser = folder)]
    pub root: Vec<PathBuf>,
    /// All projects of the repository, one after another: `gen`, `check`, `lint` and `explore`.
    #[arg(long, global = true, conflicts_with = "root")]
    pub all: bool,
    /// Say nothing if there is nothing to report.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colours; `auto` asks the terminal and `NO_COLOR`.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorChoice,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Reads the id of a code or the name of a lint. There are too many to list them in an error, but shells complete them.
#[derive(Debug, Clone)]
struct CodeName;

impl TypedValueParser for CodeName {
    type Value = Code;

    fn parse_ref(&self, command: &clap::Command, _: Option<&clap::Arg>, value: &OsStr) -> Result<Code, clap::Error> {
        let name = value.to_string_lossy();
        Code::named(&name).ok_or_else(|| {
            let near = nearest(&name, Code::ALL.iter().flat_map(|it| [it.short(), it.id()]));
            let near = near.map(|it| format!("did you mean `{it}`? ")).unwrap_or_default();
            let why = format!("there is no code or lint `{}`; {near}`explain` without a name lists all of them", name.escape_debug());
            command.clone().error(ErrorKind::InvalidValue, why)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Code::ALL.iter().map(|it| PossibleValue::new(it.short()).help(it.summary()))))
    }
}

/// Reads the name of one of some values, each with its description.
fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = PossibleValuesParser::new(all.iter().map(|it| PossibleValue::new(name(*it)).help(about(*it))));
    values.try_map(move |word| all.iter().copied().find(|it| name(*it) == word).ok_or("there is no such value"))
}

/// A folder that exists.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.is_dir() {
        true => std::path::absolute(&path).map_err(|it| it.to_string()),
        false => Err("there is no such folder".to_owned()),
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a machine and its page.
    New(NewArgs),
    /// Generate all outputs: pages, regions, and the outputs of the configuration.
    ///
    /// Manual edits are never lost: if generated text was edited, nothing is written.
    Gen(GenArgs),
    /// Report every output on the disk that disagrees with the specs, and every difference between sources that are confirmed as
    /// one. Writes nothing.
    Check(CheckArgs),
    /// Report errors and lint findings in the specs, without checking outputs.
    Lint(LintArgs),
    /// Explain a diagnostic code or lint, such as drift::stale or dead-end; list all if omitted.
    Explain {
        /// The code, or the lint as statespec.toml names it; all of them are listed if omitted.
        #[arg(value_parser = CodeName, hide_possible_values = true)]
        code: Option<Code>,
    },
    /// Print the JSON Schema of a kind of file, for editors; without a kind, list the kinds.
    Schema {
        /// The kind of file.
        #[arg(value_parser = PossibleValuesParser::new(KINDS.iter().copied()))]
        kind: Option<String>,
    },
    /// Print a resolved model, the input of templates.
    Export(ExportArgs),
    /// Turn diagrams, tables, charts or enums into specs, and report what could not be imported.
    ///
    /// Exits with 0 when everything was imported, with 100 when something was lost or assumed.
    Import(ImportArgs),
    /// Compare two sources of the same machine: specs, diagrams, tables, charts or enums.
    ///
    /// Compares states and edges by their names, whatever their case and the marks between words. Exits with 0 if both
    /// agree, with 100 if not.
    Compare(CompareArgs),
    /// Find the state machines in a repository, and propose which sources describe the same one.
    ///
    /// Reads specs, diagrams and tables of pages, charts, code, databases and interfaces. Exits with 0: `--confirm` records which
    /// sources are one, and `check` compares these from then on, and exits with 100 if they differ.
    Scan(ScanArgs),
    /// Compare recorded histories with the graph: logs, history tables, event logs.
    ///
    /// Reports the first step of each instance that the graph does not have, with its line and with what was allowed there; steps by
    /// number, rows never seen, times in states, and the rows that the spec lacks. Exits with 0, or with 100 if something is reported.
    Audit(AuditArgs),
    /// Report what changes between two versions of specs, and who is affected.
    ///
    /// Each change is breaking, to review, or informational for stored state values, for callers of the emitted Rust, for
    /// recorded histories and for readers of docs. Exits with 0, or with 100 if a change is as severe as `--fail-on` says.
    Diff(DiffArgs),
    /// Explore all reachable configurations of machines and systems, and report problems.
    ///
    /// Exits with 0 if everything was seen and nothing is wrong, with 100 if something is wrong, and with 3 if nothing was
    /// found but not everything was seen.
    Explore(ExploreArgs),
    /// Step through a machine or system interactively; type `help` for its commands.
    ///
    /// Lines can also come from a pipe. Exits with 0 when the input ends; what the machine refuses is no failure.
    Play(PlayArgs),
    /// Compare tables of a database with the graph and with its guard; needs the feature `database`, which released binaries have.
    ///
    /// Writes nothing to a database. The address comes from an environment variable.
    Db {
        /// The command.
        #[command(subcommand)]
        command: DbCommand,
    },
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the man page of the program or of one command.
    Man {
        /// The command.
        of: Option<String>,
    },
}

impl Command {
    /// Whether the command can be about several projects at once.
    pub(crate) fn is_about_each_project(&self) -> bool {
        match self {
            Command::Gen(args) => !args.watch,
            Command::Check(_) | Command::Lint(_) | Command::Explore(_) => true,
            _ => false,
        }
    }
}

/// The commands about databases.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// List the columns whose values fit a machine, and print `[[database]]` of `statespec.toml` for each.
    ///
    /// The role needs no right but to read.
    Introspect {
        /// The environment variable with the address of the database.
        #[arg(long, value_name = "NAME", default_value = "DATABASE_URL")]
        url_env: String,
        /// How to report.
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Report a guard that is missing, disabled or another one, and rows outside the graph.
    ///
    /// Exits with 100 if something is reported.
    Check {
        /// A machine; all that have `[[database]]` if omitted.
        machine: Option<String>,
        /// Instead of a database that is in use, compare what the files of `migrations` make of an empty one: for SQLite in memory.
        #[arg(long)]
        replay: bool,
        /// The environment variable with the address of an empty database of PostgreSQL, in which `--replay` runs the files.
        #[arg(long, value_name = "NAME", default_value = "REPLAY_URL", requires = "replay")]
        replay_env: String,
        /// How to report.
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Write the migrations from one revision of the specs to another one: new files, in the folder of `migrations`.
    Migrate {
        /// The old version, or both: a revision in git (the other one is the files), `OLD..NEW`, a file or a folder.
        old: String,
        /// The new version, if it is a file or folder.
        new: Option<String>,
        /// How to report.
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Count the rows whose values another revision of the specs lacks, and name ten of them.
    ///
    /// Writes nothing. Exits with 100 if there are such rows.
    Plan {
        /// The old version, or both: a revision in git (the other one is the files), `OLD..NEW`, a file or a folder.
        old: String,
        /// The new version, if it is a file or folder.
        new: Option<String>,
        /// How to report.
        #[command(flatten)]
        report: ReportArgs,
    },
}

impl DbCommand {
    /// How to report.
    pub(crate) fn report(&self) -> &ReportArgs {
        match self {
            DbCommand::Introspect { report, .. }
            | DbCommand::Check { report, .. }
            | DbCommand::Migrate { report, .. }
            | DbCommand::Plan { report, .. } => report,
        }
    }
}

/// The arguments of `new`. On a terminal it asks for missing ones.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The machine's name, such as `ticket`.
    pub name: Option<String>,
    /// The title of its page.
    #[arg(long)]
    pub title: Option<String>,
    /// A state; the first one is initial.
    #[arg(long = "state", value_name = "NAME", value_delimiter = ',')]
    pub states: Vec<String>,
    /// A transition, such as `open -> closed: close`; without an event it is a direct transition.
    #[arg(long = "transition", value_name = "FROM -> TO: EVENT")]
    pub transitions: Vec<String>,
    /// A hand-written page with generated regions, such as `docs/ticket.md`, in addition to the generated page.
    #[arg(long, value_name = "PATH")]
    pub page: Option<String>,
    /// Never ask, even on a terminal.
    #[arg(long)]
    pub no_input: bool,
}

/// The arguments of `gen`.
#[derive(Debug, Args)]
pub struct GenArgs {
    /// Write nothing; show what would be written.
    #[arg(long)]
    pub dry_run: bool,
    /// Discard manual edits in generated text.
    #[arg(long)]
    pub force: bool,
    /// Delete this hand-made file that blocks an output; `--force` does not.
    #[arg(long, value_name = "PATH")]
    pub remove: Vec<String>,
    /// Record that all texts marked with `statespec:reviewed` were read again: renew their digests.
    #[arg(long, conflicts_with_all = ["dry_run", "watch"])]
    pub accept: bool,
    /// Generate again whenever a file of the project changes: a spec, a template, the configuration, or a page with outputs.
    #[arg(long, conflicts_with_all = ["dry_run", "remove"])]
    pub watch: bool,
    /// Which outputs to check, and how to report.
    #[command(flatten)]
    pub render: RenderArgs,
}

impl GenArgs {
    /// Whether the plan is written.
    pub fn mode(&self) -> Mode {
        if self.dry_run { Mode::DryRun { force: self.force } } else { Mode::Write { force: self.force } }
    }
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Report only what these files touch: specs, outputs, pages and confirmed sources. Their projects are found from the files.
    #[arg(value_name = "FILE", conflicts_with_all = ["changed", "all"])]
    pub files: Vec<PathBuf>,
    /// Report only what the files touch that differ from a revision in git, `HEAD` if omitted; files that git does not know
    /// count, too.
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    pub changed: Option<String>,
    /// What people type who want `gen`.
    #[arg(long, hide = true)]
    pub fix: bool,
    /// Which outputs to check, and how to report.
    #[command(flatten)]
    pub render: RenderArgs,
}

/// The arguments of `lint`.
#[derive(Debug, Args)]
pub struct LintArgs {
    /// How to report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// How to report.
#[derive(Debug, Default, Args)]
pub struct ReportArgs {
    /// The format of the report.
    #[arg(long, default_value = Format::Text.name(), value_parser = choice(&Format::ALL, Format::name, Format::about))]
    pub format: Format,
    /// Write the report in its format to this file; the text report is still printed.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Which outputs to check, and how to report.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Restrict the run to these kinds of outputs.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = choice(BACKENDS, |it| it.name(), |it| it.about()))]
    pub only: Vec<&'static dyn Backend>,
    /// Show diffs in full.
    #[arg(long)]
    pub full_diff: bool,
    /// How to report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The columns of a table: their meanings, and where they are.
pub(crate) type Columns = Vec<(import::TableColumn, import::ColumnAt)>;

/// The columns of a table of rows, or of a history: which of the two follows from the format.
#[derive(Debug, Clone)]
pub struct ImportColumns {
    pub(crate) table: Result<Columns, String>,
    pub(crate) history: Result<audit::Columns, String>,
}

impl ImportColumns {
    fn read(text: &str) -> Result<ImportColumns, String> {
        match (import::columns(text), audit::columns(text)) {
            (Err(why), Err(_)) => Err(why),
            (table, history) => Ok(ImportColumns { table, history }),
        }
    }
}

/// What `import` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFormat {
    /// A description of a machine.
    Text(import::Format),
    /// A history of a machine.
    History(audit::Format),
}

impl ImportFormat {
    const ALL: &'static [ImportFormat] = &[
        ImportFormat::Text(import::Format::Mermaid),
        ImportFormat::Text(import::Format::PlantUml),
        ImportFormat::Text(import::Format::Markdown),
        ImportFormat::Text(import::Format::Scxml),
        ImportFormat::Text(import::Format::XState),
        ImportFormat::Text(import::Format::Rust),
        ImportFormat::History(audit::Format::Jsonl),
        ImportFormat::History(audit::Format::Csv),
        ImportFormat::History(audit::Format::DjangoFsmLog),
        ImportFormat::History(audit::Format::Statesman),
        ImportFormat::History(audit::Format::PaperTrail),
        ImportFormat::History(audit::Format::Xes),
        ImportFormat::History(audit::Format::Ocel),
    ];

    fn name(self) -> &'static str {
        match self {
            ImportFormat::Text(it) => it.name(),
            ImportFormat::History(it) => it.name(),
        }
    }

    fn about(self) -> &'static str {
        match self {
            ImportFormat::Text(it) => it.about(),
            ImportFormat::History(it) => it.about(),
        }
    }
}

/// The arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The file; `-` for the standard input.
    pub file: String,
    /// The format of the file; detected from its name and contents if omitted.
    #[arg(long, value_name = "FORMAT", value_parser = choice(ImportFormat::ALL, ImportFormat::name, ImportFormat::about))]
    pub from: Option<ImportFormat>,
    /// Import only the machine with this name.
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// Import only this table of a page, counted from 1.
    #[arg(long, value_name = "N")]
    pub table: Option<usize>,
    /// The columns of the table, by number or heading: `from=1,event=2,to="Goes to"`.
    ///
    /// There are `from`, `to`, `event`, `guard`, `effect`, `actor`, `allowed` and `doc`. Of a history, the columns of its records as in
    /// `audit`.
    #[arg(long, value_name = "COLUMNS", value_parser = ImportColumns::read)]
    pub columns: Option<ImportColumns>,
    /// A text of the table that stands for every state.
    #[arg(long, value_name = "TEXT")]
    pub any: Vec<String>,
    /// A text of the table that says that the state stays.
    #[arg(long, value_name = "TEXT")]
    pub stay: Vec<String>,
    /// A text of the table that says that the state is an end.
    #[arg(long, value_name = "TEXT")]
    pub end: Vec<String>,
    /// A text of the table that stands for nothing: no source, target or condition.
    #[arg(long, value_name = "TEXT")]
    pub none: Vec<String>,
    /// The folder for the specs; the project's spec folder if omitted.
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<String>,
    /// Add region markers around each imported part of the page, so that `check` guards it from then on.
    #[arg(long)]
    pub markers: bool,
    /// Overwrite existing specs.
    #[arg(long)]
    pub force: bool,
    /// Print the specs instead of writing them.
    #[arg(long, conflicts_with_all = ["to", "markers", "force", "format", "output"])]
    pub stdout: bool,
    /// How to report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The files, compressed with gzip or not; `-` for the standard input. The histories of `[[audit]]` in `statespec.toml` if omitted.
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// The machine; can be omitted if there is only one.
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// The format; that of the name of each file if omitted.
    #[arg(long, value_name = "FORMAT", value_parser = choice(audit::Format::ALL, audit::Format::name, audit::Format::about))]
    pub from: Option<audit::Format>,
    /// How the records are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Stored values of states that are stored neither by name nor by `wire`: `queued=pending`.
    #[arg(long, value_name = "STATE=VALUE", value_parser = pair, value_delimiter = ',')]
    pub values: Vec<(String, String)>,
    /// Histories may begin in any state: their first records were deleted.
    #[arg(long)]
    pub cut: bool,
    /// Also report each row that was never taken: for histories that tests record.
    #[arg(long)]
    pub all_rows: bool,
    /// Read the journal that `[[database]]` of `statespec.toml` keeps; needs the feature `database`.
    #[arg(long, conflicts_with_all = ["files", "from", "sql"])]
    pub journal: bool,
    /// Print a Mermaid diagram instead, with the number of each arrow; rows never taken are dashed.
    #[arg(long, conflicts_with_all = ["sql", "format", "output", "all_rows"])]
    pub diagram: bool,
    /// Print a statement of SQL instead that answers the same question at the level of pairs, for a history in a database.
    #[arg(
        long,
        value_name = "DIALECT",
        requires = "table",
        conflicts_with_all = ["files", "from", "format", "output", "all_rows", "cut"],
        value_parser = choice(&audit::Dialect::ALL, |it| it.name(), |it| it.about())
    )]
    pub sql: Option<audit::Dialect>,
    /// With `--sql`: the table with the history.
    #[arg(long, value_name = "TABLE", requires = "sql")]
    pub table: Option<String>,
    /// With `--sql`: the columns that order the records of one instance; the column of the time if omitted.
    #[arg(long, value_name = "COLUMN", requires = "sql", value_delimiter = ',')]
    pub order: Vec<String>,
    /// How to report; the report goes to stdout in every format.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// How the records of a history are read.
#[derive(Debug, Default, Args)]
pub struct ReadingArgs {
    /// The columns with the facts: `entity=order_id,from=old,to=new,at=created_at`.
    ///
    /// There are `entity` (several are one identity), `at`, `machine`, `from`, `to`, `event`, `actor`, `payload`, `context` and
    /// `refused`.
    #[arg(long = "columns", value_name = "COLUMNS", value_parser = audit::columns)]
    pub columns: Option<audit::Columns>,
    /// Read only the records in which this column has this value.
    #[arg(long = "only", value_name = "COLUMN=VALUE", value_parser = pair)]
    pub only: Vec<(String, String)>,
    /// The unit of times that are whole numbers.
    #[arg(long, value_name = "UNIT", value_parser = choice(&audit::Unit::ALL, |it| it.name(), |it| it.about()))]
    pub unit: Option<audit::Unit>,
    /// What separates the columns of a table, such as `;`; a comma if omitted, and a tab in a file whose name ends in `.tsv`.
    #[arg(long, value_name = "CHARACTER")]
    pub separator: Option<char>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write a name and a value, such as type=order")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first source: a spec, or a file that `import` reads; `FILE#NAME` where it has several machines.
    pub first: String,
    /// The second source.
    pub second: String,
    /// How to report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `scan`.
#[derive(Debug, Args)]
pub struct ScanArgs {
    /// The folders and files; the current folder if omitted.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Show all candidate groups, not only the first ones, and what could not be read.
    #[arg(long)]
    pub all: bool,
    /// Record in `statespec.toml` what a person knows of sources: asks for each candidate group, or takes it from the command
    /// line.
    ///
    /// `same A B…`: these sources are one, and `check` compares them. `different A B…`: they are not. `excerpt A [OF]`: the first
    /// one leaves something out on purpose. `meant A FACT REASON`: it lacks a state `paid`, an edge `paid -> closed` or a `start
    /// draft` on purpose. Sources are named as in `--format json`: `docs/order.md#order`.
    #[arg(long, num_args = 0.., value_names = ["HOW", "NAME"], conflicts_with_all = ["all", "guard"])]
    pub confirm: Option<Vec<String>>,
    /// Show what is read of a source that no reader knows, in the words of `[[source]]` in `statespec.toml`:
    /// `{ file = "src/order.c", symbol = "next", kind = "pairs" }`.
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["all", "confirm"], group = "writing")]
    pub source: Option<String>,
    /// Show markers instead: around the texts that agree with a spec, so that `check` compares them from then on.
    ///
    /// Nothing is written. A diff shows what `--write` adds to each file.
    #[arg(long, conflicts_with = "all", group = "writing")]
    pub guard: bool,
    /// With `--guard`: write the markers into the files. With `--source`: write the table into `statespec.toml`.
    ///
    /// Exits with 0 if everything is written, and with 1 if a file cannot be marked; the other files are then marked.
    #[arg(long, requires = "writing")]
    pub write: bool,
    /// How to report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The old version: a file, a folder, or a revision in git; or both revisions, such as `main..HEAD`. A revision alone is
    /// compared with the files as they are.
    pub old: String,
    /// The new version: a file, a folder or a revision.
    pub new: Option<String>,
    /// The format.
    #[arg(
        long,
        default_value = changes::Format::Text.name(),
        value_parser = choice(&changes::Format::ALL, changes::Format::name, changes::Format::about)
    )]
    pub format: changes::Format,
    /// Write the changes in the format to this file; the text report is still printed.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Restrict the classes to these audiences.
    #[arg(long, value_name = "AUDIENCE", value_delimiter = ',', value_parser = choice(&Audience::ALL, Audience::name, Audience::about))]
    pub audience: Vec<Audience>,
    /// Exit with 100 if there is a change of this class, or a more severe one.
    #[arg(long, value_name = "CLASS", value_parser = choice(&Class::ALL, Class::name, Class::about))]
    pub fail_on: Option<Class>,
}

/// The arguments of `explore`.
#[derive(Debug, Args)]
pub struct ExploreArgs {
    /// A machine or system; all of them if omitted.
    pub name: Option<String>,
    /// The number of instances of a part of a system, such as `mission=3`.
    #[arg(long, value_name = "PART=N", value_parser = instances, value_delimiter = ',')]
    pub instances: Vec<(String, u64)>,
    /// The maximum number of configurations, a million by default. Reaching a limit that this option sets
    /// counts as success.
    #[arg(long, value_name = "N")]
    pub max_states: Option<usize>,
    /// In a machine by itself, also let timers elapse later than they are due: the program may be late.
    #[arg(long)]
    pub late_timers: bool,
    /// Also print each trace as a walkthrough for the spec.
    #[arg(long, conflicts_with = "format")]
    pub walkthroughs: bool,
    /// How to report; the report goes to stdout in every format.
    #[command(flatten)]
    pub report: ReportArgs,
}

fn instances(text: &str) -> Result<(String, u64), String> {
    let (part, count) = text.split_once('=').ok_or("write the part and a number, such as mission=3")?;
    let count = count.parse().map_err(|_| format!("`{count}` is not a number of instances"))?;
    Ok((part.to_owned(), count))
}

/// The arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// A machine or system; optional if there is only one.
    pub name: Option<String>,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The machine or system; the whole project if omitted.
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
