//! Failing.
//!
//! What can fail around a change, in all commit orders.

::statespec::__emitted!(6);

/// Failing.
///
/// What can fail around a change, in all commit orders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Failing {
    state: State,
}

impl Failing {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Failing { state }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Failing { state: State::INITIAL }
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
    pub fn run<H: EffectHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost>::Error>> {
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

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost>::Error>> {
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
}

impl Default for Failing {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Failing {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Failing {
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
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `open` → `shut` on `store_first`
    OpenStoreFirst,
    /// `open` → `shut` on `move_first`
    OpenMoveFirst,
    /// `open` → `shut` on `move_only`
    OpenMoveOnly,
}

::statespec::__row!(pub Row, 3, [OpenStoreFirst, OpenMoveFirst, OpenMoveOnly]);

/// The states of a `failing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Before the change.
    Open,
    /// After it.
    ///
    /// An outcome: the work has ended.
    Shut,
}

::statespec::__unit_enum!(pub State, "state", 2, [Open("open"), Shut("shut")], serde);

impl State {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Before the change.", "After it."];
        TEXTS[self as usize]
    }
}

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Open;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::Transition;
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::new(State::Open, EventKind::StoreFirst, State::Shut)
                .with_before(&[EffectKind::Prepare])
                .with_effects(&[EffectKind::Tell]),
            Transition::new(State::Open, EventKind::MoveFirst, State::Shut)
                .with_before(&[EffectKind::Prepare])
                .with_effects(&[EffectKind::Tell])
                .memory_first(),
            Transition::new(State::Open, EventKind::MoveOnly, State::Shut)
                .with_before(&[EffectKind::Prepare])
                .with_effects(&[EffectKind::Tell])
                .memory_only(),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Shut], &[]];
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
            &[EventKind::StoreFirst, EventKind::MoveFirst, EventKind::MoveOnly],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Shut)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Shut)
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "failing";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events);
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
    /// The store is written before the machine moves.
    StoreFirst,
    /// The machine moves before the store is written.
    MoveFirst,
    /// The machine moves and the store is not written.
    MoveOnly,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 3, [StoreFirst("store_first"), MoveFirst("move_first"),
    MoveOnly("move_only")], serde
);

impl EventKind {
    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "The store is written before the machine moves.",
            "The machine moves before the store is written.",
            "The machine moves and the store is not written.",
        ];
        TEXTS[self as usize]
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// Must succeed before anything changes.
    Prepare,
    /// Follows the change.
    Tell,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 2, [Prepare("prepare"), Tell("tell")], serde
);

impl EffectKind {
    /// The description of the effect in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "Must succeed before anything changes.",
            "Follows the change.",
        ];
        TEXTS[self as usize]
    }
}

/// An effect. No effect takes data, so an effect is its kind.
pub type Effect = EffectKind;

impl EffectKind {
    /// The effect without its data: itself.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        *self
    }
}

impl ::statespec::Effects<Event> for Failing {
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
        Some(kind)
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<H: Host + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host>::Error> {
        match self {
            Effect::Prepare => host.prepare(),
            Effect::Tell => host.tell(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<H: AsyncHost + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost>::Error> {
        match self {
            Effect::Prepare => host.prepare().await,
            Effect::Tell => host.tell().await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Failing, change: &Change) -> Result<(), Self::Error>;

    /// Must succeed before anything changes.
    fn prepare(&mut self) -> Result<(), Self::Error>;

    /// Follows the change.
    fn tell(&mut self) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Failing, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<H: Host + ?Sized> EffectHost for H {
    type Error = <H as Host>::Error;

    #[inline]
    fn store(&mut self, next: &Failing, change: &Change) -> Result<(), Self::Error> {
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
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Failing,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Must succeed before anything changes.
    fn prepare(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Follows the change.
    fn tell(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Failing,
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

impl<H: AsyncHost + ?Sized> AsyncEffectHost for H {
    type Error = <H as AsyncHost>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Failing,
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
