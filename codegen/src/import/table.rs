//! Reads tables of transitions: From, To and Trigger; or a state and its successors.

use std::ops::Range;

use super::draft::{Draft, Effect, From, Row, State};
use super::span;
use crate::source::SourceId;

/// A table of a page.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) head: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) range: Range<usize>,
}

/// A cell: its text, and the parts in backticks.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) codes: Vec<String>,
    pub(super) range: Range<usize>,
}

/// The meaning of a column, determined by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    From,
    To,
    Event,
    Guard,
    Effect,
    Doc,
    Other,
}

/// One step of a table; `None` is `[*]`.
pub(super) struct Pair {
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) event: Option<String>,
    pub(super) range: Range<usize>,
}

/// A table with known columns.
pub(super) struct Edges<'a> {
    table: &'a Table,
    columns: Vec<Column>,
    id: SourceId,
}

impl<'a> Edges<'a> {
    /// `None` if a table does not have a source and a target.
    pub(super) fn new(table: &'a Table, id: SourceId) -> Option<Self> {
        let mut columns: Vec<Column> = table.head.iter().map(|it| column(&it.text)).collect();
        for idx in 0..columns.len() {
            // The first column of a kind counts; documentation may be in several columns.
            if columns[idx] != Column::Doc && columns[..idx].contains(&columns[idx]) {
                columns[idx] = Column::Other;
            }
        }
        let has = |column: Column| columns.contains(&column);
        (has(Column::From) && has(Column::To)).then_some(Edges { table, columns, id })
    }

    /// Whether each row is a state with all its successors.
    pub(super) fn is_adjacency(&self) -> bool {
        !self.columns.contains(&Column::Event)
    }

    /// The range of the headings.
    pub(super) fn head_range(&self) -> Range<usize> {
        row_range(&self.table.head)
    }

    /// The columns other than From, To and Trigger, if any.
    pub(super) fn more_columns(&self) -> Option<String> {
        let more = self.columns.iter().zip(&self.table.head).filter(|(it, _)| !matches!(it, Column::From | Column::To | Column::Event));
        let names: Vec<String> = more.map(|(_, head)| format!("`{}`", head.text)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn cell<'b>(&self, row: &'b [Cell], column: Column) -> Option<&'b Cell> {
        self.columns.iter().position(|it| *it == column).and_then(|it| row.get(it))
    }

    /// Sources and targets as texts, with their places.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for row in &self.table.rows {
            let event = self.cell(row, Column::Event).map(|it| it.text.clone()).filter(|it| !is_nothing(it));
            for from in self.sources(row) {
                for to in self.targets(row) {
                    pairs.push(Pair { from: from.clone(), to, event: event.clone(), range: row_range(row) });
                }
            }
        }
        pairs
    }

    /// `None` if a cell states that there is no source.
    fn sources(&self, row: &[Cell]) -> Vec<Option<String>> {
        let Some(cell) = self.cell(row, Column::From) else { return Vec::new() };
        if is_nothing(&cell.text) { vec![None] } else { names(cell).into_iter().map(Some).collect() }
    }

    /// `None` if a cell states that there is no target.
    fn targets(&self, row: &[Cell]) -> Vec<Option<String>> {
        let Some(cell) = self.cell(row, Column::To) else { return Vec::new() };
        if is_nothing(&cell.text) { vec![None] } else { names(cell).into_iter().map(Some).collect() }
    }

    /// The machine that the table describes.
    pub(super) fn draft(&self, name: &str, title: Option<&str>) -> Draft {
        let whole = span(self.id, self.table.head.first().map_or(self.table.range.clone(), |it| it.range.clone()));
        let mut draft = Draft { title: title.map(str::to_owned), ..Draft::new(name, whole) };
        for (_, head) in self.columns.iter().zip(&self.table.head).filter(|(it, _)| **it == Column::Other) {
            draft.found.loss(
                span(self.id, head.range.clone()),
                format!("no key of a spec matches the heading `{}`: the column was left out", head.text),
            );
        }
        for row in &self.table.rows {
            self.row(row, &mut draft);
        }
        // Only a state without transitions remains terminal.
        let has_way_out = |idx: usize| draft.rows.iter().any(|it| it.from == From::State(idx) || it.from == From::Any);
        let ends: Vec<usize> = (0..draft.states.len()).filter(|it| draft.states[*it].terminal && has_way_out(*it)).collect();
        for idx in ends {
            draft.states[idx].terminal = false;
            let state = &draft.states[idx];
            draft
                .found
                .loss(state.span, format!("`{}` is an end in one row and has transitions in another: the transitions were kept", state.id));
        }
        draft
    }

    fn row(&self, row: &[Cell], draft: &mut Draft) {
        let place = span(self.id, row_range(row));
        for from in self.sources(row) {
            let any = from.as_deref().is_some_and(is_any);
            let from_place = self.cell(row, Column::From).map_or(place, |it| span(self.id, it.range.clone()));
            let from = match from {
                Some(_) if any => From::Any,
                Some(name) => From::State(state(&name, from_place, draft)),
                None => From::Creation,
            };
            for to in self.targets(row) {
                let to_place = self.cell(row, Column::To).map_or(place, |it| span(self.id, it.range.clone()));
                let to = to.map(|it| state(&it, to_place, draft));
                let events = self.cell(row, Column::Event).map(|it| it.text.clone()).filter(|it| !is_nothing(it));
                match (from, to) {
                    (From::State(idx), None) if events.is_none() => {
                        draft.states[idx].terminal = true;
                        continue;
                    }
                    (From::Creation, Some(to)) if draft.states.iter().all(|it| !it.initial) => draft.states[to].initial = true,
                    _ => {}
                }
                if from == From::Creation && to.is_some() && events.is_none() && draft.rows.iter().all(|it| it.from != From::Creation) {
                    // The initial state is recorded, so no row is needed.
                    continue;
                }
                let mut step = Row::new(from, to, place);
                if let Some(events) = events {
                    step = step.with_label(&events);
                    // A diagram shows the event anyway.
                    step.label = step.label.filter(|it| step.events != [it.as_str()]);
                }
                let texts = |column| self.cell(row, column).map(|it| it.text.clone()).filter(|it| !is_nothing(it));
                step.guards.extend(texts(Column::Guard));
                step.effects.extend(texts(Column::Effect).map(Effect::new));
                step.doc = texts(Column::Doc);
                draft.rows.push(step);
            }
        }
    }
}

