//! The chores of this repository, as functions: the command line and the tests call the same ones.

use std::path::{Path, PathBuf};

use statespec_codegen::backend::drive;
use statespec_codegen::diagnostic::{Code, Style, render};
use statespec_codegen::lower::{Input, Loaded, load};
use statespec_codegen::output::Generated;
use statespec_codegen::project;
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{self, Config, Look, Mode, Status};

/// The command that headers and messages name.
const COMMAND: &str = "cargo xtask gen";

/// The glue by which tests drive every emitted machine by name.
const DRIVE: &str = "tests/drive/mod.rs";

/// Where the specs are.
pub const SPECS: &str = "machines";

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
pub fn config(root: &Path, scope: Scope) -> Config {
    let owned = ["docs/machines", "docs/schema", "generated/src"];
    let shared = ["docs", "README.md", "ARCHITECTURE.md", "generated", "tests/drive"];
    let within = |places: &[&str]| -> Vec<String> {
        // Regions are docs wherever their pages are.
        let wanted = places.iter().filter(|it| !it.starts_with("generated") && !it.starts_with("tests") || scope == Scope::All);
        wanted.map(|it| (*it).to_owned()).collect()
    };
    Config { root: root.to_owned(), owned: within(&owned), shared: within(&shared), command: COMMAND.to_owned() }
}

/// What the specs say, and everything that is made from them.
#[derive(Debug)]
pub struct Made {
    /// The specs.
    pub sources: Sources,
    /// What is made from them.
    pub generated: Generated,
    /// Warnings about the specs.
    pub messages: String,
}

/// Makes everything from the specs. Touches no file.
///
/// # Errors
///
/// What to tell the user, if a spec is wrong.
pub fn make(specs: &[Input], style: Style) -> Result<Made, String> {
    let Loaded { sources, model, diagnostics } = load(specs);
    let messages = render(&sources, &diagnostics, style);
    let Some(model) = &model else {
        return Err(messages + "nothing was generated: mend the specs first\n");
    };
    let not_rust = |error: &dyn std::fmt::Display| format!("{messages}error: what was emitted is not Rust: {error}\n");
    let mut generated = project::generate(&sources, model).map_err(|it| not_rust(&it))?;
    generated.files.push(drive::file(model, DRIVE, "::statespec_machines").map_err(|it| not_rust(&it))?);
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Made { sources, generated, messages })
}

/// Reads all specs below `root`, generates, and writes, checks or shows.
///
/// Returns how it ended and what to tell the user.
pub fn generate(root: &Path, scope: Scope, mode: Mode, look: Look) -> (Status, String) {
    let specs = match sync::read_specs(root, SPECS) {
        Ok(specs) => specs,
        Err(failures) => return (Status::CouldNotRun, sync::describe(&failures, look.style)),
    };
    let Made { sources, mut generated, messages } = match make(&specs, look.style) {
        Ok(made) => made,
        Err(messages) => return (Status::CouldNotRun, messages),
    };
    generated.files.retain(|it| scope.has(&it.path));
    let (status, report) = sync::run(&config(root, scope), &generated, &sources, mode, look);
    (status, messages + &report)
}

/// What a code means and what to do.
pub fn explain(code: &str) -> String {
    match Code::ALL.iter().find(|it| it.id() == code) {
        Some(code) => format!("{}\n\n{}\n", code.id(), code.explanation()),
        None => format!("there is no code `{code}`\n"),
    }
}
