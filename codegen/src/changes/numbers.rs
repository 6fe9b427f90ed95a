//! The numbers of states, events and values in messages, and what is reserved.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::machine::{Reserved, Retired};
use statespec_lang::model::{EventId, StateId};
use statespec_lang::source::Span;

use super::pairs::{Declared, Pairs, positions};
use super::{Found, Rule};

/// A list of elements in both versions.
struct Lists<'m, T> {
    /// "the state"
    what: String,
    /// "the states"
    all: String,
    old: &'m [T],
    new: &'m [T],
    /// For each old element, the position of the new one.
    today: &'m [Option<usize>],
    number: fn(&T) -> Option<i32>,
    reserved: [&'m [Reserved]; 2],
    /// The places of the lists.
    spans: [Span; 2],
}

pub(super) fn compare(pairs: &Pairs<'_>, found: &mut Found) {
    let Pairs { old, new, .. } = pairs;
    let states = Lists {
        what: "the state".to_owned(),
        all: "the states".to_owned(),
        old: &old.states,
        new: &new.states,
        today: &positions(&pairs.states, StateId::index),
        number: |it| it.number,
        reserved: [&old.reserved_states, &new.reserved_states],
        spans: [old.span, new.span],
    };
    states.compare(found);
    let events = Lists {
        what: "the event".to_owned(),
        all: "the events".to_owned(),
        old: &old.events,
        new: &new.events,
        today: &positions(&pairs.events, EventId::index),
        number: |it| it.number,
        reserved: [&old.reserved_events, &new.reserved_events],
        spans: [old.span, new.span],
    };
    events.compare(found);
    for ((a, today), values) in old.enums.iter().zip(&pairs.enums).zip(&pairs.values) {
        let Some(b) = today.and_then(|it| new.enums.get(it.index())) else { continue };
        let values = Lists {
            what: format!("`{}`: the value", b.name),
            all: format!("the values of `{}`", b.name),
            old: &a.values,
            new: &b.values,
            today: values,
            number: |it| it.number,
            reserved: [&a.reserved, &b.reserved],
            spans: [a.span, b.span],
        };
        values.compare(found);
    }
}

impl<T: Declared> Lists<'_, T> {
    fn compare(&self, found: &mut Found) {
        self.elements(found);
        self.released(found);
        let [old, new] = self.reserved.map(|all| all.iter().map(|it| &it.of).collect::<BTreeSet<_>>());
        for it in self.reserved[1].iter().filter(|it| !old.contains(&it.of)) {
            found.add(Rule::NumberReserved, self.spans[0], it.span, format!("{} is now reserved among {}", shown(&it.of), self.all));
        }
        let names: BTreeSet<&str> = self.new.iter().map(T::name).collect();
        let numbers = self.numbers(self.new);
        let is_used = |it: &Retired| match it {
            Retired::Number(it) => numbers.contains(it),
            Retired::Name(it) => names.contains(it.as_str()),
        };
        for it in self.reserved[0].iter().filter(|it| !new.contains(&it.of) && !is_used(&it.of)) {
            found.add(Rule::NumberReleased, it.span, self.spans[1], format!("{} is no longer reserved among {}", shown(&it.of), self.all));
        }
    }

    fn numbers(&self, all: &[T]) -> BTreeSet<i32> {
        all.iter().filter_map(self.number).collect()
    }

    /// The elements of the new list, each compared with those that it was before.
    fn elements(&self, found: &mut Found) {
        let Lists { what, number, .. } = self;
        let mut before: BTreeMap<usize, Vec<&T>> = BTreeMap::new();
        for (a, today) in self.old.iter().zip(self.today) {
            today.iter().for_each(|it| before.entry(*it).or_default().push(a));
        }
        let owners: BTreeMap<i32, &str> = self.old.iter().filter_map(|it| Some((number(it)?, it.name()))).collect();
        let reserved: BTreeMap<&Retired, Span> = self.reserved[0].iter().map(|it| (&it.of, it.span)).collect();
        for (idx, b) in self.new.iter().enumerate() {
            let before = before.get(&idx).map_or(&[][..], Vec::as_slice);
            let at = before.first().map(|it| it.span());
            if let Some(span) = reserved.get(&Retired::Name(b.name().to_owned())) {
                found.add(Rule::NumberReused, *span, b.span(), format!("{what} `{}` has a name that was reserved", b.name()));
            }
            let today = number(b);
            if let Some(today) = today.filter(|it| before.iter().all(|a| number(a) != Some(*it))) {
                let owner = owners.get(&today).map(|it| format!("which `{it}` had before"));
                let owner = owner.or_else(|| reserved.get(&Retired::Number(today)).map(|_| "which was reserved".to_owned()));
                if let Some(owner) = owner {
                    found.add(Rule::NumberReused, at, b.span(), format!("{what} `{}` now has the number {today}, {owner}", b.name()));
                    continue;
                }
            }
            for a in before {
                let (rule, change) = match (number(a), today) {
                    (Some(x), Some(y)) if x != y => (Rule::NumberChanged, format!("now has the number {y}, before {x}")),
                    (Some(x), None) => (Rule::NumberChanged, format!("no longer has the number {x}")),
                    (None, Some(y)) => (Rule::NumberAdded, format!("now has the number {y}")),
                    _ => continue,
                };
                found.add(rule, a.span(), b.span(), format!("{what} `{}` {change}", b.name()));
            }
        }
    }

    /// The numbers that were in use and may be given to something else.
    fn released(&self, found: &mut Found) {
        let reserved = self.reserved[1].iter().filter_map(|it| if let Retired::Number(it) = it.of { Some(it) } else { None });
        let known: BTreeSet<i32> = self.numbers(self.new).into_iter().chain(reserved).collect();
        for a in self.old {
            if let Some(number) = (self.number)(a).filter(|it| !known.contains(it)) {
                let message = format!("{} `{}` had the number {number}, which is not reserved", self.what, a.name());
                found.add(Rule::NumberReleased, a.span(), self.spans[1], message);
            }
        }
    }
}

fn shown(it: &Retired) -> String {
    match it {
        Retired::Number(it) => format!("the number {it}"),
        Retired::Name(it) => format!("the name `{it}`"),
    }
}
