//! Random walks: many calls one after the other, with a clock.

use serde_json::{Value as Json, json};
use statespec_lang::interpret::{BoundaryValues, Clock, Instance, Plan, Request};
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Machine, Model, PredicateId, StateId, Value};

use super::calls::{Attempt, attempt};
use super::values::machine_of;

/// How many walks a file has, and how many calls each has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of walks.
    pub walks: usize,
    /// The number of calls of each.
    pub steps: usize,
}

impl Default for Extent {
    fn default() -> Self {
        Extent { walks: 8, steps: 25 }
    }
}

/// A linear congruential generator: the same walks in every run, on every machine.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: usize) -> Random {
        let mut random = Random(seed as u64);
        // The first numbers of near seeds are alike.
        (0..4).for_each(|_| _ = random.below(2));
        random
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The walks of a machine.
pub(super) fn walks(model: &Model, idx: usize, extent: Extent) -> Vec<Json> {
    let machine = &model.machines[idx];
    let [plain, extreme] = [BoundaryValues::without_extremes(machine), BoundaryValues::new(machine)];
    let walk = |seed: usize| {
        // Every fourth walk has the limits of every type as values.
        let mut walk = Walk { machine, values: if seed % 4 == 3 { &extreme } else { &plain }, random: Random::new(seed) };
        json!({ "seed": seed, "steps": walk.steps(extent.steps) })
    };
    (0..extent.walks).map(walk).filter(|it| it["steps"].as_array().is_some_and(|it| !it.is_empty())).collect()
}

/// The machine after its JSON was read, from which the next call of a walk begins: a zero that is read has no sign.
fn read_back(mut machine: Instance) -> Instance {
    for value in &mut machine.context {
        if let Value::Decimal(number) = value
            && number.is_zero()
        {
            number.set_sign_positive(true);
        }
    }
    machine
}

struct Walk<'m> {
    machine: &'m Machine,
    values: &'m BoundaryValues<'m>,
    random: Random,
}

impl Walk<'_> {
    fn steps(&mut self, n_steps: usize) -> Vec<Json> {
        let machine = self.machine;
        let mut steps = Vec::new();
        let mut now = 1_000_000;
        let (mut at, mut clock) = (None, Clock::default());
        if machine.edges_from(None).is_empty() {
            let given = self.given();
            let Ok(start) = Instance::start(machine, &given) else { return steps };
            clock = Clock::start(machine, &start, now);
            steps.push(json!({ "now": now, "start": machine_of(machine, &start), "timers": self.started(&clock, &start, now) }));
            at = Some(start);
        }
        for _ in 0..n_steps {
            let due = at.as_ref().and_then(|it| clock.next_due(machine, it));
            let (request, is_due) = match due {
                Some((timer, moment)) if self.random.below(3) == 0 => {
                    now = now.max(moment);
                    (Request::Event(timer), true)
                }
                _ => {
                    now = now.saturating_add(*self.random.pick(&[0, 1, 1_000_000, 3_600_000_000]));
                    let Some(request) = self.request(at.as_ref()) else { break };
                    (request, false)
                }
            };
            let payload = request.event().map_or_else(Vec::new, |it| self.of(&machine.event(it).payload));
            let given = if at.is_none() { self.given() } else { Vec::new() };
            let holds: Vec<PredicateId> =
                (0..machine.predicates.len()).map(PredicateId::new).filter(|_| self.random.below(3) > 0).collect();
            let (mut step, plan) = attempt(machine, at.as_ref(), Attempt { request, payload: &payload, given: &given, holds: &holds });
            if step.get("misuse").is_some() {
                continue;
            }
            step["now"] = json!(now);
            if let Some(members) = step.as_object_mut() {
                // A walk goes on where it is.
                members.shift_remove("at");
                if is_due && let Some((timer, moment)) = due {
                    members.insert("due".to_owned(), json!([machine.event(timer).name, moment]));
                }
            }
            match plan {
                Some(Plan { steps: taken, end, .. }) => {
                    match &at {
                        Some(_) => clock.observe(machine, &taken, now),
                        None => {
                            clock = Clock::default();
                            clock.observe(machine, &taken, now);
                        }
                    }
                    at = Some(read_back(end));
                }
                None if is_due => due.into_iter().for_each(|(timer, _)| clock.end(timer)),
                None => {}
            }
            if let Some(at) = &at {
                step["timers"] = self.started(&clock, at, now);
            }
            steps.push(step);
        }
        steps
    }

    /// The running timers with the moments at which they are due.
    fn started(&self, clock: &Clock, at: &Instance, _now: i64) -> Json {
        let due = clock.due(self.machine, at).into_iter();
        json!(due.map(|(timer, moment)| json!([self.machine.event(timer).name, moment])).collect::<Vec<_>>())
    }

    /// Mostly an event that some row accepts; `None` for a machine that has neither events nor direct transitions.
    fn request(&mut self, at: Option<&Instance>) -> Option<Request> {
        let machine = self.machine;
        let accepted: Vec<EventId> = match at {
            Some(it) => machine.accepted(&it.configuration),
            None => machine.accepted_from(None),
        };
        let n_events = machine.events.len();
        let is_direct = machine.has_direct() && at.is_some();
        if is_direct && (n_events == 0 || self.random.below(3) == 0) {
            return Some(Request::Direct(StateId::new(self.random.below(machine.states.len()))));
        }
        if !accepted.is_empty() && self.random.below(5) > 0 {
            return Some(Request::Event(*self.random.pick(&accepted)));
        }
        (n_events > 0).then(|| Request::Event(EventId::new(self.random.below(n_events))))
    }

    fn of(&mut self, fields: &[Field]) -> Vec<Value> {
        fields.iter().map(|it| self.random.pick(&self.values.of(it)).clone()).collect()
    }

    /// Values for the fields that have none at creation.
    fn given(&mut self) -> Vec<(FieldId, Value)> {
        let fields = self.machine.fields.iter().enumerate().filter(|(_, it)| it.default.is_none() && !it.optional);
        fields.map(|(idx, it)| (FieldId::new(idx), self.random.pick(&self.values.of(it)).clone())).collect()
    }
}
