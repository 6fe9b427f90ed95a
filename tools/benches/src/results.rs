//! The results and the machine on which they were measured: page and plots are generated from this file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// All results.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Results {
    /// The processor.
    pub cpu: String,
    /// The load average at the beginning, which shows other work on the machine during the measurement.
    #[serde(default)]
    pub load: f64,
    /// `rustc --version`.
    pub rustc: String,
    /// `valgrind --version`.
    pub valgrind: String,
    /// The versions of the peers, from the lock file.
    pub versions: BTreeMap<String, String>,
    /// Dispatch, in the order of the contenders.
    pub run: Vec<Run>,
    /// Building the dependencies, in the order of the contenders.
    pub dependencies: Vec<Dependency>,
    /// Compiling synthetic machines.
    pub compile: Vec<Compile>,
}

/// The time of one contender per event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    pub name: String,
    /// Instructions per event, without the loop.
    pub instructions: f64,
    /// Nanoseconds per event, without the loop.
    pub nanoseconds: f64,
}

/// The cost of a clean release build of a contender's dependencies.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// The number of compiled crates.
    pub n_crates: usize,
    /// Processor time, user and system, in seconds.
    pub cpu_seconds: f64,
}

/// The cost of compiling a synthetic machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Compile {
    pub name: String,
    pub n_states: usize,
    pub check: Option<Seconds>,
    pub release: Option<Seconds>,
    /// The reason why there is no number.
    pub reason: Option<String>,
}

/// Processor time, user and system.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Seconds {
    /// The minimum of all repetitions.
    pub least: f64,
    /// The time of an empty crate, measured alternately with it.
    pub floor: f64,
}

impl Seconds {
    /// The time above that of an empty crate.
    pub fn over_floor(self) -> f64 {
        self.least - self.floor
    }
}

impl Results {
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|it| format!("{}: {it}", path.display()))?;
        serde_json::from_str(&text).map_err(|it| format!("{}: {it}", path.display()))
    }

    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|it| it.to_string())? + "\n";
        std::fs::write(path, text).map_err(|it| format!("{}: {it}", path.display()))
    }

    /// Records the machine and the versions of the tools.
    pub fn describe_machine(&mut self) -> Result<(), String> {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpus.lines().find_map(|it| it.strip_prefix("model name")?.split_once(':')).map_or("unknown", |it| it.1.trim());
        let n_cpus = cpus.lines().filter(|it| it.starts_with("processor")).count();
        self.cpu = format!("{model}, {n_cpus} cores");
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        self.load = load.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or_default();
        self.rustc = output(Command::new("rustc").arg("--version"))?.trim().to_owned();
        self.valgrind = output(Command::new("valgrind").arg("--version"))?.trim().to_owned();
        let tree = output(crate::rustc::cargo().args(["tree", "--package", "agent-run", "--depth", "1", "--prefix", "none"]))?;
        let versions = tree.lines().skip(1).filter_map(|it| it.split_once(" v"));
        let version = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        self.versions = versions.map(|(name, rest)| (name.to_owned(), version(rest))).collect();
        Ok(())
    }
}

/// The output of a command.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|it| format!("{command:?}: {it}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
