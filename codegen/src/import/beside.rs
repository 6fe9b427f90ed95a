//! A table beside a machine of the same page: the steps that only one of them has, and forbidden steps that the machine has.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::draft::{Draft, From, Row, State, Trigger};
use super::span;
use super::table::{Edges, Left, Reading};
use crate::diagnostic::Code;
use crate::source::{SourceId, Span};

/// A text without differences in spelling: `In Progress`, `in_progress` and `InProgress` are one state.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The state of a draft with this id or label, ignoring differences in spelling.
pub(super) fn state_of(draft: &Draft, name: &str) -> Option<usize> {
    let name = bare(name);
    draft.states.iter().position(|it| bare(&it.id) == name || it.label.as_deref().is_some_and(|it| bare(it) == name))
}

/// The states of a draft that a cell names: the one of its whole text, `` `2` (settled) ``, or those that it begins with.
pub(super) fn states_of(draft: &Draft, cell: &Cell) -> Vec<usize> {
    match state_of(draft, &cell.text) {
        Some(whole) => vec![whole],
        None => cell.leading_names().iter().filter_map(|it| state_of(draft, it)).collect(),
    }
}

/// The state of a draft that a state of a table stands for, and the remark that only the table has: `` `delivered` (no proof) ``.
fn place_of<'a>(draft: &Draft, name: &'a str) -> Option<(usize, Option<&'a str>)> {
    let without_remark = || {
        let (name, remark) = name.split_at(name.strip_suffix(')')?.find(" (")?);
        Some((state_of(draft, name)?, Some(remark.trim())))
    };
    state_of(draft, name).map(|it| (it, None)).or_else(without_remark)
}

/// The reports of the remarks behind the states of a table that a machine of the page has without them.
fn remarks_behind(table: &Draft, draft: &Draft) -> Losses {
    let remark = |it: &State| {
        let (state, remark) = place_of(draft, &it.id)?;
        Some((it.span, format!("`{}` behind `{}` was left out", remark?, draft.states[state].id)))
    };
    table.states.iter().filter_map(remark).collect()
}

/// Holds a table of forbidden steps against a machine of the page, which must have none of them.
pub(super) fn forbid(mut edges: Edges<'_>, draft: &mut Draft) {
    edges.forbids = true;
    let Reading { draft: table, .. } = edges.read("", None);
    let shape = Shape { draft };
    let mut losses = remarks_behind(&table, draft);
    for row in rows_in(&table, draft) {
        let Some(to) = row.to else { continue };
        for from in shape.sources(&row) {
            if shape.steps(from, to).any(|it| says_same(it, &row)) {
                let (from, to) = (shape.name(from, &table), shape.name(to, &table));
                let message =
                    format!("this table forbids the step from `{from}` to `{to}`, but the page has it elsewhere: it was imported");
                losses.push((row.span, message));
            }
        }
    }
    draft.found.0.extend(table.found.0.into_iter().filter(|it| it.code == Code::ImportLoss));
    losses.into_iter().for_each(|(place, message)| draft.found.loss(place, message));
}

/// Compares tables with their diagram: the diagram wins, and every difference is reported. Tables of different steps are parts of one.
pub(super) fn compare(tables: &[Edges<'_>], draft: &mut Draft, id: SourceId) {
    let mut wholes: Vec<Vec<Beside<'_>>> = Vec::new();
    for edges in tables {
        let reading = edges.read("", None);
        let rows = rows_in(&reading.draft, draft);
        let from = |row: &Row| if let From::State(from) = row.from { Some(from) } else { None };
        let steps = rows.iter().map(|it| (from(it), it.to)).collect();
        let table = Beside { edges, reading, rows, steps };
        match wholes.iter_mut().find(|it| it.iter().all(|it| !it.is_about_same(&table))) {
            Some(parts) => parts.push(table),
            None => wholes.push(vec![table]),
        }
    }
    for parts in wholes {
        let mut losses = Comparison { shape: Shape { draft }, parts: &parts, id }.differences();
        losses.extend(parts.iter().flat_map(|it| remarks_behind(&it.reading.draft, draft)));
        for table in parts {
            draft.found.0.extend(table.reading.draft.found.0.into_iter().filter(|it| it.code == Code::ImportLoss));
        }
        losses.into_iter().for_each(|(place, message)| draft.found.loss(place, message));
    }
}

/// A table beside a diagram.
struct Beside<'a> {
    edges: &'a Edges<'a>,
    reading: Reading,
    /// The rows with the states of the diagram.
    rows: Vec<Row>,
    /// The sources and targets of the rows.
    steps: BTreeSet<(Option<usize>, Option<usize>)>,
}

