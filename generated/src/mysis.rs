//! Mysis State Machine.
//!
//! The valid Mysis lifecycle states and the transitions between them.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `create` or `load` | `idle` |  |
//! | `idle` | `start` | `running` |  |
//! | `running` | `nudge_failed` | `idle` | `nudge_failures + 1 >= nudge_limit` |
//! | `running` | `nudge_failed` | stays |  |
//! | `running` | `turn_completed` | stays |  |
//! | `running` | `nudge` | stays |  |
//! | `running` | `stop` | `stopped` |  |
//! | `running` | `error` | `errored` |  |
//! | `running` | `tool_timed_out` | `errored` |  |
//! | `running` | `mcp_retries_exhausted` | `errored` |  |
//! | `stopped` or `errored` | `start` | `running` |  |
//! | `idle` | `message` | stays |  |
//! | `running` | `message` | stays |  |
//! | `stopped` | `message` | refused: mysis stopped - press 'r' to relaunch |  |
//! | `errored` | `message` | refused: mysis errored - press 'r' to relaunch |  |
//!
//! - State updates are persisted via `store.UpdateMysisState` (SQLite).
//! - Messages are accepted in `idle` and `running` states; rejected in `stopped` and `errored` states.
//! - `Idle` is the "needs attention" state after 3 failed nudges.
//! - `MysisState` is for the lifecycle, `ActivityState` only for UI/context.

/// Mysis State Machine.
///
/// The valid Mysis lifecycle states and the transitions between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mysis<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Mysis<Text> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Mysis { state, context }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// What it knows beside its state.
    #[inline]
    pub const fn context(&self) -> &Context<Text> {
        &self.context
    }

    /// What it knows beside its state, to be changed by hand.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text> {
        &mut self.context
    }
}

impl<'e, Text: From<&'e str>> Mysis<Text> {
    /// Brings a machine into being by `create` or `load`.
    pub fn born(event: Event<'e>) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event)
    }

