//! What is stated as possible is possible, and the other way round: random machines, the edges that everything states, and all steps
//! that the interpreter takes.
//!
//! Each guard asks a predicate of its own, or what is decided before a machine runs: a constant, the leaf, the state that a payload
//! names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use statespec_codegen::backend::mermaid::{Node, relations};
use statespec_codegen::diagnostic::{Style, render};
use statespec_codegen::model::document::DiagramStyle;
use statespec_codegen::model::machine::{Outcome, Trigger};
use statespec_codegen::model::{Configuration, EventId, Machine, PredicateId, StateId, TransitionId, Value};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{Error, Instance, Reason, Request, plan};
use statespec_lang::lower::load;
use statespec_lang::model::machine::On;

use crate::play::random::Random;

/// A random machine as text: leaves alone, in composites, or in regions.
fn text(random: &mut Random) -> String {
    let mut states = String::new();
    let mut leaves: Vec<String> = Vec::new();
    let mut composites: Vec<String> = Vec::new();
    let has_regions = random.below(3) == 0;
    let (top, n_groups) = if has_regions { ("regions", 2) } else { ("states", 2 + random.below(3)) };
    for group in 0..n_groups {
        let is_composite = has_regions || random.below(3) == 0;
        let initial = if group == 0 && !has_regions { "initial: true" } else { "" };
        if !is_composite {
            writeln!(states, "  l{group}: {{ {initial} }}").unwrap();
            leaves.push(format!("l{group}"));
            continue;
        }
        composites.push(format!("g{group}"));
        let comma = if initial.is_empty() { "" } else { ", " };
        write!(states, "  g{group}: {{ {initial}{comma}states: {{ ").unwrap();
        for child in 0..2 + random.below(2) {
            let first = if child == 0 { "initial: true" } else { "" };
            write!(states, "{}l{group}_{child}: {{ {first} }}", if child == 0 { "" } else { ", " }).unwrap();
            leaves.push(format!("l{group}_{child}"));
        }
        writeln!(states, " }} }}").unwrap();
    }
    let all: Vec<String> = leaves.iter().chain(&composites).cloned().collect();
    let mut rows = String::new();
    let n_rows = 3 + random.below(9);
    let mut predicates = Vec::new();
    for row in 0..n_rows {
        let from = match random.below(8) {
            0 => "\"*\"".to_owned(),
            1 => format!("\"*\", except: {}", random.pick(&leaves).unwrap()),
            2 => format!("[{}, {}]", leaves[0], leaves[1]),
            3..=4 => random.pick(&all).unwrap().clone(),
            _ => random.pick(&leaves).unwrap().clone(),
        };
        // An automatic row leads on to a later leaf, so that the steps end.
        if random.below(12) == 0 && !has_regions {
            let from = 1 + random.below(leaves.len() - 1);
            if from + 1 < leaves.len() {
                predicates.push(row);
                let when = if random.below(2) == 0 { format!("when: p{row}, ") } else { String::new() };
                let to = from + 1 + random.below(leaves.len() - from - 1);
                writeln!(rows, "  - {{ from: {}, automatic: true, {when}to: {} }}", leaves[from], leaves[to]).unwrap();
                continue;
            }
        }
        let (event, named) = match random.below(6) {
            0 => ("event: named", true),
            1 => ("event: [e0, e1]", false),
            2 => ("event: \"*\"", false),
            3 => ("event: e2", false),
            4 => ("event: e1", false),
            _ => ("event: e0", false),
        };
        let mut when = match random.below(8) {
            0..=2 => String::new(),
            3 => format!("in({})", random.pick(&all).unwrap()),
            4 => format!("not in({}) and p{row}", random.pick(&all).unwrap()),
            5 => format!("limit {} 10", random.pick(&["<", ">="]).unwrap()),
            _ => format!("p{row}"),
        };
        if named && random.below(2) == 0 {
            let (a, b) = (random.pick(&leaves).unwrap(), random.pick(&all).unwrap());
            when = match random.below(3) {
                0 => format!("to_be == {a} or to_be in {b}"),
                1 => format!("to_be != {a}"),
                _ => format!("not (to_be in {b}) and p{row}"),
            };
        }
        if when.contains(&format!("p{row}")) {
            predicates.push(row);
        }
        let when = if when.is_empty() { String::new() } else { format!("when: {when}, ") };
        let target = match random.below(8) {
            0 => "refuse: no".to_owned(),
            1 => "label: stays".to_owned(),
            2..=4 if named => "to: \"{to_be}\"".to_owned(),
            _ => format!("to: {}", random.pick(&all).unwrap()),
        };
        writeln!(rows, "  - {{ from: {from}, {event}, {when}{target} }}").unwrap();
    }
    let declared: Vec<String> = predicates.iter().map(|it| format!("p{it}: x")).collect();
    format!(
        "machine: m\nconstants: {{ limit: 5 }}\npredicates: {{ {} }}\n{top}:\n{states}events: {{ e0: {{}}, e1: {{}}, e2: {{}}, named: {{ \
         payload: {{ to_be: state }} }} }}\ntransitions:\n{rows}",
        declared.join(", ")
    )
}

fn machine(text: &str) -> Option<Machine> {
    let loaded = load(&[Input { path: "m.yaml".into(), text: text.into() }]);
    let refused = render(&loaded.sources, &loaded.diagnostics, Style::Plain);
    let machine = loaded.model.map(|mut it| it.machines.remove(0));
    // Some combinations are none of the language.
    assert!(machine.is_some() || !refused.is_empty());
    machine
}

