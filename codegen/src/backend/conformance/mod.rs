//! Tests for a user's own implementation of a machine: a file of data for every machine, and a small runner, which depends on
//! nothing but `std` and a trait that the user implements.
//!
//! The interpreter computes the expected result of every case.

mod case;
mod cases;
pub mod data;
mod sides;

use std::collections::BTreeSet;
use std::sync::Arc;

use statespec_lang::diagnostic::{Code, Diagnostic, Diagnostics};
use statespec_lang::interpret::Instance;
use statespec_lang::interpret::value::show;
use statespec_lang::limits::CASES;
use statespec_lang::model::machine::{Event, Field, Outcome};
use statespec_lang::model::{Configuration, Machine, Model, StateId, Value};
use statespec_lang::output::{Blame, Outputs, Pending, Rendered};
use statespec_lang::yaml::Node;
use statespec_rust::names::ModuleNames;
use statespec_rust::unsupported;

use super::{Backend, Configured, Job, Reader, Section};
use case::{Call, TestCase};
use cases::TestCases;

/// The file `mod.rs` without the modules of the machines.
const RUNNER: &str = include_str!("runner.rs");

/// The number of columns up to which a list stays on one line.
const WIDTH: usize = 120;

mod keys {
    use statespec_lang::read::{Text, spec_types};

    spec_types! {
        /// Tests for your own implementations.
        pub struct Conformance as "`[conformance]`" {
            /// The folder of the files, such as `tests/conformance`.
            out: Text,
        }
    }
}

/// The backend of conformance tests: a file for every machine, and one that runs them.
#[derive(Debug)]
pub struct Conformance;

/// The files of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the files.
    pub out: String,
}

impl Backend for Conformance {
    fn name(&self) -> &'static str {
        "conformance"
    }

    fn about(&self) -> &'static str {
        "Tests for your own implementations"
    }

    fn section(&self) -> Section {
        Section::table::<keys::Conformance>("conformance", "Tests for your own implementations; none if omitted.")
    }

    fn read(&self, section: Node, reader: &mut Reader<'_>) -> Option<Arc<dyn Configured>> {
        let conformance: keys::Conformance = reader.keys(section)?;
        Some(Arc::new(Settings { out: reader.path(conformance.out) }))
    }
}

impl Configured for Settings {
    fn places(&self) -> Vec<String> {
        vec![self.out.clone()]
    }

    fn unsupported(&self, model: &Model) -> Vec<Diagnostic> {
        unsupported(model)
    }

    fn outputs<'a>(&'a self, job: Job<'a>, diagnostics: &mut Diagnostics) -> Outputs<'a> {
        let is_refused = refuse_large(job, "[conformance]", diagnostics);
        if is_refused { Outputs::default() } else { outputs(job.model, &self.out) }
    }
}

/// Reports the machines that have too many cases for a file of tests, which `section` asks for; whether there are any.
pub(crate) fn refuse_large(job: Job<'_>, section: &str, diagnostics: &mut Diagnostics) -> bool {
    let too_many = |machine: &Machine| {
        let message = CASES.exceeded(n_cases(machine), job.sources.n_bytes())?;
        let diagnostic = Diagnostic::new(Code::YamlLimit, machine.span, format!("`{}` has {message}", machine.name));
        Some(diagnostic.help(format!("divide the machine, or leave out `{section}`")))
    };
    let refused: Vec<Diagnostic> = job.model.machines.iter().filter_map(too_many).collect();
    let is_refused = !refused.is_empty();
    refused.into_iter().for_each(|it| diagnostics.push(it));
    is_refused
}

/// The number of cases of a machine, by estimate.
fn n_cases(machine: &Machine) -> usize {
    machine.edges.iter().map(|it| if matches!(it.outcome, Outcome::Payload(_)) { machine.targets(it).len() } else { 1 }).sum()
}

/// A file for every machine in `folder`, such as `generated/conformance`, and `mod.rs`, which runs them.
pub fn outputs<'a>(model: &'a Model, folder: &str) -> Outputs<'a> {
    let mut outputs = Outputs::default();
    let names = ModuleNames::of(model);
    for (idx, machine) in model.machines.iter().enumerate() {
        let origin = Some(machine.span);
        let render = move || Ok(Rendered::new(text(machine, &TestCases::of(model, idx, machine)), origin, Blame::default));
        outputs.files.push((format!("{folder}/{}.rs", names.file(&machine.name)), Pending::new(origin, render)));
    }
    if !model.machines.is_empty() {
        let render = move || Ok(Rendered::blaming(root_text(model), None, root_blame(model)));
        outputs.files.push((format!("{folder}/mod.rs"), Pending::new(None, render)));
    }
    outputs
}

