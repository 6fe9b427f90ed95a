//! The modules of each crate are layers: a module uses only modules below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// The modules that each module uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The folders of the crates, from that of this one. The modules of `import` and `scan` are no layers yet.
const CRATES: [&str; 4] = [".", "../crates/explore", "../crates/lang", "../crates/rust"];

#[test]
fn no_module_uses_one_that_uses_it() {
    for folder in CRATES {
        let graph = graph(&sources(folder));
        assert!(graph.len() > 1 && graph.values().any(|it| !it.is_empty()), "{folder}: the modules were not read: {graph:?}");
        let cycle = cycle(&graph).map(|it| it.join(" -> "));
        assert_eq!(cycle, None, "{folder}");
    }
}

#[test]
fn an_import_upwards_is_found() {
    let mut sources = sources("../crates/lang");
    sources.push(("expr".to_owned(), 1, "use super::{model::machine::Machine, source};".to_owned()));
    assert!(cycle(&graph(&sources)).is_some_and(|it| it.contains(&"expr".to_owned()) && it.contains(&"model".to_owned())));
    // A module that is not imported, but named by path in the code.
    let mut sources = self::sources(".");
    sources.push(("sync".to_owned(), 2, "fn f() -> crate::report::Report { todo() }".to_owned()));
    assert!(cycle(&graph(&sources)).is_some_and(|it| it.contains(&"report".to_owned())));
}

#[test]
fn only_what_is_compiled_into_the_library_counts() {
    let text = "use crate::{a::B, c};\n/// As [`crate::d`].\nfn f() { g(crate::e::h) }\n#[cfg(test)]\nmod tests { use crate::i; }\n\
                #[cfg(test)]\nuse crate::j;\n#[cfg(feature = \"k\")]\nuse crate::k;\nfn l() -> TokenStream { quote! { use crate::m; } }\n";
    assert_eq!(uses(text, 1), BTreeSet::from(["a", "c", "e", "k"].map(str::to_owned)));
    // From a module inside another one, the root of the crate is two steps up.
    let text = "use super::a;\nuse super::super::{b, c::D};\n";
    assert_eq!(uses(text, 2), BTreeSet::from(["b", "c"].map(str::to_owned)));
}

/// The top-level module of every file of a crate, the number of modules from the root to it, and its text.
fn sources(folder: &str) -> Vec<(String, usize, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("src");
    let mut open = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
                sources.push((module(&root, &path), depth(&root, &path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources.retain(|(module, ..)| module != "lib");
    sources
}

/// `backend` for `src/backend/rust/mod.rs`, `yaml` for `src/yaml.rs`.
fn module(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap();
    let first: PathBuf = below.iter().take(1).collect();
    first.with_extension("").to_str().unwrap().to_owned()
}

/// 1 for `src/yaml.rs` and `src/backend/mod.rs`, 2 for `src/backend/json.rs`.
fn depth(root: &Path, path: &Path) -> usize {
    path.strip_prefix(root).unwrap().iter().count() - usize::from(path.ends_with("mod.rs"))
}

fn graph(sources: &[(String, usize, String)]) -> Graph {
    let mut graph = Graph::new();
    for (module, depth, text) in sources {
        graph.entry(module.clone()).or_default().extend(uses(text, *depth));
    }
    let modules: BTreeSet<String> = graph.keys().cloned().collect();
    for (module, uses) in &mut graph {
        // Macros and functions of the crate's root are not modules.
        uses.retain(|it| it != module && modules.contains(it));
    }
    graph
}

/// The names after `crate::`, or after as many `super::` as lead to the root, in the code of a file, without tests, comments and
/// emitted code.
fn uses(text: &str, depth: usize) -> BTreeSet<String> {
    let mut uses = BTreeSet::new();
    collect(text.parse().unwrap(), depth, &mut uses);
    uses
}

fn collect(tokens: TokenStream, depth: usize, uses: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |idx: usize, text: &str| tokens.get(idx).is_some_and(|it: &TokenTree| it.to_string() == text);
    let mut idx = 0;
    while idx < tokens.len() {
        if is(idx, "#") && tokens.get(idx + 1).is_some_and(|it| it.to_string().replace(' ', "") == "[cfg(test)]") {
            idx = after_item(&tokens, idx + 2);
            continue;
        }
        // The code that a backend emits belongs to another crate.
        if ["quote", "quote_spanned", "parse_quote"].iter().any(|it| is(idx, it)) && is(idx + 1, "!") {
            idx += 3;
            continue;
        }
        let is_step = |idx: usize, name: &str| is(idx, name) && is(idx + 1, ":") && is(idx + 2, ":");
        let after_root = match is_step(idx, "crate") {
            true => Some(idx + 3),
            false => (0..depth).all(|it| is_step(idx + 3 * it, "super")).then_some(idx + 3 * depth),
        };
        if let Some(first) = after_root {
            match tokens.get(first) {
                Some(TokenTree::Ident(name)) => _ = uses.insert(name.to_string()),
                Some(TokenTree::Group(group)) => uses.extend(first_names(group.stream())),
                _ => {}
            }
        } else if let TokenTree::Group(group) = &tokens[idx] {
            collect(group.stream(), depth, uses);
        }
        idx += 1;
    }
}

/// The first name of each path between the braces of an import.
fn first_names(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let paths = tokens.split(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == ','));
    paths.filter_map(|it| it.first()).map(ToString::to_string).collect()
}

/// The end of the item that starts at `idx`: after its `;`, or after its body.
fn after_item(tokens: &[TokenTree], idx: usize) -> usize {
    let ends = |it: &TokenTree| match it {
        TokenTree::Punct(it) => it.as_char() == ';',
        TokenTree::Group(it) => it.delimiter() == proc_macro2::Delimiter::Brace,
        _ => false,
    };
    // The braces of `use crate::{a, b};` are not a body.
    let is_use = tokens.get(idx).is_some_and(|it| it.to_string() == "use");
    let end = |it: &TokenTree| ends(it) && !(is_use && matches!(it, TokenTree::Group(_)));
    tokens[idx..].iter().position(end).map_or(tokens.len(), |it| idx + it + 1)
}

/// A cycle of modules that use each other, with the first one repeated at the end.
fn cycle(graph: &Graph) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    graph.keys().find_map(|module| walk(graph, module, &mut Vec::new(), &mut done))
}

fn walk(graph: &Graph, module: &str, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
    if let Some(start) = path.iter().position(|it| it == module) {
        let mut cycle = path[start..].to_vec();
        cycle.push(module.to_owned());
        return Some(cycle);
    }
    if done.contains(module) {
        return None;
    }
    path.push(module.to_owned());
    let found = graph[module].iter().find_map(|it| walk(graph, it, path, done));
    path.pop();
    done.insert(module.to_owned());
    found
}
