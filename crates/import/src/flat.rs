//! Pages without the indentation of admonitions, which CommonMark does not know.
//!
//! ```text
//! !!! note "Life of an order"
//!     ```mermaid
//! ```
//!
//! A Markdown parser reads the second line as a part of a paragraph, so the parser gets the text without the
//! first line and without the indentation, and every place is mapped back.

use std::borrow::Cow;
use std::ops::Range;

/// The indentation of the contents of an admonition.
const INDENT: usize = 4;

/// A page without the indentation of its admonitions.
pub(super) struct Flat<'a> {
    pub(super) text: Cow<'a, str>,
    /// The lines: the offset here, the offset in the page, and whether the line is in an admonition.
    lines: Vec<(usize, usize, bool)>,
}

impl<'a> Flat<'a> {
    pub(super) fn new(page: &'a str) -> Self {
        if !page.lines().any(|it| is_opening(it.trim_start())) {
            return Flat { text: page.into(), lines: vec![(0, 0, false)] };
        }
        let mut text = String::with_capacity(page.len());
        let mut lines = Vec::new();
        // The indentation that the contents of each open admonition have.
        let mut open: Vec<usize> = Vec::new();
        let mut fence: Option<&str> = None;
        let mut offset = 0;
        for line in page.split_inclusive('\n') {
            let indent = line.len() - line.trim_start_matches(' ').len();
            if !line.trim().is_empty() {
                let before = open.len();
                open.retain(|it| *it <= indent);
                if open.len() < before {
                    fence = None;
                }
            }
            let cut = open.last().copied().unwrap_or(0).min(indent);
            let rest = &line[cut..];
            lines.push((text.len(), offset + cut, !open.is_empty()));
            offset += line.len();
            let opens = is_opening(rest.trim_start());
            if opens && fence.is_none() && indent - cut < INDENT {
                open.push(indent + INDENT);
                // Its title is no part of a paragraph.
                text.push('\n');
                continue;
            }
            let bare = rest.trim();
            match fence {
                Some(mark) if bare.starts_with(mark) && bare.trim_start_matches(&mark[..1]).is_empty() => fence = None,
                None => fence = ["```", "~~~"].into_iter().find(|it| bare.starts_with(it)),
                Some(_) => {}
            }
            text.push_str(rest);
        }
        Flat { text: text.into(), lines }
    }

    /// The place in the page.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let at = |offset: usize| {
            let (start, place, _) = self.line(offset);
            place + (offset - start)
        };
        // An end belongs to the line of the byte before it.
        at(range.start)..if range.end > range.start { at(range.end - 1) + 1 } else { at(range.start) }
    }

    /// Whether a place is in an admonition.
    pub(super) fn is_inside(&self, range: &Range<usize>) -> bool {
        self.line(range.start).2
    }

    fn line(&self, offset: usize) -> (usize, usize, bool) {
        let idx = self.lines.partition_point(|(start, ..)| *start <= offset);
        idx.checked_sub(1).and_then(|it| self.lines.get(it)).copied().unwrap_or_default()
    }
}

/// `!!! note`, `??? note`, `???+ note`, `=== "Tab"`: the notations of Python-Markdown.
fn is_opening(line: &str) -> bool {
    let word = |it: &str| it.starts_with(' ') && !it.trim().is_empty();
    let behind = line.strip_prefix("!!!").or_else(|| line.strip_prefix("???").map(|it| it.strip_prefix('+').unwrap_or(it)));
    behind.is_some_and(word) || line.strip_prefix("===").is_some_and(|it| it.trim_start_matches(['!', '+']).trim_start().starts_with('"'))
}
