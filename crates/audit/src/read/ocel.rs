//! OCEL 2.0 as JSON: the values of one attribute of each object, or the events of each object.
//!
//! With `--columns to=status`, each value of the attribute `status` is a step of its object. Otherwise the types of events are events of the
//! objects that they relate to. `--only type=order` chooses the objects of one type.

use std::cell::Cell;
use std::fmt;
use std::io::BufRead;
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Sink;
use super::counting::Counting;
use crate::attempt::{Attempt, Item};
use crate::columns::{Key, Reading};

/// Reads the steps of all objects.
pub(super) fn events(reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    let unknown = reading.columns.iter().find(|it| !matches!(it.0, Key::To | Key::Event));
    if let Some((key, _)) = unknown {
        return Err(format!("of an event log in OCEL, only the columns `to` and `event` can be named, not `{}`", key.name()));
    }
    let attribute = reading.columns.iter().find(|it| it.0 == Key::To).map(|it| it.1.as_str());
    let mut types = Vec::new();
    for (column, value) in &reading.only {
        match column.as_str() {
            "type" => types.push(value.as_str()),
            _ => return Err(format!("of an event log in OCEL, `--only` chooses a `type`, not {}", crate::shown::quoted(column))),
        }
    }
    let (input, line) = Counting::new(input);
    let mut objects = std::collections::BTreeSet::new();
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let log = Log { reading, attribute, types: &types, line: line.clone(), objects: &mut objects, each };
    let read = log.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    read.map_err(|error| format!("line {}: {}", line.get(), crate::shown::plain(&error.to_string())))
}

struct Log<'l> {
    reading: &'l Reading,
    attribute: Option<&'l str>,
    types: &'l [&'l str],
    line: Rc<Cell<u64>>,
    /// The objects of the chosen types; none if all are.
    objects: &'l mut std::collections::BTreeSet<String>,
    each: Sink<'l>,
}

impl<'de> DeserializeSeed<'de> for Log<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Log<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event log in OCEL 2.0")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut has_objects = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "objects" => {
                    has_objects = true;
                    map.next_value_seed(Objects(&mut self))?;
                }
                "events" if self.attribute.is_none() => {
                    if !self.types.is_empty() && !has_objects {
                        return Err(A::Error::custom("the events come before the objects, so that the types of these are not known"));
                    }
                    map.next_value_seed(Events(&mut self))?;
                }
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
struct Object {
    id: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(default)]
    attributes: Vec<Attribute>,
}

#[derive(serde::Deserialize)]
struct Attribute {
    name: String,
    time: Option<String>,
    value: serde_json::Value,
}

#[derive(serde::Deserialize)]
struct Event {
    #[serde(rename = "type")]
    ty: String,
    time: String,
    #[serde(default)]
    relationships: Vec<Related>,
}

#[derive(serde::Deserialize)]
struct Related {
    #[serde(rename = "objectId")]
    object: String,
}

struct Objects<'o, 'l>(&'o mut Log<'l>);

impl<'de> DeserializeSeed<'de> for Objects<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let log = self.0;
        while let Some((line, object)) = list.next_element_seed(At::<Object>::new(&log.line))? {
            if !log.types.is_empty() && !log.types.contains(&object.ty.as_str()) {
                continue;
            }
            if log.attribute.is_none() && !log.types.is_empty() {
                log.objects.insert(object.id);
                continue;
            }
            let Some(attribute) = log.attribute else { continue };
            let mut steps = Vec::new();
            for step in object.attributes.iter().filter(|it| it.name == attribute) {
                match step.time.as_deref().map(|it| log.reading.time(it)).transpose() {
                    Ok(at) => steps.push((at, step)),
                    Err(why) => (log.each)(Item::Broken { line, column: 1, why }),
                }
            }
            // The values of one attribute are a set with times.
            steps.sort_by_key(|it| it.0);
            for (at, step) in steps {
                let state = match &step.value {
                    serde_json::Value::String(it) => it.clone(),
                    other => other.to_string(),
                };
                let attempt = Attempt { entity: &object.id, at, to: Some(Some(&state)), stored_only: true, ..Attempt::default() };
                (log.each)(Item::Attempt(line, attempt));
            }
        }
        Ok(())
    }
}

struct Events<'o, 'l>(&'o mut Log<'l>);

impl<'de> DeserializeSeed<'de> for Events<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Events<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let log = self.0;
        while let Some((line, event)) = list.next_element_seed(At::<Event>::new(&log.line))? {
            let at = match log.reading.time(&event.time) {
                Ok(at) => at,
                Err(why) => {
                    (log.each)(Item::Broken { line, column: 1, why });
                    continue;
                }
            };
            for related in event.relationships.iter().filter(|it| log.types.is_empty() || log.objects.contains(&it.object)) {
                let attempt = Attempt {
                    entity: &related.object,
                    at: Some(at),
                    event: Some(Some(&event.ty)),
                    stored_only: true,
                    ..Attempt::default()
                };
                (log.each)(Item::Attempt(line, attempt));
            }
        }
        Ok(())
    }
}

/// An element, with the line at which it begins.
struct At<'l, T> {
    line: &'l Rc<Cell<u64>>,
    of: std::marker::PhantomData<T>,
}

impl<'l, T> At<'l, T> {
    fn new(line: &'l Rc<Cell<u64>>) -> Self {
        At { line, of: std::marker::PhantomData }
    }
}

impl<'de, T: serde::Deserialize<'de>> DeserializeSeed<'de> for At<'_, T> {
    type Value = (u64, T);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(u64, T), D::Error> {
        let line = self.line.get();
        Ok((line, T::deserialize(deserializer)?))
    }
}
