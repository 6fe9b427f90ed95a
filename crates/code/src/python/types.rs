//! The types of a module: names, events, effects and the context as classes.

use statespec_lang::model::machine::{Field, Piece};
use statespec_lang::model::{ActorId, EffectId, EnumId, EventId, PredicateId, StateId, Type};

use super::expr::plain;
use super::forms::{checks, data_class, define, names, union};
use super::idents::{Own, docstring, quoted};
use super::imports::{ASSERT_NEVER, DECIMAL, FINAL, NEVER, PROTOCOL};
use crate::idents::Member;
use crate::writer::{Imports, Writer};

/// Prints the types of a machine.
pub(super) type Types<'a> = crate::idents::Types<'a, Own>;

impl Types<'_> {
    fn ty(&self, field: &Field, imports: &mut Imports) -> String {
        let name = match &field.ty {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Decimal => imports.name(DECIMAL),
            Type::Text => "str",
            Type::Duration => "statespec.Duration",
            Type::Timestamp => "statespec.Timestamp",
            Type::Reference => "statespec.Reference",
            Type::State => "State",
            Type::Enum(id) => &self.idents.enums[id.index()],
            // Neither is ever the type of a field.
            Type::Event | Type::List(_) => imports.name(NEVER),
        };
        if field.optional { format!("{name} | None") } else { name.to_owned() }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.enums(out);
        self.states(out);
        self.kinds(out);
        self.actors(out);
        self.constants(out);
        for id in self.events() {
            let event = self.machine.event(id);
            let doc = event.doc.clone().unwrap_or_else(|| format!("The event `{}`.", event.name));
            self.class(out, self.idents.event(id), &doc, &self.payload(id), false);
        }
        union(out, "Event", self.events().iter().map(|it| self.idents.event(*it)));
        if !self.machine.fields.is_empty() {
            self.class(out, "Context", "The data that is stored with the state.", &self.context(), true);
        }
        for (idx, effect) in self.machine.effects.iter().enumerate() {
            let id = EffectId::new(idx);
            let doc = effect.doc.clone().unwrap_or_else(|| format!("The effect `{}`.", effect.name));
            self.class(out, self.idents.effect(id), &doc, &self.taken(id), false);
        }
        union(out, "Effect", (0..self.machine.effects.len()).map(|it| self.idents.effect(EffectId::new(it))));
        self.messages(out);
        self.predicates(out);
    }

    fn constants(&self, out: &mut Writer) {
        out.apart(2);
        (0..self.machine.constants.len()).for_each(|it| self.constant(out, it));
    }

    fn constant(&self, out: &mut Writer, idx: usize) {
        let it = &self.machine.constants[idx];
        let field = Field {
            name: it.name.clone(),
            ty: it.ty.clone(),
            optional: false,
            informative: false,
            default: None,
            doc: None,
            label: None,
            aliases: Vec::new(),
            former: Vec::new(),
            span: it.span,
        };
        let ty = self.ty(&field, &mut out.imports);
        let value = plain(self.idents, &it.value, &mut out.imports);
        let fixed = out.imports.name(FINAL);
        let ident = self.idents.constant(statespec_lang::model::ConstantId::new(idx));
        out.line(format!("{ident}: {fixed}[{ty}] = {value}"));
        if let Some(doc) = &it.doc {
            out.line(docstring(doc));
        }
    }

    fn enums(&self, out: &mut Writer) {
        for (of, it) in self.machine.enums.iter().enumerate() {
            let doc = it.doc.clone().unwrap_or_else(|| format!("The values of `{}`.", it.name));
            let members = it.values.iter().enumerate();
            let members = members.map(|(idx, value)| (self.idents.value(EnumId::new(of), idx), value.wire.as_str(), value.doc.as_deref()));
            names(out, &self.idents.enums[EnumId::new(of).index()], &doc, members);
        }
    }

    fn states(&self, out: &mut Writer) {
        let machine = self.machine;
        let member = |id: StateId| (self.idents.state(id), machine.state(id).wire.as_str(), machine.state(id).doc.as_deref());
        let doc = match machine.has_regions() {
            true => "The innermost states; the machine may be in several at once.",
            false => "The states.",
        };
        names(out, "State", doc, machine.leaves().map(member));
        out.indented(|out| {
            property(out, "label", "str", "The text for people.");
            self.labels(out);
            property(out, "is_terminal", "bool", "Whether this is an outcome: the work has ended.");
            let terminal: Vec<String> = machine.leaves().filter(|it| machine.state(*it).terminal).map(|it| self.idents.leaf(it)).collect();
            let shown = if terminal.is_empty() { String::from("False") } else { format!("self in {{{}}}", terminal.join(", ")) };
            out.line(format!("    return {shown}"));
            property(out, "successors", "tuple[State, ...]", "The states that a row leads to, guards aside.");
            out.line("    return CHART.successors(self)");
            property(out, "events", "tuple[EventKind, ...]", "The events that some row accepts here, guards and timers aside.");
            out.line("    return CHART.allowed((self,))");
        });
        let composites: Vec<StateId> = machine.composites().collect();
        if !composites.is_empty() {
            names(out, "Composite", "States that contain others.", composites.into_iter().map(member));
        }
    }

    fn labels(&self, out: &mut Writer) {
        let labelled: Vec<StateId> = self.machine.leaves().filter(|it| self.machine.state(*it).label.is_some()).collect();
        if labelled.is_empty() {
            out.line("    return self.value");
            return;
        }
        out.indented(|out| {
            out.block("match self:", "", |out| {
                for id in labelled {
                    let label = self.machine.state(id).label.as_deref().unwrap_or_default();
                    out.line(format!("case {}:\n    return {}", self.idents.leaf(id), quoted(label)));
                }
                out.line("case _:\n    return self.value");
            });
        });
    }

    fn kinds(&self, out: &mut Writer) {
        let (machine, idents) = (self.machine, self.idents);
        let member = |id: EventId| (idents.kind(id), machine.event(id).name.as_str(), machine.event(id).doc.as_deref());
        let doc = if self.timers().is_empty() { "The names of the events." } else { "The names of the events and of the timers." };
        let all: Vec<EventId> = (0..machine.events.len()).map(EventId::new).collect();
        names(out, "EventKind", doc, all.into_iter().map(member));
        let timers = self.timers();
        if !timers.is_empty() {
            names(out, "Timer", "The timers, each by the event with which it ends.", timers.into_iter().map(member));
        }
    }

    fn actors(&self, out: &mut Writer) {
        if self.machine.actors.is_empty() {
            return;
        }
        let members = self.machine.actors.iter().enumerate();
        let members = members.map(|(idx, it)| (self.idents.actor(ActorId::new(idx)), it.name.as_str(), Some(it.doc.as_str())));
        names(out, "Actor", "Who raises events, or does the work that events start.", members);
    }

    fn class(&self, out: &mut Writer, name: &str, doc: &str, members: &[Member<'_>], by_name: bool) {
        let options = if by_name { ", kw_only=True" } else { "" };
        data_class(out, name, options);
        out.indented(|out| {
            out.line(docstring(doc));
            if !members.is_empty() {
                out.blank();
            }
            for Member { ident, field } in members {
                let default = match &field.default {
                    _ if !by_name => String::new(),
                    Some(literal) => format!(" = {}", plain(self.idents, literal, &mut out.imports)),
                    None if field.optional => String::from(" = None"),
                    None => String::new(),
                };
                let ty = self.ty(field, &mut out.imports);
                out.line(format!("{ident}: {ty}{default}"));
                if let Some(doc) = &field.doc {
                    out.line(docstring(doc));
                }
            }
            checks(out, members.iter().map(|it| (it.ident, it.field.name.as_str(), &it.field.ty)));
        });
    }

    fn messages(&self, out: &mut Writer) {
        if self.machine.effects.iter().all(|it| it.message.is_none()) {
            return;
        }
        let assert_never = out.imports.name(ASSERT_NEVER);
        define(out, "def message(effect: Effect) -> str | None:\n    \"\"\"The text of an effect, if the spec has one.\"\"\"");
        out.indented(|out| {
            out.line("match effect:");
            out.indented(|out| {
                for (idx, effect) in self.machine.effects.iter().enumerate() {
                    let id = EffectId::new(idx);
                    out.line(format!("case {}():", self.idents.effect(id)));
                    let piece = |it: &Piece| match it {
                        Piece::Text(text) => quoted(text),
                        Piece::Taken(at) => shown(&effect.takes[*at].field.ty, &format!("effect.{}", self.idents.taken(id, *at))),
                    };
                    let text = effect.message.as_ref().map(|it| it.iter().map(piece).collect::<Vec<_>>().join(" + "));
                    let text = text.map_or_else(|| String::from("None"), |it| if it.is_empty() { String::from("\"\"") } else { it });
                    out.line(format!("    return {text}"));
                }
                out.line(format!("case _:\n    {assert_never}(effect)"));
            });
        });
    }

    fn predicates(&self, out: &mut Writer) {
        if self.machine.predicates.is_empty() {
            return;
        }
        let protocol = out.imports.name(PROTOCOL);
        define(out, format!("class Predicates({protocol}):\n    \"\"\"Conditions that the program decides.\"\"\""));
        out.indented(|out| {
            for (idx, it) in self.machine.predicates.iter().enumerate() {
                let doc = it.doc.clone().unwrap_or_else(|| format!("The condition `{}`.", it.name));
                out.line(format!("\ndef {}(self) -> bool:", self.idents.predicate(PredicateId::new(idx))));
                out.line(format!("    {}\n    ...", docstring(&doc)));
            }
        });
    }
}

fn property(out: &mut Writer, name: &str, ty: &str, doc: &str) {
    out.line(format!("\n@property\ndef {name}(self) -> {ty}:\n    {}", docstring(doc)));
}

/// A value in a message.
fn shown(ty: &Type, value: &str) -> String {
    let function = match ty {
        Type::Bool => "show_bool",
        Type::Decimal => "show_decimal",
        Type::Duration => "show_duration",
        Type::Timestamp => "show_timestamp",
        _ => "show",
    };
    format!("statespec.{function}({value})")
}
