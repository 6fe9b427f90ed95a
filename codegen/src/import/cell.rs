//! What cells of tables say: names of states, `any (except X)`, `(unchanged)`, `(none — terminal)`, several events.

use std::collections::BTreeSet;
use std::ops::Range;

use super::label::{self, Label};
use crate::names::is_name;

/// A cell: its text, and the parts in backticks.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) codes: Vec<String>,
    pub(super) range: Range<usize>,
}

/// A state in a cell, with what stands in brackets behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) initial: bool,
    pub(super) terminal: bool,
    /// The text in brackets, if it says something else.
    pub(super) note: Option<String>,
}

/// The states in a cell, and whether only the spelling tells that these are several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct States {
    pub(super) named: Vec<Named>,
    pub(super) guessed: bool,
}

impl States {
    fn is_short(&self, known: &Known) -> bool {
        self.named.len() > 1 && self.named.iter().any(|it| known.may_be_short(&it.name))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// `[*]`, `(start)`
    Start,
    /// An empty cell: as in the row above, or a start.
    Blank,
    Any {
        except: Vec<String>,
        /// `any non-terminal state`
        but_terminal: bool,
    },
    States(States),
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// `(terminal)`, `[*]`
    End,
    /// `—`: an end, no change or a refusal.
    Nothing,
    /// `(unchanged)`
    Stay,
    /// `not allowed`
    Refused,
    States(States),
    Unclear,
}

/// The texts that tables use for states beyond doubt: a cell `a/b` is two states if both are among them.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) sources: BTreeSet<String>,
    pub(super) targets: BTreeSet<String>,
    /// The names that are alone in a cell.
    pub(super) alone: BTreeSet<String>,
}

impl Known {
    pub(super) fn has(&self, name: &str) -> bool {
        self.sources.contains(name) || self.targets.contains(name)
    }

    /// Whether a name may be short for another one: `CONFIRMED_PAID / DEPOSIT` beside `CONFIRMED_DEPOSIT`.
    fn may_be_short(&self, name: &str) -> bool {
        let ends = |it: &String| it.strip_suffix(name).is_some_and(|it| it.ends_with(['_', ' ', '-', '.']));
        !self.alone.contains(name) && self.alone.iter().any(ends)
    }
}

impl Cell {
    fn words(&self) -> Vec<String> {
        words(&self.text)
    }

    /// The names in backticks, if the cell consists of them.
    fn only_codes(&self) -> bool {
        let outside = self.codes.iter().fold(self.text.clone(), |text, code| text.replacen(code.as_str(), "", 1));
        !self.codes.is_empty() && words(&outside).iter().all(|it| it == "or" || it == "and")
    }

