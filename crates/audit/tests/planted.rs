//! Logs of a generator with planted deviations: all are found at their lines, and none is invented.
//!
//! What a legal history is follows from a simulation in this file, and not from the interpreter.

use serde_json::{Value, json};
use statespec_audit::{Format, Level, Options, Reading};

use crate::support::{JOB, Random, audit, found, spec};

/// A record of a generated history.
#[derive(Clone)]
struct Record {
    /// The place in time, which planting does not change.
    order: i64,
    json: Value,
    /// A line that is no record.
    raw: Option<Vec<u8>>,
    expects: Vec<&'static str>,
}

/// A kind of deviation: plants it into a history, or returns `false` where the history has no place for it.
type Plant = fn(&mut Vec<Record>) -> bool;

fn time(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    format!("2026-07-01T{:02}:{:02}:{:02}.{:06}Z", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, micros % 1_000_000)
}

/// The history of one job.
fn history(entity: usize, random: &mut Random) -> Vec<Record> {
    let limit = 1 + random.below(3) as i64;
    let (mut state, mut tries) = ("", 0_i64);
    let mut at = random.below(1_000_000_000) as i64;
    let mut records = Vec::new();
    loop {
        at += 1 + random.below(60_000_000) as i64;
        let mut record = json!({ "v": 1, "machine": "job", "entity": entity.to_string(), "at": time(at) });
        let mut add = |key: &str, value: Value| record[key] = value;
        let context = json!({ "tries": tries, "limit": limit });
        let (event, actor, to) = match state {
            "" => ("submit", "clerk", "queued"),
            "queued" if random.below(8) == 0 => ("", "", "cancelled"),
            "queued" if random.below(6) == 0 => ("fail", "worker", ""),
            "queued" => ("claim", "worker", "claimed"),
            "claimed" if random.below(2) == 0 => ("fail", "worker", if tries + 1 < limit { "queued" } else { "failed" }),
            _ => ("finish", "worker", "done"),
        };
        add("from", if state.is_empty() { Value::Null } else { state.into() });
        add("event", if event.is_empty() { Value::Null } else { event.into() });
        add("context", if state.is_empty() { json!({ "limit": limit }) } else { context });
        match event {
            "claim" => add("payload", json!({ "until": time(at + 30_000_000) })),
            "finish" => add("payload", json!({ "cost": random.below(100) })),
            _ => {}
        }
        if !actor.is_empty() {
            add("actor", actor.into());
        }
        match to {
            "" => add("refused", "no-transition".into()),
            to => add("to", to.into()),
        }
        records.push(Record { order: at, json: record, raw: None, expects: Vec::new() });
        if event == "fail" && !to.is_empty() {
            tries += 1;
        }
        if !to.is_empty() {
            state = to;
        }
        if ["done", "failed", "cancelled"].contains(&state) {
            return records;
        }
    }
}

/// The position of the first record with this event that changed something.
fn with(records: &[Record], event: &str) -> Option<usize> {
    records.iter().position(|it| it.json["event"] == event && it.json.get("to").is_some())
}

/// Changes the first record with an event, which becomes the last one.
fn last(records: &mut Vec<Record>, event: &str, code: &'static str, change: fn(&mut Value)) -> bool {
    let Some(idx) = with(records, event) else { return false };
    records.truncate(idx + 1);
    change(&mut records[idx].json);
    records[idx].expects.push(code);
    true
}

/// Adds a line behind the first record.
fn beside(records: &mut Vec<Record>, code: &'static str, raw: &[u8]) -> bool {
    let first = records[0].clone();
    records.insert(1, Record { raw: Some(raw.to_vec()), expects: vec![code], ..first });
    true
}

