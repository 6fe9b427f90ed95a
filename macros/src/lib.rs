//! `#[derive(StateMachine)]`: finds the spec and passes it to the library.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
use quote::quote;
use statespec_codegen::derive::{Found, expand};
use syn::LitStr;

/// Makes a struct the machine of a spec, or an enum its states: `#[machine("machines/job.yaml")]`.
///
/// The fields of a struct are the context, and one of them is the state; the variants of an enum
/// are the states. The guide of the derive describes the emitted items and the options.
#[proc_macro_derive(StateMachine, attributes(machine))]
pub fn derive_state_machine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input.into(), &find).into()
}

/// Searches for the spec below the crate, then below every folder around the source file.
fn find(path: &LitStr) -> Result<Found, String> {
    let named = path.value();
    let mut looked = Vec::new();
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    if let Some(folder) = &manifest {
        let file = folder.join(&named);
        if let Some(text) = read(&file)? {
            // The emitted code contains no absolute path.
            return Ok(Found { text, path: quote! { ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #named) } });
        }
        looked.push(file);
    }
    for folder in around(path.span()) {
        let file = folder.join(&named);
        if let Some(text) = read(&file)? {
            let shown = file.to_string_lossy();
            return Ok(Found { text, path: quote! { #shown } });
        }
        if !looked.contains(&file) {
            looked.push(file);
        }
    }
    let looked: Vec<String> = looked.iter().map(|it| format!("\n  {}", it.display())).collect();
    Err(format!("there is no file `{named}`; looked for{}", looked.concat()))
}

/// The folders around the source file, innermost first, up to the root of the workspace.
fn around(span: Span) -> Vec<PathBuf> {
    let Some(file) = span.unwrap().local_file().and_then(|it| std::path::absolute(it).ok()) else { return Vec::new() };
    let folders: Vec<&Path> = file.ancestors().skip(1).collect();
    let root = folders.iter().position(|it| it.join("Cargo.lock").exists()).unwrap_or(folders.len());
    folders.into_iter().take(root + 1).map(Path::to_owned).collect()
}

fn read(file: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("reading `{}` failed: {error}", file.display())),
    }
}
