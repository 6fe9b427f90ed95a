//! Programs do what the interpreter does: for every machine of this repository, and for random charts.

use statespec_codegen::source::Input;
use statespec_lang::interpret::{BoundaryValues, Error, Instance, Plan, Reason, Request, plan};
use statespec_lang::lower::load;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Machine, Model, PredicateId, StateId, Value};
use statespec_lang::program::{Cause, Program};

use crate::play::random::Random;

#[path = "../../tests/support/program.rs"]
mod run;

/// The number of calls of a walk.
const CALLS: usize = 40;

#[test]
fn programs_of_all_machines_do_what_the_interpreter_does() {
    for folder in ["machines", "codegen/tests/fixtures/rust", "codegen/tests/fixtures/explore"] {
        let n_steps: usize = models(folder).iter().flat_map(|it| &it.machines).map(compare).sum();
        assert!(n_steps > 100, "{folder}: {n_steps} steps");
    }
}

#[test]
fn programs_of_random_charts_do_what_the_interpreter_does() {
    let n_steps: usize = crate::regions::random::specs().take(300).flat_map(|it| model(&it).machines).map(|it| compare(&it)).sum();
    assert!(n_steps > 5_000, "{n_steps} steps");
}

/// The model of all specs of a folder, or one model for each spec, where they are no single project.
fn models(folder: &str) -> Vec<Model> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(&root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let inputs = paths.iter().filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let inputs: Vec<Input> = inputs
        .map(|it| Input { path: it.file_name().unwrap().to_str().unwrap().into(), text: std::fs::read_to_string(it).unwrap() })
        .collect();
    match load(&inputs).model {
        Some(model) => vec![model],
        None => inputs.into_iter().filter_map(|it| load(&[it]).model).collect(),
    }
}

fn model(text: &str) -> Model {
    load(&[Input { path: "m.yaml".into(), text: text.into() }]).model.unwrap_or_else(|| panic!("{text}"))
}

/// Compares the calls of random walks, whose contexts are changed on the way; returns the number of steps.
fn compare(machine: &Machine) -> usize {
    let program = Program::of(machine);
    let (boundary, mut random) = (BoundaryValues::new(machine), Random::new(3));
    let mut n_steps = 0;
    for _ in 0..8 {
        let mut at = Instance::start(machine, &given(machine, &boundary, &mut random)).ok().filter(|_| machine.edges_from(None).is_empty());
        for _ in 0..CALLS {
            let requests = requests(machine);
            let request = *random.pick(&requests).expect("a machine has a state");
            let given = if at.is_none() { given(machine, &boundary, &mut random) } else { Vec::new() };
            for _ in 0..4 {
                // The last of some contexts goes on.
                if let Some(instance) = &mut at {
                    disturb(machine, instance, &boundary, &mut random);
                }
                let payload = request.event().map_or(Vec::new(), |it| values(&machine.event(it).payload, &boundary, &mut random));
                let asked: Vec<bool> = machine.predicates.iter().map(|_| random.below(3) > 0).collect();
                let next = one_call(&program, at.as_ref(), request, &payload, &given, &|it| asked[it.index()]);
                if let Some(Plan { steps, end, .. }) = next {
                    n_steps += steps.len();
                    at = Some(end);
                    break;
                }
            }
        }
    }
    n_steps
}

/// Compares one call; returns what it changes.
fn one_call(
    program: &Program<'_>,
    at: Option<&Instance>,
    request: Request,
    payload: &[Value],
    given: &[(FieldId, Value)],
    holds: &dyn Fn(PredicateId) -> bool,
) -> Option<Plan> {
    let machine = program.machine;
    let expected = match plan(machine, at, request, payload, given, holds) {
        Ok(plan) => Ok(plan),
        Err(Error::Refused(refused)) => {
            assert_eq!(refused.allowed, allowed(program, at), "{}", machine.name);
            Err(refused.reason)
        }
        // A program does not judge callers.
        Err(Error::Misuse(_) | Error::Failed(_)) => return None,
    };
    let cause = match request {
        Request::Event(event) => Cause::Event(event),
        Request::Direct(target) => Cause::Direct(run::requested(program, target)),
    };
    let found: Result<Plan, Reason> = run::plan(program, at, run::Call { cause, payload, given, holds });
    assert_eq!(found, expected, "{}: {request:?} with {payload:?} at {at:?}", machine.name);
    expected.ok()
}

/// The events that a refusal lists.
fn allowed(program: &Program<'_>, at: Option<&Instance>) -> Vec<EventId> {
    let Some(instance) = at else { return program.accepted_at_creation.clone() };
    let mut events: Vec<EventId> = instance.configuration.leaves().flat_map(|it| program.node(it).accepted.clone()).collect();
    events.sort_unstable();
    events.dedup();
    events
}

fn requests(machine: &Machine) -> Vec<Request> {
    let events = (0..machine.events.len()).map(|it| Request::Event(EventId::new(it)));
    events.chain((0..machine.states.len()).map(|it| Request::Direct(StateId::new(it)))).collect()
}

fn values(fields: &[Field], boundary: &BoundaryValues<'_>, random: &mut Random) -> Vec<Value> {
    fields.iter().map(|it| random.pick(&boundary.of(it)).expect("every type has a value").clone()).collect()
}

/// Values for the fields that have none at creation.
fn given(machine: &Machine, boundary: &BoundaryValues<'_>, random: &mut Random) -> Vec<(FieldId, Value)> {
    let fields = machine.fields.iter().enumerate().filter(|(_, it)| it.default.is_none() && !it.optional);
    fields.map(|(idx, it)| (FieldId::new(idx), random.pick(&boundary.of(it)).expect("every type has a value").clone())).collect()
}

/// Changes some values of a context.
fn disturb(machine: &Machine, instance: &mut Instance, boundary: &BoundaryValues<'_>, random: &mut Random) {
    for (field, value) in machine.fields.iter().zip(&mut instance.context) {
        if random.below(4) == 0 {
            *value = random.pick(&boundary.of(field)).expect("every type has a value").clone();
        }
    }
}
