//! Vault.
//!
//! A machine that exists from the start.

::statespec::__emitted!(6);

/// Vault.
///
/// A machine that exists from the start.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Vault {
    state: State,
    context: Context,
}

impl Vault {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Vault { state, context }
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
        Vault {
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

    #[inline]
    #[allow(unused_variables, clippy::single_match, clippy::collapsible_match)]
    fn fits(
        &self,
        step: &::statespec::Step<State>,
        event: &Event,
    ) -> Result<(), ::statespec::OutOfRange> {
        match (step.row(), *event) {
            (Row::AnyAdd, Event::Add { amount, at }) => {
                let _ = <i128 as ::statespec::Holds<
                    i64,
                >>::store_field(
                    <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(self.context.total, "total")?
                        .saturating_add(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::load_field(amount, "event.amount")?,
                        ),
                    "total",
                )?;
                let _ = at
                    .map(|it| <statespec::Timestamp as ::statespec::Holds<
                        ::statespec::Timestamp,
                    >>::load_field(it, "event.at"))
                    .transpose()?
                    .map(|it| <std::time::SystemTime as ::statespec::Holds<
                        ::statespec::Timestamp,
                    >>::store_field(it, "seen_at"))
                    .transpose()?;
            }
            _ => {}
        }
        Ok(())
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

impl Default for Vault {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Vault {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Vault {
    type State = State;

    const CONVERTS: bool = true;

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
        let refuse = |error| {
            Refused::of_event(
                    Some(self.state),
                    event.kind(),
                    ::statespec::Reason::OutOfRange,
                    None,
                )
                .out_of_range(error)
        };
        let find = || -> Result<
            Result<::statespec::Step<State>, Refused>,
            ::statespec::OutOfRange,
        > {
            use ::statespec::__private::Outcome;
            let outcome = match (self.state, *event) {
                (
                    _,
                    Event::Add { amount, .. },
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(self.context.total, "total")?
                    .saturating_add(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(amount, "event.amount")?,
                    ) < 100000000 => Outcome::To(State::Ajar, Row::AnyAdd),
                _ => {
                    return Ok(
                        ::statespec::__table!(State, EventKind, Row, [])
                            .on_event(self.state, event.kind()),
                    );
                }
            };
            Ok(outcome.on_event(self.state, event.kind()))
        };
        let step = find().unwrap_or_else(|error| Err(refuse(error)))?;
        self.fits(&step, event).map_err(refuse)?;
        Ok(step)
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event,
        _predicates: &(),
    ) {
        #[allow(clippy::collapsible_match)]
        let mut assign = || -> Result<(), ::statespec::OutOfRange> {
            match (step.row(), *event) {
                (Row::AnyAdd, Event::Add { amount, at }) => {
                    let (new_0, new_1) = (
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::store_field(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::load_field(self.context.total, "total")?
                                .saturating_add(
                                    <i128 as ::statespec::Holds<
                                        i64,
                                    >>::load_field(amount, "event.amount")?,
                                ),
                            "total",
                        )?,
                        at
                            .map(|it| <statespec::Timestamp as ::statespec::Holds<
                                ::statespec::Timestamp,
                            >>::load_field(it, "event.at"))
                            .transpose()?
                            .map(|it| <std::time::SystemTime as ::statespec::Holds<
                                ::statespec::Timestamp,
                            >>::store_field(it, "seen_at"))
                            .transpose()?,
                    );
                    self.context.total = new_0;
                    self.context.seen_at = new_1;
                }
                (Row::AjarShut, _) => {
                    self.context.opened_for = None;
                }
                _ => {}
            }
            Ok(())
        };
        let _ = assign();
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `vault`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// A whole number.
    pub total: i128,
    /// A moment, or `None`.
    pub seen_at: Option<std::time::SystemTime>,
    /// A duration, or `None`.
    pub opened_for: Option<jiff::SignedDuration>,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            total: 0,
            seen_at: None,
            opened_for: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Any state → `ajar` on `add`, when `total + amount < 100000000`
    AnyAdd,
    /// `ajar` → `shut` on `shut`
    AjarShut,
}

::statespec::__row!(pub Row, 2, [AnyAdd, AjarShut]);

/// The states of a `vault`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `shut`.
    Shut,
    /// The state `ajar`.
    Ajar,
}

::statespec::__unit_enum!(pub State, "state", 2, [Shut("shut"), Ajar("ajar")]);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Shut;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Add),
                    Target::To(State::Ajar),
                )
                .with_guard("total + amount < 100000000"),
            Transition::new(State::Ajar, EventKind::Shut, State::Shut),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 2] = &[&[State::Ajar], &State::ALL];
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
            &[EventKind::Add],
            &[EventKind::Add, EventKind::Shut],
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

    const CONVERTED: &'static [&'static str] = &[
        "total",
        "seen_at",
        "opened_for",
        "event.amount",
        "event.at",
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "vault";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The event `add`.
    Add {
        /// A whole number.
        amount: i128,
        /// A moment, or `None`.
        at: Option<statespec::Timestamp>,
    },
    /// The event `shut`.
    Shut,
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Add { .. } => EventKind::Add,
            Event::Shut => EventKind::Shut,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Add`].
    Add,
    /// See [`Event::Shut`].
    Shut,
}

::statespec::__unit_enum!(pub EventKind, "event", 2, [Add("add"), Shut("shut")]);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Vault, change: &Change) -> Result<(), Self::Error>;

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
        next: &Vault,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
