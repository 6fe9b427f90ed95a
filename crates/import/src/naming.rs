//! Converts texts to names: slugs that are well formed and distinct, also in emitted code.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::names::is_name;
use unicode_normalization::UnicodeNormalization as _;

/// The maximum length of a generated name in bytes; the text itself is kept as a label.
const MAX_NAME: usize = 48;

/// Names of one kind.
pub(super) struct Namer {
    /// The prefix of a name that would begin with a digit, and the name of a text without a word.
    kind: &'static str,
    casing: fn(&str) -> String,
    taken: BTreeSet<String>,
    known: BTreeMap<String, String>,
    /// The last number behind each stem: thousands of equal texts are not counted from the start each.
    counts: BTreeMap<String, usize>,
}

impl Namer {
    pub(super) fn new(kind: &'static str, casing: fn(&str) -> String) -> Self {
        Namer { kind, casing, taken: BTreeSet::new(), known: BTreeMap::new(), counts: BTreeMap::new() }
    }

    /// The name of a text; equal texts have the same name.
    pub(super) fn name(&mut self, text: &str) -> String {
        if let Some(name) = self.known.get(text) {
            return name.clone();
        }
        let name = self.fresh(text);
        self.known.insert(text.to_owned(), name.clone());
        name
    }

    /// A new, distinct name for a text.
    pub(super) fn fresh(&mut self, text: &str) -> String {
        let text = composed(text);
        let stem = if is_name(&text) { text } else { slug(&text, self.kind) };
        self.distinct(stem)
    }

    /// Reserves a name.
    pub(super) fn reserve(&mut self, name: &str) {
        self.taken.insert((self.casing)(name));
    }

    /// Whether a name is used, or another one that is equal in emitted code.
    pub(super) fn has(&self, name: &str) -> bool {
        self.taken.contains(&(self.casing)(name))
    }

    fn distinct(&mut self, stem: String) -> String {
        let mut name = stem.clone();
        while !self.taken.insert((self.casing)(&name)) {
            let end = statespec_lang::source::floor_char_boundary(&stem, 90);
            let count = self.counts.entry(stem.clone()).or_insert(1);
            *count += 1;
            name = format!("{}_{count}", &stem[..end]);
        }
        name
    }
}

/// A text with the characters that Rust reads for those of it: `fi` for the ligature.
///
/// Characters that are only composed in another way are the same to Rust, and stay.
fn composed(text: &str) -> String {
    if text.nfc().eq(text.nfkc()) { text.to_owned() } else { text.nfkc().collect() }
}

/// A text as a name: its words in lower case, joined by `_`.
pub(super) fn slug(text: &str, kind: &str) -> String {
    let words = text.split(|it: char| !unicode_ident::is_xid_continue(it) || it == '_').filter(|it| !it.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let mut name = String::new();
    let (mut n_fitting, mut n_more) = (words.len(), None);
    for (idx, word) in words.iter().enumerate() {
        if !name.is_empty() && name.len() + word.len() >= MAX_NAME && n_more.is_none() {
            n_fitting = idx;
            n_more = Some(idx + n_turning(&words[idx..]));
        }
        if n_more.is_some_and(|it| idx >= it) {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(word);
    }
    // Two words of any length may follow.
    let is_turned = n_more.is_some_and(|it| it > n_fitting);
    let n_bytes = if is_turned { MAX_NAME + MAX_NAME / 2 } else { MAX_NAME };
    name.truncate(statespec_lang::source::floor_char_boundary(&name, n_bytes));
    let name = name.trim_end_matches('_');
    if is_name(name) {
        return name.to_owned();
    }
    let prefixed = format!("{kind}_{name}");
    if is_name(&prefixed) && !name.is_empty() { prefixed } else { kind.to_owned() }
}

/// The number of words with which a cut name goes on, because one of them turns its meaning: `… mapping | missing`.
fn n_turning(rest: &[String]) -> usize {
    const TURNING: &[&str] = &[
        "not",
        "cannot",
        "never",
        "missing",
        "absent",
        "fails",
        "failed",
        "failing",
        "invalid",
        "incomplete",
        "unavailable",
        "expired",
        "rejected",
        "denied",
        "false",
    ];
    rest.iter().take(2).position(|it| TURNING.contains(&it.as_str())).map_or(0, |it| it + 1)
}

/// Whether a text can be a name in expressions: it is no operator and no literal.
pub(super) fn is_word(text: &str) -> bool {
    is_name(text) && !text.contains('-') && !matches!(text, "and" | "or" | "not" | "in" | "true" | "false" | "null")
}

/// The name of a field, which expressions can name and which no other field has.
pub(super) fn field_name(text: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let text = composed(text);
    let stem = if is_name(&text) { text.replace('-', "_") } else { slug(&text, "field") };
    let stem = if is_word(&stem) { stem } else { format!("{stem}_value") };
    let mut name = stem.clone();
    let mut number = 1;
    while is_taken(&name) {
        number += 1;
        name = format!("{stem}_{number}");
    }
    name
}

/// The name of a machine: without a leading number and without generic words.
pub(super) fn machine_name(text: &str) -> String {
    let text = composed(text);
    let bare = if is_name(&text) { &text } else { without_number(&text) };
    let mut name = if is_name(bare) { statespec_lang::names::snake(bare) } else { slug(bare, "machine") };
    for tail in ["_diagram", "_state", "_state_machine"] {
        match name.strip_suffix(tail) {
            Some(stem) if is_name(stem) => name = stem.to_owned(),
            _ => {}
        }
    }
    name
}

/// `2.1 Order Lifecycle` without its number.
pub(super) fn without_number(heading: &str) -> &str {
    let behind = heading.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '.' | ')'));
    if behind.starts_with(' ') && !behind.trim().is_empty() { behind.trim() } else { heading.trim() }
}

/// The file's name without folder and extension.
pub(super) fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// Generic headings that are unsuitable as names.
pub(super) fn is_generic(heading: &str) -> bool {
    let words = slug(without_number(heading), "x");
    matches!(
        words.as_str(),
        "x" | "diagram"
            | "diagrams"
            | "state_diagram"
            | "state_diagrams"
            | "state_machine"
            | "states"
            | "state_machine_diagram"
            | "mermaid"
            | "mermaid_diagram"
            | "plantuml"
            | "plantuml_diagram"
            | "overview"
            | "example"
            | "examples"
            | "transitions"
            | "allowed_transitions"
            | "valid_transitions"
            | "state_transitions"
            | "transition_table"
            | "state_transition_table"
            | "state_transition_diagram"
            | "adjacency"
            | "usage"
            | "introduction"
    )
}