    /// The same, with a context that the caller has prepared.
    pub fn born_with(
        context: Context<Text>,
        event: Event<'e>,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = Mysis {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Create => Outcome::To(State::Idle, 0),
            Event::Load => Outcome::To(State::Idle, 0),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<'e, Text: From<&'e str>> Mysis<Text> {
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

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(
        &mut self,
        actor: Actor,
        event: Event<'e>,
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
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'e>) {
        match (step.row(), *event) {
            (1 | 10, _) => {
                self.context.nudge_failures = 0;
                self.context.last_error = None;
            }
            (2 | 3, _) => {
                self.context.nudge_failures = self
                    .context
                    .nudge_failures
                    .saturating_add(1);
            }
            (4, _) => {
                self.context.nudge_failures = 0;
            }
            (7, Event::Error { cause }) => {
                self.context.last_error = Some(From::from(cause));
            }
            (8, Event::ToolTimedOut { cause, .. }) => {
                self.context.last_error = Some(From::from(cause));
            }
            (9, Event::McpRetriesExhausted { cause }) => {
                self.context.last_error = Some(From::from(cause));
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<H: Effects<Text> + ?Sized>(
        &mut self,
        event: Event<'e>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<Text>>::Error>>
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
            |host, effect| effect.perform(&event, host),
        )
    }
}

impl<'e, Text: From<&'e str>> ::statespec::Machine<Event<'e>> for Mysis<Text> {
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
        const TABLE: &::statespec::Table<State, 4, 11> = &::statespec::__table!(
            State, 4, EventKind, 11, []
        );
        let outcome = match (self.state, *event) {
            (
                State::Running,
                Event::NudgeFailed,
            ) if self.context.nudge_failures.saturating_add(1) >= NUDGE_LIMIT => {
                Outcome::To(State::Idle, 2)
            }
            _ => return TABLE.on_event(self.state, event.kind()),
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

/// What a `mysis` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str> {
    /// Failed nudges in a row, with no turn completed between them.
    pub nudge_failures: i64,
    /// Why the Mysis is `errored`; kept in memory only.
    pub last_error: Option<Text>,
}

#[allow(clippy::derivable_impls)]
impl<Text> Default for Context<Text> {
    fn default() -> Self {
        Context {
            nudge_failures: 0,
            last_error: None,
        }
    }
}

/// Failed nudges in a row that trip the breaker.
pub const NUDGE_LIMIT: i64 = 3;

/// What a `mysis` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Not running, but accepts messages. Messages are stored and processed when started. Set on creation and when a mysis fails 3 nudges; requires a commander message/broadcast or explicit start to resume processing.
    Idle,
    /// Active and eligible for nudges; waiting between loop iterations (after a reply, for the next nudge). Accepts messages.
    Running,
    /// Explicitly stopped by user action. Rejects messages until relaunched.
    Stopped,
    /// Provider or MCP failures after retries; recorded as `lastError`. Rejects messages until relaunched.
    Errored,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 4] = [
        State::Idle,
        State::Running,
        State::Stopped,
        State::Errored,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["idle", "running", "stopped", "errored"];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "Not running, but accepts messages. Messages are stored and processed when started. Set on creation and when a mysis fails 3 nudges; requires a commander message/broadcast or explicit start to resume processing.",
            "Active and eligible for nudges; waiting between loop iterations (after a reply, for the next nudge). Accepts messages.",
            "Explicitly stopped by user action. Rejects messages until relaunched.",
            "Provider or MCP failures after retries; recorded as `lastError`. Rejects messages until relaunched.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Idle;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 4] = &[
            &[State::Running],
            &[State::Idle, State::Stopped, State::Errored],
            &[State::Running],
            &[State::Running],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 4] = &[0b0010, 0b1101, 0b0010, 0b0010];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 4] = &[
            &[EventKind::Start, EventKind::Message],
            &[
                EventKind::Stop,
                EventKind::Error,
                EventKind::ToolTimedOut,
                EventKind::McpRetriesExhausted,
                EventKind::Nudge,
                EventKind::NudgeFailed,
                EventKind::TurnCompleted,
                EventKind::Message,
            ],
            &[EventKind::Start],
            &[EventKind::Start],
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

    /// Events after which its commander may expect it to work again.
    pub const fn resumed_by(self) -> &'static [EventKind] {
        const VALUES: &[&[EventKind]; 4] = &[
            &[EventKind::Message, EventKind::Start],
            &[],
            &[EventKind::Start],
            &[EventKind::Start],
        ];
        VALUES[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "mysis";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::Birth,
                        Trigger::AnyOf(&[EventKind::Create, EventKind::Load]),
                        Target::To(State::Idle),
                    )
                    .label("create or load"),
            ),
            Transition::Full(
                &Row::new(State::Idle, EventKind::Start, State::Running)
                    .effects(&[Effect::EmitStateChanged])
                    .label("start"),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::NudgeFailed, State::Idle)
                    .guard("nudge_failures + 1 >= nudge_limit")
                    .effects(&[Effect::EmitStateChanged, Effect::SignalAttention])
                    .memory_first()
                    .label("3 nudges failed")
                    .doc(
                        "`setIdle`: sets the state, then updates the store, then tells. Needs attention, but is no error.",
                    ),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Running),
                        Trigger::Event(EventKind::NudgeFailed),
                        Target::Stay,
                    )
                    .doc("Counts."),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Running),
                    Trigger::Event(EventKind::TurnCompleted),
                    Target::Stay,
                ),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Running),
                        Trigger::Event(EventKind::Nudge),
                        Target::Stay,
                    )
                    .doc("Nudges the Mysis; activities do not gate it."),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::Stop, State::Stopped)
                    .effects(&[Effect::ReleaseAccount, Effect::EmitStateChanged])
                    .memory_first()
                    .label("stop"),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::Error, State::Errored)
                    .effects(&[Effect::EmitStateChanged])
                    .memory_first()
                    .label("error"),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::ToolTimedOut, State::Errored)
                    .before(&[Effect::StoreTimeoutResult])
                    .effects(&[Effect::EmitStateChanged])
                    .memory_first()
                    .label("error")
                    .doc("The tool error is stored first."),
            ),
            Transition::Full(
                &Row::new(State::Running, EventKind::McpRetriesExhausted, State::Errored)
                    .before(&[Effect::StoreErrorResult])
                    .effects(&[Effect::EmitStateChanged])
                    .memory_first()
                    .label("error")
                    .doc("The tool error is stored first."),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Stopped, State::Errored]),
                        Trigger::Event(EventKind::Start),
                        Target::To(State::Running),
                    )
                    .effects(&[Effect::EmitStateChanged])
                    .label("relaunch"),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Idle),
                        Trigger::Event(EventKind::Message),
                        Target::Stay,
                    )
                    .effects(&[Effect::StoreMessage])
                    .doc(
                        "Messages are stored and will be processed when the Mysis is started.",
                    ),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Running),
                        Trigger::Event(EventKind::Message),
                        Target::Stay,
                    )
                    .effects(&[Effect::StoreMessage, Effect::ProcessMessage])
                    .doc("Messages are processed immediately."),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Stopped),
                    Trigger::Event(EventKind::Message),
                    Target::Refuse("mysis stopped - press 'r' to relaunch"),
                ),
            ),
            Transition::Full(
                &Row::of(
                    Source::Leaf(State::Errored),
                    Trigger::Event(EventKind::Message),
                    Target::Refuse("mysis errored - press 'r' to relaunch"),
                ),
            ),
        ]
    };

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Create, EventKind::Load];

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
    /// The Mysis is created in the store, as `idle`.
    ///
    /// Raised by `commander`.
    Create,
    /// The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. The store is not written.
    ///
    /// Raised by `runtime`.
    Load,
    /// `Commander.StartMysis`, the TUI's `r` key. If the store update fails, the Mysis remains unchanged and start returns an error.
    ///
    /// Raised by `commander`.
    Start,
    /// `Commander.StopMysis`, the TUI's `s` key. Valid only when currently `running`.
    ///
    /// Raised by `commander`.
    Stop,
    /// `setErrorState` on execution failures: provider errors, or MCP after retries. An ordinary tool error is a result, not this event.
    ///
    /// Raised by `runtime`.
    Error {
        /// The field `cause`.
        cause: &'e str,
    },
    /// `executeToolCall` returned `ctx.DeadlineExceeded` or `ctx.Canceled`.
    ///
    /// Raised by `runtime`.
    ToolTimedOut {
        /// The field `tool`.
        tool: &'e str,
        /// The field `cause`.
        cause: &'e str,
    },
    /// The MCP proxy's sentinel for a tool failure that outlasted its retries, without store errors.
    ///
    /// Raised by `runtime`.
    McpRetriesExhausted {
        /// The field `cause`.
        cause: &'e str,
    },
    /// `shouldNudge`: true whenever `running`, whatever the activity says.
    ///
    /// Raised by `runtime`.
    Nudge,
    /// A nudge fell due with no turn in progress and no progress since the last one.
    ///
    /// Raised by `runtime`.
    NudgeFailed,
    /// Progress; the count of failed nudges starts over.
    ///
    /// Raised by `runtime`.
    TurnCompleted,
    /// A message or broadcast to the Mysis. It gives an `idle` Mysis something to do; `start` makes it do it.
    ///
    /// Raised by `commander`.
    Message {
        /// The field `body`.
        body: &'e str,
    },
}