impl Beside<'_> {
    /// Whether two tables have steps in common, so that they are no parts of one.
    fn is_about_same(&self, other: &Beside<'_>) -> bool {
        self.steps.intersection(&other.steps).count() * 2 > self.steps.len().min(other.steps.len())
    }
}

/// The differences between tables that are parts of one and the diagram beside them.
struct Comparison<'a> {
    shape: Shape<'a>,
    parts: &'a [Beside<'a>],
    id: SourceId,
}

type Losses = Vec<(Span, String)>;

impl Comparison<'_> {
    fn differences(&self) -> Losses {
        let mut losses = Vec::new();
        // The steps whose events differ are reported once, from the side of the table.
        let mut renamed: BTreeSet<(usize, usize)> = BTreeSet::new();
        for part in self.parts {
            for row in &part.rows {
                match row.to {
                    Some(to) => self.row(part, row, to, &mut renamed, &mut losses),
                    None => self.row_that_stays(part, row, &mut losses),
                }
            }
        }
        self.drawn(&renamed, &mut losses);
        for part in self.parts {
            self.start(part, &mut losses);
            losses.extend(part.edges.remarks());
            if let Some(columns) = part.edges.more_columns() {
                losses.push((
                    span(self.id, part.edges.head_range()),
                    format!("a diagram was imported, and this table was only compared with it: the contents of {columns} were left out"),
                ));
            }
        }
        losses
    }

    /// The differences of a row of a table.
    fn row(&self, part: &Beside<'_>, row: &Row, to: usize, renamed: &mut BTreeSet<(usize, usize)>, losses: &mut Losses) {
        let (shape, table) = (self.shape, &part.reading.draft);
        let mut missing = Vec::new();
        for from in shape.sources(row) {
            let drawn: Vec<&Row> = shape.steps(from, to).collect();
            if drawn.is_empty() {
                missing.push(from);
                continue;
            }
            let others: Vec<String> = drawn.iter().flat_map(|it| &it.events).map(|it| format!("`{it}`")).collect();
            for event in row
                .events
                .iter()
                .filter(|it| !drawn.iter().any(|drawn| says(drawn, it) || performs(drawn, row, it) || says_whole(drawn, row)))
            {
                renamed.insert((from, to));
                let rest = if others.is_empty() { "does not".to_owned() } else { format!("has {}", others.join(", ")) };
                losses.push((row.span, format!("this table has `{event}` here, but the diagram {rest}: the diagram was imported")));
            }
        }
        if let Some(first) = missing.first() {
            let to = shape.name(to, table);
            let message = match row.from {
                From::State(_) => format!("this table leads from `{}` to `{to}`, but the diagram does not", shape.name(*first, table)),
                _ => {
                    let names: Vec<String> = missing.iter().map(|it| format!("`{}`", shape.name(*it, table))).collect();
                    format!("this table leads from every state to `{to}`, but the diagram does not from {}", names.join(", "))
                }
            };
            losses.push((row.span, format!("{message}: the diagram was imported")));
        }
    }

    /// The difference of a row that stays in its state, or that leads to an end without a name.
    fn row_that_stays(&self, part: &Beside<'_>, row: &Row, losses: &mut Losses) {
        let (shape, table) = (self.shape, &part.reading.draft);
        let is_end = part.reading.ends.contains(&row.span);
        let is_terminal = |from: usize| shape.draft.states.get(from).is_some_and(|it| it.terminal);
        let is_drawn = |from: &usize| {
            (is_end && is_terminal(*from)) || shape.steps(*from, *from).chain(shape.stays(*from)).any(|it| says_all(it, row))
        };
        let missing: Vec<String> =
            shape.sources(row).into_iter().filter(|it| !is_drawn(it)).map(|it| format!("`{}`", shape.name(it, table))).collect();
        if missing.is_empty() {
            return;
        }
        let events: Vec<String> = row.events.iter().map(|it| format!("`{it}`")).collect();
        let at = if events.is_empty() { String::new() } else { format!(" at {}", events.join(", ")) };
        let verb = if is_end { "ends" } else { "stays" };
        losses.push((
            row.span,
            format!("this table {verb} in {}{at}, but the diagram does not: the diagram was imported", missing.join(", ")),
        ));
    }

    /// The steps of the diagram that no part has.
    fn drawn(&self, renamed: &BTreeSet<(usize, usize)>, losses: &mut Losses) {
        let (shape, draft) = (self.shape, self.shape.draft);
        let (head, lacks) = match self.parts {
            [only] => (only.edges.head_range(), "this table does not"),
            [first, ..] => (first.edges.head_range(), "none of the tables beside it does"),
            [] => return,
        };
        let head = span(self.id, head);
        let all_rows = || self.parts.iter().flat_map(|it| &it.rows);
        let told = |from: usize, to: usize| {
            all_rows().filter(move |it| shape.starts(it, from) && it.to.map_or(from == to, |it| shape.is_same(it, to)))
        };
        for step in draft.rows.iter().filter(|it| !matches!(it.from, From::State(from) if shape.is_choice(from))) {
            for to in step.to.map(|it| shape.through_choices(it)).unwrap_or_default() {
                for from in shape.drawn_sources(step, self.parts) {
                    if self.parts.iter().flat_map(|it| &it.reading.unclear).any(|it| shape.may_mean(it, step, from, to)) {
                        continue;
                    }
                    let (from_name, to_name) = (&draft.states[from].id, &draft.states[to].id);
                    if told(from, to).next().is_none() {
                        let message = format!("the diagram leads from `{from_name}` to `{to_name}`, but {lacks}: the diagram was imported");
                        losses.push((head, message));
                    } else if !step.events.is_empty() && !renamed.contains(&(from, to)) && !told(from, to).any(|it| says_same(step, it)) {
                        let events: Vec<String> = step.events.iter().map(|it| format!("`{it}`")).collect();
                        let message = format!(
                            "the diagram has {} from `{from_name}` to `{to_name}`, but {lacks}: the diagram was imported",
                            events.join(", ")
                        );
                        losses.push((head, message));
                    }
                }
            }
        }
    }

    fn start(&self, part: &Beside<'_>, losses: &mut Losses) {
        let Some(start) = part.reading.draft.states.iter().find(|it| it.initial) else { return };
        let starts = self.shape.starts_of_machine();
        let own = state_of(self.shape.draft, &start.id);
        if !starts.is_empty() && !own.is_some_and(|own| starts.iter().any(|it| self.shape.is_same(*it, own))) {
            let message = format!("this table starts in `{}`, but the diagram does not: the diagram was imported", start.id);
            losses.push((part.reading.start.unwrap_or(start.span), message));
        }
    }
}

