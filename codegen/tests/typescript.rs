//! Emitted TypeScript compiles with the strictest options, and does what the interpreter does: for the machines of this repository,
//! and for random charts. `tools/trust/tests/languages.rs` compares more random machines.

use statespec_code::typescript::{self, Int, Style};
use statespec_codegen::backend::conformance::data::{self, Extent};
use statespec_codegen::source::Input;

use crate::checks;
use crate::project::{inputs, model};
use crate::subjects::{CHARTS, FIXTURES, PLANTED, REFERENCE};
use crate::trials::typescript::Trial;
use crate::trials::{Defect, accepted, assert_found};

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    let all = [("reference", Int::Number, &REFERENCE), ("fixtures", Int::Bigint, &FIXTURES), ("fixtures_number", Int::Number, &FIXTURES)];
    // The sample has the reference machines, and charts with the other numbers.
    for (name, int, subject) in all.into_iter().take(checks::one_in(3, 3)) {
        trial.emit(name, subject, &Style { int, ..Style::default() });
    }
    let int = if checks::is_complete() { Int::Number } else { Int::Bigint };
    trial.emit("charts", &CHARTS, &Style { int, ..Style::default() });
    trial.compile();
    trial.test();
}

/// The compiler refuses a variable that is declared and not read. A part of a condition that is decided is not in the text, nor is
/// what it reads; a word in a text is no variable.
#[test]
fn what_is_not_read_is_not_declared() {
    let text = "machine: m\ncontext: { on: { type: bool, default: false }, of: { type: text, default: '' } }\n\
        states: { a: { initial: true }, b: {} }\nevents: { go: { payload: { n: int } }, name: { payload: { n: int } } }\ntransitions:\n\
        \x20 - { from: a, event: go, to: b, set: { on: n > 1 and false, of: \"'look at it in context'\" } }\n";
    let text = text.to_owned();
    let assigned = |text: String| {
        let (_, model) = model(&[Input { path: "machines/m.yaml".into(), text }]);
        let module = typescript::machine(&model.machines[0], &Style::default());
        let (_, assign) = module.split_once("  assign(").unwrap();
        assign.split_once("  effect(").unwrap().0.to_owned()
    };
    let decided = assigned(text.clone());
    assert!(decided.starts_with("row, _at, _event) {") && !decided.contains("const"), "{decided}");
    let open = assigned(text.replace("and false", "and true"));
    assert!(open.starts_with("row, _at, event) {") && open.contains("const it = event as"), "{open}");
}

/// What is wrong in a copy of the emitted modules: the file, what it has, and what a defective printer would write.
const DEFECTS: [Defect; 30] = [
    ("elevator", "context.destination > context.floor", "context.destination >= context.floor"),
    ("elevator", "event.to < GROUND", "event.to <= GROUND"),
    ("elevator", "raise: [\"let_out\"]", "raise: []"),
    ("elevator", "s.add(context.floor, 1)", "s.add(context.floor, 2)"),
    ("elevator", "s.sub(context.floor, 1)", "s.add(context.floor, 1)"),
    ("elevator", "exit: [\"ring\"]", "entry: [\"ring\"]"),
    ("elevator", "entry: [\"pull\"], exit: [\"brake\"]", "entry: [\"pull\"]"),
    ("elevator", "completes: \"trip\"", "terminal: true"),
    ("elevator", "{ event: \"open_timeout\", states: [\"open\"]", "{ event: \"open_timeout\", states: [\"opening\"]"),
    ("elevator", "s.isActive(GRAPH, at.leaves, \"shut\")", "true"),
    ("elevator", "reacts: true", "reacts: false"),
    ("elevator", "refuses: \"The elevator is in use.\"", "refuses: \"The elevator is used.\""),
    ("media_player", "history: \"playback_was\"", "history: \"sound_was\""),
    ("media_player", "[\"paused\", \"paused\"]", "[\"paused\", \"stopped\"]"),
    ("media_player", "memories: ", "forgotten: "),
    ("media_player", "context.volume < LOUDEST", "context.volume <= LOUDEST"),
    ("media_player", "parallel: true", "terminal: true"),
    ("order", "if (!context.extended)", "if (context.extended)"),
    ("order", "{ effects: [\"alert\"] }", "{ before: [\"alert\"] }"),
    ("order", "s.sub(context.payment_window, 86400000000)", "context.payment_window"),
    ("order", "accepts: [\"extend\", \"pay\", \"cancel\"]", "accepts: [\"extend\", \"cancel\", \"payment_deadline\"]"),
    ("order", "leads: [\"late\", \"shipped\"]", "leads: [\"shipped\"]"),
    ("order", "by: [\"shop\"]", "by: [\"customer\"]"),
    ("order", "extended: true };", "extended: context.extended };"),
    ("order", "to: [{ leaf: \"late\" }]", "to: [{ leaf: \"shipped\" }]"),
    ("mysis", "commit: \"memory_first\"", "commit: \"memory_only\""),
    ("statespec", "MAX64 = 9223372036854775807n", "MAX64 = 9223372036854775806n"),
    ("statespec", "a.order - b.order", "b.order - a.order"),
    ("statespec", "drop(4, 15n, false);", ""),
    ("statespec", "twice > power || (twice === power && (quotient & 1n) === 1n)", "twice >= power"),
];

#[test]
fn a_defect_of_emitted_code_is_found() {
    let Some(trial) = Trial::new("defects") else { return };
    assert_found(&DEFECTS, |it| trial.planted(&PLANTED, it));
}

