//! Reads tables of transitions: From, To and Trigger; or a state and its successors.

use std::ops::Range;

pub(super) use super::cell::Cell;
use super::cell::{Known, Source, States, Target, words};
use super::draft::{Draft, Effect, From, Row, State};
use super::span;
use crate::source::{SourceId, Span};

/// A table of a page.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) head: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
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
    /// Who may do it.
    Actor,
    /// Whether the row is allowed at all.
    Verdict,
    /// The successors that are not allowed.
    Forbidden,
    Other,
}

/// One step of a table; `None` is `[*]`.
pub(super) struct Pair {
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) event: Option<String>,
    /// How much the row says: a step from this state, from every state, or a step that changes nothing.
    pub(super) reach: Reach,
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    One,
    Any,
    Stay,
}

/// A table with known columns.
pub(super) struct Edges<'a> {
    table: &'a Table,
    columns: Vec<Column>,
    known: Known,
    id: SourceId,
    /// Whether the headings say that the table lists what is not allowed.
    pub(super) forbids: bool,
}

impl<'a> Edges<'a> {
    /// `None` if a table does not have a source and a target, or is a mapping of other things.
    ///
    /// `about_states` tells that the text around the table speaks of states.
    pub(super) fn new(table: &'a Table, id: SourceId, about_states: bool) -> Option<Self> {
        let mut columns: Vec<Column> = table.head.iter().map(|it| column(&it.text)).collect();
        for idx in 0..columns.len() {
            // The first column of a kind counts; documentation may be in several columns.
            if columns[idx] != Column::Doc && columns[..idx].contains(&columns[idx]) {
                columns[idx] = Column::Other;
            }
        }
        let mut forbids = table.head.iter().any(|it| {
            // `Why it is forbidden`
            let words = words(&it.text);
            is_negative(&it.text) && words.iter().any(|it| it == "why" || it == "reason")
        });
        if !columns.contains(&Column::To)
            && let Some(only) = columns.iter().position(|it| *it == Column::Forbidden)
        {
            columns[only] = Column::To;
            forbids = true;
        }
        let has = |column: Column| columns.contains(&column);
        if !(has(Column::From) && has(Column::To)) {
            return None;
        }
        let mut edges = Edges { table, columns, known: Known::default(), id, forbids };
        edges.known = Known { sources: edges.sure(Column::From), targets: edges.sure(Column::To), alone: edges.alone() };
        edges.is_about_states(about_states).then_some(edges)
    }

    /// Whether the headings, or the names, are those of states: `Source` and `Target` can be those of anything.
    fn is_about_states(&self, around: bool) -> bool {
        let heads = || self.table.head.iter().zip(&self.columns);
        let speaks = heads().any(|(head, column)| {
            let words = words(&head.text);
            let of_states = ["state", "states", "status", "statuses", "transition", "transitions", "phase", "stage"];
            matches!(column, Column::From | Column::To) && words.iter().any(|it| of_states.contains(&it.as_str()))
        });
        let of = |wanted: Column| heads().find(|(_, it)| **it == wanted).map(|(it, _)| it.text.to_lowercase()).unwrap_or_default();
        let triggers = ["trigger", "event", "triggers", "events"].iter().any(|it| of(Column::Event).contains(it));
        let chained = self.known.sources.intersection(&self.known.targets).next().is_some();
        let anything = of(Column::From).trim() == "source" || of(Column::To).trim() == "target";
        speaks || triggers || if anything { chained && around } else { chained || around }
    }

    fn sure(&self, column: Column) -> std::collections::BTreeSet<String> {
        self.table.rows.iter().filter_map(|row| self.cell(row, column)).flat_map(Cell::sure_names).collect()
    }

    /// The names that are alone in a cell.
    fn alone(&self) -> std::collections::BTreeSet<String> {
        let cells = self.table.rows.iter().flat_map(|row| [self.cell(row, Column::From), self.cell(row, Column::To)]);
        let names = cells.flatten().map(Cell::sure_names);
        names.filter_map(|it| <[String; 1]>::try_from(it).ok()).flatten().collect()
    }

