//! The tools of some checks, which a machine may lack: Node.js with packages from npm, a browser, mdBook, `script`, one compiler.
//!
//! Without its tool, a check is skipped, and one line on stderr says so, with the remedy. `STATESPEC_CHECKS=all`, which `.ci/run`
//! sets, makes that a failure, and makes the checks that take a sample run in full. No test skips anything by another way.
#![allow(dead_code, reason = "each test uses its own share")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The oldest Node.js that runs the scripts.
const NODE: u32 = 20;

/// The programs that are a browser. `xtask/src/book.rs` knows the same.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Why a tool is not there, and how to have it.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) reason: String,
    pub(crate) remedy: String,
}

impl Missing {
    pub(crate) fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Missing { reason: reason.into(), remedy: remedy.into() }
    }
}

/// Whether every check runs in full, as `.ci/run` wants it: nothing is skipped, and no check takes a sample.
pub(crate) fn is_complete() -> bool {
    std::env::var_os("STATESPEC_CHECKS").is_some_and(|it| it == "all")
}

/// The number of cases of a check, of which a quarter is the sample unless every check runs in full.
pub(crate) fn sample(all: usize) -> usize {
    one_in(4, all)
}

/// The number of cases of a check, of which one in `gap` is the sample unless every check runs in full.
pub(crate) fn one_in(gap: usize, all: usize) -> usize {
    if is_complete() { all } else { all.div_ceil(gap) }
}

/// The tool of a check; `None`, and a line on stderr, if it is missing.
///
/// # Panics
///
/// If it is missing, and nothing may be skipped.
pub(crate) fn needed<T>(check: &str, tool: Result<T, Missing>) -> Option<T> {
    match tool {
        Ok(tool) => Some(tool),
        Err(missing) => {
            skip(check, &missing);
            None
        }
    }
}

/// Whether a check may run that a sample leaves out for a reason, such as `it builds much`; a line on stderr says so.
pub(crate) fn in_full(check: &str, reason: &str) -> bool {
    if !is_complete() {
        skip(check, &Missing::new(reason, "`STATESPEC_CHECKS=all cargo test` runs it"));
    }
    is_complete()
}

/// Says that a check is skipped, once.
///
/// # Panics
///
/// If nothing may be skipped.
pub(crate) fn skip(check: &str, Missing { reason, remedy }: &Missing) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let line = format!("skipped: {check}: {reason}; {remedy}");
    assert!(!is_complete(), "{line}");
    let mut said = SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !said.contains(&line) {
        // Not `eprintln!`, which the test runner would capture.
        let _ = writeln!(std::io::stderr(), "\n{line}");
        said.push(line);
    }
}

/// The folder that a variable names, with data that this repository must not have; `None`, and a line on stderr, if it is not set.
/// This is no failure when nothing may be skipped: nobody but the user has the data.
pub(crate) fn asked_for(check: &str, variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        let _ = writeln!(std::io::stderr(), "\nnot asked for: {check}: `{variable}` names no folder");
    }
    folder
}

/// A folder with its npm packages, by its path from the root: the checkout itself if the packages are installed there, or else a
/// copy below `target`, so that the checkout stays clean.
pub(crate) fn packages(path: &str) -> Result<PathBuf, Missing> {
    /// Two tests may need the same packages.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    node()?;
    let home = root().join(path);
    if is_installed(&home) {
        return Ok(home);
    }
    install(path, &home).map_err(|reason| Missing::new(reason, format!("run `npm ci --ignore-scripts` in {path}")))
}

fn node() -> Result<(), Missing> {
    let remedy = format!("install Node.js {NODE} or newer");
    let output = Command::new("node").arg("--version").output().map_err(|_| Missing::new("there is no `node`", remedy.as_str()))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major: Option<u32> = version.trim_start_matches('v').split('.').next().and_then(|it| it.parse().ok());
    if major.is_some_and(|it| it >= NODE) { Ok(()) } else { Err(Missing::new(format!("node {version} is too old"), remedy)) }
}

/// Whether the packages that a folder asks for are installed in it, in these versions.
fn is_installed(home: &Path) -> bool {
    // A sample does without what is optional.
    let wanted = if is_complete() { "{ ...dependencies, ...optionalDependencies }" } else { "dependencies ?? {}" };
    let script = "const read = (it) => JSON.parse(require('fs').readFileSync(it));\
        const { dependencies, optionalDependencies } = read('package.json');\
        const wanted = Object.entries(WANTED);\
        const is = ([name, it]) => read(`node_modules/${name}/package.json`).version === it.replace(/^npm:.*@/, '');\
        process.exitCode = wanted.every(is) ? 0 : 1;";
    home.join("node_modules").is_dir()
        && Command::new("node")
            .arg("-e")
            .arg(script.replace("WANTED", wanted))
            .current_dir(home)
            .output()
            .is_ok_and(|it| it.status.success())
}

