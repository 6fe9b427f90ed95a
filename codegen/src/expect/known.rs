//! The wanted names, in whatever style a text writes them.
//!
//! The names of a list often have words in common around them, an affix: `ORDER_STATUS_OPEN`, `ORDER_STATUS_SHUT`.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::names::snake;

use super::subject::Wanted;
use super::text::Word;

/// One way to read a text: its names.
pub(super) type Reading = Vec<Word>;

/// The words around each name of a list: `ORDER_STATUS_OPEN`, `OpenState`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Affix {
    before: Vec<String>,
    behind: Vec<String>,
}

/// The wanted names, whatever their case and the marks between their words.
pub(super) struct Known {
    n_wanted: usize,
    by_name: BTreeMap<String, usize>,
}

/// The most words that a prefix or suffix has.
const MAX_AFFIX: usize = 5;

impl Known {
    pub(super) fn new(wanted: &[Wanted]) -> Self {
        let mut by_name = BTreeMap::new();
        // The name in the spec counts before a label of another element.
        for all in [true, false] {
            for (idx, it) in wanted.iter().enumerate() {
                let names = if all { &it.names[..1] } else { &it.names[1..] };
                names.iter().for_each(|name| _ = by_name.entry(plain(name)).or_insert(idx));
            }
        }
        Known { n_wanted: wanted.len(), by_name }
    }

    /// The position of a name that has the affix, or is bare.
    pub(super) fn position(&self, name: &str, affix: &Affix) -> Option<usize> {
        let parts = parts(name);
        let inner = parts.strip_prefix(affix.before.as_slice()).and_then(|it| it.strip_suffix(affix.behind.as_slice()));
        let inner = inner.filter(|it| !it.is_empty()).and_then(|it| self.by_name.get(&it.concat()));
        inner.or_else(|| self.by_name.get(&plain(name))).copied()
    }

    /// Whether a name is wanted as it is.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(&plain(name))
    }

    /// The affix with which the most wanted names occur; the shortest of several.
    pub(super) fn affix(&self, names: &[Word]) -> Affix {
        let mut by_affix = BTreeMap::<Affix, BTreeSet<usize>>::new();
        for name in names {
            let parts = parts(&name.text);
            for start in 0..parts.len().min(MAX_AFFIX + 1) {
                for end in (start + 1..=parts.len()).rev().take(MAX_AFFIX + 1) {
                    if let Some(idx) = self.by_name.get(&parts[start..end].concat()) {
                        let affix = Affix { before: parts[..start].to_vec(), behind: parts[end..].to_vec() };
                        by_affix.entry(affix).or_default().insert(*idx);
                    }
                }
            }
        }
        let size = |it: &Affix| it.before.len() + it.behind.len();
        let best = by_affix.into_iter().max_by_key(|(affix, found)| (found.len(), std::cmp::Reverse(size(affix))));
        best.map(|it| it.0).unwrap_or_default()
    }

    /// Which of the wanted names occur among some.
    pub(super) fn found(&self, names: &[Word], affix: &Affix) -> Vec<bool> {
        let mut found = vec![false; self.n_wanted];
        names.iter().filter_map(|it| self.position(&it.text, affix)).for_each(|idx| found[idx] = true);
        found
    }
}

/// Whether two names differ in case and marks only.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// The words of a name, in small letters.
fn parts(name: &str) -> Vec<String> {
    snake(name).split('_').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// A name without case and marks.
fn plain(name: &str) -> String {
    parts(name).concat()
}
