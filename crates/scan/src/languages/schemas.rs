//! Sets of states in schemas: an `enum` of texts in OpenAPI, JSON Schema and the definitions of Kubernetes, whole or in part.
//!
//! ```yaml
//! OrderStatus: { type: string, enum: [open, closed] }
//! ```

use std::path::Path;

use statespec_lang::diagnostic::{Diagnostics, Level};
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources};
use statespec_lang::yaml::{self, Node, NodeKind};

use statespec_import::{Kind, Named, Statement, Statements};

/// Whether a text may have such a set, by its words.
pub(crate) fn may_state(path: &str, text: &str) -> bool {
    let is_document = matches!(Path::new(path).extension().and_then(|it| it.to_str()), Some("yaml" | "yml" | "json"));
    is_document && (text.contains("enum:") || text.contains("\"enum\"")) && super::filter::has_stem(text)
}

/// The sets of states of a document; `None` if it is none.
pub(crate) fn read(sources: &Sources, id: SourceId) -> Option<Statements> {
    let source = sources.get(id);
    if !may_state(source.path(), source.text()) {
        return None;
    }
    let mut diagnostics = Diagnostics::default();
    let root = yaml::parse(sources, id, &mut diagnostics);
    let mut problems = diagnostics.finish();
    problems.retain(|it| it.code.level() == Level::Error);
    // A text that is no YAML is no spec, either; a `.json` may have the trailing commas of XState.
    let Some(root) = root else { return (!source.path().ends_with(".json")).then_some(Statements { found: Vec::new(), problems }) };
    let mut found = Vec::new();
    sets(&root, &[], source.path(), &mut found);
    (!found.is_empty()).then(|| Statements { found, problems: Vec::new() })
}

/// The sets of a node, and of all nodes in it. The names are those of the keys around it that are no words of a schema.
fn sets(node: &Node, names: &[&str], path: &str, found: &mut Vec<Statement>) {
    if let Some(states) = entry(node, "enum").and_then(texts).filter(|it| it.len() > 1) {
        let name = match names {
            // A name of one word says nothing without the schema around it.
            [.., owner, name] if !snake(name).contains('_') => snake(&format!("{owner}_{name}")),
            [.., name] => snake(name),
            [] => return,
        };
        if super::is_of_states(&name) {
            let span = states[0].span;
            found.push(Statement::set(path, Kind::Schema, name, span, states));
        }
    }
    match &node.kind {
        NodeKind::Map(_) => {
            for (key, value) in entries(node).filter(|it| it.0 != "enum") {
                let is_word = WORDS.contains(&key);
                let inner = if is_word { names.to_vec() } else { [names, &[key]].concat() };
                sets(value, &inner, path, found);
            }
        }
        NodeKind::List(items) => {
            for item in items {
                // A parameter of a request has its name beside its schema.
                match entry(item, "name").and_then(text) {
                    Some(name) => sets(item, &[name], path, found),
                    None => sets(item, names, path, found),
                }
            }
        }
        NodeKind::Scalar { .. } => {}
    }
}

/// The keys of a schema that name no part of the data.
const WORDS: &[&str] =
    &["properties", "items", "schema", "schemas", "components", "definitions", "$defs", "allOf", "anyOf", "oneOf", "openAPIV3Schema"];

fn text(node: &Node) -> Option<&str> {
    if let NodeKind::Scalar { text, .. } = &node.kind { Some(text) } else { None }
}

/// The texts of a list; `None` if something else is among them.
fn texts(node: &Node) -> Option<Vec<Named>> {
    let NodeKind::List(items) = &node.kind else { return None };
    let all: Option<Vec<Named>> = items.iter().map(|it| Some(Named::new(text(it)?, it.span))).collect();
    // `null` and the empty text stand for no state.
    all.map(|it| it.into_iter().filter(|it| !it.name.is_empty() && it.name != "null").collect())
}

fn entries(node: &Node) -> impl Iterator<Item = (&str, &Node)> {
    let list = if let NodeKind::Map(entries) = &node.kind { entries.as_slice() } else { &[] };
    list.iter().filter_map(|(key, value)| Some((text(key)?, value)))
}

fn entry<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    entries(node).find(|it| it.0 == name).map(|it| it.1)
}
