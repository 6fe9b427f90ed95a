//! The statements of a state diagram, as written.

use std::ops::Range;

use super::arrow::{self, name_length};

/// A statement and its place.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    pub(super) what: What<'a>,
    pub(super) range: Range<usize>,
    /// The comments before it.
    pub(super) comments: Vec<String>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    State(State<'a>),
    /// The end of a composite.
    Close,
    /// What parts two regions.
    Divider,
    Arrow(arrow::Line<'a>),
    /// `A : text`
    Description {
        id: &'a str,
        text: &'a str,
    },
    Note {
        of: Of<'a>,
        text: String,
    },
    Title(String),
    /// A legend or a caption.
    Text(String),
    /// About the look only: the name of the construct.
    Look(&'static str),
    /// What is missing.
    Lost(&'static str),
}

/// What a note belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of<'a> {
    State(&'a str),
    /// The state of the statement before it.
    Before,
    /// The arrow before it.
    Arrow,
    /// Nothing; it may have a name.
    Nothing(Option<&'a str>),
}

/// `state "Long name" as x <<choice>> #red : text`, or the beginning of a composite.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct State<'a> {
    pub(super) id: &'a str,
    pub(super) label: Option<&'a str>,
    pub(super) mark: Option<Mark>,
    pub(super) text: Option<&'a str>,
    pub(super) opens: bool,
    /// Whether it is a `frame`.
    pub(super) is_frame: bool,
    /// Whether it has a colour, a tag or a stereotype without a meaning of its own.
    pub(super) has_style: bool,
    pub(super) has_link: bool,
}

/// A stereotype that changes what is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Choice,
    Fork,
    Join,
    Start,
    /// Whether it has a name of its own, and is no mere dot.
    End {
        named: bool,
    },
    History {
        deep: bool,
    },
    Point,
}

impl Mark {
    fn of(stereotype: &str) -> Option<Mark> {
        Some(match stereotype.trim().to_ascii_lowercase().as_str() {
            "choice" => Mark::Choice,
            "fork" => Mark::Fork,
            "join" => Mark::Join,
            "start" => Mark::Start,
            "end" => Mark::End { named: false },
            "history" => Mark::History { deep: false },
            "history*" => Mark::History { deep: true },
            "entrypoint" | "exitpoint" | "inputpin" | "outputpin" | "expansioninput" | "expansionoutput" => Mark::Point,
            _ => return None,
        })
    }
}

/// Reads a line that declares a state, or opens a composite.
pub(super) fn state(line: &str) -> Option<State<'_>> {
    let is_frame = word(line, "frame").is_some();
    let rest = word(line, "state").or(word(line, "frame"))?;
    let (mut state, rest) = names(rest)?;
    state.is_frame = is_frame;
    let mut state = marks(state, rest)?;
    if let Some(Mark::End { named }) = &mut state.mark {
        *named = state.label.is_some() || !is_end_name(state.id);
    }
    (!is_frame || state.opens).then_some(state)
}

/// Whether a name says no more than that it is an end: `end2`, `final_state`.
fn is_end_name(id: &str) -> bool {
    let word: String = id.chars().filter(|it| it.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let word = word.strip_suffix("state").unwrap_or(&word);
    matches!(word, "" | "e" | "end" | "ends" | "final" | "stop" | "exit" | "finish" | "terminate" | "term")
}

/// `x`, `"text"`, `"text" as x` or `x as "text"`.
fn names(text: &str) -> Option<(State<'_>, &str)> {
    let behind_as = |it| word(str::trim_start(it), "as");
    if let Some((label, rest)) = quoted(text) {
        let Some(behind) = behind_as(rest) else { return Some((State { id: label, ..State::default() }, rest)) };
        let (id, rest) = behind.split_at(name_length(behind));
        return (!id.is_empty()).then_some((State { id, label: Some(label), ..State::default() }, rest));
    }
    let (id, rest) = text.split_at(name_length(text));
    if id.is_empty() {
        return None;
    }
    let (label, rest) = match behind_as(rest) {
        Some(behind) => quoted(behind).map(|(label, rest)| (Some(label), rest))?,
        None => (None, rest),
    };
    Some((State { id, label, ..State::default() }, rest))
}

/// The part behind the name.
fn marks<'a>(mut state: State<'a>, text: &'a str) -> Option<State<'a>> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(state);
        } else if let Some(behind) = rest.strip_prefix('{') {
            state.opens = behind.trim() != "}";
            return (behind.trim().is_empty() || !state.opens).then_some(state);
        } else if rest.eq_ignore_ascii_case("begin") {
            return Some(State { opens: true, ..state });
        } else if let Some(text) = rest.strip_prefix(':') {
            return Some(State { text: Some(text.trim()).filter(|it| !it.is_empty()), ..state });
        } else if let Some((stereotype, behind)) = rest.strip_prefix("<<").and_then(|it| it.split_once(">>")) {
            match Mark::of(stereotype) {
                Some(mark) => state.mark = Some(mark),
                None => state.has_style = true,
            }
            rest = behind;
        } else if let Some((_, behind)) = rest.strip_prefix("[[").and_then(|it| it.split_once("]]")) {
            state.has_link = true;
            rest = behind;
        } else if rest.starts_with(['#', '$']) {
            state.has_style = true;
            rest = &rest[style_length(rest)..];
        } else {
            return None;
        }
    }
}

