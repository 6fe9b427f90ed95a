//! One microstep of a machine with regions: the edges that its active leaves take at once.
//!
//! The rules are those of appendix D of the SCXML recommendation:
//!
//! 1. Each active leaf, in the order of states, selects the first of its edges whose guard holds ([`Machine::candidates`]).
//!    Two leaves that select the same row of the same state select it once. `"*"` names the machine, which is around all states.
//! 2. Two edges that leave a state in common are in conflict: the one whose source is inside the source of the other is taken,
//!    otherwise the one selected first.
//! 3. A row that refuses the event refuses it for the whole machine, unless an edge of a state inside its source is selected.
//!    Division by zero in a guard that is tried refuses the event, too.
//! 4. All states that any edge leaves are left, then the targets of all edges are entered, each with the states around it and
//!    with the start of every region that would be left without an active state.
//!
//! A machine without regions has one active leaf, so that one edge is selected and nothing is in conflict.

use super::refusal::Reason;
use super::snapshot::Snapshot;
use crate::expr::{DivisionByZero, eval_bool};
use crate::model::machine::{Branch, Edge, On, Outcome, Recall};
use crate::model::{Configuration, Machine, StateId, Value};

/// The edges that the active leaves take at once, or the reason why there are none.
pub(super) fn select<'e, I: Iterator<Item = &'e Edge>>(
    on: On,
    candidates: impl Fn(Option<StateId>) -> I,
    snapshot: &Snapshot,
) -> Result<Vec<Edge>, Reason> {
    let Snapshot { machine, configuration, .. } = *snapshot;
    // A parallel state that is no longer done when its turn comes has been left, or one of its regions goes on.
    if let (On::Done(whole), Some(configuration)) = (on, configuration)
        && !machine.is_done(configuration, whole)
    {
        return Err(Reason::NoTransition);
    }
    let of_leaf = |leaf| first_enabled(candidates(leaf), snapshot);
    let Some(configuration) = configuration.filter(|it| it.only().is_none()) else {
        let edge = of_leaf(configuration.map(Configuration::first))?;
        return if edge.outcome == Outcome::Refuse { Err(Reason::Text(edge.transition)) } else { Ok(vec![edge]) };
    };
    let mut reason = Reason::NoTransition;
    let (mut selected, mut refusing) = (Vec::<Edge>::new(), Vec::<Edge>::new());
    for leaf in configuration.leaves() {
        match of_leaf(Some(leaf)) {
            Ok(edge) if edge.outcome == Outcome::Refuse => refusing.push(edge),
            Ok(edge) if selected.iter().any(|it| (it.transition, it.source) == (edge.transition, edge.source)) => {}
            Ok(edge) => selected.push(edge),
            Err(Reason::Guard) => reason = Reason::Guard,
            Err(Reason::NoTransition) => {}
            Err(other) => return Err(other),
        }
    }
    let prevails = |it: &&Edge| !selected.iter().any(|inner| is_inside(machine, inner.source, it.source));
    if let Some(edge) = refusing.iter().find(prevails) {
        return Err(Reason::Text(edge.transition));
    }
    if selected.is_empty() {
        return Err(reason);
    }
    Ok(if selected.len() == 1 { selected } else { without_conflicts(selected, configuration, snapshot) })
}

/// The first edge whose guard holds, or the reason why there is none.
fn first_enabled<'e>(candidates: impl Iterator<Item = &'e Edge>, snapshot: &Snapshot) -> Result<Edge, Reason> {
    let mut candidates = candidates.peekable();
    if candidates.peek().is_none() {
        return Err(Reason::NoTransition);
    }
    for edge in candidates {
        let row = snapshot.machine.transition(edge.transition);
        let holds = row.guard.as_ref().map_or(Ok(true), |guard| eval_bool(guard, snapshot));
        if holds.map_err(|DivisionByZero| Reason::DivisionByZero)? {
            return Ok(*edge);
        }
    }
    Err(Reason::Guard)
}

/// Whether one source lies inside another one; none is the whole machine.
fn is_inside(machine: &Machine, inner: Option<StateId>, outer: Option<StateId>) -> bool {
    inner.is_some_and(|inner| outer.is_none_or(|outer| inner != outer && machine.is_in(inner, outer)))
}

/// The selected edges without those that another one preempts.
fn without_conflicts(selected: Vec<Edge>, configuration: &Configuration, snapshot: &Snapshot) -> Vec<Edge> {
    let machine = snapshot.machine;
    let mut kept: Vec<(Edge, Vec<StateId>)> = Vec::new();
    'selected: for edge in selected {
        let exits = exits(&edge, configuration, snapshot);
        let mut preempted = Vec::new();
        for (idx, (other, theirs)) in kept.iter().enumerate() {
            if exits.iter().any(|it| theirs.contains(it)) {
                match is_inside(machine, edge.source, other.source) {
                    true => preempted.push(idx),
                    false => continue 'selected,
                }
            }
        }
        preempted.iter().rev().for_each(|idx| _ = kept.remove(*idx));
        kept.push((edge, exits));
    }
    kept.into_iter().map(|(edge, _)| edge).collect()
}

