//! The report for people, the rows that the spec lacks, numbers of rows, and the statement of SQL.

use std::collections::BTreeMap;

use statespec_audit::{Audit, Dialect, Format, Options, Query, Reading, sql};

use crate::support::{JOB, RUN_JOB, Random, audit, found, spec};

const LOG: &str = r#"{"v":1,"entity":17,"at":"2026-07-01T12:00:00Z","from":"queued","event":"claim","to":"claimed","payload":{"until":"2026-07-01T12:00:30Z"},"context":{"lease_expires_at":null}}
{"v":1,"entity":18,"at":"2026-07-01T12:00:01Z","from":"queued","event":null,"to":"claimed"}
{"v":1,"entity":17,"at":"2026-07-01T12:00:02Z","from":"claimed","event":null,"to":"running","context":{"lease_expires_at":"2026-07-01T12:00:30Z"}}
{"v":1,"entity":18,"at":"2026-07-01T12:00:03.5Z","from":"claimed","event":null,"to":"complete"}
{"v":1,"entity":17,"at":"2026-07-01T12:00:10Z","from":"running","event":"reclaim","to":"claimed","payload":{"now":"2026-07-01T12:00:10Z"},"context":{"lease_expires_at":"2026-07-01T12:00:30Z"}}
{"v":1,"entity":19,"at":"2026-07-01T12:00:11Z","from":"queued","event":null,"to":"failed"}
{"v":1,"machine":"order","entity":19,"from":"a","to":"b"}
"#;

#[test]
fn the_report_for_people() {
    let loaded = spec(RUN_JOB);
    let options = Options { others: ["order".to_owned()].into(), ..Options::default() };
    let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), options, LOG.as_bytes()).unwrap();
    insta::assert_snapshot!(outcome.text(&loaded.sources, &loaded.model.as_ref().unwrap().machines[0]));
}

#[test]
fn the_spec_with_the_rows_that_it_lacks_has_every_step() {
    let states = ["queued", "claimed", "running", "complete", "failed"];
    for seed in 0..50 {
        let mut random = Random(seed);
        let mut log = String::from("id,from,to\n");
        for entity in 0..20 {
            let mut at = "queued";
            for _ in 0..random.below(6) {
                let to = states[random.below(states.len())];
                log.push_str(&format!("{entity},{at},{to}\n"));
                at = to;
            }
        }
        let loaded = spec(RUN_JOB);
        let outcome = audit(&loaded, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
        assert!(outcome.counts.keys().all(|it| it.id() == "audit::step"));
        let patch = outcome.patch(&loaded.model.as_ref().unwrap().machines[0]);
        let rows = patch.strip_prefix("transitions:\n").unwrap_or("");
        assert_eq!(rows.is_empty(), outcome.findings.is_empty());
        let patched = spec(&RUN_JOB.replace("notes:\n", &format!("{rows}notes:\n")));
        let again = audit(&patched, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
        assert_eq!(found(&again), [], "{seed}:\n{rows}\n{log}");
    }
}

/// A spec with the lines of a patch in its lists.
fn patched(spec: &str, patch: &str) -> String {
    let mut text = spec.to_owned();
    let mut head = "";
    for line in patch.lines() {
        match line {
            "states:" | "events:" | "transitions:" => head = line,
            line if line.starts_with('#') => {}
            line => text = text.replacen(&format!("\n{head}\n"), &format!("\n{head}\n{line}\n"), 1),
        }
    }
    text
}

#[test]
fn a_history_of_other_words_is_that_of_the_spec_with_the_lines_that_it_lacks() {
    let words = ["queued", "on hold", "on-hold", "1st", "claimed", "C+ +", "on or off", "übrig"];
    let mut n_rows = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let with_births = random.below(2) == 0;
        let mut log = String::from("id,from,event,to\n");
        for entity in 0..12 {
            let mut at = if with_births { random.below(words.len()) } else { 0 };
            if with_births {
                log.push_str(&format!("{entity},,,{}\n", words[at]));
            }
            for _ in 0..random.below(5) {
                let to = random.below(words.len());
                // One event for each pair, so that no row needs a guard; half of the words are no names.
                let mark = if (at + to).is_multiple_of(2) { "!" } else { "" };
                log.push_str(&format!("{entity},{},{at} to {to}{mark},{}\n", words[at], words[to]));
                at = to;
            }
        }
        let loaded = spec(JOB);
        let outcome = audit(&loaded, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
        let patch = outcome.patch(&loaded.model.as_ref().unwrap().machines[0]);
        assert!(!patch.contains('\n') || !patch.contains("# no row"), "{patch}");
        n_rows += patch.lines().filter(|it| it.starts_with("  - ")).count();
        let again = audit(&spec(&patched(JOB, &patch)), Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
        assert_eq!(found(&again), [], "{seed}:\n{patch}\n{log}");
    }
    assert!(n_rows > 300, "{n_rows}");
}

#[test]
fn names_that_the_spec_lacks_are_declared() {
    let loaded = spec(JOB);
    let log = "id,from,event,to\n1,queued,claim,on hold\n1,on hold,wake up,queued\n2,claimed,finish,failed\n";
    let options = Options { cut: true, ..Options::default() };
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), options, log.as_bytes()).unwrap();
    insta::assert_snapshot!(outcome.patch(&loaded.model.as_ref().unwrap().machines[0]));
}

#[test]
fn a_patch_declares_what_it_names_and_leaves_out_nothing_silently() {
    // Words that would be one name, names that are there already, births without an event, and steps that no row follows from.
    let log = "id,from,event,to\n1,,,claimed\n2,,,a b\n2,a b,go,a-b\n2,a-b,1st,a b\n3,claimed,,C++\n4,queued,finish,\n";
    let loaded = spec(&JOB.replace("events:\n", "events:\n  create_claimed: { by: clerk }\n"));
    let machine = &loaded.model.as_ref().unwrap().machines[0];
    let options = Options { cut: false, ..Options::default() };
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), options.clone(), log.as_bytes()).unwrap();
    insta::assert_snapshot!(outcome.patch(machine));
    let log = "{\"v\":1,\"entity\":1,\"event\":\"claim\"}\n{\"v\":1,\"entity\":1,\"event\":\"claim\"}\n";
    let outcome = audit(&loaded, Format::Jsonl, &Reading::default(), options, log.as_bytes()).unwrap();
    let expected = "# no row for claimed --claim--> claimed, 1 time, first at log:2: no record says the state after\n";
    assert_eq!(outcome.patch(machine), expected);
}

