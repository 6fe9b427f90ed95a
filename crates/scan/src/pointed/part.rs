//! The part of a file that a person points at.

use std::ops::Range;

use crate::compare::is_same;

/// A part of a file, named so that it is found again after edits around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// What is below a heading of Markdown, up to the next heading of its level.
    Heading(String),
    /// What is in the brackets behind a word: a type, a constant, a function.
    Symbol(String),
    /// What is between two texts.
    Between(String, String),
}

impl Part {
    /// The name that the part gives to a source.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Part::Heading(name) | Part::Symbol(name) => Some(name),
            Part::Whole | Part::Between(..) => None,
        }
    }

    /// Where it is.
    pub(super) fn find(&self, text: &str) -> Result<Range<usize>, String> {
        match self {
            Part::Whole => Ok(0..text.len()),
            Part::Heading(heading) => {
                let headings = headings(text);
                let position = headings.iter().position(|it| is_same(&text[it.title.clone()], heading));
                let at = &headings[position.ok_or_else(|| format!("there is no heading `{heading}`"))?];
                let next = headings.iter().find(|it| it.title.start > at.title.start && it.level <= at.level);
                Ok(at.end..next.map_or(text.len(), |it| it.start))
            }
            Part::Symbol(symbol) => block(text, symbol).ok_or_else(|| format!("there is no `{symbol}`")),
            Part::Between(first, second) => {
                let start = text.find(first.as_str()).ok_or_else(|| format!("there is no text `{first}`"))? + first.len();
                let end = text[start..].find(second.as_str()).ok_or_else(|| format!("there is no text `{second}` behind the first"))?;
                Ok(start..start + end)
            }
        }
    }
}

/// A heading of Markdown.
pub(super) struct Heading {
    pub(super) level: usize,
    /// The place of its line.
    start: usize,
    end: usize,
    /// The place of its text.
    pub(super) title: Range<usize>,
}

/// The headings of a page with `#`; those in fences are text.
pub(super) fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, plain) = (at, line.trim());
        at += line.len();
        let mark = ["```", "~~~"].into_iter().find(|it| plain.starts_with(it));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let level = plain.chars().take_while(|it| *it == '#').count();
        if fence.is_none() && mark.is_none() && (1..=6).contains(&level) && plain[level..].starts_with(' ') {
            let title = plain[level..].trim_end_matches('#').trim();
            let title_start = start + line.find(title).unwrap_or(0);
            headings.push(Heading { level, start, end: at, title: title_start..title_start + title.len() });
        }
    }
    headings
}

/// What is behind the first bracket of a line with a word, and in the lines below that are indented deeper. Of several lines with the
/// word, the first one with such lines below it counts, or else the first one with a bracket.
fn block(text: &str, symbol: &str) -> Option<Range<usize>> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let places = text.match_indices(symbol).map(|it| it.0);
    let whole = places.filter(|it| !text[..*it].ends_with(is_word) && !text[it + symbol.len()..].starts_with(is_word));
    let found: Vec<(bool, Option<Range<usize>>)> = whole
        .map(|at| {
            let end = end_of_block(text, at);
            let has_lines = text[at..end].trim_end().contains('\n');
            let inside = &text[at..end];
            let bracket = ['{', '[', '('].into_iter().find_map(|it| inside.find(it)).or_else(|| inside.find([':', '=']));
            (has_lines, bracket.map(|it| at + it + 1..end))
        })
        .collect();
    let with_lines = found.iter().find(|it| it.0 && it.1.is_some());
    with_lines.or_else(|| found.iter().find(|it| it.1.is_some())).and_then(|it| it.1.clone())
}

/// The end of the lines that belong to the one at a place: those that are indented deeper, and those that begin with a bracket.
fn end_of_block(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text[start..].split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let mut end = start + first.len();
    let mut position = end;
    for line in lines {
        let plain = line.trim();
        let is_bracket = indent(line) == indent(first) && plain.starts_with(['{', '}', '[', ']', '(', ')']);
        if !plain.is_empty() && indent(line) <= indent(first) && !is_bracket {
            break;
        }
        position += line.len();
        if !plain.is_empty() {
            end = position;
        }
        if is_bracket && plain.starts_with(['}', ']', ')']) {
            break;
        }
    }
    end
}
