//! What is wrong, as errors of the compiler.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::LitStr;

use crate::diagnostic::{self, Diagnostic, Level};
use crate::source::Sources;

/// Collects errors, each at the tokens to blame.
#[derive(Default)]
pub(super) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Something of the user's Rust is wrong.
    pub(super) fn at(&mut self, tokens: impl ToTokens, message: impl AsRef<str>) {
        self.0.push(syn::Error::new_spanned(tokens, message.as_ref()));
    }

    pub(super) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Something of the spec is wrong: the message quotes it, the span is the path that names it.
    pub(super) fn spec(&mut self, path: &LitStr, sources: &Sources, diagnostics: &[Diagnostic]) {
        // A derive cannot warn.
        for found in diagnostics.iter().filter(|it| it.level == Level::Error) {
            let text = diagnostic::render(sources, std::slice::from_ref(found), diagnostic::Style::Plain);
            // The compiler says `error` itself.
            let text = text.trim_end();
            let text = text.strip_prefix("error").unwrap_or(text);
            let text = text.split_once("]: ").map_or(text, |(_, text)| text);
            self.at(path, text);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them as `compile_error!`.
    pub(super) fn finish(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
