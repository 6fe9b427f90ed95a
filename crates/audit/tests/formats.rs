//! Every format, and what a reader cannot read.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use statespec_audit::{Format, Key, Level, Options, Outcome, Reading, Unit, columns};

use crate::support::{RUN_JOB, audit, found, spec};

fn run(format: Format, reading: &Reading, text: &[u8]) -> Result<Outcome, String> {
    audit(&spec(RUN_JOB), format, reading, Options::default(), text)
}

fn with(text: &str) -> Reading {
    Reading { columns: columns(text).unwrap(), ..Reading::default() }
}

/// One legal step of 7, and one that is not, at these lines.
fn check(format: Format, reading: &Reading, text: &str, expected: &[(u64, &'static str)], n_records: u64) -> Outcome {
    let outcome = run(format, reading, text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!((found(&outcome).as_slice(), outcome.n_records), (expected, n_records), "{text}");
    outcome
}

const STEP: &[(u64, &str)] = &[(3, "audit::step")];

#[test]
fn plain_tables() {
    let outcome = check(
        Format::Csv,
        &Reading::default(),
        "id,from,to,at\n7,queued,claimed,2026-07-01 12:00:00\n7,claimed,queued,2026-07-01 12:00:05+00\n",
        STEP,
        2,
    );
    assert_eq!(outcome.levels, [2, 0, 0]);
    // With a mark of the encoding, other ends of lines, a line inside of a value and another separator.
    let reading = Reading { separator: Some(b';'), ..with("entity=tenant,entity=n,to=new") };
    check(Format::Csv, &reading, "\u{feff}tenant;n;new;note\r\na;7;queued;\"x\r\ny\"\r\na;7;running;z\r\n", &[(4, "audit::step")], 2);
    let reading = Reading { unit: Some(Unit::Millis), ..Reading::default() };
    let outcome = check(Format::Csv, &reading, "id,from,to,at\n7,queued,claimed,1000\n7,claimed,running,2500\n", &[], 2);
    assert_eq!(outcome.dwell["claimed"].total, 1_500_000.0);
}

#[test]
fn tables_of_libraries() {
    let django = "id,timestamp,by_id,state,transition,object_id,content_type_id,description,source_state\n\
        1,2026-07-01 12:00:00+00,,claimed,claim,7,9,,queued\n2,2026-07-01 12:00:01+00,,complete,claim,7,9,,claimed\n3,2026-07-01 12:00:01+00,,x,y,7,8,,z\n";
    let reading = Reading { only: vec![("content_type_id".into(), "9".into())], ..Reading::default() };
    let outcome = check(Format::DjangoFsmLog, &reading, django, STEP, 2);
    assert_eq!((outcome.levels[Level::Events as usize], outcome.n_skipped), (2, 1));
    let statesman = "id,to_state,metadata,sort_key,order_id,most_recent,created_at\n1,claimed,{},10,7,f,2026-07-01T12:00:00Z\n2,queued,{},20,7,t,2026-07-01T12:00:01Z\n";
    check(Format::Statesman, &Reading::default(), statesman, STEP, 2);
    let trail = "id,item_type,item_id,event,whodunnit,object_changes,created_at\n\
        1,Job,7,create,,\"{\"\"state\"\":[null,\"\"queued\"\"]}\",2026-07-01T12:00:00Z\n\
        2,Job,7,update,,\"---\nnote:\n- a\n- b\nstate:\n- queued\n- running\n\",2026-07-01T12:00:01Z\n\
        3,Job,7,update,,\"{\"\"note\"\":[1,2]}\",2026-07-01T12:00:02Z\n4,Job,7,destroy,,,2026-07-01T12:00:03Z\n";
    let outcome = check(Format::PaperTrail, &Reading::default(), trail, STEP, 3);
    assert_eq!(outcome.n_skipped, 1);
}

#[test]
fn changes_as_yaml_are_read_as_yaml() {
    let table = |changes: &str| {
        format!("item_id,event,object_changes,created_at\n7,create,\"{}\",2026-07-01T12:00:00Z\n", changes.replace('"', "\"\""))
    };
    let check = |changes: &str, expected: &str| {
        let outcome = run(Format::PaperTrail, &Reading::default(), table(changes).as_bytes()).unwrap();
        let found: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(found.join("; "), expected, "{changes}");
    };
    check("---\nnote: !ruby/object:Note\n  state:\n  - x\n  - y\nstate:\n- \n- queued\n", "");
    check("---\n\"state\": [~, 'queued']\n", "");
    check("---\nid:\n- \n- &1 7\nother:\n- *1\n- state\nstate:\n- !ruby/nil\n- \"que\\x75ed\"\n", "");
    // A quoted word is a text, whatever it is without quotes; quotes inside of quotes are doubled, and a text may have several lines.
    check("---\nstate:\n- \n- 'it''s'\n", "the machine has no state `it's`");
    check("---\nstate:\n- \n- 'null'\n", "the machine has no state `null`");
    check("---\nstate:\n- \n- |-\n  two\n  lines\n", "the machine has no state `two\\u{a}lines`");
    check("---\nstate:\n- \n- queued\n- claimed\n", "`state` in `object_changes` is no pair of states");
    check("---\nstate: queued\n", "`state` in `object_changes` is no pair of states");
    check("---\nstate:\n- \n- {}\n", "`state` in `object_changes` is no pair of states");
    let outcome = run(Format::PaperTrail, &Reading::default(), table("---\nnote: [\n").as_bytes()).unwrap();
    assert!(outcome.findings[0].message.starts_with("`object_changes` is no YAML: "), "{}", outcome.findings[0].message);
    let outcome = run(Format::PaperTrail, &Reading::default(), table("---\nnote:\n- state\n- state\n").as_bytes()).unwrap();
    assert_eq!((outcome.n_findings(), outcome.n_skipped), (0, 1));
}

#[test]
fn parts_of_an_identity_are_told_apart() {
    let reading = with("entity=a,entity=b,from=from,to=to");
    let log = "a,b,from,to\nx/y,z,queued,claimed\nx,y/z,queued,claimed\nx\\,y,queued,claimed\nx,\\/y,queued,claimed\n,y,queued,claimed\nx/y,z,queued,claimed\n";
    let outcome = check(Format::Csv, &reading, log, &[(6, "audit::broken"), (7, "audit::gap")], 5);
    assert_eq!(outcome.n_entities, 4);
    assert!(outcome.findings[1].message.contains("`x\\/y/z`"), "{}", outcome.findings[1].message);
    // Tables of libraries have the instances of several types.
    let django = "timestamp,state,transition,object_id,content_type_id,source_state\n\
        2026-07-01 12:00:00,claimed,claim,7,9,queued\n2026-07-01 12:00:01,claimed,claim,7,8,queued\n";
    assert_eq!(check(Format::DjangoFsmLog, &Reading::default(), django, &[], 2).n_entities, 2);
    let trail = "item_type,item_id,event,object_changes,created_at\nJob,7,create,\"{\"\"state\"\":[null,\"\"queued\"\"]}\",2026-07-01T12:00:00Z\n\
        Task,7,create,\"{\"\"state\"\":[null,\"\"queued\"\"]}\",2026-07-01T12:00:00Z\n";
    assert_eq!(check(Format::PaperTrail, &Reading::default(), trail, &[], 2).n_entities, 2);
}

#[test]
fn keys_inside_of_others_are_columns() {
    let log = "{\"error.type\":null,\"from\":\"queued\",\"to\":\"claimed\",\"span\":{\"job\":{\"id\":7}}}\n\
        {\"error.type\":\"text\",\"from\":\"claimed\",\"event\":\"reclaim\",\"span\":{\"job\":{\"id\":7}}}\n\
        {\"from\":\"claimed\",\"to\":\"queued\",\"span\":{\"job\":{\"id\":7}}}\n{\"from\":\"queued\",\"to\":\"claimed\",\"span\":{\"job\":1}}\n";
    let reading = with("entity=span.job.id,from=from,to=to,event=event,refused=error.type");
    check(Format::Jsonl, &reading, log, &[(3, "audit::step"), (4, "audit::broken")], 3);
}

#[test]
fn a_key_that_is_left_out_is_no_empty_value() {
    let chosen = Reading { only: vec![("machine".into(), "run_job".into())], ..Reading::default() };
    let log = "{\"v\":1,\"machine\":\"run_job\",\"entity\":1,\"from\":\"queued\",\"event\":\"claim\",\"failed\":\"store\"}\n\
        {\"v\":1,\"machine\":\"run_job\",\"entity\":1,\"event\":null,\"to\":\"claimed\"}\n{\"v\":1,\"machine\":\"x\",\"entity\":1}\n\
        {\"v\":2,\"machine\":\"run_job\",\"entity\":1}\n{\"v\":1,\"machine\":\"run_job\",\"entity\":\"\"}\n";
    let outcome = check(Format::Jsonl, &chosen, log, &[(4, "audit::broken"), (5, "audit::broken")], 2);
    assert_eq!((outcome.n_skipped, outcome.levels), (1, [0, 1, 0]));
    assert_eq!((outcome.steps[0].from.as_deref(), outcome.steps[0].n), (Some("queued"), 1));
    // Of other JSON lines, too, and of the attributes of an event log.
    let log = "{\"id\":1,\"new\":\"claimed\"}\n{\"id\":1,\"old\":null,\"new\":\"queued\"}\n{\"id\":1}\n";
    check(Format::Jsonl, &with("entity=id,from=old,to=new"), log, &[(2, "audit::step"), (3, "audit::broken")], 2);
    let xes = "<log><trace><string key=\"concept:name\" value=\"7\"/>\n<event><string key=\"concept:name\" value=\"queued\"/></event>\n<event/></trace></log>";
    check(Format::Xes, &Reading::default(), xes, &[(3, "audit::broken")], 1);
    // The values of an attribute are sorted as times, not as texts.
    let ocel = "{\"objects\":[{\"id\":\"7\",\"type\":\"job\",\"attributes\":[{\"name\":\"status\",\"time\":\"2026-07-01T12:00:00+02:00\",\"value\":\"queued\"},\
        {\"name\":\"status\",\"time\":\"2026-07-01T11:00:00Z\",\"value\":\"claimed\"}]}],\"events\":[]}";
    check(Format::Ocel, &with("to=status"), ocel, &[], 2);
}

#[test]
fn event_logs() {
    let xes = "<?xml version=\"1.0\"?>\n<log xmlns=\"http://www.xes-standard.org/\"><string key=\"concept:name\" value=\"log\"/>\n<trace><string key=\"concept:name\" value=\"7\"/>\n\
        <event><string key=\"concept:name\" value=\"queued\"/><date key=\"time:timestamp\" value=\"2026-07-01T12:00:00.000+00:00\"/></event>\n\
        <event><string key=\"concept:name\" value=\"running\"/><string key=\"lifecycle:transition\" value=\"complete\"/></event>\n\
        <event><string key=\"concept:name\" value=\"x\"/><string key=\"lifecycle:transition\" value=\"start\"/></event></trace></log>";
    check(Format::Xes, &Reading::default(), xes, &[(5, "audit::step")], 2);
    // Activities as events: the states follow.
    let events = xes.replace("\"queued\"", "\"claim\"").replace("\"running\"", "\"claim\"");
    let outcome = check(Format::Xes, &with("event=concept:name"), &events, &[(5, "audit::step")], 2);
    assert_eq!(outcome.findings[0].message, "`claim` leads `7` from `claimed` on, which the graph does not have");
    let ocel = "{\"objectTypes\":[],\"objects\":[\n{\"id\":\"7\",\"type\":\"job\",\"attributes\":[{\"name\":\"status\",\"time\":\"2026-07-01T12:00:00Z\",\"value\":\"queued\"},\n\
        {\"name\":\"status\",\"time\":\"2026-07-01T12:00:01Z\",\"value\":\"failed\"}]},\n{\"id\":\"8\",\"type\":\"order\"}],\n\
        \"events\":[{\"id\":\"e\",\"type\":\"claim\",\"time\":\"2026-07-01T12:00:00Z\",\"relationships\":[{\"objectId\":\"7\",\"qualifier\":\"\"},{\"objectId\":\"8\",\"qualifier\":\"\"}]},\n\
        {\"id\":\"f\",\"type\":\"claim\",\"time\":\"2026-07-01T12:00:01Z\",\"relationships\":[{\"objectId\":\"7\"}]}]}";
    check(Format::Ocel, &with("to=status"), ocel, &[(2, "audit::step")], 2);
    let reading = Reading { only: vec![("type".into(), "job".into())], ..Reading::default() };
    check(Format::Ocel, &reading, ocel, &[(6, "audit::step")], 2);
}

#[test]
fn compressed_files_and_other_json_lines() {
    let text = "{\"job\":7,\"old\":\"queued\",\"new\":\"claimed\"}\n\n{\"job\":7,\"old\":\"claimed\",\"new\":\"queued\"}\n";
    let reading = with("entity=job,from=old,to=new");
    check(Format::Jsonl, &reading, text, STEP, 2);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(found(&run(Format::Jsonl, &reading, &packed).unwrap()), STEP);
    let why = run(Format::Jsonl, &reading, &packed[..packed.len() - 9]).unwrap_err();
    assert!(why.starts_with("it cannot be read beyond line"), "{why}");
}

#[test]
fn regions_are_recorded_as_one_text() {
    let text = "machine: player\nregions:\n  sound: { states: { on: { initial: true }, off: {} } }\n  tape: { states: { stopped: { initial: true }, playing: {} } }\n\
        events: { mute: {}, play: {} }\ntransitions:\n  - { from: on, event: mute, to: off }\n  - { from: stopped, event: play, to: playing }\n";
    let loaded = spec(text);
    let log = "id,from,event,to\n1,on+stopped,mute,off+stopped\n1,off+stopped,play,off+playing\n1,off+playing,play,on+playing\n";
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
    assert_eq!(found(&outcome), [(4, "audit::step")]);
}

#[test]
fn a_table_that_cannot_be_read_says_which_column_is_missing() {
    let why = |format, reading: &Reading, text: &str| run(format, reading, text.as_bytes()).unwrap_err();
    assert_eq!(why(Format::Csv, &with("entity=job,to=new"), "id,new\n"), "there is no column `job`; there are: `id`, `new`");
    assert_eq!(
        why(Format::Csv, &Reading::default(), "id,old\n"),
        "no column is a state or an event: name one with `--columns to=…`; there are: `id`, `old`"
    );
    assert_eq!(why(Format::Csv, &Reading::default(), ""), "the table has no header");
    assert!(why(Format::Xes, &Reading::default(), "<log><trace>").contains("ends in the middle"));
    let outcome = run(Format::Csv, &Reading::default(), b"id,to,at\n1,queued\n2,queued,17\n3,queued,soon\n").unwrap();
    let messages: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the record has 2 values, and the header has 3 columns",
            "`17` is a time as a number: name its unit with `--unit`",
            "`soon` is no time such as `2026-07-01T12:00:00Z`"
        ]
    );
    assert_eq!(
        columns("entity=id,form=x").unwrap_err(),
        format!("`form` is no fact of an attempt; there are: {}", Key::ALL.map(Key::name).join(", "))
    );
}

#[test]
fn what_a_log_says_controls_no_terminal() {
    let log = "id,from,to\n1,queued,\u{1b}[31mred\n\u{202e}2,queued,failed\n";
    let outcome = run(Format::Csv, &Reading::default(), log.as_bytes()).unwrap();
    let loaded = spec(RUN_JOB);
    let text = outcome.text(&loaded.sources, &loaded.model.as_ref().unwrap().machines[0]);
    assert!(outcome.n_findings() == 2 && !text.contains(['\u{1b}', '\u{202e}']), "{text}");
}
