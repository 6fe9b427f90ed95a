//! Phrases of labels, headings and comments, for charts and code.

use statespec_lang::names::snake;

/// Lower-case words.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// The parts between separators that are not in brackets.
pub(super) fn outside_brackets(text: &str, separators: &[&str]) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut at) = (0usize, 0, 0);
    while let Some(character) = text[at..].chars().next() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match separators.iter().find(|it| depth == 0 && text[at..].starts_with(**it)) {
            Some(separator) => {
                parts.push(text[start..at].to_owned());
                at += separator.len();
                start = at;
            }
            None => at += character.len_utf8(),
        }
    }
    parts.push(text[start..].to_owned());
    parts
}

/// Whether the label of an arrow says that the arrow is not allowed. `rejected with 409` and `send (invalid)` may be events.
pub(super) fn is_refused_arrow(label: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "not allowed",
        "not permitted",
        "never allowed",
        "disallowed",
        "forbidden",
        "prohibited",
        "illegal transition",
        "invalid transition",
        "transition not allowed",
        "transition is not allowed",
    ];
    begins_with(label, BEGINNINGS)
}

/// Whether a name is one for several states: `ANY_ACTIVE`.
pub(super) fn names_several(name: &str) -> bool {
    words(&snake(name)).first().is_some_and(|it| matches!(it.as_str(), "any" | "every" | "each"))
}

/// Whether a text begins with the words of one of these phrases.
fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let padded = padded(text);
    phrases.iter().any(|it| padded[1..].starts_with(&format!("{it} ")))
}

/// The words with one blank around each.
fn padded(text: &str) -> String {
    format!(" {} ", words(text).join(" "))
}

/// Whether a text says that what follows is not allowed. `Transitions that are not listed are invalid` says the opposite.
pub(super) fn is_negative(text: &str) -> bool {
    let words = words(text);
    let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
    let pair = |first: &str, second: &[&str]| words.windows(2).any(|it| it[0] == first && second.contains(&it[1].as_str()));
    let is_not_allowed = pair("not", &["allowed", "permitted", "valid", "possible", "legal", "supported"]);
    let negative = has(&["forbidden", "disallowed", "illegal", "invalid", "prohibited", "impossible", "banned", "unsupported", "disallow"])
        || is_not_allowed
        || pair("never", &["allowed", "permitted", "valid", "possible", "legal", "happens", "happen"])
        || pair("must", &["not", "never"])
        || pair("cannot", &["transition", "go", "move", "happen", "change"])
        || (has(&["rejected", "denied", "blocked", "refused"]) && has(&["transition", "transitions", "edges", "moves"]));
    // `Any step that is not drawn here is invalid` speaks of the others.
    let n_own = usize::from(is_not_allowed) + usize::from(pair("must", &["not"])) + usize::from(pair("do", &["not"]));
    let others = words.iter().filter(|it| *it == "not").count() > n_own
        || has(&[
            "attempt",
            "attempts",
            "attempting",
            "other",
            "others",
            "else",
            "otherwise",
            "unlisted",
            "absent",
            "missing",
            "outside",
            "only",
            "anything",
        ]);
    negative && !others
}

/// Whether a condition is the one that holds if no other does.
pub(super) fn is_else(guard: &str) -> bool {
    matches!(guard.trim().to_lowercase().as_str(), "else" | "otherwise")
}
