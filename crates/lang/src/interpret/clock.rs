//! Timers against a logical clock: which of them run, since when, and which is due first. A machine itself knows no time.

use std::collections::BTreeMap;

use super::machine::{Instance, Step};
use super::snapshot::Snapshot;
use super::system::{SystemError, SystemHost, SystemReason, Trace, World, invalid};
use crate::expr::eval;
use crate::model::system::Transaction;
use crate::model::{EventId, Machine, Model, PartId, StateId, System, Timer, Value};

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
                let crosses = |states: &[StateId]| timer.states.iter().any(|it| states.contains(it));
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
    timer.states.iter().any(|it| machine.is_active(&instance.configuration, *it))
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

/// The timers of all instances of a system, and the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemClock {
    /// The moment, in microseconds.
    pub now: i64,
    clocks: BTreeMap<(PartId, u64), Clock>,
}

/// A timer that became due in a system: the transaction that fires it, the instance, and what came of it.
#[derive(Debug, Clone)]
pub struct Elapsed {
    /// The moment at which it was due.
    pub moment: i64,
    /// Position in [`System::transactions`].
    pub transaction: usize,
    /// The instance, if there are several.
    pub instances: Vec<(PartId, u64)>,
    /// The result. A refused timer is over.
    pub outcome: Result<Trace, SystemReason>,
}

impl SystemClock {
    /// The timers of a world that begins now.
    pub fn start(model: &Model, system: &System, world: &World, now: i64) -> SystemClock {
        let mut clock = SystemClock { now, clocks: BTreeMap::new() };
        for part in system.part_ids() {
            let machine = &model.machines[system.part(part).machine];
            clock.clocks.extend(world.instances(part).map(|(number, it)| ((part, number), Clock::start(machine, it, now))));
        }
        clock
    }

    /// Starts and ends timers after a transaction. An instance that no event creates begins with its first event.
    pub fn observe(&mut self, model: &Model, system: &System, trace: &Trace) {
        for fired in &trace.fired {
            let machine = &model.machines[system.part(fired.part).machine];
            let begin = || fired.before.as_ref().map_or_else(Clock::default, |it| Clock::start(machine, it, self.now));
            let clock = self.clocks.entry((system.plays(fired.part), fired.number)).or_insert_with(begin);
            clock.observe(machine, &fired.steps, self.now);
        }
    }

    /// The timers that run in an instance, with the moments at which they are due.
    pub fn due(&self, model: &Model, system: &System, world: &World, part: PartId, number: u64) -> Vec<(EventId, i64)> {
        let machine = &model.machines[system.part(part).machine];
        let clock = self.clocks.get(&(part, number)).zip(world.instance(part, number));
        clock.map(|(clock, instance)| clock.due(machine, instance)).unwrap_or_default()
    }

    /// Ends a timer that was refused.
    pub(super) fn end(&mut self, part: PartId, number: u64, timer: EventId) {
        if let Some(clock) = self.clocks.get_mut(&(part, number)) {
            clock.end(timer);
        }
    }

    /// The timer that is due first: the part, the number of the instance, the event and the moment.
    pub(super) fn next_due(&self, model: &Model, system: &System, world: &World) -> Option<(PartId, u64, EventId, i64)> {
        let of = |key: &(PartId, u64)| {
            let due = self.due(model, system, world, key.0, key.1);
            due.into_iter().map(|(event, moment)| (key.0, key.1, event, moment)).collect::<Vec<_>>()
        };
        self.clocks.keys().flat_map(of).min_by_key(|it| it.3)
    }

    /// Lets the next timer elapse that is due until a moment: runs the first transaction that fires it. `None` if no timer is due;
    /// then it is that moment.
    pub fn elapse(
        &mut self,
        model: &Model,
        system: &System,
        world: &mut World,
        until: i64,
        host: &mut dyn SystemHost,
    ) -> Result<Option<Elapsed>, SystemError> {
        let Some((part, number, timer, moment)) = self.next_due(model, system, world).filter(|it| it.3 <= until) else {
            self.now = self.now.max(until);
            return Ok(None);
        };
        self.now = self.now.max(moment);
        // The part itself fires it, or a role that the part plays.
        let fires = |it: &Transaction| it.fire.iter().find(|it| (system.plays(it.part), it.event) == (part, timer)).map(|it| it.part);
        let mut transactions = system.transactions.iter().enumerate().filter(|(_, it)| it.payload.is_empty());
        let Some((transaction, role)) = transactions.find_map(|(idx, it)| Some((idx, fires(it)?))) else {
            let machine = &model.machines[system.part(part).machine];
            let (part, timer) = (&system.part(part).name, &machine.event(timer).name);
            return Err(invalid(format!("the timer `{part}.{timer}` is due, and no transaction without a payload fires it")));
        };
        let instances: Vec<(PartId, u64)> = if system.part(part).many { vec![(role, number)] } else { Vec::new() };
        let outcome = match world.run(model, system, transaction, &instances, &[], host) {
            Ok(trace) => {
                self.observe(model, system, &trace);
                Ok(trace)
            }
            Err(SystemError::Refused(reason)) => Err(reason),
            Err(error) => return Err(error),
        };
        if outcome.is_err() {
            self.end(part, number, timer);
        }
        Ok(Some(Elapsed { moment, transaction, instances, outcome }))
    }
}
