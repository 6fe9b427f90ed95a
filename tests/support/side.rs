//! Emitted machines behind one interface, so that what compares them is compiled once, and not once for each machine.
//!
//! What is here is compiled for each machine: loops instead of chains of iterators, of which every link would be a function more.

use std::marker::PhantomData;

use statespec::{Attempt, Change, Configuration as _, Named, Refused, Row, RunError, State};
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::{Configuration, EventId, Machine, Value};

use super::record::record;
use super::values::{configuration_id, leaves_of, state_of};
use super::{Drive, Holds, Log, Started, Values};

/// State and context of a machine.
pub(super) type Snapshot = (Configuration, Vec<Value>);

/// One step: from, to, rows.
pub(super) type Taken = (Option<Configuration>, Configuration, Vec<u32>);

/// A call on a machine, or its creation.
pub(super) struct Called {
    /// The state and context afterwards.
    pub(super) after: Snapshot,
    /// Its steps, or the error.
    pub(super) outcome: Result<Vec<Taken>, String>,
    /// If it was refused: where, and the events that are allowed there.
    pub(super) refused: Option<(Option<Configuration>, Vec<String>)>,
}

/// A creation.
pub(super) struct Created {
    /// The new machine.
    pub(super) after: Snapshot,
    /// The steps to its first state.
    pub(super) steps: Vec<Taken>,
    /// The effects, by name.
    pub(super) effects: Vec<String>,
}

/// One emitted machine.
pub(super) trait Side {
    /// The machine that no event creates.
    fn start(&self, machine: &Machine) -> Snapshot;

    /// Creates a machine; the error is the text of the refusal.
    fn create(&self, machine: &Machine, event: EventId, payload: &[Value], holds: &Holds) -> Result<Created, String>;

    /// Makes one call with a host.
    fn call(&self, machine: &Machine, at: &Instance, request: Request, payload: &[Value], holds: &Holds, log: &mut Log) -> Called;

    /// The machine that no event creates, with its timers.
    fn start_timed(&self, now: i64) -> Box<dyn Timed>;

    /// A machine that an event creates, with its timers.
    fn create_timed(&self, machine: &Machine, event: EventId, payload: &[Value], holds: &Holds, now: i64) -> Box<dyn Timed>;
}

/// A machine with its timers.
pub(super) trait Timed {
    /// Its state and context.
    fn snapshot(&self, machine: &Machine) -> Snapshot;

    /// Makes one call without failures; the error is the text of the refusal.
    fn call(&mut self, machine: &Machine, request: Request, payload: &[Value], holds: &Holds, now: i64) -> Result<(), String>;

    /// Ends a timer that was refused.
    fn end(&mut self, timer: &str);

    /// Lets the timer elapse that is due first, if one is due: its name, and the text of the refusal if the machine refused it.
    fn elapse(&mut self, holds: &Holds, now: i64) -> Option<(String, Result<(), String>)>;

    /// Whether nothing elapses, and no timer changes, at a moment.
    fn rests_at(&self, moment: i64) -> bool;

    /// The timers that run, and their durations in microseconds.
    fn running(&self) -> Vec<(String, i64)>;

    /// The running timers with the moments at which they are due, and the one that is due next.
    fn due(&self) -> (Started, Option<(String, i64)>);
}

/// The one implementation, for every emitted machine.
pub(super) struct Emitted<D>(PhantomData<D>);

impl<D> Emitted<D> {
    pub(super) fn new() -> Self {
        Emitted(PhantomData)
    }
}

struct WithTimers<D> {
    emitted: D,
    started: Started,
}

pub(super) fn snapshot<D: Drive>(machine: &Machine, emitted: &D) -> Snapshot {
    (configuration_id::<D::State>(machine, emitted.state_now()), emitted.context_now(machine))
}

fn steps<S: State>(machine: &Machine, change: &Change<S>) -> Vec<Taken> {
    let mut all = Vec::new();
    for step in change.steps() {
        let mut rows = Vec::new();
        for row in step.rows() {
            rows.push(row.position() as u32);
        }
        let from = step.from().map(|it| configuration_id::<S>(machine, it));
        all.push((from, configuration_id::<S>(machine, step.to()), rows));
    }
    all
}

fn event<'v, D: Drive>(machine: &Machine, event: EventId, values: &Values<'v>) -> D::Event<'v> {
    match D::event(&machine.event(event).name, values) {
        Some(it) => it,
        None => panic!("no event of {} is called {}", machine.name, machine.event(event).name),
    }
}

fn kind<D: Drive>(machine: &Machine, event: EventId) -> <D::State as State>::Event {
    Named::parse(&machine.event(event).name).expect("an event")
}

fn refusal<S: State>(machine: &Machine, refused: &Refused<S>) -> (Option<Configuration>, Vec<String>) {
    let from = refused.from().map(|it| configuration_id::<S>(machine, it));
    let mut allowed = Vec::new();
    for event in refused.allowed() {
        allowed.push(event.name().to_owned());
    }
    (from, allowed)
}

