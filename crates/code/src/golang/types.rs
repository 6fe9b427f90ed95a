//! The types of a package: names, events, effects and the context.

use statespec_lang::model::machine::{Field, Piece};
use statespec_lang::model::{ActorId, ConstantId, EffectId, EventId, FieldId, PredicateId, StateId, Type};

use super::expr::{field_type, plain, plain_type};
use super::idents::{Idents, Own, aligned, comment, functions, quoted, remark, slice};
use crate::idents::Member;
use crate::writer::Writer;

/// Prints the types of a machine.
pub(super) type Types<'a> = crate::idents::Types<'a, Own>;

/// A constant of a type of names: its identifier, its text, and its description.
type Name<'a> = (&'a str, &'a str, Option<&'a str>);

impl Types<'_> {
    pub(super) fn effects(&self) -> impl Iterator<Item = EffectId> + use<> {
        (0..self.machine.effects.len()).map(EffectId::new)
    }

    pub(super) fn has_composites(&self) -> bool {
        self.machine.composites().next().is_some()
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.states(out);
        self.enums(out);
        self.actors(out);
        self.constants(out);
        self.kinds(out);
        self.event_structs(out);
        self.effect_structs(out);
        if !self.machine.fields.is_empty() {
            doc(out, "Context is the data that is stored with the state.");
            structure(out, "Context", &self.lines(&self.context()));
            self.new_context(out);
        }
        self.predicates(out);
    }

    fn states(&self, out: &mut Writer) {
        let machine = self.machine;
        let member = |id: StateId| (self.idents.state(id), machine.state(id).wire.as_str(), machine.state(id).doc.as_deref());
        let about = match machine.has_regions() {
            true => "is an innermost state; the machine may be in several at once.",
            false => "is a state.",
        };
        let leaves: Vec<Name<'_>> = machine.leaves().map(member).collect();
        names(out, "State", about, &leaves);
        parse(out, "State", "a *statespec.UnknownState", "statespec.ParseState(text, AllStates())");
        doc(out, "Label is the text for people.");
        let labels = machine.leaves().filter_map(|it| Some((self.idents.state(it), machine.state(it).label.as_deref()?)));
        let labels: Vec<(&str, String)> = labels.map(|(ident, label)| (ident, quoted(label))).collect();
        out.block("func (s State) Label() string {", "}", |out| {
            if !labels.is_empty() {
                cases(out, "s", labels.iter().map(|(ident, label)| ((*ident).to_owned(), label.as_str())));
            }
            out.line("return string(s)");
        });
        doc(out, "IsTerminal is whether this is an outcome: the work has ended.");
        let terminal: Vec<String> =
            machine.leaves().filter(|it| machine.state(*it).terminal).map(|it| self.idents.state(it).to_owned()).collect();
        out.block("func (s State) IsTerminal() bool {", "}", |out| match terminal.is_empty() {
            true => out.line("return false"),
            false => out.line(format!("return statespec.In(s, {})", slice("State", terminal))),
        });
        out.line("\n// Successors are the states that a row leads to, guards aside.");
        out.line("func (s State) Successors() []State {\n\treturn chart.Successors(s)\n}");
        out.line("\n// Events are the events that some row accepts here, guards and timers aside.");
        out.line("func (s State) Events() []EventKind {\n\treturn chart.Allowed(s)\n}");
        if self.has_composites() {
            let composites: Vec<Name<'_>> = machine.composites().map(member).collect();
            names(out, "Composite", "is a state that contains others.", &composites);
            parse(out, "Composite", "a *statespec.UnknownState", "statespec.ParseState(text, AllComposites())");
            out.line("\n// Target is a State or a Composite.\ntype Target interface {\n\ttarget() string\n}");
            for ty in ["State", "Composite"] {
                let receiver = ty[..1].to_lowercase();
                out.line(format!("\nfunc ({receiver} {ty}) target() string {{ return string({receiver}) }}"));
            }
        }
    }

    fn enums(&self, out: &mut Writer) {
        for (of, it) in self.machine.enums.iter().enumerate() {
            let name = self.idents.enums[of].as_str();
            let id = statespec_lang::model::EnumId::new(of);
            let members = it.values.iter().enumerate();
            let members: Vec<Name<'_>> =
                members.map(|(idx, value)| (self.idents.value(id, idx), value.wire.as_str(), value.doc.as_deref())).collect();
            let about = it
                .doc
                .as_ref()
                .map_or_else(|| format!("is a value of `{}`.", it.name), |doc| format!("is a value of `{}`: {doc}", it.name));
            names(out, name, &about, &members);
            let [all, _] = functions(name);
            parse(
                out,
                name,
                "a *statespec.DecodeError",
                &format!("statespec.ParseName(text, {}, {all}(), {})", quoted(&it.name), it.ignore_case),
            );
        }
    }

    fn actors(&self, out: &mut Writer) {
        if self.machine.actors.is_empty() {
            return;
        }
        let members = self.machine.actors.iter().enumerate();
        let members: Vec<Name<'_>> =
            members.map(|(idx, it)| (self.idents.actor(ActorId::new(idx)), it.name.as_str(), Some(it.doc.as_str()))).collect();
        names(out, "Actor", "is who raises events, or does the work that events start.", &members);
        parse(out, "Actor", "a *statespec.DecodeError", "statespec.ParseName(text, \"actor\", AllActors(), false)");
    }

    fn constants(&self, out: &mut Writer) {
        for (idx, it) in self.machine.constants.iter().enumerate() {
            let ident = self.idents.constant(ConstantId::new(idx));
            out.blank();
            if let Some(text) = &it.doc {
                out.line(comment(ident, text));
            }
            let (ty, value) = (plain_type(self.idents, &it.ty), plain(self.idents, &it.value));
            match it.ty {
                Type::Decimal => out.line(format!("var {ident} = {value}")),
                _ => out.line(format!("const {ident} {ty} = {value}")),
            }
        }
    }

    fn kinds(&self, out: &mut Writer) {
        let (machine, idents) = (self.machine, self.idents);
        let about = if self.timers().is_empty() { "is the name of an event." } else { "is the name of an event or of a timer." };
        let all = (0..machine.events.len()).map(EventId::new);
        let all: Vec<Name<'_>> =
            all.map(|id| (idents.kind(id), machine.event(id).name.as_str(), machine.event(id).doc.as_deref())).collect();
        names(out, "EventKind", about, &all);
        parse(out, "EventKind", "a *statespec.DecodeError", "statespec.ParseName(text, \"event\", AllEventKinds(), false)");
        let timers = self.timers();
        if !timers.is_empty() {
            let timers: Vec<Name<'_>> =
                timers.iter().map(|id| (idents.timer(*id), machine.event(*id).name.as_str(), machine.event(*id).doc.as_deref())).collect();
            names(out, "Timer", "is a timer, by the event with which it ends.", &timers);
            parse(out, "Timer", "a *statespec.DecodeError", "statespec.ParseName(text, \"timer\", AllTimers(), false)");
        }
    }

    fn event_structs(&self, out: &mut Writer) {
        let structs: Vec<&str> = self.events().into_iter().map(|it| self.idents.event(it)).collect();
        doc(out, &format!("Event is something that happens: {}.", one_of(&structs)));
        out.line("type Event interface {\n\tMarshalJSON() ([]byte, error)\n\tkind() EventKind\n\tposition() int\n}");
        doc(out, "KindOf is the name of an event.");
        out.line("func KindOf(event Event) EventKind {\n\treturn event.kind()\n}");
        for id in self.events() {
            let (event, ident) = (self.machine.event(id), self.idents.event(id));
            let text = event.doc.clone().unwrap_or_else(|| format!("the event `{}`.", event.name));
            out.line(format!("\n{}", comment(ident, &text)));
            structure(out, ident, &self.lines(&self.payload(id)));
            out.line(format!("\nfunc ({ident}) kind() EventKind {{ return {} }}", self.idents.kind(id)));
            out.line(format!("\nfunc ({ident}) position() int {{ return {} }}", id.index()));
        }
    }

    fn effect_structs(&self, out: &mut Writer) {
        let structs: Vec<&str> = self.effects().map(|it| self.idents.effect(it)).collect();
        doc(out, &format!("Effect is something to be done: {}.", one_of(&structs)));
        out.line("type Effect interface {\n\tMarshalJSON() ([]byte, error)\n\tmessage() (string, bool)\n}");
        doc(out, "MessageOf is the text of an effect, if the spec has one.");
        out.line("func MessageOf(effect Effect) (string, bool) {\n\treturn effect.message()\n}");
        for id in self.effects() {
            let (effect, ident) = (self.machine.effect(id), self.idents.effect(id));
            let text = effect.doc.clone().unwrap_or_else(|| format!("the effect `{}`.", effect.name));
            out.line(format!("\n{}", comment(ident, &text)));
            structure(out, ident, &self.lines(&self.taken(id)));
            let piece = |it: &Piece| match it {
                Piece::Text(text) => quoted(text),
                Piece::Taken(at) => shown(self.idents, &effect.takes[*at].field, &format!("e.{}", self.idents.taken(id, *at))),
            };
            let text = effect.message.as_ref().map(|it| it.iter().map(piece).collect::<Vec<_>>().join(" + "));
            let text = text.map(|it| if it.is_empty() { String::from("\"\"") } else { it });
            out.block(format!("\nfunc (e {ident}) message() (string, bool) {{"), "}", |out| match text {
                Some(text) => {
                    out.line(format!("text := {text}"));
                    out.line("return text, true");
                }
                None => out.line("return \"\", false"),
            });
        }
    }

    fn new_context(&self, out: &mut Writer) {
        let required = |it: &&Member<'_>| it.field.default.is_none() && !it.field.optional;
        let context = self.context();
        let (mut parameters, mut values) = (Vec::new(), Vec::new());
        for (idx, it) in context.iter().enumerate() {
            let parameter = self.idents.parameter(FieldId::new(idx));
            if required(&it) {
                parameters.push(format!("{parameter} {}", field_type(self.idents, it.field)));
                values.push(format!("{}: {parameter}", it.ident));
            } else if let Some(literal) = it.field.default.as_ref().filter(|it| **it != statespec_lang::model::Literal::Null) {
                let plain_type = plain_type(self.idents, &it.field.ty);
                let value = super::expr::fitted(plain(self.idents, literal), plain_type, false, it.field.optional);
                values.push(format!("{}: {value}", it.ident));
            }
        }
        doc(out, "NewContext is the context of a new machine.");
        out.block(format!("func NewContext({}) Context {{", parameters.join(", ")), "}", |out| {
            out.line(format!("return Context{{{}}}", values.join(", ")));
        });
    }

    fn predicates(&self, out: &mut Writer) {
        if self.machine.predicates.is_empty() {
            return;
        }
        doc(out, "Predicates are conditions that the program decides.");
        out.block("type Predicates interface {", "}", |out| {
            for (idx, it) in self.machine.predicates.iter().enumerate() {
                let ident = self.idents.predicate(PredicateId::new(idx));
                let text = it.doc.clone().unwrap_or_else(|| format!("the condition `{}`.", it.name));
                out.line(format!("{}\n{ident}() bool", comment(ident, &text)));
            }
        });
    }

    fn lines(&self, members: &[Member<'_>]) -> Vec<(Option<String>, String, String)> {
        let line = |it: &Member<'_>| {
            (it.field.doc.as_ref().map(|doc| comment(it.ident, doc)), it.ident.to_owned(), field_type(self.idents, it.field))
        };
        members.iter().map(line).collect()
    }
}

