//! Characters that a text must not bring to a terminal, or to the log of a CI service.

/// Whether a character controls a terminal, ends a line other than LF does, or changes the direction of text.
pub(crate) fn is_control(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Whether a spec must not contain a character, verbatim or as an escape.
pub fn is_forbidden(character: char) -> bool {
    is_control(character) || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// A text on one line, with control, direction and invisible characters escaped: a path, a name or a quotation must
/// not control the terminal.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\n' || is_control(character) || matches!(character, '\u{200b}'..='\u{200d}') {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// JSON with control and direction characters as escapes: they only occur in texts, which stay the same.
pub fn plain_json(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    for character in json.chars() {
        if is_control(character) {
            plain.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            plain.push(character);
        }
    }
    plain
}

/// A text of several lines with control characters escaped, colours excepted, in which no line is a workflow command.
///
/// GitHub Actions executes every line of a log that begins with `::`, blanks aside, or contains `##[`. A line that begins
/// with `:::` is no command.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.replace("##[", "#\\u{23}[");
        let start = line.trim_start();
        if start.starts_with("::") && !start.starts_with(":::") {
            line = line.replacen(':', "\\u{3a}", 1);
        }
        for (at, character) in line.char_indices() {
            if is_control(character) && !is_colour(&line[at..]) {
                shown.extend(character.escape_unicode());
            } else {
                shown.push(character);
            }
        }
    }
    shown
}

/// Whether a text begins with an escape sequence that only sets colours.
fn is_colour(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return false };
    rest.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';').starts_with('m')
}
