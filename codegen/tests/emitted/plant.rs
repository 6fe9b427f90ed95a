//! Plant.
//!
//! A plant that needs no event to be there, and asks somebody whether there is power.

::statespec::__emitted!(6);

/// Plant.
///
/// A plant that needs no event to be there, and asks somebody whether there is power.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Plant<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Plant<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Plant { state, context }
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

impl<Text: ::statespec::FromLiteral, R> Plant<Text, R> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Plant {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> Plant<Text, R> {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str, R>,
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
        event: Event<&'e str, R>,
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

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        event: Event<&'e str, R>,
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
}

impl<Text: ::statespec::FromLiteral, R> Default for Plant<Text, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<
    'e,
    Text: From<&'e str>,
    R: Copy + PartialEq,
> ::statespec::__private::Input<Event<&'e str, R>> for Plant<Text, R> {
    type Recorded = Event<&'e str, R>;
}

impl<
    'e,
    Text: From<&'e str>,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::__private::Dispatch<Event<&'e str, R>, P> for Plant<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<&'e str, R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn decide(
        &self,
        event: &Event<&'e str, R>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (
                _,
                Event::Take { .. },
            ) if predicates.powered(&self.context, event) && self.context.load < 2 => {
                Outcome::To(State::Working, Row::AnyTake)
            }
            (_, Event::Check) if predicates.powered(&self.context, event) => {
                Outcome::Stay(Row::AnyCheck)
            }
            (State::Working, Event::Release { .. }) if self.context.load > 1 => {
                Outcome::Stay(Row::WorkingReleaseStays)
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
        event: &Event<&'e str, R>,
        _predicates: &P,
    ) {
        match (step.row(), *event) {
            (Row::AnyTake, Event::Take { job, name }) => {
                self.context.load = self.context.load.saturating_add(1);
                self.context.last_job = Some(job);
                self.context.label = From::from(name);
            }
            (Row::WorkingReleaseStays, _) => {
                self.context.load = self.context.load.saturating_sub(1);
            }
            (Row::WorkingReleaseToResting, _) => {
                self.context.load = 0;
                self.context.last_job = None;
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

/// The context of a `plant`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// A whole number.
    pub load: i64,
    /// The key of an object outside the machine, or `None`.
    pub last_job: Option<R>,
    /// A text.
    pub label: Text,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            load: 0,
            last_job: None,
            label: ::statespec::FromLiteral::from_literal("empty"),
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Any state → `working` on `take`, when `powered and load < 2`
    AnyTake,
    /// `working` stays on `release`, when `load > 1`
    WorkingReleaseStays,
    /// `working` → `resting` on `release`
    WorkingReleaseToResting,
    /// Any state stays on `check`, when `powered`
    AnyCheck,
}

::statespec::__row!(
    pub Row, 4, [AnyTake, WorkingReleaseStays, WorkingReleaseToResting, AnyCheck]
);

/// The states of a `plant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `resting`.
    Resting,
    /// The state `working`.
    Working,
}

::statespec::__unit_enum!(
    pub State, "state", 2, [Resting("resting"), Working("working")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Resting;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Take),
                    Target::To(State::Working),
                )
                .with_guard("powered and load < 2")
                .with_effects(&[EffectKind::Announce]),
            Transition::of(
                    Source::Leaf(State::Working),
                    Trigger::Event(EventKind::Release),
                    Target::Stay,
                )
                .with_guard("load > 1"),
            Transition::new(State::Working, EventKind::Release, State::Resting),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Check),
                    Target::Stay,
                )
                .with_guard("powered")
                .with_effects(&[EffectKind::Hum])
                .memory_first(),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Working], &State::ALL];
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
            &[EventKind::Take, EventKind::Check],
            &[EventKind::Take, EventKind::Release, EventKind::Check],
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
            exit: &[EffectKind::Wake],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[EffectKind::Hum],
            exit: &[EffectKind::Quiet],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "plant";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str, R = u64> {
    /// The event `take`.
    Take {
        /// The key of an object outside the machine.
        job: R,
        /// A text.
        name: Text,
    },
    /// The event `release`.
    Release {
        /// A text, or `None`.
        name: Option<Text>,
    },
    /// The event `check`.
    Check,
}

