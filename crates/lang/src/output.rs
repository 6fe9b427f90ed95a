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
    /// The elements that its lines show; only needed if the text is not on the disk.
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
    /// The same outputs; the shared files that a spec uses are among the specs of its outputs.
    pub fn with_shared(self, uses: BTreeMap<SourceId, Vec<SourceId>>) -> Outputs<'a> {
        use std::sync::Arc;
        if uses.is_empty() {
            return self;
        }
        let uses = Arc::new(uses);
        let extend = |uses: Arc<BTreeMap<SourceId, Vec<SourceId>>>, mut rendered: Rendered<'a>| {
            let shared: Vec<SourceId> = rendered.specs.iter().filter_map(|it| uses.get(it)).flatten().copied().collect();
            rendered.specs.extend(shared);
            rendered
        };
        let file = |(path, pending): (String, PendingFile<'a>)| {
            let (uses, origin) = (Arc::clone(&uses), pending.origin);
            (path, Pending::new(origin, move || pending.render().map(|it| extend(Arc::clone(&uses), it))))
        };
        let region = |(name, pending): (String, PendingRegion<'a>)| {
            let (uses, origin) = (Arc::clone(&uses), pending.origin);
            (name, Pending::new(origin, move || pending.render().map(|it| extend(Arc::clone(&uses), it))))
        };
        let files = self.files.into_iter().map(file).collect();
        Outputs { files, regions: self.regions.into_iter().map(region).collect(), others: self.others }
    }

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
    origin.map(|it| it.source).into_iter().chain(blame.specs.iter().copied()).collect()
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
    /// The origin of its lines.
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
    /// The origin of its lines.
    pub blame: Blame,
}

impl Region {
    /// Converts a rendered region to a pending one.
    pub fn into_pending<'a>(self) -> PendingRegion<'a> {
        let Region { text, origin, blame } = self;
        Pending::new(origin, move || Some(Rendered::blaming(text.clone(), origin, blame.clone())))
    }
}

/// The origin of an output: its specs, and the lines that show exactly one element of a spec.
///
/// A line counts only if it is written for that element alone, such as the row of a transition in a table. A line that
/// combines several elements, such as the list of all states that accept an event, is not registered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blame {
    /// Each line without surrounding blanks, and its element.
    lines: Vec<(String, Span)>,
    specs: BTreeSet<SourceId>,
}

impl Blame {
    /// The blame of an output that describes these specs as a whole.
    pub fn of_specs(specs: impl IntoIterator<Item = SourceId>) -> Self {
        Blame { specs: specs.into_iter().collect(), ..Blame::default() }
    }

    /// Registers a line that shows one element.
    pub fn push(&mut self, line: impl AsRef<str>, span: Span) {
        self.lines.push((line.as_ref().trim().to_owned(), span));
        self.specs.insert(span.source);
    }

    /// Registers a spec that the output describes.
    pub fn push_spec(&mut self, spec: SourceId) {
        self.specs.insert(spec);
    }

    /// Adds the blame of another piece of the same output.
    pub fn append(&mut self, other: &Blame) {
        self.lines.extend(other.lines.iter().cloned());
        self.specs.extend(&other.specs);
    }

    /// The specs that the output describes.
    pub fn specs(&self) -> &BTreeSet<SourceId> {
        &self.specs
    }

    /// The lines that show one element each.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Span)> {
        self.lines.iter().map(|(line, span)| (line.as_str(), *span))
    }

    /// The element that a line shows; `None` if there is no such line, or if different elements have equal lines.
    pub fn find(&self, line: &str) -> Option<Span> {
        let line = line.trim();
        let mut spans = self.lines.iter().filter(|(it, _)| it == line).map(|(_, span)| *span);
        let first = spans.next()?;
        spans.all(|it| it == first).then_some(first)
    }
}

impl<S: AsRef<str>> FromIterator<(S, Span)> for Blame {
    fn from_iter<I: IntoIterator<Item = (S, Span)>>(lines: I) -> Self {
        let mut blame = Blame::default();
        lines.into_iter().for_each(|(line, span)| blame.push(line, span));
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
