//! Reads tables of transitions: From, To and Trigger; or a state and its successors.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use statespec_lang::source::{SourceId, Span};

pub(super) use super::cell::Cell;
use super::column::{Column, Columns};
use super::draft::Draft;
use super::event_names::EventNames;
use super::held_against::states_of;
use super::known::Known;
use super::matrix::Steps;
use super::page::About;
use super::phrase::{self, words};
use super::row::Reader;
use super::source::Source;
use super::span;
use super::state_table::StateTable;
use super::step_column::Split;
use super::target::Target;

/// A table of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) head: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) range: Range<usize>,
}

impl Table {
    /// The columns of sources and of targets, as far as the headings name them.
    pub(super) fn sides(&self) -> (Option<usize>, Option<usize>) {
        let columns = Columns::new(&self.head, None);
        (columns.position(Column::From), columns.position(Column::To))
    }

    /// The first line.
    pub(super) fn head_range(&self) -> Range<usize> {
        let end = self.head.last().map_or(self.range.end, |it| it.range.end);
        self.range.start..end
    }

    /// The heading that says that the rows are test cases, whatever the other headings say.
    pub(super) fn tests(&self) -> Option<String> {
        Columns::new(&self.head, None).tests
    }

    /// Whether most rows name two states of a machine, or a step between them.
    pub(super) fn names_states_of(&self, draft: &Draft) -> bool {
        let states = |cell: &Cell| states_of(draft, cell).into_iter().collect::<BTreeSet<usize>>();
        let names_two = |row: &&Vec<Cell>| {
            // A list of states in one cell is one side of a step.
            let sides: Vec<BTreeSet<usize>> = row.iter().map(states).filter(|it| !it.is_empty()).collect();
            let named: BTreeSet<&usize> = sides.iter().flatten().collect();
            let is_step = |cell: &Cell| cell.step().is_some_and(|(from, to)| !states(&from).is_empty() || !states(&to).is_empty());
            (sides.len() > 1 && named.len() > 1) || row.iter().any(is_step)
        };
        let n_rows = self.rows.iter().filter(names_two).count();
        n_rows > 1 && n_rows * 2 > self.rows.len()
    }
}

/// A row that was left out, as far as it was read: the names of its sources and targets, where these are known, and its events.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) from: Option<Vec<String>>,
    pub(super) to: Option<Vec<String>>,
    pub(super) events: Vec<String>,
}

/// The columns that a comparison with a diagram looks at.
const COMPARED: &[Column] = &[Column::From, Column::To, Column::Event, Column::Verdict, Column::Forbidden];

/// The message about a remark in a heading.
fn left_out(remark: &str, head: &Cell) -> String {
    format!("`{remark}` in the heading `{}` was left out", head.text)
}

/// A table as a machine, and what it says besides.
pub(super) struct Reading {
    pub(super) draft: Draft,
    /// The rows that may say anything.
    pub(super) unclear: Vec<Left>,
    /// The place that says where the machine starts.
    pub(super) start: Option<Span>,
    /// The places of the events that lead to an end without a name.
    pub(super) ends: BTreeSet<Span>,
}

/// A table with known columns.
pub(super) struct Edges<'a> {
    pub(super) table: Cow<'a, Table>,
    pub(super) columns: Columns,
    pub(super) known: Known,
    pub(super) id: SourceId,
    /// What the text around the table speaks of.
    pub(super) about: About,
    /// Whether the headings say that the table lists what is not allowed.
    pub(super) forbids: bool,
    /// The cells that were read as the ones above them.
    repeats: Vec<(Range<usize>, String)>,
    /// The events that several rows have.
    pub(super) events: EventNames,
    /// What is missing of the matrix that the rows were made of.
    matrix: Option<Steps>,
    /// The place of a step that was read as the start, where it may be one from anywhere.
    start: Option<Range<usize>>,
}

