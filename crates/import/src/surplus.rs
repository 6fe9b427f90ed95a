//! Words beside the name of a state, which say more than the name: `` stale `ACTIVE` ``, `a blocked state`.

use std::collections::{BTreeMap, BTreeSet};

use super::cell::{Cell, States};
use super::known::Known;
use super::phrase::{without_prefix, words};

/// How the names of a table are spelled, as a whole.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    n_names: usize,
    n_capital: usize,
    /// The number of names with `=`.
    n_values: usize,
    /// The numbers of names of several words that end in each word.
    endings: BTreeMap<String, usize>,
    /// The words of each name.
    words: BTreeSet<Vec<String>>,
}

impl Spelling {
    pub(super) fn of(known: &Known) -> Self {
        let mut spelling = Spelling::default();
        for name in known.sources.union(&known.targets) {
            spelling.n_names += 1;
            spelling.n_capital += usize::from(is_capital(name));
            spelling.n_values += usize::from(name.contains('='));
            if let Some((_, last)) = name.rsplit_once(char::is_whitespace) {
                *spelling.endings.entry(last.to_lowercase()).or_default() += 1;
            }
            spelling.words.insert(words(name));
        }
        spelling
    }

    /// Whether most of the names are in capitals, apart from this one.
    fn has_capitals(&self, is_name: bool) -> bool {
        self.n_capital > 1 && self.n_capital * 2 > self.n_names - usize::from(is_name)
    }
}

fn is_capital(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

const QUALIFIERS: &[&str] = &["not", "no", "with", "without", "but", "while", "because", "although"];

impl Cell {
    /// Whether words behind a comma describe the name before it: `registered, not stolen`.
    pub(super) fn is_qualified(&self) -> bool {
        let begins = |part: &str| QUALIFIERS.iter().any(|it| without_prefix(part, &[it]).is_some_and(|it| it.starts_with(' ')));
        self.codes.is_empty() && self.text.split(',').skip(1).any(begins)
    }

    /// Whether the commas of the cell may separate something else than names: beside `registered, not stolen`, those of
    /// `registered, stolen` do.
    pub(super) fn may_be_qualified(&self, known: &Known) -> bool {
        known.has_qualified && self.codes.is_empty() && self.text.contains(',')
    }

    /// Whether a part of a cell that was taken for the name of a state says more: which state it means is open.
    pub(super) fn says_more_than(&self, states: &States, known: &Known) -> bool {
        // Of a longer list, the parts are names.
        const MAX_CODES: usize = 32;
        let codes: BTreeSet<&String> = self.codes.iter().collect();
        let has_name = states.named.iter().any(|it| codes.contains(&it.name));
        let only_codes = self.only_codes();
        let is_more = |name: &String| {
            if known.has_both(name) {
                return false;
            }
            // `reason = LATE`, where other states are plain names.
            let is_value = name.contains('=') && known.spelling.n_names > known.spelling.n_values;
            // Beside a name, a text with another name in code marks is an action: `open`, set `opened_at`.
            let has_code = |code: &String| name.contains(code.as_str()) && (known.has(code) || has_name || known.style.is_mostly_code);
            let has_code = self.codes.len() <= MAX_CODES && self.codes.iter().any(has_code);
            let is_aside = has_name && name.contains(char::is_whitespace) && !known.alone.contains(name);
            is_value
                || known.style.is_odd(name)
                || (!only_codes && !codes.contains(name) && (is_aside || has_code || is_phrase(name, known)))
        };
        states.named.iter().any(|it| is_more(&it.name))
    }
}

/// Whether a text has the name of a state with words that tell when or how often: `open after 3 days`, `no longer open`.
fn has_name_with_words(raw: &[&str], known: &Known) -> bool {
    const BEHIND: &[&str] = &[
        "again",
        "after",
        "within",
        "until",
        "once",
        "then",
        "later",
        "immediately",
        "automatically",
        "before",
        "while",
        "during",
        "because",
        "since",
        "upon",
        "following",
    ];
    let is_state = |words: &[&str]| known.alone.contains(&words.join(" "));
    let begins = (1..raw.len()).any(|at| is_state(&raw[..at]) && BEHIND.contains(&raw[at].to_lowercase().as_str()));
    begins || matches!(raw, ["no", "longer", rest @ ..] if is_state(rest))
}

/// Whether a text describes states rather than names one: `a blocked state`, `eligible blocked state` among names in capitals.
fn is_phrase(name: &str, known: &Known) -> bool {
    let raw: Vec<&str> = name.split_whitespace().collect();
    let (Some(first), Some(last)) = (raw.first(), raw.last()) else { return false };
    if raw.len() < 2 {
        return false;
    }
    if has_name_with_words(&raw, known) {
        return true;
    }
    let is_letters = |it: &str| it.len() > 1 && it.contains(char::is_alphabetic);
    let is_small = |it: &&str| is_letters(it) && it.chars().all(|it| !it.is_alphabetic() || it.is_lowercase());
    // Among names in capitals, `On hold` may still be one.
    let begins_small = first.starts_with(char::is_lowercase) || raw.iter().any(|it| known.has(it));
    let is_odd = begins_small && known.spelling.has_capitals(known.has(name)) && raw.iter().any(is_small);
    if matches!(*first, "a" | "an" | "the" | "some") || is_odd {
        return true;
    }
    let last = last.to_lowercase();
    // Where other names end so, too, the word is a part of them.
    let n_alike = known.spelling.endings.get(&last).map_or(0, |it| *it);
    let is_usual = n_alike > usize::from(known.has(name));
    match last.as_str() {
        "states" | "statuses" => !is_usual,
        "state" | "status" => {
            let rest = words(&raw[..raw.len() - 1].join(" "));
            let is_name = |of: &[String]| known.spelling.words.contains(of);
            is_name(&rest) || (!is_usual && rest.last().is_some_and(|it| is_name(std::slice::from_ref(it))))
        }
        _ => false,
    }
}
