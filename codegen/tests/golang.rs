//! Emitted Go is laid out as gofmt does it, passes `go vet`, and does what the interpreter does: for the machines of this repository,
//! and for random charts. `tools/trust/tests/languages.rs` compares more random machines.

use statespec_code::golang::{self, Style};
use statespec_codegen::backend::conformance::data::Extent;
use statespec_codegen::diagnostic::{Style as RenderStyle, render};
use statespec_lang::source::Input;

use crate::checks;
use crate::project::{inputs, model};
use crate::subjects::{CHARTS, FIXTURES, PLANTED, REFERENCE};
use crate::trials::golang::Trial;
use crate::trials::{Defect, Subject, accepted, assert_found};

#[test]
fn emitted_machines_do_what_the_interpreter_does() {
    let Some(trial) = Trial::new("machines") else { return };
    // Each package is a program of its own, which is linked.
    let all = [&REFERENCE, &CHARTS, &FIXTURES];
    all.into_iter().take(checks::one_in(2, all.len())).for_each(|it| trial.emit(it));
    trial.check(if checks::is_complete() { "./..." } else { "./reference/..." });
    accepted(&trial.go(&["test", "./..."]));
}

#[test]
fn the_packages_are_as_they_were_read() {
    let (_, model) = model(&inputs());
    let style = Style { path: "example.com/shop/machines".to_owned(), open: false };
    for name in ["order", "elevator"] {
        insta::assert_snapshot!(format!("go-{name}"), golang::machine(model.machine(name).unwrap(), name, &style));
    }
}

#[test]
fn a_system_is_refused_unless_the_machines_are_wanted_alone() {
    let (sources, model) = model(&inputs());
    let refused = golang::unsupported(&model, true);
    assert_eq!(refused.len(), model.systems.len());
    let shown = render(&sources, &refused, RenderStyle::Plain);
    assert!(shown.contains("no Go is emitted for systems such as"), "{shown}");
    assert!(shown.contains("write `systems = false` in `[go]` for the machines alone"), "{shown}");
    assert!(golang::unsupported(&model, false).is_empty());
}

/// What is wrong in a copy of an emitted package, and the tests that must find it.
const DEFECTS: [Defect; 31] = [
    ("elevator", "c.Destination > c.Floor", "c.Destination >= c.Floor"),
    ("elevator", "Raises: []string{\"let_out\"}", "Raises: []string{}"),
    ("elevator", "statespec.Add(c.Floor, 1)", "statespec.Add(c.Floor, 2)"),
    ("elevator", "Parallel: true", "Parallel: false"),
    ("elevator", "Exit: []string{\"ring\"}", "Exit: []string{}"),
    ("elevator", "Completes: \"trip\"", "Completes: \"\""),
    ("elevator", "Reacts:    true", "Reacts:    false"),
    ("elevator", "Refusal: \"The elevator is in use.\"", "Refusal: \"The elevator is used.\""),
    ("elevator", "statespec.In(StateShut, at)", "true"),
    ("mediaplayer", "{Leaf: \"stopped\", As: \"stopped\"}", "{Leaf: \"stopped\", As: \"paused\"}"),
    ("mediaplayer", "Memory{{Field: 1", "Memory{{Field: 2"),
    ("mediaplayer", "c.Volume < Loudest", "c.Volume <= Loudest"),
    ("order", "An order is extended only once.", "An order is extended once."),
    ("order", "Do: []string{\"alert\"}", "Before: []string{\"alert\"}"),
    ("order", "`{\"state\":`", "`{\"status\":`"),
    ("order", "By: []string{\"customer\"}", "By: []string{\"shop\"}"),
    ("order", "StateCart State = \"cart\"", "StateCart State = \"Cart\""),
    ("order", "to.Extended = true", "to.Extended = c.Extended"),
    ("order", "Successors: []string{\"late\", \"shipped\"}", "Successors: []string{\"shipped\"}"),
    ("mission", "statespec.Some[statespec.Reference](payload0(e))", "statespec.Null[statespec.Reference]{}"),
    ("mysis", "statespec.MemoryOnly", "statespec.MemoryFirst"),
    ("statespec", "if (sum > a) == (b > 0) {", "if sum >= a {"),
    ("statespec", "drop(4, 15)", ""),
    ("statespec", "const maxScale = 28", "const maxScale = 27"),
    ("statespec", "half > 0 || (half == 0 && quotient.Bit(0) == 1)", "half >= 0"),
    ("statespec", "if step < 9 && step+scale < 0 {", "if step+scale < 0 {"),
    ("statespec", "since, isRunning = now, true", "since, isRunning = now+1, true"),
    ("statespec", "Later(since, of.duration(idx, context))", "since"),
    ("statespec", "allowed here is ", "allowed here are "),
    ("statespec", "start + \"no guard holds\"", "start + \"no guard\""),
    ("statespec", "why.reason == ReasonText || why.reason == ReasonDivisionByZero", "why.reason == ReasonGuard"),
];