    /// Whether a cell that is no state and no event says that the step is not allowed.
    fn refuses(&self, row: &[Cell]) -> bool {
        let tells = |it: &Column| matches!(it, Column::Other | Column::Doc | Column::Effect | Column::Guard);
        self.columns.iter().zip(row).any(|(column, cell)| tells(column) && cell.refuses())
    }

    /// Whether each row is a state with all its successors.
    pub(super) fn is_adjacency(&self) -> bool {
        !self.columns.contains(&Column::Event)
    }

    /// The range of the headings.
    pub(super) fn head_range(&self) -> Range<usize> {
        row_range(&self.table.head)
    }

    /// The columns that a comparison with a diagram does not look at, if any.
    pub(super) fn more_columns(&self) -> Option<String> {
        let compared = [Column::From, Column::To, Column::Event, Column::Verdict, Column::Forbidden];
        let more = self.columns.iter().zip(&self.table.head).filter(|(it, _)| !compared.contains(it));
        let names: Vec<String> = more.map(|(_, head)| format!("`{}`", head.text)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn cell<'b>(&self, row: &'b [Cell], column: Column) -> Option<&'b Cell> {
        self.columns.iter().position(|it| *it == column).and_then(|it| row.get(it))
    }

    fn source(&self, row: &[Cell]) -> Option<Source> {
        self.cell(row, Column::From).map(|it| it.source(&self.known))
    }

    fn target(&self, row: &[Cell]) -> Option<Target> {
        self.cell(row, Column::To).map(|it| it.target(&self.known, self.is_adjacency()))
    }

    /// Whether a row is allowed; `None` if its cell does not tell.
    fn verdict(&self, row: &[Cell]) -> Option<bool> {
        self.cell(row, Column::Verdict).map_or(Some(true), Cell::verdict)
    }

    /// The states that the table names.
    pub(super) fn states(&self) -> impl Iterator<Item = &String> {
        self.known.sources.union(&self.known.targets)
    }

    /// Sources and targets as texts, with their places.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for row in &self.table.rows {
            if self.verdict(row) != Some(true) || self.refuses(row) {
                continue;
            }
            let event = self.cell(row, Column::Event).filter(|it| !it.is_nothing()).map(|it| it.text.clone());
            let mut reach = Reach::One;
            let sources: Vec<Option<String>> = match self.source(row) {
                Some(Source::States(states)) => states.named.into_iter().map(|it| Some(it.name)).collect(),
                Some(Source::Start | Source::Blank) => vec![None],
                Some(Source::Any { .. }) => {
                    reach = Reach::Any;
                    vec![None]
                }
                _ => Vec::new(),
            };
            let target = self.target(row);
            for from in sources {
                let targets: Vec<Option<String>> = match &target {
                    Some(Target::States(states)) => states.named.iter().map(|it| Some(it.name.clone())).collect(),
                    Some(Target::End | Target::Nothing) => vec![None],
                    Some(Target::Stay) => {
                        reach = Reach::Stay;
                        vec![from.clone()]
                    }
                    _ => Vec::new(),
                };
                let pair = |to| Pair { from: from.clone(), to, event: event.clone(), reach, range: row_range(row) };
                pairs.extend(targets.into_iter().map(pair));
            }
        }
        pairs
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

    /// The machine that the table describes.
    pub(super) fn draft(&self, name: &str, title: Option<&str>) -> Draft {
        let whole = span(self.id, self.table.head.first().map_or(self.table.range.clone(), |it| it.range.clone()));
        let draft = Draft { title: title.map(str::to_owned), complete: self.is_adjacency(), ..Draft::new(super::Kind::Table, name, whole) };
        let mut reader = Reader { edges: self, draft, above: None, but_terminal: Vec::new() };
        for (_, head) in self.columns.iter().zip(&self.table.head).filter(|(it, _)| **it == Column::Other) {
            reader.draft.found.loss(
                span(self.id, head.range.clone()),
                format!("no key of a spec matches the heading `{}`: the column was left out", head.text),
            );
        }
        for row in &self.table.rows {
            reader.row(row);
        }
        reader.finish()
    }
}

