//! The stages that are measured.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

use clap::ValueEnum;
use cpu_time::ProcessTime;
use statespec_codegen::diagnostic::{Diagnostic, Diagnostics, Levels, Style};
use statespec_codegen::project::Project;
use statespec_codegen::report::{RenderOptions, Report, Status};
use statespec_codegen::source::{Input, Sources};
use statespec_codegen::sync::{self, Mode};
use statespec_lang::check::check;
use statespec_lang::lower::{Loaded, load};
use statespec_lang::output::Outputs;
use statespec_lang::yaml;

use crate::specs::{self, Emits, Size};

/// A part of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// The yardstick: the texts to trees of YAML.
    Parse,
    /// Parsing, and the way to the model with everything that must be right about it.
    Load,
    /// Loading, and the lints.
    Lint,
    /// Loading, and the Rust as texts.
    Rust,
    /// Loading, and the machines in TypeScript, Python and Go as texts.
    Languages,
    /// Loading, and all outputs as texts.
    Outputs,
    /// Loading, all outputs, and files written where none were.
    Write,
    /// All outputs, and comparing with files that are up to date.
    Clean,
    /// The same where one file is stale.
    Stale,
}

/// The result of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// Wall-clock seconds.
    pub(crate) wall: f64,
    /// CPU seconds of all threads together.
    pub(crate) cpu: f64,
    /// The peak memory of the process in MiB, if the system reports it: including the specs and all preparation.
    pub(crate) peak: f64,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6} {:.6} {:.1}", self.wall, self.cpu, self.peak)
    }
}

impl FromStr for Measured {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let numbers: Vec<f64> = text.split_whitespace().map_while(|it| it.parse().ok()).collect();
        let [wall, cpu, peak] = numbers[..] else { return Err(()) };
        Ok(Measured { wall, cpu, peak })
    }
}

impl Stage {
    /// All stages; the first one is the reference for the others.
    pub(crate) const ALL: [Stage; 9] =
        [Stage::Parse, Stage::Load, Stage::Lint, Stage::Rust, Stage::Languages, Stage::Outputs, Stage::Write, Stage::Clean, Stage::Stale];

    /// Its name on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Load => "load",
            Stage::Lint => "lint",
            Stage::Rust => "rust",
            Stage::Languages => "languages",
            Stage::Outputs => "outputs",
            Stage::Write => "write",
            Stage::Clean => "clean",
            Stage::Stale => "stale",
        }
    }

    /// Its name on the page.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Stage::Parse => "parse only",
            Stage::Load => "load",
            Stage::Lint => "load and lint",
            Stage::Rust => "Rust",
            Stage::Languages => "TypeScript, Python and Go",
            Stage::Outputs => "all outputs",
            Stage::Write => "write everything",
            Stage::Clean => "`check`, nothing to do",
            Stage::Stale => "`check`, one file stale",
        }
    }

    /// Executes the stage once.
    pub(crate) fn measure(self, size: Size) -> Measured {
        let specs = specs::project(size);
        let Ok(folder) = tempfile::tempdir() else { fail("there is no place for temporary files") };
        match self {
            Stage::Parse => timed(|| parse(&specs)),
            Stage::Load => timed(|| _ = std::hint::black_box(load(&specs))),
            Stage::Lint => timed(|| _ = std::hint::black_box(lint(&load(&specs)))),
            Stage::Rust => timed(|| make(&load(&specs), Emits::Rust)),
            Stage::Languages => timed(|| make(&load(&specs), Emits::Languages)),
            Stage::Outputs => timed(|| make(&load(&specs), Emits::All)),
            Stage::Write => timed(|| run(&specs, folder.path(), Mode::Write { force: false }, Status::Clean)),
            Stage::Clean => {
                run(&specs, folder.path(), Mode::Write { force: false }, Status::Clean);
                timed(|| run(&specs, folder.path(), Mode::Check, Status::Clean))
            }
            Stage::Stale => {
                run(&specs, folder.path(), Mode::Write { force: false }, Status::Clean);
                spoil(&folder.path().join("docs/machines/machine_0000.md"));
                timed(|| run(&specs, folder.path(), Mode::Check, Status::Findings))
            }
        }
    }
}

fn fail(why: &str) -> ! {
    eprintln!("error: {why}");
    std::process::exit(1)
}

fn timed(work: impl FnOnce()) -> Measured {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    work();
    Measured { wall: wall.elapsed().as_secs_f64(), cpu: cpu.elapsed().as_secs_f64(), peak: peak() }
}

/// The peak memory as reported by Linux; 0 on other systems.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib: f64 = line.and_then(|it| it.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0.0);
    kib / 1024.0
}

/// Parses every text with the parser and the number of threads that loading uses.
fn parse(specs: &[Input]) {
    let mut sources = Sources::default();
    let ids: Vec<_> = specs.iter().map(|it| sources.add(it.path.clone(), &it.text)).collect();
    let n_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for share in ids.chunks(ids.len().div_ceil(n_threads)) {
            let sources = &sources;
            scope.spawn(move || {
                let mut diagnostics = Diagnostics::default();
                for id in share {
                    std::hint::black_box(yaml::parse(sources, *id, &mut diagnostics));
                }
                assert!(diagnostics.finish().is_empty(), "a spec is no YAML");
            });
        }
    });
}

/// The findings of the lints on a model.
fn lint(loaded: &Loaded) -> Vec<Diagnostic> {
    loaded.model.iter().flat_map(|model| check(model, &Levels::default())).collect()
}

/// The outputs of a project.
fn outputs<'a>(project: &'a Project, loaded: &'a Loaded) -> Outputs<'a> {
    match loaded.model.as_ref().map(|model| project.outputs(&loaded.sources, model)) {
        Some(Ok(outputs)) if !outputs.files.is_empty() => outputs,
        _ => fail("there is nothing to generate"),
    }
}

/// Generates files as texts, and drops each one immediately.
fn make(loaded: &Loaded, emits: Emits) {
    let project = specs::configured(Path::new("."), emits);
    outputs(&project, loaded).each_file(|path, _, made| match made {
        Ok(made) => _ = std::hint::black_box(made.text),
        Err(error) => fail(&format!("{path}: {error}")),
    });
}

/// Runs the whole generator, as the command line does.
fn run(specs: &[Input], root: &Path, mode: Mode, expected: Status) {
    let loaded = load(specs);
    std::hint::black_box(lint(&loaded));
    let project = specs::configured(root, Emits::All);
    let options = RenderOptions { full_diff: false, style: Style::Plain };
    let run = sync::run(&project.places(), outputs(&project, &loaded), &loaded.sources, mode);
    let report = Report::of_run(&run, &loaded.sources, options);
    assert_eq!(report.status, expected, "{}", report.text);
}

/// Replaces a page by the output of an older spec: the same page without one line, and with a matching digest.
fn spoil(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_default();
    let shorter: Vec<&str> = text.lines().filter(|it| !it.contains("state_001")).collect();
    assert_ne!(shorter.len(), text.lines().count(), "there is nothing to take out of {}", path.display());
    if let Err(error) = fs::write(path, shorter.join("\n") + "\n") {
        fail(&error.to_string());
    }
}
