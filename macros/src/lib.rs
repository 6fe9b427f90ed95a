//! `#[derive(StateMachine)]`: finds the spec and passes it to the library.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
use quote::quote;
use statespec_lang::diagnostic::nearest;
use statespec_lang::names::snake;
use statespec_rust::derive::{Features, Found, Missing, expand};
use statespec_rust::root::{self, Root};
use syn::{Ident, LitStr};

/// Makes a struct the machine of a spec, or an enum its states: `#[machine("machines/job.yaml")]`.
///
/// The fields of a struct are the context, and one of them is the state; the variants of an enum
/// are the states. The guide of the derive describes the emitted items and the options.
#[proc_macro_derive(StateMachine, attributes(machine))]
pub fn derive_state_machine(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(input.into(), &find, Features { serde: cfg!(feature = "serde"), decimal: cfg!(feature = "decimal") }).into()
}

/// Searches for the spec below the crate, then below every folder around the source file.
fn find(path: &LitStr, ty: &Ident) -> Result<Found, Missing> {
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
    let start = manifest.or_else(|| around(path.span()).into_iter().next());
    let project = start.map(|it| Root::find(&it).folder);
    let near = project.and_then(|it| near(&named, &ty.to_string(), &looked, &it));
    let meant = near.as_ref().map_or_else(|| "; looked".to_owned(), |it| format!(": did you mean `{}`? Looked", it.0));
    let looked: Vec<String> = looked.iter().map(|it| format!("\n  {}", it.display())).collect();
    Err(Missing { message: format!("there is no file `{named}`{meant} for{}", looked.concat()), near: near.map(|it| it.1) })
}

/// The spec that was probably meant: the path to write instead, and its text.
///
/// It has a similar name, or else the name of the type, or else it is the only one. Files of other projects, which lie
/// beside this one in a temporary folder or a home, are never meant.
fn near(named: &str, ty: &str, looked: &[PathBuf], project: &Path) -> Option<(String, String)> {
    // The folders that were searched, as the path names its folder from there.
    let depth = Path::new(named).components().count();
    let mut tops = looked.iter().filter_map(|it| it.ancestors().nth(depth)).filter(|it| it.starts_with(project));
    tops.find_map(|top| {
        let mut specs = Vec::new();
        let mut left = MAX_ENTRIES;
        specs_below(top, top, &mut left, &mut specs);
        let stem = |path: &str| Path::new(path).file_stem().map(|it| it.to_string_lossy().into_owned());
        let similar = || {
            let stems: Vec<String> = specs.iter().filter_map(|it| stem(&it.0)).collect();
            let found = nearest(&stem(named)?, stems.iter().map(String::as_str))?.to_owned();
            specs.iter().find(|it| stem(&it.0).as_ref() == Some(&found))
        };
        let of_type = || specs.iter().find(|it| stem(&it.0).is_some_and(|stem| snake(&stem) == snake(ty)));
        let only = || if let [only] = specs.as_slice() { Some(only) } else { None };
        similar().or_else(of_type).or_else(only).cloned()
    })
}

/// The maximum number of files and folders that are looked at for a spec with another name.
const MAX_ENTRIES: usize = 2_000;

/// The specs of machines below a folder, each with its path and text, in the order of the paths.
fn specs_below(top: &Path, folder: &Path, left: &mut usize, found: &mut Vec<(String, String)>) {
    // What cannot be read is not suggested.
    let mut entries: Vec<PathBuf> = folder.read_dir().into_iter().flatten().filter_map(|it| Some(it.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        let is_folder = path.is_dir();
        if is_folder && (path.is_symlink() || root::is_ignored(&name, true)) {
            continue;
        }
        if is_folder {
            specs_below(top, &path, left, found);
        } else if (name.ends_with(".yaml") || name.ends_with(".yml"))
            && let Ok(text) = std::fs::read_to_string(&path)
            && text.lines().any(|it| it.starts_with("machine:"))
            && let Ok(shown) = path.strip_prefix(top)
        {
            found.push((shown.to_string_lossy().replace('\\', "/"), text));
        }
    }
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
