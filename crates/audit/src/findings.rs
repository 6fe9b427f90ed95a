//! What an audit finds, with its place in a file.

use std::collections::BTreeMap;

use statespec_lang::diagnostic::Code;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as it was named.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The column, counted from 1.
    pub column: usize,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The stable code.
    pub code: Code,
    /// The place.
    pub place: Place,
    /// The problem, in one sentence without a final full stop.
    pub message: String,
    /// What the graph allows there, or how to mend it.
    pub help: Option<String>,
    /// Another line that explains it, with a text.
    pub related: Option<(Place, String)>,
}

/// The findings of each code that are kept.
const MAX_KEPT: u64 = 1_000;

/// The findings so far: all are counted, and the first of each code are kept.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) kept: Vec<Finding>,
    pub(crate) counts: BTreeMap<Code, u64>,
}

impl Findings {
    pub(crate) fn push(&mut self, code: Code, finding: impl FnOnce() -> Finding) {
        let count = self.counts.entry(code).or_insert(0);
        *count += 1;
        if *count <= MAX_KEPT {
            self.kept.push(finding());
        }
    }
}

/// The files, each with the number of lines before it.
#[derive(Debug, Default)]
pub(crate) struct Files {
    starts: Vec<(u64, String)>,
    /// The lines of all files before the present one.
    pub(crate) base: u64,
    /// The last line of the present file that was seen.
    pub(crate) last: u64,
}

impl Files {
    pub(crate) fn begin(&mut self, file: &str) {
        self.base += self.last;
        self.last = 0;
        self.starts.push((self.base, file.to_owned()));
    }

    /// The names of the files, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.starts.iter().map(|it| it.1.clone()).collect()
    }

    /// A number that sorts places as they were read.
    pub(crate) fn number(&self, place: &Place) -> (usize, u64) {
        (self.starts.iter().position(|it| it.1 == place.file).unwrap_or(0), place.line)
    }

    /// The place of a line that is counted over all files.
    pub(crate) fn place(&self, line: u64, column: usize) -> Place {
        let idx = self.starts.partition_point(|it| it.0 < line).saturating_sub(1);
        let (start, file) = self.starts.get(idx).map_or((0, ""), |it| (it.0, it.1.as_str()));
        Place { file: file.to_owned(), line: line - start, column }
    }
}
