//! Tests for a user's own implementation of a machine: a file of data and a small runner, which
//! depends on nothing but `std` and a trait that the user implements.
//!
//! The interpreter computes the expected result of every case.

mod cases;

use std::collections::BTreeSet;
use std::sync::Arc;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use statespec_lang::diagnostic::{Diagnostic, Diagnostics};
use statespec_lang::interpret::Instance;
use statespec_lang::model::machine::{Event, Field};
use statespec_lang::model::{Machine, Model, StateId, Value};
use statespec_lang::names::snake;
use statespec_lang::output::{Blame, Outputs, Pending, RenderError, Rendered};
use statespec_lang::yaml::Node;
use statespec_rust::file::items_text;
use statespec_rust::unsupported;

use super::{Backend, Configured, Job, Reader, Section};
use cases::{Call, TestCase, TestCases};

/// The test runner; it is part of every file, so that a file can be used alone.
const RUNNER: &str = include_str!("runner.rs");

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

/// The backend of conformance tests: a file for every machine.
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

    fn outputs<'a>(&'a self, job: Job<'a>, _: &mut Diagnostics) -> Outputs<'a> {
        outputs(job.model, &self.out)
    }
}

/// A file for every machine in `folder`, such as `generated/conformance`.
pub fn outputs<'a>(model: &'a Model, folder: &str) -> Outputs<'a> {
    let file = |(idx, machine): (usize, &'a Machine)| {
        let origin = Some(machine.span);
        let render = move || Ok(Rendered::new(text(model, idx, machine)?, origin, Blame::default));
        (format!("{folder}/{}.rs", snake(&machine.name)), Pending::new(origin, render))
    };
    Outputs { files: model.machines.iter().enumerate().map(file).collect(), ..Outputs::default() }
}