impl<Text, R> Event<Text, R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Take { .. } => EventKind::Take,
            Event::Release { .. } => EventKind::Release,
            Event::Check => EventKind::Check,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Event<Text, R> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str, R> {
        match self {
            Event::Take { job, name } => {
                Event::Take {
                    job: *job,
                    name: AsRef::as_ref(name),
                }
            }
            Event::Release { name } => {
                Event::Release {
                    name: Option::as_ref(name).map(AsRef::as_ref),
                }
            }
            Event::Check => Event::Check,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Take`].
    Take,
    /// See [`Event::Release`].
    Release,
    /// See [`Event::Check`].
    Check,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 3, [Take("take"), Release("release"), Check("check")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Wake`].
    Wake,
    /// See [`Effect::Hum`].
    Hum,
    /// See [`Effect::Quiet`].
    Quiet,
    /// See [`Effect::Announce`].
    Announce,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 4, [Wake("wake"), Hum("hum"), Quiet("quiet"),
    Announce("announce")], serde
);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect<Text = &'static str> {
    /// The effect `wake`.
    Wake,
    /// The effect `hum`.
    Hum,
    /// The effect `quiet`.
    Quiet,
    /// The effect `announce`.
    ///
    /// The message is `{name} arrived`.
    Announce {
        /// A text.
        name: Text,
    },
}

impl<Text> Effect<Text> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Wake => EffectKind::Wake,
            Effect::Hum => EffectKind::Hum,
            Effect::Quiet => EffectKind::Quiet,
            Effect::Announce { .. } => EffectKind::Announce,
        }
    }
}

impl<Text: AsRef<str>> Effect<Text> {
    /// The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.
    pub fn borrowed(&self) -> Effect<&str> {
        match self {
            Effect::Wake => Effect::Wake,
            Effect::Hum => Effect::Hum,
            Effect::Quiet => Effect::Quiet,
            Effect::Announce { name } => {
                Effect::Announce {
                    name: AsRef::as_ref(name),
                }
            }
        }
    }
}

impl<'e, Text, R: Copy> ::statespec::Effects<Event<&'e str, R>> for Plant<Text, R> {
    type State = State;

    type Effect<'effect> = Effect<&'effect str>
    where
        Self: 'effect,
        Event<&'e str, R>: 'effect;
    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        event: Option<&Event<&'e str, R>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<&'e str, R>: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::Wake, _) => Effect::Wake,
                (EffectKind::Hum, _) => Effect::Hum,
                (EffectKind::Quiet, _) => Effect::Quiet,
                (EffectKind::Announce, Some(&Event::Take { name, .. })) => {
                    Effect::Announce { name }
                }
                _ => return None,
            },
        )
    }
}

impl<'a> Effect<&'a str> {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<'a> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::Announce { name } => f.write_fmt(format_args!("{} arrived", name)),
            _ => Ok(()),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, R, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::Wake => host.wake(),
            Effect::Hum => host.hum(),
            Effect::Quiet => host.quiet(),
            Effect::Announce { name } => {
                host.announce(name, format_args!("{}", self.message()))
            }
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, R, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::Wake => host.wake().await,
            Effect::Hum => host.hum().await,
            Effect::Quiet => host.quiet().await,
            Effect::Announce { name } => host.announce(name, self.message()).await,
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
        next: &Plant<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `wake`.
    fn wake(&mut self) -> Result<(), Self::Error>;

    /// The effect `hum`.
    fn hum(&mut self) -> Result<(), Self::Error>;

    /// The effect `quiet`.
    fn quiet(&mut self) -> Result<(), Self::Error>;

    /// The effect `announce`.
    ///
    /// The message is `{name} arrived`.
    fn announce(
        &mut self,
        name: &str,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

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
        next: &Plant<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R, H: Host<Text, R> + ?Sized> EffectHost<Text, R> for H {
    type Error = <H as Host<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Plant<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error> {
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
pub trait AsyncHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Plant<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `wake`.
    fn wake(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `hum`.
    fn hum(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `quiet`.
    fn quiet(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `announce`.
    ///
    /// The message is `{name} arrived`.
    fn announce(
        &mut self,
        name: &str,
        message: impl ::core::fmt::Display,
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
        next: &Plant<Text, R>,
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

impl<Text, R, H: AsyncHost<Text, R> + ?Sized> AsyncEffectHost<Text, R> for H {
    type Error = <H as AsyncHost<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Plant<Text, R>,
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

/// The predicates of a `plant`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `powered`.
    fn powered(&self, context: &Context<Text, R>, event: &Event<&str, R>) -> bool;
}
