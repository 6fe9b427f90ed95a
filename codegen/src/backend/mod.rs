//! One module per output. A backend is one file, or folder, that answers one question: what does
//! this model look like as JSON, as pages, as Rust?
//!
//! A backend reads the model and keeps no special cases by name. If an output needs a fact, the
//! fact belongs into the spec or the model.

#[cfg(all(feature = "explore", feature = "files"))]
pub mod conformance;
#[cfg(feature = "docs")]
pub mod dot;
#[cfg(feature = "files")]
pub mod drive;
#[cfg(feature = "docs")]
pub mod json;
#[cfg(feature = "docs")]
pub mod markdown;
#[cfg(feature = "systems")]
pub mod mermaid;
#[cfg(feature = "docs")]
mod object;
pub mod rust;
pub mod show;

use crate::model::Model;
use crate::output::Generated;
use crate::source::Sources;

/// What is made, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The folder of the default pages, and of their index.
    pub pages: Option<String>,
    /// The folder of the models as JSON.
    pub json: Option<String>,
    /// How pages and regions are laid out.
    #[cfg(feature = "docs")]
    pub layout: markdown::Layout,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            pages: Some("docs/machines".into()),
            json: Some("generated/model".into()),
            #[cfg(feature = "docs")]
            layout: markdown::Layout::default(),
        }
    }
}

/// What every backend is given.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The spec files, for their paths.
    pub sources: &'a Sources,
    /// What they say.
    pub model: &'a Model,
    /// What is asked for.
    pub config: &'a Config,
}

/// Everything that one backend makes.
pub type Backend = fn(Job<'_>) -> Generated;

/// All backends.
pub const BACKENDS: &[Backend] = &[
    #[cfg(feature = "docs")]
    json::emit,
    #[cfg(feature = "docs")]
    markdown::emit,
];

/// Runs every backend. The files are sorted by path, and no path comes twice.
pub fn emit(sources: &Sources, model: &Model, config: &Config) -> Generated {
    let job = Job { sources, model, config };
    let mut generated = Generated::default();
    for backend in BACKENDS {
        let made = backend(job);
        generated.files.extend(made.files);
        generated.regions.extend(made.regions);
    }
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    generated.files.dedup_by(|a, b| a.path == b.path);
    generated
}
