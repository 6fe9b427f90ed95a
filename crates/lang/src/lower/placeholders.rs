//! The placeholders of texts: where they are, and how much they add. `text.rs` replaces them.
//!
//! `{name}` is replaced by the constant of that name, `{name:%}` by the constant multiplied by 100. `{{` and `}}`
//! are literal braces; so is a brace that no name follows.

use std::collections::BTreeSet;

use crate::names::is_name;
use crate::yaml::{Node, NodeKind};

/// The name in braces, whether its value is multiplied by 100, and the bytes after the opening brace.
pub(super) fn placeholder<'a>(brace: &str, rest: &'a str) -> Option<(&'a str, bool, usize)> {
    if brace != "{" {
        return None;
    }
    // No name contains a brace, so the search stops at the next one: a text of nothing but braces stays linear.
    let end = rest.find(['{', '}']).filter(|it| rest[*it..].starts_with('}'))?;
    let inside = &rest[..end];
    let (name, percent) = match inside.strip_suffix(":%") {
        Some(name) => (name, true),
        None => (inside, false),
    };
    is_name(name).then_some((name, percent, end + 1))
}

/// The bytes that placeholders put into a text, for names of known length.
pub(super) fn added(text: &str, mut length: impl FnMut(&str) -> Option<usize>) -> usize {
    let mut sum = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix('{') {
            rest = behind;
        } else if let Some((name, _, width)) = placeholder("{", rest) {
            sum = sum.saturating_add(length(name).unwrap_or(0));
            rest = &rest[width..];
        }
    }
    sum
}

/// The names in the placeholders of all texts of a file.
pub(super) fn named(root: &Node) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match &node.kind {
            NodeKind::Scalar { text, .. } => {
                added(text, |name| {
                    names.insert(name.to_owned());
                    None
                });
            }
            NodeKind::List(items) => open.extend(items),
            NodeKind::Map(entries) => open.extend(entries.iter().map(|(_, value)| value)),
        }
    }
    names
}
