//! Exploration: the values and answers that are tried, and what is said where they are not all.

use statespec_codegen::diagnostic::Code;
use statespec_codegen::source::Input;
use statespec_explore::{Limit, Limits, Report, explore, subject};
use statespec_lang::lower::load;

/// The report on the last of these specs, and its text.
fn explored(specs: &[&str], max_states: usize) -> (Report, String) {
    let inputs: Vec<Input> =
        specs.iter().enumerate().map(|(idx, text)| Input { path: format!("machines/{idx}.yaml"), text: (*text).to_owned() }).collect();
    let loaded = load(&inputs);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let name = specs.last().and_then(|it| it.lines().next()?.split(' ').nth(1)).expect("the first line has the name");
    let subject = subject(&model, name).expect("it is there");
    let report = explore(&model, subject, &Limits { max_states, ..Limits::default() }).unwrap();
    let text = report.text(&loaded.sources);
    (report, text)
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|it| it.code).collect()
}

fn limits(report: &Report) -> Vec<Limit> {
    report.bounds.iter().map(|it| it.limit).collect()
}

/// A machine with one event, which leads from the initial to the terminal state under a guard.
fn guarded(declarations: &str, payload: &str, guard: &str) -> String {
    format!(
        "machine: gate\n{declarations}\nstates: {{ open: {{ initial: true }}, done: {{ terminal: true }} }}\nevents: {{ go: {{ payload: {{ {payload} }} }} }}\ntransitions:\n  - {{ from: open, event: go, when: \"{guard}\", to: done }}\n"
    )
}

#[test]
fn every_answer_of_many_predicates_is_tried() {
    let names: Vec<String> = (0..12).map(|idx| format!("p{idx}")).collect();
    let declared: Vec<String> = names.iter().map(|it| format!("{it}: {{ doc: Decided outside. }}")).collect();
    let declared = format!("predicates: {{ {} }}", declared.join(", "));
    for word in [" and ", " or "] {
        let (report, text) = explored(&[&guarded(&declared, "", &names.join(word))], 100);
        assert!(report.is_complete() && report.findings.is_empty(), "{text}");
    }
    // Each answer decides about the next question, so all of the 2^13 combinations differ.
    let pairs: Vec<String> = (0..13).map(|idx| format!("(p{idx} or not p{idx})")).collect();
    let declared: Vec<String> = (0..13).map(|idx| format!("p{idx}: {{ doc: Decided outside. }}")).collect();
    let (report, text) = explored(&[&guarded(&format!("predicates: {{ {} }}", declared.join(", ")), "", &pairs.join(" and "))], 100);
    assert_eq!(limits(&report), [Limit::Combinations], "{text}");
    assert!(text.contains("not seen: `go` has too many combinations of answers of its predicates"), "{text}");
}

#[test]
fn predicates_that_are_assigned_are_asked() {
    let spec = "machine: gate
context: { ready: bool }
predicates: { fresh: { doc: Decided outside. } }
states: { open: { initial: true }, done: { terminal: true } }
events: { look: {}, go: {} }
transitions:
  - { from: open, event: look, set: { ready: fresh } }
  - { from: open, event: go, when: ready, to: done }
";
    let (report, text) = explored(&[spec], 100);
    assert!(report.is_complete() && report.findings.is_empty() && report.states == 3, "{text}");
}

