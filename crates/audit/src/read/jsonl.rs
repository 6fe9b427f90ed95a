//! JSON lines: recorded attempts, and other objects with columns.

use std::io::{BufRead, Read as _};

use serde_json::{Map, Value};

use super::{MAX_LINE, Sink};
use crate::attempt::{Attempt, Ended, Item};
use crate::columns::Reading;
use crate::format::Format;
use crate::rows::Rows;
use crate::time;
use statespec_record::{Answer, Line, VERSION};

/// Reads recorded attempts.
pub(super) fn attempts(reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    lines(input, |number, bytes| match serde_json::from_slice::<Line<'_>>(bytes) {
        Ok(line) => attempt(&line, reading, number, each),
        Err(error) => each(broken(number, &error)),
    })
}

fn attempt(line: &Line<'_>, reading: &Reading, number: u64, each: Sink<'_>) {
    if line.entity.0.is_empty() {
        let why = "the record has no identity of an instance".to_owned();
        return each(Item::Broken { line: number, column: 1, why });
    }
    if line.v != VERSION {
        let why = format!("the line has version {} of the format; this program reads version {VERSION}", line.v);
        return each(Item::Broken { line: number, column: 1, why });
    }
    let at = match &line.at {
        // The common form, without a look at units.
        Some(text) => match time::parse(&text.0).map_or_else(|| reading.time(&text.0), Ok) {
            Ok(at) => Some(at),
            Err(why) => return each(Item::Broken { line: number, column: 1, why }),
        },
        None => None,
    };
    let is = |it: &Option<Answer<'_>>| it.as_ref().is_some_and(Answer::is_yes);
    let (refused, failed) = (is(&line.refused), is(&line.failed));
    let ended = match (refused, failed) {
        (true, _) => Ended::Refused,
        // A store that fails after the change leaves the machine changed.
        (false, true) if line.to.is_none() => Ended::Failed,
        _ => Ended::Changed,
    };
    each(Item::Attempt(
        number,
        Attempt {
            entity: &line.entity.0,
            at,
            machine: line.machine.as_ref().map(|it| &*it.0),
            from: line.from.as_ref().map(|it| it.as_ref().map(|it| &*it.0)),
            to: line.to.as_ref().filter(|_| ended == Ended::Changed).map(|it| it.as_ref().map(|it| &*it.0)),
            event: line.event.as_ref().map(|it| it.as_ref().map(|it| &*it.0)),
            actor: line.actor.as_ref().map(|it| &*it.0),
            payload: line.payload.map(|it| it.get()),
            context: line.context.map(|it| it.get()),
            ended,
            stored_only: false,
        },
    ));
}

/// Reads recorded attempts of which some are chosen: those in which each of these keys has this value.
pub(super) fn chosen(reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    lines(input, |number, bytes| {
        let read = || -> Result<Option<Line<'_>>, serde_json::Error> {
            let object: Map<String, Value> = serde_json::from_slice(bytes)?;
            let is_chosen = reading.only.iter().all(|(key, wanted)| value(&object, key).and_then(text).as_ref() == Some(wanted));
            if is_chosen { serde_json::from_slice(bytes).map(Some) } else { Ok(None) }
        };
        match read() {
            Ok(Some(line)) => attempt(&line, reading, number, each),
            Ok(None) => each(Item::Skipped),
            Err(error) => each(broken(number, &error)),
        }
    })
}

/// Reads objects whose keys are the columns.
pub(super) fn objects(reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    let mut names: Vec<&str> = reading.columns.iter().map(|it| it.1.as_str()).chain(reading.only.iter().map(|it| it.0.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    let mut rows = Rows::new(Format::Jsonl, &names, reading)?;
    lines(input, |number, bytes| {
        let object: Map<String, Value> = match serde_json::from_slice(bytes) {
            Ok(object) => object,
            Err(error) => return each(broken(number, &error)),
        };
        let texts: Vec<Option<Option<String>>> = names.iter().map(|it| value(&object, it).map(text)).collect();
        let item = rows.item(number, &|idx| texts.get(idx)?.as_ref().map(|it| it.as_deref()));
        each(item);
    })
}

/// The value of a column: that of a key, or of a key inside of others, as `span.id`.
fn value<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    let inside = |(dot, _): (usize, &str)| value(object.get(&name[..dot])?.as_object()?, &name[dot + 1..]);
    object.get(name).or_else(|| name.match_indices('.').find_map(inside))
}

/// A value as the text of a column; `None` for `null`.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(it) => Some(it.clone()),
        other => Some(other.to_string()),
    }
}

fn broken(line: u64, error: &serde_json::Error) -> Item<'static> {
    let why = error.to_string();
    // The place follows as numbers.
    let why = why.rsplit_once(" at line ").map_or(why.as_str(), |it| it.0);
    Item::Broken { line, column: error.column().max(1), why: format!("the line is no recorded attempt: {}", crate::shown::plain(why)) }
}

/// Calls a function with each line that is not empty, and its number.
fn lines(mut input: impl BufRead, mut each: impl FnMut(u64, &[u8])) -> Result<(), String> {
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        let n_read = (&mut input).take(MAX_LINE).read_until(b'\n', &mut bytes).map_err(|error| failed(number, &error))?;
        if n_read == 0 {
            return Ok(());
        }
        number += 1;
        if n_read as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
            return Err(format!("line {number} has more than {MAX_LINE} bytes"));
        }
        if !bytes.trim_ascii().is_empty() {
            each(number, &bytes);
        }
    }
}

/// The input ends in the middle: a file on a broken disk, or a compressed one that was cut off.
pub(super) fn failed(line: u64, error: &std::io::Error) -> String {
    format!("it cannot be read beyond line {line}: {error}")
}
