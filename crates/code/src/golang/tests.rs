//! The file of tests that runs conformance data.

use statespec_lang::model::machine::Field;
use statespec_lang::model::{Machine, Model, PredicateId, Type};

use super::idents::{Idents, quoted, slice};
use super::types::Types;
use super::{GENERATED, SUBJECT, Style, files};
use crate::names::Names;
use crate::writer::Writer;

/// The tests of `go test` that run the conformance data of the machines, which are in the same folder as the tests.
pub fn tests(model: &Model, style: &Style) -> String {
    let files = files(model);
    let mut out = Writer::new("\t");
    out.line(format!("{GENERATED}\n\npackage {SUBJECT}_test\n"));
    out.block("import (", ")", |out| {
        out.line("\"testing\"\n");
        let mut imports = vec![format!("\"{}/{SUBJECT}\"", style.path)];
        // A machine may have the name of something in this file.
        let machines = model.machines.iter().enumerate();
        imports.extend(machines.map(|(idx, it)| format!("machine{idx} \"{}/{}\"", style.path, files[&it.name])));
        // gofmt sorts imports by their paths.
        imports.sort_by_key(|it| it.split('"').nth(1).unwrap_or_default().to_owned());
        imports.iter().for_each(|it| out.line(it));
    });
    out.line(format!("\nfunc TestNumbers(t *testing.T) {{\n\t{SUBJECT}.CheckNumbers(t, \"numbers.json\")\n}}"));
    let mut names = Names::besides(["TestNumbers"]);
    for (idx, machine) in model.machines.iter().enumerate() {
        let idents = Idents::of(machine);
        let subject =
            Subject { machine, idents: &idents, types: Types { machine, idents: &idents }, package: format!("machine{idx}"), idx };
        subject.helpers(&mut out);
        out.block(format!("\nfunc {}(t *testing.T) {{", names.claim(format!("Test{}", idents.machine))), "}", |out| {
            if !subject.types.timers().is_empty() {
                out.line(format!("var timers {}.Timers", subject.package));
            }
            subject.literal(out);
            out.line(format!("{SUBJECT}.Check(t, {}, subject)", quoted(&format!("{}.json", files[&machine.name]))));
        });
    }
    out.into_text()
}

/// An emitted package as a subject.
struct Subject<'a> {
    machine: &'a Machine,
    idents: &'a Idents,
    types: Types<'a>,
    package: String,
    idx: usize,
}

