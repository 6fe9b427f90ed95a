//! Pressure State Machine.
//!
//! How full the context is.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | anywhere | `observe` | refused: utilization cannot be negative | `sample < 0` |
//! | `LOW` | `observe` | `MEDIUM` | `sample >= medium_at` |
//! | `MEDIUM` | `observe` | `HIGH` | `sample >= high_at` |
//! | `HIGH` | `observe` | `CRITICAL` | `sample >= critical_at` |
//! | `CRITICAL` | `observe` | `HIGH` | `sample < critical_at - buffer` |
//! | `HIGH` | `observe` | `MEDIUM` | `sample < high_at - buffer` |
//! | `MEDIUM` | `observe` | `LOW` | `sample < medium_at - buffer` |
//! | anywhere | `observe` | stays |  |
//!
//! - To prevent oscillation, transitions down require 5% buffer, counted in points of utilization.
//! - Exactly 85% is CRITICAL: the thresholds of the transitions rule, the ranges are round numbers.

/// Pressure State Machine.
///
/// How full the context is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pressure {
    state: State,
    context: Context,
}

impl Pressure {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Pressure { state, context }
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

impl Pressure {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Pressure {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl Default for Pressure {
    fn default() -> Self {
        Self::new()
    }
}

impl Pressure {
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

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(&mut self, actor: Actor, event: Event) -> Result<Change, Refused> {
        if !event.kind().may_be_raised_by(actor) {
            return Err(
                Refused::event_in(
                    Some(self.state),
                    event.kind(),
                    ::statespec::Why::Actor,
                ),
            );
        }
        self.apply(event)
    }

