//! Reports of what comes in another order in a spec: rows, effects, and conditions that effects can change.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::draft::{Draft, Effect, Findings, From, Goal, Row, Trigger};

/// Reports rows of one event and the same guards that lead from one state to several: of these, a spec takes the first.
pub(super) fn report_forks(draft: &Draft, found: &mut Findings) {
    if draft.kind == Kind::Chart {
        // The order of a chart says when: its first transition is taken.
        return;
    }
    let mut first: BTreeMap<_, &Row> = BTreeMap::new();
    for row in draft.rows.iter().filter(|it| it.from != From::Creation) {
        for event in &row.events {
            let before = *first.entry((row.from, event, &row.guards, &row.composed, &row.when)).or_insert(row);
            let (Some(here), Some(there)) = (row.to, before.to) else { continue };
            if here != there {
                let name = |idx: usize| format!("`{}`", draft.states[idx].id);
                let from = if let From::State(from) = row.from { name(from) } else { "every state".to_owned() };
                let message = format!(
                    "no guard says when `{event}` leads from {from} to {}, and when to {}: a spec takes the first row",
                    name(there),
                    name(here)
                );
                found.assumed(row.span, message);
            }
        }
    }
}

/// Reports what charts do in another order: the effects of a step come before those of entering a state, and before the next
/// condition is looked at.
pub(super) fn report_order(draft: &Draft, found: &mut Findings) {
    if draft.kind != Kind::Chart {
        return;
    }
    let starts = draft.starts();
    for row in &draft.rows {
        if !row.effects.is_empty() && row.from != From::Creation {
            let together = draft.rows.iter().filter(|it| draft.are_taken_together(row, it)).chain([row]);
            let entered: BTreeSet<usize> = together.flat_map(|it| draft.entered_by(&starts, it)).collect();
            let with_effects = entered.into_iter().filter(|it| !draft.states[*it].entry.is_empty());
            let entering: Vec<String> = with_effects.map(|it| format!("`{}`", draft.states[it].id)).collect();
            if !entering.is_empty() {
                let names = entering.join(" and ");
                let message =
                    format!("the chart performs what this step does before the effects of entering {names}, and a spec behind them");
                found.assumed(row.span, message);
            }
        }
        if row.is_guarded() && draft.may_change_before(&starts, row) {
            let message = "the chart looks at this condition when the effects of the steps before it are performed, and a spec before it performs any: where they change what the condition reads, let your code raise an event instead";
            found.assumed(row.span, message);
        }
    }
}

impl Draft {
    /// The states that a row enters, from the outside in; those that it may stay in are not among them.
    fn entered_by(&self, starts: &[Vec<Goal>], row: &Row) -> BTreeSet<usize> {
        let targets = row.targets();
        let leaves = targets.iter().flat_map(|it| self.goals(starts, *it));
        let all = leaves.flat_map(|(leaf, _)| self.path(leaf).collect::<Vec<_>>());
        let From::State(from) = row.from else { return all.collect() };
        let is_left_for_itself = targets.iter().any(|it| it.0 == from) && self.inside(Some(from)).is_empty();
        let outer = targets.iter().map(|it| it.0).find(|it| self.is_in(from, Some(*it))).unwrap_or(from);
        let is_again = |state: usize| (row.reenter && self.is_in(state, Some(outer))) || (is_left_for_itself && state == from);
        all.filter(|it| !self.is_in(from, Some(*it)) || is_again(*it)).collect()
    }

    /// Whether one event can take both rows, in different regions.
    fn are_taken_together(&self, row: &Row, other: &Row) -> bool {
        let (From::State(a), From::State(b)) = (row.from, other.from) else { return false };
        let is_shared = row.events.iter().any(|it| other.events.contains(it));
        is_shared && self.are_in_different_regions(a, b)
    }

    /// Whether effects that come before a row in the same call may change what its condition reads. Only rows that the machine takes
    /// by itself come behind others: automatic ones, those of states that are done, and those of events that it raises.
    fn may_change_before(&self, starts: &[Vec<Goal>], row: &Row) -> bool {
        let is_by_itself = |it: &Row| matches!(it.trigger, Trigger::Automatic | Trigger::Done) || self.raises(it);
        let mut seen = BTreeSet::new();
        let mut open = Vec::from_iter(is_by_itself(row).then_some(row.from));
        while let Some(from) = open.pop() {
            if !seen.insert(from) {
                continue;
            }
            let From::State(from) = from else { return true };
            let is_entered = |state: usize| self.is_in(state, Some(from)) || self.is_in(from, Some(state));
            if (0..self.states.len()).any(|it| is_entered(it) && changes(&self.states[it].entry)) {
                return true;
            }
            for before in self.rows.iter().filter(|it| !std::ptr::eq(*it, row) && self.leads_to(starts, it, from)) {
                let exits = |of: usize| self.path(of).any(|it| changes(&self.states[it].exit));
                if changes(&before.effects) || matches!(before.from, From::State(of) if before.to.is_some() && exits(of)) {
                    return true;
                }
                open.extend(is_by_itself(before).then_some(before.from));
            }
        }
        false
    }

    /// Whether the machine itself raises an event of a row.
    fn raises(&self, row: &Row) -> bool {
        row.events.iter().any(|event| self.raised_at_start.contains(event) || self.rows.iter().any(|it| it.raise.contains(event)))
    }

    /// Whether a machine may be in a state behind a row.
    fn leads_to(&self, starts: &[Vec<Goal>], row: &Row, state: usize) -> bool {
        match row.from {
            _ if row.to.is_some() => self.entered_by(starts, row).into_iter().any(|it| self.may_be_active(it, state)),
            From::State(source) => self.may_be_active(source, state),
            From::Any | From::Creation => true,
        }
    }
}

/// Whether effects may change what a condition reads. A log changes nothing.
fn changes(effects: &[Effect]) -> bool {
    effects.iter().any(|it| it.text != "log" && !it.text.starts_with("log "))
}
