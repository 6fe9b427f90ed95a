//! The comparison of emitted machines with the interpreter, call by call.

use std::collections::BTreeSet;

use statespec::{Attempt, Change, Named, Refused, Row, RunError, State};
use statespec_lang::interpret::{Error, Failure, Instance, Request, Step};
use statespec_lang::model::machine::{Field, On};
use statespec_lang::model::{Configuration, EventId, Machine, Value};

use super::log::{Interpreted, effects_that_fail};
use super::record::record;
use super::timers::compare_timers;
use super::values::{configuration_id, configurations, leaves_of, state_of};
use super::{BoundaryValues, Drive, Holds, Log, Random, Values};

/// The effects of one call, in a form that both sides can produce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The state and context afterwards.
    pub after: Option<(Configuration, Vec<Value>)>,
    /// The steps: from, to, rows.
    pub steps: Vec<(Option<Configuration>, Configuration, Vec<u32>)>,
    /// The failure, if any.
    pub failure: Option<String>,
    /// The effects and writes of the call.
    pub log: Log,
}

/// The circumstances of a call.
#[derive(Debug, Clone)]
struct Call {
    request: Request,
    payload: Vec<Value>,
    holds: Holds,
    log: Log,
}

/// Compares every event and direct transition in every state, with the boundary values of guards.
pub fn compare_everywhere<D: Drive>(machine: &Machine, limit: usize) {
    let boundary = BoundaryValues::new(machine);
    let mut random = Random::new(7);
    let contexts: Vec<&Field> = machine.fields.iter().collect();
    let states = configurations(machine, 200);
    // A machine with regions has many configurations: some of all.
    let gap = if machine.has_regions() { states.len().div_ceil(8) } else { 1 };
    for state in states.into_iter().step_by(gap) {
        for request in requests(machine) {
            let payload: Vec<&Field> = match request {
                Request::Event(event) => machine.event(event).payload.iter().collect(),
                Request::Direct(_) => Vec::new(),
            };
            let fields: Vec<&Field> = contexts.iter().chain(&payload).copied().collect();
            for values in boundary.combinations(&fields, limit, &mut |limit| random.below(limit)) {
                let (context, payload) = values.split_at(contexts.len());
                for (holds, log) in circumstances(machine, &mut random) {
                    let call = Call { request, payload: payload.to_vec(), holds, log };
                    let instance = Instance { configuration: state.clone(), context: context.to_vec() };
                    compare::<D>(machine, &instance, &call);
                }
            }
        }
    }
    for event in (0..machine.events.len()).map(EventId::new) {
        let payload: Vec<&Field> = machine.event(event).payload.iter().collect();
        for payload in boundary.combinations(&payload, limit, &mut |limit| random.below(limit)) {
            // A creation has no host: only the predicates matter.
            let circumstances = circumstances(machine, &mut random);
            let (holds, log) = random.pick(&circumstances).cloned().unwrap_or_default();
            compare_creation::<D>(machine, &Call { request: Request::Event(event), payload, holds, log });
        }
    }
}

/// Compares random calls, one after the other, and the timers that they start and end.
pub fn compare_on_walks<D: Drive>(machine: &Machine, n_walks: u64, n_calls: usize) {
    compare_timers::<D>(machine, n_walks, n_calls);
    let boundary = BoundaryValues::new(machine);
    for seed in 0..n_walks {
        let mut random = Random::new(seed + 1);
        let mut at: Option<Instance> = None;
        for _ in 0..n_calls {
            let requests = requests(machine);
            let Some(request) = random.pick(&requests).copied() else { break };
            let fields: Vec<&Field> = match request {
                Request::Event(event) => machine.event(event).payload.iter().collect(),
                Request::Direct(_) => Vec::new(),
            };
            let payload = boundary.combinations(&fields, 0, &mut |limit| random.below(limit));
            let payload =
                payload.into_iter().next().unwrap_or_else(|| fields.iter().map(|it| random_value(&boundary, it, &mut random)).collect());
            let circumstances = circumstances(machine, &mut random);
            let (holds, log) = random.pick(&circumstances).cloned().unwrap_or_default();
            let call = Call { request, payload, holds, log };
            at = match at {
                Some(instance) => Some(compare::<D>(machine, &instance, &call)),
                None if machine.edges_from(None).is_empty() => {
                    let start = Instance::start(machine, &[]).expect("a machine starts");
                    let emitted = D::start().expect("a machine starts");
                    assert_eq!(snapshot(machine, &emitted), (start.configuration.clone(), start.context.clone()));
                    Some(start)
                }
                None => compare_creation::<D>(machine, &call),
            };
        }
    }
}

