//! How much two sources look like descriptions of the same thing: one number of 100.
//!
//! | part | points | for |
//! | --- | ---: | --- |
//! | states | 50 | the share of states in common; two in common count half, three count three quarters |
//! | subject | 40 | the share of words in common |
//! | nearness | 10 | divided by one more than the number of steps from one folder to the other |
//!
//! The share of what two have in common is twice its number, divided by the numbers of both.
//!
//! The subject is the name of the machine, of its heading or enum, with the type or class around it, without words such as "state"
//! and "lifecycle". If nothing is left of it, it is the name of the file, and then of its folder.

use std::collections::BTreeSet;

use statespec_lang::names::snake;

use super::paths::parent;
use crate::compare::{Fact, Statement, compare};

/// How much two sources look like descriptions of the same thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// For states in common, up to 50.
    pub states: usize,
    /// For words of the subject in common, up to 40.
    pub subject: usize,
    /// For folders that are near, up to 10.
    pub nearness: usize,
}

impl Score {
    /// The points of all parts.
    pub fn total(self) -> usize {
        self.states + self.subject + self.nearness
    }

    /// The mean of some scores.
    pub(super) fn mean(scores: &[Score]) -> Score {
        let mean = |part: fn(&Score) -> usize| scores.iter().map(part).sum::<usize>() / scores.len().max(1);
        Score { states: mean(|it| it.states), subject: mean(|it| it.subject), nearness: mean(|it| it.nearness) }
    }
}

/// A source as far as the score looks at it.
pub(super) struct Scored<'s> {
    pub(super) statement: &'s Statement,
    pub(super) subject: BTreeSet<String>,
}

impl<'s> Scored<'s> {
    pub(super) fn new(statement: &'s Statement) -> Self {
        Scored { statement, subject: subject(statement) }
    }
}

/// The score of two sources.
pub(super) fn score(a: &Scored<'_>, b: &Scored<'_>) -> Score {
    let lines = compare(&[a.statement, b.statement]).lines;
    let n_common = lines.iter().filter(|(fact, line)| *fact == Fact::State && !line.is_disagreement()).count();
    Score { states: of_states(n_common, a, b), ..without_states(a, b) }
}

/// The highest score that two sources can have with so many states in common.
pub(super) fn at_most(n_common: usize, a: &Scored<'_>, b: &Scored<'_>) -> usize {
    Score { states: of_states(n_common, a, b), ..without_states(a, b) }.total()
}

fn of_states(n_common: usize, a: &Scored<'_>, b: &Scored<'_>) -> usize {
    let (n_a, n_b) = (a.statement.states.len(), b.statement.states.len());
    share(50, n_common.min(n_a).min(n_b), n_a + n_b) * n_common.min(4) / 4
}

fn without_states(a: &Scored<'_>, b: &Scored<'_>) -> Score {
    let n_words = a.subject.intersection(&b.subject).count();
    let subject = share(40, n_words, a.subject.len() + b.subject.len());
    Score { states: 0, subject, nearness: 10 / (1 + n_steps(&a.statement.path, &b.statement.path)) }
}

fn share(points: usize, n_common: usize, n_both: usize) -> usize {
    points * 2 * n_common / n_both.max(1)
}

/// The number of steps from the folder of one file to that of the other.
pub(super) fn n_steps(a: &str, b: &str) -> usize {
    let folders = |path| parent(path).split('/').filter(|it: &&str| !it.is_empty()).collect::<Vec<&str>>();
    let (a, b) = (folders(a), folders(b));
    let n_common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * n_common
}

/// Words that say nothing about the subject: they name the form of the description.
const GENERAL: &str = "state status lifecycle life cycle machine statemachine diagram table fsm enum kind type value code choice schema transition \
    flow workflow phase stage step valid allowed legal overview model design spec specification doc readme index mod lib main src \
    architecture guide reference event rule guard form list matrix section behavior the of and an for in to";

/// The words of the subject: of the name, or else of the file, or else of its folder.
pub(super) fn subject(statement: &Statement) -> BTreeSet<String> {
    let path = statement.path.rsplit_once('.').map_or(statement.path.as_str(), |it| it.0);
    let parts = path.rsplit('/').take(3);
    std::iter::once(statement.name.as_str()).chain(parts).map(words).find(|it| !it.is_empty()).unwrap_or_default()
}

/// The words of a text that are not general; one letter is no word.
fn words(text: &str) -> BTreeSet<String> {
    let plain: String = text.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
    let words = snake(&plain);
    let words = words.split('_').filter(|it| it.chars().filter(|it| it.is_alphabetic()).count() > 1).map(singular);
    words.filter(|it| !GENERAL.split_whitespace().any(|general| general == it)).collect()
}

/// A word without the ending of the plural.
fn singular(word: &str) -> String {
    match (word.strip_suffix("es"), word.strip_suffix('s')) {
        (Some(stem), _) if stem == "status" => stem.to_owned(),
        (_, Some(stem)) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}