/// An empty line and a comment.
pub(super) fn doc(out: &mut Writer, text: &str) {
    out.line(format!("\n// {text}"));
}

/// A struct of fields.
pub(super) fn structure(out: &mut Writer, name: &str, lines: &[(Option<String>, String, String)]) {
    match lines.is_empty() {
        true => out.line(format!("type {name} struct{{}}")),
        false => out.block(format!("type {name} struct {{"), "}", |out| aligned(lines).iter().for_each(|it| out.line(it))),
    }
}

/// `Pay, Cancel or Place`
fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::from("there is none"),
        [only] => (*only).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// A `switch` that returns a value for each name.
fn cases<'c>(out: &mut Writer, of: &str, values: impl Iterator<Item = (String, &'c str)>) {
    // The cases of a switch stand at its own level.
    out.line(format!("switch {of} {{"));
    values.for_each(|(name, value)| out.line(format!("case {name}:\n\treturn {value}")));
    out.line("}");
}

/// A type of names, their list, and whether one is among them.
fn names(out: &mut Writer, ty: &str, about: &str, members: &[Name<'_>]) {
    out.line(format!("\n{}\ntype {ty} string", remark(ty, about)));
    let [all, _] = functions(ty);
    if !members.is_empty() {
        let line =
            |(ident, wire, doc): &Name<'_>| (doc.map(|doc| comment(ident, doc)), (*ident).to_owned(), format!("{ty} = {}", quoted(wire)));
        let lines: Vec<_> = members.iter().map(line).collect();
        out.block("\nconst (", ")", |out| aligned(&lines).iter().for_each(|it| out.line(it)));
    }
    doc(out, &format!("{all} is every {ty}, in the order of the spec."));
    let idents = || members.iter().map(|(ident, _, _)| (*ident).to_owned());
    out.line(format!("func {all}() []{ty} {{\n\treturn {}\n}}", slice(ty, idents())));
    doc(out, "Valid is whether the spec has it.");
    let receiver = ty.chars().next().into_iter().flat_map(char::to_lowercase).collect::<String>();
    let receiver = if receiver.is_ascii() { receiver } else { String::from("it") };
    out.block(format!("func ({receiver} {ty}) Valid() bool {{"), "}", |out| {
        if !members.is_empty() {
            cases(out, &receiver, std::iter::once((idents().collect::<Vec<_>>().join(", "), "true")));
        }
        out.line("return false");
    });
}

/// The function that parses a name.
fn parse(out: &mut Writer, ty: &str, error: &str, call: &str) {
    let [_, function] = functions(ty);
    doc(out, &format!("{function} is the {ty} with a name; {error} if there is none."));
    out.line(format!("func {function}(text string) ({ty}, error) {{\n\treturn {call}\n}}"));
}

/// A value in a message.
fn shown(idents: &Idents, field: &Field, value: &str) -> String {
    let plain = plain_type(idents, &field.ty);
    let function = match field.ty {
        Type::Bool => String::from("ShowBool"),
        Type::Int => String::from("ShowInt"),
        Type::Text | Type::State | Type::Enum(_) => format!("ShowText[{plain}]"),
        _ => format!("Show[{plain}]"),
    };
    match field.optional {
        true => format!("statespec.ShowNull(statespec.Null[{plain}]({value}), statespec.{function})"),
        false => format!("statespec.{function}({value})"),
    }
}
