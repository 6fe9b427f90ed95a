//! A ferry with timers.
//!
//! Only payloads have references, so nothing determines their type where a timer elapses.

::statespec::__emitted!(6);

/// A ferry with timers.
///
/// Only payloads have references, so nothing determines their type where a timer elapses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Ferry {
    state: State,
}

impl Ferry {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Ferry { state }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Ferry { state: State::INITIAL }
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<R: Copy + PartialEq>(
        &self,
        event: Event<&str, R>,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<R: Copy + PartialEq>(
        &mut self,
        event: Event<&str, R>,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
    ///
    /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
    #[inline]
    pub fn replay<R: Copy + PartialEq>(
        &mut self,
        event: Recorded<&str, R>,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<R: Copy + PartialEq, H: Host + ?Sized>(
        &mut self,
        event: Event<&str, R>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        self.run_by(From::from(event), host)
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub fn run_due<H: Host + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<Result<Change, ::statespec::RunError<State, <H as Host>::Error>>> {
        let (event, timer, _): (Recorded<&str, u64>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by(event, host);
        timers.after_run(timer, &result, now);
        Some(result)
    }

    fn run_by<R: Copy + PartialEq, H: Host + ?Sized>(
        &mut self,
        event: Recorded<&str, R>,
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
    pub async fn run_async<R: Copy + PartialEq, H: AsyncHost + ?Sized>(
        &mut self,
        event: Event<&str, R>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        self.run_by_async(From::from(event), host).await
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub async fn run_due_async<H: AsyncHost + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>>> {
        let (event, timer, _): (Recorded<&str, u64>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by_async(event, host).await;
        timers.after_run(timer, &result, now);
        Some(result)
    }

    async fn run_by_async<R: Copy + PartialEq, H: AsyncHost + ?Sized>(
        &mut self,
        event: Recorded<&str, R>,
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

    /// The timers of the current state, each with the time after which it elapses, from the moment when its state was
    /// entered.
    pub fn timers(
        &self,
    ) -> impl ::core::iter::Iterator<Item = (EventKind, ::statespec::Duration)> + '_ {
        ::statespec::__private::running(self)
    }
}

impl Default for Ferry {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e, R: Copy + PartialEq> ::statespec::__private::Input<Event<&'e str, R>>
for Ferry {
    type Recorded = Recorded<&'e str, R>;
}

impl<'e, R: Copy + PartialEq> ::statespec::__private::Input<Recorded<&'e str, R>>
for Ferry {
    type Recorded = Recorded<&'e str, R>;
}

impl<R: Copy + PartialEq> ::statespec::__private::Dispatch<Recorded<&str, R>, ()>
for Ferry {
    type State = State;

    #[inline]
    fn kind(event: &Recorded<&str, R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// The rows: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn decide(
        &self,
        event: &Recorded<&str, R>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        ::statespec::__table!(State, EventKind, Row, [])
            .on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        _event: &Recorded<&str, R>,
        _predicates: &(),
    ) {
        self.state = step.to();
    }
}

impl ::statespec::__private::Durations for Ferry {
    type Of = State;

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    fn after(
        &self,
        timer: EventKind,
    ) -> Result<Option<::statespec::Duration>, ::statespec::OutOfRange> {
        Ok(
            match timer {
                EventKind::MooredTimeout => Some(::statespec::Duration::from_minutes(10)),
                EventKind::CrossingTimeout => {
                    Some(::statespec::Duration::from_minutes(5))
                }
                _ => None,
            },
        )
    }
}

impl<'e> ::statespec::__private::Elapses<Recorded<&'e str, u64>> for Ferry {
    fn elapsed(timer: EventKind) -> Option<Recorded<&'e str, u64>> {
        match timer {
            EventKind::MooredTimeout => Some(Recorded::MooredTimeout),
            EventKind::CrossingTimeout => Some(Recorded::CrossingTimeout),
            _ => None,
        }
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The running timers of a machine, with the moments at which they started.
pub type Timers = ::statespec::Timers<State, 2>;

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `moored` stays on `board`
    MooredBoard,
    /// `moored` → `crossing` on `moored_timeout`
    MooredTimeout,
    /// `crossing` → `moored` on `crossing_timeout`
    CrossingTimeout,
}

::statespec::__row!(pub Row, 3, [MooredBoard, MooredTimeout, CrossingTimeout]);

/// The states of a `ferry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Passengers board.
    Moored,
    /// On the water.
    Crossing,
}

::statespec::__unit_enum!(
    pub State, "state", 2, [Moored("moored"), Crossing("crossing")], serde
);

impl State {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Passengers board.", "On the water."];
        TEXTS[self as usize]
    }
}

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Moored;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Leaf(State::Moored),
                    Trigger::Event(EventKind::Board),
                    Target::Stay,
                )
                .with_doc("Another passenger."),
            Transition::new(State::Moored, EventKind::MooredTimeout, State::Crossing),
            Transition::new(State::Crossing, EventKind::CrossingTimeout, State::Moored),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Crossing], &[State::Moored]];
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
        const LISTS: &[&[EventKind]; 2] = &[
            &[EventKind::Board, EventKind::MooredTimeout],
            &[EventKind::CrossingTimeout],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
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
            parent: None,
            entry: &[],
            exit: &[],
        },
    ];

    const TIMERS: &'static [::statespec::__private::Timer<EventKind>] = &[
        ::statespec::__private::Timer::new(
            EventKind::MooredTimeout,
            &[State::Moored as u32],
        ),
        ::statespec::__private::Timer::new(
            EventKind::CrossingTimeout,
            &[State::Crossing as u32],
        ),
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "ferry";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events);
}

/// An event that a caller can raise, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str, R = u64> {
    /// The event `board`.
    Board {
        /// The key of an object outside the machine.
        passenger: R,
        /// A text.
        name: Text,
    },
}

