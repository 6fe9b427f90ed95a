//! Session Lifecycle.
//!
//! One session of an agent with its mind map.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `start` | `LOADING` |  |
//! | `LOADING` | `state_loaded` | `BOOTSTRAP` |  |
//! | `BOOTSTRAP` | `reasoning_begun` | `ACTIVE` |  |
//! | `ACTIVE/NORMAL` | `pressure_critical` | `ACTIVE/PRESSURE` |  |
//! | `ACTIVE/PRESSURE` | `pressure_relieved` | `ACTIVE/NORMAL` |  |
//! | `ACTIVE` | `get_context` | stays |  |
//! | `ACTIVE` | `page_in` | stays |  |
//! | `ACTIVE` | `page_out` | stays |  |
//! | `ACTIVE` | `set_attention` | stays |  |
//! | `ACTIVE` | `annotate` | stays |  |
//! | `ACTIVE` | `end` or `reset` | `PERSISTING` |  |
//! | `PERSISTING` | `state_saved` | `ENDED` |  |
//!
//! - The operations are accepted in the whole of ACTIVE, under pressure too: an agent that decides what to page out needs them.
//! - Failures of loading and saving are not drawn; the session stays where it is.

/// Session Lifecycle.
///
/// One session of an agent with its mind map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Session {
    state: State,
}

impl Session {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        Session { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl Session {
    /// Brings a machine into being by `start`.
    pub fn born(event: Event<'_>) -> Result<(Self, Change), Refused> {
        let mut machine = Session { state: State::INITIAL };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Start => Outcome::To(State::Loading, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl Session {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<'_>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply(&mut self, event: Event<'_>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(
        &mut self,
        actor: Actor,
        event: Event<'_>,
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
    fn take(&mut self, step: &::statespec::Step<State>, _event: &Event<'_>) {
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<H: Effects + ?Sized>(
        &mut self,
        event: Event<'_>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects>::Error>> {
        let mut next = Clone::clone(self);
        let change = next.apply(event)?;
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

impl ::statespec::Machine<Event<'_>> for Session {
    type State = State;

    #[inline]
    fn kind(event: &Event<'_>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn decide(
        &self,
        event: &Event<'_>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        const TABLE: &::statespec::Table<State, 6, 13> = &::statespec::__table!(
            State, 6, EventKind, 13, []
        );
        TABLE.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event<'_>) {
        self.take(step, event);
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `session` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Reading persisted mind map from disk.
    Loading,
    /// Injecting minimal context to agent.
    Bootstrap,
    /// Normal operation, handling requests.
    ///
    /// Where `ACTIVE` is entered.
    Normal,
    /// High pressure, managing evictions.
    ///
    /// Inside `ACTIVE`.
    Pressure,
    /// Saving state before session end.
    Persisting,
    /// Session complete.
    ///
    /// An outcome: the work has ended.
    Ended,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 6] = [
        State::Loading,
        State::Bootstrap,
        State::Normal,
        State::Pressure,
        State::Persisting,
        State::Ended,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 6] = &[
            "LOADING",
            "BOOTSTRAP",
            "NORMAL",
            "PRESSURE",
            "PERSISTING",
            "ENDED",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the state.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "LOADING",
            "BOOTSTRAP",
            "Normal Operation",
            "Pressure Response",
            "PERSISTING",
            "ENDED",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "Reading persisted mind map from disk",
            "Injecting minimal context to agent",
            "Normal operation, handling requests",
            "High pressure, managing evictions",
            "Saving state before session end",
            "Session complete",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Loading;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 6] = &[
            &[State::Bootstrap],
            &[State::Normal],
            &[State::Pressure, State::Persisting],
            &[State::Normal, State::Persisting],
            &[State::Ended],
            &[],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 6] = &[
            0b00_0010, 0b00_0100, 0b01_1000, 0b01_0100, 0b10_0000, 0b00_0000,
        ];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 6] = &[
            &[EventKind::StateLoaded],
            &[EventKind::ReasoningBegun],
            &[
                EventKind::PressureCritical,
                EventKind::GetContext,
                EventKind::PageIn,
                EventKind::PageOut,
                EventKind::SetAttention,
                EventKind::Annotate,
                EventKind::End,
                EventKind::Reset,
            ],
            &[
                EventKind::PressureRelieved,
                EventKind::GetContext,
                EventKind::PageIn,
                EventKind::PageOut,
                EventKind::SetAttention,
                EventKind::Annotate,
                EventKind::End,
                EventKind::Reset,
            ],
            &[EventKind::StateSaved],
            &[],
        ];
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Ended)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Ended)
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 6] = &[
            None,
            None,
            Some(Composite::Active),
            Some(Composite::Active),
            None,
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 6] = &[
            "LOADING",
            "BOOTSTRAP",
            "ACTIVE/NORMAL",
            "ACTIVE/PRESSURE",
            "PERSISTING",
            "ENDED",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Active => matches!(self, State::Normal | State::Pressure),
        }
    }
}

/// States with states inside; a machine is in one of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// Normal operation, handling requests.
    Active,
}

impl Composite {
    /// Every composite state, in the order of the spec.
    pub const ALL: [Composite; 1] = [Composite::Active];

