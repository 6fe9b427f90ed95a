//! Words beside the name of a state, which say more than the name: `` stale `ACTIVE` ``, `a blocked state`.

use super::cell::{Cell, Known, States};
use super::phrase::words;

impl Cell {
    /// Whether a part of a cell that was taken for the name of a state says more: which state it means is open.
    pub(super) fn says_more_than(&self, states: &States, known: &Known) -> bool {
        let has_name = states.named.iter().any(|it| self.codes.contains(&it.name));
        let is_more = |name: &str| {
            if known.has_both(name) {
                return false;
            }
            // Beside a name, a text with another name in code marks is an action: `open`, set `opened_at`.
            let has_code = |code: &String| name.contains(code.as_str()) && (known.has(code) || has_name);
            let is_plain = self.codes.iter().any(|it| it == name) || self.only_codes();
            let is_aside = has_name && name.contains(char::is_whitespace) && !known.alone.contains(name);
            is_value(name, known) || (!is_plain && (is_aside || self.codes.iter().any(has_code) || is_phrase(name, known)))
        };
        states.named.iter().any(|it| is_more(&it.name))
    }
}

/// The other names of a table.
fn others<'a>(name: &'a str, known: &'a Known) -> impl Iterator<Item = &'a String> {
    known.sources.union(&known.targets).filter(move |it| it.as_str() != name)
}

/// `reason = LATE`, where other states are plain names.
fn is_value(name: &str, known: &Known) -> bool {
    name.contains('=') && others(name, known).any(|it| !it.contains('='))
}

/// Whether a text describes states rather than names one: `a blocked state`, `eligible blocked state` among names in capitals.
fn is_phrase(name: &str, known: &Known) -> bool {
    let raw: Vec<&str> = name.split_whitespace().collect();
    let (Some(first), Some(last)) = (raw.first(), raw.last()) else { return false };
    if raw.len() < 2 {
        return false;
    }
    let is_small =
        |it: &&str| it.len() > 1 && it.chars().all(|it| !it.is_alphabetic() || it.is_lowercase()) && it.contains(char::is_alphabetic);
    if matches!(*first, "a" | "an" | "the" | "some") || (has_capitals(name, known) && raw.iter().any(is_small)) {
        return true;
    }
    let last = last.to_lowercase();
    // Where other names end so, too, the word is a part of them.
    let is_usual = others(name, known).any(|it| it.to_lowercase().ends_with(&format!(" {last}")));
    match last.as_str() {
        "states" | "statuses" => !is_usual,
        "state" | "status" => {
            let rest = words(&raw[..raw.len() - 1].join(" "));
            let is_name = |of: &[String]| others(name, known).any(|it| words(it) == of);
            is_name(&rest) || (!is_usual && rest.last().is_some_and(|it| is_name(std::slice::from_ref(it))))
        }
        _ => false,
    }
}

/// Whether most of the other names are in capitals.
fn has_capitals(name: &str, known: &Known) -> bool {
    let is_capital = |it: &&String| it.contains(char::is_uppercase) && !it.contains(char::is_lowercase);
    let n_others = others(name, known).count();
    let n_capital = others(name, known).filter(is_capital).count();
    n_capital > 1 && n_capital * 2 > n_others
}
