//! A struct and an enum of the user that follow one machine: the enum has the states, the struct has the context.

use statespec::{State, StateMachine};

/// The owner's enum: other names, another order, numbers, and the derives of other crates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, StateMachine)]
#[machine("tests/ui/specs/job.yaml")]
#[serde(rename_all = "kebab-case")]
#[repr(i16)]
enum Status {
    Done = 99,
    Queued = 10,
    #[serde(rename = "running")]
    Working = 20,
    InReview = 30,
}

#[derive(Debug, Clone, StateMachine)]
#[machine("tests/ui/specs/job.yaml", typestate)]
struct Job {
    #[machine(state)]
    status: Status,
    attempts: i64,
    last_error: Option<String>,
    ratio: statespec::Decimal,
    lane: StatusLane,
    /// Of the owner.
    id: u32,
}

#[test]
fn the_struct_moves_the_enum() {
    let mut job = Job::new(7);
    assert_eq!((job.status, job.attempts, job.lane, job.id), (Status::Queued, 0, StatusLane::Slow, 7));
    let change = job.apply(StatusEvent::Start).unwrap();
    assert_eq!((change.from(), change.to(), job.attempts), (Some(Status::Queued), Status::Working, 1));
    job.apply(StatusEvent::Fail { cause: "no network" }).unwrap();
    assert_eq!((job.status, job.last_error.as_deref()), (Status::Queued, Some("no network")));
    let refused: StatusRefused = job.apply(StatusEvent::Finish).unwrap_err();
    assert_eq!(refused.to_string(), "`finish` is refused in `queued`: allowed here is `start`");
    job.attempts = 3;
    job.apply(StatusEvent::Start).unwrap();
    assert_eq!(job.attempts, 4);
    assert!(job.apply(StatusEvent::Fail { cause: "again" }).is_err(), "the guard reads the struct");
    assert_eq!((job.status as i16, job.status.name()), (20, "running"));
    assert_eq!(serde_json::to_string(&job.status).unwrap(), "\"running\"");
    assert_eq!(job.ratio, statespec::decimal(1, 0));
}

#[test]
fn the_enum_has_the_graph() {
    assert!(Status::Queued.allows(Status::Working) && !Status::Queued.allows(Status::Done));
    assert_eq!(Status::ALL.map(State::is_sink), [false, false, false, true]);
}

#[test]
fn the_struct_has_the_typestate() {
    let job = StatusIn::<status_states::Queued>::check(Job::new(1)).expect("a job begins queued");
    assert_eq!(job.start().finish().into_machine().status, Status::InReview);
}
