//! Measures statespec against hand-written code and against its peers, and writes the page about it.

mod compile;
mod dependencies;
mod page;
mod plot;
mod results;
mod run;
mod rustc;
mod synthetic;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use statespec_rust::root::Root;

use results::Results;

/// Measures statespec against hand-written code and against its peers.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure everything, and write results, page and plot.
    Report {
        /// A try in a minute or two: few repetitions, small machines, nothing written but a page under the target folder.
        #[arg(long)]
        quick: bool,
        /// Measure only this; the other results stay as they are.
        #[arg(long)]
        only: Vec<Part>,
        /// Compile this often, and take the least.
        #[arg(long, default_value_t = 9)]
        rounds: usize,
        /// Compile only these peers; the page says that the others were left out.
        #[arg(long, conflicts_with = "skip_peers")]
        peer: Vec<String>,
        /// Compile no larger machines.
        #[arg(long, default_value_t = 2000)]
        max_states: usize,
        /// Compile no peers: for working on what is emitted.
        #[arg(long)]
        skip_peers: bool,
        /// Make no release builds of synthetic machines.
        #[arg(long)]
        skip_release: bool,
    },
    /// Write page and plot from the results that are there.
    Render,
    /// Print the synthetic machine as one contender has it.
    Source {
        /// The package name, such as `hand-match`.
        slug: String,
        /// How many states.
        n_states: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Run,
    Compile,
    Dependencies,
}

fn main() -> ExitCode {
    if let Some(log) = rustc::log_of_wrapper() {
        return rustc::wrap(&log);
    }
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), String> {
    let place = Place::of_results(&root().join("docs/evidence"));
    match command {
        Command::Render => page::write(&Results::read(&place.results)?, &place),
        Command::Report { quick, only, rounds, peer, max_states, skip_peers, skip_release } => {
            let rounds = if quick { 3 } else { rounds };
            let max_states = if quick { 100 } else { max_states };
            let peers = if skip_peers { compile::Peers::None } else { compile::Peers::of(&peer) };
            let effort = compile::Effort { quick, rounds, max_states, peers, skip_release };
            report(effort, &only, &place)
        }
        Command::Source { slug, n_states } => {
            let writing = synthetic::WRITINGS.iter().find(|it| it.slug == slug).ok_or_else(|| format!("there is no `{slug}`"))?;
            for (path, text) in (writing.files)(synthetic::Shape { n_states }) {
                print!("// {path}\n{text}");
            }
            Ok(())
        }
    }
}

fn report(effort: compile::Effort<'_>, only: &[Part], place: &Place) -> Result<(), String> {
    let quick = effort.quick;
    // The parts that are not measured stay as they are, where something was measured before.
    let mut results = if place.results.exists() { Results::read(&place.results)? } else { Results::default() };
    let in_target = quick.then(|| place.in_target(&target().join("quick"))).transpose()?;
    let place = in_target.as_ref().unwrap_or(place);
    let wanted = |part| only.is_empty() || only.contains(&part);
    results.describe_machine()?;
    if wanted(Part::Run) {
        results.run = run::measure(if quick { 5 } else { 50 })?;
    }
    if wanted(Part::Dependencies) {
        results.dependencies = dependencies::measure(if quick { 1 } else { effort.rounds.min(3) }, effort.peers)?;
    }
    if wanted(Part::Compile) {
        compile::measure(effort, |measured| {
            results.compile = measured.to_vec();
            results.write(&place.results)
        })?;
    }
    results.write(&place.results)?;
    page::write(&results, place)?;
    println!("see {}", place.page.display());
    Ok(())
}

/// The paths of results, page and plots.
#[derive(Debug)]
struct Place {
    results: PathBuf,
    page: PathBuf,
    plots: PathBuf,
}

impl Place {
    fn of_results(folder: &Path) -> Self {
        Place { results: folder.join("benchmarks.json"), page: folder.join("benchmarks.md"), plots: folder.to_owned() }
    }

    /// The same files in another folder, with a copy of the page to start from.
    fn in_target(&self, folder: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(folder).map_err(|it| it.to_string())?;
        let place = Place::of_results(folder);
        std::fs::copy(&self.page, &place.page).map_err(|it| format!("{}: {it}", self.page.display()))?;
        Ok(place)
    }
}

/// The repository. It is found when the program runs: two checkouts can share a target folder.
fn root() -> PathBuf {
    Root::of_process().expect("there is a current folder").folder
}

/// The folder of this workspace.
fn benches() -> PathBuf {
    root().join("tools/benches")
}

/// The target folder of this workspace.
fn target() -> PathBuf {
    benches().join("target")
}
