//! A table beside a machine of the same page: the steps that only one of them has, and forbidden steps that the machine has.

use std::collections::BTreeSet;

use super::draft::{Draft, From, Row, Trigger};
use super::span;
use super::table::{Edges, Left, Reading};
use crate::diagnostic::Code;
use crate::source::SourceId;

/// A text without differences in spelling: `In Progress`, `in_progress` and `InProgress` are one state.
fn bare(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The state of a draft with this id or label, ignoring differences in spelling.
pub(super) fn state_of(draft: &Draft, name: &str) -> Option<usize> {
    let name = bare(name);
    draft.states.iter().position(|it| bare(&it.id) == name || it.label.as_deref().is_some_and(|it| bare(it) == name))
}

/// Holds a table of forbidden steps against a machine of the page, which must have none of them.
pub(super) fn forbid(mut edges: Edges<'_>, draft: &mut Draft) {
    edges.forbids = true;
    let Reading { draft: table, .. } = edges.read("", None);
    let shape = Shape { draft };
    let mut losses = Vec::new();
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

/// Compares a table with its diagram: the diagram wins, and every difference is reported.
pub(super) fn compare(edges: &Edges<'_>, draft: &mut Draft, id: SourceId) {
    let Reading { draft: table, unclear } = edges.read("", None);
    let shape = Shape { draft };
    let rows = rows_in(&table, draft);
    let told =
        |from: usize, to: usize| rows.iter().filter(move |it| shape.starts(it, from) && it.to.is_some_and(|it| shape.is_same(it, to)));
    let head = span(id, edges.head_range());
    let mut losses = Vec::new();
    // The steps whose events differ are reported once, from the side of the table.
    let mut renamed: BTreeSet<(usize, usize)> = BTreeSet::new();
    for row in &rows {
        // A diagram need not draw a step that changes nothing.
        let Some(to) = row.to else { continue };
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
            let to = shape.name(to, &table);
            let message = match row.from {
                From::State(_) => format!("this table leads from `{}` to `{to}`, but the diagram does not", shape.name(*first, &table)),
                _ => {
                    let names: Vec<String> = missing.iter().map(|it| format!("`{}`", shape.name(*it, &table))).collect();
                    format!("this table leads from every state to `{to}`, but the diagram does not from {}", names.join(", "))
                }
            };
            losses.push((row.span, format!("{message}: the diagram was imported")));
        }
    }
    for step in draft.rows.iter().filter(|it| !matches!(it.from, From::State(from) if shape.is_choice(from))) {
        for to in step.to.map(|it| shape.through_choices(it)).unwrap_or_default() {
            for from in shape.drawn_sources(step, &table) {
                if unclear.iter().any(|it| shape.may_mean(it, step, from, to)) {
                    continue;
                }
                let (from_name, to_name) = (&draft.states[from].id, &draft.states[to].id);
                let stays = |it: &&Row| it.to.is_none() && from == to && shape.starts(it, from);
                let rows: Vec<&Row> = told(from, to).chain(rows.iter().filter(stays)).collect();
                if rows.is_empty() {
                    let message =
                        format!("the diagram leads from `{from_name}` to `{to_name}`, but this table does not: the diagram was imported");
                    losses.push((head, message));
                } else if !step.events.is_empty() && !renamed.contains(&(from, to)) && !rows.iter().any(|it| says_same(step, it)) {
                    let events: Vec<String> = step.events.iter().map(|it| format!("`{it}`")).collect();
                    let message = format!(
                        "the diagram has {} from `{from_name}` to `{to_name}`, but this table does not: the diagram was imported",
                        events.join(", ")
                    );
                    losses.push((head, message));
                }
            }
        }
    }
    if let Some(start) = table.states.iter().find(|it| it.initial) {
        let starts = shape.starts_of_machine();
        let own = state_of(draft, &start.id);
        if !starts.is_empty() && !own.is_some_and(|own| starts.iter().any(|it| shape.is_same(*it, own))) {
            let message = format!("this table starts in `{}`, but the diagram does not: the diagram was imported", start.id);
            losses.push((start.span, message));
        }
    }
    losses.extend(edges.remarks());
    if let Some(columns) = edges.more_columns() {
        losses.push((
            head,
            format!("a diagram was imported, and this table was only compared with it: the contents of {columns} were left out"),
        ));
    }
    draft.found.0.extend(table.found.0.into_iter().filter(|it| it.code == Code::ImportLoss));
    losses.into_iter().for_each(|(place, message)| draft.found.loss(place, message));
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
    let place = |state: usize| state_of(draft, &table.states[state].id).unwrap_or(draft.states.len() + state);
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
    fn drawn_sources(&self, row: &Row, table: &Draft) -> Vec<usize> {
        match row.from {
            From::State(from) if self.draft.inside(Some(from)).is_empty() || state_of(table, &self.draft.states[from].id).is_some() => {
                vec![from]
            }
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
