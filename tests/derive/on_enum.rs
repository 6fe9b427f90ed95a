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

/// An enum that has methods of these names already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("tests/ui/specs/job.yaml", skip(allows, is_terminal, is_sink, label, doc), prefix = "Kept")]
enum Kept {
    Queued,
    Running,
    InReview,
    Done,
}

impl Kept {
    fn is_terminal(&self) -> &'static str {
        if *self == Kept::Done { "yes" } else { "no" }
    }

    fn is_sink(&self) -> &'static str {
        self.is_terminal()
    }

    fn allows(&self, to: &Kept) -> &'static str {
        if self == to { "itself" } else { "perhaps" }
    }

    fn label(&self) -> usize {
        self.index()
    }

    fn doc(&self) -> usize {
        self.index()
    }
}

#[test]
fn methods_of_the_user_take_the_place_of_skipped_ones_and_the_trait_has_those_of_the_spec() {
    assert_eq!((Kept::Done.is_terminal(), Kept::Queued.is_sink(), Kept::Queued.allows(&Kept::Queued)), ("yes", "no", "itself"));
    assert_eq!((Kept::Done.label(), Kept::Done.doc()), (3, 3));
    assert!(
        statespec::State::is_terminal(Kept::Done) && statespec::State::is_sink(Kept::Done) && !statespec::State::is_terminal(Kept::Queued)
    );
    assert!(statespec::State::allows(Kept::Queued, Kept::Running) && !statespec::State::allows(Kept::Queued, Kept::Done));
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

/// An enum alone, of a machine whose guards read a context: the context is emitted, and stored where the owner likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, StateMachine)]
#[machine("tests/ui/specs/job.yaml", context, serde)]
enum Step {
    Done,
    Queued,
    #[machine(rename = "running")]
    Working,
    InReview,
}

#[test]
fn an_enum_changes_with_a_borrowed_context() {
    let (mut step, mut context) = (Step::INITIAL, StepContext::<String>::default());
    let change: StepChange = step.apply(&mut context, StepEvent::Start).unwrap();
    assert_eq!((change.to(), step, context.attempts), (Step::Working, Step::Working, 1));
    assert_eq!(step.plan(&context, StepEvent::Fail { cause: "no network" }).unwrap().to(), Step::Queued);
    assert_eq!((step, &context.last_error), (Step::Working, &None), "a plan changes nothing");
    context.attempts = 4;
    let before = context.clone();
    assert!(step.apply(&mut context, StepEvent::Fail { cause: "again" }).is_err(), "the guard reads the context");
    assert_eq!((step, &context), (Step::Working, &before), "a refusal changes nothing");
}

#[test]
fn the_machine_around_an_enum_is_a_machine_like_any_other() {
    let mut machine = StepMachine::<String>::new();
    machine.apply(StepEvent::Start).unwrap();
    machine.apply(StepEvent::Fail { cause: "no network" }).unwrap();
    let text = serde_json::to_string(&machine).unwrap();
    assert_eq!(
        text, r#"{"state":"queued","context":{"attempts":1,"last_error":"no network","ratio":"1","lane":"slow"}}"#,
        "the enum is written by the names of the spec, though it has no serde itself"
    );
    assert_eq!(serde_json::from_str::<StepMachine<String>>(&text).unwrap(), machine);
}
