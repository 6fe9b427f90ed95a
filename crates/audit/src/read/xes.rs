//! XES: an instance is a trace, and each of its events a record whose columns are the attributes.
//!
//! ```xml
//! <trace><string key="concept:name" value="17"/>
//!   <event><string key="concept:name" value="claimed"/><date key="time:timestamp" value="2026-07-01T12:00:00Z"/></event>
//! </trace>
//! ```

use std::collections::BTreeMap;
use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::Sink;
use super::counting::Counting;
use crate::attempt::Item;
use crate::columns::{Cell, Columns, Key, Reading};
use crate::format::Format;
use crate::rows::Rows;

/// The name of the attribute of the trace that is the identity, beside the attributes of its events.
const TRACE: &str = "trace";

/// The deepest nesting.
const MAX_DEPTH: usize = 64;

/// Reads the events of all traces.
pub(super) fn traces(reading: &Reading, input: impl BufRead, each: Sink<'_>) -> Result<(), String> {
    let reading = &usual(reading);
    let mut names: Vec<&str> = reading.columns.iter().map(|it| it.1.as_str()).chain(reading.only.iter().map(|it| it.0.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    let mut rows = Rows::new(Format::Xes, &names, reading)?;
    let (input, line) = Counting::new(input);
    let mut reader = Reader::from_reader(input);
    let mut buffer = Vec::new();
    // The elements that are open, and the attributes of the trace and of the event.
    let mut open: Vec<String> = Vec::new();
    let mut trace: Option<String> = None;
    let mut event = BTreeMap::<String, String>::new();
    let mut start = 0;
    let mut n_elements = 0_u64;
    loop {
        buffer.clear();
        let at = line.get();
        let found =
            reader.read_event_into(&mut buffer).map_err(|error| format!("line {at}: {}", crate::shown::plain(&error.to_string())))?;
        let (element, is_empty) = match found {
            Event::Eof if !open.is_empty() => return Err(format!("line {at}: the file ends in the middle")),
            Event::Eof if n_elements == 0 => return Err("there is no element".to_owned()),
            Event::Eof => return Ok(()),
            Event::End(_) => {
                let closed = open.pop();
                match closed.as_deref() {
                    Some("event") => emit(&mut rows, &names, &event, trace.as_deref(), start, each),
                    Some("trace") => trace = None,
                    _ => {}
                }
                continue;
            }
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            _ => continue,
        };
        n_elements += 1;
        let name = element.local_name().as_ref().to_owned();
        match (name.as_str(), open.last().map(String::as_str)) {
            ("trace", _) => trace = None,
            ("event", _) => {
                event.clear();
                start = at;
            }
            // An attribute of an attribute says nothing about the event itself.
            (_, Some("trace" | "event")) => {
                let (key, value) = attribute(&element).map_err(|why| format!("line {at}: {why}"))?;
                match (open.last().map(String::as_str), key, value) {
                    (Some("trace"), Some(key), value) if key == "concept:name" => trace = value,
                    (Some("event"), Some(key), Some(value)) => _ = event.insert(key, value),
                    _ => {}
                }
            }
            _ => {}
        }
        if is_empty {
            if name == "event" {
                emit(&mut rows, &names, &event, trace.as_deref(), start, each);
            }
        } else if open.len() >= MAX_DEPTH {
            return Err(format!("line {at}: elements are nested deeper than {MAX_DEPTH}"));
        } else {
            open.push(name);
        }
    }
}

/// The columns that are not named: activities are states.
fn usual(reading: &Reading) -> Reading {
    let mut columns: Columns = reading.columns.clone();
    let has = |columns: &Columns, keys: &[Key]| columns.iter().any(|it| keys.contains(&it.0));
    if !has(&columns, &[Key::Entity]) {
        columns.push((Key::Entity, TRACE.to_owned()));
    }
    if !has(&columns, &[Key::At]) {
        columns.push((Key::At, "time:timestamp".to_owned()));
    }
    if !has(&columns, &[Key::To, Key::Event]) {
        columns.push((Key::To, "concept:name".to_owned()));
    }
    Reading { columns, ..reading.clone() }
}

fn emit(rows: &mut Rows<'_>, names: &[&str], event: &BTreeMap<String, String>, trace: Option<&str>, line: u64, each: Sink<'_>) {
    // An activity that begins and ends is one step: its end.
    let goes_on = event.get("lifecycle:transition").is_some_and(|it| !it.eq_ignore_ascii_case("complete"));
    if goes_on {
        return each(Item::Skipped);
    }
    let value = |idx: usize| -> Cell<'_> {
        let name = *names.get(idx)?;
        let found = match name {
            TRACE => trace,
            name => event.get(name).map(String::as_str),
        };
        found.map(Some)
    };
    let item = rows.item(line, &value);
    each(item);
}

/// The key and the value of an element.
fn attribute(element: &BytesStart<'_>) -> Result<(Option<String>, Option<String>), String> {
    let (mut key, mut value) = (None, None);
    for found in element.attributes() {
        let found = found.map_err(|error| crate::shown::plain(&error.to_string()))?;
        let text = || {
            let text = quick_xml::escape::unescape(&found.value).map_err(|error| crate::shown::plain(&error.to_string()))?;
            Ok::<_, String>(text.into_owned())
        };
        match found.key.as_ref() {
            "key" => key = Some(text()?),
            "value" => value = Some(text()?),
            _ => {}
        }
    }
    Ok((key, value))
}
