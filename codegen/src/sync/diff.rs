//! The differences between two texts, line by line.

use std::time::Duration;

use similar::{DiffTag, TextDiff};

/// The number of context lines around a change.
pub(crate) const CONTEXT: usize = 3;

/// The time limit for the shortest diff; after it any diff is accepted.
const PATIENCE: Duration = Duration::from_millis(500);

/// The lines that occur in only one of two texts, counted from 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Lines that are missing.
    pub(super) expected: Vec<usize>,
    /// Lines that should not be there.
    pub(super) found: Vec<usize>,
}

/// Compares two texts.
pub(super) fn changed(found: &str, expected: &str) -> Changed {
    let (old, new) = (lines(found), lines(expected));
    let mut changed = Changed::default();
    for op in diff(&old, &new).ops().iter().filter(|op| op.tag() != DiffTag::Equal) {
        changed.found.extend(op.old_range());
        changed.expected.extend(op.new_range());
    }
    changed
}

/// The lines of a text, each with its line end.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The diff between two lists of lines.
pub(crate) fn diff<'a>(old: &[&'a str], new: &[&'a str]) -> TextDiff<'a, 'a, str> {
    TextDiff::configure().timeout(PATIENCE).diff_slices(old, new)
}
