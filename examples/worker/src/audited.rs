//! The log of this program, as JSON, against the graph: it is a history like any other.

use statespec_audit::{Audit, Format, Options, Reading, columns};
use statespec_lang::lower::load;
use statespec_lang::source::Input;

use crate::tests::Log;

/// Where `tracing_subscriber` writes the facts of an attempt.
const COLUMNS: &str = "entity=span.id,at=timestamp,machine=machine,from=from,to=to,event=event,refused=error.type";

#[tokio::test]
async fn the_history_of_this_program_is_one_of_its_spec() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || writer.clone()).finish();
    {
        let _guard = tracing::subscriber::set_default(subscriber);
        crate::run().await;
    }
    let log = String::from_utf8(log.0.lock().expect("nobody panicked").clone()).expect("a log is text");

    let text = include_str!("../../../machines/run_job.yaml");
    let loaded = load(&[Input { path: "machines/run_job.yaml".into(), text: text.into() }]);
    let machine = &loaded.model.as_ref().expect("the spec is right").machines[0];
    let reading = Reading { columns: columns(COLUMNS).expect("columns"), ..Reading::default() };
    let audited = |log: &str| {
        let mut audit = Audit::new(machine, Options::default()).expect("the machine is small");
        audit.read("log", Format::Jsonl, &reading, log.as_bytes()).expect("the log can be read");
        audit.finish()
    };
    let outcome = audited(&log);
    assert_eq!(outcome.n_findings(), 0, "{}", outcome.text(&loaded.sources, machine));
    assert_eq!((outcome.n_records, outcome.n_entities), (10, 2), "{log}");
    // Without the record of the worker that took over, the history has a gap.
    let cut: String = log.split_inclusive('\n').filter(|it| !it.contains(r#""to":"claimed","event":"reclaim""#)).collect();
    let found: Vec<&str> = audited(&cut).findings.iter().map(|it| it.code.id()).collect();
    assert_eq!(found, ["audit::gap"], "{cut}");
}
