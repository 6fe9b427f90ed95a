//! Tests for a user's own implementation of a machine: a file of data and a small runner, which
//! depends on nothing but `std` and a trait that the user implements.
//!
//! What must come of every case is what the interpreter says.

mod cases;

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use super::rust::items_text;
#[cfg(feature = "docs")]
use super::{Backend, Job};
use crate::interpret::Instance;
use crate::model::machine::Field;
use crate::model::{Machine, Model, Value};
use crate::names::snake;
use crate::output::{Outputs, Pending, Rendered};
use cases::{Call, TestCase, TestCases};

/// What runs the tests; stands in every file, so that a file can be taken away and used alone.
const RUNNER: &str = include_str!("runner.rs");

/// A file for every machine.
pub struct Conformance;

#[cfg(feature = "docs")]
impl Backend for Conformance {
    fn name(&self) -> &'static str {
        "conformance"
    }

    fn outputs<'a>(&self, job: Job<'a>) -> Outputs<'a> {
        job.config.conformance.map(|folder| outputs(job.model, folder)).unwrap_or_default()
    }
}

/// A file for every machine in `folder`, such as `generated/conformance`.
pub fn outputs<'a>(model: &'a Model, folder: &str) -> Outputs<'a> {
    let file = |(idx, machine): (usize, &'a Machine)| {
        let origin = Some(machine.span);
        let blame = move || machine.events.iter().map(|it| ([format!("Event({:?}", it.name)], it.span)).collect();
        let render = move || Ok(Rendered::new(text(model, idx, machine)?, origin, blame));
        (format!("{folder}/{}.rs", snake(&machine.name)), Pending::new(origin, render))
    };
    Outputs { files: model.machines.iter().enumerate().map(file).collect(), ..Outputs::default() }
}

fn text(model: &Model, idx: usize, machine: &Machine) -> Result<String, syn::Error> {
    let doc = format!(
        "What an implementation of `{}` must do: every legal edge, every forbidden event and target in every state, a shortest way to \
         every state. Implement [`Implementation`] for yours and call [`assert_conformance`].",
        machine.name
    );
    let mut text = items_text(&[doc], RUNNER.parse::<TokenStream>()?)?;
    let cases = TestCases::of(model, idx, machine);
    text.push_str("\n#[allow(unused_imports)]\nuse Value::*;\n");
    let _ = write!(text, "\n/// The machine.\npub const MACHINE: &str = {:?};\n", machine.name);
    let states: Vec<String> = machine.leaves().map(|it| format!("{:?}", machine.state(it).wire)).collect();
    let _ = write!(text, "\n/// The states.\npub const STATES: &[&str] = &[{}];\n", states.join(", "));
    let _ = write!(text, "\n/// Some edges are taken by naming their target.\nconst BY_NAME: bool = {};\n", cases.by_name);

    text.push_str("\n/// The events, each with a payload.\nconst EVENTS: &[(&str, Fields)] = &[\n");
    for (event, payload) in machine.events.iter().zip(&cases.payloads) {
        let _ = writeln!(text, "    ({:?}, {}),", event.name, fields(machine, &event.payload, payload));
    }
    text.push_str("];\n\n/// Where, with what context, what is asked, which predicates hold, what must come of it.\n");
    text.push_str("type Case = (Option<&'static str>, Fields, Request, &'static [&'static str], Then);\n\n/// What each step leads to.\nconst CASES: &[Case] = &[\n");
    for case in &cases.cases {
        let _ = writeln!(text, "    {},", expand_case(machine, case));
    }
    text.push_str("];\n\n/// The events that no row takes in a state, whatever the context.\n");
    text.push_str("const FORBIDDEN: &[(Option<&str>, Fields, &[&str])] = &[\n");
    for (at, events) in &cases.forbidden {
        let events: Vec<String> = events.iter().map(|it| format!("{:?}", machine.event(*it).name)).collect();
        let _ = writeln!(text, "    ({}, {}, &[{}]),", place(machine, at.as_ref()), context(machine, at.as_ref()), events.join(", "));
    }
    text.push_str("];\n\n/// The states that the edges of each state lead to; there is no other pair.\n");
    text.push_str("const PAIRS: &[(&str, Fields, &[&str])] = &[\n");
    for at in &cases.examples {
        let successors: Vec<String> = machine.successors(at.state).iter().map(|it| format!("{:?}", machine.state(*it).wire)).collect();
        let state = &machine.state(at.state).wire;
        let _ = writeln!(text, "    ({state:?}, {}, &[{}]),", context(machine, Some(at)), successors.join(", "));
    }
    text.push_str("];\n\n/// What is asked, which predicates hold, the state after it.\n");
    text.push_str("type Step = (Request, &'static [&'static str], &'static str);\n\n");
    text.push_str("/// A shortest path to every state that can be reached.\nconst PATHS: &[(&str, &[Step])] = &[\n");
    for (to, steps) in &cases.traces {
        let steps = steps
            .iter()
            .map(|(call, state)| format!("({}, {}, {:?})", request(machine, call), holds(machine, call), machine.state(*state).wire));
        let _ = writeln!(text, "    ({:?}, &[{}]),", machine.state(*to).wire, steps.collect::<Vec<_>>().join(", "));
    }
    text.push_str("];\n");
    Ok(text)
}

