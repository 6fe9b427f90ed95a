//! Names that Rust knows already.

::statespec::__emitted!(6);

/// Names that Rust knows already.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Option_ {
    state: State,
    context: Context,
}

impl Option_ {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Option_ { state, context }
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
        Option_ {
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

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(&mut self, actor: Actor, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply_as(self, actor, &event, &())
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
        self.run_by(None, event, host)
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub fn run_as<H: EffectHost + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost>::Error>> {
        self.run_by(Some(actor), event, host)
    }

    fn run_by<H: EffectHost + ?Sized>(
        &mut self,
        actor: Option<Actor>,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, actor, &event, &());
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
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), actor, &result));
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
        self.run_by_async(None, event, host).await
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub async fn run_as_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost>::Error>> {
        self.run_by_async(Some(actor), event, host).await
    }

    async fn run_by_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        actor: Option<Actor>,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, actor, &event, &());
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
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), actor, &result));
        result
    }
}

impl Default for Option_ {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Option_ {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Option_ {
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
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (
                State::None,
                Event::Ok { err, host: host_, step: step_ },
            ) if err == self.context.ok && host_ > NONE
                || step_ < MIN.saturating_add(1) => Outcome::To(State::Some, Row::NoneOk),
            (State::None, Event::From { to }) => Outcome::To(to, Row::NoneFrom),
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    #[allow(clippy::single_match)]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event,
        _predicates: &(),
    ) {
        match (step.row(), *event) {
            (Row::NoneOk, Event::Ok { host: host_, .. }) => {
                self.context.u8 = host_.saturating_sub(MAX);
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

/// The context of an `option`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A value of `result`.
    #[serde(rename = "Ok")]
    pub ok: Result_,
    /// A value of `default`.
    pub state: Default_,
    /// A value of `r`.
    #[serde(rename = "R")]
    pub r: R_,
    /// A whole number.
    pub u8: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            ok: Result_::Ok,
            state: Default_::Clone,
            r: R_::S,
            u8: 0,
        }
    }
}

/// The constant `none`.
pub const NONE: i64 = 1;

/// The constant `Some`.
pub const SOME: &str = "'";

/// The constant `max`.
pub const MAX: i64 = i64::MAX;

/// The constant `min`.
pub const MIN: i64 = i64::MIN;

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `None` → `Some` on `Ok`, when `Err == Ok and host > none or step < min + 1`
    NoneOk,
    /// `Some` → `None` on `Err` or `From`
    SomeErrOrFrom,
    /// `None` → the state in `to` on `From`
    NoneFrom,
}

::statespec::__row!(pub Row, 3, [NoneOk, SomeErrOrFrom, NoneFrom]);

/// The states of an `option`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Nothing.
    None,
    /// The state `Some`.
    Some,
    /// The state `State`.
    State,
}

::statespec::__unit_enum!(
    pub State, "state", 3, [None("None"), Some("Some"), State("State")], serde
);

impl State {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Nothing.", "", ""];
        TEXTS[self as usize]
    }
}

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::None;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::new(State::None, EventKind::Ok, State::Some)
                .with_guard("Err == Ok and host > none or step < min + 1")
                .with_effects(&[EffectKind::Store, EffectKind::Perform]),
            Transition::of(
                    Source::Leaf(State::Some),
                    Trigger::AnyOf(&[EventKind::Err, EventKind::From]),
                    Target::To(State::None),
                )
                .with_before(&[EffectKind::Type]),
            Transition::of(
                Source::Leaf(State::None),
                Trigger::Event(EventKind::From),
                Target::Payload("to"),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 3] = &[&State::ALL, &[State::None], &[]];
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
            &[EventKind::Ok, EventKind::From],
            &[EventKind::Err, EventKind::From],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::State)
    }

    /// The attribute `name_of`.
    pub const fn name_of(self) -> &'static str {
        const VALUES: &[&str; 3] = &["", "some", ""];
        VALUES[self as usize]
    }

    /// The attribute `parse`.
    pub const fn parse_(self) -> &'static [Result_] {
        const VALUES: &[&[Result_]; 3] = &[&[], &[Result_::Ok], &[]];
        VALUES[self as usize]
    }

    /// The attribute `all_of`.
    pub const fn all_of(self) -> i64 {
        const VALUES: &[i64; 3] = &[-1, -1, -1];
        VALUES[self as usize]
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "option";

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
pub enum Event {
    /// The event `Ok`.
    ///
    /// Raised by `Sized` or `Copy`.
    #[serde(rename = "Ok")]
    Ok {
        /// A value of `result`.
        #[serde(rename = "Err")]
        err: Result_,
        /// A whole number.
        host: i64,
        /// A whole number.
        step: i64,
    },
    /// The event `Err`.
    #[serde(rename = "Err")]
    Err,
    /// The event `From`.
    #[serde(rename = "From")]
    From {
        /// A state of this machine.
        to: State,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Ok { .. } => EventKind::Ok,
            Event::Err => EventKind::Err,
            Event::From { .. } => EventKind::From,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Ok`].
    Ok,
    /// See [`Event::Err`].
    Err,
    /// See [`Event::From`].
    From,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 3, [Ok("Ok"), Err("Err"), From("From")], serde
);

impl EventKind {
    /// The actors that may raise the event; any actor when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 3] = &[&[Actor::Sized, Actor::Copy], &[], &[]];
        BY[self as usize]
    }

    ::statespec::__raised_by!(pub Actor, no performer);
}

impl ::statespec::Event for EventKind {
    type Actor = Actor;

    ::statespec::__event!(by, performer);
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Store`].
    Store,
    /// See [`Effect::Perform`].
    Perform,
    /// See [`Effect::Type`].
    Type,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 3, [Store("store"), Perform("perform"), Type("type")],
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
    /// The effect `store`.
    Store,
    /// The effect `perform`.
    ///
    /// The message is `{host}`.
    Perform {
        /// A whole number.
        host: i64,
    },
    /// The effect `type`.
    Type,
}

impl Effect {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Store => EffectKind::Store,
            Effect::Perform { .. } => EffectKind::Perform,
            Effect::Type => EffectKind::Type,
        }
    }
}

