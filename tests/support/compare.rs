//! The comparison of emitted machines with the interpreter, call by call.

use std::collections::BTreeSet;

use statespec_lang::interpret::{Error, Failure, Instance, Request, Step};
use statespec_lang::model::machine::{Field, On};
use statespec_lang::model::{Configuration, EventId, Machine, Value};

use super::log::{Interpreted, effects_that_fail};
use super::side::{Emitted, Side, Taken};
use super::timers::compare_timers;
use super::values::configurations;
use super::{BoundaryValues, Drive, Holds, Log, Random};

/// The effects of one call, in a form that both sides can produce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The state and context afterwards.
    pub after: Option<(Configuration, Vec<Value>)>,
    /// The steps: from, to, rows.
    pub steps: Vec<Taken>,
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
    everywhere(&Emitted::<D>::new(), machine, limit);
}

fn everywhere(side: &dyn Side, machine: &Machine, limit: usize) {
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
                    compare(side, machine, &instance, &call);
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
            compare_creation(side, machine, &Call { request: Request::Event(event), payload, holds, log });
        }
    }
}

/// Compares random calls, one after the other, and the timers that they start and end.
pub fn compare_on_walks<D: Drive>(machine: &Machine, n_walks: u64, n_calls: usize) {
    let side = Emitted::<D>::new();
    compare_timers(&side, machine, n_walks, n_calls);
    walks(&side, machine, n_walks, n_calls);
}

fn walks(side: &dyn Side, machine: &Machine, n_walks: u64, n_calls: usize) {
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
                Some(instance) => Some(compare(side, machine, &instance, &call)),
                None if machine.edges_from(None).is_empty() => {
                    let start = Instance::start(machine, &[]).expect("a machine starts");
                    assert_eq!(side.start(machine), (start.configuration.clone(), start.context.clone()));
                    Some(start)
                }
                None => compare_creation(side, machine, &call),
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
fn compare(side: &dyn Side, machine: &Machine, instance: &Instance, call: &Call) -> Instance {
    let mut expected_instance = instance.clone();
    let mut host = Interpreted { machine, holds: &call.holds, log: call.log.clone() };
    let outcome = match call.request {
        Request::Event(event) => expected_instance.fire(machine, event, &call.payload, &mut host),
        Request::Direct(target) => expected_instance.transition_to(machine, target, &mut host),
    };
    let expected = told(machine, outcome.map(|it| (it.steps, it.unsaved)), &expected_instance, host.log);

    let mut log = call.log.clone();
    let called = side.call(machine, instance, call.request, &call.payload, &call.holds, &mut log);
    if let Some((from, allowed)) = &called.refused {
        // The fields of a refusal besides its text.
        let expected = statespec_lang::interpret::machine::allowed(machine, from.as_ref());
        assert_eq!(*allowed, expected.iter().map(|it| machine.event(*it).name.clone()).collect::<Vec<_>>());
    }
    let (steps, failure) = match called.outcome {
        Ok(steps) => (steps, None),
        Err(failure) => (Vec::new(), Some(failure)),
    };
    let found = Comparison { after: Some(called.after), steps, failure, log };
    assert_eq!(found, expected, "{} in {:?}: {call:#?}", machine.name, instance);
    expected_instance
}

/// Makes one creation on both sides.
fn compare_creation(side: &dyn Side, machine: &Machine, call: &Call) -> Option<Instance> {
    let Request::Event(event) = call.request else { return None };
    if machine.edges_from(None).is_empty() {
        return None;
    }
    let mut host = Interpreted { machine, holds: &call.holds, log: Log::default() };
    let outcome = Instance::create(machine, event, &call.payload, &[], &mut host);
    match (outcome, side.create(machine, event, &call.payload, &call.holds)) {
        (Ok((instance, done)), Ok(created)) => {
            assert_eq!(created.after, (instance.configuration.clone(), instance.context.clone()));
            assert_eq!(created.steps, steps(&done.steps));
            let mut expected: Vec<_> = done.steps.iter().flat_map(|it| &it.effects).collect();
            expected.sort_by_key(|it| it.phase != statespec_lang::interpret::Phase::Before);
            assert_eq!(created.effects, expected.iter().map(|it| machine.effect(it.effect).name.clone()).collect::<Vec<_>>());
            Some(instance)
        }
        (Err(error), Err(refused)) => {
            assert_eq!(refused, error.show(machine).to_string());
            None
        }
        (expected, found) => {
            panic!("{}: {call:#?}\nexpected {expected:#?}\nfound {:#?}", machine.name, found.map(|it| it.after));
        }
    }
}

fn steps(steps: &[Step]) -> Vec<Taken> {
    steps.iter().map(|it| (it.from.clone(), it.to.clone(), it.transitions.iter().map(|it| it.0).collect())).collect()
}

fn told(machine: &Machine, outcome: Result<(Vec<Step>, Option<String>), Error>, after: &Instance, log: Log) -> Comparison {
    let after = Some((after.configuration.clone(), after.context.clone()));
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
