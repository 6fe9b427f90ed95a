//! The states that a microstep leaves and enters, as in appendix D of the SCXML recommendation.
//!
//! ```text
//! active states, source, targets ──domains──▶ the states inside which all is left
//! what stays, targets of all rows ──entries──▶ the states around the targets, and the regions that start with them
//! ```

use super::machine::{Edge, Transition};
use super::{Configuration, Machine, StateId};

impl Machine {
    /// The active states that a row leaves, in the order of states. `leaves` are the leaves that it leads to; `source` is the state
    /// that the row names, none for the whole machine.
    pub fn exit_set(&self, row: &Transition, source: Option<StateId>, leaves: &[StateId], configuration: &Configuration) -> Vec<StateId> {
        let active = self.active(configuration);
        let domains = self.domains(row, source, leaves, &active);
        active.into_iter().filter(|id| self.is_inside(*id, &domains)).collect()
    }

    /// The states inside which everything that is active is left.
    fn domains(&self, row: &Transition, source: Option<StateId>, leaves: &[StateId], active: &[StateId]) -> Vec<Option<StateId>> {
        let contains_all = |whole: StateId| leaves.iter().all(|it| self.is_in(*it, whole));
        match self.reentered(row) {
            Some(outer) => vec![self.ancestors(outer).skip(1).find(|it| !self.state(*it).parallel && contains_all(*it))],
            None => leaves.iter().map(|to| self.domain(source, *to, active)).collect(),
        }
    }

    fn is_inside(&self, id: StateId, domains: &[Option<StateId>]) -> bool {
        domains.iter().any(|it| it.is_none_or(|domain| id != domain && self.is_in(id, domain)))
    }

    /// Whether an edge leaves a state, if this is active, whatever other leaves are.
    pub fn may_leave(&self, edge: &Edge, state: StateId) -> bool {
        let Some(from) = edge.from else { return false };
        let may_be_active = self.is_in(from, state) || self.parallel_around(state, from).is_some();
        may_be_active && self.is_inside(state, &self.domains_of(edge, from, &self.targets(edge)))
    }

    /// Whether an edge that leads to some leaves leaves `leaf`, which is active with its source.
    pub(crate) fn leaves_with(&self, edge: &Edge, leaf: StateId, targets: &[StateId]) -> bool {
        edge.from.is_some_and(|from| self.is_inside(leaf, &self.domains_of(edge, from, targets)))
    }

    /// The leaves in other regions that an edge leaves.
    pub(crate) fn left_beside(&self, edge: &Edge) -> Vec<StateId> {
        let Some(from) = edge.from else { return Vec::new() };
        let domains: Vec<Option<StateId>> = self.endings(edge).iter().flat_map(|it| self.domains_of(edge, from, it)).collect();
        // Only a domain around a parallel state, or in another region, has leaves of another region inside.
        let is_own = |domain: &Option<StateId>| {
            domain.is_some_and(|it| {
                self.is_in(from, it) && self.ancestors(from).take_while(|id| *id != it).all(|id| !self.state(id).parallel)
            })
        };
        if domains.iter().all(is_own) {
            return Vec::new();
        }
        self.leaves().filter(|it| self.parallel_around(*it, from).is_some() && self.is_inside(*it, &domains)).collect()
    }

    /// Whether an edge may enter a state, whatever leaves are active.
    pub fn may_enter(&self, edge: &Edge, state: StateId) -> bool {
        let targets = self.targets(edge);
        if !targets.iter().any(|it| self.is_in(*it, state)) {
            return false;
        }
        let Some(from) = edge.from else { return true };
        !self.active_with(from).contains(&state) || self.is_inside(state, &self.domains_of(edge, from, &targets))
    }

    fn domains_of(&self, edge: &Edge, from: StateId, targets: &[StateId]) -> Vec<Option<StateId>> {
        self.domains(self.transition(edge.transition), edge.source, targets, &self.active_with(from))
    }

    /// The states that are active wherever a leaf is: those around it, and their regions.
    fn active_with(&self, leaf: StateId) -> Vec<StateId> {
        let around = self.ancestors(leaf).map(Some).chain([None]).filter(|it| self.is_parallel(*it));
        let mut active: Vec<StateId> = around.flat_map(|it| self.inside(it).into_owned()).chain(self.ancestors(leaf)).collect();
        active.sort_unstable();
        active.dedup();
        active
    }

    /// The innermost active composite around a target that contains the source or lies inside it: nothing around it is left,
    /// and all that is active inside it. `None` is the whole machine.
    fn domain(&self, source: Option<StateId>, to: StateId, active: &[StateId]) -> Option<StateId> {
        let is_related = |it: StateId| source.is_none_or(|source| self.is_in(source, it) || self.is_in(it, source));
        self.ancestors(to).skip(1).find(|it| active.binary_search(it).is_ok() && !self.state(*it).parallel && is_related(*it))
    }

    /// The states to enter, in the order of states, so that these leaves become active beside the states that stay: the states
    /// around them, and the start of every region that would be left without an active state.
    pub fn entry_set(&self, staying: &[StateId], leaves: &[StateId]) -> Vec<StateId> {
        let mut active = staying.to_vec();
        let mut entered = Vec::new();
        let mut enter = |leaf: StateId, active: &mut Vec<StateId>| {
            for id in self.ancestors(leaf) {
                if active.contains(&id) {
                    break;
                }
                active.push(id);
                entered.push(id);
            }
        };
        leaves.iter().for_each(|it| enter(*it, &mut active));
        let mut n_seen = 0;
        let mut wholes = if self.parallel { vec![None] } else { Vec::new() };
        loop {
            // Only a state that is entered can have regions without an active state; those that start now may contain others.
            wholes.extend(active[n_seen..].iter().filter(|it| self.state(**it).parallel).map(|it| Some(*it)));
            n_seen = active.len();
            for whole in std::mem::take(&mut wholes) {
                for region in self.inside(whole).iter() {
                    if !active.contains(region) {
                        self.default_leaves(*region).into_iter().for_each(|it| enter(it, &mut active));
                    }
                }
            }
            if active.len() == n_seen {
                break;
            }
        }
        entered.sort_unstable();
        entered
    }
}
