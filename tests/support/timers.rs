//! The comparison of the timers of emitted machines with the clock of the interpreter.

use statespec::{Change, RunError, State, Timers, Timestamp};
use statespec_lang::interpret::clock::{Clock, timers};
use statespec_lang::interpret::{Instance, Request};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, Machine};

use super::compare::{circumstances, random_value, requests};
use super::log::Interpreted;
use super::side::{Side, Timed};
use super::{BoundaryValues, Log, Random};

/// The timers after a run in which one elapsed at the end of time. Without a machine that moved or a refusal, nothing has happened.
pub fn timers_after<S: State, X, const N: usize>(
    mut timers: Timers<S, N>,
    timer: S::Event,
    result: &Result<Change<S>, RunError<S, X>>,
) -> Timers<S, N> {
    let change = match result {
        Ok(change) => Some(change),
        Err(RunError::Refused(_)) => {
            timers.end(timer);
            None
        }
        Err(RunError::Before { .. } | RunError::Store { moved: false, .. }) => None,
        Err(error) => error.change(),
    };
    change.into_iter().for_each(|it| timers.observe(it, Timestamp::MAX));
    timers
}

/// Compares timers on random calls: which run and for how long, since when, and which is due next. Most calls are the timer that is
/// due next.
pub(super) fn compare_timers(side: &dyn Side, machine: &Machine, n_walks: u64, n_calls: usize) {
    if machine.timers().next().is_none() {
        return;
    }
    let boundary = BoundaryValues::new(machine);
    for seed in 0..n_walks {
        let mut random = Random::new(seed + 11);
        let mut now: i64 = 1_000_000_000;
        let mut walk: Option<Walk> = None;
        for _ in 0..n_calls {
            let Some(at) = &mut walk else {
                walk = begin(side, machine, &boundary, &mut random, now);
                continue;
            };
            // A duration at the end of the range leads to the last moment.
            now = now.saturating_add(i64::try_from(random.below(5_000_000)).expect("a short time"));
            let due = at.clock.next_due(machine, &at.instance).filter(|_| random.below(3) > 0);
            match due {
                Some((timer, moment)) => {
                    at.is_not_due_before(moment);
                    now = now.max(moment);
                    at.elapse(machine, timer, &mut random, now);
                }
                None => {
                    let request = *random.pick(&requests(machine)).expect("a machine with timers takes events");
                    at.call(machine, request, &boundary, &mut random, now);
                }
            }
            at.compare(machine);
        }
    }
}

/// One machine on both sides.
struct Walk {
    instance: Instance,
    clock: Clock,
    emitted: Box<dyn Timed>,
}

fn begin(side: &dyn Side, machine: &Machine, boundary: &BoundaryValues<'_>, random: &mut Random, now: i64) -> Option<Walk> {
    let walk = if machine.edges_from(None).is_empty() {
        let instance = Instance::start(machine, &[]).expect("a machine starts");
        let clock = Clock::start(machine, &instance, now);
        Walk { instance, clock, emitted: side.start_timed(now) }
    } else {
        let events: Vec<EventId> = (0..machine.events.len()).map(EventId::new).filter(|it| machine.is_creation_event(*it)).collect();
        let event = *random.pick(&events).expect("an event creates it");
        let payload = payload(machine, event, boundary, random);
        let circumstances = circumstances(machine, random);
        let (holds, _) = random.pick(&circumstances).cloned().unwrap_or_default();
        let mut host = Interpreted { machine, holds: &holds, log: Log::default() };
        let (instance, done) = Instance::create(machine, event, &payload, &[], &mut host).ok()?;
        let mut clock = Clock::default();
        clock.observe(machine, &done.steps, now);
        Walk { instance, clock, emitted: side.create_timed(machine, event, &payload, &holds, now) }
    };
    walk.compare(machine);
    Some(walk)
}

fn payload(machine: &Machine, event: EventId, boundary: &BoundaryValues<'_>, random: &mut Random) -> Vec<statespec_lang::model::Value> {
    let fields: Vec<&Field> = machine.event(event).payload.iter().collect();
    fields.iter().map(|it| random_value(boundary, it, random)).collect()
}

impl Walk {
    /// The same call on both sides, without failures of hosts. A timer that is refused is over.
    fn call(&mut self, machine: &Machine, request: Request, boundary: &BoundaryValues<'_>, random: &mut Random, now: i64) {
        let circumstances = circumstances(machine, random);
        let (holds, _) = random.pick(&circumstances).cloned().unwrap_or_default();
        let mut host = Interpreted { machine, holds: &holds, log: Log::default() };
        let payload = request.event().map_or_else(Vec::new, |it| payload(machine, it, boundary, random));
        let done = match request {
            Request::Event(event) => self.instance.fire(machine, event, &payload, &mut host),
            Request::Direct(target) => self.instance.transition_to(machine, target, &mut host),
        };
        match (done, self.emitted.call(machine, request, &payload, &holds, now)) {
            (Ok(done), Ok(())) => self.clock.observe(machine, &done.steps, now),
            (Err(_), Err(_)) => {
                if let Some(event) = request.event().filter(|it| machine.timer(*it).is_some()) {
                    self.clock.end(event);
                    self.emitted.end(&machine.event(event).name);
                }
            }
            (done, change) => panic!("{}: {request:?}: {done:?} and {change:?}", machine.name),
        }
        assert_eq!(self.emitted.snapshot(machine), (self.instance.configuration.clone(), self.instance.context.clone()));
    }

    /// No timer elapses before the first is due.
    fn is_not_due_before(&self, moment: i64) {
        let Some(before) = moment.checked_sub(1) else { return };
        assert!(self.emitted.rests_at(before), "a timer elapses before it is due");
    }

    /// The timer that is due first elapses on both sides.
    fn elapse(&mut self, machine: &Machine, timer: EventId, random: &mut Random, now: i64) {
        let circumstances = circumstances(machine, random);
        let (holds, _) = random.pick(&circumstances).cloned().unwrap_or_default();
        let mut host = Interpreted { machine, holds: &holds, log: Log::default() };
        let done = self.instance.fire(machine, timer, &[], &mut host);
        let (name, result) = self.emitted.elapse(&holds, now).expect("a timer that is due elapses");
        assert_eq!(name, machine.event(timer).name);
        match (done, result) {
            (Ok(done), Ok(())) => self.clock.observe(machine, &done.steps, now),
            (Err(_), Err(_)) => self.clock.end(timer),
            (done, result) => panic!("{}: {name}: {done:?} and {result:?}", machine.name),
        }
        assert_eq!(self.emitted.snapshot(machine), (self.instance.configuration.clone(), self.instance.context.clone()));
    }

    fn compare(&self, machine: &Machine) {
        let named = |(event, micros): (EventId, i64)| (machine.event(event).name.clone(), micros);
        let running: Vec<(String, i64)> = timers(machine, &self.instance).into_iter().map(named).collect();
        assert_eq!(self.emitted.running(), running, "the timers of {}", machine.name);
        let due: Vec<(String, i64)> = self.clock.due(machine, &self.instance).into_iter().map(named).collect();
        let (found, next) = self.emitted.due();
        assert_eq!(found, due, "the due moments of {}", machine.name);
        assert_eq!(next, self.clock.next_due(machine, &self.instance).map(named), "the next due moment of {}", machine.name);
    }
}
