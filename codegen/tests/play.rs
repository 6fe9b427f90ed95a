//! The tests that `play` prints: each compiles with the emitted modules without a warning, and passes.
#![deny(warnings)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use statespec_codegen::backend::rust::glue::Modules;
use statespec_codegen::backend::rust::{Serde, Style, machine_text};
use statespec_codegen::explore::Subject;
use statespec_codegen::interpret::BoundaryValues;
use statespec_codegen::interpret::value::show;
use statespec_codegen::lower::load;
use statespec_codegen::model::machine::Field;
use statespec_codegen::model::{Machine, Model, Value};
use statespec_codegen::play::{Answer, Session};
use statespec_codegen::source::Input;

#[path = "../../tests/support/random.rs"]
#[allow(unreachable_pub)]
mod random;

use random::Random;

/// Names that a test or a crate itself uses.
const NAMES: &[&str] = &[
    "crate",
    "self",
    "super",
    "mod",
    "lib",
    "type",
    "test",
    "core",
    "std",
    "holds",
    "to_string",
    "string",
    "format",
    "machine",
    "refused",
];

/// A machine with all features that a test must print: creation, predicates, references, texts, direct transitions, refusals.
const DOOR: &str = r#"machine: NAME
enums: { holds: [front, back] }
context:
  guest: { type: reference, optional: true }
  called: { type: text, default: "no \"one\" {yet}" }
  side: { type: holds, default: front }
  fee: { type: decimal, default: 0.10 }
  since: { type: timestamp, optional: true }
  locked: bool
predicates: { holds: {}, ready: {} }
states: { shut: { initial: true }, open: {} }
events:
  build: {}
  knock: { payload: { by: reference, name: text, at: timestamp, through: holds } }
  pay: { payload: { amount: decimal } }
  close: {}
transitions:
  - { from: "[*]", event: build, when: holds, to: shut }
  - { from: shut, event: knock, when: ready and not locked, to: open, set: { guest: by, called: name, since: at, side: through } }
  - { from: shut, event: knock, refuse: 'not "now"' }
  - { from: "*", event: pay, when: amount > 0, set: { fee: fee + amount } }
  - { from: open, event: close, to: shut, set: { locked: holds } }
  - { from: open, to: shut, set: { guest: null } }
"#;

/// References in events only, and a predicate that takes the event.
const VISIT: &str = r#"machine: visit
predicates: { known: {} }
states: { out: { initial: true }, inside: {} }
events: { enter: { payload: { who: { type: reference, optional: true } } }, leave: {} }
transitions:
  - { from: out, event: enter, when: known, to: inside }
  - { from: inside, event: leave, to: out }
"#;

/// A machine whose only event creates it: there is no `apply`.
const STAMP: &str = r#"machine: stamp
context: { text: { type: text, optional: true }, number: int }
states: { pressed: { initial: true }, faded: { terminal: true } }
events: { press: { payload: { words: text } } }
transitions:
  - { from: "[*]", event: press, to: pressed, set: { text: words } }
  - { from: pressed, to: faded }
"#;

/// The specs of this repository that emit Rust, and the specs above.
fn model() -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs = Vec::new();
    for folder in ["tests/fixtures/rust", "../machines"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            inputs.push(Input { path: format!("{folder}/{name}"), text: std::fs::read_to_string(&path).unwrap() });
        }
    }
    let doors = NAMES.iter().map(|name| DOOR.replace("NAME", name));
    let own = doors.chain([VISIT.to_owned(), STAMP.to_owned()]).enumerate();
    inputs.extend(own.map(|(idx, text)| Input { path: format!("own/{idx}.yaml"), text }));
    let loaded = load(&inputs);
    loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

/// A line of a session: a name, and fields with boundary values of guards.
fn line(machine: &Machine, name: &str, fields: &[&Field], random: &mut Random) -> String {
    let cases = BoundaryValues::new(machine);
    let mut line = name.to_owned();
    for field in fields {
        let values = cases.of(field);
        match random.pick(&values) {
            // A written text is never null.
            None | Some(Value::Null) => {}
            Some(value) => {
                let text = match value {
                    Value::State(id) => machine.state(*id).name.clone(),
                    value => show(machine, value),
                };
                let text = text.replace('\\', "\\\\").replace('"', "\\\"");
                let _ = write!(line, " {}=\"{text}\"", field.name);
            }
        }
    }
    line
}

