//! The rows of tables about systems. Walkthroughs are executed; their tables show the traces.

mod placement;

use statespec_lang::expr::type_name;
use statespec_lang::interpret::walkthrough::{Cell, StepTrace, walkthrough};
use statespec_lang::model::document::{Aspect, Column, Content, Fact, TableView};
use statespec_lang::model::system::{Crossing, Fire, Input, Link, Step, Transaction, Walkthrough};
use statespec_lang::model::{ActorId, Configuration, PartId, StateId, System};
use statespec_lang::show::SystemNames;
use statespec_lang::source::Span;

use super::cell::{self, code, join, label, plain, prose};
use super::escape::{self, Place};
use super::rows::{Rows, Table};
use super::template::Templates;
use super::{Block, Subjects, picture};
use crate::backend::mermaid;

/// The tables of a view: one, or one for each walkthrough.
pub(super) fn tables<'a>(subjects: Subjects<'_>, system: &System, view: &TableView, columns: &'a [Column]) -> Vec<Table<'a>> {
    let it = Whole { subjects, system, display_names: view.display_names };
    let mut rows = Rows::new(columns);
    match view.aspect {
        Aspect::Parts => it.parts(view, &mut rows),
        Aspect::Transactions => it.transactions(view, &mut rows),
        Aspect::Matrix => it.matrix(&mut rows),
        Aspect::Rules => it.rules(&mut rows),
        Aspect::Links => it.links(&mut rows),
        Aspect::Invariants => it.invariants(&mut rows),
        Aspect::Placement => placement::parts(it, &mut rows),
        Aspect::Reach => placement::transactions(it, &mut rows),
        Aspect::Actors => it.actors(view, &mut rows),
        Aspect::Walkthrough => return it.walkthroughs(view, columns),
        Aspect::Updates => it.updates(view, &mut rows),
        Aspect::Surfaces => it.surfaces(view, &mut rows),
        Aspect::Inferred => it.inferred(&mut rows),
        _ => {}
    }
    vec![Table { caption: None, rows }]
}

/// The parts of a system, with its transactions and links, or the number of arrows if they are too many; `None` if nothing connects
/// them.
pub(super) fn diagram(subjects: Subjects<'_>, system: &System, templates: &Templates<'_>) -> Option<Result<Block, usize>> {
    let is_connected = !system.transactions.is_empty() || !system.links.is_empty();
    is_connected.then(|| mermaid::flow(subjects.model, system).map(|it| picture(&it, templates)).map_err(|it| it.n_arrows))
}

/// Walkthroughs as sequence diagrams, each after its name and description if there are several.
pub(super) fn sequences(subjects: Subjects<'_>, system: &System, only: Option<&[usize]>, templates: &Templates<'_>) -> Option<Block> {
    let all: Vec<usize> = (0..system.walkthroughs.len()).collect();
    let picked = only.unwrap_or(&all);
    let mut blocks = Vec::new();
    for idx in picked {
        let Some(walkthrough_spec) = system.walkthroughs.get(*idx) else { continue };
        blocks.extend((picked.len() > 1).then(|| Block::text(caption(walkthrough_spec))));
        // The model is valid, so its walkthroughs succeed.
        let traces = walkthrough(subjects.model, system, *idx).unwrap_or_default();
        blocks.push(match mermaid::sequence(subjects.model, system, walkthrough_spec, &traces) {
            Ok(lines) => picture(&lines, templates),
            Err(it) => Block::text(format!(
                "The diagram is omitted: {} steps are too many to draw. The table contains the same information.",
                it.n_steps
            )),
        });
    }
    let mut whole = Block::text(blocks.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n\n"));
    blocks.iter().for_each(|it| whole.blame.append(&it.blame));
    (!whole.text.is_empty()).then_some(whole)
}

/// The name of a walkthrough, with its description.
fn caption(walkthrough: &Walkthrough) -> String {
    let name = escape::code(&walkthrough.name, Place::Cell);
    match walkthrough.doc.as_deref() {
        Some(doc) if !doc.trim().is_empty() => format!("{name}: {}", escape::prose(doc, Place::Line)),
        _ => format!("{name}:"),
    }
}

#[derive(Clone, Copy)]
struct Whole<'a> {
    subjects: Subjects<'a>,
    system: &'a System,
    display_names: bool,
}

