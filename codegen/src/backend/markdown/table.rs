//! Tables and lists: columns chosen, rows made, empty columns left out.

use minijinja::context;

use super::escape::{self, Place};
use super::template::Templates;
use super::{Block, Subjects, machine, system};
use crate::model::AttributeId;
use crate::model::document::{Aspect, Column, Content, Fact, Subject, TableView};
use crate::source::Span;

/// A row: its cells as Markdown.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    /// The source text did not say it.
    pub(super) inferred: bool,
    /// The spec element it speaks of.
    pub(super) span: Span,
}

/// Several tables one after another, each with a sentence before it; usually one, without.
pub(super) struct Table {
    pub(super) caption: Option<String>,
    pub(super) rows: Vec<Row>,
}

/// A view as Markdown, or nothing where there is nothing to show.
pub(super) fn render(subjects: Subjects<'_>, subject: Subject, view: &TableView, templates: &Templates<'_>) -> Option<Block> {
    let chosen = !view.columns.is_empty();
    let columns = if chosen { view.columns.clone() } else { usual_columns(subjects, subject, view) };
    let tables = match subject {
        Subject::Machine(idx) => {
            let machine = &subjects.model.machines[idx];
            vec![Table { caption: None, rows: machine::rows(machine, view, &columns) }]
        }
        Subject::System(idx) => system::tables(subjects, &subjects.model.systems[idx], view, &columns),
    };
    let mut block = Block::default();
    let mut parts = Vec::new();
    for table in tables.into_iter().filter(|it| !it.rows.is_empty()) {
        let mut columns = columns.clone();
        let mut rows = table.rows;
        if !chosen {
            leave_out_empty(&mut columns, &mut rows);
        }
        for row in &mut rows {
            block.blame(&row.cells, row.span);
            if row.inferred
                && view.aspect != Aspect::Inferred
                && let Some(first) = row.cells.first_mut()
            {
                first.push_str(" *(inferred)*");
            }
        }
        parts.extend(table.caption.map(|it| format!("{it}\n")));
        parts.push(if view.list {
            let cells: Vec<Vec<String>> = rows.into_iter().map(|it| it.cells).collect();
            templates.render("list.md", context! { rows => cells })
        } else {
            let headers: Vec<String> = columns.iter().map(|it| escape::label(&it.header, Place::Cell)).collect();
            templates.render("table.md", context! { headers, lines => lines(rows.iter().map(|it| it.cells.as_slice())) })
        });
    }
    block.text = parts.join("\n").trim_end().to_owned();
    (!block.text.is_empty()).then_some(block)
}

/// Rows as lines of a table.
pub(super) fn lines<'a>(rows: impl Iterator<Item = &'a [String]>) -> String {
    let mut text = String::new();
    for cells in rows {
        text.push('|');
        for cell in cells {
            text.extend([" ", cell, " |"]);
        }
        text.push('\n');
    }
    text
}

/// The columns of an aspect when a document does not choose: all usual ones, and what only this
/// machine or system has.
fn usual_columns(subjects: Subjects<'_>, subject: Subject, view: &TableView) -> Vec<Column> {
    let facts = view.aspect.facts();
    let picks_one = view.only.as_ref().is_some_and(|it| it.len() == 1);
    let shown: Vec<(Fact, &str)> = match view.aspect {
        // Of one event it is more telling what becomes of it in each state.
        Aspect::Acceptance if picks_one => vec![(Fact::State, "State"), (Fact::Answer, "Answer"), (Fact::Text, "Text")],
        _ if view.list => {
            // A list has the name, and what it means.
            let named = facts.first().into_iter().chain(facts.iter().filter(|(fact, ..)| *fact == Fact::Doc));
            named.map(|(fact, header, _)| (*fact, *header)).collect()
        }
        _ => facts.iter().filter(|(.., shown)| *shown).map(|(fact, header, _)| (*fact, *header)).collect(),
    };
    let mut columns: Vec<Column> = Vec::new();
    for (fact, header) in shown {
        match (view.aspect, fact, subject) {
            (Aspect::States, Fact::Doc, Subject::Machine(idx)) if !view.list => {
                let machine = &subjects.model.machines[idx];
                for (idx, attribute) in machine.attributes.iter().enumerate() {
                    let header = attribute.label.as_deref().unwrap_or(&attribute.name).to_owned();
                    columns.push(Column { header, content: Content::Attribute(AttributeId::new(idx)) });
                }
            }
            (Aspect::Walkthrough, Fact::Updates, Subject::System(idx)) => {
                let system = &subjects.model.systems[idx];
                for id in system.part_ids() {
                    columns.push(Column { header: format!("{} State", system.part(id).label), content: Content::Part(id) });
                }
            }
            _ => {}
        }
        let header = match (view.aspect, fact, subject) {
            (Aspect::Actors, Fact::Events, Subject::System(_)) => "Triggers",
            _ => header,
        };
        columns.push(Column { header: header.to_owned(), content: Content::Fact(fact) });
    }
    columns
}

/// Columns that say nothing in any row, the first one excepted.
fn leave_out_empty(columns: &mut Vec<Column>, rows: &mut [Row]) {
    let kept: Vec<bool> = (0..columns.len()).map(|idx| idx == 0 || rows.iter().any(|row| !row.cells[idx].is_empty())).collect();
    let mut keep = kept.iter();
    columns.retain(|_| *keep.next().unwrap_or(&true));
    for row in rows {
        let mut keep = kept.iter();
        row.cells.retain(|_| *keep.next().unwrap_or(&true));
    }
}
