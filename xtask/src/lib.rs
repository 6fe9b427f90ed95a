//! The tasks of this repository, as functions: the command line and the tests call the same ones.

pub mod book;
pub mod coverage;
pub mod scxml_cases;
pub mod survey;

use std::path::{Path, PathBuf};

use cargo_statespec::extras;
use statespec_codegen::backend::markdown::Docs;
use statespec_codegen::language::Language;
use statespec_codegen::model::Model;
use statespec_codegen::project::{Extras, Project, Unusable};
use statespec_codegen::report::{RenderOptions, Report};
use statespec_codegen::source::Sources;
use statespec_codegen::sync::{Config, Failure, Mode};
use statespec_drive as drive;
use statespec_lang::output::Generated;
use statespec_rust::root::Root;

/// The generated code by which tests drive every emitted machine by name.
const DRIVE: &str = "tests/drive/mod.rs";

/// The same code for types with a derive.
const DERIVED: &str = "tests/drive_derived";

/// The folder of the specs.
pub const SPECS: &str = "machines";

/// The outputs of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Pages, regions, and the schemas that editors of specs use.
    Docs,
}

/// The root of this repository. It is found when the program runs: two checkouts can share a target folder.
///
/// # Panics
///
/// If there is no current folder.
pub fn root() -> PathBuf {
    Root::of_process().expect("there is a current folder").folder
}

/// The folders of the generated code that drives the tests.
fn drive_places() -> impl Iterator<Item = String> {
    let folder = DRIVE.rsplit_once('/').map(|(folder, _)| folder);
    folder.into_iter().chain([DERIVED]).map(str::to_owned)
}

/// This repository, as its `statespec.toml` describes it, at another place on the disk.
///
/// # Errors
///
/// The errors in `statespec.toml`.
pub fn project(root: &Path, scope: Scope) -> Result<Project, Box<Unusable>> {
    let mut project = Project::open(self::root())?;
    project.root.folder = root.to_owned();
    if scope == Scope::Docs {
        project.config = project.config.only(&[&Docs, &Language]);
    }
    Ok(project)
}

/// The outputs besides those of every project: the code that drives the tests, and regions about the command line.
fn additions(project: &Project, model: &Model, scope: Scope) -> Result<Extras, Failure> {
    let mut extras = extras(project);
    if scope == Scope::All {
        let file = drive::file(model, DRIVE, "::statespec_machines").map_err(|error| Failure::not_rust(DRIVE, &error))?;
        extras.generated.files.push(file);
        for (name, types) in [("structs", drive::Types::Structs), ("enums", drive::Types::Enums)] {
            let (path, module) = (format!("{DERIVED}/{name}.rs"), format!("crate::{name}"));
            let file = drive::derived_file(model, &path, &module, types).map_err(|error| Failure::not_rust(&path, &error))?;
            extras.generated.files.push(file);
        }
        extras.places.extend(drive_places());
    }
    Ok(extras)
}

/// The paths of outputs in this repository.
///
/// # Errors
///
/// The errors in `statespec.toml`.
pub fn config(root: &Path, scope: Scope) -> Result<Config, String> {
    project(root, scope).map(|it| config_of(&it, scope)).map_err(|it| it.to_string())
}

/// Like `config`, for this repository as a project that was changed.
pub fn config_of(project: &Project, scope: Scope) -> Config {
    let mut config = project.places();
    if scope == Scope::All {
        config.shared.extend(drive_places());
    }
    config
}

/// Reads all specs below `root`, generates, and writes, checks or shows.
pub fn generate(root: &Path, scope: Scope, mode: Mode, options: RenderOptions) -> Report {
    generate_and_remove(root, scope, mode, &[], options)
}

/// Like `generate`; also removes the files at these paths, if no spec provides them.
pub fn generate_and_remove(root: &Path, scope: Scope, mode: Mode, remove: &[String], options: RenderOptions) -> Report {
    match project(root, scope) {
        Ok(mut project) => {
            remove.clone_into(&mut project.remove);
            run(&project, scope, mode, options)
        }
        Err(problem) => problem.report(options.style),
    }
}

/// Like `generate`, for this repository as a project that was changed.
pub fn run(project: &Project, scope: Scope, mode: Mode, options: RenderOptions) -> Report {
    project.run(|model| additions(project, model, scope), mode, options)
}

/// All outputs of a model of this repository. Writes nothing.
///
/// # Errors
///
/// The errors in `statespec.toml`, or the emitted tokens that are not Rust.
pub fn outputs(sources: &Sources, model: &Model, scope: Scope) -> Result<Generated, String> {
    let project = project(&root(), scope).map_err(|it| it.to_string())?;
    outputs_of(&project, sources, model, scope)
}

/// Like `outputs`, for this repository as a project that was changed.
///
/// # Errors
///
/// The emitted tokens that are not Rust.
pub fn outputs_of(project: &Project, sources: &Sources, model: &Model, scope: Scope) -> Result<Generated, String> {
    let extras = additions(project, model, scope).map_err(|it| it.to_string())?;
    let generated = project.generate(sources, model).map_err(|it| it.to_string())?;
    Ok(extras.add_to(generated))
}
