//! The options of the derive on a struct: fields of its own, other names, other places.

use statespec::{FromLiteral, Reason, StateMachine};

/// A job with more fields than the spec has.
#[derive(Debug, Clone, PartialEq, StateMachine)]
#[machine(
    "tests/ui/specs/job.yaml",
    prefix = "Job",
    names(State = "Phase", Event = "Happening"),
    derive(State(strum::EnumIter), Event(PartialOrd))
)]
struct Job {
    id: u32,
    #[machine(state)]
    phase: Phase,
    #[machine(rename = "attempts")]
    tries: i64,
    last_error: Option<Box<str>>,
    ratio: statespec::Decimal,
    lane: JobLane,
    tags: Vec<&'static str>,
}

#[test]
fn fields_are_the_context() {
    let mut job = Job::new(7, vec!["own"]);
    assert_eq!((job.state(), job.tries, job.ratio, job.lane), (Phase::Queued, 0, 1.into(), JobLane::Slow));
    for round in 1..=3 {
        job.apply(Happening::Start).unwrap();
        assert_eq!(job.tries, round);
        if round < 3 {
            assert_eq!(job.apply(Happening::Fail { cause: "no disk" }).unwrap().to(), Phase::Queued);
        }
    }
    let before = job.clone();
    assert_eq!(job.apply(Happening::Fail { cause: "again" }).unwrap_err().reason(), Reason::Guard);
    assert_eq!(job, before);
    assert_eq!((job.id, job.last_error.as_deref(), job.tags.as_slice()), (7, Some("no disk"), ["own"].as_slice()));
    use strum::IntoEnumIterator;
    assert_eq!(Phase::iter().count(), 4);
    assert!(Happening::<&str>::Start < Happening::Finish);
}

/// The context has a field called `state` as well; both fields are of one type.
#[derive(Debug, Clone, PartialEq, StateMachine)]
#[machine("tests/ui/specs/visit.yaml")]
struct Visit {
    #[machine(rename = "state")]
    other: VisitState,
    state: VisitState,
}

#[test]
fn a_renamed_field_leaves_its_name_to_the_state() {
    let mut visit = Visit::new();
    visit.apply(VisitEvent::Move).unwrap();
    visit.apply(VisitEvent::Move).unwrap();
    assert_eq!((visit.state(), visit.other), (VisitState::Here, VisitState::There));
}

/// Types of the user's that have the same names as emitted ones.
mod own_names {
    use super::{FromLiteral, StateMachine};

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct State(pub(super) u8);
    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Event;
    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Option {}
    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Text(String);

    impl<'t> From<&'t str> for Text {
        fn from(text: &'t str) -> Self {
            Text(text.to_owned())
        }
    }

    impl AsRef<str> for Text {
        fn as_ref(&self) -> &str {
            &self.0
        }
    }

    #[derive(Debug, Clone, PartialEq, StateMachine)]
    #[machine("tests/ui/specs/job.yaml")]
    pub(super) struct Machine {
        pub(super) state: MachineState,
        pub(super) attempts: i64,
        pub(super) last_error: std::option::Option<Text>,
        pub(super) ratio: statespec::Decimal,
        pub(super) lane: MachineLane,
        pub(super) inner: State,
        pub(super) log: Vec<Event>,
        pub(super) never: Vec<Option>,
    }

    pub(super) fn text(text: &'static str) -> Text {
        FromLiteral::from_literal(text)
    }
}

#[test]
fn the_user_s_own_types_keep_their_names() {
    use own_names::{Event, Machine, MachineEvent, State, text};
    let mut machine = Machine::new(State(3), vec![Event], Vec::new());
    machine.apply(MachineEvent::Start).unwrap();
    machine.apply(MachineEvent::Fail { cause: "x" }).unwrap();
    assert_eq!((machine.last_error, machine.inner, machine.log), (Some(text("x")), State(3), vec![Event]));
}

/// The façade under another name, in a function, without the optional items.
#[test]
fn a_derive_stands_anywhere() {
    use statespec as renamed;
    let _ = renamed::Duration::ZERO;

    mod again {
        pub(super) use statespec::*;
    }

    #[derive(Debug, StateMachine)]
    #[machine("tests/ui/specs/door.yaml", crate = "again", vis = "pub(self)", skip(new, run))]
    struct Door {
        state: DoorState,
    }

    impl Door {
        fn new() -> Self {
            Door { state: DoorState::INITIAL }
        }
    }

    let mut door = Door::new();
    assert_eq!(door.apply(DoorEvent::Push).unwrap().to(), DoorState::Closed);
}

/// A type for each state.
#[derive(Debug, Clone, PartialEq, StateMachine)]
#[machine("tests/ui/specs/job.yaml", typestate, prefix = "Typed")]
struct TypedJob {
    state: TypedState,
    attempts: i64,
    last_error: Option<String>,
    ratio: statespec::Decimal,
    lane: TypedLane,
}

#[test]
fn states_can_be_types() {
    use typed_states::{Done, Queued, Running};
    let queued = TypedIn::<Queued>::check(TypedJob::new()).expect("it begins queued");
    let running: TypedIn<Running> = queued.start();
    assert_eq!((running.machine().attempts, running.machine().state()), (1, TypedState::Running));
    assert_eq!(running.change().map(|it| it.to_string()).as_deref(), Some("queued → running"));
    let done: TypedIn<Done> = running.finish().finish();
    let job = done.into_machine();
    assert_eq!(TypedIn::<Running>::check(job.clone()).unwrap_err(), job);
    assert_eq!(size_of::<Running>(), 0);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("machines/agent_run.yaml", typestate)]
enum Run {
    Queued,
    Running,
    Correcting,
    Optimizing,
    Validating,
    Complete,
    Failed,
    Cancelled,
}

#[test]
fn states_of_an_enum_can_be_types() {
    let run = RunIn::<run_states::Queued>::check(Run::INITIAL).unwrap();
    let failed = run.to_running().to_failed();
    assert_eq!(failed.resume().into_machine(), Run::Queued);
}
