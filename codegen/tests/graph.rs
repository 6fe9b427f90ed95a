//! The behaviour of the interpreter on the reference machines agrees with the queries of the model.

use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::machine::{Field, On, Origin, Outcome, Target};
use statespec_codegen::model::{EventId, Machine, Value};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{BoundaryValues, Error, Instance, Phase, Reason, Script};
use statespec_lang::lower::load;

fn machines() -> Vec<Machine> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../machines");
    let files = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let inputs: Vec<Input> = files
        .filter(|it| it.extension().is_some_and(|it| it == "yaml"))
        .map(|path| Input { path: path.file_name().unwrap().to_str().unwrap().into(), text: std::fs::read_to_string(&path).unwrap() })
        .collect();
    let loaded = load(&inputs);
    let complaints = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    loaded.model.unwrap_or_else(|| panic!("{complaints}")).machines
}

/// Every state with every boundary value of its context, every event with every boundary value of its payload.
#[test]
fn every_state_and_event_does_what_the_graph_says() {
    let mut n_steps = 0;
    let mut n_refused = 0;
    // What several regions do at once is compared with SCXML's algorithm, in `regions.rs`.
    for machine in machines().into_iter().filter(|it| !it.has_regions()) {
        let boundary = BoundaryValues::new(&machine);
        let some = |fields: &[Field]| {
            let mut nth = 0;
            let mut next = |_| {
                nth += 7;
                nth
            };
            boundary.combinations(&fields.iter().collect::<Vec<_>>(), 60, &mut next)
        };
        let contexts = some(&machine.fields);
        let instances =
            machine.leaves().flat_map(|state| contexts.iter().map(move |it| Instance { configuration: state.into(), context: it.clone() }));
        for instance in instances {
            for event in (0..machine.events.len()).map(EventId::new) {
                for payload in some(&machine.event(event).payload) {
                    let mut after = instance.clone();
                    match after.fire(&machine, event, &payload, &mut Script::default()) {
                        Ok(done) => {
                            n_steps += 1;
                            check_steps(&machine, &instance, &after, event, &done.steps);
                        }
                        Err(Error::Refused(refused)) => {
                            n_refused += 1;
                            assert_eq!(after, instance);
                            let edges = machine.candidates(Some(instance.configuration.first()), On::Event(event));
                            assert_eq!(refused.reason == Reason::NoTransition, edges.is_empty());
                            // Nobody raises a timer, so no refusal offers one.
                            let here = machine.events_in(instance.configuration.first());
                            let raised: Vec<EventId> = here.into_iter().filter(|it| machine.timer(*it).is_none()).collect();
                            assert_eq!(refused.allowed, raised);
                            assert!(!refused.show(&machine).to_string().is_empty());
                        }
                        Err(other) => panic!("{}: {other:?}", machine.name),
                    }
                }
            }
            for target in machine.leaves() {
                let mut after = instance.clone();
                let goes = after.transition_to(&machine, target, &mut Script::default()).is_ok();
                let edges = machine.candidates(Some(instance.configuration.first()), On::Direct);
                assert_eq!(goes, edges.iter().any(|it| it.outcome == Outcome::Leaf(target)), "no reference edge without event has a guard");
                assert!(!goes || machine.allows(instance.configuration.first(), target));
            }
        }
    }
    assert!(n_steps > 1_000 && n_refused > 1_000, "{n_steps} steps, {n_refused} refusals");
}

fn check_steps(machine: &Machine, before: &Instance, after: &Instance, event: EventId, steps: &[statespec_lang::interpret::Step]) {
    assert!(steps.len() == 1 || machine.event(event).settles);
    assert_eq!((steps[0].from.as_ref(), steps.last().map(|it| &it.to)), (Some(&before.configuration), Some(&after.configuration)));
    for pair in steps.windows(2) {
        assert_eq!(pair[1].from.as_ref(), Some(&pair[0].to));
    }
    for step in steps {
        let (from, to) = (step.from.as_ref().unwrap().only().unwrap(), step.to.only().unwrap());
        let stays = step.exited.is_empty();
        assert_eq!(stays, step.entered.is_empty());
        assert_eq!(stays, machine.transition(step.transitions[0]).target == Target::Stay);
        assert!(stays || machine.allows(from, to));
        assert!(machine.is_leaf(to));
        let phases: Vec<Phase> = step.effects.iter().map(|it| it.phase).collect();
        assert!(phases.is_sorted(), "{phases:?}");
        for raised in &step.effects {
            let effect = machine.effect(raised.effect);
            assert_eq!(effect.takes.len(), raised.taken.len());
            for (taken, value) in effect.takes.iter().zip(&raised.taken) {
                match taken.origin {
                    Origin::Context(id) => assert_eq!(*value, after.context[id.index()], "as it is after the change"),
                    Origin::From => assert_eq!(*value, Value::State(from)),
                    Origin::To => assert_eq!(*value, Value::State(to)),
                    _ => {}
                }
            }
            assert_eq!(effect.message.is_some(), raised.message.is_some());
        }
    }
}
