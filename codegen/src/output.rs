//! What the generator returns: files and regions, as text.

use std::collections::BTreeMap;

use crate::source::Span;

/// A whole generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Relative to the project's root, with forward slashes.
    pub path: String,
    /// The whole text: LF line ends, one newline at the end.
    pub text: String,
    /// The spec element that it says most about; drift reports point at it.
    pub origin: Option<Span>,
    /// Finer blame: where a line of the text that contains the key comes from.
    pub blame: Blame,
}

/// The text that belongs between two markers of a hand-written page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// What stands between the marker lines: LF line ends, one newline at the end.
    pub text: String,
    /// The spec element that it says most about.
    pub origin: Option<Span>,
    /// Finer blame, as in [`Output::blame`].
    pub blame: Blame,
}

/// Which spec elements the lines of an output speak of.
///
/// A line speaks of an element when it contains all of that element's words. Among several the
/// one with the most words wins, then the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blame(pub Vec<(Vec<String>, Span)>);

impl Blame {
    /// The spec element to blame for a line.
    pub fn find(&self, line: &str) -> Option<Span> {
        self.best(line).first().map(|(_, span)| *span)
    }

    /// All elements that a line speaks of equally well, in order.
    pub fn best(&self, line: &str) -> Vec<&(Vec<String>, Span)> {
        let mut best: Vec<&(Vec<String>, Span)> = Vec::new();
        for entry in &self.0 {
            let n_words = entry.0.len();
            let n_best = best.first().map_or(1, |(words, _)| words.len());
            if n_words < n_best || !entry.0.iter().all(|word| line.contains(word.as_str())) {
                continue;
            }
            if n_words > n_best {
                best.clear();
            }
            best.push(entry);
        }
        best
    }
}

/// Everything that one run of the generator makes.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// Whole files, sorted by path, each path once.
    pub files: Vec<Output>,
    /// Regions by name, such as `mysis.diagram`.
    pub regions: BTreeMap<String, Region>,
}
