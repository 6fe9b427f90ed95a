//! The chores of this repository, as functions: the command line and the tests call the same ones.

pub mod explore;

use std::path::{Path, PathBuf};

use statespec_codegen::backend::drive;
use statespec_codegen::diagnostic::{Code, render};
use statespec_codegen::lower::load;
use statespec_codegen::project;
use statespec_codegen::sync::{self, Config, Look, Mode, Status};

/// The command that headers and messages name.
const COMMAND: &str = "cargo xtask gen";

/// The glue by which tests drive every emitted machine by name.
const DRIVE: &str = "tests/drive/mod.rs";

/// Where the specs are.
const SPECS: &str = "machines";

/// Which outputs a run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Pages and regions.
    Docs,
}

impl Scope {
    fn has(self, path: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Docs => path.starts_with("docs/"),
        }
    }
}

/// The root of this repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Where outputs live in this repository.
fn config(root: &Path, scope: Scope) -> Config {
    let owned = ["docs/machines", "docs/schema", "generated/conformance", "generated/src"];
    let shared = ["docs", "README.md", "ARCHITECTURE.md", "generated", "tests/drive"];
    let within = |places: &[&str]| -> Vec<String> {
        // Regions are docs wherever their pages are.
        let wanted = places.iter().filter(|it| !it.starts_with("generated") && !it.starts_with("tests") || scope == Scope::All);
        wanted.map(|it| (*it).to_owned()).collect()
    };
    Config { root: root.to_owned(), owned: within(&owned), shared: within(&shared), command: COMMAND.to_owned() }
}

/// Reads all specs below `root`, generates, and writes, checks or shows.
///
/// Returns how it ended and what to tell the user.
pub fn generate(root: &Path, scope: Scope, mode: Mode, look: Look) -> (Status, String) {
    let specs = match sync::read_specs(root, SPECS) {
        Ok(specs) => specs,
        Err(failures) => return (Status::CouldNotRun, sync::describe(&failures, look.style)),
    };
    let loaded = load(&specs);
    let messages = render(&loaded.sources, &loaded.diagnostics, look.style);
    let Some(model) = &loaded.model else {
        return (Status::CouldNotRun, messages + "nothing was generated: mend the specs first\n");
    };
    let mut generated = match project::generate(&loaded.sources, model) {
        Ok(generated) => generated,
        Err(error) => return (Status::CouldNotRun, format!("{messages}error: what was emitted is not Rust: {error}\n")),
    };
    match drive::file(model, DRIVE, "::statespec_machines") {
        Ok(file) => generated.files.push(file),
        Err(error) => return (Status::CouldNotRun, format!("{messages}error: what was emitted is not Rust: {error}\n")),
    }
    generated.files.retain(|it| scope.has(&it.path));
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    let (status, report) = sync::run(&config(root, scope), &generated, &loaded.sources, mode, look);
    (status, messages + &report)
}

/// What a code means and what to do.
pub fn explain(code: &str) -> String {
    match Code::ALL.iter().find(|it| it.id() == code) {
        Some(code) => format!("{}\n\n{}\n", code.id(), code.explanation()),
        None => format!("there is no code `{code}`\n"),
    }
}
