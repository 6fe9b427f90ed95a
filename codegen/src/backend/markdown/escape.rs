//! Text from specs as Markdown that shows the same text and has no other effect.
//!
//! There are three kinds of text. *Names* are plain: they contain no Markdown. *Labels* may contain
//! `code`. *Prose* may contain code, emphasis and links. A text of any kind cannot leave its
//! table cell, list item or paragraph, and cannot open HTML, a comment, fence, heading, table or
//! template tag: other tools read these pages too.

use std::borrow::Cow;

/// The Markdown syntax that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Nothing.
    Nothing,
    /// `code`.
    Code,
    /// `code`, *emphasis*, [links](https://example.org).
    Inline,
}

/// The target of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A cell of a table: `|` is escaped, a line end becomes `<br>`.
    Cell,
    /// A line of its own or a list item: a line end becomes a space.
    Line,
}

/// A text without Markdown.
pub fn plain(text: &str, place: Place) -> String {
    written(|out| push_plain(out, text, place))
}

/// A text that may contain `code`.
pub fn label(text: &str, place: Place) -> String {
    written(|out| push_label(out, text, place))
}

/// A text that may contain code, emphasis and links.
pub fn prose(text: &str, place: Place) -> String {
    written(|out| push_prose(out, text, place))
}

/// A name as code.
pub fn code(text: &str, place: Place) -> String {
    written(|out| push_code(out, text, place))
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

/// [`plain`], appended.
pub(super) fn push_plain(out: &mut String, text: &str, place: Place) {
    inline(out, text, place, Kept::Nothing);
}

/// [`label`], appended.
pub(super) fn push_label(out: &mut String, text: &str, place: Place) {
    inline(out, text, place, Kept::Code);
}

/// [`prose`], appended.
pub(super) fn push_prose(out: &mut String, text: &str, place: Place) {
    inline(out, text, place, Kept::Inline);
}

/// [`code`], appended.
pub(super) fn push_code(out: &mut String, text: &str, place: Place) {
    // The common case: names.
    if !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
        out.extend(["`", text, "`"]);
        return;
    }
    let text = tidy(text, Place::Line);
    if !code_span(out, &text, place) {
        inline(out, &text, place, Kept::Nothing);
    }
}

/// A text as a heading, without the `#`s.
pub fn heading(text: &str) -> String {
    let text = label(text, Place::Line);
    // A `#` at the end would be parsed as a closing sequence.
    match text.strip_suffix('#') {
        Some(start) => format!("{start}\\#"),
        None => text,
    }
}

/// A text as the beginning of a paragraph or list item.
pub fn line(text: &str) -> String {
    at_line_start(&prose(text, Place::Line))
}

/// Paragraphs, and lists whose items begin with `- ` or `1. `. Line breaks are kept.
pub fn blocks(text: &str) -> String {
    let text = tidy(text, Place::Cell);
    let mut out: Vec<String> = Vec::new();
    for paragraph in text.split("\n\n").map(|it| it.trim_matches('\n')).filter(|it| !it.is_empty()) {
        // Pieces of a paragraph in Markdown: the lead, then each item.
        let mut pieces: Vec<(String, String)> = Vec::new();
        for raw in paragraph.split('\n') {
            match (list_marker(raw), pieces.last_mut()) {
                (Some((marker, rest)), _) => pieces.push((marker, rest.to_owned())),
                (None, Some((_, piece))) => {
                    piece.push('\n');
                    piece.push_str(raw);
                }
                (None, None) => pieces.push((String::new(), raw.to_owned())),
            }
        }
        let mut written = String::new();
        for (marker, piece) in pieces {
            let inside = " ".repeat(marker.len());
            let piece = lines(&piece);
            for (idx, raw) in piece.iter().enumerate() {
                written.push_str(if idx == 0 { &marker } else { &inside });
                written.push_str(&at_line_start(raw));
                written.push('\n');
            }
        }
        out.push(written);
    }
    out.join("\n").trim_end().to_owned()
}