/// The runner, and the modules of the machines.
fn root_text(model: &Model) -> String {
    let names = ModuleNames::of(model);
    let modules = model.machines.iter().map(|machine| {
        let (module, path) = (names.of_name(&machine.name), format!("{}.rs", names.file(&machine.name)));
        // Rust only finds the file of a module by itself if the name is ASCII.
        let path = if path.is_ascii() { String::new() } else { format!("#[path = {path:?}]\n") };
        format!("\n/// The tests of `{}`.\n#[rustfmt::skip]\n{path}pub mod {module};\n", machine.name)
    });
    RUNNER.to_owned() + &modules.collect::<String>()
}

fn root_blame(model: &Model) -> Blame {
    let names = ModuleNames::of(model);
    model.machines.iter().map(|it| (format!("pub mod {};", names.of_name(&it.name)), it.span)).collect()
}

/// The tests of a machine as constants. A case has one line, which prettyplease would break.
fn text(machine: &Machine, cases: &TestCases) -> String {
    let name = &machine.name;
    let regions = "//!
//! A state is the text of a configuration, the names of the active leaves in the order of the spec with `+` between them;
//! a target is a leaf.
";
    let regions = if machine.has_regions() { regions } else { "" };
    let states = list(machine.leaves().map(|it| quoted(&machine.state(it).wire)).collect(), 1);
    let events = machine.events.iter().zip(&cases.payloads).map(|(event, payload)| event_request(machine, event, payload));
    let forbidden = cases.forbidden.iter().map(|(at, events)| {
        let state = at.as_ref().map_or_else(|| "None".to_owned(), |it| format!("Some({})", state(machine, it)));
        let events = events.iter().map(|it| quoted(&machine.event(*it).name));
        format!("({state}, {}, {})", context(machine, at.as_ref()), row(events))
    });
    let successors = cases.examples.iter().map(|at| {
        let all: BTreeSet<StateId> = at.configuration.leaves().flat_map(|it| machine.successors(it)).collect();
        let successors = all.into_iter().map(|it| quoted(&machine.state(it).wire));
        format!("({}, {}, {})", state(machine, at), context(machine, Some(at)), row(successors))
    });
    let paths = cases.traces.iter().map(|(to, steps)| {
        let to = quoted(&machine.configuration_text(to));
        let step = |(call, at): &(Call, Configuration)| case(machine, call, Some(quoted(&machine.configuration_text(at))), "");
        format!("({to}, {})", list(steps.iter().map(step).collect(), 1))
    });
    let [events, groups] = [table(events.collect(), 0), table(groups(machine, &cases.cases), 0)];
    let [forbidden, successors, paths] = [forbidden.collect(), successors.collect(), paths.collect()].map(|it| table(it, 0));
    let is_direct = cases.by_name;
    format!(
        "//! What an implementation of `{name}` must do: [`assert_conformance`](super::assert_conformance) takes [`TESTS`].
{regions}
use super::Request::*;
use super::Value::*;
use super::{{At, Case, Fields, Names, Request, Tests, at, not_created}};

/// All tests.
pub const TESTS: Tests = Tests {{
    machine: {machine},
    states: {states},
    is_direct: {is_direct},
    events: EVENTS,
    cases: CASES,
    forbidden: FORBIDDEN,
    successors: SUCCESSORS,
    paths: PATHS,
}};

/// The events, each with a payload, and the timers.
const EVENTS: &[Request] = {events};

/// The result of each step.
const CASES: &[At] = {groups};

/// The events that no row accepts in a state, whatever the context.
const FORBIDDEN: &[(Option<&str>, Fields, Names)] = {forbidden};

/// The states that each state leads to; every other pair is forbidden.
const SUCCESSORS: &[(&str, Fields, Names)] = {successors};

/// A shortest path to every state that can be reached.
const PATHS: &[(&str, &[Case])] = {paths};
",
        machine = quoted(name),
    )
}

