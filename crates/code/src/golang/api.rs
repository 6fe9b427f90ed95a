//! The struct of a machine, and what callers use besides.

use super::decide::NOTHING;
use super::idents::{comment, slice};
use super::types::{Types, doc, structure};
use crate::idents::Signature;
use crate::writer::Writer;

/// Texts that depend on what a machine has.
struct Parts {
    /// `, predicates Predicates`
    predicates: &'static str,
    /// `, predicates`
    pass: &'static str,
    /// The predicates that a chart takes.
    given: &'static str,
    /// `context Context, `
    context: &'static str,
    /// The context at creation as a chart takes it.
    at_creation: &'static str,
    /// That of a machine.
    of_machine: &'static str,
    /// The type of targets.
    target: &'static str,
    /// The text of a target.
    target_text: &'static str,
}

impl Types<'_> {
    fn parts(&self) -> Parts {
        let asks = !self.machine.predicates.is_empty();
        let has_context = !self.machine.fields.is_empty();
        let has_composites = self.has_composites();
        Parts {
            predicates: if asks { ", predicates Predicates" } else { "" },
            pass: if asks { ", predicates" } else { "" },
            given: if asks { "predicates" } else { "struct{}{}" },
            context: if has_context { ", context Context" } else { "" },
            at_creation: if has_context { "&context" } else { "new(struct{})" },
            of_machine: if has_context { "&m.Context" } else { "new(struct{})" },
            target: if has_composites { "Target" } else { "State" },
            target_text: if has_composites { "target.target()" } else { "string(target)" },
        }
    }

    /// The refusals, the machine, and its functions.
    pub(super) fn api(&self, out: &mut Writer, is_open: bool) {
        let name = self.idents.machine.as_str();
        doc(out, "Refused is why a call was refused: the reason, its text, and what is allowed. Nothing changed.");
        out.line("type Refused = statespec.Refused[State, EventKind]");
        doc(out, "Change is what a call changes.");
        out.line(format!("type Change = statespec.Change[{name}, State, Effect]"));
        self.machine_struct(out, is_open);
        self.creation(out);
        self.queries(out);
        self.calls(out);
        if !self.timers().is_empty() {
            self.clock(out);
        }
        self.requests(out);
        self.stored(out, is_open);
    }

    fn machine_struct(&self, out: &mut Writer, is_open: bool) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        out.line(format!("\n{}", comment(name, machine.doc.as_deref().unwrap_or(&machine.title))));
        let mut fields = match machine.has_regions() {
            true => vec![(
                Some(String::from("// States are the innermost states, one in each region, in the order of the spec.")),
                String::from("States"),
                String::from("[]State"),
            )],
            false => vec![(None, String::from("State"), String::from("State"))],
        };
        if !machine.fields.is_empty() {
            fields.push((None, String::from("Context"), String::from("Context")));
        }
        if is_open {
            fields.push((
                Some(String::from("// stored is the JSON of a machine in a state that this program does not know.")),
                String::from("stored"),
                String::from("string"),
            ));
        }
        structure(out, name, &fields);
        out.line(format!(
            "\nfunc (m {name}) states() []State {{\n\treturn {}\n}}",
            if machine.has_regions() { "m.States" } else { "[]State{m.State}" }
        ));
    }

    fn creation(&self, out: &mut Writer) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let parts = self.parts();
        if machine.edges_from(None).is_empty() {
            let initial = machine.initial().leaves().map(|it| self.idents.state(it).to_owned()).collect::<Vec<_>>();
            let state = match machine.has_regions() {
                true => format!("States: {}", slice("State", initial)),
                false => format!("State: {}", initial.join(", ")),
            };
            let (parameter, context) = if machine.fields.is_empty() { ("", "") } else { ("context Context", ", Context: context") };
            doc(out, "New is a machine in its first state.");
            out.line(format!("func New({parameter}) {name} {{\n\treturn {name}{{{state}{context}}}\n}}"));
            return;
        }
        doc(out, "Create makes a machine with an event; the error is a *Refused.");
        let arguments = format!("{}, statespec.OnEvent(event.position(), event), {}", parts.at_creation, parts.given);
        out.line(format!("func Create(event Event{}{}) (Change, error) {{", parts.context, parts.predicates));
        out.line(format!("\treturn changed(chart.Create({arguments}))\n}}"));
        if machine.actors.is_empty() {
            return;
        }
        doc(out, "CreateAs makes a machine in the name of an actor; the error is a *Refused.");
        out.line(format!("func CreateAs(actor Actor, event Event{}{}) (Change, error) {{", parts.context, parts.predicates));
        out.line("\tif refused := chart.Deny(nil, string(actor), statespec.OnEvent(event.position(), event)); refused != nil {");
        let context = if machine.fields.is_empty() { "" } else { ", context" };
        out.line(format!("\t\treturn Change{{}}, refused\n\t}}\n\treturn Create(event{context}{})\n}}", parts.pass));
    }

    fn queries(&self, out: &mut Writer) {
        let name = self.idents.machine.as_str();
        let parts = self.parts();
        if self.has_composites() || self.machine.has_regions() {
            doc(out, "Is is whether the machine is in a state, or in one inside it.");
            out.line(format!("func (m {name}) Is(target {}) bool {{", parts.target));
            out.line(format!("\treturn chart.IsIn(m.states(), {})\n}}", parts.target_text));
        }
        doc(out, "Allowed are the events that some row accepts here, guards and timers aside.");
        out.line(format!("func (m {name}) Allowed() []EventKind {{\n\treturn chart.Allowed(m.states()...)\n}}"));
        if !self.machine.actors.is_empty() {
            doc(out, "MayRaise is whether an actor may raise an event. Nobody raises a timer.");
            out.line("func MayRaise(actor Actor, event EventKind) bool {\n\treturn chart.MayRaise(string(actor), event)\n}");
        }
    }

    fn calls(&self, out: &mut Writer) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let parts = self.parts();
        let (predicates, pass) = (parts.predicates, parts.pass);
        doc(out, "Apply is what an event changes; the error is a *Refused. The machine itself stays as it is.");
        out.line(format!("func (m {name}) Apply(event Event{predicates}) (Change, error) {{"));
        out.line(format!("\treturn m.call(statespec.OnEvent(event.position(), event){pass})\n}}"));
        doc(out, "Plan is the same as Apply, for callers that ask what an event would change.");
        out.line(format!("func (m {name}) Plan(event Event{predicates}) (Change, error) {{\n\treturn m.Apply(event{pass})\n}}"));
        if !machine.actors.is_empty() {
            doc(out, "ApplyAs is what an event changes in the name of an actor; the error is a *Refused.");
            out.line(format!("func (m {name}) ApplyAs(actor Actor, event Event{predicates}) (Change, error) {{"));
            out.line("\tif refused := chart.Deny(m.states(), string(actor), statespec.OnEvent(event.position(), event)); refused != nil {");
            out.line(format!("\t\treturn Change{{}}, refused\n\t}}\n\treturn m.Apply(event{pass})\n}}"));
        }
        if machine.has_direct() {
            doc(out, "TransitionTo is what a direct transition to a state changes; the error is a *Refused.");
            out.line(format!("func (m {name}) TransitionTo(target {}{predicates}) (Change, error) {{", parts.target));
            out.line(format!("\treturn m.call(statespec.Direct[Event]({}){pass})\n}}", parts.target_text));
        }
        out.line(format!("\nfunc (m {name}) call(request statespec.Request[Event]{predicates}) (Change, error) {{"));
        out.line(format!("\treturn changed(chart.Plan(m.states(), {}, request, {}))\n}}", parts.of_machine, parts.given));
        let context = Signature::of(machine, NOTHING).context;
        out.line(format!("\nfunc changed(outcome statespec.Outcome[{context}, State, Effect], refused *Refused) (Change, error) {{"));
        out.line("\tif refused != nil {\n\t\treturn Change{}, refused\n\t}");
        // The states of an outcome are those of the chart.
        let state = if machine.has_regions() { "States: append([]State(nil), outcome.States...)" } else { "State: outcome.States[0]" };
        let with = if machine.fields.is_empty() { "" } else { ", Context: outcome.Context" };
        out.line(format!("\tmachine := {name}{{{state}{with}}}"));
        out.line("\treturn Change{Machine: machine, Steps: outcome.Steps, Calls: outcome.Calls, Commit: outcome.Commit}, nil\n}");
    }

    /// The functions of timers.
    fn clock(&self, out: &mut Writer) {
        let (name, parts) = (self.idents.machine.as_str(), self.parts());
        let Signature { context, .. } = Signature::of(self.machine, NOTHING);
        let (predicates, pass, of_machine) = (parts.predicates, parts.pass, parts.of_machine);
        doc(out, "Timers are the running timers, with the moments at which they started. Store them with the machine.");
        out.line("type Timers map[Timer]statespec.Timestamp");
        doc(out, "Due is a running timer and the moment at which it is due.");
        out.line("type Due = statespec.Due[Timer]");
        doc(out, "Elapsed is a timer that has elapsed, and what came of it.");
        out.line("type Elapsed struct {\n\tDue\n\t// Change is what it changed.\n\tChange Change");
        out.line(
            "\t// Err is a *Refused if it was refused.\n\tErr error\n\t// Timers are those that run from here on.\n\tTimers Timers\n}",
        );
        doc(out, "Durations are the timers of this state, each with the time after which it elapses.");
        out.line(format!("func (m {name}) Durations() map[Timer]statespec.Duration {{"));
        out.line(format!("\treturn statespec.Durations[{context}, Timer, State](chart, m.states(), {of_machine})\n}}"));
        doc(out, "StartTimers are the timers of this state, which start now: the machine is new, or was stored without its timers.");
        out.line(format!("func (m {name}) StartTimers(now statespec.Timestamp) Timers {{"));
        out.line(format!("\treturn statespec.StartTimers[{context}, Timer, State](chart, m.states(), now)\n}}"));
        doc(out, "Due are the running timers with the moments at which they are due.");
        out.line(format!("func (m {name}) Due(timers Timers) []Due {{"));
        out.line(format!("\treturn statespec.DueTimers[{context}, Timer, State](chart, timers, m.states(), {of_machine})\n}}"));
        doc(out, "NextDue is the timer that is due first, the first in the spec of several.");
        out.line(format!("func (m {name}) NextDue(timers Timers) (Due, bool) {{\n\treturn statespec.NextDue(m.Due(timers))\n}}"));
        doc(out, "ApplyTimer is what the end of a timer changes; the error is a *Refused, or a *statespec.DecodeError for no timer.");
        out.line(format!("func (m {name}) ApplyTimer(timer Timer{predicates}) (Change, error) {{"));
        out.line(format!("\trequest, err := TimerRequest(timer)\n\tif err != nil {{\n\t\treturn Change{{}}, err\n\t}}\n\treturn m.call(request{pass})\n}}"));
        doc(out, "Elapse lets the timer elapse that is due first, if it is due now.");
        out.line(format!("func (m {name}) Elapse(timers Timers, now statespec.Timestamp{predicates}) (Elapsed, bool) {{"));
        out.line("\tfirst, is := m.NextDue(timers)\n\tif !is || first.At > now {\n\t\treturn Elapsed{}, false\n\t}");
        out.line(format!("\tchange, err := m.ApplyTimer(first.Timer{pass})\n\tif err != nil {{"));
        out.line("\t\treturn Elapsed{Due: first, Err: err, Timers: timers.Without(first.Timer)}, true\n\t}");
        out.line("\treturn Elapsed{Due: first, Change: change, Timers: Observe(timers, change, now)}, true\n}");
        doc(out, "Without are the timers without one that has elapsed and was refused.");
        out.line("func (t Timers) Without(timer Timer) Timers {\n\treturn statespec.WithoutTimer(t, timer)\n}");
        doc(out, "Observe starts and ends timers after a change, which may be a creation.");
        out.line("func Observe(timers Timers, change Change, now statespec.Timestamp) Timers {");
        out.line(format!("\treturn statespec.ObserveTimers[{context}, Timer, State](chart, timers, change.Steps, now)\n}}"));
        doc(out, "DecodeTimers reads stored timers; one that the machine no longer has is ignored.");
        out.line("func DecodeTimers(data []byte) (Timers, error) {\n\treturn statespec.DecodeTimers(data, AllTimers())\n}");
        doc(out, "TimerRequest is the request of the end of a timer; a *statespec.DecodeError if there is no such timer.");
        out.line(
            "func TimerRequest(timer Timer) (statespec.Request[Event], error) {\n\tposition, is := chart.TimerPosition(string(timer))",
        );
        out.line("\tif !is {\n\t\t_, err := ParseTimer(string(timer))\n\t\treturn statespec.Request[Event]{}, err\n\t}");
        out.line("\treturn statespec.OnTimer[Event](position), nil\n}");
    }

    /// Any request as a value.
    fn requests(&self, out: &mut Writer) {
        let (name, parts) = (self.idents.machine.as_str(), self.parts());
        doc(out, "EventRequest is the request of an event.");
        out.line("func EventRequest(event Event) statespec.Request[Event] {\n\treturn statespec.OnEvent(event.position(), event)\n}");
        doc(out, "DirectRequest is the request of a direct transition to a state.");
        out.line(format!("func DirectRequest(target {}) statespec.Request[Event] {{", parts.target));
        out.line(format!("\treturn statespec.Direct[Event]({})\n}}", parts.target_text));
        doc(out, "ApplyRequest is what a request changes in a machine, or at creation if that is nil, for programs that replay requests.");
        let (context, predicates) = (parts.context, parts.predicates);
        out.line(format!("func ApplyRequest(machine *{name}, request statespec.Request[Event]{context}{predicates}) (Change, error) {{"));
        out.line(format!("\tif machine != nil {{\n\t\treturn machine.call(request{})\n\t}}", parts.pass));
        out.line(format!("\treturn changed(chart.Create({}, request, {}))\n}}", parts.at_creation, parts.given));
    }

    fn stored(&self, out: &mut Writer, is_open: bool) {
        let (machine, name) = (self.machine, self.idents.machine.as_str());
        let has_regions = machine.has_regions();
        doc(out, "MarshalStates are the states that are active together as Rust's serde writes them.");
        out.line("func MarshalStates(states []State) ([]byte, error) {\n\treturn chart.MarshalStates(states), nil\n}");
        doc(out, "MarshalJSON is the machine as Rust's serde writes it: its state, and its context.");
        out.block(format!("func (m {name}) MarshalJSON() ([]byte, error) {{"), "}", |out| {
            if is_open {
                out.line("if m.stored != \"\" && !chart.Knows(m.states()) {\n\treturn []byte(m.stored), nil\n}");
            }
            match has_regions {
                true => out.line("out := append([]byte(`{\"state\":`), chart.MarshalStates(m.States)...)"),
                false => out.line("out := statespec.AppendText([]byte(`{\"state\":`), m.State)"),
            }
            if !machine.fields.is_empty() {
                out.line("out = m.Context.append(append(out, `,\"context\":`...))");
            }
            out.line("return append(out, '}'), nil");
        });
        doc(out, "UnmarshalJSON reads a machine as Decode does.");
        out.line(format!("func (m *{name}) UnmarshalJSON(data []byte) error {{\n\tmachine, err := Decode(data)"));
        out.line("\tif err == nil {\n\t\t*m = machine\n\t}\n\treturn err\n}");
        doc(
            out,
            match is_open {
                true => {
                    "Decode reads a machine; a *statespec.DecodeError for what is none. A state that this program does not know is kept."
                }
                false => {
                    "Decode reads a machine; a *statespec.UnknownState for a state of a newer version, a *statespec.DecodeError for what is none."
                }
            },
        );
        out.block(format!("func Decode(data []byte) ({name}, error) {{"), "}", |out| {
            out.line(format!("value, err := statespec.Parse(data)\nif err != nil {{\n\treturn {name}{{}}, err\n}}"));
            out.line(format!("fields := statespec.Object(value, {})", super::idents::quoted(&machine.name)));
            let state = match has_regions {
                true => "States: statespec.Read(fields, \"state\", chart.ReadStates)",
                false => "State: statespec.Read(fields, \"state\", statespec.Named(ParseState))",
            };
            let context = if machine.fields.is_empty() { "" } else { ", Context: statespec.Read(fields, \"context\", decodeContext)" };
            let checked = format!("statespec.Checked({name}{{{state}{context}}}, fields)");
            if !is_open {
                out.line(format!("return {checked}"));
                return;
            }
            out.line(format!("machine, err := {checked}"));
            out.line("if text, is := statespec.IsUnknown(err); is {");
            let state = if has_regions { "States: []State{State(text)}" } else { "State: State(text)" };
            out.line(format!("\treturn {name}{{{state}, stored: string(data)}}, nil\n}}\nreturn machine, err"));
        });
    }
}
