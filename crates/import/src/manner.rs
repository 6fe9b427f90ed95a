//! How a table writes the names of its states: a text that is written otherwise than all of them is likely no name.

use std::collections::{BTreeMap, BTreeSet};

use super::held_against::bare;
use super::known::Known;
use super::phrase::words;

/// The texts of a table that occur once, and are written otherwise than all names.
#[derive(Debug, Default)]
pub(super) struct Odd {
    texts: BTreeSet<String>,
}

/// A name, and whether it is in backticks.
type Written = (String, bool);

impl Odd {
    /// `names` has one item for each place.
    pub(super) fn of(names: &[Written], known: &Known) -> Self {
        let mut counts: BTreeMap<&Written, usize> = BTreeMap::new();
        names.iter().filter(|it| !names_ends(&it.0)).for_each(|it| *counts.entry(it).or_default() += 1);
        let is_single = |it: &&Written| counts[it] == 1 && !known.has_both(&it.0);
        let mut odd = Odd::default();
        for manner in MANNERS {
            let (own, others): (Vec<&Written>, Vec<&Written>) = counts.keys().copied().partition(|it| (manner.fits)(it));
            // Where more than a few are written otherwise, the table has no manner.
            if own.len() < LEAST || own.len() < others.len() * AGAINST || !others.iter().all(is_single) {
                continue;
            }
            let is_respelled = |it: &Written| own.iter().any(|own| bare(&own.0) == bare(&it.0));
            let is_odd = |it: &&Written| (manner.differs)(it) && !is_respelled(it);
            odd.texts.extend(others.into_iter().filter(is_odd).map(|it| it.0.clone()));
        }
        odd
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.texts.contains(text)
    }
}

/// How many names make a manner.
const LEAST: usize = 3;

/// How many names stand against each text that is written otherwise.
const AGAINST: usize = 2;

/// A way to write names, and the texts that differ from it beyond doubt.
struct Manner {
    fits: fn(&Written) -> bool,
    differs: fn(&Written) -> bool,
}

const MANNERS: &[Manner] = &[
    // In backticks.
    Manner { fits: |it| it.1, differs: |_| true },
    // With a capital: among them, `On hold` is a name, and `immutable` is none.
    Manner { fits: |it| it.1 || !begins_small(&it.0), differs: |it| begins_small(&it.0) },
    // Numbers: among them, `N-1` is the one before.
    Manner { fits: |it| it.0.parse::<u32>().is_ok(), differs: |it| is_relative(&it.0) },
];

/// Whether a text stands for the ends of the table: `terminal` in a row without successors.
fn names_ends(text: &str) -> bool {
    words(text).iter().all(|it| matches!(it.as_str(), "terminal" | "final" | "end" | "state" | "states"))
}

fn begins_small(text: &str) -> bool {
    text.starts_with(char::is_lowercase)
}

/// Whether a text is a number that is counted from another one: `N-1`, `n + 1`.
fn is_relative(text: &str) -> bool {
    let parts = text.split_once(['+', '-', '−', '–']);
    parts.is_some_and(|(base, step)| base.trim().len() == 1 && base.starts_with(char::is_alphabetic) && step.trim().parse::<u32>().is_ok())
}