/// A list marker in its usual spelling, and the text after it.
fn list_marker(line: &str) -> Option<(String, &str)> {
    if let Some(rest) = ["- ", "* ", "+ "].iter().find_map(|it| line.strip_prefix(it)) {
        return Some(("- ".into(), rest.trim_start()));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(". ")?;
    (1..=9).contains(&digits).then(|| (format!("{}. ", &line[..digits]), rest.trim_start()))
}

/// Prose whose line breaks are kept, except inside code.
fn lines(text: &str) -> Vec<String> {
    // Line ends in a cell become `<br>`, which tidied text cannot contain itself.
    written(|out| render(out, text, Place::Line, Kept::Inline, "\n")).split('\n').map(str::to_owned).collect()
}

fn inline(out: &mut String, text: &str, place: Place, kept: Kept) {
    render(out, &tidy(text, place), place, kept, if place == Place::Cell { "<br>" } else { " " });
}

/// Lines trimmed, empty lines at the ends dropped, invisible and direction characters replaced.
fn tidy(text: &str, place: Place) -> Cow<'_, str> {
    // The common case: one line of visible ASCII.
    if text.bytes().all(|it| matches!(it, b' '..=b'~')) {
        return text.trim().into();
    }
    let visible = |it: char| match it {
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\n' => it,
        '\t' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => '\u{fffd}',
        it if it.is_control() => '\u{fffd}',
        it => it,
    };
    let text: String = text.replace("\r\n", "\n").replace('\r', "\n").chars().map(visible).collect();
    let lines: Vec<_> = text.trim().split('\n').map(str::trim).collect();
    match place {
        Place::Cell => lines.join("\n").into(),
        Place::Line => lines.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ").into(),
    }
}

fn render(out: &mut String, text: &str, place: Place, kept: Kept, line_end: &str) {
    let mut rest = text;
    let mut before = None;
    while let Some(character) = rest.chars().next() {
        // The common case: characters that are never special.
        let plain = |it: &u8| it.is_ascii_alphanumeric() || b" .,;:'()/?-".contains(it);
        let n_plain = rest.bytes().take_while(|it| plain(it)).count();
        if n_plain > 0 {
            out.push_str(&rest[..n_plain]);
            before = rest[..n_plain].chars().next_back();
            rest = &rest[n_plain..];
            continue;
        }
        let width = character.len_utf8();
        if character == '`' {
            let run = rest.bytes().take_while(|it| *it == b'`').count();
            if kept != Kept::Nothing
                && let Some(end) = closing(&rest[run..], run).filter(|it| !rest[run..run + it].trim().is_empty())
            {
                let inside = rest[run..run + end].replace('\n', " ");
                let shown = unpadded(&inside);
                if !code_span(out, shown, place) {
                    inline(out, shown, place, Kept::Nothing);
                }
                rest = &rest[run + end + run..];
            } else {
                out.extend(std::iter::repeat_n("\\`", run));
                rest = &rest[run..];
            }
            before = Some('`');
            continue;
        }
        if kept == Kept::Inline
            && character == '\\'
            && let Some(next) = rest[1..].chars().next().filter(char::is_ascii_punctuation)
        {
            // Escaped by the author already. A table would split at `\\|`, whatever precedes it.
            match next {
                '\\' => out.push_str("&#92;"),
                '|' | '<' | '&' | '{' => escape(out, next, None, None, place, Kept::Nothing),
                _ => out.extend(['\\', next]),
            }
            rest = &rest[2..];
            before = Some(next);
            continue;
        }
        let after = rest[width..].chars().next();
        match character {
            '\n' => out.push_str(line_end),
            '&' if begins_entity(rest) => out.push_str("&amp;"),
            ']' if kept == Kept::Inline && leads_astray(&rest[1..]) => out.push_str("\\]"),
            _ => escape(out, character, before, after, place, kept),
        }
        before = Some(character);
        rest = &rest[width..];
    }
}