const KINDS: &[(&str, Plant)] = &[
    ("a pair of states that the graph lacks", |it| {
        last(it, "finish", "audit::step", |it| {
            it["event"] = Value::Null;
            it["to"] = "cancelled".into();
        })
    }),
    ("the event of another pair", |it| last(it, "finish", "audit::step", |it| it["event"] = "claim".into())),
    ("a step out of a terminal state", |it| {
        let Some(idx) = with(it, "finish") else { return false };
        let mut record = it[idx].clone();
        record.json["from"] = "done".into();
        record.json["event"] = "claim".into();
        record.json["to"] = "claimed".into();
        record.expects.push("audit::step");
        it.push(record);
        true
    }),
    ("a creation in another state", |it| last(it, "submit", "audit::step", |it| it["to"] = "claimed".into())),
    ("a second creation", |it| {
        let mut record = it[0].clone();
        let end = it.last().unwrap();
        record.order = end.order;
        record.json["at"] = end.json["at"].clone();
        record.expects.push("audit::step");
        it.push(record);
        true
    }),
    ("a state that the machine lacks", |it| last(it, "finish", "audit::unknown", |it| it["to"] = "finished".into())),
    ("a state in another case", |it| last(it, "finish", "audit::unknown", |it| it["to"] = "DONE".into())),
    ("an event that the machine lacks", |it| last(it, "finish", "audit::unknown", |it| it["event"] = "finnish".into())),
    ("an actor that the machine lacks", |it| last(it, "claim", "audit::unknown", |it| it["actor"] = "boss".into())),
    ("an actor that must not", |it| last(it, "claim", "audit::actor", |it| it["actor"] = "clerk".into())),
    ("a machine that there is not", |it| {
        let mut record = it[0].clone();
        record.json["machine"] = "jobs".into();
        record.expects.push("audit::unknown");
        it.insert(1, record);
        true
    }),
    ("a record that is missing", |it| {
        let Some(idx) = with(it, "claim") else { return false };
        it.remove(idx);
        it[idx].expects.push("audit::gap");
        true
    }),
    ("a history without its beginning", |it| {
        let Some(idx) = with(it, "claim") else { return false };
        it.drain(..=idx);
        it[0].expects.push("audit::gap");
        true
    }),
    ("a record twice", |it| {
        let Some(idx) = with(it, "claim") else { return false };
        let mut record = it[idx].clone();
        record.expects.push("audit::duplicate");
        it.insert(idx + 1, record);
        true
    }),
    ("two records out of order", |it| {
        let Some(idx) = with(it, "claim").filter(|idx| it[idx + 1].json.get("to").is_some()) else { return false };
        it.swap(idx, idx + 1);
        it[idx].expects.push("audit::gap");
        it[idx + 1].expects.push("audit::order");
        true
    }),
    ("a clock that goes backwards", |it| {
        let Some(idx) = with(it, "claim") else { return false };
        it[idx].json["at"] = "2026-06-30T23:59:59Z".into();
        it[idx].expects.push("audit::order");
        true
    }),
    ("a line that ends in the middle", |it| beside(it, "audit::broken", b"{\"v\":1,\"machine\":\"job\",\"entity\":\"4")),
    ("a line that is no JSON", |it| beside(it, "audit::broken", b"Jul 01 12:00:00 host job[1]: started")),
    ("a line that is no UTF-8", |it| beside(it, "audit::broken", b"{\"v\":1,\"entity\":\"\xff\"}")),
    ("another version", |it| beside(it, "audit::broken", b"{\"v\":2,\"entity\":\"4\"}")),
    ("no identity", |it| beside(it, "audit::broken", b"{\"v\":1,\"from\":\"queued\",\"to\":\"claimed\"}")),
    ("a time in another form", |it| beside(it, "audit::broken", b"{\"v\":1,\"entity\":\"4\",\"at\":\"yesterday\"}")),
    ("a guard that does not hold", |it| {
        last(it, "fail", "audit::replay", |it| {
            let other = if it["to"] == "failed" { "queued" } else { "failed" };
            it["to"] = other.into();
        })
    }),
    ("a refusal of what the machine accepts", |it| {
        let Some(idx) = with(it, "claim") else { return false };
        let mut record = it[idx].clone();
        record.json.as_object_mut().unwrap().remove("to");
        record.json["refused"] = "guard".into();
        record.expects.push("audit::replay");
        it.insert(idx, record);
        true
    }),
    ("a context that was changed without a record", |it| {
        last(it, "claim", "audit::value", |it| it["context"]["tries"] = (it["context"]["tries"].as_i64().unwrap() + 7).into())
    }),
    ("a payload of another type", |it| last(it, "finish", "audit::value", |it| it["payload"]["cost"] = "much".into())),
    ("a payload with a field too many", |it| last(it, "claim", "audit::value", |it| it["payload"]["untill"] = 5.into())),
];

