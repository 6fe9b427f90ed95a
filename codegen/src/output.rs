//! The generator's result: files and regions, rendered when they are needed.
//!
//! Most texts are compared with the disk, found unchanged and dropped, and few regions are used on any page.
//! So [`Outputs`] lists all outputs and renders each text on demand; [`Generated`] contains all of them rendered.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::parallel;
use crate::source::{SourceId, Span};

/// All outputs that one run of the generator can render.
#[derive(Default)]
pub struct Outputs<'a> {
    /// Whole files by path, sorted by [`Outputs::sort`].
    pub files: Vec<(String, PendingFile<'a>)>,
    /// Regions by name, such as `mysis.diagram`.
    pub regions: BTreeMap<String, PendingRegion<'a>>,
    /// The remaining outputs, in a run limited to some kinds of outputs.
    pub others: Others<'a>,
}

/// Outputs outside the scope of a run: neither compared nor orphaned.
#[derive(Default)]
pub struct Others<'a> {
    /// The paths of whole files.
    pub files: BTreeSet<String>,
    /// Regions by name.
    pub regions: BTreeMap<String, PendingRegion<'a>>,
}

/// An output that is rendered on demand.
pub struct Pending<'a, T> {
    /// The spec element that it mainly describes; drift reports point at it.
    pub origin: Option<Span>,
    render: Box<dyn Fn() -> T + Send + Sync + 'a>,
}

/// A file. Rendering fails if emitted code is not valid Rust, which no spec should cause.
pub type PendingFile<'a> = Pending<'a, Result<Rendered<'a>, RenderError>>;

/// An output that could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderError {
    /// The error.
    pub message: String,
}

impl RenderError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        RenderError { message: message.into() }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderError {}

/// A region; `None` if it has no content.
pub type PendingRegion<'a> = Pending<'a, Option<Rendered<'a>>>;

/// A rendered text with its origin.
pub struct Rendered<'a> {
    /// The whole text: LF line ends, one newline at the end.
    pub text: Cow<'a, str>,
    /// The specs that it describes.
    pub specs: BTreeSet<SourceId>,
    /// The spec elements that its lines describe; only needed if the text is not on the disk.
    pub blame: Box<dyn FnOnce() -> Blame + Send + 'a>,
}

impl<'a, T> Pending<'a, T> {
    /// An output rendered by `render`.
    pub fn new(origin: Option<Span>, render: impl Fn() -> T + Send + Sync + 'a) -> Self {
        Pending { origin, render: Box::new(render) }
    }

    /// Renders the output, on every call.
    pub fn render(&self) -> T {
        (self.render)()
    }
}

impl<'a> Rendered<'a> {
    /// A text about one spec, that of its origin.
    pub fn new(text: impl Into<Cow<'a, str>>, origin: Option<Span>, blame: impl FnOnce() -> Blame + Send + 'a) -> Self {
        Rendered { text: text.into(), specs: origin.into_iter().map(|it| it.source).collect(), blame: Box::new(blame) }
    }

    /// A text about all specs in `blame`.
    pub fn blaming(text: impl Into<Cow<'a, str>>, origin: Option<Span>, blame: Blame) -> Self {
        Rendered { text: text.into(), specs: specs_of(origin, &blame), blame: Box::new(move || blame) }
    }

    /// A text that was rendered before.
    fn again(text: &'a str, origin: Option<Span>, blame: &'a Blame) -> Self {
        Rendered { text: text.into(), specs: specs_of(origin, blame), blame: Box::new(|| blame.clone()) }
    }
}

impl Outputs<'_> {
    /// Sorts the files.
    pub fn sort(&mut self) {
        self.files.sort_by(|(a, _), (b, _)| a.cmp(b));
    }

    /// Renders each file and passes it to `use_it` with its path and origin, on all threads available.
    ///
    /// Returns the results in the order of the files.
    pub fn each_file<R: Send>(&self, use_it: impl Fn(&str, Option<Span>, Result<Rendered<'_>, RenderError>) -> R + Sync) -> Vec<R> {
        parallel::map(&self.files, |(path, pending)| use_it(path, pending.origin, pending.render()))
    }

    /// Renders everything, on all threads available.
    ///
    /// # Errors
    ///
    /// The paths for which emitted tokens are not valid Rust.
    pub fn render(&self) -> Result<Generated, Vec<(String, RenderError)>> {
        let mut generated = Generated::default();
        let mut errors = Vec::new();
        let files = self.each_file(|path, origin, rendered| {
            let rendered = rendered.map_err(|error| (path.to_owned(), error))?;
            Ok(Output { path: path.to_owned(), text: rendered.text.into_owned(), origin, blame: (rendered.blame)() })
        });
        for file in files {
            match file {
                Ok(file) => generated.files.push(file),
                Err(error) => errors.push(error),
            }
        }
        let regions: Vec<_> = self.regions.iter().collect();
        let regions = parallel::map(&regions, |(name, pending)| {
            let rendered = pending.render()?;
            Some(((*name).clone(), Region { text: rendered.text.into_owned(), origin: pending.origin, blame: (rendered.blame)() }))
        });
        generated.regions.extend(regions.into_iter().flatten());
        if errors.is_empty() { Ok(generated) } else { Err(errors) }
    }
}

