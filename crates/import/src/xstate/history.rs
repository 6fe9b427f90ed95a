//! Histories: what each remembers, and where it leads if it remembers nothing.

use statespec_lang::source::Span;
use statespec_lang::yaml::Node;

use super::Reader;
use super::values::{get, text};
use crate::draft::{From, Goal};

/// A history of the configuration.
pub(super) struct History<'a> {
    /// The state around it.
    pub(super) state: usize,
    pub(super) shallow: bool,
    /// Its key.
    pub(super) name: &'a str,
    /// The ids by which targets may name it.
    pub(super) names: Vec<String>,
    pub(super) body: &'a Node,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// Gives the states histories, once all states are known.
    pub(super) fn remember(&mut self) {
        for of in 0..self.histories.len() {
            let History { state, shallow, ref names, span, .. } = self.histories[of];
            match self.draft.remembering(state, shallow) {
                Some(states) => {
                    let goals = self.draft.remember(&states, shallow, of);
                    if !goals.is_empty() {
                        self.history_of.extend(names.iter().map(|it| (it.clone(), goals.clone())));
                    }
                }
                None => {
                    let whole = &self.draft.states[state].id;
                    let message = format!(
                        "the history of `{whole}` would have to remember a state with regions, and a field remembers one leaf: transitions to it lead to where `{whole}` starts"
                    );
                    self.draft.found.loss(span, message);
                }
            }
        }
    }

    /// Leads rows to a history to its target where nothing is remembered.
    pub(super) fn lead_to_defaults(&mut self) {
        let of_spec = self.draft.starts();
        for of in 0..self.histories.len() {
            let History { state, name, ref names, body, span, .. } = self.histories[of];
            let Some(target) = get(body, "target").and_then(text) else { continue };
            let found = match target.strip_prefix('#') {
                Some(_) => self.resolve(From::State(state), target),
                None => self.descend(Some(state), target.strip_prefix('.').unwrap_or(target)),
            };
            let is_plain = |it: &Vec<Goal>| it.iter().all(|it| it.1.is_none() && it.0 != state && self.draft.is_in(it.0, Some(state)));
            let in_spec = self.draft.entered(&of_spec, Some(state), &[]);
            let there = found.filter(is_plain).map(|it| self.draft.entered(&of_spec, Some(state), &it));
            match there {
                Some(there) if there == in_spec => {}
                Some(there) if names.iter().any(|it| self.history_of.contains_key(it)) => {
                    if !self.is_version_5 {
                        let whole = &self.draft.states[state].id;
                        let message = format!(
                            "once the machine has taken a step, version 4 goes to where `{whole}` starts if it was never left; a spec, as version 5, to the target of `{name}`"
                        );
                        self.draft.found.loss(span, message);
                    }
                    self.draft.lead_to_default(of, state, &there, |_| Some(there.clone()));
                }
                _ => {
                    let whole = &self.draft.states[state].id;
                    let message =
                        format!("where nothing is remembered, a spec goes to where `{whole}` starts: the target of `{name}` was left out");
                    self.draft.found.loss(span, message);
                }
            }
        }
    }
}