/// A log of interleaved histories with some deviations, each in a history of its own, and where they are.
fn log(seed: u64, plants: &[(&str, Plant)]) -> (Vec<u8>, Vec<(u64, &'static str)>, u64) {
    let mut random = Random(seed);
    let mut records: Vec<(i64, usize, Record)> = Vec::new();
    let mut entity = 0;
    let mut add = |entity: usize, history: Vec<Record>| {
        // A record keeps its place in its own history.
        let mut latest = i64::MIN;
        for (idx, record) in history.into_iter().enumerate() {
            latest = latest.max(record.order);
            records.push((latest, entity * 1_000 + idx, record));
        }
    };
    for (name, plant) in plants {
        let planted = (0..200).find_map(|_| {
            let mut history = history(entity, &mut random);
            plant(&mut history).then_some(history)
        });
        add(entity, planted.unwrap_or_else(|| panic!("no history has a place for: {name}")));
        entity += 1;
    }
    for _ in 0..20 {
        add(entity, history(entity, &mut random));
        entity += 1;
    }
    records.sort_by_key(|it| (it.0, it.1));
    let (mut text, mut expected) = (Vec::new(), Vec::new());
    for ((_, _, record), line) in records.iter().zip(1..) {
        match &record.raw {
            Some(raw) => text.extend(raw),
            None => text.extend(record.json.to_string().as_bytes()),
        }
        text.push(b'\n');
        expected.extend(record.expects.iter().map(|it| (line, *it)));
    }
    (text, expected, records.len() as u64)
}

#[test]
fn each_kind_of_deviation_is_found_at_its_line_and_none_is_invented() {
    let loaded = spec(JOB);
    for (name, plant) in KINDS {
        for seed in 0..20 {
            let (text, expected, _) = log(seed, &[(name, *plant)]);
            assert!(!expected.is_empty());
            let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), Options::default(), &text).unwrap();
            assert_eq!(found(&outcome), expected, "{name}, {seed}:\n{}", String::from_utf8_lossy(&text));
        }
    }
}

#[test]
fn all_kinds_at_once() {
    let loaded = spec(JOB);
    assert!(KINDS.len() >= 20);
    for seed in 0..20 {
        let (text, expected, _) = log(seed, KINDS);
        let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), Options::default(), &text).unwrap();
        assert_eq!(found(&outcome), expected, "{seed}");
    }
}

#[test]
fn a_log_without_deviations_is_replayed_as_a_whole() {
    let loaded = spec(JOB);
    for seed in 0..20 {
        let (text, _, n_records) = log(seed, &[]);
        let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), Options::default(), &text).unwrap();
        assert_eq!(found(&outcome), []);
        assert_eq!((outcome.n_records, outcome.n_entities), (n_records, 20));
        assert_eq!(outcome.levels[Level::Replay as usize], n_records, "{:?}", outcome.levels);
        // Each step is one that the interpreter took: the rows are certain.
        assert!(outcome.seen.values().all(|it| it.at_most == 0), "{:?}", outcome.seen);
    }
}

#[test]
fn a_text_that_is_cut_anywhere_is_reported_and_nothing_panics() {
    let loaded = spec(JOB);
    let (text, _, _) = log(3, &KINDS[..4]);
    let mut random = Random(9);
    for _ in 0..300 {
        let mut broken = text[..random.below(text.len())].to_vec();
        for _ in 0..random.below(5) {
            let at = random.below(broken.len().max(1));
            if let Some(byte) = broken.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        for format in Format::ALL {
            // An error of the whole file is as good as a finding.
            let _ = audit(&loaded, *format, &Reading::default(), Options::default(), &broken);
        }
    }
}
