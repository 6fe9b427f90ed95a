//! Creation.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `make` | `made` | `level > 0` |
//! | `made` | `make` | `remade` | `level > 1` |
//! | `remade` | `make` | `made` | `level > 2` |

/// Creation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Creation {
    state: State,
}

impl Creation {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Creation { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl Creation {
    /// Brings a machine into being by `make`.
    #[allow(clippy::all)]
    pub fn born(event: Event) -> Result<(Self, Change), Refused> {
        let mut machine = Creation { state: State::INITIAL };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Make { level } if level > 0 => Outcome::To(State::Made, 0),
            Event::Make { .. } => Outcome::NoGuard,
        };
        let step = outcome.at_birth(event.kind())?;
        if matches!(event.kind(), EventKind::Make) {
            return ::statespec::settle_from(machine, step, &event, &());
        }
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl Creation {
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

impl ::statespec::Machine<Event> for Creation {
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
    #[allow(clippy::all)]
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
            (State::Made, Event::Make { level }) if level > 1 => {
                Outcome::To(State::Remade, 1)
            }
            (State::Remade, Event::Make { level }) if level > 2 => {
                Outcome::To(State::Made, 2)
            }
            _ => return table::<2, 1>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event) {
        self.take(step, event);
    }

    fn plan(&self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        ::statespec::settle(self, event, predicates).map(|(_, change)| change)
    }

    fn apply(&mut self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        let (settled, change) = ::statespec::settle(self, event, predicates)?;
        *self = settled;
        Ok(change)
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `creation` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `made`.
    Made,
    /// The state `remade`.
    Remade,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 2] = [State::Made, State::Remade];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["made", "remade"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Made;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::Full(
                &Row::of(
                        Source::Birth,
                        Trigger::Event(EventKind::Make),
                        Target::To(State::Made),
                    )
                    .guard("level > 0"),
            ),
            Transition::Full(
                &Row::new(State::Made, EventKind::Make, State::Remade).guard("level > 1"),
            ),
            Transition::Full(
                &Row::new(State::Remade, EventKind::Make, State::Made).guard("level > 2"),
            ),
        ];
        ROWS
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 2] = &[&[State::Remade], &[State::Made]];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 2] = &[0b10, 0b01];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 2] = &[&[EventKind::Make], &[EventKind::Make]];
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

    type Steps = [::statespec::Step<State>; 3];

    const MACHINE: &'static str = "creation";

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
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Make {
        /// The field `level`.
        level: i64,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Make { .. } => EventKind::Make,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `make`.
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Make,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::Make];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["make"];
        NAMES[self as usize]
    }
}

::statespec::named!(EventKind, "event");

::statespec::named_serde!(EventKind);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}
