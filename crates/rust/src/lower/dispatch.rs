//! The outcome of an event: a match for rows with guards, and a table for the others.

use std::collections::BTreeSet;

use statespec_lang::model::{EventId, PayloadId, StateId, TransitionId};
use statespec_lang::program::{self, Action, Case, Cause};

use super::expr::value;
use super::groups::Groups;
use super::scope::RowScope;
use super::{Lowering, docs, payload_fields};
use crate::ir::{Arm, Choice, Creation, Destination, Dispatch, Expr, Outcome, Pattern, Reactions, Recall, Table};

/// A non-empty cell of a dispatch table.
struct Cell<'m> {
    from: StateId,
    column: usize,
    /// The row that is taken if no guard in the match holds; `None` if all rows have guards.
    chosen: Option<&'m program::Arm>,
    /// Whether an earlier row of the spec has no guard either, so that the chosen row is not the first.
    is_inner: bool,
}

/// The rows of one state that need an arm.
type BySource<'m> = (StateId, &'m [program::Arm]);

impl Lowering<'_> {
    /// The search for the step of an event after creation.
    pub(super) fn dispatch(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Dispatch> {
        let machine = self.machine;
        // If rows may be missing because of errors, the machine has all methods.
        let stub = self.options.stub && !machine.events.is_empty();
        if !stub && !self.has_dispatch() {
            return None;
        }
        let mut dynamic = Groups::<EventId, (EventId, Vec<BySource<'_>>)>::default();
        let mut cells = Vec::new();
        for &from in &self.leaves {
            for case in self.program.cases_in(from) {
                let Some(event) = case.event() else { continue };
                let needing = self.needing_arms(case);
                if !needing.is_empty() {
                    dynamic.get(event, || (event, Vec::new())).1.push((from, needing));
                }
                cells.extend(self.cell(case, from, event.index()));
            }
        }
        let (mut arms, mut n_covered) = (Vec::new(), 0);
        for (event, by_source) in &dynamic.list {
            for (states, tried) in self.share(by_source) {
                if tried.iter().any(|arm| !self.is_guarded(arm)) {
                    n_covered += states.len();
                }
                let everywhere = states.len() == self.leaves.len();
                let states = if everywhere { Vec::new() } else { self.state_idents(states) };
                let pattern = |used: &[PayloadId]| Pattern::StateAndEvent(states.clone(), self.event_pattern(*event, used, *event));
                self.push_arms(tried, Some(*event), &pattern, referred, &mut arms);
            }
            let guarded = self.without_outcome(by_source);
            if !guarded.is_empty() {
                n_covered += guarded.len();
                let pattern = Pattern::StateAndEvent(self.state_idents(guarded), self.event_pattern(*event, &[], *event));
                arms.push(Arm { pattern, guard: None, outcome: Outcome::NoGuard });
            }
        }
        let settling: Vec<_> =
            machine.events.iter().enumerate().filter(|(_, it)| it.settles).map(|(idx, _)| self.event(EventId::new(idx))).collect();
        Some(Dispatch {
            total: n_covered > 0 && n_covered == self.leaves.len() * machine.events.len(),
            asks: asks(&arms),
            arms,
            table: self.table(cells, machine.events.len(), |column| self.event(EventId::new(column)), referred),
            all_settle: settling.len() == machine.events.len(),
            settling,
        })
    }

    /// Whether a row takes an event after creation.
    pub(crate) fn has_dispatch(&self) -> bool {
        self.program.cases.iter().any(|it| it.from.is_some() && it.event().is_some())
    }

    /// The search for a direct transition.
    pub(super) fn direct(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Dispatch> {
        let has_regions = self.machine.has_regions();
        if !self.program.cases.iter().any(|it| it.from.is_some() && matches!(it.cause, Cause::Direct(_))) {
            return None;
        }
        let (mut arms, mut cells) = (Vec::new(), Vec::new());
        let mut n_covered = 0;
        for &from in &self.leaves {
            for (case, to) in by_request(self.program.cases_in(from)) {
                let needing = self.needing_arms(case);
                // With regions, no pair is left to a table.
                n_covered += usize::from(has_regions || needing.iter().any(|arm| !self.is_guarded(arm)));
                let pattern = |_: &[PayloadId]| Pattern::StateAndTarget(self.state(from), self.state(to));
                self.push_arms(needing, None, &pattern, referred, &mut arms);
                if has_regions && !self.program.always_decides(case) {
                    arms.push(Arm { pattern: pattern(&[]), guard: None, outcome: Outcome::NoGuard });
                }
                cells.extend(self.cell(case, from, self.leaf_index(to)));
            }
        }
        Some(Dispatch {
            asks: asks(&arms),
            arms,
            total: n_covered > 0 && n_covered == self.leaves.len() * self.leaves.len(),
            table: self.table(cells, self.leaves.len(), |column| self.state(self.leaves[column]), referred),
            settling: Vec::new(),
            all_settle: false,
        })
    }

    /// The steps that may follow a step within the same call.
    pub(super) fn reactions(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Reactions> {
        if !self.machine.reacts() {
            return None;
        }
        let mut by_cause = Groups::<Cause, (Cause, Vec<BySource<'_>>)>::default();
        for &from in &self.leaves {
            for case in self.program.cases_in(from) {
                if matches!(case.cause, Cause::Automatic | Cause::Done(_)) {
                    by_cause.get(case.cause, || (case.cause, Vec::new())).1.push((from, &case.arms));
                }
            }
        }
        let mut arms = Vec::new();
        for (cause, by_source) in &by_cause.list {
            for (states, tried) in self.share(by_source) {
                let states = self.state_idents(states);
                let pattern = |_: &[PayloadId]| match cause {
                    Cause::Done(composite) => Pattern::Done(states.clone(), self.state(*composite)),
                    _ => Pattern::Automatic(states.clone()),
                };
                self.push_arms(tried, None, &pattern, referred, &mut arms);
            }
        }
        let raised = self.program.raised.iter().map(|id| self.event(*id)).collect();
        Some(Reactions { asks: asks(&arms), arms, raised })
    }

    /// The creation of a machine by events.
    pub(super) fn creation(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Creation> {
        let machine = self.machine;
        if !self.has_creation() {
            return None;
        }
        let (mut arms, mut events) = (Vec::new(), Vec::new());
        for case in self.program.cases_from(None) {
            let Some(event) = case.event() else { continue };
            events.push(event);
            let pattern = |used: &[PayloadId]| Pattern::Event(self.event_pattern(event, used, event));
            self.push_arms(&case.arms, Some(event), &pattern, referred, &mut arms);
            if !self.program.always_decides(case) {
                arms.push(Arm { pattern: pattern(&[]), guard: None, outcome: Outcome::NoGuard });
            }
        }
        let settling = events.iter().filter(|id| self.has_dispatch() && machine.event(**id).settles).map(|id| self.event(*id)).collect();
        let names = docs::code_list(events.iter().map(|id| machine.event(*id).name.as_str()), "or");
        Some(Creation {
            asks: asks(&arms),
            arms,
            partial: events.len() < machine.events.len(),
            events: events.into_iter().map(|id| self.event(id)).collect(),
            settling,
            doc: format!("Creates a machine with {names}."),
        })
    }

    /// Shares arms between states that try the same rows, and common first rows between all states.
    fn share<'p>(&self, by_source: &[BySource<'p>]) -> Vec<(Vec<StateId>, &'p [program::Arm])> {
        let n_leaves = self.leaves.len();
        // The source decides only between the rows of several leaves.
        let key = |arm: &'p program::Arm| (arm.row, &arm.action, arm.source.filter(|_| self.machine.has_regions()));
        let first = by_source.first().map_or(&[][..], |it| it.1);
        let begins_alike =
            |n_arms: &usize| by_source.iter().all(|(_, arms)| arms.get(*n_arms).is_some_and(|it| key(it) == key(&first[*n_arms])));
        let n_common = if by_source.len() == n_leaves { (0..first.len()).take_while(begins_alike).count() } else { 0 };
        let mut groups = Groups::<Vec<(TransitionId, &Action, Option<StateId>)>, (Vec<StateId>, &'p [program::Arm])>::default();
        if n_common > 0 {
            // The remaining rows of a state are never empty, so this key is unique.
            groups.get(Vec::new(), || (by_source.iter().map(|it| it.0).collect(), &first[..n_common]));
        }
        for (from, arms) in by_source.iter().filter(|(_, arms)| arms.len() > n_common) {
            let own = &arms[n_common..];
            groups.get(own.iter().map(key).collect(), || (Vec::new(), own)).0.push(*from);
        }
        groups.list
    }

    /// Whether the outcome of a row is only known when it is taken.
    fn is_dynamic(&self, arm: &program::Arm) -> bool {
        let is_leaf = |it: &program::Destination| matches!(it, program::Destination::Leaf(_));
        self.machine.has_regions() || matches!(&arm.action, Action::Go(to) if !to.iter().all(is_leaf))
    }

    /// Whether a row may divide by zero where it is tried. In a machine with regions, an assignment refuses the call only once the row
    /// is taken.
    pub(super) fn divides(&self, row: &program::Row) -> bool {
        row.guard_divides.is_some() || (row.divides.is_some() && !self.machine.has_regions())
    }

    /// The states in which every row has a guard, where no table says so: in a machine with regions.
    fn without_outcome(&self, by_source: &[BySource<'_>]) -> Vec<StateId> {
        let guarded = by_source.iter().filter(|(_, arms)| arms.iter().all(|arm| self.is_guarded(arm))).map(|(from, _)| *from);
        guarded.filter(|_| self.machine.has_regions()).collect()
    }

    fn is_guarded(&self, arm: &program::Arm) -> bool {
        self.program.row(arm.row).guard.is_some()
    }

    /// The rows that a table cannot represent: all up to the first one that always holds and whose target is known.
    fn needing_arms<'p>(&self, case: &'p Case) -> &'p [program::Arm] {
        let needs = |arm: &&program::Arm| self.is_guarded(arm) || self.is_dynamic(arm) || self.divides(self.program.row(arm.row));
        &case.arms[..case.arms.iter().take_while(needs).count()]
    }

    /// The cell of the table for a case.
    fn cell<'p>(&self, case: &'p Case, from: StateId, column: usize) -> Option<Cell<'p>> {
        if self.machine.has_regions() {
            // A leaf is one of several, so that its choice is no outcome yet.
            return None;
        }
        let Some(chosen) = case.arms.last().filter(|it| !self.is_guarded(it)) else {
            return Some(Cell { from, column, chosen: None, is_inner: false });
        };
        if self.is_dynamic(chosen) || self.divides(self.program.row(chosen.row)) {
            // An arm of the match covers it unconditionally.
            return None;
        }
        let is_row_of_table = |it: &&program::Arm| !self.is_guarded(it) && !self.is_dynamic(it);
        let mut hidden = self.program.hidden_in(case).iter().filter(is_row_of_table);
        Some(Cell { from, column, chosen: Some(chosen), is_inner: hidden.any(|it| it.row < chosen.row) })
    }

    fn table(
        &self,
        mut cells: Vec<Cell<'_>>,
        n_columns: usize,
        column: impl Fn(usize) -> proc_macro2::Ident,
        referred: &mut BTreeSet<TransitionId>,
    ) -> Table {
        if cells.is_empty() {
            return Table::Empty;
        }
        // A dense table follows from the rows, so that it needs an edge wherever a row has one.
        if !self.program.hides_cases() && self.leaves.len() * n_columns <= 4096 + 16 * cells.len() {
            let inner = cells.iter().filter(|it| it.is_inner).filter_map(|cell| {
                let row = cell.chosen?.row;
                referred.insert(row);
                Some((self.state(cell.from), column(cell.column), self.row_path(row)))
            });
            return Table::Dense(inner.collect());
        }
        cells.sort_by_key(|cell| (cell.from, cell.column));
        let edges = cells.iter().map(|cell| {
            let outcome = cell.chosen.map_or(Outcome::NoGuard, |arm| {
                referred.insert(arm.row);
                Outcome::Chosen(Box::new(self.choice(arm, None)))
            });
            (self.state(cell.from), column(cell.column), outcome)
        });
        Table::Sparse(edges.collect())
    }

    /// The row that an arm takes or names, or that a leaf of a machine with regions chooses.
    fn choice(&self, arm: &program::Arm, event: Option<EventId>) -> Choice {
        let to: &[program::Destination] = if let Action::Go(to) = &arm.action { to } else { &[] };
        let destination = |it: &program::Destination| match *it {
            program::Destination::Leaf(leaf) => Some(Destination::Leaf(self.state(leaf))),
            // The check rejects a row without an event that refers to a field of the payload.
            program::Destination::Payload(id) => event.and_then(|it| self.local(it, id)).map(Destination::Local),
            program::Destination::History { field, whole, default } => Some(Destination::History(Recall {
                field: self.names.fields[field.index()].clone(),
                composite: self.state(whole),
                default: self.state(default),
            })),
        };
        let divides = self.program.row(arm.row).divides.as_ref().filter(|_| self.machine.has_regions());
        Choice {
            row: self.row_path(arm.row),
            source: arm.source.map(|it| self.node_index(it)),
            refuses: arm.action == Action::Refuse,
            to: to.iter().filter_map(destination).collect(),
            divides: divides.map(|it| value(it, &RowScope::new(self, event))),
        }
    }

    /// Adds the arms of rows, in the order in which they are tried; `pattern` takes the fields of the payload that an arm reads.
    fn push_arms(
        &self,
        tried: &[program::Arm],
        event: Option<EventId>,
        pattern: &dyn Fn(&[PayloadId]) -> Pattern,
        referred: &mut BTreeSet<TransitionId>,
        arms: &mut Vec<Arm>,
    ) {
        let condition = |it: &program::Expr| value(it, &RowScope::new(self, event));
        for arm in tried {
            referred.insert(arm.row);
            let row = self.program.row(arm.row);
            let of_guard: Vec<PayloadId> = row.guard.iter().flat_map(payload_fields).collect();
            let of_values = row.divides.iter().flat_map(payload_fields);
            if let Some(divides) = &row.guard_divides {
                let pattern = pattern(&payload_fields(divides).collect::<Vec<_>>());
                arms.push(Arm { pattern, guard: Some(condition(divides)), outcome: Outcome::DivisionByZero });
            }
            let mut used = of_guard.clone();
            match &row.divides {
                // Only a row that is taken refuses the event.
                Some(_) if self.machine.has_regions() => used.extend(of_values),
                Some(divides) => {
                    let guard = match &row.guard {
                        Some(guard) => Expr::And(Box::new(condition(guard)), Box::new(condition(divides))),
                        None => condition(divides),
                    };
                    let pattern = pattern(&of_guard.into_iter().chain(of_values).collect::<Vec<_>>());
                    arms.push(Arm { pattern, guard: Some(guard), outcome: Outcome::DivisionByZero });
                }
                None => {}
            }
            if let Action::Go(to) = &arm.action {
                used.extend(to.iter().filter_map(|it| if let program::Destination::Payload(id) = it { Some(*id) } else { None }));
            }
            let outcome = Outcome::Chosen(Box::new(self.choice(arm, event)));
            arms.push(Arm { pattern: pattern(&used), guard: row.guard.as_ref().map(condition), outcome });
        }
    }
}

/// The cases of requests, with the states that are asked for, in the order of the rows that are tried first.
pub(super) fn by_request<'p>(cases: impl IntoIterator<Item = &'p Case>) -> Vec<(&'p Case, StateId)> {
    let requested = |case: &'p Case| if let Cause::Direct(to) = case.cause { Some((case, to)) } else { None };
    let mut requests: Vec<_> = cases.into_iter().filter_map(requested).collect();
    requests.sort_by_key(|(case, _)| case.arms.first().map(|it| it.row));
    requests
}

/// Whether a guard asks a predicate.
fn asks(arms: &[Arm]) -> bool {
    arms.iter().filter_map(|it| it.guard.as_ref()).any(Expr::asks)
}
