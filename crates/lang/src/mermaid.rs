//! The ids of states in diagrams of Mermaid: who draws them and who reads them agree.

/// Words that Mermaid reserves in some place where an id can occur, in lower case, and
/// properties that every JavaScript object already has.
const KEYWORDS: &[&str] = &[
    "accdescr",
    "acctitle",
    "as",
    "bt",
    "call",
    "choice",
    "class",
    "classdef",
    "click",
    "constructor",
    "default",
    "direction",
    "divider",
    "end",
    "fork",
    "graph",
    "hasownproperty",
    "hide",
    "href",
    "isprototypeof",
    "join",
    "linkstyle",
    "lr",
    "note",
    "prototype",
    "rl",
    "root",
    "scale",
    "state",
    "statediagram",
    "style",
    "subgraph",
    "tb",
    "td",
    "title",
    "tolocalestring",
    "tostring",
    "valueof",
];

/// The id of the composite around the regions of a machine. No state has this id, so that the composite cannot be taken for a state.
pub const MACHINE: &str = "machine";

/// The prefix of the generated id of a name.
pub fn stem(name: &str) -> String {
    let plain: String = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    format!("s_{plain}")
}

/// Whether `id` is the id that a diagram generates for a state of this name.
pub fn made_up(name: &str, id: &str) -> bool {
    let count = id.strip_prefix(&stem(name)).and_then(|it| it.strip_prefix("_s"));
    !is_harmless(name) && count.is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}

/// Whether a name can be an id as it is.
pub fn is_harmless(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = name.starts_with(|it: char| it.is_ascii_alphabetic()) && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    // Mermaid names the dots of a composite `<id>_start` and `<id>_end`.
    words && lower != MACHINE && !KEYWORDS.contains(&lower.as_str()) && !lower.ends_with("_start") && !lower.ends_with("_end")
}
