//! The mapping of an earlier revision to the table of a later one: the facts of a deployment are those of today, in the names of then.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::{EventId, FieldId, Machine, StateId};
use statespec_sql::{Kind, Mapping};

use super::pairs::{Pairs, pair};

/// The mapping of the old machine, from that of the new one.
pub fn earlier(old: &Machine, new: &Machine, mapping: &Mapping) -> Mapping {
    let pairs = Pairs::new(old, new);
    let mut values = BTreeMap::new();
    for leaf in old.leaves() {
        let number = |of: &Machine, it: StateId| of.state(it).number.filter(|_| mapping.kind == Kind::Integer).map(|it| it.to_string());
        let today = pairs.state(leaf).and_then(|it| Some((it, mapping.values.get(&it)?)));
        let is_of_spec = today.is_some_and(|(id, value)| number(new, id).as_ref() == Some(value));
        let today = today.map(|it| it.1.clone());
        // A value that is the number of today's spec was the number of the spec of then.
        let then = number(old, leaf);
        if let Some(value) = if is_of_spec { then.or(today) } else { today.or(then) } {
            values.insert(leaf, value);
        }
    }
    let columns = (0..old.fields.len()).map(FieldId::new).filter_map(|field| {
        let column = mapping.columns.get(&pairs.fields[field.index()]?)?;
        Some((field, column.clone()))
    });
    let mut clock = BTreeSet::new();
    for event in (0..old.events.len()).map(EventId::new) {
        let Some(today) = pairs.event(event) else { continue };
        let news: Vec<_> = new.payload_fields(today).map(|it| it.0).collect();
        for ((id, _), position) in old.payload_fields(event).zip(pair(&old.event(event).payload, &new.event(today).payload)) {
            if position.and_then(|it| news.get(it)).is_some_and(|it| mapping.clock.contains(&(today, *it))) {
                clock.insert((event, id));
            }
        }
    }
    let timers = (0..old.events.len()).map(EventId::new).filter_map(|it| Some((it, mapping.timers.get(&pairs.event(it)?)?.clone())));
    Mapping { values, columns: columns.collect(), timers: timers.collect(), clock, ..mapping.clone() }
}