impl<'a> Edges<'a> {
    /// `None` if a table does not have a source and a target, or is a mapping of other things.
    ///
    /// `about` is what the text around the table speaks of.
    pub(super) fn new(table: &'a Table, id: SourceId, about: About) -> Option<Self> {
        let mut matrix = table.steps_of_matrix(about);
        let steps = matrix.as_mut().map(|it| std::mem::take(&mut it.table));
        let mut table = steps.map_or(Cow::Borrowed(table), Cow::Owned);
        let mut repeats = Vec::new();
        if let Some(written_out) = table.written_out().filter(|_| matrix.is_none()) {
            repeats = written_out.repeats;
            table = Cow::Owned(written_out.table);
        }
        let mut columns = Columns::new(&table.head, None);
        let mut forbids = table.head.iter().any(|it| {
            // `Why it is forbidden`
            let words = words(&it.text);
            phrase::is_negative(&it.text) && words.iter().any(|it| it == "why" || it == "reason")
        });
        if !columns.has(Column::To)
            && let Some(only) = columns.position(Column::Forbidden)
        {
            columns.of[only] = Column::To;
            forbids = true;
        }
        let mut start = None;
        if !(columns.has(Column::From) && columns.has(Column::To)) {
            let Split { table: split, at, guessed } = table.with_split_steps()?;
            // Beside a column of states, `→ B` says where each leads.
            let leads_only = table.rows.iter().filter_map(|it| it.get(at)?.step()).all(|(from, _)| from.text.is_empty());
            if columns.has(Column::From) && leads_only {
                columns.of[at] = Column::To;
            } else {
                columns = Columns::new(&split.head, Some(at));
                table = Cow::Owned(split);
                start = guessed;
            }
        }
        let mut edges =
            Edges { table, columns, known: Known::default(), id, about, forbids, repeats, events: EventNames::default(), matrix, start };
        edges.known = Known::of(&edges);
        edges.events = EventNames::of(&edges);
        edges.is_about_states().then_some(edges)
    }

    /// Whether a cell says that the step of its row is not allowed.
    pub(super) fn refuses(&self, row: &[Cell]) -> bool {
        let target = self.cell(row, Column::To).map_or("", |it| it.text.as_str());
        self.columns.of.iter().zip(row).any(|(column, cell)| match column {
            Column::Other | Column::Effect => cell.refuses(),
            Column::Doc => cell.refuses() || (cell.is_only_signs() && phrase::is_crossed(&cell.text)),
            Column::Guard | Column::Actor => cell.refuses_always(),
            Column::Event => cell.refuses_event(target),
            Column::From => cell.refuses_state(&self.known.targets),
            Column::To => cell.refuses_state(&self.known.sources),
            Column::Verdict | Column::Forbidden => false,
        })
    }

    /// The heading of a column that says that the rows are about different things: `Entity`, with `Order` and `Payment` below.
    pub(super) fn subjects(&self) -> Option<&str> {
        const HEADINGS: &[&str] = &["entity", "object", "aggregate", "machine", "state machine", "model", "resource", "record"];
        let is_named_so = |it: &usize| HEADINGS.contains(&words(&self.table.head[*it].text).join(" ").as_str());
        let has_several = |it: &usize| {
            let cells = self.table.rows.iter().filter_map(|row| row.get(*it)).map(|cell| cell.words().join(" "));
            cells.filter(|it| !it.is_empty()).collect::<BTreeSet<String>>().len() > 1
        };
        let others = (0..self.columns.of.len()).filter(|it| self.columns.of[*it] == Column::Other);
        others.filter(is_named_so).find(has_several).map(|it| self.table.head[it].text.as_str())
    }

    /// Whether a cell says that the step of its row is not implemented.
    pub(super) fn is_not_implemented(&self, row: &[Cell]) -> bool {
        let says =
            |(column, cell): (&Column, &Cell)| !matches!(column, Column::From | Column::To) && phrase::is_not_implemented(&cell.text);
        self.columns.of.iter().zip(row).any(says)
    }

    /// What a row refuses: a cell that says so names neither an event nor a state.
    pub(super) fn refused(&self, row: &[Cell], left: Left) -> Left {
        let target = self.cell(row, Column::To);
        let to = left.to.filter(|_| !target.is_some_and(|it| it.refuses_state(&self.known.sources)));
        let says = self.cell(row, Column::Event).is_some_and(|it| it.refuses_event(target.map_or("", |it| it.text.as_str())));
        Left { to, events: if says { Vec::new() } else { left.events }, ..left }
    }

    /// Whether each row is a state with all its successors.
    pub(super) fn is_adjacency(&self) -> bool {
        !self.columns.has(Column::Event)
    }

    /// The heading that says that the rows are test cases.
    pub(super) fn tests(&self) -> Option<&str> {
        self.columns.tests.as_deref().or_else(|| self.table.results())
    }

    /// The range of the headings.
    pub(super) fn head_range(&self) -> Range<usize> {
        row_range(&self.table.head)
    }

