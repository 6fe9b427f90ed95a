//! Regions in a draft: which states are in different ones, and states that go or move because of them.

use super::draft::{Draft, From, Goal, Row, State, Trigger};

/// Why a state is there that the text does not have.
const AROUND: &str = "A region has states inside it.";

impl Draft {
    /// Whether any state, or the machine, has regions.
    pub(super) fn has_regions(&self) -> bool {
        self.parallel || self.states.iter().any(|it| it.parallel)
    }

    /// Makes regions of the states inside parallel ones: a region has states inside it, so a single state and a parallel one get
    /// a state between, and a single region is none.
    pub(super) fn settle_regions(&mut self) {
        let all: Vec<Option<usize>> = std::iter::once(None).chain((0..self.states.len()).map(Some)).collect();
        for whole in all.into_iter().filter(|it| self.is_parallel(*it)).collect::<Vec<_>>() {
            let regions = self.inside(whole);
            if regions.len() < 2 {
                if let Some(only) = regions.first() {
                    self.states[*only].initial = true;
                }
                match whole {
                    Some(whole) => self.states[whole].parallel = false,
                    None => self.parallel = false,
                }
                continue;
            }
            for region in regions {
                self.states[region].initial = false;
                if self.inside(Some(region)).is_empty() {
                    let outer = &mut self.states[region];
                    let inner = State {
                        label: Some(outer.label.clone().unwrap_or_else(|| outer.id.clone())),
                        initial: true,
                        terminal: std::mem::take(&mut outer.terminal),
                        inferred: Some(AROUND.to_owned()),
                        ..State::new(format!("{} inside", outer.id), Some(region), outer.span)
                    };
                    self.states.push(inner);
                }
            }
        }
    }

    /// Puts a state around each region that is parallel itself. Returns the new positions of the regions that moved inside.
    pub(super) fn surround_parallel_regions(&mut self) -> Vec<(usize, usize)> {
        let mut moved = Vec::new();
        for idx in 0..self.states.len() {
            if !self.states[idx].parallel || !self.is_parallel(self.states[idx].parent) {
                continue;
            }
            if self.inside(self.states[idx].parent).len() < 2 {
                continue;
            }
            let inner = self.states.len();
            let around = State {
                inferred: Some(AROUND.to_owned()),
                ..State::new(format!("{} region", self.states[idx].id), self.states[idx].parent, self.states[idx].span)
            };
            let mut state = std::mem::replace(&mut self.states[idx], around);
            state.parent = Some(idx);
            state.initial = true;
            self.states.push(state);
            for child in 0..inner {
                if self.states[child].parent == Some(idx) {
                    self.states[child].parent = Some(inner);
                }
            }
            moved.push((idx, inner));
        }
        moved
    }

    /// Whether two states lie in different regions of one state.
    pub(super) fn are_in_different_regions(&self, a: usize, b: usize) -> bool {
        if self.is_in(a, Some(b)) || self.is_in(b, Some(a)) {
            return false;
        }
        self.is_parallel(self.path(a).find(|it| self.is_in(b, Some(*it))))
    }

    /// [`Draft::settle_regions`] once all rows are known, which follow what moves.
    pub(super) fn settle_moved_regions(&mut self) {
        for (before, now) in self.surround_parallel_regions() {
            self.renumber(|it| if it == before { now } else { it });
        }
        self.settle_regions();
    }

    /// Gives the states that rows name other positions.
    fn renumber(&mut self, now: impl Fn(usize) -> usize) {
        self.raising.iter_mut().for_each(|it| it.state = now(it.state));
        for row in &mut self.rows {
            if let From::State(from) = &mut row.from {
                *from = now(*from);
            }
            row.except.iter_mut().for_each(|it| *it = now(*it));
            let targets: Vec<Goal> = row.targets().into_iter().map(|it| (now(it.0), it.1)).collect();
            row.lead_to(&targets);
        }
    }

    /// Removes a state without states inside, which no row names.
    fn remove(&mut self, state: usize) {
        self.states.remove(state);
        let now = |it: usize| if it > state { it - 1 } else { it };
        self.states.iter_mut().filter_map(|it| it.parent.as_mut()).for_each(|it| *it = now(*it));
        self.renumber(now);
    }

    /// Makes the rows through a fork lead to all its targets at once; false if these are not in different regions.
    pub(super) fn resolve_fork(&mut self, fork: usize) -> bool {
        let (out, rest): (Vec<Row>, Vec<Row>) = self.rows.iter().cloned().partition(|it| it.from == From::State(fork));
        let targets: Vec<Goal> = out.iter().flat_map(Row::targets).collect();
        let apart = |(idx, a): (usize, &Goal)| targets[..idx].iter().all(|b| self.are_in_different_regions(a.0, b.0));
        let is_plain = out.iter().all(|it| it.events.is_empty() && it.guards.is_empty() && it.effects.is_empty());
        if targets.len() < 2 || !is_plain || !targets.iter().enumerate().all(apart) || !rest.iter().any(|it| it.to == Some(fork)) {
            return false;
        }
        self.rows = rest;
        self.rows.iter_mut().filter(|it| it.to == Some(fork)).for_each(|it| it.lead_to(&targets));
        self.remove(fork);
        true
    }

    /// Makes an automatic row of a join: it is taken when all regions are where their arrows begin.
    pub(super) fn resolve_join(&mut self, join: usize) -> bool {
        let (out, rest): (Vec<Row>, Vec<Row>) = self.rows.iter().cloned().partition(|it| it.from == From::State(join));
        let (into, rest): (Vec<Row>, Vec<Row>) = rest.into_iter().partition(|it| it.to == Some(join));
        let from = |it: &Row| if let From::State(from) = it.from { Some(from) } else { None };
        let sources: Vec<usize> = into.iter().filter_map(from).collect();
        let apart = |(idx, a): (usize, &usize)| sources[..idx].iter().all(|b| self.are_in_different_regions(*a, *b));
        let is_plain = |it: &Row| it.events.is_empty() && it.guards.is_empty() && it.effects.is_empty();
        let [only] = out.as_slice() else { return false };
        if sources.len() < 2
            || sources.len() != into.len()
            || !into.iter().all(is_plain)
            || !only.events.is_empty()
            || !sources.iter().enumerate().all(apart)
        {
            return false;
        }
        let mut row = Row { from: From::State(sources[0]), trigger: Trigger::Automatic, ..only.clone() };
        row.guards.extend(sources[1..].iter().map(|it| format!("In('{}')", self.states[*it].id)));
        self.rows = rest;
        self.rows.push(row);
        self.remove(join);
        true
    }

    /// Whether a state is in the spec only because a region has states inside it.
    pub(super) fn is_added(&self, state: usize) -> bool {
        self.states[state].inferred.as_deref() == Some(AROUND)
    }
}
