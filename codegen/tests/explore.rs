//! Exploration: planted faults are found, their traces can be pasted into the spec, and the page shows the same reports.

use std::collections::BTreeSet;

use statespec_codegen::diagnostic::Code;
use statespec_codegen::model::Model;
use statespec_codegen::report::{Annotation, Format};
use statespec_codegen::source::{Input, Sources};
use statespec_explore::{Limit, Limits, Report, Subject, explore, subjects};
use statespec_lang::lower::load;

type Edit = (&'static str, &'static str, &'static str);

const NO_RESET: Edit =
    ("mission.yaml", "when: not is_final, to: IN_PROGRESS, set: { current_hop_id: null }", "when: not is_final, to: IN_PROGRESS");
const TWO_CURRENT: Edit = ("mission.yaml", "event: link_hop, when: current_hop_id == null,", "event: link_hop,");
const NO_MATCH: Edit =
    ("mission_hop.yaml", "require: mission.current_hop_id == hop.id, doc: current", "require: mission.state == IN_PROGRESS, doc: current");
const INVARIANT: Edit = (
    "mission_hop.yaml",
    "invariants:\n",
    "invariants:\n  - { require: mission.state != COMPLETED or hop.state == COMPLETED, doc: A completed mission has no open hop }\n",
);

/// The specs of a folder with texts replaced, and optionally with other walkthroughs.
fn specs(folder: &str, edits: &[Edit], walkthroughs: Option<&str>) -> Vec<Input> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".yaml") || name.ends_with(".doc.yaml") {
            continue;
        }
        let mut text = std::fs::read_to_string(&path).unwrap();
        for (_, old, new) in edits.iter().filter(|it| it.0 == name) {
            assert!(text.contains(old), "{name} has no `{old}` any more");
            text = text.replace(old, new);
        }
        if let (Some(walkthroughs), "mission_hop.yaml") = (walkthroughs, name.as_str()) {
            let start = text.find("walkthroughs:").unwrap();
            let end = text.find("\nnotes:").unwrap();
            text.replace_range(start..=end, walkthroughs);
        }
        inputs.push(Input { path: format!("machines/{name}"), text });
    }
    inputs
}

fn model(inputs: &[Input]) -> Model {
    loaded(inputs).0
}

fn loaded(inputs: &[Input]) -> (Model, Sources) {
    let loaded = load(inputs);
    (loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics)), loaded.sources)
}

/// Missions with planted faults, without the walkthroughs, which would find them first.
fn faulted(edits: &[Edit]) -> (Report, String) {
    told(&specs("../machines", edits, Some("")), "mission_hop", &Limits::default())
}

fn queue(edits: &[Edit], workers: u64, jobs: u64) -> (Report, String) {
    let instances = [("worker".to_owned(), workers), ("job".to_owned(), jobs)].into();
    told(&specs("tests/fixtures/explore", edits, None), "job_queue", &Limits { instances, ..Limits::default() })
}

/// The report of an exploration, and its text.
fn told(inputs: &[Input], system: &str, limits: &Limits) -> (Report, String) {
    let (model, sources) = loaded(inputs);
    let report = explore(&model, Subject::System(system), limits).unwrap();
    let text = report.text(&sources);
    (report, text)
}

#[test]
fn nothing_is_wrong_with_the_reference_machines() {
    let model = model(&specs("../machines", &[], None));
    for subject in subjects(&model) {
        let report = explore(&model, subject, &Limits::default()).unwrap();
        let bounds: Vec<Limit> = report.bounds.iter().map(|it| it.limit).collect();
        // A floor is any number between two others, and in a machine with regions only equal contexts behave alike.
        let expected: &[Limit] = if report.subject == "elevator" { &[Limit::Values] } else { &[] };
        assert_eq!((&report.findings[..], &bounds[..]), (&[][..], expected), "{report:#?}");
    }
}

