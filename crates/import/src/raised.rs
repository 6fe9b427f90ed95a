//! Events that entering or leaving a state raises. A spec raises events with rows, so each row that enters or leaves the state raises
//! them. Where it depends on the place of the machine whether it does, the row becomes several:
//!
//! ```text
//! leaving `b` raises `x`, and `b` is inside `a`
//!     a ──go──▶ c    becomes    { from: a, event: go, when: in(b), to: c, raise: x }
//!                               { from: a, event: go, to: c }
//! ```

use std::collections::BTreeSet;

use super::draft::{Draft, From, Goal, Raising, Row};
use super::finish::names::state_names;
use super::starts::{named, remembers};

/// The rows that one row may become.
const MAX_ROWS: usize = 16;

/// When a row enters or leaves a state.
#[derive(Debug, Clone, PartialEq, Eq)]
enum When {
    Always,
    Never,
    If(Condition),
    Unless(Condition),
}

/// What decides it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Condition {
    /// The machine is in this state.
    Active(usize),
    /// The history in this field of the context leads into this state.
    Remembered { field: String, state: usize, is_start: bool },
}

impl Condition {
    fn state(&self) -> usize {
        match self {
            Condition::Active(state) | Condition::Remembered { state, .. } => *state,
        }
    }

    fn is_of_same(&self, other: &Condition) -> bool {
        match (self, other) {
            (Condition::Active(_), Condition::Active(_)) => true,
            (Condition::Remembered { field, .. }, Condition::Remembered { field: other, .. }) => field == other,
            _ => false,
        }
    }

    fn text(&self, names: &[String]) -> String {
        match self {
            Condition::Active(state) => format!("in({})", named(&names[*state])),
            Condition::Remembered { field, state, is_start: true } => format!("{field} == null or {field} in {}", named(&names[*state])),
            Condition::Remembered { field, state, .. } => remembers(field, &names[*state]),
        }
    }
}