#[test]
fn linear_comparisons_are_solved() {
    for (payload, guard) in [
        ("x: int", "x * 3 == 21"),
        ("x: int", "2 * x - 7 > 100 and x * 4 <= 216"),
        ("x: decimal", "x * 8 == 1 and x > 0"),
        ("x: int, y: int", "x + y == 10 and x - y == 4"),
        ("x: int, y: int", "x > y and y > 5 and x < 8"),
        ("x: timestamp, y: timestamp", "x - y == 90m"),
        ("x: duration", "x * 2 == 7s"),
        ("x: text, y: text", "x != y and x != 'text' and y != 'text'"),
        ("x: reference, y: reference, z: reference", "x != y and y != z and x != z"),
        ("x: { type: int, optional: true }", "x != null and x * x0 == 35"),
    ] {
        let declarations = if guard.contains("x0") { "constants: { x0: 5 }" } else { "" };
        let (report, text) = explored(&[&guarded(declarations, payload, guard)], 100);
        assert!(report.is_complete() && report.findings.is_empty(), "{guard}\n{text}");
    }
    for (payload, guard) in [
        ("x: int", "x * 3 == 22"),
        ("x: int", "x > 3 and x < 4"),
        ("x: decimal", "x * 3 == 1"),
        ("x: int, y: int", "x > y and y > 5 and x < 7"),
    ] {
        let (report, text) = explored(&[&guarded("", payload, guard)], 100);
        assert!(report.is_complete(), "{guard}\n{text}");
        assert_eq!(
            codes(&report),
            [Code::ExploreDeadlock, Code::ExploreStuck, Code::ExploreImpossible, Code::ExploreUnreachable, Code::ExploreUntaken],
            "{guard}\n{text}"
        );
    }
}

#[test]
fn a_guard_whose_borders_are_not_known_bounds_the_verdict() {
    for (payload, guard) in [
        ("x: int, y: int", "x * y == 391"),
        ("x: int, y: int", "2 * x == 3 * y and x * y > 1000000"),
        ("x: int", "x == 9223372036854775807"),
        ("x: int, y: int", "x * 2 == y * 3 + 1"),
    ] {
        let (report, text) = explored(&[&guarded("", payload, guard)], 100);
        assert!(limits(&report).contains(&Limit::Values), "{guard}\n{text}");
        // Nothing is said to be impossible for ever.
        assert!(!report.has_faults(), "{guard}\n{text}");
    }
}

const ORDER: &str = "machine: order
context:
  total: decimal
  note: text
  placed_at: { type: timestamp, optional: true }
  paid_at: { type: timestamp, optional: true }
  shipped_at: { type: timestamp, optional: true }
states: { cart: { initial: true }, placed: {}, paid: {}, shipped: {}, done: { terminal: true }, cancelled: { terminal: true } }
events:
  add: { payload: { price: decimal, words: text } }
  place: { payload: { now: timestamp } }
  pay: { payload: { amount: decimal, now: timestamp } }
  ship: { payload: { now: timestamp } }
  confirm: { payload: { now: timestamp } }
  cancel: {}
