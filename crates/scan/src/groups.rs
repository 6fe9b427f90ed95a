//! Which sources are candidates for descriptions of the same thing.
//!
//! Sources form a group if each two of them have a score of 65 or more; the best pairs come first. A source in no group is a
//! candidate together with the source with which it has its highest score, if that is 50 or more. Files with the same text are one
//! source here, and so are sources that the project confirms as one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::parallel;
use statespec_lang::source::Sources;

use super::Confirmed;
use super::score::{Score, Scored, at_most, score};
use crate::compare::{Statement, state_names};

/// The score from which on each two sources of a group are.
const OF_A_GROUP: usize = 65;
/// The score from which on two sources are candidates.
const OF_A_PAIR: usize = 50;
/// A name of a state that more sources have than so many tells nothing.
const MAX_SHARING: usize = 500;

/// Sources that may be of the same thing, with the mean score of its pairs.
pub(super) struct Candidates {
    pub(super) members: Vec<usize>,
    pub(super) score: Score,
}

/// Sources that are one beyond doubt: copies, and those that the project confirms.
struct Unit {
    members: Vec<usize>,
    is_confirmed: bool,
}

/// The candidates, best first; groups that are confirmed as a whole are not among them.
pub(super) fn candidates(statements: &[Statement], sources: &Sources, confirmed: &Confirmed) -> Vec<Candidates> {
    let scored: Vec<Scored<'_>> = statements.iter().map(Scored::new).collect();
    let units = units(statements, sources, confirmed);
    let mut unit_of = vec![0; statements.len()];
    units.iter().enumerate().for_each(|(unit, it)| it.members.iter().for_each(|member| unit_of[*member] = unit));
    let different = different(statements, confirmed, &unit_of);
    // Of copies, one is compared with other sources.
    let speak: Vec<usize> = units.iter().flat_map(|it| if it.is_confirmed { &it.members[..] } else { &it.members[..1] }).copied().collect();
    let pairs = scores(&scored, &speak);
    let mut links: BTreeMap<(usize, usize), Score> = BTreeMap::new();
    for ((a, b), score) in &pairs {
        let (a, b) = (unit_of[*a].min(unit_of[*b]), unit_of[*a].max(unit_of[*b]));
        if a != b && score.total() >= OF_A_PAIR && !different.contains(&(a, b)) {
            let link = links.entry((a, b)).or_default();
            *link = if score.total() > link.total() { *score } else { *link };
        }
    }
    let mut groups = linked(units.len(), &links);
    // Copies that nothing else is like.
    let is_copied = |unit: &usize| units[*unit].members.len() > 1 && !units[*unit].is_confirmed;
    let alone: Vec<usize> = (0..units.len()).filter(|unit| is_copied(unit) && groups.iter().all(|it| !it.contains(unit))).collect();
    groups.extend(alone.into_iter().map(|it| vec![it]));
    let candidates = groups.into_iter().map(|group| {
        let of_pairs = pairs_of(&group).filter_map(|pair| links.get(&pair).copied());
        let mut scores: Vec<Score> = of_pairs.collect();
        if let ([unit], []) = (&group[..], &scores[..]) {
            scores.push(score(&scored[units[*unit].members[0]], &scored[units[*unit].members[1]]));
        }
        let mut members: Vec<usize> = group.iter().flat_map(|unit| units[*unit].members.iter().copied()).collect();
        members.sort_unstable();
        Candidates { members, score: Score::mean(&scores) }
    });
    let mut candidates: Vec<Candidates> = candidates.collect();
    candidates.sort_by_key(|it| (Reverse(it.score.total()), it.members.clone()));
    candidates
}

fn pairs_of(group: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    group.iter().enumerate().flat_map(|(at, a)| group[at + 1..].iter().map(|b| (*a.min(b), *a.max(b))))
}