/// Whether a row has this event, or its label says it: `pay(amount)` is `pay`.
fn says(row: &Row, event: &str) -> bool {
    let call = |it: &str| bare(it.split('(').next().unwrap_or(it));
    let mut texts = row.events.iter().chain(&row.label);
    row.events.is_empty() && row.label.is_none() || texts.any(|it| bare(it) == bare(event) || call(it) == call(event))
}

/// Whether a row of a diagram has the text of an event behind its slash, where the table has the event before the slash, too: in
/// `push / kick` of a table, both may be events.
fn performs(drawn: &Row, row: &Row, event: &str) -> bool {
    drawn.effects.iter().any(|it| bare(&it.text) == bare(event)) && row.events.iter().any(|it| says(drawn, it))
}

/// Whether a row of a diagram has each event of a row of a table.
fn says_all(drawn: &Row, row: &Row) -> bool {
    row.events.iter().all(|it| says(drawn, it) || performs(drawn, row, it)) || says_whole(drawn, row)
}

/// Whether two rows have the same text.
fn says_whole(row: &Row, other: &Row) -> bool {
    row.label.as_ref().zip(other.label.as_ref()).is_some_and(|(a, b)| bare(a) == bare(b))
}

/// Whether two rows may be about the same event: a row without one does not tell.
fn says_same(row: &Row, other: &Row) -> bool {
    row.events.is_empty() || other.events.is_empty() || other.events.iter().any(|it| says(row, it)) || says_whole(row, other)
}

/// The rows of a table with the states of a machine; a state that this lacks has a number behind its states.
fn rows_in(table: &Draft, draft: &Draft) -> Vec<Row> {
    let place = |state: usize| place_of(draft, &table.states[state].id).map(|it| it.0).unwrap_or(draft.states.len() + state);
    let moved = |row: &Row| Row {
        from: if let From::State(from) = row.from { From::State(place(from)) } else { row.from },
        except: row.except.iter().map(|it| place(*it)).collect(),
        to: row.to.map(place),
        ..row.clone()
    };
    table.rows.iter().filter(|it| it.from != From::Creation).map(moved).collect()
}

/// The machine that a table is held against.
#[derive(Clone, Copy)]
struct Shape<'a> {
    draft: &'a Draft,
}

impl<'a> Shape<'a> {
    fn name(&self, state: usize, table: &Draft) -> String {
        let n_states = self.draft.states.len();
        if state < n_states { self.draft.states[state].id.clone() } else { table.states[state - n_states].id.clone() }
    }

    fn is_in(&self, state: usize, whole: usize) -> bool {
        state == whole || (state < self.draft.states.len() && self.draft.is_in(state, Some(whole)))
    }

