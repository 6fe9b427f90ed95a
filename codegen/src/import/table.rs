//! Reads tables of transitions: From, To and Trigger; or a state and its successors.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::beside;
pub(super) use super::cell::Cell;
use super::cell::{Events, Known, Source, States, Target};
use super::column::{self, Column, Columns};
use super::draft::{Draft, Effect, From, Row, State};
use super::effect::More;
use super::foreign::Style;
use super::matrix::Steps;
use super::phrase::{self, words};
use super::span;
use crate::source::{SourceId, Span};

/// A table of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) head: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) range: Range<usize>,
}

impl Table {
    /// The table with a column of sources and one of targets in place of a column of steps, `A → B`, and the position of the first.
    fn with_split_steps(&self) -> Option<(Table, usize)> {
        (0..self.head.len()).find_map(|idx| self.with_split_column(idx))
    }

    /// The first line.
    pub(super) fn head_range(&self) -> Range<usize> {
        let end = self.head.last().map_or(self.range.end, |it| it.range.end);
        self.range.start..end
    }

    /// Whether most rows name two states of a machine, or a step between them.
    pub(super) fn names_states_of(&self, draft: &Draft) -> bool {
        let states = |cell: &Cell| cell.leading_names().iter().filter_map(|it| beside::state_of(draft, it)).collect::<BTreeSet<usize>>();
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

    fn with_split_column(&self, idx: usize) -> Option<(Table, usize)> {
        let may_be_anything = column::of_steps(&self.head[idx].text)?;
        let cells = || self.rows.iter().filter_map(|it| it.get(idx)).filter(|it| !it.text.trim().is_empty());
        let steps = || cells().filter_map(Cell::step);
        // A column that can be one of anything has steps only.
        let n_least = if may_be_anything { cells().count() } else { cells().count().div_ceil(2) };
        if steps().count() == 0 || steps().count() < n_least {
            return None;
        }
        // `→ A` is a start; several of them are steps from anywhere.
        let is_start = |(from, _): &(Cell, Cell)| from.text.is_empty();
        let start = if steps().filter(is_start).count() > 1 { "?" } else { "[*]" };
        let mut table = self.clone();
        table.head.insert(idx, table.head[idx].clone());
        for row in table.rows.iter_mut().filter(|it| idx < it.len()) {
            let sign = |text: &str| Cell { text: text.to_owned(), range: row[idx].range.clone(), ..Cell::default() };
            let (mut from, to) = match row[idx].step() {
                Some(step) => step,
                None if row[idx].text.trim().is_empty() => (sign(""), sign("?")),
                // What is no single step cannot be told.
                None => (sign("?"), sign("?")),
            };
            if from.text.is_empty() && !words(&to.text).is_empty() {
                from = sign(start);
            }
            row[idx] = from;
            row.insert(idx + 1, to);
        }
        Some((table, idx))
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
}

/// A table with known columns.
pub(super) struct Edges<'a> {
    table: Cow<'a, Table>,
    columns: Columns,
    known: Known,
    id: SourceId,
    /// Whether the headings say that the table lists what is not allowed.
    pub(super) forbids: bool,
    /// What is missing of the matrix that the rows were made of.
    matrix: Option<Steps>,
}

impl<'a> Edges<'a> {
    /// `None` if a table does not have a source and a target, or is a mapping of other things.
    ///
    /// `about_states` tells that the text around the table speaks of states.
    pub(super) fn new(table: &'a Table, id: SourceId, about_states: bool) -> Option<Self> {
        let mut matrix = table.steps_of_matrix();
        let steps = matrix.as_mut().map(|it| std::mem::take(&mut it.table));
        let mut table = steps.map_or(Cow::Borrowed(table), Cow::Owned);
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
        if !(columns.has(Column::From) && columns.has(Column::To)) {
            let (split, at) = table.with_split_steps()?;
            // Beside a column of states, `→ B` says where each leads.
            let leads_only = table.rows.iter().filter_map(|it| it.get(at)?.step()).all(|(from, _)| from.text.is_empty());
            if columns.has(Column::From) && leads_only {
                columns.of[at] = Column::To;
            } else {
                columns = Columns::new(&split.head, Some(at));
                table = Cow::Owned(split);
            }
        }
        let mut edges = Edges { table, columns, known: Known::default(), id, forbids, matrix };
        edges.known = Known {
            sources: edges.sure(Column::From),
            targets: edges.sure(Column::To),
            alone: edges.alone(),
            remarked: [edges.remarked(Column::From), edges.remarked(Column::To)],
            style: Style::default(),
        };
        edges.known.style = Style::of(edges.state_cells(), &edges.known);
        edges.is_about_states(about_states).then_some(edges)
    }

