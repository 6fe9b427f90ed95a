//! The functions of a machine that decide: which arm a leaf takes, what a row assigns, what an effect takes.

use std::collections::BTreeMap;

use statespec_lang::model::machine::{Origin, Piece, Taken};
use statespec_lang::model::{EventId, StateId, Type};
use statespec_lang::program::{Case, Cause, Expr, Kind, Program};

use super::expr::{Scope, decided};
use super::idents::{Idents, access, key, quoted, taken};
use super::tables::Arms;
use super::types::Types;
use super::{Int, Style};
use crate::writer::Writer;

/// What is printed.
pub(super) struct Decide<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) idents: &'a Idents,
    pub(super) types: &'a Types<'a>,
    pub(super) style: &'a Style,
}

impl Decide<'_> {
    fn scope<'s>(&'s self, event: &'s str, context: &'s str) -> Scope<'s> {
        Scope { machine: self.program.machine, idents: self.idents, event, context }
    }

    /// The cases in all leaves, also in those in which no machine rests.
    fn cases(&self) -> impl Iterator<Item = &Case> {
        self.program.cases.iter().chain(&self.program.passing)
    }

    /// A function as a member of the definition. Parameters that the body does not use begin with `_`; the context is taken out of
    /// `at` where the body reads it.
    fn member(&self, out: &mut Writer, name: &str, parameters: &[&str], body: impl FnOnce(&mut Writer)) {
        let mut inside = Writer::new("  ");
        body(&mut inside);
        let text = inside.into_text();
        let takes_context = parameters.contains(&"at") && mentions(&text, "context");
        let parameter = |it: &&str| {
            let is_used = mentions(&text, it) || (*it == "at" && takes_context);
            if is_used { (*it).to_owned() } else { format!("_{it}") }
        };
        let parameters: Vec<String> = parameters.iter().map(parameter).collect();
        out.block(format!("{name}({}) {{", parameters.join(", ")), "},", |out| {
            if takes_context {
                out.line("const { context } = at;");
            }
            text.lines().for_each(|it| out.line(it));
        });
    }

    /// The members `onEvent`, `onDirect`, `onAutomatic` and `onDone`.
    pub(super) fn choices(&self, out: &mut Writer, arms: &mut Arms) {
        let machine = self.program.machine;
        let of = |cause: Cause| self.cases().filter(|it| it.cause == cause).collect::<Vec<_>>();
        self.member(out, "onEvent", &["at", "leaf", "event"], |out| self.on_event(out, arms));
        let [direct, automatic, done] = [
            self.causes(|it| if let Cause::Direct(to) = it { Some(to) } else { None }),
            self.causes(|it| if it == Cause::Automatic { Some(StateId::new(0)) } else { None }),
            self.causes(|it| if let Cause::Done(whole) = it { Some(whole) } else { None }),
        ];
        for (name, argument, targets, cause) in [
            ("onDirect", "target", direct, Cause::Direct as fn(StateId) -> Cause),
            ("onDone", "whole", done, Cause::Done as fn(StateId) -> Cause),
        ] {
            self.member(out, name, &["at", "leaf", argument], |out| {
                if !targets.is_empty() {
                    out.block(format!("switch ({argument}) {{"), "}", |out| {
                        for it in targets {
                            out.block(format!("case {}:", quoted(&machine.state(it).wire)), "  return s.NONE;", |out| {
                                self.leaves(out, arms, &of(cause(it)), "event");
                            });
                        }
                    });
                }
                out.line("return s.NONE;");
            });
        }
        self.member(out, "onAutomatic", &["at", "leaf"], |out| {
            if !automatic.is_empty() {
                self.leaves(out, arms, &of(Cause::Automatic), "event");
            }
            out.line("return s.NONE;");
        });
    }

    /// The states of some causes, sorted, each once.
    fn causes(&self, of: impl Fn(Cause) -> Option<StateId>) -> Vec<StateId> {
        let mut found: Vec<StateId> = self.cases().filter_map(|it| of(it.cause)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn on_event(&self, out: &mut Writer, arms: &mut Arms) {
        let machine = self.program.machine;
        let mut by_event = BTreeMap::<EventId, Vec<&Case>>::new();
        for case in self.cases() {
            if let Some(event) = case.event() {
                by_event.entry(event).or_default().push(case);
            }
        }
        let name = |it: EventId| quoted(&machine.event(it).name);
        let events = || (0..machine.events.len()).map(EventId::new);
        if machine.events.is_empty() {
            return out.line("return event satisfies never;");
        }
        out.block("switch (event.type) {", "}", |out| {
            for event in events() {
                let Some(cases) = by_event.get(&event) else { continue };
                out.block(format!("case {}:", name(event)), "  return s.NONE;", |out| self.leaves(out, arms, cases, "event"));
            }
            let silent: Vec<String> = events().filter(|it| !by_event.contains_key(it)).map(name).collect();
            silent.iter().for_each(|it| out.line(format!("case {it}:")));
            if !silent.is_empty() {
                out.line("  return s.NONE;");
            }
            out.line("default:");
            // Only a union is narrowed as a whole.
            let rest = if machine.events.len() > 1 { "event" } else { "event.type" };
            out.line(format!("  return {rest} satisfies never;"));
        });
    }

    /// A `switch` over the leaves of some cases of one cause; leaves with the same arms share them.
    fn leaves(&self, out: &mut Writer, arms: &mut Arms, cases: &[&Case], event: &str) {
        let machine = self.program.machine;
        let mut groups: Vec<(Vec<String>, &Case)> = Vec::new();
        for case in cases {
            let leaf = case.from.map_or_else(|| "null".to_owned(), |it| quoted(&machine.state(it).wire));
            match groups.iter_mut().find(|(_, it)| it.arms == case.arms) {
                Some((leaves, _)) => leaves.push(leaf),
                None => groups.push((vec![leaf], case)),
            }
        }
        out.block("switch (leaf) {", "}", |out| {
            for (leaves, case) in groups {
                leaves.iter().for_each(|it| out.line(format!("case {it}:")));
                out.indented(|out| self.arms(out, arms, case, event));
            }
        });
    }

    fn arms(&self, out: &mut Writer, arms: &mut Arms, case: &Case, event: &str) {
        let scope = self.scope(event, "context");
        for arm in &case.arms {
            let row = self.program.row(arm.row);
            if let Some(divides) = &row.guard_divides {
                out.line(format!("if ({}) return s.DIVISION;", scope.expr(divides)));
            }
            let position = arms.position(self.program, self.idents, arm);
            match &row.guard {
                // Behind `if (true) return`, the compiler narrows no type.
                Some(guard) if decided(guard) != Some(true) => out.line(format!("if ({}) return {position};", scope.expr(guard))),
                _ => return out.line(format!("return {position};")),
            }
        }
        out.line("return s.GUARD;");
    }

    /// The member `assign`.
    pub(super) fn assign(&self, out: &mut Writer) {
        let machine = self.program.machine;
        let rows = self.program.rows.iter().enumerate().filter(|(_, it)| !it.set.is_empty() || it.divides.is_some());
        let rows: Vec<_> = rows.collect();
        self.member(out, "assign", &["row", "at", "event"], |out| {
            if !rows.is_empty() {
                out.block("switch (row) {", "}", |out| {
                    for (idx, row) in rows {
                        let exprs = || row.divides.iter().chain(row.set.iter().map(|it| &it.value));
                        let mut reads = false;
                        exprs().for_each(|it| it.walk(&mut |it| reads |= reads_payload(it)));
                        out.block(format!("case {idx}: {{"), "}", |out| {
                            if reads {
                                let events = machine.transitions[idx].events().iter().map(|it| quoted(&machine.event(*it).name));
                                let events = events.collect::<Vec<_>>().join(" | ");
                                out.line(format!("const it = event as Extract<Recorded, {{ readonly type: {events} }}>;"));
                            }
                            let scope = self.scope("it", "context");
                            if let Some(divides) = &row.divides {
                                out.line(format!("if ({}) return null;", scope.expr(divides)));
                            }
                            let fields = row.set.iter().map(|it| {
                                let field = &machine.fields[it.field.index()];
                                format!("{}: {}", key(&field.name), stored(self.style.int, scope.expr(&it.value), &it.value, &field.name))
                            });
                            out.line(format!("return {{ {} }};", fields.collect::<Vec<_>>().join(", ")));
                        });
                    }
                });
            }
            out.line("return s.NOTHING;");
        });
    }

    /// The members `effect` and `message`.
    pub(super) fn effects(&self, out: &mut Writer) {
        let machine = self.program.machine;
        let leaf = self.types.leaf();
        self.member(out, "effect", &["name", "context", "event", "from", "to"], |out| {
            out.block("switch (name) {", "}", |out| {
                for effect in &machine.effects {
                    let values = effect.takes.iter().zip(taken(effect)).map(|(Taken { origin, field }, property)| {
                        let value = match origin {
                            Origin::Payload(id) => {
                                let property = &self.idents.payload[id.index()];
                                let ty = self.types.field_ty(field);
                                access(&format!("(event as unknown as {{ readonly {}: {ty} }})", super::idents::member(property)), property)
                            }
                            Origin::Context(id) => access("context", &machine.fields[id.index()].name),
                            Origin::From => format!("from as {leaf} | null"),
                            Origin::To => format!("to as {leaf}"),
                        };
                        format!(", {}: {value}", key(&property))
                    });
                    out.line(format!("case {}:", quoted(&effect.name)));
                    out.line(format!("  return {{ type: {}{} }};", quoted(&effect.name), values.collect::<String>()));
                }
            });
            out.line("throw new RangeError(`there is no effect ${name}`);");
        });
        self.member(out, "message", &["effect"], |out| {
            let told: Vec<_> = machine.effects.iter().filter_map(|it| Some((it, it.message.as_ref()?))).collect();
            if !told.is_empty() {
                out.block("switch (effect.type) {", "}", |out| {
                    for (effect, pieces) in told {
                        let properties = taken(effect);
                        let piece = |it: &Piece| match it {
                            Piece::Text(text) => quoted(text),
                            Piece::Taken(idx) => {
                                let mut field = effect.takes[*idx].field.clone();
                                field.optional |= effect.takes[*idx].origin == Origin::From;
                                format!("{}.show({})", self.types.codec(&field), access("effect", &properties[*idx]))
                            }
                        };
                        let pieces: Vec<String> = pieces.iter().map(piece).collect();
                        out.line(format!("case {}:", quoted(&effect.name)));
                        let text = if pieces.is_empty() { "\"\"".to_owned() } else { pieces.join(" + ") };
                        out.line(format!("  return {text};"));
                    }
                });
            }
            out.line("return null;");
        });
    }

    /// The member `timers`.
    pub(super) fn timers(&self, out: &mut Writer) {
        let machine = self.program.machine;
        if self.program.timers.is_empty() {
            return out.line("timers: [],");
        }
        out.block("timers: [", "],", |out| {
            for it in &self.program.timers {
                let states: Vec<String> = it.states.iter().map(|it| quoted(&machine.state(*it).wire)).collect();
                let after = self.scope("event", "context").expr(&it.after);
                let (name, states) = (quoted(&machine.event(it.event).name), states.join(", "));
                let context = if mentions(&after, "context") { "context" } else { "" };
                out.line(format!("{{ event: {name}, states: [{states}], after: ({context}) => {after} }},"));
            }
        });
    }
}

/// A value as it is stored: whole numbers have passed the check of their range.
pub(super) fn stored(int: Int, text: String, value: &Expr, field: &str) -> String {
    let is_whole = matches!(value.ty, Type::Int | Type::Duration | Type::Timestamp);
    let is_read = matches!(value.kind, Kind::Read(_) | Kind::Known(_)) || text == "null";
    let is_safe = int == Int::Number && text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
    if is_whole && !is_read && !is_safe { format!("s.int({text}, {})", quoted(field)) } else { text }
}

/// Whether a text has a word outside of texts in quotes: `context` in `context.floor`, not in `"context"` or `at.context`.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    let is_letter = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.' | '"');
    // The name of a property is followed by a colon.
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + word.len()..].chars().next());
        !before.is_some_and(is_letter) && !after.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '$' | '"' | ':'))
    })
}

fn reads_payload(expr: &Expr) -> bool {
    use statespec_lang::expr::Var;
    matches!(expr.kind, Kind::Read(Var::Payload(_)) | Kind::Known(Var::Payload(_)) | Kind::IsNull(Var::Payload(_)))
}
