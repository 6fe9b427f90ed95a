//! Programs do what the interpreter does: for every machine and system of this repository, and for random charts. Those of random
//! systems are compared in `tools/trust/tests/program.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{BoundaryValues, Error, Instance, Plan, Reason, Request, plan};
use statespec_lang::lower::load;
use statespec_lang::model::machine::Field;
use statespec_lang::model::{EventId, FieldId, Machine, Model, PredicateId, StateId, Value};
use statespec_lang::program::system::Key;
use statespec_lang::program::{Cause, Program, SystemProgram};

use crate::play::random::Random;
use crate::project::checks;
use run_system::Programs;

#[path = "../../tests/support/program.rs"]
mod run;
#[path = "../../tests/support/system_program.rs"]
mod run_system;
#[path = "../../tests/support/system_walks.rs"]
mod system_walks;

/// The folders of specs, each one project.
pub(crate) const FOLDERS: [&str; 5] = [
    "machines",
    "codegen/tests/fixtures/rust",
    "codegen/tests/fixtures/explore",
    "codegen/tests/fixtures/explore_codes",
    "codegen/tests/fixtures/own",
];

/// The number of calls of a walk.
const CALLS: usize = 40;

#[test]
fn programs_of_all_machines_do_what_the_interpreter_does() {
    for folder in FOLDERS {
        let n_steps: usize = model_of(folder).machines.iter().map(compare).sum();
        assert!(n_steps > 40, "{folder}: {n_steps} steps");
    }
}

#[test]
fn programs_of_all_systems_do_what_the_interpreter_does() {
    let (mut counts, mut random) = (system_walks::Counts::new(), Random::new(5));
    let mut compare = |model: &Model, n_worlds, n_calls| {
        for system in &model.systems {
            system_walks::compare(model, &Programs::of(model, system), n_worlds, n_calls, &mut |it| random.below(it), &mut counts);
        }
        model.systems.len()
    };
    let n_worlds = checks::sample(20).max(10);
    let n_systems: usize = models_of_systems().iter().map(|it| compare(it, n_worlds, 60)).sum();
    assert!(n_systems >= 15, "{n_systems} systems");
    // Each of its transactions fires a thousand events.
    compare(&model(&crate::systems::multiplying()), 1, checks::one_in(15, 60));
    let refused = ["missing", "same", "rule", "machine", "link", "invariant", "division", "unknown", "apart", "endless"];
    for kind in refused.iter().chain(&["accepted", "failed", "unsaved", "created", "fired by a link", "skipped"]) {
        assert!(counts.contains_key(kind), "{kind} is not in {counts:?}");
    }
    assert!(counts["accepted"] > 250 * n_worlds, "{counts:?}");
}

/// Makes one thing of a program wrong.
type Plant = fn(&mut SystemProgram<'_>);

#[test]
fn a_defect_of_a_program_is_found() {
    let defects: [(&str, Plant); 20] = [
        ("the rules are in another order", |it| it.transactions.iter_mut().for_each(|it| it.rules.reverse())),
        ("a rule is missing", |it| it.transactions.iter_mut().for_each(|it| drop(it.rules.pop()))),
        ("the events are in another order", |it| it.transactions.iter_mut().for_each(|it| it.fires.reverse())),
        ("an event is missing", |it| it.transactions.iter_mut().for_each(|it| drop(it.fires.pop()))),
        ("an instance is not needed", |it| it.transactions.iter_mut().for_each(|it| it.needs.clear())),
        ("instances need not differ", |it| it.transactions.iter_mut().for_each(|it| it.distinct.clear())),
        ("no invariant is checked", |it| it.transactions.iter_mut().for_each(|it| it.checks.clear())),
        ("nothing determines an owner", |it| it.transactions.iter_mut().flat_map(|it| &mut it.loads).for_each(|it| it.owned.clear())),
        ("no key is new", |it| it.transactions.iter_mut().for_each(|it| it.loads.retain(|it| it.key != Key::New))),
        ("a division is not refused", |it| {
            it.transactions.iter_mut().flat_map(|it| &mut it.fires).flat_map(|it| &mut it.payload).for_each(|it| it.divides = None);
        }),
        ("the values of a payload are in another order", |it| {
            it.transactions.iter_mut().flat_map(|it| &mut it.fires).for_each(|it| it.payload.reverse());
        }),
        ("an existing instance is created again", |it| {
            it.transactions.iter_mut().flat_map(|it| &mut it.fires).for_each(|it| it.in_memory = it.creates);
        }),
        ("no link is optional", |it| it.links.iter_mut().for_each(|it| it.optional = false)),
        ("every link is optional", |it| it.links.iter_mut().for_each(|it| it.optional = true)),
        ("a link has no condition", |it| it.links.iter_mut().for_each(|it| it.when = None)),
        ("stored instances are asked for in another order", |it| it.transactions.iter_mut().for_each(|it| it.stored.reverse())),
        ("a stored instance is not asked for", |it| it.transactions.iter_mut().for_each(|it| it.stored.truncate(1))),
        ("nothing changes", |it| it.transactions.iter_mut().for_each(|it| it.changes.clear())),
        ("borders are crossed in another order", |it| it.parts.iter_mut().for_each(|it| it.borders.reverse())),
        ("an instance has no owner", |it| it.parts.iter_mut().for_each(|it| it.owner = None)),
    ];
    let models = models_of_systems();
    let systems = || models.iter().flat_map(|model| model.systems.iter().map(move |system| (model, system)));
    for (name, plant) in defects {
        let is_found = systems().any(|(model, system)| {
            let (mut programs, mut random) = (Programs::of(model, system), Random::new(9));
            plant(&mut programs.system);
            let compare = || system_walks::compare(model, &programs, 8, 60, &mut |it| random.below(it), &mut system_walks::Counts::new());
            catch_unwind(AssertUnwindSafe(compare)).is_err()
        });
        assert!(is_found, "{name}");
    }
}

#[test]
fn programs_of_random_charts_do_what_the_interpreter_does() {
    let n_specs = checks::sample(300);
    let n_steps: usize = crate::regions::random::specs()
        .take(n_specs)
        .flat_map(|it| model(&[Input { path: "m.yaml".into(), text: it }]).machines)
        .map(|it| compare(&it))
        .sum();
    assert!(n_steps > 16 * n_specs, "{n_steps} steps");
}

/// The models that have systems.
fn models_of_systems() -> Vec<Model> {
    FOLDERS.map(model_of).into_iter().chain([crate::systems::town_model()]).collect()
}

/// The model of all specs of a folder.
fn model_of(folder: &str) -> Model {
    model(&specs(folder))
}

/// All specs of a folder.
pub(crate) fn specs(folder: &str) -> Vec<Input> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(&root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let specs = paths.iter().filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let input = |it: &std::path::PathBuf| Input {
        path: it.file_name().unwrap().to_str().unwrap().into(),
        text: std::fs::read_to_string(it).unwrap(),
    };
    specs.map(input).collect()
}

fn model(inputs: &[Input]) -> Model {
    let loaded = load(inputs);
    let complaints = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    loaded.model.unwrap_or_else(|| panic!("{complaints}"))
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
            assert_eq!(refused.allowed, run::allowed(program, at), "{}", machine.name);
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