fn expand_case(machine: &Machine, case: &TestCase) -> String {
    let then = match &case.after {
        Some(after) => format!("Then::Goes({:?}, {})", machine.state(after.state).wire, context(machine, Some(after))),
        None => "Then::Refused".into(),
    };
    let at = case.before.as_ref();
    let (request, holds) = (request(machine, &case.call), holds(machine, &case.call));
    format!("({}, {}, {request}, {holds}, {then})", place(machine, at), context(machine, at))
}

fn place(machine: &Machine, at: Option<&Instance>) -> String {
    at.map_or("None".into(), |it| format!("Some({:?})", machine.state(it.state).wire))
}

fn context(machine: &Machine, at: Option<&Instance>) -> String {
    at.map_or("&[]".into(), |it| fields(machine, &machine.fields, &it.context))
}

fn request(machine: &Machine, call: &Call) -> String {
    match call {
        Call::Event { event, payload, .. } => {
            let event = machine.event(*event);
            format!("Request::Event({:?}, {})", event.name, fields(machine, &event.payload, payload))
        }
        Call::Direct { state, .. } => format!("Request::Direct({:?})", machine.state(*state).wire),
    }
}

fn holds(machine: &Machine, call: &Call) -> String {
    let (Call::Event { holds, .. } | Call::Direct { holds, .. }) = call;
    let names: Vec<String> = holds.iter().map(|it| format!("{:?}", machine.predicates[it.index()].name)).collect();
    format!("&[{}]", names.join(", "))
}

fn fields(machine: &Machine, declared: &[Field], values: &[Value]) -> String {
    let entry = |(field, value): (&Field, &Value)| format!("({:?}, {})", field.name, expand_value(machine, value));
    let entries: Vec<String> = declared.iter().zip(values).map(entry).collect();
    format!("&[{}]", entries.join(", "))
}

fn expand_value(machine: &Machine, value: &Value) -> String {
    match value {
        Value::Null => "Null".into(),
        Value::Bool(it) => format!("Bool({it})"),
        Value::Int(it) => format!("Int({it})"),
        Value::Decimal(it) => format!("Decimal(\"{it}\")"),
        Value::Text(it) => format!("Text({it:?})"),
        Value::Duration(it) => format!("Duration({it})"),
        Value::Timestamp(it) => format!("Timestamp({it})"),
        Value::Reference(it) => format!("Reference({it})"),
        Value::State(_) | Value::Enum(..) => format!("Name({:?})", crate::interpret::value::show(machine, value)),
    }
}
