//! Random XState machines, imported and interpreted, must do what the real XState does with them.
//!
//! The real one is npm's `xstate`, versions 4 and 5, driven by `tests/xstate/run.mjs`. After every event, the active leaves must be
//! the same. Where the import is whole, so must the entry and exit effects, with their order. Machines are left out where the report
//! of the import says that the spec goes elsewhere.
//!
//! `XSTATE_MACHINES=3000 cargo test -p statespec-codegen --test it xstate` compares more machines, of which two thirds are of
//! version 5, and prints how many were left out.

mod charts;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use statespec_codegen::diagnostic::{Code, Diagnostic, Style, render};
use statespec_codegen::model::Machine;
use statespec_codegen::source::Input;
use statespec_import::{Imported, Options, import};
use statespec_lang::interpret::{Error, Instance, Reason, Script};

use crate::play::random::Random;
use crate::project::{checks, model};
use charts::{Chart, EVENTS};

/// How many machines `cargo test` compares.
const USUAL: usize = 150;

/// The events that each machine gets.
const CALLS: usize = 12;

/// Findings that say that the spec goes elsewhere than the chart.
const ELSEWHERE: [&str; 8] = [
    "version 4 moves the region of",
    "the chart tries this after the transitions of all states",
    "where a region inside takes the event",
    "the history of ",
    "where nothing is remembered, a spec goes to",
    "the chart enters it again where it is",
    "what the chart leaves here depends on what",
    "and a spec may have left it at other times",
];

/// Findings that say that the spec goes where the chart goes, but leaves and enters other states on the way.
const OTHERWISE: [&str; 2] =
    ["the chart leaves it and enters it again here", "and enters it again here, with its effects, timers and history"];

/// Findings that do not touch what is compared: about the effects of the start, and about a transition that XState never takes.
const BESIDE: [&str; 2] = ["a spec performs nothing at its start", "so that the machine never does: it was left out"];

/// The sorted leaves after an event, and its effects in order.
#[derive(Debug, Clone, PartialEq, Eq)]
struct After {
    leaves: Vec<String>,
    effects: Vec<String>,
}

#[derive(Debug, Default)]
struct Counts {
    machines: usize,
    /// Compared with their effects.
    whole: usize,
    /// Compared without their effects.
    leaves_only: usize,
    /// Left out: the import reports that the spec goes elsewhere. Counted by the first such finding.
    reported: [usize; ELSEWHERE.len()],
}

#[test]
fn imported_machines_do_what_xstate_does() {
    let Some(folder) = checks::needed("imports against XState", checks::packages("tests/xstate")) else { return };
    let wanted: Option<usize> = std::env::var("XSTATE_MACHINES").ok().map(|it| it.parse().expect("`XSTATE_MACHINES` is a number"));
    let n_machines = wanted.unwrap_or(USUAL);

    let mut random = Random::new(1);
    let mut cases: Vec<(Chart, Vec<String>)> = Vec::new();
    for idx in 0..n_machines {
        let chart = Chart::random(if idx % 3 == 2 { 4 } else { 5 }, &mut random);
        let events = (0..CALLS).map(|_| format!("E{}", random.below(EVENTS))).collect();
        cases.push((chart, events));
    }
    let ask =
        |(chart, events): &(Chart, Vec<String>)| json!({ "version": chart.version, "machine": chart.configuration(), "events": events });
    let asked = Value::Array(cases.iter().map(ask).collect());
    let answers = run(&folder.join("run.mjs"), &asked);
    assert_eq!(answers.len(), n_machines);

    let mut counts = [Counts::default(), Counts::default()];
    let mut wrong = Vec::new();
    for ((chart, events), answer) in cases.iter().zip(&answers) {
        let text = serde_json::to_string_pretty(&chart.configuration()).unwrap();
        assert_eq!(answer["error"], Value::Null, "XState refuses a machine\n{text}");
        let real: Vec<After> = answer["after"].as_array().unwrap().iter().map(after).collect();
        let counts = &mut counts[usize::from(chart.version == 5)];
        counts.machines += 1;
        if let Some(difference) = compare(&text, events, &real, counts) {
            wrong.push(format!("version {}: {difference}\n{text}", chart.version));
        }
    }
    let [four, five] = &counts;
    if wanted.is_some() {
        // Not `eprintln!`, which the test runner would capture.
        let _ = writeln!(std::io::stderr(), "\nversion 5: {five:?}\nversion 4: {four:?}\ndifferent: {}\n", wrong.len());
    }
    assert!(wrong.is_empty(), "{} of {n_machines} machines differ, the first is of {}", wrong.len(), wrong[0]);
    for counts in counts {
        assert!(2 * (counts.whole + counts.leaves_only) > counts.machines, "too few machines are compared: {counts:?}");
    }
}

