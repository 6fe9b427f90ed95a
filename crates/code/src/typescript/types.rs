//! The exported types of a machine: states, events, effects, the context, enums.

use statespec_lang::model::machine::{Enum, Field};
use statespec_lang::model::{Literal, Machine, StateId, Type};

use super::expr::{UNREACHABLE, is_safe, literal};
use super::idents::{Idents, key, member, quoted, taken};
use super::{Int, Style};
use crate::writer::Writer;

/// What is printed.
pub(super) struct Types<'a> {
    pub(super) machine: &'a Machine,
    pub(super) idents: &'a Idents,
    pub(super) style: &'a Style,
}

/// The comment of an item, if it has a description.
pub(super) fn doc(out: &mut Writer, text: Option<&str>) {
    let Some(text) = text else { return };
    // A description cannot end the comment.
    let text = text.replace("*/", "* /");
    let lines: Vec<&str> = text.trim().lines().collect();
    match lines.as_slice() {
        [] => {}
        [only] => out.line(format!("/** {only} */")),
        lines => {
            out.line("/**");
            lines.iter().for_each(|it| out.line(format!(" * {it}").trim_end()));
            out.line(" */");
        }
    }
}

impl Types<'_> {
    /// The type of leaves.
    pub(super) fn leaf(&self) -> &'static str {
        if self.machine.has_regions() { "Leaf" } else { "State" }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.states(out);
        self.enums(out);
        self.constants(out);
        self.context(out);
        self.events(out);
        self.effects(out);
        self.actors(out);
        self.predicates(out);
    }

    /// `export const NAME = { A: "a" } as const;` and the union of the same name.
    fn names<'n>(&self, out: &mut Writer, name: &str, about: &str, items: impl Iterator<Item = (&'n str, &'n str, Option<&'n str>)>) {
        out.blank();
        doc(out, Some(about));
        out.block(format!("export const {name} = {{"), "} as const;", |out| {
            for (ident, value, text) in items {
                doc(out, text);
                out.line(format!("{ident}: {},", quoted(value)));
            }
        });
        out.line(format!("export type {name} = (typeof {name})[keyof typeof {name}];"));
    }

    fn states(&self, out: &mut Writer) {
        let machine = self.machine;
        let items = |is_leaf: bool| {
            machine.state_ids().filter(move |it| machine.is_leaf(*it) == is_leaf).map(|it| {
                let state = machine.state(it);
                (self.idents.states[it.index()].as_str(), state.wire.as_str(), state.doc.as_deref())
            })
        };
        let about = match machine.has_regions() {
            true => "The innermost states; the machine may be in several at once.",
            false => "The states, as they are stored.",
        };
        self.names(out, self.leaf(), about, items(true));
        if machine.composites().next().is_some() {
            self.names(out, "Composite", "The states that contain other states.", items(false));
        }
        if machine.has_regions() {
            out.blank();
            doc(out, Some("What the machine is in: one state, or one in each region."));
            out.line(format!("export type State = {};", self.shape(None)));
        }
    }

    /// The type of what is active inside a state.
    fn shape(&self, whole: Option<StateId>) -> String {
        let machine = self.machine;
        if machine.is_parallel(whole) {
            let regions = machine.inside(whole);
            let regions = regions.iter().map(|it| format!("readonly {}: {}", member(&machine.state(*it).wire), self.shape(Some(*it))));
            return format!("{{ {} }}", regions.collect::<Vec<_>>().join("; "));
        }
        let mut ends = Vec::new();
        self.ends(whole, &mut ends);
        let ends = ends.into_iter().map(|it| match machine.is_leaf(it) {
            true => quoted(&machine.state(it).wire),
            false => format!("{{ readonly {}: {} }}", member(&machine.state(it).wire), self.shape(Some(it))),
        });
        ends.collect::<Vec<_>>().join(" | ")
    }

    /// The leaves and parallel states inside a state that no other parallel state surrounds.
    fn ends(&self, whole: Option<StateId>, ends: &mut Vec<StateId>) {
        for it in self.machine.inside(whole).iter() {
            match self.machine.is_leaf(*it) || self.machine.is_parallel(Some(*it)) {
                true => ends.push(*it),
                false => self.ends(Some(*it), ends),
            }
        }
    }

    fn enums(&self, out: &mut Writer) {
        for (it, (name, values)) in self.machine.enums.iter().zip(&self.idents.enums) {
            let items = it.values.iter().zip(values).map(|(it, ident)| (ident.as_str(), it.wire.as_str(), it.doc.as_deref()));
            self.names(out, name, it.doc.as_deref().unwrap_or("The values, as they are stored."), items);
        }
    }

    fn constants(&self, out: &mut Writer) {
        for (it, ident) in self.machine.constants.iter().zip(&self.idents.constants) {
            // A constant beyond the numbers that are safe is compared with, but not stored.
            let ty = if self.bigint(&it.value).is_some() { "bigint".to_owned() } else { self.ty(&it.ty) };
            let value = self.value(&it.value);
            out.blank();
            doc(out, it.doc.as_deref());
            out.line(format!("export const {ident}: {ty} = {value};"));
        }
    }

    /// The type of values.
    pub(super) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "boolean".into(),
            Type::Int | Type::Duration | Type::Timestamp => "s.Int".into(),
            Type::Decimal => "s.Decimal".into(),
            Type::Text => "string".into(),
            Type::Reference => "s.Reference".into(),
            Type::State => self.leaf().into(),
            Type::Enum(id) => self.idents.enums[id.index()].0.clone(),
            // Neither is ever the type of a field or of a constant.
            Type::Event | Type::List(_) => "never".into(),
        }
    }

    pub(super) fn field_ty(&self, field: &Field) -> String {
        let ty = self.ty(&field.ty);
        if field.optional { format!("{ty} | null") } else { ty }
    }

    /// How the values of a type are read and written.
    pub(super) fn codec(&self, field: &Field) -> String {
        let codec = match &field.ty {
            Type::Bool => "s.BOOL".to_owned(),
            Type::Int => "s.INT".to_owned(),
            Type::Decimal => "s.DECIMAL".to_owned(),
            Type::Text => "s.TEXT".to_owned(),
            Type::Duration => "s.DURATION".to_owned(),
            Type::Timestamp => "s.TIMESTAMP".to_owned(),
            Type::Reference => "s.REFERENCE".to_owned(),
            Type::State => "s.oneOf(\"state\", GRAPH.leaves)".to_owned(),
            Type::Enum(id) => self.enum_codec(&self.machine.enums[id.index()]),
            Type::Event | Type::List(_) => UNREACHABLE.to_owned(),
        };
        if field.optional { format!("s.optional({codec})") } else { codec }
    }

    fn enum_codec(&self, it: &Enum) -> String {
        let values: Vec<String> = it.values.iter().map(|it| quoted(&it.wire)).collect();
        let ignore_case = if it.ignore_case { ", true" } else { "" };
        format!("s.oneOf({}, [{}]{ignore_case})", quoted(&it.name), values.join(", "))
    }

    fn context(&self, out: &mut Writer) {
        if self.machine.fields.is_empty() {
            return;
        }
        out.blank();
        doc(out, Some("The context: data stored with the state."));
        out.block("export type Context = {", "};", |out| {
            for it in &self.machine.fields {
                doc(out, it.doc.as_deref());
                out.line(format!("readonly {}: {};", member(&it.name), self.field_ty(it)));
            }
        });
    }

    fn events(&self, out: &mut Writer) {
        let machine = self.machine;
        let all = || machine.events.iter().zip(&self.idents.events);
        if !machine.events.is_empty() {
            let items = all().map(|(it, ident)| (ident.as_str(), it.name.as_str(), it.doc.as_deref()));
            self.names(out, "EventName", "The events and timers, without their payloads.", items);
        }
        out.blank();
        doc(out, Some("The events that something outside raises."));
        let members = machine.events.iter().enumerate().filter(|(_, it)| it.timer.is_none()).map(|(idx, it)| {
            let event = statespec_lang::model::EventId::new(idx);
            let fields = machine.payload_fields(event);
            let fields: Vec<String> = fields
                .map(|(id, field)| format!("; readonly {}: {}", member(&self.idents.payload[id.index()]), self.field_ty(field)))
                .collect();
            (it.doc.as_deref(), format!("{{ readonly type: {}{} }}", quoted(&it.name), fields.concat()))
        });
        self.union(out, "Event", members.collect());
        let timers = machine.events.iter().filter(|it| it.timer.is_some());
        let mut recorded = vec![(None, "Event".to_owned())];
        recorded.extend(timers.map(|it| (it.doc.as_deref(), format!("{{ readonly type: {} }}", quoted(&it.name)))));
        out.blank();
        doc(out, Some("What a history records: events, and timers that have elapsed."));
        self.union(out, "Recorded", recorded);
    }

    fn union(&self, out: &mut Writer, name: &str, members: Vec<(Option<&str>, String)>) {
        if members.is_empty() {
            return out.line(format!("export type {name} = never;"));
        }
        out.line(format!("export type {name} ="));
        let last = members.len() - 1;
        out.indented(|out| {
            for (idx, (text, it)) in members.into_iter().enumerate() {
                doc(out, text);
                out.line(format!("| {it}{}", if idx == last { ";" } else { "" }));
            }
        });
    }

    fn effects(&self, out: &mut Writer) {
        let machine = self.machine;
        out.blank();
        doc(out, Some("The effects of steps, with the values that they take."));
        let members = machine.effects.iter().map(|it| {
            let fields = it.takes.iter().zip(taken(it)).map(|(taken, property)| {
                let ty = if taken.origin == statespec_lang::model::machine::Origin::From {
                    format!("{} | null", self.leaf())
                } else {
                    self.field_ty(&taken.field)
                };
                format!("; readonly {}: {ty}", member(&property))
            });
            (it.doc.as_deref(), format!("{{ readonly type: {}{} }}", quoted(&it.name), fields.collect::<String>()))
        });
        self.union(out, "Effect", members.collect());
    }

    fn actors(&self, out: &mut Writer) {
        if !self.machine.actors.is_empty() {
            let items = self.machine.actors.iter().zip(&self.idents.actors);
            let items = items.map(|(it, ident)| (ident.as_str(), it.name.as_str(), Some(it.doc.as_str())));
            self.names(out, "Actor", "The actors that raise events or do the work.", items);
        }
    }

    fn predicates(&self, out: &mut Writer) {
        if self.machine.predicates.is_empty() {
            return;
        }
        out.blank();
        doc(out, Some("The conditions that your code decides."));
        out.block("export interface Predicates {", "}", |out| {
            for (it, ident) in self.machine.predicates.iter().zip(&self.idents.predicates) {
                doc(out, it.doc.as_deref());
                out.line(format!("{ident}(): boolean;"));
            }
        });
    }

    /// The fields of a payload, of the context or of an effect, as the support file reads them.
    pub(super) fn fields<'f>(&self, fields: impl Iterator<Item = (&'f Field, &'f str)>) -> String {
        let fields: Vec<String> =
            fields.map(|(it, property)| format!("[{}, {}, {}]", quoted(&it.name), quoted(property), self.codec(it))).collect();
        format!("[{}]", fields.join(", "))
    }

    /// The value of a field at creation, where it has one.
    pub(super) fn default(&self, field: &Field) -> Option<String> {
        let default = field.default.as_ref().or_else(|| field.optional.then_some(&Literal::Null))?;
        Some(format!("{}: {}", key(&field.name), self.value(default)))
    }

    /// A value as it is stored.
    fn value(&self, value: &Literal) -> String {
        self.bigint(value).map_or_else(|| literal(self.machine, value), |it| format!("{it}n"))
    }

    /// The whole number that a value is, if it is a `bigint`.
    fn bigint(&self, value: &Literal) -> Option<i64> {
        match *value {
            Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it) => {
                (self.style.int == Int::Bigint || !is_safe(it)).then_some(it)
            }
            _ => None,
        }
    }
}
