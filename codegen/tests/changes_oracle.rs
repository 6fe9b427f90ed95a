//! No change of behaviour is missed: the interpreter runs both versions of many edited machines on the same values.

use std::fs;
use std::path::Path;

use statespec_codegen::changes::{Audience, Class, changes};
use statespec_codegen::model::machine::Field;
use statespec_codegen::model::{Machine, Model};
use statespec_codegen::source::Input;
use statespec_lang::interpret::{BoundaryValues, Instance, Request, plan};
use statespec_lang::lower::load;

fn read(text: &str) -> Option<Model> {
    load(&[Input { path: "m.yaml".into(), text: text.into() }]).model.filter(|it| it.machines.len() == 1)
}

/// The texts of the reference machines and of the machines that tests run.
fn specs() -> Vec<(String, String)> {
    let mut specs = Vec::new();
    for folder in ["../machines", "tests/fixtures/rust", "tests/fixtures/diff"] {
        for path in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap().map(|it| it.unwrap().path()) {
            let text = fs::read_to_string(&path).unwrap();
            if text.lines().any(|it| it.starts_with("machine:")) {
                specs.push((path.file_name().unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    specs.sort();
    specs
}

/// Edited versions of a spec: rows without a guard, with another one, with another target, gone, or in another order.
fn edits(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|it| it.starts_with("transitions:")).unwrap_or(lines.len());
    let rows: Vec<usize> = (start..lines.len()).filter(|it| lines[*it].starts_with("  - {") && lines[*it].ends_with('}')).collect();
    let with = |idx: usize, line: &str| {
        let mut edited = lines.clone();
        edited[idx] = line;
        edited.join("\n") + "\n"
    };
    let mut edited = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let line = lines[*row];
        let without: Vec<&str> = lines.iter().enumerate().filter(|it| it.0 != *row).map(|it| *it.1).collect();
        edited.push(without.join("\n") + "\n");
        if let Some(next) = rows.get(at + 1) {
            let mut swapped = lines.clone();
            swapped.swap(*row, *next);
            edited.push(swapped.join("\n") + "\n");
        }
        let words = [
            (">= ", "> "),
            ("<= ", "< "),
            (" and ", " or "),
            (" or ", " and "),
            (" == ", " != "),
            ("when: ", "when: not ("),
            ("+ 1", "+ 2"),
            ("do: ", "before: "),
        ];
        for (from, to) in words.iter().filter(|it| line.contains(it.0)) {
            edited.push(with(*row, &line.replacen(from, to, 1)));
        }
        // A guard in brackets is the same guard.
        if let Some((before, rest)) = line.split_once("when: ")
            && let Some((guard, after)) = rest.split_once(", ")
            && !guard.starts_with('"')
        {
            edited.push(with(*row, &format!("{before}when: not (not ({guard})), {after}")));
            edited.push(with(*row, &format!("{before}{after}")));
        }
        let other = rows[(at + 3) % rows.len()];
        let target = |line: &str| line.split_once(" to: ").map(|it| it.1.split([',', ' ']).next().unwrap_or_default().to_owned());
        if let (Some(a), Some(b)) = (target(line), target(lines[other])) {
            edited.push(with(*row, &line.replacen(&format!(" to: {a}"), &format!(" to: {b}"), 1)));
        }
    }
    edited
}

/// What a machine does with one request, without the numbers of its rows.
fn outcome(
    machine: &Machine,
    at: Option<&Instance>,
    request: Request,
    payload: &[statespec_codegen::model::Value],
    holds: bool,
) -> Option<String> {
    let plan = plan(machine, at, request, payload, &[], &|_| holds).ok()?;
    let steps: Vec<_> = plan.steps.iter().map(|it| (&it.from, &it.to, &it.entered, &it.effects)).collect();
    Some(format!("{:?} {steps:?} {:?}", plan.end, plan.commit))
}

/// The greatest difference: 2 if something that was accepted is refused or goes elsewhere, 1 for any other.
fn difference(old: &Machine, new: &Machine) -> u8 {
    let mut values = BoundaryValues::without_extremes(old);
    values.extend(&BoundaryValues::without_extremes(new), &[]);
    let mut seed = 7_usize;
    let mut pick = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n.max(1)
    };
    let context: Vec<&Field> = old.fields.iter().collect();
    let contexts = values.combinations(&context, 8, &mut pick);
    let mut worst = 0;
    for (idx, event) in old.events.iter().enumerate() {
        let request = Request::Event(statespec_codegen::model::EventId::new(idx));
        // Rows in another order put timers in another order, so an event is looked for by its name.
        let renewed = new.event_named(&event.name).map(Request::Event);
        let payload: Vec<&Field> = event.payload.iter().collect();
        for payload in values.combinations(&payload, 4, &mut pick) {
            let instances = old
                .leaves()
                .flat_map(|state| contexts.iter().map(move |it| Some(Instance { configuration: state.into(), context: it.clone() })));
            for at in instances.chain([None]) {
                for holds in [false, true] {
                    let a = outcome(old, at.as_ref(), request, &payload, holds);
                    let b = renewed.and_then(|it| outcome(new, at.as_ref(), it, &payload, holds));
                    let end = |it: &Option<String>| it.as_ref().map(|it| it.split(' ').take(3).collect::<Vec<_>>().join(" "));
                    worst = worst.max(match (&a, &b) {
                        _ if a == b => 0,
                        (Some(_), None) => 2,
                        (Some(_), Some(_)) if end(&a) != end(&b) => 2,
                        _ => 1,
                    });
                }
            }
        }
    }
    worst
}

#[test]
fn no_change_of_behaviour_is_missed() {
    let (mut n_same, mut n_small, mut n_great) = (0, 0, 0);
    // A part of all edits, to be quick; all of them pass.
    let every = if crate::project::checks::is_complete() { 3 } else { 17 };
    for (name, text) in specs() {
        let Some(old) = read(&text) else { continue };
        for edited in edits(&text).into_iter().step_by(every) {
            let Some(new) = read(&edited) else { continue };
            let (old, new) = (&old.machines[0], &new.machines[0]);
            let found = changes(old, new);
            let class = found.iter().map(|it| it.class(&[Audience::Callers, Audience::Histories])).max();
            let messages = || found.iter().map(|it| it.message.as_str()).collect::<Vec<_>>().join("\n");
            match difference(old, new) {
                0 => n_same += 1,
                1 => {
                    n_small += 1;
                    assert!(class >= Some(Class::Review), "{name}: {}\n{edited}", messages());
                }
                _ => {
                    n_great += 1;
                    let told = class == Some(Class::Breaking)
                        || found.iter().any(|it| it.rule.id() == "guard-unclear" || it.rule.id() == "effects-changed");
                    assert!(told, "{name}: {}\n{edited}", messages());
                }
            }
        }
    }
    assert!(n_same > 10 && n_small > 10 && n_great > 60, "{n_same} {n_small} {n_great}");
}
