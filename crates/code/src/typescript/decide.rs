//! The functions of a machine that decide: which arm a leaf takes, what a row assigns, what an effect takes.

use std::collections::BTreeMap;

use statespec_lang::model::machine::{Origin, Piece, Taken};
use statespec_lang::model::{EventId, Literal, StateId, Type};
use statespec_lang::program::{Case, Cause, Expr, Kind, Program};

use super::expr::{Scope, decided, is_safe, printed_value};
use super::idents::{Idents, access, key, member, quoted, taken};
use super::tables::Arms;
use super::types::Types;
use super::used::Used;
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
    fn scope(&self, event: &'static str) -> Scope<'_> {
        Scope { machine: self.program.machine, idents: self.idents, event }
    }

    /// The cases in all leaves, also in those in which no machine rests.
    fn cases(&self) -> impl Iterator<Item = &Case> {
        self.program.cases.iter().chain(&self.program.passing)
    }

    /// A function as a member of the definition. Parameters that the body does not use begin with `_`; the context is taken out of
    /// `at` where the body reads it.
    fn member(&self, out: &mut Writer, name: &str, parameters: &[&str], body: impl FnOnce(&mut Writer, &mut Used)) {
        let (mut inside, mut used) = (Writer::new("  "), Used::default());
        body(&mut inside, &mut used);
        let takes_context = parameters.contains(&"at") && used.take("context");
        let context = takes_context.then(|| format!("const {{ context }} = {};", used.name("at")));
        let parameter = |it: &&str| if used.has(it) { (*it).to_owned() } else { format!("_{it}") };
        let parameters: Vec<String> = parameters.iter().map(parameter).collect();
        out.block(format!("{name}({}) {{", parameters.join(", ")), "},", |out| {
            context.iter().for_each(|it| out.line(it));
            out.append(inside);
        });
    }

    /// The members `onEvent`, `onDirect`, `onAutomatic` and `onDone`.
    pub(super) fn choices(&self, out: &mut Writer, arms: &mut Arms) {
        let machine = self.program.machine;
        let of = |cause: Cause| self.cases().filter(|it| it.cause == cause).collect::<Vec<_>>();
        self.member(out, "onEvent", &["at", "leaf", "event"], |out, used| self.on_event(out, used, arms));
        let [direct, automatic, done] = [
            self.causes(|it| if let Cause::Direct(to) = it { Some(to) } else { None }),
            self.causes(|it| if it == Cause::Automatic { Some(StateId::new(0)) } else { None }),
            self.causes(|it| if let Cause::Done(whole) = it { Some(whole) } else { None }),
        ];
        for (name, argument, targets, cause) in [
            ("onDirect", "target", direct, Cause::Direct as fn(StateId) -> Cause),
            ("onDone", "whole", done, Cause::Done as fn(StateId) -> Cause),
        ] {
            self.member(out, name, &["at", "leaf", argument], |out, used| {
                if !targets.is_empty() {
                    out.block(format!("switch ({}) {{", used.name(argument)), "}", |out| {
                        for it in targets {
                            out.block(format!("case {}:", quoted(&machine.state(it).wire)), "  return s.NONE;", |out| {
                                self.leaves(out, used, arms, &of(cause(it)));
                            });
                        }
                    });
                }
                out.line("return s.NONE;");
            });
        }
        self.member(out, "onAutomatic", &["at", "leaf"], |out, used| {
            if !automatic.is_empty() {
                self.leaves(out, used, arms, &of(Cause::Automatic));
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

    fn on_event(&self, out: &mut Writer, used: &mut Used, arms: &mut Arms) {
        let machine = self.program.machine;
        let mut by_event = BTreeMap::<EventId, Vec<&Case>>::new();
        for case in self.cases() {
            if let Some(event) = case.event() {
                by_event.entry(event).or_default().push(case);
            }
        }
        let name = |it: EventId| quoted(&machine.event(it).name);
        let events = || (0..machine.events.len()).map(EventId::new);
        let event = used.name("event");
        if machine.events.is_empty() {
            return out.line(format!("return {event} satisfies never;"));
        }
        out.block(format!("switch ({event}.type) {{"), "}", |out| {
            for it in events() {
                let Some(cases) = by_event.get(&it) else { continue };
                out.block(format!("case {}:", name(it)), "  return s.NONE;", |out| self.leaves(out, used, arms, cases));
            }
            let silent: Vec<String> = events().filter(|it| !by_event.contains_key(it)).map(name).collect();
            silent.iter().for_each(|it| out.line(format!("case {it}:")));
            if !silent.is_empty() {
                out.line("  return s.NONE;");
            }
            out.line("default:");
            // Only a union is narrowed as a whole.
            let rest = if machine.events.len() > 1 { "" } else { ".type" };
            out.line(format!("  return {event}{rest} satisfies never;"));
        });
    }

    /// A `switch` over the leaves of some cases of one cause; leaves with the same arms share them.
    fn leaves(&self, out: &mut Writer, used: &mut Used, arms: &mut Arms, cases: &[&Case]) {
        let machine = self.program.machine;
        let mut groups: Vec<(Vec<String>, &Case)> = Vec::new();
        for case in cases {
            let leaf = case.from.map_or_else(|| "null".to_owned(), |it| quoted(&machine.state(it).wire));
            match groups.iter_mut().find(|(_, it)| it.arms == case.arms) {
                Some((leaves, _)) => leaves.push(leaf),
                None => groups.push((vec![leaf], case)),
            }
        }
        out.block(format!("switch ({}) {{", used.name("leaf")), "}", |out| {
            for (leaves, case) in groups {
                leaves.iter().for_each(|it| out.line(format!("case {it}:")));
                out.indented(|out| self.arms(out, used, arms, case));
            }
        });
    }

    fn arms(&self, out: &mut Writer, used: &mut Used, arms: &mut Arms, case: &Case) {
        let scope = self.scope("event");
        for arm in &case.arms {
            let row = self.program.row(arm.row);
            if let Some(divides) = &row.guard_divides {
                out.line(format!("if ({}) return s.DIVISION;", scope.expr(divides, used)));
            }
            let position = arms.position(self.program, self.idents, arm);
            match &row.guard {
                // Behind `if (true) return`, the compiler narrows no type.
                Some(guard) if decided(guard) != Some(true) => out.line(format!("if ({}) return {position};", scope.expr(guard, used))),
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
        self.member(out, "assign", &["row", "at", "event"], |out, used| {
            if !rows.is_empty() {
                out.block(format!("switch ({}) {{", used.name("row")), "}", |out| {
                    for (idx, row) in rows {
                        let (scope, mut inside) = (self.scope("it"), Used::default());
                        let divides = row.divides.as_ref().map(|it| scope.expr(it, &mut inside));
                        let fields = row.set.iter().map(|it| {
                            let field = &machine.fields[it.field.index()];
                            format!(
                                "{}: {}",
                                key(&field.name),
                                stored(self.style.int, scope.expr(&it.value, &mut inside), &it.value, &field.name)
                            )
                        });
                        let fields = fields.collect::<Vec<_>>().join(", ");
                        out.block(format!("case {idx}: {{"), "}", |out| {
                            if inside.take("it") {
                                let events = machine.transitions[idx].events().iter().map(|it| quoted(&machine.event(*it).name));
                                let events = events.collect::<Vec<_>>().join(" | ");
                                out.line(format!("const it = {} as Extract<Recorded, {{ readonly type: {events} }}>;", used.name("event")));
                            }
                            divides.iter().for_each(|it| out.line(format!("if ({it}) return null;")));
                            out.line(format!("return {{ {fields} }};"));
                        });
                        used.extend(inside);
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
        self.member(out, "effect", &["name", "context", "event", "from", "to"], |out, used| {
            out.block(format!("switch ({}) {{", used.name("name")), "}", |out| {
                for effect in &machine.effects {
                    let values = effect.takes.iter().zip(taken(effect)).map(|(Taken { origin, field }, property)| {
                        let value = match origin {
                            Origin::Payload(id) => {
                                let property = &self.idents.payload[id.index()];
                                let ty = self.types.field_ty(field);
                                let event = used.name("event");
                                access(&format!("({event} as unknown as {{ readonly {}: {ty} }})", member(property)), property)
                            }
                            Origin::Context(id) => access(used.name("context"), &machine.fields[id.index()].name),
                            Origin::From => format!("{} as {leaf} | null", used.name("from")),
                            Origin::To => format!("{} as {leaf}", used.name("to")),
                        };
                        format!(", {}: {value}", key(&property))
                    });
                    out.line(format!("case {}:", quoted(&effect.name)));
                    out.line(format!("  return {{ type: {}{} }};", quoted(&effect.name), values.collect::<String>()));
                }
            });
            out.line(format!("throw new RangeError(`there is no effect ${{{}}}`);", used.name("name")));
        });
        self.member(out, "message", &["effect"], |out, used| {
            let told: Vec<_> = machine.effects.iter().filter_map(|it| Some((it, it.message.as_ref()?))).collect();
            if !told.is_empty() {
                let value = used.name("effect");
                out.block(format!("switch ({value}.type) {{"), "}", |out| {
                    for (effect, pieces) in told {
                        let properties = taken(effect);
                        let piece = |it: &Piece| match it {
                            Piece::Text(text) => quoted(text),
                            Piece::Taken(idx) => {
                                let mut field = effect.takes[*idx].field.clone();
                                field.optional |= effect.takes[*idx].origin == Origin::From;
                                format!("{}.show({})", self.types.codec(&field), access(value, &properties[*idx]))
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
                let mut used = Used::default();
                let after = self.scope("event").expr(&it.after, &mut used);
                let (name, states) = (quoted(&machine.event(it.event).name), states.join(", "));
                let context = if used.has("context") { "context" } else { "" };
                out.line(format!("{{ event: {name}, states: [{states}], after: ({context}) => {after} }},"));
            }
        });
    }
}

/// The text of a value as it is stored: whole numbers have passed the check of their range.
pub(super) fn stored(int: Int, text: String, value: &Expr, field: &str) -> String {
    let is_whole = matches!(value.ty, Type::Int | Type::Duration | Type::Timestamp);
    let is_checked = match printed_value(value) {
        Some(Literal::Null) => true,
        Some(Literal::Int(it) | Literal::Duration(it) | Literal::Timestamp(it)) => int == Int::Number && is_safe(*it),
        _ => matches!(value.kind, Kind::Read(_) | Kind::Known(_)),
    };
    if is_whole && !is_checked { format!("s.int({text}, {})", quoted(field)) } else { text }
}
