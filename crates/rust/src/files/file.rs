//! Renders tokens as the text of a file: formatted by prettyplease, with a blank line between items and between methods.

use proc_macro2::TokenStream;
use quote::quote;
use statespec_lang::model::Machine;
use statespec_lang::output::RenderError;

use crate::Style;
use crate::emit::{expand, module_doc};
use crate::ir::Env;
use crate::lower::{ModuleOptions, lower};

/// The version of the emitted code; the façade only accepts its own version.
const FORMAT: u32 = 6;

/// The text of a machine's module, without the header of a generated file.
///
/// # Errors
///
/// If the tokens are not Rust, which no spec should cause.
pub fn machine_text(machine: &Machine, style: &Style) -> Result<String, RenderError> {
    let module = lower(machine, style, &ModuleOptions::default());
    module_text(&module.module_doc, &module.env, expand(&module))
}

/// The text of a module.
///
/// # Errors
///
/// If the tokens are not Rust, which no spec should cause.
pub(crate) fn module_text(doc: &[String], env: &Env, items: TokenStream) -> Result<String, RenderError> {
    let facade = &env.facade;
    let format = proc_macro2::Literal::u32_unsuffixed(FORMAT);
    items_text(
        doc,
        quote! {
            #facade::__emitted!(#format);
            #items
        },
    )
}

/// The text of other items.
///
/// # Errors
///
/// If the tokens are not Rust.
pub fn items_text(doc: &[String], items: TokenStream) -> Result<String, RenderError> {
    let doc = module_doc(doc);
    let file = syn::parse2(quote! { #doc #items }).map_err(|error| RenderError::new(format!("the emitted code is not Rust: {error}")))?;
    Ok(separate(&prettyplease::unparse(&file)))
}

/// Inserts a blank line between items and between methods. Lines are unchanged, and no token spans several lines.
fn separate(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    let (mut last, mut last_indent) = ("", 0);
    // Statements of free functions have the same indent as methods.
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("impl") || line.starts_with("pub trait") || line.starts_with("trait") {
            in_block = true;
        } else if line.starts_with('}') {
            in_block = false;
        }
        let indent = line.bytes().take_while(|it| *it == b' ').count();
        let code_ended = last.ends_with(['}', ';']) && !last[last_indent..].starts_with("//");
        let item_ended = code_ended || last.starts_with("//!") || last.starts_with("#![");
        let goes_on = line[indent..].starts_with('}');
        let at_item = indent == 0 || (indent == 4 && in_block);
        if at_item && indent == last_indent && item_ended && !goes_on && !line.starts_with("//!") && !line.starts_with("#![") {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        (last, last_indent) = (line, indent);
    }
    out
}