#[test]
fn a_defect_of_emitted_code_is_found() {
    let Some(trial) = Trial::new("defects") else { return };
    assert_found(&DEFECTS, |it| trial.planted(&PLANTED, it));
}

/// The examples of the guide, in one program, beside the packages of the reference machines.
#[test]
fn the_examples_of_the_guide_compile_and_hold() {
    let Some(trial) = Trial::new("guide") else { return };
    let mut inputs = inputs();
    inputs.retain(|it| it.path == "machines/order.yaml");
    let (_, model) = model(&inputs);
    trial.packages("machines", &model, false);
    let page = crate::project::read("docs/guide/go.md").unwrap();
    let examples: Vec<&str> = page.split("```go\n").skip(1).filter_map(|it| Some(it.split_once("```")?.0)).collect();
    let (outside, inside): (Vec<&str>, Vec<&str>) = examples.into_iter().partition(|it| it.starts_with("import") || it.starts_with("func"));
    assert!(inside.concat().matches("assert").count() > 15, "{inside:?}");
    let program = format!("package main\n\n{}\n{ASSERT}\nfunc main() {{\n{}}}\n", outside.concat(), inside.concat());
    trial.put("main.go", &program);
    accepted(&trial.go(&["vet", "."]));
    accepted(&trial.go(&["run", "."]));
}

