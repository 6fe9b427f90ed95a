//! Slot.
//!
//! A part of the till.

::statespec::__emitted!(6);

/// Slot.
///
/// A part of the till.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Slot<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Slot<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Slot { state, context }
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

impl<Text: ::statespec::FromLiteral> Slot<Text> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Slot {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<'e, Text: From<&'e str>> Slot<Text> {
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
    pub fn run<H: Host<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host<Text>>::Error>>
    where
        Text: Clone,
    {
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
    pub async fn run_async<H: AsyncHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost<Text>>::Error>>
    where
        Text: Clone,
    {
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

impl<Text: ::statespec::FromLiteral> Default for Slot<Text> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e, Text: From<&'e str>> ::statespec::__private::Input<Event<&'e str>>
for Slot<Text> {
    type Recorded = Event<&'e str>;
}

impl<'e, Text: From<&'e str>> ::statespec::__private::Dispatch<Event<&'e str>, ()>
for Slot<Text> {
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
    #[allow(
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::redundant_guards
    )]
    fn decide(
        &self,
        event: &Event<&'e str>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (_, Event::Name { size, .. }) if size.is_none() || size != Some(3) => {
                Outcome::Stay(Row::AnyName)
            }
            (State::Idle, Event::Go { n }) if n == 0 => Outcome::DivisionByZero,
            (
                State::Idle,
                Event::Go { n },
            ) if ::statespec::__private::remainder(6i64, n) != 4
                && self.context.n != N_OWNERS && self.context.metal != Metal::Gold => {
                Outcome::To(State::Busy, Row::IdleGo)
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
            (Row::AnySet, Event::Set { n, ratio }) => {
                self.context.n = n;
                self.context.ratio = ratio;
            }
            (Row::AnyName, Event::Name { label, .. }) => {
                self.context.label = From::from(label);
            }
            (Row::IdleGo, Event::Go { n }) => {
                self.context.n = n;
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

/// The context of a `slot`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str> {
    /// A value of `metal`.
    pub metal: Metal,
    /// A whole number.
    pub n: i64,
    /// A decimal number.
    pub ratio: ::statespec::Decimal,
    /// A text.
    pub label: Text,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral> Default for Context<Text> {
    fn default() -> Self {
        Context {
            metal: Metal::Silver,
            n: 2,
            ratio: ::statespec::decimal(1, 0),
            label: ::statespec::FromLiteral::from_literal(""),
        }
    }
}

/// The constant `n_owners`.
pub const N_OWNERS: i64 = 3;

/// The constant `fee`.
pub const FEE: ::statespec::Decimal = ::statespec::decimal(25, 2);

/// The day of 3 owners.
pub const LAUNCH: ::statespec::Timestamp = ::statespec::Timestamp::from_micros(
    1769860800000000,
);

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Any state stays on `set`
    AnySet,
    /// Any state stays on `name`, when `size == null or size != 3`
    AnyName,
    /// `idle` → `busy` on `go`, when `6 % event.n != 4 and n != n_owners and metal != gold`
    IdleGo,
    /// `busy` → `idle` on `rest`
    BusyRest,
}

::statespec::__row!(pub Row, 4, [AnySet, AnyName, IdleGo, BusyRest]);

/// The states of a `slot`.
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
                Source::AnyBut(&[]),
                Trigger::Event(EventKind::Set),
                Target::Stay,
            ),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Name),
                    Target::Stay,
                )
                .with_guard("size == null or size != 3"),
            Transition::new(State::Idle, EventKind::Go, State::Busy)
                .with_guard("6 % event.n != 4 and n != n_owners and metal != gold"),
            Transition::new(State::Busy, EventKind::Rest, State::Idle),
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
            &[EventKind::Set, EventKind::Name, EventKind::Go],
            &[EventKind::Set, EventKind::Name, EventKind::Rest],
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
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "slot";

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
pub enum Event<Text = &'static str> {
    /// The event `set`.
    Set {
        /// A whole number.
        n: i64,
        /// A decimal number.
        ratio: ::statespec::Decimal,
    },
    /// The event `name`.
    Name {
        /// A text.
        label: Text,
        /// A whole number, or `None`.
        size: Option<i64>,
    },
    /// The event `go`.
    Go {
        /// A whole number.
        n: i64,
    },
    /// The event `rest`.
    Rest,
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Set { .. } => EventKind::Set,
            Event::Name { .. } => EventKind::Name,
            Event::Go { .. } => EventKind::Go,
            Event::Rest => EventKind::Rest,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Set { n, ratio } => Event::Set { n: *n, ratio: *ratio },
            Event::Name { label, size } => {
                Event::Name {
                    label: AsRef::as_ref(label),
                    size: *size,
                }
            }
            Event::Go { n } => Event::Go { n: *n },
            Event::Rest => Event::Rest,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Set`].
    Set,
    /// See [`Event::Name`].
    Name,
    /// See [`Event::Go`].
    Go,
    /// See [`Event::Rest`].
    Rest,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 4, [Set("set"), Name("name"), Go("go"), Rest("rest")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Slot<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Slot<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The enum `metal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metal {
    /// The value `gold`.
    Gold,
    /// The value `silver`.
    Silver,
}

::statespec::__unit_enum!(pub Metal, "metal", 2, [Gold("gold"), Silver("Ag")], serde);
