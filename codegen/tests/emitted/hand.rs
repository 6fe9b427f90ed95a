//! Hand.

::statespec::__emitted!(6);

/// Hand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Hand<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Hand<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Hand { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context<Text, R> {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text, R> {
        &mut self.context
    }
}

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> Hand<Text, R> {
    /// Creates a machine with `hire`.
    pub fn create<P: Predicates<Text, R> + ?Sized>(
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event, predicates)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with<P: Predicates<Text, R> + ?Sized>(
        context: Context<Text, R>,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Hand {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Hire { .. } => Outcome::To(State::Idle, Row::Hire),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, predicates)
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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
    pub fn run_created<H: EffectHost<Text, R> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>,
    > {
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
    pub async fn run_async<
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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
    pub async fn run_created_async<H: AsyncEffectHost<Text, R> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
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
    Text: From<&'e str>,
    R: Copy + PartialEq,
> ::statespec::__private::Input<Event<&'e str>> for Hand<Text, R> {
    type Recorded = Event<&'e str>;
}

impl<
    'e,
    Text: From<&'e str>,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::__private::Dispatch<Event<&'e str>, P> for Hand<Text, R> {
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
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Idle, Event::Take { .. }) if predicates.fit(&self.context, event) => {
                Outcome::To(State::Busy, Row::IdleTake)
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
        _predicates: &P,
    ) {
        match (step.row(), *event) {
            (Row::IdleTake, Event::Take { load, held }) => {
                self.context.load = load;
                self.context.held = held.map(From::from);
            }
            (Row::BusyGive, _) => {
                self.context.load = 0;
                self.context.held = None;
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

/// The context of a `hand`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// The key of an object outside the machine, or `None`.
    pub crew_id: Option<R>,
    /// A whole number.
    pub load: i64,
    /// A text, or `None`.
    pub held: Option<Text>,
}

#[allow(clippy::derivable_impls)]
impl<Text, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            crew_id: None,
            load: 0,
            held: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `idle` on `hire`
    Hire,
    /// `idle` → `busy` on `take`, when `fit`
    IdleTake,
    /// `busy` → `idle` on `give`
    BusyGive,
    /// Any state stays on `note`
    AnyNote,
}

::statespec::__row!(pub Row, 4, [Hire, IdleTake, BusyGive, AnyNote]);

/// The states of a `hand`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `idle`.
    Idle,
    /// The state `busy`.
    Busy,
}

::statespec::__unit_enum!(pub State, "state", 2, [Idle("idle"), Busy("busy")], serde);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Idle;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Hire),
                Target::To(State::Idle),
            ),
            Transition::new(State::Idle, EventKind::Take, State::Busy)
                .with_guard("fit")
                .with_before(&[EffectKind::Check])
                .with_effects(&[EffectKind::Report]),
            Transition::new(State::Busy, EventKind::Give, State::Idle).memory_first(),
            Transition::of(
                Source::AnyBut(&[]),
                Trigger::Event(EventKind::Note),
                Target::Stay,
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Busy], &[State::Idle]];
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
            &[EventKind::Take, EventKind::Note],
            &[EventKind::Give, EventKind::Note],
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

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[EffectKind::Greet],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "hand";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Hire];

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str> {
    /// The event `hire`.
    Hire {
        /// A whole number.
        load: i64,
    },
    /// The event `take`.
    Take {
        /// A whole number.
        load: i64,
        /// A text, or `None`.
        held: Option<Text>,
    },
    /// The event `give`.
    Give,
    /// The event `note`.
    Note,
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Hire { .. } => EventKind::Hire,
            Event::Take { .. } => EventKind::Take,
            Event::Give => EventKind::Give,
            Event::Note => EventKind::Note,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Hire { load } => Event::Hire { load: *load },
            Event::Take { load, held } => {
                Event::Take {
                    load: *load,
                    held: Option::as_ref(held).map(AsRef::as_ref),
                }
            }
            Event::Give => Event::Give,
            Event::Note => Event::Note,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Hire`].
    Hire,
    /// See [`Event::Take`].
    Take,
    /// See [`Event::Give`].
    Give,
    /// See [`Event::Note`].
    Note,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 4, [Hire("hire"), Take("take"), Give("give"), Note("note")],
    serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Check`].
    Check,
    /// See [`Effect::Greet`].
    Greet,
    /// See [`Effect::Report`].
    Report,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 3, [Check("check"), Greet("greet"), Report("report")],
    serde
);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect {
    /// The effect `check`.
    Check,
    /// The effect `greet`.
    Greet,
    /// The effect `report`.
    Report {
        /// A whole number.
        load: i64,
    },
}

impl Effect {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Check => EffectKind::Check,
            Effect::Greet => EffectKind::Greet,
            Effect::Report { .. } => EffectKind::Report,
        }
    }
}

impl<'e, Text, R: Copy> ::statespec::Effects<Event<&'e str>> for Hand<Text, R> {
    type State = State;

    type Effect<'effect> = Effect where Self: 'effect, Event<&'e str>: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        _event: Option<&Event<&'e str>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<&'e str>: 'effect,
    {
        Some(
            match kind {
                EffectKind::Check => Effect::Check,
                EffectKind::Greet => Effect::Greet,
                EffectKind::Report => {
                    Effect::Report {
                        load: self.context.load,
                    }
                }
            },
        )
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, R, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::Check => host.check(),
            Effect::Greet => host.greet(),
            Effect::Report { load } => host.report(load),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, R, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::Check => host.check().await,
            Effect::Greet => host.greet().await,
            Effect::Report { load } => host.report(load).await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `check`.
    fn check(&mut self) -> Result<(), Self::Error>;

    /// The effect `greet`.
    fn greet(&mut self) -> Result<(), Self::Error>;

    /// The effect `report`.
    fn report(&mut self, load: i64) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R, H: Host<Text, R> + ?Sized> EffectHost<Text, R> for H {
    type Error = <H as Host<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error> {
        effect.perform(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        Host::observe(self, attempt)
    }
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `check`.
    fn check(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `greet`.
    fn greet(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `report`.
    fn report(
        &mut self,
        load: i64,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R, H: AsyncHost<Text, R> + ?Sized> AsyncEffectHost<Text, R> for H {
    type Error = <H as AsyncHost<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Hand<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The predicates of a `hand`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `fit`.
    fn fit(&self, context: &Context<Text, R>, event: &Event<&str>) -> bool;
}
