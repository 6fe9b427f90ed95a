//! The label of an arrow: `event [guard] / effect`, or a sentence.

use statespec_lang::names::is_name;

use super::phrase::outside_brackets;

/// A parsed label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) events: Vec<String>,
    /// Where several brackets stand one behind the other, each is one.
    pub(super) guards: Vec<String>,
    pub(super) effects: Vec<String>,
    /// Whether brackets stand elsewhere than before or behind the event, as a part of a text.
    pub(super) has_other_brackets: bool,
    /// Whether a slash stands inside a word: `push/ring`.
    pub(super) has_slash_inside: bool,
}

/// The message about brackets elsewhere.
pub(super) const OTHER_BRACKETS: &str = "the brackets stand neither before nor behind the event: they were read as a part of its text";

/// The message about a slash inside a word.
pub(super) const SLASH_INSIDE: &str =
    "the `/` has no spaces around it: it was read as a part of the event's text, not as the beginning of an effect";

/// The message about a label with several guards.
pub(super) const SEVERAL_GUARDS: &str = "the conditions in several brackets were read as one: each of them must hold";

/// Parses a label. A text that follows no convention is one event.
pub(super) fn parse(text: &str) -> Label {
    let text = text.trim();
    let (head, effect) = split_effect(text);
    let (mut event, mut guards) = split_guards(head);
    // `[ready] go`
    if let Some((guard, rest)) = leading_guard(event).filter(|it| !it.1.contains('[')) {
        guards.insert(0, guard.to_owned());
        event = rest;
    }
    if event.contains('[') && !guards.is_empty() {
        // `go [ready] or stop [late]`: whose condition the last one is, is open.
        (event, guards) = (head, Vec::new());
    }
    let has_brackets = |it: &str| (it.contains(" [") || it.starts_with('[')) && it != "[*]";
    let has_other_brackets = has_brackets(event) || effect.is_some_and(has_brackets);
    let has_slash_inside = event.split_whitespace().any(has_slash_inside);
    Label {
        events: several(event, is_call),
        guards,
        effects: effect.map(effects).unwrap_or_default(),
        has_other_brackets,
        has_slash_inside,
    }
}

/// `[guard] event`: the brackets stand before the event.
fn leading_guard(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 0usize;
    let end = inside.char_indices().find(|(_, it)| match it {
        '[' => {
            depth += 1;
            false
        }
        ']' if depth == 0 => true,
        ']' => {
            depth -= 1;
            false
        }
        _ => false,
    })?;
    let (guard, rest) = (inside[..end.0].trim(), inside[end.0 + 1..].trim_start());
    (!guard.is_empty() && guard != "*" && !rest.is_empty()).then_some((guard, rest))
}

/// The label of an arrow in a diagram where a slash without a guard stands between alternatives: `push / kick` is two events, unless
/// the second one is a call and the first is none.
pub(super) fn parse_alternatives(text: &str) -> Option<Label> {
    let (head, guards) = split_guards(text.trim());
    let parts: Vec<String> = outside_brackets(head, &[" / "]).iter().map(|it| it.trim().to_owned()).collect();
    let (first, rest) = parts.split_first()?;
    let is_effect = |it: &String| is_call(it) && it.contains('(');
    let are_effects = guards.is_empty() && !is_effect(first) && rest.iter().all(is_effect);
    let may_be_events = parts.iter().all(|it| !it.is_empty() && !it.contains(['[', ']']));
    (parts.len() > 1 && may_be_events && !are_effects).then(|| Label {
        events: distinct(parts),
        guards,
        effects: Vec::new(),
        has_other_brackets: false,
        has_slash_inside: head.split_whitespace().any(has_slash_inside),
    })
}

/// Whether a text follows the convention beyond doubt: it has a guard before the slash, or nothing.
pub(super) fn shows_effects(text: &str) -> bool {
    let label = parse(text);
    !label.effects.is_empty() && (!label.guards.is_empty() || label.events.is_empty())
}

/// The effects in a text: `a(), b()` is two.
pub(super) fn effects(text: &str) -> Vec<String> {
    several(text.trim(), is_call)
}

/// `event / effect`: the slash is surrounded by spaces, or follows a guard, or stands between a name and a call, and in no brackets.
/// `on/off` and `GET /orders` are events.
fn split_effect(text: &str) -> (&str, Option<&str>) {
    let mut depth = 0usize;
    for (idx, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                let (before, behind) = (&text[..idx], &text[idx + 1..]);
                let alone = before.chars().next_back().is_none_or(char::is_whitespace) && behind.starts_with(char::is_whitespace);
                let calls = || is_name(before.trim()) && behind.ends_with(')') && is_call(behind.trim());
                if (alone || before.trim_end().ends_with(']') || calls()) && !behind.trim().is_empty() {
                    return (before.trim_end(), Some(behind.trim()));
                }
            }
            _ => {}
        }
    }
    (text, None)
}

/// Whether a word has a slash between two words. One that begins with a slash is a path, and one with `://` an address.
fn has_slash_inside(word: &str) -> bool {
    let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || "_()".contains(it));
    let is_between = |at: usize| is_word(word[..at].chars().next_back()) && is_word(word[at + 1..].chars().next());
    !word.starts_with('/') && !word.contains("://") && word.match_indices('/').any(|it| is_between(it.0))
}

/// The text before the guards at its end, and these.
fn split_guards(text: &str) -> (&str, Vec<String>) {
    let mut guards = Vec::new();
    let mut event = text;
    while let Some((before, guard)) = split_guard(event) {
        guards.insert(0, guard.to_owned());
        event = before;
    }
    (event, guards)
}

/// `event [guard]`: the brackets end the part before the effect.
fn split_guard(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix(']')?;
    let mut depth = 0usize;
    for (idx, character) in inside.char_indices().rev() {
        match character {
            ']' => depth += 1,
            '[' if depth > 0 => depth -= 1,
            '[' => {
                let guard = inside[idx + 1..].trim();
                return (!guard.is_empty() && guard != "*").then(|| (inside[..idx].trim_end(), guard));
            }
            _ => {}
        }
    }
    None
}

/// `a, b` is two items if both are of the kind, else one text.
fn several(text: &str, is_one: fn(&str) -> bool) -> Vec<String> {
    let pieces: Vec<&str> = text.split(',').map(str::trim).collect();
    if pieces.len() > 1 && pieces.iter().all(|it| is_one(it)) {
        return distinct(pieces.into_iter().map(str::to_owned).collect());
    }
    if text.is_empty() { Vec::new() } else { vec![text.to_owned()] }
}

/// Whether a text is a name, or a call of one.
pub(super) fn is_call(text: &str) -> bool {
    is_name(text.split_once('(').filter(|(_, rest)| rest.ends_with(')')).map_or(text, |(name, _)| name))
}

/// The texts, each once.
fn distinct(texts: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}
