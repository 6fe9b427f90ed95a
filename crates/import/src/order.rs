//! Reports of what comes in another order in a spec: rows, effects, and conditions that effects can change.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::draft::{Draft, Effect, Findings, From, Goal, Row, Trigger};
use super::guard::asks_where;

/// Reports rows of one event and the same guards that lead from one state to several: of these, a spec takes the first.
pub(super) fn report_forks(draft: &Draft, found: &mut Findings) {
    if draft.kind == Kind::Chart {
        // The order of a chart says when: its first transition is taken.
        return;
    }
    let mut alike: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
    for row in &draft.rows {
        for event in &row.events {
            let before = alike.entry((event, &row.guards, &row.composed, &row.when)).or_default();
            let first = before.iter().find_map(|it| Some((*it, shared_source(it, row)?)));
            before.push(row);
            let Some((first, from)) = first else { continue };
            let (Some(here), Some(there)) = (row.to, first.to) else { continue };
            if here != there {
                let name = |idx: usize| format!("`{}`", draft.states[idx].id);
                let from = match from {
                    From::State(from) => name(from),
                    From::Any => "every state".to_owned(),
                    From::Creation => "the start".to_owned(),
                };
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

/// The source that two rows have in common.
fn shared_source(a: &Row, b: &Row) -> Option<From> {
    match (a.from, b.from) {
        (one, other) if one == other => Some(one),
        (From::Any, From::State(of)) if !a.except.contains(&of) => Some(b.from),
        (From::State(of), From::Any) if !b.except.contains(&of) => Some(a.from),
        _ => None,
    }
}

/// Reports what charts do in another order: the effects of a step come before those of entering a state, and before the next
/// condition is looked at.
pub(super) fn report_order(draft: &Draft, found: &mut Findings) {
    if draft.kind != Kind::Chart {
        return;
    }
    let order = Order::of(draft);
    for (idx, row) in draft.rows.iter().enumerate() {
        let entering = order.entering_with(idx);
        if !row.effects.is_empty() && row.from != From::Creation && !entering.is_empty() {
            let names = entering.join(" and ");
            let message = format!("the chart performs what this step does before the effects of entering {names}, and a spec behind them");
            found.assumed(row.span, message);
        }
        if reads_more(row) && order.may_change_before(idx) {
            let message = "the chart looks at this condition when the effects of the steps before it are performed, and a spec before it performs any: where they change what the condition reads, let your code raise an event instead";
            found.assumed(row.span, message);
        }
    }
}

/// What the rows of a chart enter, and what follows what.
struct Order<'a> {
    draft: &'a Draft,
    /// The states that each row enters, or may enter through a history; those that it may stay in are not among them.
    entered: Vec<BTreeSet<usize>>,
    /// The events that the machine itself raises.
    raised: BTreeSet<&'a str>,
}

impl<'a> Order<'a> {
    fn of(draft: &'a Draft) -> Self {
        let starts = draft.starts();
        let raised = draft.raised_at_start.iter().chain(draft.rows.iter().flat_map(|it| &it.raise));
        Order {
            draft,
            entered: draft.rows.iter().map(|it| entered_by(draft, &starts, it)).collect(),
            raised: raised.map(String::as_str).collect(),
        }
    }

    /// The names of the states with effects that are entered with a row, by it or by rows of other regions for the same event.
    fn entering_with(&self, row: usize) -> Vec<String> {
        let Draft { states, rows, .. } = self.draft;
        let together = (0..rows.len()).filter(|it| *it == row || self.are_taken_together(&rows[row], &rows[*it]));
        let entered: BTreeSet<usize> = together.flat_map(|it| &self.entered[it]).copied().collect();
        entered.into_iter().filter(|it| !states[*it].entry.is_empty()).map(|it| format!("`{}`", states[it].id)).collect()
    }

    /// Whether one event can take both rows, in different regions.
    fn are_taken_together(&self, row: &Row, other: &Row) -> bool {
        let (From::State(a), From::State(b)) = (row.from, other.from) else { return false };
        let is_shared = row.events.iter().any(|it| other.events.contains(it));
        is_shared && self.draft.are_in_different_regions(a, b)
    }

    /// Whether effects that come before a row in the same call may change what its condition reads.
    fn may_change_before(&self, row: usize) -> bool {
        let Draft { states, rows, .. } = self.draft;
        let mut seen = BTreeSet::new();
        let mut open = Vec::from_iter(self.is_by_itself(&rows[row]).then_some(rows[row].from));
        while let Some(from) = open.pop() {
            if !seen.insert(from) {
                continue;
            }
            let From::State(from) = from else { return true };
            let is_entered = |state: usize| self.draft.is_in(state, Some(from)) || self.draft.is_in(from, Some(state));
            if (0..states.len()).any(|it| is_entered(it) && changes(&states[it].entry)) {
                return true;
            }
            for (_, before) in rows.iter().enumerate().filter(|it| it.0 != row && self.leads_to(it.0, from)) {
                let exits = |of: usize| self.draft.path(of).any(|it| changes(&states[it].exit));
                if changes(&before.effects) || matches!(before.from, From::State(of) if before.to.is_some() && exits(of)) {
                    return true;
                }
                open.extend(self.is_by_itself(before).then_some(before.from));
            }
        }
        false
    }

    /// Whether the machine takes a row by itself, behind another one: automatic rows, those of states that are done, and those of
    /// events that it raises.
    fn is_by_itself(&self, row: &Row) -> bool {
        matches!(row.trigger, Trigger::Automatic | Trigger::Done) || row.events.iter().any(|it| self.raised.contains(it.as_str()))
    }

    /// Whether a machine may be in a state behind a row.
    fn leads_to(&self, row: usize, state: usize) -> bool {
        match self.draft.rows[row].from {
            _ if self.draft.rows[row].to.is_some() => self.entered[row].iter().any(|it| self.draft.may_be_active(*it, state)),
            From::State(source) => self.draft.may_be_active(source, state),
            From::Any | From::Creation => true,
        }
    }
}

/// The states that a row enters, and those that its histories may lead to; those that it may stay in are not among them.
fn entered_by(draft: &Draft, starts: &[Vec<Goal>], row: &Row) -> BTreeSet<usize> {
    let targets = row.targets();
    let ends: Vec<Goal> = targets.iter().flat_map(|it| draft.goals(starts, *it)).collect();
    let around = ends.iter().flat_map(|it| draft.path(it.0).collect::<Vec<_>>());
    let all = around.chain(ends.iter().flat_map(|it| recalled_by(draft, starts, *it)));
    let From::State(from) = row.from else { return all.collect() };
    let may_lead_to_source = |it: &Goal| it.0 == from || (it.1.is_some() && draft.is_in(from, Some(it.0)));
    let is_left_for_itself = ends.iter().any(may_lead_to_source) && draft.inside(Some(from)).is_empty();
    let outer = draft.reentered(row.from, &targets).filter(|_| row.reenter);
    let is_again = |state: usize| outer.is_some_and(|it| draft.is_in(state, Some(it))) || (is_left_for_itself && state == from);
    all.filter(|it| !draft.is_in(from, Some(*it)) || is_again(*it)).collect()
}

/// The states inside the state of a history that it may lead to: all of them, or, if it is shallow, the children with what each
/// starts in. A target that is no history has none.
fn recalled_by(draft: &Draft, starts: &[Vec<Goal>], target: Goal) -> BTreeSet<usize> {
    let (whole, Some(_)) = target else { return BTreeSet::new() };
    let is_inside = |it: &usize| *it != whole && draft.is_in(*it, Some(whole));
    if !draft.recalls_a_child(target) {
        return (0..draft.states.len()).filter(is_inside).collect();
    }
    let ends = draft.inside(Some(whole)).into_iter().flat_map(|it| draft.goals(starts, (it, None)));
    ends.flat_map(|it| draft.path(it.0).collect::<Vec<_>>()).filter(is_inside).collect()
}

/// Whether a condition of the text reads more than where the machine is.
fn reads_more(row: &Row) -> bool {
    !row.guards.iter().all(|it| asks_where(it, row.span)) || !row.composed.iter().all(|it| it.asks_where(row.span))
}

/// Whether effects may change what a condition reads. A log changes nothing.
fn changes(effects: &[Effect]) -> bool {
    effects.iter().any(|it| it.text != "log" && !it.text.starts_with("log "))
}
