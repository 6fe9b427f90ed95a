//! A lexer for state diagrams that follows Mermaid's own: tokens depend on their context.
//!
//! It follows the language of Mermaid 11, peculiarities included, so that an imported
//! diagram matches its picture.

use std::ops::Range;

use crate::diagram::{Block, Pseudo, Wrong};

/// A token of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// The end of a line outside composites.
    LineEnd,
    /// `[*]`
    Dot,
    Id(String),
    /// `: text`
    Text(String),
    /// `-->`
    Arrow,
    /// `--`
    Divider,
    /// `:::`
    ClassMark,
    /// `state x`
    State(String),
    /// `state "text" as`
    Alias(String),
    /// `{` after a state
    Open,
    /// `}`
    Close,
    Pseudo(Pseudo, String),
    /// `note right of x: text`
    Note {
        of: String,
        text: String,
    },
    /// `note "text" as x`
    FloatingNote(String),
    Title(String),
    Description(String),
    /// Direction, classes, styles: the name of the construct.
    Styling(&'static str),
    Link,
}

/// The parts that were skipped before a token.
#[derive(Debug, Default)]
pub(super) struct Aside {
    pub(super) comments: Vec<String>,
    /// `%%{ … }%%`
    pub(super) directives: Vec<Range<usize>>,
    /// Texts that Mermaid ends at a `;`, after which it reads the rest as states.
    pub(super) cut: Vec<Range<usize>>,
    /// The text before a `direction` in its line, which Mermaid ignores.
    pub(super) swallowed: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Top,
    Inside,
    /// After `state`.
    State,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    modes: Vec<Mode>,
    /// The positions of `direction …`.
    directions: Vec<usize>,
    pub(super) aside: Aside,
}

impl<'a> Lexer<'a> {
    /// Starts after the header.
    pub(super) fn new(block: &'a Block, at: usize) -> Self {
        let text = block.text();
        let lower = text.to_ascii_lowercase();
        let directions = lower.match_indices("direction").map(|(idx, _)| idx).filter(|idx| is_direction(&lower[*idx..])).collect();
        Lexer { text, at, modes: vec![Mode::Top], directions, aside: Aside::default() }
    }

    /// The next token and its range; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Token, Range<usize>)>, Wrong> {
        loop {
            let start = self.at;
            if start >= self.text.len() {
                return Ok(None);
            }
            let token = match self.modes.last() {
                Some(Mode::State) => self.behind_state()?,
                Some(Mode::Inside) => self.statement(true)?,
                _ => self.statement(false)?,
            };
            debug_assert!(self.at > start || token.is_some(), "no progress at {start}");
            if let Some(token) = token {
                let read = &self.text[start..self.at];
                let indent = if token == Token::LineEnd { 0 } else { read.len() - read.trim_start().len() };
                return Ok(Some((token, start + indent..self.at)));
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The rest of the line, without its end.
    fn line(&self) -> &'a str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    fn wrong<T>(&self, length: usize, message: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { range: self.at..self.at + length.max(1), message: message.into() })
    }

    /// Takes a word in any case and the white space after it.
    fn word(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let fits = rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        if !fits || !rest[word.len()..].starts_with(char::is_whitespace) {
            return false;
        }
        self.at += word.len() + (rest.len() - word.len() - rest[word.len()..].trim_start().len());
        true
    }

    /// Takes a word in any case if no letter or digit follows.
    fn bare_word(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let fits = rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        let ends = fits && !rest[word.len()..].starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
        self.at += if ends { word.len() } else { 0 };
        ends
    }

    fn take_line(&mut self) -> &'a str {
        let line = self.line();
        self.at += line.len();
        line
    }

    /// Skips white space, comments and directives; returns whether there were any.
    fn skip(&mut self, line_ends: bool) -> bool {
        let rest = self.rest();
        let is_space = |it: char| it.is_whitespace() && (line_ends || it != '\n');
        let spaces = rest.len() - rest.trim_start_matches(is_space).len();
        if spaces > 0 {
            self.at += spaces;
            return true;
        }
        if rest.starts_with("%%{") {
            let line = self.line();
            let length = rest.find("}%%").map_or(line.len(), |it| it + 3);
            self.aside.directives.push(self.at..self.at + length);
            self.at += length;
            return true;
        }
        let comment = rest.strip_prefix("%%").or_else(|| rest.strip_prefix('#'));
        if comment.is_some() {
            let line = self.take_line().trim_start_matches(['%', '#']).trim();
            if !line.is_empty() {
                self.aside.comments.push(super::codes::written(line));
            }
            return true;
        }
        false
    }

