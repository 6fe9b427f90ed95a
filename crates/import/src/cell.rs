//! Cells of tables: the names of states in them, and whether they say anything.

use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::names::is_name;

use super::known::Known;
use super::phrase::{self, between_arrows, outside_brackets, split_arrow, words};
use super::source::is_any_state;

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
    /// The text behind the name: `(by hand)`.
    pub(super) note: Option<String>,
}

impl Named {
    /// The text behind the name, if it says something else than that the state is a start or an end.
    pub(super) fn remark(&self) -> Option<&String> {
        self.note.as_ref().filter(|_| !self.initial && !self.terminal)
    }

    /// As a target: behind one, `(start)` may be the event that leads there.
    pub(super) fn reached(self) -> Self {
        let is_sure = self.note.as_deref().is_some_and(|it| words(it).iter().any(|it| it == "initial"));
        Named { initial: self.initial && is_sure, ..self }
    }
}

/// The states in a cell, and whether only the spelling tells that these are several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct States {
    pub(super) named: Vec<Named>,
    pub(super) guessed: bool,
}

impl States {
    /// Whether this is one state, of the same name: `stays a` is another text than `a`.
    pub(super) fn is_only(&self, named: &Named) -> bool {
        matches!(self.named.as_slice(), [only] if only.name == named.name)
    }

    /// Whether none is a placeholder, `{status}`, and none of several the value of a field, as in `open`, `count = 1`.
    pub(super) fn are_no_values(&self) -> bool {
        if self.named.iter().any(|it| it.name.contains(['{', '}'])) {
            return false;
        }
        self.named.len() == 1 || !self.named.iter().any(|it| it.name.contains('='))
    }

    pub(super) fn is_short(&self, known: &Known) -> bool {
        self.named.len() > 1 && self.named.iter().any(|it| known.may_be_short(&it.name))
    }
}