struct Reader<'a, 'b> {
    edges: &'a Edges<'b>,
    draft: Draft,
    /// The sources of the row above, for a row without its own.
    above: Option<Vec<From>>,
    /// Rows from every state that is not terminal.
    but_terminal: Vec<usize>,
}

impl Reader<'_, '_> {
    fn place(&self, row: &[Cell], column: Column) -> Span {
        let range = self.edges.cell(row, column).map_or_else(|| row_range(row), |it| it.range.clone());
        span(self.edges.id, range)
    }

    fn loss(&mut self, place: Span, message: &str) {
        self.draft.found.loss(place, message);
    }

    /// The states of a cell, each known or new.
    fn states(&mut self, states: &States, place: Span) -> Vec<usize> {
        if states.guessed {
            let names: Vec<String> = states.named.iter().map(|it| format!("`{}`", it.name)).collect();
            self.draft.found.assumed(place, format!("this cell was read as several states: {}", names.join(", ")));
        }
        let mut found = Vec::new();
        for named in &states.named {
            let idx = state(&named.name, place, &mut self.draft);
            self.draft.states[idx].terminal |= named.terminal;
            if named.initial && self.draft.states.iter().all(|it| !it.initial) {
                self.draft.states[idx].initial = true;
            }
            if let Some(note) = &named.note {
                self.draft.found.loss(place, format!("`({note})` behind `{}` was left out", named.name));
            }
            found.push(idx);
        }
        found
    }

    /// The sources of a row with the states that they leave out, and whether ends are left out, too.
    fn sources(&mut self, row: &[Cell]) -> Option<(Vec<From>, Vec<usize>, bool)> {
        let place = self.place(row, Column::From);
        let sources = match self.edges.source(row)? {
            Source::Start => vec![From::Creation],
            Source::Blank => match self.above.clone() {
                Some(above) => {
                    self.draft.found.assumed(place, "an empty cell was read as the source of the row above");
                    return Some((above, Vec::new(), false));
                }
                None => vec![From::Creation],
            },
            Source::Any { except, but_terminal } => {
                let except = except.iter().map(|it| state(it, place, &mut self.draft)).collect();
                self.above = None;
                return Some((vec![From::Any], except, but_terminal));
            }
            Source::States(states) => self.states(&states, place).into_iter().map(From::State).collect(),
            Source::Unclear => {
                self.draft.partial = true;
                self.loss(place, "which states this stands for cannot be told: the row was left out");
                return None;
            }
        };
        self.above = Some(sources.clone());
        Some((sources, Vec::new(), false))
    }

    fn row(&mut self, row: &[Cell]) {
        let place = span(self.edges.id, row_range(row));
        match self.edges.verdict(row) {
            Some(true) => {}
            // A spec refuses what it does not allow.
            Some(false) => return,
            None => {
                let place = self.place(row, Column::Verdict);
                self.draft.partial = true;
                self.loss(place, "whether this row is allowed cannot be told: it was left out");
                return;
            }
        }
        if self.edges.refuses(row) {
            self.loss(place, "this row says that its step is not allowed, at least sometimes: it was left out");
            return;
        }
        let Some((sources, except, but_terminal)) = self.sources(row) else { return };
        let Some(target) = self.edges.target(row) else { return };
        let to_place = self.place(row, Column::To);
        let has_event = self.edges.cell(row, Column::Event).is_some_and(|it| !it.is_nothing());
        let targets: Vec<Option<usize>> = match target {
            Target::States(states) => self.states(&states, to_place).into_iter().map(Some).collect(),
            Target::End | Target::Nothing if !has_event => {
                for from in sources {
                    if let From::State(idx) = from {
                        self.draft.states[idx].terminal = true;
                    }
                }
                return;
            }
            Target::End => {
                for from in &sources {
                    if let From::State(idx) = from {
                        self.draft.states[*idx].terminal = true;
                    }
                }
                self.draft.found.assumed(to_place, "the end has no name: the spec has a step that stays in its state");
                vec![None]
            }
            Target::Nothing => {
                self.loss(to_place, "whether this event changes nothing or is refused cannot be told: the row was left out");
                return;
            }
            Target::Stay => vec![None],
            Target::Refused => return,
            Target::Unclear => {
                self.draft.partial = true;
                self.loss(to_place, "which state this stands for cannot be told: the row was left out");
                return;
            }
        };
        for from in sources {
            for to in &targets {
                self.step(row, from, *to, &except, place);
                if but_terminal {
                    self.but_terminal.push(self.draft.rows.len() - 1);
                }
            }
        }
    }

