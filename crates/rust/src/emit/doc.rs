//! Documentation as attributes: `/// …` and `//! …`.

use proc_macro2::TokenStream;
use quote::quote;

/// Paragraphs of Markdown in front of an item.
pub(crate) fn doc(paragraphs: &[String]) -> TokenStream {
    let lines = lines(paragraphs);
    quote! { #(#[doc = #lines])* }
}

/// One line of Markdown in front of an item.
pub(crate) fn doc_line(text: &str) -> TokenStream {
    let text = format!(" {text}");
    quote! { #[doc = #text] }
}

/// Paragraphs of Markdown at the beginning of a module.
pub fn module_doc(paragraphs: &[String]) -> TokenStream {
    let lines = lines(paragraphs);
    quote! { #(#![doc = #lines])* }
}

/// The text after the slashes of each line.
fn lines(paragraphs: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in paragraphs.iter().filter(|it| !it.is_empty()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(paragraph.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") }));
    }
    lines
}