    #[inline]
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event) {
        match (step.row(), *event) {
            (1..=7, Event::Observe { sample }) => {
                self.context.utilization = sample;
            }
            _ => {}
        }
        self.state = step.to();
    }
}

impl ::statespec::Machine<Event> for Pressure {
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
        const TABLE: &::statespec::Table<State, 4, 1> = &::statespec::__table!(
            State, 4, EventKind, 1, []
        );
        let outcome = match (self.state, *event) {
            (_, Event::Observe { sample }) if sample < ::statespec::decimal(0, 0) => {
                Outcome::Refuse(0)
            }
            (State::Low, Event::Observe { sample }) if sample >= MEDIUM_AT => {
                Outcome::To(State::Medium, 1)
            }
            (State::Medium, Event::Observe { sample }) if sample >= HIGH_AT => {
                Outcome::To(State::High, 2)
            }
            (
                State::Medium,
                Event::Observe { sample },
            ) if sample < ::statespec::decimal(45, 2) => Outcome::To(State::Low, 6),
            (State::High, Event::Observe { sample }) if sample >= CRITICAL_AT => {
                Outcome::To(State::Critical, 3)
            }
            (
                State::High,
                Event::Observe { sample },
            ) if sample < ::statespec::decimal(65, 2) => Outcome::To(State::Medium, 5),
            (
                State::Critical,
                Event::Observe { sample },
            ) if sample < ::statespec::decimal(80, 2) => Outcome::To(State::High, 4),
            _ => return TABLE.on_event(self.state, event.kind()),
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

/// What a `pressure` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// The last sample, as a share of the context; above 1 when it is overfull.
    pub utilization: ::statespec::Decimal,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            utilization: ::statespec::decimal(0, 0),
        }
    }
}

/// Utilization at which MEDIUM begins.
pub const MEDIUM_AT: ::statespec::Decimal = ::statespec::decimal(50, 2);

/// Utilization at which HIGH begins.
pub const HIGH_AT: ::statespec::Decimal = ::statespec::decimal(70, 2);

/// Utilization at which CRITICAL begins.
pub const CRITICAL_AT: ::statespec::Decimal = ::statespec::decimal(85, 2);

/// To prevent oscillation, transitions down require 5% buffer.
pub const BUFFER: ::statespec::Decimal = ::statespec::decimal(5, 2);

/// What a `pressure` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Plenty of room.
    Low,
    /// Filling up.
    Medium,
    /// Nearly full.
    High,
    /// Full.
    Critical,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 4] = [
        State::Low,
        State::Medium,
        State::High,
        State::Critical,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["LOW", "MEDIUM", "HIGH", "CRITICAL"];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "Plenty of room.",
            "Filling up.",
            "Nearly full.",
            "Full.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Low;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 4] = &[
            &[State::Medium],
            &[State::Low, State::High],
            &[State::Medium, State::Critical],
            &[State::High],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 4] = &[0b0010, 0b0101, 0b1010, 0b0100];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 4] = &[
            &[EventKind::Observe],
            &[EventKind::Observe],
            &[EventKind::Observe],
            &[EventKind::Observe],
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

    /// The level in round numbers; the transitions rule.
    pub const fn range(self) -> &'static str {
        const VALUES: &[&str; 4] = &["0-50%", "50-70%", "70-85%", ">85%"];
        VALUES[self as usize]
    }

    /// How the mind map is written.
    pub const fn compression(self) -> &'static str {
        const VALUES: &[&str; 4] = &[
            "Verbose (L1)",
            "Dense (L2)",
            "Ultra-dense (L3)",
            "Ultra-dense (L3)",
        ];
        VALUES[self as usize]
    }

    /// What to do.
    pub const fn action(self) -> &'static str {
        const VALUES: &[&str; 4] = &[
            "None needed",
            "Monitor",
            "Recommend paging",
            "Urgent eviction",
        ];
        VALUES[self as usize]
    }

    /// What the level tells the agent.
    pub const fn guidance(self) -> &'static [&'static str] {
        const VALUES: &[&[&str]; 4] = &[
            &["Verbose format OK", "No action required"],
            &["Recommend dense format", "Monitor closely"],
            &["Ultra-dense format", "Recommend paging", "Provide eviction candidates"],
            &[
                "Emergency summarization",
                "Urgent eviction required",
                "Warn agent immediately",
            ],
        ];
        VALUES[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 5];

    const MACHINE: &'static str = "pressure";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::AnyBut(&[]),
                        Trigger::Event(EventKind::Observe),
                        Target::Refuse("utilization cannot be negative"),
                    )
                    .guard("sample < 0")
                    .inferred("The source does not say what an impossible sample means."),
            ),
            Transition::Full(
                &Row::new(State::Low, EventKind::Observe, State::Medium)
                    .guard("sample >= medium_at")
                    .label("utilization ≥ 0.50"),
            ),
            Transition::Full(
                &Row::new(State::Medium, EventKind::Observe, State::High)
                    .guard("sample >= high_at")
                    .label("utilization ≥ 0.70"),
            ),
            Transition::Full(
                &Row::new(State::High, EventKind::Observe, State::Critical)
                    .guard("sample >= critical_at")
                    .label("utilization ≥ 0.85"),
            ),
            Transition::Full(
                &Row::new(State::Critical, EventKind::Observe, State::High)
                    .guard("sample < critical_at - buffer")
                    .inferred(
                        "The rule of the 5% buffer is general; its examples leave this level out.",
                    ),
            ),
            Transition::Full(
                &Row::new(State::High, EventKind::Observe, State::Medium)
                    .guard("sample < high_at - buffer"),
            ),
            Transition::Full(
                &Row::new(State::Medium, EventKind::Observe, State::Low)
                    .guard("sample < medium_at - buffer"),
            ),
            Transition::Full(
                &Row::of(
                        Source::AnyBut(&[]),
                        Trigger::Event(EventKind::Observe),
                        Target::Stay,
                    )
                    .doc("The level stays."),
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
    /// A new sample of the utilization. One sample may lead over several levels.
    ///
    /// Raised by `system`.
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Observe {
        /// Utilization, as a share of the context.
        sample: ::statespec::Decimal,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Observe { .. } => EventKind::Observe,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A new sample of the utilization. One sample may lead over several levels.
    ///
    /// Raised by `system`.
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Observe,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::Observe];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["observe"];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &[
            "A new sample of the utilization. One sample may lead over several levels.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(EventKind, "event");

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 1] = &[&[Actor::System]];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 1] = &[None];
        PERFORMERS[self as usize]
    }

    /// Whether this actor may raise the event.
    pub fn may_be_raised_by(self, actor: Actor) -> bool {
        self.by().is_empty() || self.by().contains(&actor)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = Actor;

    fn by(self) -> &'static [Actor] {
        EventKind::by(self)
    }

    fn performer(self) -> Option<Actor> {
        EventKind::performer(self)
    }
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Watches the utilization of the context.
    System,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 1] = [Actor::System];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["system"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Watches the utilization of the context."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
