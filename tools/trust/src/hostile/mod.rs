//! Hostile specs and templates: `gen` accepts or refuses each within a second, in little memory, with a message that
//! has a location and does not control the terminal.

mod expansion;
mod outside;
mod random;
mod texts;

pub use random::spec;

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

use peak_alloc::PeakAlloc;
use statespec_codegen::config;
use statespec_codegen::diagnostic::Style;
use statespec_codegen::project::{Extras, Project};
use statespec_codegen::report::{Format, RenderOptions, Report, Status};
use statespec_codegen::sync::Mode;

/// The limit of memory beyond the input and [`MEMORY_PER_OUTPUT`], in bytes.
pub const MAX_MEMORY: usize = 64 << 20;

/// The memory for each byte of output: the syntax tree of emitted Rust, and of conformance tests, is larger than its text.
pub const MEMORY_PER_OUTPUT: usize = 160;

/// The limit of time beyond [`TIME_PER_MIB`], in a release build.
pub const MAX_TIME: Duration = Duration::from_secs(1);

/// The time for each MiB of output.
pub const TIME_PER_MIB: Duration = Duration::from_millis(200);

/// The configuration of a case that has none of its own: every kind of output.
const EVERYTHING: &str = "[json]\nout = \"model\"\n[rust]\nout = \"src\"\n[conformance]\nout = \"tests\"\n";

/// The spec of a case.
const SPEC: &str = "machines/hostile.yaml";

/// One hostile project.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its description.
    pub name: &'static str,
    /// The bytes of its spec.
    pub make: fn() -> Vec<u8>,
    /// Its other files, each with its path.
    pub others: fn() -> Vec<(&'static str, String)>,
    /// Whether it is valid nevertheless.
    pub accepted: bool,
    /// A part of a message about it.
    pub says: Option<&'static str>,
}

/// The result of a case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// What its run took, and said.
    pub run: Run,
}

/// What a run of `gen` took, and said.
#[derive(Debug, Clone)]
pub struct Run {
    /// The size of its files, in bytes.
    pub size: usize,
    /// The size of its outputs, in bytes.
    pub outputs: u64,
    /// The time from the files on the disk to the messages, with all outputs written.
    pub time: Duration,
    /// The peak memory beyond the size of the files, in bytes.
    pub memory: usize,
    /// The report.
    pub report: Report,
}

impl Outcome {
    /// The problem of the result, if any, regardless of the time, which depends on the computer.
    pub fn objection(&self) -> Option<String> {
        let messages = &self.run.report.text;
        if self.run.accepted() != self.case.accepted {
            return Some(format!("accepted: {}\n{}", self.run.accepted(), start(messages)));
        }
        if let Some(expected) = self.case.says.filter(|it| !messages.contains(it)) {
            return Some(format!("`{expected}` is missing: {}", start(messages)));
        }
        let files = (self.case.others)().into_iter().map(|it| it.0).chain([SPEC]);
        self.run.objection(files)
    }
}

impl Run {
    /// Whether there are outputs.
    pub fn accepted(&self) -> bool {
        self.report.status != Status::CouldNotRun
    }

    /// Whether it took too long, on this computer.
    pub fn is_late(&self) -> bool {
        self.time > MAX_TIME + TIME_PER_MIB.mul_f64(self.outputs as f64 / 1_048_576.0)
    }

    /// The problem of a random spec, which only a limit refuses.
    pub fn objection_to_numbers(&self) -> Option<String> {
        let mut errors = self.report.text.lines().filter(|it| it.starts_with("error[") && !self.accepted());
        // A denied lint hinders no output.
        let other = errors.find(|it| !["error[yaml::limit]", "error[lint::"].iter().any(|code| it.starts_with(code)));
        other.map(|it| format!("refused, but by no limit: {it}")).or_else(|| self.objection([SPEC]))
    }

