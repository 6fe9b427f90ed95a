//! The class of a machine, and what callers use besides.

use super::decide::NOTHING;
use super::forms::{alias, data_class, define, union};
use super::idents::{docstring, quoted};
use super::imports::FINAL;
use super::types::Types;
use crate::idents::Signature;
use crate::writer::Writer;

/// Texts that depend on what a machine has.
struct Parts {
    /// `, predicates: Predicates`
    predicates: &'static str,
    /// `, predicates`
    pass: &'static str,
    /// The predicates that a chart takes.
    given: &'static str,
    /// The states of `self` as a tuple.
    states: &'static str,
    /// The context of `self`.
    context: &'static str,
    /// `, context: Context = Context()`
    new_context: &'static str,
    /// The context at creation.
    at_creation: &'static str,
}

/// A method that returns a refusal, and one that raises it.
struct Pair<'a> {
    name: &'a str,
    doc: &'a str,
    /// The parameters behind `self` or `cls`.
    parameters: String,
    /// The arguments that the second passes on.
    arguments: String,
    is_class_method: bool,
    body: Vec<String>,
}

impl Types<'_> {
    fn parts(&self) -> Parts {
        let machine = self.machine;
        let asks = !machine.predicates.is_empty();
        let has_context = !machine.fields.is_empty();
        let has_default = machine.fields.iter().all(|it| it.default.is_some() || it.optional);
        Parts {
            predicates: if asks { ", predicates: Predicates" } else { "" },
            pass: if asks { ", predicates" } else { "" },
            given: if asks { "predicates" } else { "None" },
            states: if machine.has_regions() { "self.states" } else { "(self.state,)" },
            context: if has_context { "self.context" } else { "None" },
            new_context: match (has_context, has_default) {
                (false, _) => "",
                (true, true) => ", context: Context = Context()",
                (true, false) => ", context: Context",
            },
            at_creation: if has_context { "context" } else { "None" },
        }
    }

    /// The inputs of steps, for the signatures of functions.
    pub(super) fn inputs(&self, out: &mut Writer) {
        let event = match (self.events().is_empty(), self.timers().is_empty()) {
            (false, false) => "Event | Timer",
            (false, true) => "Event",
            (true, false) => "Timer",
            (true, true) => "None",
        };
        union(out, "_Event", [event]);
        alias(out, "_Input", if event == "None" { "None" } else { "_Event | None" });
        if !self.events().is_empty() {
            let fixed = out.imports.name(FINAL);
            out.block(format!("_KINDS: {fixed}[dict[type[Event], EventKind]] = {{"), "}", |out| {
                self.events().iter().for_each(|it| out.line(format!("{}: EventKind.{},", self.idents.event(*it), self.idents.kind(*it))));
            });
        }
    }

    /// The refusals and the class of the machine.
    pub(super) fn api(&self, out: &mut Writer, is_open: bool) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        define(out, "class Refused(statespec.Refusal[State, EventKind]):");
        out.line("    \"\"\"Why a call was refused: the reason, its text, and what is allowed. Nothing changed.\"\"\"");
        data_class(out, name, "");
        out.indented(|out| {
            out.line(docstring(machine.doc.as_deref().unwrap_or(&machine.title)));
            match machine.has_regions() {
                true => {
                    out.line("\nstates: tuple[State, ...]\n\"\"\"The innermost states, one in each region, in the order of the spec.\"\"\"")
                }
                false => out.line("\nstate: State"),
            }
            if !machine.fields.is_empty() {
                out.line("context: Context");
            }
            self.creation(out);
            self.queries(out);
            self.calls(out);
            self.clock(out);
            self.stored(out, is_open);
        });
        self.behind(out);
    }

    fn creation(&self, out: &mut Writer) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let parts = self.parts();
        if machine.edges_from(None).is_empty() {
            let initial: Vec<String> = machine.initial().leaves().map(|it| self.idents.leaf(it)).collect();
            let state = if machine.has_regions() { super::idents::tuple(initial) } else { initial.join(", ") };
            let context = if machine.fields.is_empty() { "" } else { ", context" };
            out.line(format!("\n@classmethod\ndef new(cls{}) -> {name}:", parts.new_context));
            out.line(format!("    \"\"\"A machine in its first state.\"\"\"\n    return {name}({state}{context})"));
            return;
        }
        let call = |kind: &str| format!("return _call((), {}, {kind}.value, event, {kind}, None, {})", parts.at_creation, parts.given);
        let arguments = format!("{}{}", parts.pass, if machine.fields.is_empty() { "" } else { ", context=context" });
        // A parameter without a default comes first.
        let new_context = if parts.new_context.is_empty() { String::new() } else { format!(", *{}", parts.new_context) };
        self.pair(
            out,
            &Pair {
                name: "create",
                doc: "Creates a machine with an event",
                parameters: format!("event: Event{}{new_context}", parts.predicates),
                arguments: format!("event{arguments}"),
                is_class_method: true,
                body: vec!["kind = _KINDS[type(event)]".into(), call("kind")],
            },
        );
        if !machine.actors.is_empty() {
            let refused = "return _refused((), kind, None, statespec.Denied(statespec.Reason.ACTOR), actor)";
            let body = ["kind = _KINDS[type(event)]", "if not may_raise(actor, kind):", &format!("    {refused}"), &call("kind")];
            self.pair(
                out,
                &Pair {
                    name: "create_as",
                    doc: "Creates a machine with an event in the name of an actor",
                    parameters: format!("actor: Actor, event: Event{}{new_context}", parts.predicates),
                    arguments: format!("actor, event{arguments}"),
                    is_class_method: true,
                    body: body.map(String::from).into(),
                },
            );
        }
    }

    fn queries(&self, out: &mut Writer) {
        let has_composites = self.machine.composites().next().is_some();
        if has_composites {
            out.line("\ndef is_in(self, state: State | Composite) -> bool:");
            out.line("    \"\"\"Whether the machine is in a state, or in one inside it.\"\"\"");
            out.line(format!("    return CHART.is_in({}, state.value)", self.parts().states));
        } else if self.machine.has_regions() {
            out.line("\ndef is_in(self, state: State) -> bool:\n    \"\"\"Whether the machine is in a state.\"\"\"");
            out.line("    return state in self.states");
        }
        out.line("\n@property\ndef allowed(self) -> tuple[EventKind, ...]:");
        out.line("    \"\"\"The events that some row accepts here, guards and timers aside.\"\"\"");
        out.line(format!("    return CHART.allowed({})", self.parts().states));
    }

    fn calls(&self, out: &mut Writer) {
        let (machine, parts) = (self.machine, self.parts());
        let call = |cause: &str, event: &str, kind: &str, to: &str| {
            format!("return _call({}, {}, {cause}, {event}, {kind}, {to}, {})", parts.states, parts.context, parts.given)
        };
        if !self.events().is_empty() {
            self.pair(
                out,
                &Pair {
                    name: "apply",
                    doc: "What an event changes",
                    parameters: format!("event: Event{}", parts.predicates),
                    arguments: format!("event{}", parts.pass),
                    is_class_method: false,
                    body: vec!["kind = _KINDS[type(event)]".into(), call("kind.value", "event", "kind", "None")],
                },
            );
        }
        if !self.events().is_empty() && !machine.actors.is_empty() {
            let refused = format!("    return _refused({}, kind, None, statespec.Denied(statespec.Reason.ACTOR), actor)", parts.states);
            let pass = format!("return self.try_apply(event{})", parts.pass);
            let body = ["kind = _KINDS[type(event)]", "if not may_raise(actor, kind):", &refused, &pass];
            self.pair(
                out,
                &Pair {
                    name: "apply_as",
                    doc: "What an event changes in the name of an actor",
                    parameters: format!("actor: Actor, event: Event{}", parts.predicates),
                    arguments: format!("actor, event{}", parts.pass),
                    is_class_method: false,
                    body: body.map(String::from).into(),
                },
            );
        }
        if machine.has_direct() {
            let target = if machine.composites().next().is_some() { "State | Composite" } else { "State" };
            let direct = call("f\"> {CHART.end(target.value)}\"", "None", "None", "target.value");
            self.pair(
                out,
                &Pair {
                    name: "transition_to",
                    doc: "What a direct transition to a state changes",
                    parameters: format!("target: {target}{}", parts.predicates),
                    arguments: format!("target{}", parts.pass),
                    is_class_method: false,
                    body: vec![direct],
                },
            );
        }
    }

    /// A method `try_…` that returns a refusal, and one that raises it.
    fn pair(&self, out: &mut Writer, pair: &Pair<'_>) {
        let Pair { name, doc, parameters, arguments, is_class_method, body } = pair;
        let (decorator, this) = if *is_class_method { ("@classmethod\n", "cls") } else { ("", "self") };
        out.line(format!("\n{decorator}def try_{name}({this}, {parameters}) -> Change | Refused:"));
        out.line(format!("    \"\"\"{doc}, or why it is refused.\"\"\""));
        body.iter().for_each(|it| out.line(format!("    {it}")));
        out.line(format!("\n{decorator}def {name}({this}, {parameters}) -> Change:"));
        out.line(format!("    \"\"\"{doc}; raises `Refused`.\"\"\"\n    outcome = {this}.try_{name}({arguments})"));
        out.line("    if isinstance(outcome, Refused):\n        raise outcome\n    return outcome");
    }

    /// The methods of timers.
    fn clock(&self, out: &mut Writer) {
        if self.timers().is_empty() {
            return;
        }
        let parts = self.parts();
        let (states, context, given) = (parts.states, parts.context, parts.given);
        out.line("\ndef durations(self) -> dict[Timer, statespec.Duration]:");
        out.line("    \"\"\"The timers of this state, each with the time after which it elapses.\"\"\"");
        out.line(format!("    return {{it: _duration({context}, it) for it in statespec.running(CHART, Timer, {states})}}"));
        out.line("\ndef start_timers(self, now: statespec.Timestamp) -> Timers:");
        out.line("    \"\"\"All timers of this state start now: the machine is new, or was stored without its timers.\"\"\"");
        out.line("    return statespec.Timers({it: now for it in self.durations()})");
        out.line("\ndef due(self, timers: Timers) -> tuple[tuple[Timer, statespec.Timestamp], ...]:");
        out.line("    \"\"\"The running timers with the moments at which they are due.\"\"\"");
        out.line("    return statespec.due(timers, self.durations())");
        out.line("\ndef next_due(self, timers: Timers) -> tuple[Timer, statespec.Timestamp] | None:");
        out.line("    \"\"\"The timer that is due first, the first in the spec of several.\"\"\"");
        out.line("    return min(self.due(timers), key=lambda it: it[1], default=None)");
        out.line(format!("\ndef try_elapse(self, timer: Timer{}) -> Change | Refused:", parts.predicates));
        out.line("    \"\"\"What the end of a timer changes, or why it is refused.\"\"\"");
        out.line(format!("    return _call({states}, {context}, timer.value, timer, EventKind(timer.value), None, {given})"));
        let parameters = format!("timers: Timers, now: statespec.Timestamp{}", parts.predicates);
        out.line(format!("\ndef elapse(self, {parameters}) -> Elapsed | None:"));
        out.line("    \"\"\"Lets the timer elapse that is due first, if it is due now.\"\"\"");
        out.line("    first = self.next_due(timers)\n    if first is None or first[1] > now:\n        return None");
        out.line(format!("    result = self.try_elapse(first[0]{})", parts.pass));
        out.line("    after = timers.without(first[0]) if isinstance(result, Refused) else observe(timers, result, now)");
        out.line("    return Elapsed(first[0], first[1], result, after)");
    }

    fn stored(&self, out: &mut Writer, is_open: bool) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let state = if machine.has_regions() { "CHART.encode_states(self.states)" } else { "self.state" };
        let context = if machine.fields.is_empty() { "" } else { ", \"context\": encode_context(self.context)" };
        out.line("\ndef encode(self) -> statespec.Json:\n    \"\"\"The machine as JSON: its state, and its context.\"\"\"");
        out.line(format!("    return {{\"state\": {state}{context}}}"));
        let read = match machine.has_regions() {
            true => "statespec.read(fields, \"state\", lambda it, _: CHART.decode_states(it))",
            false => "statespec.read(fields, \"state\", statespec.read_state(State))",
        };
        let context =
            if machine.fields.is_empty() { "" } else { ", statespec.read(fields, \"context\", lambda it, _: decode_context(it))" };
        let returned = if is_open { format!("{name} | statespec.Unknown") } else { name.to_owned() };
        out.line(format!("\n@classmethod\ndef decode(cls, value: object) -> {returned}:"));
        let doc = match is_open {
            true => "The machine of its JSON; `Unknown` for a state of a newer version, and `DecodeError` for anything else.",
            false => "The machine of its JSON; `UnknownState` for a state of a newer version, and `DecodeError` for anything else.",
        };
        out.line(format!("    \"\"\"{doc}\"\"\""));
        out.line(format!("    fields = statespec.as_object(value, {})", quoted(&machine.name)));
        if is_open {
            out.line(format!("    try:\n        return {name}({read}{context})"));
            out.line("    except statespec.UnknownState as error:\n        return statespec.Unknown.of(error, value)");
        } else {
            out.line(format!("    return {name}({read}{context})"));
        }
    }

    /// What follows the class.
    fn behind(&self, out: &mut Writer) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        union(out, "Change", [format!("statespec.Change[{name}, State, Effect]").as_str()]);
        out.line("\"\"\"What a call changes.\"\"\"");
        if !self.timers().is_empty() {
            alias(out, "Timers", "statespec.Timers[Timer]");
            out.line("\"\"\"The running timers, with the moments at which they started.\"\"\"");
            data_class(out, "Elapsed", "");
            out.line("    \"\"\"A timer that has elapsed, and what came of it.\"\"\"");
            out.line("\n    timer: Timer\n    due: statespec.Timestamp\n    result: Change | Refused\n    timers: Timers");
            out.line("    \"\"\"The timers that run from here on.\"\"\"");
            define(out, "def observe(timers: Timers, change: Change, now: statespec.Timestamp) -> Timers:");
            out.line("    \"\"\"Starts and ends timers after a change, which may be a creation.\"\"\"");
            out.line("    return statespec.observe(CHART, Timer, timers, change.steps, now)");
            define(out, "def decode_timers(value: object) -> Timers:\n    \"\"\"Running timers as they were stored.\"\"\"");
            out.line("    return statespec.decode_timers(Timer, value)");
        }
        if !machine.actors.is_empty() && !machine.events.is_empty() {
            define(out, "def may_raise(actor: Actor, event: EventKind) -> bool:\n    \"\"\"Whether an actor may raise an event.\"\"\"");
            out.line("    return CHART.may_raise(actor, event)");
        }
        // Nothing calls a machine that has neither events nor direct transitions.
        if !machine.events.is_empty() || machine.has_direct() {
            self.called(out);
        }
        let fixed = out.imports.name(FINAL);
        define(out, format!("MACHINE: {fixed} = {name}\n\"\"\"The class of the machine, for tests.\"\"\""));
    }

    /// The functions behind all calls.
    fn called(&self, out: &mut Writer) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let Signature { context, predicates } = Signature::of(machine, NOTHING);
        let state = if machine.has_regions() { "plan.states" } else { "plan.states[0]" };
        let with_context = if machine.fields.is_empty() { "" } else { ", plan.context" };
        let kind = if machine.events.is_empty() { "None" } else { "EventKind | None" };
        let event = if machine.events.is_empty() { "None" } else { "_Input" };
        define(out, "def _call(");
        out.line(format!("    states: tuple[State, ...], context: {context}, cause: str, event: {event}, kind: {kind}, to: str | None, predicates: {predicates}"));
        out.line(") -> Change | Refused:\n    plan = CHART.plan(states, context, cause, event, predicates)");
        out.line("    if isinstance(plan, statespec.Denied):\n        return _refused(states, kind, to, plan)");
        out.line(format!("    return statespec.Change({name}({state}{with_context}), plan.steps, plan.calls, plan.commit)"));
        define(out, "def _refused(");
        out.line(
            "    states: tuple[State, ...], kind: EventKind | None, to: str | None, denied: statespec.Denied, actor: str | None = None",
        );
        out.line(") -> Refused:\n    return Refused(\n        CHART.message(states, kind, to, denied),");
        out.line(
            "        machine=CHART.machine,\n        states=states,\n        event=kind,\n        to=to,\n        reason=denied.reason,",
        );
        out.line("        allowed=CHART.allowed(states, actor),\n        row=denied.row,\n    )");
    }
}
