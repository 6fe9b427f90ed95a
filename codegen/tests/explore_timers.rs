//! Exploration: the orders in which timers of constant durations elapse, against runs of the interpreter's clock.

mod runs;

use std::collections::BTreeSet;

use statespec_codegen::diagnostic::Code;
use statespec_codegen::model::Model;
use statespec_codegen::source::Input;
use statespec_explore::{Limits, Report, Subject, explore};
use statespec_lang::lower::load;

fn model(spec: &str) -> Model {
    let loaded = load(&[Input { path: "m.yaml".into(), text: spec.into() }]);
    loaded.model.unwrap_or_else(|| panic!("{:#?}\n{spec}", loaded.diagnostics))
}

/// The report on the machine `m` of this spec, for a program that is on time, or late.
fn explored(spec: &str, late_timers: bool) -> Report {
    let report = explore(&model(spec), Subject::Machine("m"), &Limits { late_timers, ..Limits::default() }).unwrap();
    assert!(report.is_complete(), "{report:#?}");
    report
}

/// The lines of the spec that exploration reports, counted from 1, each with the last word of the code.
fn findings(spec: &str, report: &Report) -> Vec<(usize, &'static str)> {
    let line = |at: usize| spec[..at].matches('\n').count() + 1;
    let word = |code: Code| code.id().trim_start_matches("explore::");
    let mut found: Vec<_> = report.findings.iter().map(|it| (line(it.span.start as usize), word(it.code))).collect();
    found.sort_unstable();
    found
}

/// The lines of the rows that are never taken.
fn untaken(spec: &str, report: &Report) -> BTreeSet<usize> {
    findings(spec, report).into_iter().filter(|it| it.1 == "untaken").map(|it| it.0).collect()
}

/// Two regions. The alarm fails unless the other region has come to its end.
const ALARM: &str = "machine: m
regions:
  work: { states: { one: { initial: true }, two: {}, three: { terminal: true } } }
  watch: { states: { waiting: { initial: true }, rung: { terminal: true }, failed: {} } }
transitions:
  - { from: one, after: 10s, to: two }
  - { from: two, after: 10s, to: three }
  - { from: waiting, after: 25s, when: in(three), to: rung }
  - { from: waiting, after: 25s, to: failed }
";

#[test]
fn the_sum_of_shorter_durations_elapses_before_a_longer_one() {
    let report = explored(ALARM, false);
    assert_eq!(findings(ALARM, &report), [(4, "unreachable"), (9, "untaken")], "{report:#?}");
    let sooner = ALARM.replace("25s", "15s");
    assert_eq!(findings(&sooner, &explored(&sooner, false)), [(1, "deadlock"), (3, "stuck"), (4, "unreachable"), (8, "untaken")]);
}

#[test]
fn the_example_of_the_page_is_explored_as_the_page_says() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/exploration.md")).unwrap();
    let start = page.find("machine: alarm").unwrap();
    let spec = page[start..start + page[start..].find("```").unwrap()].replace("machine: alarm", "machine: m");
    assert_eq!(findings(&spec, &explored(&spec, false)), []);
    assert_eq!(findings(&spec, &explored(&spec, true)), [(1, "deadlock"), (3, "stuck")]);
}

#[test]
fn a_late_program_starts_the_next_timer_late() {
    let report = explored(ALARM, true);
    assert_eq!(findings(ALARM, &report), [(1, "deadlock"), (3, "stuck")], "{report:#?}");
    let deadlock = report.findings.iter().find(|it| it.code == Code::ExploreDeadlock).unwrap();
    let runs: Vec<&str> = deadlock.trace.iter().flat_map(|it| &it.steps).map(|it| it.run.as_str()).collect();
    assert_eq!(runs, ["one_timeout", "waiting_timeout", "two_timeout"]);
}

