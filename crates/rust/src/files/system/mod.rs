//! Systems: a function for each transaction, over a unit of work that the user implements.
//!
//! ```text
//! model ──lower──▶ ir ──emit──▶ tokens ──file──▶ text
//! ```

mod emit;
pub(crate) mod ir;
pub(crate) mod lower;

use statespec_lang::model::{Model, System};
use statespec_lang::output::RenderError;

use super::file;
use crate::Style;

/// The text of a system's module, without the header of a generated file.
///
/// # Errors
///
/// If the tokens are not Rust, which no spec should cause.
pub fn system_text(model: &Model, system: &System, style: &Style) -> Result<String, RenderError> {
    let module = lower::lower(model, system, style);
    file::module_text(&module.module_doc, &module.env, emit::expand(&module))
}
