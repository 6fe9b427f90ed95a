//! A spec as a list of its names, texts and values, each with its place.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::Diagnostics;
use statespec_lang::source::{SourceId, Sources, Span};
use statespec_lang::spec::is_keyword;
use statespec_lang::yaml::{self, Node, NodeKind};

use super::words::{is_number, join, words};

/// The keys, texts and values of a spec.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) list: Vec<Leaf>,
    /// The positions in the list of the leaves with a word.
    by_word: BTreeMap<String, Vec<usize>>,
    /// The span of each key, and of the key with its value.
    entries: BTreeMap<Span, Span>,
}

/// A key or a scalar value.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) words: Vec<String>,
    /// The words as one text.
    pub(super) joined: String,
    pub(super) kind: LeafKind,
    /// Whether it declares something: a key, or a name in a list of nothing but names.
    pub(super) declares: bool,
    pub(super) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafKind {
    Name,
    /// A key of the language, which says nothing by itself.
    Keyword,
    /// Several words with blanks between them.
    Text,
    Number,
}

impl Leaves {
    /// Reads a spec; a spec with errors has no leaves.
    pub(super) fn read(sources: &Sources, id: SourceId) -> Self {
        let mut diagnostics = Diagnostics::default();
        let root = yaml::parse(sources, id, &mut diagnostics);
        let mut leaves = Leaves::default();
        if diagnostics.finish().is_empty()
            && let Some(root) = root
        {
            leaves.add(&root, 0);
        }
        leaves
    }

    fn add(&mut self, node: &Node, depth: usize) {
        match &node.kind {
            NodeKind::Scalar { text, .. } => self.leaf(text, node.span, false),
            NodeKind::List(items) => items.iter().for_each(|it| match &it.kind {
                NodeKind::Scalar { text, .. } => self.leaf(text, it.span, depth == 1),
                _ => self.add(it, depth + 1),
            }),
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    if let NodeKind::Scalar { text, .. } = &key.kind {
                        self.leaf(text, key.span, true);
                    }
                    self.entries.insert(key.span, Span { end: value.span.end.max(key.span.end), ..key.span });
                    self.add(value, depth + 1);
                }
            }
        }
    }

    fn leaf(&mut self, text: &str, span: Span, declares: bool) {
        let words = words(text);
        let kind = match () {
            () if words.iter().all(|it| is_number(it)) => LeafKind::Number,
            () if is_keyword(text) => LeafKind::Keyword,
            () if words.len() > 1 && text.trim().contains(char::is_whitespace) => LeafKind::Text,
            () => LeafKind::Name,
        };
        for word in &words {
            let found = self.by_word.entry(word.clone()).or_default();
            if found.last() != Some(&self.list.len()) {
                found.push(self.list.len());
            }
        }
        self.list.push(Leaf { joined: join(&words), words, kind, declares, span });
    }

    /// The positions of the leaves with a word.
    pub(super) fn with(&self, word: &str) -> &[usize] {
        self.by_word.get(word).map_or(&[], Vec::as_slice)
    }

    /// The leaves of an element: of a whole value, or of a key and its value.
    pub(super) fn of(&self, element: Span) -> impl Iterator<Item = &Leaf> {
        let whole = self.entries.get(&element).copied().unwrap_or(element);
        self.list.iter().filter(move |it| whole.start <= it.span.start && it.span.end <= whole.end)
    }
}