#[test]
fn a_timer_of_a_composite_elapses_before_the_third_of_its_children() {
    let spec = "machine: m
states:
  all: { initial: true, states: { first: { initial: true }, second: {}, third: {} } }
  done: { terminal: true }
  over: { terminal: true }
transitions:
  - { from: first, after: 30s, to: second }
  - { from: second, after: 30s, to: third }
  - { from: third, after: 30s, timer: last, to: done }
  - { from: all, after: 60s, to: over }
";
    // After a minute, two timers are due, and the one of `second` is first in the spec. A late program sees the same.
    let third = [(4, "unreachable"), (9, "impossible"), (9, "untaken")];
    assert_eq!(findings(spec, &explored(spec, false)), third);
    assert_eq!(findings(spec, &explored(spec, true)), third);
    // With the composite first, not even `third` is entered.
    let (row, rest) = ("  - { from: all, after: 60s, to: over }\n", "transitions:\n");
    let swapped = spec.replace(row, "").replace(rest, &format!("{rest}{row}"));
    let found = findings(&swapped, &explored(&swapped, false));
    assert_eq!(found, [(3, "unreachable"), (4, "unreachable"), (9, "impossible"), (9, "untaken"), (10, "impossible"), (10, "untaken")]);
    let longer = spec.replace("60s", "91s");
    assert_eq!(findings(&longer, &explored(&longer, false)), [(5, "unreachable"), (10, "impossible"), (10, "untaken")]);
}

#[test]
fn a_state_that_is_entered_again_starts_its_timer_again() {
    let spec = "machine: m
context: { ticks: int }
regions:
  work: { states: { ticking: { initial: true } } }
  watch: { states: { waiting: { initial: true }, rung: {}, failed: {} } }
transitions:
  - { from: ticking, after: 10s, when: ticks < 9, to: ticking, set: { ticks: ticks + 1 } }
  - { from: waiting, after: 25s, when: ticks == 2, to: rung }
  - { from: waiting, after: 25s, to: failed }
";
    assert_eq!(findings(spec, &explored(spec, false)), [(5, "unreachable"), (9, "untaken")]);
    // A row that stays does not start it, and it elapses once.
    let stays = spec.replace("to: ticking, ", "");
    assert_eq!(findings(&stays, &explored(&stays, false)), [(5, "unreachable"), (8, "untaken")]);
}

#[test]
fn of_two_timers_that_are_due_at_once_the_first_in_the_spec_elapses_first() {
    let at_once = ALARM.replace("25s", "20s");
    assert_eq!(findings(&at_once, &explored(&at_once, false)), [(4, "unreachable"), (9, "untaken")]);
    let (work, watch) = at_once.split_once("transitions:\n").map(|it| it.1.split_at(it.1.find("  - { from: waiting").unwrap())).unwrap();
    let swapped = at_once.replace(&format!("{work}{watch}"), &format!("{watch}{work}"));
    assert_eq!(findings(&swapped, &explored(&swapped, false)), [(1, "deadlock"), (3, "stuck"), (4, "unreachable"), (6, "untaken")]);
}

#[test]
fn a_duration_that_is_not_constant_rules_no_order_out() {
    let spec =
        ALARM.replace("regions:", "context: { limit: { type: duration, default: 25s } }\nregions:").replace("after: 25s", "after: limit");
    assert_eq!(findings(&spec, &explored(&spec, false)), [(1, "deadlock"), (4, "stuck")]);
}

#[test]
fn an_event_that_starts_a_timer_again_makes_the_other_order_possible() {
    let spec = ALARM.replace("transitions:\n", "events: [touch]\ntransitions:\n");
    let touched = |row: &str| format!("{spec}  - {{ {row} }}\n");
    let again = touched("from: one, event: touch, to: one");
    assert_eq!(findings(&again, &explored(&again, false)), [(1, "deadlock"), (3, "stuck")]);
    // An event that starts no timer changes nothing.
    let stays = touched("from: one, event: touch");
    assert_eq!(findings(&stays, &explored(&stays, false)), [(4, "unreachable"), (10, "untaken")]);
}

