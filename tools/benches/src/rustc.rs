//! The processor time of every compiler that cargo starts: cargo runs this program as `RUSTC_WRAPPER`.

use std::env::{args_os, var_os};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use wait4::Wait4 as _;

/// The variable with the path of the wrapper's log; if it is set, this process is the wrapper.
const LOG: &str = "STATESPEC_BENCH_LOG";

/// One compilation.
#[derive(Debug)]
pub struct Compilation {
    /// The crate, with underscores.
    pub name: String,
    /// Processor time, user and system, in seconds.
    pub cpu_seconds: f64,
}

/// The path of the log, if this process is the wrapper.
pub fn log_of_wrapper() -> Option<PathBuf> {
    var_os(LOG).map(PathBuf::from)
}

/// Runs the compiler and logs its processor time.
pub fn wrap(log: &Path) -> ExitCode {
    let mut words = args_os().skip(1);
    let Some(rustc) = words.next() else { return ExitCode::from(2) };
    let words: Vec<_> = words.collect();
    let named = words.iter().position(|it| it == "--crate-name").and_then(|idx| words.get(idx + 1));
    let name = named.map(|it| it.to_string_lossy().into_owned());
    let finished = Command::new(rustc).args(&words).spawn().and_then(|it| it.wait4());
    let Ok(finished) = finished else { return ExitCode::FAILURE };
    // Without a crate name, cargo only queries the compiler.
    if let Some(name) = name.filter(|it| it != "___") {
        let time: Duration = finished.rusage.utime + finished.rusage.stime;
        let line = format!("{name} {}\n", time.as_secs_f64());
        let written = OpenOptions::new().create(true).append(true).open(log).and_then(|mut it| it.write_all(line.as_bytes()));
        if written.is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::from(finished.status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1))
}

/// Cargo in this workspace, without the environment that cargo gave to this process.
pub fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(crate::benches());
    command
}

/// Runs cargo with the wrapper, and returns the compilations.
///
/// # Errors
///
/// The output of cargo, if it failed.
pub fn compile(folder: &Path, target: &Path, words: &[&str]) -> Result<Vec<Compilation>, String> {
    let log = target.join("compilations.log");
    std::fs::create_dir_all(target).map_err(|it| it.to_string())?;
    let _ = std::fs::remove_file(&log);
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(words).arg("--offline");
    // A clean build: without files of the last build, and with the default flags of cargo.
    command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0").env_remove("CARGO_PROFILE_DEV_DEBUG");
    command.env("RUSTC_WRAPPER", std::env::current_exe().map_err(|it| it.to_string())?).env(LOG, &log);
    let output = command.output().map_err(|it| format!("cargo: {it}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let log = std::fs::read_to_string(&log).unwrap_or_default();
    let compilation = |line: &str| {
        let (name, seconds) = line.split_once(' ')?;
        Some(Compilation { name: name.to_owned(), cpu_seconds: seconds.parse().ok()? })
    };
    Ok(log.lines().filter_map(compilation).collect())
}
