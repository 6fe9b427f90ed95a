//! The elements of two versions of a machine that are the same.

use std::collections::BTreeMap;

use statespec_lang::model::machine::{Actor, Attribute, Constant, Effect, Enum, EnumValue, Event, Field, On, Order, Predicate, State};
use statespec_lang::model::{EnumId, EventId, FieldId, Machine, StateId};
use statespec_lang::source::Span;

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
        let enums = pair(&old.enums, &new.enums);
        let values = old.enums.iter().zip(&enums).map(|(of, today)| {
            let known = today.and_then(|it| new.enums.get(it)).map_or(&[][..], |it| &it.values);
            pair(&of.values, known)
        });
        Pairs {
            old,
            new,
            states: ids(pair(&old.states, &new.states), StateId::new),
            events: ids(pair(&old.events, &new.events), EventId::new),
            fields: ids(pair(&old.fields, &new.fields), FieldId::new),
            values: values.collect(),
            enums: ids(enums, EnumId::new),
            predicates: pair(&old.predicates, &new.predicates),
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
        pair(&self.old.event(old).payload, &self.new.event(new).payload)
    }
}

/// An element that a machine declares by name.
pub(super) trait Declared {
    fn name(&self) -> &str;
    /// Earlier names, as `aka` lists them.
    fn former(&self) -> &[String];
    fn span(&self) -> Span;
}

macro_rules! declared {
    ($($ty:ident: $($former:ident)?;)*) => {$(
        impl Declared for $ty {
            fn name(&self) -> &str {
                &self.name
            }

            fn former(&self) -> &[String] {
                declared!(@former self $($former)?)
            }

            fn span(&self) -> Span {
                self.span
            }
        }
    )*};
    (@former $self:ident $former:ident) => { &$self.$former };
    (@former $self:ident) => { &[] };
}

declared! {
    Actor: ;
    Attribute: ;
    Constant: ;
    Effect: ;
    Enum: ;
    EnumValue: former;
    Event: former;
    Field: former;
    Order: ;
    Predicate: ;
    State: former;
}

/// For each old element, the position of the new one with its name, else of the one that was called so.
pub(super) fn pair<T: Declared>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let names: BTreeMap<&str, usize> = new.iter().enumerate().map(|(idx, it)| (it.name(), idx)).collect();
    let former: BTreeMap<&str, usize> =
        new.iter().enumerate().flat_map(|(idx, it)| it.former().iter().map(move |it| (it.as_str(), idx))).collect();
    old.iter().map(|it| names.get(it.name()).or_else(|| former.get(it.name())).copied()).collect()
}

fn ids<Id>(pairs: Vec<Option<usize>>, id: impl Fn(usize) -> Id) -> Vec<Option<Id>> {
    pairs.into_iter().map(|it| it.map(&id)).collect()
}

/// The positions of the new elements.
pub(super) fn positions<Id: Copy>(pairs: &[Option<Id>], position: impl Fn(Id) -> usize) -> Vec<Option<usize>> {
    pairs.iter().map(|it| it.map(&position)).collect()
}
