//! Job.

::statespec::__emitted!(6);

/// Job.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Job<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Job<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Job { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context<Text> {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text> {
        &mut self.context
    }
}

impl<'e, Text: From<&'e str> + ::statespec::FromLiteral> Job<Text> {
    /// Creates a machine with `create`.
    pub fn create(event: Event<&'e str>) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with(
        context: Context<Text>,
        event: Event<&'e str>,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Job {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Create { n_steps, .. } if n_steps < 1 => {
                Outcome::Refuse(Row::CreateRefused)
            }
            Event::Create { .. } => Outcome::To(State::Waiting, Row::CreateToOpen),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, &())
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<&'e str>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event<&'e str>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |host, next, effect, step| {
                ::statespec::Effects::effect(next, effect, step, Some(&event))
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub fn run_created<H: EffectHost<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>> {
        let run = ::statespec::__private::Run::created(self, change);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |host, next, effect, step| {
                ::statespec::Effects::effect(next, effect, step, Some(&event))
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncEffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    >
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, step) => {
                    match ::statespec::Effects::effect(
                        run.after(),
                        effect,
                        &step,
                        Some(&event),
                    ) {
                        Some(effect) => host.perform(effect).await,
                        None => Ok(()),
                    }
                }
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
    pub async fn run_created_async<H: AsyncEffectHost<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    > {
        let mut run = ::statespec::__private::Run::created(self, change);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, step) => {
                    match ::statespec::Effects::effect(
                        run.after(),
                        effect,
                        &step,
                        Some(&event),
                    ) {
                        Some(effect) => host.perform(effect).await,
                        None => Ok(()),
                    }
                }
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

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral,
> ::statespec::__private::Input<Event<&'e str>> for Job<Text> {
    type Recorded = Event<&'e str>;
}

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral,
> ::statespec::__private::Dispatch<Event<&'e str>, ()> for Job<Text> {
    type State = State;

    #[inline]
    fn kind(event: &Event<&'e str>) -> EventKind {
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
        event: &Event<&'e str>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (
                State::Started,
                Event::Progress { .. },
            ) if self.context.n_done.saturating_add(1) >= self.context.wanted => {
                Outcome::To(State::Closed, Row::StartedProgressToClosed)
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
        event: &Event<&'e str>,
        _predicates: &(),
    ) {
        match (step.row(), *event) {
            (Row::CreateToOpen, Event::Create { title, n_steps, kind }) => {
                self.context.wanted = n_steps;
                self.context.name = From::from(title);
                self.context.size = kind;
            }
            (Row::StartedProgressToClosed | Row::StartedProgressStays, _) => {
                self.context.n_done = self.context.n_done.saturating_add(1);
            }
            _ => {}
        }
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `job`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str> {
    /// A whole number.
    pub n_done: i64,
    /// A whole number.
    pub wanted: i64,
    /// A text.
    pub name: Text,
    /// A value of `size`.
    pub size: Size,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral> Default for Context<Text> {
    fn default() -> Self {
        Context {
            n_done: 0,
            wanted: 1,
            name: ::statespec::FromLiteral::from_literal(""),
            size: Size::Small,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation refuses `create`, when `n_steps < 1`: a job has steps
    CreateRefused,
    /// Creation → `open` on `create`
    CreateToOpen,
    /// `open/waiting` → `open/started` on `begin`
    WaitingBegin,
    /// `open/started` → `closed` on `progress`, when `n_done + 1 >= wanted`
    StartedProgressToClosed,
    /// `open/started` stays on `progress`
    StartedProgressStays,
    /// `open` → `void` on `abandon`
    OpenAbandon,
}

::statespec::__row!(
    pub Row, 6, [CreateRefused, CreateToOpen, WaitingBegin, StartedProgressToClosed,
    StartedProgressStays, OpenAbandon]
);

/// The states of a `job`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `waiting`.
    ///
    /// The default state of `open`.
    Waiting,
    /// The state `started`.
    ///
    /// Inside `open`.
    Started,
    /// The state `closed`.
    ///
    /// An outcome: the work has ended.
    Closed,
    /// The state `void`.
    ///
    /// An outcome: the work has ended.
    Void,
}

::statespec::__unit_enum!(
    pub State, "state", 4, [Waiting("waiting"), Started("started"), Closed("closed"),
    Void("void")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Waiting;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Creation,
                    Trigger::Event(EventKind::Create),
                    Target::Refuse("a job has steps"),
                )
                .with_guard("n_steps < 1"),
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Create),
                Target::To(State::Waiting),
            ),
            Transition::new(State::Waiting, EventKind::Begin, State::Started),
            Transition::new(State::Started, EventKind::Progress, State::Closed)
                .with_guard("n_done + 1 >= wanted")
                .with_effects(&[EffectKind::Note]),
            Transition::of(
                    Source::Leaf(State::Started),
                    Trigger::Event(EventKind::Progress),
                    Target::Stay,
                )
                .with_effects(&[EffectKind::Note]),
            Transition::of(
                Source::In(&[State::Waiting, State::Started]),
                Trigger::Event(EventKind::Abandon),
                Target::To(State::Void),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 4] = &[
            &[State::Started, State::Void],
            &[State::Closed, State::Void],
            &[],
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
        const LISTS: &[&[EventKind]; 4] = &[
            &[EventKind::Begin, EventKind::Abandon],
            &[EventKind::Progress, EventKind::Abandon],
            &[],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Closed | State::Void)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Closed | State::Void)
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 4] = &[
            Some(Composite::Open),
            Some(Composite::Open),
            None,
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 4] = &["open/waiting", "open/started", "closed", "void"];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Open => matches!(self, State::Waiting | State::Started),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `open`.
    Open,
}

::statespec::__unit_enum!(pub Composite, "composite state", 1, [Open("open")], serde);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 1] = &[State::Waiting];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 1] = &[None];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: Some(Composite::Open.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Open.node()),
            entry: &[EffectKind::Greet],
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
            parent: None,
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "job";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Create];

    ::statespec::__state!(events, path);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str> {
    /// The event `create`.
    Create {
        /// A text.
        title: Text,
        /// A whole number.
        n_steps: i64,
        /// A value of `size`.
        kind: Size,
    },
    /// The event `begin`.
    Begin,
    /// The event `progress`.
    Progress {
        /// A text.
        why: Text,
    },
    /// The event `abandon`.
    Abandon,
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create { .. } => EventKind::Create,
            Event::Begin => EventKind::Begin,
            Event::Progress { .. } => EventKind::Progress,
            Event::Abandon => EventKind::Abandon,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Create { title, n_steps, kind } => {
                Event::Create {
                    title: AsRef::as_ref(title),
                    n_steps: *n_steps,
                    kind: *kind,
                }
            }
            Event::Begin => Event::Begin,
            Event::Progress { why } => {
                Event::Progress {
                    why: AsRef::as_ref(why),
                }
            }
            Event::Abandon => Event::Abandon,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Create`].
    Create,
    /// See [`Event::Begin`].
    Begin,
    /// See [`Event::Progress`].
    Progress,
    /// See [`Event::Abandon`].
    Abandon,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 4, [Create("create"), Begin("begin"), Progress("progress"),
    Abandon("abandon")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Greet`].
    Greet,
    /// See [`Effect::Note`].
    Note,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 2, [Greet("greet"), Note("note")], serde
);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect<Text = &'static str> {
    /// The effect `greet`.
    Greet,
    /// The effect `note`.
    Note {
        /// A text.
        why: Text,
    },
}

