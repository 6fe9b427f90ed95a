//! What phrases say, whatever column they stand in: no change, a refusal, nothing, a condition.

use statespec_lang::names::snake;

use super::foreign;

/// Lower-case words.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// The rest behind one of these words, in any case.
pub(super) fn without_prefix<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    let text = text.trim_start();
    prefixes.iter().find_map(|prefix| {
        let head = text.get(..prefix.len()).filter(|it| it.eq_ignore_ascii_case(prefix))?;
        let rest = &text[head.len()..];
        let ends = !head.ends_with(char::is_alphanumeric) || !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '-');
        ends.then_some(rest)
    })
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

/// A text, and the remark in brackets behind it; `pay(amount)` has none.
pub(super) fn split_remark(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    let remark = text.strip_suffix(')').and_then(|it| it.find(" ("));
    remark.map_or((text, None), |at| (text[..at].trim(), Some(text[at..].trim())))
}

/// `-->` comes before its part `->`.
const ARROWS: &[&str] = &["-->", "==>", "->", "=>", "→", "⟶", "⇒", "➔", "➜", "➡"];

/// The texts before and behind the first arrow to the right.
pub(super) fn split_arrow(text: &str) -> Option<(&str, &str)> {
    let first = |it: &&str| text.find(*it).map(|at| (at, it.len()));
    let (at, length) = ARROWS.iter().filter_map(first).min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))?;
    Some((text[..at].trim(), text[at + length..].trim_start_matches('\u{fe0f}').trim()))
}

/// The texts around all arrows to the right.
pub(super) fn between_arrows(text: &str) -> Vec<&str> {
    let mut arrows: Vec<(usize, usize)> =
        ARROWS.iter().flat_map(|it| text.match_indices(it).map(|(at, arrow)| (at, at + arrow.len()))).collect();
    arrows.sort_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)));
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, end) in arrows {
        // `->` is a part of `-->`.
        if at >= start {
            parts.push(text[start..at].trim());
            start = end;
        }
    }
    parts.push(text[start..].trim_start_matches('\u{fe0f}').trim());
    parts
}

/// Whether a text consists of phrases that say that nothing changes: `same (no-op)`.
pub(super) fn stays(text: &str) -> bool {
    const STAYS: &[&str] = &[
        "unchanged",
        "not changed",
        "does not change",
        "no change",
        "no state change",
        "no status change",
        "no transition",
        "no state transition",
        "same",
        "same state",
        "same status",
        "same value",
        "self",
        "self loop",
        "itself",
        "stay",
        "stays",
        "stays in state",
        "stays in the same state",
        "stays in current state",
        "stays the same",
        "stays unchanged",
        "remains",
        "remains the same",
        "remains unchanged",
        "state unchanged",
        "status unchanged",
        "current state",
        "no op",
        "noop",
        "ignored",
        "idempotent",
    ];
    let parts = text.split(['(', ')', '[', ']', ',', ';', ':', '—', '–']).flat_map(|it| it.split(" - ")).flat_map(|it| it.split(" / "));
    let mut parts = parts.map(|it| words(it).join(" ")).filter(|it| !it.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|it| STAYS.contains(&it.as_str()))
}

/// Words for ends.
pub(super) const ENDS: &[&str] = &["terminal", "final", "sink", "end", "absorbing", "dead"];

/// Words around those for ends: `no further transitions`.
pub(super) const ABOUT_ENDS: &[&str] = &[
    "state",
    "states",
    "transition",
    "transitions",
    "outgoing",
    "further",
    "out",
    "possible",
    "allowed",
    "valid",
    "next",
    "is",
    "the",
    "this",
    "and",
];

/// How a text says that a state is an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `(terminal)`, `Terminal state`
    Plain,
    /// `(terminal — prints a receipt)`, `Terminal for this version`
    WithRemark,
}

