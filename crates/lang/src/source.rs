//! Source files, and places in them.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::chars::visible;

/// One spec file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// Relative to the project's root, with forward slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The id of a file in a [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

/// A range of bytes in one source file.
///
/// A span is always inside the file and on character boundaries: spans are only created by the readers
/// of this crate, and [`Sources`] clamps requested ranges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span over `range` of `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let to_u32 = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { source, start: to_u32(range.start), end: to_u32(range.end.max(range.start)) }
    }

    /// The byte range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// A part of this span, given by byte offsets relative to its start.
    pub fn part(self, range: Range<usize>) -> Self {
        let limit = (self.end - self.start) as usize;
        let start = range.start.min(limit);
        let end = range.end.clamp(start, limit);
        Span::new(self.source, self.start as usize + start..self.start as usize + end)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// A value together with its span.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The span.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Combines a value and its span.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }

    /// The same span with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}

/// One source file.
#[derive(Debug, Clone)]
pub struct Source {
    path: String,
    text: String,
    /// The offsets of line starts; computed on first use.
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    /// The path relative to the project's root, with forward slashes.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text, with LF line ends and without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// One-based line and column (in characters) of a byte offset.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = floor_char_boundary(&self.text, offset);
        let line_starts = self.line_starts.get_or_init(|| {
            let line_ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(line_ends.map(|(idx, _)| idx as u32 + 1)).collect()
        });
        let line_idx = line_starts.partition_point(|&start| start as usize <= offset) - 1;
        let line_start = line_starts[line_idx] as usize;
        (line_idx + 1, self.text[line_start..offset].chars().count() + 1)
    }
}

/// All the files of one run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// The size of all files, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.files.iter().map(|it| it.text().len()).sum()
    }

    /// Adds a file and returns its id.
    ///
    /// CRLF becomes LF and a byte order mark is dropped first, so a checkout that converts line
    /// ends yields the same spans and the same outputs.
    pub fn add(&mut self, path: impl Into<String>, text: &str) -> SourceId {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let id = SourceId(self.files.len() as u32);
        self.files.push(Source { path: path.into().replace('\\', "/"), text, line_starts: OnceLock::new() });
        id
    }

    /// The file with this id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// The file with this path.
    pub fn find(&self, path: &str) -> Option<SourceId> {
        self.files.iter().position(|it| it.path == path).map(|idx| SourceId(idx as u32))
    }

    /// The paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(Source::path)
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.get(span.source).text();
        let start = floor_char_boundary(text, span.start as usize);
        let end = floor_char_boundary(text, span.end as usize);
        &text[start..end.max(start)]
    }

    /// `path:line:column` of the start of a span, for people.
    pub fn location(&self, span: Span) -> String {
        let source = self.get(span.source);
        let (line, column) = source.line_column(span.start as usize);
        format!("{}:{line}:{column}", visible(source.path()))
    }
}

/// The greatest character boundary at or before `offset`.
pub fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
