//! The functions that decide: guards, assignments, targets, effects, durations.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::machine::{Event, Origin, Taken};
use statespec_lang::model::{EffectId, EventId, FieldId, Machine, PayloadId, StateId, Type};
use statespec_lang::program::{Action, Destination, Expr, Program, Row};

use super::expr::{Exprs, payload_of};
use super::forms::{decimals, define};
use super::idents::Idents;
use super::imports::{ASSERT_NEVER, FINAL, REPLACE};
use crate::idents::Signature;
use crate::writer::Writer;

/// Prints functions, and remembers their names for the tables.
pub(super) struct Decide<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) idents: &'a Idents,
    pub(super) exprs: Exprs<'a>,
    /// The functions of destinations that no table states.
    pub(super) destinations: BTreeMap<Destination, String>,
}

/// The type of a context or of predicates that a machine does not have.
pub(super) const NOTHING: &str = "None";

/// The events with these fields in their payload, and without a timer.
fn carriers<'m>(machine: &'m Machine, fields: &BTreeSet<PayloadId>) -> impl Iterator<Item = EventId> + use<'m> {
    let names: Vec<String> = fields.iter().map(|it| machine.payload_names[it.index()].clone()).collect();
    let has = move |event: &Event| names.iter().all(|name| event.payload.iter().any(|it| it.name == *name));
    (0..machine.events.len()).map(EventId::new).filter(move |id| has(&machine.events[id.index()]))
}