fn row_range(row: &[Cell]) -> Range<usize> {
    let start = row.first().map_or(0, |it| it.range.start);
    start..row.last().map_or(start, |it| it.range.end)
}

/// The state of this name, known or new.
fn state(name: &str, place: crate::source::Span, draft: &mut Draft) -> usize {
    if let Some(known) = draft.states.iter().position(|it| it.id == name) {
        return known;
    }
    draft.states.push(State::new(name, None, place));
    draft.states.len() - 1
}

/// The states named in a cell: each in backticks, or separated by commas and similar signs.
fn names(cell: &Cell) -> Vec<String> {
    let outside = cell.codes.iter().fold(cell.text.clone(), |text, code| text.replacen(code.as_str(), "", 1));
    let only_codes = !cell.codes.is_empty() && outside.chars().all(|it| !it.is_alphanumeric() || it == 'o' || it == 'r');
    let mut found: Vec<String> = Vec::new();
    let pieces: Vec<String> = if only_codes {
        cell.codes.clone()
    } else {
        cell.text.split([',', ';', '\n']).flat_map(|it| it.split(" or ")).flat_map(|it| it.split(" / ")).map(str::to_owned).collect()
    };
    for piece in pieces {
        let piece = piece.trim().trim_matches(['`', '"', '*']).trim();
        if !piece.is_empty() && !found.iter().any(|it| it == piece) {
            found.push(piece.to_owned());
        }
    }
    // `*` alone means every state.
    if found.is_empty() && is_any(cell.text.trim()) { vec!["*".to_owned()] } else { found }
}

fn is_any(text: &str) -> bool {
    matches!(text.trim().trim_matches(['(', ')']).to_lowercase().as_str(), "*" | "any" | "any state" | "all" | "all states")
}

/// Common notations for an empty cell.
fn is_nothing(text: &str) -> bool {
    let text = text.trim().trim_matches(['(', ')', '`', '_', '*']).trim().to_lowercase();
    let words = [
        "",
        "-",
        "–",
        "—",
        "none",
        "n/a",
        "terminal",
        "final",
        "sink",
        "end",
        "start",
        "initial",
        "nothing",
        "∅",
        "[*]",
        "no transitions",
        "terminal state",
    ];
    words.contains(&text.as_str()) || text == "[*"
}

/// The meaning of a heading.
fn column(heading: &str) -> Column {
    let heading = heading.to_lowercase();
    let heading = heading.trim();
    const KNOWN: &[(Column, &[&str])] = &[
        (Column::From, &["from", "from state", "source", "source state", "state", "current", "current state", "old state", "start state"]),
        (
            Column::To,
            &[
                "to",
                "to state",
                "target",
                "target state",
                "next",
                "next state",
                "next states",
                "new state",
                "destination",
                "allowed transitions",
                "allowed next states",
                "allowed targets",
                "transitions",
                "transitions to",
                "can transition to",
                "valid transitions",
                "valid next states",
                "end state",
            ],
        ),
        (
            Column::Event,
            &["trigger", "event", "triggers", "events", "on", "input", "action/event", "trigger/event", "event/trigger", "command"],
        ),
        (Column::Guard, &["guard", "condition", "conditions", "when", "if", "guards"]),
        (Column::Effect, &["effect", "effects", "side effect", "side effects", "action", "actions", "do"]),
        (Column::Doc, &["description", "doc", "notes", "note", "comment", "meaning", "remarks"]),
    ];
    KNOWN.iter().find(|(_, words)| words.contains(&heading)).map_or(Column::Other, |(column, _)| *column)
}
