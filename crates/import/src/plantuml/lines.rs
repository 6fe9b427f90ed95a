//! From the lines of a diagram to its statements: comments, blocks of several lines, and what is about the look.

use std::ops::Range;

use super::arrow;
use super::preprocessor::{Effect, Preprocessor};
use super::statement::{NoteText, Of, Statement, What, description, is_divider, is_end, note, state, word};
use super::text::plain;
use crate::diagram::Wrong;

/// A text without comments; every byte keeps its position.
#[derive(Debug)]
pub(super) struct Uncommented {
    pub(super) text: String,
    /// The comments, each with its position.
    comments: Vec<(usize, String)>,
}

/// Blanks `' …` at the beginning of lines and `/' … '/` anywhere.
pub(super) fn uncommented(text: &str) -> Uncommented {
    let mut blanked = String::with_capacity(text.len());
    let mut comments = Vec::new();
    let mut blank = |at: usize, comment: &str, blanked: &mut String| {
        blanked.extend(comment.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' }));
        let comment = comment.trim();
        let block = comment.strip_prefix("/'").map(|it| it.strip_suffix("'/").unwrap_or(it));
        let inside = block.unwrap_or(comment.trim_start_matches('\''));
        let lines = inside.lines().map(str::trim).filter(|it| !it.is_empty());
        comments.extend(lines.map(|it| (at, it.to_owned())));
    };
    let mut rest = text;
    let mut may_end = true;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let line = &rest[..rest.find('\n').map_or(rest.len(), |it| it + 1)];
        let indent = line.len() - line.trim_start().len();
        if line.trim_start().starts_with('\'') {
            blank(at, line, &mut blanked);
            rest = &rest[line.len()..];
            continue;
        }
        let Some(start) = line.find("/'") else {
            blanked.push_str(line);
            rest = &rest[line.len()..];
            continue;
        };
        // Inside a line it ends in the same line, else it is text.
        let is_first = start == indent && may_end;
        let reach = if is_first { rest } else { line };
        let length = reach[start + 2..].find("'/").map(|it| it + 4);
        // What ends nowhere from here on ends nowhere later.
        may_end &= !is_first || length.is_some();
        blanked.push_str(&rest[..start]);
        match length {
            Some(length) => {
                blank(at + start, &rest[start..start + length], &mut blanked);
                rest = &rest[start + length..];
            }
            None => {
                blanked.push_str(&rest[start..line.len()]);
                rest = &rest[line.len()..];
            }
        }
    }
    Uncommented { text: blanked, comments }
}

/// The statements of a diagram, and the comments behind the last one.
pub(super) fn statements(source: &Uncommented) -> Result<(Vec<Statement<'_>>, Vec<String>), Wrong> {
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in source.text.split_inclusive('\n') {
        let start = offset + line.len() - line.trim_start().len();
        lines.push((start..start + line.trim().len(), line.trim()));
        offset += line.len();
    }
    let mut reader = Reader { lines, next: 0, preprocessor: Preprocessor::default() };
    let mut comments = source.comments.iter().peekable();
    let mut found = Vec::new();
    while let Some((range, line)) = reader.take() {
        if line.is_empty() {
            continue;
        }
        let Some((what, end)) = reader.statement(line, &range)? else { continue };
        let mut before = Vec::new();
        if matches!(what, What::State(_) | What::Arrow(_) | What::Description { .. }) {
            while let Some((_, comment)) = comments.next_if(|it| it.0 < range.start) {
                before.push(comment.clone());
            }
        }
        found.push(Statement { what, range: range.start..end, comments: before });
    }
    Ok((found, comments.map(|it| it.1.clone()).collect()))
}

struct Reader<'a> {
    /// The lines without white space around them, each with its place.
    lines: Vec<(Range<usize>, &'a str)>,
    next: usize,
    preprocessor: Preprocessor,
}

impl<'a> Reader<'a> {
    fn take(&mut self) -> Option<(Range<usize>, &'a str)> {
        let line = self.lines.get(self.next).cloned();
        self.next += 1;
        line
    }

    /// The lines up to one that ends them, and the position behind that one.
    fn block(&mut self, start: &Range<usize>, is_end: impl Fn(&str) -> bool) -> Result<(Vec<&'a str>, usize), Wrong> {
        let mut inside = Vec::new();
        while let Some((range, line)) = self.take() {
            if is_end(line) {
                return Ok((inside, range.end));
            }
            inside.push(line);
        }
        Err(Wrong { range: start.clone(), message: "what begins here never ends".into() })
    }

    /// The lines up to the `}` that closes the `{` at the end of the first one.
    fn braces(&mut self, start: &Range<usize>) -> Result<usize, Wrong> {
        let mut depth = 1usize;
        while let Some((range, line)) = self.take() {
            depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
            if depth == 0 {
                return Ok(range.end);
            }
        }
        Err(Wrong { range: start.clone(), message: "what begins here never ends".into() })
    }

    /// The statement that begins with a line, and its end.
    fn statement(&mut self, line: &'a str, range: &Range<usize>) -> Result<Option<(What<'a>, usize)>, Wrong> {
        if self.preprocessor.swallows(line) {
            return Ok(None);
        }
        if line.starts_with('!') {
            return Ok(match self.preprocessor.read(line, range)? {
                Effect::None => None,
                Effect::Look => Some((What::Look("a setting of the picture"), range.end)),
                Effect::Lost(what) => Some((What::Lost(what), range.end)),
            });
        }
        let read = match arrow::read(line) {
            Some(arrow) => Some((What::Arrow(arrow), range.end)),
            None => match self.aside(line, range)? {
                Some(aside) => return Ok(Some(aside)),
                None => drawn(line).map(|it| (it, range.end)),
            },
        };
        // A word that is replaced may make a statement of what reads as none.
        self.preprocessor.check(line, range)?;
        match read {
            Some(_) if line.ends_with('\\') => {
                Err(Wrong { range: range.clone(), message: "a `\\` at the end continues the line, which the import does not read".into() })
            }
            Some(read) => Ok(Some(read)),
            None => Err(Wrong { range: range.clone(), message: "PlantUML does not read this in a state diagram".into() }),
        }
    }