    /// Whether the text is in brackets, or something else than a word.
    fn is_wrapped(&self) -> bool {
        let text = self.text.trim();
        [('(', ')'), ('[', ']'), ('<', '>'), ('_', '_')].iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close))
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether the cell says that there is nothing, for columns other than those of states.
    pub(super) fn is_nothing(&self) -> bool {
        let words = self.words();
        let is = |texts: &[&str]| texts.contains(&words.join(" ").as_str());
        words.is_empty() || is(&["none", "n a", "nothing", "null"])
    }

    /// The names that a cell contains beyond doubt.
    pub(super) fn sure_names(&self) -> Vec<String> {
        let doubtful = |it: &str| it.contains('/') || it.contains('&') || it.contains(" and ") || it.contains('(') || it.contains('|');
        let is_any = |it: &str| matches!(it.to_lowercase().as_str(), "any" | "every" | "each");
        pieces(self).into_iter().filter(|it| !doubtful(it) && !is_any(it)).collect()
    }

    pub(super) fn source(&self, known: &Known) -> Source {
        if self.is_blank() {
            return Source::Blank;
        }
        let words = self.words();
        let is_name = self.only_codes() && !words.is_empty() && !self.is_wrapped();
        if !is_name {
            let starts = ["start", "initial", "new", "creation", "create", "entry", "none", "nothing", "n", "a", "state", "no", "null"];
            let all = words.iter().all(|it| starts.contains(&it.as_str()));
            let sure = words.is_empty() || self.is_wrapped() || self.is_nothing();
            if all && sure && !self.is_any_sign() {
                return Source::Start;
            }
        }
        if let Some(any) = self.any(known) {
            return any;
        }
        if self.is_bracketed() {
            return Source::Unclear;
        }
        let states = states(self, known);
        if states.is_short(known) { Source::Unclear } else { Source::States(states) }
    }

    /// `(deleted or discarded)`: a remark rather than the name of a state.
    fn is_bracketed(&self) -> bool {
        let text = self.text.trim();
        text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).is_some_and(|it| !it.contains(['(', ')']))
    }

    /// A state with words before it: `stays open`, `back to open`; `None` if there are none.
    fn behind_words(&self, known: &Known) -> Option<Target> {
        const BEFORE: &[&str] = &[
            "stays in",
            "stays at",
            "stays",
            "stay in",
            "stay",
            "remains in",
            "remains",
            "remain in",
            "still",
            "keeps",
            "back to",
            "returns to",
            "return to",
            "goes to",
            "go to",
            "moves to",
            "falls through to",
            "falls back to",
        ];
        let name = without_prefix(&self.text, BEFORE)?.trim();
        if known.sources.contains(self.text.trim()) || name.is_empty() {
            return None;
        }
        let alone = Cell { text: name.to_owned(), codes: self.codes.clone(), range: self.range.clone() };
        let states = states(&alone, known);
        let is_known = !states.named.is_empty() && states.named.iter().all(|it| known.has(&it.name));
        Some(if is_known { Target::States(states) } else { Target::Unclear })
    }

    /// Whether the cell says that the step of its row is not allowed: `Not allowed. Rejected with 409.`
    pub(super) fn refuses(&self) -> bool {
        let words = self.words().join(" ");
        let text = format!(" {words} ");
        let begins = ["forbidden ", "rejected with ", "refused with ", "illegal transition ", "invalid transition ", "prohibited "];
        let contains = [" not allowed ", " not permitted ", " never allowed ", " transition is invalid ", " transition is illegal "];
        begins.iter().any(|it| text[1..].starts_with(it))
            || contains.iter().any(|it| text.contains(it))
            || ["(invalid", "(illegal", "(forbidden"].iter().any(|it| self.text.to_lowercase().contains(it))
    }

    /// `*`
    fn is_any_sign(&self) -> bool {
        self.text.trim().trim_matches(['(', ')', '`', '"']) == "*"
    }

    /// `any`, `ANY (except X, Y)`, `any non-X`, `all but X`, `any non-terminal state`.
    fn any(&self, known: &Known) -> Option<Source> {
        let every = Source::Any { except: Vec::new(), but_terminal: false };
        if self.is_any_sign() {
            return Some(every);
        }
        let text = self.text.trim();
        let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(text);
        if known.sources.contains(text) && known.targets.contains(text) && self.words().len() == 1 {
            return None;
        }
        let rest = without_prefix(inside, &["any", "all", "every", "each", "*"])?;
        let rest = without_prefix(rest, &["state", "states", "status", "statuses"]).unwrap_or(rest).trim();
        if rest.is_empty() {
            return Some(every);
        }
        let bare = rest.trim_matches(['(', ')', ',', ' ', ':']);
        let except = [
            "except for",
            "except",
            "excluding",
            "excl.",
            "other than",
            "apart from",
            "besides",
            "but not",
            "but",
            "minus",
            "not",
            "≠",
            "!=",
        ];
        let mut names = without_prefix(bare, &except);
        if names.is_none() {
            // `any non-Idle state`
            names = ["non-", "non ", "Non-", "NON-"].iter().find_map(|it| bare.strip_prefix(it));
        }
        let Some(names) = names else { return Some(Source::Unclear) };
        let names = names.trim_end_matches(|it: char| it == ')' || it.is_whitespace());
        let names = ["states", "state"].iter().find_map(|it| names.strip_suffix(it)).unwrap_or(names).trim();
        if matches!(names.to_lowercase().as_str(), "terminal" | "final" | "end" | "terminal ones" | "final ones") {
            return Some(Source::Any { except: Vec::new(), but_terminal: true });
        }
        let cell = Cell { text: names.to_owned(), codes: self.codes.clone(), range: self.range.clone() };
        // A name may be spelled in another case here: `any non-idle`.
        let spelled = |name: &str| {
            let same = |it: &&String| it.eq_ignore_ascii_case(name);
            known.sources.iter().find(same).or_else(|| known.targets.iter().find(same)).cloned()
        };
        let except: Option<Vec<String>> = states(&cell, known).named.iter().map(|it| spelled(&it.name)).collect();
        Some(except.filter(|it| !it.is_empty()).map_or(Source::Unclear, |except| Source::Any { except, but_terminal: false }))
    }

    pub(super) fn target(&self, known: &Known, adjacency: bool) -> Target {
        let words = self.words();
        let text = words.join(" ");
        if words.is_empty() {
            return match self.text.trim().trim_matches(['(', ')', '`']) {
                "*" => Target::Unclear,
                "[*]" | "[*" => Target::End,
                sign if sign.contains(['❌', '✗', '✘', '✖', '🚫', '⛔']) => Target::Refused,
                _ => Target::Nothing,
            };
        }
        // `Cancelled -> Queued`: which of the steps the row takes is open.
        let is_chain =
            ["->", "→", "⟶", "⇒", "=>"].iter().any(|it| self.text.split_once(it).is_some_and(|(first, _)| !self::words(first).is_empty()));
        if is_chain && !known.sources.contains(self.text.trim()) {
            return Target::Unclear;
        }
        let pure_code = self.only_codes() && !self.is_wrapped();
        if pure_code && !self.is_nothing() || known.sources.contains(self.text.trim()) {
            return Target::States(states(self, known));
        }
        let is = |texts: &[&str]| texts.contains(&text.as_str());
        let all = |set: &[&str]| words.iter().all(|it| set.contains(&it.as_str()));
        let any = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
        const EMPTY: &[&str] = &["none", "no", "nothing", "n", "a", "null", "na"];
        const ENDS: &[&str] = &["terminal", "final", "sink", "end", "absorbing", "dead"];
        const MORE: &[&str] = &[
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
        let filler: Vec<&str> = [EMPTY, ENDS, MORE].concat();
        if all(&filler) && (any(EMPTY) || any(ENDS)) {
            // `End` can be the name of a state; `(end)`, `none — terminal` and `terminal` are not.
            let may_be_name = is(&["end", "final", "sink", "dead"]) && !self.is_wrapped();
            if may_be_name && !adjacency {
                return Target::States(states(self, known));
            }
            return if any(ENDS) || any(&["outgoing", "further"]) || adjacency { Target::End } else { Target::Nothing };
        }
        let stays = [
            "unchanged",
            "same",
            "same state",
            "no change",
            "no state change",
            "stay",
            "stays",
            "stays the same",
            "self",
            "self loop",
            "itself",
            "no op",
            "noop",
            "ignored",
            "current state",
            "remains",
            "stays unchanged",
            "remains unchanged",
            "state unchanged",
            "no transition",
        ];
        if is(&stays) {
            return Target::Stay;
        }
        // `Previous status`: where the machine was tells which one.
        const EARLIER: &[&str] = &["previous", "prior", "former", "earlier", "original"];
        if words.len() > 1 && any(EARLIER) && all(&[EARLIER, &["state", "status", "phase", "stage", "the", "its", "to", "back"]].concat()) {
            return Target::Unclear;
        }
        let refusals = [
            "not",
            "allowed",
            "permitted",
            "forbidden",
            "prohibited",
            "illegal",
            "invalid",
            "refused",
            "rejected",
            "denied",
            "transition",
            "error",
        ];
        if all(&refusals) && (self.is_wrapped() || words.len() > 1 || is(&["forbidden", "prohibited"])) {
            return Target::Refused;
        }
        if let Some(target) = self.behind_words(known) {
            return target;
        }
        // `LIVE + EXTENDED`
        if self.any(known).is_some() || self.is_bracketed() || self.text.contains(" + ") {
            return Target::Unclear;
        }
        let states = states(self, known);
        if states.is_short(known) { Target::Unclear } else { Target::States(states) }
    }

    /// Events and guard; the second value tells that a slash was read as "or".
    pub(super) fn events(&self) -> (Label, bool) {
        let several = |events: Vec<String>| Label { events: distinct(events), ..Label::default() };
        let slash = self.text.contains(" / ");
        if self.only_codes() && self.codes.len() > 1 {
            return (several(self.codes.clone()), slash);
        }
        let lines: Vec<String> = self.text.split('\n').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        if lines.len() > 1 {
            return (several(lines), false);
        }
        let label = label::parse(&self.text);
        if !label.effects.is_empty() && label.guard.is_none() && slash {
            return (several(self.text.split(" / ").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()), true);
        }
        let pieces: Vec<String> = self.text.split([',', ';', '|']).flat_map(|it| it.split(" or ")).map(|it| it.trim().to_owned()).collect();
        if pieces.len() > 1 && pieces.iter().all(|it| is_name(it)) {
            return (several(pieces), false);
        }
        (label, false)
    }

    /// Who may do it; empty for anyone.
    pub(super) fn actors(&self) -> Vec<String> {
        let anyone = ["anyone", "any", "anybody", "everyone", "all", "public", "none", "n a"];
        if self.is_blank() || self.words().is_empty() || anyone.contains(&self.words().join(" ").as_str()) {
            return Vec::new();
        }
        let split = |it: &str| -> Vec<String> {
            it.split([',', ';', '\n', '/', '|', '&', '+']).flat_map(|it| it.split(" or ")).map(|it| it.trim().to_owned()).collect()
        };
        let pieces = if self.only_codes() { self.codes.clone() } else { split(&self.text) };
        distinct(pieces.into_iter().filter(|it| !words(it).is_empty()).collect())
    }

    /// Whether a cell of the column `Allowed?` says yes or no; `None` if neither.
    pub(super) fn verdict(&self) -> Option<bool> {
        let text = self.text.trim();
        if text.contains(['✅', '✓', '✔', '☑']) {
            return Some(true);
        }
        if text.contains(['❌', '✗', '✘', '✖', '🚫', '⛔']) {
            return Some(false);
        }
        match self.words().join(" ").as_str() {
            "yes" | "y" | "true" | "allowed" | "valid" | "legal" | "permitted" | "ok" | "x" => Some(true),
            "no" | "n" | "false" | "not allowed" | "forbidden" | "invalid" | "illegal" | "denied" | "not permitted" | "disallowed" => {
                Some(false)
            }
            _ => None,
        }
    }
}