    fn step(&mut self, row: &[Cell], from: From, to: Option<usize>, except: &[usize], place: Span) {
        let events = self.edges.cell(row, Column::Event).filter(|it| !it.is_nothing());
        if let (From::Creation, Some(to)) = (from, to) {
            if self.draft.states.iter().all(|it| !it.initial) {
                self.draft.states[to].initial = true;
            }
            if events.is_none() && self.draft.rows.iter().all(|it| it.from != From::Creation) {
                // The initial state is recorded, so no row is needed.
                return;
            }
        }
        let mut step = Row::new(from, to, place);
        step.except = except.to_vec();
        if let Some(cell) = events {
            let (label, guessed) = cell.events();
            if guessed {
                let message = "the parts around the `/` were read as several events; an effect has a column of its own, such as `Effect`";
                self.draft.found.assumed(span(self.edges.id, cell.range.clone()), message);
            }
            step.events = label.events;
            step.guards = label.guard.into_iter().collect();
            step.effects = label.effects.into_iter().map(Effect::new).collect();
            // A diagram shows the events anyway.
            step.label = Some(cell.text.clone()).filter(|it| step.events.join(", ") != *it && step.events.len() < 2);
        }
        let texts = |column| self.edges.cell(row, column).filter(|it| !it.is_nothing()).map(|it| it.text.clone());
        step.guards.extend(texts(Column::Guard).filter(|it| words(it) != ["always"]));
        step.effects.extend(texts(Column::Effect).map(Effect::new));
        step.doc = texts(Column::Doc);
        if let Some(cell) = self.edges.cell(row, Column::Actor) {
            step.by = cell.actors();
            if !step.by.is_empty() && step.events.is_empty() {
                let message = "the actors of a spec raise events, and this row has no event: its actors were left out";
                self.draft.found.loss(span(self.edges.id, cell.range.clone()), message);
            }
        }
        self.draft.rows.push(step);
    }

    fn finish(mut self) -> Draft {
        let terminal: Vec<usize> = (0..self.draft.states.len()).filter(|it| self.draft.states[*it].terminal).collect();
        for idx in std::mem::take(&mut self.but_terminal) {
            self.draft.rows[idx].except.clone_from(&terminal);
        }
        for row in &self.draft.rows {
            let ends = terminal.iter().filter(|it| row.from == From::Any && !row.except.contains(it) && row.to != Some(**it));
            if let Some(end) = ends.map(|it| &self.draft.states[*it].id).next() {
                self.draft.found.assumed(row.span, format!("every state includes ends such as `{end}`"));
            }
        }
        for (from, to, range) in self.edges.forbidden() {
            let of = |name: &str| self.draft.states.iter().position(|it| it.id == name);
            let (Some(from_idx), Some(to_idx)) = (of(&from), of(&to)) else { continue };
            if self.draft.rows.iter().any(|it| it.from == From::State(from_idx) && it.to == Some(to_idx)) {
                let message = format!("the table allows and forbids the step from `{from}` to `{to}`: it was imported");
                self.draft.found.loss(span(self.edges.id, range), message);
            }
        }
        self.draft
    }
}

fn row_range(row: &[Cell]) -> Range<usize> {
    let start = row.first().map_or(0, |it| it.range.start);
    start..row.last().map_or(start, |it| it.range.end)
}