impl<'a> Outputs<'a> {
    /// Adds other outputs.
    pub fn extend(&mut self, other: Outputs<'a>) {
        self.files.extend(other.files);
        self.regions.extend(other.regions);
        self.others.files.extend(other.others.files);
        self.others.regions.extend(other.others.regions);
    }
}

impl<'a> From<&'a Generated> for Outputs<'a> {
    /// Outputs that are already rendered.
    fn from(generated: &'a Generated) -> Self {
        let file = |it: &'a Output| {
            let render = || Ok(Rendered::again(&it.text, it.origin, &it.blame));
            (it.path.clone(), Pending::new(it.origin, render))
        };
        let region = |(name, it): (&String, &'a Region)| {
            let render = || Some(Rendered::again(&it.text, it.origin, &it.blame));
            (name.clone(), Pending::new(it.origin, render))
        };
        Outputs {
            files: generated.files.iter().map(file).collect(),
            regions: generated.regions.iter().map(region).collect(),
            ..Outputs::default()
        }
    }
}

/// The specs that an output describes.
fn specs_of(origin: Option<Span>, blame: &Blame) -> BTreeSet<SourceId> {
    let mut specs: Vec<SourceId> = origin.into_iter().chain(blame.spans()).map(|it| it.source).collect();
    // Usually, all of them are the same.
    specs.dedup();
    specs.into_iter().collect()
}

/// A whole generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Relative to the project's root, with forward slashes.
    pub path: String,
    /// The whole text: LF line ends, one newline at the end.
    pub text: String,
    /// The spec element that it mainly describes; drift reports point at it.
    pub origin: Option<Span>,
    /// Finer blame: the origin of a line of the text that contains the key.
    pub blame: Blame,
}

impl Output {
    /// Converts a rendered file to a pending one.
    pub fn into_pending<'a>(self) -> (String, PendingFile<'a>) {
        let Output { path, text, origin, blame } = self;
        (path, Pending::new(origin, move || Ok(Rendered::blaming(text.clone(), origin, blame.clone()))))
    }
}

/// The text that belongs between two markers of a hand-written page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The text between the marker lines: LF line ends, one newline at the end.
    pub text: String,
    /// The spec element that it mainly describes.
    pub origin: Option<Span>,
    /// Finer blame, as in [`Output::blame`].
    pub blame: Blame,
}

impl Region {
    /// Converts a rendered region to a pending one.
    pub fn into_pending<'a>(self) -> PendingRegion<'a> {
        let Region { text, origin, blame } = self;
        Pending::new(origin, move || Some(Rendered::blaming(text.clone(), origin, blame.clone())))
    }
}

/// Maps the lines of an output to the spec elements that they describe.
///
/// A line describes an element if it contains all of that element's words. Among several elements, the
/// one with the most words wins, then the first.
///
/// Blame covers every line and is rarely queried, so it is stored compactly: all words in one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blame {
    /// All words, concatenated.
    text: String,
    /// The end of each word in the text.
    word_ends: Vec<usize>,
    /// The end of each element's words in `word_ends`, and the element.
    entries: Vec<(usize, Span)>,
}

/// An element, and the words that identify a line about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlameEntry<'a> {
    /// The words that the line must contain.
    pub words: Vec<&'a str>,
    /// The element.
    pub span: Span,
}

impl Blame {
    /// Registers that a line with all these words describes an element.
    pub fn push(&mut self, words: impl IntoIterator<Item: AsRef<str>>, span: Span) {
        for word in words {
            self.text.push_str(word.as_ref());
            self.word_ends.push(self.text.len());
        }
        self.entries.push((self.word_ends.len(), span));
    }

    /// Adds the blame of another piece of the same output.
    pub fn append(&mut self, other: &Blame) {
        let (n_bytes, n_words) = (self.text.len(), self.word_ends.len());
        self.text.push_str(&other.text);
        self.word_ends.extend(other.word_ends.iter().map(|end| n_bytes + end));
        self.entries.extend(other.entries.iter().map(|(end, span)| (n_words + end, *span)));
    }

    /// The elements that lines can describe, in order.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.entries.iter().map(|(_, span)| *span)
    }

    /// The spec element to blame for a line.
    pub fn find(&self, line: &str) -> Option<Span> {
        self.best(line).first().map(|it| it.span)
    }

    /// All elements that a line describes equally well, in order.
    pub fn best(&self, line: &str) -> Vec<BlameEntry<'_>> {
        let mut best: Vec<BlameEntry<'_>> = Vec::new();
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
            best.push(BlameEntry { words: words.map(|it| self.word(it)).collect(), span });
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

/// All rendered outputs of one run of the generator.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// Whole files, sorted by path, each path once.
    pub files: Vec<Output>,
    /// Regions by name, such as `mysis.diagram`.
    pub regions: BTreeMap<String, Region>,
}
