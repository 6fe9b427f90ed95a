//! Writes specs as YAML in the house style: one state, event or edge a line.

use std::fmt::Write as _;

use statespec_lang::chars::is_forbidden;

/// Entries of a flow map, in order.
#[derive(Debug, Default)]
pub(super) struct Flow(Vec<String>);

impl Flow {
    /// A value that is YAML already.
    pub(super) fn raw(&mut self, key: &str, value: impl AsRef<str>) {
        self.0.push(format!("{key}: {}", value.as_ref()));
    }

    /// A name or word.
    pub(super) fn word(&mut self, key: &str, value: &str) {
        self.0.push(format!("{key}: {}", quote(value)));
    }

    /// A text without placeholders.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.0.push(format!("{key}: {}", text(value)));
    }

    /// One name alone, several as a list; nothing if there are none.
    pub(super) fn words(&mut self, key: &str, values: &[String]) {
        match values {
            [] => {}
            [one] => self.word(key, one),
            _ => self.list(key, values),
        }
    }

    /// Names as a list; nothing if there are none.
    pub(super) fn list(&mut self, key: &str, values: &[String]) {
        if !values.is_empty() {
            let quoted: Vec<String> = values.iter().map(|it| quote(it)).collect();
            self.raw(key, format!("[{}]", quoted.join(", ")));
        }
    }

    /// `{ a: 1, b: 2 }`
    pub(super) fn braced(&self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", self.0.join(", ")) }
    }

    /// The entries, one a line.
    pub(super) fn lines(&self, indent: usize, yaml: &mut String) {
        for entry in &self.0 {
            let _ = writeln!(yaml, "{}{entry}", " ".repeat(indent));
        }
    }
}

/// Comment lines.
pub(super) fn comments(comments: &[String], indent: usize, yaml: &mut String) {
    for line in comments.iter().flat_map(|it| it.lines()) {
        let line: String = line.chars().map(|it| if is_forbidden(it) { ' ' } else { it }).collect();
        let _ = writeln!(yaml, "{}{}", " ".repeat(indent), format!("# {}", line.trim()).trim_end());
    }
}

/// A text of a spec: its braces are not placeholders.
pub(super) fn text(text: &str) -> String {
    quote(&text.replace('{', "{{").replace('}', "}}"))
}

/// A scalar that is parsed as exactly this text, unquoted if that is safe in flow and block style.
pub(super) fn quote(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // A spec may not contain it, not even as an escape.
            other if is_forbidden(other) => quoted.push(char::REPLACEMENT_CHARACTER),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// Words that some YAML parser does not read as text.
const RESERVED: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];

fn is_plain(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|it| it.is_alphabetic() || it == '_');
    let inside = |it: char| {
        it.is_alphanumeric() || matches!(it, '_' | '-' | ' ' | '.' | '(' | ')' | '/' | '\'' | '+' | ';' | '<' | '>' | '=' | '*' | '!' | '?')
    };
    starts && characters.all(inside) && !text.ends_with(' ') && !text.contains("  ") && !RESERVED.contains(&text.to_lowercase().as_str())
}