impl Draft {
    /// Adds to each row, and to the start, the events that its exits and entries raise. `of_machine` and `starts` are where the text
    /// starts the machine and its composites.
    pub(super) fn raise_on_the_way(&mut self, of_machine: &[Goal], starts: &[Vec<Goal>]) {
        let mut raising = std::mem::take(&mut self.raising);
        if raising.is_empty() {
            self.rows.iter_mut().for_each(|it| it.raise.append(&mut it.sent));
            return;
        }
        let names = state_names(&self.states);
        let place = |state: usize| self.path(state).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>();
        raising.sort_by_cached_key(|it| place(it.state));
        let at_start = self.entered(starts, None, of_machine);
        let first: Vec<&Raising> =
            raising.iter().filter(|it| it.is_entry && at_start.iter().any(|end| self.is_in(end.0, Some(it.state)))).collect();
        let all = first.iter().flat_map(|it| &it.raise).chain(first.iter().flat_map(|it| &it.sent));
        self.raised_at_start = all.cloned().collect();
        let mut unclear: BTreeSet<usize> = BTreeSet::new();
        let mut rows = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            let entered = self.entered_by(&row, starts);
            let whens: Vec<When> = raising.iter().map(|it| self.when(&row, it, &entered)).collect();
            let mut conditions: Vec<Condition> = Vec::new();
            for condition in whens.iter().filter_map(|it| if let When::If(it) | When::Unless(it) = it { Some(it) } else { None }) {
                if !conditions.contains(condition) {
                    conditions.push(condition.clone());
                }
            }
            let cases = self.cases(&conditions);
            if cases.is_empty() {
                unclear.extend((0..raising.len()).filter(|it| !matches!(whens[*it], When::Always | When::Never)));
            }
            let only = [Vec::new()];
            for case in if cases.is_empty() { &only[..] } else { &cases[..] } {
                let holds = |it: &Condition| case.iter().any(|idx| conditions[*idx] == *it);
                let is_raised = |idx: &usize| match &whens[*idx] {
                    When::Always => true,
                    When::Never => false,
                    _ if cases.is_empty() => false,
                    When::If(condition) => holds(condition),
                    When::Unless(condition) => !holds(condition),
                };
                let mut row = row.clone();
                let said = |it: &usize| !case.iter().any(|other| self.follows(&conditions[*it], &conditions[*other]));
                row.when.extend(case.iter().copied().filter(said).map(|it| conditions[it].text(&names)));
                let (entries, exits): (Vec<usize>, Vec<usize>) = (0..raising.len()).filter(is_raised).partition(|it| raising[*it].is_entry);
                // What is left comes from the inside out.
                let before = exits.iter().rev().map(|it| &raising[*it]);
                row.raise.splice(0..0, before.clone().flat_map(|it| it.raise.clone()));
                row.sent.splice(0..0, before.flat_map(|it| it.sent.clone()));
                for behind in entries.iter().map(|it| &raising[*it]) {
                    row.raise.extend(behind.raise.iter().cloned());
                    row.sent.extend(behind.sent.iter().cloned());
                }
                let sent = std::mem::take(&mut row.sent);
                row.raise.extend(sent);
                if rows.last().is_some_and(|it: &Row| it.span == row.span && it.comments == row.comments) {
                    row.comments.clear();
                }
                rows.push(row);
            }
        }
        self.rows = rows;
        for idx in unclear {
            let events = [raising[idx].raise.join("`, `"), raising[idx].sent.join("`, `")].into_iter().filter(|it| !it.is_empty());
            let message = format!(
                "whether `{}` is raised depends on where the machine is: rows that may raise it do not",
                events.collect::<Vec<_>>().join("`, `")
            );
            self.found.loss(raising[idx].span, message);
        }
    }

    /// The leaves and histories that a row enters.
    fn entered_by(&self, row: &Row, starts: &[Vec<Goal>]) -> Vec<Goal> {
        let targets = row.targets();
        match row.from {
            _ if targets.is_empty() => targets,
            From::State(_) => self.entered(starts, row.domain, &targets),
            From::Creation => self.entered(starts, None, &targets),
            From::Any => targets.into_iter().flat_map(|it| self.goals(starts, it)).collect(),
        }
    }

    fn when(&self, row: &Row, raising: &Raising, entered: &[Goal]) -> When {
        let state = raising.state;
        let domain = if let From::State(_) = row.from { row.domain } else { None };
        if row.to.is_none() || domain == Some(state) || !self.is_in(state, domain) {
            return When::Never;
        }
        // A row of every state stays in what is around its target.
        let is_around = |it: Goal| self.is_in(it.0, Some(state)) && (it.0 != state || !self.inside(Some(state)).is_empty());
        let stays = row.from == From::Any && row.targets().into_iter().any(is_around);
        if !raising.is_entry {
            return match row.from {
                From::State(from) if self.is_in(from, Some(state)) => When::Always,
                From::State(from) if self.may_be_active(from, state) => When::If(Condition::Active(state)),
                From::Any if !stays => When::If(Condition::Active(state)),
                _ => When::Never,
            };
        }
        if entered.iter().any(|it| self.is_in(it.0, Some(state))) {
            return if stays { When::Unless(Condition::Active(state)) } else { When::Always };
        }
        let recalled = entered.iter().find_map(|it| Some((it.0, it.1?)).filter(|it| self.is_in(state, Some(it.0))));
        recalled.map_or(When::Never, |(whole, recall)| {
            let start = self.entered(&self.starts(), Some(whole), &[]);
            let is_start = start.iter().any(|it| self.is_in(it.0, Some(state)));
            When::If(Condition::Remembered { field: self.recalls[recall].field.clone(), state, is_start })
        })
    }

    /// The sets of conditions that can hold together, larger ones first; nothing if there are too many.
    fn cases(&self, conditions: &[Condition]) -> Vec<Vec<usize>> {
        let mut cases: Vec<Vec<usize>> = vec![Vec::new()];
        for (idx, condition) in conditions.iter().enumerate() {
            let can_hold = |case: &&Vec<usize>| {
                case.iter().all(|it| {
                    let other = &conditions[*it];
                    !condition.is_of_same(other) || self.may_be_active(condition.state(), other.state())
                })
            };
            let more: Vec<Vec<usize>> = cases.iter().filter(can_hold).map(|it| [it.as_slice(), &[idx]].concat()).collect();
            cases.extend(more);
            if cases.len() > 4 * MAX_ROWS {
                return Vec::new();
            }
        }
        // In a state, the machine is in those around it.
        cases.retain(|case| {
            let is_in = |it: &usize| case.contains(it);
            (0..conditions.len())
                .filter(|it| !is_in(it))
                .all(|it| !case.iter().any(|other| self.follows(&conditions[it], &conditions[*other])))
        });
        cases.sort_by_key(|it| std::cmp::Reverse(it.len()));
        if cases.len() > MAX_ROWS { Vec::new() } else { cases }
    }

    /// Whether one condition follows from another one.
    fn follows(&self, condition: &Condition, other: &Condition) -> bool {
        condition != other && condition.is_of_same(other) && self.is_in(other.state(), Some(condition.state()))
    }
}
