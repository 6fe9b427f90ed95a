//! Emitted Python is accepted by the strict type checker, and does what the interpreter does: for the machines of this repository,
//! and for random charts.
//!
//! `PYTHON_MACHINES=1000 cargo test -p statespec-codegen --test it python` compares more random machines, with longer walks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use statespec_code::python::{self, Style};
use statespec_codegen::backend::conformance::data::{self, Extent};
use statespec_lang::model::Model;
use statespec_lang::source::Sources;

use crate::every_row::{charts, fixtures};
use crate::project::{checks, inputs, model, specs_of};

/// What is emitted for some models, each in a package of its own.
pub(crate) struct Trial {
    home: PathBuf,
    mypy: PathBuf,
}

impl Trial {
    /// `None` if the tools are missing.
    pub(crate) fn new(name: &str) -> Option<Trial> {
        let mypy = checks::needed("emitted Python", checks::mypy())?;
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-python").join(name);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        Some(Trial { home, mypy })
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn modules(&self, name: &str, model: &Model, style: &Style) {
        let files = python::files(model);
        for machine in &model.machines {
            self.put(&format!("{name}/{}.py", files[&machine.name]), &python::machine(machine, style));
        }
        self.put(&format!("{name}/__init__.py"), &python::package());
        for system in &model.systems {
            self.put(&format!("{name}/{}.py", files[&system.name]), &python::system(model, system));
        }
        self.put(&format!("{name}/statespec.py"), &python::support(!model.systems.is_empty()));
    }

    /// The modules of a model and their tests, in the packages `NAME` and `NAME_tests`.
    pub(crate) fn emit(&self, name: &str, sources: &Sources, model: &Model, extent: Extent) {
        self.modules(name, model, &Style::default());
        let files = python::files(model);
        for (idx, machine) in model.machines.iter().enumerate() {
            self.put(&format!("{name}_tests/{}.json", files[&machine.name]), &data::machine(model, idx, sources, extent));
        }
        for (idx, system) in model.systems.iter().enumerate() {
            self.put(&format!("{name}_tests/{}.json", files[&system.name]), &data::system(model, idx, sources, extent));
        }
        let with_systems = !model.systems.is_empty();
        self.put(&format!("{name}/conformance.py"), &python::subject(with_systems));
        self.put(&format!("{name}_tests/__init__.py"), "");
        self.put(&format!("{name}_tests/test_conformance.py"), &python::tests(model, name, with_systems));
        self.put(&format!("{name}_tests/numbers.json"), &data::numbers(50));
    }

    /// The strict checker must have nothing to say. What it knows of Python's library is kept for the next check, one at a time.
    pub(crate) fn check(&self, folders: &[&str]) {
        static CHECKING: Mutex<()> = Mutex::new(());
        let _one = CHECKING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Command::new(&self.mypy);
        command.args(["--strict", "--python-version", "3.11", "--cache-dir"]).arg(checks::mypy_cache());
        accepted(&command.args(folders).current_dir(&self.home).output().unwrap());
    }

    pub(crate) fn python(&self, arguments: &[&str]) -> Output {
        Command::new(self.mypy.with_file_name("python")).arg("-B").args(arguments).current_dir(&self.home).output().unwrap()
    }
}

/// Panics with what a program says unless it succeeds.
pub(crate) fn accepted(output: &Output) {
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}", said.chars().take(8_000).collect::<String>());
}

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    // The sample has the reference machines.
    for (name, inputs) in [("reference", inputs()), ("fixtures", fixtures())].into_iter().take(checks::one_in(2, 2)) {
        let (sources, model) = model(&inputs);
        trial.emit(name, &sources, &model, Extent { walks: checks::sample(12), steps: 30 });
        trial.check(&[name, &format!("{name}_tests")]);
        accepted(&trial.python(&["-m", "unittest", &format!("{name}_tests.test_conformance")]));
    }
}

#[test]
fn the_modules_are_as_they_were_read() {
    let (_, model) = model(&inputs());
    for name in ["order", "elevator"] {
        insta::assert_snapshot!(format!("python-{name}"), python::machine(model.machine(name).unwrap(), &Style::default()));
    }
}

