//! payload\_target.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `make` | `loose` |  |
//! | `loose` | `fix` | `fixed` |  |
//! | anywhere | `turn` | what `self` names |  |

/// payload\_target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PayloadTarget<R = u64> {
    state: State,
    context: Context<R>,
}

impl<R> PayloadTarget<R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<R>) -> Self {
        PayloadTarget { state, context }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// What it knows beside its state.
    #[inline]
    pub const fn context(&self) -> &Context<R> {
        &self.context
    }

    /// What it knows beside its state, to be changed by hand.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<R> {
        &mut self.context
    }
}

impl<R: Copy + PartialEq> PayloadTarget<R> {
    /// Brings a machine into being by `make`.
    pub fn born(event: Event) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event)
    }

    /// The same, with a context that the caller has prepared.
    pub fn born_with(
        context: Context<R>,
        event: Event,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = PayloadTarget {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Make => Outcome::To(State::Loose, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<R: Copy + PartialEq> PayloadTarget<R> {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    #[inline]
    fn take(&mut self, step: &::statespec::Step<State>, _event: &Event) {
        self.state = step.to();
    }
}

impl<R: Copy + PartialEq> ::statespec::Machine<Event> for PayloadTarget<R> {
    type State = State;

    #[inline]
    fn kind(event: &Event) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn decide(
        &self,
        event: &Event,
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
            (_, Event::Turn { self_ }) => Outcome::To(self_, 2),
            _ => return table::<3, 3>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `payload_target` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<R = u64> {
    /// The field `step_id`.
    pub step_id: Option<R>,
}

#[allow(clippy::derivable_impls)]
impl<R> Default for Context<R> {
    fn default() -> Self {
        Context { step_id: None }
    }
}

/// What a `payload_target` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `loose`.
    Loose,
    /// The state `fixed`.
    Fixed,
    /// The state `type`.
    Type,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 3] = [State::Loose, State::Fixed, State::Type];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["loose", "fixed", "type"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Loose;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::Full(
                &Row::of(
                    Source::Birth,
                    Trigger::Event(EventKind::Make),
                    Target::To(State::Loose),
                ),
            ),
            Transition::Plain(State::Loose, EventKind::Fix, State::Fixed),
            Transition::Full(
                &Row::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Turn),
                    Target::Payload("self"),
                ),
            ),
        ];
        ROWS
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 3] = &[&State::ALL, &State::ALL, &State::ALL];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 3] = &[0b111, 0b111, 0b111];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 3] = &[
            &[EventKind::Fix, EventKind::Turn],
            &[EventKind::Turn],
            &[EventKind::Turn],
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

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "payload_target";

    const INITIAL: Self = State::INITIAL;

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Make];

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
pub enum Event {
    /// The event `make`.
    Make,
    /// The event `fix`.
    Fix,
    /// The event `turn`.
    Turn {
        /// The field `self`.
        self_: State,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Make => EventKind::Make,
            Event::Fix => EventKind::Fix,
            Event::Turn { .. } => EventKind::Turn,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `make`.
    Make,
    /// The event `fix`.
    Fix,
    /// The event `turn`.
    Turn,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 3] = [EventKind::Make, EventKind::Fix, EventKind::Turn];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["make", "fix", "turn"];
        NAMES[self as usize]
    }
}

::statespec::named!(EventKind, "event");

::statespec::named_serde!(EventKind);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}
