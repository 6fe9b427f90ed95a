//! Moments at which timers of constant durations are due: which of them may elapse next.
//!
//! A zone is a set of moments, given by a maximum for each difference between two of them: those at which the running timers are due,
//! and now. This is the difference bound matrix of timed automata. A step is possible at every moment of a zone, and leads to another
//! zone. A configuration with a zone therefore stands for many moments, at all of which the same steps are possible.
//!
//! Moments are whole microseconds, so "later than" is "at least one microsecond later than", and each operation is exact.
//! All bounds are sums of durations, no larger than the longest one, so there are finitely many zones.
//!
//! A program is on time, or late. On time, a timer elapses at the moment at which it is due, and any other event comes at that moment
//! at the latest. Late, a timer elapses at that moment or at any later one, and other events come meanwhile.
//! In both cases, the timer that is due first elapses first, and the first in the spec of several: the rule of [`Clock`].
//!
//! [`Clock`]: statespec_lang::interpret::Clock

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::interpret::{Instance, Step, clock};
use statespec_lang::model::{EventId, Machine, StateId, Timer, Value};

/// The maximum of a difference that has none.
const NONE: i64 = i64::MAX;
/// Longer durations are treated as if they were not constant, so that no sum overflows.
const MAX_DURATION: i64 = i64::MAX / 8;

/// The timers of a machine, and how a program treats them.
#[derive(Debug)]
pub(super) struct Clocks<'m> {
    machine: &'m Machine,
    /// The timers of constant durations.
    durations: BTreeMap<EventId, i64>,
    late: bool,
}

/// The timers that run, and the moments at which they may be due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Zone {
    /// The timers of other durations. Nothing is known about their moments.
    loose: BTreeSet<EventId>,
    /// The timers of constant durations, sorted.
    fixed: Vec<EventId>,
    /// `bounds[i][j]` is the maximum of moment `i` minus moment `j`: moment 0 is now, the others are those of `fixed`.
    bounds: Vec<Vec<i64>>,
}

impl<'m> Clocks<'m> {
    /// The clocks of a machine in which the moments of timers make a difference: two timers of constant durations run together,
    /// or one runs while a composite changes its state.
    pub(super) fn of(machine: &'m Machine, late: bool) -> Option<Self> {
        let fixed = |(event, timer)| Some((event, machine.fixed_duration(timer).filter(|it| (0..=MAX_DURATION).contains(it))?));
        let durations: BTreeMap<EventId, i64> = machine.timers().filter_map(fixed).collect();
        let timers: Vec<&Timer> = machine.timers().filter(|it| durations.contains_key(&it.0)).map(|it| it.1).collect();
        let run_together = |(idx, one): (usize, &&Timer)| {
            let others = timers[idx + 1..].iter().flat_map(|it| &it.states);
            others.into_iter().any(|other| one.states.iter().any(|it| meet(machine, *it, *other)))
        };
        let matter = timers.iter().enumerate().any(run_together) || timers.iter().flat_map(|it| &it.states).any(|it| !machine.is_leaf(*it));
        matter.then_some(Clocks { machine, durations, late })
    }

    /// The zone before creation, or of a machine that is created without an event.
    pub(super) fn start(&self, at: Option<&Instance>) -> Zone {
        let mut zone = Zone { bounds: vec![vec![0]], ..Zone::default() };
        for (timer, _) in at.into_iter().flat_map(|it| clock::timers(self.machine, it)) {
            self.add(&mut zone, timer);
        }
        self.wait(zone)
    }

    /// The moments at which a timer elapses; `None` if it does not run, or another one is always due before.
    pub(super) fn elapse(&self, mut zone: Zone, timer: EventId) -> Option<Zone> {
        if zone.loose.contains(&timer) {
            return Some(zone);
        }
        let place = zone.fixed.iter().position(|it| *it == timer)? + 1;
        // It is due now or was before, and no other one is due before it.
        for other in (0..zone.bounds.len()).filter(|it| *it != place) {
            zone.limit(place, other, if other == 0 || place < other { 0 } else { -1 });
        }
        zone.tighten().then_some(zone)
    }

