//! Walkthroughs of random systems. They run whenever a spec is read, so steps are tried until they succeed as written.

use statespec_lang::names::snake;

use super::dice::Dice as _;
use super::names::Names;
use super::system::System;
use super::values;
use super::yaml::{Map, Put as _, Yaml, plain, text};

/// The number of steps that are tried for a walkthrough.
const TRIES: usize = 5;

/// Checks a spec with a step: returns messages, each with its help.
type Judge<'j> = &'j dyn Fn(&Map) -> Vec<(String, Option<String>)>;

/// Adds walkthroughs to a system.
pub(super) fn tell(system: &mut System<'_>, spec: &mut Map, wrong_with: Judge<'_>) {
    if system.transactions.is_empty() || !wrong_with(spec).is_empty() {
        return;
    }
    let mut names = Names::new(snake);
    let mut told = Map::new();
    for _ in 0..system.rng.between(1, 2) {
        let name = names.fresh(system.rng, system.names);
        let mut body = Map::new();
        if system.rng.chance(50) {
            body.put("doc", system.text());
        }
        let mut steps = Vec::new();
        for number in 1..=TRIES {
            let step = step(system, number);
            let with = |step: &Map| {
                let steps = steps.iter().cloned().chain([Yaml::Map(step.clone())]).collect();
                let mut all = spec.clone();
                let walkthrough = Yaml::Map(vec![("steps".into(), Yaml::List(steps))]);
                all.put("walkthroughs", Yaml::Map(vec![("told".into(), walkthrough)]));
                wrong_with(&all)
            };
            if let Some(step) = mend(system, step, &with) {
                steps.push(Yaml::Map(step));
            }
        }
        if steps.is_empty() {
            continue;
        }
        body.put("steps", Yaml::List(steps));
        system.put_allow(&mut body);
        told.put(&name, Yaml::Map(body));
    }
    spec.put_map("walkthroughs", told);
}

/// The step in a form that succeeds: with the text of its refusal, or with the resulting states.
fn mend(system: &mut System<'_>, mut step: Map, with: Judge<'_>) -> Option<Map> {
    let wrong = with(&step);
    let Some((message, _)) = wrong.first() else {
        for (part, state) in guesses(system) {
            let mut then = step.clone();
            then.put("then", Yaml::Map(vec![(part, text(state))]));
            if with(&then).is_empty() {
                return Some(then);
            }
        }
        return Some(step);
    };
    if !message.contains(" is refused") {
        return None;
    }
    // The help of the second try contains the text.
    step.put("refused", text("?"));
    let help = with(&step).into_iter().next()?.1?;
    let refusal = help.strip_prefix("it says: ")?.replace('{', "{{").replace('}', "}}");
    step.retain(|(key, _)| key != "refused");
    step.put("refused", text(refusal));
    with(&step).is_empty().then_some(step)
}

/// Parts and states that may be the result of a step.
fn guesses(system: &mut System<'_>) -> Vec<(String, String)> {
    let part = system.rng.below(system.parts.len());
    let machine = system.machine(part).clone();
    let mut states: Vec<String> = machine.states.iter().map(|it| it.name.clone()).take(4).collect();
    if machine.has_regions() {
        // Several at once, mostly of different regions.
        let several = system.rng.several(&machine.states, 2);
        states.insert(0, several.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join("+"));
    }
    states.into_iter().map(|it| (system.parts[part].name.clone(), it)).collect()
}

fn step(system: &mut System<'_>, number: usize) -> Map {
    let transaction = system.rng.pick(&system.transactions).clone();
    let mut step: Map = vec![("step".into(), text(number.to_string())), ("run".into(), text(transaction.name.clone()))];
    let mut instances = Map::new();
    for part in 0..system.parts.len() {
        let takes_part = transaction.parts.contains(&part);
        if system.parts[part].many && (takes_part || system.rng.chance(20)) {
            instances.put(&system.parts[part].name.clone(), plain(system.rng.between(1, 2)));
        }
    }
    for role in &transaction.roles {
        instances.put(role, plain(system.rng.between(1, 3)));
    }
    step.put_map("instances", instances);
    let mut given = Map::new();
    for input in &transaction.inputs {
        let words = match input.ty {
            super::expressions::Ty::State(machine) | super::expressions::Ty::Enum(machine, _) => system.words[machine].clone(),
            _ => Default::default(),
        };
        let value = values::literal(system.rng, system.texts, &words, input.ty, input.optional);
        given.extend(value.map(|it| (input.name.clone(), it)));
    }
    step.put_map("with", given);
    let part = system.rng.below(system.parts.len());
    if let Some(predicate) = system.machine(part).predicates.first().cloned() {
        step.put("holds", text(format!("{}.{predicate}", system.parts[part].name)));
    }
    step.put("trigger", system.text());
    if system.rng.chance(40) {
        step.put("note", system.text());
    }
    step
}
