//! The commonest slips in YAML, and what to write instead.
//!
//! Each mends the line of the error in one way. A way is offered if the parser then comes further, so an offer is never a second
//! mistake.

use super::{events, offset};

/// What to write instead, if one of the slips explains the error at this place.
pub(super) fn help(text: &str, at: usize) -> Option<String> {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[start..].find('\n').map_or(text.len(), |it| start + it);
    let (this, before) = (bracket(text, end), bracket(text, start));
    let found = [comma(text, start, at), quotes(text, start, at, end), this, before];
    let mut offers: Vec<String> = Vec::new();
    for Slip { place, write, show, message } in found.into_iter().flatten() {
        let mended = [&text[..place.start], &write, &text[place.end..]].concat();
        let behind = at.max(place.end) + write.len() - place.len();
        if first_error(&mended).is_none_or(|it| it > behind) {
            offers.push(format!("{message}: write `{show}`"));
        }
    }
    (!offers.is_empty()).then(|| offers.join("; or "))
}

/// The characters of a key without quotes.
fn is_of_key(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '-')
}

fn first_error(text: &str) -> Option<usize> {
    events(text).find_map(Result::err).map(|it| offset(&it, text))
}

struct Slip {
    /// The text to be replaced, which `write` then stands for.
    place: std::ops::Range<usize>,
    write: String,
    /// What the message shows.
    show: String,
    message: &'static str,
}

/// The key and the value around a second colon: `key: value word: …`, without white space at their ends.
/// The places are those of the key, of the value, and of the colon.
fn pair(text: &str, start: usize, at: usize) -> Option<(usize, usize, usize)> {
    let colon = at + text[at..].find([':', '\n']).filter(|it| text[at + it..].starts_with(':'))?;
    let value = start + text[start..colon].rfind(": ")? + 2;
    let key = text[start..value - 2].rfind(|it| !is_of_key(it)).map_or(start, |it| start + it + 1);
    let value = value + (text[value..colon].len() - text[value..colon].trim_start().len());
    (value < colon).then_some((key, value, colon))
}

/// `{ event: answer to: solved }`.
fn comma(text: &str, start: usize, at: usize) -> Option<Slip> {
    let (key, _, colon) = pair(text, start, at)?;
    let word = key + text[key..colon].rfind(' ')? + 1;
    let value = text[key..word].trim_end();
    // The text before the word is the value, not only the key.
    (!value.ends_with(':') && word < colon).then(|| Slip {
        place: key + value.len()..word,
        write: ", ".into(),
        show: format!("{value}, {}:", &text[word..colon]),
        message: "a comma is missing",
    })
}

/// `doc: failed: try again`.
fn quotes(text: &str, start: usize, at: usize, end: usize) -> Option<Slip> {
    let (key, value, colon) = pair(text, start, at)?;
    // Within `{ … }` and `[ … ]`, the text ends before a bracket, or before a comma with a key behind it.
    let opened = text[start..value].matches(['{', '[']).count() > text[start..value].matches(['}', ']']).count();
    let ends = |(place, character): (usize, char)| {
        let behind = text[colon + place + character.len_utf8()..end].trim_start();
        character != ',' || behind.trim_start_matches(is_of_key).starts_with(':')
    };
    let stop = text[colon..end].char_indices().filter(|it| opened && matches!(it.1, ',' | '}' | ']')).find(|it| ends(*it));
    let content = text[value..stop.map_or(end, |it| colon + it.0)].trim_end();
    if content.contains(['{', '}', '[', ']']) {
        return None;
    }
    let write = format!("\"{}\"", content.replace('\\', "\\\\").replace('"', "\\\""));
    let show = format!("{}{write}", &text[key..value]);
    Some(Slip { place: value..value + content.len(), write, show, message: "a text with `: ` in it needs quotes" })
}

/// A line without its last bracket: the one that ends here.
fn bracket(text: &str, end: usize) -> Option<Slip> {
    let before = text[..end].trim_end();
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let open = before[line..].rfind(['{', '['])?;
    let close = if before[line + open..].starts_with('{') { " }" } else { "]" };
    let shown = before[line..].trim_start();
    Some(Slip {
        place: before.len()..before.len(),
        write: close.into(),
        show: format!("{shown}{close}"),
        message: "the line does not close what it opens",
    })
}
