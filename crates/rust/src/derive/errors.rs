//! Errors of the spec and of the user's Rust, as compiler errors.

use proc_macro2::TokenStream;
use quote::ToTokens;
use statespec_lang::diagnostic::{self, Diagnostic, Level};
use statespec_lang::source::Sources;
use syn::LitStr;

/// Collects errors, each at the tokens that cause it.
#[derive(Default)]
pub(super) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds an error in the user's Rust.
    pub(super) fn at(&mut self, tokens: impl ToTokens, message: impl AsRef<str>) {
        self.0.push(syn::Error::new_spanned(tokens, message.as_ref()));
    }

    pub(super) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Adds the errors of the spec: the message quotes it, the span is the path that names it.
    pub(super) fn spec(&mut self, path: &LitStr, sources: &Sources, diagnostics: &[Diagnostic]) {
        // A derive cannot emit warnings.
        for found in diagnostics.iter().filter(|it| it.level == Level::Error) {
            let text = diagnostic::render(sources, std::slice::from_ref(found), diagnostic::Style::Plain);
            // The compiler prints `error` itself.
            let text = text.trim_end();
            let text = text.strip_prefix("error").unwrap_or(text);
            let text = text.split_once("]: ").map_or(text, |(_, text)| text);
            self.at(path, text);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes the first error, as `compile_error!`.
    pub(super) fn take_first(&mut self) -> Option<TokenStream> {
        (!self.0.is_empty()).then(|| self.0.remove(0).to_compile_error())
    }

    /// All errors as `compile_error!`.
    pub(super) fn finish(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}
