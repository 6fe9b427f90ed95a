//! The functions of JSON: the shapes that Rust's serde has for emitted modules.

use statespec_lang::model::Type;
use statespec_lang::model::machine::Field;

use super::expr::plain_type;
use super::idents::{functions, quoted};
use super::types::{Types, doc};
use crate::idents::Member;
use crate::writer::Writer;

/// A struct with its name in JSON, its fields, and its other names.
type Shape<'a> = (&'a str, &'a str, Vec<Member<'a>>, Vec<&'a str>);

impl<'a> Types<'a> {
    /// Methods and functions that encode and decode events, effects and the context.
    pub(super) fn json(&self, out: &mut Writer) {
        let event = |id| {
            let event = self.machine.event(id);
            (self.idents.event(id), event.name.as_str(), self.payload(id), event.aliases.iter().map(String::as_str).collect())
        };
        let events: Vec<Shape<'a>> = self.events().into_iter().map(event).collect();
        self.functions(out, "Event", "an event", &events);
        let effect = |id| (self.idents.effect(id), self.machine.effect(id).name.as_str(), self.taken(id), Vec::new());
        let effects: Vec<Shape<'a>> = self.effects().map(effect).collect();
        self.functions(out, "Effect", "an effect", &effects);
        if self.machine.fields.is_empty() {
            return;
        }
        let context = self.context();
        doc(out, "MarshalJSON is the context as Rust's serde writes it.");
        out.line("func (c Context) MarshalJSON() ([]byte, error) {\n\treturn c.append(nil), nil\n}");
        out.block("\nfunc (c Context) append(out []byte) []byte {", "}", |out| {
            self.written(out, "{", &context, "}", "c");
        });
        doc(out, "UnmarshalJSON reads a context; a *statespec.DecodeError for anything else.");
        out.line("func (c *Context) UnmarshalJSON(data []byte) error {\n\tvalue, err := statespec.Parse(data)\n\tif err != nil {\n\t\treturn err\n\t}");
        out.line("\tcontext, err := decodeContext(value, \"the context\")\n\tif err == nil {\n\t\t*c = context\n\t}\n\treturn err\n}");
        out.line("\nfunc decodeContext(value any, what string) (Context, error) {\n\tfields := statespec.Object(value, what)");
        out.line(format!("\treturn statespec.Checked(Context{{{}}}, fields)\n}}", self.decoded(&context)));
    }

    fn functions(&self, out: &mut Writer, interface: &str, what: &str, shapes: &[Shape<'_>]) {
        for (ident, name, members, _) in shapes {
            doc(out, &format!("MarshalJSON is {what} as Rust's serde writes it."));
            out.block(format!("func (e {ident}) MarshalJSON() ([]byte, error) {{"), "}", |out| match members.is_empty() {
                true => out.line(format!("return []byte({}), nil", quoted(&json(name)))),
                false => {
                    out.line("var out []byte");
                    self.written(out, &format!("{{{}:{{", json(name)), members, "}}", "e");
                }
            });
        }
        doc(out, &format!("Decode{interface} reads {what}; a *statespec.DecodeError for anything else."));
        out.line(format!("func Decode{interface}(data []byte) ({interface}, error) {{\n\tvalue, err := statespec.Parse(data)"));
        out.line("\tif err != nil {\n\t\treturn nil, err\n\t}");
        let (lower, used) = (interface.to_lowercase(), if shapes.is_empty() { "_" } else { "member" });
        out.line(format!("\tname, {used}, err := statespec.Only(value, {})", quoted(what)));
        out.line("\tif err != nil {\n\t\treturn nil, err\n\t}");
        out.indented(|out| {
            if !shapes.is_empty() {
                out.line("switch name {");
                shapes.iter().for_each(|it| self.read(out, interface, it));
                out.line("}");
            }
            let names: String = shapes.iter().map(|it| format!(", {}", quoted(it.1))).collect();
            out.line(format!("return nil, statespec.UnknownName(name, {}{names})", quoted(&lower)));
        });
        out.line("}");
    }

    fn read(&self, out: &mut Writer, interface: &str, (ident, name, members, aliases): &Shape<'_>) {
        let names: Vec<String> = std::iter::once(name).chain(aliases).map(|it| quoted(it)).collect();
        out.line(format!("case {}:", names.join(", ")));
        out.indented(|out| match members.is_empty() {
            true => out.line(format!("return statespec.Checked[{interface}]({ident}{{}}, statespec.NoData(name, member))")),
            false => {
                out.line("fields := statespec.SomeData(name, member)");
                out.line(format!("return statespec.Checked[{interface}]({ident}{{{}}}, fields)", self.decoded(members)));
            }
        });
    }

    /// Appends an object to `out`, and returns it.
    fn written(&self, out: &mut Writer, open: &str, members: &[Member<'_>], close: &str, of: &str) {
        let mut before = open.to_owned();
        let returns = if of == "c" { "" } else { ", nil" };
        for Member { ident, field } in members {
            before.push_str(&format!("{}:", json(&field.name)));
            out.line(format!("out = append(out, {}...)", quoted(&before)));
            let write = self.writer(field);
            match field.optional {
                true => out.line(format!("out = statespec.AppendNull(out, {of}.{ident}, {write})")),
                false => out.line(format!("out = {write}(out, {of}.{ident})")),
            }
            before = String::from(",");
        }
        out.line(format!("return append(out, {}...){returns}", quoted(close)));
    }

    fn writer(&self, field: &Field) -> String {
        let plain = plain_type(self.idents, &field.ty);
        match field.ty {
            Type::Bool => "statespec.AppendBool".into(),
            Type::Int | Type::Duration | Type::Timestamp => format!("statespec.AppendInt[{plain}]"),
            Type::Decimal => "statespec.AppendDecimal".into(),
            Type::Reference => "statespec.AppendReference".into(),
            _ => format!("statespec.AppendText[{plain}]"),
        }
    }

    fn decoded(&self, members: &[Member<'_>]) -> String {
        let one = |Member { ident, field }: &Member<'_>| {
            let read = if field.optional { "ReadNull" } else { "Read" };
            format!("{ident}: statespec.{read}(fields, {}, {})", quoted(&field.name), self.reader(field))
        };
        members.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn reader(&self, field: &Field) -> String {
        let plain = plain_type(self.idents, &field.ty);
        match &field.ty {
            Type::Bool => "statespec.ReadBool".into(),
            Type::Int | Type::Duration | Type::Timestamp => format!("statespec.ReadInt[{plain}]"),
            Type::Decimal => "statespec.ReadDecimal".into(),
            Type::Reference => "statespec.ReadReference".into(),
            Type::State | Type::Enum(_) => format!("statespec.Named({})", functions(plain)[1]),
            // The others are never the type of a field.
            Type::Text | Type::Event | Type::List(_) => "statespec.ReadText".into(),
        }
    }
}

/// A name as JSON: names have no character that JSON escapes.
pub(super) fn json(name: &str) -> String {
    format!("\"{name}\"")
}
