//! A project by convention: everything that is made from its specs.

use crate::backend;
use crate::model::Model;
use crate::output::Generated;
use crate::source::Sources;

/// The folder of the crate that holds the emitted Rust.
pub const RUST: &str = "generated";

/// Everything that is made from a model: Rust, pages, regions, JSON, and the schemas of the language.
///
/// # Errors
///
/// Where emitted tokens are not Rust, which no spec should bring about.
pub fn generate(sources: &Sources, model: &Model) -> Result<Generated, syn::Error> {
    let mut generated = backend::emit(sources, model, &backend::Config::default());
    generated.files.extend(backend::rust::krate::files(model, RUST, &backend::rust::Style::default())?);
    generated.regions.insert("diagnostics".into(), crate::diagnostic::Code::region());
    #[cfg(feature = "explore")]
    generated.files.extend(backend::conformance::files(model, &format!("{RUST}/conformance"))?);
    #[cfg(feature = "schema")]
    {
        generated.files.extend(crate::spec::schema::outputs());
        generated.regions.extend(crate::spec::schema::regions());
    }
    generated.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(generated)
}
