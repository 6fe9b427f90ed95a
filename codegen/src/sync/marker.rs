//! The comments that mark regions in a page.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

/// The beginning of every marker; a page without it need not be parsed.
const PREFIX: &str = "statespec:";

/// Whether a page can contain markers.
pub(super) fn mentions(page: &[u8]) -> bool {
    page.windows(PREFIX.len()).any(|it| it.eq_ignore_ascii_case(PREFIX.as_bytes()))
}

/// The same for a page in UTF-16 or UTF-32, which is not examined otherwise.
pub(super) fn mentions_in_wide_letters(page: &[u8]) -> bool {
    page.contains(&0) && !mentions(page) && mentions(&page.iter().copied().filter(|byte| *byte != 0).collect::<Vec<u8>>())
}

/// Whether a text has a line that is a marker, at any position.
pub(super) fn has_marker(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(|it| parse(it.trim()).is_some())
}

/// Whether a line would be taken for a marker; the text of a region must have none.
pub(super) fn looks_like_marker(line: &str) -> bool {
    comment_start(line).is_some()
}

/// The marker line that begins a region.
pub(crate) fn begin_line(name: &str) -> String {
    format!("<!-- {PREFIX}begin {name} -->")
}

/// The marker line that ends a region with this text.
pub(crate) fn end_line(name: &str, digest: Option<&str>) -> String {
    match digest {
        Some(digest) => format!("<!-- {PREFIX}end {name} {digest} -->"),
        None => format!("<!-- {PREFIX}end {name} -->"),
    }
}

/// The digest in an end marker.
pub(super) fn digest_on(end_line: &str) -> Option<&str> {
    match parse(end_line)? {
        (Side::End, _, digest) => digest,
        (Side::Begin, ..) => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Begin,
    End,
}

/// A comment that is intended as a marker.
pub(super) struct Marker<'a> {
    pub(super) line: usize,
    /// The side and the name, as far as they can be determined.
    pub(super) is: Option<(Side, &'a str)>,
    /// Whether the syntax is correct.
    pub(super) good: bool,
}

/// The markers from the given line on, at most one a line.
pub(super) fn markers<'a>(text: &str, lines: &[&'a str], line_starts: &[usize], from: usize) -> Vec<Marker<'a>> {
    let Some(&offset) = line_starts.get(from) else { return Vec::new() };
    let mut found: Vec<Marker<'a>> = Vec::new();
    let has_texts = text.contains("statespec:expect ");
    for (event, range) in Parser::new_ext(&text[offset..], Options::empty()).into_offset_iter() {
        if !matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            continue;
        }
        let range = range.start + offset..range.end + offset;
        for start in comments(text, range) {
            let line = line_starts.partition_point(|it| *it <= start) - 1;
            if found.last().is_some_and(|it| it.line == line) || has_texts && is_end_of_hand(lines[line]) {
                continue;
            }
            let parsed = parse(lines[line]);
            let guess = || guess(&lines[line][start - line_starts[line]..]);
            found.push(Marker { line, is: parsed.map(|(side, name, _)| (side, name)).or_else(guess), good: parsed.is_some() });
        }
    }
    found
}

/// The offsets in a range at which a comment begins that is intended as a marker.
fn comments(text: &str, range: Range<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = range.start;
    while let Some(idx) = comment_start(&text[from..range.end]) {
        found.push(from + idx);
        from += idx + 1;
    }
    found
}

fn comment_start(text: &str) -> Option<usize> {
    let is_marker = |idx: &usize| {
        let inside = text[idx + 4..].trim_start();
        inside.get(..PREFIX.len()).is_some_and(|it| it.eq_ignore_ascii_case(PREFIX)) && !is_of_hand(&inside[PREFIX.len()..])
    };
    text.match_indices("<!--").map(|(idx, _)| idx).find(is_marker)
}

/// Whether a marker is about hand-written text, which other code compares.
fn is_of_hand(inside: &str) -> bool {
    ["expect ", "reviewed "].iter().any(|it| inside.starts_with(it))
}

/// Whether a line ends a hand-written text: such an end has no name.
fn is_end_of_hand(line: &str) -> bool {
    let inside = line.trim().strip_prefix("<!--").and_then(|it| it.strip_suffix("-->"));
    inside.is_some_and(|it| it.trim().strip_prefix(PREFIX) == Some("end"))
}

/// Parses a marker with exactly correct syntax. An end marker may have one more word.
pub(super) fn parse(line: &str) -> Option<(Side, &str, Option<&str>)> {
    let inside = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(PREFIX)?;
    let mut words = inside.split(' ');
    let side = match words.next()? {
        "begin" => Side::Begin,
        "end" => Side::End,
        _ => return None,
    };
    let name = words.next().filter(|it| is_word(it))?;
    let digest = words.next();
    let fits = words.next().is_none() && (digest.is_none() || side == Side::End) && digest.is_none_or(is_word);
    fits.then_some((side, name, digest))
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && !word.contains(|it: char| it.is_whitespace() || it.is_control() || matches!(it, '<' | '>'))
}

/// The likely meaning of a malformed marker.
fn guess(comment: &str) -> Option<(Side, &str)> {
    let inside = comment.get(4..)?.trim_start().get(PREFIX.len()..)?;
    let mut words = inside.split_whitespace();
    let side = match words.next()?.to_ascii_lowercase().as_str() {
        "begin" => Side::Begin,
        "end" => Side::End,
        _ => return None,
    };
    words.next().filter(|it| is_word(it) && !it.starts_with("--")).map(|name| (side, name))
}