impl<Text, R> Event<Text, R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Board { .. } => EventKind::Board,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Event<Text, R> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str, R> {
        match self {
            Event::Board { passenger, name } => {
                Event::Board {
                    passenger: *passenger,
                    name: AsRef::as_ref(name),
                }
            }
        }
    }
}

/// What has happened, as a history records it: an event with the data that it carries, or a timer that has elapsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Recorded<Text = &'static str, R = u64> {
    /// See [`Event::Board`].
    Board {
        /// The key of an object outside the machine.
        passenger: R,
        /// A text.
        name: Text,
    },
    /// The timer `moored_timeout`: after 10m.
    MooredTimeout,
    /// The timer `crossing_timeout`: after 5m.
    CrossingTimeout,
}

impl<Text, R> Recorded<Text, R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Recorded::Board { .. } => EventKind::Board,
            Recorded::MooredTimeout => EventKind::MooredTimeout,
            Recorded::CrossingTimeout => EventKind::CrossingTimeout,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Recorded<Text, R> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Recorded<&str, R> {
        match self {
            Recorded::Board { passenger, name } => {
                Recorded::Board {
                    passenger: *passenger,
                    name: AsRef::as_ref(name),
                }
            }
            Recorded::MooredTimeout => Recorded::MooredTimeout,
            Recorded::CrossingTimeout => Recorded::CrossingTimeout,
        }
    }
}

impl<Text, R> From<Event<Text, R>> for Recorded<Text, R> {
    #[inline]
    fn from(event: Event<Text, R>) -> Self {
        match event {
            Event::Board { passenger, name } => Recorded::Board { passenger, name },
        }
    }
}

/// The names of the events and of the timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Board`].
    Board,
    /// The timer `moored_timeout`: after 10m.
    MooredTimeout,
    /// The timer `crossing_timeout`: after 5m.
    CrossingTimeout,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 3, [Board("board"), MooredTimeout("moored_timeout"),
    CrossingTimeout("crossing_timeout")], serde
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["board", "after 10m", "after 5m"];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// Whether this is a timer: it elapses, and nobody raises it.
    pub const fn is_timer(self) -> bool {
        matches!(self, EventKind::MooredTimeout | EventKind::CrossingTimeout)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;

    ::statespec::__event!(is_timer);
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Ferry, change: &Change) -> Result<(), Self::Error>;

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
        next: &Ferry,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
