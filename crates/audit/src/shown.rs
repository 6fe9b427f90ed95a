//! Foreign texts in messages: one place for all of them.

use statespec_lang::chars::visible;

/// The length of a quoted text in characters.
const MAX_QUOTED: usize = 80;

/// A text of a log in backticks, on one line, without control characters, and cut off where it is long.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", plain(text))
}

/// The same without backticks.
pub(crate) fn plain(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text),
    }
}

/// A number of things.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// `1 row`, `2 entities`.
pub(crate) fn entities(n: u64) -> String {
    if n == 1 { "1 entity".to_owned() } else { format!("{n} entities") }
}
