//! Every backend behind one trait, and the list of them.

use statespec_lang::model::Model;
use statespec_lang::output::{Generated, Outputs, RenderError};
use statespec_lang::source::Sources;

use super::markdown::Layout;

/// One kind of output.
pub trait Backend: Sync {
    /// The name: one word, in lower case.
    fn name(&self) -> &'static str;

    /// Every file and region of this kind that the job requests; none if it requests none.
    fn outputs<'a>(&self, job: Job<'a>) -> Outputs<'a>;
}

/// All backends. A new backend is a file with an implementation, and a line here.
pub const BACKENDS: &[&dyn Backend] = &[&super::json::Json, &super::markdown::Markdown, &RustModules, &super::conformance::Conformance];

/// The input of every backend.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The spec files, for their paths and texts.
    pub sources: &'a Sources,
    /// The resolved model.
    pub model: &'a Model,
    /// The requested outputs.
    pub config: Config<'a>,
}

/// The requested outputs and their places: a part for each backend, which generates nothing without it.
#[derive(Debug, Clone, Copy)]
pub struct Config<'a> {
    /// Pages and regions in Markdown.
    pub docs: Option<Docs<'a>>,
    /// The folder of the models as JSON.
    pub json: Option<&'a str>,
    /// Rust modules as files.
    pub rust: Option<Rust<'a>>,
    /// The folder of the conformance tests.
    pub conformance: Option<&'a str>,
}

/// Pages and regions in Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Docs<'a> {
    /// The folder of the default pages and their index; none are generated if omitted.
    pub pages: Option<&'a str>,
    /// The layout of pages and regions.
    pub layout: &'a Layout,
}

/// Rust modules as files.
#[derive(Debug, Clone, Copy)]
pub struct Rust<'a> {
    /// The folder of the modules.
    pub folder: &'a str,
    /// The file that declares them.
    pub root: statespec_rust::output::Root,
    /// The style of the code.
    pub style: &'a statespec_rust::Style,
}

impl Default for Docs<'_> {
    fn default() -> Self {
        Docs { pages: Some("docs/machines"), layout: Layout::usual() }
    }
}

impl Default for Config<'_> {
    /// The outputs for readers: pages, regions and JSON.
    fn default() -> Self {
        Config { docs: Some(Docs::default()), json: Some("generated/model"), rust: None, conformance: None }
    }
}

/// The outputs of all backends, the files sorted by path.
pub fn outputs<'a>(job: Job<'a>) -> Outputs<'a> {
    let mut outputs = Outputs::default();
    BACKENDS.iter().for_each(|it| outputs.extend(it.outputs(job)));
    outputs.sort();
    outputs
}

/// The outputs of all backends, rendered at once.
///
/// # Errors
///
/// The paths for which emitted tokens are not valid Rust, which no spec should cause.
pub fn emit(sources: &Sources, model: &Model, config: &Config<'_>) -> Result<Generated, Vec<(String, RenderError)>> {
    outputs(Job { sources, model, config: *config }).render()
}

/// A module for each machine and system, and the file that declares them.
struct RustModules;

impl Backend for RustModules {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn outputs<'a>(&self, job: Job<'a>) -> Outputs<'a> {
        let Some(Rust { folder, root, style }) = job.config.rust else { return Outputs::default() };
        statespec_rust::output::outputs(job.model, folder, root, style)
    }
}
