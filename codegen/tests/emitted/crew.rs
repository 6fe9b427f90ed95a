//! Crew.

::statespec::__emitted!(6);

/// Crew.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Crew<R = u64> {
    state: State,
    context: Context<R>,
}

impl<R> Crew<R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<R>) -> Self {
        Crew { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context<R> {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<R> {
        &mut self.context
    }
}

impl<R: Copy + PartialEq> Crew<R> {
    /// Creates a machine with `found`.
    pub fn create(event: Event) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with(
        context: Context<R>,
        event: Event,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Crew {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Found => Outcome::To(State::Open, Row::Found),
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

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: EffectHost<R> + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<R>>::Error>> {
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
    pub fn run_created<H: EffectHost<R> + ?Sized>(
        &self,
        change: Change,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<R>>::Error>> {
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
    pub async fn run_async<H: AsyncEffectHost<R> + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost<R>>::Error>> {
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
    pub async fn run_created_async<H: AsyncEffectHost<R> + ?Sized>(
        &self,
        change: Change,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost<R>>::Error>> {
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

impl<R: Copy + PartialEq> ::statespec::__private::Input<Event> for Crew<R> {
    type Recorded = Event;
}

impl<R: Copy + PartialEq> ::statespec::__private::Dispatch<Event, ()> for Crew<R> {
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
            (State::Open, Event::Gain) if self.context.n_busy.saturating_add(1) >= 3 => {
                Outcome::To(State::Full, Row::OpenGainToFull)
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
        event: &Event,
        _predicates: &(),
    ) {
        match (step.row(), *event) {
            (Row::OpenGainToFull | Row::OpenGainStays, _) => {
                self.context.n_busy = self.context.n_busy.saturating_add(1);
            }
            (Row::AnyLose, _) => {
                self.context.n_busy = self.context.n_busy.saturating_sub(1);
            }
            (Row::OpenCount, Event::Count { n }) => {
                self.context.n_counted = self.context.n_counted.saturating_add(n);
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

/// The context of a `crew`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<R = u64> {
    /// A whole number.
    pub n_busy: i64,
    /// A whole number.
    pub n_counted: i64,
    /// The key of an object outside the machine, or `None`.
    pub yard_id: Option<R>,
}

#[allow(clippy::derivable_impls)]
impl<R> Default for Context<R> {
    fn default() -> Self {
        Context {
            n_busy: 0,
            n_counted: 0,
            yard_id: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `open` on `found`
    Found,
    /// `open` → `full` on `gain`, when `n_busy + 1 >= 3`
    OpenGainToFull,
    /// `open` stays on `gain`
    OpenGainStays,
    /// Any state → `open` on `lose`
    AnyLose,
    /// `open` stays on `count`
    OpenCount,
}

::statespec::__row!(
    pub Row, 5, [Found, OpenGainToFull, OpenGainStays, AnyLose, OpenCount]
);

/// The states of a `crew`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `open`.
    Open,
    /// The state `full`.
    Full,
}

::statespec::__unit_enum!(pub State, "state", 2, [Open("open"), Full("full")], serde);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Open;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Found),
                Target::To(State::Open),
            ),
            Transition::new(State::Open, EventKind::Gain, State::Full)
                .with_guard("n_busy + 1 >= 3")
                .with_effects(&[EffectKind::Announce]),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Gain),
                Target::Stay,
            ),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Lose),
                    Target::To(State::Open),
                )
                .memory_first(),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Count),
                Target::Stay,
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&State::ALL, &[State::Open]];
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
            &[EventKind::Gain, EventKind::Lose, EventKind::Count],
            &[EventKind::Lose],
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
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "crew";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Found];

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event {
    /// The event `found`.
    Found,
    /// The event `gain`.
    Gain,
    /// The event `lose`.
    Lose,
    /// The event `count`.
    Count {
        /// A whole number.
        n: i64,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Found => EventKind::Found,
            Event::Gain => EventKind::Gain,
            Event::Lose => EventKind::Lose,
            Event::Count { .. } => EventKind::Count,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Found`].
    Found,
    /// See [`Event::Gain`].
    Gain,
    /// See [`Event::Lose`].
    Lose,
    /// See [`Event::Count`].
    Count,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 4, [Found("found"), Gain("gain"), Lose("lose"),
    Count("count")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Announce`].
    Announce,
}

::statespec::__unit_enum!(pub EffectKind, "effect", 1, [Announce("announce")], serde);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect {
    /// The effect `announce`.
    Announce {
        /// A whole number.
        n_busy: i64,
    },
}

impl Effect {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Announce { .. } => EffectKind::Announce,
        }
    }
}

impl<R: Copy> ::statespec::Effects<Event> for Crew<R> {
    type State = State;

    type Effect<'effect> = Effect where Self: 'effect, Event: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        _event: Option<&Event>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event: 'effect,
    {
        Some(
            match kind {
                EffectKind::Announce => {
                    Effect::Announce {
                        n_busy: self.context.n_busy,
                    }
                }
            },
        )
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<R, H: Host<R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<R>>::Error> {
        match self {
            Effect::Announce { n_busy } => host.announce(n_busy),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<R, H: AsyncHost<R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<R>>::Error> {
        match self {
            Effect::Announce { n_busy } => host.announce(n_busy).await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Crew<R>, change: &Change) -> Result<(), Self::Error>;

    /// The effect `announce`.
    fn announce(&mut self, n_busy: i64) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Crew<R>, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<R, H: Host<R> + ?Sized> EffectHost<R> for H {
    type Error = <H as Host<R>>::Error;

    #[inline]
    fn store(&mut self, next: &Crew<R>, change: &Change) -> Result<(), Self::Error> {
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
pub trait AsyncHost<R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Crew<R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `announce`.
    fn announce(
        &mut self,
        n_busy: i64,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Crew<R>,
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

impl<R, H: AsyncHost<R> + ?Sized> AsyncEffectHost<R> for H {
    type Error = <H as AsyncHost<R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Crew<R>,
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
