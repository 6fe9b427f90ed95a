//! Runs of the fuzzer, and the record of their results.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{TARGETS, seeds};

/// The record: target, executions, seconds of processor time, covered edges, longest input in bytes; one line for each run.
const RECORD: &str = "runs.tsv";

/// The limits of one run of the fuzzer.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Executions.
    pub runs: u64,
    /// Seconds; 0 for no limit of time.
    pub seconds: u64,
    /// The longest input, in bytes.
    pub max_len: u64,
}

/// Writes the seeds of all targets, and the dictionary, into the workspace of the fuzzer.
///
/// # Errors
///
/// If something cannot be written.
pub fn prepare(fuzz: &Path) -> io::Result<()> {
    for (name, _) in TARGETS {
        seeds::write(name, &fuzz.join("corpus").join(name))?;
    }
    fs::write(fuzz.join("dictionary.txt"), seeds::dictionary())
}

/// Runs one target under the fuzzer, and adds the results to the record.
///
/// # Errors
///
/// If it cannot be run; or a finding, with the fuzzer's output.
pub fn run(fuzz: &Path, target: &str, bounds: Bounds) -> io::Result<()> {
    let Bounds { runs, seconds: max_seconds, max_len } = bounds;
    // The build is not part of the recorded time.
    shell(fuzz, &format!("cargo fuzz build --sanitizer none {target}"))?;
    let fuzzer = format!(
        "cargo fuzz run --sanitizer none {target} -- -runs={runs} -max_total_time={max_seconds} -max_len={max_len} \
         -dict=dictionary.txt -timeout=20 -rss_limit_mb=3000 -print_final_stats=1"
    );
    // The shell reports the processor time of its children.
    let said = shell(fuzz, &format!("{fuzzer}; code=$?; times >&2; exit $code"))?;
    let n_done = said.lines().find_map(|it| it.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()).unwrap_or(0_u64);
    let n_edges = said.lines().rev().find_map(|it| it.split(" cov: ").nth(1)?.split(' ').next()?.parse().ok()).unwrap_or(0_u64);
    let seconds: f64 = said.lines().last().map(|it| it.split_whitespace().filter_map(seconds).sum()).unwrap_or(0.0);
    let mut record = OpenOptions::new().create(true).append(true).open(fuzz.join(RECORD))?;
    writeln!(record, "{target}\t{n_done}\t{seconds:.0}\t{n_edges}\t{max_len}")
}

/// The stderr of a script; if the script fails, the end of stderr as an error.
fn shell(folder: &Path, script: &str) -> io::Result<String> {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .env("RUSTC_BOOTSTRAP", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let tail: Vec<&str> = said.lines().rev().take(60).collect();
        return Err(io::Error::other(tail.into_iter().rev().collect::<Vec<_>>().join("\n")));
    }
    Ok(said)
}

/// The seconds in a time such as `1m2.5s`.
fn seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}

/// The sums of the record as Markdown.
///
/// # Errors
///
/// If there is none.
pub fn markdown(fuzz: &Path) -> io::Result<String> {
    let mut sums: BTreeMap<(String, u64), (u64, u64, u64)> = BTreeMap::new();
    for line in fs::read_to_string(fuzz.join(RECORD))?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |idx: usize| fields.get(idx).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
        let sum = sums.entry((fields[0].to_owned(), number(4))).or_default();
        *sum = (sum.0 + number(1), sum.1 + number(2), sum.2.max(number(3)));
    }
    let mut text =
        String::from("| Target | Longest input | Executions | CPU time | Edges covered |\n| --- | ---: | ---: | ---: | ---: |\n");
    for ((target, max_len), (n_runs, seconds, n_edges)) in &sums {
        text.push_str(&format!("| `{target}` | {max_len} B | {} | {seconds} s | {n_edges} |\n", grouped(*n_runs)));
    }
    let (n_runs, seconds) = sums.values().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    text.push_str(&format!("| **All** | | {} | {seconds} s | |\n", grouped(n_runs)));
    Ok(text)
}

/// A number with separators: `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(idx, digit): (usize, char)| {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) { format!(",{digit}") } else { String::from(digit) }
    };
    digits.chars().enumerate().map(comma).collect()
}
