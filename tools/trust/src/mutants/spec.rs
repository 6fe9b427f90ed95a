//! Changes to the content of a spec: its states, edges, guards, texts.
//!
//! They are made in the text, by the spans of its YAML nodes, so that they look like manual edits.

use std::collections::BTreeMap;
use std::ops::Range;

use statespec_codegen::diagnostic::Diagnostics;
use statespec_codegen::source::Sources;
use statespec_lang::yaml::{self, Node, NodeKind};

/// One change: the replacement of a range of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// The changed item and the kind of change: "edge removed".
    pub(super) class: String,
    /// The range of bytes.
    pub(super) range: Range<usize>,
    /// The replacement.
    pub(super) by: String,
}

impl Edit {
    /// The changed text.
    pub(super) fn apply(&self, text: &str) -> String {
        [&text[..self.range.start], &self.by, &text[self.range.end..]].concat()
    }
}

/// The YAML of a spec, or `None` if it is not one.
pub(crate) fn parse(text: &str) -> Option<Node> {
    let mut sources = Sources::default();
    let id = sources.add("spec.yaml", text);
    let mut diagnostics = Diagnostics::default();
    let node = yaml::parse(&sources, id, &mut diagnostics);
    diagnostics.finish();
    node
}

/// All changes to a spec.
pub(super) fn all(text: &str) -> Vec<Edit> {
    let Some(root) = parse(text) else { return Vec::new() };
    let mut editor = Editor { text, edits: Vec::new(), names: BTreeMap::new() };
    editor.collect(&root, "");
    editor.node(&root, "", "");
    editor.edits
}

struct Editor<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    /// The scalars after each key.
    names: BTreeMap<String, Vec<String>>,
}

/// The common name for an item of this collection.
fn thing(key: &str) -> &'static str {
    match key {
        "states" => "state",
        "transitions" => "edge",
        "events" | "event" => "event",
        "when" | "require" | "before" | "after" => "guard",
        "set" => "update",
        "from" | "to" | "by" | "do" | "fire" | "run" | "machine" | "of" | "parts" | "actors" => "reference",
        "context" | "payload" | "constants" | "attributes" | "fields" => "field",
        "rules" | "invariants" | "transactions" | "walkthroughs" | "steps" => "part of a system",
        "allow" => "waiver",
        "sections" | "show" | "columns" => "part of a document",
        "doc" | "label" | "title" | "summary" | "intro" | "text" | "heading" | "lead" | "note" | "notes" | "sources" | "inferred"
        | "refuse" | "refused" | "message" | "on_failure" | "surface" | "trigger" | "step" => "text",
        _ => "other value",
    }
}