#[test]
fn a_patch_of_regions_has_the_region_that_changes() {
    let loaded = spec(
        "machine: player\nregions:\n  sound: { states: { on: { initial: true }, off: {} } }\n  tape: { states: { stopped: { initial: true }, playing: {} } }\n\
         events: { mute: {}, play: {} }\ntransitions:\n  - { from: on, event: mute, to: off }\n  - { from: stopped, event: play, to: playing }\n",
    );
    let log = "id,from,event,to\n1,on+stopped,mute,off+stopped\n1,off+stopped,mute,on+stopped\n1,on+stopped,play,off+playing\n1,off+playing,play,off+stopped\n";
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
    insta::assert_snapshot!(outcome.patch(&loaded.model.as_ref().unwrap().machines[0]));
}

#[test]
fn a_predicate_that_no_record_answers_leaves_the_row_open() {
    let loaded = spec(
        "machine: door\nstates: { shut: { initial: true }, open: {} }\nevents: { push: {}, pull: {} }\npredicates: { strong: { doc: x }, kind: { doc: y } }\n\
         transitions:\n  - { from: shut, event: push, when: strong, to: open }\n  - { from: shut, event: push, to: open }\n  \
         - { from: open, event: pull, when: kind, to: shut }\n  - { from: open, event: pull }\n",
    );
    let log = "id,from,event,to\n1,shut,push,open\n1,open,pull,shut\n1,shut,push,open\n1,open,pull,open\n";
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), Options::default(), log.as_bytes()).unwrap();
    assert_eq!((found(&outcome), outcome.levels), (vec![], [0, 0, 4]));
    let counts: Vec<(u64, u64)> = outcome.seen.values().map(|it| (it.certain, it.at_most)).collect();
    assert_eq!(counts, [(0, 2), (0, 2), (1, 0), (1, 0)]);
}

#[test]
fn several_files_keep_their_own_lines() {
    let loaded = spec(RUN_JOB);
    let mut audit = Audit::new(&loaded.model.as_ref().unwrap().machines[0], Options::default()).unwrap();
    let reading = Reading::default();
    audit.read("a.csv", Format::Csv, &reading, &b"id,from,to\n1,queued,claimed\n"[..]).unwrap();
    audit.read("b.csv", Format::Csv, &reading, &b"id,from,to\n2,queued,claimed\n1,running,complete\n"[..]).unwrap();
    let outcome = audit.finish();
    let finding = &outcome.findings[0];
    assert_eq!((finding.place.file.as_str(), finding.place.line), ("b.csv", 3));
    let (related, _) = finding.related.as_ref().unwrap();
    assert_eq!((related.file.as_str(), related.line), ("a.csv", 2));
    assert_eq!(finding.message, "a record of `1` is missing: it was in `claimed`, and this one begins in `running`");
}

#[test]
fn histories_that_begin_anywhere() {
    let loaded = spec(RUN_JOB);
    let log = b"id,from,to\n1,running,complete\n2,running,queued\n";
    let run = |cut| audit(&loaded, Format::Csv, &Reading::default(), Options { cut, ..Options::default() }, log).unwrap();
    assert_eq!(found(&run(false)), [(2, "audit::gap"), (3, "audit::gap")]);
    assert_eq!(found(&run(true)), [(3, "audit::step")]);
}

#[test]
fn statements_of_sql() {
    let loaded = spec(RUN_JOB);
    let machine = &loaded.model.as_ref().unwrap().machines[0];
    let query = Query {
        table: "public.history".into(),
        entity: vec!["tenant".into(), "id".into()],
        order: vec!["at".into(), "n".into()],
        from: Some("old".into()),
        to: "new".into(),
        machine: Some("kind".into()),
        only: vec![("region".into(), "it's".into())],
    };
    let values = BTreeMap::from([(machine.state_named("queued").unwrap(), vec!["pending".to_owned()])]);
    for dialect in Dialect::ALL {
        insta::assert_snapshot!(dialect.name(), sql(machine, &values, dialect, &query).unwrap());
    }
}
