//! A project in a temporary folder, and the command run in it.
#![allow(dead_code, reason = "each test uses its own share")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A project on the disk.
pub(crate) struct Project(TempDir);

/// Everything below a folder, by path.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for path in fs::read_dir(next).unwrap().map(|it| it.unwrap().path()) {
            match path.is_dir() {
                true => open.push(path),
                false => _ = found.insert(path.strip_prefix(folder).unwrap().display().to_string(), fs::read(&path).unwrap()),
            }
        }
    }
    found
}

/// The exit code and the output of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Project {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Project(tempfile::tempdir().unwrap())
    }

    /// An empty cargo project, as `cargo init` creates it.
    pub(crate) fn cargo() -> Self {
        let project = Project::empty();
        project.put("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        project.put("src/lib.rs", "");
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.get(path);
        assert!(text.contains(old), "{path} has no `{old}`");
        self.put(path, &text.replacen(old, new, 1));
    }

    /// Runs `cargo statespec …` as cargo does.
    pub(crate) fn cargo_statespec(&self, args: &[&str]) -> Run {
        let mut all = vec!["statespec"];
        all.extend(args);
        self.run(env!("CARGO_BIN_EXE_cargo-statespec"), &all, "")
    }

    /// Makes a machine with its page, in which nothing is left to be written.
    pub(crate) fn new_ticket(&self) {
        assert_eq!(self.cargo_statespec(&["new", "ticket"]).code, Some(0));
        let spec = self.get("machines/ticket.yaml");
        self.put("machines/ticket.yaml", &spec.replace("TODO: ", ""));
        let run = self.cargo_statespec(&["gen"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }

    /// Runs `statespec …`.
    pub(crate) fn statespec(&self, args: &[&str]) -> Run {
        self.run(env!("CARGO_BIN_EXE_statespec"), args, "")
    }

    /// Runs `statespec …` in a folder of the project.
    pub(crate) fn statespec_in(&self, folder: &str, args: &[&str]) -> Run {
        fs::create_dir_all(self.path().join(folder)).unwrap();
        self.run(env!("CARGO_BIN_EXE_statespec"), args, folder)
    }

    /// Runs `statespec …` with lines from a pipe.
    pub(crate) fn statespec_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_statespec"));
        command.args(args).current_dir(self.path()).env_remove("CLICOLOR_FORCE");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that has read enough closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    fn run(&self, program: &str, args: &[&str], folder: &str) -> Run {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.path().join(folder)).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace("\r\n", "\n").replace(".exe", "");
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Runs commands one after another and returns the output as a person would see it.
    pub(crate) fn transcript(&self, commands: &[&str]) -> String {
        commands.iter().map(|it| self.step(it)).collect::<Vec<_>>().join("\n")
    }

    fn step(&self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let run = match words.as_slice() {
            ["cargo", "statespec", args @ ..] => self.cargo_statespec(args),
            ["statespec", args @ ..] => self.statespec(args),
            _ => panic!("what is `{line}`?"),
        };
        let real = fs::canonicalize(self.path()).unwrap();
        let output = (run.stdout + &run.stderr).replace(&*real.to_string_lossy(), "/project");
        format!("$ {line}\n{output}[{}]\n", run.code.unwrap_or(-1))
    }
}