/// Whether a text says that a state is an end, beyond doubt. `End` and `Final` alone may be names, and `terminal if it is paid` is a
/// condition.
pub(super) fn end(text: &str) -> Option<End> {
    const OPEN: &[&str] = &["unless", "except", "until", "but", "only", "not", "or", "can", "may", "reopen", "reopened"];
    let text = text.trim();
    let (said, rest) = text.trim_start_matches(['(', '[']).split_once([')', ']', '(', '—', '–', ';', ':', '.', ',']).unwrap_or((text, ""));
    let said = words(said);
    let first = said.first()?.as_str();
    let is_wrapped = text.starts_with('(');
    let is_sure = first == "terminal" || (ENDS.contains(&first) && (is_wrapped || said.iter().any(|it| it == "state")));
    let is_more = |it: &String| !ENDS.contains(&it.as_str()) && !ABOUT_ENDS.contains(&it.as_str());
    let is_open = is_conditional(text) || words(text).iter().any(|it| OPEN.contains(&it.as_str()));
    // `terminal_error` is a name.
    let is_name = !is_wrapped && text.split_whitespace().next().is_some_and(|it| it.contains(['_', '-', '/', '.']));
    let has_more = said.iter().chain(&words(rest)).any(|it| is_more(it) && it != "no" && it != "none");
    // Of `Terminal error`, the second word is what the state is of.
    let is_other = said.get(1).is_some_and(is_more) && !matches!(said[1].as_str(), "for" | "in" | "at" | "by" | "as");
    (is_sure && !is_open && !is_name && !is_other).then_some(if has_more { End::WithRemark } else { End::Plain })
}

const CROSSES: [char; 6] = ['❌', '✗', '✘', '✖', '🚫', '⛔'];

/// Whether a text has a sign that says no.
pub(super) fn is_crossed(text: &str) -> bool {
    text.contains(CROSSES)
}

/// Phrases that refuse a step wherever they stand.
const REFUSING: &[&str] = &[" not allowed ", " not permitted ", " never allowed ", " transition is invalid ", " transition is illegal "];

/// Whether a text says that a step is not allowed: `Not allowed. Rejected with 409.`
pub(super) fn refuses(text: &str) -> bool {
    let padded = padded(text);
    begins_with_refusal(text) || REFUSING.iter().any(|it| padded.contains(it))
}

/// Whether a condition or an event says that its own step is not allowed: `this is not allowed`. Of `the link is weak and a switch
/// not allowed`, something else is not allowed.
pub(super) fn refuses_its_step(text: &str) -> bool {
    const BEFORE: &[&str] = &[
        "a",
        "an",
        "the",
        "this",
        "such",
        "it",
        "is",
        "are",
        "be",
        "direct",
        "directly",
        "explicitly",
        "always",
        "step",
        "steps",
        "transition",
        "transitions",
        "move",
        "change",
        "state",
        "status",
    ];
    let refuses_it = |clause: &str| {
        let padded = padded(clause);
        let mut before = REFUSING.iter().filter_map(|it| Some(padded.split_once(it)?.0));
        before.any(|it| it.split_whitespace().all(|it| BEFORE.contains(&it)))
    };
    begins_with_refusal(text) || clauses(text).any(refuses_it)
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

/// Whether a text says that its step is not there yet: `Reserved — not implemented in MVP`. Of `the code is not implemented`, something
/// else is not there.
pub(super) fn is_not_implemented(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "not implemented",
        "not yet implemented",
        "not currently implemented",
        "unimplemented",
        "not in v1",
        "not in mvp",
        "not in the mvp",
        "not in scope",
        "out of scope",
    ];
    clauses(text).flat_map(|it| it.split(" - ")).any(|it| begins_with(it, BEGINNINGS))
}

/// Whether a text says that an error is all that comes of a step: `Return error`. Where the step leads to another state, it may be the
/// event.
pub(super) fn is_only_error(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &["return error", "returns error", "return an error", "returns an error"];
    begins_with(text, BEGINNINGS)
}

