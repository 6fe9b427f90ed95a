//! Mysis State Machine.
//!
//! The valid Mysis lifecycle states and the transitions between them.
//!
//! - State updates are persisted via `store.UpdateMysisState` (SQLite).
//! - Messages are accepted in `idle` and `running` states; rejected in `stopped` and `errored` states.
//! - `Idle` is the "needs attention" state after 3 failed nudges.
//! - `MysisState` is for the lifecycle, `ActivityState` only for UI/context.
//! - Where the plan that led to this lifecycle names fewer causes of `idle`, or fewer ways out of it, the later description rules.
//! - A call that is cancelled makes a `running` Mysis `errored`; once it is `stopped`, its error is refused.

::statespec::__emitted!(1);

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

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context<Text> {
        &self.context
    }

    /// The context, to be changed by hand.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text> {
        &mut self.context
    }
}

impl<'e, Text: From<&'e str>> Mysis<Text> {
    /// Creates a machine with `create` or `load`.
    pub fn create(event: Event<'e>) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with(
        context: Context<Text>,
        event: Event<'e>,
    ) -> Result<(Self, Change), Refused> {
        let mut machine = Mysis {
            state: State::INITIAL,
            context,
        };
        use ::statespec::__private::Outcome;
        let outcome = match event {
            Event::Create => Outcome::To(State::Idle, Row::CreateOrLoad),
            Event::Load => Outcome::To(State::Idle, Row::CreateOrLoad),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<'e, Text: From<&'e str>> Mysis<Text> {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<'e>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
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
                Refused::of_event(
                    Some(self.state),
                    event.kind(),
                    ::statespec::Reason::Actor,
                    None,
                ),
            );
        }
        self.apply(event)
    }

    #[inline]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'e>) {
        match (step.row(), *event) {
            (Row::IdleStart | Row::StoppedOrErroredStart, _) => {
                self.context.nudge_failures = 0;
                self.context.last_error = None;
            }
            (Row::RunningNudgeFailedToIdle | Row::RunningNudgeFailedStays, _) => {
                self.context.nudge_failures = self
                    .context
                    .nudge_failures
                    .saturating_add(1);
            }
            (Row::RunningTurnCompleted, _) => {
                self.context.nudge_failures = 0;
            }
            (Row::RunningError, Event::Error { cause }) => {
                self.context.last_error = Some(From::from(cause));
            }
            (Row::RunningToolTimedOut, Event::ToolTimedOut { cause, .. }) => {
                self.context.last_error = Some(From::from(cause));
            }
            (Row::RunningMcpRetriesExhausted, Event::McpRetriesExhausted { cause }) => {
                self.context.last_error = Some(From::from(cause));
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
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
        ::statespec::__private::commit(
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
    fn decide(
        &self,
        event: &Event<'e>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (
                State::Running,
                Event::NudgeFailed,
            ) if self.context.nudge_failures.saturating_add(1) >= NUDGE_LIMIT => {
                Outcome::To(State::Idle, Row::RunningNudgeFailedToIdle)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event<'e>,
        _predicates: &(),
    ) {
        self.take(step, event);
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `mysis`: data stored with the state.
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

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `idle` on `create` or `load`: create or load
    CreateOrLoad,
    /// `idle` → `running` on `start`: start
    IdleStart,
    /// `running` → `idle` on `nudge_failed`, when `nudge_failures + 1 >= nudge_limit`: 3 nudges failed
    RunningNudgeFailedToIdle,
    /// `running` stays on `nudge_failed`
    RunningNudgeFailedStays,
    /// `running` stays on `turn_completed`
    RunningTurnCompleted,
    /// `running` stays on `nudge`
    RunningNudge,
    /// `running` → `stopped` on `stop`: stop
    RunningStop,
    /// `running` → `errored` on `error`: error
    RunningError,
    /// `running` → `errored` on `tool_timed_out`: error
    RunningToolTimedOut,
    /// `running` → `errored` on `mcp_retries_exhausted`: error
    RunningMcpRetriesExhausted,
    /// `stopped` or `errored` → `running` on `start`: relaunch
    StoppedOrErroredStart,
    /// `idle` stays on `message`
    IdleMessage,
    /// `running` stays on `message`
    RunningMessage,
    /// `stopped` refuses `message`: mysis stopped - press 'r' to relaunch
    StoppedMessage,
    /// `errored` refuses `message`: mysis errored - press 'r' to relaunch
    ErroredMessage,
}

impl Row {
    /// Every row, in the order of the spec.
    pub const ALL: [Row; 15] = [
        Row::CreateOrLoad,
        Row::IdleStart,
        Row::RunningNudgeFailedToIdle,
        Row::RunningNudgeFailedStays,
        Row::RunningTurnCompleted,
        Row::RunningNudge,
        Row::RunningStop,
        Row::RunningError,
        Row::RunningToolTimedOut,
        Row::RunningMcpRetriesExhausted,
        Row::StoppedOrErroredStart,
        Row::IdleMessage,
        Row::RunningMessage,
        Row::StoppedMessage,
        Row::ErroredMessage,
    ];
}

::statespec::__row!(Row);

/// The states of a `mysis`.
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

    /// The name of the state that is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &["idle", "running", "stopped", "errored"];
        NAMES[self as usize]
    }

    /// The description of the state in the spec.
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
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Idle;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Creation,
                    Trigger::AnyOf(&[EventKind::Create, EventKind::Load]),
                    Target::To(State::Idle),
                )
                .label("create or load"),
            Transition::new(State::Idle, EventKind::Start, State::Running)
                .effects(&[Effect::EmitStateChanged])
                .label("start"),
            Transition::new(State::Running, EventKind::NudgeFailed, State::Idle)
                .guard("nudge_failures + 1 >= nudge_limit")
                .effects(&[Effect::EmitStateChanged, Effect::SignalAttention])
                .memory_first()
                .label("3 nudges failed")
                .doc(
                    "`setIdle`: sets the state, then updates the store, then tells. Needs attention, but is no error.",
                ),
            Transition::of(
                    Source::Leaf(State::Running),
                    Trigger::Event(EventKind::NudgeFailed),
                    Target::Stay,
                )
                .doc("Counts."),
            Transition::of(
                Source::Leaf(State::Running),
                Trigger::Event(EventKind::TurnCompleted),
                Target::Stay,
            ),
            Transition::of(
                    Source::Leaf(State::Running),
                    Trigger::Event(EventKind::Nudge),
                    Target::Stay,
                )
                .doc("Nudges the Mysis; activities do not gate it."),
            Transition::new(State::Running, EventKind::Stop, State::Stopped)
                .effects(&[Effect::ReleaseAccount, Effect::EmitStateChanged])
                .memory_first()
                .label("stop"),
            Transition::new(State::Running, EventKind::Error, State::Errored)
                .effects(&[Effect::EmitStateChanged])
                .memory_first()
                .label("error"),
            Transition::new(State::Running, EventKind::ToolTimedOut, State::Errored)
                .before(&[Effect::StoreTimeoutResult])
                .effects(&[Effect::EmitStateChanged])
                .memory_first()
                .label("error")
                .doc("The tool error is stored first, `setError` follows at once."),
            Transition::new(
                    State::Running,
                    EventKind::McpRetriesExhausted,
                    State::Errored,
                )
                .before(&[Effect::StoreErrorResult])
                .effects(&[Effect::EmitStateChanged])
                .memory_first()
                .label("error")
                .doc("The tool error is stored first, `setError` follows at once."),
            Transition::of(
                    Source::In(&[State::Stopped, State::Errored]),
                    Trigger::Event(EventKind::Start),
                    Target::To(State::Running),
                )
                .effects(&[Effect::EmitStateChanged])
                .label("relaunch"),
            Transition::of(
                    Source::Leaf(State::Idle),
                    Trigger::Event(EventKind::Message),
                    Target::Stay,
                )
                .effects(&[Effect::StoreMessage])
                .doc(
                    "Messages are stored and will be processed when the Mysis is started.",
                ),
            Transition::of(
                    Source::Leaf(State::Running),
                    Trigger::Event(EventKind::Message),
                    Target::Stay,
                )
                .effects(&[Effect::StoreMessage, Effect::ProcessMessage])
                .doc("Messages are processed immediately."),
            Transition::of(
                Source::Leaf(State::Stopped),
                Trigger::Event(EventKind::Message),
                Target::Refuse("mysis stopped - press 'r' to relaunch"),
            ),
            Transition::of(
                Source::Leaf(State::Errored),
                Trigger::Event(EventKind::Message),
                Target::Refuse("mysis errored - press 'r' to relaunch"),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 4] = &[
            &[State::Running],
            &[State::Idle, State::Stopped, State::Errored],
            &[State::Running],
            &[State::Running],
        ];
        LISTS[self as usize]
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// The events that a transition accepts here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const LISTS: &[&[EventKind]; 4] = &[
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
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
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

    type Row = Row;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "mysis";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Create, EventKind::Load];

