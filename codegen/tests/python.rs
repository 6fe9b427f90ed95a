//! Emitted Python is accepted by the strict type checker, and does what the interpreter does: for the machines of this repository,
//! and for random charts. `tools/trust/tests/languages.rs` compares more random machines.

use statespec_code::python::{self, Style};
use statespec_codegen::source::Input;

use crate::checks;
use crate::project::{inputs, model};
use crate::subjects::{CHARTS, FIXTURES, PLANTED, REFERENCE};
use crate::trials::python::Trial;
use crate::trials::{Defect, accepted, assert_found};

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    // The sample has the reference machines, and random charts.
    let checked = [&REFERENCE, &FIXTURES];
    let checked = &checked[..checks::one_in(2, 2)];
    checked.iter().copied().chain([&CHARTS]).for_each(|it| trial.emit(it));
    let names: Vec<&str> = checked.iter().map(|it| it.name.as_str()).collect();
    let tests: Vec<String> = names.iter().map(|it| format!("{it}_tests")).collect();
    trial.check(&names.iter().copied().chain(tests.iter().map(String::as_str)).collect::<Vec<_>>());
    trial.test(&[names.as_slice(), &[CHARTS.name.as_str()]].concat());
}

#[test]
fn the_modules_are_as_they_were_read() {
    let (_, model) = model(&inputs());
    for name in ["order", "elevator"] {
        insta::assert_snapshot!(format!("python-{name}"), python::machine(model.machine(name).unwrap(), &Style::default()));
    }
}

/// The quotes and the backslash at the end of a text do not end its docstring.
#[test]
fn no_text_ends_its_docstring() {
    for (doc, shown) in [(r#"a """"#, r#"a \"\"\"""""#), (r#"a \""#, r#"a \\\"""""#), (r#"a """ b"#, r#"a \"\"\" b""""#)] {
        let text =
            format!("machine: m\ndoc: '{doc}'\nstates: {{ a: {{ initial: true }}, b: {{}} }}\ntransitions: [{{ from: a, to: b }}]\n");
        let (_, model) = model(&[Input { path: "machines/m.yaml".into(), text }]);
        let module = python::machine(&model.machines[0], &Style::default());
        // The title is before it.
        assert_eq!(module.lines().nth(2), Some(shown));
    }
}

/// What is wrong in a copy of an emitted module, and the tests that must find it.
const DEFECTS: [Defect; 30] = [
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
    assert_found(&DEFECTS, |it| trial.planted(&PLANTED, it));
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
