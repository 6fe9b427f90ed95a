//! `#[derive(StateMachine)]`: finds the spec and passes it to the library.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
use quote::quote;
use statespec_codegen::derive::{Features, Found, Missing, expand};
use statespec_codegen::diagnostic::nearest;
use statespec_codegen::root;
use syn::LitStr;

/// Makes a struct the machine of a spec, or an enum its states: `#[machine("machines/job.yaml")]`.
///
/// The fields of a struct are the context, and one of them is the state; the variants of an enum
/// are the states. The guide of the derive describes the emitted items and the options.
#[proc_macro_derive(StateMachine, attributes(machine))]
pub fn derive_state_machine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input.into(), &find, Features { serde: cfg!(feature = "serde") }).into()
}

/// Searches for the spec below the crate, then below every folder around the source file.
fn find(path: &LitStr) -> Result<Found, Missing> {
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
    let near = near(&named, &looked);
    let meant = near.as_ref().map_or_else(|| "; looked".to_owned(), |it| format!(": did you mean `{}`? Looked", it.0));
    let looked: Vec<String> = looked.iter().map(|it| format!("\n  {}", it.display())).collect();
    Err(Missing { message: format!("there is no file `{named}`{meant} for{}", looked.concat()), near: near.map(|it| it.1) })
}

/// A spec with a similar name in one of the folders that were searched: the path to write instead, and its text.
fn near(named: &str, looked: &[PathBuf]) -> Option<(String, String)> {
    let (folder, name) = named.rsplit_once('/').map_or(("", named), |(folder, name)| (folder, name));
    looked.iter().filter_map(|it| it.parent()).find_map(|place| {
        let names = place.read_dir().ok()?.filter_map(|it| it.ok()?.file_name().into_string().ok());
        let names: Vec<String> = names.filter(|it| it.ends_with(".yaml") || it.ends_with(".yml")).collect();
        let found = nearest(name, names.iter().map(String::as_str))?;
        let path = if folder.is_empty() { found.to_owned() } else { format!("{folder}/{found}") };
        Some((path, std::fs::read_to_string(place.join(found)).ok()?))
    })
}

/// The folders around the source file, innermost first.
fn around(span: Span) -> Vec<PathBuf> {
    let Some(file) = span.unwrap().local_file().and_then(|it| std::path::absolute(it).ok()) else { return Vec::new() };
    root::around(file.parent().unwrap_or(&file)).map(Path::to_owned).collect()
}

fn read(file: &Path) -> Result<Option<String>, Missing> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Missing { message: format!("reading `{}` failed: {error}", file.display()), near: None }),
    }
}
