//! Hop.
//!
//! One stretch of a mission, from its plan to its completed execution.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `create` | `HOP_PLAN_STARTED` |  |
//! | `HOP_PLAN_STARTED` | `complete_plan` | `HOP_PLAN_PROPOSED` |  |
//! | `HOP_PLAN_PROPOSED` | `approve_plan` | `HOP_PLAN_READY` |  |
//! | `HOP_PLAN_READY` | `start_implementation` | `HOP_IMPL_STARTED` |  |
//! | `HOP_IMPL_STARTED` | `complete_implementation` | `HOP_IMPL_PROPOSED` |  |
//! | `HOP_IMPL_PROPOSED` | `approve_implementation` | `HOP_IMPL_READY` |  |
//! | `HOP_IMPL_READY` | `execute` | `EXECUTING` |  |
//! | `EXECUTING` | `complete` | `COMPLETED` |  |

/// Hop.
///
/// One stretch of a mission, from its plan to its completed execution.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hop<R = u64> {
    state: State,
    context: Context<R>,
}

impl<R> Hop<R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<R>) -> Self {
        Hop { state, context }
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

impl<R: Copy + PartialEq> Hop<R> {
    /// Brings a machine into being by `create`.
    pub fn born(event: Event) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event)
    }

    /// The same, with a context that the caller has prepared.
    pub fn born_with(
        context: Context<R>,
        event: Event,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = Hop {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Create => Outcome::To(State::HopPlanStarted, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<R: Copy + PartialEq> Hop<R> {
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
            (1, Event::CompletePlan { r#final }) => {
                self.context.is_final = r#final;
            }
            _ => {}
        }
        self.state = step.to();
    }
}

impl<R: Copy + PartialEq> ::statespec::Machine<Event> for Hop<R> {
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
        const TABLE: &::statespec::Table<State, 8, 8> = &::statespec::__table!(
            State, 8, EventKind, 8, []
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

/// What a `hop` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<R = u64> {
    /// The mission it belongs to; set at birth.
    pub mission_id: Option<R>,
    /// The mission completes with this hop. Settled with the plan, then fixed.
    pub is_final: bool,
}

#[allow(clippy::derivable_impls)]
impl<R> Default for Context<R> {
    fn default() -> Self {
        Context {
            mission_id: None,
            is_final: false,
        }
    }
}

/// What a `hop` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Agent begins planning.
    HopPlanStarted,
    /// Plan ready for user review.
    HopPlanProposed,
    /// Plan approved by user.
    HopPlanReady,
    /// Implementation begins.
    HopImplStarted,
    /// Implementation ready for review.
    HopImplProposed,
    /// Implementation approved.
    HopImplReady,
    /// Hop running tool steps.
    Executing,
    /// Hop finished successfully.
    ///
    /// An outcome: the work has ended.
    Completed,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 8] = [
        State::HopPlanStarted,
        State::HopPlanProposed,
        State::HopPlanReady,
        State::HopImplStarted,
        State::HopImplProposed,
        State::HopImplReady,
        State::Executing,
        State::Completed,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 8] = &[
            "HOP_PLAN_STARTED",
            "HOP_PLAN_PROPOSED",
            "HOP_PLAN_READY",
            "HOP_IMPL_STARTED",
            "HOP_IMPL_PROPOSED",
            "HOP_IMPL_READY",
            "EXECUTING",
            "COMPLETED",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "Agent begins planning",
            "Plan ready for user review",
            "Plan approved by user",
            "Implementation begins",
            "Implementation ready for review",
            "Implementation approved",
            "Hop running tool steps",
            "Hop finished successfully",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::HopPlanStarted;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 8] = &[
            &[State::HopPlanProposed],
            &[State::HopPlanReady],
            &[State::HopImplStarted],
            &[State::HopImplProposed],
            &[State::HopImplReady],
            &[State::Executing],
            &[State::Completed],
            &[],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 8] = &[
            0b0000_0010, 0b0000_0100, 0b0000_1000, 0b0001_0000, 0b0010_0000, 0b0100_0000,
            0b1000_0000, 0b0000_0000,
        ];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 8] = &[
            &[EventKind::CompletePlan],
            &[EventKind::ApprovePlan],
            &[EventKind::StartImplementation],
            &[EventKind::CompleteImplementation],
            &[EventKind::ApproveImplementation],
            &[EventKind::Execute],
            &[EventKind::Complete],
            &[],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Completed)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Completed)
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "hop";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::Birth,
                        Trigger::Event(EventKind::Create),
                        Target::To(State::HopPlanStarted),
                    )
                    .doc("created and linked"),
            ),
            Transition::Full(
                &Row::new(
                        State::HopPlanStarted,
                        EventKind::CompletePlan,
                        State::HopPlanProposed,
                    )
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(
                        State::HopPlanProposed,
                        EventKind::ApprovePlan,
                        State::HopPlanReady,
                    )
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(
                        State::HopPlanReady,
                        EventKind::StartImplementation,
                        State::HopImplStarted,
                    )
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(
                        State::HopImplStarted,
                        EventKind::CompleteImplementation,
                        State::HopImplProposed,
                    )
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(
                        State::HopImplProposed,
                        EventKind::ApproveImplementation,
                        State::HopImplReady,
                    )
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(State::HopImplReady, EventKind::Execute, State::Executing)
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(State::Executing, EventKind::Complete, State::Completed)
                    .doc("marked completed"),
            ),
        ]
    };

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Create];

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
    /// The user clicks a button, the agent creates the hop.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    Create,
    /// The agent finishes planning and proposes to the user.
    ///
    /// Raised by `agent`.
    CompletePlan {
        /// Whether the mission completes with this hop.
        r#final: bool,
    },
    /// The user approves the plan.
    ///
    /// Raised by `user`.
    ApprovePlan,
    /// The user clicks a button, the agent starts implementing.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    StartImplementation,
    /// The agent finishes the implementation and proposes to the user.
    ///
    /// Raised by `agent`.
    CompleteImplementation,
    /// The user approves the implementation.
    ///
    /// Raised by `user`.
    ApproveImplementation,
    /// The user triggers execution.
    ///
    /// Raised by `user`.
    Execute,
    /// The execution is completed.
    ///
    /// Raised by `system`.
    Complete,
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create => EventKind::Create,
            Event::CompletePlan { .. } => EventKind::CompletePlan,
            Event::ApprovePlan => EventKind::ApprovePlan,
            Event::StartImplementation => EventKind::StartImplementation,
            Event::CompleteImplementation => EventKind::CompleteImplementation,
            Event::ApproveImplementation => EventKind::ApproveImplementation,
            Event::Execute => EventKind::Execute,
            Event::Complete => EventKind::Complete,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The user clicks a button, the agent creates the hop.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    Create,
    /// The agent finishes planning and proposes to the user.
    ///
    /// Raised by `agent`.
    CompletePlan,
    /// The user approves the plan.
    ///
    /// Raised by `user`.
    ApprovePlan,
    /// The user clicks a button, the agent starts implementing.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    StartImplementation,
    /// The agent finishes the implementation and proposes to the user.
    ///
    /// Raised by `agent`.
    CompleteImplementation,
    /// The user approves the implementation.
    ///
    /// Raised by `user`.
    ApproveImplementation,
    /// The user triggers execution.
    ///
    /// Raised by `user`.
    Execute,
    /// The execution is completed.
    ///
    /// Raised by `system`.
    Complete,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 8] = [
        EventKind::Create,
        EventKind::CompletePlan,
        EventKind::ApprovePlan,
        EventKind::StartImplementation,
        EventKind::CompleteImplementation,
        EventKind::ApproveImplementation,
        EventKind::Execute,
        EventKind::Complete,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 8] = &[
            "create",
            "complete_plan",
            "approve_plan",
            "start_implementation",
            "complete_implementation",
            "approve_implementation",
            "execute",
            "complete",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "The user clicks a button, the agent creates the hop.",
            "The agent finishes planning and proposes to the user.",
            "The user approves the plan.",
            "The user clicks a button, the agent starts implementing.",
            "The agent finishes the implementation and proposes to the user.",
            "The user approves the implementation.",
            "The user triggers execution.",
            "The execution is completed.",
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
        const BY: &[&[Actor]; 8] = &[
            &[Actor::User],
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::System],
        ];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 8] = &[
            Some(Actor::Agent),
            None,
            None,
            Some(Actor::Agent),
            None,
            None,
            None,
            None,
        ];
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
    /// Creates hop plans, implements tool steps, completes planning/implementation work.
    Agent,
    /// Approves plans/implementations, requests hop planning via button clicks, triggers execution.
    User,
    /// Handles completion events.
    System,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 3] = [Actor::Agent, Actor::User, Actor::System];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["agent", "user", "system"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "Creates hop plans, implements tool steps, completes planning/implementation work.",
            "Approves plans/implementations, requests hop planning via button clicks, triggers execution.",
            "Handles completion events.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
