//! The equivalence of two texts of a spec.
//!
//! A change of a spec must be found unless its meaning stays the same. This module alone defines which changes keep the
//! meaning: comments and white space between values, the order of keys where it is irrelevant, and the list below.

use statespec_lang::yaml::{Node, NodeKind};

use super::spec::{parse, scalar};

/// The keys of a machine or system whose maps are declarations: their order is the order of tables, variants and fields.
const DECLARING: &[&str] = &[
    "actors",
    "constants",
    "context",
    "effects",
    "enums",
    "events",
    "item",
    "orders",
    "parts",
    "payload",
    "predicates",
    "regions",
    "states",
    "transactions",
    "values",
    "walkthroughs",
];

/// The meaning of a spec, without its formatting.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A text, number or word, and whether it was written without quotes.
    Scalar(String, bool),
    /// A list.
    List(Vec<Meaning>),
    /// A map, sorted if its order has no meaning.
    Map(Vec<(Meaning, Meaning)>),
}

/// The meaning of a text; `None` if it is not a spec.
pub(super) fn of(text: &str) -> Option<Meaning> {
    let node = parse(text)?;
    let NodeKind::Map(entries) = &node.kind else { return Some(meaning(&node, &[])) };
    // The first key is the kind of the file.
    Some(Meaning::List(vec![entries.first().map(|(key, _)| meaning(key, &[]))?, meaning(&node, &[])]))
}

/// The waivers of a spec: the lints at each place, without the reasons, which no output contains.
pub(super) fn waivers(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    fn collect(node: &Node, path: &[&str], found: &mut Vec<(Vec<String>, Vec<String>)>) {
        match &node.kind {
            NodeKind::Scalar { .. } => {}
            NodeKind::List(items) => items.iter().for_each(|it| collect(it, path, found)),
            NodeKind::Map(entries) => entries.iter().for_each(|(key, value)| {
                let path = [path, &[scalar(key)]].concat();
                match &value.kind {
                    NodeKind::Map(lints) if is_waiver(&path) => {
                        let lints = lints.iter().map(|(lint, _)| scalar(lint).to_owned()).collect();
                        found.push((path.iter().map(|it| (*it).to_owned()).collect(), lints));
                    }
                    _ => collect(value, &path, found),
                }
            }),
        }
    }
    let mut found = Vec::new();
    parse(text).iter().for_each(|it| collect(it, &[], &mut found));
    found.sort();
    found
}

/// Whether these keys lead to waivers, and not to something with the name `allow`.
fn is_waiver(path: &[&str]) -> bool {
    matches!(path, [.., around, "allow"] if !DECLARING.contains(around)) || path == ["allow"]
}

/// The meaning of a node. `path` contains the keys that lead to it, the innermost last.
fn meaning(node: &Node, path: &[&str]) -> Meaning {
    match &node.kind {
        NodeKind::Scalar { text, plain } => {
            let is_expression = path.iter().any(|it| matches!(*it, "when" | "require" | "set"));
            let text = if is_expression { spaced(text) } else { text.clone() };
            // Blanks at the ends of the lines of a longer text have no effect, and neither have further empty lines.
            let mut lines: Vec<&str> = text.split('\n').map(|it| if text.contains('\n') { it.trim_end() } else { it }).collect();
            lines.dedup_by(|next, before| next.is_empty() && before.is_empty());
            Meaning::Scalar(lines.join("\n"), *plain)
        }
        NodeKind::List(items) => {
            let mut items: Vec<Meaning> = items.iter().map(|it| meaning(it, path)).collect();
            // A filter: a view keeps the order of the machine.
            if path.last() == Some(&"only") {
                items.sort();
                items.dedup();
            }
            Meaning::List(items)
        }
        NodeKind::Map(entries) => {
            let said = entries.iter().filter_map(|(key, value)| {
                let NodeKind::Scalar { text: name, .. } = &key.kind else { return None };
                let goes_nowhere = match (path, name.as_str()) {
                    // Nothing refers to a document, and its page has a path.
                    ([], "document") => true,
                    // The expectations of a walkthrough are checked against its results, which are displayed.
                    ([.., "steps"], "then") => true,
                    // A waiver suppresses a lint, and is in no output.
                    (path, "allow") => is_waiver(&[path, &["allow"]].concat()),
                    // A field without a default starts with the zero value of its type.
                    (["context", _], "default") => {
                        matches!(&value.kind, NodeKind::Scalar { text, plain: true } if matches!(text.as_str(), "false" | "0"))
                    }
                    // A label that equals the name of the part changes nothing.
                    (["parts", part], "label") => matches!(&value.kind, NodeKind::Scalar { text, .. } if text.eq_ignore_ascii_case(part)),
                    _ => false,
                };
                (!goes_nowhere).then(|| (meaning(key, &[]), meaning(value, &[path, &[name.as_str()]].concat())))
            });
            let mut said: Vec<_> = said.collect();
            if !is_ordered(path) {
                said.sort();
            }
            Meaning::Map(said)
        }
    }
}

/// An expression without the blanks around its operators.
fn spaced(text: &str) -> String {
    let is_sign = |it: Option<char>| it.is_none_or(|it| "+-*<>=!()".contains(it));
    let chars: Vec<char> =
        if text.contains('\'') { text.chars().collect() } else { text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect() };
    let is_needless = |idx: usize| is_sign(idx.checked_sub(1).map(|it| chars[it])) || is_sign(chars.get(idx + 1).copied());
    // A blank within quotes is part of the text.
    let kept = chars.iter().enumerate().filter(|(idx, it)| text.contains('\'') || **it != ' ' || !is_needless(*idx));
    kept.map(|(_, it)| *it).collect()
}

fn is_ordered(path: &[&str]) -> bool {
    match path {
        // A document only declares columns; an order of items only ranks states.
        ["sections", .., last] => *last == "columns",
        ["orders", _, "states", ..] => false,
        // The attributes of a machine are declarations, those of a state are values.
        ["attributes"] => true,
        [.., last] => DECLARING.contains(last),
        [] => false,
    }
}

/// Changes that the rules above regard as a change of meaning, although they are not.
pub(super) const EQUAL: &[(&str, &str)] = &[
    // The machines have no other event, so that the filter excludes nothing.
    ("machines/agent_lifecycle.doc.yaml", "only: resume"),
    ("machines/agent_lifecycle.doc.yaml", "only: reclaim"),
    // The surrounding state has the same one, which is inherited.
    ("machines/resource.yaml", "symbol: ✓"),
];
