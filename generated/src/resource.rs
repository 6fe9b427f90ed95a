//! Resource Lifecycle.
//!
//! A paged context resource: from discovery over being in the agent's context to being summarised away.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | `UNKNOWN` | `discover` | `COLD` |  |
//! | `COLD` | `page_in` or `load` | `ACTIVE` |  |
//! | `ACTIVE/LOADED` | `set_attention` | `ACTIVE/HOT` | `weight > hot_above` |
//! | `ACTIVE/HOT` | `set_attention` | `ACTIVE/LOADED` | `weight <= hot_above` |
//! | `ACTIVE` | `set_attention` | stays |  |
//! | `ACTIVE` | `page_out` | `INDEXED` |  |
//! | `INDEXED` | `page_in` | `ACTIVE` |  |
//! | `INDEXED` | `stale` | `COLD` |  |
//! | anywhere | `error` | `OFFLINE` |  |
//! | `OFFLINE` | `recover` | `COLD` |  |
//!
//! - `error` leads to OFFLINE from all six states, UNKNOWN and OFFLINE among them: a resource that goes UNKNOWN → OFFLINE → COLD was never added to the registry.
//! - INDEXED goes to ACTIVE on `page_in()`: the drawing's arrow into COLD would load nothing.

/// Resource Lifecycle.
///
/// A paged context resource: from discovery over being in the agent's context to being summarised away.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Resource {
    state: State,
    context: Context,
}

impl Resource {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Resource { state, context }
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

impl Resource {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Resource {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl Default for Resource {
    fn default() -> Self {
        Self::new()
    }
}

impl Resource {
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
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'_>) {
        match (step.row(), *event) {
            (2..=4, Event::SetAttention { weight }) => {
                self.context.attention_weight = weight;
            }
            _ => {}
        }
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

impl ::statespec::Machine<Event<'_>> for Resource {
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
    #[allow(clippy::all)]
    fn decide(
        &self,
        event: &Event<'_>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        const TABLE: &::statespec::Table<State, 6, 8> = &::statespec::__table!(
            State, 6, EventKind, 8, []
        );
        let outcome = match (self.state, *event) {
            (State::Loaded, Event::SetAttention { weight }) if weight > HOT_ABOVE => {
                Outcome::To(State::Hot, 2)
            }
            (State::Hot, Event::SetAttention { weight }) if weight <= HOT_ABOVE => {
                Outcome::To(State::Loaded, 3)
            }
            _ => return TABLE.on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
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

/// What a `resource` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context {
    /// How much attention the agent pays to it.
    pub attention_weight: ::statespec::Decimal,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            attention_weight: ::statespec::decimal(1, 0),
        }
    }
}

/// Attention weight above which a resource in context is HOT.
pub const HOT_ABOVE: ::statespec::Decimal = ::statespec::decimal(1, 0);

/// What a `resource` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Not yet discovered by COS.
    Unknown,
    /// Available on disk, not loaded.
    Cold,
    /// In agent context, normal attention.
    ///
    /// Where `ACTIVE` is entered.
    Loaded,
    /// In agent context, high attention.
    ///
    /// Inside `ACTIVE`.
    Hot,
    /// Summary cached, full content cold.
    Indexed,
    /// Unreachable (file missing, service down).
    Offline,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 6] = [
        State::Unknown,
        State::Cold,
        State::Loaded,
        State::Hot,
        State::Indexed,
        State::Offline,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 6] = &[
            "UNKNOWN",
            "COLD",
            "LOADED",
            "HOT",
            "INDEXED",
            "OFFLINE",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "Not yet discovered by COS",
            "Available on disk, not loaded",
            "In agent context, normal attention",
            "In agent context, high attention",
            "Summary cached, full content cold",
            "Unreachable (file missing, service down)",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Unknown;

    /// The states that an edge leads to, guards aside.
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 6] = &[
            &[State::Cold, State::Offline],
            &[State::Loaded, State::Offline],
            &[State::Hot, State::Indexed, State::Offline],
            &[State::Loaded, State::Indexed, State::Offline],
            &[State::Cold, State::Loaded, State::Offline],
            &[State::Cold, State::Offline],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 6] = &[
            0b10_0010, 0b10_0100, 0b11_1000, 0b11_0100, 0b10_0110, 0b10_0010,
        ];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 6] = &[
            &[EventKind::Discover, EventKind::Error],
            &[EventKind::PageIn, EventKind::Load, EventKind::Error],
            &[EventKind::SetAttention, EventKind::PageOut, EventKind::Error],
            &[EventKind::SetAttention, EventKind::PageOut, EventKind::Error],
            &[EventKind::PageIn, EventKind::Stale, EventKind::Error],
            &[EventKind::Error, EventKind::Recover],
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
            "UNKNOWN",
            "COLD",
            "ACTIVE/LOADED",
            "ACTIVE/HOT",
            "INDEXED",
            "OFFLINE",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Active => matches!(self, State::Loaded | State::Hot),
        }
    }

    /// How maps show the state.
    pub const fn symbol(self) -> &'static str {
        const VALUES: &[&str; 6] = &["—", "○", "✓", "◆", "●", "✗"];
        VALUES[self as usize]
    }
}

