//! The differences between two texts, as `diff -u` prints them.

use std::fmt::Write as _;

use similar::ChangeTag;
use statespec_lang::chars::visible;
use statespec_lang::diagnostic::Style;
use statespec_lang::source::Sources;

use crate::sync::diff::{CONTEXT, diff, lines};
use crate::sync::{Draft, Texts};

/// The length at which lines are cut, unless the whole diff is requested.
const MAX_LINE: usize = 400;

/// The whole unified diff without file names, for programs.
pub(super) fn diff_of(texts: &Texts) -> String {
    unified(texts, None, Style::Plain).lines().map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned() + "\n").collect()
}

/// The change that a draft makes to the file that it replaces, for people: without file names, and without the differences
/// between line ends.
pub fn diff_of_draft(draft: &Draft, style: Style) -> String {
    let mut sources = Sources::default();
    let mut plain = |text: &str| {
        let id = sources.add("", text);
        sources.get(id).text().to_owned()
    };
    let found = draft.replaces.as_ref().map_or(String::new(), |it| plain(&String::from_utf8_lossy(it)));
    unified(&Texts { found, expected: plain(&draft.text), first_line: 1, origin: String::new() }, None, style)
}

/// A unified diff without file names, of at most `max_lines` lines; each line is indented by two spaces.
pub(super) fn unified(texts: &Texts, max_lines: Option<usize>, style: Style) -> String {
    let (old, new) = (lines(&texts.found), lines(&texts.expected));
    let diff = diff(&old, &new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let old = hunk_range(texts, first.old_range().start, last.old_range().end);
        let new = hunk_range(texts, first.new_range().start, last.new_range().end);
        lines.push(paint(style, CYAN, &format!("@@ -{old} +{new} @@")));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, colour) = match change.tag() {
                ChangeTag::Insert => ('+', GREEN),
                ChangeTag::Delete => ('-', RED),
                ChangeTag::Equal => (' ', ""),
            };
            let text = change.value().strip_suffix('\n').unwrap_or(change.value());
            let text = cut(&visible(text), max_lines.is_some());
            lines.push(paint(style, colour, &format!("{sign}{text}")));
            if !change.value().ends_with('\n') {
                lines.push("\\ no newline at the end".to_owned());
            }
        }
    }
    // The note that one line is left out takes a line as well.
    let n_shown = max_lines.filter(|it| *it + 1 < lines.len()).unwrap_or(lines.len());
    let mut text = String::new();
    for line in &lines[..n_shown] {
        let _ = writeln!(text, "  {line}");
    }
    if n_shown < lines.len() {
        let _ = writeln!(text, "  … and {} more lines (--full-diff shows them)", lines.len() - n_shown);
    }
    text
}

/// `start,length`, counted from 1 as `diff -u` does.
fn hunk_range(texts: &Texts, start: usize, end: usize) -> String {
    let n_lines = end.saturating_sub(start);
    let start = (texts.first_line + start).saturating_sub(usize::from(n_lines == 0));
    if n_lines == 1 { start.to_string() } else { format!("{start},{n_lines}") }
}

fn cut(line: &str, may_cut: bool) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((idx, _)) if may_cut => format!("{}… (cut)", &line[..idx]),
        _ => line.to_owned(),
    }
}

pub(super) const RED: &str = "\x1b[31m";
pub(super) const GREEN: &str = "\x1b[32m";
pub(super) const CYAN: &str = "\x1b[36m";
pub(super) const BOLD: &str = "\x1b[1m";

/// Colours a piece of text if the style has colours.
pub(super) fn paint(style: Style, colour: &str, text: &str) -> String {
    match style {
        Style::Colour if !colour.is_empty() => format!("{colour}{text}\x1b[0m"),
        _ => text.to_owned(),
    }
}