/// Runs the machines in the real XState.
fn run(script: &std::path::Path, asked: &Value) -> Vec<Value> {
    let mut child = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // The script reads all of it before it prints anything.
    child.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{} failed", script.display());
    serde_json::from_slice(&done.stdout).unwrap()
}

fn after(answer: &Value) -> After {
    let names = |key: &str| {
        let names = answer[key].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
        names.collect()
    };
    After { leaves: names("leaves"), effects: names("effects") }
}

/// Why the import of a machine does something else than XState did.
fn compare(text: &str, events: &[String], real: &[After], counts: &mut Counts) -> Option<String> {
    let imported = import("m.json", text, &Options::default());
    let report = || render(&imported.sources, &imported.findings(), Style::Plain);
    let of_steps = imported.findings().into_iter().filter(|it| BESIDE.iter().all(|beside| !it.message.contains(beside)));
    let of_steps: Vec<Diagnostic> = of_steps.filter(|it| !matches!(it.code, Code::ImportAdded | Code::ImportLook)).collect();
    for finding in &of_steps {
        let says = |these: &[&str]| these.iter().position(|it| finding.message.contains(it));
        if let Some(kind) = says(&ELSEWHERE) {
            counts.reported[kind] += 1;
            return None;
        }
        if says(&OTHERWISE).is_none() {
            return Some(format!("a finding that this test does not expect\n{}", report()));
        }
    }
    let is_whole = of_steps.is_empty();
    *(if is_whole { &mut counts.whole } else { &mut counts.leaves_only }) += 1;
    let ours = played(&imported, events);
    let is_same = |(ours, real): (&After, &After)| ours.leaves == real.leaves && (!is_whole || ours.effects == real.effects);
    let at = ours.iter().zip(real).position(|it| !is_same(it))?;
    let mut told = String::new();
    for idx in 0..=at {
        let event = idx.checked_sub(1).map_or("start", |it| events[it].as_str());
        let _ = writeln!(told, "{event}: {:?}, and XState has {:?}", ours[idx], real[idx]);
    }
    Some(format!("{told}{}\n{}", imported.specs[0].yaml, report()))
}

/// What the import of a machine does at the start and with every event.
fn played(imported: &Imported, events: &[String]) -> Vec<After> {
    let (_, model) = model(&[Input { path: "machines/m.yaml".into(), text: imported.specs[0].yaml.clone() }]);
    let machine = &model.machines[0];
    let mut instance = Instance::start(machine, &[]).unwrap();
    let mut all = vec![After { leaves: leaves(machine, &instance), effects: Vec::new() }];
    for event in events {
        let mut script = Script::default();
        // An event that no transition takes is ignored by XState, and refused by a spec.
        if let Some(event) = machine.event_named(event) {
            match instance.fire(machine, event, &[], &mut script) {
                Ok(_) => {}
                Err(Error::Refused(refused)) if matches!(refused.reason, Reason::NoTransition | Reason::Guard) => {}
                Err(error) => panic!("{}\n{}", error.show(machine), imported.specs[0].yaml),
            }
        }
        let effects: Vec<String> = script.log.into_iter().flatten().map(|it| machine.effect(it).name.clone()).collect();
        all.push(After { leaves: leaves(machine, &instance), effects });
    }
    all
}

/// The active leaves by their names in the chart: a region without states inside gets one.
fn leaves(machine: &Machine, instance: &Instance) -> Vec<String> {
    let name = |leaf| machine.state(leaf).name.trim_end_matches("_inside").to_owned();
    let mut leaves: Vec<String> = instance.configuration.leaves().map(name).collect();
    leaves.sort();
    leaves
}
