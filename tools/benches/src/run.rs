//! Instructions and time per event.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use agent_run::{CONTENDERS, FLOOR};

use crate::results::{Run, output};
use crate::{rustc, target};

/// The number of events of a pass, the same as in `drive`.
const N_EVENTS: f64 = 1e6;

/// Measures all contenders, after a check that they are the same machine.
pub fn measure(rounds: usize) -> Result<Vec<Run>, String> {
    eprintln!("every contender is held against the first one, and none of ours may allocate");
    output(rustc::cargo().args(["test", "--quiet", "--release", "--package", "agent-run"]))?;
    output(rustc::cargo().args(["build", "--quiet", "--release", "--package", "agent-run"]))?;
    let times = output(Command::new(drive()).args(["time", &rounds.to_string()]))?;
    let times: BTreeMap<&str, f64> =
        times.lines().filter_map(|it| it.split_once('\t')).filter_map(|(name, it)| Some((name, it.parse().ok()?))).collect();
    let time = |name| times.get(name).copied().ok_or_else(|| format!("no time for {name}"));
    let floor = (pass(FLOOR.name)?, time(FLOOR.name)?);
    let mut runs = Vec::new();
    for contender in CONTENDERS {
        let name = contender.name;
        eprintln!("counting instructions: {name}");
        let instructions = (pass(name)? - floor.0) / N_EVENTS;
        runs.push(Run { name: name.to_owned(), instructions, nanoseconds: time(name)? - floor.1 });
    }
    Ok(runs)
}

/// The instructions of one pass: the difference of two passes and one, so that only the loop is counted.
fn pass(name: &str) -> Result<f64, String> {
    Ok(instructions(2, name)? - instructions(1, name)?)
}

fn instructions(passes: usize, name: &str) -> Result<f64, String> {
    let file = target().join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
    output(valgrind.arg(drive()).args(["count", &passes.to_string(), name]))?;
    let counted = std::fs::read_to_string(&file).map_err(|it| it.to_string())?;
    let summary = counted.lines().find_map(|it| it.strip_prefix("summary: "));
    summary.and_then(|it| it.trim().parse().ok()).ok_or_else(|| "callgrind wrote no summary".into())
}

fn drive() -> PathBuf {
    target().join("release/drive")
}
