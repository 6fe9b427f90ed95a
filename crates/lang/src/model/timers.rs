//! Timers: events with which a duration in a state ends.

use std::collections::BTreeMap;

use super::machine::{Edge, Machine, On, Outcome, Timer};
use super::{EventId, StateId};
use crate::expr::{ExprKind, divides_in_row, fold};
use crate::types::Literal;

impl Machine {
    /// The timers with their events, in the order in which they are declared.
    pub fn timers(&self) -> impl DoubleEndedIterator<Item = (EventId, &Timer)> {
        self.events.iter().enumerate().filter_map(|(idx, it)| Some((EventId::new(idx), it.timer.as_ref()?)))
    }

    /// The timer whose end an event is.
    pub fn timer(&self, event: EventId) -> Option<&Timer> {
        self.event(event).timer.as_ref()
    }

    /// The duration of a timer, if neither the context nor anything else changes it.
    pub fn fixed_duration(&self, timer: &Timer) -> Option<i64> {
        match fold(&timer.after, &self.constants).kind {
            ExprKind::Literal(Literal::Duration(micros)) => Some(micros),
            _ => None,
        }
    }

    /// Whether an event may happen in a leaf, as far as durations decide it: a timer never elapses where a shorter one always leaves
    /// its state first. In a machine with regions, this is not known.
    pub fn may_elapse(&self, event: EventId, leaf: StateId) -> bool {
        self.outrun_by(event, leaf).is_none()
    }

    /// The shorter timer that always leaves the state of this one first.
    pub(crate) fn outrun_by(&self, event: EventId, leaf: StateId) -> Option<EventId> {
        self.lookup.outrun.get(&(event, leaf)).copied()
    }

    /// The timers and leaves in which they never elapse, each with the timer that does before.
    pub(crate) fn outrun(&self) -> BTreeMap<(EventId, StateId), EventId> {
        let fixed = |(event, timer)| Some((event, timer, self.fixed_duration(timer)?));
        let timers: Vec<(EventId, &Timer, i64)> = self.timers().filter_map(fixed).collect();
        let mut outrun = BTreeMap::new();
        if timers.len() < 2 || self.has_regions() || self.reactions_may_refuse() {
            return outrun;
        }
        for (event, timer, duration) in &timers {
            for whole in &timer.states {
                let shorter = timers.iter().filter(|it| it.2 < *duration);
                let mut faster = shorter.flat_map(|(event, it, _)| it.states.iter().map(move |inner| (*event, *inner)));
                if let Some((faster, _)) = faster.find(|(faster, inner)| self.always_leaves(*faster, *inner, *whole)) {
                    outrun.extend(self.leaves_in(*whole).map(|leaf| ((*event, leaf), faster)));
                }
            }
        }
        outrun
    }

    /// Whether a timer of `inner` always leaves `whole`, which is `inner` or around it: `whole` is never active without `inner`, both
    /// are entered and left together, and some row without a guard leads out of `whole`.
    fn always_leaves(&self, timer: EventId, inner: StateId, whole: StateId) -> bool {
        self.is_in(inner, whole) && self.are_one(inner, whole) && self.leaves_in(inner).all(|leaf| self.elapses_out_of(timer, leaf, whole))
    }

    /// Whether each step that enters or leaves one of two states, the inner of which is inside the other, enters or leaves both.
    fn are_one(&self, inner: StateId, whole: StateId) -> bool {
        if inner == whole {
            return true;
        }
        let both = |states: &[StateId]| states.contains(&inner) == states.contains(&whole);
        let steps = |edge: &Edge| {
            let again = self.reentered(self.transition(edge.transition));
            self.targets(edge).into_iter().all(|to| match edge.from {
                Some(from) => {
                    let (left, entered) = self.path(from, to, again);
                    both(&left) && both(&entered)
                }
                None => both(&self.creation_path(to)),
            })
        };
        both(&self.creation_path(self.initial().first())) && self.edges.iter().all(steps)
    }

    /// Whether a timer that elapses in a leaf always takes a row that leaves `whole`.
    fn elapses_out_of(&self, timer: EventId, leaf: StateId, whole: StateId) -> bool {
        for edge in self.candidates(Some(leaf), On::Event(timer)) {
            let row = self.transition(edge.transition);
            let again = self.reentered(row);
            let leads_out = |to: &StateId| self.path(leaf, *to, again).0.contains(&whole);
            let leaves = !matches!(edge.outcome, Outcome::Stay | Outcome::Refuse) && self.targets(edge).iter().all(leads_out);
            if !leaves || !divides_in_row(row.guard.as_ref(), row.set.iter().map(|it| &it.1), &self.constants).is_empty() {
                return false;
            }
            if row.guard.is_none() {
                return true;
            }
        }
        false
    }

    /// Whether a step may be refused because of the steps that follow it.
    fn reactions_may_refuse(&self) -> bool {
        let refuses = |edge: &Edge| {
            let row = self.transition(edge.transition);
            edge.outcome == Outcome::Refuse
                || !divides_in_row(row.guard.as_ref(), row.set.iter().map(|it| &it.1), &self.constants).is_empty()
        };
        self.reacts() && self.reactions().any(refuses)
    }
}
