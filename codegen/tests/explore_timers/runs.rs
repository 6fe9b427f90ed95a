//! Random machines with timers, and all runs of a few steps of the interpreter with its clock, event by event and moment by moment.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use statespec_codegen::model::{self, Configuration, EventId, FieldId, TransitionId, Value};
use statespec_lang::interpret::{Clock, Error, Instance};

use crate::play::random::Random;

/// The number of steps of a run.
pub(super) const DEPTH: usize = 4;
/// The number of timers that the order remembers.
const MAX_ORDER: usize = 3;
/// A base above the number of timers.
const BASE: i64 = 8;
/// The longest duration, in microseconds, and one more: later than that, nothing changes.
const MAX_WAIT: i64 = 5;

/// A leaf, and the timers that elapsed until then: each a digit, the first one the most significant.
pub(super) type Probe = (String, i64);

/// A random machine.
pub(super) struct Machine {
    pub(super) text: String,
    /// The lines of rows that only a configuration takes in which the leaf is active after these timers.
    pub(super) probes: Vec<(usize, Probe)>,
}

impl Machine {
    /// Durations are from 1 to 4 microseconds, so that they often are equal, and each moment can be tried.
    pub(super) fn short(seed: u64) -> Self {
        Self::new(seed, &["1us", "2us", "3us", "4us"], MAX_ORDER)
    }

    /// Durations are of different sizes, or a field of the context. The order remembers the last timer only, so that there are few
    /// configurations.
    pub(super) fn long(seed: u64) -> Self {
        Self::new(seed, &["1s", "7s", "10s", "20s", "25s", "1m", "limit"], 1)
    }

    /// Two regions, or a composite and a leaf. Each row of a timer adds it to the order.
    fn new(seed: u64, durations: &[&str], max_order: usize) -> Self {
        let mut random = Random::new(seed + 1);
        let (states, groups): (_, &[&[&str]]) = match random.below(2) {
            0 => (
                "regions:\n  x: { states: { a: { initial: true }, b: {} } }\n  y: { states: { c: { initial: true }, d: {} } }\n",
                &[&["a", "b"], &["c", "d"]],
            ),
            _ => (
                "states:\n  x: { initial: true, states: { a: { initial: true }, b: {}, c: {} } }\n  d: {}\n",
                &[&["a", "b", "c", "d", "x"]],
            ),
        };
        let mut rows = Vec::new();
        let mut n_timers = 0;
        let mut sources: Vec<(&str, &[&str])> = groups.iter().flat_map(|group| group.iter().map(|it| (*it, *group))).collect();
        sources.extend((groups.len() == 2).then_some(("x", groups[0])));
        // In no order of the states, since the first in the spec of several elapses first.
        while !sources.is_empty() {
            let (from, group) = sources.remove(random.below(sources.len()));
            // So that timers run together in every machine.
            if ["x", "a", "c"].contains(&from) || random.below(2) > 0 {
                n_timers += 1;
                let to = match random.below(5) {
                    0 => String::new(),
                    1 if from != "x" => format!("to: {from}, "),
                    _ => format!("to: {}, ", random.pick(group).unwrap()),
                };
                let guard = match random.below(4) {
                    0 if max_order > 1 => "when: order < 8, ",
                    0 => "when: order < 3, ",
                    _ => "",
                };
                let after = random.pick(durations).unwrap();
                let before = if max_order > 1 { format!("order * {BASE} + ") } else { String::new() };
                rows.push(format!(
                    "{{ from: {from}, after: {after}, timer: t{n_timers}, {guard}{to}set: {{ order: {before}{n_timers} }} }}"
                ));
            }
            if random.below(4) == 0 {
                rows.push(format!("{{ from: {from}, event: touch, to: {} }}", random.pick(group).unwrap()));
            }
        }
        let mut text = format!("machine: m\ncontext: {{ order: int, limit: duration }}\n{states}events: [touch, probe]\ntransitions:\n");
        rows.iter().for_each(|it| writeln!(text, "  - {it}").unwrap());
        let mut probes = Vec::new();
        let mut orders = vec![0];
        for _ in 0..=max_order {
            for (leaf, order) in ["a", "b", "c", "d"].iter().flat_map(|leaf| orders.iter().map(move |order| (*leaf, *order))) {
                probes.push((text.matches('\n').count() + 1, (leaf.to_owned(), order)));
                writeln!(text, "  - {{ from: {leaf}, event: probe, when: order == {order} }}").unwrap();
            }
            orders = orders.iter().flat_map(|order| (1..=n_timers).map(move |it| order * BASE + it)).collect();
        }
        Machine { text, probes }
    }
}

/// A run: the machine, its timers, and the moment.
#[derive(Clone)]
struct Run {
    instance: Instance,
    clock: Clock,
    now: i64,
    /// The rows of the last step.
    taken: Vec<TransitionId>,
}

