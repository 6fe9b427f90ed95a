//! Attempts to make a run lose what a person wrote: links, other projects, foreign files, concurrent edits, kills.
//!
//! Every case creates a project from a seed, runs the command line or the library on it, and compares every byte that is not
//! an output of the project.

mod ground;
mod kills;
mod races;
mod runs;

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use ground::Lab;

/// The result of one case, or of all cases of a row.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The attempts: runs, or edits saved during runs.
    pub tried: usize,
    /// The files that the runs wrote or removed, as evidence that they did their work.
    pub changed: usize,
    /// What was lost.
    pub lost: Vec<String>,
}

/// A row of the table.
#[derive(Debug, Clone)]
pub struct Row {
    /// What is attacked.
    pub what: &'static str,
    /// The sum of its cases.
    pub outcome: Outcome,
}

/// Runs one case, chosen by its seed.
type Case = fn(&Lab<'_>, u64) -> io::Result<Outcome>;

/// The rows, with the number of seeds for each unit of the amount: some cases take longer than others.
const CASES: &[(&str, usize, Case)] = &[
    ("a place, page, output or spec behind a symbolic link", 4, runs::linked),
    ("`new --page` and `import --to` with a path outside the project", 2, runs::outside),
    ("an edit of a page saved in place while `gen` runs", 1, races::in_place),
    ("an edit of a page saved by renaming while `gen` runs", 1, races::renamed),
    ("a file created at the path of an output while `gen` runs", 1, races::created),
    ("an edit of an orphan saved while `gen` runs", 1, races::orphan),
    ("projects, worktrees and submodules below the root", 4, runs::nested),
    ("`gen` among files of other people", 4, runs::plain),
    ("`gen --only` among files of other people", 4, runs::only),
    ("`gen --force` among files of other people, in owned folders too", 4, runs::force),
    ("`gen --remove` among files of other people", 4, runs::remove),
    ("`owned` folders that hold specs, templates or the configuration", 2, runs::owned),
    ("`gen` ended by `kill -9`", 1, kills::killed),
    ("`gen` that stops in the middle", 1, races::stopped),
    ("the permissions of an imported spec", 1, runs::imported),
];

/// Runs every case with seeds from `seed` on. `program` is this crate's own, whose `statespec` subcommand is the command line.
///
/// # Errors
///
/// If a project cannot be made.
pub fn run(program: &Path, amount: usize, seed: u64, progress: &mut dyn FnMut(&str)) -> io::Result<Vec<Row>> {
    let lab = Lab { program };
    let mut rows = Vec::new();
    for (what, n_cases, case) in CASES {
        progress(what);
        let mut sum = Outcome::default();
        for seed in (seed..).take(amount * n_cases) {
            let one = case(&lab, seed)?;
            sum.tried += one.tried;
            sum.changed += one.changed;
            sum.lost.extend(one.lost.into_iter().map(|it| format!("{what}: seed {seed}: {it}")));
        }
        rows.push(Row { what, outcome: sum });
    }
    Ok(rows)
}

/// The rows as Markdown.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::from("| Attack | Tried | Files changed | Failed |\n| --- | ---: | ---: | ---: |\n");
    for Row { what, outcome } in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {what} | {} | {} | {} |", outcome.tried, outcome.changed, outcome.lost.len());
    }
    let sum = |of: fn(&Outcome) -> usize| rows.iter().map(|it| of(&it.outcome)).sum::<usize>();
    let _ = writeln!(text, "| **All** | {} | {} | {} |", sum(|it| it.tried), sum(|it| it.changed), sum(|it| it.lost.len()));
    text
}
