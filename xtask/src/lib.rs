//! The chores of this repository, as functions: the command line and the tests call the same ones.

use std::path::{Path, PathBuf};

use statespec_codegen::backend::drive;
use statespec_codegen::check::check;
use statespec_codegen::diagnostic::{Code, Levels};
use statespec_codegen::lower::load;
use statespec_codegen::model::Model;
use statespec_codegen::output::Generated;
use statespec_codegen::project;
use statespec_codegen::report::Report;
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{self, Config, Look, Mode};

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

/// Reads all specs below `root`, generates, and writes, checks or shows.
pub fn generate(root: &Path, scope: Scope, mode: Mode, look: Look) -> Report {
    let specs = match sync::read_specs(root, SPECS) {
        Ok(specs) => specs,
        Err(failures) => return Report::of_failures(&failures, look.style),
    };
    let loaded = load(&specs);
    let report = match &loaded.model {
        None => Report::stopped("nothing was generated: mend the specs first\n"),
        Some(model) => match outputs(&loaded.sources, model, scope) {
            Ok(generated) => sync::run(&config(root, scope), &generated, &loaded.sources, mode, look),
            Err(error) => Report::of_error(&format!("what was emitted is not Rust: {error}")),
        },
    };
    let mut diagnostics = loaded.diagnostics;
    diagnostics.extend(loaded.model.iter().flat_map(|model| check(model, &Levels::default())));
    report.after(&loaded.sources, &diagnostics, look.style)
}

/// Everything that is made from a model of this repository. Touches no file.
///
/// # Errors
///
/// What the emitted tokens are, where they are not Rust.
pub fn outputs(sources: &Sources, model: &Model, scope: Scope) -> Result<Generated, String> {
    let mut generated = project::generate(sources, model).map_err(|it| it.to_string())?;
    generated.files.push(drive::file(model, DRIVE, "::statespec_machines").map_err(|it| it.to_string())?);
    generated.files.retain(|it| scope.has(&it.path));
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(generated)
}

/// What a code means and what to do.
pub fn explain(code: &str) -> String {
    match Code::ALL.iter().find(|it| it.id() == code) {
        Some(code) => format!("{}\n\n{}\n", code.id(), code.explain()),
        None => format!("there is no code `{code}`\n"),
    }
}