#[test]
fn the_pages_tell_what_is_found() {
    let (found, text) = faulted(&[NO_MATCH, TWO_CURRENT, INVARIANT]);
    let trace = found.findings.iter().find(|it| it.code == Code::ExploreInvariant).unwrap().trace.as_ref().unwrap();
    let walkthrough = trace.walkthrough("found", "What must not happen.");
    // The trace, pasted into the spec as a walkthrough, succeeds.
    model(&specs("../machines", &[NO_MATCH, TWO_CURRENT, INVARIANT], Some(&format!("walkthroughs:\n{walkthrough}"))));

    let page = crate::project::read("docs/evidence/exploration.md").unwrap() + &crate::project::read("docs/guide/exploration.md").unwrap();
    let texts = [
        ("RESET", faulted(&[NO_RESET]).1),
        ("TWO", faulted(&[TWO_CURRENT]).1),
        ("MATCH", text),
        ("WALK", walkthrough),
        ("JOB", queue(&[], 2, 1).1),
    ];
    let missing: Vec<String> = texts
        .iter()
        .filter(|(_, text)| !page.contains(&format!("```text\n{text}```\n")))
        .map(|(name, text)| format!("@{name}@\n{text}"))
        .collect();
    assert!(missing.is_empty(), "the pages must say:\n{}", missing.join(""));
    // This check is redundant: nothing changes if only this one is missing.
    let alone = faulted(&[NO_MATCH]).0;
    let right = faulted(&[]).0;
    assert_eq!((alone.states, alone.transitions, &alone.findings), (right.states, right.transitions, &right.findings));
    assert!(page.contains(&format!("the same {} configurations", alone.states)));
}

/// Only `pull` leaves the first state, and it carries the decisive fields at other positions than the first event of its rows.
const DOOR: &str = "machine: door
context: { opened_at: { type: timestamp, optional: true } }
states: { shut: { initial: true }, ajar: {}, open: { terminal: true } }
events:
  push: { payload: { force: int, now: timestamp, to: state } }
  pull: { payload: { to: state, now: timestamp, force: int } }
