//! Emitted TypeScript compiles with the strictest options, and does what the interpreter does: for the machines of this repository,
//! and for random charts.
//!
//! `TYPESCRIPT_MACHINES=1000 cargo test -p statespec-codegen --test it typescript` compares more random machines, with longer walks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use statespec_code::typescript::{self, Int, Style};
use statespec_codegen::backend::conformance::data::{self, Extent};
use statespec_lang::model::Model;
use statespec_lang::source::Sources;

use crate::every_row::{charts, fixtures};
use crate::project::{checks, inputs, model, root, specs_of};

/// Compiles and runs what is emitted for some models, each in a folder of its own; returns what `node --test` says.
pub(crate) struct Trial {
    home: PathBuf,
    packages: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    pub(crate) fn new(name: &str) -> Option<Trial> {
        let packages = checks::needed("emitted TypeScript", checks::packages("tests/node"))?;
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-typescript").join(name);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        fs::write(home.join("package.json"), "{ \"type\": \"module\" }\n").unwrap();
        Some(Trial { home, packages })
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The modules of a model and their tests, in `src/NAME` and `out/NAME/tests`.
    pub(crate) fn emit(&self, name: &str, sources: &Sources, model: &Model, style: &Style, extent: Extent) {
        let files = typescript::files(model);
        for (idx, machine) in model.machines.iter().enumerate() {
            let file = &files[&machine.name];
            self.put(&format!("src/{name}/{file}.ts"), &typescript::machine(machine, style));
            self.put(&format!("out/{name}/tests/{file}.json"), &data::machine(model, idx, sources, extent));
        }
        for (idx, system) in model.systems.iter().enumerate() {
            let file = &files[&system.name];
            self.put(&format!("src/{name}/{file}.ts"), &typescript::system(model, system, style));
            self.put(&format!("out/{name}/tests/{file}.json"), &data::system(model, idx, sources, extent));
        }
        let with_systems = !model.systems.is_empty();
        self.put(&format!("src/{name}/statespec.ts"), &typescript::support(style, with_systems));
        self.put(&format!("src/{name}/tests/conformance.test.ts"), &typescript::tests(model, "..", style, with_systems));
        self.put(&format!("out/{name}/tests/numbers.json"), &data::numbers(if name == "reference" { 600 } else { 10 }));
    }

    /// Compiles `src` to `out`; the compiler must have nothing to say.
    pub(crate) fn compile(&self) {
        let options = fs::read_to_string(root().join("tests/node/tsconfig.json")).unwrap();
        let types = self.packages.join("node_modules/@types");
        let roots = format!("\"typeRoots\": [{:?}], \"rootDir\": \"src\",", types.to_str().unwrap());
        self.put("tsconfig.json", &options.replace("\"rootDir\": \".\",", &roots));
        let compiler = self.packages.join("node_modules/typescript/bin/tsc");
        let output = Command::new("node").arg(compiler).arg("--project").arg(&self.home).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{} lines:\n{}", said.lines().count(), said.lines().take(40).collect::<Vec<_>>().join("\n"));
    }

    /// Runs the tests; panics with what failed.
    pub(crate) fn test(&self) {
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(self.home.join("out")).unwrap() {
            files.push(entry.unwrap().path().join("tests/conformance.test.js"));
        }
        files.sort();
        let output = Command::new("node").arg("--test").args(files).current_dir(&self.home).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", said.chars().take(8_000).collect::<String>());
    }
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    let extent = Extent { walks: checks::sample(12), steps: 30 };
    let all = [("reference", Int::Number, inputs()), ("fixtures", Int::Bigint, fixtures()), ("fixtures_number", Int::Number, fixtures())];
    // The sample has the reference machines, and charts with the other numbers.
    for (name, int, inputs) in all.into_iter().take(checks::one_in(3, 3)) {
        let (sources, model) = model(&inputs);
        let style = Style { int, ..Style::default() };
        trial.emit(name, &sources, &model, &style, extent);
    }
    let (sources, model) = model(&charts(checks::sample(30)));
    let int = if checks::is_complete() { Int::Number } else { Int::Bigint };
    trial.emit("charts", &sources, &model, &Style { int, ..Style::default() }, Extent { walks: 6, steps: 25 });
    trial.compile();
    trial.test();
}

/// What is wrong in a copy of the emitted modules: the file, what it has, and what a defective printer would write.
const DEFECTS: [(&str, &str, &str); 30] = [
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
    let (sources, model) = model(&specs_of(DEFECTS.map(|it| it.0)));
    let every = DEFECTS.len() / checks::one_in(5, DEFECTS.len());
    trial.emit("sound", &sources, &model, &Style::default(), Extent::default());
    trial.compile();
    let sound = trial.home.join("out/sound");
    let modules: Vec<PathBuf> = fs::read_dir(&sound).unwrap().map(|it| it.unwrap().path()).filter(|it| it.is_file()).collect();
    let defects: Vec<_> = DEFECTS.iter().step_by(every).collect();
    for (idx, (file, sound, wrong)) in defects.iter().enumerate() {
        for module in &modules {
            let name = module.file_name().unwrap().to_str().unwrap();
            let mut text = fs::read_to_string(module).unwrap();
            if name == format!("{file}.js") {
                assert!(text.contains(sound), "{file} has no {sound}");
                text = text.replacen(sound, wrong, 1);
            }
            trial.put(&format!("out/d{idx}/{name}"), &text);
        }
    }
    trial.put("out/run.js", RUN);
    let files = typescript::files(&model);
    let machines: Vec<&String> = model.machines.iter().map(|it| &files[&it.name]).collect();
    let output =
        Command::new("node").args(["run.js", &defects.len().to_string()]).args(machines).current_dir(trial.home.join("out")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let missed: Vec<usize> = serde_json::from_slice(&output.stdout).unwrap();
    assert!(missed.is_empty(), "{:?}", missed.iter().map(|it| defects[*it].1).collect::<Vec<_>>());
}

/// Prints the numbers of the copies whose tests find nothing.
const RUN: &str = r#"
import { readFileSync } from "node:fs";

const [, , n, ...names] = process.argv;
const passes = async (folder) => {
  const s = await import(`./${folder}/statespec.js`);
  const data = (name) => s.parseJson(readFileSync(`sound/tests/${name}.json`, "utf8"));
  try {
    s.assertNumbers(data("numbers"));
    for (const name of names) s.assertConformance(s.subject((await import(`./${folder}/${name}.js`)).MACHINE), data(name));
    return true;
  } catch {
    return false;
  }
};
if (!(await passes("sound"))) throw new Error("the tests fail without a defect");
const missed = [];
for (let idx = 0; idx < Number(n); idx += 1) if (await passes(`d${idx}`)) missed.push(idx);
console.log(JSON.stringify(missed));
"#;

/// The examples of the guide, in one file, beside the modules of the reference machines.
#[test]
fn the_examples_of_the_guide_compile_and_hold() {
    let Some(trial) = Trial::new("guide") else { return };
    let (_, model) = model(&inputs());
    let files = typescript::files(&model);
    for machine in &model.machines {
        let file = &files[&machine.name];
        trial.put(&format!("src/machines/{file}.ts"), &typescript::machine(machine, &Style::default()));
    }
    for system in &model.systems {
        trial.put(&format!("src/machines/{}.ts", files[&system.name]), &typescript::system(&model, system, &Style::default()));
    }
    trial.put("src/machines/statespec.ts", &typescript::support(&Style::default(), true));
    let page = crate::project::read("docs/guide/typescript.md").unwrap();
    let examples: String = page.split("```ts\n").skip(1).filter_map(|it| Some(it.split_once("```")?.0)).collect();
    assert!(examples.matches("assert").count() > 15, "{examples}");
    trial.put("src/page.ts", &examples);
    trial.compile();
    let output = Command::new("node").arg("out/page.js").current_dir(&trial.home).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
    let output = Command::new("node").arg("out/page.js").current_dir(&trial.home).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
