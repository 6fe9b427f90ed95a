//! Tools from npm. If they are not available, a test says so on stderr and is skipped;
//! `STATESPEC_REQUIRE_NODE=1` makes that a failure.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::root;

/// The folder `tests/<name>` with its npm packages: the checkout itself if the packages are installed there, or else a copy
/// below `target`, so that the checkout stays clean. `None` if there is no node, or npm cannot install.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    match try_folder(name) {
        Ok(folder) => Some(folder),
        Err(reason) => {
            assert!(std::env::var_os("STATESPEC_REQUIRE_NODE").is_none(), "what is in tests/{name} cannot run: {reason}");
            // Not `eprintln!`, which the test runner would capture.
            let _ = writeln!(std::io::stderr(), "\nskipped: nothing was checked with what is in tests/{name}, because {reason}\n");
            None
        }
    }
}

fn try_folder(name: &str) -> Result<PathBuf, String> {
    let major = Command::new("node").arg("--version").output().map_err(|_| "there is no `node`")?;
    let version = String::from_utf8_lossy(&major.stdout).trim().to_owned();
    let major: u32 = version.trim_start_matches('v').split('.').next().and_then(|it| it.parse().ok()).unwrap_or(0);
    if major < 20 {
        return Err(format!("node {version} is too old, it takes 20"));
    }
    let home = root().join("tests").join(name);
    if home.join("node_modules").is_dir() {
        return Ok(home);
    }
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&copy).map_err(|error| format!("{} cannot be made: {error}", copy.display()))?;
    for entry in std::fs::read_dir(&home).map_err(|error| error.to_string())?.flatten() {
        std::fs::copy(entry.path(), copy.join(entry.file_name()))
            .map_err(|error| format!("{} cannot be copied: {error}", entry.path().display()))?;
    }
    let lock = |path: &Path| std::fs::read(path).ok();
    let installed = copy.join("installed.json");
    if lock(&installed).is_none_or(|it| Some(it) != lock(&home.join("package-lock.json"))) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        let done = Command::new(npm).args(arguments).current_dir(&copy).output().map_err(|_| "there is no `npm`")?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let last: Vec<_> = said.lines().filter(|it| it.contains("npm error")).take(3).collect();
            return Err(format!("`npm ci` failed: {}", last.join(" | ")));
        }
        std::fs::copy(home.join("package-lock.json"), installed).map_err(|error| error.to_string())?;
    }
    Ok(copy)
}
