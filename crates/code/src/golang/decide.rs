//! The functions that decide: guards, assignments, targets, effects, durations.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::machine::{Origin, Taken};
use statespec_lang::model::{EffectId, EventId, FieldId, Machine, Type};
use statespec_lang::program::{Action, Destination, Expr, Program};

use super::expr::{Exprs, carries, field_type, fitted, plain_type};
use super::idents::{Idents, slice};
use crate::idents::Signature;
use crate::writer::Writer;

/// Prints functions, and remembers their numbers for the tables.
pub(super) struct Decide<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) idents: &'a Idents,
    pub(super) exprs: Exprs<'a>,
    /// The destinations that no table states, each with the number of its function.
    pub(super) destinations: BTreeMap<Destination, usize>,
}

/// The type of a context or of predicates that a machine does not have.
pub(super) const NOTHING: &str = "struct{}";

impl<'a> Decide<'a> {
    fn machine(&self) -> &'a Machine {
        self.program.machine
    }

    fn context(&self) -> &'static str {
        Signature::of(self.machine(), NOTHING).context
    }

    /// The functions of all rows.
    pub(super) fn rows(&mut self, out: &mut Writer) {
        let program = self.program;
        let Signature { context, predicates } = Signature::of(self.machine(), NOTHING);
        for (idx, row) in program.rows.iter().enumerate() {
            self.exprs.events = self.machine().transitions[idx].events().to_vec();
            let conditions = [("guardDivides", &row.guard_divides), ("guard", &row.guard), ("divides", &row.divides)];
            for (name, expr) in conditions {
                if let Some(expr) = expr {
                    self.condition(out, &format!("{name}{idx}"), expr);
                }
            }
            if row.set.is_empty() {
                continue;
            }
            out.block(format!("\nfunc put{idx}(c *{context}, e Event, p {predicates}, at []State, to *{context}) {{"), "}", |out| {
                for it in &row.set {
                    let field = &self.machine().fields[it.field.index()];
                    let value = self.exprs.value(&it.value, &field.ty, field.optional);
                    out.line(format!("to.{} = {value}", self.idents.field(it.field)));
                }
            });
        }
    }

    fn condition(&mut self, out: &mut Writer, name: &str, expr: &Expr) {
        let Signature { context, predicates } = Signature::of(self.machine(), NOTHING);
        let text = self.exprs.text(expr);
        out.line(format!("\nfunc {name}(c *{context}, e Event, p {predicates}, at []State) bool {{\n\treturn {text}\n}}"));
    }

    /// The functions of histories, and of targets that a payload names.
    pub(super) fn targets(&mut self, out: &mut Writer) {
        let arms = self.program.cases.iter().chain(&self.program.passing).flat_map(|it| &it.arms);
        let named = arms.flat_map(|it| if let Action::Go(to) = &it.action { to.as_slice() } else { &[] });
        let computed: BTreeSet<Destination> = named.copied().filter(|it| !matches!(it, Destination::Leaf(_))).collect();
        let (machine, context) = (self.machine(), self.context());
        for (idx, it) in computed.into_iter().enumerate() {
            let number = idx + 1;
            out.block(format!("\nfunc target{number}(c *{context}, e Event) State {{"), "}", |out| match it {
                Destination::Leaf(leaf) => out.line(format!("return {}", self.idents.state(leaf))),
                Destination::Payload(id) => {
                    let is_state = |event: &EventId| machine.payload_field(*event, id).is_some_and(|it| it.ty == Type::State);
                    self.exprs.events = (0..machine.events.len()).map(EventId::new).filter(is_state).collect();
                    let (text, is_optional) = self.exprs.payload(id);
                    out.line(format!("return {}", fitted(text, "State", is_optional, false)));
                }
                Destination::History { field, whole, default } => {
                    let (inside, value) = (self.exprs.inside(whole), format!("c.{}", self.idents.field(field)));
                    let is_optional = machine.fields[field.index()].optional;
                    let leaf = fitted(value.clone(), "State", is_optional, false);
                    let valid = if is_optional { format!("{value}.Valid && ") } else { String::new() };
                    out.line(format!("if {valid}statespec.In({leaf}, {inside}) {{\n\treturn {leaf}\n}}"));
                    out.line(format!("return {}", self.idents.state(default)));
                }
            });
            self.destinations.insert(it, number);
        }
        let remembering = self.remembering();
        if remembering.is_empty() {
            return;
        }
        out.block(format!("\nfunc remember(c *{context}, field int, leaf State) {{"), "}", |out| {
            out.line("switch field {");
            for field in remembering {
                let is_optional = machine.fields[field.index()].optional;
                let leaf = fitted(String::from("leaf"), "State", false, is_optional);
                out.line(format!("case {}:\n\tc.{} = {leaf}", field.index(), self.idents.field(field)));
            }
            out.line("}");
        });
    }

    /// The fields that remember leaves.
    pub(super) fn remembering(&self) -> BTreeSet<FieldId> {
        self.program.nodes.iter().flat_map(|it| &it.memories).map(|it| it.field).collect()
    }

    /// Whether contexts are compared: an event settles.
    pub(super) fn compares(&self) -> bool {
        self.machine().events.iter().any(|it| it.settles)
    }

    /// The functions that construct effects.
    pub(super) fn effects(&mut self, out: &mut Writer) {
        let (program, context) = (self.program, self.context());
        for (idx, effect) in program.effects.iter().enumerate() {
            let id = EffectId::new(idx);
            let machine = program.machine;
            self.exprs.events = effect.events.iter().copied().collect();
            let mut values = Vec::new();
            for (at, Taken { origin, field }) in effect.takes.iter().enumerate() {
                let (value, is_optional) = match *origin {
                    Origin::Payload(id) if self.exprs.events.iter().any(|it| carries(machine, *it, id)) => self.exprs.payload(id),
                    // No row has the effect.
                    Origin::Payload(_) => continue,
                    Origin::Context(id) => (format!("c.{}", self.idents.field(id)), machine.fields[id.index()].optional),
                    Origin::From => (String::from("from"), true),
                    Origin::To => (String::from("to"), false),
                };
                let value = fitted(value, plain_type(self.idents, &field.ty), is_optional, field.optional);
                values.push(format!("{}: {value}", self.idents.taken(id, at)));
            }
            out.line(format!("\nfunc effect{idx}(c *{context}, e Event, from statespec.Null[State], to State) Effect {{"));
            out.line(format!("\treturn {}{{{}}}\n}}", self.idents.effect(id), values.join(", ")));
        }
    }

    /// The functions of the durations of timers.
    pub(super) fn durations(&mut self, out: &mut Writer) {
        let (program, context) = (self.program, self.context());
        for (idx, it) in program.timers.iter().enumerate() {
            let text = self.exprs.text(&it.after);
            out.line(format!("\nfunc duration{idx}(c *{context}) statespec.Duration {{\n\treturn {text}\n}}"));
        }
    }

    /// Whether two contexts are equal.
    pub(super) fn same(&self, out: &mut Writer) {
        if !self.compares() {
            return;
        }
        let machine = self.machine();
        let fields = machine.fields.iter().enumerate().map(|(idx, field)| {
            let ident = self.idents.field(FieldId::new(idx));
            match (field.optional, &field.ty) {
                (true, Type::Decimal) => format!("statespec.SameDecimal(a.{ident}, b.{ident})"),
                (true, _) => format!("statespec.Same(a.{ident}, b.{ident})"),
                (false, Type::Decimal) => format!("a.{ident}.Cmp(b.{ident}) == 0"),
                (false, _) => format!("a.{ident} == b.{ident}"),
            }
        });
        let fields: Vec<String> = fields.collect();
        let text = if fields.is_empty() { String::from("true") } else { fields.join(" && ") };
        out.line(format!("\nfunc same(a, b *{}) bool {{\n\treturn {text}\n}}", self.context()));
    }

    /// The functions that read payloads, the leaves inside composites, and the decimals, for which functions ask.
    pub(super) fn helpers(&self, out: &mut Writer) {
        let machine = self.machine();
        for (access, name) in &self.exprs.accesses {
            let (fields, ident) =
                (access.events.iter().filter_map(|it| machine.payload_field(*it, access.field)), self.idents.payload(access.field));
            let Some(first) = fields.clone().next() else { continue };
            let is_optional = fields.clone().any(|it| it.optional);
            let plain = plain_type(self.idents, &first.ty);
            let ty = if is_optional { format!("statespec.Null[{plain}]") } else { field_type(self.idents, first) };
            out.block(format!("\nfunc {name}(e Event) {ty} {{"), "}", |out| {
                out.line("switch e := e.(type) {");
                for event in &access.events {
                    let field_is = machine.payload_field(*event, access.field).is_some_and(|it| it.optional);
                    let value = fitted(format!("e.{ident}"), plain, field_is, is_optional);
                    for pointer in ["", "*"] {
                        out.line(format!("case {pointer}{}:\n\treturn {value}", self.idents.event(*event)));
                    }
                }
                out.line(format!("}}\nvar nothing {ty}\nreturn nothing"));
            });
        }
        for whole in &self.exprs.wholes {
            let leaves = machine.leaves_in(*whole).map(|it| self.idents.state(it).to_owned());
            out.line(format!("\nvar {} = {}", self.idents.inside(*whole), slice("State", leaves)));
        }
        for (text, name) in &self.exprs.decimals {
            out.line(format!("\nvar {name} = statespec.MustDecimal(\"{text}\")"));
        }
    }
}
