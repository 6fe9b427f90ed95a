//! The names of a log, as numbers: states, events and actors of the machine, and those that it does not have.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use statespec_lang::model::{Machine, StateId};
use statespec_lang::names::upper_camel;

use super::possible::{At, Possible};

/// The number of names that a machine does not have and that are told apart.
const MAX_UNKNOWN: usize = 1_000;

/// Texts by number.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Vec<(Box<str>, u16)>,
    index: HashTable<u32>,
    /// The names that the machine does not have.
    unknown: Vec<Box<str>>,
    n_known: u16,
    /// The names as emitted code has them, of which no two are equal: `back again` is `back_again`.
    identifiers: BTreeMap<String, u16>,
}

/// The hash of a text, the same in every run.
pub(crate) fn hash(text: &str) -> u64 {
    FixedState::with_seed(0).hash_one(text)
}

impl Names {
    fn find(&self, text: &str) -> Option<u16> {
        let found = self.index.find(hash(text), |it| &*self.texts[*it as usize].0 == text)?;
        Some(self.texts[*found as usize].1)
    }

    fn add(&mut self, text: &str, number: u16) {
        if self.find(text).is_some() {
            return;
        }
        let idx = self.texts.len() as u32;
        self.texts.push((text.into(), number));
        let Names { texts, index, .. } = self;
        index.insert_unique(hash(text), idx, |it| hash(&texts[*it as usize].0));
    }

    /// The number of a name; the second value says whether the machine has it.
    pub(crate) fn number(&mut self, text: &str) -> (u16, bool) {
        if let Some(number) = self.find(text) {
            return (number, number < self.n_known);
        }
        if let Some(number) = self.identifiers.get(&upper_camel(text)).copied() {
            self.add(text, number);
            return (number, true);
        }
        let next = self.n_known + self.unknown.len() as u16;
        if self.unknown.len() >= MAX_UNKNOWN {
            return (next - 1, false);
        }
        self.unknown.push(text.into());
        self.add(text, next);
        (next, false)
    }

    /// The name that the machine does not have.
    pub(crate) fn unknown(&self, number: u16) -> Option<&str> {
        let idx = number.checked_sub(self.n_known)?;
        Some(self.unknown.get(idx as usize)?)
    }

    /// The configurations by their texts.
    pub(crate) fn of_states(machine: &Machine, possible: &Possible, given: &BTreeMap<StateId, Vec<String>>) -> Names {
        let mut names = Names { n_known: possible.configurations.len() as u16, ..Names::default() };
        texts_of_states(machine, possible, given).iter().for_each(|(text, at)| names.add(text, *at));
        names
    }

    /// The events by their names.
    pub(crate) fn of_events(machine: &Machine) -> Names {
        let identifiers = machine.events.iter().zip(0..).map(|(it, number)| (upper_camel(&it.name), number)).collect();
        let mut names = Names { n_known: machine.events.len() as u16, identifiers, ..Names::default() };
        machine.events.iter().zip(0..).for_each(|(it, number)| names.add(&it.name, number));
        // Other words that texts use, where they mean one event alone.
        machine.events.iter().zip(0..).for_each(|(it, number)| it.aliases.iter().for_each(|alias| names.add(alias, number)));
        names
    }

    /// The actors by their names.
    pub(crate) fn of_actors(machine: &Machine) -> Names {
        let mut names = Names { n_known: machine.actors.len() as u16, ..Names::default() };
        machine.actors.iter().zip(0..).for_each(|(it, number)| names.add(&it.name, number));
        names
    }
}

/// The texts of all configurations: those that are given, the stored ones, then those of the spec. A text means the first one that has it.
pub(crate) fn texts_of_states(machine: &Machine, possible: &Possible, given: &BTreeMap<StateId, Vec<String>>) -> BTreeMap<String, At> {
    let mut texts = BTreeMap::new();
    let each = || possible.configurations.iter().zip(0..);
    for (configuration, at) in each() {
        let of_state = configuration.only().and_then(|leaf| given.get(&leaf)).map_or(&[][..], Vec::as_slice);
        of_state.iter().for_each(|it| _ = texts.entry(it.clone()).or_insert(at));
    }
    each().for_each(|(it, at)| _ = texts.entry(machine.configuration_text(it).into_owned()).or_insert(at));
    each().for_each(|(it, at)| _ = texts.entry(machine.configuration_name(it).into_owned()).or_insert(at));
    texts
}
