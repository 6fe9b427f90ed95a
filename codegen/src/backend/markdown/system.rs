//! The rows of tables about systems. Walkthroughs are executed; their tables are the traces.

use super::escape::{self, Place};
use super::machine::{cells, code, join, label, prose};
use super::table::{Row, Table};
use super::{Subjects, actor_name};
use crate::backend::show::SystemNames;
use crate::expr::type_name;
use crate::interpret::walkthrough::{Cell, StepTrace, walkthrough};
use crate::model::document::{Aspect, Column, Content, Fact, TableView};
use crate::model::system::{Crossing, Fire, Input, Step, Transaction, Walkthrough};
use crate::model::{ActorId, PartId, StateId, System};

/// The tables of a view: one, or one for each walkthrough.
pub(super) fn tables(subjects: Subjects<'_>, system: &System, view: &TableView, columns: &[Column]) -> Vec<Table> {
    let it = Whole { subjects, system, display_names: view.display_names };
    let one = |rows| vec![Table { caption: None, rows }];
    match view.aspect {
        Aspect::Parts => one(it.parts(view, columns)),
        Aspect::Transactions => one(it.transactions(view, columns)),
        Aspect::Rules => one(it.rules(columns)),
        Aspect::Links => one(it.links(columns)),
        Aspect::Invariants => one(it.invariants(columns)),
        Aspect::Actors => one(it.actors(view, columns)),
        Aspect::Walkthrough => it.walkthroughs(view, columns),
        Aspect::Updates => one(it.updates(view, columns)),
        Aspect::Surfaces => one(it.surfaces(view, columns)),
        Aspect::Inferred => one(it.inferred(columns)),
        _ => Vec::new(),
    }
}

#[derive(Clone, Copy)]
struct Whole<'a> {
    subjects: Subjects<'a>,
    system: &'a System,
    display_names: bool,
}