    /// Notes, titles and what is about the look.
    fn aside(&mut self, line: &'a str, range: &Range<usize>) -> Result<Option<(What<'a>, usize)>, Wrong> {
        if let Some(start) = note(line) {
            let (text, end) = match start.text {
                NoteText::Here(text) => (plain(text, "\n"), range.end),
                NoteText::UpToEnd => self.text(range, "note")?,
                NoteText::UpToBrace => {
                    let (lines, end) = self.block(range, |it| it == "}")?;
                    (plain(&lines.join("\n"), "\n"), end)
                }
            };
            return Ok(Some((What::Note { of: start.of, text }, end)));
        }
        let lower = line.to_ascii_lowercase();
        let first = lower.split(|it: char| it.is_whitespace() || it == ':').next().unwrap_or_default();
        let rest = line[first.len()..].trim().trim_start_matches(':').trim();
        Ok(Some(match first {
            // `title : text` is a title, but a state may have any other of these names.
            _ if first != "title" && description(line).is_some() => return Ok(None),
            "title" if rest.is_empty() => {
                let (text, end) = self.text(range, "title")?;
                (What::Title(text.replace('\n', " ")), end)
            }
            "title" => (What::Title(plain(rest, " ")), range.end),
            "caption" => (What::Text(plain(rest, "\n")), range.end),
            "legend" => {
                let (text, end) = self.text(range, "legend")?;
                (What::Text(text), end)
            }
            "header" | "footer" if rest.is_empty() => (What::Look("the header or footer"), self.text(range, first)?.1),
            "header" | "footer" => (What::Look("the header or footer"), range.end),
            "left" | "right" | "center"
                if rest.to_ascii_lowercase().starts_with("header") || rest.to_ascii_lowercase().starts_with("footer") =>
            {
                let kind = if rest.to_ascii_lowercase().starts_with("header") { "header" } else { "footer" };
                let end = if rest.len() == kind.len() { self.text(range, kind)?.1 } else { range.end };
                (What::Look("the header or footer"), end)
            }
            "left" | "top" if lower.ends_with("direction") => (What::Look("the direction"), range.end),
            "skinparam" | "sprite" if line.ends_with('{') => (What::Look("the look of the picture"), self.braces(range)?),
            "skinparam" | "sprite" | "skin" | "scale" | "show" | "mainframe" | "rotate" | "page" | "ratio" | "allow_mixing"
            | "allowmixing" | "set" => (What::Look("the look of the picture"), range.end),
            "hide" => {
                let words = ["empty", "stereotype", "footbox", "circle", "members", "fields", "methods", "unlinked", "@unlinked", "<<"];
                match words.iter().any(|it| rest.to_ascii_lowercase().starts_with(it)) {
                    true => (What::Look("the look of the picture"), range.end),
                    false => (What::Lost("this leaves parts of the diagram out of the picture: they were read"), range.end),
                }
            }
            "remove" | "restore" => (What::Lost("this leaves parts of the diagram out of the picture: they were read"), range.end),
            "<style>" => (What::Look("a style"), self.block(range, |it| it.eq_ignore_ascii_case("</style>"))?.1),
            "json" | "map" if line.ends_with('{') => (What::Lost("data beside the states has no place in a spec"), self.braces(range)?),
            "url" if word(rest, "of").is_some() => (What::Lost("a state of a spec has no link"), range.end),
            _ => return Ok(None),
        }))
    }

    /// The text up to `end …`.
    fn text(&mut self, range: &Range<usize>, kind: &str) -> Result<(String, usize), Wrong> {
        let is_end = |line: &str| {
            let behind = line.get(..3).filter(|it| it.eq_ignore_ascii_case("end")).map(|_| line[3..].trim_start());
            behind.is_some_and(|it| it.eq_ignore_ascii_case(kind))
        };
        let (lines, end) = self.block(range, is_end)?;
        Ok((plain(&lines.join("\n"), "\n"), end))
    }
}

/// A statement that draws something other than an arrow.
fn drawn(line: &str) -> Option<What<'_>> {
    if is_end(line) {
        return Some(What::Close);
    }
    if is_divider(line) {
        return Some(What::Divider);
    }
    state(line).map(What::State).or_else(|| description(line).map(|(id, text)| What::Description { id, text }))
}

/// Whether some line has an arrow that only state diagrams have.
pub(super) fn has_dots(source: &Uncommented) -> bool {
    let is_dot = |it: arrow::End<'_>| matches!(it, arrow::End::Dot | arrow::End::History { .. });
    source.text.lines().filter_map(|it| arrow::read(it.trim())).any(|it| is_dot(it.from) || is_dot(it.to))
}

/// Whether some line declares a state.
pub(super) fn has_states(source: &Uncommented) -> bool {
    source.text.lines().any(|it| state(it.trim()).is_some_and(|it| !it.is_frame))
}

/// The name of a note, to which arrows may lead.
pub(super) fn note_name<'a>(what: &What<'a>) -> Option<&'a str> {
    match what {
        What::Note { of: Of::Nothing(name), .. } => *name,
        _ => None,
    }
}
