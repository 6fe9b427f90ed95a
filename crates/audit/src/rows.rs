//! Records with columns, as attempts.

use super::attempt::{Attempt, Ended, Item};
use super::columns::{Key, Reading};
use super::format::Format;
use super::shown::quoted;

/// How the records of one table become attempts.
#[derive(Debug)]
pub struct Rows<'r> {
    reading: &'r Reading,
    columns: Vec<(Key, usize)>,
    only: Vec<(usize, &'r str)>,
    versions: Option<Versions>,
    stored_only: bool,
    entity: String,
    states: [Option<String>; 2],
}

/// PaperTrail keeps the changes of all attributes of a record in one column.
#[derive(Debug)]
struct Versions {
    changes: usize,
    event: usize,
    attribute: String,
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
        for (key, name) in usual(format, header) {
            let is_written = columns.iter().any(|it| it.0 == key);
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
        Ok(Rows { reading, columns, only, versions, stored_only: true, entity: String::new(), states: [None, None] })
    }

    /// The same for records that have every attempt, also one whose change was not stored.
    pub(crate) fn complete(mut self) -> Self {
        self.stored_only = false;
        self
    }

    /// The attempt of one record. `value` is the value of a column; `None` if it has none.
    pub fn item<'a>(&'a mut self, line: u64, value: &dyn Fn(usize) -> Option<&'a str>) -> Item<'a> {
        match self.attempt(value) {
            Ok(Some(attempt)) => Item::Attempt(line, attempt),
            Ok(None) => Item::Skipped,
            Err(why) => Item::Broken { line, column: 1, why },
        }
    }

    fn attempt<'a>(&'a mut self, value: &dyn Fn(usize) -> Option<&'a str>) -> Result<Option<Attempt<'a>>, String> {
        if self.only.iter().any(|(idx, wanted)| value(*idx) != Some(wanted)) {
            return Ok(None);
        }
        let Rows { reading, columns, versions, entity, states, stored_only, .. } = self;
        let mut attempt = Attempt { stored_only: *stored_only, ..Attempt::default() };
        entity.clear();
        for (n, (_, idx)) in columns.iter().filter(|it| it.0 == Key::Entity).enumerate() {
            let part = value(*idx).filter(|it| !it.is_empty()).ok_or("the record has no identity of an instance")?;
            if n > 0 {
                entity.push('/');
            }
            entity.push_str(part);
        }
        if let Some(versions) = versions {
            match change(versions, value)? {
                Some(found) => *states = found,
                None => return Ok(None),
            }
        }
        for (key, idx) in columns.iter() {
            let text = value(*idx);
            let there = text.filter(|it| !it.is_empty());
            match key {
                Key::Entity => {}
                Key::At => attempt.at = there.map(|it| reading.time(it)).transpose()?,
                Key::Machine => attempt.machine = there,
                Key::From => attempt.from = Some(there),
                Key::To => attempt.to = Some(there),
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
        if attempt.ended == Ended::Refused {
            attempt.to = None;
        }
        Ok(Some(attempt))
    }
}

/// The columns that a format has if none are named, each with the names that count.
fn usual<'h>(format: Format, header: &[&'h str]) -> Vec<(Key, &'h str)> {
    let of = |names: &[(Key, &[&str])]| -> Vec<(Key, &'h str)> {
        let find = |names: &[&str]| names.iter().find_map(|name| header.iter().find(|it| *it == name).copied());
        names.iter().filter_map(|(key, names)| Some((*key, find(names)?))).collect()
    };
    match format {
        Format::DjangoFsmLog => of(&[
            (Key::Entity, &["object_id"]),
            (Key::At, &["timestamp"]),
            (Key::From, &["source_state"]),
            (Key::To, &["state"]),
            (Key::Event, &["transition"]),
        ]),
        Format::Statesman => {
            let mut columns = of(&[(Key::At, &["created_at"]), (Key::To, &["to_state"])]);
            // `order_id`: the table of each model has a column of its own.
            let owners: Vec<&&str> = header.iter().filter(|it| it.ends_with("_id")).collect();
            columns.extend(if let [owner] = owners[..] { Some((Key::Entity, *owner)) } else { None });
            columns
        }
        Format::PaperTrail => of(&[(Key::Entity, &["item_id"]), (Key::At, &["created_at"])]),
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

/// The state before and after, from the column with the changes of all attributes; `None` if the state did not change.
fn change<'a>(versions: &Versions, value: &dyn Fn(usize) -> Option<&'a str>) -> Result<Option<[Option<String>; 2]>, String> {
    let text = value(versions.changes).unwrap_or_default().trim();
    let is_destroyed = value(versions.event) == Some("destroy");
    let found = match text {
        "" => None,
        text if text.starts_with('{') => json_change(text, &versions.attribute)?,
        text => yaml_change(text, &versions.attribute)?,
    };
    // A record that is destroyed has no state, whether or not its last one was kept.
    Ok(match found {
        Some([from, _]) if is_destroyed => Some([from, None]),
        None if is_destroyed => Some([None, None]),
        found => found,
    })
}

fn json_change(text: &str, attribute: &str) -> Result<Option<[Option<String>; 2]>, String> {
    let changes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text).map_err(|_| "`object_changes` is no JSON object".to_owned())?;
    let Some(pair) = changes.get(attribute) else { return Ok(None) };
    let text = |it: &serde_json::Value| match it {
        serde_json::Value::Null => Some(None),
        serde_json::Value::String(it) => Some(Some(it.clone())),
        serde_json::Value::Number(it) => Some(Some(it.to_string())),
        _ => None,
    };
    match pair.as_array().map(Vec::as_slice) {
        Some([from, to]) => match (text(from), text(to)) {
            (Some(from), Some(to)) => Ok(Some([from, to])),
            _ => Err(format!("`{attribute}` in `object_changes` is no pair of states")),
        },
        _ => Err(format!("`{attribute}` in `object_changes` is no pair of states")),
    }
}

/// The form that Ruby writes: a line with the attribute, then a line for each of its two values.
fn yaml_change(text: &str, attribute: &str) -> Result<Option<[Option<String>; 2]>, String> {
    let mut lines = text.lines().skip_while(|it| it.strip_suffix(':') != Some(attribute));
    if lines.next().is_none() {
        return Ok(None);
    }
    let mut next = || {
        let value = lines.next()?.trim_start().strip_prefix('-')?.trim();
        let bare = [('"', '"'), ('\'', '\'')].iter().find_map(|(open, close)| value.strip_prefix(*open)?.strip_suffix(*close));
        Some(if value.is_empty() || value == "null" || value == "~" { None } else { Some(bare.unwrap_or(value).to_owned()) })
    };
    match (next(), next()) {
        (Some(from), Some(to)) => Ok(Some([from, to])),
        _ => Err(format!("`{attribute}` in `object_changes` is no pair of states")),
    }
}