impl<'a> Whole<'a> {
    fn machine(self, part: PartId) -> &'a crate::model::Machine {
        &self.subjects.model.machines[self.system.part(part).machine]
    }

    fn state(self, part: PartId, id: StateId) -> String {
        let machine = self.machine(part);
        code(&if self.display_names { machine.display_name(id) } else { machine.path_name(id) })
    }

    fn event(self, part: PartId, event: crate::model::EventId) -> String {
        code(&format!("{}.{}", self.system.part(part).name, self.machine(part).event(event).name))
    }

    fn actor(self, id: ActorId) -> String {
        self.system.actors.get(id.index()).map_or_else(String::new, |it| actor_name(&it.name))
    }

    fn expr(self, expr: &crate::expr::Expr, inputs: &[Input]) -> String {
        code(&expr.show(&SystemNames::new(self.subjects.model, self.system, inputs)))
    }

    fn fire(self, fire: &Fire, inputs: &[Input]) -> String {
        let event = self.event(fire.part, fire.event);
        let fields = &self.machine(fire.part).event(fire.event).payload;
        let given: Vec<_> = fields
            .iter()
            .zip(&fire.payload)
            .map(|(field, value)| {
                let value = value.show(&SystemNames::new(self.subjects.model, self.system, inputs));
                if value == field.name { value } else { format!("{}: {value}", field.name) }
            })
            .collect();
        if given.is_empty() { event } else { format!("{event} with {}", code(&given.join(", "))) }
    }

    fn parts(self, view: &TableView, columns: &[Column]) -> Vec<Row> {
        let picked = |idx: usize| view.only.as_ref().is_none_or(|it| it.contains(&idx));
        let parts = self.system.parts.iter().enumerate().filter(|(idx, _)| picked(*idx));
        let row = |(_, part): (usize, &crate::model::system::Part)| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Name => code(&part.name),
                Fact::Label => label(&part.label),
                Fact::Machine => code(&self.subjects.model.machines[part.machine].name),
                Fact::Many => match (part.many, part.of) {
                    (true, Some((owner, field))) => {
                        let machine = &self.subjects.model.machines[part.machine];
                        format!(
                            "many for each {}, told by {}",
                            code(&self.system.part(owner).name),
                            code(&machine.fields[field.index()].name)
                        )
                    }
                    (true, None) => "many".into(),
                    (false, _) => "one".into(),
                },
                Fact::Doc => prose(&part.doc),
                _ => String::new(),
            }),
            inferred: false,
            span: part.span,
        };
        parts.map(row).collect()
    }

    fn transactions(self, view: &TableView, columns: &[Column]) -> Vec<Row> {
        let told = self.told(view, true);
        let picked = |idx: usize| view.only.as_ref().is_none_or(|it| it.contains(&idx));
        let row = |(idx, it): (usize, &Transaction)| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Steps => steps(&told, |_, step| step.transaction == idx),
                fact => self.transaction(it, fact),
            }),
            inferred: it.inferred.is_some(),
            span: it.span,
        };
        self.system.transactions.iter().enumerate().filter(|(idx, _)| picked(*idx)).map(row).collect()
    }

    fn transaction(self, transaction: &Transaction, fact: Fact) -> String {
        match fact {
            Fact::Name => code(&transaction.name),
            Fact::By => join(transaction.by.iter().map(|it| self.actor(*it))),
            Fact::Performer => transaction.performer.map_or_else(String::new, |it| self.actor(it)),
            Fact::Surface => transaction.surface.as_deref().map_or_else(String::new, label),
            Fact::Payload => {
                let input = |it: &Input| {
                    let ty = match (&it.field.ty, it.of) {
                        (crate::model::Type::State, Some(part)) => format!("{}.state", self.system.part(part).name),
                        (ty, _) => type_name(ty, &self.system.enums),
                    };
                    let typed = code(&format!("{}: {ty}{}", it.field.name, if it.field.optional { "?" } else { "" }));
                    let doc = prose(&it.field.doc);
                    if doc.is_empty() { typed } else { format!("{typed} – {doc}") }
                };
                transaction.payload.iter().map(input).collect::<Vec<_>>().join("<br>")
            }
            Fact::Fire => transaction.fire.iter().map(|it| self.fire(it, &transaction.payload)).collect::<Vec<_>>().join("<br>"),
            Fact::Atomic => if transaction.atomic { "yes" } else { "" }.into(),
            Fact::OnFailure => prose(&transaction.on_failure),
            Fact::Doc => prose(&transaction.doc),
            _ => String::new(),
        }
    }

    fn rules(self, columns: &[Column]) -> Vec<Row> {
        let rules = self.system.rules.iter().map(|it| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Event => code(&it.written),
                Fact::Require => self.expr(&it.require, &[]),
                Fact::Doc => prose(&Some(it.doc.clone())),
                _ => String::new(),
            }),
            inferred: it.inferred.is_some(),
            span: it.span,
        });
        rules.collect()
    }

    fn links(self, columns: &[Column]) -> Vec<Row> {
        let links = self.system.links.iter().map(|it| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Trigger => {
                    let crossing = match it.on {
                        Crossing::Enter => "enters",
                        Crossing::Exit => "leaves",
                    };
                    let state = code(&self.machine(it.part).path_name(it.state));
                    format!("{} {crossing} {state}", code(&self.system.part(it.part).name))
                }
                Fact::Guard => it.when.as_ref().map_or_else(String::new, |it| self.expr(it, &[])),
                Fact::Fire => self.fire(&it.fire, &[]),
                Fact::Kind => if it.optional { "passed over" } else { "undoes everything" }.into(),
                Fact::Doc => prose(&it.doc),
                _ => String::new(),
            }),
            inferred: it.inferred.is_some(),
            span: it.span,
        });
        links.collect()
    }

    fn invariants(self, columns: &[Column]) -> Vec<Row> {
        let invariants = self.system.invariants.iter().map(|it| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Require => self.expr(&it.require, &[]),
                Fact::Doc => prose(&Some(it.doc.clone())),
                _ => String::new(),
            }),
            inferred: it.inferred.is_some(),
            span: it.span,
        });
        invariants.collect()
    }

    fn actors(self, view: &TableView, columns: &[Column]) -> Vec<Row> {
        let picked = |idx: usize| view.only.as_ref().is_none_or(|it| it.contains(&idx));
        let actors = self.system.actors.iter().enumerate().filter(|(idx, _)| picked(*idx));
        let row = |(idx, actor): (usize, &crate::model::machine::Actor)| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Name => actor_name(&actor.name),
                Fact::Doc => prose(&Some(actor.doc.clone())),
                Fact::Events => {
                    let own = self.system.transactions.iter().filter(|it| it.by.contains(&ActorId::new(idx)));
                    join(own.map(|it| code(&it.name)))
                }
                _ => String::new(),
            }),
            inferred: false,
            span: actor.span,
        };
        actors.map(row).collect()
    }

    /// The picked walkthroughs with what executing them did: all, or where one must do, the first.
    fn told(self, view: &TableView, first: bool) -> Vec<Told<'a>> {
        let picked: Vec<usize> = match &view.only {
            Some(only) if matches!(view.aspect, Aspect::Walkthrough | Aspect::Updates | Aspect::Surfaces) => only.clone(),
            _ if first => (0..self.system.walkthroughs.len().min(1)).collect(),
            _ => (0..self.system.walkthroughs.len()).collect(),
        };
        let several = picked.len() > 1;
        let told = picked.into_iter().filter_map(|idx| {
            let walkthrough_spec = self.system.walkthroughs.get(idx)?;
            // The model exists, so its walkthroughs went as written.
            let traces = walkthrough(self.subjects.model, self.system, idx).unwrap_or_default();
            Some(Told { walkthrough: walkthrough_spec, traces, several })
        });
        told.collect()
    }

    fn walkthroughs(self, view: &TableView, columns: &[Column]) -> Vec<Table> {
        let told = self.told(view, false);
        let table = |it: &Told<'_>| {
            let name = code(&it.walkthrough.name);
            let caption = match it.walkthrough.doc.as_deref() {
                Some(doc) if !doc.trim().is_empty() => format!("{name}: {}", escape::prose(doc, Place::Line)),
                _ => format!("{name}:"),
            };
            let rows = it.walkthrough.steps.iter().zip(&it.traces).map(|(step, trace)| self.step(step, trace, columns));
            Table { caption: it.several.then_some(caption), rows: rows.collect() }
        };
        told.iter().map(table).collect()
    }

    fn step(self, step: &Step, trace: &StepTrace, columns: &[Column]) -> Row {
        let transaction = &self.system.transactions[step.transaction];
        let cell = |column: &Column| match column.content {
            Content::Part(part) => trace.cells.get(part.index()).map_or_else(String::new, |it| self.cell(part, it)),
            Content::Fact(fact) => match fact {
                Fact::Step => escape::plain(&step.number, Place::Cell),
                Fact::Trigger => label(&step.trigger),
                Fact::Updates => match &trace.outcome {
                    Ok(_) => trace.update_lines(self.system).iter().map(|it| label(it)).collect::<Vec<_>>().join("<br>"),
                    Err(reason) => {
                        let text = step.refused.clone().unwrap_or_else(|| reason.show(self.subjects.model, self.system));
                        format!("*refused:* {}", label(&text))
                    }
                },
                Fact::Note => prose(&step.note),
                fact => self.transaction(transaction, fact),
            },
            Content::Attribute(_) | Content::Order(_) => String::new(),
        };
        Row { cells: columns.iter().map(cell).collect(), inferred: false, span: step.span }
    }

    fn cell(self, part: PartId, cell: &Cell) -> String {
        match cell {
            Cell::Absent => "*None*".into(),
            Cell::Unchanged(state) => format!("{} (no change)", self.state(part, *state)),
            Cell::Changed { before: None, after } => format!("*None* → {}", self.state(part, *after)),
            Cell::Changed { before: Some(before), after } => format!("{} → {}", self.state(part, *before), self.state(part, *after)),
        }
    }

    /// Steps that update the same parts in the same way, a row each.
    fn updates(self, view: &TableView, columns: &[Column]) -> Vec<Row> {
        let told = self.told(view, true);
        let mut groups: Vec<(Vec<(PartId, String)>, crate::source::Span)> = Vec::new();
        let key = |trace: &StepTrace| trace.updates.iter().map(|it| (it.part, it.summary.clone())).collect::<Vec<_>>();
        for (step, trace) in told.iter().flat_map(|it| it.walkthrough.steps.iter().zip(&it.traces)) {
            let key = key(trace);
            if !key.is_empty() && groups.iter().all(|(other, _)| *other != key) {
                groups.push((key, step.span));
            }
        }
        // Steps that update one part first, then those that update several at once.
        groups.sort_by_key(|(updates, _)| updates.len());
        let part = |id: PartId| label(&self.system.part(id).label);
        let row = |(updates, span): (Vec<(PartId, String)>, crate::source::Span)| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Parts => join(updates.iter().map(|(id, _)| part(*id))),
                Fact::Steps => steps(&told, |trace, _| key(trace) == updates),
                Fact::Updates => {
                    updates.iter().map(|(id, summary)| format!("{}: {}", part(*id), label(summary))).collect::<Vec<_>>().join("<br>")
                }
                _ => String::new(),
            }),
            inferred: false,
            span,
        };
        groups.into_iter().map(row).collect()
    }

    /// Transactions that a person finds somewhere, a row each.
    fn surfaces(self, view: &TableView, columns: &[Column]) -> Vec<Row> {
        let told = self.told(view, true);
        let found = self.system.transactions.iter().enumerate().filter(|(_, it)| it.surface.is_some());
        let row = |(idx, it): (usize, &Transaction)| Row {
            cells: cells(columns, |fact| match fact {
                Fact::Steps => steps(&told, |_, step| step.transaction == idx),
                fact => self.transaction(it, fact),
            }),
            inferred: it.inferred.is_some(),
            span: it.span,
        };
        found.map(row).collect()
    }

    fn inferred(self, columns: &[Column]) -> Vec<Row> {
        let system = self.system;
        let row = |what: &str, name: String, reason: &Option<String>, span| {
            reason.as_ref().map(|reason| Row {
                cells: cells(columns, |fact| match fact {
                    Fact::Kind => what.to_owned(),
                    Fact::Name => name.clone(),
                    Fact::Reason => escape::prose(reason, Place::Cell),
                    _ => String::new(),
                }),
                inferred: true,
                span,
            })
        };
        let rules = system.rules.iter().filter_map(|it| row("Rule", prose(&Some(it.doc.clone())), &it.inferred, it.span));
        let transactions = system.transactions.iter().filter_map(|it| row("Transaction", code(&it.name), &it.inferred, it.span));
        let links = system.links.iter().filter_map(|it| row("Link", self.fire(&it.fire, &[]), &it.inferred, it.span));
        let invariants = system.invariants.iter().filter_map(|it| row("Invariant", prose(&Some(it.doc.clone())), &it.inferred, it.span));
        rules.chain(transactions).chain(links).chain(invariants).collect()
    }
}

/// A walkthrough, and what executing it did.
struct Told<'a> {
    walkthrough: &'a Walkthrough,
    traces: Vec<StepTrace>,
    /// One of several, so that its steps need its name.
    several: bool,
}

/// The numbers of the steps that match; three and more in a row as `2.2–2.7`.
fn steps(told: &[Told<'_>], matches: impl Fn(&StepTrace, &Step) -> bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    for it in told {
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
            let name = if it.several { format!("{} ", code(&it.walkthrough.name)) } else { String::new() };
            parts.push(format!("{name}{}", found.join(", ")));
        }
    }
    parts.join("<br>")
}