/// The states that an edge leaves, in the order of states.
fn exits(edge: &Edge, configuration: &Configuration, snapshot: &Snapshot) -> Vec<StateId> {
    let machine = snapshot.machine;
    match edge.outcome {
        Outcome::Stay | Outcome::Refuse => Vec::new(),
        _ => machine.exit_set(machine.transition(edge.transition), edge.source, &targets(edge, snapshot), configuration),
    }
}

/// The leaves that an edge leads to; none if it stays.
fn targets(edge: &Edge, snapshot: &Snapshot) -> Vec<StateId> {
    let machine = snapshot.machine;
    match edge.outcome {
        Outcome::Leaf(to) => vec![to],
        Outcome::Payload(id) => match snapshot.field(id) {
            Some(Value::State(to)) => vec![*to],
            _ => Vec::new(),
        },
        Outcome::History(to) => vec![recalled(machine, to, snapshot.context)],
        Outcome::Parallel(whole) => machine.default_leaves(whole),
        Outcome::Fork => {
            let leaves = |it: &Branch| match it {
                Branch::To(id) => machine.default_leaves(*id),
                Branch::History(to) => vec![recalled(machine, *to, snapshot.context)],
            };
            machine.branches(edge.transition).iter().flat_map(leaves).collect()
        }
        Outcome::Stay | Outcome::Refuse => Vec::new(),
    }
}

/// The leaf that a history remembers, or the default of its composite.
fn recalled(machine: &Machine, to: Recall, context: &[Value]) -> StateId {
    match &context[to.field.index()] {
        Value::State(leaf) if machine.is_in(*leaf, to.whole) => *leaf,
        _ => machine.default_leaf(to.whole),
    }
}

/// The states that some edges leave and enter, and the configuration after them.
pub(super) struct Crossed {
    /// States left, innermost first.
    pub(super) exited: Vec<StateId>,
    /// States entered, outermost first.
    pub(super) entered: Vec<StateId>,
    /// The configuration.
    pub(super) to: Configuration,
}

/// What edges that are not in conflict leave and enter; `None` if they lead nowhere.
pub(super) fn cross(edges: &[Edge], snapshot: &Snapshot) -> Option<Crossed> {
    let Snapshot { machine, configuration, .. } = *snapshot;
    if !machine.has_regions() {
        return cross_plain(edges.first()?, snapshot);
    }
    let mut exited: Vec<StateId> = configuration.iter().flat_map(|at| edges.iter().flat_map(|it| exits(it, at, snapshot))).collect();
    exited.sort_unstable();
    exited.dedup();
    let active = configuration.map(|it| machine.active(it)).unwrap_or_default();
    let staying: Vec<StateId> = active.into_iter().filter(|it| exited.binary_search(it).is_err()).collect();
    let to: Vec<StateId> = edges.iter().flat_map(|it| targets(it, snapshot)).collect();
    let entered = machine.entry_set(&staying, &to);
    let leaves: Vec<StateId> = machine.configuration_from(staying.into_iter().chain(entered.iter().copied()))?.leaves().collect();
    exited.reverse();
    Some(Crossed { exited, entered, to: machine.configuration(&leaves).ok()? })
}

/// [`cross`] in a machine without regions.
fn cross_plain(edge: &Edge, snapshot: &Snapshot) -> Option<Crossed> {
    let Snapshot { machine, configuration, .. } = *snapshot;
    let from = configuration.map(Configuration::first);
    let to = match edge.outcome {
        Outcome::Stay | Outcome::Refuse => from?,
        _ => *targets(edge, snapshot).first()?,
    };
    let (exited, entered) = match (edge.outcome, from) {
        (Outcome::Stay, _) => (Vec::new(), Vec::new()),
        (_, Some(from)) => machine.path(from, to, machine.reentered(machine.transition(edge.transition))),
        (_, None) => (Vec::new(), machine.creation_path(to)),
    };
    Some(Crossed { exited, entered, to: to.into() })
}

/// The composites that are done once some states are entered, in the order in which they are: a row waits for each.
pub(super) fn completed(machine: &Machine, entered: &[StateId], to: &Configuration) -> Vec<StateId> {
    let mut done = Vec::new();
    for (idx, id) in entered.iter().enumerate() {
        done.extend(machine.completes(*id));
        let whole = machine.may_complete(*id).filter(|it| machine.is_done(to, *it));
        // The last of its regions to get there completes a parallel state.
        done.extend(whole.filter(|it| !entered[idx + 1..].iter().any(|later| machine.may_complete(*later) == Some(*it))));
    }
    done
}