fn install(path: &str, home: &Path) -> Result<PathBuf, String> {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(Path::new(path).file_name().unwrap_or_default());
    std::fs::create_dir_all(&copy).map_err(|error| format!("{} cannot be made: {error}", copy.display()))?;
    for entry in std::fs::read_dir(home).map_err(|error| error.to_string())?.flatten().filter(|it| it.path().is_file()) {
        std::fs::copy(entry.path(), copy.join(entry.file_name()))
            .map_err(|error| format!("{} cannot be copied: {error}", entry.path().display()))?;
    }
    let lock = |path: &Path| std::fs::read(path).ok();
    let locked = lock(&home.join("package-lock.json"));
    let (all, ends) = (copy.join("installed.json"), copy.join("installed-without-optional.json"));
    let is = |it: &Path| locked.is_some() && lock(it) == locked;
    if !is(&all) && (is_complete() || !is(&ends)) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        // What libraries call optional may be their programs.
        let is_of_ours = std::fs::read_to_string(home.join("package.json")).is_ok_and(|it| it.contains("\"optionalDependencies\""));
        let omitted = (is_of_ours && !is_complete()).then_some("--omit=optional");
        let done = Command::new(npm).args(arguments).args(omitted).current_dir(&copy).output().map_err(|_| "there is no `npm`")?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let last: Vec<_> = said.lines().filter(|it| it.contains("npm error")).take(3).collect();
            return Err(format!("`npm ci` failed: {}", last.join(" | ")));
        }
        std::fs::copy(home.join("package-lock.json"), if is_complete() { all } else { ends }).map_err(|error| error.to_string())?;
    }
    Ok(copy)
}

/// The path of a browser.
pub(crate) fn browser() -> Result<PathBuf, Missing> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let candidates = || std::env::split_paths(&folders).flat_map(|folder| BROWSERS.map(|it| folder.join(it)));
    candidates().find(|it| it.is_file()).ok_or_else(|| {
        Missing::new(format!("none of these programs is installed: {}", BROWSERS.join(", ")), "on Debian, `apt-get install chromium`")
    })
}

/// The project's root.
pub(crate) fn root() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.filter(|it| it.join("ARCHITECTURE.md").is_file()).last().map(Path::to_owned).unwrap_or_default()
}

/// Where the type checker of Python keeps what it knows of the library; one check at a time writes there.
pub(crate) fn mypy_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy-cache")
}

/// The type checker of Python, in an environment of its own below `target`; `python` of that environment is beside it.
pub(crate) fn mypy() -> Result<PathBuf, Missing> {
    Ok(environment("mypy", "2.4.1")?.join("mypy"))
}

/// A Python with DuckDB, in an environment of its own below `target`: 22 MB.
pub(crate) fn duckdb() -> Result<PathBuf, Missing> {
    Ok(environment("duckdb", "2.0.1")?.join("python"))
}

/// A Python with pm4py, in an environment of its own below `target`: 600 MB. It is a process beside the tests, and never linked.
pub(crate) fn pm4py() -> Result<PathBuf, Missing> {
    Ok(environment("pm4py", "2.7.23.11")?.join("python"))
}

/// Python, with its own library alone.
pub(crate) fn python() -> Result<PathBuf, Missing> {
    let missing = || Missing::new("there is no `python3`", "install Python 3.11 or newer");
    Command::new("python3").arg("--version").output().map(|_| PathBuf::from("python3")).map_err(|_| missing())
}

/// A Python with psycopg, in an environment of its own below `target`.
pub(crate) fn psycopg() -> Result<PathBuf, Missing> {
    Ok(environment("psycopg[binary]", "3.3.9")?.join("python"))
}

/// The tool of migrations of Python, in an environment of its own below `target`.
pub(crate) fn alembic() -> Result<PathBuf, Missing> {
    Ok(environment("alembic", "1.20.1")?.join("alembic"))
}

/// The programs of an environment of Python with one package.
fn environment(package: &str, version: &str) -> Result<PathBuf, Missing> {
    /// Two tests may need the same environment.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{package}-{version}"));
    // Written last: an environment that was cut off is made again.
    let whole = home.join("whole");
    let missing = |reason: String| Missing::new(reason, "install Python 3.11 or newer, with `venv` and `pip`");
    if !whole.is_file() {
        let run = |command: &mut Command| match command.output() {
            Ok(done) if done.status.success() => Ok(()),
            Ok(done) => Err(missing(String::from_utf8_lossy(&done.stderr).lines().last().unwrap_or_default().to_owned())),
            Err(error) => Err(missing(error.to_string())),
        };
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        let install = ["install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(home.join("bin/pip")).args(install).arg(format!("{package}=={version}")))?;
        std::fs::write(&whole, "").map_err(|error| missing(error.to_string()))?;
    }
    Ok(home.join("bin"))
}

/// The oldest Go that compiles the packages.
const GO: u32 = 19;

/// The tools of Go: `go` and `gofmt`.
pub(crate) fn go() -> Result<(), Missing> {
    let remedy = format!("install Go 1.{GO} or newer; on Debian, `apt-get install golang-go`");
    let output = Command::new("go").args(["env", "GOVERSION"]).output().map_err(|_| Missing::new("there is no `go`", remedy.as_str()))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let minor: Option<u32> = version.strip_prefix("go1.").and_then(|it| it.split('.').next()?.parse().ok());
    match minor {
        Some(it) if it >= GO => {}
        _ => return Err(Missing::new(format!("{version} is too old"), remedy)),
    }
    let gofmt = Command::new("gofmt").arg("-h").output();
    gofmt.map(|_| ()).map_err(|_| Missing::new("there is no `gofmt`", remedy))
}
