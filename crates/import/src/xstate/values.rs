//! Values of the configuration.

use statespec_lang::source::Span;
use statespec_lang::yaml::{Node, NodeKind};

/// The type of a literal, and the literal in the syntax of the spec.
pub(crate) fn literal(text: &str) -> Option<(&'static str, Option<String>)> {
    let text = text.trim();
    let number = text.strip_prefix('-').unwrap_or(text);
    let digits = |it: &str| !it.is_empty() && it.len() <= 15 && it.bytes().all(|it| it.is_ascii_digit());
    if text == "true" || text == "false" {
        return Some(("bool", Some(text.to_owned())));
    }
    if digits(number) {
        return Some(("int", Some(text.to_owned()))).filter(|_| !number.starts_with('0') || number == "0");
    }
    if number.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part) && (!whole.starts_with('0') || whole == "0")) {
        return Some(("decimal", Some(text.to_owned())));
    }
    unquoted(text).map(|it| ("text", Some(crate::write::quoted(&it))))
}

/// What a text in quotes says; `None` if it is something else, such as a sum of texts.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let mut chars = text.strip_prefix(quote)?.strip_suffix(quote)?.chars();
    let mut said = String::new();
    while let Some(it) = chars.next() {
        match it {
            '\\' => said.push(match chars.next()? {
                it @ ('\\' | '\'' | '"' | '/') => it,
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                _ => return None,
            }),
            it if it == quote => return None,
            it => said.push(it),
        }
    }
    Some(said)
}

pub(super) fn entries(node: &Node) -> &[(Node, Node)] {
    match &node.kind {
        NodeKind::Map(entries) => entries,
        _ => &[],
    }
}

pub(super) fn get<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    entries(node).iter().find(|(it, _)| text(it) == Some(key)).map(|(_, value)| value)
}

pub(super) fn key_span(node: &Node, key: &str) -> Span {
    entries(node).iter().find(|(it, _)| text(it) == Some(key)).map_or(node.span, |(it, _)| it.span)
}

pub(super) fn text(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// Whether a value is there, but says nothing.
pub(super) fn is_nothing(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, plain } if text.is_empty() || (*plain && matches!(text.as_str(), "null" | "undefined")))
}

/// The items of a list; a value that is none is the only item.
pub(super) fn items(node: &Node) -> &[Node] {
    match &node.kind {
        NodeKind::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

/// A name, or an object with a `type`; of one that XState makes itself, the `name` says more.
pub(super) fn named(node: &Node) -> Option<&str> {
    let of = |key: &str| get(node, key).and_then(text).filter(|it| !it.is_empty());
    let is_own = |it: &&str| !it.starts_with("xstate.");
    text(node).filter(|_| !is_nothing(node)).or_else(|| of("type").filter(is_own)).or_else(|| of("name")).or_else(|| of("type"))
}
