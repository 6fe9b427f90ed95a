//! Systems, which no language of this crate expresses.

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::model::Model;

/// The systems of a model, each refused at its name: the section `section` has to say that the machines are wanted alone.
pub fn refused(model: &Model, language: &str, section: &str) -> Vec<Diagnostic> {
    let help = format!("write `systems = false` in `[{section}]` for the machines alone");
    let message = |name: &str| format!("no {language} is emitted for systems such as `{name}`");
    model.systems.iter().map(|it| Diagnostic::new(Code::ConfigInvalid, it.span, message(&it.name)).help(help.clone())).collect()
}
