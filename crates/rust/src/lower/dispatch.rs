//! The outcome of an event: a match for rows with guards, and a table for the others.

use std::collections::BTreeSet;

use statespec_lang::expr::Expr as SpecExpr;
use statespec_lang::model::machine::{Edge, On, Outcome as SpecOutcome, Recall as SpecRecall};
use statespec_lang::model::{EventId, PayloadId, StateId, TransitionId};

use super::expr::value;
use super::groups::Groups;
use super::scope::RowScope;
use super::{Lowering, payload_field};
use crate::ir::{Arm, Creation, Dispatch, EventPattern, Expr, Outcome, Pattern, Reactions, Recall, Table};

use super::docs;

/// A non-empty cell of a dispatch table.
struct Cell<'m> {
    from: StateId,
    column: usize,
    /// The edge that is taken if no guard in the match holds; `None` if all edges have guards.
    chosen: Option<&'m Edge>,
    /// Whether an earlier row of the spec has no guard either, so that the chosen row is not the first.
    is_inner: bool,
}

/// The edges from one state that need an arm.
type BySource = (StateId, Vec<Edge>);

impl<'m> Lowering<'m> {
    /// The search for the step of an event after creation.
    pub(super) fn dispatch(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Dispatch> {
        let machine = self.machine;
        // If rows may be missing because of errors, the machine has all methods.
        let stub = self.options.stub && !machine.events.is_empty();
        if !stub && !machine.edges.iter().any(|it| it.from.is_some() && it.on.event().is_some()) {
            return None;
        }
        let mut dynamic = Groups::<EventId, (EventId, Vec<BySource>)>::default();
        let mut cells = Vec::new();
        for &from in &self.leaves {
            for edges in machine.tried_in(from) {
                let Some(event) = edges[0].on.event() else { continue };
                let needing = self.needing_arms(edges);
                if !needing.is_empty() {
                    dynamic.get(event, || (event, Vec::new())).1.push((from, needing));
                }
                cells.extend(self.cell(from, event.index(), edges.iter(), machine.cut_off(Some(from), edges[0].on)));
            }
        }
        let (mut arms, mut n_covered) = (Vec::new(), 0);
        for (event, by_source) in &dynamic.list {
            for (states, edges) in self.share(by_source) {
                if edges.iter().any(|edge| self.guard(edge).is_none()) {
                    n_covered += states.len();
                }
                let everywhere = states.len() == self.leaves.len();
                let states = if everywhere { Vec::new() } else { self.state_idents(states) };
                for edge in &edges {
                    referred.insert(edge.transition);
                    for (event_pattern, guard, outcome) in self.arms(edge, *event) {
                        arms.push(Arm { pattern: Pattern::StateAndEvent(states.clone(), event_pattern), guard, outcome });
                    }
                }
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

    /// The search for a direct transition.
    pub(super) fn direct(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Dispatch> {
        let machine = self.machine;
        if !machine.edges.iter().any(|it| it.from.is_some() && it.on == On::Direct) {
            return None;
        }
        let (mut arms, mut cells) = (Vec::new(), Vec::new());
        let mut n_covered = 0;
        for &from in &self.leaves {
            let mut by_target = Groups::<StateId, (StateId, Vec<&Edge>)>::default();
            for edge in machine.tried(Some(from), On::Direct) {
                if let SpecOutcome::Leaf(to) = edge.outcome {
                    by_target.get(to, || (to, Vec::new())).1.push(edge);
                }
            }
            for (to, edges) in by_target.list {
                let needing = self.needing_arms(edges.iter().copied());
                // With regions, no pair is left to a table.
                n_covered += usize::from(machine.has_regions() || needing.iter().any(|edge| self.guard(edge).is_none()));
                for edge in needing {
                    referred.insert(edge.transition);
                    for (guard, outcome) in self.arms_alone(&edge) {
                        let pattern = Pattern::StateAndTarget(self.state(from), self.state(to));
                        arms.push(Arm { pattern, guard, outcome });
                    }
                }
                if machine.has_regions() && edges.iter().all(|edge| self.guard(edge).is_some()) {
                    let pattern = Pattern::StateAndTarget(self.state(from), self.state(to));
                    arms.push(Arm { pattern, guard: None, outcome: Outcome::NoGuard });
                }
                let cut_off = machine.cut_off(Some(from), On::Direct).iter().filter(|it| it.outcome == SpecOutcome::Leaf(to));
                cells.extend(self.cell(from, self.leaf_index(to), edges.into_iter(), cut_off));
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
        let machine = self.machine;
        if !machine.reacts() {
            return None;
        }
        let mut by_cause = Groups::<On, (On, Vec<BySource>)>::default();
        for &from in &self.leaves {
            for edges in machine.tried_in(from) {
                let on = edges[0].on;
                if matches!(on, On::Automatic | On::Done(_)) {
                    let n_guarded = edges.iter().take_while(|edge| self.guard(edge).is_some()).count();
                    let tried = edges.iter().take(n_guarded + 1).copied().collect();
                    by_cause.get(on, || (on, Vec::new())).1.push((from, tried));
                }
            }
        }
        let mut arms = Vec::new();
        for (on, by_source) in &by_cause.list {
            for (states, edges) in self.share(by_source) {
                let states = self.state_idents(states);
                for edge in &edges {
                    referred.insert(edge.transition);
                    let pattern = match on {
                        On::Done(composite) => Pattern::Done(states.clone(), self.state(*composite)),
                        _ => Pattern::Automatic(states.clone()),
                    };
                    arms.extend(self.arms_alone(edge).into_iter().map(|(guard, outcome)| Arm { pattern: pattern.clone(), guard, outcome }));
                }
            }
        }
        Some(Reactions { asks: asks(&arms), arms, raised: machine.raised().into_iter().map(|id| self.event(id)).collect() })
    }

    /// The creation of a machine by events.
    pub(super) fn creation(&self, referred: &mut BTreeSet<TransitionId>) -> Option<Creation> {
        let machine = self.machine;
        if !self.has_creation() {
            return None;
        }
        let (mut arms, mut events) = (Vec::new(), Vec::new());
        for edges in machine.edges_from(None).chunk_by(|a, b| a.on == b.on) {
            let Some(event) = edges[0].on.event() else { continue };
            events.push(event);
            let mut open = true;
            for edge in edges {
                referred.insert(edge.transition);
                open = self.guard(edge).is_some();
                for (event_pattern, guard, outcome) in self.arms(edge, event) {
                    arms.push(Arm { pattern: Pattern::Event(event_pattern), guard, outcome });
                }
                if !open {
                    break;
                }
            }
            if open {
                let pattern = Pattern::Event(self.event_pattern(event, &[], event));
                arms.push(Arm { pattern, guard: None, outcome: Outcome::NoGuard });
            }
        }
        let has_dispatch = machine.edges.iter().any(|it| it.from.is_some() && it.on.event().is_some());
        let settling = events.iter().filter(|id| has_dispatch && machine.event(**id).settles).map(|id| self.event(*id)).collect();
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

    /// Shares arms between states with the same edges, and common first edges between all states.
    fn share(&self, by_source: &[BySource]) -> Vec<(Vec<StateId>, Vec<Edge>)> {
        let n_leaves = self.leaves.len();
        // The source decides only between the edges of several leaves.
        let key = |edge: &Edge| (edge.transition.0, edge.outcome, edge.source.filter(|_| self.machine.has_regions()));
        let same = |a: &Edge, b: &Edge| key(a) == key(b);
        let first = by_source.first().map_or(&[][..], |it| it.1.as_slice());
        let begins_alike =
            |n_edges: &usize| by_source.iter().all(|(_, edges)| edges.get(*n_edges).is_some_and(|it| same(it, &first[*n_edges])));
        let n_common = if by_source.len() == n_leaves { (0..first.len()).take_while(begins_alike).count() } else { 0 };
        let mut groups = Groups::<Vec<(u32, SpecOutcome, Option<StateId>)>, (Vec<StateId>, Vec<Edge>)>::default();
        if n_common > 0 {
            // The remaining edges of a state are never empty, so this key is unique.
            groups.get(Vec::new(), || (by_source.iter().map(|it| it.0).collect(), first[..n_common].to_vec()));
        }
        for (from, edges) in by_source.iter().filter(|(_, edges)| edges.len() > n_common) {
            let own = &edges[n_common..];
            let key = own.iter().map(key).collect();
            groups.get(key, || (Vec::new(), own.to_vec())).0.push(*from);
        }
        groups.list
    }

    /// Whether the outcome of an edge is only known when it is taken.
    fn is_dynamic(&self, edge: &Edge) -> bool {
        self.machine.has_regions() || matches!(edge.outcome, SpecOutcome::Payload(_) | SpecOutcome::History(_))
    }

    /// Whether the row of an edge may divide by zero.
    pub(super) fn divides(&self, edge: &Edge) -> bool {
        !self.divisions[edge.transition.index()].is_empty()
    }

    /// The states in which every edge has a guard, where no table says so: in a machine with regions.
    fn without_outcome(&self, by_source: &[BySource]) -> Vec<StateId> {
        let guarded = by_source.iter().filter(|(_, edges)| edges.iter().all(|edge| self.guard(edge).is_some())).map(|(from, _)| *from);
        guarded.filter(|_| self.machine.has_regions()).collect()
    }

    fn guard(&self, edge: &Edge) -> Option<&'m SpecExpr> {
        self.machine.transition(edge.transition).guard.as_ref()
    }

    /// The edges that a table cannot represent: all up to the first one that always holds and whose target is known.
    fn needing_arms<'e>(&self, edges: impl IntoIterator<Item = &'e Edge>) -> Vec<Edge> {
        let mut needing = Vec::new();
        for edge in edges {
            let guarded = self.guard(edge).is_some();
            if !guarded && !self.is_dynamic(edge) && !self.divides(edge) {
                break;
            }
            needing.push(*edge);
            if !guarded {
                break;
            }
        }
        needing
    }

    /// The cell of the table for edges in evaluation order, and for those that are never taken.
    fn cell<'e>(
        &self,
        from: StateId,
        column: usize,
        mut edges: impl Iterator<Item = &'e Edge>,
        cut_off: impl IntoIterator<Item = &'e Edge>,
    ) -> Option<Cell<'e>> {
        if self.machine.has_regions() {
            // A leaf is one of several, so that its choice is no outcome yet.
            return None;
        }
        let Some(chosen) = edges.find(|edge| self.guard(edge).is_none()) else {
            return Some(Cell { from, column, chosen: None, is_inner: false });
        };
        if self.is_dynamic(chosen) || self.divides(chosen) {
            // An arm of the match covers it unconditionally.
            return None;
        }
        let is_row_of_table = |edge: &&Edge| self.guard(edge).is_none() && !self.is_dynamic(edge);
        let is_inner = cut_off.into_iter().filter(is_row_of_table).any(|edge| edge.transition < chosen.transition);
        Some(Cell { from, column, chosen: Some(chosen), is_inner })
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
        let hides_rows = self.machine.hides_rows();
        if !hides_rows && self.leaves.len() * n_columns <= 4096 + 16 * cells.len() {
            let inner = cells.iter().filter(|it| it.is_inner).filter_map(|cell| {
                let row = cell.chosen?.transition;
                referred.insert(row);
                Some((self.state(cell.from), column(cell.column), self.row_path(row)))
            });
            return Table::Dense(inner.collect());
        }
        cells.sort_by_key(|cell| (cell.from, cell.column));
        let edges = cells.iter().map(|cell| {
            let outcome = cell.chosen.map_or(Outcome::NoGuard, |edge| {
                referred.insert(edge.transition);
                self.outcome(edge, None)
            });
            (self.state(cell.from), column(cell.column), outcome)
        });
        Table::Sparse(edges.collect())
    }

    /// The outcome of an edge; a target in the payload is bound by the pattern.
    fn outcome(&self, edge: &Edge, event: Option<EventId>) -> Outcome {
        if self.machine.has_regions() {
            return Outcome::Chosen(self.choice(edge, event));
        }
        let row = self.row_path(edge.transition);
        match edge.outcome {
            SpecOutcome::Stay => Outcome::Stay(row),
            SpecOutcome::Refuse => Outcome::Refuse(row),
            SpecOutcome::Leaf(to) => Outcome::To(self.state(to), row),
            // Only a machine with regions has such targets.
            SpecOutcome::Parallel(_) | SpecOutcome::Fork => Outcome::NoGuard,
            SpecOutcome::History(to) => Outcome::ToHistory(self.recall(to), row),
            SpecOutcome::Payload(id) => match event.and_then(|it| self.local(it, id)) {
                Some(local) => Outcome::ToLocal(local, row),
                // The check rejects a row without an event that refers to a field of the payload.
                None => Outcome::NoGuard,
            },
        }
    }

    /// The leaf that a history remembers.
    pub(super) fn recall(&self, to: SpecRecall) -> Recall {
        let field = self.names.fields[to.field.index()].clone();
        Recall { field, composite: self.state(to.whole), default: self.state(self.machine.default_leaf(to.whole)) }
    }

    /// The arms of an edge, each with the pattern of the event, the guard and the outcome.
    fn arms(&self, edge: &Edge, id: EventId) -> Vec<(EventPattern, Option<Expr>, Outcome)> {
        let divisions = self.divisions[edge.transition.index()].iter().map(|condition| {
            let used: Vec<PayloadId> = condition.vars().into_iter().filter_map(payload_field).collect();
            let guard = value(condition, &RowScope::new(self, Some(id)));
            (self.event_pattern(id, &used, id), Some(guard), Outcome::DivisionByZero)
        });
        divisions.chain([self.arm(edge, id)]).collect()
    }

    /// The arms of an edge without an event, each with the guard and the outcome.
    fn arms_alone(&self, edge: &Edge) -> Vec<(Option<Expr>, Outcome)> {
        let condition = |it: &SpecExpr| value(it, &RowScope::new(self, None));
        let divisions = self.divisions[edge.transition.index()].iter().map(|it| (Some(condition(it)), Outcome::DivisionByZero));
        divisions.chain([(self.guard(edge).map(condition), self.outcome(edge, None))]).collect()
    }

    /// The arm that takes an edge.
    fn arm(&self, edge: &Edge, id: EventId) -> (EventPattern, Option<Expr>, Outcome) {
        let guard = self.guard(edge);
        let mut used: Vec<PayloadId> = guard.iter().flat_map(|it| it.vars()).filter_map(payload_field).collect();
        if let SpecOutcome::Payload(field) = edge.outcome {
            used.push(field);
        }
        if let Some(condition) = self.divides_in_values(edge) {
            used.extend(condition.vars().into_iter().filter_map(payload_field));
        }
        let guard = guard.map(|guard| value(guard, &RowScope::new(self, Some(id))));
        (self.event_pattern(id, &used, id), guard, self.outcome(edge, Some(id)))
    }
}

/// Whether a guard asks a predicate.
fn asks(arms: &[Arm]) -> bool {
    arms.iter().filter_map(|it| it.guard.as_ref()).any(Expr::asks)
}
