//! Enums under the derive: an enum whose variants are not the machine's states must not compile.

use proc_macro2::TokenStream;
use statespec_codegen::model::Machine;
use statespec_lang::names::upper_camel;
use statespec_rust::derive::{Features, Found, expand};

/// A change of an enum: its name, and the new variants; `None` if it has no effect.
type Change = (&'static str, fn(&[String], usize) -> Option<Vec<String>>);

const CHANGES: &[Change] = &[
    ("variant misspelt", |all, idx| Some(with(all, idx, &[format!("{}x", all[idx])]))),
    ("variant removed", |all, idx| Some(with(all, idx, &[]))),
    ("variant added", |all, idx| Some(with(all, idx, &[all[idx].clone(), "Extra".to_owned()]))),
    ("variant doubled", |all, idx| Some(with(all, idx, &[all[idx].clone(), all[idx].clone()]))),
    ("variant replaced by another", |all, idx| all.get(idx + 1).map(|it| with(all, idx, std::slice::from_ref(it)))),
    ("variant with a field", |all, idx| Some(with(all, idx, &[format!("{}(u8)", all[idx])]))),
];

fn with(all: &[String], idx: usize, new: &[String]) -> Vec<String> {
    [&all[..idx], new, &all[idx + 1..]].concat()
}

/// Every change of every variant of a machine's enum: the class, and the enum.
pub(super) fn all(machine: &Machine) -> Vec<(&'static str, String)> {
    let variants = variants(machine);
    let changed = |idx: usize| {
        let variants = &variants;
        CHANGES.iter().filter_map(move |(class, change)| Some((*class, item(&change(variants, idx)?))))
    };
    (0..variants.len()).flat_map(changed).collect()
}

/// The unchanged enum of a machine.
pub(super) fn original(machine: &Machine) -> String {
    item(&variants(machine))
}

fn variants(machine: &Machine) -> Vec<String> {
    machine.leaves().map(|it| upper_camel(&machine.state(it).name)).collect()
}

fn item(variants: &[String]) -> String {
    format!("#[machine(\"spec.yaml\")] enum State {{ {} }}", variants.join(", "))
}

/// Whether the derive accepts such an enum for a spec.
pub(super) fn compiles(spec: &str, item: &str) -> bool {
    // The compiler itself refuses two variants of one name.
    let Ok(item) = syn::parse_str::<syn::ItemEnum>(item) else { return false };
    let mut names: Vec<_> = item.variants.iter().map(|it| it.ident.to_string()).collect();
    names.sort();
    if names.windows(2).any(|it| it[0] == it[1]) {
        return false;
    }
    let path: TokenStream = "\"spec.yaml\"".parse().unwrap_or_default();
    let expanded = expand(
        quote::quote!(#item),
        &|_, _| Ok(Found { text: spec.to_owned(), path: path.clone() }),
        Features { serde: true, decimal: true },
    );
    !expanded.to_string().contains("compile_error")
}