/// The examples of the guide, in one file, beside the modules of the reference machines.
#[test]
fn the_examples_of_the_guide_compile_and_hold() {
    let Some(trial) = Trial::new("guide") else { return };
    let (_, model) = model(&inputs());
    trial.modules("machines", &model, &Style::default());
    let page = crate::project::read("docs/guide/typescript.md").unwrap();
    let examples: String = page.split("```ts\n").skip(1).filter_map(|it| Some(it.split_once("```")?.0)).collect();
    assert!(examples.matches("assert").count() > 15, "{examples}");
    trial.put("src/page.ts", &examples);
    trial.compile();
    // Most projects do without this option, under which fewer types are one.
    accepted(&trial.compiled(&["--noEmit", "--exactOptionalPropertyTypes", "false"]));
    accepted(&trial.node(&["out/page.js"]));
}

/// A state of a newer service: an error by default, kept with `open`.
#[test]
fn an_unknown_state_is_an_error_or_is_kept() {
    let Some(trial) = Trial::new("unknown") else { return };
    let (_, model) = model(&inputs());
    for (folder, open) in [("closed", false), ("open", true)] {
        let style = Style { open, ..Style::default() };
        for name in ["order", "elevator"] {
            trial.put(&format!("src/{folder}/{name}.ts"), &typescript::machine(model.machine(name).unwrap(), &style));
        }
        trial.put(&format!("src/{folder}/statespec.ts"), &typescript::support(&style, false));
    }
    trial.put("src/page.ts", UNKNOWN);
    trial.compile();
    accepted(&trial.node(&["out/page.js"]));
}

const UNKNOWN: &str = r#"
import assert from "node:assert/strict";
import * as closed from "./closed/order.js";
import * as lift from "./closed/elevator.js";
import * as order from "./open/order.js";
import * as openLift from "./open/elevator.js";

const newer = '{"state":"refunded","context":{"payment_window":1,"extended":false}}';
assert.throws(() => closed.decode(newer), /`refunded` is no state: expected `cart`/);
const kept = order.decode(newer);
assert.deepEqual(kept.state, { unknown: "refunded" });
assert.equal(order.encode(kept), newer);
const result = order.apply(kept, { type: "pay" });
assert(!result.ok);
assert.equal(result.refused.reason, "unknown_state");
assert.equal(result.refused.message, "`refunded` is no state that this program knows");
assert.deepEqual(order.allowed(kept.state), []);

const stuck = '{"state":{"in_service":{"cabin":"stuck","door":"shut"}},"context":{"floor":0,"destination":0}}';
assert.throws(() => lift.decode(stuck), /`stuck` is no state/);
assert.equal(openLift.encode(openLift.decode(stuck)), stuck);
// Nothing else becomes unknown.
assert.throws(() => openLift.decode('{"state":"maintenance","context":{"floor":"no","destination":0}}'), /`context.floor` is no/);
assert.throws(() => closed.decode('{"state":"cart","context":{"payment_window":9007199254740993,"extended":false}}'), /out of range/);
assert.throws(() => closed.fromJson(JSON.parse('{"state":"cart","context":{"payment_window":9007199254740993,"extended":false}}')), /rounded/);
assert.throws(() => closed.decode('{"state":"cart","context":{"extended":false}}'), /`context.payment_window` is nothing/);
assert.throws(() => closed.decode('{"state":"__proto__","context":{}}'), /`__proto__` is no state/);
assert.throws(() => closed.decodeEvent('{"constructor":{}}'), /`constructor` is no event/);
assert.throws(() => closed.decode("{"), /no JSON, at character 2/);
assert.equal(closed.decode('{"context":{"extended":true,"payment_window":"5"},"state":"paid","later":[1.5e3]}').context.payment_window, 5);
const up = lift.apply(lift.start(), { type: "call", to: 2 });
assert(up.ok);
assert.equal(lift.textOf(up.machine.state as lift.State), "up+shut");
assert.deepEqual(lift.parseState("up+shut"), { in_service: { cabin: "up", door: "shut" } });
for (const wrong of ["shut+up", "up", "up+down", "up+up", "trip+shut", "up+shut+maintenance"]) assert.throws(() => lift.parseState(wrong), /is no/);
"#;

/// The data speaks of machines and events as Rust's serde does.
#[test]
fn the_data_has_the_json_of_serde() {
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use statespec_machines::{elevator, media_player, order};
    let (sources, model) = model(&inputs());
    let data = |name: &str| {
        let idx = model.machines.iter().position(|it| it.name == name).unwrap();
        serde_json::from_str::<serde_json::Value>(&data::machine(&model, idx, &sources, Extent { walks: 4, steps: 30 })).unwrap()
    };
    fn same<M: DeserializeOwned + Serialize, E: DeserializeOwned + Serialize>(data: &serde_json::Value) {
        let again = |it: &serde_json::Value| serde_json::to_value(serde_json::from_value::<M>(it.clone()).unwrap()).unwrap();
        let steps = data["walks"].as_array().unwrap().iter().flat_map(|it| it["steps"].as_array().unwrap());
        let (mut n_machines, mut n_events) = (0, 0);
        for step in steps {
            for machine in [&step["start"], &step["ok"]["machine"]].into_iter().filter(|it| !it.is_null()) {
                assert_eq!(again(machine), *machine);
                n_machines += 1;
            }
            let event = &step["call"]["event"];
            if !event.is_null() {
                assert_eq!(serde_json::to_value(serde_json::from_value::<E>(event.clone()).unwrap()).unwrap(), *event);
                n_events += 1;
            }
        }
        assert!(n_machines > 10 && n_events > 50, "{n_machines} machines, {n_events} events");
    }
    same::<order::Order, order::Recorded>(&data("order"));
    same::<elevator::Elevator, elevator::Recorded>(&data("elevator"));
    same::<media_player::MediaPlayer, media_player::Recorded>(&data("media_player"));
}