#[test]
fn random_charts_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("charts") else { return };
    let asked = std::env::var("PYTHON_MACHINES").ok().map(|it| it.parse().expect("a number of machines"));
    let extent = if asked.is_some() { Extent { walks: 200, steps: 50 } } else { Extent { walks: 6, steps: 25 } };
    let n_charts: usize = asked.unwrap_or_else(|| checks::sample(30));
    // In packages of a hundred, because the data of all is large.
    let all = charts(n_charts);
    for (idx, inputs) in all.chunks(100).enumerate() {
        let (sources, model) = model(inputs);
        let name = format!("charts{idx}");
        trial.emit(&name, &sources, &model, extent);
        accepted(&trial.python(&["-m", "unittest", &format!("{name}_tests.test_conformance")]));
    }
}

/// What is wrong in a copy of an emitted module, and the tests that must find it.
const DEFECTS: [(&str, &str, &str); 30] = [
    ("elevator", "c.destination > c.floor", "c.destination >= c.floor"),
    ("elevator", "raises=(\"let_out\",)", "raises=()"),
    ("elevator", "statespec.add(c.floor, 1)", "statespec.add(c.floor, 2)"),
    ("elevator", "parallel=True", "terminal=True"),
    ("elevator", "exit=(\"ring\",)", "exit=()"),
    ("elevator", "completes=\"trip\"", "completes=None"),
    ("elevator", "reacts=True", "reacts=False"),
    ("media_player", "State.STOPPED: State.STOPPED", "State.STOPPED: State.PAUSED"),
    ("media_player", "else leaf", "else State.STOPPED"),
    ("order", "An order is extended only once.", "An order is extended once."),
    ("order", "do=(\"alert\",)", "before=(\"alert\",)"),
    ("mysis", "Commit.MEMORY_ONLY", "Commit.MEMORY_FIRST"),
    ("order", "{\"state\": self.state, ", "{\"status\": self.state, "),
    ("order", "EventKind.PAY: (Actor.CUSTOMER,)", "EventKind.PAY: ()"),
    ("order", "\"payment_window\": context.payment_window", "\"payment_window\": 0"),
    ("mission", "e.is_final", "not e.is_final"),
    ("mission", "current_hop_id=e.hop_id", "current_hop_id=None"),
    ("mysis", "accepted=(EventKind.", "accepted=()and(EventKind."),
    ("statespec", "MAX_INT: Final = 2**63 - 1", "MAX_INT: Final = 2**63"),
    ("statespec", "-rest if a < 0 else rest", "rest"),
    ("statespec", "quotient if (a < 0) == (b < 0) else -quotient", "a // b"),
    ("statespec", "MAX_SCALE: Final = 28", "MAX_SCALE: Final = 27"),
    ("statespec", "quotient & 1 == 1):", "quotient & 1 == 0):"),
    ("statespec", "if step < 9 and step + scale < 0", "if step + scale < 0"),
    ("statespec", "started[timer] = now", "started[timer] = now + 1"),
    ("statespec", "saturated(timers.started[it] + after)", "timers.started[it] + after - 1"),
    ("statespec", "tuple(sorted(exited, reverse=True))", "tuple(sorted(exited))"),
    ("statespec", "'is' if len(allowed) == 1 else 'are'", "'are'"),
    ("statespec", "return f\"{start}no guard holds\"", "return f\"{start}no guard\""),
    ("statespec", "chosen.reason in (Reason.TEXT, Reason.DIVISION_BY_ZERO)", "chosen.reason is Reason.GUARD"),
];

