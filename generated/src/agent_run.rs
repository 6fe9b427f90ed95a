//! Agent Lifecycle Run State Machine.
//!
//! One run of an agent.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | `queued` |  | `running`, `cancelled` or `failed` |  |
//! | `running` |  | `correcting`, `optimizing`, `validating`, `failed`, `complete` or `cancelled` |  |
//! | `correcting` |  | `running`, `validating`, `failed` or `cancelled` |  |
//! | `optimizing` |  | `running`, `validating`, `failed`, `complete` or `cancelled` |  |
//! | `validating` |  | `running`, `optimizing`, `failed`, `complete` or `cancelled` |  |
//! | `failed` or `cancelled` | `resume` | `queued` |  |
//!
//! - Resume is explicit: only failed and cancelled runs may transition back to queued.
//! - Terminal states are complete, failed, and cancelled.

/// Agent Lifecycle Run State Machine.
///
/// One run of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentRun {
    state: State,
}

impl AgentRun {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        AgentRun { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl AgentRun {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        AgentRun { state: State::INITIAL }
    }
}

impl Default for AgentRun {
    fn default() -> Self {
        Self::new()
    }
}

impl AgentRun {
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

    /// What going to a state by name would change; nothing changes.
    #[inline]
    pub fn plan_to(&self, to: State) -> Result<Change, Refused> {
        self.way_to(to).map(Change::new)
    }

    /// Goes to a state by name, along an edge that takes no event; or is refused and everything is as it was.
    #[inline]
    pub fn transition_to(&mut self, to: State) -> Result<Change, Refused> {
        let step = self.way_to(to)?;
        self.state = step.to();
        Ok(Change::new(step))
    }

    #[inline]
    fn way_to(&self, to: State) -> Result<::statespec::Step<State>, Refused> {
        const WAYS: &::statespec::Ways<State, 8> = &::statespec::__ways!(State, 8, []);
        WAYS.on_wish(self.state, to)
    }
}

impl ::statespec::Machine<Event> for AgentRun {
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
        const TABLE: &::statespec::Table<State, 8, 1> = &::statespec::__table!(
            State, 8, EventKind, 1, []
        );
        TABLE.on_event(self.state, event.kind())
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

/// What a `agent_run` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Waiting to be picked up.
    Queued,
    /// At work.
    Running,
    /// Correcting what went wrong.
    Correcting,
    /// Improving what works.
    Optimizing,
    /// Checking the result.
    Validating,
    /// Done.
    ///
    /// An outcome: the work has ended.
    Complete,
    /// Ended without success; can be resumed.
    ///
    /// An outcome: the work has ended.
    Failed,
    /// Ended on request; can be resumed.
    ///
    /// An outcome: the work has ended.
    Cancelled,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 8] = [
        State::Queued,
        State::Running,
        State::Correcting,
        State::Optimizing,
        State::Validating,
        State::Complete,
        State::Failed,
        State::Cancelled,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 8] = &[
            "queued",
            "running",
            "correcting",
            "optimizing",
            "validating",
            "complete",
            "failed",
            "cancelled",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "Waiting to be picked up.",
            "At work.",
            "Correcting what went wrong.",
            "Improving what works.",
            "Checking the result.",
            "Done.",
            "Ended without success; can be resumed.",
            "Ended on request; can be resumed.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Queued;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 8] = &[
            &[State::Running, State::Failed, State::Cancelled],
            &[
                State::Correcting,
                State::Optimizing,
                State::Validating,
                State::Complete,
                State::Failed,
                State::Cancelled,
            ],
            &[State::Running, State::Validating, State::Failed, State::Cancelled],
            &[
                State::Running,
                State::Validating,
                State::Complete,
                State::Failed,
                State::Cancelled,
            ],
            &[
                State::Running,
                State::Optimizing,
                State::Complete,
                State::Failed,
                State::Cancelled,
            ],
            &[],
            &[State::Queued],
            &[State::Queued],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 8] = &[
            0b1100_0010, 0b1111_1100, 0b1101_0010, 0b1111_0010, 0b1110_1010, 0b0000_0000,
            0b0000_0001, 0b0000_0001,
        ];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 8] = &[
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[EventKind::Resume],
            &[EventKind::Resume],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Complete | State::Failed | State::Cancelled)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Complete)
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "agent_run";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Queued),
                    Trigger::Wish,
                    Target::OneOf(&[State::Running, State::Cancelled, State::Failed]),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Running),
                    Trigger::Wish,
                    Target::OneOf(
                        &[
                            State::Correcting,
                            State::Optimizing,
                            State::Validating,
                            State::Failed,
                            State::Complete,
                            State::Cancelled,
                        ],
                    ),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Correcting),
                    Trigger::Wish,
                    Target::OneOf(
                        &[
                            State::Running,
                            State::Validating,
                            State::Failed,
                            State::Cancelled,
                        ],
                    ),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Optimizing),
                    Trigger::Wish,
                    Target::OneOf(
                        &[
                            State::Running,
                            State::Validating,
                            State::Failed,
                            State::Complete,
                            State::Cancelled,
                        ],
                    ),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Validating),
                    Trigger::Wish,
                    Target::OneOf(
                        &[
                            State::Running,
                            State::Optimizing,
                            State::Failed,
                            State::Complete,
                            State::Cancelled,
                        ],
                    ),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::In(&[State::Failed, State::Cancelled]),
                    Trigger::Event(EventKind::Resume),
                    Target::To(State::Queued),
                ),
            ),
        ]
    };

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

/// What can happen. No event carries data, so an event is its kind.
pub type Event = EventKind;

impl EventKind {
    /// The event without its payload: itself.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        *self
    }
}

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Explicitly asks for a failed or cancelled run to go on.
    Resume,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::Resume];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["resume"];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &[
            "Explicitly asks for a failed or cancelled run to go on.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(EventKind, "event");

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}
