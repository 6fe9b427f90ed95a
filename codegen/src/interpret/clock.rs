//! Timers against a logical clock: which of them run, since when, and which is due first. A machine itself knows no time.

use std::collections::BTreeMap;

use super::machine::{Instance, Snapshot, Step};
use crate::expr::eval;
use crate::model::{EventId, Machine, Timer, Value};

/// The running timers of one instance, with the moments at which they started, in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clock {
    started: BTreeMap<EventId, i64>,
}

impl Clock {
    /// The timers of a machine that is in this state from now on, however it came there.
    pub fn start(machine: &Machine, instance: &Instance, now: i64) -> Clock {
        let runs = machine.timers().filter(|(_, timer)| runs(machine, timer, instance));
        Clock { started: runs.map(|(event, _)| (event, now)).collect() }
    }

    /// Starts and ends timers by the states that these steps enter and leave. A timer that has elapsed is over as well, unless its
    /// state is entered again.
    pub fn observe(&mut self, machine: &Machine, steps: &[Step], now: i64) {
        for step in steps {
            for (event, timer) in machine.timers() {
                let crosses = |states: &[crate::model::StateId]| timer.states.iter().any(|it| states.contains(it));
                if crosses(&step.exited) || step.on.event() == Some(event) {
                    self.started.remove(&event);
                }
                if crosses(&step.entered) {
                    self.started.insert(event, now);
                }
            }
        }
    }

    /// Ends a timer that has elapsed without a step, because no guard held.
    pub fn end(&mut self, timer: EventId) {
        self.started.remove(&timer);
    }

    /// The running timers with the moments at which they are due, in the order of their declaration.
    pub fn due(&self, machine: &Machine, instance: &Instance) -> Vec<(EventId, i64)> {
        let due = |(event, timer): (EventId, &Timer)| {
            let started = self.started.get(&event).filter(|_| runs(machine, timer, instance))?;
            Some((event, started.saturating_add(duration(machine, timer, instance)?)))
        };
        machine.timers().filter_map(due).collect()
    }

    /// The timer that is due first, the first declared of several.
    pub fn next_due(&self, machine: &Machine, instance: &Instance) -> Option<(EventId, i64)> {
        self.due(machine, instance).into_iter().min_by_key(|(_, moment)| *moment)
    }
}

/// Whether one of a timer's states is active.
fn runs(machine: &Machine, timer: &Timer, instance: &Instance) -> bool {
    timer.states.iter().any(|it| machine.is_in(instance.state, *it))
}

/// The timers of the states in which an instance is, with their durations as the context has them now.
pub fn timers(machine: &Machine, instance: &Instance) -> Vec<(EventId, i64)> {
    let active = machine.timers().filter(|(_, timer)| runs(machine, timer, instance));
    active.filter_map(|(event, timer)| Some((event, duration(machine, timer, instance)?))).collect()
}

/// The duration of a timer in microseconds. Every timer of a model has one.
fn duration(machine: &Machine, timer: &Timer, instance: &Instance) -> Option<i64> {
    match eval(&timer.after, &Snapshot::of_context(machine, &instance.context)) {
        Ok(Value::Duration(micros)) => Some(micros),
        _ => None,
    }
}