/// The groups of units: those whose pairs all have the score of a group, and the best pair of each unit in none of these.
fn linked(n_units: usize, links: &BTreeMap<(usize, usize), Score>) -> Vec<Vec<usize>> {
    let mut best: Vec<(usize, usize, usize)> = links.iter().map(|((a, b), score)| (score.total(), *a, *b)).collect();
    best.sort_by_key(|(total, a, b)| (Reverse(*total), *a, *b));
    let mut groups: Vec<Vec<usize>> = (0..n_units).map(|it| vec![it]).collect();
    let mut group_of: Vec<usize> = (0..n_units).collect();
    for (_, a, b) in best.iter().filter(|it| it.0 >= OF_A_GROUP) {
        let (kept, gone) = (group_of[*a].min(group_of[*b]), group_of[*a].max(group_of[*b]));
        let is_close = |a: usize, b: usize| links.get(&(a.min(b), a.max(b))).is_some_and(|it| it.total() >= OF_A_GROUP);
        if kept != gone && groups[kept].iter().all(|a| groups[gone].iter().all(|b| is_close(*a, *b))) {
            let moved = std::mem::take(&mut groups[gone]);
            moved.iter().for_each(|it| group_of[*it] = kept);
            groups[kept].extend(moved);
        }
    }
    let mut is_alone: Vec<bool> = (0..n_units).map(|it| groups[group_of[it]].len() == 1).collect();
    groups.retain(|it| it.len() > 1);
    for (_, a, b) in best {
        if is_alone[a] || is_alone[b] {
            groups.push(vec![a, b]);
            (is_alone[a], is_alone[b]) = (false, false);
        }
    }
    groups
}

/// The scores of all pairs that can have that of a pair.
fn scores(scored: &[Scored<'_>], speak: &[usize]) -> BTreeMap<(usize, usize), Score> {
    let mut having: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for idx in speak {
        for name in state_names(scored[*idx].statement) {
            having.entry(name).or_default().push(*idx);
        }
    }
    let mut n_shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for same in having.values().filter(|it| it.len() <= MAX_SHARING) {
        pairs_of(same).for_each(|pair| *n_shared.entry(pair).or_default() += 1);
    }
    // A state has several names, so no more states are shared than names.
    let can_be = |((a, b), n): &((usize, usize), usize)| *n > 1 && at_most(*n, &scored[*a], &scored[*b]) >= OF_A_PAIR;
    let pairs: Vec<(usize, usize)> = n_shared.into_iter().filter(can_be).map(|it| it.0).collect();
    let scores = parallel::map(&pairs, |(a, b)| score(&scored[*a], &scored[*b]));
    pairs.into_iter().zip(scores).collect()
}

/// The units: every statement is in one.
fn units(statements: &[Statement], sources: &Sources, confirmed: &Confirmed) -> Vec<Unit> {
    let mut taken = vec![false; statements.len()];
    let mut units = Vec::new();
    for members in confirmed.same(statements) {
        members.iter().for_each(|it| taken[*it] = true);
        units.push(Unit { members, is_confirmed: true });
    }
    let mut copies: BTreeMap<(&str, u32, &str), Vec<usize>> = BTreeMap::new();
    for (idx, it) in statements.iter().enumerate().filter(|(idx, _)| !taken[*idx]) {
        // The name, the place and the whole text: what copies have in common.
        copies.entry((&it.name, it.span.start, sources.get(it.span.source).text())).or_default().push(idx);
    }
    units.extend(copies.into_values().map(|members| Unit { members, is_confirmed: false }));
    units.sort_by_key(|it| it.members[0]);
    units
}

/// The pairs of units that the project confirms as different.
fn different(statements: &[Statement], confirmed: &Confirmed, unit_of: &[usize]) -> BTreeSet<(usize, usize)> {
    let mut different = BTreeSet::new();
    for list in &confirmed.different {
        let units: Vec<usize> = list.iter().filter_map(|it| confirmed.find(statements, it).ok()).map(|it| unit_of[it]).collect();
        different.extend(pairs_of(&units));
    }
    different
}
