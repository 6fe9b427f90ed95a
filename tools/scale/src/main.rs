//! The growth of time and memory with the size of a project: measured, and written into the book.
//!
//! `cargo scale` measures every size and stage, each in a process of its own, and writes
//! `docs/evidence/scale.md` and its plot. The tests measure no times.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints")]

mod page;
mod plot;
mod specs;
mod stage;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::{Parser, Subcommand};
use statespec_rust::root::Root;

use specs::Size;
use stage::{Measured, Stage};

/// That of the command.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures how time and memory grow with the size of a project.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,

    /// How often each point is measured; the median by processor time counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,

    /// Where the page and its plot are written; `docs/evidence` of this repository if omitted.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Task {
    /// Measures one stage at one size in this process, and prints the numbers.
    One {
        /// What is measured.
        stage: Stage,
        /// How many machines.
        machines: usize,
        /// How many states each has; there are four edges for each.
        states: usize,
        /// How many parts the system has.
        #[arg(default_value_t = 0)]
        parts: usize,
    },
}

/// The sizes of one kind, and the quantity that grows in them.
struct Series {
    title: &'static str,
    /// The text under the title.
    about: &'static str,
    grows: &'static str,
    sizes: Vec<Size>,
}

/// Four edges for each state.
fn size(n_machines: usize, n_states: usize, n_parts: usize) -> Size {
    Size { n_machines, n_states, n_edges: 4 * n_states, n_parts }
}

fn series() -> [Series; 3] {
    [
        Series {
            title: "Machines of 100 states and 400 edges",
            about: "Files are parsed, lowered and written in parallel, with one thread per core.",
            grows: "machines",
            sizes: [10, 30, 100, 300, 1000].map(|it| size(it, 100, 0)).to_vec(),
        },
        Series {
            title: "One machine",
            about: "A file is processed by one thread at a time.\nMachines of more than 400 states get no diagram.",
            grows: "states",
            sizes: [100, 300, 1000, 3000, 10_000].map(|it| size(1, it, 0)).to_vec(),
        },
        Series {
            title: "One system over as many machines of 100 states",
            about: "Each part has its own machine; rules, links and invariants connect every part to the one before it.\nThe Rust of a transaction names all parts that its links can reach, here all later parts; its size is quadratic in the number of parts.",
            grows: "parts",
            sizes: [2, 5, 10, 20].map(|it| size(it, 100, it)).to_vec(),
        },
    ]
}

/// The results of all stages at one size, in the order of [`Stage::ALL`].
type Point = Vec<Measured>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(Task::One { stage, machines, states, parts }) = arguments.command {
        let measured = stage.measure(size(machines, states, parts));
        println!("{measured}");
        return ExitCode::SUCCESS;
    }
    let all = series();
    let start = Instant::now();
    let result = (|| -> Result<(), String> {
        let mut points = Vec::new();
        for series in &all {
            points.push(series.sizes.iter().map(|it| point(*it, Cores::All, arguments.runs)).collect::<Result<Vec<Point>, _>>()?);
        }
        // If the system has no `taskset`, the page omits this measurement.
        let on_one = point(all[0].sizes[all[0].sizes.len() - 1], Cores::One, 1).ok();
        let here = || Root::of_process().map(|it| it.folder.join("docs/evidence")).map_err(|error| error.to_string());
        let out = arguments.out.map_or_else(here, Ok)?;
        let write = |name: &str, text: String| std::fs::write(out.join(name), text).map_err(|error| format!("{name}: {error}"));
        write("scale.svg", plot::plot(&all, &points))?;
        write("scale.md", page::page(&all, &points, on_one.as_ref(), start.elapsed()))
    })();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The number of cores that a process may use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cores {
    /// All available cores.
    All,
    /// One core, by `taskset` of util-linux.
    One,
}

/// Measures all stages at one size, each in separate processes, so that none inherits another's memory.
fn point(size: Size, cores: Cores, n_runs: usize) -> Result<Point, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let one = |stage: Stage| {
        let mut runs = Vec::new();
        for _ in 0..n_runs.max(1) {
            let mut command = match cores {
                Cores::All => Command::new(&program),
                Cores::One => {
                    let mut taskset = Command::new("taskset");
                    taskset.args(["-c", "0"]).arg(&program);
                    taskset
                }
            };
            let numbers = [size.n_machines, size.n_states, size.n_parts].map(|it| it.to_string());
            let output = command.args(["one", stage.word()]).args(numbers).output().map_err(|error| error.to_string())?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let failed = || format!("{} failed: {}", stage.word(), String::from_utf8_lossy(&output.stderr));
            runs.push(printed.parse::<Measured>().map_err(|()| failed())?);
        }
        runs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        let median = runs[runs.len() / 2];
        eprintln!("{size:?} {}: {median}", stage.word());
        Ok(median)
    };
    Stage::ALL.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use statespec_codegen::diagnostic::{Style, render};
    use statespec_lang::lower::load;

    use super::specs::project;
    use super::*;

    #[test]
    fn projects_of_any_size_are_right_and_as_large_as_they_say() {
        for (n_machines, n_states, n_parts) in [(1, 2, 0), (3, 30, 2), (2, 100, 2), (1, 1000, 0), (20, 30, 20)] {
            let size = Size { n_machines, n_states, n_edges: n_states * 4, n_parts };
            let loaded = load(&project(size));
            let messages = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
            assert_eq!(messages, "", "{size:?}");
            let model = loaded.model.unwrap();
            assert_eq!(model.machines.len(), n_machines);
            assert_eq!(model.systems.len(), usize::from(n_parts > 0));
            assert!(model.machines.iter().all(|it| it.states.len() == n_states && it.edges.len() == n_states * 4));
        }
    }
}