    /// `.*direction LR` also swallows everything before it in its line.
    fn direction(&mut self) -> bool {
        if self.rest().starts_with("%%") {
            return false;
        }
        let end = self.at + self.line().len();
        let idx = self.directions.partition_point(|it| *it < self.at);
        let Some(&start) = self.directions.get(idx).filter(|it| **it < end) else { return false };
        if !self.text[self.at..start].trim().is_empty() {
            self.aside.swallowed.push(self.at..start);
        }
        let behind = start + "direction".len();
        let spaces = self.text[behind..].len() - self.text[behind..].trim_start().len();
        self.at = behind + spaces;
        self.take_line();
        true
    }

    fn statement(&mut self, inside: bool) -> Result<Option<Token>, Wrong> {
        if self.rest().starts_with('\n') {
            self.at += 1;
            return Ok((!inside).then_some(Token::LineEnd));
        }
        if !inside {
            if self.bare_word("click") {
                self.take_line();
                return Ok(Some(Token::Link));
            }
            if self.rest().starts_with('"') {
                return self.wrong(1, "a text in quotes means nothing here: `state \"text\" as name` gives a state a text");
            }
            let start = self.at;
            if self.bare_word("default") || self.bare_word("href") {
                self.at = start;
                return self.wrong(7, "Mermaid keeps this word for itself: it cannot be the name of a state");
            }
        }
        if self.direction() {
            return Ok(Some(Token::Styling("the direction")));
        }
        if self.skip(false) {
            return Ok(None);
        }
        if self.word("state") {
            // The token depends on the text after it.
            self.modes.push(Mode::State);
            return Ok(None);
        }
        if let Some(token) = self.keyword(inside)? {
            return Ok(Some(token));
        }
        let rest = self.rest();
        if inside && rest.starts_with('}') {
            self.at += 1;
            self.modes.pop();
            return Ok(Some(Token::Close));
        }
        if rest.starts_with("[*]") {
            self.at += 3;
            return Ok(Some(Token::Dot));
        }
        let id = rest.split(|it: char| matches!(it, ':' | '\n' | '-' | '{') || it.is_whitespace()).next().unwrap_or_default();
        let id = id.split("%%").next().unwrap_or_default();
        if !id.is_empty() {
            self.at += id.len();
            return Ok(Some(Token::Id(id.to_owned())));
        }
        self.sign(inside)
    }

    fn sign(&mut self, inside: bool) -> Result<Option<Token>, Wrong> {
        let rest = self.rest();
        if let Some(text) = rest.strip_prefix(':') {
            let n_bytes = text_length(text);
            if n_bytes > 0 {
                let text = self.text_or_cut(1, n_bytes);
                return Ok(Some(Token::Text(text)));
            }
            if rest.starts_with(":::") {
                self.at += 3;
                return Ok(Some(Token::ClassMark));
            }
            return self.wrong(1, "nothing stands behind this `:`");
        }
        if rest.starts_with("-->") {
            self.at += 3;
            return Ok(Some(Token::Arrow));
        }
        if inside && rest.starts_with("--") {
            self.at += 2;
            return Ok(Some(Token::Divider));
        }
        if rest.starts_with('-') {
            return self.wrong(1, "Mermaid cannot read a `-` here: arrows are `-->`, and names have none");
        }
        self.wrong(1, format!("Mermaid cannot read `{}` here", rest.chars().next().unwrap_or(' ')))
    }

    /// A text that ends with its line, or, for Mermaid, at a `;`.
    fn text_or_cut(&mut self, start: usize, n_bytes: usize) -> String {
        let line = self.line();
        let end = start + n_bytes;
        if line[end..].starts_with(';') {
            self.aside.cut.push(self.at + end..self.at + line.len());
            self.at += line.len();
            return line[start..].trim().trim_end_matches(';').trim().to_owned();
        }
        self.at += end;
        line[start..end].trim().to_owned()
    }