pub(super) fn random_value(boundary: &BoundaryValues<'_>, field: &Field, random: &mut Random) -> Value {
    let values = boundary.of(field);
    values[random.below(values.len())].clone()
}

/// All requests that a machine accepts.
pub(super) fn requests(machine: &Machine) -> Vec<Request> {
    // A machine whose events all create it has no method that takes one.
    let takes_events = machine.edges.iter().any(|it| it.from.is_some() && it.on.event().is_some());
    let events = (0..machine.events.len()).filter(|_| takes_events).map(|idx| Request::Event(EventId::new(idx)));
    let has_direct = machine.edges.iter().any(|it| it.from.is_some() && it.on == On::Direct);
    let targets = machine.leaves().filter(|_| has_direct).map(Request::Direct);
    events.chain(targets).collect()
}

/// Predicates that are true, and effects and stores that fail.
pub(super) fn circumstances(machine: &Machine, random: &mut Random) -> Vec<(Holds, Log)> {
    let mut all = vec![(Holds::default(), Log::default())];
    if !machine.predicates.is_empty() {
        let some = machine.predicates.iter().filter(|_| random.below(2) == 0).map(|it| it.name.clone()).collect();
        all.push((Holds(some), Log::default()));
        all.push((Holds(machine.predicates.iter().map(|it| it.name.clone()).collect()), Log::default()));
    }
    let holds = || Holds(machine.predicates.iter().map(|it| it.name.clone()).collect());
    all.push((holds(), Log { store_fails: true, ..Log::default() }));
    if !machine.effects.is_empty() {
        let fails: BTreeSet<String> = effects_that_fail(machine).filter(|_| random.below(2) == 0).collect();
        all.push((holds(), Log { fails, ..Log::default() }));
    }
    all
}

/// Makes one call on both sides; returns the machine afterwards.
fn compare<D: Drive>(machine: &Machine, instance: &Instance, call: &Call) -> Instance {
    let mut expected_instance = instance.clone();
    let mut host = Interpreted { machine, holds: &call.holds, log: call.log.clone() };
    let outcome = match call.request {
        Request::Event(event) => expected_instance.fire(machine, event, &call.payload, &mut host),
        Request::Direct(target) => expected_instance.transition_to(machine, target, &mut host),
    };
    let expected = told(machine, outcome.map(|it| (it.steps, it.unsaved)), Some(&expected_instance), host.log);

    let leaves: Vec<D::State> = leaves_of(machine, &instance.configuration);
    let mut emitted = D::at(&leaves, &Values::new(machine, &instance.context));
    let mut log = call.log.clone();
    let outcome = match call.request {
        Request::Event(event) => {
            let payload = Values::new(machine, &call.payload);
            let event = D::event(&machine.event(event).name, &payload).expect("an event");
            emitted.run_event(event, &call.holds, &mut log)
        }
        Request::Direct(target) => emitted.run_to(state_of(machine, target), &call.holds, &mut log),
    };
    let (kind, fields) = kind::<D>(machine, call.request);
    record(machine, (fields, &call.payload), Some(&instance.context), &Attempt::of_run(kind, None, &outcome));
    let found = emitted_told::<D>(machine, outcome, Some(&emitted), log);
    assert_eq!(found, expected, "{} in {:?}: {call:#?}", machine.name, instance);
    expected_instance
}

/// Makes one creation on both sides.
fn compare_creation<D: Drive>(machine: &Machine, call: &Call) -> Option<Instance> {
    let Request::Event(event) = call.request else { return None };
    if machine.edges_from(None).is_empty() {
        return None;
    }
    let mut host = Interpreted { machine, holds: &call.holds, log: Log::default() };
    let outcome = Instance::create(machine, event, &call.payload, &[], &mut host);
    let payload = Values::new(machine, &call.payload);
    let emitted = D::create(D::event(&machine.event(event).name, &payload).expect("an event"), &call.holds);
    let made = emitted.as_ref().map(|(_, change)| change.clone()).map_err(Clone::clone);
    let (kind, fields) = kind::<D>(machine, call.request);
    record(machine, (fields, &call.payload), None, &Attempt::of_step(kind, None, &made));
    match (outcome, emitted) {
        (Ok((instance, done)), Ok((emitted, change))) => {
            assert_eq!(snapshot(machine, &emitted), (instance.configuration.clone(), instance.context.clone()));
            assert_eq!(emitted_steps::<D>(machine, &change), steps(&done.steps));
            let names: Vec<&str> = change.effects().map(|it| it.name()).collect();
            let mut expected: Vec<_> = done.steps.iter().flat_map(|it| &it.effects).collect();
            expected.sort_by_key(|it| it.phase != statespec_lang::interpret::Phase::Before);
            assert_eq!(names, expected.iter().map(|it| machine.effect(it.effect).name.as_str()).collect::<Vec<_>>());
            Some(instance)
        }
        (Err(error), Err(refused)) => {
            assert_eq!(refused.to_string(), error.show(machine));
            None
        }
        (expected, found) => panic!("{}: {call:#?}\nexpected {expected:#?}\nfound {found:#?}", machine.name),
    }
}