#[test]
fn a_refused_timer_is_over() {
    let spec = ALARM.replace("  - { from: waiting, after: 25s, to: failed }\n", "  - { from: waiting, event: fail, to: failed }\n");
    let spec = spec
        .replace("transitions:\n", "events: [fail]\ntransitions:\n")
        .replace("25s", "15s")
        .replace("failed: {}", "failed: { terminal: true }");
    let report = explored(&spec, false);
    // The event ends the watch at any time, so nothing is stuck.
    assert_eq!(findings(&spec, &report), [(4, "unreachable"), (9, "impossible"), (9, "untaken")]);
    let without = spec.replace("  - { from: waiting, event: fail, to: failed }\n", "").replace("events: [fail]\n", "");
    let report = explored(&without, false);
    let deadlock = report.findings.iter().find(|it| it.code == Code::ExploreDeadlock).and_then(|it| it.trace.as_ref()).unwrap();
    insta::assert_snapshot!(deadlock.text(), @r"
      1. one_timeout (`one_timeout`)
           m: work/one+watch/waiting -> work/two+watch/waiting
      2. waiting_timeout (`waiting_timeout`)
           m: refuses the timer, which is over
      3. two_timeout (`two_timeout`)
           m: work/two+watch/waiting -> work/three+watch/waiting
    ");
}

#[test]
fn machines_whose_timers_never_run_together_are_explored_as_before() {
    let spec = "machine: m
context: { wait: duration }
states: { red: { initial: true }, amber: {}, green: {}, off: { terminal: true } }
events: [stop]
transitions:
  - { from: red, after: 30s, to: amber }
  - { from: amber, after: 3s, to: green }
  - { from: green, after: wait, timer: long, to: red }
  - { from: green, after: 20s, to: red }
  - { from: [red, amber, green], event: stop, to: off }
";
    for late in [false, true] {
        let report = explored(spec, late);
        assert_eq!((report.states, report.transitions, report.depth, report.findings.len()), (4, 7, 2, 0), "{report:#?}");
    }
}

#[test]
fn so_many_moments_that_they_are_no_longer_compared() {
    let spec = "machine: m
regions:
  work: { states: { ticking: { initial: true } } }
  watch: { states: { waiting: { initial: true }, rung: {} } }
transitions:
  - { from: ticking, after: 1ms, to: ticking }
  - { from: waiting, after: 30d, to: rung }
";
    let report = explored(spec, false);
    assert!(report.findings.is_empty() && report.states < 10_100, "{}", report.states);
}

#[test]
fn exploration_allows_the_orders_that_runs_of_the_clock_reach_and_no_others() {
    let (mut n_compared, mut n_reached, mut n_ruled_out) = (0, 0, 0);
    for seed in 0..8 {
        let random = runs::Machine::short(seed);
        for late in [false, true] {
            let model = model(&random.text);
            let limits = Limits { max_depth: runs::DEPTH + 1, late_timers: late, ..Limits::default() };
            let untaken = untaken(&random.text, &explore(&model, Subject::Machine("m"), &limits).unwrap());
            let machine = &model.machines[0];
            let reached = runs::reached(machine, late);
            for (line, probe) in &random.probes {
                let (is_reached, is_allowed) = (reached.contains(probe), !untaken.contains(line));
                assert_eq!(is_reached, is_allowed, "line {line}: {probe:?}, late: {late}\n{}", random.text);
                n_reached += usize::from(is_reached);
            }
            n_compared += random.probes.len();
            n_ruled_out += runs::reached_in_any_order(machine).difference(&reached).count();
        }
    }
    // Otherwise, the test compares nothing.
    assert!(n_reached > 100 && n_ruled_out > 100 && n_compared > 10 * n_reached, "{n_compared}, {n_reached}, {n_ruled_out}");
}

#[test]
fn random_walks_of_the_clock_take_no_row_that_exploration_rules_out() {
    let (mut n_taken, mut n_ruled_out) = (0, 0);
    for seed in 0..10 {
        let spec = runs::Machine::long(seed).text;
        let model = model(&spec);
        for late in [false, true] {
            let report = explored(&spec, late);
            let untaken = untaken(&spec, &report);
            let taken = runs::walk(&model.machines[0], seed, late);
            let line = |at: usize| spec[..at].matches('\n').count() + 1;
            for row in &taken {
                let line = line(model.machines[0].transition(*row).span.start as usize);
                assert!(!untaken.contains(&line), "line {line}, late: {late}\n{spec}");
            }
            n_taken += taken.len();
            n_ruled_out += untaken.len();
        }
    }
    assert!(n_taken > 200 && n_ruled_out > 100, "{n_taken}, {n_ruled_out}");
}
