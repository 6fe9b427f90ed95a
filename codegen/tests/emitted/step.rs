//! Step.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `plan` | `todo` |  |
//! | `todo` | `bolt_fixed` | stays |  |
//! | `todo` | `finish` | `done` | `n_bolts > 0` |

/// Step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Step<Text, R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Step { state, context }
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

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> Step<Text, R> {
    /// Brings a machine into being by `plan`.
    pub fn born(event: Event<'e>) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event)
    }

    /// The same, with a context that the caller has prepared.
    pub fn born_with(
        context: Context<Text, R>,
        event: Event<'e>,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = Step {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Plan { .. } => Outcome::To(State::Todo, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> Step<Text, R> {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<'e>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply(&mut self, event: Event<'e>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    #[inline]
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'e>) {
        match (step.row(), *event) {
            (0, Event::Plan { text }) => {
                self.context.remark = text.map(From::from);
            }
            (1, _) => {
                self.context.n_bolts = self.context.n_bolts.saturating_add(1);
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<H: Effects<Text, R> + ?Sized>(
        &mut self,
        event: Event<'e>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<Text, R>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let change = next.apply(event)?;
        ::statespec::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(host),
        )
    }
}

impl<'e, Text: From<&'e str>, R: Copy + PartialEq> ::statespec::Machine<Event<'e>>
for Step<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<'e>) -> EventKind {
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
        event: &Event<'e>,
        _predicates: &(),
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
            (State::Todo, Event::Finish) if self.context.n_bolts > 0 => {
                Outcome::To(State::Done, 2)
            }
            _ => return table::<2, 3>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event<'e>) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `step` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str, R = u64> {
    /// The field `job_id`.
    pub job_id: Option<R>,
    /// The field `remark`.
    pub remark: Option<Text>,
    /// The field `n_bolts`.
    pub n_bolts: i64,
}

#[allow(clippy::derivable_impls)]
impl<Text, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            job_id: None,
            remark: None,
            n_bolts: 0,
        }
    }
}

/// What a `step` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `todo`.
    Todo,
    /// The state `done`.
    ///
    /// An outcome: the work has ended.
    Done,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 2] = [State::Todo, State::Done];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["todo", "done"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Todo;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const {
            &[
                Transition::Full(
                    &Row::of(
                        Source::Birth,
                        Trigger::Event(EventKind::Plan),
                        Target::To(State::Todo),
                    ),
                ),
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::Todo),
                        Trigger::Event(EventKind::BoltFixed),
                        Target::Stay,
                    ),
                ),
                Transition::Full(
                    &Row::new(State::Todo, EventKind::Finish, State::Done)
                        .guard("n_bolts > 0"),
                ),
            ]
        }
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 2] = &[&[State::Done], &[]];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 2] = &[0b10, 0b00];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 2] = &[
            &[EventKind::BoltFixed, EventKind::Finish],
            &[],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Done)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Done)
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "step";

    const INITIAL: Self = State::INITIAL;

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Plan];

    const NODES: &'static [::statespec::Node<Self::Effect>] = &[
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::Celebrate],
            exit: &[],
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
pub enum Event<'e> {
    /// The event `plan`.
    Plan {
        /// The field `text`.
        text: Option<&'e str>,
    },
    /// The event `bolt_fixed`.
    BoltFixed,
    /// The event `finish`.
    Finish,
}

impl<'e> Event<'e> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Plan { .. } => EventKind::Plan,
            Event::BoltFixed => EventKind::BoltFixed,
            Event::Finish => EventKind::Finish,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `plan`.
    Plan,
    /// The event `bolt_fixed`.
    BoltFixed,
    /// The event `finish`.
    Finish,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 3] = [
        EventKind::Plan,
        EventKind::BoltFixed,
        EventKind::Finish,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["plan", "bolt_fixed", "finish"];
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
    /// The effect `celebrate`.
    Celebrate,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 1] = [Effect::Celebrate];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["celebrate"];
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
        next: &Step<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `celebrate`.
    fn celebrate(&mut self) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<Text, R: Copy, H: Effects<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Effects<Text, R>>::Error> {
        match self {
            Effect::Celebrate => host.celebrate(),
        }
    }
}