fn creation<D: Drive>(
    machine: &Machine,
    id: EventId,
    payload: &[Value],
    holds: &Holds,
) -> Result<(D, Change<D::State>), Refused<D::State>> {
    D::create(event::<D>(machine, id, &Values::new(machine, payload)), holds)
}

impl<D: Drive> Side for Emitted<D> {
    fn start(&self, machine: &Machine) -> Snapshot {
        snapshot(machine, &D::start().expect("a machine starts"))
    }

    fn create(&self, machine: &Machine, event: EventId, payload: &[Value], holds: &Holds) -> Result<Created, String> {
        let created = creation::<D>(machine, event, payload, holds);
        let made = match &created {
            Ok((_, change)) => Ok(*change),
            Err(refused) => Err(*refused),
        };
        let kind = Some(kind::<D>(machine, event));
        record(machine, (&machine.event(event).payload, payload), None, &Attempt::of_step(kind, None, &made));
        match created {
            Err(refused) => Err(refused.to_string()),
            Ok((emitted, change)) => {
                let mut effects = Vec::new();
                for effect in change.effects() {
                    effects.push(effect.name().to_owned());
                }
                Ok(Created { after: snapshot(machine, &emitted), steps: steps(machine, &change), effects })
            }
        }
    }

    fn call(&self, machine: &Machine, at: &Instance, request: Request, payload: &[Value], holds: &Holds, log: &mut Log) -> Called {
        let leaves: Vec<D::State> = leaves_of(machine, &at.configuration);
        let mut emitted = D::at(&leaves, &Values::new(machine, &at.context));
        let outcome = match request {
            Request::Event(id) => emitted.run_event(event::<D>(machine, id, &Values::new(machine, payload)), holds, log),
            Request::Direct(target) => emitted.run_to(state_of(machine, target), holds, log),
        };
        let (kind, fields) = match request {
            Request::Event(id) => (Some(kind::<D>(machine, id)), &machine.event(id).payload[..]),
            Request::Direct(_) => (None, &[][..]),
        };
        record(machine, (fields, payload), Some(&at.context), &Attempt::of_run(kind, None, &outcome));
        let after = snapshot(machine, &emitted);
        match outcome {
            Ok(change) => Called { after, outcome: Ok(steps(machine, &change)), refused: None },
            Err(error) => {
                let refused = match &error {
                    RunError::Refused(refused) => Some(refusal(machine, refused)),
                    _ => None,
                };
                Called { after, outcome: Err(error.to_string()), refused }
            }
        }
    }

    fn start_timed(&self, now: i64) -> Box<dyn Timed> {
        let emitted = D::start().expect("a machine starts");
        let started = D::start_timers(emitted.state_now(), now);
        Box::new(WithTimers { emitted, started })
    }

    fn create_timed(&self, machine: &Machine, event: EventId, payload: &[Value], holds: &Holds, now: i64) -> Box<dyn Timed> {
        match creation::<D>(machine, event, payload, holds) {
            Ok((emitted, change)) => {
                let started = D::observe_timers(&Started::new(), &change, now);
                Box::new(WithTimers { emitted, started })
            }
            Err(refused) => panic!("a creation: {refused}"),
        }
    }
}

impl<D: Drive> Timed for WithTimers<D> {
    fn snapshot(&self, machine: &Machine) -> Snapshot {
        snapshot(machine, &self.emitted)
    }

    fn call(&mut self, machine: &Machine, request: Request, payload: &[Value], holds: &Holds, now: i64) -> Result<(), String> {
        let done = match request {
            Request::Event(id) => self.emitted.raise(event::<D>(machine, id, &Values::new(machine, payload)), holds),
            Request::Direct(target) => self.emitted.transition_to(state_of(machine, target), holds),
        };
        match done {
            Ok(change) => {
                self.started = D::observe_timers(&self.started, &change, now);
                Ok(())
            }
            Err(refused) => Err(refused.to_string()),
        }
    }

    fn end(&mut self, timer: &str) {
        self.started = D::end_timer(&self.started, timer);
    }

    fn elapse(&mut self, holds: &Holds, now: i64) -> Option<(String, Result<(), String>)> {
        let (started, elapsed) = self.emitted.elapse(&self.started, holds, now);
        self.started = started;
        match elapsed {
            None => None,
            Some((timer, Ok(_))) => Some((timer, Ok(()))),
            Some((timer, Err(refused))) => Some((timer, Err(refused.to_string()))),
        }
    }

    fn rests_at(&self, moment: i64) -> bool {
        let (started, elapsed) = self.emitted.clone().elapse(&self.started, &Holds::default(), moment);
        started == self.started && elapsed.is_none()
    }

    fn running(&self) -> Vec<(String, i64)> {
        self.emitted.running_timers()
    }

    fn due(&self) -> (Started, Option<(String, i64)>) {
        self.emitted.due_timers(&self.started)
    }
}
