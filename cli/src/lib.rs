//! The command line of statespec: a thin layer over the library.
//!
//! Reports go to stderr and requested output goes to stdout, so that it can be piped.

mod args;
mod audit;
mod compare;
mod completions;
mod confirm;
#[cfg_attr(not(feature = "database"), path = "no_db.rs")]
mod db;
mod diff;
mod explore;
mod export;
mod focus;
mod git;
mod import;
mod new;
#[doc(hidden)]
pub mod offer;
mod play;
mod pointed;
mod progress;
mod reference;
mod scan;
mod settings;
mod terminal;
mod ui;
#[cfg_attr(not(feature = "watch"), path = "no_watch.rs")]
mod watch;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};
use statespec_codegen::diagnostic::{Code, Style};
use statespec_codegen::language;
use statespec_codegen::model::Model;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::registry::BACKENDS;
use statespec_codegen::report::{Format, RenderOptions, Report, Status};
use statespec_codegen::schema::{KINDS, schema};
use statespec_codegen::sync::Mode;
use statespec_lang::lower::Loaded;
use statespec_rust::root::{self, Root};

pub use args::Cli;
use args::{CheckArgs, Command, RenderArgs, ScanArgs};
use diff::Told;
pub use reference::regions;
use ui::{Ui, print, tell};

/// The way in which the command was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// As `cargo statespec`.
    Cargo,
    /// As `statespec`.
    Shell,
}

impl Caller {
    /// The definitions, under the name that the user typed.
    fn command(self) -> clap::Command {
        match self {
            Caller::Cargo => Cli::command().name("cargo-statespec").bin_name("cargo statespec"),
            Caller::Shell => Cli::command(),
        }
    }
}

/// Runs the command line of this process.
pub fn main(caller: Caller) -> ExitCode {
    let mut args: Vec<_> = std::env::args_os().collect();
    // Cargo passes its subcommand on as the first argument.
    if caller == Caller::Cargo && args.get(1).is_some_and(|it| it == "statespec") {
        args.remove(1);
    }
    // Invalid usage ends here with exit code 2; help and version end with 0.
    let matches = match caller.command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            // It quotes what was typed.
            ui::say(&statespec_lang::chars::printable(&error.render().ansi().to_string()));
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let status = match roots(&cli) {
        Ok(roots) => run(caller, Ui { quiet: cli.quiet }, cli.command, &roots),
        Err(problem) => tell(&problem),
    };
    ExitCode::from(status.exit_code())
}

/// The roots of the projects that the command is about: at least one.
fn roots(cli: &Cli) -> Result<Vec<Root>, Report> {
    if !cli.root.is_empty() {
        return Ok(cli.root.iter().map(Root::from).collect());
    }
    let here = std::env::current_dir().map_err(|error| Report::of_error(&format!("the current folder cannot be read: {error}")))?;
    if let Command::Check(CheckArgs { files, .. }) = &cli.command
        && !files.is_empty()
    {
        let folder = |file: &PathBuf| here.join(file).parent().map(Path::to_owned);
        let roots: BTreeSet<Root> = files.iter().filter_map(folder).map(|it| Root::find(&it)).collect();
        return Ok(roots.into_iter().collect());
    }
    // `scan --all` shows all groups.
    if !cli.all || matches!(cli.command, Command::Scan(_)) {
        return Ok(vec![Root::find(&here)]);
    }
    let roots = Root::find_all(&here);
    match roots.is_empty() {
        true => Err(Report::of_error(&format!(
            "there is no project in `{}`: no folder has `{}` or specs in `{}`",
            root::top(&here).display(),
            root::FILE,
            root::SPECS
        ))),
        false => Ok(roots),
    }
}

/// Runs one of the commands that can be about several projects.
fn on_each(roots: &[Root], run: impl Fn(&Root) -> Report) -> Report {
    let [root] = roots else {
        let top = roots.first().map_or(Path::new(""), |it| root::top(&it.folder));
        let below = |root: &Root| root.folder.strip_prefix(top).unwrap_or(&root.folder).display().to_string().replace('\\', "/");
        return Report::of_projects(roots.iter().map(|root| (below(root), run(root))));
    };
    run(root)
}

