//! Fn.
//!
//! The name of a trait of the prelude, and a history around all states.

::statespec::__emitted!(6);

/// Fn.
///
/// The name of a trait of the prelude, and a history around all states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Fn {
    state: State,
    context: Context,
}

#[allow(clippy::result_large_err)]
impl Fn {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Fn { state, context }
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

    /// Creates a machine with `plan`.
    pub fn create(event: Event) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with(
        context: Context,
        event: Event,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Fn {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Plan => Outcome::To(State::Planning, Row::Plan),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, &())
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

    /// Takes the steps that follow `step`, which the machine has already taken.
    fn react(
        self,
        step: ::statespec::Step<State>,
        refuse: impl ::core::ops::Fn(::statespec::Reason, Option<Row>) -> Refused,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::react(
            self,
            step,
            |machine, cause| machine.reaction(cause),
            |machine, step, cause| machine.take_reaction(step, cause),
            refuse,
        )
    }

    fn reaction(
        &self,
        cause: ::statespec::__private::Cause<<State as ::statespec::State>::Event>,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, cause) {
            (
                State::Drafting,
                ::statespec::__private::Cause::Automatic,
            ) if self.context.last.is_some() => {
                Outcome::To(State::Writing, Row::DraftingAutomatically)
            }
            _ => Outcome::NoTransition,
        };
        outcome.on_cause(self.state)
    }

    fn take_reaction(
        &mut self,
        step: &::statespec::Step<State>,
        cause: ::statespec::__private::Cause<<State as ::statespec::State>::Event>,
    ) {
        let _ = cause;
        if step.leaves_node(Composite::Work.node()) {
            self.context.last = step
                .from()
                .map(|from| match from {
                    State::Drafting | State::Writing => State::Drafting,
                    _ => from,
                });
        }
        self.state = step.to();
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

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub fn run_created<H: Host + ?Sized>(
        &self,
        change: Change,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        let run = ::statespec::__private::Run::created(self, change);
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

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub async fn run_created_async<H: AsyncHost + ?Sized>(
        &self,
        change: Change,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        let mut run = ::statespec::__private::Run::created(self, change);
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

impl ::statespec::__private::Input<Event> for Fn {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Fn {
    type State = State;

    #[inline]
    fn kind(event: &Event) -> EventKind {
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
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        ::statespec::__table!(State, EventKind, Row, [])
            .on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        _event: &Event,
        _predicates: &(),
    ) {
        if step.leaves_node(Composite::Work.node()) {
            self.context.last = step
                .from()
                .map(|from| match from {
                    State::Drafting | State::Writing => State::Drafting,
                    _ => from,
                });
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(_event: &Event) -> bool {
        true
    }

    fn follow(
        mut self,
        first: ::statespec::Step<State>,
        event: &Event,
        _predicates: &(),
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::Dispatch::take(&mut self, &first, event, &());
        self.react(
            first,
            |reason, row| Refused::of_event(first.from(), event.kind(), reason, row),
        )
    }

    fn plan(&self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(&mut self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `fn`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A state of this machine, or `None`.
    pub last: Option<State>,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { last: None }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `work/planning` on `plan`
    Plan,
    /// `work/planning` → `work/doing/drafting` on `do`
    PlanningDo,
    /// `work/doing/drafting` → `work/doing/writing`, automatically, when `last != null`
    DraftingAutomatically,
    /// `work/doing/drafting` → `work/doing/writing` on `write`
    DraftingWrite,
    /// `work` → `work` on `again`
    WorkAgain,
}

::statespec::__row!(
    pub Row, 5, [Plan, PlanningDo, DraftingAutomatically, DraftingWrite, WorkAgain]
);

/// The states of a `fn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `planning`.
    ///
    /// The default state of `work`.
    Planning,
    /// The state `drafting`.
    ///
    /// The default state of `work/doing`.
    Drafting,
    /// The state `writing`.
    ///
    /// Inside `work/doing`.
    Writing,
}

::statespec::__unit_enum!(
    pub State, "state", 3, [Planning("planning"), Drafting("drafting"),
    Writing("writing")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Planning;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Plan),
                Target::To(State::Planning),
            ),
            Transition::new(State::Planning, EventKind::Do, State::Drafting),
            Transition::of(
                    Source::Leaf(State::Drafting),
                    Trigger::Automatic,
                    Target::To(State::Writing),
                )
                .with_guard("last != null"),
            Transition::new(State::Drafting, EventKind::Write, State::Writing),
            Transition::of(
                    Source::In(&[State::Planning, State::Drafting, State::Writing]),
                    Trigger::Event(EventKind::Again),
                    Target::To(State::Planning),
                )
                .with_reenter(Composite::Work.node()),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 3] = &[
            &[State::Planning, State::Drafting],
            &[State::Planning, State::Writing],
            &[State::Planning],
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
        const LISTS: &[&[EventKind]; 3] = &[
            &[EventKind::Do, EventKind::Again],
            &[EventKind::Write, EventKind::Again],
            &[EventKind::Again],
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

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 3] = &[
            Some(Composite::Work),
            Some(Composite::Doing),
            Some(Composite::Doing),
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 3] = &[
            "work/planning",
            "work/doing/drafting",
            "work/doing/writing",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Work => true,
            Composite::Doing => matches!(self, State::Drafting | State::Writing),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `work`.
    Work,
    /// The state `doing`.
    ///
    /// Inside `work`.
    Doing,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 2, [Work("work"), Doing("doing")], serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 2] = &[State::Planning, State::Drafting];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 2] = &[None, Some(Composite::Work)];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, ::statespec::Never> for State {
    type Steps = [::statespec::Step<State>; 64];

    const NODES: &'static [::statespec::__private::Node<::statespec::Never>] = &[
        ::statespec::__private::Node {
            parent: Some(Composite::Work.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Doing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Doing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Work.node()),
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "fn";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Plan];

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
    /// The event `plan`.
    Plan,
    /// The event `do`.
    Do,
    /// The event `write`.
    Write,
    /// The event `again`.
    Again,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 4, [Plan("plan"), Do("do"), Write("write"), Again("again")],
    serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Fn, change: &Change) -> Result<(), Self::Error>;

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
        next: &Fn,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
