//! Mission.
//!
//! A mission is proposed, approved, worked on hop by hop, and completed with its final hop.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `propose` | `AWAITING_APPROVAL` |  |
//! | `AWAITING_APPROVAL` | `approve` | `IN_PROGRESS` |  |
//! | `IN_PROGRESS` | `link_hop` | `IN_PROGRESS` | `current_hop_id == null` |
//! | `IN_PROGRESS` | `link_hop` | refused: the mission has a current hop |  |
//! | `IN_PROGRESS` | `hop_completed` | `IN_PROGRESS` | `not is_final` |
//! | `IN_PROGRESS` | `hop_completed` | `COMPLETED` | `is_final` |
//!
//! - Nothing rejects, fails or cancels a mission: the source shows every transition there is.

/// Mission.
///
/// A mission is proposed, approved, worked on hop by hop, and completed with its final hop.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mission<R = u64> {
    state: State,
    context: Context<R>,
}

impl<R> Mission<R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<R>) -> Self {
        Mission { state, context }
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

impl<R: Copy + PartialEq> Mission<R> {
    /// Brings a machine into being by `propose`.
    pub fn born(event: Event<R>) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event)
    }

    /// The same, with a context that the caller has prepared.
    pub fn born_with(
        context: Context<R>,
        event: Event<R>,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = Mission {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Propose => Outcome::To(State::AwaitingApproval, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<R: Copy + PartialEq> Mission<R> {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<R>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply(&mut self, event: Event<R>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(
        &mut self,
        actor: Actor,
        event: Event<R>,
    ) -> Result<Change, Refused> {
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
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<R>) {
        match (step.row(), *event) {
            (2, Event::LinkHop { hop_id }) => {
                self.context.current_hop_id = Some(hop_id);
            }
            (4, _) => {
                self.context.current_hop_id = None;
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<H: Effects<R> + ?Sized>(
        &mut self,
        event: Event<R>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<R>>::Error>> {
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

impl<R: Copy + PartialEq> ::statespec::Machine<Event<R>> for Mission<R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<R>) -> EventKind {
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
        event: &Event<R>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        const TABLE: &::statespec::Table<State, 3, 4> = &::statespec::__table!(
            State, 3, EventKind, 4, []
        );
        let outcome = match (self.state, *event) {
            (
                State::InProgress,
                Event::LinkHop { .. },
            ) if self.context.current_hop_id.is_none() => {
                Outcome::To(State::InProgress, 2)
            }
            (State::InProgress, Event::HopCompleted { is_final }) if !is_final => {
                Outcome::To(State::InProgress, 4)
            }
            (State::InProgress, Event::HopCompleted { is_final }) if is_final => {
                Outcome::To(State::Completed, 5)
            }
            _ => return TABLE.on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event<R>) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `mission` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<R = u64> {
    /// The hop that is being worked on.
    pub current_hop_id: Option<R>,
}

#[allow(clippy::derivable_impls)]
impl<R> Default for Context<R> {
    fn default() -> Self {
        Context { current_hop_id: None }
    }
}

/// What a `mission` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Initial state after agent proposal.
    AwaitingApproval,
    /// Active state during all hop work.
    InProgress,
    /// Terminal state when final hop completes.
    ///
    /// An outcome: the work has ended.
    Completed,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 3] = [
        State::AwaitingApproval,
        State::InProgress,
        State::Completed,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["AWAITING_APPROVAL", "IN_PROGRESS", "COMPLETED"];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &[
            "Initial state after agent proposal",
            "Active state during all hop work",
            "Terminal state when final hop completes",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::AwaitingApproval;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 3] = &[
            &[State::InProgress],
            &[State::InProgress, State::Completed],
            &[],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 3] = &[0b010, 0b110, 0b000];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 3] = &[
            &[EventKind::Approve],
            &[EventKind::LinkHop, EventKind::HopCompleted],
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

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "mission";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::Birth,
                        Trigger::Event(EventKind::Propose),
                        Target::To(State::AwaitingApproval),
                    )
                    .effects(&[Effect::CreateAssets])
                    .doc("created"),
            ),
            Transition::Full(
                &Row::new(State::AwaitingApproval, EventKind::Approve, State::InProgress)
                    .doc("updated"),
            ),
            Transition::Full(
                &Row::new(State::InProgress, EventKind::LinkHop, State::InProgress)
                    .guard("current_hop_id == null")
                    .doc("current_hop_id set"),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::InProgress),
                        Trigger::Event(EventKind::LinkHop),
                        Target::Refuse("the mission has a current hop"),
                    )
                    .inferred(
                        "The current hop could never be updated again if another one took its place.",
                    ),
            ),
            Transition::Full(
                &Row::new(State::InProgress, EventKind::HopCompleted, State::InProgress)
                    .guard("not is_final")
                    .doc("current_hop_id reset to null"),
            ),
            Transition::Full(
                &Row::new(State::InProgress, EventKind::HopCompleted, State::Completed)
                    .guard("is_final")
                    .doc("`current_hop_id` keeps pointing at the final hop."),
            ),
        ]
    };

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Propose];

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
pub enum Event<R = u64> {
    /// The agent proposes the mission.
    ///
    /// Raised by `agent`.
    Propose,
    /// The user approves the proposal.
    ///
    /// Raised by `user`.
    Approve,
    /// A hop was created for the mission and becomes its current one.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    LinkHop {
        /// The field `hop_id`.
        hop_id: R,
    },
    /// The current hop was completed.
    ///
    /// Raised by `system`.
    HopCompleted {
        /// The field `is_final`.
        is_final: bool,
    },
}

impl<R> Event<R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Propose => EventKind::Propose,
            Event::Approve => EventKind::Approve,
            Event::LinkHop { .. } => EventKind::LinkHop,
            Event::HopCompleted { .. } => EventKind::HopCompleted,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The agent proposes the mission.
    ///
    /// Raised by `agent`.
    Propose,
    /// The user approves the proposal.
    ///
    /// Raised by `user`.
    Approve,
    /// A hop was created for the mission and becomes its current one.
    ///
    /// Raised by `user`.
    ///
    /// The work is done by `agent`.
    LinkHop,
    /// The current hop was completed.
    ///
    /// Raised by `system`.
    HopCompleted,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 4] = [
        EventKind::Propose,
        EventKind::Approve,
        EventKind::LinkHop,
        EventKind::HopCompleted,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["propose", "approve", "link_hop", "hop_completed"];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "The agent proposes the mission.",
            "The user approves the proposal.",
            "A hop was created for the mission and becomes its current one.",
            "The current hop was completed.",
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
        const BY: &[&[Actor]; 4] = &[
            &[Actor::Agent],
            &[Actor::User],
            &[Actor::User],
            &[Actor::System],
        ];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 4] = &[None, None, Some(Actor::Agent), None];
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

/// What a step makes happen outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Creates the mission's input and output assets.
    CreateAssets,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 1] = [Effect::CreateAssets];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["create_assets"];
        NAMES[self as usize]
    }

    /// What a person reads for the effect.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Create the input/output assets"];
        TEXTS[self as usize]
    }

    /// What the spec says about the effect.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Creates the mission's input and output assets."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Effect, "effect");

#[cfg(feature = "serde")]
::statespec::named_serde!(Effect);

/// What performs the effects, and the store.
pub trait Effects<R = u64> {
    /// Why an effect or the store failed.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Mission<R>, change: &Change) -> Result<(), Self::Error>;

    /// Creates the mission's input and output assets.
    fn create_assets(&mut self) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<R: Copy, H: Effects<R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Effects<R>>::Error> {
        match self {
            Effect::CreateAssets => host.create_assets(),
        }
    }
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Proposes missions.
    Agent,
    /// Approves missions and requests hop planning.
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
            "Proposes missions.",
            "Approves missions and requests hop planning.",
            "Handles completion events.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
