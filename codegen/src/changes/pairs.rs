//! The elements of two versions of a machine that are the same.

use std::collections::BTreeMap;

use statespec_lang::model::machine::On;
use statespec_lang::model::{EnumId, EventId, FieldId, Machine, StateId};

/// Which element of the new machine each element of the old one is.
///
/// Several old elements can be one new element, which lists all their names under `aka`.
pub(super) struct Pairs<'m> {
    pub(super) old: &'m Machine,
    pub(super) new: &'m Machine,
    pub(super) states: Vec<Option<StateId>>,
    pub(super) events: Vec<Option<EventId>>,
    pub(super) fields: Vec<Option<FieldId>>,
    pub(super) enums: Vec<Option<EnumId>>,
    /// For each old enum, its values.
    pub(super) values: Vec<Vec<Option<usize>>>,
    pub(super) predicates: Vec<Option<usize>>,
}

impl<'m> Pairs<'m> {
    pub(super) fn new(old: &'m Machine, new: &'m Machine) -> Self {
        let enums: Vec<Option<EnumId>> =
            pair(old.enums.iter().map(|it| it.name.as_str()), new.enums.iter().map(|it| (it.name.as_str(), &[][..])))
                .into_iter()
                .map(|it| it.map(EnumId::new))
                .collect();
        let values = old.enums.iter().zip(&enums).map(|(of, id)| {
            let known = id.and_then(|it| new.enums.get(it.index())).map_or(&[][..], |it| &it.values);
            pair(of.values.iter().map(|it| it.name.as_str()), known.iter().map(|it| (it.name.as_str(), it.former.as_slice())))
        });
        let states =
            pair(old.states.iter().map(|it| it.name.as_str()), new.states.iter().map(|it| (it.name.as_str(), it.former.as_slice())));
        let events =
            pair(old.events.iter().map(|it| it.name.as_str()), new.events.iter().map(|it| (it.name.as_str(), it.former.as_slice())));
        let fields =
            pair(old.fields.iter().map(|it| it.name.as_str()), new.fields.iter().map(|it| (it.name.as_str(), it.former.as_slice())));
        Pairs {
            old,
            new,
            states: states.into_iter().map(|it| it.map(StateId::new)).collect(),
            events: events.into_iter().map(|it| it.map(EventId::new)).collect(),
            fields: fields.into_iter().map(|it| it.map(FieldId::new)).collect(),
            values: values.collect(),
            enums,
            predicates: pair(old.predicates.iter().map(|it| it.name.as_str()), new.predicates.iter().map(|it| (it.name.as_str(), &[][..]))),
        }
    }

    /// The new state of an old one.
    pub(super) fn state(&self, old: StateId) -> Option<StateId> {
        self.states[old.index()]
    }

    /// The new event of an old one.
    pub(super) fn event(&self, old: EventId) -> Option<EventId> {
        self.events[old.index()]
    }

    /// The trigger in the new machine; `None` if what triggers is gone.
    pub(super) fn on(&self, old: On) -> Option<On> {
        match old {
            On::Event(event) => self.event(event).map(On::Event),
            On::Done(whole) => self.state(whole).map(On::Done),
            On::Direct | On::Automatic => Some(old),
        }
    }

    /// The positions in the payload of the new event of each field of the old one.
    pub(super) fn payload(&self, old: EventId, new: EventId) -> Vec<Option<usize>> {
        let (old, new) = (&self.old.event(old).payload, &self.new.event(new).payload);
        pair(old.iter().map(|it| it.name.as_str()), new.iter().map(|it| (it.name.as_str(), it.former.as_slice())))
    }
}

/// For each old name, the position of the new element with this name, else with this earlier name.
pub(super) fn pair<'a>(
    old: impl Iterator<Item = &'a str>,
    new: impl Iterator<Item = (&'a str, &'a [String])> + Clone,
) -> Vec<Option<usize>> {
    let names: BTreeMap<&str, usize> = new.clone().enumerate().map(|(idx, (name, _))| (name, idx)).collect();
    let former: BTreeMap<&str, usize> =
        new.enumerate().flat_map(|(idx, (_, former))| former.iter().map(move |it| (it.as_str(), idx))).collect();
    old.map(|it| names.get(it).or_else(|| former.get(it)).copied()).collect()
}

/// The positions of new elements that no old one is.
pub(super) fn added<T: Copy + PartialEq>(n_new: usize, pairs: &[Option<T>], position: impl Fn(T) -> usize) -> Vec<usize> {
    let mut is_known = vec![false; n_new];
    pairs.iter().flatten().for_each(|it| is_known[position(*it)] = true);
    (0..n_new).filter(|it| !is_known[*it]).collect()
}