/// What decides about later steps: the state, and in how long each timer is due.
type Key = (Configuration, Vec<Value>, Vec<(EventId, i64)>);

impl Run {
    fn start(machine: &model::Machine, limit: i64) -> Self {
        let given = [(FieldId::new(1), Value::Duration(limit))];
        let instance = Instance::start(machine, &given).unwrap();
        Run { clock: Clock::start(machine, &instance, 0), instance, now: 0, taken: Vec::new() }
    }

    fn key(&self, machine: &model::Machine) -> Key {
        let due = self.clock.due(machine, &self.instance).into_iter().map(|(event, moment)| (event, moment - self.now));
        (self.instance.configuration.clone(), self.instance.context.clone(), due.collect())
    }

    /// The run with one more event, if the machine does not refuse it. A refused timer is over.
    fn with(&self, machine: &model::Machine, event: EventId, now: i64) -> Option<Run> {
        let mut run = Run { now, ..self.clone() };
        match run.instance.fire(machine, event, &[], &mut ()) {
            Ok(done) => {
                run.clock.observe(machine, &done.steps, now);
                run.taken = done.steps.into_iter().flat_map(|it| it.transitions).collect();
            }
            Err(Error::Refused(_)) if machine.timer(event).is_some() => {
                run.clock.end(event);
                run.taken.clear();
            }
            Err(Error::Refused(_)) => return None,
            Err(error) => panic!("{}", error.show(machine)),
        }
        Some(run)
    }

    /// All runs with one more step. On time, nothing comes after the moment at which a timer is due.
    fn next(&self, machine: &model::Machine, late: bool) -> Vec<Run> {
        let mut runs = Vec::new();
        let due = self.clock.next_due(machine, &self.instance);
        if let Some((event, moment)) = due {
            let first = self.now.max(moment);
            let last = if late { first + MAX_WAIT } else { first };
            runs.extend((first..=last).filter_map(|now| self.with(machine, event, now)));
        }
        let last = due.filter(|_| !late).map_or(self.now + MAX_WAIT, |it| it.1);
        let touch = machine.event_named("touch").unwrap();
        runs.extend((self.now..=last).filter_map(|now| self.with(machine, touch, now)));
        runs
    }

    /// All runs with one more step, if every running timer may elapse now.
    fn any(&self, machine: &model::Machine) -> Vec<Run> {
        let timers = self.clock.due(machine, &self.instance).into_iter().map(|it| it.0);
        timers.chain(machine.event_named("touch")).filter_map(|it| self.with(machine, it, self.now)).collect()
    }
}

/// The rows that some random runs of many steps take.
pub(super) fn walk(machine: &model::Machine, seed: u64, late: bool) -> BTreeSet<TransitionId> {
    const SECOND: usize = 1_000_000;
    let mut random = Random::new(seed + 1);
    let mut taken = BTreeSet::new();
    for _ in 0..50 {
        let mut run = Run::start(machine, random.below(70 * SECOND) as i64 + 1);
        for _ in 0..50 {
            let due = run.clock.next_due(machine, &run.instance);
            let delay = if random.below(2) == 0 { 0 } else { random.below(60 * SECOND) as i64 };
            let next = match (random.below(3), due) {
                (0, Some((timer, moment))) => run.with(machine, timer, run.now.max(moment) + if late { delay } else { 0 }),
                (idx, due) => {
                    let event = machine.event_named(if idx == 1 { "touch" } else { "probe" }).unwrap();
                    let last = due.filter(|_| !late).map_or(i64::MAX, |it| it.1);
                    run.with(machine, event, last.min(run.now + delay))
                }
            };
            run = next.unwrap_or(run);
            taken.extend(run.taken.iter().copied());
        }
    }
    taken
}

/// The probes that runs reach.
pub(super) fn reached(machine: &model::Machine, late: bool) -> BTreeSet<Probe> {
    probes(machine, |it| it.next(machine, late))
}

/// The probes that runs reach whose timers elapse in any order.
pub(super) fn reached_in_any_order(machine: &model::Machine) -> BTreeSet<Probe> {
    probes(machine, |it| it.any(machine))
}

fn probes(machine: &model::Machine, next: impl Fn(&Run) -> Vec<Run>) -> BTreeSet<Probe> {
    let mut open = vec![Run::start(machine, 0)];
    let mut seen: BTreeSet<Key> = open.iter().map(|it| it.key(machine)).collect();
    let mut probes = BTreeSet::new();
    for _ in 0..=DEPTH {
        for run in &open {
            let Some(Value::Int(order)) = run.instance.context.first() else { panic!("the order is a number") };
            probes.extend(run.instance.configuration.leaves().map(|it| (machine.state(it).name.clone(), *order)));
        }
        let runs: Vec<Run> = open.iter().flat_map(&next).collect();
        open = runs.into_iter().filter(|it| seen.insert(it.key(machine))).collect();
    }
    probes
}