    /// Whether a row applies in a state.
    fn starts(&self, row: &Row, state: usize) -> bool {
        match row.from {
            From::Creation => false,
            From::Any => !row.except.iter().any(|it| self.is_in(state, *it)),
            From::State(from) => self.is_in(state, from),
        }
    }

    /// Whether a target is another one: the composite that starts in it, or the other way round.
    fn is_same(&self, a: usize, b: usize) -> bool {
        let n_states = self.draft.states.len();
        let starts = |whole: usize, inner: usize| {
            whole < n_states && inner < n_states && self.draft.entered(&self.draft.starts(), Some(whole), &[]).contains(&(inner, None))
        };
        a == b || starts(a, b) || starts(b, a)
    }

    /// The states where the machine says that it starts.
    fn starts_of_machine(&self) -> Vec<usize> {
        let created = self.draft.rows.iter().filter(|it| it.from == From::Creation).filter_map(|it| it.to);
        let marked = self.draft.inside(None).into_iter().filter(|it| self.draft.states[*it].initial);
        created.chain(marked).flat_map(|it| self.through_choices(it)).collect()
    }

    /// Whether every way out of a state needs no event.
    fn is_choice(&self, state: usize) -> bool {
        let mut out = self.draft.rows.iter().filter(|row| row.from == From::State(state)).peekable();
        out.peek().is_some() && out.all(|row| row.trigger == Trigger::Automatic)
    }

    /// The states that a target leads to, through choices.
    fn through_choices(&self, target: usize) -> Vec<usize> {
        let (mut reached, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![target]);
        while let Some(at) = open.pop() {
            if !self.is_choice(at) {
                reached.push(at);
            } else if seen.insert(at) {
                open.extend(self.draft.rows.iter().filter(|it| it.from == From::State(at)).filter_map(|it| it.to));
            }
        }
        reached
    }

    /// The rows of a state that lead nowhere.
    fn stays(self, state: usize) -> impl Iterator<Item = &'a Row> {
        self.draft.rows.iter().filter(move |row| row.to.is_none() && self.starts(row, state))
    }

    /// The rows from a state to another one.
    fn steps(self, from: usize, to: usize) -> impl Iterator<Item = &'a Row> {
        let leads = move |row: &&Row| row.to.is_some_and(|it| self.through_choices(it).into_iter().any(|it| self.is_same(it, to)));
        self.draft.rows.iter().filter(move |row| self.starts(row, from)).filter(leads)
    }

    /// The states where a machine rests, and that have a way out or are no ends.
    fn resting(&self) -> Vec<usize> {
        let has_way_out = |state: usize| self.draft.rows.iter().any(|it| matches!(it.from, From::State(from) if self.is_in(state, from)));
        let rests = |it: &usize| self.draft.inside(Some(*it)).is_empty() && !self.is_choice(*it);
        let is_end = |it: usize| self.draft.states[it].terminal && !has_way_out(it);
        (0..self.draft.states.len()).filter(rests).filter(|it| !is_end(*it)).collect()
    }

    /// The states that a row of a table is about. A diagram need not draw what leads back to the same state.
    fn sources(&self, row: &Row) -> Vec<usize> {
        match row.from {
            From::Creation => Vec::new(),
            From::State(from) => vec![from],
            From::Any => self.resting().into_iter().filter(|it| Some(*it) != row.to && self.starts(row, *it)).collect(),
        }
    }

    /// The states that an arrow is about: its source, or the states inside it if the table names those only.
    fn drawn_sources(&self, row: &Row, tables: &[Beside<'_>]) -> Vec<usize> {
        let is_told = |state: usize| tables.iter().any(|it| state_of(&it.reading.draft, &self.draft.states[state].id).is_some());
        match row.from {
            From::State(from) if self.draft.inside(Some(from)).is_empty() || is_told(from) => vec![from],
            From::State(from) => self.resting().into_iter().filter(|it| self.is_in(*it, from)).collect(),
            _ => self.sources(row),
        }
    }

    /// Whether a row of the table that could not be read may say the same as an arrow.
    fn may_mean(&self, left: &Left, step: &Row, from: usize, to: usize) -> bool {
        let has = |names: &Option<Vec<String>>, fits: &dyn Fn(usize) -> bool| {
            names.as_ref().is_none_or(|it| it.iter().filter_map(|it| state_of(self.draft, it)).any(fits))
        };
        // A row of which a side could not be read may have the event in other words, too.
        let is_vague = left.from.is_none() || left.to.is_none();
        let same_event = is_vague || step.events.is_empty() || left.events.is_empty() || left.events.iter().any(|it| says(step, it));
        same_event && has(&left.from, &|it| self.is_in(from, it)) && has(&left.to, &|it| self.is_same(it, to))
    }
}