/// States with states inside; a machine is in one of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// In agent context.
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
        const TEXTS: &[&str; 1] = &["In agent context"];
        TEXTS[self as usize]
    }
}

::statespec::named!(Composite, "composite state");

#[cfg(feature = "serde")]
::statespec::named_serde!(Composite);

impl Composite {
    /// The state that entering this one ends in.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 1] = &[State::Loaded];
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

    const MACHINE: &'static str = "resource";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::new(State::Unknown, EventKind::Discover, State::Cold)
                    .effects(&[Effect::AddToRegistry]),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Cold),
                        Trigger::AnyOf(&[EventKind::PageIn, EventKind::Load]),
                        Target::To(State::Loaded),
                    )
                    .effects(&[Effect::UpdateRegion, Effect::UpdateAccessTime]),
            ),
            Transition::Full(
                &Row::new(State::Loaded, EventKind::SetAttention, State::Hot)
                    .guard("weight > hot_above")
                    .label("set_attention(>1)")
                    .doc("Update weight"),
            ),
            Transition::Full(
                &Row::new(State::Hot, EventKind::SetAttention, State::Loaded)
                    .guard("weight <= hot_above")
                    .label("set_attention(≤1)")
                    .doc("Update weight"),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Loaded, State::Hot]),
                        Trigger::Event(EventKind::SetAttention),
                        Target::Stay,
                    )
                    .doc("Update weight")
                    .inferred(
                        "A weight that crosses no threshold stands in no row; refusing it would make half of all weights illegal.",
                    ),
            ),
            Transition::Full(
                &Row::of(
                        Source::In(&[State::Loaded, State::Hot]),
                        Trigger::Event(EventKind::PageOut),
                        Target::To(State::Indexed),
                    )
                    .effects(&[Effect::CreateSummary, Effect::FreeContext]),
            ),
            Transition::Full(
                &Row::new(State::Indexed, EventKind::PageIn, State::Loaded)
                    .effects(&[Effect::LoadSummaryOrFull]),
            ),
            Transition::Full(
                &Row::new(State::Indexed, EventKind::Stale, State::Cold)
                    .effects(&[Effect::ClearCachedSummary]),
            ),
            Transition::Full(
                &Row::of(
                        Source::AnyBut(&[]),
                        Trigger::Event(EventKind::Error),
                        Target::To(State::Offline),
                    )
                    .effects(&[Effect::LogError, Effect::MarkUnavailable]),
            ),
            Transition::Full(
                &Row::new(State::Offline, EventKind::Recover, State::Cold)
                    .doc("Resource accessible again"),
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
pub enum Event<'e> {
    /// COS learns of the resource.
    ///
    /// Raised by `agent`.
    Discover,
    /// The resource is brought into the context.
    ///
    /// Raised by `agent`.
    PageIn,
    /// The resource is loaded into the context.
    ///
    /// Raised by `agent`.
    Load,
    /// The agent changes the attention weight.
    ///
    /// Raised by `agent`.
    SetAttention {
        /// The field `weight`.
        weight: ::statespec::Decimal,
    },
    /// The resource leaves the context for a summary.
    ///
    /// Raised by `agent`.
    PageOut,
    /// The cached summary no longer holds.
    ///
    /// Raised by `agent`.
    Stale,
    /// The resource turns out to be unreachable, wherever it is.
    ///
    /// Raised by `environment`.
    Error {
        /// The field `reason`.
        reason: &'e str,
    },
    /// The resource can be reached again.
    ///
    /// Raised by `environment`.
    Recover,
}

