//! A crate of many forms, which the compiler checks with warnings denied.
//!
//! If the compiler reports an error, the path in its message identifies the form. That form is left out, and the rest
//! is checked again, because the compiler reports some kinds of errors only if there are no others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use super::forms::{Form, Module};

/// A form that does not compile.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The form.
    pub form: Form,
    /// The project, such as `machine 17`.
    pub project: String,
    /// The name of its module.
    pub module: String,
    /// The errors of the compiler, in order and without duplicates.
    pub errors: Vec<String>,
}

/// An error of the compiler without the names and numbers of one spec: `cannot find value _ in this scope`.
pub fn cause(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let words = first.split('`').enumerate().map(|(idx, it)| if idx % 2 == 0 { it } else { "_" });
    words.collect::<Vec<_>>().join("`")
}

/// The folders in which crates of random projects are written and built.
#[derive(Debug, Clone)]
pub struct Workshop {
    /// The root of this repository.
    pub root: PathBuf,
    /// The folder of the crate.
    pub folder: PathBuf,
    /// The target folder of cargo, which is shared by all runs.
    pub target: PathBuf,
    /// The folder for the files of failures.
    pub kept: Option<PathBuf>,
}

impl Workshop {
    /// The forms among these that do not compile.
    ///
    /// # Errors
    ///
    /// If the crate cannot be written, if cargo cannot be run, or if the build fails for a reason outside the forms.
    pub fn check(&self, modules: &[Module]) -> io::Result<Vec<Failure>> {
        let mut left: Vec<&Module> = modules.iter().collect();
        let mut failures = Vec::new();
        while !left.is_empty() {
            let outcome = self.run(&left)?;
            if outcome.passed {
                break;
            }
            let guilty = if outcome.errors.is_empty() { self.bisect(&left)? } else { outcome.errors };
            let (bad, good): (Vec<&Module>, Vec<&Module>) = left.iter().partition(|it| guilty.contains_key(&it.name));
            if bad.is_empty() {
                return Err(io::Error::other(format!("cargo fails and blames none of the modules:\n{}", outcome.stderr)));
            }
            for module in bad {
                let errors = guilty[&module.name].clone();
                failures.push(Failure { form: module.form, project: module.project.clone(), module: module.name.clone(), errors });
            }
            left = good;
        }
        Ok(failures)
    }

    /// Finds one module that fails by itself, for errors without a path.
    fn bisect(&self, modules: &[&Module]) -> io::Result<Errors> {
        let mut suspects = modules.to_vec();
        loop {
            let outcome = self.run(&suspects)?;
            if outcome.passed {
                return Ok(BTreeMap::new());
            }
            if !outcome.errors.is_empty() {
                return Ok(outcome.errors);
            }
            if let [only] = suspects.as_slice() {
                return Ok(BTreeMap::from([(only.name.clone(), vec![outcome.stderr])]));
            }
            let half = suspects.split_off(suspects.len() / 2);
            if self.run(&suspects)?.passed {
                suspects = half;
            }
        }
    }

    /// Cargo in the folder of the crate, without what the caller's environment would change.
    pub(super) fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS");
        cargo
    }

    /// Writes the files of the crate, after those of the last one are deleted.
    pub(super) fn write<'f>(&self, manifest: &'f str, files: impl IntoIterator<Item = (&'f str, &'f str)>) -> io::Result<()> {
        for folder in ["src", "specs"] {
            let folder = self.folder.join(folder);
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
        }
        fs::create_dir_all(&self.folder)?;
        // The versions that this repository is tested with.
        fs::copy(self.root.join("Cargo.lock"), self.folder.join("Cargo.lock"))?;
        for (path, text) in files.into_iter().chain([("Cargo.toml", manifest)]) {
            let path = self.folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    fn run(&self, modules: &[&Module]) -> io::Result<Outcome> {
        let library = library(modules);
        let files = modules.iter().flat_map(|it| &it.files).map(|(path, text)| (path.as_str(), text.as_str()));
        self.write(&manifest(&self.root), files.chain([("src/lib.rs", library.as_str())]))?;
        let output = self.cargo().args(["check", "--offline", "--quiet", "--message-format", "json"]).output()?;
        let mut errors = Errors::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            let message = &message["message"];
            if message["level"] != "error" {
                continue;
            }
            let Some(module) = paths(&message["spans"]).into_iter().find_map(|path| module_of(&path, modules)) else { continue };
            let said = message["rendered"].as_str().unwrap_or_default().to_owned();
            let of_module = errors.entry(module).or_default();
            if of_module.iter().all(|it| cause(it) != cause(&said)) {
                of_module.push(said);
            }
        }
        Ok(Outcome { passed: output.status.success(), errors, stderr: String::from_utf8_lossy(&output.stderr).into_owned() })
    }
}

/// The errors of the modules that have some, by module name.
type Errors = BTreeMap<String, Vec<String>>;

/// The result of a run of cargo.
struct Outcome {
    passed: bool,
    errors: Errors,
    stderr: String,
}

fn manifest(root: &Path) -> String {
    let root = root.display().to_string();
    format!(
        "[package]\nname = \"statespec-random\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\ndefault = [\"serde\"]\nserde = []\n\n\
         [dependencies]\nstatespec = {{ path = {root:?}, features = [\"serde\"] }}\n\
         serde = {{ version = \"1\", default-features = false, features = [\"derive\"] }}\n\n[workspace]\n"
    )
}

/// The root of the crate.
fn library(modules: &[&Module]) -> String {
    let mut text = String::from(
        "//! Random machines and systems.\n\
         #![no_std]\n\
         #![deny(warnings, missing_docs)]\n\
         // Letters that look alike are the fault of whoever names things so, not of what is emitted.\n\
         #![allow(mixed_script_confusables, confusable_idents, uncommon_codepoints)]\n\n\
         extern crate alloc;\n\n\
         /// The façade by another path.\npub mod facade {\n    pub use ::statespec;\n}\n\n\
         /// A reference of the user's own.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]\n\
         pub struct Key(pub u64);\n\n\
         impl ::core::fmt::Display for Key {\n    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {\n        \
         self.0.fmt(f)\n    }\n}\n",
    );
    for module in modules {
        let allow = if module.is_hidden { "#[allow(dead_code)]\n" } else { "" };
        text.push_str(&format!("\n#[rustfmt::skip]\n{allow}pub mod {};\n", module.name));
    }
    text
}

/// The files that a message refers to: those of its own spans first, then those of the macros around them.
fn paths(spans: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    let spans = spans.as_array().map(Vec::as_slice).unwrap_or_default();
    let (primary, others): (Vec<&Value>, Vec<&Value>) = spans.iter().partition(|it| it["is_primary"] == true);
    for span in primary.into_iter().chain(others) {
        let mut span = span;
        while let Some(path) = span["file_name"].as_str() {
            paths.push(path.replace('\\', "/"));
            span = &span["expansion"]["span"];
        }
    }
    paths
}

/// The module that a file belongs to.
fn module_of(path: &str, modules: &[&Module]) -> Option<String> {
    let name = path.strip_prefix("src/")?.split(['/', '.']).next()?;
    modules.iter().find(|it| it.name == name).map(|it| it.name.clone())
}
