//! Reads the rows of tables of transitions: each is a step, an end or a refusal.

use statespec_lang::source::Span;

use super::cell::{Cell, States};
use super::column::Column;
use super::draft::{Draft, Effect, From, Row, State};
use super::effect::More;
use super::event_names::Spellings;
use super::label;
use super::phrase::{self, words};
use super::source::Source;
use super::span;
use super::table::{Edges, Left, Reading, is_always, row_range};
use super::target::Target;

/// Reads the rows of a table.
pub(super) struct Reader<'a, 'b> {
    pub(super) edges: &'a Edges<'b>,
    pub(super) reading: Reading,
    /// The sources of the row above, for a row without its own.
    pub(super) above: Option<Source>,
    /// Rows from every state that is not terminal.
    pub(super) but_terminal: Vec<usize>,
    /// The rows that say that their step is not allowed.
    pub(super) refused: Vec<Left>,
    /// The rows without an event whose target is a dash.
    pub(super) dashes: Vec<Dash>,
    pub(super) describes_states: bool,
    pub(super) event_names: Spellings,
    pub(super) actor_names: Spellings,
    /// The first actors of a row without an event.
    pub(super) idle_actors: Option<Span>,
}

/// A row without an event that leads from these states to a dash: it may mean an end.
pub(super) struct Dash {
    pub(super) sources: Vec<usize>,
    pub(super) doc: Vec<String>,
    pub(super) place: Span,
    pub(super) left: Left,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(super) fn new(edges: &'a Edges<'b>, reading: Reading) -> Self {
        let describes_states = edges.describes_states();
        Reader {
            edges,
            reading,
            above: None,
            but_terminal: Vec::new(),
            refused: Vec::new(),
            dashes: Vec::new(),
            describes_states,
            event_names: Spellings::default(),
            actor_names: Spellings::default(),
            idle_actors: None,
        }
    }

    fn place(&self, row: &[Cell], column: Column) -> Span {
        let range = self.edges.cell(row, column).map_or_else(|| row_range(row), |it| it.range.clone());
        span(self.edges.id, range)
    }