impl<'a> Whole<'a> {
    fn machine(self, part: PartId) -> &'a statespec_lang::model::Machine {
        &self.subjects.model.machines[self.system.part(part).machine]
    }

    fn state(self, cell: &mut String, part: PartId, id: StateId) {
        let machine = self.machine(part);
        code(cell, &if self.display_names { machine.display_name(id) } else { machine.path_name(id) });
    }

    /// The active leaves; with regions several, as in a configuration's text.
    fn configuration(self, cell: &mut String, part: PartId, at: &Configuration) {
        match at.only() {
            Some(leaf) => self.state(cell, part, leaf),
            None => code(cell, &self.machine(part).configuration_path(at)),
        }
    }

    fn event(self, cell: &mut String, part: PartId, event: statespec_lang::model::EventId) {
        code(cell, &format!("{}.{}", self.system.part(part).name, self.machine(part).event(event).name));
    }

    fn actor(self, cell: &mut String, id: ActorId) {
        if let Some(it) = self.system.actors.get(id.index()) {
            cell::actor(cell, &it.name);
        }
    }

    fn expr(self, cell: &mut String, expr: &statespec_lang::expr::Expr, inputs: &[Input]) {
        code(cell, &expr.show(&SystemNames::new(self.subjects.model, self.system, inputs)));
    }

    fn fire(self, cell: &mut String, fire: &Fire, inputs: &[Input]) {
        self.event(cell, fire.part, fire.event);
        let fields = &self.machine(fire.part).event(fire.event).payload;
        let mut given = String::new();
        join(&mut given, ", ", fields.iter().zip(&fire.payload), |given, (field, value)| {
            let value = value.show(&SystemNames::new(self.subjects.model, self.system, inputs).for_event_of(fire.part));
            if value != field.name {
                given.extend([&field.name, ": "]);
            }
            given.push_str(&value);
        });
        if !given.is_empty() {
            cell.push_str(" with ");
            code(cell, &given);
        }
    }

    fn parts(self, view: &TableView, rows: &mut Rows<'_>) {
        for (_, part) in picked(view, &self.system.parts) {
            let machine = &self.subjects.model.machines[part.machine];
            rows.push_facts(false, part.span, |cell, fact| match fact {
                Fact::Name => code(cell, &part.name),
                Fact::Label => label(cell, part.label.as_str()),
                Fact::Machine => code(cell, &machine.name),
                Fact::Many => match (part.many, part.of) {
                    (true, Some((owner, field))) => {
                        cell.push_str("many for each ");
                        code(cell, &self.system.part(owner).name);
                        cell.push_str(", linked by ");
                        code(cell, &machine.fields[field.index()].name);
                    }
                    (true, None) => cell.push_str("many"),
                    (false, _) => cell.push_str("one"),
                },
                Fact::Sorted => join(cell, ", ", &part.orders, |cell, it| {
                    let by = self.system.part(it.by);
                    let order = &self.subjects.model.machines[by.machine].orders[it.order.index()].name;
                    code(cell, &format!("{}.{order}", by.name));
                }),
                Fact::Doc => prose(cell, part.doc.as_deref()),
                _ => {}
            });
        }
    }

    fn transactions(self, view: &TableView, rows: &mut Rows<'_>) {
        let executed = self.executed(view, true);
        for (idx, it) in picked(view, &self.system.transactions) {
            self.transaction_row(rows, &executed, idx, it);
        }
    }

    /// Transactions with a `surface`, a row each.
    fn surfaces(self, view: &TableView, rows: &mut Rows<'_>) {
        let executed = self.executed(view, true);
        for (idx, it) in self.system.transactions.iter().enumerate().filter(|(_, it)| it.surface.is_some()) {
            self.transaction_row(rows, &executed, idx, it);
        }
    }

    fn transaction_row(self, rows: &mut Rows<'_>, executed: &[Executed<'_>], idx: usize, it: &Transaction) {
        rows.push_facts(it.inferred.is_some(), it.span, |cell, fact| match fact {
            Fact::Steps => steps(cell, executed, |_, step| step.transaction == idx),
            fact => self.transaction(cell, it, fact),
        });
    }

    fn transaction(self, cell: &mut String, transaction: &Transaction, fact: Fact) {
        match fact {
            Fact::Name => code(cell, &transaction.name),
            Fact::By => join(cell, ", ", &transaction.by, |cell, it| self.actor(cell, *it)),
            Fact::Performer => join(cell, "", transaction.performer, |cell, it| self.actor(cell, it)),
            Fact::Surface => label(cell, transaction.surface.as_deref()),
            Fact::Payload => join(cell, "<br>", &transaction.payload, |cell, it| {
                let ty = match (&it.field.ty, it.of) {
                    (statespec_lang::model::Type::State, Some(part)) => format!("{}.state", self.system.part(part).name),
                    (ty, _) => type_name(ty, &self.system.enums),
                };
                cell::payload(cell, &it.field, &ty);
            }),
            Fact::Fire => {
                join(cell, "<br>", &transaction.fire, |cell, it| self.fire(cell, it, &transaction.payload));
                for role in &transaction.roles {
                    cell.push_str("<br>with a ");
                    code(cell, &self.system.part(self.system.plays(*role)).name);
                    cell.push_str(" as ");
                    code(cell, &self.system.part(*role).name);
                }
            }
            Fact::Atomic => cell.push_str(if transaction.atomic { "yes" } else { "" }),
            Fact::OnFailure => prose(cell, transaction.on_failure.as_deref()),
            Fact::Doc => prose(cell, transaction.doc.as_deref()),
            _ => {}
        }
    }

    /// Transactions and links, with the events that each fires in each part.
    fn matrix(self, rows: &mut Rows<'_>) {
        let event = |cell: &mut String, fire: &Fire| {
            code(cell, &self.machine(fire.part).event(fire.event).name);
            // Two roles of a part are columns of none.
            if self.system.plays(fire.part) != fire.part {
                cell.push_str(" as ");
                code(cell, &self.system.part(fire.part).name);
            }
        };
        for it in &self.system.transactions {
            rows.push(it.inferred.is_some(), it.span, |cell, content| match content {
                Content::Part(part) => {
                    let own = it.fire.iter().filter(|it| self.system.plays(it.part) == part);
                    join(cell, "<br>", own, |cell, it| event(cell, it));
                }
                Content::Fact(fact) => self.transaction(cell, it, fact),
                Content::Attribute(_) | Content::Order(_) => {}
            });
        }
        for it in &self.system.links {
            rows.push(it.inferred.is_some(), it.span, |cell, content| match content {
                Content::Part(part) if self.system.plays(it.fire.part) == part => event(cell, &it.fire),
                Content::Fact(Fact::Name) => self.link(cell, it, Fact::Trigger),
                _ => {}
            });
        }
    }

    fn rules(self, rows: &mut Rows<'_>) {
        for it in &self.system.rules {
            rows.push_facts(it.inferred.is_some(), it.span, |cell, fact| match fact {
                Fact::Event => code(cell, &it.written),
                Fact::Require => self.expr(cell, &it.require, &[]),
                Fact::Doc => prose(cell, it.doc.as_str()),
                _ => {}
            });
        }
    }

    fn links(self, rows: &mut Rows<'_>) {
        for it in &self.system.links {
            rows.push_facts(it.inferred.is_some(), it.span, |cell, fact| self.link(cell, it, fact));
        }
    }

    fn link(self, cell: &mut String, link: &Link, fact: Fact) {
        match fact {
            Fact::Trigger => {
                code(cell, &self.system.part(link.part).name);
                cell.push_str(match link.on {
                    Crossing::Enter => " enters ",
                    Crossing::Exit => " leaves ",
                });
                code(cell, &self.machine(link.part).path_name(link.state));
            }
            Fact::Guard => join(cell, "", &link.when, |cell, it| self.expr(cell, it, &[])),
            Fact::Fire => self.fire(cell, &link.fire, &[]),
            Fact::Kind => cell.push_str(if link.optional { "ignored" } else { "undoes the transaction" }),
            Fact::Doc => prose(cell, link.doc.as_deref()),
            _ => {}
        }
    }

    fn invariants(self, rows: &mut Rows<'_>) {
        for it in &self.system.invariants {
            rows.push_facts(it.inferred.is_some(), it.span, |cell, fact| match fact {
                Fact::Require => self.expr(cell, &it.require, &[]),
                Fact::Doc => prose(cell, it.doc.as_str()),
                _ => {}
            });
        }
    }

    fn actors(self, view: &TableView, rows: &mut Rows<'_>) {
        for (idx, actor) in picked(view, &self.system.actors) {
            rows.push_facts(false, actor.span, |cell, fact| match fact {
                Fact::Name => cell::actor(cell, &actor.name),
                Fact::Doc => prose(cell, actor.doc.as_str()),
                Fact::Events => {
                    let own = self.system.transactions.iter().filter(|it| it.by.contains(&ActorId::new(idx)));
                    join(cell, ", ", own, |cell, it| code(cell, &it.name));
                }
                _ => {}
            });
        }
    }

    /// The selected walkthroughs with their traces: all, or only the first if one is required.
    fn executed(self, view: &TableView, first: bool) -> Vec<Executed<'a>> {
        let picked: Vec<usize> = match &view.only {
            Some(only) if matches!(view.aspect, Aspect::Walkthrough | Aspect::Updates | Aspect::Surfaces) => only.clone(),
            _ if first => (0..self.system.walkthroughs.len().min(1)).collect(),
            _ => (0..self.system.walkthroughs.len()).collect(),
        };
        let several = picked.len() > 1;
        let executed = picked.into_iter().filter_map(|idx| {
            let walkthrough_spec = self.system.walkthroughs.get(idx)?;
            // The model is valid, so its walkthroughs succeed.
            let traces = walkthrough(self.subjects.model, self.system, idx).unwrap_or_default();
            Some(Executed { walkthrough: walkthrough_spec, traces, several })
        });
        executed.collect()
    }

    fn walkthroughs<'b>(self, view: &TableView, columns: &'b [Column]) -> Vec<Table<'b>> {
        let executed = self.executed(view, false);
        let table = |it: &Executed<'_>| {
            let caption = caption(it.walkthrough);
            let mut rows = Rows::new(columns);
            for (step, trace) in it.walkthrough.steps.iter().zip(&it.traces) {
                rows.push(false, step.span, |cell, content| match content {
                    Content::Part(part) => join(cell, "", trace.cells.get(part.index()), |cell, it| self.cell(cell, part, it)),
                    Content::Fact(fact) => self.step(cell, step, trace, fact),
                    Content::Attribute(_) | Content::Order(_) => {}
                });
            }
            Table { caption: it.several.then_some(caption), rows }
        };
        executed.iter().map(table).collect()
    }

    fn step(self, cell: &mut String, step: &Step, trace: &StepTrace, fact: Fact) {
        match fact {
            Fact::Step => plain(cell, &step.number),
            Fact::Trigger => label(cell, step.trigger.as_str()),
            Fact::Updates => match &trace.outcome {
                Ok(_) => join(cell, "<br>", trace.update_lines(self.system), |cell, it| label(cell, it.as_str())),
                Err(reason) => {
                    let text = step.refused.clone().unwrap_or_else(|| reason.show(self.subjects.model, self.system));
                    cell.push_str("*refused:* ");
                    label(cell, text.as_str());
                }
            },
            Fact::Note => prose(cell, step.note.as_deref()),
            fact => self.transaction(cell, &self.system.transactions[step.transaction], fact),
        }
    }

    fn cell(self, cell: &mut String, part: PartId, content: &Cell) {
        match content {
            Cell::Absent => cell.push_str("*None*"),
            Cell::Unchanged(state) => {
                self.configuration(cell, part, state);
                cell.push_str(" (no change)");
            }
            Cell::Changed { before, after } => {
                match before {
                    Some(before) => self.configuration(cell, part, before),
                    None => cell.push_str("*None*"),
                }
                cell.push_str(" → ");
                self.configuration(cell, part, after);
            }
            Cell::Several(changes) => join(cell, "<br>", changes, |cell, (number, change)| {
                plain(cell, &format!("#{number}:"));
                cell.push(' ');
                self.cell(cell, part, change);
            }),
        }
    }

    /// Steps that update the same parts in the same way, a row each.
    fn updates(self, view: &TableView, rows: &mut Rows<'_>) {
        let executed = self.executed(view, true);
        let mut groups: Vec<(Vec<(PartId, String)>, Span)> = Vec::new();
        let key = |trace: &StepTrace| trace.updates.iter().map(|it| (it.part, it.summary.clone())).collect::<Vec<_>>();
        for (step, trace) in executed.iter().flat_map(|it| it.walkthrough.steps.iter().zip(&it.traces)) {
            let key = key(trace);
            if !key.is_empty() && groups.iter().all(|(other, _)| *other != key) {
                groups.push((key, step.span));
            }
        }
        // Steps that update one part first, then those that update several at once.
        groups.sort_by_key(|(updates, _)| updates.len());
        let part = |cell: &mut String, id: PartId| label(cell, self.system.part(id).label.as_str());
        for (updates, span) in groups {
            rows.push_facts(false, span, |cell, fact| match fact {
                Fact::Parts => join(cell, ", ", &updates, |cell, (id, _)| part(cell, *id)),
                Fact::Steps => steps(cell, &executed, |trace, _| key(trace) == updates),
                Fact::Updates => join(cell, "<br>", &updates, |cell, (id, summary)| {
                    part(cell, *id);
                    cell.push_str(": ");
                    label(cell, summary.as_str());
                }),
                _ => {}
            });
        }
    }

    fn inferred(self, rows: &mut Rows<'_>) {
        let mut row = |what: &str, reason: &Option<String>, span: Span, name: &dyn Fn(&mut String)| {
            if reason.is_some() {
                rows.push_facts(true, span, |cell, fact| match fact {
                    Fact::Kind => cell.push_str(what),
                    Fact::Name => name(cell),
                    Fact::Reason => prose(cell, reason.as_deref()),
                    _ => {}
                });
            }
        };
        let system = self.system;
        system.rules.iter().for_each(|it| row("Rule", &it.inferred, it.span, &|cell| prose(cell, it.doc.as_str())));
        system.transactions.iter().for_each(|it| row("Transaction", &it.inferred, it.span, &|cell| code(cell, &it.name)));
        system.links.iter().for_each(|it| row("Link", &it.inferred, it.span, &|cell| self.fire(cell, &it.fire, &[])));
        system.invariants.iter().for_each(|it| row("Invariant", &it.inferred, it.span, &|cell| prose(cell, it.doc.as_str())));
    }
}