impl Subject<'_> {
    /// The type of predicates, and the function that makes the context of a new machine.
    fn helpers(&self, out: &mut Writer) {
        let Subject { machine, idents, package, idx, .. } = self;
        if !machine.predicates.is_empty() {
            out.line(format!("\ntype predicates{idx} {SUBJECT}.Holds"));
            for (at, it) in machine.predicates.iter().enumerate() {
                let ident = idents.predicate(PredicateId::new(at));
                out.line(format!("\nfunc (p predicates{idx}) {ident}() bool {{ return {SUBJECT}.Holds(p).Has({}) }}", quoted(&it.name)));
            }
        }
        if !machine.fields.is_empty() {
            out.line(format!("\nfunc context{idx}(given []byte) ({package}.Context, error) {{"));
            out.line(format!("\tcontext := {}\n\terr := {SUBJECT}.Given(&context, given)\n\treturn context, err\n}}", self.new_context()));
        }
    }

    fn new_context(&self) -> String {
        let zero = |it: &Field| match it.ty {
            Type::Bool => "false".to_owned(),
            Type::Decimal => format!("{SUBJECT}.Decimal{{}}"),
            Type::Reference => format!("{SUBJECT}.Reference{{}}"),
            Type::Text | Type::State | Type::Enum(_) | Type::Event | Type::List(_) => "\"\"".to_owned(),
            Type::Int | Type::Duration | Type::Timestamp => "0".to_owned(),
        };
        let required = self.machine.fields.iter().filter(|it| it.default.is_none() && !it.optional);
        format!("{}.NewContext({})", self.package, required.map(zero).collect::<Vec<_>>().join(", "))
    }

    fn literal(&self, out: &mut Writer) {
        let Subject { machine, idents, package, .. } = self;
        let own = &idents.machine;
        let is_created = !machine.edges_from(None).is_empty();
        let types = format!("{package}.{own}, {package}.Event, {package}.Effect, {package}.State, {package}.EventKind");
        out.block(format!("subject := &{SUBJECT}.Emitted[{types}]{{"), "}", |out| {
            if !is_created {
                let context = if machine.fields.is_empty() { String::new() } else { self.new_context() };
                out.line(format!("New: func() {package}.{own} {{\n\treturn {package}.New({context})\n}},"));
            }
            for name in ["Decode", "DecodeEvent", "DecodeEffect", "MessageOf", "MarshalStates"] {
                out.line(format!("{:14} {package}.{name},", format!("{name}:")));
            }
            self.call(out, "Event", &format!("event {package}.Event"), |create, context, predicates| match create {
                true if is_created => format!("return {package}.Create(event{context}{predicates})"),
                true => format!("return {package}.ApplyRequest(nil, {package}.EventRequest(event){context}{predicates})"),
                false => format!("return machine.Apply(event{predicates})"),
            });
            if !self.types.timers().is_empty() {
                self.call(out, "Timer", "timer string", |create, context, predicates| match create {
                    true => format!(
                        "request, err := {package}.TimerRequest({package}.Timer(timer))\nif err != nil {{\n\treturn {package}.Change{{}}, err\n}}\nreturn {package}.ApplyRequest(nil, request{context}{predicates})"
                    ),
                    false => format!("return machine.ApplyTimer({package}.Timer(timer){predicates})"),
                });
            }
            let has_direct = machine.has_direct();
            self.call(out, "Direct", "to string", |create, context, predicates| match create {
                false if has_direct => format!("return machine.TransitionTo({package}.State(to){predicates})"),
                false => format!("return {package}.ApplyRequest(machine, {package}.DirectRequest({package}.State(to)){context}{predicates})"),
                true => format!("return {package}.ApplyRequest(nil, {package}.DirectRequest({package}.State(to)){context}{predicates})"),
            });
            self.function(out, "Next", &format!("state {package}.State"), &format!(" []{package}.State"), "return state.Successors()");
            let actors = match machine.actors.is_empty() {
                true => "return nil".to_owned(),
                false => format!(
                    "var actors []string\nfor _, it := range {package}.AllActors() {{\n\tif {package}.MayRaise(it, kind) {{\n\t\tactors = append(actors, string(it))\n\t}}\n}}\nreturn actors"
                ),
            };
            self.function(out, "Actors", &format!("kind {package}.EventKind"), " []string", &actors);
            if !self.types.timers().is_empty() {
                self.timers(out);
            }
        });
    }

    fn timers(&self, out: &mut Writer) {
        let Subject { machine, idents, package, .. } = self;
        let own = &idents.machine;
        let timers = self.types.timers();
        out.line(format!("Timers: {},", slice("string", timers.iter().map(|it| quoted(&machine.event(*it).name)))));
        let now = format!("now {SUBJECT}.Timestamp");
        self.function(out, "Begin", &format!("machine {package}.{own}, {now}"), "", "timers = machine.StartTimers(now)");
        let observe = format!(
            "text, err := {SUBJECT}.Marshal({package}.Observe(timers, change, now))\nif err == nil {{\n\ttimers, err = {package}.DecodeTimers(text)\n}}\nreturn err"
        );
        self.function(out, "Observe", &format!("change {package}.Change, {now}"), " error", &observe);
        self.function(out, "End", "timer string", "", &format!("timers = timers.Without({package}.Timer(timer))"));
        let running = format!(
            "var due []{SUBJECT}.Due\nfor _, it := range machine.Due(timers) {{\n\tdue = append(due, {SUBJECT}.Due{{Timer: string(it.Timer), At: it.At}})\n}}\nreturn due"
        );
        self.function(out, "Running", &format!("machine {package}.{own}"), &format!(" []{SUBJECT}.Due"), &running);
    }

    fn function(&self, out: &mut Writer, name: &str, parameters: &str, result: &str, body: &str) {
        out.block(format!("{name}: func({parameters}){result} {{"), "},", |out| out.line(body));
    }

    /// A call in a machine or at creation. A body is made of whether it is that at creation, and of the arguments behind the request:
    /// the context, and the predicates.
    fn call(&self, out: &mut Writer, name: &str, request: &str, body: impl Fn(bool, &str, &str) -> String) {
        let Subject { machine, idents, package, idx, .. } = self;
        let predicates = if machine.predicates.is_empty() { String::new() } else { format!(", predicates{idx}(holds)") };
        let has_context = !machine.fields.is_empty();
        let parameters = format!("machine *{package}.{}, {request}, given []byte, holds {SUBJECT}.Holds", idents.machine);
        let result = format!(" ({package}.Change, error)");
        let [created, in_machine] = [(true, ", context"), (false, ", machine.Context")]
            .map(|(create, context)| body(create, if has_context { context } else { "" }, &predicates));
        out.block(format!("{name}: func({parameters}){result} {{"), "},", |out| {
            out.block("if machine == nil {", "}", |out| {
                if has_context {
                    out.line(format!("context, err := context{idx}(given)\nif err != nil {{\n\treturn {package}.Change{{}}, err\n}}"));
                }
                out.line(created);
            });
            out.line(in_machine);
        });
    }
}
