//! Records with columns, as attempts.

use super::attempt::{Attempt, Ended, Item};
use super::columns::{Cell, Key, Reading};
use super::format::Format;
use super::shown::quoted;
use super::versions::{Versions, change};

/// How the records of one table become attempts.
#[derive(Debug)]
pub struct Rows<'r> {
    reading: &'r Reading,
    columns: Vec<(Key, usize)>,
    only: Vec<(usize, &'r str)>,
    versions: Option<Versions>,
    entity: String,
    states: [Option<String>; 2],
}

impl<'r> Rows<'r> {
    /// The table of a format with these columns.
    ///
    /// # Errors
    ///
    /// A column is missing.
    pub fn new(format: Format, header: &[&str], reading: &'r Reading) -> Result<Self, String> {
        let listed = || header.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ");
        let position = |name: &str| {
            let found = header.iter().position(|it| *it == name);
            found.ok_or_else(|| format!("there is no column {}; there are: {}", quoted(name), listed()))
        };
        let versions = match format {
            Format::PaperTrail => {
                let attribute = reading.columns.iter().find(|it| it.0 == Key::To).map_or("state", |it| it.1.as_str()).to_owned();
                Some(Versions { changes: position("object_changes")?, event: position("event")?, attribute })
            }
            _ => None,
        };
        let mut columns = Vec::new();
        let written = reading.columns.iter().filter(|it| versions.is_none() || ![Key::From, Key::To].contains(&it.0));
        for (key, name) in written {
            columns.push((*key, position(name)?));
        }
        let named: Vec<Key> = columns.iter().map(|it| it.0).collect();
        for (key, name) in usual(format, header, reading) {
            let is_written = named.contains(&key);
            if !is_written && (format != Format::Csv || reading.columns.is_empty()) {
                columns.extend(header.iter().position(|it| *it == name).map(|idx| (key, idx)));
            }
        }
        let has = |key: Key| columns.iter().any(|it| it.0 == key);
        if !has(Key::Entity) {
            return Err(format!("no column is the identity of the instance: name it with `--columns entity=…`; there are: {}", listed()));
        }
        if !has(Key::To) && !has(Key::Event) && versions.is_none() {
            return Err(format!("no column is a state or an event: name one with `--columns to=…`; there are: {}", listed()));
        }
        let only = reading.only.iter().map(|(column, value)| Ok((position(column)?, value.as_str()))).collect::<Result<_, String>>()?;
        Ok(Rows { reading, columns, only, versions, entity: String::new(), states: [None, None] })
    }

    /// The attempt of one record. `value` is the value of a column: `None` if the record says nothing of it, and `Some(None)` if it is empty.
    pub fn item<'a>(&'a mut self, line: u64, value: &dyn Fn(usize) -> Cell<'a>) -> Item<'a> {
        match self.attempt(value) {
            Ok(Some(attempt)) => Item::Attempt(line, attempt),
            Ok(None) => Item::Skipped,
            Err(why) => Item::Broken { line, column: 1, why },
        }
    }