transitions:
  - { from: cart, event: add, when: price > 0, set: { total: total + price, note: words } }
  - { from: cart, event: place, when: total >= 9.99, to: placed, set: { placed_at: now } }
  - { from: placed, event: pay, when: \"placed_at != null and amount == total and now >= placed_at\", to: paid, set: { paid_at: now } }
  - { from: paid, event: ship, when: \"paid_at != null and now > paid_at\", to: shipped, set: { shipped_at: now } }
  - { from: shipped, event: confirm, when: \"shipped_at != null and paid_at != null and now - shipped_at > 14d and now - paid_at > 20d\", to: done }
  - { from: [cart, placed, paid], event: cancel, to: cancelled }
";

#[test]
fn an_order_with_a_total_and_timestamps_is_small() {
    let (report, text) = explored(&[ORDER], 1_000);
    assert!(report.is_complete() && report.findings.is_empty(), "{text}");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/exploration.md")).unwrap();
    assert!(page.contains(&format!("```text\n{text}```\n")), "the page must say:\n{text}");
    assert!(page.contains(&format!("has {} configurations", report.states)));
}

const SHOP: &str = "system: shop
parts: { order: { machine: order } }
transactions:
  add: { payload: { price: decimal, words: text }, fire: { order.add: { price: price, words: words } }, doc: Something is added. }
  place: { payload: { now: timestamp }, fire: { order.place: { now: now } }, doc: The order is placed. }
  pay: { payload: { amount: decimal, now: timestamp }, fire: { order.pay: { amount: amount, now: now } }, doc: The order is paid. }
  cancel: { fire: order.cancel, doc: The order is cancelled. }
";

#[test]
fn an_order_in_a_system_is_bounded_where_inputs_are_compared_with_each_other() {
    let (report, text) = explored(&[ORDER, SHOP], 300);
    assert!(limits(&report).contains(&Limit::Values) && !report.has_faults(), "{text}");
    // Without sums and times, a total is as small as its borders.
    let simple = ORDER.replace("total: total + price", "total: price").replace("amount == total and now >= placed_at", "amount > 5");
    let simple = simple.replace("now > paid_at", "true").replace("now - shipped_at > 14d and now - paid_at > 20d", "true");
    let (report, text) = explored(&[&simple, SHOP], 2_000);
    assert!(report.is_complete() && report.states < 40, "{text}");
}

#[test]
fn a_step_that_changes_nothing_is_a_step() {
    let spec = "machine: pump
context: { level: int }
states: { on: { initial: true }, off: { terminal: true } }
events: { tick: {}, stop: {} }
transitions:
  - { from: on, event: tick, set: { level: level + 1 } }
  - { from: on, event: stop, when: level < 0, to: off }
";
    let (report, text) = explored(&[spec], 100);
    assert!(report.is_complete(), "{text}");
    assert_eq!(codes(&report), [Code::ExploreStuck, Code::ExploreImpossible, Code::ExploreUnreachable, Code::ExploreUntaken], "{text}");
}

#[test]
fn the_limit_names_the_field_that_made_the_space_large() {
    let spec = "machine: lift
context: { floor: int, door: bool }
states: { up: { initial: true }, out: { terminal: true } }
events: { rise: {}, sink: {}, leave: {} }
transitions:
  - { from: up, event: rise, set: { floor: floor + 1, door: not door } }
  - { from: up, event: sink, set: { floor: floor - 1 } }
  - { from: up, event: leave, when: floor == 0 and door, to: out }
";
    let (report, text) = explored(&[spec], 100);
    assert_eq!(limits(&report), [Limit::States], "{text}");
    insta::assert_snapshot!("explore_limit", text);
}

#[test]
fn the_memory_of_a_history_is_set_by_the_machine_alone() {
    let spec = "machine: m
context: { last: { type: state, optional: true } }
states:
  on: { initial: true, history: last, states: { a: { initial: true }, b: {}, c: {} } }
  off: {}
events: [go, press]
transitions:
  - { from: a, event: go, to: b }
  - { from: b, event: go, to: c }
  - { from: on, event: press, to: off }
  - { from: off, event: press, to: '{last}' }
";
    let (report, _) = explored(&[spec], 1_000);
    assert!(report.findings.is_empty() && limits(&report).is_empty(), "{report:#?}");
    // Three leaves inside, whatever was remembered before, and `off` with each of them in memory.
    assert_eq!(report.states, 6);
}

#[test]
fn a_decimal_lies_between_a_third_and_one() {
    // Neither a third nor the middle between it and one is a decimal.
    let (report, text) = explored(&[&guarded("", "part: decimal", "part < 1 and part * 3 >= 1")], 100);
    assert!(report.is_complete() && report.findings.is_empty(), "{text}");
}

#[test]
fn what_is_not_known_of_a_later_step_of_an_event_that_settles_is_left_out() {
    let spec = "machine: gate
context: { rate: decimal }
states: { open: { initial: true }, half: {}, done: { terminal: true } }
events: { go: { payload: { part: decimal } } }
settle: go
transitions:
  - { from: open, event: go, to: half }
  - { from: half, event: go, when: rate != 0 and part / rate > -1.5, to: half }
";
    // The step out of `open` counts only where `half` can rest, which the values of a quotient decide.
    let (report, text) = explored(&[spec], 100);
    assert!(!report.is_complete(), "{text}");
    assert!(!codes(&report).contains(&Code::ExploreDeadlock) && !codes(&report).contains(&Code::ExploreStuck), "{text}");
}