    /// The name by which the composite state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["ACTIVE"];
        NAMES[self as usize]
    }

    /// What the spec says about the composite state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Normal operation, handling requests"];
        TEXTS[self as usize]
    }
}

::statespec::named!(Composite, "composite state");

#[cfg(feature = "serde")]
::statespec::named_serde!(Composite);

impl Composite {
    /// The state that entering this one ends in.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 1] = &[State::Normal];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 1] = &[None];
        PARENTS[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "session";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                    Source::Birth,
                    Trigger::Event(EventKind::Start),
                    Target::To(State::Loading),
                ),
            ),
            Transition::Plain(State::Loading, EventKind::StateLoaded, State::Bootstrap),
            Transition::Plain(
                State::Bootstrap,
                EventKind::ReasoningBegun,
                State::Normal,
            ),
            Transition::Plain(
                State::Normal,
                EventKind::PressureCritical,
                State::Pressure,
            ),
            Transition::Full(
                &Row::new(State::Pressure, EventKind::PressureRelieved, State::Normal)
                    .inferred(
                        "No way back is drawn; without one a single peak would end normal operation for good.",
                    ),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Normal, State::Pressure]),
                        Trigger::Event(EventKind::GetContext),
                        Target::Stay,
                    )
                    .doc("load resources"),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Normal, State::Pressure]),
                        Trigger::Event(EventKind::PageIn),
                        Target::Stay,
                    )
                    .doc("activate resources"),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Normal, State::Pressure]),
                        Trigger::Event(EventKind::PageOut),
                        Target::Stay,
                    )
                    .doc("evict resources"),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Normal, State::Pressure]),
                        Trigger::Event(EventKind::SetAttention),
                        Target::Stay,
                    )
                    .doc("adjust priorities"),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Normal, State::Pressure]),
                        Trigger::Event(EventKind::Annotate),
                        Target::Stay,
                    )
                    .effects(&[Effect::LeaveNote]),
            ),
            Transition::Full(
                &Row::of(
                    Source::In(&[State::Normal, State::Pressure]),
                    Trigger::AnyOf(&[EventKind::End, EventKind::Reset]),
                    Target::To(State::Persisting),
                ),
            ),
            Transition::Plain(State::Persisting, EventKind::StateSaved, State::Ended),
        ]
    };

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Start];

    const NODES: &'static [::statespec::Node<Self::Effect>] = &[
        ::statespec::Node {
            parent: None,
            entry: &[Effect::LoadMindMap],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::InjectMap],
            exit: &[],
        },
        ::statespec::Node {
            parent: Some(6),
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: Some(6),
            entry: &[Effect::CompressMap, Effect::RecommendEvictions],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::SaveMindMap],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
    ];

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
    /// A session begins.
    ///
    /// Raised by `system`.
    Start,
    /// The persisted mind map was read.
    ///
    /// Raised by `system`.
    StateLoaded,
    /// The agent begins reasoning.
    ///
    /// Raised by `agent`.
    ReasoningBegun,
    /// The pressure became critical.
    ///
    /// Raised by `system`.
    PressureCritical,
    /// The pressure is no longer critical.
    ///
    /// Raised by `system`.
    PressureRelieved,
    /// Load resources.
    ///
    /// Raised by `agent`.
    GetContext,
    /// Activate resources.
    ///
    /// Raised by `agent`.
    PageIn,
    /// Evict resources: the agent decides what to page out.
    ///
    /// Raised by `agent`.
    PageOut,
    /// Adjust priorities.
    ///
    /// Raised by `agent`.
    SetAttention,
    /// Leave notes.
    ///
    /// Raised by `agent`.
    Annotate {
        /// The field `note`.
        note: &'e str,
    },
    /// The session ends.
    ///
    /// Raised by `agent` or `system`.
    End,
    /// The session is reset; what follows is a new session.
    ///
    /// Raised by `agent` or `system`.
    Reset,
    /// The mind map was saved.
    ///
    /// Raised by `system`.
    StateSaved,
}

