//! Converts names in a spec to identifiers in Rust: the only module that handles casing and keywords.

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span};

/// The strict and reserved keywords of Rust 2024.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "false",
    "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// Names that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["self", "Self", "super", "crate", "_"];

/// Whether a name of the spec language is well formed: a letter or `_`, then letters, digits, `_` and `-`.
pub fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|it| it == '_' || unicode_ident::is_xid_start(it));
    let words = name.chars().any(|it| it.is_alphanumeric());
    starts && words && name.len() <= 100 && characters.all(|it| it == '-' || unicode_ident::is_xid_continue(it))
}

/// Whether Windows reserves a name for a device, with any extension.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| stem.strip_prefix(prefix).is_some_and(|it| it.len() == 1 && it.bytes().all(|b| b.is_ascii_digit()));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// An enum variant or type: `in-progress` becomes `InProgress`.
pub fn upper_camel(name: &str) -> String {
    // The fast path for nearly all names: the words are separated by `_`.
    if name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_') {
        let mut cased = String::with_capacity(name.len());
        for word in name.split('_') {
            let mut letters = word.chars();
            cased.extend(letters.next().map(|it| it.to_ascii_uppercase()));
            cased.push_str(letters.as_str());
        }
        return start_with_letter(cased);
    }
    // An upper-case name is split into words, not letters: HOP_PLAN_STARTED becomes HopPlanStarted.
    let cased = start_with_letter(name.to_upper_camel_case());
    // Some letters have no upper case, and Rust warns about a type that begins with one.
    if cased.starts_with(char::is_lowercase) { format!("X{cased}") } else { cased }
}

/// A module, function or field: `InProgress` becomes `in_progress`.
pub fn snake(name: &str) -> String {
    start_with_letter(name.to_snake_case())
}

/// Whether two machines, systems or documents cannot have these names together: their modules would be the same.
pub fn collide(a: &str, b: &str) -> bool {
    snake(a) == snake(b)
}

/// A constant: `in-progress` becomes `IN_PROGRESS`.
pub fn shouty(name: &str) -> String {
    // Some letters have no upper case, and Rust warns about a constant that contains one.
    start_with_letter(name.to_shouty_snake_case().replace(char::is_lowercase, "_"))
}

/// Casing drops a leading `_`, which may leave a digit in front.
pub fn start_with_letter(name: String) -> String {
    match name.chars().next() {
        Some(first) if unicode_ident::is_xid_start(first) => name,
        _ => format!("_{name}"),
    }
}

/// The identifier for a cased name: raw if it is a keyword, with a trailing `_` if a raw identifier is not allowed.
pub fn ident(name: &str) -> Ident {
    if NEVER_RAW.contains(&name) {
        Ident::new(&format!("{name}_"), Span::call_site())
    } else if KEYWORDS.contains(&name) {
        Ident::new_raw(name, Span::call_site())
    } else {
        Ident::new(name, Span::call_site())
    }
}

/// The name that serde gives a variant under `rename_all = "snake_case"`: a `_` before every capital but the first.
pub fn snake_by_capitals(ident: &str) -> String {
    let mut snake = String::new();
    for (idx, character) in ident.char_indices() {
        if idx > 0 && character.is_uppercase() {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}
