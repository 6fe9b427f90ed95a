//! Histories in a draft: what they remember, and where rows lead that find nothing remembered.

use super::draft::{Draft, From, Goal, Recall};
use super::field::Field;

impl Draft {
    /// The states whose histories together are the history of a state: itself, or the regions inside that have more than one
    /// leaf and no regions inside. `None` if no fields express it.
    pub(super) fn remembering(&self, state: usize, shallow: bool) -> Option<Vec<usize>> {
        let is_parallel_inside = |it: usize| self.states[it].parallel && self.is_in(it, Some(state));
        match (0..self.states.len()).any(is_parallel_inside) {
            false => Some(vec![state]),
            // All regions are entered in any case.
            true if shallow => self.states[state].parallel.then(Vec::new),
            true => self.remembering_regions(state),
        }
    }

    fn remembering_regions(&self, state: usize) -> Option<Vec<usize>> {
        let children = self.inside(Some(state));
        if self.states[state].parallel {
            let all: Option<Vec<Vec<usize>>> = children.into_iter().map(|it| self.remembering_regions(it)).collect();
            return all.map(|it| it.concat());
        }
        let inside: Vec<usize> = (0..self.states.len()).filter(|it| self.is_in(*it, Some(state))).collect();
        if inside.iter().any(|it| self.states[*it].parallel) {
            // Of several states, a field would have to remember which it was, beside those of the regions.
            return if let [only] = children[..] { self.remembering_regions(only) } else { None };
        }
        let n_leaves = inside.iter().filter(|it| self.inside(Some(**it)).is_empty()).count();
        Some(if n_leaves > 1 { vec![state] } else { Vec::new() })
    }

    /// Gives these states a history each, with a field of its own, unless they have one of this kind; a target for each. What
    /// `of` numbers is the history of the text.
    pub(super) fn remember(&mut self, states: &[usize], shallow: bool, of: usize) -> Vec<Goal> {
        let mut goals = Vec::new();
        for state in states {
            let known = self.states[*state].histories.iter().find(|it| it.1 == shallow).map(|it| it.0.clone());
            let field = known.unwrap_or_else(|| self.add_history(*state, shallow));
            self.recalls.push(Recall { field, of });
            goals.push((*state, Some(self.recalls.len() - 1)));
        }
        goals
    }

    fn add_history(&mut self, state: usize, shallow: bool) -> String {
        let slug = super::naming::slug(&self.states[state].id, "state");
        let stem = match (self.states[state].histories.is_empty(), shallow) {
            (true, _) => format!("last_{slug}"),
            (false, true) => format!("last_{slug}_child"),
            (false, false) => format!("last_{slug}_leaf"),
        };
        let mut name = stem.clone();
        let mut number = 1;
        while self.fields.iter().any(|it| it.name == name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.fields.push(Field { name: name.clone(), ty: "state", default: None, optional: true });
        self.states[state].histories.push((name.clone(), shallow));
        name
    }

    /// Puts a row before each that leads to a history of the text, for the case that nothing is remembered. `default` is what the
    /// text leads to there; nothing if to where the state starts. `elsewhere` is what this enters, for a source inside the state and for any other; `None` if what the
    /// spec enters.
    pub(super) fn lead_to_default(&mut self, of: usize, whole: usize, default: &[Goal], elsewhere: impl Fn(bool) -> Option<Vec<Goal>>) {
        let is_of = |draft: &Draft, it: &Goal| it.1.is_some_and(|it| draft.recalls[it].of == of);
        for idx in (0..self.rows.len()).rev() {
            let row = &self.rows[idx];
            let targets = row.targets();
            let Some(recalled) = targets.iter().find(|it| is_of(self, it)).filter(|_| row.from != From::Creation) else { continue };
            let is_inside = match row.from {
                From::State(from) => self.is_in(from, Some(whole)),
                From::Any | From::Creation => true,
            };
            let (Some(there), Some(recall)) = (elsewhere(is_inside), recalled.1) else { continue };
            let mut first = row.clone();
            let instead = |of_recalled: &[Goal]| {
                let of = |it: &Goal| if it == recalled { of_recalled.to_vec() } else { vec![*it] };
                targets.iter().filter(|it| *it == recalled || !is_of(self, it)).flat_map(of).collect::<Vec<_>>()
            };
            first.lead_to(&instead(&there));
            // What the text leaves depends on what it leads to, but for a step that stays inside its source.
            if let From::State(from) = row.from
                && row.domain != Some(from)
            {
                let start = [(whole, None)];
                first.domain = self.domain(from, &instead(if default.is_empty() { &start } else { default }));
            }
            first.when.push(format!("{} == null", self.recalls[recall].field));
            self.rows.insert(idx, first);
        }
    }

    /// Whether a target is a shallow history: a state directly inside, which starts anew.
    pub(super) fn recalls_a_child(&self, target: Goal) -> bool {
        let field = target.1.map(|it| &self.recalls[it].field);
        self.states[target.0].histories.iter().any(|(name, shallow)| *shallow && Some(name) == field)
    }
}
