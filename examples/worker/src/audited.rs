//! What the observer `Tracing` logs of jobs, as JSON, against the graph: it is a history like any other.

use std::io::Write;
use std::sync::{Arc, Mutex};

use statespec::{Attempt, Duration, Machine as _, Observer as _, Timestamp, Tracing};
use statespec_audit::{Audit, Format, Options, Reading, columns};
use statespec_lang::lower::load;
use statespec_lang::source::Input;
use statespec_machines::run_job::{Event, RunJob, State};

/// Where `tracing_subscriber` writes the facts of an attempt.
const COLUMNS: &str = "entity=span.id,at=timestamp,machine=machine,from=from,to=to,event=event,refused=error.type";

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Two jobs; the worker of the first one dies, and another one takes over. The span says which job it is.
fn run() {
    let now: Timestamp = "2026-07-01T12:00:00Z".parse().expect("a time");
    let (lease, later) = (now + Duration::from_seconds(1), now + Duration::from_seconds(2));
    let raise = |job: &mut RunJob, event: Event| drop(job.apply_observed(&event, &(), &mut Tracing));
    let go = |job: &mut RunJob, to: State| Tracing.observe(&Attempt::of_step(None, None, &job.transition_to(to)));
    for (id, ends) in [(1, State::Complete), (2, State::Failed)] {
        let _span = tracing::info_span!("job", id).entered();
        let mut job = RunJob::new();
        raise(&mut job, Event::Claim { until: lease });
        go(&mut job, State::Running);
        if id == 1 {
            raise(&mut job, Event::Reclaim { now });
            raise(&mut job, Event::Reclaim { now: later });
            raise(&mut job, Event::Renew { until: later });
            go(&mut job, State::Running);
        }
        go(&mut job, ends);
    }
}

#[test]
fn the_log_of_an_observer_is_a_history_of_its_spec() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, run);
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
