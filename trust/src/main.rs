//! `cargo trust`: measures how much the check can be trusted.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use trust::measured;
use trust::mutants::{self, Amount};

/// Where the results stand.
const PAGE: &str = "docs/guide/trust.md";

/// Measures how much the check can be trusted.
#[derive(Debug, Parser)]
#[command(name = "cargo trust", bin_name = "cargo trust")]
struct Cli {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Debug, Subcommand)]
enum Measure {
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
        /// Write the table into the book.
        #[arg(long)]
        write: bool,
    },
}

fn say(text: &str) {
    // A reader that has gone away changes nothing about how the run ends.
    let _ = anstream::stdout().write_all(text.as_bytes());
}

fn main() -> ExitCode {
    match Cli::parse().measure {
        Measure::Mutants { all, sample, seed, write } => {
            let start = Instant::now();
            let amount = if all { Amount::All } else { Amount::Sample(sample, seed) };
            let table = match mutants::run(&xtask::root(), amount, &mut |it| say(&format!("{it} …\n"))) {
                Ok(table) => table,
                Err(error) => {
                    say(&format!("error: {error}\n"));
                    return ExitCode::FAILURE;
                }
            };
            say(&table.markdown());
            table.failures.iter().for_each(|it| say(&format!("{it}\n")));
            let sum = table.total();
            say(&format!("{} mutants, {} failures, {:.0?}\n", sum.mutants + sum.equal, table.failures.len(), start.elapsed()));
            if write && let Err(error) = measured::write(&xtask::root().join(PAGE), "mutants", &table.markdown()) {
                say(&format!("error: {error}\n"));
                return ExitCode::FAILURE;
            }
            ExitCode::from(if table.failures.is_empty() { 0 } else { 100 })
        }
    }
}
