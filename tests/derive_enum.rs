//! The derive together with other derives on the same enum.

use statespec::{Named, StateMachine};

/// An enum that sqlx stores as a number, serde serializes and strum iterates.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    strum::EnumIter,
    strum::Display,
    strum::EnumString,
    StateMachine,
)]
#[machine("tests/ui/specs/job.yaml", skip(display, from_str), prefix = "Job", derive(EventKind(serde::Serialize)))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[repr(i16)]
enum Status {
    Queued = 10,
    #[serde(rename = "running")]
    #[strum(serialize = "running")]
    Working = 20,
    InReview = 30,
    Done = 99,
}

#[test]
fn other_derives_keep_working() {
    use strum::IntoEnumIterator;
    assert_eq!(serde_json::to_string(&Status::ALL).unwrap(), r#"["queued","running","in-review","done"]"#);
    assert_eq!(serde_json::from_str::<Status>("\"in-review\"").unwrap(), Status::InReview);
    assert_eq!(Status::iter().collect::<Vec<_>>(), Status::ALL);
    assert_eq!(Status::InReview.to_string(), Status::InReview.name());
    assert_eq!("done".parse::<Status>().unwrap(), Status::parse("done").unwrap());
    assert_eq!(serde_json::to_string(&Status::Queued.events()).unwrap(), "[\"Start\"]");
    assert_eq!(Status::Done as i16, 99);
    assert!(Status::Queued.allows(Status::Working) && !Status::Queued.allows(Status::Done));
    assert!(Status::Done.is_terminal() && Status::Done.is_sink());
}

/// Without the option for names, the enum uses the names of the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("tests/ui/specs/door.yaml", names(EventKind = "Push"))]
enum Door {
    Locked,
    #[machine(rename = "closed")]
    Shut,
    Open,
}

#[test]
fn an_enum_without_a_context_is_the_machine() {
    let mut door = Door::INITIAL;
    assert_eq!(door.apply(Push::Push).unwrap().to(), Door::Shut);
    assert!(door.is_in(DoorComposite::Shut));
    assert_eq!(door.apply(Push::Turn).unwrap().to_string(), "closed → locked");
    assert_eq!((door.to_string(), door.path()), ("locked".to_owned(), "shut/locked"));
    assert_eq!(door.apply(Push::Push).unwrap().to(), Door::Open);
    assert_eq!(door.apply(Push::Turn).unwrap_err().to_string(), "`turn` is refused in `open`: allowed here is `push`");
    assert_eq!((door, Door::ALL.map(Named::index)), (Door::Open, [0, 1, 2]));
}