    fn keyword(&mut self, inside: bool) -> Result<Option<Token>, Wrong> {
        for (word, what) in [("classDef", "a class"), ("class", "the class of states"), ("style", "a style")] {
            if self.word(word) {
                self.take_line();
                return Ok(Some(Token::Styling(what)));
            }
        }
        if self.word("note") {
            return self.note().map(Some);
        }
        if inside {
            return Ok(None);
        }
        if self.word("scale") {
            self.take_line();
            return Ok(Some(Token::Styling("the scale")));
        }
        if self.bare_word("hide empty description") {
            return Ok(Some(Token::Styling("`hide empty description`")));
        }
        if let Some(length) = self.accessible("accTitle", ':') {
            self.at += length;
            return Ok(Some(Token::Title(self.take_line().trim().to_owned())));
        }
        if let Some(length) = self.accessible("accDescr", ':') {
            self.at += length;
            return Ok(Some(Token::Description(self.take_line().trim().to_owned())));
        }
        if let Some(length) = self.accessible("accDescr", '{') {
            self.at += length;
            let Some(end) = self.rest().find('}') else { return self.wrong(1, "this `accDescr {` is never closed") };
            let text = self.rest()[..end].trim().to_owned();
            self.at += end + 1;
            return Ok(Some(Token::Description(text)));
        }
        Ok(None)
    }

    /// The length of `accTitle :` up to the beginning of its text.
    fn accessible(&self, word: &str, sign: char) -> Option<usize> {
        let rest = self.rest();
        let behind = rest.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word)).map(|_| &rest[word.len()..])?;
        let inside = behind.trim_start().strip_prefix(sign)?;
        Some(rest.len() - inside.trim_start_matches([' ', '\t']).len())
    }

    fn note(&mut self) -> Result<Token, Wrong> {
        if let Some(text) = self.rest().strip_prefix('"') {
            let Some(end) = text.find('"') else { return self.wrong(1, "the text of this note is never closed") };
            let Some((_, _)) =
                text[end + 1..].split_once(char::is_whitespace).filter(|(_, it)| it.trim_start().to_ascii_lowercase().starts_with("as"))
            else {
                return self.wrong(end + 2, "a note beside no state is written `note \"text\" as name`");
            };
            let text = text[..end].to_owned();
            self.at += end + 2;
            self.take_line();
            return Ok(Token::FloatingNote(text));
        }
        if !self.bare_word("left of") && !self.bare_word("right of") {
            return self.wrong(self.line().len(), "a note stands `right of` or `left of` a state");
        }
        let rest = self.rest();
        let indent = rest.len() - rest.trim_start().len();
        let of = rest[indent..].split(|it: char| matches!(it, ':' | '\n' | '-') || it.is_whitespace()).next().unwrap_or_default();
        if of.is_empty() {
            return self.wrong(1, "this note names no state");
        }
        self.at += indent + of.len();
        let line = self.line();
        if let Some(text) = line.trim_start().strip_prefix(':').filter(|it| !it.is_empty() && !it.starts_with(':')) {
            let start = line.len() - text.len();
            let n_bytes = text.find([':', ';']).unwrap_or(text.len());
            if n_bytes > 0 {
                return Ok(Token::Note { of: of.to_owned(), text: self.text_or_cut(start, n_bytes) });
            }
        }
        let body = self.rest();
        let Some((end, length)) = end_of_note(body) else { return self.wrong(1, "this note never ends: `end note` is missing") };
        self.at += length;
        let lines = body[..end].lines().map(str::trim).filter(|it| !it.starts_with("%%") || it.starts_with("%%{"));
        let text: Vec<&str> = lines.collect();
        Ok(Token::Note { of: of.to_owned(), text: text.join("\n").trim().to_owned() })
    }

    fn behind_state(&mut self) -> Result<Option<Token>, Wrong> {
        if self.rest().starts_with('\n') {
            self.at += 1;
            self.modes.pop();
            // Inside composites a line end has no meaning.
            return Ok((self.modes.last() == Some(&Mode::Top)).then_some(Token::LineEnd));
        }
        if self.skip(false) {
            return Ok(None);
        }
        if let Some((pseudo, n_bytes, mark)) = pseudo(self.line()) {
            let id = self.line()[..n_bytes - mark].trim().to_owned();
            self.at += n_bytes;
            self.modes.pop();
            return Ok(Some(Token::Pseudo(pseudo, id)));
        }
        if self.direction() {
            return Ok(Some(Token::Styling("the direction")));
        }
        let rest = self.rest();
        if let Some(text) = rest.strip_prefix('"') {
            let Some(end) = text.find('"') else { return self.wrong(1, "this text is never closed") };
            let alias = text[..end].to_owned();
            let behind = text[end + 1..].trim_start();
            let is_as = behind.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("as")) && behind[2..].starts_with(char::is_whitespace);
            if !is_as {
                return self.wrong(end + 2, "a text for a state is followed by `as` and the state's name");
            }
            self.at += rest.len() - behind[2..].trim_start().len();
            return Ok(Some(Token::Alias(alias)));
        }
        if rest.starts_with('{') {
            self.at += 1;
            self.modes.pop();
            self.modes.push(Mode::Inside);
            return Ok(Some(Token::Open));
        }
        let id = rest.split(|it: char| it == '{' || it.is_whitespace()).next().unwrap_or_default();
        let line = self.line();
        let behind = &line[id.len()..];
        if behind.contains('{') && !behind.trim_start().starts_with(['{', '%', '#']) && is_word_character(id) {
            return self.wrong(line.len(), "the name of a state is a single word: `state \"several words\" as name {`");
        }
        self.at += id.len();
        // `state x : text` is intended as a text, whatever Mermaid's reading is.
        Ok(Some(Token::State(id.to_owned())))
    }

    /// The name after `state "text" as`, and a text that may follow it.
    pub(super) fn alias_id(&mut self) -> (String, Range<usize>) {
        let line = self.line();
        let id = line.split('{').next().unwrap_or_default();
        let id = id.split("%%").next().unwrap_or_default();
        let start = self.at;
        self.at += id.len();
        (id.trim().to_owned(), start..start + id.trim_end().len())
    }

    /// The text in this line if nothing else follows: `state x : text`.
    pub(super) fn text_behind_state(&mut self) -> Option<String> {
        let line = self.line();
        let text = line.trim_start().strip_prefix(':').filter(|it| !it.starts_with(':') && self.modes.last() == Some(&Mode::State))?;
        self.at += line.len();
        Some(text.trim().to_owned())
    }
}

