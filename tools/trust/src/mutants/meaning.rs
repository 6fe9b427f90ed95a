//! When two texts are one spec.
//!
//! A change of a spec must be found unless it leaves the meaning alone. Which changes do is said here, and nowhere
//! else: comments and white space between values, the order of keys where it orders nothing, and what is listed below.

use statespec_codegen::yaml::{Node, NodeKind};

use super::spec::{parse, scalar};

/// The keys of a machine or system whose maps declare something: their order is the order of tables, variants and fields.
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
    "states",
    "transactions",
    "values",
    "walkthroughs",
];

/// What a spec says, without how it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A text, number or word, and whether it was written without quotes.
    Scalar(String, bool),
    /// A list.
    List(Vec<Meaning>),
    /// A map, sorted where its order means nothing.
    Map(Vec<(Meaning, Meaning)>),
}

/// What a text means; nothing if it is no spec.
pub(super) fn of(text: &str) -> Option<Meaning> {
    let node = parse(text)?;
    let NodeKind::Map(entries) = &node.kind else { return Some(meaning(&node, &[])) };
    // What a file is, is said by its first key.
    Some(Meaning::List(vec![entries.first().map(|(key, _)| meaning(key, &[]))?, meaning(&node, &[])]))
}

/// What a spec waives: the lints at each place, the reasons left aside, which nothing shows.
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

/// Whether these keys lead to waivers, and not to something that is called `allow`.
fn is_waiver(path: &[&str]) -> bool {
    matches!(path, [.., around, "allow"] if !DECLARING.contains(around)) || path == ["allow"]
}

/// `path` holds the keys that lead here, the innermost last.
fn meaning(node: &Node, path: &[&str]) -> Meaning {
    match &node.kind {
        NodeKind::Scalar { text, plain } => {
            let is_expression = path.iter().any(|it| matches!(*it, "when" | "require" | "set"));
            let text = if is_expression { spaced(text) } else { text.clone() };
            // Blanks at the ends of the lines of a longer text are seen by nobody.
            let text = text.split('\n').map(|it| if text.contains('\n') { it.trim_end() } else { it }).collect::<Vec<_>>().join("\n");
            Meaning::Scalar(text, *plain)
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
                    // What a walkthrough expects is checked against what happens, which is shown.
                    ([.., "steps"], "then") => true,
                    // A waiver keeps a lint silent, and stands in no output.
                    (path, "allow") => is_waiver(&[path, &["allow"]].concat()),
                    // A part is called by its name anyway.
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

/// An expression without the blanks around its signs.
fn spaced(text: &str) -> String {
    let is_sign = |it: Option<char>| it.is_none_or(|it| "+-*<>=!()".contains(it));
    let chars: Vec<char> =
        if text.contains('\'') { text.chars().collect() } else { text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect() };
    let is_needless = |idx: usize| is_sign(idx.checked_sub(1).map(|it| chars[it])) || is_sign(chars.get(idx + 1).copied());
    // Within quotes a blank is a blank.
    let kept = chars.iter().enumerate().filter(|(idx, it)| text.contains('\'') || **it != ' ' || !is_needless(*idx));
    kept.map(|(_, it)| *it).collect()
}

fn is_ordered(path: &[&str]) -> bool {
    match path {
        // A document only declares columns; an order of items only ranks states.
        ["sections", .., last] => *last == "columns",
        ["orders", _, "states", ..] => false,
        // The attributes of a machine are declared, those of a state are given.
        ["attributes"] => true,
        [.., last] => DECLARING.contains(last),
        [] => false,
    }
}

/// Changes that the rules above take for a change of meaning, and that are none.
pub(super) const EQUAL: &[(&str, &str)] = &[
    // The machines have no other event, so naming it excludes nothing.
    ("machines/agent_lifecycle.doc.yaml", "only: resume"),
    ("machines/agent_lifecycle.doc.yaml", "only: reclaim"),
    // The state around has the same one, and hands it down.
    ("machines/resource.yaml", "symbol: ✓"),
];
