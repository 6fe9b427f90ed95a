//! Tables and lists: columns selected, rows generated, empty columns omitted.

use std::borrow::Cow;

use minijinja::context;
use statespec_lang::model::AttributeId;
use statespec_lang::model::document::{Aspect, Column, Content, Fact, Subject, TableView};
use statespec_lang::output::Blame;
use statespec_lang::source::Span;

use super::escape::{self, Place};
use super::rows::Table;
use super::template::Templates;
use super::{Block, Subjects, machine, system};

/// A view as Markdown; `None` if it is empty.
pub(super) fn render(subjects: Subjects<'_>, subject: Subject, view: &TableView, templates: &Templates<'_>) -> Option<Block> {
    let chosen = !view.columns.is_empty();
    let columns = if chosen { Cow::Borrowed(&view.columns) } else { Cow::Owned(usual_columns(subjects, subject, view)) };
    let tables = match subject {
        Subject::Machine(idx) => {
            let machine = &subjects.model.machines[idx];
            vec![Table { caption: None, rows: machine::rows(machine, view, &columns) }]
        }
        Subject::System(idx) => system::tables(subjects, &subjects.model.systems[idx], view, &columns),
    };
    let mut block = Block::default();
    let mut parts = Vec::new();
    for Table { caption, rows } in tables.iter().filter(|it| !it.rows.about.is_empty()) {
        let shown = if chosen { (0..columns.len()).collect() } else { rows.telling() };
        let marks = view.aspect != Aspect::Inferred;
        let cells = (0..rows.about.len()).map(|row| rows.cells(row, &shown, marks));
        parts.extend(caption.as_ref().map(|it| format!("{it}\n")));
        let part = if view.list {
            let rows: Vec<Vec<String>> = cells.map(|it| it.map(Cow::into_owned).collect()).collect();
            templates.render("list.md", context! { rows })
        } else {
            let headers: Vec<String> = shown.iter().map(|it| escape::label(&columns[*it].header, Place::Cell)).collect();
            templates.render("table.md", context! { headers, lines => lines(cells) })
        };
        if shows_elements(view.aspect) {
            blame_rows(&mut block.blame, &part, &rows.about);
        }
        parts.push(part);
    }
    block.text = parts.join("\n").trim_end().to_owned();
    (!block.text.is_empty()).then_some(block)
}

/// Whether each row shows one element of the spec. The other rows combine several elements.
fn shows_elements(aspect: Aspect) -> bool {
    !matches!(aspect, Aspect::Adjacency | Aspect::Acceptance | Aspect::Actors | Aspect::Walkthrough | Aspect::Updates | Aspect::Surfaces)
}

/// Registers the last lines of a table or list as its rows.
fn blame_rows(blame: &mut Blame, part: &str, about: &[(bool, Span)]) {
    let lines: Vec<&str> = part.trim_end().lines().filter(|it| !it.trim().is_empty()).collect();
    let rows = lines.len().checked_sub(about.len()).and_then(|first| lines.get(first..)).unwrap_or_default();
    rows.iter().zip(about).for_each(|(line, (_, span))| blame.push(line, *span));
}

/// Rows as lines of a table.
pub(super) fn lines<R: IntoIterator<Item: AsRef<str>>>(rows: impl Iterator<Item = R>) -> String {
    let mut text = String::new();
    for cells in rows {
        text.push('|');
        for cell in cells {
            text.extend([" ", cell.as_ref(), " |"]);
        }
        text.push('\n');
    }
    text
}

/// The columns of an aspect if a document does not select them: all usual ones, and those specific to this
/// machine or system.
fn usual_columns(subjects: Subjects<'_>, subject: Subject, view: &TableView) -> Vec<Column> {
    let facts = view.aspect.facts();
    let picks_one = view.only.as_ref().is_some_and(|it| it.len() == 1);
    let shown: Vec<(Fact, &str)> = match view.aspect {
        // For a single event, the outcome in each state is more informative.
        Aspect::Acceptance if picks_one => vec![(Fact::State, "State"), (Fact::Answer, "Answer"), (Fact::Text, "Text")],
        _ if view.list => {
            // A list has the name and the description.
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
    if let (Aspect::Matrix, Subject::System(idx)) = (view.aspect, subject) {
        let system = &subjects.model.systems[idx];
        // A role has no instances of its own.
        let parts = system.part_ids().filter(|it| system.plays(*it) == *it);
        columns.extend(parts.map(|it| Column { header: system.part(it).label.clone(), content: Content::Part(it) }));
    }
    columns
}