impl Decide<'_> {
    fn machine(&self) -> &Machine {
        self.program.machine
    }

    /// `assert isinstance(e, Pay | Tip)`, for functions that read the payload.
    fn narrow(&self, out: &mut Writer, fields: &BTreeSet<PayloadId>, only: Option<&[EventId]>) {
        if fields.is_empty() {
            return;
        }
        let events = carriers(self.machine(), fields).filter(|id| only.is_none_or(|only| only.contains(id)));
        let classes: Vec<&str> = events.map(|it| self.idents.event(it)).collect();
        out.line(format!("assert isinstance(e, {})", classes.join(" | ")));
    }

    /// The functions of all rows.
    pub(super) fn rows(&mut self, out: &mut Writer) {
        let program = self.program;
        for (idx, row) in program.rows.iter().enumerate() {
            let conditions = [("guard_divides", &row.guard_divides), ("guard", &row.guard), ("divides", &row.divides)];
            for (name, expr) in conditions {
                if let Some(expr) = expr {
                    self.condition(out, &format!("_{name}_{idx}"), expr, idx);
                }
            }
            if !row.set.is_empty() {
                self.put(out, idx, row);
            }
        }
    }

    fn condition(&mut self, out: &mut Writer, name: &str, expr: &Expr, row: usize) {
        let Signature { context, predicates } = Signature::of(self.machine(), NOTHING);
        let mut fields = BTreeSet::new();
        payload_of(expr, &mut fields);
        let text = self.exprs.text(expr);
        let events = self.machine().transitions[row].events().to_vec();
        define(out, format!("def {name}(c: {context}, e: _Input, p: {predicates}, at: tuple[State, ...]) -> bool:"));
        out.indented(|out| {
            self.narrow(out, &fields, Some(&events));
            out.line(format!("return {text}"));
        });
    }

    fn put(&mut self, out: &mut Writer, idx: usize, row: &Row) {
        let predicates = Signature::of(self.machine(), NOTHING).predicates;
        let mut fields = BTreeSet::new();
        row.set.iter().for_each(|it| payload_of(&it.value, &mut fields));
        let set: Vec<String> = row.set.iter().map(|it| format!("{}={}", self.idents.field(it.field), self.exprs.text(&it.value))).collect();
        let events = self.machine().transitions[idx].events().to_vec();
        let replace = out.imports.name(REPLACE);
        define(out, format!("def _put_{idx}(c: Context, e: _Input, p: {predicates}, at: tuple[State, ...], to: Context) -> Context:"));
        out.indented(|out| {
            self.narrow(out, &fields, Some(&events));
            out.line(format!("return {replace}(to, {})", set.join(", ")));
        });
    }

    /// The functions of histories, and of targets that a payload names.
    pub(super) fn targets(&mut self, out: &mut Writer) {
        let arms = self.program.cases.iter().chain(&self.program.passing).flat_map(|it| &it.arms);
        let named = arms.flat_map(|it| if let Action::Go(to) = &it.action { to.as_slice() } else { &[] });
        let computed: BTreeSet<Destination> = named.copied().filter(|it| !matches!(it, Destination::Leaf(_))).collect();
        let context = Signature::of(self.machine(), NOTHING).context;
        for (idx, it) in computed.into_iter().enumerate() {
            let name = format!("_target_{idx}");
            define(out, format!("def {name}(c: {context}, e: _Input) -> State:"));
            out.indented(|out| match it {
                Destination::Leaf(leaf) => out.line(format!("return {}", self.idents.leaf(leaf))),
                Destination::Payload(id) => {
                    let fields = BTreeSet::from([id]);
                    let is_state = |event: &EventId| self.machine().payload_field(*event, id).is_some_and(|it| it.ty == Type::State);
                    let events: Vec<EventId> = carriers(self.machine(), &fields).filter(is_state).collect();
                    self.narrow(out, &fields, Some(&events));
                    let is_optional = |it: &EventId| self.machine().payload_field(*it, id).is_some_and(|it| it.optional);
                    let field = format!("e.{}", self.idents.payload(id));
                    match events.iter().any(is_optional) {
                        true => out.line(format!("return statespec.known({field})")),
                        false => out.line(format!("return {field}")),
                    }
                }
                Destination::History { field, whole, default } => {
                    self.exprs.wholes.insert(whole);
                    out.line(format!("leaf = c.{}", self.idents.field(field)));
                    let (inside, default) = (self.idents.inside(whole), self.idents.leaf(default));
                    out.line(format!("return {default} if leaf is None or leaf not in {inside} else leaf"));
                }
            });
            self.destinations.insert(it, name);
        }
        let remembering: BTreeSet<FieldId> = self.program.nodes.iter().flat_map(|it| &it.memories).map(|it| it.field).collect();
        for field in remembering {
            let ident = self.idents.field(field);
            let replace = out.imports.name(REPLACE);
            define(out, format!("def _remember_{ident}(c: Context, leaf: State) -> Context:\n    return {replace}(c, {ident}=leaf)"));
        }
    }

    /// The functions that construct effects.
    pub(super) fn effects(&self, out: &mut Writer) {
        let context = Signature::of(self.machine(), NOTHING).context;
        for (idx, effect) in self.program.effects.iter().enumerate() {
            let id = EffectId::new(idx);
            define(out, format!("def _effect_{idx}(c: {context}, e: _Input, before: State | None, to: State) -> Effect:"));
            out.indented(|out| {
                let mut fields = BTreeSet::new();
                fields.extend(effect.takes.iter().filter_map(|it| if let Origin::Payload(id) = it.origin { Some(id) } else { None }));
                let events: Vec<EventId> = effect.events.iter().copied().collect();
                if events.is_empty() && !fields.is_empty() {
                    out.line("raise AssertionError(\"no row has the effect\")");
                    return;
                }
                self.narrow(out, &fields, Some(&events));
                let values = effect.takes.iter().enumerate().map(|(at, Taken { origin, field })| {
                    let value = match *origin {
                        Origin::Payload(id) => format!("e.{}", self.idents.payload(id)),
                        Origin::Context(id) => format!("c.{}", self.idents.field(id)),
                        Origin::From if field.optional => String::from("before"),
                        Origin::From => String::from("statespec.known(before)"),
                        Origin::To => String::from("to"),
                    };
                    format!("{}={value}", self.idents.taken(id, at))
                });
                out.line(format!("return {}({})", self.idents.effect(id), values.collect::<Vec<_>>().join(", ")));
            });
        }
    }

    /// The function of the durations of timers.
    pub(super) fn durations(&mut self, out: &mut Writer) {
        let context = Signature::of(self.machine(), NOTHING).context;
        let program = self.program;
        let arms: Vec<(&str, String)> = program.timers.iter().map(|it| (self.idents.kind(it.event), self.exprs.text(&it.after))).collect();
        let assert_never = out.imports.name(ASSERT_NEVER);
        define(out, format!("def _duration(c: {context}, timer: Timer) -> statespec.Duration:\n    match timer:"));
        for (timer, after) in arms {
            out.line(format!("        case Timer.{timer}:\n            return {after}"));
        }
        out.line(format!("        case _:\n            {assert_never}(timer)"));
    }

    /// The leaves inside the composites that functions ask for, and their decimals. What functions import is imported for them.
    pub(super) fn sets(&self, out: &mut Writer) {
        for whole in &self.exprs.wholes {
            let leaves: Vec<String> = self.machine().leaves_in(*whole).map(|it: StateId| self.idents.leaf(it)).collect();
            let fixed = out.imports.name(FINAL);
            out.line(format!("{}: {fixed} = frozenset({{{}}})", self.idents.inside(*whole), leaves.join(", ")));
        }
        decimals(out, &self.exprs.decimals);
        out.imports.extend(self.exprs.imports.clone());
    }
}
