//! The exported functions of a machine, and its definition, which they pass to the support file.

use statespec_lang::model::Machine;
use statespec_lang::model::machine::Field;

use super::Style;
use super::idents::{Idents, quoted, taken};
use super::types::{Types, doc};
use crate::writer::Writer;

/// What is printed.
pub(super) struct Functions<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    pub(super) types: &'a Types<'a>,
    pub(super) style: &'a Style,
}

impl Functions<'_> {
    fn has_context(&self) -> bool {
        !self.machine.fields.is_empty()
    }

    fn context(&self) -> &'static str {
        if self.has_context() { "Context" } else { "s.NoContext" }
    }

    fn predicates(&self) -> &'static str {
        if self.machine.predicates.is_empty() { "null" } else { "Predicates" }
    }

    fn has_timers(&self) -> bool {
        self.machine.timers().next().is_some()
    }

    fn state(&self) -> &'static str {
        if self.style.open { "State | s.UnknownState" } else { "State" }
    }

    /// The fields without a value at creation.
    fn given(&self) -> Vec<&Field> {
        self.machine.fields.iter().filter(|it| it.default.is_none() && !it.optional).collect()
    }

    /// `Context, null`: the last arguments of the types of the support file.
    fn definition_type(&self) -> String {
        format!("s.Definition<Recorded, {}, {}, Effect>", self.context(), self.predicates())
    }

    /// The type of the machine and of results.
    pub(super) fn types(&self, out: &mut Writer) {
        let (name, state) = (&self.idents.machine, self.state());
        out.blank();
        doc(out, Some("A machine. Its functions change none; they return another one."));
        out.block(format!("export type {name} = {{"), "};", |out| {
            out.line(format!("readonly state: {state};"));
            if self.has_context() {
                out.line("readonly context: Context;");
            }
        });
        out.blank();
        doc(out, Some("What a call does: the machine after it, with steps and effects, or a refusal."));
        out.line(format!("export type Result = s.Outcome<{name}, {state}, Effect>;"));
    }

    /// A function with a comment.
    fn function(&self, out: &mut Writer, about: &str, signature: String, body: impl FnOnce(&mut Writer)) {
        out.blank();
        doc(out, Some(about));
        out.block(format!("export function {signature} {{"), "}", body);
    }

    pub(super) fn api(&self, out: &mut Writer) {
        let name = &self.idents.machine;
        let (parameter, argument) =
            if self.machine.predicates.is_empty() { ("", "null") } else { (", predicates: Predicates", "predicates") };
        let machine = self.machine;
        if machine.edges_from(None).is_empty() {
            self.start(out);
        } else {
            self.creation(out, parameter, argument);
        }
        let changes = [
            ("apply", "Event", "Raises an event: another machine, or a refusal."),
            ("plan", "Event", "The change that an event would make, or the refusal. A program that shows what is possible asks this."),
            ("replay", "Recorded", "Takes the next entry of a recorded history. It asks for no actor and no time: input goes to `apply`."),
        ];
        for (function, event, about) in changes {
            self.function(out, about, format!("{function}(machine: {name}, event: {event}{parameter}): Result"), |out| {
                out.line(format!("return s.call(MACHINE, machine, {{ event }}, {argument});"));
            });
        }
        // A machine may have timers alone, which nobody raises.
        if !machine.actors.is_empty() && machine.events.iter().any(|it| it.timer.is_none()) {
            let signature = format!("applyAs(actor: Actor, machine: {name}, event: Event{parameter}): Result");
            self.function(out, "Raises an event in the name of an actor: refused where the actor may not.", signature, |out| {
                out.line(format!(
                    "const refused = s.permit<{name}, {}, Recorded, {}, {}, Effect>(MACHINE, machine, event.type, actor);",
                    self.state(),
                    self.context(),
                    self.predicates()
                ));
                out.line(format!("return refused ?? apply(machine, event{});", if argument == "null" { "" } else { ", predicates" }));
            });
            self.function(
                out,
                "Whether an actor may raise an event.",
                "mayRaise(actor: Actor, event: Event[\"type\"]): boolean".into(),
                |out| {
                    out.line("return s.mayRaise(GRAPH, event, actor);");
                },
            );
        }
        if machine.has_direct() {
            let target =
                if machine.composites().next().is_some() { format!("{} | Composite", self.types.leaf()) } else { self.types.leaf().into() };
            for (function, about) in [
                ("transitionTo", "Takes a direct transition, which is requested by its target."),
                ("planTo", "The change that a direct transition would make, or the refusal."),
            ] {
                self.function(out, about, format!("{function}(machine: {name}, to: {target}{parameter}): Result"), |out| {
                    out.line(format!("return s.call(MACHINE, machine, {{ to }}, {argument});"));
                });
            }
        }
        self.questions(out);
        self.json(out);
        if self.has_timers() {
            self.timers(out, parameter, argument);
        }
    }

    fn start(&self, out: &mut Writer) {
        let (name, given) = (&self.idents.machine, self.given());
        let parameter = match (self.has_context(), given.is_empty()) {
            (false, _) => String::new(),
            (true, true) => "given: Partial<Context> = {}".to_owned(),
            (true, false) => format!("given: {}", self.given_type()),
        };
        self.function(out, "A new machine, in its initial state.", format!("start({parameter}): {name}"), |out| {
            let context = if self.has_context() { "{ ...MACHINE.defaults, ...given }" } else { "{}" };
            out.line(format!("return s.made(GRAPH, GRAPH.initial, {context}, {});", self.has_context()));
        });
    }

    /// The context, of which some fields must be given.
    fn given_type(&self) -> String {
        let names: Vec<String> = self.given().iter().map(|it| quoted(&it.name)).collect();
        if names.is_empty() { "Partial<Context>".to_owned() } else { format!("Partial<Context> & Pick<Context, {}>", names.join(" | ")) }
    }

    fn creation(&self, out: &mut Writer, parameter: &str, argument: &str) {
        let (name, given) = (&self.idents.machine, self.given());
        let (parameter, argument) = match (self.has_context(), given.is_empty()) {
            (false, _) => (parameter.to_owned(), argument.to_owned()),
            (true, true) => (format!("{parameter}, given: Partial<Context> = {{}}"), format!("{argument}, given")),
            (true, false) => (format!(", given: {}{parameter}", self.given_type()), format!("{argument}, given")),
        };
        self.function(out, "Creates a machine with an event.", format!("create(event: Event{parameter}): Result"), |out| {
            out.line(format!(
                "return s.call<{name}, {}, Recorded, {}, {}, Effect>(MACHINE, null, {{ event }}, {argument});",
                self.state(),
                self.context(),
                self.predicates()
            ));
        });
    }

    fn questions(&self, out: &mut Writer) {
        let (machine, leaf) = (self.machine, self.types.leaf());
        let function = |out: &mut Writer, about: &str, signature: &str, body: &str| {
            self.function(out, about, signature.to_owned(), |out| out.line(format!("return {body};")));
        };
        function(
            out,
            "Whether the graph leads from one state to another, guards aside.",
            &format!("allows(from: {leaf}, to: {leaf}): boolean"),
            "successors(from).includes(to)",
        );
        function(
            out,
            "The states that steps out of a state lead to.",
            &format!("successors(from: {leaf}): readonly {leaf}[]"),
            &format!("(GRAPH.places.get(from)?.leads ?? []) as readonly {leaf}[]"),
        );
        if !machine.events.is_empty() {
            function(
                out,
                "The events that some row accepts in a state, guards aside.",
                &format!("allowed(state: {}): readonly EventName[]", self.state()),
                "s.allowed(GRAPH, s.leaves(MACHINE, state)) as readonly EventName[]",
            );
        }
        function(
            out,
            "Whether a state is an outcome.",
            &format!("isTerminal(state: {leaf}): boolean"),
            "GRAPH.places.get(state)?.terminal === true",
        );
        if machine.composites().next().is_some() {
            function(
                out,
                "Whether a state lies inside another.",
                &format!("isIn(state: {leaf}, whole: Composite): boolean"),
                "s.isIn(GRAPH, state, whole)",
            );
        }
        if machine.has_regions() {
            function(
                out,
                "The active leaves, in the order of the spec.",
                &format!("leaves(state: {}): readonly Leaf[]", self.state()),
                "s.leaves(MACHINE, state) as readonly Leaf[]",
            );
            function(
                out,
                "The names of the active leaves with `+` between them.",
                "textOf(state: State): string",
                "s.textOf(s.leaves(MACHINE, state))",
            );
        }
        function(
            out,
            "The state that a text is. Throws a `DecodeError`, which contains the text.",
            "parseState(text: string): State",
            "s.stateOf(GRAPH, s.leavesOfText(GRAPH, text)) as State",
        );
    }

    fn json(&self, out: &mut Writer) {
        let name = &self.idents.machine;
        let open = self.style.open;
        let function = |out: &mut Writer, about: &str, signature: String, body: &str| {
            self.function(out, about, signature, |out| out.line(format!("return {body};")));
        };
        function(
            out,
            "A machine as JSON, the same that Rust's serde writes.",
            format!("encode(machine: {name}): string"),
            "s.printJson(s.writeMachine(MACHINE, machine))",
        );
        function(out, "Reads a machine. Throws a `DecodeError`.", format!("decode(text: string): {name}"), "fromJson(s.parseJson(text))");
        function(
            out,
            "Reads a machine from parsed JSON. Throws a `DecodeError`.",
            format!("fromJson(value: unknown): {name}"),
            &format!("s.readMachine(MACHINE, value, {open})"),
        );
        function(out, "An event as JSON.", "encodeEvent(event: Recorded): string".into(), "s.printJson(s.writeEvent(MACHINE, event))");
        function(
            out,
            "Reads an event; no timer is one. Throws a `DecodeError`.",
            "decodeEvent(text: string): Event".into(),
            "s.readInput(MACHINE, s.parseJson(text)) as Event",
        );
        function(
            out,
            "Reads an entry of a history. Throws a `DecodeError`.",
            "decodeRecorded(text: string): Recorded".into(),
            "s.readEvent(MACHINE, s.parseJson(text))",
        );
        function(out, "An effect as JSON.", "encodeEffect(effect: Effect): string".into(), "s.printJson(s.writeEffect(MACHINE, effect))");
        function(
            out,
            "Reads an effect. Throws a `DecodeError`.",
            "decodeEffect(text: string): Effect".into(),
            "s.readEffect(MACHINE, s.parseJson(text))",
        );
    }

    fn timers(&self, out: &mut Writer, parameter: &str, argument: &str) {
        let name = &self.idents.machine;
        let function = |out: &mut Writer, about: &str, signature: String, body: &str| {
            self.function(out, about, signature, |out| out.line(format!("return {body};")));
        };
        function(
            out,
            "The timers of a machine that is new, or that was stored without its timers: all of them start now.",
            format!("startTimers(machine: {name}, now: s.Int): s.Timers"),
            "s.startTimers(GRAPH, MACHINE.timers, s.leaves(MACHINE, machine.state), now)",
        );
        function(
            out,
            "The timers after a change, which ends and starts them.",
            "observeTimers(timers: s.Timers, change: s.Accepted<unknown, unknown, unknown>, now: s.Int): s.Timers".into(),
            "s.observeTimers(MACHINE.timers, timers, change.steps, now)",
        );
        function(
            out,
            "The running timers with the moments at which they are due, in the order of the spec.",
            format!("dueTimers(timers: s.Timers, machine: {name}): readonly s.Due[]"),
            "s.dueOf(MACHINE, timers, machine)",
        );
        function(
            out,
            "The timer that is due next; `null` if none runs.",
            format!("nextDue(timers: s.Timers, machine: {name}): s.Due | null"),
            "s.nextDue(dueTimers(timers, machine))",
        );
        function(
            out,
            "Lets the timer elapse that is due first, if one is due now. `null` if none is.",
            format!("elapse(timers: s.Timers, machine: {name}, now: s.Int{parameter}): s.Elapsed<Result> | null"),
            &format!("s.elapse(MACHINE, timers, machine, now, {argument})"),
        );
        function(out, "Timers as JSON.", "encodeTimers(timers: s.Timers): string".into(), "s.printJson(s.writeTimers(timers))");
        function(
            out,
            "Reads timers; one that the machine does not have is ignored. Throws a `DecodeError`.",
            "decodeTimers(text: string): s.Timers".into(),
            "s.readTimers(MACHINE.timers, s.parseJson(text))",
        );
    }

    /// The constant `MACHINE`.
    pub(super) fn definition(&self, out: &mut Writer, inside: impl FnOnce(&mut Writer)) {
        let machine = self.machine;
        out.blank();
        doc(out, Some("The tables and functions of the machine, which the support file executes."));
        out.block(format!("export const MACHINE: {} = {{", self.definition_type()), "};", |out| {
            out.line("graph: GRAPH,");
            out.line("rows: ROWS,");
            out.line("arms: ARMS,");
            let defaults: Vec<String> = machine.fields.iter().filter_map(|it| self.types.default(it)).collect();
            let defaults = if defaults.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", defaults.join(", ")) };
            // Fields without a value at creation are given with the call that creates the machine.
            let cast = if self.given().is_empty() { "" } else { " as Partial<Context> as Context" };
            out.line(format!("defaults: {defaults}{cast},"));
            out.line(format!("context: {},", self.types.fields(machine.fields.iter().map(|it| (it, it.name.as_str())))));
            out.block("events: new Map<string, s.Fields>([", "]),", |out| {
                for (idx, it) in machine.events.iter().enumerate() {
                    let fields = machine.payload_fields(statespec_lang::model::EventId::new(idx));
                    let fields = self.types.fields(fields.map(|(id, field)| (field, self.idents.payload[id.index()].as_str())));
                    out.line(format!("[{}, {fields}],", quoted(&it.name)));
                }
            });
            out.block("effects: new Map<string, s.Fields>([", "]),", |out| {
                for it in &machine.effects {
                    let properties = taken(it);
                    let fields: Vec<Field> = it
                        .takes
                        .iter()
                        .map(|taken| {
                            let mut field = taken.field.clone();
                            field.optional |= taken.origin == statespec_lang::model::machine::Origin::From;
                            field
                        })
                        .collect();
                    let fields = self.types.fields(fields.iter().zip(properties.iter().map(String::as_str)));
                    out.line(format!("[{}, {fields}],", quoted(&it.name)));
                }
            });
            let predicates = machine.predicates.iter().zip(&self.idents.predicates);
            let predicates: Vec<String> = predicates.map(|(it, method)| format!("[{}, {}]", quoted(&it.name), quoted(method))).collect();
            out.line(format!("predicates: [{}],", predicates.join(", ")));
            inside(out);
        });
    }
}