/// The event of a request, and the fields of its payload.
fn kind<'m, D: Drive>(machine: &'m Machine, request: Request) -> (Option<<D::State as State>::Event>, &'m [Field]) {
    match request {
        Request::Event(event) => {
            let event = machine.event(event);
            (Some(Named::parse(&event.name).expect("an event")), &event.payload)
        }
        Request::Direct(_) => (None, &[]),
    }
}

pub(super) fn snapshot<D: Drive>(machine: &Machine, emitted: &D) -> (Configuration, Vec<Value>) {
    (configuration_id::<D::State>(machine, emitted.state_now()), emitted.context_now(machine))
}

fn steps(steps: &[Step]) -> Vec<(Option<Configuration>, Configuration, Vec<u32>)> {
    steps.iter().map(|it| (it.from.clone(), it.to.clone(), it.transitions.iter().map(|it| it.0).collect())).collect()
}

fn emitted_steps<D: Drive>(machine: &Machine, change: &Change<D::State>) -> Vec<(Option<Configuration>, Configuration, Vec<u32>)> {
    let id = |configuration| configuration_id::<D::State>(machine, configuration);
    let rows = |it: &statespec::Step<D::State>| it.rows().map(|row| row.position() as u32).collect();
    change.steps().iter().map(|it| (it.from().map(id), id(it.to()), rows(it))).collect()
}

fn told(machine: &Machine, outcome: Result<(Vec<Step>, Option<String>), Error>, after: Option<&Instance>, log: Log) -> Comparison {
    let after = after.map(|it| (it.configuration.clone(), it.context.clone()));
    match outcome {
        Ok((taken, None)) => Comparison { after, steps: steps(&taken), failure: None, log },
        // The emitted error does not contain the steps.
        Ok((_, Some(_))) => Comparison { after, steps: Vec::new(), failure: Some("the state moved, but the store failed".into()), log },
        Err(Error::Refused(refused)) => Comparison { after, steps: Vec::new(), failure: Some(refused.show(machine).to_string()), log },
        Err(Error::Failed(Failure::Before(effect, _))) => {
            let failure = format!("`{}` failed, so nothing changed", machine.effect(effect).name);
            Comparison { after, steps: Vec::new(), failure: Some(failure), log }
        }
        Err(Error::Failed(Failure::Store(_))) => {
            Comparison { after, steps: Vec::new(), failure: Some("the store failed, so nothing changed".into()), log }
        }
        Err(Error::Misuse(message)) => panic!("{message}"),
    }
}

fn emitted_told<D: Drive>(
    machine: &Machine,
    outcome: Result<Change<D::State>, RunError<D::State, String>>,
    after: Option<&D>,
    log: Log,
) -> Comparison {
    let after = after.map(|it| snapshot(machine, it));
    match outcome {
        Ok(change) => Comparison { after, steps: emitted_steps::<D>(machine, &change), failure: None, log },
        Err(error) => {
            if let RunError::Refused(refused) = &error {
                check_refusal(machine, refused);
            }
            Comparison { after, steps: Vec::new(), failure: Some(error.to_string()), log }
        }
    }
}

/// Checks the fields of a refusal besides its text.
fn check_refusal<S: statespec::State>(machine: &Machine, refused: &Refused<S>) {
    let from = refused.from().map(|it| configuration_id::<S>(machine, it));
    let allowed: Vec<&str> = refused.allowed().map(|it| it.name()).collect();
    let expected = statespec_lang::interpret::machine::allowed(machine, from.as_ref());
    assert_eq!(allowed, expected.iter().map(|it| machine.event(*it).name.as_str()).collect::<Vec<_>>());
}