transitions:
  - { from: shut, event: push, refuse: It opens to the other side. }
  - { from: shut, event: [push, pull], when: force > 7, to: ajar, set: { opened_at: now } }
  - { from: ajar, event: [push, pull], when: opened_at != null and force > 9 and to == open, to: \"{to}\", set: { opened_at: opened_at + 1s } }
";

#[test]
fn a_field_is_varied_at_the_position_that_an_event_has_for_it() {
    let model = model(&[Input { path: "machines/door.yaml".into(), text: DOOR.into() }]);
    let report = explore(&model, Subject::Machine("door"), &Limits::default()).unwrap();
    assert_eq!((&report.findings[..], report.depth), (&[][..], 2), "{report:#?}");
}

#[test]
fn a_job_can_be_lost_between_claim_and_run() {
    let lost = queue(&[], 2, 1).0;
    assert_eq!(lost.findings.iter().map(|it| it.code).collect::<Vec<_>>(), [Code::ExploreStuck]);
    let mended = ("job.yaml", "from: running, event: reclaim", "from: [claimed, running], event: reclaim");
    assert_eq!(queue(&[mended], 2, 1).0.findings, []);
}

#[test]
fn every_finding_has_a_code_a_place_and_a_way_of_telling() {
    let (model, sources) = loaded(&specs("tests/fixtures/explore_codes", &[], None));
    let reports: Vec<_> = subjects(&model).into_iter().map(|it| explore(&model, it, &Limits::default()).unwrap()).collect();
    let mut seen: BTreeSet<Code> = reports.iter().flat_map(|it| &it.findings).map(|it| it.code).collect();
    seen.extend(reports.iter().flat_map(|it| &it.bounds).map(|_| Code::ExploreBounded));
    let all: BTreeSet<Code> = Code::ALL.iter().copied().filter(|it| it.id().starts_with("explore::")).collect();
    assert_eq!(seen, all);
    insta::assert_snapshot!("explore_codes", reports.iter().map(|it| it.text(&sources)).collect::<Vec<_>>().join("\n"));
    let bounds = reports.iter().flat_map(|it| &it.bounds).map(|it| Annotation::of_bound(&sources, it));
    let annotations: Vec<_> =
        bounds.chain(reports.iter().flat_map(|it| &it.findings).map(|it| Annotation::of_exploration(&sources, it))).collect();
    let report = statespec_codegen::report::Report { annotations, ..statespec_codegen::report::Report::clean("") };
    insta::assert_snapshot!("explore_github", report.print(Format::Github));
}

#[test]
fn limits_bound_the_verdict() {
    let model = model(&specs("../machines", &[], None));
    let limited = |limits: Limits| explore(&model, Subject::System("mission_hop"), &limits);
    let states = limited(Limits { max_states: 10, ..Limits::default() }).unwrap();
    let limits_of = |report: &Report| report.bounds.iter().map(|it| it.limit).collect::<Vec<_>>();
    assert_eq!((states.states, limits_of(&states)), (10, vec![Limit::States]));
    let depth = limited(Limits { max_depth: 3, ..Limits::default() }).unwrap();
    assert_eq!((depth.depth, limits_of(&depth)), (3, vec![Limit::Depth]));
    // Configurations beyond the limits are not reported as stuck.
    assert!(!states.has_faults() && !depth.has_faults());
    assert!(states.scope().starts_with("bounded: not everything"), "{}", states.scope());
    assert_eq!(states.bounds[0].message, "there are more than 10 configurations");
    let unknown = limited(Limits { instances: [("ship".to_owned(), 2)].into(), ..Limits::default() }).unwrap_err();
    assert_eq!(unknown, "the system `mission_hop` has no part `ship`; it has `mission`, `hop`");
}

/// Explores the one machine of a spec.
fn explored(text: &str) -> Report {
    let model = model(&[Input { path: "machines/it.yaml".into(), text: text.into() }]);
    explore(&model, subjects(&model)[0], &Limits::default()).unwrap()
}

#[test]
fn every_configuration_is_found_again() {
    let report = explored(
        "machine: counter\ncontext: { n: int }\nstates: { on: { initial: true } }\nevents: { up: {}, down: {} }\ntransitions:\n  \
         - { from: on, event: up, when: n < 9999, to: on, set: { n: n + 1 } }\n  \
         - { from: on, event: down, when: n > 0, to: on, set: { n: n - 1 } }\n",
    );
    // Each has two calls, except the first and the last one.
    assert_eq!((report.is_complete(), report.states, report.transitions, report.depth), (true, 10_000, 2 * 9_999, 9_999));
}

/// The calls of an event behind a condition: one for each combination of answers that makes a difference, if it then succeeds.
#[test]
fn only_answers_that_make_a_difference_are_tried() {
    let report = |n_predicates: usize, when: &str| {
        let predicates: Vec<String> = (0..n_predicates).map(|it| format!("p{it}")).collect();
        explored(&format!(
            "machine: door\ncontext: {{ on: {{ type: bool, default: true }} }}\nstates: {{ shut: {{ initial: true }}, open: {{}} }}\nevents: {{ push: {{}}, pull: {{}} }}\n\
             predicates: [{}]\ntransitions:\n  - {{ from: shut, event: push, when: {when}, to: open }}\n  - {{ from: shut, event: push, to: shut }}\n  \
             - {{ from: open, event: pull, to: shut }}\n",
            predicates.join(", ")
        ))
    };
    let calls = |n_predicates: usize, when: &str| {
        let report = report(n_predicates, when);
        assert!(report.is_complete(), "{:?}", report.bounds);
        // Without `pull`.
        report.transitions - 1
    };
    assert_eq!(calls(0, "true"), 1);
    // None holds, the third one does, the second one, the first one.
    assert_eq!(calls(3, "p0 or p1 or p2"), 4);
    assert_eq!(calls(1, "p0 and p0"), 2);
    // All of twenty are asked, whatever the answers are.
    let all: Vec<String> = (0..20).map(|it| format!("(p{it} or on)")).collect();
    let report = report(20, &all.join(" and "));
    assert!(report.bounds.iter().any(|it| it.limit == Limit::Combinations), "{:?}", report.bounds);
}