impl Cell {
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.text)
    }

    /// A part of the cell as a cell.
    pub(super) fn part(&self, text: &str) -> Cell {
        let codes = self.codes.iter().filter(|it| stands_in(text, it)).cloned().collect();
        Cell { text: text.trim().to_owned(), codes, range: self.range.clone() }
    }

    /// The source and the target of a cell such as `A → B`; `None` if its text is no single step. The source of `→ B` is empty.
    pub(super) fn step(&self) -> Option<(Cell, Cell)> {
        let (from, to) = split_arrow(&self.text)?;
        // `A <-> B` is two steps, and `A --go--> B` has its event inside.
        // `— → A` is a start.
        let is_start = matches!(from, "-" | "—");
        let is_plain =
            (is_start || !from.ends_with(['<', '-', '—'])) && ![" --", "--", "↔", "⇄", "⇔", "←"].iter().any(|it| from.contains(it));
        // Of `Step 1 → 2`, the target is short for a name.
        let ends_in_number = from.rsplit(char::is_whitespace).next().is_some_and(|it| it != from && it.parse::<u32>().is_ok());
        let is_short = ends_in_number && to.starts_with(|it: char| it.is_ascii_digit());
        (is_plain && !is_short && !words(to).is_empty() || to.contains("[*]")).then(|| (self.part(from), self.part(to)))
    }

    /// Whether the cell leads through a state to another one: `→ starting → on`. A list of single steps, `→ open · → shut`, does not.
    pub(super) fn is_way(&self) -> bool {
        let n_stops = |it: &String| between_arrows(it).iter().filter(|it| !words(it).is_empty()).count();
        outside_brackets(&self.text, SEPARATORS).iter().any(|it| n_stops(it) > 1)
    }

    /// The names in backticks, if the cell consists of them. A sign beside them, as in `` `open`+ ``, says more.
    pub(super) fn only_codes(&self) -> bool {
        const SIGNS: &[char] = &['+', '*', '…', '≥', '≤', '<', '~', '!', '?', '=', '†', '‡', '§', '¹', '²', '³'];
        let outside = self.outside_codes();
        !self.codes.is_empty() && words(&outside).iter().all(|it| it == "or" || it == "and") && !outside.contains(SIGNS)
    }

    /// The names in backticks, if the cell consists of several, and not of alternatives.
    pub(super) fn several_codes(&self) -> Option<Vec<String>> {
        let are_all = self.codes.len() > 1 && self.only_codes() && !self.words_outside_codes().contains(&"or".to_owned());
        are_all.then(|| self.codes.clone())
    }

    /// The text without the names in backticks.
    pub(super) fn outside_codes(&self) -> String {
        self.codes.iter().fold(self.text.clone(), |text, code| text.replacen(code.as_str(), "", 1))
    }

    pub(super) fn words_outside_codes(&self) -> Vec<String> {
        words(&self.outside_codes())
    }

    /// The names that a cell begins with, as far as it is a list: of `` `open`; a bell rings ``, `open`.
    pub(super) fn leading_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut codes = self.codes.iter().peekable();
        for part in self.text.split([',', ';', '\n', '(']).flat_map(|it| it.split(" or ")).flat_map(|it| it.split(" / ")).map(str::trim) {
            match codes.next_if(|it| part.starts_with(it.as_str())) {
                Some(code) if *code != part => {
                    names.push(code.clone());
                    break;
                }
                _ => names.push(part.to_owned()),
            }
        }
        names
    }

    /// The name in backticks that a piece begins with, and the remark in brackets behind it, where other names are in backticks alone.
    fn remarked_name(&self, piece: &str, known: &Known) -> Option<Named> {
        let (name, Some(note)) = phrase::split_remark(piece) else { return None };
        let is_name = known.style.is_mostly_code && self.codes.iter().any(|it| it == name) && !known.is_open(piece) && !known.has(name);
        let is_plain = |it: &Named| it.name == piece;
        let plain = named(piece, known);
        (is_name && is_plain(&plain)).then(|| Named { name: name.to_owned(), note: Some(note.to_owned()), ..plain })
    }

    /// Whether the text is in brackets, or something else than a word.
    pub(super) fn is_wrapped(&self) -> bool {
        let text = self.text.trim();
        [('(', ')'), ('[', ']'), ('<', '>'), ('_', '_')].iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close))
            || text.starts_with(['—', '–', '-'])
    }

    /// Whether a part of the text is withdrawn: `~~open~~`.
    pub(super) fn is_struck_out(&self) -> bool {
        self.text.contains("~~")
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether the cell says that there is nothing, for columns other than those of states.
    pub(super) fn is_nothing(&self) -> bool {
        phrase::is_nothing(&self.text) && !self.is_only_signs()
    }

    /// The remark in brackets behind a sign or a word for nothing: `— (by hand)`, `none (by hand)`.
    pub(super) fn remark_of_nothing(&self) -> Option<&str> {
        let (said, remark) = phrase::split_remark(&self.text);
        remark.filter(|_| !said.is_empty() && phrase::is_nothing(said))
    }

    /// Whether the cell says that nothing is done, which is a remark where it stands in a column of remarks: `No-op`.
    pub(super) fn is_no_action(&self) -> bool {
        const EMPTY: &[&str] = &["", "none", "n a", "null", "nothing"];
        phrase::is_nothing(&self.text) && !EMPTY.contains(&self.words().join(" ").as_str())
    }

    /// Whether the cell has signs such as `✅` or `?`, whose meaning only a reader knows.
    pub(super) fn is_only_signs(&self) -> bool {
        self.words().is_empty() && !self.is_empty_sign()
    }

    /// The names that a cell contains beyond doubt.
    pub(super) fn sure_names(&self) -> Vec<String> {
        let is_doubtful = |it: &str| it.contains(['/', '&', '(', '|', '*', '→']) || it.contains(" and ") || it.contains("->");
        let is_any = |it: &str| matches!(it.to_lowercase().as_str(), "any" | "every" | "each" | "all") || is_any_state(it);
        let pieces = pieces(self);
        // Beside names in code marks, other parts of a list are remarks: `open`, if it is paid.
        let codes: BTreeSet<&String> = self.codes.iter().collect();
        let has_codes = pieces.iter().any(|it| codes.contains(it));
        let is_remark = |it: &String| has_codes && !codes.contains(it) && it.contains(char::is_whitespace);
        pieces.into_iter().filter(|it| !is_doubtful(it) && !is_any(it) && !words(it).is_empty() && !is_remark(it)).collect()
    }

    /// The parts of `OPEN/SHUT`.
    pub(super) fn listed(&self) -> Vec<String> {
        let parts: Vec<&str> = phrase::split_remark(&self.text).0.split('/').map(str::trim).collect();
        let are_names = parts.len() > 1 && parts.iter().all(|it| it.len() > 1 && is_name(it));
        parts.into_iter().filter(|_| are_names).map(str::to_owned).collect()
    }

    /// The names with a remark in brackets that a cell contains.
    pub(super) fn remarked(&self) -> impl Iterator<Item = String> {
        pieces(self).into_iter().filter(|it| it.contains('('))
    }

    /// Whether each of the texts that were taken for names can be one: `b` and `stays a` cannot.
    pub(super) fn are_names(&self, states: &States, known: &Known, is_state: impl Fn(&Named) -> bool) -> bool {
        let is_name = |it: &Named| (!phrase::is_remark(&it.name) || known.has_both(&it.name)) && !known.is_open(&it.name);
        // A single name is the cell itself, which was looked at.
        states.are_no_values() && states.named.iter().all(is_name) && (states.named.len() == 1 || states.named.iter().all(is_state))
    }

    /// `(deleted or discarded)`: a remark rather than the name of a state.
    pub(super) fn is_bracketed(&self) -> bool {
        let text = self.text.trim();
        text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).is_some_and(|it| !it.contains(['(', ')']))
    }

    /// Whether the cell has only a dash or a dot, as for a start or an end.
    pub(super) fn is_empty_sign(&self) -> bool {
        let signs = ['-', '–', '—', '―', '−', '_', '∅', 'ø', '●', '○', '◉', '⊙', '•', '[', ']', '*', '(', ')', '<', '>', '`', ' '];
        self.text.chars().all(|it| signs.contains(&it))
    }
}