/// The items that a view selects, with their positions.
fn picked<'a, T>(view: &'a TableView, all: &'a [T]) -> impl Iterator<Item = (usize, &'a T)> {
    all.iter().enumerate().filter(|(idx, _)| view.only.as_ref().is_none_or(|it| it.contains(idx)))
}

/// A walkthrough and its trace.
struct Executed<'a> {
    walkthrough: &'a Walkthrough,
    traces: Vec<StepTrace>,
    /// Whether it is one of several, so that its steps need its name.
    several: bool,
}

/// The numbers of the steps that match; three and more in a row as `2.2–2.7`.
fn steps(cell: &mut String, executed: &[Executed<'_>], matches: impl Fn(&StepTrace, &Step) -> bool) {
    let mut parts: Vec<String> = Vec::new();
    for it in executed {
        let number = |idx: usize| escape::plain(&it.walkthrough.steps[idx].number, Place::Cell);
        let matching: Vec<usize> = it
            .walkthrough
            .steps
            .iter()
            .zip(&it.traces)
            .enumerate()
            .filter(|(_, (step, trace))| matches(trace, step))
            .map(|(idx, _)| idx)
            .collect();
        let mut found = Vec::new();
        for run in matching.chunk_by(|a, b| a + 1 == *b) {
            match run {
                [first, .., last] if run.len() > 2 => found.push(format!("{}–{}", number(*first), number(*last))),
                few => found.extend(few.iter().map(|it| number(*it))),
            }
        }
        if !found.is_empty() {
            let name = if it.several { format!("{} ", escape::code(&it.walkthrough.name, Place::Cell)) } else { String::new() };
            parts.push(format!("{name}{}", found.join(", ")));
        }
    }
    cell.push_str(&parts.join("<br>"));
}
