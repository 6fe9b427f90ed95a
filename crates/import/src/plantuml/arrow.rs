//! One arrow: `A -down-> B : event [guard] / effect`.

/// An arrow as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) from: End<'a>,
    pub(super) to: End<'a>,
    pub(super) text: &'a str,
    /// `-[hidden]->` places states, and draws nothing.
    pub(super) hidden: bool,
}

/// An end of an arrow as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End<'a> {
    /// `[*]`
    Dot,
    State(&'a str),
    /// `[H]`, `X[H*]`
    History {
        of: Option<&'a str>,
        deep: bool,
    },
    /// `==bar==`
    Bar(&'a str),
}

impl<'a> End<'a> {
    /// The id of the state that it names.
    pub(super) fn id(self) -> Option<&'a str> {
        match self {
            End::State(id) | End::History { of: Some(id), .. } => Some(id),
            End::Dot | End::History { of: None, .. } | End::Bar(_) => None,
        }
    }
}

/// Longer words come before those that begin them.
const DIRECTIONS: [&str; 12] = ["left", "right", "down", "up", "le", "ri", "do", "l", "r", "u", "d", ""];

/// Reads a line that is an arrow.
pub(super) fn read(line: &str) -> Option<Line<'_>> {
    let (first, rest) = end(line)?;
    let rest = decoration(rest);
    let (forward, style, rest) = body(rest.trim_start())?;
    let (second, rest) = end(rest.trim_start())?;
    let rest = decoration(rest).trim();
    let text = match rest.strip_prefix(':') {
        Some(text) => text.trim(),
        None if rest.is_empty() => "",
        None => return None,
    };
    let (from, to) = if forward { (first, second) } else { (second, first) };
    let hidden = style.split([',', ';']).any(|it| it.trim().eq_ignore_ascii_case("hidden"));
    Some(Line { from, to, text, hidden })
}

fn end(text: &str) -> Option<(End<'_>, &str)> {
    if let Some(rest) = text.strip_prefix("[*]") {
        return Some((End::Dot, rest));
    }
    if let Some((deep, rest)) = history(text) {
        return Some((End::History { of: None, deep }, rest));
    }
    if text.starts_with("==") {
        let behind = text.trim_start_matches('=');
        let length = name_length(behind);
        let rest = behind[length..].strip_prefix("==").filter(|_| length > 0)?;
        return Some((End::Bar(&behind[..length]), rest.trim_start_matches('=')));
    }
    let length = name_length(text);
    let (name, rest) = text.split_at(length);
    if name.is_empty() {
        return None;
    }
    Some(match history(rest) {
        Some((deep, rest)) => (End::History { of: Some(name), deep }, rest),
        None => (End::State(name), rest),
    })
}

fn history(text: &str) -> Option<(bool, &str)> {
    let inside = text.strip_prefix(['['])?.strip_prefix(['H', 'h'])?;
    inside.strip_prefix("*]").map(|it| (true, it)).or(inside.strip_prefix(']').map(|it| (false, it)))
}

/// The length of the name at the beginning of a text: letters, digits, `_` and `.`, and `::` between them.
pub(super) fn name_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += rest.find(|it: char| !is_name_character(it)).unwrap_or(rest.len());
        match text[length..].strip_prefix("::").filter(|it| length > 0 && it.starts_with(is_name_character)) {
            Some(_) => length += 2,
            None => return length,
        }
    }
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.')
}

/// What is behind the stereotype and the colour of an end.
fn decoration(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        rest = if let Some(behind) = trimmed.strip_prefix("<<").and_then(|it| it.split_once(">>")) {
            behind.1
        } else if let Some(colour) = trimmed.strip_prefix('#') {
            colour.trim_start_matches(|it: char| it.is_alphanumeric() || matches!(it, '|' | '/' | '\\'))
        } else {
            return rest;
        };
    }
}

/// The body of an arrow: whether it leads to the right, its style, and what is behind it.
fn body(text: &str) -> Option<(bool, &str, &str)> {
    let text = text.strip_prefix('x').filter(|it| it.starts_with('-')).unwrap_or(text);
    if text.starts_with('-') {
        let (style, rest) = shaft(text)?;
        let rest = rest.strip_prefix('>')?;
        let rest = rest.strip_prefix('o').filter(|it| it.starts_with(char::is_whitespace)).unwrap_or(rest);
        return Some((true, style, rest));
    }
    let text = text.strip_prefix("o ").map_or(text, str::trim_start);
    let (style, rest) = shaft(text.strip_prefix('<')?)?;
    let rest = rest.strip_prefix('x').filter(|it| it.starts_with(char::is_whitespace)).unwrap_or(rest);
    Some((false, style, rest))
}

/// `-[#red]down-`, with its style.
fn shaft(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = dashes(text);
    let (first, rest) = style(rest)?;
    let word = DIRECTIONS.iter().find(|it| rest.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it)))?;
    let (second, rest) = style(&rest[word.len()..])?;
    let (behind, rest) = dashes(rest);
    (before + behind > 0).then_some((if first.is_empty() { second } else { first }, rest))
}

fn dashes(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches('-');
    (text.len() - rest.len(), rest)
}

/// `[#red,dashed]`
fn style(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('[') {
        Some(inside) => inside.split_once(']'),
        None => Some(("", text)),
    }
}