    /// Starts and ends timers by the states that these steps enter and leave, as [`clock::Clock::observe`] does.
    pub(super) fn observe(&self, mut zone: Zone, steps: &[Step]) -> Zone {
        for step in steps {
            for (event, timer) in self.machine.timers() {
                let crosses = |states: &[StateId]| timer.states.iter().any(|it| states.contains(it));
                let enters = crosses(&step.entered);
                if enters || crosses(&step.exited) || step.on.event() == Some(event) {
                    zone.remove(event);
                }
                if enters {
                    self.add(&mut zone, event);
                }
            }
        }
        self.wait(zone)
    }

    /// Ends a timer that elapsed and was refused.
    pub(super) fn end(&self, mut zone: Zone, timer: EventId) -> Zone {
        zone.remove(timer);
        self.wait(zone)
    }

    /// The same timers at any moments at which they can be due: the order in which they elapse is not known.
    pub(super) fn forget(&self, mut zone: Zone) -> Zone {
        zone.bounds.iter_mut().flatten().for_each(|it| *it = NONE);
        for (idx, timer) in zone.fixed.iter().enumerate() {
            zone.bounds[idx + 1][0] = self.durations[timer];
        }
        (0..zone.bounds.len()).for_each(|it| zone.bounds[it][it] = 0);
        self.wait(zone)
    }

    /// Starts a timer that does not run.
    fn add(&self, zone: &mut Zone, timer: EventId) {
        let Some(duration) = self.durations.get(&timer).copied() else {
            zone.loose.insert(timer);
            return;
        };
        let Err(idx) = zone.fixed.binary_search(&timer) else { return };
        let mut row: Vec<i64> = zone.bounds[0].iter().map(|it| plus(duration, *it)).collect();
        for other in &mut zone.bounds {
            other.insert(idx + 1, plus(other[0], -duration));
        }
        row.insert(idx + 1, 0);
        zone.bounds.insert(idx + 1, row);
        zone.fixed.insert(idx, timer);
    }

    /// Lets time pass: on time until the first timer is due, late for ever.
    fn wait(&self, mut zone: Zone) -> Zone {
        for bound in zone.bounds.first_mut().into_iter().flat_map(|it| it.iter_mut().skip(1)) {
            *bound = if self.late { NONE } else { 0 };
        }
        zone.tighten();
        zone
    }
}

impl Zone {
    /// The zone as values: equal for equal zones only.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        let ids = |it: &EventId| Value::Int(it.index() as i64);
        let bounds = self.bounds.iter().flatten().map(|it| Value::Int(*it));
        self.loose.iter().map(ids).chain([Value::Null]).chain(self.fixed.iter().map(ids)).chain([Value::Null]).chain(bounds)
    }

    fn remove(&mut self, timer: EventId) {
        self.loose.remove(&timer);
        if let Ok(idx) = self.fixed.binary_search(&timer) {
            self.fixed.remove(idx);
            self.bounds.remove(idx + 1);
            self.bounds.iter_mut().for_each(|it| _ = it.remove(idx + 1));
        }
    }

    fn limit(&mut self, i: usize, j: usize, maximum: i64) {
        self.bounds[i][j] = self.bounds[i][j].min(maximum);
    }

    /// Makes every bound as small as the others imply. False if there are no such moments.
    fn tighten(&mut self) -> bool {
        let n_moments = self.bounds.len();
        for via in 0..n_moments {
            for i in 0..n_moments {
                for j in 0..n_moments {
                    let sum = plus(self.bounds[i][via], self.bounds[via][j]);
                    self.limit(i, j, sum);
                }
            }
        }
        (0..n_moments).all(|it| self.bounds[it][it] >= 0)
    }
}

/// Whether two states can be active at once: one is inside the other, or they are in different regions of one state.
fn meet(machine: &Machine, a: StateId, b: StateId) -> bool {
    let whole = std::iter::successors(Some(a), |it| machine.state(*it).parent).find(|it| machine.is_in(b, *it));
    whole == Some(a) || whole == Some(b) || machine.is_parallel(whole)
}

fn plus(a: i64, b: i64) -> i64 {
    if a == NONE || b == NONE { NONE } else { a + b }
}