impl Editor<'_> {
    fn push(&mut self, thing: &str, change: &str, range: Range<usize>, by: String) {
        if self.text[range.clone()] != by {
            self.edits.push(Edit { class: format!("{thing} {change}"), range, by });
        }
    }

    fn collect(&mut self, node: &Node, key: &str) {
        match &node.kind {
            NodeKind::Scalar { .. } => {
                let names = self.names.entry(key.to_owned()).or_default();
                let text = &self.text[node.span.range()];
                if !names.iter().any(|it| it == text) {
                    names.push(text.to_owned());
                }
            }
            NodeKind::List(items) => items.iter().for_each(|it| self.collect(it, key)),
            NodeKind::Map(entries) => entries.iter().for_each(|(key, value)| self.collect(value, scalar(key))),
        }
    }

    fn node(&mut self, node: &Node, key: &str, container: &str) {
        match &node.kind {
            NodeKind::Scalar { text, plain } => self.scalar(node, text, *plain, if thing(key) == "other value" { container } else { key }),
            NodeKind::List(items) => {
                let ranges: Vec<_> = items.iter().map(|it| it.span.range()).collect();
                self.items(thing(key), &ranges, true);
                items.iter().for_each(|it| self.node(it, key, container));
            }
            NodeKind::Map(entries) => {
                let range = |(key, value): &(Node, Node)| key.span.start as usize..value.span.end.max(key.span.end + 1) as usize;
                let ranges: Vec<_> = entries.iter().map(range).collect();
                let declares =
                    ["states", "events", "context", "payload", "constants", "attributes", "transactions", "walkthroughs", "allow"];
                let what = if declares.contains(&key) { thing(key) } else { "key" };
                self.items(what, &ranges, false);
                for (name, value) in entries {
                    let at = name.span.start as usize;
                    // With and without quotes.
                    self.push(what, "renamed", at + 1..at + 1, "x".into());
                    self.node(value, scalar(name), key);
                }
            }
        }
    }

    /// Items are removed, swapped or duplicated; in block and flow style alike, the text between two items goes with one of them.
    fn items(&mut self, thing: &str, ranges: &[Range<usize>], is_list: bool) {
        for (idx, range) in ranges.iter().enumerate() {
            let gone = match (ranges.get(idx + 1), idx.checked_sub(1)) {
                (Some(next), _) => range.start..next.start,
                (None, Some(before)) => ranges[before].end..range.end,
                (None, None) => range.clone(),
            };
            self.push(thing, "removed", gone, String::new());
            let Some(next) = ranges.get(idx + 1).filter(|it| it.start >= range.end) else { continue };
            let [first, between, second] = [range.clone(), range.end..next.start, next.clone()].map(|it| &self.text[it]);
            self.push(thing, "swapped with the next", range.start..next.end, [second, between, first].concat());
            if is_list {
                self.push(thing, "doubled", range.end..range.end, [between, first].concat());
            }
        }
    }

    fn scalar(&mut self, node: &Node, text: &str, plain: bool, key: &str) {
        let thing = thing(key);
        let range = node.span.range();
        let written = &self.text[range.clone()];
        if range.is_empty() {
            return;
        }
        if plain && (text == "true" || text == "false") {
            return self.push("flag", "turned", range, (text != "true").to_string());
        }
        if let (true, Ok(number)) = (plain, text.parse::<i64>()) {
            return self.push("number", "raised", range, (number + 1).to_string());
        }
        let middle = (range.start + 1..range.end).find(|it| self.text.is_char_boundary(*it)).unwrap_or(range.end);
        self.push(thing, "misspelt", middle..middle, "x".into());
        if thing != "text" {
            let others: Vec<String> = self.names.get(key).into_iter().flatten().filter(|it| *it != written).cloned().collect();
            others.into_iter().for_each(|it| self.push(thing, "replaced by another", range.clone(), it));
        }
        if matches!(thing, "guard" | "update") {
            self.operators(thing, range);
        }
    }

    fn operators(&mut self, thing: &str, range: Range<usize>) {
        const OPERATORS: [(&str, &str); 12] = [
            (" <= ", " < "),
            (" >= ", " > "),
            (" < ", " <= "),
            (" > ", " >= "),
            (" == ", " != "),
            (" != ", " == "),
            (" and ", " or "),
            (" or ", " and "),
            (" + ", " - "),
            (" - ", " + "),
            ("not ", ""),
            (".", ".x"),
        ];
        let written = &self.text[range.clone()];
        for (old, new) in OPERATORS {
            for (at, _) in written.match_indices(old) {
                let at = range.start + at;
                self.push(thing, "with another operator", at..at + old.len(), new.to_owned());
            }
        }
        let digits = written.match_indices(|it: char| it.is_ascii_digit());
        for (at, digit) in digits {
            let at = range.start + at;
            self.push(thing, "with another number", at..at + 1, if digit == "9" { "8".into() } else { "9".into() });
        }
    }
}

/// The text of a scalar.
pub(super) fn scalar(node: &Node) -> &str {
    match &node.kind {
        NodeKind::Scalar { text, .. } => text,
        _ => "",
    }
}