fn begins_with_refusal(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "disallowed",
        "forbidden",
        "prohibited",
        "impossible",
        "rejected with",
        "refused with",
        "illegal transition",
        "invalid transition",
    ];
    let is_sure = |(word, _): (&str, bool)| !MAY_BE_NAMES.contains(&word);
    foreign::refuses(text) || begins_with(text, BEGINNINGS) || in_brackets(text).any(|it| refusal(it).is_some_and(is_sure))
}

/// Whether a text begins with the words of one of these phrases.
fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let padded = padded(text);
    phrases.iter().any(|it| padded[1..].starts_with(&format!("{it} ")))
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', ';', ':', ',', '(', ')', '—', '–', '\n'])
}

/// The words with one blank around each.
fn padded(text: &str) -> String {
    format!(" {} ", words(text).join(" "))
}

/// The words that refuse a step at the beginning of a remark: `blocked — the order is paid`.
const REFUSALS: &[&str] =
    &["not allowed", "not permitted", "not possible", "disallowed", "forbidden", "prohibited", "impossible", "illegal", "invalid"];

/// Such words that are also names of events and states: `rejected`.
const MAY_BE_NAMES: &[&str] = &["blocked", "refused", "rejected", "denied"];

/// The word of refusal that a text consists of, or that stands before a remark: `blocked: …`, `rejected (409)`; and whether the
/// text consists of it.
pub(super) fn refusal(text: &str) -> Option<(&'static str, bool)> {
    let bare = text.trim_start_matches(|it: char| !it.is_alphanumeric());
    let word = REFUSALS.iter().chain(MAY_BE_NAMES).find(|it| without_prefix(bare, &[it]).is_some())?;
    let rest = bare[word.len()..].trim_start_matches(['*', '_', '`', '"', ')', ']']);
    let remark = rest.trim_start().starts_with(['—', '–', ':', ';', '(', '.', '!']) || rest.trim_start().starts_with("- ");
    let alone = words(rest).is_empty();
    (alone || remark).then_some((*word, alone))
}

/// Whether a remark behind a name says that its step is refused: `Done (rejected)`.
pub(super) fn has_refusing_brackets(text: &str) -> bool {
    in_brackets(text).any(|it| refusal(it).is_some() || matches!(words(it).as_slice(), [only] if only == "reject" || only == "refuse"))
}

fn in_brackets(text: &str) -> impl Iterator<Item = &str> {
    text.split('(').skip(1).map(|it| it.split(')').next().unwrap_or(it))
}

/// Whether a text says that nothing is done, at least sometimes: `none when the check passes`.
pub(super) fn does_nothing(text: &str) -> bool {
    words(text).first().is_some_and(|it| matches!(it.as_str(), "none" | "nothing" | "no" | "not" | "never" | "noop" | "n"))
        || text.trim_start().starts_with(['—', '–'])
}

/// Whether a text begins with what is not done: `no receipt`.
pub(super) fn denies(text: &str) -> bool {
    words(text).first().is_some_and(|it| matches!(it.as_str(), "no" | "not" | "never"))
}

/// Whether an effect may depend on something: `notify if asked`. A name such as `notify_if_asked` is a name.
pub(super) fn is_conditional(text: &str) -> bool {
    const CONDITIONS: &[&str] =
        &["if", "when", "whenever", "unless", "otherwise", "else", "depending", "depends", "provided", "optionally"];
    let words: Vec<String> = text.split_whitespace().map(|it| it.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase()).collect();
    words.len() > 1 && words.iter().any(|it| CONDITIONS.contains(&it.as_str()))
}

/// Whether a text says that there is nothing, or that nothing is done: `none`, `n/a`, `no effect`.
pub(super) fn is_nothing(text: &str) -> bool {
    const NOTHING: &[&str] = &[
        "none",
        "n a",
        "nothing",
        "null",
        "no op",
        "noop",
        "no action",
        "no actions",
        "no effect",
        "no effects",
        "no side effect",
        "no side effects",
        "no guard",
        "no condition",
        "no conditions",
    ];
    let words = words(text).join(" ");
    words.is_empty() || NOTHING.contains(&words.as_str())
}