fn run(caller: Caller, ui: Ui, command: Command, roots: &[Root]) -> Status {
    let root = match (roots, command.is_about_each_project()) {
        ([root, ..], true) | ([root], false) => root,
        _ => return tell(&Report::of_misuse("this command is about one project: name its root with `--root`")),
    };
    match command {
        Command::New(args) => ui.done(&new::run(root, &args).unwrap_or_else(|problem| problem)),
        Command::Gen(args) => {
            let mode = args.mode();
            match args.watch {
                true => watch::run(root, args.render.report.output.as_deref(), &mut || {
                    let made = gen_report(ui, roots, &args.render, mode, &|_| Ok(()));
                    ui.report(&made, &args.render.report);
                    made.made
                }),
                false => gen_once(ui, roots, &args.render, mode, &|it| {
                    args.remove.clone_into(&mut it.remove);
                    it.accept = args.accept;
                    Ok(())
                }),
            }
        }
        Command::Check(args) if args.fix => tell(&Report::of_misuse(
            "`check` writes nothing: `gen` rewrites what is out of date, and `gen --force` also what was edited by hand",
        )),
        Command::Check(args) => gen_once(ui, roots, &args.render, Mode::Check, &|it| {
            it.focus = focus::of(it, &args)?;
            Ok(())
        }),
        Command::Lint(args) => ui.report(&on_each(roots, |it| lint(it).unwrap_or_else(|problem| problem)), &args.report),
        Command::Explain { code: Some(code) } => print(&format!("{}\n\n{}\n", code.id(), code.explain())),
        Command::Explain { code: None } => print(&Code::list()),
        Command::Schema { kind: None } => print(&KINDS.iter().map(|it| format!("{it}\n")).collect::<String>()),
        Command::Schema { kind: Some(kind) } => match schema(&kind, BACKENDS) {
            Some(text) => print(&text),
            None => tell(&Report::of_misuse(&format!("there is no schema of `{kind}`"))),
        },
        Command::Export(args) => match export::run(root, &args) {
            Ok(text) => print(&text),
            Err(problem) => tell(&problem),
        },
        Command::Import(args) => match import::run(root, &args) {
            Ok((text, _)) if !text.is_empty() && print(&text) != Status::Clean => Status::CouldNotRun,
            Ok((_, how)) => ui.report(&how, &args.report),
            Err(problem) => ui.report(&problem, &args.report),
        },
        Command::Compare(args) => ui.requested(&compare::run(&args), &args.report),
        Command::Scan(args) => scan_command(ui, root, &args).unwrap_or_else(|problem| ui.requested(&problem, &args.report)),
        Command::Audit(args) => match audit::run(root, &args) {
            Ok(audit::Answer::Text(text)) => print(&text),
            Ok(audit::Answer::Report(report)) => ui.requested(&report, &args.report),
            Err(problem) => ui.report(&problem, &args.report),
        },
        Command::Diff(args) => match diff::run(root, &args) {
            Ok(told) => ui.told(&told, args.output.as_deref()),
            Err(problem) => tell(&problem),
        },
        Command::Explore(args) => {
            // The report is the requested output: it goes to stdout in every format.
            let could_run = Cell::new(true);
            let found = on_each(roots, |it| {
                explore::run(it, &args).unwrap_or_else(|problem| {
                    could_run.set(false);
                    problem
                })
            });
            match could_run.get() {
                true => ui.requested(&found, &args.report),
                false => ui.report(&found, &args.report),
            }
        }
        Command::Play(args) => play::run(root, &args).unwrap_or_else(|problem| tell(&problem)),
        Command::Db { command } => ui.requested(&db::run(root, &command).unwrap_or_else(|problem| problem), command.report()),
        Command::Completions { shell } => print(&completions::script(caller, shell)),
        Command::Man { of } => match reference::man(caller, of.as_deref()) {
            Ok(text) => print(&text),
            Err(problem) => tell(&problem),
        },
    }
}

fn scan_command(ui: Ui, root: &Root, args: &ScanArgs) -> Result<Status, Report> {
    if let Some(source) = &args.source {
        return Ok(ui.requested(&pointed::run(root, source, args.write)?, &args.report));
    }
    let progress = (!ui.quiet).then(|| progress::start("reading"));
    if args.guard {
        let report = scan::guard(root, args);
        drop(progress);
        return Ok(ui.requested(&report?, &args.report));
    }
    let project = open(root)?;
    let scanned = scan::read_all(&project, &args.paths);
    drop(progress);
    let scanned = scanned?;
    if let Some(words) = &args.confirm {
        return Ok(ui.requested(&confirm::run(&project, &scanned, words)?, &args.report));
    }
    let report = scan::report(&project, &scanned, args.all);
    match args.report.format {
        Format::Json => {
            let requested = scanned.found.json(&scanned.sources, scanned.n_files);
            let text = report.print(Format::Text);
            Ok(ui.told(&Told { requested, text, status: report.status }, args.report.output.as_deref()))
        }
        _ => Ok(ui.requested(&report, &args.report)),
    }
}