fn text(model: &Model, idx: usize, machine: &Machine) -> Result<String, RenderError> {
    let doc = format!(
        "What an implementation of `{}` must do: every legal edge, every forbidden event and target in every state, a shortest path to \
         every state. Implement [`Implementation`] for yours and call [`assert_conformance`].",
        machine.name
    );
    let regions = "A state is the text of a configuration, the names of the active leaves in the order of the spec with `+` between them; \
                   a target and the states of [`STATES`] are leaves.";
    let docs: Vec<String> = [doc].into_iter().chain(machine.has_regions().then(|| regions.to_owned())).collect();
    let runner = RUNNER.parse::<TokenStream>().map_err(|error| RenderError::new(format!("the runner is not Rust: {error}")))?;
    let tables = expand_tables(machine, &TestCases::of(model, idx, machine));
    items_text(&docs, quote! { #runner #tables })
}

/// The data of the tests.
fn expand_tables(machine: &Machine, cases: &TestCases) -> TokenStream {
    let (name, by_name) = (&machine.name, cases.by_name);
    let states = machine.leaves().map(|it| &machine.state(it).wire);
    let events = machine.events.iter().zip(&cases.payloads).map(|(event, payload)| {
        let (name, request) = (&event.name, event_request(machine, event, payload));
        quote! { (#name, #request) }
    });
    let rows = cases.cases.iter().map(|case| expand_case(machine, case));
    let forbidden = cases.forbidden.iter().map(|(at, events)| {
        let (place, context) = (place(machine, at.as_ref()), context(machine, at.as_ref()));
        let events = events.iter().map(|it| &machine.event(*it).name);
        quote! { (#place, #context, &[#(#events),*]) }
    });
    let pairs = cases.examples.iter().map(|at| {
        let (state, context) = (machine.configuration_text(&at.configuration), context(machine, Some(at)));
        let all: BTreeSet<StateId> = at.configuration.leaves().flat_map(|it| machine.successors(it)).collect();
        let successors = all.into_iter().map(|it| &machine.state(it).wire);
        quote! { (#state, #context, &[#(#successors),*]) }
    });
    let paths = cases.traces.iter().map(|(to, steps)| {
        let to = machine.configuration_text(to);
        let steps = steps.iter().map(|(call, at)| {
            let (request, holds, state) = (request(machine, call), holds(machine, call), machine.configuration_text(at));
            quote! { (#request, #holds, #state) }
        });
        quote! { (#to, &[#(#steps),*]) }
    });
    quote! {
        #[allow(unused_imports)]
        use Value::*;

        /// The machine.
        pub const MACHINE: &str = #name;

        /// The states.
        pub const STATES: &[&str] = &[#(#states),*];

        /// Whether some transitions are direct: requested by their target.
        const BY_NAME: bool = #by_name;

        /// The events, each as a request with a payload; and the timers.
        const EVENTS: &[(&str, Request)] = &[#(#events),*];

        /// The state and context before, the request, the predicates that hold, and the expected result.
        type Case = (Option<&'static str>, Fields, Request, &'static [&'static str], Then);

        /// The result of each step.
        const CASES: &[Case] = &[#(#rows),*];

        /// The events that no row accepts in a state, whatever the context.
        const FORBIDDEN: &[(Option<&str>, Fields, &[&str])] = &[#(#forbidden),*];

        /// The states that each state leads to; every other pair is forbidden.
        const PAIRS: &[(&str, Fields, &[&str])] = &[#(#pairs),*];

        /// The request, the predicates that hold, and the state after the step.
        type Step = (Request, &'static [&'static str], &'static str);

        /// A shortest path to every state that can be reached.
        const PATHS: &[(&str, &[Step])] = &[#(#paths),*];
    }
}

fn expand_case(machine: &Machine, case: &TestCase) -> TokenStream {
    let then = match &case.after {
        Some(after) => {
            let (state, context) = (machine.configuration_text(&after.configuration), context(machine, Some(after)));
            quote! { Then::Goes(#state, #context) }
        }
        None => quote! { Then::Refused },
    };
    let at = case.before.as_ref();
    let (place, context) = (place(machine, at), context(machine, at));
    let (request, holds) = (request(machine, &case.call), holds(machine, &case.call));
    quote! { (#place, #context, #request, #holds, #then) }
}

fn place(machine: &Machine, at: Option<&Instance>) -> TokenStream {
    match at.map(|it| machine.configuration_text(&it.configuration)) {
        Some(state) => quote! { Some(#state) },
        None => quote! { None },
    }
}

fn context(machine: &Machine, at: Option<&Instance>) -> TokenStream {
    at.map_or_else(|| quote! { &[] }, |it| fields(machine, &machine.fields, &it.context))
}

fn request(machine: &Machine, call: &Call) -> TokenStream {
    match call {
        Call::Event { event, payload, .. } => event_request(machine, machine.event(*event), payload),
        Call::Direct { state, .. } => {
            let state = &machine.state(*state).wire;
            quote! { Request::Direct(#state) }
        }
    }
}

fn event_request(machine: &Machine, event: &Event, payload: &[Value]) -> TokenStream {
    let name = &event.name;
    if event.timer.is_some() {
        return quote! { Request::Elapsed(#name) };
    }
    let fields = fields(machine, &event.payload, payload);
    quote! { Request::Event(#name, #fields) }
}

fn holds(machine: &Machine, call: &Call) -> TokenStream {
    let (Call::Event { holds, .. } | Call::Direct { holds, .. }) = call;
    let names = holds.iter().map(|it| &machine.predicates[it.index()].name);
    quote! { &[#(#names),*] }
}

fn fields(machine: &Machine, declared: &[Field], values: &[Value]) -> TokenStream {
    let entries = declared.iter().zip(values).map(|(field, value)| {
        let (name, value) = (&field.name, expand_value(machine, value));
        quote! { (#name, #value) }
    });
    quote! { &[#(#entries),*] }
}

fn expand_value(machine: &Machine, value: &Value) -> TokenStream {
    let int = |it: i64| Literal::i64_unsuffixed(it);
    match value {
        Value::Null => quote! { Null },
        Value::Bool(it) => quote! { Bool(#it) },
        Value::Int(it) => {
            let it = int(*it);
            quote! { Int(#it) }
        }
        Value::Decimal(it) => {
            let it = it.to_string();
            quote! { Decimal(#it) }
        }
        Value::Text(it) => quote! { Text(#it) },
        Value::Duration(it) => {
            let it = int(*it);
            quote! { Duration(#it) }
        }
        Value::Timestamp(it) => {
            let it = int(*it);
            quote! { Timestamp(#it) }
        }
        Value::Reference(it) => {
            let it = Literal::u64_unsuffixed(*it);
            quote! { Reference(#it) }
        }
        Value::State(_) | Value::Enum(..) => {
            let name = statespec_lang::interpret::value::show(machine, value);
            quote! { Name(#name) }
        }
    }
}