/// What a machine can do.
#[derive(Default)]
struct Done {
    /// The leaves in which it may be.
    active: BTreeSet<StateId>,
    /// The rows that some step takes from a leaf, by trigger.
    taken: BTreeSet<(StateId, On, TransitionId)>,
    /// The rows that refuse, by leaf and event.
    refused: BTreeSet<(StateId, On, TransitionId)>,
    /// The leaves that one row leaves and enters.
    moved: BTreeSet<(StateId, StateId)>,
    /// The same with their row, trigger, and whether it was the only row of the step.
    by_row: BTreeSet<(StateId, StateId, TransitionId, On)>,
}

/// All steps of a machine: every event, every state that a payload names, every answer of every predicate.
fn explored(machine: &Machine) -> Option<Done> {
    let mut done = Done::default();
    let start = Instance::start(machine, &[]).ok()?;
    let mut seen = BTreeSet::from([start.configuration.clone()]);
    let mut open = vec![start.configuration];
    let n_predicates = machine.predicates.len();
    if n_predicates > 7 {
        return None;
    }
    while let Some(at) = open.pop() {
        done.active.extend(at.leaves());
        for event in (0..machine.events.len()).map(EventId::new) {
            let payloads: Vec<Vec<Value>> = match machine.event(event).payload.len() {
                0 => vec![Vec::new()],
                _ => machine.leaves().map(|it| vec![Value::State(it)]).collect(),
            };
            for (payload, answers) in payloads.iter().flat_map(|it| (0..1_usize << n_predicates).map(move |answers| (it, answers))) {
                let holds = |it: PredicateId| answers >> it.index() & 1 == 1;
                let instance = Instance { configuration: at.clone(), context: Vec::new() };
                match plan(machine, Some(&instance), Request::Event(event), payload, &[], &holds) {
                    Ok(plan) => {
                        for step in &plan.steps {
                            let from = step.from.as_ref().unwrap();
                            note(machine, &mut done, from, step);
                        }
                        if seen.insert(plan.end.configuration.clone()) {
                            open.push(plan.end.configuration);
                        }
                    }
                    Err(Error::Refused(refused)) => match refused.reason {
                        Reason::Text(row) => {
                            let of = |leaf: &StateId| machine.candidates(Some(*leaf), On::Event(event)).iter().any(|it| it.transition == row);
                            done.refused.extend(at.leaves().filter(|it| of(it)).map(|it| (it, On::Event(event), row)));
                        }
                        Reason::Unsettled => return None,
                        _ => {}
                    },
                    Err(error) => panic!("{error:?}"),
                }
            }
        }
    }
    Some(done)
}

fn note(machine: &Machine, done: &mut Done, from: &Configuration, step: &statespec_lang::interpret::Step) {
    done.active.extend(from.leaves());
    let leaves = |states: &[StateId]| states.iter().copied().filter(|it| machine.is_leaf(*it)).collect::<Vec<_>>();
    for row in &step.transitions {
        let of = |leaf: &StateId| machine.candidates(Some(*leaf), step.on).iter().any(|it| it.transition == *row);
        done.taken.extend(from.leaves().filter(of).map(|it| (it, step.on, *row)));
    }
    let [row] = step.transitions[..] else { return };
    for left in leaves(&step.exited) {
        for entered in leaves(&step.entered) {
            done.moved.insert((left, entered));
            done.by_row.insert((left, entered, row, step.on));
        }
    }
}

#[test]
fn what_is_stated_is_possible_and_what_is_possible_is_stated() {
    let n_machines = if crate::project::checks::is_complete() { 10_000 } else { 400 };
    let mut random = Random::new(std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(7));
    let (mut n_compared, mut counts) = (0, BTreeMap::<&str, usize>::new());
    while n_compared < n_machines {
        let text = text(&mut random);
        let Some(machine) = machine(&text) else {
            *counts.entry("refused").or_default() += 1;
            continue;
        };
        let Some(done) = explored(&machine) else {
            *counts.entry("skipped").or_default() += 1;
            continue;
        };
        n_compared += 1;
        compare(&machine, &done, &text, &mut counts);
    }
    eprintln!("{counts:?}");
}

fn compare(machine: &Machine, done: &Done, text: &str, counts: &mut BTreeMap<&'static str, usize>) {
    let name = |it: StateId| machine.state(it).name.as_str();
    // What is possible is stated.
    for (left, entered) in &done.moved {
        assert!(machine.allows(*left, *entered), "{} -> {} is possible\n{text}", name(*left), name(*entered));
    }
    // What is stated is possible.
    for leaf in done.active.iter().copied() {
        for edge in machine.edges_from(Some(leaf)) {
            let stated = (leaf, edge.on, edge.transition);
            let can = done.taken.contains(&stated) || edge.outcome == Outcome::Refuse && done.refused.contains(&stated);
            *counts.entry("edges").or_default() += 1;
            if !can {
                if machine.has_regions() {
                    *counts.entry("edges of regions that others always win over").or_default() += 1;
                    if std::env::var("SHOW").is_ok() { eprintln!("{} {:?} row {}\n{text}", name(leaf), edge.on, edge.transition.index()); }
                    continue;
                }
                panic!("{} on {:?}, row {} is stated\n{text}", name(leaf), edge.on, edge.transition.index());
            }
        }
        for to in machine.successors(leaf) {
            *counts.entry("pairs").or_default() += 1;
            if !done.moved.contains(&(leaf, to)) {
                if machine.has_regions() {
                    *counts.entry("pairs of regions that others always win over").or_default() += 1;
                    if std::env::var("SHOW").is_ok() { eprintln!("{} -> {}\n{text}", name(leaf), name(to)); }
                    continue;
                }
                panic!("{} -> {} is stated\n{text}", name(leaf), name(to));
            }
        }
    }
}