    #[inline]
    fn transitions() -> &'static [::statespec::Transition<State>] {
        State::transitions()
    }

    #[inline]
    fn successors(self) -> &'static [State] {
        State::successors(self)
    }

    #[inline]
    fn events(self) -> &'static [EventKind] {
        State::events(self)
    }

    #[inline]
    fn allows(self, to: State) -> bool {
        State::allows(self, to)
    }

    #[inline]
    fn is_terminal(self) -> bool {
        State::is_terminal(self)
    }

    #[inline]
    fn is_sink(self) -> bool {
        State::is_sink(self)
    }
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'e> {
    /// The Mysis is created in the store, as `idle`.
    ///
    /// Raised by `commander`.
    Create,
    /// The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. Loading changes nothing that is stored.
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

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The Mysis is created in the store, as `idle`.
    ///
    /// Raised by `commander`.
    Create,
    /// The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. Loading changes nothing that is stored.
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

    /// The name of the event that is stored and sent.
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

    /// The name of the event that a person reads.
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

    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 11] = &[
            "The Mysis is created in the store, as `idle`.",
            "The Mysis is loaded at startup: whatever was stored, the instance starts in `idle` and must be explicitly started. Loading changes nothing that is stored.",
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
    /// The actors that may raise the event; any actor when empty.
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

    /// The actor that does the work which the event starts, where that is another one.
    pub const fn performer(self) -> Option<Actor> {
        None
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

/// The effects of transitions outside the machine.
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

    /// The name of the effect that is stored and sent.
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

    /// The name of the effect that a person reads.
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

    /// The description of the effect in the spec.
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

/// The host: performs the effects, and stores the machine.
pub trait Effects<Text = &'static str> {
    /// The error of an effect or of the store.
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
    /// Performs the effect: calls its method with the data that it takes from the event.
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
                host.signal_attention(format_args!("Failed to respond after 3 nudges"))
            }
            (Effect::StoreMessage, Event::Message { body }) => host.store_message(body),
            (Effect::ProcessMessage, _) => host.process_message(),
            _ => Ok(()),
        }
    }
}

/// The actors that raise events, or do the work that events start.
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

    /// The name of the actor that is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["commander", "runtime"];
        NAMES[self as usize]
    }

    /// The description of the actor in the spec.
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
