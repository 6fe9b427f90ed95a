//! What a file declares for other files, and what it needs of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proc_macro2::TokenStream;
use statespec_lang::source::{SourceId, Span};

use super::declared::{Binding, Declared, Module, Variant};
use super::items::{Items, paths};
use crate::span;

/// What other files can name in a file.
#[derive(Debug, Default)]
pub struct Outline {
    /// The enums, without those of tests and functions.
    pub enums: Vec<Arc<Declared>>,
    /// The names that are imported.
    pub bindings: Vec<Binding>,
    /// The modules that the file declares.
    pub modules: Vec<Module>,
}

impl Outline {
    pub(super) fn new(items: Items<'_>, path: &str, source: SourceId) -> Self {
        let enums = items.enums.into_iter().filter(|it| it.is_local() && !it.is_test && !it.in_body && !it.variants.is_empty());
        let declared = |it: super::items::Enum| {
            let variants = it.variants.into_iter().map(|it| Variant { doc: String::new(), ..it }).collect();
            let machine = match it.module.last().map(String::as_str).or(module_name(path)) {
                Some(module) if is_plain(&it.name) => format!("{module}_{}", it.name),
                _ => it.name.clone(),
            };
            Arc::new(Declared { name: it.name, machine, source, module: it.module, head: it.head, variants })
        };
        Outline { enums: enums.map(declared).collect(), bindings: items.bindings, modules: items.modules }
    }
}

/// Whether a name of an enum does not say whose state it is.
fn is_plain(name: &str) -> bool {
    matches!(name, "State" | "Status" | "Phase" | "Stage" | "Lifecycle")
}

/// The name of the module of a file, unless it is that of a crate.
fn module_name(path: &str) -> Option<&str> {
    let mut parts = path.rsplit('/');
    let name = match parts.next()?.strip_suffix(".rs")? {
        "mod" => parts.next()?,
        name => name,
    };
    (!matches!(name, "lib" | "main" | "src")).then_some(name)
}

/// An enum of another file that has steps in a file.
#[derive(Debug)]
pub struct Wanted {
    /// The name in this file.
    pub name: String,
    /// The paths by which the file names it, each with the module inside the file.
    pub paths: BTreeSet<(Vec<String>, Vec<String>)>,
    /// The variants that the file uses.
    pub variants: BTreeSet<String>,
    /// The first place that names it.
    pub place: Span,
    /// Whether steps between the variants that the file uses were found, and not only code that may have some.
    pub has_steps: bool,
}

/// The names of enums of other files, with the paths by which the file names them. Of each enum, whether it has steps.
pub(super) fn wanted(items: &Items<'_>, tokens: &TokenStream, enums: &BTreeMap<usize, bool>, id: SourceId) -> Vec<Wanted> {
    if enums.is_empty() {
        return Vec::new();
    }
    let mut wanted: BTreeMap<&str, Wanted> = BTreeMap::new();
    for (of, has_steps) in enums {
        let variants: BTreeSet<String> = items.enums[*of].variants.iter().map(|it| it.name.clone()).collect();
        for name in items.names_of(*of) {
            let (paths, place) = (BTreeSet::new(), span(id, items.enums[*of].head.clone()));
            wanted.insert(name, Wanted { name: name.to_owned(), paths, variants: variants.clone(), place, has_steps: *has_steps });
        }
    }
    paths(tokens.clone(), false, &mut |it| {
        // `State::Open` names the state, too.
        let mut path: Vec<String> = it.is_absolute.then(String::new).into_iter().collect();
        path.extend(it.names.iter().map(|it| it.to_string().trim_start_matches("r#").to_owned()));
        let Some(n_parts) = path.iter().position(|it| it.starts_with(char::is_uppercase)) else { return };
        let Some(wanted) = wanted.get_mut(path[n_parts].as_str()) else { return };
        let place = it.names[0].span().byte_range().start;
        if !it.in_use && !items.tests.iter().any(|it| it.contains(&place)) {
            wanted.paths.insert((items.module_at(place).to_vec(), path[..=n_parts].to_vec()));
        }
    });
    // `use path::State::*`
    for binding in items.bindings.iter().filter(|it| !it.is_test) {
        let Some(n_parts) = binding.path.iter().position(|it| it.starts_with(char::is_uppercase)) else { continue };
        let is_of_variants = binding.name.is_none() || n_parts + 1 < binding.path.len();
        if let Some(wanted) = wanted.get_mut(binding.path[n_parts].as_str()).filter(|_| is_of_variants) {
            wanted.paths.insert((binding.module.clone(), binding.path[..=n_parts].to_vec()));
        }
    }
    wanted.into_values().filter(|it| !it.paths.is_empty()).collect()
}
