//! Which statements are about the same thing.
//!
//! Many machines are `open` and `closed`, so names of states alone say little. Two statements are about the same thing if their
//! subjects share a word, and most of their states are the same; or if so many states are the same that chance is out of the
//! question. The subject is the name of the machine, of its heading or enum, without words such as "state" and "lifecycle"; if
//! nothing is left of it, it is the name of the file, and then of its folder.

use std::collections::BTreeSet;

use super::{Known, Sureness};
use crate::compare::{Statement, compare};
use crate::names::snake;
use crate::source::Sources;

/// What the statements of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alike {
    /// Most states, but no word of their subjects.
    States,
    /// A word of their subjects, and some states.
    Some,
    /// A word of their subjects, and most states.
    Both,
    /// Everything, the text included: copies.
    Copies,
    /// The configuration says so.
    Told,
}

impl Alike {
    /// Whether it is the same thing beyond doubt.
    pub fn sureness(self) -> Sureness {
        match self {
            Alike::Both | Alike::Copies | Alike::Told => Sureness::Sure,
            Alike::States | Alike::Some => Sureness::Perhaps,
        }
    }
}

/// Groups of statements of the same thing, each with what the least alike of the pairs that hold it together have in common.
pub(super) fn groups(statements: &[Statement], sources: &Sources, known: &Known) -> Vec<(Vec<usize>, Alike)> {
    let subjects: Vec<BTreeSet<String>> = statements.iter().map(subject).collect();
    let mut pairs: Vec<(Alike, usize, usize)> = Vec::new();
    for a in 0..statements.len() {
        for b in a + 1..statements.len() {
            let told = known.of(&statements[a], &statements[b]);
            let alike = || alike([&statements[a], &statements[b]], [&subjects[a], &subjects[b]], sources);
            pairs.extend(told.unwrap_or_else(alike).map(|it| (it, a, b)));
        }
    }
    // The best pairs first; a pair that is less alike joins only statements that no better pair has joined to others.
    pairs.sort_by_key(|(alike, a, b)| (std::cmp::Reverse(*alike), *a, *b));
    let mut group_of: Vec<usize> = (0..statements.len()).collect();
    let mut weakest: Vec<Option<Alike>> = vec![None; statements.len()];
    for (alike, a, b) in pairs {
        let (a, b) = (group_of[a], group_of[b]);
        let is_joined = |group: usize| weakest[group].is_some();
        if a == b || (alike.sureness() == Sureness::Perhaps && (is_joined(a) || is_joined(b))) {
            continue;
        }
        let (kept, gone) = (a.min(b), a.max(b));
        group_of.iter_mut().filter(|it| **it == gone).for_each(|it| *it = kept);
        weakest[kept] = [weakest[a], weakest[b], Some(alike)].into_iter().flatten().min();
    }
    let members = |group: usize| (0..statements.len()).filter(|it| group_of[*it] == group).collect::<Vec<_>>();
    weakest.iter().enumerate().filter_map(|(group, alike)| Some((members(group), (*alike)?))).filter(|it| it.0.len() > 1).collect()
}

/// What two statements have in common, if that is enough.
fn alike([a, b]: [&Statement; 2], subjects: [&BTreeSet<String>; 2], sources: &Sources) -> Option<Alike> {
    if is_copy(a, b, sources) {
        return Some(Alike::Copies);
    }
    let comparison = compare(&[a, b]);
    let n_shared = comparison.lines.iter().filter(|(fact, line)| *fact == crate::compare::Fact::State && !line.is_disagreement()).count();
    let (most, least) = (a.states.len().max(b.states.len()), a.states.len().min(b.states.len()));
    let is_most = n_shared * 4 >= least * 3 && n_shared * 2 >= most;
    // A machine without a subject is the only one of its repository, or of its part of it.
    let is_whole = n_shared == most && n_shared >= 4;
    let shares_word = !subjects[0].is_disjoint(subjects[1]) || (is_whole && subjects.iter().any(|it| it.is_empty()));
    match shares_word {
        true if n_shared >= 3 && is_most => Some(Alike::Both),
        true if n_shared >= 2 && n_shared * 2 >= least => Some(Alike::Some),
        false if n_shared >= 4 && n_shared * 5 >= most * 4 => Some(Alike::States),
        _ => None,
    }
}

/// Whether two files have the same text.
fn is_copy(a: &Statement, b: &Statement, sources: &Sources) -> bool {
    let text = |it: &Statement| sources.get(it.span.source).text();
    a.span.source != b.span.source && a.name == b.name && a.span.range() == b.span.range() && text(a) == text(b)
}

/// Words that say nothing about the subject of a machine.
const GENERAL: &str = "state states status statuses lifecycle life cycle machine machines transition transitions diagram diagrams table flow workflow \
    phase phases stage stages step steps kind type fsm the of and a an for in \
    to valid allowed legal overview model design spec specification docs doc readme index mod lib main \
    types src architecture guide reference enum event events rule rules guard guards form list matrix section \
    behavior behaviour behavioral v s";

/// The words of the subject.
fn subject(statement: &Statement) -> BTreeSet<String> {
    let words = |text: &str| -> BTreeSet<String> {
        let plain: String = text.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
        let words = snake(&plain);
        let words = words.split('_').filter(|it| it.chars().any(char::is_alphabetic) && GENERAL.split(' ').all(|general| general != *it));
        words.map(singular).collect()
    };
    let path = statement.path.rsplit_once('.').map_or(statement.path.as_str(), |it| it.0);
    let parts = path.rsplit('/').take(3);
    std::iter::once(statement.name.as_str()).chain(parts).map(words).find(|it| !it.is_empty()).unwrap_or_else(BTreeSet::new)
}

/// A word without the `s` of the plural.
fn singular(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}
