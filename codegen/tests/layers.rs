//! The modules of each crate are layers, in every folder: of two modules side by side, only one uses the other. A module and those
//! inside of it are one layer to the modules beside it, and share what the outer one declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// The names from the root of a crate to a module.
type Module = Vec<String>;

/// The modules that each module uses; both are in one folder.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// The folders of the crates, from that of this one.
const CRATES: [&str; 11] = [
    ".",
    "../cli",
    "../crates/audit",
    "../crates/code",
    "../crates/explore",
    "../crates/import",
    "../crates/lang",
    "../crates/rust",
    "../crates/scan",
    "../crates/sql",
    "../crates/store",
];

#[test]
fn no_module_uses_one_that_uses_it() {
    let circles: String = CRATES.iter().map(|folder| report(folder, &graph(&sources(folder)))).collect();
    assert_eq!(circles, "");
}

#[test]
fn an_import_upwards_is_found() {
    let with = |folder: &str, module: &str, text: &str| {
        let mut sources = sources(folder);
        sources.push((named(module), text.to_owned()));
        circles_of(&graph(&sources)).into_iter().flatten().cloned().collect::<BTreeSet<Module>>()
    };
    let found = with("../crates/lang", "expr", "use super::{model::machine::Machine, source};");
    assert!(found.contains(&named("expr")) && found.contains(&named("model")), "{found:?}");
    // A module that is not imported, but named by path in the code.
    let found = with(".", "sync", "fn f() -> crate::report::Report { todo() }");
    assert!(found.contains(&named("report")), "{found:?}");
    // Modules side by side in a folder.
    let found = with("../crates/lang", "lower::states", "use super::super::lower::pipeline::Pipeline;");
    assert!(found.contains(&named("lower::pipeline")), "{found:?}");
}

#[test]
fn only_what_is_compiled_into_the_library_counts() {
    let text = "use crate::{a::B, c::{d, E}};\n/// As [`crate::f`].\nfn f() { g(crate::h::i) }\n#[cfg(test)]\nmod tests { use crate::j; }\n\
                #[cfg(test)]\nuse crate::k;\n#[cfg(feature = \"l\")]\nuse super::{l, super::m};\nfn n() -> TokenStream { quote! { use crate::o; } }\n";
    let found: Vec<String> = paths(text, &named("x::y")).iter().map(|it| it.join("::")).collect();
    assert_eq!(found, ["a::B", "c::d", "c::E", "h::i", "x::l", "m"]);
}

/// The circles of a crate, a line for each.
fn report(folder: &str, graph: &Graph) -> String {
    assert!(graph.len() > 1 && graph.values().any(|it| !it.is_empty()), "{folder}: the modules were not read: {graph:?}");
    let line = |circle: BTreeSet<&Module>| {
        let circle: Vec<String> = circle.into_iter().map(|it| it.join("::")).collect();
        format!("{folder}: {}\n", circle.join(", "))
    };
    circles_of(graph).into_iter().map(line).collect()
}

fn named(module: &str) -> Module {
    module.split("::").map(str::to_owned).collect()
}

/// Every file of a crate as a module, and its text.
fn sources(folder: &str) -> Vec<(Module, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("src");
    let mut open = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
                sources.push((module(&root, &path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

/// `backend::rust` for `src/backend/rust/mod.rs`, `yaml` for `src/yaml.rs`, nothing for `src/lib.rs`.
fn module(root: &Path, path: &Path) -> Module {
    let below = path.strip_prefix(root).unwrap().with_extension("");
    let mut names: Module = below.iter().map(|it| it.to_str().unwrap().to_owned()).collect();
    names.pop_if(|it| ["mod", "lib", "main"].contains(&it.as_str()));
    names
}

fn graph(sources: &[(Module, String)]) -> Graph {
    let modules: BTreeSet<&Module> = sources.iter().map(|it| &it.0).collect();
    let mut graph: Graph = modules.iter().map(|it| ((*it).clone(), BTreeSet::new())).collect();
    for (module, text) in sources {
        for mut path in paths(text, module) {
            // What follows the module is an item of it.
            while !modules.contains(&path) {
                path.pop();
            }
            let n_common = module.iter().zip(&path).take_while(|(a, b)| a == b).count();
            if let (Some(_), Some(_)) = (module.get(n_common), path.get(n_common)) {
                graph.entry(module[..=n_common].to_vec()).or_default().insert(path[..=n_common].to_vec());
            }
        }
    }
    graph
}

/// The paths in a file from the root of its crate, without those of tests, comments and emitted code.
fn paths(text: &str, module: &Module) -> Vec<Module> {
    let mut paths = Vec::new();
    collect(text.parse().unwrap(), module, &mut paths);
    paths
}

fn collect(tokens: TokenStream, module: &Module, paths: &mut Vec<Module>) {
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
        let begins = ["crate", "self", "super"].iter().any(|it| is(idx, it)) && is(idx + 1, ":") && is(idx + 2, ":");
        if begins {
            idx = path(&tokens, idx, module.clone(), paths);
            continue;
        }
        if let TokenTree::Group(group) = &tokens[idx] {
            collect(group.stream(), module, paths);
        }
        idx += 1;
    }
}

/// Reads the path that begins at `idx` in the module `at`, with all that its braces list; returns where it ends.
fn path(tokens: &[TokenTree], mut idx: usize, mut at: Module, paths: &mut Vec<Module>) -> usize {
    loop {
        match tokens.get(idx) {
            Some(TokenTree::Ident(name)) => match name.to_string().as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => _ = at.pop(),
                name => at.push(name.to_owned()),
            },
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inner.split(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == ',')).filter(|it| !it.is_empty()) {
                    path(part, 0, at.clone(), paths);
                }
                return idx + 1;
            }
            _ => break,
        }
        let is_colon = |idx: usize| matches!(tokens.get(idx), Some(TokenTree::Punct(it)) if it.as_char() == ':');
        idx += 1;
        if !(is_colon(idx) && is_colon(idx + 1)) {
            break;
        }
        idx += 2;
    }
    paths.push(at);
    idx
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

/// The sets of modules that reach each other.
fn circles_of(graph: &Graph) -> BTreeSet<BTreeSet<&Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = graph.keys().map(|it| (it, reached(graph, it))).collect();
    let circle =
        |module: &&Module| -> BTreeSet<&Module> { reached[module].iter().filter(|it| reached[*it].contains(module)).copied().collect() };
    reached.keys().map(circle).filter(|it| !it.is_empty()).collect()
}

/// The modules that a module reaches by one use or more.
fn reached<'a>(graph: &'a Graph, from: &Module) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = graph[from].iter().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(graph.get(module).into_iter().flatten());
        }
    }
    reached
}
