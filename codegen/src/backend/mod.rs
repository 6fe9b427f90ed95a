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

#[cfg(feature = "docs")]
use crate::model::Model;
#[cfg(feature = "docs")]
use crate::output::Generated;
#[cfg(feature = "docs")]
use crate::source::Sources;

/// What is made, and where it goes.
#[cfg(feature = "docs")]
#[derive(Debug, Clone, Copy)]
pub struct Config<'a> {
    /// The folder of the default pages, and of their index.
    pub pages: Option<&'a str>,
    /// The folder of the models as JSON.
    pub json: Option<&'a str>,
    /// How pages and regions are laid out.
    pub layout: &'a markdown::Layout,
}

#[cfg(feature = "docs")]
impl Default for Config<'_> {
    fn default() -> Self {
        Config { pages: Some("docs/machines"), json: Some("generated/model"), layout: markdown::Layout::usual() }
    }
}

/// What every backend is given.
#[cfg(feature = "docs")]
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The spec files, for their paths.
    pub sources: &'a Sources,
    /// What they say.
    pub model: &'a Model,
    /// What is asked for.
    pub config: Config<'a>,
}

/// Everything that is made for readers, all at once: pages, regions and JSON, the files sorted by path.
#[cfg(feature = "docs")]
pub fn emit(sources: &Sources, model: &Model, config: &Config<'_>) -> Generated {
    let job = Job { sources, model, config: *config };
    let mut outputs = json::outputs(job);
    outputs.extend(markdown::outputs(job));
    outputs.sort();
    // Only tokens can be no Rust, and these are none.
    outputs.make().unwrap_or_default()
}
