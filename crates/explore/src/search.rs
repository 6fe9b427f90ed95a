//! Breadth-first search, so that the first trace found to a configuration is a shortest one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::Limits;
use super::graph::Graph;
use super::report::Limit;
use super::space::{Outcome, Ran, Space};
use super::table::Table;

/// A marker larger than any number of a configuration or a call.
const NOWHERE: u32 = u32::MAX;

/// The state and the results of a search.
pub(super) struct Search {
    pub(super) states: Table,
    pub(super) graph: Graph,
    /// The limit that stopped the search, if one did.
    pub(super) stopped: Option<Limit>,
    /// The number of configurations in which every call was tried.
    pub(super) n_expanded: usize,
    pub(super) depth: usize,
    pub(super) transitions: usize,
    /// The steps that violate an invariant: the first configuration and step, and the number of configurations.
    pub(super) broken: BTreeMap<usize, (Option<(usize, usize)>, usize)>,
    /// The calls that would create an instance beyond the population.
    pub(super) cut: Vec<(usize, usize)>,
    /// The configurations in which something was left out.
    pub(super) omitted: BTreeSet<usize>,
    /// The configurations that only lead to themselves.
    pub(super) staying: BTreeSet<usize>,
    /// The transactions that ever succeeded; the last entry is for direct transitions.
    pub(super) possible: Vec<bool>,
    pub(super) elapsed: Duration,
    /// The configuration and the step from which each one was first reached; for a start, its number.
    parents: Vec<(u32, u32)>,
}

impl Search {
    /// A shortest trace to a configuration: the start, and the steps that lead there.
    pub(super) fn trace(&self, mut state: usize) -> (usize, Vec<usize>) {
        let mut calls = Vec::new();
        loop {
            let (from, call) = self.parents[state];
            if from == NOWHERE {
                calls.reverse();
                return (call as usize, calls);
            }
            calls.push(call as usize);
            state = from as usize;
        }
    }
}

pub(super) fn search(space: &mut dyn Space, limits: &Limits) -> Result<Search, String> {
    let began = Instant::now();
    let starts = space.starts()?;
    let mut search = Search {
        states: Table::new(space.slots().len()),
        graph: Graph::default(),
        stopped: None,
        n_expanded: 0,
        depth: 0,
        transitions: 0,
        broken: BTreeMap::new(),
        cut: Vec::new(),
        omitted: BTreeSet::new(),
        staying: BTreeSet::new(),
        possible: vec![false; space.transactions().len() + 1],
        elapsed: Duration::ZERO,
        parents: Vec::new(),
    };
    for (idx, start) in starts.iter().enumerate() {
        search.parents.push((NOWHERE, idx as u32));
        search.states.push(start);
    }
    if let Some(broken) = space.broken_at_start()? {
        search.broken.insert(broken, (None, 1));
    }
    // The end of the configurations at the current depth.
    let mut level_end = search.states.len();
    let (mut from, mut next) = (Vec::new(), Vec::new());
    while search.n_expanded < search.states.len() {
        let state = search.n_expanded;
        if state == level_end {
            search.depth += 1;
            level_end = search.states.len();
        }
        if search.depth >= limits.max_depth {
            search.stopped = Some(Limit::Depth);
            break;
        }
        from.clear();
        from.extend_from_slice(search.states.row(state));
        if !search.expand(space, limits, state, &from, &mut next)? {
            search.stopped = Some(Limit::States);
            break;
        }
        search.n_expanded += 1;
    }
    search.graph.finish(search.states.len());
    search.elapsed = began.elapsed();
    Ok(search)
}

impl Search {
    /// Tries every call in one configuration. False if there is no room for the resulting configurations.
    fn expand(&mut self, space: &mut dyn Space, limits: &Limits, state: usize, from: &[u32], next: &mut Vec<u32>) -> Result<bool, String> {
        let mut broken_here = Vec::new();
        let mut moves = false;
        for call in 0..space.n_calls() {
            let mut variant = 0;
            loop {
                let Ran { outcome, more } = space.run(call, variant, from, next)?;
                match outcome {
                    Outcome::Refused => {}
                    Outcome::Broken(invariant) => {
                        if !broken_here.contains(&invariant) {
                            broken_here.push(invariant);
                            let entry = self.broken.entry(invariant);
                            entry.or_insert_with(|| (Some((state, space.step(call, variant) as usize)), 0)).1 += 1;
                        }
                    }
                    Outcome::Cut => {
                        self.possible[space.transaction(call)] = true;
                        self.cut.push((state, call));
                    }
                    Outcome::Omitted => _ = self.omitted.insert(state),
                    Outcome::Moved | Outcome::Over => {
                        if outcome == Outcome::Moved {
                            moves = true;
                            self.possible[space.transaction(call)] = true;
                            self.transitions += 1;
                        }
                        let to = match self.states.find(next) {
                            Some(to) => to,
                            None if self.states.len() >= limits.max_states.min(NOWHERE as usize) => return Ok(false),
                            None => {
                                self.parents.push((state as u32, space.step(call, variant)));
                                self.states.push(next)
                            }
                        };
                        self.graph.push(to as u32);
                    }
                }
                if !more {
                    break;
                }
                variant += 1;
            }
        }
        if self.graph.end_of_state(state) == 0 && moves {
            self.staying.insert(state);
        }
        Ok(true)
    }
}
