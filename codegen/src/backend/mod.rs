//! What an output is, and one module for each: pages, JSON, Rust, conformance tests, the user's own templates.
//!
//! A backend is one file or folder with two types. The one that implements [`Backend`] stands for the kind of output: its
//! name, its section of `statespec.toml` with its keys, and how the section is read. Reading returns the other one,
//! which implements [`Configured`]: the places and the outputs of a project with that section. `registry.rs` lists all
//! backends; nothing else names one in order to run it.
//!
//! A backend reads the model and has no special cases for names. If an output needs a fact, the
//! fact belongs in the spec or the model. The other modules here are shared code, and diagrams that commands print.

pub mod code;
pub mod conformance;
pub mod database;
pub mod dot;
pub mod golang;
pub mod json;
pub(crate) mod lints;
pub mod markdown;
pub mod mermaid;
mod object;
pub mod python;
pub mod rust;
mod section;
pub mod template;
pub mod typescript;

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use statespec_lang::diagnostic::{Diagnostic, Diagnostics};
use statespec_lang::model::Model;
use statespec_lang::output::Outputs;
use statespec_lang::read::Text;
use statespec_lang::source::Sources;
use statespec_lang::yaml::Node;

pub use section::{Reader, Section};

/// One kind of output, as a project may have it.
pub trait Backend: Debug + Sync {
    /// The name on the command line: one word, in lower case, such as `docs` in `--only docs`.
    fn name(&self) -> &'static str;

    /// The outputs in a few words, for the help of `--only`.
    fn about(&self) -> &'static str;

    /// The section of the configuration.
    fn section(&self) -> Section;

    /// The outputs of a project whose configuration lacks the section; none if it has to be there.
    fn usual(&self) -> Option<Arc<dyn Configured>> {
        None
    }

    /// Reads the section. `None` means that its keys are invalid, and that at least one diagnostic states the reason.
    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>>;
}

/// A backend with the section of a project: everything that a run asks of it.
///
/// All paths are relative to the project's root, with forward slashes.
pub trait Configured: Any + Debug + Send + Sync {
    /// The folders and files of the outputs, in which there may be hand-written files as well.
    fn places(&self) -> Vec<String>;

    /// The folders and files whose hand-written pages have the regions of all backends, if this is the backend of pages.
    fn pages(&self) -> Option<&[String]> {
        None
    }

    /// The templates: files of the project that the outputs are made from.
    fn templates(&self) -> Vec<&Text> {
        Vec::new()
    }

    /// What a model has that these outputs cannot express. The diagnostics refer to the specs.
    fn unsupported(&self, _model: &Model) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Probable mistakes in the specs that only this section makes visible. They do not stop a run, and refer to the specs.
    fn findings(&self, _model: &Model) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Every file and region of the model, rendered on demand.
    ///
    /// Reports what the section or a template says that does not fit the model; the diagnostics refer to `job.files`.
    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a>;
}

/// The input of every backend.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The spec files, for their paths and texts.
    pub sources: &'a Sources,
    /// The resolved model.
    pub model: &'a Model,
    /// The configuration and the templates, by their paths in the project.
    pub files: &'a Sources,
    /// All backends that the project can have, for descriptions of its configuration.
    pub backends: &'a [&'static dyn Backend],
}