impl<'e> Event<'e> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create => EventKind::Create,
            Event::Load => EventKind::Load,
            Event::Start => EventKind::Start,
            Event::Stop => EventKind::Stop,
            Event::Error { .. } => EventKind::Error,
            Event::ToolTimedOut { .. } => EventKind::ToolTimedOut,
            Event::McpRetriesExhausted { .. } => EventKind::McpRetriesExhausted,
            Event::Nudge => EventKind::Nudge,
            Event::NudgeFailed => EventKind::NudgeFailed,
            Event::TurnCompleted => EventKind::TurnCompleted,
            Event::Message { .. } => EventKind::Message,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The Mysis is created in the store, as `idle`.
    ///
    /// Raised by `commander`.
    Create,
    /// The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. The store is not written.
    ///
    /// Raised by `runtime`.
    Load,
    /// `Commander.StartMysis`, the TUI's `r` key. If the store update fails, the Mysis remains unchanged and start returns an error.
    ///
    /// Raised by `commander`.
    Start,
    /// `Commander.StopMysis`, the TUI's `s` key. Valid only when currently `running`.
    ///
    /// Raised by `commander`.
    Stop,
    /// `setErrorState` on execution failures: provider errors, or MCP after retries. An ordinary tool error is a result, not this event.
    ///
    /// Raised by `runtime`.
    Error,
    /// `executeToolCall` returned `ctx.DeadlineExceeded` or `ctx.Canceled`.
    ///
    /// Raised by `runtime`.
    ToolTimedOut,
    /// The MCP proxy's sentinel for a tool failure that outlasted its retries, without store errors.
    ///
    /// Raised by `runtime`.
    McpRetriesExhausted,
    /// `shouldNudge`: true whenever `running`, whatever the activity says.
    ///
    /// Raised by `runtime`.
    Nudge,
    /// A nudge fell due with no turn in progress and no progress since the last one.
    ///
    /// Raised by `runtime`.
    NudgeFailed,
    /// Progress; the count of failed nudges starts over.
    ///
    /// Raised by `runtime`.
    TurnCompleted,
    /// A message or broadcast to the Mysis. It gives an `idle` Mysis something to do; `start` makes it do it.
    ///
    /// Raised by `commander`.
    Message,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 11] = [
        EventKind::Create,
        EventKind::Load,
        EventKind::Start,
        EventKind::Stop,
        EventKind::Error,
        EventKind::ToolTimedOut,
        EventKind::McpRetriesExhausted,
        EventKind::Nudge,
        EventKind::NudgeFailed,
        EventKind::TurnCompleted,
        EventKind::Message,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 11] = &[
            "create",
            "load",
            "start",
            "stop",
            "error",
            "tool_timed_out",
            "mcp_retries_exhausted",
            "nudge",
            "nudge_failed",
            "turn_completed",
            "message",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the event.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 11] = &[
            "create",
            "load",
            "Start (Relaunch)",
            "Stop",
            "Error",
            "tool_timed_out",
            "mcp_retries_exhausted",
            "nudge",
            "nudge_failed",
            "turn_completed",
            "message",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 11] = &[
            "The Mysis is created in the store, as `idle`.",
            "The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. The store is not written.",
            "`Commander.StartMysis`, the TUI's `r` key. If the store update fails, the Mysis remains unchanged and start returns an error.",
            "`Commander.StopMysis`, the TUI's `s` key. Valid only when currently `running`.",
            "`setErrorState` on execution failures: provider errors, or MCP after retries. An ordinary tool error is a result, not this event.",
            "`executeToolCall` returned `ctx.DeadlineExceeded` or `ctx.Canceled`.",
            "The MCP proxy's sentinel for a tool failure that outlasted its retries, without store errors.",
            "`shouldNudge`: true whenever `running`, whatever the activity says.",
            "A nudge fell due with no turn in progress and no progress since the last one.",
            "Progress; the count of failed nudges starts over.",
            "A message or broadcast to the Mysis. It gives an `idle` Mysis something to do; `start` makes it do it.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(
    EventKind, "event", ignore_case = false, aliases = [("broadcast",
    EventKind::Message)]
);

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 11] = &[
            &[Actor::Commander],
            &[Actor::Runtime],
            &[Actor::Commander],
            &[Actor::Commander],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Runtime],
            &[Actor::Commander],
        ];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 11] = &[
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
    /// Stores a tool result memory that a restarted Mysis can read.
    StoreTimeoutResult,
    /// Stores the error as a tool result memory that a restarted Mysis can read.
    StoreErrorResult,
    /// Releases the current account.
    ReleaseAccount,
    /// Emits `EventMysisStateChanged`.
    EmitStateChanged,
    /// Publishes a non-error event or log with the reason.
    SignalAttention,
    /// Stores the message.
    StoreMessage,
    /// Processes the message immediately.
    ProcessMessage,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 7] = [
        Effect::StoreTimeoutResult,
        Effect::StoreErrorResult,
        Effect::ReleaseAccount,
        Effect::EmitStateChanged,
        Effect::SignalAttention,
        Effect::StoreMessage,
        Effect::ProcessMessage,
    ];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 7] = &[
            "store_timeout_result",
            "store_error_result",
            "release_account",
            "emit_state_changed",
            "signal_attention",
            "store_message",
            "process_message",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the effect.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 7] = &[
            "Store the tool error",
            "Store the tool error",
            "Release the account",
            "`EventMysisStateChanged`",
            "Signal that manual attention is needed",
            "Store the message",
            "Process the message",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the effect.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 7] = &[
            "Stores a tool result memory that a restarted Mysis can read.",
            "Stores the error as a tool result memory that a restarted Mysis can read.",
            "Releases the current account.",
            "Emits `EventMysisStateChanged`.",
            "Publishes a non-error event or log with the reason.",
            "Stores the message.",
            "Processes the message immediately.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Effect, "effect");

#[cfg(feature = "serde")]
::statespec::named_serde!(Effect);

/// What performs the effects, and the store.
pub trait Effects<Text = &'static str> {
    /// Why an effect or the store failed.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Mysis<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Stores a tool result memory that a restarted Mysis can read.
    ///
    /// The message is `Error: tool call {tool} timed out: {cause}`.
    fn store_timeout_result(
        &mut self,
        tool: &str,
        cause: &str,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// Stores the error as a tool result memory that a restarted Mysis can read.
    fn store_error_result(&mut self, cause: &str) -> Result<(), Self::Error>;

    /// Releases the current account.
    fn release_account(&mut self) -> Result<(), Self::Error>;

    /// Emits `EventMysisStateChanged`.
    fn emit_state_changed(&mut self) -> Result<(), Self::Error>;

    /// Publishes a non-error event or log with the reason.
    ///
    /// The message is `Failed to respond after 3 nudges`.
    fn signal_attention(
        &mut self,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// Stores the message.
    fn store_message(&mut self, body: &str) -> Result<(), Self::Error>;

    /// Processes the message immediately.
    fn process_message(&mut self) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<Text, H: Effects<Text> + ?Sized>(
        self,
        event: &Event<'_>,
        host: &mut H,
    ) -> Result<(), <H as Effects<Text>>::Error> {
        match (self, *event) {
            (Effect::StoreTimeoutResult, Event::ToolTimedOut { tool, cause }) => {
                host.store_timeout_result(
                    tool,
                    cause,
                    format_args!("Error: tool call {} timed out: {}", tool, cause),
                )
            }
            (Effect::StoreErrorResult, Event::McpRetriesExhausted { cause }) => {
                host.store_error_result(cause)
            }
            (Effect::ReleaseAccount, _) => host.release_account(),
            (Effect::EmitStateChanged, _) => host.emit_state_changed(),
            (Effect::SignalAttention, _) => {
                host.signal_attention(format_args!("Failed to respond after 3 nudges",))
            }
            (Effect::StoreMessage, Event::Message { body }) => host.store_message(body),
            (Effect::ProcessMessage, _) => host.process_message(),
            _ => Ok(()),
        }
    }
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The human, through the TUI.
    Commander,
    /// The run loop of the Mysis.
    Runtime,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Commander, Actor::Runtime];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["commander", "runtime"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "The human, through the TUI.",
            "The run loop of the Mysis.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
