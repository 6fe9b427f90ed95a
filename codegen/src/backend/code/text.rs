//! Lines, names and quoted texts of any language.

use std::collections::BTreeMap;

use statespec_lang::source::Span;

use super::subject::Item;

/// A line of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text, without its line end.
    pub text: String,
    /// The element of the spec that this line shows, if it is one.
    pub span: Option<Span>,
}

impl Line {
    pub(super) fn plain(text: impl Into<String>) -> Line {
        Line { text: text.into(), span: None }
    }

    pub(super) fn of(item: &Item<'_>, text: impl Into<String>) -> Line {
        Line { text: text.into(), span: Some(item.span) }
    }
}

/// Why nothing can be generated, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    pub message: String,
    pub help: String,
    /// A place in a spec.
    pub also: Option<(Span, &'static str)>,
}

impl Objection {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Objection {
        Objection { message: message.into(), help: help.into(), also: None }
    }

    pub(super) fn at(self, span: Span, why: &'static str) -> Objection {
        Objection { also: Some((span, why)), ..self }
    }
}

impl From<(String, String)> for Objection {
    fn from((message, help): (String, String)) -> Self {
        Objection { message, help, also: None }
    }
}

/// Whether a text is an identifier in most languages.
pub(super) fn is_identifier(text: &str) -> bool {
    text.starts_with(|it: char| it.is_alphabetic() || it == '_') && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

/// The items with their identifiers, which must differ, and must be none of `taken`.
pub(super) fn identifiers<'a, 'm>(
    items: &'a [Item<'m>],
    identifier: impl Fn(&str) -> String,
    taken: &[&str],
) -> Result<Vec<(&'a Item<'m>, String)>, Objection> {
    let mut seen: BTreeMap<String, &Item<'_>> = BTreeMap::new();
    let mut named = Vec::new();
    for item in items {
        let ident = identifier(item.name);
        if taken.contains(&ident.as_str()) || !is_identifier(&ident) {
            let message = format!("`{}` would be called `{ident}` here, which the language does not allow", item.name);
            return Err(Objection::new(message, "rename it, or keep its old spelling as `wire`").at(item.span, "it is declared here"));
        }
        if let Some(first) = seen.insert(ident.clone(), item) {
            let message = format!("`{}` and `{}` would both be called `{ident}` here", first.name, item.name);
            return Err(
                Objection::new(message, "rename one of them, or keep its old spelling as `wire`").at(item.span, "this is one of them")
            );
        }
        named.push((item, ident));
    }
    Ok(named)
}

/// The same for a language whose names have ASCII letters only.
pub(super) fn ascii_identifiers<'a, 'm>(
    items: &'a [Item<'m>],
    identifier: impl Fn(&str) -> String,
) -> Result<Vec<(&'a Item<'m>, String)>, Objection> {
    let named = identifiers(items, identifier, &[])?;
    match named.iter().find(|(_, ident)| !ident.is_ascii()) {
        Some((item, _)) => {
            let message = format!("`{}` has letters that this language does not allow in names", item.name);
            Err(Objection::new(message, "rename it, or keep its old spelling as `wire`").at(item.span, "it is declared here"))
        }
        None => Ok(named),
    }
}

/// A text in double quotes, with the escapes that JavaScript, Python, Go, Java, C# and YAML have in common. What would be invisible,
/// or turn the direction of what follows, is escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            it if is_invisible(it) => quoted.push_str(&format!("\\u{:04x}", u32::from(it))),
            it => quoted.push(it),
        }
    }
    quoted + "\""
}

/// Control characters, line separators, and marks of direction; all are below U+10000.
fn is_invisible(character: char) -> bool {
    let is_mark = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    character.is_control() || is_mark
}

/// The number of columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Texts with commas: on one line that begins and ends so, if it fits into so many columns; else each on its own, `step` further
/// right. The last one has a comma, too, if `trailing`.
pub(super) fn list(begin: &str, items: &[String], end: &str, limit: usize, step: &str, trailing: bool) -> Vec<String> {
    let one = format!("{begin}{}{end}", items.join(", "));
    if columns(&one) <= limit {
        return vec![one];
    }
    let indent: String = begin.chars().take_while(|it| it.is_whitespace()).collect();
    let mut lines = vec![begin.to_owned()];
    for (idx, it) in items.iter().enumerate() {
        let comma = if trailing || idx + 1 < items.len() { "," } else { "" };
        lines.push(format!("{indent}{step}{it}{comma}"));
    }
    lines.push(format!("{indent}{end}"));
    lines
}
