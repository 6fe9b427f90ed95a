//! The graph of a guard against the interpreter.

use std::collections::BTreeSet;

use statespec_lang::model::Configuration;
use statespec_lang::program::Program;
use statespec_sql::Graph;

use crate::oracle::{Oracle, machine, model};

#[test]
fn the_pairs_are_those_of_the_interpreter() {
    let model = model();
    let mut different = String::new();
    for (idx, machine) in model.machines.iter().enumerate() {
        let graph = Graph::of(&Program::of(machine)).unwrap();
        let configurations: Vec<Configuration> = graph.states.iter().map(|it| it.configuration.clone()).collect();
        let oracle = Oracle::of(idx, &configurations);
        let name = |it: &Configuration| machine.configuration_name(it).into_owned();
        let births: BTreeSet<Configuration> = graph.births.iter().map(|it| configurations[*it].clone()).collect();
        assert_eq!(births, oracle.births, "{}", machine.name);
        let pairs: BTreeSet<(Configuration, Configuration)> =
            graph.pairs.keys().map(|(from, to)| (configurations[*from].clone(), configurations[*to].clone())).collect();
        for (from, to) in oracle.pairs.difference(&pairs) {
            different += &format!("{}: the guard lacks {} -> {}\n", machine.name, name(from), name(to));
        }
        for (from, to) in pairs.difference(&oracle.pairs) {
            different += &format!("{}: only the guard has {} -> {}\n", machine.name, name(from), name(to));
        }
    }
    // A trip leads to another floor, so that one of two guards holds: this follows from values alone. And the contexts that the
    // oracle tries end before the last combination of three histories.
    let wider = "elevator: only the guard has standing+shut -> waiting+shut\nmedia_player: only the guard has interrupted -> paused+muted+picture\n";
    assert_eq!(different, wider);
}

#[test]
fn steps_that_follow_by_themselves_are_part_of_a_pair() {
    let model = machine(
        "machine: own\nstates: { a: { initial: true }, b:, c:, d: { terminal: true } }\nevents: { go:, on: }\npredicates: { ready: { doc: Whether it is ready. } }\n\
         transitions:\n  - { from: a, event: go, to: b, raise: on }\n  - { from: b, automatic: true, when: ready, to: c }\n  - { from: [b, c], event: on, to: d }\n",
    );
    let graph = Graph::of(&Program::of(&model.machines[0])).unwrap();
    // b and c are passed through: what was raised leads on to d.
    let name = |it: usize| model.machines[0].configuration_name(&graph.states[it].configuration).into_owned();
    let pairs: Vec<String> = graph.pairs.keys().map(|(from, to)| format!("{}-{}", name(*from), name(*to))).collect();
    assert_eq!(pairs, ["a-d", "b-d", "c-d"]);
}
