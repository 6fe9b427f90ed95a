//! `.ci/run`: what it installs, and its last lines. The programs around it are stand-ins that say their arguments.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;

use xtask::root;

/// What `.ci/run` calls besides the stand-ins.
const REAL: [&str; 6] = ["bash", "dirname", "env", "head", "sed", "cat"];

/// A clone with one package from npm, and a machine with some programs.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new(programs: &[(&str, &str)]) -> Self {
        let machine = Machine(tempfile::tempdir().unwrap());
        for folder in [".ci", "bin", "tests/render", "tests/ui/tests", "cli/tests/typescript"] {
            fs::create_dir_all(machine.at(folder)).unwrap();
        }
        for path in ["tests/render/package-lock.json", "cli/tests/typescript/package-lock.json"] {
            fs::write(machine.at(path), "{}").unwrap();
        }
        fs::copy(root().join(".ci/run"), machine.at(".ci/run")).unwrap();
        fs::copy(root().join("tests/ui/tests/ui.rs"), machine.at("tests/ui/tests/ui.rs")).unwrap();
        fs::write(machine.at("README.md"), "```sh\ncargo test\n```\n").unwrap();
        let folders = std::env::var_os("PATH").unwrap();
        for name in REAL {
            let program = std::env::split_paths(&folders).map(|it| it.join(name)).find(|it| it.is_file()).unwrap();
            symlink(program, machine.at("bin").join(name)).unwrap();
        }
        programs.iter().for_each(|(name, does)| machine.put(name, does));
        machine
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn put(&self, name: &str, does: &str) {
        let program = self.at("bin").join(name);
        fs::write(&program, format!("#!/usr/bin/env bash\n{does}\n")).unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The exit code, everything that was said, and the last lines.
    fn run(&self) -> (Option<i32>, String, String) {
        let mut command = Command::new(self.at(".ci/run"));
        let output = command.env_clear().env("PATH", self.at("bin")).current_dir(self.0.path()).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = stdout.split_once("\n== what ran and what did not\n").map(|it| it.1.to_owned());
        (output.status.code(), said, last.unwrap_or_default())
    }
}

/// Programs that succeed; `cargo` says what it was asked, and that nothing may be skipped.
const USUAL: [(&str, &str); 13] = [
    ("cargo", "echo \"cargo $* ($STATESPEC_CHECKS)\""),
    ("chromium", ""),
    ("script", ""),
    ("sqlite3", ""),
    ("initdb", ""),
    ("faketime", ""),
    ("javac", ""),
    ("go", ""),
    ("python3", ""),
    ("id", "echo 0"),
    ("node", "echo v20.1.0"),
    ("rustc", "echo rustc 1.95.7"),
    ("npm", "echo \"npm $* in $PWD\""),
];

fn without(name: &str) -> Vec<(&'static str, &'static str)> {
    USUAL.into_iter().filter(|it| it.0 != name).collect()
}

const DEBIAN: (&str, &str) = (
    "apt-get",
    "echo \"apt-get $* ($DEBIAN_FRONTEND)\"; [ \"$1\" = update ] || { echo > \"${0%/*}/chromium\"; /bin/chmod +x \"${0%/*}/chromium\"; }",
);

#[test]
fn a_run_ends_with_the_list_of_what_ran() {
    let (code, said, last) = Machine::new(&USUAL).run();
    assert_eq!(code, Some(0), "{said}");
    insta::assert_snapshot!("everything", last);
    assert!(said.contains("cargo test --workspace --config profile.dev.package.statespec-lang.opt-level=1 (all)\n"), "{said}");
    for folder in ["tests/render", "cli/tests/typescript"] {
        assert!(said.lines().any(|it| it.starts_with("npm ci --ignore-scripts ") && it.ends_with(folder)), "{said}");
    }
}

#[test]
fn a_browser_is_installed_where_there_is_none() {
    let mut programs = without("chromium");
    programs.push(DEBIAN);
    let (code, said, last) = Machine::new(&programs).run();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("apt-get update").count(), 1, "{said}");
    assert!(said.contains("apt-get install -qq --yes --no-install-recommends chromium (noninteractive)\n"), "{said}");
    assert!(last.contains("passed:      tests\n"), "{last}");
}

#[test]
fn what_cannot_be_installed_is_a_failure() {
    let (code, said, last) = Machine::new(&without("chromium")).run();
    assert_eq!(code, Some(1), "{said}");
    insta::assert_snapshot!("no_browser", last);
    let (code, said, last) = Machine::new(&without("node")).run();
    assert_eq!(code, Some(1), "{said}");
    assert!(last.contains("missing:     Node.js 20 or newer, with npm; it is absent\n"), "{last}");
    let machine = Machine::new(&USUAL);
    machine.put("rustc", "echo rustc 1.94.0");
    assert!(machine.run().2.contains("missing:     Rust 1.95; type `rustup toolchain install 1.95`, then"), "{last}");
    let machine = Machine::new(&USUAL);
    machine.put("npm", "exit 1");
    let (code, said, last) = machine.run();
    assert_eq!(code, Some(1), "{said}");
    assert!(last.contains("missing:     the packages of tests/render; type `npm ci --ignore-scripts` there\n"), "{last}");
}

#[test]
fn a_failed_check_is_told_from_those_behind_it() {
    let machine = Machine::new(&USUAL);
    machine.put("cargo", "[ \"$1\" != test ]");
    let (code, said, last) = machine.run();
    assert_eq!(code, Some(1), "{said}");
    insta::assert_snapshot!("failed", last);
}