/// Whether a text may be any event: `any`, `any other event`, `*`.
pub(super) fn is_any_event(text: &str) -> bool {
    let words = words(text);
    let vague =
        ["any", "all", "every", "other", "others", "event", "events", "trigger", "triggers", "input", "else", "otherwise", "anything"];
    let is_sign = text.trim().trim_matches(['(', ')', '`']) == "*";
    let is_about_all = words.first().is_some_and(|it| !matches!(it.as_str(), "event" | "events" | "trigger" | "triggers" | "input"));
    is_sign || (is_about_all && words.iter().all(|it| vague.contains(&it.as_str())))
}

/// Whether a text stands for the state that the machine was in: `the previous status`, `back to the state before`.
fn is_earlier(words: &[String]) -> bool {
    let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
    has(&["previous", "prior", "former", "earlier", "original", "preceding", "before", "last"])
        && has(&["state", "states", "status", "phase", "stage"])
}

/// Whether a text is a sentence or a pattern rather than the name of a state: `paid if the card is charged`, `review.*`.
pub(super) fn is_remark(text: &str) -> bool {
    const CONDITIONS: &[&str] = &[
        "if",
        "when",
        "unless",
        "may",
        "might",
        "else",
        "otherwise",
        "depending",
        "depends",
        "whether",
        "whichever",
        "whatever",
        "wherever",
        "provided",
    ];
    const BEGINNINGS: &[&str] =
        &["or", "and", "but", "except", "plus", "via", "then", "see", "same", "throws", "raises", "returns", "http"];
    const VAGUE: &[&str] = &["previous", "prev", "prior", "original", "tbd", "todo", "varies", "various", "as before", "nobody"];
    const MAX_WORDS: usize = 6;
    let words = words(text);
    let status = |it: &String| it.len() == 3 && it.starts_with(['4', '5']) && it.chars().all(|it| it.is_ascii_digit());
    let before_dash = ["—", "–", " - "].iter().find_map(|it| text.split_once(it)).map(|it| it.0.trim());
    let is_sentence = text.contains(char::is_whitespace)
        && (words.len() > MAX_WORDS
            || words.iter().any(|it| CONDITIONS.contains(&it.as_str()))
            || is_earlier(&words)
            || words.first().is_some_and(|it| status(it) || BEGINNINGS.contains(&it.as_str()))
            || [". ", "..."].iter().any(|it| text.contains(it))
            || text.ends_with('.')
            // `2 – Review` is a number and a name.
            || before_dash.is_some_and(|it| it.parse::<u32>().is_err()));
    let is_vague = VAGUE.contains(&words.join(" ").as_str());
    // Footnotes, variables and formulas.
    let signs = ['*', '?', '…', '↔', '{', '}', '\\', '$', '¹', '²', '³', '†', '‡'];
    is_sentence || is_vague || text.contains(signs) || split_arrow(text).is_some()
}

/// Whether a text says that what follows is not allowed. `Transitions that are not listed are invalid` says the opposite.
pub(super) fn is_negative(text: &str) -> bool {
    let words = words(text);
    let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
    let pair = |first: &str, second: &[&str]| words.windows(2).any(|it| it[0] == first && second.contains(&it[1].as_str()));
    let negative = has(&["forbidden", "disallowed", "illegal", "invalid", "prohibited", "impossible", "banned", "unsupported", "disallow"])
        || pair("not", &["allowed", "permitted", "valid", "possible", "legal", "supported"])
        || pair("never", &["allowed", "permitted", "valid", "possible", "legal", "happens", "happen"])
        || pair("must", &["not", "never"])
        || pair("cannot", &["transition", "go", "move", "happen", "change"])
        || (has(&["rejected", "denied", "blocked", "refused"]) && has(&["transition", "transitions", "edges", "moves"]));
    let others = has(&[
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
    ]) || pair("not", &["listed", "shown", "in", "here", "below", "drawn", "explicitly"]);
    (negative && !others) || foreign::is_negative(text)
}