    /// Whether the headings, or the names, are those of states: `Source` and `Target` can be those of anything.
    fn is_about_states(&self, around: bool) -> bool {
        let heads = || self.table.head.iter().zip(&self.columns.of);
        let speaks = heads().any(|(head, column)| {
            let words = words(&head.text);
            let of_states = ["state", "states", "status", "statuses", "transition", "transitions", "phase", "stage"];
            matches!(column, Column::From | Column::To) && words.iter().any(|it| of_states.contains(&it.as_str()))
        });
        let of = |wanted: Column| heads().find(|(_, it)| **it == wanted).map(|(it, _)| it.text.to_lowercase()).unwrap_or_default();
        let triggers = ["trigger", "event", "triggers", "events"].iter().any(|it| of(Column::Event).contains(it));
        let chained = self.known.sources.intersection(&self.known.targets).next().is_some();
        let from = of(Column::From);
        let anything = from.trim() == "source" || of(Column::To).trim() == "target" || column::of_steps(&from) == Some(true);
        // `Target` and `Status` of a measurement are what is wanted and how it is.
        let is_bare = matches!(from.trim(), "state" | "status");
        let backwards = is_bare && self.columns.position(Column::To) < self.columns.position(Column::From);
        // What `From` and `To` are of, nothing else says: messages, too, lead from one part to another.
        let guarded = [Column::Guard, Column::Verdict, Column::Forbidden].iter().any(|it| self.columns.has(*it));
        !backwards && (triggers || if anything { chained && around } else { speaks || around || (chained && guarded) })
    }

    fn remarked(&self, column: Column) -> BTreeSet<String> {
        self.table.rows.iter().filter_map(|row| self.cell(row, column)).flat_map(Cell::remarked).collect()
    }

    fn sure(&self, column: Column) -> BTreeSet<String> {
        self.table.rows.iter().filter_map(|row| self.cell(row, column)).flat_map(Cell::sure_names).collect()
    }

    /// The names that are alone in a cell.
    fn alone(&self) -> BTreeSet<String> {
        let names = self.state_cells().map(Cell::sure_names);
        names.filter_map(|it| <[String; 1]>::try_from(it).ok()).flatten().collect()
    }

    /// The cells of sources and targets.
    fn state_cells(&self) -> impl Iterator<Item = &Cell> {
        self.table.rows.iter().flat_map(|row| [self.cell(row, Column::From), self.cell(row, Column::To)]).flatten()
    }

    /// Whether a cell says that the step of its row is not allowed.
    fn refuses(&self, row: &[Cell]) -> bool {
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

    /// What a row refuses: a cell that says so names neither an event nor a state.
    fn refused(&self, row: &[Cell], left: Left) -> Left {
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
        self.columns.tests.as_deref()
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

    fn cell<'b>(&self, row: &'b [Cell], column: Column) -> Option<&'b Cell> {
        self.columns.position(column).and_then(|it| row.get(it))
    }

