//! The derive on every reference machine, on a struct and on an enum, against the interpreter.

use statespec::State;
use statespec_lang::model::Model;
use statespec_lang::model::machine::Machine;

use crate::support::{Drive, VisitMachines, compare_everywhere, compare_on_walks, model_of, sample};

/// Compares machines with the interpreter, and records their names.
struct Compare<'m> {
    model: &'m Model,
    seen: Vec<&'static str>,
}

impl VisitMachines for Compare<'_> {
    fn machine<D: Drive>(&mut self) {
        let machine = self.model.machine(D::State::MACHINE).expect("a machine");
        compare_everywhere::<D>(machine, sample(60));
        compare_on_walks::<D>(machine, sample(10) as u64, 200);
        self.seen.push(D::State::MACHINE);
    }
}

/// The machines that an enum can be: one with regions is in several states at once.
fn with_enums(model: &Model) -> impl Iterator<Item = &Machine> {
    model.machines.iter().filter(|it| !it.has_regions())
}

#[test]
fn structs_do_what_the_interpreter_does() {
    let model = model_of("machines");
    let mut compare = Compare { model: &model, seen: Vec::new() };
    crate::drive_structs::each_machine(&mut compare);
    assert_eq!(compare.seen.len(), model.machines.len());
}

#[test]
fn enums_do_what_the_interpreter_does() {
    let model = model_of("machines");
    let mut compare = Compare { model: &model, seen: Vec::new() };
    crate::drive_enums::each_machine(&mut compare);
    assert_eq!(compare.seen.len(), with_enums(&model).count());
}

/// Compares all the graph data of a state with the model.
fn compare_graph<S: State>(model: &Model) -> &Machine {
    let machine = model.machine(S::MACHINE).expect("a machine");
    let leaves: Vec<_> = machine.leaves().collect();
    assert_eq!(S::ALL.len(), leaves.len());
    assert_eq!(S::INITIAL.name(), machine.state(machine.initial().first()).wire);
    assert_eq!(S::transitions().len(), machine.transitions.len());
    for (idx, (state, id)) in S::ALL.iter().zip(&leaves).enumerate() {
        assert_eq!((state.index(), state.name()), (idx, machine.state(*id).wire.as_str()));
        assert_eq!(S::parse(state.name()).as_ref(), Ok(state));
        assert_eq!((state.is_terminal(), state.is_sink()), (machine.state(*id).terminal, machine.is_sink(*id)));
        let events: Vec<&str> = state.events().iter().map(|it| statespec::Named::name(*it)).collect();
        assert_eq!(events, machine.events_in(*id).iter().map(|it| machine.event(*it).name.as_str()).collect::<Vec<_>>());
        for (to, to_id) in S::ALL.iter().zip(&leaves) {
            assert_eq!(state.allows(*to), machine.allows(*id, *to_id), "{} → {}", state.name(), to.name());
            assert_eq!(state.successors().contains(to), machine.allows(*id, *to_id));
        }
    }
    machine
}

#[test]
fn enums_know_the_graph() {
    let model = model_of("machines");
    let mut seen = vec![
        &compare_graph::<crate::enums::agent_run::State>(&model).name,
        &compare_graph::<crate::enums::eviction_policy::State>(&model).name,
        &compare_graph::<crate::enums::hop::State>(&model).name,
        &compare_graph::<crate::enums::mission::State>(&model).name,
        &compare_graph::<crate::enums::mysis::State>(&model).name,
        &compare_graph::<crate::enums::mysis_activity::State>(&model).name,
        &compare_graph::<crate::enums::order::State>(&model).name,
        &compare_graph::<crate::enums::pressure::State>(&model).name,
        &compare_graph::<crate::enums::resource::State>(&model).name,
        &compare_graph::<crate::enums::run_job::State>(&model).name,
        &compare_graph::<crate::enums::session::State>(&model).name,
        &compare_graph::<crate::enums::traffic_light::State>(&model).name,
    ];
    seen.sort();
    assert_eq!(seen, with_enums(&model).map(|it| &it.name).collect::<Vec<_>>());
}

#[test]
fn enums_know_what_they_lie_inside() {
    use crate::enums::resource::{Composite, State as ResourceState};
    let inside = ResourceState::ALL.into_iter().filter(|it| it.is_in(Composite::Active));
    assert_eq!(inside.map(ResourceState::name).collect::<Vec<_>>(), ["LOADED", "HOT"]);
}
