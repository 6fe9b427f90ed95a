//! When two texts are one spec.
//!
//! A change of a spec must be found unless it leaves the meaning alone. Which changes do that is said here,
//! and nowhere else: comments, white space between values, and the notations below.

use statespec_codegen::yaml::{Node, NodeKind};

use super::spec::parse;

/// What a spec says, without how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A text, number or word, and whether it was written without quotes.
    Scalar(String, bool),
    /// A list.
    List(Vec<Meaning>),
    /// A map in the order written: that is the order of tables.
    Map(Vec<(Meaning, Meaning)>),
}

/// What a text means; nothing if it is no spec.
pub(super) fn of(text: &str) -> Option<Meaning> {
    parse(text).map(|it| meaning(&it))
}

fn meaning(node: &Node) -> Meaning {
    match &node.kind {
        NodeKind::Scalar { text, plain } => Meaning::Scalar(text.clone(), *plain),
        NodeKind::List(items) => Meaning::List(items.iter().map(meaning).collect()),
        NodeKind::Map(entries) => Meaning::Map(entries.iter().map(|(key, value)| (meaning(key), meaning(value))).collect()),
    }
}
