//! The lines of an output that differ, each beside the line that it replaces.

use std::collections::BTreeSet;

use similar::DiffTag;

use super::words::{join, without, words};
use crate::sync::{diff, header, marker};

/// The number of differing lines that are examined.
const MAX_LINES: usize = 200;

/// A line that an output should have and does not.
#[derive(Debug)]
pub(super) struct NewLine {
    pub(super) text: String,
    /// The words as one text.
    pub(super) joined: String,
    /// The words that the replaced line does not have; all words if it replaces none.
    pub(super) inserted: Vec<String>,
    /// The words of the replaced line that are gone.
    pub(super) deleted: Vec<String>,
    pub(super) replaces: bool,
    /// The line of the found text that it replaces or precedes, counted from 0.
    pub(super) found_idx: usize,
}

/// The line of the found text at which the difference begins, counted from 0.
pub(super) fn first_line(found: &str, expected: &str) -> Option<usize> {
    let (old, new) = (diff::lines(found), diff::lines(expected));
    let first = (0..old.len().max(new.len())).find(|idx| match (old.get(*idx), new.get(*idx)) {
        (Some(old), Some(new)) => old != new && !(is_ours(old) && is_ours(new)),
        _ => true,
    })?;
    Some(first.min(old.len().saturating_sub(1)))
}

/// The new lines of an output.
///
/// A passage that brings a heading or a table of its own is left out: such a passage can show what was in the spec before.
pub(super) fn new_lines(found: &str, expected: &str) -> Vec<NewLine> {
    let (old, new) = (diff::lines(found), diff::lines(expected));
    let diff = diff::diff(&old, &new);
    let mut passages: Vec<Passage<'_>> = Vec::new();
    let mut is_open = false;
    for op in diff.ops() {
        if op.tag() == DiffTag::Equal {
            is_open = false;
            continue;
        }
        if !is_open {
            passages.push(Passage { start: op.old_range().start, ..Passage::default() });
        }
        is_open = true;
        if let Some(passage) = passages.last_mut() {
            let gone = op.old_range().filter_map(|idx| Some((idx, *old.get(idx)?)));
            passage.gone.extend(gone.filter(|(_, line)| !is_ours(line)));
            passage.added.extend(new.get(op.new_range()).unwrap_or_default().iter().filter(|it| !is_ours(it)));
        }
    }
    let gone: BTreeSet<String> = passages.iter().flat_map(|it| &it.gone).take(MAX_LINES).map(|(_, it)| join(&words(it))).collect();
    let mut lines = Vec::new();
    for passage in &passages {
        let n_titles = |lines: &mut dyn Iterator<Item = &str>| lines.filter(|it| is_title(it)).count();
        if n_titles(&mut passage.added.iter().copied()) > n_titles(&mut passage.gone.iter().map(|it| it.1)) {
            continue;
        }
        let gone: Vec<(usize, Vec<String>)> = passage.gone.iter().take(MAX_LINES).map(|(idx, it)| (*idx, words(it))).collect();
        for text in &passage.added {
            if lines.len() == MAX_LINES {
                return lines;
            }
            lines.extend(new_line(text, &gone, passage.start));
        }
    }
    // A line that was only moved shows nothing new.
    lines.retain(|it: &NewLine| !gone.contains(&it.joined));
    lines
}

/// Neighbouring lines that differ.
#[derive(Debug, Default)]
struct Passage<'a> {
    /// The line of the found text at which it begins.
    start: usize,
    gone: Vec<(usize, &'a str)>,
    added: Vec<&'a str>,
}

fn new_line(text: &str, gone: &[(usize, Vec<String>)], start: usize) -> Option<NewLine> {
    let words = words(text);
    let n_common = |(_, old): &&(usize, Vec<String>)| words.len() - without(&words, old).len();
    let replaced = gone.iter().rev().max_by_key(n_common).filter(|old| n_common(old) * 2 >= words.len());
    let (inserted, deleted) = match replaced {
        Some((_, old)) => (without(&words, old), without(old, &words)),
        None => (words.clone(), Vec::new()),
    };
    let found_idx = replaced.map_or(start, |(idx, _)| *idx);
    let joined = join(&words);
    (!words.is_empty()).then(|| NewLine { text: text.to_owned(), joined, inserted, deleted, replaces: replaced.is_some(), found_idx })
}

/// Whether a line is a heading or the head of a table.
fn is_title(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') || line.starts_with("| ---")
}

/// Lines that are not derived from any spec.
fn is_ours(line: &str) -> bool {
    line.contains(header::MARK) || line.contains(header::PLEA) || marker::looks_like_marker(line)
}
