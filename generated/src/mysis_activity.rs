//! Activity (not a state).
//!
//! What a Mysis is busy with, for context/TUI only: it is no part of `MysisState`, and it does not block nudges.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | anywhere | `set_activity` | what `activity` names |  |
//!
//! - `thinking` is represented by `ActivityStateLLMCall` (not a MysisState).
//! - In-game activities (traveling, cooldown, etc.) are for context/TUI only and do not block nudges.

/// Activity (not a state).
///
/// What a Mysis is busy with, for context/TUI only: it is no part of `MysisState`, and it does not block nudges.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MysisActivity {
    state: State,
    context: Context,
}

impl MysisActivity {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        MysisActivity { state, context }
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

impl MysisActivity {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        MysisActivity {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl Default for MysisActivity {
    fn default() -> Self {
        Self::new()
    }
}

impl MysisActivity {
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
            (0, Event::SetActivity { until, .. }) => {
                self.context.activity_until = until;
            }
            _ => {}
        }
        self.state = step.to();
    }
}

impl ::statespec::Machine<Event> for MysisActivity {
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
        let outcome = match (self.state, *event) {
            (_, Event::SetActivity { activity, .. }) => Outcome::To(activity, 0),
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

/// What a `mysis_activity` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// When the activity ends; may lie in the future.
    pub activity_until: Option<::statespec::Timestamp>,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { activity_until: None }
    }
}

/// What a `mysis_activity` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// No activity.
    ///
    /// Inferred: The sources name no neutral value; `idle` is a lifecycle state and would be mistaken for it.
    None,
    /// Waiting for the LLM: what the TUI shows as `thinking`.
    LlmCall,
    /// On the way.
    Traveling,
    /// Waiting for a cooldown to end.
    Cooldown,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 4] = [
        State::None,
        State::LlmCall,
        State::Traveling,
        State::Cooldown,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["none", "llm_call", "traveling", "cooldown"];
        NAMES[self as usize]
    }

    /// What a person reads for the state.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["none", "thinking", "traveling", "cooldown"];
        TEXTS[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "No activity.",
            "Waiting for the LLM: what the TUI shows as `thinking`.",
            "On the way.",
            "Waiting for a cooldown to end.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::None;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 4] = &[
            &State::ALL,
            &State::ALL,
            &State::ALL,
            &State::ALL,
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 4] = &[0b1111, 0b1111, 0b1111, 0b1111];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 4] = &[
            &[EventKind::SetActivity],
            &[EventKind::SetActivity],
            &[EventKind::SetActivity],
            &[EventKind::SetActivity],
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

    /// Something that happens in the game.
    pub const fn in_game(self) -> bool {
        const VALUES: &[bool; 4] = &[false, false, true, true];
        VALUES[self as usize]
    }

    /// The name of the constant in the program.
    pub const fn code(self) -> Option<&'static str> {
        const VALUES: &[Option<&str>; 4] = &[
            None,
            Some("ActivityStateLLMCall"),
            None,
            None,
        ];
        VALUES[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "mysis_activity";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::AnyBut(&[]),
                        Trigger::Event(EventKind::SetActivity),
                        Target::Payload("activity"),
                    )
                    .inferred("No edges are given, so any activity may follow any."),
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
    /// The runtime shows what it is busy with.
    ///
    /// Raised by `runtime`.
    SetActivity {
        /// The field `activity`.
        activity: State,
        /// The field `until`.
        until: Option<::statespec::Timestamp>,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::SetActivity { .. } => EventKind::SetActivity,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The runtime shows what it is busy with.
    ///
    /// Raised by `runtime`.
    SetActivity,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::SetActivity];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["set_activity"];
        NAMES[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The runtime shows what it is busy with."];
        TEXTS[self as usize]
    }
}

::statespec::named!(EventKind, "event");

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 1] = &[&[Actor::Runtime]];
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
    /// The run loop of the Mysis.
    Runtime,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 1] = [Actor::Runtime];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["runtime"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The run loop of the Mysis."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
