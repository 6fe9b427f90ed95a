//! The markers in a file: comments of any language, each alone on its line.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::text::Language;

/// The beginning of every marker.
const PREFIX: &str = "statespec:";

/// What may be before a marker on its line.
const OPENERS: &[&str] = &[
    "//", "///", "//!", "#", "##", "--", "---", "/*", "/**", "*", "<!--", ";", ";;", "%", "%%", "(*", "{-", "{#", "{{!", "{{!--", "{/*",
    "<%#", "<%--", "REM", "@rem", "!", "dnl",
];

/// What may be behind a marker on its line.
const CLOSERS: &[&str] = &["*/", "-->", "*)", "-}", "#}", "--}}", "}}", "*/}", "%>", "--%>"];

/// A marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'t> {
    /// The text up to the end must name what these words say.
    Expect(&'t str),
    End,
    /// A review, with the machine and the digest.
    Reviewed(&'t str),
    /// A marker of another name.
    Unknown(&'t str),
    /// There is other text on the line.
    Beside,
}

/// A marker with its place.
#[derive(Debug, Clone)]
pub(super) struct Found<'t> {
    pub(super) mark: Mark<'t>,
    pub(super) range: Range<usize>,
    /// The beginning of its line, and of the line behind it.
    pub(super) line_start: usize,
    pub(super) line_end: usize,
}

/// Whether a text can have markers.
pub(super) fn mentions(text: &[u8]) -> bool {
    // Region markers of pages begin alike; only these words matter here.
    ["statespec:expect", "statespec:reviewed"].iter().any(|it| text.windows(it.len()).any(|window| window == it.as_bytes()))
}

/// All markers of a text, in order.
pub(super) fn markers(text: &str, language: Language) -> Vec<Found<'_>> {
    if !mentions(text.as_bytes()) {
        return Vec::new();
    }
    // In a page, only comments outside of code count.
    let html: Option<Vec<Range<usize>>> = (language == Language::Markdown).then(|| {
        let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
        events.filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_))).map(|(_, range)| range).collect()
    });
    let mut found = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let line_end = line_start + line.len();
        if let Some(at) = line.find(PREFIX)
            && html.as_ref().is_none_or(|it| it.iter().any(|it| it.contains(&(line_start + at))))
            && let Some(mark) = mark(line.trim_end_matches(['\n', '\r']), at)
        {
            let range = line_start + at..line_start + line.trim_end().len().max(at + PREFIX.len());
            found.push(Found { mark, range, line_start, line_end });
        }
        line_start = line_end;
    }
    found
}

/// The marker at a position of a line; `None` if it is only a text about markers, or the marker of a region.
fn mark(line: &str, at: usize) -> Option<Mark<'_>> {
    let before = line[..at].trim();
    let rest = line[at + PREFIX.len()..].trim_end();
    let inside = CLOSERS.iter().find_map(|it| rest.strip_suffix(it)).unwrap_or(rest).trim();
    let (word, words) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let mark = match word {
        "expect" => Mark::Expect(words.trim()),
        "end" if words.is_empty() => Mark::End,
        "reviewed" => Mark::Reviewed(words.trim()),
        // Those of regions in pages.
        "begin" | "end" => return None,
        _ => Mark::Unknown(word),
    };
    if OPENERS.contains(&before) {
        return Some(mark);
    }
    // A comment behind code; in a text in quotes, it is an example.
    let opener = OPENERS.iter().filter(|it| it.len() > 1 || **it == "#").find_map(|it| before.strip_suffix(it))?;
    let is_comment = opener.ends_with(char::is_whitespace) && !opener.contains(['"', '\'', '`']);
    (is_comment && !matches!(mark, Mark::Unknown(_))).then_some(Mark::Beside)
}