impl ::statespec::Effects<Event> for Option_ {
    type State = State;

    type Effect<'effect> = Effect where Self: 'effect, Event: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        event: Option<&Event>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::Store, _) => Effect::Store,
                (EffectKind::Perform, Some(&Event::Ok { host: host_, .. })) => {
                    Effect::Perform { host: host_ }
                }
                (EffectKind::Type, _) => Effect::Type,
                _ => return None,
            },
        )
    }
}

impl Effect {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::Perform { host: host_ } => f.write_fmt(format_args!("{}", host_)),
            _ => Ok(()),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<H: Host + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host>::Error> {
        match self {
            Effect::Store => host.store_(),
            Effect::Perform { host: host_ } => {
                host.perform(host_, format_args!("{}", self.message()))
            }
            Effect::Type => host.r#type(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<H: AsyncHost + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost>::Error> {
        match self {
            Effect::Store => host.store_().await,
            Effect::Perform { host: host_ } => host.perform(host_, self.message()).await,
            Effect::Type => host.r#type().await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Option_, change: &Change) -> Result<(), Self::Error>;

    /// The effect `store`.
    fn store_(&mut self) -> Result<(), Self::Error>;

    /// The effect `perform`.
    ///
    /// The message is `{host}`.
    fn perform(
        &mut self,
        host_: i64,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `type`.
    fn r#type(&mut self) -> Result<(), Self::Error>;

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
    fn store(&mut self, next: &Option_, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<H: Host + ?Sized> EffectHost for H {
    type Error = <H as Host>::Error;

    #[inline]
    fn store(&mut self, next: &Option_, change: &Change) -> Result<(), Self::Error> {
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
        next: &Option_,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `store`.
    fn store_(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `perform`.
    ///
    /// The message is `{host}`.
    fn perform(
        &mut self,
        host_: i64,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `type`.
    fn r#type(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

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
        next: &Option_,
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
        next: &Option_,
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

/// The actors that raise events, or do the work that events start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A marker.
    Sized,
    /// Another.
    Copy,
}

::statespec::__unit_enum!(pub Actor, "actor", 2, [Sized("Sized"), Copy("Copy")], serde);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["A marker.", "Another."];
        TEXTS[self as usize]
    }
}

/// The enum `result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Result_ {
    /// The value `Ok`.
    Ok,
    /// The value `Err`.
    Err,
}

::statespec::__unit_enum!(pub Result_, "result", 2, [Ok("Ok"), Err("Err")], serde);

/// The enum `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Default_ {
    /// The value `Default`.
    Default,
    /// The value `Clone`.
    Clone,
}

::statespec::__unit_enum!(
    pub Default_, "default", 2, [Default("Default"), Clone("Clone")], serde
);

/// The enum `vec`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vec {
    /// The value `String`.
    String,
}

::statespec::__unit_enum!(pub Vec, "vec", 1, [String("String")], serde);

/// The enum `r`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum R_ {
    /// The value `S`.
    S,
    /// The value `D`.
    D,
}

::statespec::__unit_enum!(pub R_, "r", 2, [S("S"), D("D")], serde);