const ASSERT: &str = "
func assert(holds bool) {
	if !holds {
		panic(\"an example does not hold\")
	}
}
";

/// A state of a newer service: an error by default, kept with `open`. Values that are no JSON of the machine are errors, and so are
/// calls of a machine that is nowhere.
#[test]
fn an_unknown_state_is_an_error_or_is_kept() {
    let Some(trial) = Trial::new("unknown") else { return };
    let mut inputs = inputs();
    inputs.retain(|it| ["machines/order.yaml", "machines/elevator.yaml"].contains(&it.path.as_str()));
    let (_, model) = model(&inputs);
    trial.packages("closed", &model, false);
    trial.packages("opened", &model, true);
    trial.put("main.go", &format!("{UNKNOWN}{ASSERT}"));
    trial.check("./...");
    accepted(&trial.go(&["run", "."]));
}

const UNKNOWN: &str = r#"package main

import (
	"encoding/json"
	"errors"
	"strings"

	lift "example.com/closed/elevator"
	closed "example.com/closed/order"
	"example.com/closed/statespec"
	openlift "example.com/opened/elevator"
	"example.com/opened/order"
)

func refused(err error) string {
	if err == nil {
		panic("nothing was refused")
	}
	return err.Error()
}

func stored(state, window string) []byte {
	return []byte(`{"state":` + state + `,"context":{"payment_window":` + window + `,"extended":false}}`)
}

func main() {
	newer := `{"state":"refunded","context":{"later":[1.5]}}`
	_, err := closed.Decode([]byte(newer))
	var unknown *statespec.UnknownState
	var wrong *statespec.DecodeError
	assert(errors.As(err, &unknown) && errors.As(err, &wrong) && unknown.Text == "refunded")
	assert(strings.HasPrefix(err.Error(), "`refunded` is no state: expected `cart`, "))
	kept, err := order.Decode([]byte(newer))
	assert(err == nil && kept.State == "refunded" && !kept.State.Valid())
	text, err := json.Marshal(kept)
	assert(err == nil && string(text) == newer)
	_, err = kept.Apply(order.Pay{})
	var why *order.Refused
	assert(errors.As(err, &why) && why.Reason == "unknown_state" && len(why.Allowed) == 0 && why.Row == -1)
	assert(why.Error() == "`refunded` is no state that this program knows")
	_, err = kept.ApplyAs(order.ActorShop, order.Pay{})
	assert(errors.As(err, &why) && why.Reason == "unknown_state")
	assert(len(kept.Allowed()) == 0 && len(kept.StartTimers(1)) == 0)
	kept.State = order.StateCart
	text, err = json.Marshal(kept)
	assert(err == nil && string(text) == `{"state":"cart","context":{"payment_window":0,"extended":false}}`)

	stuck := `{"state":{"in_service":{"cabin":"stuck","door":"shut"}},"context":{"floor":0,"destination":0}}`
	_, err = lift.Decode([]byte(stuck))
	assert(strings.Contains(refused(err), "`stuck` is no state"))
	found, err := openlift.Decode([]byte(stuck))
	assert(err == nil)
	text, err = json.Marshal(found)
	assert(err == nil && string(text) == stuck)
	_, err = found.Apply(openlift.Hold{})
	assert(refused(err) == "`stuck` is no state that this program knows")

	// Nothing else becomes unknown.
	decode := func(text []byte) string {
		_, err := order.Decode(text)
		return refused(err)
	}
	assert(decode(stored(`"cart"`, `"soon"`)) == "`payment_window` is a whole number, not `soon`")
	assert(decode(stored(`"cart"`, "true")) == "`payment_window` is a whole number, not `true`")
	assert(decode(stored(`"cart"`, "1.0")) == "`payment_window` is a whole number, not `1.0`")
	assert(strings.Contains(decode(stored(`"cart"`, "9223372036854775808")), "more than 64 bits"))
	assert(decode([]byte(`{"state":"cart","context":{"extended":false}}`)) == "`payment_window` is missing")
	assert(decode([]byte(`{"context":{}}`)) == "`state` is missing")
	assert(decode(stored("null", "1")) == "`state` is a text, not null")
	assert(strings.HasPrefix(decode([]byte("{")), "this is no JSON"))
	assert(strings.HasPrefix(decode([]byte("{} {}")), "this is no JSON"))
	event := func(text string) string {
		_, err := closed.DecodeEvent([]byte(text))
		return refused(err)
	}
	assert(strings.HasPrefix(event(`"__proto__"`), "`__proto__` is no event"))
	assert(event(`{"pay":{}}`) == "`pay` has no data")
	assert(strings.Contains(event(`{"pay":null,"cancel":null}`), "one member"))
	assert(strings.Contains(event(`"place"`), "is an object with its data"))
	pay, err := closed.DecodeEvent([]byte(`{"pay":null}`))
	assert(err == nil && pay == closed.Pay{})
	later, err := closed.Decode([]byte(`{"later":[1.5e3],"context":{"extended":true,"payment_window":5},"state":"paid"}`))
	assert(err == nil && later.Context.PaymentWindow == 5)

	// The zero value is nowhere, and so are leaves that are not active together.
	_, err = closed.Order{}.Apply(closed.Pay{})
	assert(refused(err) == "`` is no state that this program knows")
	for _, states := range [][]lift.State{nil, {"up"}, {"shut", "up"}, {"up", "down"}, {"up", "shut", "maintenance"}, {"trip", "shut"}} {
		_, err = lift.Elevator{States: states}.Apply(lift.Hold{})
		assert(strings.HasSuffix(refused(err), "is no state that this program knows"))
	}
	// A pointer to an event is one, too.
	up, err := lift.New(lift.NewContext()).Apply(&lift.Call{To: 2})
	assert(err == nil && up.Machine.Context.Destination == 2)
	// What a caller does with the states of a machine changes nothing else.
	again, _ := lift.New(lift.NewContext()).Apply(lift.Call{To: 2})
	up.Machine.States[0] = "stuck"
	assert(again.Machine.States[0] == "up" && !lift.State("stuck").Valid())
	text, err = json.Marshal(why)
	assert(err == nil && strings.HasPrefix(string(text), `{"machine":"order","from":"refunded","event":"pay","to":null,"reason":"unknown_state",`))
}
"#;

/// Keywords, names of the package itself, and names that are one after casing: the package compiles, and JSON has the names of the spec.
#[test]
fn hostile_names_compile() {
    let Some(trial) = Trial::new("names") else { return };
    let inputs = [("a", NAMES), ("b", KEYWORD)].map(|(name, text)| Input { path: format!("machines/{name}.yaml"), text: text.to_owned() });
    let (sources, model) = model(&inputs);
    let files = golang::files(&model);
    assert_eq!([&files["Func_Range"], &files["range"]], ["funcrange", "range_"]);
    trial.emit(&Subject::new("names", &sources, model, Extent::default(), 1));
    trial.check("./...");
    accepted(&trial.go(&["test", "./..."]));
}

const NAMES: &str = r##"
machine: Func_Range
title: "Names */ // `that` \"mean\" something else"
doc: "# no heading\n\n- no item\n\n\tno code"
context:
  type: { type: int, default: 1 }
  func: { type: int, doc: "1. no list" }
  unmarshalJSON: { type: text, optional: true }
  statespec: { type: int, default: 2 }
  given: { type: state, default: valid }
enums:
  event_kind: { values: { valid: {}, münze: {}, का: {} } }
  all_state: { values: { a: {} } }
predicates: [holds, has]
states:
  state: { initial: true, doc: "- no item\n  two" }
  valid: {}
  コンテナ: {}
events:
  state: { payload: { kind: int, marshalJSON: text, package: state } }
  event: {}
  create: {}
  new: {}
  pay_now: {}
  kind_pay_now: {}
  été: {}
effects:
  effect: { context: [type, unmarshalJSON], message: "{type}\t\"\\\" {unmarshalJSON}" }
transitions:
  - { from: state, event: state, to: valid, when: "kind > 1 and (marshalJSON != '' or holds)", set: { func: kind, given: package }, do: effect }
  - { from: valid, event: [pay_now, kind_pay_now], to: コンテナ, when: has }
  - { from: valid, event: create, to: コンテナ, set: { unmarshalJSON: null } }
  - { from: コンテナ, event: [new, event, été], to: state }
"##;

const KEYWORD: &str = r#"
machine: range
states: [a, b]
events: [go]
transitions: [{ from: a, event: go, to: b }]
"#;
