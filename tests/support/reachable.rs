//! Every reachable world of a system: emitted code behaves there like the interpreter.

use std::collections::{BTreeSet, VecDeque};

use statespec_lang::interpret::World;
use statespec_lang::model::{Model, System, Value};

use super::log::effects_that_fail;
use super::systems::values;
use super::{DriveSystem, Log, Numbers, Pair, Random};

/// One call on a system.
#[derive(Debug, Clone)]
struct Call {
    transaction: usize,
    numbers: Numbers,
    payload: Vec<Value>,
}

/// Visits the worlds of a system breadth first, at most `limit` of them, and tries every
/// call in each: without failures, with a store that fails, and with effects that fail. Returns the
/// number of visited worlds.
pub fn compare_worlds<D: DriveSystem>(model: &Model, limit: usize) -> usize {
    let system = Pair::<D>::new(model).system();
    let calls = calls::<D>(model, system);
    let fails = system.parts.iter().flat_map(|it| effects_that_fail(&model.machines[it.machine])).collect();
    let hindrances = [Log { store_fails: true, ..Log::default() }, Log { fails, ..Log::default() }, Log::default()];

    let mut seen = BTreeSet::from([outline(system, Pair::<D>::new(model).world())]);
    let mut open: VecDeque<Vec<usize>> = VecDeque::from([Vec::new()]);
    while let Some(path) = open.pop_front() {
        let there = || {
            let mut pair = Pair::<D>::new(model);
            for call in path.iter().map(|idx| &calls[*idx]) {
                pair.run(call.transaction, &call.numbers, &call.payload, &Log::default()).expect("it went through before");
            }
            pair
        };
        let mut pair = there();
        let before = pair.world().clone();
        for (idx, call) in calls.iter().enumerate() {
            for log in &hindrances {
                let outcome = pair.run(call.transaction, &call.numbers, &call.payload, log);
                if *pair.world() == before {
                    continue;
                }
                if outcome.is_ok() && seen.len() < limit && seen.insert(outline(system, pair.world())) {
                    open.push_back(path.iter().copied().chain([idx]).collect());
                }
                pair = there();
            }
        }
    }
    seen.len()
}

/// Every transaction with all its possible instances and the boundary values of its payload.
fn calls<D: DriveSystem>(model: &Model, system: &System) -> Vec<Call> {
    let mut random = Random::new(3);
    let mut calls = Vec::new();
    for (idx, transaction) in system.transactions.iter().enumerate() {
        let named = D::named(&transaction.name);
        let mut all_numbers = vec![Numbers::default()];
        for part in named {
            let with = |numbers: &Numbers, number: u64| {
                let mut numbers = numbers.clone();
                numbers.0.insert((*part).to_owned(), number);
                numbers
            };
            all_numbers = all_numbers.iter().flat_map(|it| [with(it, 1), with(it, 2)]).collect();
        }
        let choices: Vec<Vec<Value>> = transaction.payload.iter().map(|it| values(model, system, transaction, it)).collect();
        for payload in some(&choices, 20, &mut random) {
            for numbers in &all_numbers {
                calls.push(Call { transaction: idx, numbers: numbers.clone(), payload: payload.clone() });
            }
        }
    }
    calls
}

/// All combinations if they are few, otherwise a random selection.
fn some(choices: &[Vec<Value>], most: usize, random: &mut Random) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for values in choices {
        all = all
            .iter()
            .flat_map(|it: &Vec<Value>| values.iter().map(move |value| [it.as_slice(), std::slice::from_ref(value)].concat()))
            .collect();
        while all.len() > most {
            all.swap_remove(random.below(all.len()));
        }
    }
    all
}

/// The part of a world that distinguishes it in the search: states, and values with a small range.
fn outline(system: &System, world: &World) -> String {
    let few = |value: &Value| match value {
        Value::Decimal(_) | Value::Text(_) | Value::Timestamp(_) | Value::Duration(_) => Value::Bool(true),
        other => other.clone(),
    };
    let instances = system.part_ids().flat_map(|part| world.instances(part).map(move |(number, it)| (part, number, it)));
    let outlined = instances.map(|(part, number, it)| (part, number, &it.configuration, it.context.iter().map(few).collect::<Vec<_>>()));
    format!("{:?}", outlined.collect::<Vec<_>>())
}