    /// The columns that a comparison with a diagram does not look at, if any.
    pub(super) fn more_columns(&self) -> Option<String> {
        let more = self.columns.of.iter().zip(&self.table.head).filter(|(it, _)| !COMPARED.contains(it));
        let names: Vec<String> = more.map(|(_, head)| format!("`{}`", head.text)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// The remarks in the headings of the columns that a comparison with a diagram looks at.
    pub(super) fn remarks(&self) -> Vec<(Span, String)> {
        let of_columns = self.columns.of.iter().zip(&self.columns.remarks).zip(&self.table.head);
        let compared = of_columns.filter(|((column, _), _)| COMPARED.contains(column));
        compared.filter_map(|((_, remark), head)| Some((span(self.id, head.range.clone()), left_out(remark.as_ref()?, head)))).collect()
    }

    pub(super) fn cell<'b>(&self, row: &'b [Cell], column: Column) -> Option<&'b Cell> {
        self.columns.position(column).and_then(|it| row.get(it))
    }

    /// The cell of the events; none if nothing has to happen.
    pub(super) fn event<'b>(&self, row: &'b [Cell]) -> Option<&'b Cell> {
        self.cell(row, Column::Event).filter(|it| !it.is_nothing() && !is_always(&it.text) && !self.is_automatic(it))
    }

    /// Whether a cell of events says that nothing has to happen.
    pub(super) fn is_automatic(&self, cell: &Cell) -> bool {
        cell.is_automatic() && !self.known.has_manual_event
    }

    pub(super) fn source(&self, row: &[Cell]) -> Option<Source> {
        self.cell(row, Column::From).map(|it| it.source(&self.known))
    }

    /// The place of the first row of a state.
    pub(super) fn place_of_source(&self, name: &str) -> Option<Span> {
        let is_of = |row: &&Vec<Cell>| matches!(self.source(row), Some(Source::States(it)) if it.named.iter().any(|it| it.name == name));
        self.table.rows.iter().find(is_of).map(|it| span(self.id, row_range(it)))
    }

    pub(super) fn target(&self, row: &[Cell]) -> Option<Target> {
        self.cell(row, Column::To).map(|it| it.target(&self.known, self.is_adjacency()))
    }

    /// Whether the documentation is that of the states: each row is a state with its successors, and what describes it stands
    /// before them, or beside several.
    pub(super) fn describes_states(&self) -> bool {
        const OF_STEPS: &[&str] = &["from", "source", "old", "start"];
        let head = self.columns.position(Column::From).map(|it| words(&self.table.head[it].text));
        let is_of_step = head.is_none_or(|it| it.first().is_some_and(|it| OF_STEPS.contains(&it.as_str())));
        if !self.is_adjacency() || is_of_step || !self.columns.has(Column::Doc) {
            return false;
        }
        let mut sources = BTreeSet::new();
        let is_distinct = self.sure(Column::From).all(|it| sources.insert(it));
        let has_several = |it: &Vec<Cell>| self.cell(it, Column::To).is_some_and(|it| it.sure_names().len() > 1);
        let is_before = self.columns.position(Column::Doc) < self.columns.position(Column::To);
        is_distinct && (is_before || self.table.rows.iter().any(has_several))
    }

    /// Whether a row is allowed; `None` if its cell does not tell.
    pub(super) fn verdict(&self, row: &[Cell]) -> Option<bool> {
        self.cell(row, Column::Verdict).map_or(Some(true), Cell::verdict)
    }

    /// The states that the table names, with a remark in brackets or without one.
    pub(super) fn states(&self) -> BTreeSet<&String> {
        let [sources, targets] = &self.known.remarked;
        let all = [&self.known.sources, &self.known.targets, sources, targets].into_iter().flatten();
        all.filter(|it| !phrase::is_remark(it)).collect()
    }

    /// The pairs that the column of forbidden successors lists.
    pub(super) fn forbidden(&self) -> Vec<(String, String, Range<usize>)> {
        let mut pairs = Vec::new();
        for row in &self.table.rows {
            let (Some(Source::States(from)), Some(cell)) = (self.source(row), self.cell(row, Column::Forbidden)) else { continue };
            let Target::States(to) = cell.target(&self.known, true) else { continue };
            for from in &from.named {
                pairs.extend(to.named.iter().map(|it| (from.name.clone(), it.name.clone(), cell.range.clone())));
            }
        }
        pairs
    }

    /// What the column of forbidden successors says besides names: a spec refuses all others anyway.
    pub(super) fn more_forbidden(&self) -> Vec<(String, Range<usize>)> {
        const OTHERS: &[&str] = &["all", "others", "other", "any", "every", "everything", "else", "states", "transitions", "the", "rest"];
        let cells = self.table.rows.iter().filter_map(|row| self.cell(row, Column::Forbidden));
        let more = cells.filter(|it| !it.is_nothing() && !it.is_empty_sign()).filter(|it| match it.target(&self.known, true) {
            Target::States(states) => states.named.iter().any(|it| it.note.is_some()),
            Target::Nothing | Target::End => false,
            _ => !it.words().iter().all(|it| OTHERS.contains(&it.as_str())),
        });
        more.map(|it| (it.text.clone(), it.range.clone())).collect()
    }

    /// The rows of the table as a machine.
    pub(super) fn read(&self, name: &str, title: Option<&str>) -> Reading {
        let whole = span(self.id, self.table.head.first().map_or(self.table.range.clone(), |it| it.range.clone()));
        let draft = Draft { title: title.map(str::to_owned), complete: self.is_adjacency(), ..Draft::new(super::Kind::Table, name, whole) };
        let mut reading = Reading { draft, unclear: Vec::new(), start: None, ends: BTreeSet::new() };
        if let Some(matrix) = &self.matrix {
            self.lacks(matrix, &mut reading.draft);
        }
        if let Some(place) = &self.start {
            let message = "this step without a source was read as the start";
            reading.draft.found.assumed(span(self.id, place.clone()), message);
        }
        for (range, message) in &self.repeats {
            reading.draft.found.assumed(span(self.id, range.clone()), message.clone());
        }
        let mut reader = Reader::new(self, reading);
        for row in &self.table.rows {
            reader.row(row);
        }
        reader.finish()
    }

    /// What is missing of a matrix.
    fn lacks(&self, matrix: &Steps, draft: &mut Draft) {
        draft.partial |= matrix.partial;
        for (range, message) in &matrix.losses {
            draft.found.loss(span(self.id, range.clone()), message.clone());
        }
        for (range, message) in &matrix.assumed {
            draft.found.assumed(span(self.id, range.clone()), message.clone());
        }
    }

    /// Whether the cells of a matrix say in words which steps are allowed.
    pub(super) fn is_explicit(&self) -> bool {
        self.matrix.as_ref().is_some_and(|it| it.is_explicit)
    }

    /// Whether a row is a cell of a matrix that says more than yes, as others do not.
    pub(super) fn is_exception(&self, row: &[Cell]) -> bool {
        let cell = self.cell(row, Column::To);
        self.matrix.as_ref().zip(cell).is_some_and(|(matrix, cell)| matrix.exceptions.contains(&cell.range.start))
    }

    /// Whether the rows are cells of a matrix.
    pub(super) fn is_matrix(&self) -> bool {
        self.matrix.is_some()
    }

    /// The machine that the table describes.
    pub(super) fn draft(&self, name: &str, title: Option<&str>) -> Draft {
        let mut draft = self.read(name, title).draft;
        if self.only_has_events() {
            let message = "neither this table nor the text around it speaks of states: it was read as one of states, because it has events";
            draft.found.assumed(span(self.id, self.head_range()), message);
        }
        if self.has_islands() && !self.is_adjacency() {
            let message = "no row of this table leads to where another one begins: these may be steps of several machines";
            draft.found.assumed(span(self.id, self.head_range()), message);
        }
        if let Some(head) = self.columns.actions.map(|it| &self.table.head[it]) {
            let message = format!("the column `{}` was read as the events, because no other one names them", head.text);
            draft.found.assumed(span(self.id, head.range.clone()), message);
        }
        let mut traits = Vec::new();
        if let Some(states) = StateTable::of_sources(&self.table, self.columns.position(Column::From), &draft) {
            traits = states.traits();
            states.read_traits(&mut draft, false, self.id);
        }
        for (idx, head) in self.table.head.iter().enumerate() {
            let place = span(self.id, head.range.clone());
            match (self.columns.of[idx], &self.columns.remarks[idx]) {
                (Column::Other, _) if traits.contains(&idx) => {}
                (Column::Other, _) => {
                    let message = match self.columns.read_as(&self.table.head, idx) {
                        Some((other, what)) => format!("`{}` was read as {what}: the column `{}` was left out", other.text, head.text),
                        None => format!("no key of a spec matches the heading `{}`: the column was left out", head.text),
                    };
                    draft.found.loss(place, message);
                }
                (_, Some(remark)) => draft.found.loss(place, left_out(remark, head)),
                _ => {}
            }
        }
        draft
    }
}

/// Whether a condition says that there is none: `always`, also with a remark in brackets.
pub(super) fn is_always(condition: &str) -> bool {
    let bare = condition.split('(').next().unwrap_or(condition);
    matches!(words(bare).join(" ").as_str(), "always" | "unconditional" | "unconditionally" | "always allowed")
}

pub(super) fn row_range(row: &[Cell]) -> Range<usize> {
    let start = row.first().map_or(0, |it| it.range.start);
    start..row.last().map_or(start, |it| it.range.end)
}
