//! The text of one diagram, with the position of each byte in the imported file.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use crate::source::{SourceId, Span};

/// Replaces the `#` of a character code such as `#59;` during parsing; it has the same length.
const CODE: char = '\u{1}';
/// Replaces the `;` of a character code.
const CODE_END: char = '\u{2}';

/// A diagram's text.
#[derive(Debug, Clone)]
pub(in crate::import) struct Block {
    pub(super) text: String,
    /// The beginnings of the pieces: in the text, and in the file.
    pieces: Vec<(usize, usize)>,
    id: SourceId,
}

impl Block {
    /// A block of pieces of the file: `(offset in the file, text)`.
    pub(in crate::import) fn new<'a>(id: SourceId, parts: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut text = String::new();
        let mut pieces = Vec::new();
        for (offset, part) in parts {
            pieces.push((text.len(), offset));
            text.push_str(part);
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Block { text: encode(&text), pieces, id }
    }

    /// The text, with its character codes marked.
    pub(in crate::import) fn text(&self) -> &str {
        &self.text
    }

    /// The range in the file that corresponds to a range of the text.
    pub(in crate::import) fn span(&self, range: Range<usize>) -> Span {
        let at = |offset: usize| {
            let idx = self.pieces.partition_point(|(start, _)| *start <= offset);
            let (start, place) = idx.checked_sub(1).and_then(|it| self.pieces.get(it)).copied().unwrap_or_default();
            place + (offset - start)
        };
        let start = at(range.start);
        // An end belongs to the piece of the byte before it.
        let end = if range.end > range.start { at(range.end - 1) + 1 } else { start };
        Span::new(self.id, start..end)
    }

    /// The first line that is not blank.
    pub(in crate::import) fn first_line(&self) -> Span {
        let start = self.text.len() - self.text.trim_start().len();
        let length = self.text[start..].find('\n').unwrap_or(0);
        self.span(start..start + length)
    }

    /// The character codes without a character. Codes in comments do not count.
    pub(super) fn unknown_codes(&self) -> Vec<Range<usize>> {
        let mut unknown = Vec::new();
        let mut offset = 0;
        for line in self.text.split_inclusive('\n') {
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

    /// The whole text.
    pub(in crate::import) fn whole(&self) -> Span {
        self.span(0..self.text.trim_end().len())
    }
}

/// Marks character codes, so that their signs are not syntax, and blanks controls. Every byte keeps its position.
fn encode(text: &str) -> String {
    let mut bytes: Vec<u8> = text.bytes().map(|it| if it.is_ascii_control() && it != b'\n' && it != b'\t' { b' ' } else { it }).collect();
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
