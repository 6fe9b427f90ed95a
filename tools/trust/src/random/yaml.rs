//! Specs as trees, and their text: block style outside, flow style inside, so that a row is on one line.

/// A piece of YAML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Yaml {
    /// A scalar without quotes: a number, a word, a duration.
    Plain(String),
    /// A text in double quotes.
    Text(String),
    /// A list.
    List(Vec<Yaml>),
    /// A map in the written order.
    Map(Map),
}

/// The entries of a map.
pub(super) type Map = Vec<(String, Yaml)>;

/// Adds an entry to a map.
pub(super) trait Put {
    /// Adds an entry.
    fn put(&mut self, key: &str, value: Yaml);
    /// Adds a list, unless it is empty.
    fn put_list(&mut self, key: &str, items: Vec<Yaml>);
    /// Adds a map, unless it is empty.
    fn put_map(&mut self, key: &str, entries: Map);
}

impl Put for Map {
    fn put(&mut self, key: &str, value: Yaml) {
        self.push((key.to_owned(), value));
    }

    fn put_list(&mut self, key: &str, items: Vec<Yaml>) {
        if !items.is_empty() {
            self.put(key, Yaml::List(items));
        }
    }

    fn put_map(&mut self, key: &str, entries: Map) {
        if !entries.is_empty() {
            self.put(key, Yaml::Map(entries));
        }
    }
}

/// A text in quotes.
pub(super) fn text(text: impl Into<String>) -> Yaml {
    Yaml::Text(text.into())
}

/// A scalar without quotes.
pub(super) fn plain(word: impl ToString) -> Yaml {
    Yaml::Plain(word.to_string())
}

/// Texts as a list.
pub(super) fn texts(items: impl IntoIterator<Item = impl Into<String>>) -> Yaml {
    Yaml::List(items.into_iter().map(text).collect())
}

/// The text of a spec: each entry on a line of its own, and each entry of a top-level list or map as well.
pub(super) fn render(entries: &Map) -> String {
    let mut out = String::new();
    for (key, value) in entries {
        out.push_str(key);
        out.push(':');
        match value {
            Yaml::Map(inner) if !inner.is_empty() => {
                out.push('\n');
                for (key, value) in inner {
                    out.push_str("  ");
                    push_quoted(key, &mut out);
                    out.push_str(": ");
                    push(value, &mut out);
                    out.push('\n');
                }
            }
            Yaml::List(items) if !items.is_empty() => {
                out.push('\n');
                for item in items {
                    out.push_str("  - ");
                    push(item, &mut out);
                    out.push('\n');
                }
            }
            value => {
                out.push(' ');
                push(value, &mut out);
                out.push('\n');
            }
        }
    }
    out
}

fn push(value: &Yaml, out: &mut String) {
    match value {
        Yaml::Plain(word) => out.push_str(word),
        Yaml::Text(text) => push_quoted(text, out),
        Yaml::List(items) => {
            out.push('[');
            for (idx, item) in items.iter().enumerate() {
                out.push_str(if idx == 0 { "" } else { ", " });
                push(item, out);
            }
            out.push(']');
        }
        Yaml::Map(entries) => {
            out.push('{');
            for (idx, (key, value)) in entries.iter().enumerate() {
                out.push_str(if idx == 0 { " " } else { ", " });
                push_quoted(key, out);
                out.push_str(": ");
                push(value, out);
            }
            out.push_str(" }");
        }
    }
}

/// A text in double quotes; a plain word, such as a key of the language, is written without quotes.
fn push_quoted(text: &str, out: &mut String) {
    let is_value = matches!(text, "true" | "false" | "null");
    let is_word = text.starts_with(|it: char| it.is_ascii_lowercase()) && text.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
    if is_word && !is_value && text.len() < 20 {
        return out.push_str(text);
    }
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
}