/// Lower-case words.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
}

/// The rest behind one of these words, in any case.
fn without_prefix<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    let text = text.trim_start();
    prefixes.iter().find_map(|prefix| {
        let head = text.get(..prefix.len()).filter(|it| it.eq_ignore_ascii_case(prefix))?;
        let rest = &text[head.len()..];
        let ends = !head.ends_with(char::is_alphanumeric) || !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '-');
        ends.then_some(rest)
    })
}

fn distinct(texts: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

/// The names in a cell: each in backticks, or separated by commas and similar signs.
fn pieces(cell: &Cell) -> Vec<String> {
    let pieces: Vec<String> =
        if cell.only_codes() { cell.codes.clone() } else { outside_brackets(&cell.text, &[",", ";", "\n", " or ", " / "]) };
    let clean = pieces.iter().map(|it| it.trim().trim_start_matches("or ").trim_matches(['`', '"', '*']).trim().to_owned());
    distinct(clean.filter(|it| !it.is_empty()).collect())
}

/// The parts between separators that are not in brackets.
fn outside_brackets(text: &str, separators: &[&str]) -> Vec<String> {
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

fn states(cell: &Cell, known: &Known) -> States {
    let mut found = States::default();
    let pieces = pieces(cell);
    for piece in &pieces {
        let whole = unabbreviated(&pieces[0], piece, known);
        let named = named(whole.as_deref().unwrap_or(piece), known);
        if known.has(&named.name) {
            found.named.push(named);
            continue;
        }
        // `A/B/C`, `A and B`: several states if these are states elsewhere, or if nothing else is likely.
        let parts: Vec<&str> =
            named.name.split(['/', '|', '&']).flat_map(|it| it.split(" and ")).map(str::trim).filter(|it| !it.is_empty()).collect();
        let all_known = parts.iter().all(|it| known.has(it));
        let alike = named.name.contains('/') && parts.iter().all(|it| it.len() > 1 && is_name(it));
        if parts.len() > 1 && (all_known || alike) {
            found.guessed |= !all_known;
            found.named.extend(parts.into_iter().map(|it| Named { name: it.to_owned(), ..named.clone() }));
        } else {
            found.named.push(named);
        }
    }
    found
}

/// `REVIEW_FAILED` of `REVIEW_OPEN / FAILED`, if there is such a state.
fn unabbreviated(first: &str, piece: &str, known: &Known) -> Option<String> {
    let begins = first.match_indices('_').map(|(at, mark)| &first[..at + mark.len()]);
    begins.map(|it| format!("{it}{piece}")).find(|it| first != it && first != piece && known.has(it))
}

/// `Done (terminal)`, `Open (initial)`.
fn named(piece: &str, known: &Known) -> Named {
    let plain = || Named { name: piece.to_owned(), initial: false, terminal: false, note: None };
    if known.has(piece) && !piece.contains('(') {
        return plain();
    }
    let Some((name, note)) = piece.strip_suffix(')').and_then(|it| it.split_once('(')) else { return plain() };
    let name = name.trim();
    let words = words(note);
    let says = |set: &[&str]| !words.is_empty() && words.iter().all(|it| set.contains(&it.as_str()) || it == "state");
    let (initial, terminal) = (says(&["initial", "start", "default", "entry"]), says(&["terminal", "final", "end", "sink", "absorbing"]));
    if name.is_empty() || !(initial || terminal || known.has(name)) {
        return plain();
    }
    let note = (!initial && !terminal).then(|| note.trim().to_owned());
    Named { name: name.to_owned(), initial, terminal, note }
}
