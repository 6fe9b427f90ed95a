//! The functions of JSON: the shapes that Rust's serde has for emitted modules.

use statespec_lang::model::machine::Field;
use statespec_lang::model::{EffectId, EventId, Type};

use super::forms::define;
use super::idents::quoted;
use super::imports::ASSERT_NEVER;
use super::types::Types;
use crate::idents::Member;
use crate::writer::Writer;

impl Types<'_> {
    /// Functions that encode and decode events, effects and the context.
    pub(super) fn json(&self, out: &mut Writer) {
        let events: Vec<(&str, &str, Vec<Member<'_>>, Vec<&str>)> = self.events().into_iter().map(|it| self.event_shape(it)).collect();
        if !events.is_empty() {
            self.functions(out, "Event", "an event", &events);
        }
        let effects = (0..self.machine.effects.len()).map(EffectId::new);
        let effects = effects.map(|it| (self.idents.effect(it), self.machine.effect(it).name.as_str(), self.taken(it), Vec::new()));
        let effects: Vec<(&str, &str, Vec<Member<'_>>, Vec<&str>)> = effects.collect();
        if !effects.is_empty() {
            self.functions(out, "Effect", "an effect", &effects);
        }
        if self.machine.fields.is_empty() {
            return;
        }
        let context = self.context();
        define(out, "def encode_context(context: Context) -> dict[str, statespec.Json]:\n    \"\"\"The context as JSON.\"\"\"");
        out.line(format!("    return {}", encoded(&context, "context")));
        define(
            out,
            "def decode_context(value: object) -> Context:\n    \"\"\"The context of its JSON; `DecodeError` for anything else.\"\"\"",
        );
        out.line("    fields = statespec.as_object(value, \"the context\")");
        out.line(format!("    return Context({})", self.decoded(&context)));
    }

    fn event_shape(&self, id: EventId) -> (&str, &str, Vec<Member<'_>>, Vec<&str>) {
        let event = self.machine.event(id);
        (self.idents.event(id), &event.name, self.payload(id), event.aliases.iter().map(String::as_str).collect())
    }

    fn functions(&self, out: &mut Writer, union: &str, what: &str, shapes: &[(&str, &str, Vec<Member<'_>>, Vec<&str>)]) {
        let lower = union.to_lowercase();
        let capital = format!("{}{}", what[..1].to_uppercase(), &what[1..]);
        define(out, format!("def encode_{lower}({lower}: {union}) -> statespec.Json:\n    \"\"\"{capital} as JSON.\"\"\""));
        out.line(format!("    match {lower}:"));
        for (class, name, members, _) in shapes {
            out.line(format!("        case {class}():"));
            match members.is_empty() {
                true => out.line(format!("            return {}", quoted(name))),
                false => out.line(format!("            return {{{}: {}}}", quoted(name), encoded(members, &lower))),
            }
        }
        let assert_never = out.imports.name(ASSERT_NEVER);
        out.line(format!("        case _:\n            {assert_never}({lower})"));
        define(out, format!("def decode_{lower}(value: object) -> {union}:"));
        out.line(format!("    \"\"\"{capital} of its JSON; `DecodeError` for anything else.\"\"\""));
        out.line(format!("    name, data = statespec.as_only(value, {})\n    match name:", quoted(what)));
        for (class, name, members, aliases) in shapes {
            let names: Vec<String> = std::iter::once(name).chain(aliases).map(|it| quoted(it)).collect();
            out.line(format!("        case {}:", names.join(" | ")));
            match members.is_empty() {
                true => out.line(format!("            statespec.no_data(name, data)\n            return {class}()")),
                false => {
                    out.line("            fields = statespec.some_data(name, data)");
                    out.line(format!("            return {class}({})", self.decoded(members)));
                }
            }
        }
        let names: Vec<String> = shapes.iter().map(|it| quoted(it.1)).collect();
        out.line(format!("        case _:\n            raise statespec.unknown_name(name, {}, [{}])", quoted(&lower), names.join(", ")));
    }

    fn decoded(&self, members: &[Member<'_>]) -> String {
        let one = |Member { ident, field }: &Member<'_>| {
            let read = if field.optional { "read_optional" } else { "read" };
            format!("{ident}=statespec.{read}(fields, {}, {})", quoted(&field.name), self.reader(field))
        };
        members.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn reader(&self, field: &Field) -> String {
        match &field.ty {
            Type::Bool => "statespec.read_bool".into(),
            Type::Int | Type::Duration | Type::Timestamp => "statespec.read_int".into(),
            Type::Decimal => "statespec.read_decimal".into(),
            Type::Text => "statespec.read_text".into(),
            Type::Reference => "statespec.read_reference".into(),
            Type::State => "statespec.read_state(State)".into(),
            Type::Enum(id) => {
                let of = &self.machine.enums[id.index()];
                let ignores = if of.ignore_case { ", ignore_case=True" } else { "" };
                format!("statespec.read_name({}, {}{ignores})", self.idents.enums[id.index()], quoted(&of.name))
            }
            // Neither is ever the type of a field.
            Type::Event | Type::List(_) => super::idents::UNREACHABLE.into(),
        }
    }
}

fn encoded(members: &[Member<'_>], of: &str) -> String {
    let one = |Member { ident, field }: &Member<'_>| {
        let value = match field.ty {
            Type::Decimal => format!("statespec.encode_decimal({of}.{ident})"),
            _ => format!("{of}.{ident}"),
        };
        format!("{}: {value}", quoted(&field.name))
    };
    format!("{{{}}}", members.iter().map(one).collect::<Vec<_>>().join(", "))
}
