//! Where the machine and its composites start. A spec marks a child of each composite; a text names any state inside.
//!
//! ```text
//! the machine starts in `a2`, and `a` in `a1`:  a2: { initial: true }, and rows to `a` lead to `a1`
//! ```

use super::draft::{Draft, From, Goal};
use super::finish::names::state_names;

impl Draft {
    /// Marks where the machine and its composites start, at any depth. Where two starts differ, that of the outer one is marked:
    /// [`Draft::lead_to_starts`] leads rows to the other one.
    pub(super) fn mark_starts(&mut self, of_machine: &[Goal], of_state: &[Vec<Goal>]) {
        self.mark_start(None, of_machine);
        let mut outer_first: Vec<usize> = (0..of_state.len()).filter(|it| !of_state[*it].is_empty()).collect();
        outer_first.sort_by_key(|it| self.path(*it).count());
        for whole in outer_first {
            self.mark_start(Some(whole), &of_state[whole]);
        }
    }

    fn mark_start(&mut self, whole: Option<usize>, targets: &[Goal]) {
        for target in targets {
            let inside: Vec<usize> = self.path(target.0).take_while(|it| Some(*it) != whole).collect();
            for state in inside {
                let parent = self.states[state].parent;
                if self.is_parallel(parent) {
                    continue;
                }
                let marked = self.inside(parent).into_iter().find(|it| self.states[*it].initial);
                let Some(marked) = marked else {
                    self.states[state].initial = true;
                    continue;
                };
                if let (true, Some(whole)) = (marked != state, whole) {
                    let (name, there) = (&self.states[whole].id, &self.states[target.0].id);
                    let message = format!("The machine or a state around `{name}` starts here; rows to `{name}` lead to `{there}`.");
                    self.states[marked].inferred.get_or_insert(message);
                }
            }
        }
    }

    /// Leads rows to where the text starts what they enter, if the spec would start it elsewhere.
    pub(super) fn lead_to_starts(&mut self, of_text: &[Vec<Goal>]) {
        let of_spec = self.starts();
        if of_spec == of_text {
            return;
        }
        let mut rows = std::mem::take(&mut self.rows);
        for row in rows.iter_mut().filter(|it| it.to.is_some()) {
            let targets = row.targets();
            let domain = match row.from {
                From::State(from) => row.domain.or_else(|| self.domain(from, &targets)),
                From::Creation | From::Any => None,
            };
            let entered = |starts: &[Vec<Goal>]| match row.from {
                From::Any => targets.iter().flat_map(|it| self.goals(starts, *it)).collect(),
                _ => self.entered(starts, domain, &targets),
            };
            let there = entered(of_text);
            if there != entered(&of_spec) {
                row.lead_to(&there);
            }
        }
        self.rows = rows;
    }

    /// A shallow history leads to a child, which starts anew: where the text starts this child elsewhere than the spec, a row of its own
    /// leads there.
    pub(super) fn lead_children_to_starts(&mut self, of_text: &[Vec<Goal>]) {
        let of_spec = self.starts();
        if of_spec == of_text {
            return;
        }
        let names = state_names(&self.states);
        let mut rows = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            let targets = row.targets();
            for recalled in targets.iter().filter(|it| self.recalls_a_child(**it)) {
                for child in self.inside(Some(recalled.0)) {
                    let there = self.entered(of_text, Some(child), &[]);
                    if there == self.entered(&of_spec, Some(child), &[]) {
                        continue;
                    }
                    let mut own = row.clone();
                    let of = |it: &Goal| if it == recalled { there.clone() } else { vec![*it] };
                    own.lead_to(&targets.iter().flat_map(of).collect::<Vec<_>>());
                    own.when.extend(recalled.1.map(|it| remembers(&self.recalls[it].field, &names[child])));
                    rows.push(own);
                }
            }
            rows.push(row);
        }
        self.rows = rows;
    }
}

/// The condition that a history leads into a state.
pub(super) fn remembers(field: &str, state: &str) -> String {
    format!("{field} != null and {field} in {}", named(state))
}

/// The name of a state in an expression.
pub(super) fn named(state: &str) -> String {
    if state.contains('-') { format!("'{state}'") } else { state.to_owned() }
}