    /// The cell of the events; none if nothing has to happen.
    fn event<'b>(&self, row: &'b [Cell]) -> Option<&'b Cell> {
        self.cell(row, Column::Event).filter(|it| !it.is_nothing() && !is_always(&it.text))
    }

    fn source(&self, row: &[Cell]) -> Option<Source> {
        self.cell(row, Column::From).map(|it| it.source(&self.known))
    }

    fn target(&self, row: &[Cell]) -> Option<Target> {
        self.cell(row, Column::To).map(|it| it.target(&self.known, self.is_adjacency()))
    }

    /// Whether the documentation is that of the states: each row is a state with its successors, and what describes it stands
    /// before them, or beside several.
    fn describes_states(&self) -> bool {
        const OF_STEPS: &[&str] = &["from", "source", "old", "start"];
        let head = self.columns.position(Column::From).map(|it| words(&self.table.head[it].text));
        let is_of_step = head.is_none_or(|it| it.first().is_some_and(|it| OF_STEPS.contains(&it.as_str())));
        if !self.is_adjacency() || is_of_step || !self.columns.has(Column::Doc) {
            return false;
        }
        let mut sources = BTreeSet::new();
        let names = self.table.rows.iter().filter_map(|it| self.cell(it, Column::From)).flat_map(Cell::sure_names);
        let is_distinct = names.into_iter().all(|it| sources.insert(it));
        let has_several = |it: &Vec<Cell>| self.cell(it, Column::To).is_some_and(|it| it.sure_names().len() > 1);
        let is_before = self.columns.position(Column::Doc) < self.columns.position(Column::To);
        is_distinct && (is_before || self.table.rows.iter().any(has_several))
    }

    /// Whether a row is allowed; `None` if its cell does not tell.
    fn verdict(&self, row: &[Cell]) -> Option<bool> {
        self.cell(row, Column::Verdict).map_or(Some(true), Cell::verdict)
    }

    /// The states that the table names.
    pub(super) fn states(&self) -> impl Iterator<Item = &String> {
        self.known.sources.union(&self.known.targets)
    }

    /// The pairs that the column of forbidden successors lists.
    fn forbidden(&self) -> Vec<(String, String, Range<usize>)> {
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

    /// The rows of the table as a machine.
    pub(super) fn read(&self, name: &str, title: Option<&str>) -> Reading {
        let whole = span(self.id, self.table.head.first().map_or(self.table.range.clone(), |it| it.range.clone()));
        let draft = Draft { title: title.map(str::to_owned), complete: self.is_adjacency(), ..Draft::new(super::Kind::Table, name, whole) };
        let mut reading = Reading { draft, unclear: Vec::new() };
        if let Some(matrix) = &self.matrix {
            self.lacks(matrix, &mut reading.draft);
        }
        let mut reader = Reader {
            edges: self,
            reading,
            above: None,
            but_terminal: Vec::new(),
            refused: Vec::new(),
            dashes: Vec::new(),
            describes_states: self.describes_states(),
        };
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

    /// Whether the rows are cells of a matrix.
    pub(super) fn is_matrix(&self) -> bool {
        self.matrix.is_some()
    }

    /// The machine that the table describes.
    pub(super) fn draft(&self, name: &str, title: Option<&str>) -> Draft {
        let mut draft = self.read(name, title).draft;
        if let Some(head) = self.columns.actions.map(|it| &self.table.head[it]) {
            let message = format!("the column `{}` was read as the events, because no other one names them", head.text);
            draft.found.assumed(span(self.id, head.range.clone()), message);
        }
        for (idx, head) in self.table.head.iter().enumerate() {
            let place = span(self.id, head.range.clone());
            match (self.columns.of[idx], &self.columns.remarks[idx]) {
                (Column::Other, _) => {
                    draft.found.loss(place, format!("no key of a spec matches the heading `{}`: the column was left out", head.text));
                }
                (_, Some(remark)) => draft.found.loss(place, left_out(remark, head)),
                _ => {}
            }
        }
        draft
    }
}

struct Reader<'a, 'b> {
    edges: &'a Edges<'b>,
    reading: Reading,
    /// The sources of the row above, for a row without its own.
    above: Option<Source>,
    /// Rows from every state that is not terminal.
    but_terminal: Vec<usize>,
    /// The rows that say that their step is not allowed.
    refused: Vec<Left>,
    /// The rows without an event whose target is a dash.
    dashes: Vec<Dash>,
    describes_states: bool,
}

/// A row without an event that leads from these states to a dash: it may mean an end.
struct Dash {
    sources: Vec<usize>,
    doc: Vec<String>,
    place: Span,
    left: Left,
}

impl Reader<'_, '_> {
    fn place(&self, row: &[Cell], column: Column) -> Span {
        let range = self.edges.cell(row, column).map_or_else(|| row_range(row), |it| it.range.clone());
        span(self.edges.id, range)
    }

    fn loss(&mut self, place: Span, message: impl Into<String>) {
        self.reading.draft.found.loss(place, message);
    }

    /// The states of a cell, each known or new.
    fn states(&mut self, states: &States, place: Span) -> Vec<usize> {
        let draft = &mut self.reading.draft;
        if states.guessed {
            let names: Vec<String> = states.named.iter().map(|it| format!("`{}`", it.name)).collect();
            draft.found.assumed(place, format!("this cell was read as several states: {}", names.join(", ")));
        }
        let mut found = Vec::new();
        for named in &states.named {
            let idx = state(&named.name, place, draft);
            if draft.states[idx].id != named.name {
                draft.found.assumed(place, format!("`{}` is assumed to be the state `{}`", named.name, draft.states[idx].id));
            }
            draft.states[idx].terminal |= named.terminal;
            if named.initial && draft.states.iter().all(|it| !it.initial) {
                draft.states[idx].initial = true;
            }
            if let Some(note) = &named.note {
                draft.found.loss(place, format!("`{note}` behind `{}` was left out", named.name));
            }
            found.push(idx);
        }
        found
    }

    /// The sources of a row with the states that they leave out, and whether ends are left out, too.
    fn sources(&mut self, source: Source, row: &[Cell]) -> Option<(Vec<From>, Vec<usize>, bool)> {
        let place = self.place(row, Column::From);
        match source {
            Source::Start | Source::Blank => Some((vec![From::Creation], Vec::new(), false)),
            Source::Any { except, but_terminal } => {
                let except = except.iter().map(|it| state(it, place, &mut self.reading.draft)).collect();
                Some((vec![From::Any], except, but_terminal))
            }
            Source::States(states) => Some((self.states(&states, place).into_iter().map(From::State).collect(), Vec::new(), false)),
            Source::Unclear => {
                self.loss(place, self.unclear_state(row, Column::From));
                None
            }
        }
    }

    /// The message about a cell that names no states.
    fn unclear_state(&self, row: &[Cell], column: Column) -> String {
        match self.edges.cell(row, column).filter(|it| it.differs_in_style(&self.edges.known, column)) {
            Some(cell) => format!("`{}` is no state of this table, as far as can be told: the row was left out", cell.text),
            None if column == Column::From => "which states this stands for cannot be told: the row was left out".to_owned(),
            None => "which state this stands for cannot be told: the row was left out".to_owned(),
        }
    }

    /// What a row says of its step, for a row that is not imported.
    fn left(&self, row: &[Cell], source: &Source, target: &Target) -> Left {
        let names = |it: &States| it.named.iter().map(|it| it.name.clone()).collect();
        let events = self.edges.event(row).filter(|it| !phrase::is_any_event(&it.text));
        Left {
            from: if let Source::States(states) = source { Some(names(states)) } else { None },
            to: if let Target::States(states) = target { Some(names(states)) } else { None },
            events: events.map(|it| it.events().label.events).unwrap_or_default(),
        }
    }

    fn unclear(&mut self, left: Left) {
        self.reading.draft.partial = true;
        self.reading.unclear.push(left);
    }

    fn row(&mut self, row: &[Cell]) {
        let place = span(self.edges.id, row_range(row));
        let from_place = self.place(row, Column::From);
        let (Some(source), Some(target)) = (self.edges.source(row), self.edges.target(row)) else { return };
        let is_below = source == Source::Blank && self.above.is_some();
        let source = if is_below { self.above.clone().unwrap_or(source) } else { source };
        self.above = Some(source.clone());
        let left = self.left(row, &source, &target);
        let event = self.edges.event(row);
        // `terminal | disallowed` is an end, too.
        let is_end = event.is_none() && target == Target::End && matches!(source, Source::States(_)) && !self.edges.forbids;
        match self.edges.verdict(row) {
            // A table of what is forbidden says so of each row, too.
            _ if self.edges.forbids || is_end => {}
            Some(true) => {}
            // A spec refuses what it does not allow.
            Some(false) => return self.refused.push(left),
            None => {
                self.loss(self.place(row, Column::Verdict), "whether this row is allowed cannot be told: it was left out");
                return self.unclear(left);
            }
        }
        if target == Target::Refused && !self.edges.forbids {
            return self.refused.push(left);
        }
        if self.edges.refuses(row) && !self.edges.forbids && !is_end {
            self.loss(place, "this row says that its step is not allowed, at least sometimes: it was left out");
            return self.refused.push(self.edges.refused(row, left));
        }
        if event.is_some_and(|it| phrase::is_any_event(&it.text) || it.is_only_signs()) {
            self.loss(self.place(row, Column::Event), "which events this stands for cannot be told: the row was left out");
            return self.unclear(left);
        }
        if is_below {
            self.reading.draft.found.assumed(from_place, "an empty cell was read as the source of the row above");
        }
        let Some((sources, except, but_terminal)) = self.sources(source, row) else { return self.unclear(left) };
        let to_place = self.place(row, Column::To);
        let targets: Vec<Option<usize>> = match target {
            Target::States(states) => self.states(&states, to_place).into_iter().map(Some).collect(),
            Target::End | Target::Nothing if event.is_none() => {
                return self.end(row, &sources, (target == Target::Nothing).then_some(left));
            }
            Target::End if sources.iter().any(|it| !matches!(it, From::State(_))) => {
                self.loss(to_place, "the end that this row leads to has no name: the row was left out");
                return self.unclear(left);
            }
            Target::End => {
                for from in &sources {
                    if let From::State(idx) = from {
                        self.reading.draft.states[*idx].terminal = true;
                    }
                }
                self.reading.draft.found.assumed(to_place, "the end has no name: the spec has a step that stays in its state");
                vec![None]
            }
            Target::Nothing => {
                self.loss(to_place, "whether this event changes nothing or is refused cannot be told: the row was left out");
                return self.unclear(left);
            }
            Target::Stay => vec![None],
            Target::Refused => return,
            Target::Unclear => {
                self.loss(to_place, self.unclear_state(row, Column::To));
                return self.unclear(left);
            }
        };
        for from in sources {
            for to in &targets {
                let n_before = self.reading.draft.rows.len();
                self.step(row, from, *to, &except, place);
                if but_terminal {
                    self.but_terminal.extend(n_before..self.reading.draft.rows.len());
                }
            }
        }
    }

    /// A row without a step: its state is an end, and what the row says besides is about the state. A dash may say something else.
    fn end(&mut self, row: &[Cell], sources: &[From], dash: Option<Left>) {
        let mut ends = Vec::new();
        for from in sources {
            match from {
                From::State(idx) => ends.push(*idx),
                From::Creation | From::Any => self.loss(self.place(row, Column::From), "this row names no step: it was left out"),
            }
        }
        let doc = self.docs(row);
        match dash {
            Some(left) => self.dashes.push(Dash { sources: ends, doc, place: self.place(row, Column::To), left }),
            None => self.mark_ends(&ends, &doc),
        }
        for column in [Column::Guard, Column::Effect, Column::Actor] {
            if self.edges.cell(row, column).is_some_and(|it| !it.is_nothing() && !it.refuses()) {
                self.loss(self.place(row, column), "this row names no step, so this cell was left out");
            }
        }
    }

    fn step(&mut self, row: &[Cell], from: From, to: Option<usize>, except: &[usize], place: Span) {
        let events = self.edges.event(row);
        let is_bare = [Column::Guard, Column::Effect, Column::Actor, Column::Doc]
            .iter()
            .all(|it| self.edges.cell(row, *it).is_none_or(Cell::is_nothing));
        if let (From::Creation, Some(to)) = (from, to) {
            let draft = &mut self.reading.draft;
            if draft.states.iter().all(|it| !it.initial) {
                draft.states[to].initial = true;
            }
            if events.is_none() && is_bare && draft.rows.iter().all(|it| it.from != From::Creation) {
                // The initial state is recorded, so no row is needed.
                return;
            }
        }
        let mut step = Row::new(from, to, place);
        step.except = except.to_vec();
        if let Some(cell) = events {
            let Events { label, guessed, notes } = cell.events();
            for note in notes {
                self.loss(self.place(row, Column::Event), format!("`{note}` in the column of events was left out"));
            }
            if guessed {
                let message = "the parts around the `/` were read as several events; an effect has a column of its own, such as `Effect`";
                self.reading.draft.found.assumed(span(self.edges.id, cell.range.clone()), message);
            }
            step.events = label.events;
            step.guards = label.guard.into_iter().collect();
            step.effects = self.effects(label.effects, self.place(row, Column::Event));
            // A diagram shows the events anyway.
            step.label = Some(cell.text.clone()).filter(|it| step.events.join(", ") != *it && step.events.len() < 2);
        }
        for column in [Column::Event, Column::Guard] {
            if let Some((_, remark)) = self.edges.cell(row, column).filter(|it| is_always(&it.text)).and_then(|it| it.text.split_once('('))
            {
                self.loss(self.place(row, column), format!("`({remark}` was left out"));
            }
        }
        step.guards.extend(self.text(row, Column::Guard).filter(|it| !is_always(it) && words(it) != ["any"]));
        let effect = self.text(row, Column::Effect);
        if effect.as_ref().is_some_and(|it| phrase::does_nothing(it)) {
            self.loss(self.place(row, Column::Effect), "this cell says that nothing is done, at least sometimes: it was left out");
        } else {
            step.effects.extend(self.effect_cell(row, effect.is_some()));
        }
        step.doc = Some(self.docs(row)).filter(|it| !it.is_empty()).map(|it| it.join("\n\n"));
        if let Some(doc) = step.doc.take_if(|_| self.describes_states)
            && let From::State(of) = from
        {
            self.describe(of, doc);
        }
        if let Some(cell) = self.edges.cell(row, Column::Actor) {
            step.by = self.actors(cell);
            if !step.by.is_empty() && step.events.is_empty() {
                self.loss(
                    span(self.edges.id, cell.range.clone()),
                    "the actors of a spec raise events, and this row has no event: its actors were left out",
                );
            }
        }
        self.reading.draft.rows.push(step);
    }

    /// The texts of the columns of documentation.
    fn docs(&mut self, row: &[Cell]) -> Vec<String> {
        let edges = self.edges;
        let cells = edges.columns.of.iter().zip(row).filter(|(column, _)| **column == Column::Doc);
        cells.filter_map(|(_, cell)| self.text_of(cell)).collect()
    }

    /// Adds a paragraph to the documentation of a state, once.
    fn describe(&mut self, state: usize, doc: String) {
        let state = &mut self.reading.draft.states[state];
        if !state.doc.contains(&doc) {
            state.doc.push(doc);
        }
    }

    /// The effects of the column of effects, if the cell says any.
    fn effect_cell(&mut self, row: &[Cell], says_any: bool) -> Vec<Effect> {
        let Some(cell) = self.edges.cell(row, Column::Effect).filter(|_| says_any) else { return Vec::new() };
        let place = self.place(row, Column::Effect);
        let list = cell.effects();
        for note in list.notes {
            self.loss(place, format!("`{note}` in the column of effects was left out"));
        }
        self.effects(list.names, place)
    }

    /// Effects of these texts; a condition or a target in a text has no place in a spec.
    fn effects(&mut self, texts: Vec<String>, place: Span) -> Vec<Effect> {
        for text in &texts {
            match More::of(text, &self.edges.known) {
                Some(More::Target(target)) => {
                    self.loss(place, format!("`→ {target}` in this effect may lead to another state: no step was made of it"));
                }
                Some(More::Condition) => {
                    let message =
                        "this effect may have a condition of its own, and a spec performs an effect in every case: its text was kept";
                    self.reading.draft.found.assumed(place, message);
                }
                None => {}
            }
        }
        texts.into_iter().map(Effect::new).collect()
    }

    /// The text of a cell that says something.
    fn text(&mut self, row: &[Cell], column: Column) -> Option<String> {
        self.text_of(self.edges.cell(row, column)?)
    }

    fn text_of(&mut self, cell: &Cell) -> Option<String> {
        if cell.is_nothing() {
            return None;
        }
        if cell.is_only_signs() {
            self.loss(span(self.edges.id, cell.range.clone()), "what this sign says cannot be told: it was left out");
            return None;
        }
        Some(cell.text.clone())
    }

    fn actors(&mut self, cell: &Cell) -> Vec<String> {
        let place = span(self.edges.id, cell.range.clone());
        let actors = cell.actors();
        if cell.is_only_signs() || actors.unclear {
            self.loss(place, "who may do this cannot be told: the actors were left out");
            return Vec::new();
        }
        if actors.guessed {
            let names: Vec<String> = actors.names.iter().map(|it| format!("`{it}`")).collect();
            self.reading.draft.found.assumed(place, format!("this cell was read as actors each of whom may do it: {}", names.join(", ")));
        }
        for note in actors.notes {
            self.loss(place, format!("`{note}` in the column of actors was left out"));
        }
        actors.names
    }

    fn mark_ends(&mut self, ends: &[usize], doc: &[String]) {
        for idx in ends {
            self.reading.draft.states[*idx].terminal = true;
            doc.iter().for_each(|it| self.describe(*idx, it.clone()));
        }
    }

    /// Marks the states that lead to a dash only. Beside another way out, a dash is the target of something that happens.
    fn settle_dashes(&mut self) {
        let leads = |row: &Row| match row.from {
            From::State(from) if row.to.is_some_and(|it| it != from) => Some(from),
            _ => None,
        };
        let left: BTreeSet<usize> = self.reading.draft.rows.iter().filter_map(leads).collect();
        for dash in std::mem::take(&mut self.dashes) {
            if dash.sources.iter().any(|it| left.contains(it)) {
                self.loss(dash.place, "whether this row changes nothing or is refused cannot be told: it was left out");
                self.unclear(dash.left);
            } else {
                self.mark_ends(&dash.sources, &dash.doc);
            }
        }
    }

    fn finish(mut self) -> Reading {
        self.settle_dashes();
        self.leave_out_ends();
        let draft = &mut self.reading.draft;
        // A row of every state does not mean the states that refuse its step.
        for left in &self.refused {
            let position = |name: &String| draft.states.iter().position(|it| it.id == *name);
            let states = |names: &Option<Vec<String>>| names.as_ref().map(|it| it.iter().filter_map(position).collect::<Vec<_>>());
            let (Some(from), to) = (states(&left.from), states(&left.to)) else { continue };
            for row in draft.rows.iter_mut().filter(|it| it.from == From::Any) {
                let same_event = left.events.is_empty() || row.events.iter().any(|it| left.events.contains(it));
                let same_target = to.as_ref().is_none_or(|it| row.to.is_some_and(|to| it.contains(&to)));
                if same_event && same_target {
                    row.except.extend(from.iter().filter(|it| !row.except.contains(it)).copied().collect::<Vec<_>>());
                }
            }
        }
        for row in draft.rows.iter().filter(|it| it.from == From::Any) {
            let mut ends =
                draft.states.iter().enumerate().filter(|(idx, it)| it.terminal && !row.except.contains(idx) && row.to != Some(*idx));
            if let Some((_, end)) = ends.next() {
                draft.found.assumed(row.span, format!("every state includes ends such as `{}`", end.id));
            }
        }
        for (from, to, range) in self.edges.forbidden() {
            let of = |name: &str| draft.states.iter().position(|it| it.id == name);
            let (Some(from_idx), Some(to_idx)) = (of(&from), of(&to)) else { continue };
            if draft.rows.iter().any(|it| it.from == From::State(from_idx) && it.to == Some(to_idx)) {
                let message = format!("the table allows and forbids the step from `{from}` to `{to}`: it was imported");
                draft.found.loss(span(self.edges.id, range), message);
            }
        }
        self.reading
    }

    /// Leaves the ends out of the rows of every state that is none.
    fn leave_out_ends(&mut self) {
        let draft = &mut self.reading.draft;
        let terminal: Vec<usize> = (0..draft.states.len()).filter(|it| draft.states[*it].terminal).collect();
        let unclear: Vec<&String> = self.reading.unclear.iter().filter_map(|it| it.from.as_ref()).flatten().collect();
        let has_way_out =
            |it: &usize| draft.rows.iter().any(|row| row.from == From::State(*it)) || unclear.contains(&&draft.states[*it].id);
        // Where no row says which states are terminal, those are that no row leads out of.
        let ends = match terminal.is_empty() {
            true => (0..draft.states.len()).filter(|it| !has_way_out(it)).collect(),
            false => terminal.clone(),
        };
        let names: Vec<String> = ends.iter().map(|it| format!("`{}`", draft.states[*it].id)).collect();
        for idx in std::mem::take(&mut self.but_terminal) {
            let row = &mut draft.rows[idx];
            row.except.clone_from(&ends);
            if terminal.is_empty() && !ends.is_empty() {
                draft
                    .found
                    .assumed(row.span, format!("the terminal states are assumed to be those without a way out: {}", names.join(", ")));
            }
        }
    }
}

/// Whether a condition says that there is none: `always`, also with a remark in brackets.
fn is_always(condition: &str) -> bool {
    let bare = condition.split('(').next().unwrap_or(condition);
    matches!(words(bare).join(" ").as_str(), "always" | "unconditional" | "unconditionally" | "always allowed")
}

fn row_range(row: &[Cell]) -> Range<usize> {
    let start = row.first().map_or(0, |it| it.range.start);
    start..row.last().map_or(start, |it| it.range.end)
}

/// The state of this name, known or new. The case of its letters makes no other state, except in `v → V`.
fn state(name: &str, place: Span, draft: &mut Draft) -> usize {
    let same = |case: bool| {
        draft.states.iter().position(|it| it.id == name || (!case && name.len() > 2 && it.id.to_lowercase() == name.to_lowercase()))
    };
    if let Some(known) = same(true).or_else(|| same(false)) {
        return known;
    }
    draft.states.push(State::new(name, None, place));
    draft.states.len() - 1
}