/// The project in `root`, or the errors in its configuration.
fn open(root: &Root) -> Result<Project, Report> {
    Project::open(root.clone()).map_err(|it| it.report(Style::Colour))
}

/// The specs of a project, or the reason why they cannot be read.
fn load(project: &Project) -> Result<Loaded, Report> {
    project.load().map_err(|failures| Report::of_failures(&failures, Style::Colour))
}

/// The model of the loaded specs, or their errors.
fn model(loaded: &Loaded) -> Result<&Model, Report> {
    loaded.model.as_ref().ok_or_else(|| Report::stopped("").after(&loaded.sources, &loaded.diagnostics, Style::Colour))
}

/// The outputs that the command line adds to a project: regions about itself, for pages that document it.
pub fn extras(project: &Project) -> Extras {
    let mut extras = Extras::default();
    if project.config.get::<language::Settings>().is_some_and(|it| it.regions) {
        extras.generated.regions.extend(regions());
    }
    extras
}

/// A change of a project before it is run.
type Prepare<'a> = &'a dyn Fn(&mut Project) -> Result<(), Report>;

fn gen_once(ui: Ui, roots: &[Root], args: &RenderArgs, mode: Mode, prepare: Prepare<'_>) -> Status {
    ui.report(&gen_report(ui, roots, args, mode, prepare), &args.report)
}

fn gen_report(ui: Ui, roots: &[Root], args: &RenderArgs, mode: Mode, prepare: Prepare<'_>) -> Report {
    let _progress = (!ui.quiet).then(|| progress::start("generating"));
    on_each(roots, |it| generate(it, args, mode, prepare).unwrap_or_else(|problem| problem))
}

fn generate(root: &Root, args: &RenderArgs, mode: Mode, prepare: Prepare<'_>) -> Result<Report, Report> {
    let mut project = open(root)?;
    prepare(&mut project)?;
    if !args.only.is_empty() {
        project.config = project.config.only(&args.only);
    }
    let extras = extras(&project);
    let report = project.run(|_| Ok(extras), mode, RenderOptions { full_diff: args.full_diff, style: Style::Colour });
    Ok(match mode {
        Mode::Check if !project.config.is_limited() => report.and(scan::check(&project)),
        _ => report,
    })
}

fn lint(root: &Root) -> Result<Report, Report> {
    let project = open(root)?;
    let loaded = load(&project)?;
    let model = model(&loaded)?;
    let mut diagnostics = project.findings(model);
    diagnostics.splice(0..0, loaded.diagnostics.iter().cloned());
    let n_specs = model.machines.len() + model.systems.len() + model.documents.len();
    let specs = if n_specs == 1 { "1 spec".to_owned() } else { format!("{n_specs} specs") };
    let found = match diagnostics.len() {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        n_found => format!("{n_found} findings"),
    };
    Ok(Report::clean(format!("read {specs}: {found}\n")).after(&loaded.sources, &diagnostics, Style::Colour))
}

/// The text of a file that the user names; `-` is the standard input.
fn read_text(file: &str) -> Result<String, Report> {
    let mut bytes = Vec::new();
    let read = if file == "-" { std::io::stdin().read_to_end(&mut bytes).map(drop) } else { fs::read(file).map(|it| bytes = it) };
    read.map_err(|error| Report::of_error(&format!("cannot read `{file}`: {error}")))?;
    String::from_utf8(bytes).map_err(|_| Report::of_error(&format!("`{file}` is not UTF-8 text")))
}

/// The folder for new specs.
fn specs_folder(project: &Project) -> &str {
    let folder = project.config.specs.iter().find(|it| !it.ends_with(".yaml") && !it.ends_with(".yml"));
    folder.map_or("machines", String::as_str)
}

/// The path in a project of a file, which need not exist; `None` if it is outside.
fn in_project(root: &Root, file: &Path) -> Option<String> {
    let full = std::path::absolute(file).ok()?;
    // The file itself may be missing, and so may its folder.
    let real = |path: &Path| {
        let there = path.ancestors().find(|it| it.exists())?;
        Some(there.canonicalize().ok()?.join(path.strip_prefix(there).ok()?))
    };
    let path = real(&full)?.strip_prefix(real(&root.folder)?).ok()?.to_owned();
    Some(path.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// The path on this system of a path in the project.
fn on_disk(root: &Path, path: &str) -> PathBuf {
    path.split('/').fold(root.to_owned(), |folder, it| folder.join(it))
}