pub(super) fn distinct(texts: Vec<String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

/// What stands between the names of a list.
const SEPARATORS: &[&str] = &[",", ";", "\n", " or ", " / ", " · "];

/// Whether a text has a name that is no part of a longer one: `DONE` stands in `a DONE`, and not in `NOT_DONE`.
fn stands_in(text: &str, name: &str) -> bool {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let joins = |rest: &mut dyn Iterator<Item = char>| match rest.next() {
        Some('-' | '.') => rest.next().is_some_and(is_letter),
        next => next.is_some_and(is_letter),
    };
    let is_own = |at: usize| !joins(&mut text[..at].chars().rev()) && !joins(&mut text[at + name.len()..].chars());
    text.match_indices(name).any(|(at, _)| is_own(at))
}

/// The alternatives in braces: `{A|B}`, `[A, B]`. What stands there alone, as `{status}`, is no name.
fn in_braces(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let inside = [('{', '}'), ('[', ']')].iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))?;
    let parts: Vec<String> = inside.split(['|', ',', ';', '/']).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    (parts.len() > 1 && !inside.contains(['{', '}', '[', ']'])).then_some(parts)
}

/// The names in a cell: each in backticks, or separated by commas and similar signs.
fn pieces(cell: &Cell) -> Vec<String> {
    let pieces: Vec<String> = match in_braces(&cell.text) {
        Some(alternatives) if cell.codes.len() < 2 => alternatives,
        _ if cell.only_codes() => cell.codes.clone(),
        Some(alternatives) => alternatives,
        None => outside_brackets(&cell.text, SEPARATORS),
    };
    let clean = pieces.iter().map(|it| it.trim().trim_start_matches("or ").trim_start_matches(['→', '⇒']).trim_matches(['`', '"', ' ']));
    distinct(clean.filter(|it| !it.is_empty()).map(str::to_owned).collect())
}

pub(super) fn states(cell: &Cell, known: &Known) -> States {
    let mut found = States::default();
    let pieces = pieces(cell);
    for piece in &pieces {
        let whole = unabbreviated(&pieces[0], piece, known);
        let mut named = match cell.remarked_name(piece, known) {
            Some(named) => named,
            None => named(whole.as_deref().unwrap_or(piece), known),
        };
        found.guessed |= whole.is_some();
        // In code marks, `(start)` is a name of something else.
        let is_code = |note: &String| cell.codes.iter().any(|it| note.trim_matches(['(', ')']) == it);
        named.initial = named.initial && !named.note.as_ref().is_some_and(is_code);
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

/// `Done (terminal)`, `Open (initial)`, `Done — by hand` beside `Done`.
fn named(piece: &str, known: &Known) -> Named {
    let plain = |name: &str| Named { name: name.to_owned(), initial: false, terminal: false, note: None };
    if known.has(piece) {
        let remark = ["—", "–", " - ", ": "].iter().find_map(|it| piece.split_once(it).map(|(name, _)| name.trim()));
        return match remark.filter(|it| known.alone.contains(*it) && !known.has_both(piece)) {
            Some(name) => Named { note: Some(piece[name.len()..].trim().to_owned()), ..plain(name) },
            None => plain(piece),
        };
    }
    let Some((name, note)) = piece.strip_suffix(')').and_then(|it| it.split_once('(')) else { return plain(piece) };
    let name = name.trim();
    let words = words(note);
    // `(start())` is a call.
    let is_text = note.chars().all(|it| it.is_alphabetic() || matches!(it, ' ' | '-'));
    let says = |set: &[&str]| !words.is_empty() && is_text && words.iter().all(|it| set.contains(&it.as_str()) || it == "state");
    let (initial, terminal) = (says(&["initial", "start", "default", "entry"]), says(&["terminal", "final", "end", "sink", "absorbing"]));
    let is_known = known.has(name)
        || known.listed.contains(name)
        || (name.contains('/') && name.split('/').all(|it| known.has(it.trim()) || is_name(it)));
    if name.is_empty() || !(initial || terminal || is_known) {
        return plain(piece);
    }
    Named { name: name.to_owned(), initial, terminal, note: Some(format!("({})", note.trim())) }
}
