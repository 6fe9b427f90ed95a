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
///
/// Every line of every output is spoken for, and hardly one is ever asked about: so all words stand in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blame {
    /// One word after the other.
    text: String,
    /// Where each word ends in the text.
    word_ends: Vec<usize>,
    /// Where the words of each element end in `word_ends`, and the element.
    entries: Vec<(usize, Span)>,
}

/// An element, and the words that tell a line about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspicion<'a> {
    /// What the line must contain.
    pub words: Vec<&'a str>,
    /// The element.
    pub span: Span,
}

impl Blame {
    /// Says that a line with all these words speaks of an element.
    pub fn push(&mut self, words: impl IntoIterator<Item: AsRef<str>>, span: Span) {
        for word in words {
            self.text.push_str(word.as_ref());
            self.word_ends.push(self.text.len());
        }
        self.entries.push((self.word_ends.len(), span));
    }

    /// Adds what another piece of the same output says.
    pub fn append(&mut self, other: &Blame) {
        let (n_bytes, n_words) = (self.text.len(), self.word_ends.len());
        self.text.push_str(&other.text);
        self.word_ends.extend(other.word_ends.iter().map(|end| n_bytes + end));
        self.entries.extend(other.entries.iter().map(|(end, span)| (n_words + end, *span)));
    }

    /// The elements that lines can speak of, one after the other.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.entries.iter().map(|(_, span)| *span)
    }

    /// The spec element to blame for a line.
    pub fn find(&self, line: &str) -> Option<Span> {
        self.best(line).first().map(|it| it.span)
    }

    /// All elements that a line speaks of equally well, in order.
    pub fn best(&self, line: &str) -> Vec<Suspicion<'_>> {
        let mut best: Vec<Suspicion<'_>> = Vec::new();
        let mut first = 0;
        for &(end, span) in &self.entries {
            let words = first..end;
            first = end;
            let n_best = best.first().map_or(1, |it| it.words.len());
            if words.len() < n_best || !words.clone().all(|it| line.contains(self.word(it))) {
                continue;
            }
            if words.len() > n_best {
                best.clear();
            }
            best.push(Suspicion { words: words.map(|it| self.word(it)).collect(), span });
        }
        best
    }

    fn word(&self, idx: usize) -> &str {
        let start = idx.checked_sub(1).map_or(0, |it| self.word_ends[it]);
        &self.text[start..self.word_ends[idx]]
    }
}

impl<W: IntoIterator<Item: AsRef<str>>> FromIterator<(W, Span)> for Blame {
    fn from_iter<I: IntoIterator<Item = (W, Span)>>(entries: I) -> Self {
        let mut blame = Blame::default();
        entries.into_iter().for_each(|(words, span)| blame.push(words, span));
        blame
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