impl<'e> Event<'e> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Discover => EventKind::Discover,
            Event::PageIn => EventKind::PageIn,
            Event::Load => EventKind::Load,
            Event::SetAttention { .. } => EventKind::SetAttention,
            Event::PageOut => EventKind::PageOut,
            Event::Stale => EventKind::Stale,
            Event::Error { .. } => EventKind::Error,
            Event::Recover => EventKind::Recover,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// COS learns of the resource.
    ///
    /// Raised by `agent`.
    Discover,
    /// The resource is brought into the context.
    ///
    /// Raised by `agent`.
    PageIn,
    /// The resource is loaded into the context.
    ///
    /// Raised by `agent`.
    Load,
    /// The agent changes the attention weight.
    ///
    /// Raised by `agent`.
    SetAttention,
    /// The resource leaves the context for a summary.
    ///
    /// Raised by `agent`.
    PageOut,
    /// The cached summary no longer holds.
    ///
    /// Raised by `agent`.
    Stale,
    /// The resource turns out to be unreachable, wherever it is.
    ///
    /// Raised by `environment`.
    Error,
    /// The resource can be reached again.
    ///
    /// Raised by `environment`.
    Recover,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 8] = [
        EventKind::Discover,
        EventKind::PageIn,
        EventKind::Load,
        EventKind::SetAttention,
        EventKind::PageOut,
        EventKind::Stale,
        EventKind::Error,
        EventKind::Recover,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 8] = &[
            "discover",
            "page_in",
            "load",
            "set_attention",
            "page_out",
            "stale",
            "error",
            "recover",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the event.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "discover()",
            "page_in()",
            "load()",
            "set_attention()",
            "page_out()",
            "stale()",
            "error",
            "recover",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "COS learns of the resource.",
            "The resource is brought into the context.",
            "The resource is loaded into the context.",
            "The agent changes the attention weight.",
            "The resource leaves the context for a summary.",
            "The cached summary no longer holds.",
            "The resource turns out to be unreachable, wherever it is.",
            "The resource can be reached again.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(
    EventKind, "event", ignore_case = false, aliases = [("unreachable",
    EventKind::Error)]
);

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 8] = &[
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Agent],
            &[Actor::Environment],
            &[Actor::Environment],
        ];
        BY[self as usize]
    }

    /// Who does the work that the event starts, where that is somebody else.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 8] = &[
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
    /// Adds the resource to the resource registry.
    AddToRegistry,
    /// Updates the region of the context that the resource lies in.
    UpdateRegion,
    /// Updates the time of the last access.
    UpdateAccessTime,
    /// Creates and caches a summary.
    CreateSummary,
    /// Frees the context that the resource took.
    FreeContext,
    /// Loads the summary or the full content.
    LoadSummaryOrFull,
    /// Clears the cached summary.
    ClearCachedSummary,
    /// Logs the error.
    LogError,
    /// Marks the resource as unavailable.
    MarkUnavailable,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 9] = [
        Effect::AddToRegistry,
        Effect::UpdateRegion,
        Effect::UpdateAccessTime,
        Effect::CreateSummary,
        Effect::FreeContext,
        Effect::LoadSummaryOrFull,
        Effect::ClearCachedSummary,
        Effect::LogError,
        Effect::MarkUnavailable,
    ];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 9] = &[
            "add_to_registry",
            "update_region",
            "update_access_time",
            "create_summary",
            "free_context",
            "load_summary_or_full",
            "clear_cached_summary",
            "log_error",
            "mark_unavailable",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the effect.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 9] = &[
            "Add to resource registry",
            "Update region",
            "access time",
            "Create summary",
            "free context",
            "Load summary or full",
            "Clear cached summary",
            "Log error",
            "mark unavailable",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the effect.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 9] = &[
            "Adds the resource to the resource registry.",
            "Updates the region of the context that the resource lies in.",
            "Updates the time of the last access.",
            "Creates and caches a summary.",
            "Frees the context that the resource took.",
            "Loads the summary or the full content.",
            "Clears the cached summary.",
            "Logs the error.",
            "Marks the resource as unavailable.",
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
    fn store(&mut self, next: &Resource, change: &Change) -> Result<(), Self::Error>;

    /// Adds the resource to the resource registry.
    fn add_to_registry(&mut self) -> Result<(), Self::Error>;

    /// Updates the region of the context that the resource lies in.
    fn update_region(&mut self) -> Result<(), Self::Error>;

    /// Updates the time of the last access.
    fn update_access_time(&mut self) -> Result<(), Self::Error>;

    /// Creates and caches a summary.
    fn create_summary(&mut self) -> Result<(), Self::Error>;

    /// Frees the context that the resource took.
    fn free_context(&mut self) -> Result<(), Self::Error>;

    /// Loads the summary or the full content.
    fn load_summary_or_full(&mut self) -> Result<(), Self::Error>;

    /// Clears the cached summary.
    fn clear_cached_summary(&mut self) -> Result<(), Self::Error>;

    /// Logs the error.
    fn log_error(&mut self, reason: &str) -> Result<(), Self::Error>;

    /// Marks the resource as unavailable.
    fn mark_unavailable(&mut self) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<H: Effects + ?Sized>(
        self,
        event: &Event<'_>,
        host: &mut H,
    ) -> Result<(), <H as Effects>::Error> {
        match (self, *event) {
            (Effect::AddToRegistry, _) => host.add_to_registry(),
            (Effect::UpdateRegion, _) => host.update_region(),
            (Effect::UpdateAccessTime, _) => host.update_access_time(),
            (Effect::CreateSummary, _) => host.create_summary(),
            (Effect::FreeContext, _) => host.free_context(),
            (Effect::LoadSummaryOrFull, _) => host.load_summary_or_full(),
            (Effect::ClearCachedSummary, _) => host.clear_cached_summary(),
            (Effect::LogError, Event::Error { reason }) => host.log_error(reason),
            (Effect::MarkUnavailable, _) => host.mark_unavailable(),
            _ => Ok(()),
        }
    }
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Calls the operations of the session.
    Agent,
    /// What happens to the resource without anybody calling.
    Environment,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Agent, Actor::Environment];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["agent", "environment"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &[
            "Calls the operations of the session.",
            "What happens to the resource without anybody calling.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);
