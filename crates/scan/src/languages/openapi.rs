//! Sets of states in OpenAPI: schemas with an `enum`.

use std::path::Path;

use statespec_lang::diagnostic::Diagnostics;
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources};
use statespec_lang::yaml::{self, Node, NodeKind};

use statespec_import::{Kind, Named, Statement, Statements};

/// Where the schemas of a document stand: OpenAPI 3, and Swagger 2.
const SCHEMAS: [&[&str]; 2] = [&["components", "schemas"], &["definitions"]];

/// Whether a text is a document with a set of names, by its words.
pub(crate) fn may_state(path: &str, text: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|it| it.to_str());
    let is_document = |marks: &[&str]| marks.iter().any(|it| text.contains(it)) && text.contains("enum");
    match extension {
        Some("yaml" | "yml") => is_document(&["openapi:", "swagger:"]),
        Some("json") => is_document(&["\"openapi\"", "\"swagger\""]),
        _ => false,
    }
}

/// The sets of states of a document; `None` if it is none.
pub(crate) fn read(sources: &Sources, id: SourceId) -> Option<Statements> {
    let source = sources.get(id);
    if !may_state(source.path(), source.text()) {
        return None;
    }
    let mut diagnostics = Diagnostics::default();
    let Some(root) = yaml::parse(sources, id, &mut diagnostics) else {
        return Some(Statements { found: Vec::new(), problems: diagnostics.finish() });
    };
    let is_document = entry(&root, "openapi").or_else(|| entry(&root, "swagger")).is_some();
    is_document.then(|| {
        let mut found = Vec::new();
        for place in SCHEMAS {
            let schemas = place.iter().try_fold(&root, |node, key| entry(node, key));
            for (name, schema) in schemas.into_iter().flat_map(entries) {
                sets(schema, &[name], source.path(), &mut found);
            }
        }
        Statements { found, problems: Vec::new() }
    })
}

/// The sets of a schema and of its properties.
fn sets(schema: &Node, names: &[&str], path: &str, found: &mut Vec<Statement>) {
    if let Some(states) = entry(schema, "enum").and_then(texts).filter(|it| it.len() > 1) {
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
    for (name, property) in entry(schema, "properties").into_iter().flat_map(entries) {
        sets(property, &[names, &[name]].concat(), path, found);
    }
    for whole in ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|it| entry(schema, it)) {
        if let NodeKind::List(parts) = &whole.kind {
            parts.iter().for_each(|it| sets(it, names, path, found));
        }
    }
    if let Some(items) = entry(schema, "items") {
        sets(items, names, path, found);
    }
}

/// The texts of a list; `None` if something else is among them.
fn texts(node: &Node) -> Option<Vec<Named>> {
    let NodeKind::List(items) = &node.kind else { return None };
    let text = |it: &Node| match &it.kind {
        NodeKind::Scalar { text, .. } => Some(Named::new(text, it.span)),
        _ => None,
    };
    let all: Option<Vec<Named>> = items.iter().map(text).collect();
    // `null` and the empty text stand for no state.
    all.map(|it| it.into_iter().filter(|it| !it.name.is_empty() && it.name != "null").collect())
}

fn entries(node: &Node) -> impl Iterator<Item = (&str, &Node)> {
    let list = if let NodeKind::Map(entries) = &node.kind { entries.as_slice() } else { &[] };
    list.iter().filter_map(|(key, value)| match &key.kind {
        NodeKind::Scalar { text, .. } => Some((text.as_str(), value)),
        _ => None,
    })
}

fn entry<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    entries(node).find(|it| it.0 == name).map(|it| it.1)
}