    /// The problem of a project of these files.
    fn objection(&self, files: impl IntoIterator<Item = &'static str>) -> Option<String> {
        let messages = &self.report.text;
        let for_outputs = usize::try_from(self.outputs).unwrap_or(usize::MAX).saturating_mul(MEMORY_PER_OUTPUT);
        if self.memory >= MAX_MEMORY.saturating_add(for_outputs) {
            return Some(format!("{} MiB of memory", self.memory >> 20));
        }
        if messages.starts_with("error[spec::missing-key]") {
            return Some(format!("refused for the wrong reason: {}", start(messages)));
        }
        let located = files.into_iter().any(|it| messages.contains(&format!("{it}:")) || messages.contains(&format!("`{it}`: ")));
        if !self.accepted() && !located {
            return Some(format!("no place in: {}", start(messages)));
        }
        let github = self.report.print(Format::Github);
        let text = self.report.print(Format::Text);
        text.lines()
            .chain(github.lines())
            .find_map(controls)
            .or_else(|| {
                let n_commands = github.lines().filter(|it| it.starts_with("::")).count();
                let n_found = self.report.annotations.len();
                let commands = (n_commands != n_found).then(|| format!("{n_commands} commands for {n_found} annotations"));
                let injected = text.lines().find(|it| is_command(it.trim_start()) || it.contains("##["));
                commands.or_else(|| injected.map(|it| format!("a workflow command: {it}")))
            })
            .or_else(|| (text.len() > 1 << 20).then(|| format!("{} bytes of messages", text.len())))
    }
}

/// The complaint about a line of output with characters that control the terminal, or turn the direction of text.
fn controls(line: &str) -> Option<String> {
    let turns = |it: char| matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    line.contains(|it: char| it.is_control() || turns(it)).then(|| format!("control characters in: {}", line.escape_debug()))
}

/// Whether GitHub Actions takes a line of a log for a command.
fn is_command(line: &str) -> bool {
    line.starts_with("::") && !line.starts_with(":::")
}

fn start(messages: &str) -> String {
    messages.chars().take(2_000).collect()
}

/// All cases.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    texts::CASES.iter().chain(expansion::CASES).chain(outside::CASES)
}

/// Runs `gen` on a case in an empty folder.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(case: Case, folder: &Path, allocator: &PeakAlloc) -> io::Result<Outcome> {
    Ok(Outcome { case, run: measure(&(case.make)(), (case.others)(), folder, allocator)? })
}

/// Runs `gen` on a spec, with other files beside it.
///
/// # Errors
///
/// If a file cannot be written.
pub fn measure(spec: &[u8], others: Vec<(&'static str, String)>, folder: &Path, allocator: &PeakAlloc) -> io::Result<Run> {
    let root = folder.join("project");
    let mut size = 0;
    let mut put = |path: &str, bytes: &[u8]| {
        let full = root.join(path);
        full.parent().map_or(Ok(()), fs::create_dir_all)?;
        size += bytes.len();
        fs::write(full, bytes)
    };
    put(config::FILE, EVERYTHING.as_bytes())?;
    put(SPEC, spec)?;
    for (path, text) in others {
        put(path, text.as_bytes())?;
    }
    let options = RenderOptions { full_diff: true, style: Style::Plain };
    let before = allocator.current_usage();
    allocator.reset_peak_usage();
    let start = Instant::now();
    let report = match Project::open(&root) {
        Ok(project) => project.run(|_| Ok(Extras::default()), Mode::Write { force: false }, options),
        Err(unusable) => unusable.report(Style::Plain),
    };
    let time = start.elapsed();
    let memory = allocator.peak_usage().saturating_sub(before + size);
    let files = walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok).filter(|it| it.file_type().is_file());
    let written: u64 = files.filter_map(|it| it.metadata().ok()).map(|it| it.len()).sum();
    fs::remove_dir_all(root)?;
    Ok(Run { size, outputs: written.saturating_sub(size as u64), time, memory, report })
}

fn none() -> Vec<(&'static str, String)> {
    Vec::new()
}

const fn bad(name: &'static str, make: fn() -> Vec<u8>) -> Case {
    Case { name, make, others: none, accepted: false, says: None }
}

const fn good(name: &'static str, make: fn() -> Vec<u8>) -> Case {
    Case { name, make, others: none, accepted: true, says: None }
}

const fn odd(name: &'static str, says: &'static str, make: fn() -> Vec<u8>) -> Case {
    Case { name, make, others: none, accepted: true, says: Some(says) }
}

/// The outcomes as Markdown.
pub fn markdown(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| Project | Size | Verdict | Time | Memory beyond the input | Outputs |\n| --- | ---: | --- | ---: | ---: | ---: |\n",
    );
    for Outcome { case, run: it } in outcomes {
        let verdict = match case.says.filter(|_| case.accepted) {
            Some(lint) => format!("read, with `{lint}`"),
            None => (if it.accepted() { "read" } else { "refused" }).to_owned(),
        };
        let name = case.name.replace('|', "\\|");
        let (size, memory, outputs) = (amount(it.size as u64), amount(it.memory as u64), amount(it.outputs));
        text.push_str(&format!("| {name} | {size} | {verdict} | {:.0} ms | {memory} | {outputs} |\n", it.time.as_secs_f64() * 1e3));
    }
    text
}

fn amount(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
