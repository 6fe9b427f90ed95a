//! What differs between two texts, line by line.

use std::time::Duration;

use similar::{DiffTag, TextDiff};

/// How many lines stand around a change.
pub(crate) const CONTEXT: usize = 3;

/// How long to look for the shortest diff; after that any will do.
const PATIENCE: Duration = Duration::from_millis(500);

/// The lines that only one of two texts has, counted from 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Lines that should be there.
    pub(super) expected: Vec<usize>,
    /// Lines that should not.
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

/// The lines of a text, each with its end.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The way from one list of lines to another.
pub(crate) fn diff<'a>(old: &[&'a str], new: &[&'a str]) -> TextDiff<'a, 'a, str> {
    TextDiff::configure().timeout(PATIENCE).diff_slices(old, new)
}
