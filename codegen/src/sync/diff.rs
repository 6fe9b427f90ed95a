//! The differences between two texts, line by line.

use std::time::Duration;

use similar::TextDiff;

/// The number of context lines around a change.
pub(crate) const CONTEXT: usize = 3;

/// The time limit for the shortest diff; after it any diff is accepted.
const PATIENCE: Duration = Duration::from_millis(500);

/// The lines of a text, each with its line end.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The change of a file, as `git apply` and `patch -p1` read it.
pub fn patch(path: &str, old: &str, new: &str) -> String {
    let (old, new) = (lines(old), lines(new));
    let diff = TextDiff::configure().timeout(PATIENCE).newline_terminated(true).diff_slices(&old, &new);
    diff.unified_diff().context_radius(CONTEXT).header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}

/// The diff between two lists of lines.
pub(crate) fn diff<'a>(old: &[&'a str], new: &[&'a str]) -> TextDiff<'a, 'a, str> {
    TextDiff::configure().timeout(PATIENCE).diff_slices(old, new)
}