/// The length of `#red`, `#back:white;line:red`, `##[dashed]blue` or `$tag`. A `:` belongs to it behind such a word only.
fn style_length(text: &str) -> usize {
    let words = ["back", "header", "line", "text", "line.dotted", "line.dashed", "line.bold"];
    let ends =
        |idx: usize, it: char| it.is_whitespace() || it == '{' || (it == ':' && !words.iter().any(|word| text[..idx].ends_with(word)));
    text.char_indices().find(|(idx, it)| *idx > 0 && ends(*idx, *it)).map_or(text.len(), |(idx, _)| idx)
}

/// Reads `A : text` and `"Long name" : text`.
pub(super) fn description(line: &str) -> Option<(&str, &str)> {
    let (id, rest) = quoted(line).unwrap_or_else(|| line.split_at(name_length(line)));
    let text = rest.trim_start().strip_prefix(':')?.trim();
    (!id.is_empty()).then_some((id, text))
}

/// Whether a line parts two regions.
pub(super) fn is_divider(line: &str) -> bool {
    line.len() > 1 && ['-', '|'].iter().any(|mark| line.chars().all(|it| it == *mark))
}

/// Whether a line closes a composite.
pub(super) fn is_end(line: &str) -> bool {
    line == "}" || line.eq_ignore_ascii_case("end state") || line.eq_ignore_ascii_case("endstate")
}

/// The first line of a note.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoteStart<'a> {
    pub(super) of: Of<'a>,
    pub(super) text: NoteText<'a>,
}

/// Where the text of a note is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoteText<'a> {
    Here(&'a str),
    /// In the lines up to `end note`.
    UpToEnd,
    /// In the lines up to `}`.
    UpToBrace,
}

/// Reads the first line of a note.
pub(super) fn note(line: &str) -> Option<NoteStart<'_>> {
    let rest = word(line, "note")?;
    if let Some((text, rest)) = quoted(rest) {
        let name = word(rest.trim_start(), "as").map(|it| &it[..name_length(it)]);
        return Some(NoteStart { of: Of::Nothing(name), text: NoteText::Here(text) });
    }
    if let Some(name) = word(rest, "as") {
        return Some(NoteStart { of: Of::Nothing(Some(&name[..name_length(name)])), text: NoteText::UpToEnd });
    }
    let positions = ["left", "right", "top", "bottom"];
    let position = positions.iter().find(|it| word(rest, it).is_some() || is_alone(rest, it));
    let rest = position.map_or(rest, |it| rest[it.len()..].trim_start());
    let (of, rest) = if let Some(behind) = word(rest, "on").filter(|it| it.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("link"))) {
        (Of::Arrow, &behind[4..])
    } else if let Some(behind) = word(rest, "of").filter(|_| position.is_some()) {
        let (id, rest) = quoted(behind).unwrap_or_else(|| behind.split_at(name_length(behind)));
        (Of::State(id), rest)
    } else {
        position?;
        (Of::Before, rest)
    };
    let text = match marks(State::default(), rest)? {
        State { opens: true, .. } => NoteText::UpToBrace,
        State { text: Some(text), .. } => NoteText::Here(text),
        _ => NoteText::UpToEnd,
    };
    Some(NoteStart { of, text })
}

/// What is behind a word and white space.
pub(super) fn word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let behind = text.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word)).map(|it| &text[it.len()..])?;
    behind.starts_with(char::is_whitespace).then(|| behind.trim_start())
}

/// Whether a word is all, or a mark follows it at once.
fn is_alone(text: &str, word: &str) -> bool {
    let behind = text.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word)).map(|it| &text[it.len()..]);
    behind.is_some_and(|it| it.is_empty() || it.starts_with([':', '#', '{', '<']))
}

/// A text in quotes at the beginning, and what is behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let marks = ['"', '“', '”'];
    let inside = text.strip_prefix(marks)?;
    let (quote, behind) = inside.split_once(marks)?;
    (!quote.trim().is_empty()).then_some((quote, behind))
}