/// The state of this name, known or new.
fn state(name: &str, place: Span, draft: &mut Draft) -> usize {
    if let Some(known) = draft.states.iter().position(|it| it.id == name) {
        return known;
    }
    draft.states.push(State::new(name, None, place));
    draft.states.len() - 1
}

/// Whether a text says that what follows is not allowed. `Transitions that are not listed are invalid` says the opposite.
pub(super) fn is_negative(text: &str) -> bool {
    let words = words(text);
    let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
    let pair = |first: &str, second: &[&str]| words.windows(2).any(|it| it[0] == first && second.contains(&it[1].as_str()));
    let negative = has(&["forbidden", "disallowed", "illegal", "invalid", "prohibited", "impossible", "banned", "unsupported", "disallow"])
        || pair("not", &["allowed", "permitted", "valid", "possible", "legal", "supported"])
        || pair("never", &["allowed", "permitted", "valid", "possible", "legal", "happens", "happen"])
        || pair("must", &["not", "never"])
        || pair("cannot", &["transition", "go", "move", "happen", "change"])
        || (has(&["rejected", "denied", "blocked", "refused"]) && has(&["transition", "transitions", "edges", "moves"]));
    let others = has(&["other", "others", "else", "otherwise", "unlisted", "absent", "missing", "outside", "only", "anything"])
        || pair("not", &["listed", "shown", "in", "here", "below", "drawn", "explicitly"]);
    negative && !others
}

/// The meaning of a heading.
fn column(heading: &str) -> Column {
    let heading = words(heading).join(" ");
    let heading = heading.trim_end_matches(" s");
    const KNOWN: &[(Column, &[&str])] = &[
        (
            Column::From,
            &[
                "from",
                "from state",
                "from status",
                "source",
                "source state",
                "state",
                "status",
                "current",
                "current state",
                "current status",
                "old state",
                "start state",
            ],
        ),
        (
            Column::To,
            &[
                "to",
                "to state",
                "to status",
                "target",
                "target state",
                "next",
                "next state",
                "next states",
                "next status",
                "new state",
                "new status",
                "destination",
                "allowed transitions",
                "allowed next states",
                "allowed next",
                "allowed targets",
                "allowed to",
                "transitions",
                "transitions to",
                "can transition to",
                "can go to",
                "valid transitions",
                "valid next states",
                "valid targets",
                "possible transitions",
                "outgoing transitions",
                "successors",
                "end state",
            ],
        ),
        (
            Column::Event,
            &["trigger", "event", "triggers", "events", "on", "input", "action event", "trigger event", "event trigger", "command"],
        ),
        (Column::Guard, &["guard", "condition", "conditions", "when", "if", "guards"]),
        (Column::Effect, &["effect", "effects", "side effect", "side effects", "action", "actions", "do"]),
        (Column::Doc, &["description", "doc", "notes", "note", "comment", "meaning", "remarks"]),
        (
            Column::Actor,
            &[
                "actor",
                "actors",
                "role",
                "roles",
                "permitted role",
                "permitted roles",
                "allowed role",
                "allowed roles",
                "required role",
                "authorization",
                "authorisation",
                "authorized",
                "authorized by",
                "authorized role",
                "authorized roles",
                "who",
                "who can",
                "by",
                "performed by",
                "initiated by",
                "initiator",
                "caller",
                "allowed by",
            ],
        ),
        (Column::Verdict, &["allowed", "valid", "legal", "permitted", "is allowed", "is valid", "allowed yes no"]),
        (
            Column::Forbidden,
            &[
                "forbidden",
                "forbidden transitions",
                "forbidden targets",
                "forbidden next states",
                "disallowed",
                "disallowed transitions",
                "not allowed",
                "invalid transitions",
                "illegal transitions",
                "prohibited transitions",
                "cannot transition to",
                "cannot go to",
            ],
        ),
    ];
    KNOWN.iter().find(|(_, words)| words.contains(&heading)).map_or(Column::Other, |(column, _)| *column)
}