    pub(super) fn loss(&mut self, place: Span, message: impl Into<String>) {
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
            let idx = state(&named.name, place, draft, self.edges.known.case_matters);
            if draft.states[idx].id != named.name {
                draft.found.assumed(place, format!("`{}` is assumed to be the state `{}`", named.name, draft.states[idx].id));
            }
            draft.states[idx].terminal |= named.terminal;
            if named.initial && draft.states.iter().all(|it| !it.initial) {
                draft.states[idx].initial = true;
                self.reading.start = Some(place);
            }
            if let Some(note) = named.remark() {
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
                let except = except.iter().map(|it| state(it, place, &mut self.reading.draft, self.edges.known.case_matters)).collect();
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

    pub(super) fn unclear(&mut self, left: Left) {
        self.reading.draft.partial = true;
        self.reading.unclear.push(left);
    }

    pub(super) fn row(&mut self, row: &[Cell]) {
        let place = span(self.edges.id, row_range(row));
        let from_place = self.place(row, Column::From);
        let (Some(source), Some(mut target)) = (self.edges.source(row), self.edges.target(row)) else { return };
        // That ends have no successors is known without a row.
        let names_ends = self.edges.cell(row, Column::From).is_some_and(|it| it.names_ends(&self.edges.known));
        if names_ends && self.edges.is_adjacency() && matches!(target, Target::End | Target::Nothing) {
            return;
        }
        let is_below = source == Source::Blank && self.above.is_some();
        let source = if is_below { self.above.clone().unwrap_or(source) } else { source };
        self.above = Some(source.clone());
        let left = self.left(row, &source, &target);
        let end = self.edges.event(row).filter(|it| it.is_end() && matches!(target, Target::End | Target::Nothing));
        if let Some(cell) = end {
            target = Target::End;
            self.tell_end(cell);
        }
        let event = self.edges.event(row).filter(|_| end.is_none());
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
        if self.edges.is_not_implemented(row) {
            self.loss(place, "this row says that its step is not implemented, at least in part: it was left out");
            return self.unclear(left);
        }
        let stays = target == Target::Stay || matches!((&source, &target), (Source::States(from), Target::States(to)) if from == to);
        if stays && event.is_some_and(|it| phrase::is_only_error(&it.text)) {
            self.loss(place, "this row says that its step only returns an error: it was left out");
            return self.refused.push(Left { events: Vec::new(), ..left });
        }
        if event.is_some_and(|it| phrase::is_any_event(&it.text) || it.is_only_signs()) {
            self.loss(self.place(row, Column::Event), "which events this stands for cannot be told: the row was left out");
            return self.unclear(left);
        }
        if is_below {
            self.reading.draft.found.assumed(from_place, "an empty cell was read as the source of the row above");
        }
        let to_place = self.place(row, Column::To);
        // What a row that is left out names may be no state.
        if target == Target::Unclear && source != Source::Unclear {
            self.loss(to_place, self.unclear_state(row, Column::To));
            return self.unclear(left);
        }
        let Some((sources, except, but_terminal)) = self.sources(source, row) else { return self.unclear(left) };
        let targets: Vec<Option<usize>> = match target {
            Target::States(states) => self.states(&states, to_place).into_iter().map(Some).collect(),
            Target::End | Target::Nothing if event.is_none() => {
                if target == Target::End
                    && let Some(cell) = self.edges.cell(row, Column::To)
                {
                    self.tell_end(cell);
                }
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
                self.reading.ends.insert(place);
                vec![None]
            }
            Target::Nothing => {
                self.loss(to_place, "whether this event changes nothing or is refused cannot be told: the row was left out");
                return self.unclear(left);
            }
            Target::Stay => {
                let remark = self.edges.cell(row, Column::To).and_then(|it| it.remark_of_stay(&self.edges.known));
                if let Some(remark) = remark {
                    self.loss(to_place, format!("`({remark})` behind this step that stays was left out"));
                }
                vec![None]
            }
            Target::Refused | Target::Unclear => return,
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
        let says_nothing = |(column, cell): (&Column, &Cell)| match column {
            Column::Guard | Column::Effect | Column::Actor => cell.is_nothing(),
            Column::Doc => cell.is_nothing() && !cell.is_no_action(),
            _ => true,
        };
        let is_bare = self.edges.columns.of.iter().zip(row).all(says_nothing);
        if let (From::Creation, Some(to)) = (from, to) {
            let draft = &mut self.reading.draft;
            let first = draft.states.iter().position(|it| it.initial);
            if first.is_none() {
                draft.states[to].initial = true;
                self.reading.start = Some(place);
            }
            if events.is_none() && is_bare && first.is_none_or(|it| it == to) && draft.rows.iter().all(|it| it.from != From::Creation) {
                // The initial state is recorded, so no row is needed.
                return;
            }
            // Beside a second start, the first one needs a row, too.
            if let Some(first) = first.filter(|it| *it != to)
                && draft.rows.iter().all(|it| it.from != From::Creation)
            {
                let place = self.reading.start.unwrap_or(place);
                draft.rows.push(Row::new(From::Creation, Some(first), place));
            }
        }
        let mut step = Row::new(from, to, place);
        step.except = except.to_vec();
        step.is_exception = self.edges.is_exception(row);
        if let Some(cell) = events {
            let label = self.events(cell);
            step.events = label.events;
            if label.guards.len() > 1 {
                self.reading.draft.found.assumed(self.place(row, Column::Event), label::SEVERAL_GUARDS);
            }
            step.guards = label.guards;
            step.effects = self.effects(label.effects, self.place(row, Column::Event));
            // A diagram shows the events anyway.
            step.label = Some(cell.text.clone()).filter(|it| step.events.join(", ") != *it && step.events.len() < 2);
        }
        if let Some(cell) = self.edges.cell(row, Column::Event).filter(|it| self.edges.is_automatic(it)) {
            let message = format!("`{}` was read as a step without an event", cell.text);
            self.reading.draft.found.assumed(span(self.edges.id, cell.range.clone()), message);
        }
        for column in [Column::Event, Column::Guard] {
            if let Some((_, remark)) = self.edges.cell(row, column).filter(|it| is_always(&it.text)).and_then(|it| it.text.split_once('('))
            {
                self.loss(self.place(row, column), format!("`({remark}` was left out"));
            }
        }
        let of_nothing = self.edges.cell(row, Column::Guard).and_then(Cell::remark_of_nothing);
        if let Some(remark) = of_nothing {
            self.loss(self.place(row, Column::Guard), format!("`{remark}` was left out"));
        }
        let is_end = self.edges.cell(row, Column::Guard).is_some_and(|it| phrase::end(&it.text).is_some());
        if is_end {
            self.loss(self.place(row, Column::Guard), "what this says of an end is no condition: it was left out");
        }
        let says_none = of_nothing.is_some() || is_end;
        let guard = self.text(row, Column::Guard).filter(|it| !says_none && !is_always(it) && words(it) != ["any"]);
        step.guards.extend(guard);
        let effect = self.text(row, Column::Effect);
        if let Some(text) = effect.as_ref().filter(|it| phrase::does_nothing(it)) {
            let message = match phrase::denies(text) {
                true => "this cell says, at least in part, what is not done: it was left out",
                false => "this cell says that nothing is done, at least sometimes: it was left out",
            };
            self.loss(self.place(row, Column::Effect), message);
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
            // A start has an event of its own.
            if !step.by.is_empty() && step.events.is_empty() && from != From::Creation {
                self.idle_actors.get_or_insert(span(self.edges.id, cell.range.clone()));
            }
        }
        self.reading.draft.rows.push(step);
    }

    /// The texts of the columns of documentation.
    fn docs(&mut self, row: &[Cell]) -> Vec<String> {
        let edges = self.edges;
        let cells = edges.columns.of.iter().zip(row).filter(|(column, _)| **column == Column::Doc).map(|it| it.1);
        cells.filter_map(|it| if it.is_no_action() { Some(it.text.clone()) } else { self.text_of(it) }).collect()
    }

    /// Adds a paragraph to the documentation of a state, once.
    pub(super) fn describe(&mut self, state: usize, doc: String) {
        let says_start =
            matches!(words(&doc).as_slice(), [first, second, ..] if first == "initial" && (second == "state" || second == "status"));
        if says_start && self.reading.draft.states.iter().all(|it| !it.initial) {
            self.reading.draft.states[state].initial = true;
        }
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
}

/// The state of this name, known or new. Unless it matters, the case of its letters makes no other state, except in `v → V`.
fn state(name: &str, place: Span, draft: &mut Draft, case_matters: bool) -> usize {
    let same = |case: bool| {
        draft
            .states
            .iter()
            .position(|it| it.id == name || (!case && !case_matters && name.len() > 2 && it.id.to_lowercase() == name.to_lowercase()))
    };
    if let Some(known) = same(true).or_else(|| same(false)) {
        return known;
    }
    draft.states.push(State::new(name, None, place));
    draft.states.len() - 1
}
