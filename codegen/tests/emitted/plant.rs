//! Plant.
//!
//! A plant that needs no event to be there, and asks somebody whether there is power.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | anywhere | `take` | `working` | `powered and load < 2` |
//! | `working` | `release` | stays | `load > 1` |
//! | `working` | `release` | `resting` |  |
//! | anywhere | `check` | stays | `powered` |

/// Plant.
///
/// A plant that needs no event to be there, and asks somebody whether there is power.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plant<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Plant<Text, R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Plant { state, context }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// What it knows beside its state.
    #[inline]
    pub const fn context(&self) -> &Context<Text, R> {
        &self.context
    }

    /// What it knows beside its state, to be changed by hand.
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

impl<Text: ::statespec::FromLiteral, R> Default for Plant<Text, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> Plant<Text, R> {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    #[inline]
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'e, R>) {
        match (step.row(), *event) {
            (0, Event::Take { job, name }) => {
                self.context.load = self.context.load.saturating_add(1);
                self.context.last_job = Some(job);
                self.context.label = From::from(name);
            }
            (1, _) => {
                self.context.load = self.context.load.saturating_sub(1);
            }
            (2, _) => {
                self.context.load = 0;
                self.context.last_job = None;
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<P: Predicates<Text, R> + ?Sized, H: Effects<Text, R> + ?Sized>(
        &mut self,
        event: Event<'e, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<Text, R>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let change = next.apply(event, predicates)?;
        ::statespec::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(&event, host),
        )
    }
}

impl<
    'e,
    Text: From<&'e str>,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::Machine<Event<'e, R>, P> for Plant<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<'e, R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    #[allow(clippy::all)]
    fn decide(
        &self,
        event: &Event<'e, R>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        #[inline]
        const fn table<const STATES: usize, const EVENTS: usize>() -> &'static ::statespec::Table<
            State,
            STATES,
            EVENTS,
        > {
            const { &::statespec::__table!(State, EventKind, []) }
        }
        let outcome = match (self.state, *event) {
            (
                _,
                Event::Take { .. },
            ) if predicates.powered(&self.context, event) && self.context.load < 2 => {
                Outcome::To(State::Working, 0)
            }
            (_, Event::Check) if predicates.powered(&self.context, event) => {
                Outcome::Stay(3)
            }
            (State::Working, Event::Release { .. }) if self.context.load > 1 => {
                Outcome::Stay(1)
            }
            _ => return table::<2, 3>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event<'e, R>) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `plant` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str, R = u64> {
    /// The field `load`.
    pub load: i64,
    /// The field `last_job`.
    pub last_job: Option<R>,
    /// The field `label`.
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

/// What a `plant` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `resting`.
    Resting,
    /// The state `working`.
    Working,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 2] = [State::Resting, State::Working];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["resting", "working"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Resting;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const {
            &[
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(&[]),
                            Trigger::Event(EventKind::Take),
                            Target::To(State::Working),
                        )
                        .guard("powered and load < 2")
                        .effects(&[Effect::Announce]),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Working),
                            Trigger::Event(EventKind::Release),
                            Target::Stay,
                        )
                        .guard("load > 1"),
                ),
                Transition::Plain(State::Working, EventKind::Release, State::Resting),
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(&[]),
                            Trigger::Event(EventKind::Check),
                            Target::Stay,
                        )
                        .guard("powered")
                        .effects(&[Effect::Hum])
                        .memory_first(),
                ),
            ]
        }
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 2] = &[&[State::Working], &State::ALL];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 2] = &[0b10, 0b11];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 2] = &[
            &[EventKind::Take, EventKind::Check],
            &[EventKind::Take, EventKind::Release, EventKind::Check],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        false
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "plant";

    const INITIAL: Self = State::INITIAL;

    const NODES: &'static [::statespec::Node<Self::Effect>] = &[
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[Effect::Wake],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::Hum],
            exit: &[Effect::Quiet],
        },
    ];

    #[inline]
    fn transitions() -> &'static [::statespec::Transition<Self>] {
        State::transitions()
    }

    #[inline]
    fn successors(self) -> &'static [Self] {
        State::successors(self)
    }

    #[inline]
    fn events(self) -> &'static [Self::Event] {
        State::events(self)
    }

    #[inline]
    fn allows(self, to: Self) -> bool {
        State::allows(self, to)
    }

    #[inline]
    fn is_terminal(self) -> bool {
        State::is_terminal(self)
    }

    #[inline]
    fn is_final(self) -> bool {
        State::is_final(self)
    }
}

/// What can happen, with the data it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'e, R = u64> {
    /// The event `take`.
    Take {
        /// The field `job`.
        job: R,
        /// The field `name`.
        name: &'e str,
    },
    /// The event `release`.
    Release {
        /// The field `name`.
        name: Option<&'e str>,
    },
    /// The event `check`.
    Check,
}

impl<'e, R> Event<'e, R> {
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

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `take`.
    Take,
    /// The event `release`.
    Release,
    /// The event `check`.
    Check,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 3] = [
        EventKind::Take,
        EventKind::Release,
        EventKind::Check,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["take", "release", "check"];
        NAMES[self as usize]
    }
}

::statespec::named!(EventKind, "event");

::statespec::named_serde!(EventKind);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// What a step makes happen outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The effect `wake`.
    Wake,
    /// The effect `hum`.
    Hum,
    /// The effect `quiet`.
    Quiet,
    /// The effect `announce`.
    Announce,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 4] = [
        Effect::Wake,
        Effect::Hum,
        Effect::Quiet,
        Effect::Announce,
    ];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["wake", "hum", "quiet", "announce"];
        NAMES[self as usize]
    }
}

::statespec::named!(Effect, "effect");

::statespec::named_serde!(Effect);

/// What performs the effects, and the store.
pub trait Effects<Text = &'static str, R = u64> {
    /// Why an effect or the store failed.
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
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<Text, R: Copy, H: Effects<Text, R> + ?Sized>(
        self,
        event: &Event<'_, R>,
        host: &mut H,
    ) -> Result<(), <H as Effects<Text, R>>::Error> {
        match (self, *event) {
            (Effect::Wake, _) => host.wake(),
            (Effect::Hum, _) => host.hum(),
            (Effect::Quiet, _) => host.quiet(),
            (Effect::Announce, Event::Take { name, .. }) => {
                host.announce(name, format_args!("{} arrived", name))
            }
            _ => Ok(()),
        }
    }
}

/// What the guards of `plant` ask and the spec leaves open.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `powered`.
    fn powered(&self, context: &Context<Text, R>, event: &Event<'_, R>) -> bool;
}
