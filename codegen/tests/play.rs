//! The tests that `play` prints: each compiles with the emitted modules, or with types that have the derive, without a
//! warning, and passes. The dialogue itself is in `session.rs`.
#![deny(warnings)]

use std::fmt::Write as _;
use std::path::Path;

use statespec_codegen::diagnostic::{Code as Lint, LintLevel};
use statespec_codegen::model::machine::Field;
use statespec_codegen::model::{Machine, Model, Type, Value};
use statespec_codegen::rust_test::{Code, RustTests};
use statespec_codegen::source::Input;
use statespec_drive::{Types, derived_types};
use statespec_explore::Subject;
use statespec_explore::play::{Answer, Session};
use statespec_lang::interpret::BoundaryValues;
use statespec_lang::interpret::value::show;
use statespec_lang::lower::{Loaded, load};
use statespec_rust::files::glue::Modules;
use statespec_rust::{Serde, Style, files::file::machine_text};

#[path = "../../tests/support/random.rs"]
#[allow(unreachable_pub)]
pub(crate) mod random;

use crate::project::checks::{is_complete, one_in};
use crate::project::nested;
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

/// References and texts in events, and no context that could tell their types.
const PARCEL: &str = r#"machine: parcel
states: { sent: { initial: true }, there: {} }
events: { sign: { payload: { who: reference, note: text } }, lose: { payload: { who: reference } } }
transitions:
  - { from: sent, event: sign, when: "note != 'x'", to: there }
  - { from: there, event: lose, to: sent }
"#;

/// The specs of this repository that emit Rust, and the specs above. The sample has one in four of the reference machines, without
/// systems, and no fixtures.
fn inputs() -> Vec<Input> {
    let mut inputs = specs("../machines");
    if is_complete() {
        inputs.extend(specs("tests/fixtures/rust"));
    } else {
        inputs.retain(|it| it.text.contains("\nmachine: "));
        let taken = inputs.into_iter().skip(1).step_by(4);
        inputs = taken.collect();
    }
    let doors = NAMES.iter().take(one_in(8, NAMES.len())).map(|name| DOOR.replace("NAME", name));
    let own = doors.chain([VISIT, STAMP, PARCEL].map(str::to_owned)).enumerate();
    inputs.extend(own.map(|(idx, text)| Input { path: format!("own/{idx}.yaml"), text }));
    inputs
}

/// The files of a folder, by name.
fn specs(folder: &str) -> Vec<Input> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    let input = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        let path_of_spec = format!("{}/{name}", folder.trim_start_matches("../"));
        Input { path: path_of_spec, text: std::fs::read_to_string(path).unwrap() }
    };
    paths.iter().map(|it| input(it)).collect()
}

fn model(inputs: &[Input]) -> (Loaded, Model) {
    let mut loaded = load(inputs);
    let model = loaded.model.take().unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    (loaded, model)
}

