//! Character codes such as `#59;` and `#amp;`.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

/// Replaces the `#` of a character code during parsing; it has the same length.
const CODE: char = '\u{1}';
/// Replaces the `;` of a character code.
const CODE_END: char = '\u{2}';

/// Marks character codes, so that their signs are not syntax. Every byte keeps its position.
pub(super) fn encode(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    for start in 0..bytes.len() {
        if bytes[start] != b'#' {
            continue;
        }
        let n_word = bytes[start + 1..].iter().take(64).take_while(|it| is_word(**it)).count();
        if n_word > 0 && bytes.get(start + 1 + n_word) == Some(&b';') {
            bytes[start] = CODE as u8;
            bytes[start + 1 + n_word] = CODE_END as u8;
        }
    }
    // Only ASCII characters were replaced, by ASCII characters.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A text as its author wrote it.
pub(super) fn written(text: &str) -> String {
    text.replace(CODE, "#").replace(CODE_END, ";")
}

/// A text with its character codes decoded.
fn decode(text: &str) -> String {
    let mut decoded = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(CODE) {
        decoded.push_str(&rest[..start]);
        let Some(length) = rest[start..].find(CODE_END) else { break };
        let code = &rest[start + 1..start + length];
        match character(code) {
            Some(it) => decoded.push(it),
            None => decoded.push_str(&format!("#{code};")),
        }
        rest = &rest[start + length + 1..];
    }
    decoded.push_str(rest);
    decoded
}

fn character(code: &str) -> Option<char> {
    if let Ok(number) = code.parse::<u32>() {
        return char::from_u32(number).filter(|it| !it.is_control());
    }
    // Mermaid leaves names to the browser, so they are those of HTML; a Markdown parser has the same table.
    let entity = match code {
        // Mermaid's own spellings.
        "hash" => "#".to_owned(),
        _ => match Parser::new(&format!("&{code};")).nth(1) {
            Some(Event::Text(text)) => text.into_string(),
            _ => return None,
        },
    };
    let mut characters = entity.chars();
    characters.next().filter(|it| !it.is_control() && characters.next().is_none())
}

/// A decoded text with its line breaks (`<br>`, `\n`) replaced by `line_end`; line breaks in character codes are text.
pub(super) fn plain(text: &str, line_end: &str) -> String {
    let text = text.replace("\\n", line_end);
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find('<') {
        let tag = rest[start..].find('>').map(|end| &rest[start..start + end + 1]);
        let is_break = |it: &str| it[1..it.len() - 1].trim_end_matches('/').trim().eq_ignore_ascii_case("br");
        plain.push_str(&rest[..start]);
        match tag.filter(|it| is_break(it)) {
            Some(tag) => {
                plain.push_str(line_end);
                rest = &rest[start + tag.len()..];
            }
            None => {
                plain.push('<');
                rest = &rest[start + 1..];
            }
        }
    }
    plain.push_str(rest);
    decode(plain.trim())
}

/// The character codes without a character. Codes in comments do not count.
pub(super) fn unknown(text: &str) -> Vec<Range<usize>> {
    let mut unknown = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let starts = line.match_indices(CODE).map(|(idx, _)| idx).filter(|_| !line.trim_start().starts_with("%%"));
        for start in starts {
            let Some(length) = line[start..].find(CODE_END) else { continue };
            if character(&line[start + 1..start + length]).is_none() {
                unknown.push(offset + start..offset + start + length + 1);
            }
        }
        offset += line.len();
    }
    unknown
}
