//! One marker: a comment, alone on its line, whose first word is `statespec:` and a letter.
//!
//! No list of languages is needed. A comment begins with signs and no letters (`//`, `#`, `--[[`, `{{/*`), or with one of a few
//! words (`REM`); what ends it is signs as well.

use std::ops::Range;

/// The beginning of every marker.
const PREFIX: &str = "statespec:";

/// Words that begin a comment.
const WORDS: &[&str] = &["rem", "@rem", "dnl", "nb."];

/// Single signs that begin a comment. Others are brackets, list marks and operators.
const SIGNS: &[char] = &['#', ';', '%', '*', '!', '\'', '"', '\\', '@'];

/// What begins a comment of some templates: `{{- /* … */ -}}`.
const TEMPLATE: &str = "{{";

/// What begins a link definition that is a comment in Markdown: `[//]: # (…)`.
pub(super) const DEFINITION: &str = "[//]:";

/// A marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'t> {
    /// The text up to the end must name what these words say.
    Expect(&'t str),
    /// The text up to the end is generated from these words.
    Begin(&'t str),
    /// The end of both; a generated text has a digest.
    End(&'t str),
    /// A review: the machine and the digest.
    Reviewed(&'t str),
    /// A marker of another name.
    Unknown(&'t str),
    /// There is code on the line.
    Beside,
}

/// A marker with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found<'t> {
    pub(super) mark: Mark<'t>,
    /// From its first word to its last one.
    pub(super) range: Range<usize>,
    /// The position of its line, counted from 0.
    pub(super) line: usize,
    /// The beginning of its line, and of the line behind it.
    pub(super) line_start: usize,
    pub(super) line_end: usize,
}

/// Whether a text can have markers.
pub fn mentions(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.windows(PREFIX.len()).position(|it| it == PREFIX.as_bytes()) {
        rest = &rest[at + PREFIX.len()..];
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return true;
        }
    }
    false
}

/// The markers of a text, in order. `counts` says whether a marker counts, by its line and its position: in a page, only
/// comments outside of code do.
pub(super) fn markers<'t>(text: &'t str, counts: &dyn Fn(Range<usize>, usize) -> bool) -> Vec<Found<'t>> {
    let mut found = Vec::new();
    let mut line_start = 0;
    for (idx, line) in text.split_inclusive('\n').enumerate() {
        let line_end = line_start + line.len();
        if let Some(at) = line.find(PREFIX)
            && let Some((mark, length)) = mark(line, at)
            && counts(line_start..line_end, line_start + at)
        {
            let range = line_start + at..line_start + at + length;
            found.push(Found { mark, range, line: idx, line_start, line_end });
        }
        line_start = line_end;
    }
    found
}

/// The marker at a position of a line, and its length; `None` if it is only a text about markers, or code.
fn mark(line: &str, at: usize) -> Option<(Mark<'_>, usize)> {
    let (before, rest) = (&line[..at], &line[at..]);
    if !rest[PREFIX.len()..].starts_with(|it: char| it.is_ascii_alphabetic()) {
        return None;
    }
    // What ends the comment has no letters.
    let length = rest.trim_end_matches(|it: char| !it.is_alphanumeric() && it != '_').len();
    let inside = &rest[PREFIX.len()..length];
    let (word, words) = inside.split_once(char::is_whitespace).map_or((inside, ""), |(word, words)| (word, words.trim()));
    let mark = match word {
        "expect" => Mark::Expect(words),
        "begin" => Mark::Begin(words),
        "end" => Mark::End(words),
        "reviewed" => Mark::Reviewed(words),
        _ => Mark::Unknown(word),
    };
    let is_spaced = before.ends_with(char::is_whitespace);
    let opener = before.trim();
    if begins_comment(opener, is_spaced, &rest[length..]) {
        return Some((mark, length));
    }
    // A comment behind code. In a text in quotes, or within another comment, it is an example.
    let (code, opener) = opener.rsplit_once(char::is_whitespace)?;
    let is_code = code.contains(char::is_alphanumeric) && !code.contains(['"', '\'', '`']);
    let is_comment = begins_comment(opener, is_spaced, &rest[length..]) && !matches!(opener, "*" | "!" | "@" | "\\");
    (is_code && is_comment && !matches!(mark, Mark::Unknown(_))).then_some((Mark::Beside, length))
}

/// Whether a comment begins with these signs.
fn begins_comment(opener: &str, is_spaced: bool, closer: &str) -> bool {
    if WORDS.iter().any(|it| it.eq_ignore_ascii_case(opener)) {
        return is_spaced;
    }
    // Signs with blanks between them are a comment within a comment, except in templates and in Markdown.
    let may_have_blanks = [TEMPLATE, DEFINITION].iter().any(|it| opener.starts_with(it));
    let is_sign = |it: char| !it.is_alphanumeric() && it != '_' && (may_have_blanks || !it.is_whitespace());
    if opener.is_empty() || !opener.chars().all(is_sign) {
        return false;
    }
    let mut signs = opener.chars();
    match (signs.next(), signs.next()) {
        // A text in quotes, unless blanks set it off, as in Python, Vim and Visual Basic.
        (Some('"' | '\'' | '`'), _) => is_spaced && matches!(opener, "\"" | "'" | "\"\"\"" | "'''"),
        _ if opener.contains(['"', '\'', '`']) => false,
        (Some('{'), None) => closer.trim() == "}",
        (Some(only), None) => SIGNS.contains(&only) || !only.is_ascii(),
        _ => true,
    }
}
