//! The chores of this repository, as functions: the command line and the tests call the same ones.

use std::path::{Path, PathBuf};

use cargo_statespec::extras;
use statespec_codegen::backend::drive;
use statespec_codegen::config::Part;
use statespec_codegen::diagnostic::Code;
use statespec_codegen::model::Model;
use statespec_codegen::project::Project;
use statespec_codegen::sync::{Failure, Look, Mode, Status};

/// The glue by which tests drive every emitted machine by name.
const DRIVE: &str = "tests/drive/mod.rs";

/// Which outputs a run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Pages, regions, and the schemas that editors of specs use.
    Docs,
}

/// The root of this repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Reads all specs below `root`, generates, and writes, checks or shows.
///
/// What lies where is said in `statespec.toml`; only what drives the tests of this repository is added here.
/// Returns how it ended and what to tell the user.
pub fn generate(root: &Path, scope: Scope, mode: Mode, look: Look) -> (Status, String) {
    let mut project = match Project::open(root) {
        Ok(project) => project,
        Err(problem) => return (Status::CouldNotRun, problem.describe(look.style)),
    };
    let mut extras = extras(&project);
    if scope == Scope::Docs {
        project.config = project.config.only(&[Part::Docs, Part::Schemas]);
    } else {
        extras.places.push("tests/drive".into());
    }
    let drive = |model: &Model| {
        if scope == Scope::All {
            let file = drive::file(model, DRIVE, "::statespec_machines").map_err(|error| Failure::not_rust(DRIVE, &error))?;
            extras.files.push(file);
        }
        Ok(extras)
    };
    project.run(drive, mode, look)
}

/// What a code means and what to do.
pub fn explain(code: &str) -> String {
    match Code::ALL.iter().find(|it| it.id() == code) {
        Some(code) => format!("{}\n\n{}\n", code.id(), code.explanation()),
        None => format!("there is no code `{code}`\n"),
    }
}
