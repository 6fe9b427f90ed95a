//! The fold of rows into a draft: a row is read exactly, or not at all.

use std::collections::BTreeMap;
use std::ops::Range;

use statespec_lang::names::snake;
use statespec_lang::source::SourceId;

use super::Table;
use super::cell::{Cell, Names, Value, is_name};
use super::columns::Columns;
use super::spec::Words;
use super::vocabulary::{self, Column, Sense};
use crate::draft::{Draft, Effect, From, Row, State};
use crate::span;

/// The rows of a table, and what they become.
pub(super) struct Reader<'a> {
    columns: &'a Columns,
    words: &'a Words,
    names: Names,
    /// The position of each state, by its name without case and marks.
    states: BTreeMap<String, usize>,
    /// The first spelling of each event, by its name without case and marks.
    events: BTreeMap<String, String>,
    has_start: bool,
    id: SourceId,
    /// Whether `a/b` is the state `b` inside `a`.
    pub(super) is_nested: bool,
    pub(super) draft: Draft,
    pub(super) n_unread: usize,
}

/// What a row says, if all of its cells have a form.
#[derive(Debug)]
struct Facts {
    from: Vec<From>,
    /// The targets; `None` stays.
    to: Vec<Option<usize>>,
    /// Whether the source is an end, and there is no step.
    is_end: bool,
    events: Vec<String>,
    guards: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(table: &Table, columns: &'a Columns, words: &'a Words, told: bool, id: SourceId, draft: Draft) -> Self {
        let sides = [Column::From, Column::To];
        let cells = table.rows.iter().flat_map(|row| sides.iter().filter_map(|it| columns.cell(row, *it)));
        let names = Names::of(cells, words, told);
        let (states, events) = (BTreeMap::new(), BTreeMap::new());
        Reader { columns, words, names, states, events, has_start: false, id, is_nested: false, draft, n_unread: 0 }
    }

    /// Reads a row.
    pub(super) fn row(&mut self, row: &[Cell]) {
        let place = span(self.id, row_range(row));
        let facts = match self.facts(row) {
            Ok(Some(facts)) => facts,
            // A spec refuses what it does not allow.
            Ok(None) => return,
            Err(why) => {
                self.n_unread += 1;
                self.draft.partial = true;
                self.draft.found.loss(place, format!("this row was not read: {why}"));
                return;
            }
        };
        for from in &facts.from {
            if facts.is_end {
                if let From::State(idx) = from {
                    self.draft.states[*idx].terminal = true;
                }
                self.describe(*from, self.docs(row));
                continue;
            }
            for to in &facts.to {
                if let (From::Creation, Some(to)) = (from, to) {
                    self.draft.states[*to].initial = true;
                    self.has_start = true;
                    if facts.events.is_empty() {
                        continue;
                    }
                }
                let mut step = Row::new(*from, *to, place);
                step.events.clone_from(&facts.events);
                for event in &facts.events {
                    self.events.entry(snake(event)).or_insert_with(|| event.clone());
                }
                step.guards.clone_from(&facts.guards);
                step.effects = self.listed(row, Column::Effect).into_iter().map(Effect::new).collect();
                step.by = self.listed(row, Column::Actor);
                let docs = self.docs(row);
                match self.columns.are_states && facts.events.is_empty() {
                    true => self.describe(*from, docs),
                    false => step.doc = (!docs.is_empty()).then(|| docs.join("; ")),
                }
                self.draft.rows.push(step);
            }
        }
    }

    /// The descriptions of a row.
    fn docs(&self, row: &[Cell]) -> Vec<String> {
        let cells = self.columns.of.iter().zip(row).filter(|(it, _)| **it == Some(Column::Doc)).map(|(_, cell)| cell);
        cells.filter(|it| !it.is_empty() && it.sense(self.words) != Some(Sense::Nothing)).map(|it| it.text().replace('\n', " ")).collect()
    }

    /// Adds descriptions of a state.
    fn describe(&mut self, of: From, docs: Vec<String>) {
        if let From::State(idx) = of {
            let known = &mut self.draft.states[idx].doc;
            known.extend(docs.into_iter().filter(|it| !known.contains(it)).collect::<Vec<_>>());
        }
    }