/// Modules in the root of the crate.
fn modules() -> Vec<Code> {
    vec![Code::checked_in("crate", "Anywhere.", Style::default())]
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
fn walk(model: &Model, machine: &Machine, code: Vec<Code>, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let mut session = Session::new(model, Subject::Machine(&machine.name)).unwrap().with_tests(RustTests { code });
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
    if test.contains("\n#[test]\n") {
        return Some(test);
    }
    let nothing = ["nothing has happened yet\n", "the emitted types have no methods for these steps, so there is nothing to test\n"];
    assert!(nothing.contains(&test.as_str()), "{}: {test}", machine.name);
    None
}

/// A crate in a folder of its own, whose tests are run.
struct Crate {
    folder: tempfile::TempDir,
    root: String,
    n_tests: usize,
}

impl Crate {
    fn new() -> Crate {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        Crate { folder, root: String::from("//! Played.\n#![deny(warnings)]\n"), n_tests: 0 }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A module in a file of its own.
    fn module(&mut self, module: &str, text: &str) {
        self.write(&format!("src/{}.rs", module.trim_start_matches("r#")), text);
        let _ = writeln!(self.root, "/// Emitted.\npub mod {module};");
    }

    fn test(&mut self, test: &str) {
        self.n_tests += 1;
        let _ = writeln!(self.root, "#[cfg(test)]\nmod walk_{} {{\n{test}}}", self.n_tests);
    }

    fn run(self, features: &str) {
        self.write("src/lib.rs", &self.root);
        let facade = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let package = "[package]\nname = \"played\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ndoctest = false\n\n[workspace]\n";
        let facade_text = format!("statespec = {{ path = {facade:?}, features = [{features}] }}");
        let serde = "serde = { version = \"1\", features = [\"derive\"] }";
        self.write("Cargo.toml", &format!("{package}\n[dependencies]\n{serde}\n{facade_text}\n"));
        // The same versions, so that nothing is looked up.
        std::fs::copy(facade.join("Cargo.lock"), self.folder.path().join("Cargo.lock")).unwrap();
        let output = nested::cargo(self.folder.path()).args(["test", "--quiet", "--offline"]).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{stdout}\n{stderr}");
        assert!(stdout.contains(&format!("{} passed", self.n_tests)), "{stdout}");
    }
}

#[test]
fn tests_of_modules_compile_without_warnings_and_pass() {
    let (_, model) = model(&inputs());
    let style = Style { serde: Serde::Off, ..Style::default() };
    let names = Modules::of(&model);
    let mut package = Crate::new();
    for machine in &model.machines {
        package.module(&names.of_name(&machine.name).to_string(), &machine_text(machine, &style).unwrap());
        let tests: Vec<String> = (0..4).filter_map(|seed| walk(&model, machine, modules(), seed)).collect();
        // A machine without edges accepts no request.
        assert_eq!(tests.is_empty(), machine.edges.is_empty(), "{}", machine.name);
        tests.iter().for_each(|it| package.test(it));
    }
    package.run("");
}

/// The tests write values in the types that the project has for them.
#[test]
fn tests_of_modules_with_types_of_the_user_compile_and_pass() {
    let (_, model) = model(&inputs());
    let types = [("int", "i128"), ("timestamp", "std::time::SystemTime")];
    let types = types.into_iter().map(|(name, ty)| (name.to_owned(), ty.to_owned())).collect();
    let style = Style { serde: Serde::Off, types, ..Style::default() };
    let names = Modules::of(&model);
    let mut package = Crate::new();
    let is_held = |it: &Field| matches!(it.ty, Type::Int | Type::Timestamp);
    for machine in model.machines.iter().filter(|it| it.fields.iter().any(is_held)) {
        package.module(&names.of_name(&machine.name).to_string(), &machine_text(machine, &style).unwrap());
        let modules = || vec![Code::checked_in("crate", "Anywhere.", style.clone())];
        (0..3).filter_map(|seed| walk(&model, machine, modules(), seed)).for_each(|it| package.test(&it));
    }
    package.run("\"std\"");
}

/// A struct whose names are not those of the spec, with texts of several types, and with fields of its own.
const OWN: &str = r#"
use statespec::{StateMachine, Timestamp};

/// An alias as many modules have one, which hides that of the prelude.
pub type Result<T> = core::result::Result<T, String>;

type Name = Box<str>;

#[derive(Clone, StateMachine)]
#[allow(dead_code)]
#[machine("own/door.yaml", prefix = "Gate", async_host)]
struct Door {
    at: GateState,
    #[machine(rename = "guest")]
    who: Option<u64>,
    called: Name,
    side: GateHolds,
    fee: statespec::Decimal,
    since: Option<Timestamp>,
    locked: bool,
    pub colour: String,
    pub n_hinges: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("own/job.yaml")]
enum Status {
    #[machine(rename = "started")]
    Busy,
    Waiting,
    Closed,
    Void,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("own/job.yaml")]
struct Job {
    #[machine(state)]
    status: Status,
    n_done: i64,
    wanted: i64,
    name: String,
    size: StatusSize,
}
"#;

#[test]
fn tests_of_derived_types_compile_without_warnings_and_pass() {
    let mut inputs = inputs();
    // The other doors have the same features; what is special about them is the name of their module.
    inputs.retain(|it| !it.path.starts_with("own/") || it.text.starts_with("machine: format\n") || !it.text.contains("enums: { holds"));
    // A struct of ours calls the state `state`, as a field of this machine is called.
    inputs.retain(|it| !it.path.ends_with("/option.yaml"));
    let (loaded, model) = model(&inputs);
    let mut package = Crate::new();
    inputs.iter().for_each(|it| package.write(&it.path, &it.text));
    let denied = Lint::lints().filter(|it| it.lint_level() == Some(LintLevel::Deny));
    let denied: Vec<String> = denied.map(|it| it.short().replace('-', "_")).collect();
    let names = Modules::of(&model);
    for (module, types) in [("structs", Types::Structs), ("enums", Types::Enums)] {
        let spec = |it: &Machine| loaded.sources.get(it.source).path().to_owned();
        let text = derived_types(&model, types, &spec, &denied).unwrap();
        package.module(module, &format!("#![allow(missing_docs)]\n{text}"));
        let file = syn::parse_file(&text).unwrap();
        for machine in model.machines.iter().filter(|it| types.fit(it)) {
            let inner = names.of_name(&machine.name);
            let path = format!("crate::{module}::{inner}");
            let code = || vec![derived(&file.items, Some(&inner.to_string()), &path, machine, &loaded)];
            let tests: Vec<String> = (0..4).filter_map(|seed| walk(&model, machine, code(), seed)).collect();
            assert_eq!(tests.is_empty(), machine.edges.is_empty(), "{}", machine.name);
            tests.iter().for_each(|it| package.test(it));
        }
    }
    let job = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rust/job.yaml")).unwrap();
    let specs = [("own/door.yaml", DOOR.replace("NAME", "door"), "Door"), ("own/job.yaml", job, "Job")];
    let own = syn::parse_file(OWN).unwrap();
    let mut tests = String::new();
    for (path, text, _) in &specs {
        package.write(path, text);
    }
    for (idx, (path, text, ident)) in specs.iter().enumerate() {
        let (loaded, model) = self::model(&[Input { path: (*path).to_owned(), text: text.clone() }]);
        let (machine, items) = (&model.machines[0], own.items.iter().filter(|it| matches!(it, syn::Item::Struct(it) if it.ident == ident)));
        let code = || vec![derived(&items.clone().cloned().collect::<Vec<_>>(), None, "crate::own", machine, &loaded)];
        for (seed, test) in (0..6).filter_map(|seed| Some((seed, walk(&model, machine, code(), seed)?))) {
            package.n_tests += 1;
            let _ = writeln!(tests, "#[cfg(test)]\nmod walk_{idx}_{seed} {{\n{test}}}");
        }
    }
    package.module("own", &format!("{OWN}{tests}"));
    package.run("");
}

/// The code of the one type with the derive that has the machine, in a module of a file or among its items.
fn derived(items: &[syn::Item], module: Option<&str>, path: &str, machine: &Machine, loaded: &Loaded) -> Code {
    let inner = items.iter().find_map(|it| match it {
        syn::Item::Mod(it) if module.is_some_and(|module| it.ident == module) => it.content.as_ref().map(|it| &it.1),
        _ => None,
    });
    let input = inner.map_or(items, |it| it).iter().find_map(|it| match it {
        syn::Item::Struct(it) => Some(syn::DeriveInput::from(it.clone())),
        syn::Item::Enum(it) => Some(syn::DeriveInput::from(it.clone())),
        _ => None,
    });
    let input = input.unwrap_or_else(|| panic!("{path} has no type"));
    Code::derive(path, "Here.", &input, machine, &loaded.sources).unwrap_or_else(|| panic!("{path} does not fit"))
}

#[test]
fn steps_without_a_method_are_left_out() {
    let (_, model) = model(&inputs());
    let mut session = Session::new(&model, Subject::Machine("stamp")).unwrap().with_tests(RustTests { code: modules() });
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
        r#"// Anywhere.
#[test]
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

#[test]
fn a_type_without_a_machine_says_how_it_gets_one() {
    let (loaded, model) = model(&[Input { path: "own/stamp.yaml".into(), text: STAMP.into() }]);
    let file = syn::parse_file("#[derive(StateMachine)] #[machine(\"own/stamp.yaml\")] enum Stamp { Pressed, Faded }").unwrap();
    let code = vec![derived(&file.items, None, "crate", &model.machines[0], &loaded)];
    let mut session = Session::new(&model, Subject::Machine("stamp")).unwrap().with_tests(RustTests { code });
    session.answer("press words=a");
    let expected =
        "`Stamp` has no `apply`: the option `context` of the derive adds a machine with the context; `test checked-in` needs no derive\n";
    assert_eq!(session.answer("test"), Answer::Said(expected.into()));
    let numbers = "#[derive(StateMachine)] #[machine(\"own/visit.yaml\", reference = \"TYPE\")] enum Visit { Out, Inside }";
    for (ty, expected) in [
        ("u8", "the references of `Visit` are of type `u8`, into which 300 does not fit\n"),
        ("Guest", "the references of `Visit` are of type `Guest`, and a test knows no values of it\n"),
    ] {
        let (loaded, model) = self::model(&[Input { path: "own/visit.yaml".into(), text: VISIT.into() }]);
        let file = syn::parse_file(&numbers.replace("TYPE", ty)).unwrap();
        let code = vec![derived(&file.items, None, "crate", &model.machines[0], &loaded)];
        let mut session = Session::new(&model, Subject::Machine("visit")).unwrap().with_tests(RustTests { code });
        session.answer("enter who=300");
        assert_eq!(session.answer("test"), Answer::Said(expected.into()));
    }
    let modules = Code::checked_in("crate::machines", "Anywhere.", Style::default());
    let code = vec![derived(&file.items, None, "crate", &model.machines[0], &loaded), modules];
    let mut both = Session::new(&model, Subject::Machine("stamp")).unwrap().with_tests(RustTests { code });
    both.answer("press words=a");
    assert!(matches!(both.answer("test"), Answer::Said(it) if it.contains("use crate::machines::stamp::*;")));
    assert_eq!(both.answer("test derive"), Answer::Said(expected.into()));
    assert!(matches!(session.answer("test checked-in"), Answer::Said(it) if it.contains("use crate::machines::stamp::*;")));
}
