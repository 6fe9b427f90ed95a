//! `cargo trust`: measures how much the check can be trusted.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use peak_alloc::PeakAlloc;
use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::{Format, RenderOptions};
use statespec_codegen::sync::Mode;
use trust::fuzz::{self, record, record::Bounds};
use trust::mutants::{self, Amount};
use trust::random::compile::Workshop;
use trust::{alarms, hostile, losses, measured, planted, random};
use xtask::Scope;

/// Counts memory, for the hostile specs.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The page with the results.
const PAGE: &str = "docs/evidence/trust.md";

/// Measures how much the check can be trusted.
#[derive(Debug, Parser)]
#[command(name = "cargo trust", bin_name = "cargo trust")]
struct Cli {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Debug, Subcommand)]
enum Measure {
    /// Check a copy of the repository in circumstances that are no drift: other places, users, locales.
    Alarms {
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
    /// Run the targets of `tools/fuzz/` under cargo-fuzz, and add to the record of executions.
    Fuzz {
        /// Executions of each target.
        #[arg(long, default_value_t = 100_000)]
        runs: u64,
        /// At most so many seconds for each target; 0 for as long as it takes.
        #[arg(long, default_value_t = 0)]
        seconds: u64,
        /// The longest input, in bytes.
        #[arg(long, default_value_t = 16_384)]
        max_len: u64,
        /// Only this target.
        #[arg(long, value_parser = PossibleValuesParser::new(fuzz::TARGETS.iter().map(|it| it.0)))]
        target: Option<String>,
        /// Write the sums into the book.
        #[arg(long)]
        write: bool,
    },
    /// Write the seeds and the dictionary of `tools/fuzz/`.
    Seeds,
    /// Run `gen` on hostile projects; count their time and memory.
    Hostile {
        /// Random machines that multiply, after the listed cases.
        #[arg(long, default_value_t = 200)]
        random: u64,
        /// The seed of the first of these; the others follow.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Only those whose name contains this.
        #[arg(long, default_value = "")]
        only: String,
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
    /// Compile random machines and systems, as files and as derives, with warnings denied.
    Random {
        /// How many machines.
        #[arg(long, default_value_t = 100)]
        machines: u64,
        /// How many systems.
        #[arg(long, default_value_t = 50)]
        systems: u64,
        /// The seed of the first of each; the others follow.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Hold the emitted files of so many machines, and of so many systems, against the interpreter, too.
        #[arg(long, default_value_t = 0)]
        behave: u64,
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
    /// Hold what lints and exploration say about random machines against enumerated values.
    Verdicts {
        /// How many machines.
        #[arg(long, default_value_t = 1_000)]
        machines: u64,
        /// The seed of the first machine; the others follow.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
    /// Check a copy of the repository that stands somewhere else.
    Check {
        /// Its root.
        root: PathBuf,
    },
    /// Attack what people write: links, other projects, foreign files, edits during runs, killed runs.
    Losses {
        /// The units of each row of the table; a unit has one to four cases.
        #[arg(long, default_value_t = 10)]
        amount: usize,
        /// The seed of the first case of each row; the others follow.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
    /// Take states and edges from files of repositories that agree, one at a time, and count what `scan` finds.
    Planted {
        /// The repositories.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Which ones are taken.
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Break a copy of the repository, one change at a time, and count what the check finds.
    Mutants {
        /// Every single mutant: hours.
        #[arg(long, conflicts_with = "sample")]
        all: bool,
        /// At most so many of each row of the table.
        #[arg(long, default_value_t = 100)]
        sample: usize,
        /// Which ones a sample picks.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only the rows whose first column contains this.
        #[arg(long, default_value = "", conflicts_with = "write")]
        only: String,
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
}

fn say(text: &str) {
    // A closed stdout does not change the exit code of the run.
    let _ = anstream::stdout().write_all(text.as_bytes());
}

/// Writes a table into the book.
fn write_table(name: &str, table: &str) -> io::Result<()> {
    measured::write(&xtask::root().join(PAGE), name, table)
}

fn mutants(amount: Amount, only: &str, write: bool) -> io::Result<u8> {
    let start = Instant::now();
    let table = mutants::run(&xtask::root(), amount, only, &mut |it| say(&format!("{it} …\n")))?;
    say(&table.markdown());
    table.failures.iter().for_each(|it| say(&format!("{it}\n")));
    let sum = table.total();
    say(&format!("{} mutants, {} failures, {:.0?}\n", sum.mutants + sum.equal, table.failures.len(), start.elapsed()));
    if write {
        write_table("mutants", &table.markdown())?;
    }
    Ok(if table.failures.is_empty() { 0 } else { 100 })
}

fn alarms(write: bool) -> io::Result<u8> {
    let results = alarms::run(&xtask::root(), &std::env::current_exe()?)?;
    say(&alarms::markdown(&results));
    let said: Vec<&String> = results.iter().filter_map(|(_, result)| result.as_ref().err()).collect();
    said.iter().for_each(|it| say(it));
    if write {
        write_table("alarms", &alarms::markdown(&results))?;
    }
    Ok(if said.is_empty() { 0 } else { 100 })
}

fn losses(amount: usize, seed: u64, write: bool) -> io::Result<u8> {
    let start = Instant::now();
    let rows = losses::run(&std::env::current_exe()?, amount, seed, &mut |it| say(&format!("{it} …\n")))?;
    say(&losses::markdown(&rows));
    let lost: Vec<&String> = rows.iter().flat_map(|it| &it.outcome.lost).collect();
    lost.iter().for_each(|it| say(&format!("{it}\n")));
    say(&format!("{} failures, {:.0?}\n", lost.len(), start.elapsed()));
    if write {
        write_table("losses", &losses::markdown(&rows))?;
    }
    Ok(if lost.is_empty() { 0 } else { 100 })
}

fn planted(folders: &[PathBuf], seed: u64) -> io::Result<u8> {
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let (rows, n_repositories) = planted::run(&folders, seed, &mut |it| say(&format!("{it}\n")))?;
    rows.values().flat_map(|it| &it.missed).for_each(|it| say(&format!("not found: {it}\n")));
    say(&planted::markdown(&rows));
    say(&format!("in {n_repositories} repositories with sources that agree\n"));
    Ok(0)
}

fn fuzz(bounds: Bounds, only: Option<&str>, write: bool) -> io::Result<u8> {
    let folder = xtask::root().join("tools/fuzz");
    for (target, _) in fuzz::TARGETS.iter().filter(|(name, _)| only.is_none_or(|it| it == *name)).filter(|_| bounds.runs > 0) {
        say(&format!("{target} …\n"));
        record::run(&folder, target, bounds)?;
    }
    let table = record::markdown(&folder)?;
    say(&table);
    if write {
        write_table("fuzz", &table)?;
    }
    Ok(0)
}

fn hostile(only: &str, seeds: std::ops::Range<u64>, write: bool) -> io::Result<u8> {
    let folder = tempfile::tempdir()?;
    let mut outcomes = Vec::new();
    let mut n_bad = 0;
    for case in hostile::cases().filter(|it| it.name.contains(only)) {
        let outcome = hostile::run(*case, folder.path(), &ALLOCATOR)?;
        let late = outcome.run.is_late().then(|| format!("{:.1?}", outcome.run.time));
        for objection in outcome.objection().into_iter().chain(late) {
            n_bad += 1;
            say(&format!("{}: {objection}\n", case.name));
        }
        outcomes.push(outcome);
    }
    say(&hostile::markdown(&outcomes));
    let (mut n_read, mut n_refused) = (0, 0);
    for seed in seeds {
        let run = hostile::measure(hostile::spec(seed).as_bytes(), Vec::new(), folder.path(), &ALLOCATOR)?;
        *(if run.accepted() { &mut n_read } else { &mut n_refused }) += 1;
        let late = run.is_late().then(|| format!("{:.1?} for {} bytes of outputs", run.time, run.outputs));
        for objection in run.objection_to_numbers().into_iter().chain(late) {
            n_bad += 1;
            say(&format!("random {seed}: {objection}\n"));
        }
    }
    say(&format!("of the random machines, {n_read} were read, and {n_refused} refused\n"));
    if write {
        write_table("hostile", &hostile::markdown(&outcomes))?;
    }
    Ok(if n_bad == 0 { 0 } else { 100 })
}

fn random(bounds: random::run::Bounds, write: bool) -> io::Result<u8> {
    let root = xtask::root();
    let place = |name: &str| root.join("target/random").join(name);
    let kept = place("failed");
    // Cargo checks one crate with one thread.
    let workshops = std::thread::available_parallelism()?.get();
    let workshop = |number: usize| {
        let place = |name: &str| place(&format!("{name}_{number}"));
        Workshop { root: root.clone(), folder: place("crate"), target: place("build"), kept: Some(kept.clone()) }
    };
    let workshops: Vec<Workshop> = (0..workshops).map(workshop).collect();
    if kept.exists() {
        std::fs::remove_dir_all(&kept)?;
    }
    let report = random::run::run(&workshops, bounds, &mut |it| say(&format!("{it}\n")))?;
    for (project, refusal) in &report.refused {
        say(&format!("\n{project} is refused: {refusal}\n"));
    }
    for failure in &report.failures {
        let error = failure.errors.first().map_or("", String::as_str);
        say(&format!("\n{} as {}: {error}\n", failure.project, failure.form.word()));
    }
    for (form, cause, n) in report.causes() {
        say(&format!("{n:6} {:6} {cause}\n", form.word()));
    }
    say(&report.markdown());
    if write {
        write_table("random", &report.markdown())?;
    }
    if !report.failures.is_empty() {
        say(&format!("The files of what fails are in {}\n", kept.display()));
    }
    let missing = report.coverage.missing();
    if !missing.is_empty() {
        say(&format!("no spec uses {}\n", missing.join(", ")));
    }
    Ok(if report.failures.is_empty() { 0 } else { 100 })
}

fn verdicts(seeds: std::ops::Range<u64>, write: bool) -> io::Result<u8> {
    let outcome = statespec_checker::random::compare(seeds);
    say(&outcome.markdown());
    say(&outcome.text());
    if write {
        write_table("verdicts", &outcome.markdown())?;
    }
    Ok(if outcome.disagreements.is_empty() { 0 } else { 100 })
}

fn check(root: &Path) -> u8 {
    let report = xtask::generate(root, Scope::All, Mode::Check, RenderOptions { full_diff: false, style: Style::Plain });
    say(&report.print(Format::Text));
    report.status.exit_code()
}

fn main() -> ExitCode {
    // The command line as users have it: runs of it are killed, so it needs a process of its own.
    if std::env::args_os().nth(1).is_some_and(|it| it == "statespec") {
        return cargo_statespec::main(cargo_statespec::Caller::Cargo);
    }
    let result = match Cli::parse().measure {
        Measure::Mutants { all, sample, seed, only, write } => {
            mutants(if all { Amount::All } else { Amount::Sample(sample, seed) }, &only, write)
        }
        Measure::Alarms { write } => alarms(write),
        Measure::Planted { folders, seed } => planted(&folders, seed),
        Measure::Losses { amount, seed, write } => losses(amount, seed, write),
        Measure::Fuzz { runs, seconds, max_len, target, write } => fuzz(Bounds { runs, seconds, max_len }, target.as_deref(), write),
        Measure::Seeds => record::prepare(&xtask::root().join("tools/fuzz")).map(|()| 0),
        Measure::Hostile { random, seed, only, write } => hostile(&only, seed..seed.saturating_add(random), write),
        Measure::Random { machines, systems, seed, behave, write } => {
            random(random::run::Bounds { machines, systems, seed, behave }, write)
        }
        Measure::Verdicts { machines, seed, write } => verdicts(seed..seed.saturating_add(machines), write),
        Measure::Check { root } => Ok(check(&root)),
    };
    result.map(ExitCode::from).unwrap_or_else(|error| {
        say(&format!("error: {error}\n"));
        ExitCode::FAILURE
    })
}
