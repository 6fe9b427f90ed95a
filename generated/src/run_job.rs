//! Durable Run Job State Machine.
//!
//! A durable job that a worker claims under a lease and runs.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | `queued` |  | `claimed` |  |
//! | `claimed` |  | `running`, `complete` or `failed` |  |
//! | `running` |  | `complete` or `failed` |  |
//! | `running` | `reclaim` | `claimed` | `lease_expires_at != null and lease_expires_at < now` |
//! | `running` | `reclaim` | refused: the lease has not expired |  |
//!
//! - Running -\> claimed is the lease-expiry reclaim edge.
//! - Complete and failed are terminal job outcomes.

/// Durable Run Job State Machine.
///
/// A durable job that a worker claims under a lease and runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunJob {
    state: State,
    context: Context,
}

impl RunJob {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        RunJob { state, context }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// What it knows beside its state.
    #[inline]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// What it knows beside its state, to be changed by hand.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }
}

impl RunJob {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        RunJob {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl Default for RunJob {
    fn default() -> Self {
        Self::new()
    }
}

impl RunJob {
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
        const WAYS: &::statespec::Ways<State, 5> = &::statespec::__ways!(State, 5, []);
        WAYS.on_wish(self.state, to)
    }
}

impl ::statespec::Machine<Event> for RunJob {
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
        const TABLE: &::statespec::Table<State, 5, 1> = &::statespec::__table!(
            State, 5, EventKind, 1, []
        );
        let outcome = match (self.state, *event) {
            (
                State::Running,
                Event::Reclaim { now },
            ) if self.context.lease_expires_at.is_some()
                && self.context.lease_expires_at < Some(now) => {
                Outcome::To(State::Claimed, 3)
            }
            _ => return TABLE.on_event(self.state, event.kind()),
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

/// What a `run_job` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// When the worker's claim runs out.
    pub lease_expires_at: Option<::statespec::Timestamp>,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { lease_expires_at: None }
    }
}

/// What a `run_job` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Waiting for a worker.
    Queued,
    /// Held by a worker under a lease.
    Claimed,
    /// Being worked on.
    Running,
    /// Done.
    ///
    /// An outcome: the work has ended.
    Complete,
    /// Given up.
    ///
    /// An outcome: the work has ended.
    Failed,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 5] = [
        State::Queued,
        State::Claimed,
        State::Running,
        State::Complete,
        State::Failed,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 5] = &[
            "queued",
            "claimed",
            "running",
            "complete",
            "failed",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 5] = &[
            "Waiting for a worker.",
            "Held by a worker under a lease.",
            "Being worked on.",
            "Done.",
            "Given up.",
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
        const SUCCESSORS: &[&[State]; 5] = &[
            &[State::Claimed],
            &[State::Running, State::Complete, State::Failed],
            &[State::Claimed, State::Complete, State::Failed],
            &[],
            &[],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 5] = &[0b0_0010, 0b1_1100, 0b1_1010, 0b0_0000, 0b0_0000];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 5] = &[
            &[],
            &[],
            &[EventKind::Reclaim],
            &[],
            &[],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Complete | State::Failed)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Complete | State::Failed)
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "run_job";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Queued),
                    Trigger::Wish,
                    Target::To(State::Claimed),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Claimed),
                    Trigger::Wish,
                    Target::OneOf(&[State::Running, State::Complete, State::Failed]),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Running),
                    Trigger::Wish,
                    Target::OneOf(&[State::Complete, State::Failed]),
                ),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::Reclaim, State::Claimed)
                    .guard("lease_expires_at != null and lease_expires_at < now")
                    .label("lease expired"),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Running),
                        Trigger::Event(EventKind::Reclaim),
                        Target::Refuse("the lease has not expired"),
                    )
                    .inferred(
                        "A worker that still holds its lease must not lose the job.",
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

/// What can happen, with the data it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Another worker takes a running job whose lease has expired.
    Reclaim {
        /// The time of asking.
        now: ::statespec::Timestamp,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Reclaim { .. } => EventKind::Reclaim,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Another worker takes a running job whose lease has expired.
    Reclaim,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::Reclaim];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["reclaim"];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &[
            "Another worker takes a running job whose lease has expired.",
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
