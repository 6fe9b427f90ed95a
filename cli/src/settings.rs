//! `statespec.toml` as a document that keeps its comments and its order.

use statespec_codegen::diagnostic::Style;
use statespec_codegen::report::Report;
use statespec_codegen::sync::{Draft, Refusal, plan_files, read_bytes};
use statespec_rust::root::{FILE, Root};
use toml_edit::DocumentMut;

/// The configuration as a document, and its bytes; an empty one if there is none.
pub(crate) fn document(root: &Root) -> Result<(DocumentMut, Option<Vec<u8>>), Report> {
    let failed = |it| Report::of_failures(&[it], Style::Colour);
    let before = read_bytes(&root.folder, FILE).map_err(failed)?;
    let text = String::from_utf8(before.clone().unwrap_or_default());
    let text = text.map_err(|_| Report::of_error(&format!("`{FILE}` is no text in UTF-8")))?;
    let document = text.parse::<DocumentMut>().map_err(|it| Report::of_error(&format!("`{FILE}`: {}", it.message())))?;
    Ok((document, before))
}

/// Writes the configuration, unless somebody changed it meanwhile.
pub(crate) fn write(root: &Root, document: &DocumentMut, before: Option<Vec<u8>>) -> Result<(), Report> {
    let draft = Draft { path: FILE.to_owned(), text: document.to_string(), replaces: before };
    let applied = plan_files(&root.folder, vec![draft]).apply(false).map(drop);
    applied.map_err(|it| Report::of_failures(&Refusal::failures(it), Style::Colour))
}
