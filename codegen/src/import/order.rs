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
        let entering: Vec<String> = draft
            .entered_by(&starts, row)
            .into_iter()
            .filter(|it| !draft.states[*it].entry.is_empty())
            .map(|it| format!("`{}`", draft.states[it].id))
            .collect();
        if !row.effects.is_empty() && row.from != From::Creation && !entering.is_empty() {
            let message = format!(
                "the chart performs what this step does before it enters {}, and a spec behind the effects of entering it",
                entering.join(" and ")
            );
            found.assumed(row.span, message);
        }
        if matches!(row.trigger, Trigger::Automatic | Trigger::Done) && row.is_guarded() && draft.may_change_before(&starts, row) {
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

    /// Whether effects that come before an automatic row in the same call may change what its condition reads. A log changes nothing.
    fn may_change_before(&self, starts: &[Vec<Goal>], row: &Row) -> bool {
        let From::State(from) = row.from else { return true };
        let changes = |effects: &[Effect]| effects.iter().any(|it| it.text != "log" && !it.text.starts_with("log "));
        let leads_here = |other: &Row| match other.from {
            _ if other.to.is_some() => self.entered_by(starts, other).into_iter().any(|it| self.is_in(it, Some(from))),
            From::State(source) => self.may_be_active(source, from),
            From::Any | From::Creation => true,
        };
        let does = |other: &Row| {
            let exits = |of: usize| self.path(of).any(|it| changes(&self.states[it].exit));
            changes(&other.effects) || matches!(other.from, From::State(of) if other.to.is_some() && exits(of))
        };
        let is_entered = |state: usize| self.is_in(state, Some(from)) || self.is_in(from, Some(state));
        let entries = (0..self.states.len()).any(|it| is_entered(it) && changes(&self.states[it].entry));
        entries || self.rows.iter().filter(|it| !std::ptr::eq(*it, row)).any(|it| does(it) && leads_here(it))
    }
}