    /// The effects or actors of a row. A cell of another form is reported, and left out.
    fn listed(&mut self, row: &[Cell], column: Column) -> Vec<String> {
        let Some(cell) = self.told(row, column) else { return Vec::new() };
        let is_clear =
            |it: &String| is_name(it) && !vocabulary::is_conditional(it) && !(column == Column::Actor && vocabulary::is_prose(it));
        let list = match cell.sense(self.words) {
            None => cell.list().or_else(|| cell.phrase().filter(is_clear).map(|it| vec![it])),
            Some(_) => None,
        };
        let place = span(self.id, cell.range.clone());
        list.unwrap_or_else(|| {
            let message =
                format!("`{}` is no list of names: the {}s of this row were left out", cell.text().replace('\n', " "), column.name());
            self.draft.found.loss(place, message);
            Vec::new()
        })
    }

    /// The cell of a column, unless it is empty or says that there is nothing.
    fn told<'b>(&self, row: &'b [Cell], column: Column) -> Option<&'b Cell> {
        self.columns.cell(row, column).filter(|it| !it.is_empty() && it.sense(self.words) != Some(Sense::Nothing))
    }

    /// What a row says; `Ok(None)` if it refuses its step.
    fn facts(&mut self, row: &[Cell]) -> Result<Option<Facts>, String> {
        let quoted = |it: &Cell| format!("`{}`", it.text().replace('\n', " "));
        let is_allowed = match self.columns.cell(row, Column::Allowed) {
            None => true,
            Some(cell) => match cell.sense(self.words) {
                Some(Sense::Yes) => true,
                Some(Sense::Refused) => false,
                _ => return Err(format!("{} is neither yes nor no", quoted(cell))),
            },
        };
        let (Some(source), Some(target)) = (self.columns.cell(row, Column::From), self.columns.cell(row, Column::To)) else {
            return Err("it has too few cells".to_owned());
        };
        let value = target.value(self.words, &self.names);
        let is_refused = value == Value::Is(Sense::Refused);
        if !is_allowed || is_refused {
            return Ok(None);
        }
        for (column, cell) in self.columns.of.iter().zip(row) {
            if cell.sense(self.words) == Some(Sense::Above) {
                return Err(format!("{} stands for another cell", quoted(cell)));
            }
            let refuses = match column {
                Some(Column::From | Column::To | Column::Allowed) => false,
                // `Cannot be undone` describes a step.
                Some(Column::Doc) => cell.forbids(),
                Some(Column::Actor) => cell.begins_with_refusal() || vocabulary::is_nobody(&cell.text()),
                _ => cell.begins_with_refusal(),
            };
            if refuses {
                return Err(format!("{} may mean that the step is not allowed", quoted(cell)));
            }
        }
        let (events, guards) = self.events(row)?;
        let (is_end, targets) = match value {
            Value::Names(names) => (false, names.into_iter().map(Some).collect()),
            Value::Is(Sense::Stay) => (false, vec![None]),
            Value::Is(Sense::End) if events.is_empty() && guards.is_empty() => (true, Vec::new()),
            Value::Is(Sense::End) => return Err(format!("{} is an end without a name", quoted(target))),
            // Without an event, nothing follows.
            Value::Is(Sense::Nothing) if events.is_empty() && guards.is_empty() => (true, Vec::new()),
            Value::Is(Sense::Nothing) => return Err(format!("{} can mean no change, a refusal or an end", quoted(target))),
            Value::Empty => return Err("it has no target".to_owned()),
            Value::Is(_) | Value::Unread => return Err(format!("{} is neither a name of a state nor a list of names", quoted(target))),
        };
        if events.len() > 1 && targets.len() > 1 {
            return Err("it has several events and several targets: which of them belong together is open".to_owned());
        }
        let sources = match source.value(self.words, &self.names) {
            Value::Names(names) => names,
            Value::Is(Sense::Any) => Vec::new(),
            Value::Is(Sense::Nothing | Sense::End) if !is_end && targets.iter().all(Option::is_some) => {
                let has_more = !guards.is_empty() || self.told(row, Column::Effect).is_some() || self.told(row, Column::Actor).is_some();
                if events.is_empty() && has_more {
                    return Err("a start with a condition, an effect or an actor needs an event".to_owned());
                }
                if events.is_empty() && (targets.len() > 1 || self.has_start) {
                    return Err("a second start needs an event".to_owned());
                }
                let to = targets.into_iter().flatten().map(|it| self.state(&it, target).map(Some)).collect::<Result<_, _>>()?;
                return Ok(Some(Facts { from: vec![From::Creation], to, is_end, events, guards }));
            }
            Value::Empty => return Err("it has no source".to_owned()),
            Value::Is(_) | Value::Unread => return Err(format!("{} is neither a name of a state nor a list of names", quoted(source))),
        };
        if sources.len() > 1 && targets.len() > 1 {
            return Err("it has several sources and several targets: which of them belong together is open".to_owned());
        }
        let mut from = Vec::new();
        for name in &sources {
            from.push(From::State(self.state(name, source)?));
        }
        if sources.is_empty() {
            from.push(From::Any);
        }
        let mut to = Vec::new();
        for name in targets {
            to.push(name.map(|it| self.state(&it, target)).transpose()?);
        }
        if from == [From::Any] && (is_end || events.is_empty()) {
            return Err("a step from every state needs an event".to_owned());
        }
        if to.contains(&None) && events.is_empty() {
            return Err("a step that stays needs an event".to_owned());
        }
        Ok(Some(Facts { from, to, is_end, events, guards }))
    }

    /// The events and the conditions of a row.
    fn events(&self, row: &[Cell]) -> Result<(Vec<String>, Vec<String>), String> {
        let mut guards: Vec<String> = Vec::new();
        if let Some(cell) = self.told(row, Column::Guard) {
            match cell.sense(self.words) {
                Some(Sense::Any | Sense::Yes | Sense::Automatic) => {}
                Some(_) => return Err(format!("`{}` is no condition", cell.text())),
                None if cell.without_remark().is_some_and(|it| it.sense(self.words).is_some()) => {
                    return Err(format!("`{}` is no condition", cell.text()));
                }
                None => guards.push(cell.text().replace('\n', " ")),
            }
        }
        let Some(cell) = self.told(row, Column::Event) else { return Ok((Vec::new(), guards)) };
        match cell.sense(self.words) {
            Some(Sense::Automatic) => return Ok((Vec::new(), guards)),
            Some(_) => return Err(format!("`{}` names no event", cell.text())),
            None => {}
        }
        let list = cell.list().or_else(|| cell.phrase().map(|it| vec![it]));
        let list =
            list.ok_or_else(|| format!("`{}` is neither a list of events nor one event without a remark", cell.text().replace('\n', " ")))?;
        let known = |it: &String| self.events.get(&snake(it)).filter(|known| *known != it);
        if let Some((a, b)) = list.iter().find_map(|it| known(it).map(|b| (it, b))) {
            return Err(format!("`{a}` and `{b}` differ in case or marks only"));
        }
        let [only] = list.as_slice() else { return Ok((list, guards)) };
        let label = crate::label::parse(only);
        match label.effects.is_empty() && !label.events.is_empty() {
            true => {
                guards.extend(label.guards);
                Ok((label.events, guards))
            }
            false => Ok((vec![only.clone()], guards)),
        }
    }

    /// The position of a state. It is an error if another name differs in its case only.
    fn state(&mut self, name: &str, cell: &Cell) -> Result<usize, String> {
        if self.is_nested {
            return Ok(self.draft.state_at(name, span(self.id, cell.range.clone())));
        }
        let key = snake(name);
        match self.states.get(&key) {
            Some(idx) if self.draft.states[*idx].id == name => Ok(*idx),
            Some(idx) => Err(format!("`{name}` and `{}` differ in case or marks only", self.draft.states[*idx].id)),
            None => {
                self.states.insert(key, self.draft.states.len());
                self.draft.states.push(State::new(name, None, span(self.id, cell.range.clone())));
                Ok(self.draft.states.len() - 1)
            }
        }
    }
}

pub(super) fn row_range(row: &[Cell]) -> Range<usize> {
    let start = row.first().map_or(0, |it| it.range.start);
    start..row.last().map_or(start, |it| it.range.end)
}
