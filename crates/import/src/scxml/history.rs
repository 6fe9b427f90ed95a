//! Histories: what each remembers, and where it leads if it remembers nothing.

use std::collections::BTreeSet;

use roxmltree::Node;

use super::{Local, Reader, is_content};
use crate::draft::{Draft, Goal};

/// A history of a chart.
pub(super) struct History<'a> {
    pub(super) node: Node<'a, 'a>,
    /// The state around it.
    pub(super) state: usize,
    pub(super) shallow: bool,
    /// The histories of the spec that it is together; none if there is nothing to remember, or no field for it.
    pub(super) remembers: Vec<Goal>,
    /// Where it leads if nothing is remembered; none if to the start of its state.
    pub(super) default: Vec<Goal>,
}

/// Targets where nothing is remembered: each history leads to its default.
pub(super) fn forgotten(targets: &[Goal], histories: &[History<'_>], draft: &Draft) -> Vec<Goal> {
    let mut plain = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<Goal> = targets.iter().rev().copied().collect();
    while let Some((state, history)) = open.pop() {
        let Some(of) = history.map(|it| draft.recalls[it].of) else {
            plain.push((state, None));
            continue;
        };
        match histories[of].default.as_slice() {
            [] => plain.push((state, None)),
            default if seen.insert(of) => open.extend(default.iter().rev()),
            // Another region of the same history.
            _ => {}
        }
    }
    plain
}

/// Where the chart starts the machine and each of its composites, at any depth: states, or histories of these. Several are in
/// different regions.
pub(super) struct Starts {
    pub(super) of_machine: Vec<Goal>,
    pub(super) of_state: Vec<Vec<Goal>>,
}

impl Starts {
    /// The same where nothing is remembered: a composite that starts in its own history does so in the default of that, else in its
    /// first state.
    pub(super) fn fresh(&self, histories: &[History<'_>], draft: &Draft) -> Starts {
        let of = |whole: usize| {
            let there: Vec<Goal> = forgotten(&self.of_state[whole], histories, draft).into_iter().filter(|it| it.0 != whole).collect();
            let first = draft.inside(Some(whole)).first().map(|it| (*it, None)).filter(|_| !draft.is_parallel(Some(whole)));
            if there.is_empty() { first.into_iter().collect() } else { there }
        };
        Starts { of_machine: forgotten(&self.of_machine, histories, draft), of_state: (0..self.of_state.len()).map(of).collect() }
    }
}

impl<'a> Reader<'a> {
    /// What each history remembers, and what it leads to where it remembers nothing.
    pub(super) fn histories(&mut self) -> Vec<History<'a>> {
        let mut found = Vec::new();
        for (of, (node, state)) in std::mem::take(&mut self.histories).into_iter().enumerate() {
            let is_shallow = node.attribute("type") != Some("deep");
            let mut remembers = Vec::new();
            match self.draft.remembering(state, is_shallow) {
                Some(states) => remembers = self.draft.remember(&states, is_shallow, of),
                None => {
                    let name = self.draft.states[state].id.clone();
                    let message = format!(
                        "the history of `{name}` would have to remember a state with regions, and a field remembers one leaf: transitions to it lead to its default, else to where `{name}` starts"
                    );
                    self.loss(node, message);
                }
            }
            if let Some(id) = node.attribute("id") {
                self.by_id.insert(id.to_owned(), state);
                if !remembers.is_empty() {
                    self.history_of.insert(id.to_owned(), remembers.clone());
                }
            }
            found.push(History { node, state, shallow: is_shallow, remembers, default: Vec::new() });
        }
        // A default may be another history.
        for history in &mut found {
            self.only_one_transition(history.node);
            let transition = history.node.children().find(|it| it.has_tag_name_local("transition"));
            if let Some(transition) = transition.filter(|it| it.children().any(is_content)) {
                self.loss(transition, "a history performs nothing in a spec: what its default contains was left out");
            }
            transition.into_iter().for_each(|it| self.no_trigger(it));
            let default = transition.and_then(|it| it.attribute("target"));
            for name in self.spaces.states(default.unwrap_or_default()) {
                match (self.history_of.get(name), self.by_id.get(name)) {
                    (Some(all), _) => history.default.extend(all.iter().filter(|it| !history.remembers.contains(it))),
                    (None, Some(known)) => history.default.push((*known, None)),
                    (None, None) => self.loss(history.node, format!("there is no state `{name}`: this default was left out")),
                }
            }
            let state = history.state;
            if let Some(outside) = history.default.iter().find(|it| !self.draft.is_in(it.0, Some(state))) {
                let (whole, name) = (&self.draft.states[state].id, &self.draft.states[outside.0].id);
                let message = format!("the history of `{whole}` leads into it, and `{name}` is outside: this default was left out");
                self.loss(history.node, message);
            }
            history.default.retain(|it| self.draft.is_in(it.0, Some(state)) && (it.0 != state || it.1.is_some()));
        }
        // What remembers nothing is its default.
        for history in found.iter().filter(|it| it.remembers.is_empty() && !it.default.is_empty()) {
            self.history_of.extend(history.node.attribute("id").map(|it| (it.to_owned(), history.default.clone())));
        }
        found
    }

    /// Reports the shallow history of a parallel state with a default that is not where its regions start: the spec remembers
    /// nothing of it.
    pub(super) fn check_default(&mut self, history: &History<'a>, fresh: &Starts) {
        let whole = Some(history.state);
        let Some((default, _)) = history.default.first().filter(|_| history.shallow && self.draft.is_parallel(whole)) else { return };
        let entered = |targets: &[Goal]| self.draft.entered(&fresh.of_state, whole, targets);
        if entered(&history.default) != entered(&[]) {
            let (name, there) = (&self.draft.states[history.state].id, &self.draft.states[*default].id);
            let message = format!("once `{name}` was left, the chart goes to where its regions start, and a spec to `{there}`");
            self.loss(history.node, message);
        }
    }

    /// A spec leads to the start of a state where it remembers nothing, a chart to the default of its history.
    pub(super) fn lead_to_defaults(&mut self, histories: &[History<'a>], starts: &Starts, fresh: &Starts) {
        let of_spec = self.draft.starts();
        let mut outermost_first: Vec<usize> = (0..histories.len()).collect();
        outermost_first.sort_by_key(|it| self.draft.path(histories[*it].state).count());
        for of in outermost_first {
            let History { state, default, .. } = &histories[of];
            let draft = &self.draft;
            // From outside, nothing is remembered of the states inside, either.
            let from_outside = draft.entered(&fresh.of_state, Some(*state), &forgotten(default, histories, draft));
            let of_own = |it: &Goal| if it.0 == *state { forgotten(&[*it], histories, draft) } else { vec![*it] };
            let from_inside = draft.entered(&starts.of_state, Some(*state), &default.iter().flat_map(of_own).collect::<Vec<_>>());
            let in_spec = draft.entered(&of_spec, Some(*state), &[]);
            let there = |is_inside: bool| if is_inside { &from_inside } else { &from_outside };
            let elsewhere = |is_inside: bool| Some(there(is_inside).clone()).filter(|it| *it != in_spec);
            self.draft.lead_to_default(of, *state, default, elsewhere);
        }
    }
}
