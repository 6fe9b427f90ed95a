//! Bookmark.
//!
//! Two histories of one state, deep and shallow.

::statespec::__emitted!(6);

/// Bookmark.
///
/// Two histories of one state, deep and shallow.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Bookmark {
    state: State,
    context: Context,
}

impl Bookmark {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Bookmark { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Bookmark {
            state: State::INITIAL,
            context: Default::default(),
        }
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: Host + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |_, _, effect, _| match effect {},
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, _) => match effect {}
                ::statespec::__private::Task::Store(change) => {
                    host.store(run.after(), &change).await
                }
            };
            run.done(task, outcome);
        }
        let result = run.finish();
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }
}

impl Default for Bookmark {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Bookmark {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Bookmark {
    type State = State;

    #[inline]
    fn kind(event: &Event) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Shut, Event::OpenPage) if self.context.opened > 3 => {
                Outcome::To(
                    match self.context.part {
                        Some(last) if last.is_in(Composite::Book) => last,
                        _ => State::Cover,
                    },
                    Row::ShutOpenPageToHistory,
                )
            }
            (State::Shut, Event::OpenPage) => {
                Outcome::To(
                    match self.context.page {
                        Some(last) if last.is_in(Composite::Book) => last,
                        _ => State::Cover,
                    },
                    Row::ShutOpenPageToHistory2,
                )
            }
            (State::Shut, Event::OpenPart) => {
                Outcome::To(
                    match self.context.part {
                        Some(last) if last.is_in(Composite::Book) => last,
                        _ => State::Cover,
                    },
                    Row::ShutOpenPart,
                )
            }
            (
                State::Cover
                | State::Begin
                | State::Middle
                | State::End
                | State::FirstNote
                | State::LastNote,
                Event::Again,
            ) => {
                Outcome::To(
                    match self.context.page {
                        Some(last) if last.is_in(Composite::Book) => last,
                        _ => State::Cover,
                    },
                    Row::BookAgain,
                )
            }
            (
                State::Cover
                | State::Begin
                | State::Middle
                | State::End
                | State::FirstNote
                | State::LastNote,
                Event::Lose,
            ) if self.context.part == Some(State::LastNote) => {
                Outcome::To(State::Lost, Row::BookLose)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        _event: &Event,
        _predicates: &(),
    ) {
        match step.row() {
            Row::ShutOpenPageToHistory2 | Row::ShutOpenPart => {
                self.context.opened = self.context.opened.saturating_add(1);
            }
            Row::BookTear => {
                self.context.page = None;
                self.context.opened = 0;
            }
            Row::ShutForget => {
                self.context.part = None;
            }
            _ => {}
        }
        if !matches!(step.row(), Row::BookTear)
            && step.leaves_node(Composite::Book.node())
        {
            self.context.page = step.from();
        }
        if !matches!(step.row(), Row::ShutForget)
            && step.leaves_node(Composite::Book.node())
        {
            self.context.part = step
                .from()
                .map(|from| match from {
                    State::Begin | State::Middle | State::End => State::Begin,
                    State::FirstNote | State::LastNote => State::FirstNote,
                    _ => from,
                });
        }
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `bookmark`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A state of this machine, or `None`.
    pub page: Option<State>,
    /// A state of this machine, or `None`.
    pub part: Option<State>,
    /// A whole number.
    pub opened: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            page: None,
            part: None,
            opened: 0,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `shut` → `book`, where it was last in `part` on `open_page`, when `opened > 3`
    ShutOpenPageToHistory,
    /// `shut` → `book`, where it was last in `page` on `open_page`
    ShutOpenPageToHistory2,
    /// `shut` → `book`, where it was last in `part` on `open_part`
    ShutOpenPart,
    /// `book/cover` → `book/story` on `turn`
    CoverTurn,
    /// `book/story/begin` → `book/story/middle` on `turn`
    BeginTurn,
    /// `book/story/middle` → `book/story/end` on `turn`
    MiddleTurn,
    /// `book/notes/first_note` → `book/notes/last_note` on `turn`
    FirstNoteTurn,
    /// `book/story` → `book/notes` on `skip`
    StorySkip,
    /// `book/notes` → `book/story/end` on `skip`
    NotesSkip,
    /// `book` → `book`, where it was last in `page` on `again`
    BookAgain,
    /// `book` → `shut` on `close`
    BookClose,
    /// `book` → `shut` on `tear`
    BookTear,
    /// `shut` stays on `forget`
    ShutForget,
    /// `book` → `lost` on `lose`, when `part == last_note`
    BookLose,
}

::statespec::__row!(
    pub Row, 14, [ShutOpenPageToHistory, ShutOpenPageToHistory2, ShutOpenPart, CoverTurn,
    BeginTurn, MiddleTurn, FirstNoteTurn, StorySkip, NotesSkip, BookAgain, BookClose,
    BookTear, ShutForget, BookLose]
);

/// The states of a `bookmark`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `shut`.
    Shut,
    /// The state `cover`.
    ///
    /// The default state of `book`.
    Cover,
    /// The state `begin`.
    ///
    /// The default state of `book/story`.
    Begin,
    /// The state `middle`.
    ///
    /// Inside `book/story`.
    Middle,
    /// The state `end`.
    ///
    /// Inside `book/story`.
    End,
    /// The state `first_note`.
    ///
    /// The default state of `book/notes`.
    FirstNote,
    /// The state `last_note`.
    ///
    /// Inside `book/notes`.
    LastNote,
    /// The state `lost`.
    ///
    /// An outcome: the work has ended.
    Lost,
}

::statespec::__unit_enum!(
    pub State, "state", 8, [Shut("shut"), Cover("cover"), Begin("begin"),
    Middle("middle"), End("end"), FirstNote("first_note"), LastNote("last_note"),
    Lost("lost")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Shut;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Leaf(State::Shut),
                    Trigger::Event(EventKind::OpenPage),
                    Target::History(State::Cover),
                )
                .with_guard("opened > 3"),
            Transition::of(
                Source::Leaf(State::Shut),
                Trigger::Event(EventKind::OpenPage),
                Target::History(State::Cover),
            ),
            Transition::of(
                Source::Leaf(State::Shut),
                Trigger::Event(EventKind::OpenPart),
                Target::History(State::Cover),
            ),
            Transition::new(State::Cover, EventKind::Turn, State::Begin),
            Transition::new(State::Begin, EventKind::Turn, State::Middle),
            Transition::new(State::Middle, EventKind::Turn, State::End),
            Transition::new(State::FirstNote, EventKind::Turn, State::LastNote),
            Transition::of(
                Source::In(&[State::Begin, State::Middle, State::End]),
                Trigger::Event(EventKind::Skip),
                Target::To(State::FirstNote),
            ),
            Transition::of(
                Source::In(&[State::FirstNote, State::LastNote]),
                Trigger::Event(EventKind::Skip),
                Target::To(State::End),
            ),
            Transition::of(
                    Source::In(
                        &[
                            State::Cover,
                            State::Begin,
                            State::Middle,
                            State::End,
                            State::FirstNote,
                            State::LastNote,
                        ],
                    ),
                    Trigger::Event(EventKind::Again),
                    Target::History(State::Cover),
                )
                .with_reenter(Composite::Book.node()),
            Transition::of(
                Source::In(
                    &[
                        State::Cover,
                        State::Begin,
                        State::Middle,
                        State::End,
                        State::FirstNote,
                        State::LastNote,
                    ],
                ),
                Trigger::Event(EventKind::Close),
                Target::To(State::Shut),
            ),
            Transition::of(
                Source::In(
                    &[
                        State::Cover,
                        State::Begin,
                        State::Middle,
                        State::End,
                        State::FirstNote,
                        State::LastNote,
                    ],
                ),
                Trigger::Event(EventKind::Tear),
                Target::To(State::Shut),
            ),
            Transition::of(
                Source::Leaf(State::Shut),
                Trigger::Event(EventKind::Forget),
                Target::Stay,
            ),
            Transition::of(
                    Source::In(
                        &[
                            State::Cover,
                            State::Begin,
                            State::Middle,
                            State::End,
                            State::FirstNote,
                            State::LastNote,
                        ],
                    ),
                    Trigger::Event(EventKind::Lose),
                    Target::To(State::Lost),
                )
                .with_guard("part == last_note"),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 8] = &[
            &[
                State::Cover,
                State::Begin,
                State::Middle,
                State::End,
                State::FirstNote,
                State::LastNote,
            ],
            &State::ALL,
            &State::ALL,
            &State::ALL,
            &State::ALL,
            &State::ALL,
            &State::ALL,
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// The events that a transition accepts here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const LISTS: &[&[EventKind]; 8] = &[
            &[EventKind::OpenPage, EventKind::OpenPart, EventKind::Forget],
            &[
                EventKind::Turn,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[
                EventKind::Turn,
                EventKind::Skip,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[
                EventKind::Turn,
                EventKind::Skip,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[
                EventKind::Skip,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[
                EventKind::Turn,
                EventKind::Skip,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[
                EventKind::Skip,
                EventKind::Again,
                EventKind::Close,
                EventKind::Tear,
                EventKind::Lose,
            ],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Lost)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Lost)
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 8] = &[
            None,
            Some(Composite::Book),
            Some(Composite::Story),
            Some(Composite::Story),
            Some(Composite::Story),
            Some(Composite::Notes),
            Some(Composite::Notes),
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 8] = &[
            "shut",
            "book/cover",
            "book/story/begin",
            "book/story/middle",
            "book/story/end",
            "book/notes/first_note",
            "book/notes/last_note",
            "lost",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Book => {
                matches!(
                    self,
                    State::Cover
                    | State::Begin
                    | State::Middle
                    | State::End
                    | State::FirstNote
                    | State::LastNote
                )
            }
            Composite::Story => matches!(self, State::Begin | State::Middle | State::End),
            Composite::Notes => matches!(self, State::FirstNote | State::LastNote),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `book`.
    Book,
    /// The state `story`.
    ///
    /// Inside `book`.
    Story,
    /// The state `notes`.
    ///
    /// Inside `book`.
    Notes,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 3, [Book("book"), Story("story"), Notes("notes")],
    serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 3] = &[State::Cover, State::Begin, State::FirstNote];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 3] = &[
            None,
            Some(Composite::Book),
            Some(Composite::Book),
        ];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, ::statespec::Never> for State {
    type Steps = [::statespec::Step<State>; 1];

    const NODES: &'static [::statespec::__private::Node<::statespec::Never>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Book.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Story.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Story.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Story.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Notes.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Notes.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Book.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Book.node()),
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "bookmark";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events, path);
}

/// An event. No event carries data, so an event is its kind.
pub type Event = EventKind;

impl EventKind {
    /// The event without its payload: itself.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        *self
    }
}

/// The events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `open_page`.
    OpenPage,
    /// The event `open_part`.
    OpenPart,
    /// The event `turn`.
    Turn,
    /// The event `skip`.
    Skip,
    /// The event `again`.
    Again,
    /// The event `close`.
    Close,
    /// The event `tear`.
    Tear,
    /// The event `forget`.
    Forget,
    /// The event `lose`.
    Lose,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 9, [OpenPage("open_page"), OpenPart("open_part"),
    Turn("turn"), Skip("skip"), Again("again"), Close("close"), Tear("tear"),
    Forget("forget"), Lose("lose")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Bookmark, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Bookmark,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