impl<Text> Effect<Text> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Greet => EffectKind::Greet,
            Effect::Note { .. } => EffectKind::Note,
        }
    }
}

impl<Text: AsRef<str>> Effect<Text> {
    /// The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.
    pub fn borrowed(&self) -> Effect<&str> {
        match self {
            Effect::Greet => Effect::Greet,
            Effect::Note { why } => {
                Effect::Note {
                    why: AsRef::as_ref(why),
                }
            }
        }
    }
}

impl<'e, Text> ::statespec::Effects<Event<&'e str>> for Job<Text> {
    type State = State;

    type Effect<'effect> = Effect<&'effect str>
    where
        Self: 'effect,
        Event<&'e str>: 'effect;
    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        event: Option<&Event<&'e str>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<&'e str>: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::Greet, _) => Effect::Greet,
                (EffectKind::Note, Some(&Event::Progress { why })) => {
                    Effect::Note { why }
                }
                _ => return None,
            },
        )
    }
}

impl Effect<&str> {
    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text>>::Error> {
        match self {
            Effect::Greet => host.greet(),
            Effect::Note { why } => host.note(why),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text>>::Error> {
        match self {
            Effect::Greet => host.greet().await,
            Effect::Note { why } => host.note(why).await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Job<Text>, change: &Change) -> Result<(), Self::Error>;

    /// The effect `greet`.
    fn greet(&mut self) -> Result<(), Self::Error>;

    /// The effect `note`.
    fn note(&mut self, why: &str) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Job<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, H: Host<Text> + ?Sized> EffectHost<Text> for H {
    type Error = <H as Host<Text>>::Error;

    #[inline]
    fn store(&mut self, next: &Job<Text>, change: &Change) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error> {
        effect.perform(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        Host::observe(self, attempt)
    }
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Job<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `greet`.
    fn greet(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `note`.
    fn note(
        &mut self,
        why: &str,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Job<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect<&str>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, H: AsyncHost<Text> + ?Sized> AsyncEffectHost<Text> for H {
    type Error = <H as AsyncHost<Text>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Job<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect<&str>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The enum `size`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// The value `small`.
    Small,
    /// The value `large`.
    Large,
}

::statespec::__unit_enum!(pub Size, "size", 2, [Small("small"), Large("large")], serde);