/// A random walk through a machine; returns the printed test, if the walk has a step that a test can contain.
fn walk(model: &Model, machine: &Machine, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let mut session = Session::new(model, Subject::Machine(&machine.name)).unwrap();
    let mut say = |line: &str| match session.answer(line) {
        Answer::Said(text) => text,
        Answer::Quit => panic!("`{line}` ends the session"),
    };
    if seed.is_multiple_of(2) && !machine.fields.is_empty() {
        say(&line(machine, ":given", &machine.fields.iter().collect::<Vec<_>>(), &mut random));
    }
    for _ in 0..12 {
        if let Some(predicate) = random.pick(&machine.predicates) {
            say(&format!(":holds {}={}", predicate.name, random.below(3) > 0));
        }
        let choice = random.below(machine.events.len() + 2);
        match machine.events.get(choice) {
            Some(event) => say(&line(machine, &event.name, &event.payload.iter().collect::<Vec<_>>(), &mut random)),
            None => say(&format!("to {}", random.pick(&machine.states).unwrap().name)),
        };
    }
    let test = say(":test");
    if test.starts_with("#[test]") {
        return Some(test);
    }
    let nothing = ["nothing has happened yet\n", "the emitted types have no methods for these steps, so there is nothing to test\n"];
    assert!(nothing.contains(&test.as_str()), "{}: {test}", machine.name);
    None
}

#[test]
fn printed_tests_compile_without_warnings_and_pass() {
    let model = model();
    let style = Style { serde: Serde::Off, ..Style::default() };
    let modules = Modules::of(&model);
    let package = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(package.path().join(name), text).unwrap();
    std::fs::create_dir(package.path().join("src")).unwrap();
    let mut root = String::from("//! Played.\n#![deny(warnings)]\n");
    let mut n_tests = 0;
    for machine in &model.machines {
        let module = modules.of_name(&machine.name).to_string();
        let file = format!("src/{}.rs", module.trim_start_matches("r#"));
        write(&file, &machine_text(machine, &style).unwrap());
        let _ = writeln!(root, "/// Emitted.\npub mod {module};");
        let tests: Vec<String> = (0..4).filter_map(|seed| walk(&model, machine, seed)).collect();
        // A machine without edges accepts no request.
        assert_eq!(tests.is_empty(), machine.edges.is_empty(), "{}", machine.name);
        for test in tests {
            n_tests += 1;
            let _ = writeln!(root, "#[cfg(test)]\nmod walk_{n_tests} {{\n{test}}}");
        }
    }
    write("src/lib.rs", &root);
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package_text = "[package]\nname = \"played\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ndoctest = false\n\n[workspace]\n\n[dependencies]\n";
    write(
        "Cargo.toml",
        &format!("{package_text}statespec = {{ path = {facade:?}, default-features = false, features = [\"decimal\"] }}\n"),
    );
    // The same versions, so that nothing is looked up.
    std::fs::copy(facade.join("Cargo.lock"), package.path().join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .current_dir(package.path())
        .args(["test", "--quiet", "--offline"])
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/played"))
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(stdout.contains(&format!("{n_tests} passed")), "{stdout}");
}

#[test]
fn steps_without_a_method_are_left_out() {
    let model = model();
    let mut session = Session::new(&model, Subject::Machine("stamp")).unwrap();
    let mut say = |line: &str| match session.answer(line) {
        Answer::Said(text) => text,
        Answer::Quit => panic!("`{line}` ends the session"),
    };
    // There is no machine yet that takes a direct transition, and after creation none takes the event again.
    say("to faded");
    assert!(say("test").starts_with("the emitted types have no methods"), "{}", say("test"));
    say("press words=a");
    say("press words=b");
    say("to faded");
    assert_eq!(
        say("test"),
        r#"#[test]
fn a_way_through_stamp() {
    use crate::stamp::*;
    let (mut machine, _): (Stamp, _) = Stamp::create(Event::Press { words: "a" })
        .unwrap();
    assert_eq!(machine.state(), State::Pressed);
    assert_eq!(machine.context().text, Some("a"));
    assert_eq!(machine.context().number, 0);
    machine.transition_to(State::Faded).unwrap();
    assert_eq!(machine.state(), State::Faded);
}
"#
    );
}