fn is_word_character(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// The bytes of `(?:[^:\n;]|:[^:\n;])+`.
fn text_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let stops = |it: usize| bytes.get(it).is_none_or(|it| matches!(it, b':' | b'\n' | b';'));
    let mut idx = 0;
    loop {
        if !stops(idx) {
            idx += 1;
        } else if bytes.get(idx) == Some(&b':') && !stops(idx + 1) {
            idx += 2;
        } else {
            break;
        }
    }
    statespec_lang::source::floor_char_boundary(text, idx)
}

fn is_direction(lower: &str) -> bool {
    let behind = &lower["direction".len()..];
    let value = behind.trim_start();
    value.len() < behind.len() && ["tb", "bt", "rl", "lr"].iter().any(|it| value.starts_with(it))
}

/// `x <<fork>>`: its kind, the length up to the end of the mark, and the length of the mark.
fn pseudo(line: &str) -> Option<(Pseudo, usize, usize)> {
    let lower = line.to_ascii_lowercase();
    let marks = [
        ("<<fork>>", Pseudo::Fork),
        ("<<join>>", Pseudo::Join),
        ("<<choice>>", Pseudo::Choice),
        ("[[fork]]", Pseudo::Fork),
        ("[[join]]", Pseudo::Join),
        ("[[choice]]", Pseudo::Choice),
    ];
    marks.iter().find_map(|(mark, pseudo)| lower.rfind(mark).map(|idx| (*pseudo, idx + mark.len(), mark.len())))
}

/// The position where the text of a note ends, and where `end note` ends.
fn end_of_note(body: &str) -> Option<(usize, usize)> {
    let lower = body.to_ascii_lowercase();
    lower.match_indices("end note").find_map(|(idx, word)| {
        let before = lower[..idx].trim_end();
        let own_line = lower[before.len()..idx].contains('\n');
        let ends = !lower[idx + word.len()..].starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
        (own_line && ends).then_some((before.len(), idx + word.len()))
    })
}