#[test]
fn a_defect_of_emitted_code_is_found() {
    let Some(trial) = Trial::new("defects") else { return };
    let (sources, model) = model(&specs_of(DEFECTS.map(|it| it.0)));
    trial.emit("sound", &sources, &model, Extent::default());
    let every = DEFECTS.len() / checks::one_in(5, DEFECTS.len());
    let missed = DEFECTS.iter().step_by(every).filter(|(file, sound, wrong)| {
        let path = format!("sound/{file}.py");
        let text = fs::read_to_string(trial.home.join(&path)).unwrap();
        assert!(text.contains(sound), "{file} has no {sound}");
        trial.put(&path, &text.replacen(sound, wrong, 1));
        let test = "sound_tests.test_conformance.Conformance.test_".to_owned() + file;
        let tests = if *file == "statespec" { "sound_tests.test_conformance" } else { &test };
        let is_missed = trial.python(&["-m", "unittest", "-f", tests]).status.success();
        trial.put(&path, &text);
        is_missed
    });
    let missed: Vec<_> = missed.collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// The examples of the guide, in one file, beside the modules of the reference machines.
#[test]
fn the_examples_of_the_guide_are_accepted_and_hold() {
    let Some(trial) = Trial::new("guide") else { return };
    let (_, model) = model(&inputs());
    trial.modules("machines", &model, &Style::default());
    let page = crate::project::read("docs/guide/python.md").unwrap();
    let examples: String = page.split("```python\n").skip(1).filter_map(|it| Some(it.split_once("```")?.0)).collect();
    assert!(examples.matches("assert").count() > 15, "{examples}");
    trial.put("page.py", &examples);
    trial.check(&["page.py"]);
    accepted(&trial.python(&["page.py"]));
}

/// A state of a newer service: an error by default, kept with `open`. Values that are no JSON of the machine are errors.
#[test]
fn an_unknown_state_is_an_error_or_is_kept() {
    let Some(trial) = Trial::new("unknown") else { return };
    let (_, model) = model(&inputs());
    trial.modules("closed", &model, &Style::default());
    trial.modules("opened", &model, &Style { open: true });
    trial.put("page.py", UNKNOWN);
    trial.check(&["opened", "page.py"]);
    accepted(&trial.python(&["page.py"]));
}

const UNKNOWN: &str = r#"
from collections.abc import Callable

from closed import elevator as lift
from closed import order as closed
from closed.statespec import UnknownState
from opened import elevator as open_lift
from opened import order
from opened.statespec import Unknown


def refused(what: Callable[[], object]) -> str:
    try:
        what()
    except ValueError as error:
        return str(error)
    raise AssertionError("nothing was refused")


newer = {"state": "refunded", "context": {"payment_window": 1, "extended": False}}
try:
    closed.Order.decode(newer)
except UnknownState as error:
    assert error.text == "refunded"
    assert str(error).startswith("`refunded` is no state: expected `cart`"), error
else:
    raise AssertionError
kept = order.Order.decode(newer)
assert isinstance(kept, Unknown)
assert kept.text == "refunded" and kept.encode() == newer

stuck = {"state": {"in_service": {"cabin": "stuck", "door": "shut"}}, "context": {"floor": 0, "destination": 0}}
assert "`stuck` is no state" in refused(lambda: lift.Elevator.decode(stuck))
found = open_lift.Elevator.decode(stuck)
assert isinstance(found, Unknown) and found.encode() == stuck

def stored(state: object, window: object) -> dict[str, object]:
    return {"state": state, "context": {"payment_window": window, "extended": False}}


# Nothing else becomes unknown.
assert refused(lambda: order.Order.decode(stored("cart", "soon"))) == "`payment_window` is a whole number, not `soon`"
assert refused(lambda: closed.Order.decode(stored("cart", True))) == "`payment_window` is a whole number, not `True`"
assert refused(lambda: closed.Order.decode(stored("cart", 1.0))) == "`payment_window` is a whole number, not `1.0`"
assert "more than 64 bits" in refused(lambda: closed.Order.decode(stored("cart", 2**63)))
assert refused(lambda: closed.Order.decode({"state": "cart", "context": {"extended": False}})) == "`payment_window` is missing"
assert refused(lambda: closed.Order.decode({"context": {}})) == "`state` is missing"
assert "`__class__` is no state" in refused(lambda: closed.Order.decode(stored("__class__", 1)))
assert "is a text, not null" in refused(lambda: closed.Order.decode(stored(None, 1)))
assert "`__init__` is no event" in refused(lambda: closed.decode_event("__init__"))
assert "`pay` has no data" in refused(lambda: closed.decode_event({"pay": {}}))
assert "one member" in refused(lambda: closed.decode_event({"pay": None, "cancel": None}))
assert closed.decode_event({"pay": None}) == closed.Pay()
assert "is an object with its data" in refused(lambda: lift.decode_event("call"))
assert "more than 64 bits" in refused(lambda: lift.Call(to=2**63))
later = {**stored("paid", 5), "later": [1.5e3]}
assert closed.Order.decode(later).context.payment_window == 5
"#;
