//! A table beside a machine of the same page: the steps that only one of them has, and forbidden steps that the machine has.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::diagnostic::{Code, Diagnostic};
use statespec_lang::source::{SourceId, Span};

use super::draft::{Draft, From, Row, State};
use super::held_against::{Shape, bare, performs, says, says_all, says_same, says_whole, state_of, without_remark};
use super::span;
use super::table::{Edges, Reading};

/// Holds a table of forbidden steps against a machine of the page, which must have none of them.
pub(super) fn forbid(mut edges: Edges<'_>, draft: &mut Draft) {
    edges.forbids = true;
    let Reading { draft: table, .. } = edges.read("", None);
    let shape = Shape { draft };
    let mut losses = Losses::new();
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
    losses.extend(remarks_of(&table, draft));
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
        let losses = Comparison { shape: Shape { draft }, parts: &parts, id }.differences();
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
    /// The names of the states where it starts.
    fn starts(&self) -> impl Iterator<Item = &str> {
        let table = &self.reading.draft;
        let created = table.rows.iter().filter(|it| it.from == From::Creation).filter_map(|it| it.to);
        let marked = (0..table.states.len()).filter(|it| table.states[*it].initial);
        created.chain(marked).map(|it| table.states[it].id.as_str())
    }

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
        self.other_starts(&mut losses);
        for part in self.parts {
            self.starts(part, &mut losses);
            self.states(part, &mut losses);
            losses.extend(remarks_of(&part.reading.draft, self.shape.draft));
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
            let others = other_events(row, &drawn);
            if !others.is_empty() {
                renamed.insert((from, to));
            } else if let Some(label) = said_more(row, &drawn, table) {
                losses.push(says_more(row, label));
            }
            losses.extend(others);
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
            (is_end && is_terminal(*from) && shape.stays(*from).all(|it| it.events.is_empty()))
                || shape.steps(*from, *from).chain(shape.stays(*from)).any(|it| says_all(it, row))
        };
        let missing: Vec<String> =
            shape.sources(row).into_iter().filter(|it| !is_drawn(it)).map(|it| format!("`{}`", shape.name(it, table))).collect();
        if missing.is_empty() {
            let drawn: Vec<&Row> = shape.sources(row).into_iter().flat_map(|it| shape.steps(it, it).chain(shape.stays(it))).collect();
            losses.extend(said_more(row, &drawn, &part.reading.draft).filter(|_| !drawn.is_empty()).map(|it| says_more(row, it)));
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
                for from in shape.drawn_sources(step, |it| self.tells_of(it)) {
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

    /// The differences of the starts of a part, and of their events where both have them.
    fn starts(&self, part: &Beside<'_>, losses: &mut Losses) {
        let table = &part.reading.draft;
        let drawn = self.shape.starts_of_machine();
        let state = |of: usize| state_of(self.shape.draft, &table.states[of].id);
        let is_drawn = |own: usize| drawn.iter().any(|it| self.shape.is_same(*it, own));
        let marked =
            table.states.iter().enumerate().filter(|(_, it)| it.initial).map(|(idx, it)| (idx, part.reading.start.unwrap_or(it.span)));
        let created = table.rows.iter().filter(|it| it.from == From::Creation).filter_map(|it| Some((it.to?, it.span)));
        let starts: BTreeMap<usize, Span> = created.chain(marked).collect();
        for (of, place) in starts.into_iter().filter(|(of, _)| !drawn.is_empty() && !state(*of).is_some_and(is_drawn)) {
            let name = &table.states[of].id;
            losses.push((place, format!("this table starts in `{name}`, but the diagram does not: the diagram was imported")));
        }
        for row in table.rows.iter().filter(|it| it.from == From::Creation) {
            let Some(own) = row.to.and_then(state) else { continue };
            let leads = |it: &&Row| it.to.is_some_and(|it| self.shape.through_choices(it).iter().any(|it| self.shape.is_same(*it, own)));
            let created: Vec<&Row> = self.shape.draft.rows.iter().filter(|it| it.from == From::Creation).filter(leads).collect();
            let others = other_events(row, &created);
            if let (true, Some(label)) = (others.is_empty() && !created.is_empty(), said_more(row, &created, table)) {
                losses.push(says_more(row, label));
            }
            losses.extend(others);
        }
    }

    /// The starts of the diagram that no part has, where the parts say where they start.
    fn other_starts(&self, losses: &mut Losses) {
        let told: BTreeSet<usize> = self.parts.iter().flat_map(|it| it.starts()).map(|it| self.shape.place(it)).collect();
        let drawn = self.shape.starts_of_machine();
        let is_told = |own: usize| told.iter().any(|it| self.shape.is_same(*it, own));
        let is_drawn = |own: &usize| drawn.iter().any(|it| self.shape.is_same(*it, *own));
        let is_vague = self.parts.iter().flat_map(|it| &it.reading.unclear).any(|it| it.from.is_none());
        // Where both have one start, this difference is reported from the side of the table.
        let is_reported = drawn.len() == 1 && !told.iter().all(is_drawn);
        let Some(first) = self.parts.first().filter(|_| !told.is_empty() && !is_reported && !is_vague) else { return };
        let lacks = if self.parts.len() == 1 { "this table does not" } else { "none of the tables beside it does" };
        let head = span(self.id, first.edges.head_range());
        for own in drawn.iter().filter(|it| !is_told(**it)) {
            let name = &self.shape.draft.states[*own].id;
            losses.push((head, format!("the diagram starts in `{name}`, but {lacks}: the diagram was imported")));
        }
    }

    /// The states of a part that the diagram does not have, and its ends that the diagram does not mark.
    fn states(&self, part: &Beside<'_>, losses: &mut Losses) {
        let table = &part.reading.draft;
        let is_in_a_row = |state: usize| table.rows.iter().any(|it| it.from == From::State(state) || it.to == Some(state));
        let is_told = |state: usize| part.rows.iter().any(|it| it.from == From::State(state) && part.reading.ends.contains(&it.span));
        for (idx, state) in table.states.iter().enumerate() {
            let (name, own) = (&state.id, state_of(self.shape.draft, &state.id));
            let message = match own {
                // A row of every end speaks of no state.
                None if !is_in_a_row(idx) && !is_end_word(name) => {
                    format!("this table has a state `{name}`, but the diagram does not: the diagram was imported")
                }
                Some(own) if state.terminal && !self.shape.draft.states[own].terminal && !is_told(own) => {
                    format!("this table says that `{name}` is terminal, but the diagram does not: the diagram was imported")
                }
                _ => continue,
            };
            losses.push((part.edges.place_of_source(name).unwrap_or(state.span), message));
        }
    }

    /// Whether a part names a state of the diagram.
    fn tells_of(&self, state: usize) -> bool {
        self.parts.iter().any(|it| state_of(&it.reading.draft, &self.shape.draft.states[state].id).is_some())
    }
}

/// The rows of a table with the states of a machine; a state that this lacks has a number behind its states.
fn rows_in(table: &Draft, draft: &Draft) -> Vec<Row> {
    let place = |state: usize| state_of(draft, &table.states[state].id).unwrap_or(draft.states.len() + state);
    let moved = |row: &Row| Row {
        from: if let From::State(from) = row.from { From::State(place(from)) } else { row.from },
        except: row.except.iter().map(|it| place(*it)).collect(),
        to: row.to.map(place),
        ..row.clone()
    };
    table.rows.iter().filter(|it| it.from != From::Creation).map(moved).collect()
}

/// The differences of the events of a row of a table from those of the arrows for the same step.
fn other_events(row: &Row, drawn: &[&Row]) -> Losses {
    if drawn.is_empty() {
        return Losses::new();
    }
    let events: Vec<String> = drawn.iter().flat_map(|it| &it.events).map(|it| format!("`{it}`")).collect();
    let rest = if events.is_empty() { "does not".to_owned() } else { format!("has {}", events.join(", ")) };
    let is_drawn = |event: &&String| drawn.iter().any(|drawn| says(drawn, event) || performs(drawn, row, event) || says_whole(drawn, row));
    let others = row.events.iter().filter(|it| !is_drawn(it));
    others.map(|event| (row.span, format!("this table has `{event}` here, but the diagram {rest}: the diagram was imported"))).collect()
}

fn says_more(row: &Row, label: &str) -> (Span, String) {
    (row.span, format!("`{label}` says more than the diagram here: the diagram was imported"))
}

/// The text of an event of a table that says more than the arrows for the same step, unless what it says more is reported.
fn said_more<'r>(row: &'r Row, drawn: &[&Row], table: &Draft) -> Option<&'r String> {
    let label = row.label.as_ref().or(row.events.first().filter(|_| row.events.len() == 1))?;
    let is_said = |it: &&Row| {
        let texts = it.events.iter().chain(&it.label);
        texts.into_iter().any(|it| bare(it).contains(&bare(label)))
    };
    // `(by phone)` behind the event was left out, and this was reported.
    let names_part = |it: &Diagnostic| it.message.split('`').nth(1).is_some_and(|it| label.contains(it));
    let is_told = |it: &Diagnostic| it.code == Code::ImportLoss && row.span.range().contains(&it.primary.0.range().start) && names_part(it);
    (!drawn.iter().any(is_said) && !table.found.0.iter().any(is_told)).then_some(label)
}

/// The remarks in brackets behind names of a table, where the machine has the state without them.
fn remarks_of(table: &Draft, draft: &Draft) -> Losses {
    let remark = |state: &State| {
        let own = state_of(draft, &state.id).map(|it| &draft.states[it])?;
        let name = without_remark(&state.id)?;
        let is_left_out = without_remark(&own.id).is_none() && own.label.as_deref().is_none_or(|it| without_remark(it).is_none());
        is_left_out.then(|| (state.span, format!("`{}` behind `{name}` was left out", state.id[name.len()..].trim())))
    };
    table.states.iter().filter_map(remark).collect()
}

/// Whether a text is a word for ends.
fn is_end_word(text: &str) -> bool {
    matches!(bare(text).as_str(), "terminal" | "final" | "terminalstate" | "terminalstates" | "finalstate" | "finalstates")
}