impl<'e> Event<'e> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Start => EventKind::Start,
            Event::StateLoaded => EventKind::StateLoaded,
            Event::ReasoningBegun => EventKind::ReasoningBegun,
            Event::PressureCritical => EventKind::PressureCritical,
            Event::PressureRelieved => EventKind::PressureRelieved,
            Event::GetContext => EventKind::GetContext,
            Event::PageIn => EventKind::PageIn,
            Event::PageOut => EventKind::PageOut,
            Event::SetAttention => EventKind::SetAttention,
            Event::Annotate { .. } => EventKind::Annotate,
            Event::End => EventKind::End,
            Event::Reset => EventKind::Reset,
            Event::StateSaved => EventKind::StateSaved,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A session begins.
    ///
    /// Raised by `system`.
    Start,
    /// The persisted mind map was read.
    ///
    /// Raised by `system`.
    StateLoaded,
    /// The agent begins reasoning.
    ///
    /// Raised by `agent`.
    ReasoningBegun,
    /// The pressure became critical.
    ///
    /// Raised by `system`.
    PressureCritical,
    /// The pressure is no longer critical.
    ///
    /// Raised by `system`.
    PressureRelieved,
    /// Load resources.
    ///
    /// Raised by `agent`.
    GetContext,
    /// Activate resources.
    ///
    /// Raised by `agent`.
    PageIn,
    /// Evict resources: the agent decides what to page out.
    ///
    /// Raised by `agent`.
    PageOut,
    /// Adjust priorities.
    ///
    /// Raised by `agent`.
    SetAttention,
    /// Leave notes.
    ///
    /// Raised by `agent`.
    Annotate,
    /// The session ends.
    ///
    /// Raised by `agent` or `system`.
    End,
    /// The session is reset; what follows is a new session.
    ///
    /// Raised by `agent` or `system`.
    Reset,
    /// The mind map was saved.
    ///
    /// Raised by `system`.
    StateSaved,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 13] = [
        EventKind::Start,
        EventKind::StateLoaded,
        EventKind::ReasoningBegun,
        EventKind::PressureCritical,
        EventKind::PressureRelieved,
        EventKind::GetContext,
        EventKind::PageIn,
        EventKind::PageOut,
        EventKind::SetAttention,
        EventKind::Annotate,
        EventKind::End,
        EventKind::Reset,
        EventKind::StateSaved,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 13] = &[
            "start",
            "state_loaded",
            "reasoning_begun",
            "pressure_critical",
            "pressure_relieved",
            "get_context",
            "page_in",
            "page_out",
            "set_attention",
            "annotate",
            "end",
            "reset",
            "state_saved",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the event.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 13] = &[
            "Session Start",
            "state loaded",
            "agent begins reasoning",
            "pressure > critical",
            "pressure relieved",
            "get_context()",
            "page_in()",
            "page_out()",
            "set_attention()",
            "annotate()",
            "session ending",
            "reset",
            "state saved",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 13] = &[
            "A session begins.",
            "The persisted mind map was read.",
            "The agent begins reasoning.",
            "The pressure became critical.",
            "The pressure is no longer critical.",
            "load resources",
            "activate resources",
            "evict resources: the agent decides what to page out",
            "adjust priorities",
            "leave notes",
            "The session ends.",
            "The session is reset; what follows is a new session.",
            "The mind map was saved.",
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
        const BY: &[&[Actor]; 13] = &[
            &[Actor::System],
            &[Actor::System],
            &[Actor::Agent],
            &[Actor::System],
            &[Actor::System],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent, Actor::System],
            &[Actor::Agent, Actor::System],
            &[Actor::System],
        ];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 13] = &[
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
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

/// What a step makes happen outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Loads the persisted mind map.
    LoadMindMap,
    /// Injects the ultra-dense map into the agent's context.
    InjectMap,
    /// Compresses the mind map to ultra-dense.
    CompressMap,
    /// Recommends what to evict; the agent decides.
    RecommendEvictions,
    /// Saves the state of the mind map.
    SaveMindMap,
    /// Leaves a note.
    LeaveNote,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 6] = [
        Effect::LoadMindMap,
        Effect::InjectMap,
        Effect::CompressMap,
        Effect::RecommendEvictions,
        Effect::SaveMindMap,
        Effect::LeaveNote,
    ];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 6] = &[
            "load_mind_map",
            "inject_map",
            "compress_map",
            "recommend_evictions",
            "save_mind_map",
            "leave_note",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the effect.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "Load persisted mind map",
            "Inject ultra-dense map to agent",
            "Compress mind map to ultra-dense",
            "Recommend evictions",
            "Save mind map state",
            "leave notes",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the effect.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "Loads the persisted mind map.",
            "Injects the ultra-dense map into the agent's context.",
            "Compresses the mind map to ultra-dense.",
            "Recommends what to evict; the agent decides.",
            "Saves the state of the mind map.",
            "Leaves a note.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Effect, "effect");

#[cfg(feature = "serde")]
::statespec::named_serde!(Effect);

/// What performs the effects, and the store.
pub trait Effects {
    /// Why an effect or the store failed.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Session, change: &Change) -> Result<(), Self::Error>;

    /// Loads the persisted mind map.
    fn load_mind_map(&mut self) -> Result<(), Self::Error>;

    /// Injects the ultra-dense map into the agent's context.
    fn inject_map(&mut self) -> Result<(), Self::Error>;

    /// Compresses the mind map to ultra-dense.
    fn compress_map(&mut self) -> Result<(), Self::Error>;

    /// Recommends what to evict; the agent decides.
    fn recommend_evictions(&mut self) -> Result<(), Self::Error>;

    /// Saves the state of the mind map.
    fn save_mind_map(&mut self) -> Result<(), Self::Error>;

    /// Leaves a note.
    fn leave_note(&mut self, note: &str) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<H: Effects + ?Sized>(
        self,
        event: &Event<'_>,
        host: &mut H,
    ) -> Result<(), <H as Effects>::Error> {
        match (self, *event) {
            (Effect::LoadMindMap, _) => host.load_mind_map(),
            (Effect::InjectMap, _) => host.inject_map(),
            (Effect::CompressMap, _) => host.compress_map(),
            (Effect::RecommendEvictions, _) => host.recommend_evictions(),
            (Effect::SaveMindMap, _) => host.save_mind_map(),
            (Effect::LeaveNote, Event::Annotate { note }) => host.leave_note(note),
            _ => Ok(()),
        }
    }
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Reasons, and calls the operations.
    Agent,
    /// Loads, saves and watches.
    System,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Agent, Actor::System];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["agent", "system"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "Reasons, and calls the operations.",
            "Loads, saves and watches.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