    fn attempt<'a>(&'a mut self, value: &dyn Fn(usize) -> Cell<'a>) -> Result<Option<Attempt<'a>>, String> {
        if self.only.iter().any(|(idx, wanted)| value(*idx).flatten() != Some(wanted)) {
            return Ok(None);
        }
        let Rows { reading, columns, versions, entity, states, .. } = self;
        let mut attempt = Attempt { stored_only: true, ..Attempt::default() };
        entity.clear();
        let parts = || columns.iter().filter(|it| it.0 == Key::Entity);
        for (n, (_, idx)) in parts().enumerate() {
            let part = value(*idx).flatten().filter(|it| !it.is_empty()).ok_or("the record has no identity of an instance")?;
            if n > 0 {
                entity.push('/');
            }
            match parts().nth(1) {
                Some(_) => push_escaped(entity, part),
                None => entity.push_str(part),
            }
        }
        if let Some(versions) = versions {
            match change(versions, value)? {
                Some(found) => *states = found,
                None => return Ok(None),
            }
        }
        for (key, idx) in columns.iter() {
            let cell = value(*idx).map(|it| it.filter(|it| !it.is_empty()));
            let there = cell.flatten();
            match key {
                Key::Entity => {}
                Key::At => attempt.at = there.map(|it| reading.time(it)).transpose()?,
                Key::Machine => attempt.machine = there,
                Key::From => attempt.from = cell,
                Key::To => attempt.to = cell,
                Key::Event => attempt.event = there.map(Some),
                Key::Actor => attempt.actor = there,
                Key::Payload => attempt.payload = there,
                Key::Context => attempt.context = there,
                Key::Refused => {
                    let is_no = there.is_none_or(|it| ["0", "f", "false", "n", "no"].contains(&it.to_ascii_lowercase().as_str()));
                    attempt.ended = if is_no { Ended::Changed } else { Ended::Refused };
                }
            }
        }
        attempt.entity = entity;
        if versions.is_some() {
            attempt.from = Some(states[0].as_deref());
            attempt.to = Some(states[1].as_deref());
        }
        if attempt.to.is_none() && attempt.event.is_none() {
            return Err("the record has neither a state nor an event".to_owned());
        }
        if attempt.ended == Ended::Refused {
            attempt.to = None;
        }
        Ok(Some(attempt))
    }
}

/// A part of an identity, so that no two lists of parts have one text: `\` stands before each `/` and `\` of a part.
fn push_escaped(text: &mut String, part: &str) {
    for it in part.chars() {
        if matches!(it, '/' | '\\') {
            text.push('\\');
        }
        text.push(it);
    }
}

/// The columns that a format has if none are named, each with the names that count.
///
/// One table of a library has the instances of several types: the type is a part of the identity, unless only one is read.
fn usual<'h>(format: Format, header: &[&'h str], reading: &Reading) -> Vec<(Key, &'h str)> {
    let with_type = |names: &[&str], mut columns: Vec<(Key, &'h str)>| {
        let is_one = |name: &str| reading.only.iter().any(|it| it.0 == name);
        let found = names.iter().find_map(|name| header.iter().find(|it| *it == name));
        columns.splice(0..0, found.filter(|it| !is_one(it)).map(|it| (Key::Entity, *it)));
        columns
    };
    let of = |names: &[(Key, &[&str])]| -> Vec<(Key, &'h str)> {
        let find = |names: &[&str]| names.iter().find_map(|name| header.iter().find(|it| *it == name).copied());
        names.iter().filter_map(|(key, names)| Some((*key, find(names)?))).collect()
    };
    match format {
        Format::DjangoFsmLog => with_type(
            &["content_type_id", "content_type"],
            of(&[
                (Key::Entity, &["object_id"]),
                (Key::At, &["timestamp"]),
                (Key::From, &["source_state"]),
                (Key::To, &["state"]),
                (Key::Event, &["transition"]),
            ]),
        ),
        Format::Statesman => {
            let mut columns = of(&[(Key::At, &["created_at"]), (Key::To, &["to_state"])]);
            // `order_id`: the table of each model has a column of its own.
            let owners: Vec<&&str> = header.iter().filter(|it| it.ends_with("_id")).collect();
            columns.extend(if let [owner] = owners[..] { Some((Key::Entity, *owner)) } else { None });
            columns
        }
        Format::PaperTrail => with_type(&["item_type"], of(&[(Key::Entity, &["item_id"]), (Key::At, &["created_at"])])),
        Format::Csv | Format::Jsonl | Format::Xes | Format::Ocel => of(&[
            (Key::Entity, &["entity", "id"]),
            (Key::At, &["at"]),
            (Key::Machine, &["machine"]),
            (Key::From, &["from", "from_state"]),
            (Key::To, &["to", "to_state"]),
            (Key::Event, &["event"]),
            (Key::Actor, &["actor"]),
            (Key::Payload, &["payload"]),
            (Key::Context, &["context"]),
            (Key::Refused, &["refused"]),
        ]),
    }
}
