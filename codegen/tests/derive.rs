//! The derive as a function: it never panics, and it emits what checked-in modules hold.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use statespec_codegen::derive::{Found, expand};

/// Expands an item whose attribute names a spec with this text.
fn expand_with(text: &str, item: TokenStream) -> TokenStream {
    expand(item, &|_| Ok(Found { text: text.to_owned(), path: quote! { "spec.yaml" } }))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "yaml"));
    paths.sort();
    paths
}

#[test]
fn every_wrong_spec_gets_its_messages_and_stand_ins() {
    let paths = files("tests/fixtures/bad");
    assert!(paths.len() > 20);
    for path in paths {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let items = [
            quote! { #[machine("spec.yaml")] struct Job { state: JobState } },
            quote! { #[machine("spec.yaml")] enum JobState { Open, Closed } },
        ];
        for item in items {
            let tokens = expand_with(&text, item);
            let file: syn::File = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{}: {error}\n{tokens}", path.display()));
            let is_error = |it: &syn::Item| matches!(it, syn::Item::Macro(it) if it.mac.path.segments.last().is_some_and(|it| it.ident == "compile_error"));
            assert!(file.items.iter().any(is_error), "{}", path.display());
            assert!(file.items.iter().any(|it| matches!(it, syn::Item::Impl(_))), "{}: nothing stands in", path.display());
        }
    }
}
