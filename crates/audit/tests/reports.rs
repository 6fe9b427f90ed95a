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

#[test]
fn names_that_the_spec_lacks_are_declared() {
    let loaded = spec(JOB);
    let log = "id,from,event,to\n1,queued,claim,on hold\n1,on hold,wake up,queued\n2,claimed,finish,failed\n";
    let options = Options { cut: true, ..Options::default() };
    let outcome = audit(&loaded, Format::Csv, &Reading::default(), options, log.as_bytes()).unwrap();
    insta::assert_snapshot!(outcome.patch(&loaded.model.as_ref().unwrap().machines[0]));
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
    };
    for dialect in Dialect::ALL {
        insta::assert_snapshot!(dialect.name(), sql(machine, &BTreeMap::new(), dialect, &query).unwrap());
    }
}