/// One literal character.
fn escape(out: &mut String, character: char, before: Option<char>, after: Option<char>, place: Place, kept: Kept) {
    let in_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let markdown = kept == Kept::Inline;
    match character {
        '\\' => out.push_str("&#92;"),
        '|' if place == Place::Cell => out.push_str("\\|"),
        // Before a space, a digit or an equals sign it is only a sign; otherwise it could open a tag.
        '<' if after.is_some_and(|it| it == ' ' || it == '=' || it.is_ascii_digit()) => out.push('<'),
        '<' => out.push_str("&lt;"),
        '&' if after.is_none() => out.push_str("&amp;"),
        // `{{`, `{%` and `{#` open tags of template engines and of mdBook.
        '{' if after.is_none_or(|it| matches!(it, '{' | '%' | '#' | ':')) => out.push_str("&#123;"),
        '$' | '~' => out.extend(['\\', character]),
        '!' if after == Some('[') => out.push_str("\\!"),
        // A footnote, or a link in a wiki.
        '[' if matches!(after, Some('^' | '[')) => out.push_str("\\["),
        '*' | '[' | ']' if !markdown => out.extend(['\\', character]),
        '_' if !(markdown || in_word(before) && in_word(after)) => out.push_str("\\_"),
        _ => out.push(character),
    }
}

/// The position of a run of exactly `run` backticks.
fn closing(text: &str, run: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|it| **it == b'`').count();
        if length == run {
            return Some(at);
        }
        at += length.max(1);
    }
    None
}

/// Markdown drops one space on both sides of code.
fn unpadded(text: &str) -> &str {
    let inner = text.strip_prefix(' ').and_then(|it| it.strip_suffix(' '));
    inner.filter(|it| !it.trim().is_empty()).unwrap_or(text)
}

/// Writes a code span; returns false, without writing, if the text needs an escape that code cannot have.
fn code_span(out: &mut String, text: &str, place: Place) -> bool {
    let risky = ["{{", "{%", "{#", "<!--", "\\|"].iter().any(|it| text.contains(it));
    // Markdown parsers disagree on a pipe after a backslash in a table.
    let ends_in_backslash = place == Place::Cell && text.ends_with('\\');
    if text.trim().is_empty() || risky || ends_in_backslash {
        return false;
    }
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = || std::iter::repeat_n('`', longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    out.extend(fence());
    out.push_str(pad);
    match place {
        Place::Cell => out.push_str(&text.replace('|', "\\|")),
        Place::Line => out.push_str(text),
    }
    out.push_str(pad);
    out.extend(fence());
    true
}

/// Whether an `&` begins an HTML character reference.
fn begins_entity(text: &str) -> bool {
    let inside = text[1..].split(';').next().unwrap_or_default();
    let ends = text[1..].len() > inside.len();
    ends && !inside.is_empty() && inside.len() <= 32 && inside.chars().all(|it| it.is_ascii_alphanumeric() || it == '#')
}

/// Whether the text after `]` is the target of a link to anything except a page.
fn leads_astray(rest: &str) -> bool {
    let Some(target) = rest.strip_prefix('(') else { return false };
    let target = target.trim_start().split([')', ' ', '\n']).next().unwrap_or_default();
    let lower = target.to_ascii_lowercase();
    let known = ["https://", "http://", "mailto:", "#"].iter().any(|it| lower.starts_with(it));
    target.contains(['<', '&', '\\']) || (!known && target.contains(':'))
}

/// Prevents the beginning of a line from being parsed as the beginning of a block.
fn at_line_start(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let second = characters.next();
    let ends_word = |it: Option<char>| it.is_none_or(char::is_whitespace);
    let only = |allowed: &[char]| text.chars().all(|it| allowed.contains(&it));
    let escaped = match first {
        // Also a bar: a line of prose must not be parsed as the row of a table.
        '#' | '>' | '=' | ':' | '|' => true,
        '-' | '+' => ends_word(second) || only(&['-', '|', ':', ' ', '+']),
        '*' => ends_word(second) || only(&['*', ' ']),
        '_' => only(&['_', ' ']),
        // A definition of a link target, or a checkbox.
        '[' => text.contains("]:") || ["[ ]", "[x]", "[X]"].iter().any(|it| text.starts_with(it)),
        _ => false,
    };
    if escaped {
        return format!("\\{text}");
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut behind = text[digits..].chars();
    if digits > 0 && matches!(behind.next(), Some('.' | ')')) && ends_word(behind.next()) {
        return format!("{}\\{}", &text[..digits], &text[digits..]);
    }
    text.to_owned()
}
