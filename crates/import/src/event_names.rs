//! Names of events and actors that a table writes in several ways: with a remark, `close` (by hand), or with other letters, `Close`.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::names::is_name;
use statespec_lang::source::Span;

use super::cell::{Cell, distinct};
use super::column::Column;
use super::event::Events;
use super::label::Label;
use super::row::Reader;
use super::span;
use super::table::Edges;

/// The names that several rows have as their event, at least one with a remark.
#[derive(Debug, Default)]
pub(super) struct EventNames {
    /// Whether the rows of a name leave different states, so that they can be one event.
    of: BTreeMap<String, bool>,
}

impl EventNames {
    pub(super) fn of(edges: &Edges<'_>) -> Self {
        let mut sources: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
        let mut remarked = BTreeSet::new();
        let mut above = Vec::new();
        for row in &edges.table.rows {
            if let Some(source) = edges.cell(row, Column::From).filter(|it| !it.is_blank()) {
                above = source.sure_names();
            }
            let Some(cell) = edges.event(row) else { continue };
            let plain = Some(cell.text.trim()).filter(|it| cell.codes.is_empty() && is_name(it));
            let bare = cell.codes.iter().map(String::as_str).filter(|_| cell.only_codes()).chain(plain);
            let with_remark = cell.name_and_remark().map(|it| it.0);
            remarked.extend(with_remark);
            bare.chain(with_remark).for_each(|it| sources.entry(it).or_default().push(above.clone()));
        }
        let shared = sources.into_iter().filter(|(name, it)| it.len() > 1 && remarked.contains(name));
        EventNames { of: shared.map(|(name, it)| (name.to_owned(), are_apart(&it))).collect() }
    }
}

/// Whether each row leaves other states than the others. Words such as `any` leave none that are known.
fn are_apart(sources: &[Vec<String>]) -> bool {
    let distinct: BTreeSet<&String> = sources.iter().flatten().collect();
    sources.iter().all(|it| !it.is_empty()) && distinct.len() == sources.iter().map(Vec::len).sum::<usize>()
}

/// The first spelling of each name.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    first: BTreeMap<String, String>,
    /// The other spellings so far.
    others: BTreeSet<String>,
}

impl Spellings {
    /// The spelling under which a name is known already, if it is another one, and whether this one is new. The case of letters makes no
    /// other name, except in `v` and `V`.
    fn known(&mut self, name: &str) -> Option<(String, bool)> {
        const SHORT: usize = 2;
        if name.len() <= SHORT {
            return None;
        }
        let first = self.first.entry(name.to_lowercase()).or_insert_with(|| name.to_owned());
        (first != name).then(|| (first.clone(), self.others.insert(name.to_owned())))
    }
}

impl Reader<'_, '_> {
    /// The events of a cell, with what else it says.
    pub(super) fn events(&mut self, cell: &Cell) -> Label {
        let place = span(self.edges.id, cell.range.clone());
        let Events { mut label, guessed, notes } = cell.events();
        if let Some((name, _)) = cell.name_and_remark()
            && let Some(is_one) = self.edges.events.of.get(name)
        {
            let message = match is_one {
                true => format!("`{}` was read as the event `{name}`", cell.text),
                false => format!("`{}` was read as an event of its own, beside other rows of `{name}`", cell.text),
            };
            self.reading.draft.found.assumed(place, message);
            if *is_one {
                label = Label { events: vec![name.to_owned()], ..Label::default() };
            }
        }
        for note in notes {
            self.loss(place, format!("`{note}` in the column of events was left out"));
        }
        if guessed {
            let message = "the parts around the `/` were read as several events; an effect has a column of its own, such as `Effect`";
            self.reading.draft.found.assumed(place, message);
        }
        label.events = label.events.into_iter().map(|it| self.spelled(Spelled::Event, it, place)).collect();
        label
    }

    /// The actors of a cell, each with its first spelling.
    pub(super) fn actors(&mut self, cell: &Cell) -> Vec<String> {
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
        distinct(actors.names.into_iter().map(|it| self.spelled(Spelled::Actor, it, place)).collect())
    }

    /// A name with its first spelling; the first time that it has another one is reported.
    fn spelled(&mut self, kind: Spelled, name: String, place: Span) -> String {
        let (spellings, what) = match kind {
            Spelled::Event => (&mut self.event_names, "event"),
            Spelled::Actor => (&mut self.actor_names, "actor"),
        };
        let Some((known, is_new)) = spellings.known(&name) else { return name };
        if is_new {
            self.reading.draft.found.assumed(place, format!("`{name}` is assumed to be the {what} `{known}`"));
        }
        known
    }
}

/// What a name is one of.
#[derive(Clone, Copy)]
enum Spelled {
    Event,
    Actor,
}