/// The cases, grouped by the state and the context in which they begin.
fn groups(machine: &Machine, cases: &[TestCase]) -> Vec<String> {
    let mut groups: Vec<(Option<&Instance>, Vec<String>)> = Vec::new();
    for it in cases {
        let (before, after) = (it.before.as_ref(), it.after.as_ref());
        let sets = after.map_or_else(String::new, |after| changes(machine, before, after));
        let case = case(machine, &it.call, after.map(|it| state(machine, it)), &sets);
        // The cases of one configuration follow each other.
        let here = before.map(|it| &it.configuration);
        let n_here = groups.iter().rev().take_while(|(at, _)| at.map(|it| &it.configuration) == here).count();
        let first = groups.len() - n_here;
        match groups[first..].iter_mut().find(|(at, _)| *at == before) {
            Some((_, cases)) => cases.push(case),
            None => groups.push((before, vec![case])),
        }
    }
    let group = |(at, cases): (Option<&Instance>, Vec<String>)| match at {
        Some(it) => format!("at({}, {}, {})", state(machine, it), context(machine, at), table(cases, 1)),
        None => format!("not_created({})", table(cases, 1)),
    };
    groups.into_iter().map(group).collect()
}

/// `Event("switch_on", &[]).when(&["is_safe"]).to("on").sets(&[("since", Int(3))])`
fn case(machine: &Machine, call: &Call, to: Option<String>, sets: &str) -> String {
    let (Call::Event { holds, .. } | Call::Direct { holds, .. }) = call;
    let when = match holds.is_empty() {
        true => String::new(),
        false => format!(".when({})", row(holds.iter().map(|it| quoted(&machine.predicates[it.index()].name)))),
    };
    let result = to.map_or_else(|| ".refused()".to_owned(), |to| format!(".to({to})"));
    format!("{}{result}{when}{sets}", request(machine, call))
}

/// `.sets(&[…])`: the fields of the context that a step changes; at creation, all of them.
fn changes(machine: &Machine, before: Option<&Instance>, after: &Instance) -> String {
    let fields = machine.fields.iter().zip(&after.context).enumerate();
    let changed = fields.filter(|(idx, (_, value))| before.is_none_or(|it| it.context[*idx] != **value));
    let changed: Vec<String> = changed.map(|(_, (field, value))| field_value(machine, field, value)).collect();
    if changed.is_empty() { String::new() } else { format!(".sets({})", row(changed.into_iter())) }
}

fn state(machine: &Machine, at: &Instance) -> String {
    quoted(&machine.configuration_text(&at.configuration))
}

fn context(machine: &Machine, at: Option<&Instance>) -> String {
    at.map_or_else(|| "&[]".to_owned(), |it| fields(machine, &machine.fields, &it.context))
}

fn request(machine: &Machine, call: &Call) -> String {
    match call {
        Call::Event { event, payload, .. } => event_request(machine, machine.event(*event), payload),
        Call::Direct { state, .. } => format!("Direct({})", quoted(&machine.state(*state).wire)),
    }
}

fn event_request(machine: &Machine, event: &Event, payload: &[Value]) -> String {
    let name = quoted(&event.name);
    match event.timer {
        Some(_) => format!("Elapsed({name})"),
        None => format!("Event({name}, {})", fields(machine, &event.payload, payload)),
    }
}

fn fields(machine: &Machine, declared: &[Field], values: &[Value]) -> String {
    row(declared.iter().zip(values).map(|(field, value)| field_value(machine, field, value)))
}

fn field_value(machine: &Machine, field: &Field, value: &Value) -> String {
    let value = match value {
        Value::Null => "Null".to_owned(),
        Value::Bool(it) => format!("Bool({it})"),
        Value::Int(it) => format!("Int({it})"),
        Value::Decimal(it) => format!("Decimal({})", quoted(&it.to_string())),
        Value::Text(it) => format!("Text({})", quoted(it)),
        Value::Duration(it) => format!("Duration({it})"),
        Value::Timestamp(it) => format!("Timestamp({it})"),
        Value::Reference(it) => format!("Reference({it})"),
        Value::State(_) | Value::Enum(..) => format!("Name({})", quoted(&show(machine, value))),
    };
    format!("({}, {value})", quoted(&field.name))
}

/// A literal of Rust.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// A list on one line.
fn row(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A list with one item per line, which is indented by `depth` levels.
fn table(items: Vec<String>, depth: usize) -> String {
    let (indent, lines) = ("    ".repeat(depth), items.iter().map(|it| format!("\n{}{it},", "    ".repeat(depth + 1))));
    if items.is_empty() { "&[]".to_owned() } else { format!("&[{}\n{indent}]", lines.collect::<String>()) }
}

/// A list on one line, if it is short.
fn list(items: Vec<String>, depth: usize) -> String {
    let width: usize = items.iter().map(|it| it.len() + 2).sum();
    if width > WIDTH { table(items, depth) } else { row(items.into_iter()) }
}
