//! Eviction Policy State.
//!
//! Which resources leave the context first.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | anywhere | `set_priority` | what `policy` names |  |
//!
//! - `set_priority("lru")` resets to the default.
//! - Attention weight is always the primary sort key; a policy orders resources of equal attention.
//! - For KEEP\_TECHNICAL, SOUL, USER and IMPRESSIONS count as relational.

/// Eviction Policy State.
///
/// Which resources leave the context first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EvictionPolicy {
    state: State,
}

impl EvictionPolicy {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        EvictionPolicy { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl EvictionPolicy {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        EvictionPolicy {
            state: State::INITIAL,
        }
    }
}

impl Default for EvictionPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl EvictionPolicy {
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
    fn take(&mut self, step: &::statespec::Step<State>, _event: &Event) {
        self.state = step.to();
    }
}

impl ::statespec::Machine<Event> for EvictionPolicy {
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
            (_, Event::SetPriority { policy }) => Outcome::To(policy, 0),
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

/// What a `eviction_policy` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Default policy.
    Lru,
    /// Largest first.
    SizeFirst,
    /// Protect relationship context.
    KeepRelational,
    /// Protect technical context.
    KeepTechnical,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 4] = [
        State::Lru,
        State::SizeFirst,
        State::KeepRelational,
        State::KeepTechnical,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 4] = &[
            "lru",
            "size_first",
            "keep_relational",
            "keep_technical",
        ];
        NAMES[self as usize]
    }

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "Default policy",
            "Largest first",
            "Protect relationship context",
            "Protect technical context",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

#[cfg(feature = "serde")]
::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Lru;

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
            &[EventKind::SetPriority],
            &[EventKind::SetPriority],
            &[EventKind::SetPriority],
            &[EventKind::SetPriority],
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

    /// The policy's name for people.
    pub const fn headline(self) -> &'static str {
        const VALUES: &[&str; 4] = &[
            "Least Recently Used",
            "Largest First",
            "Protect relationship context",
            "Protect technical context",
        ];
        VALUES[self as usize]
    }

    /// What the policy is for in a few words.
    pub const fn summary(self) -> &'static str {
        const VALUES: &[&str; 4] = &[
            "Default policy",
            "For rapid pressure relief",
            "For personal conversations",
            "For debugging/coding sessions",
        ];
        VALUES[self as usize]
    }

    /// When to choose it.
    pub const fn use_case(self) -> &'static str {
        const VALUES: &[&str; 4] = &[
            "Default, general use",
            "Emergency pressure relief",
            "Personal conversations",
            "Coding/debugging",
        ];
        VALUES[self as usize]
    }

    /// Evicted last among resources of equal attention.
    pub const fn protects(self) -> &'static [Category] {
        const VALUES: &[&[Category]; 4] = &[
            &[],
            &[],
            &[Category::Soul, Category::User, Category::Impressions],
            &[Category::Tools, Category::Config, Category::Code],
        ];
        VALUES[self as usize]
    }

    /// Evicted first among resources of equal attention.
    pub const fn evicts_first(self) -> &'static [Category] {
        const VALUES: &[&[Category]; 4] = &[
            &[],
            &[],
            &[Category::Tools, Category::TechnicalFiles],
            &[
                Category::Relational,
                Category::DailyLogs,
                Category::Soul,
                Category::User,
                Category::Impressions,
            ],
        ];
        VALUES[self as usize]
    }

    /// Low-attention resources are always evicted before high-attention ones, whatever the policy: actual\_priority = (attention\_weight, policy\_sort\_key). Protected means last among equals.
    ///
    /// Equal items keep the order they come in, if the sort is stable.
    pub fn eviction(self, a: &EvictionItem, b: &EvictionItem) -> ::core::cmp::Ordering {
        Ord::cmp(&a.attention_weight, &b.attention_weight)
            .then_with(|| match self {
                State::Lru => {
                    Ord::cmp(&a.last_accessed, &b.last_accessed)
                        .then_with(|| Ord::cmp(&a.attention_weight, &b.attention_weight))
                }
                State::SizeFirst => Ord::cmp(&b.size_tokens, &a.size_tokens),
                State::KeepRelational => {
                    const RANKS: &[u8; 10] = &[2, 2, 2, 1, 1, 0, 0, 1, 1, 1];
                    Ord::cmp(&RANKS[a.category as usize], &RANKS[b.category as usize])
                }
                State::KeepTechnical => {
                    const RANKS: &[u8; 10] = &[0, 0, 0, 0, 0, 2, 1, 2, 2, 1];
                    Ord::cmp(&RANKS[a.category as usize], &RANKS[b.category as usize])
                }
            })
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "eviction_policy";

    const INITIAL: Self = State::INITIAL;

    const TRANSITIONS: &'static [::statespec::Transition<Self>] = {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        &[
            Transition::Full(
                &Row::of(
                        Source::AnyBut(&[]),
                        Trigger::Event(EventKind::SetPriority),
                        Target::Payload("policy"),
                    )
                    .inferred(
                        "The drawn chain is layout: the call names its target, and read literally no policy could follow its successor.",
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
    /// The agent names the policy it wants.
    ///
    /// Raised by `agent`.
    SetPriority {
        /// The field `policy`.
        policy: State,
    },
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::SetPriority { .. } => EventKind::SetPriority,
        }
    }
}

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The agent names the policy it wants.
    ///
    /// Raised by `agent`.
    SetPriority,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 1] = [EventKind::SetPriority];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["set_priority"];
        NAMES[self as usize]
    }

    /// What a person reads for the event.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["set_priority()"];
        TEXTS[self as usize]
    }

    /// What the spec says about the event.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The agent names the policy it wants."];
        TEXTS[self as usize]
    }
}

::statespec::named!(EventKind, "event");

#[cfg(feature = "serde")]
::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 1] = &[&[Actor::Agent]];
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
    /// Chooses the policy.
    Agent,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 1] = [Actor::Agent];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["agent"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["Chooses the policy."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

#[cfg(feature = "serde")]
::statespec::named_serde!(Actor);

/// What a resource is, for the policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Who the agent is.
    Soul,
    /// Who it talks to.
    User,
    /// What it made of them.
    Impressions,
    /// Other relationship context.
    Relational,
    /// What happened day by day.
    DailyLogs,
    /// What it works with.
    Tools,
    /// Other technical context.
    TechnicalFiles,
    /// Configuration.
    Config,
    /// Code.
    Code,
    /// Anything else.
    Other,
}

impl Category {
    /// Every category, in the order of the spec.
    pub const ALL: [Category; 10] = [
        Category::Soul,
        Category::User,
        Category::Impressions,
        Category::Relational,
        Category::DailyLogs,
        Category::Tools,
        Category::TechnicalFiles,
        Category::Config,
        Category::Code,
        Category::Other,
    ];

    /// The name by which the category is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 10] = &[
            "SOUL",
            "USER",
            "IMPRESSIONS",
            "relational",
            "daily_logs",
            "TOOLS",
            "technical_files",
            "config",
            "code",
            "other",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the category.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "SOUL",
            "USER",
            "IMPRESSIONS",
            "relational",
            "daily logs",
            "TOOLS",
            "technical files",
            "config",
            "code",
            "other",
        ];
        TEXTS[self as usize]
    }

    /// What the spec says about the category.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "Who the agent is.",
            "Who it talks to.",
            "What it made of them.",
            "Other relationship context.",
            "What happened day by day.",
            "What it works with.",
            "Other technical context.",
            "Configuration.",
            "Code.",
            "Anything else.",
        ];
        TEXTS[self as usize]
    }
}

::statespec::named!(Category, "category", ignore_case = true, aliases = []);

#[cfg(feature = "serde")]
::statespec::named_serde!(Category);

/// What the order `eviction` sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvictionItem {
    /// How much attention the agent pays to it.
    pub attention_weight: ::statespec::Decimal,
    /// When it was last used; never, when null.
    pub last_accessed: Option<::statespec::Timestamp>,
    /// How much context it takes.
    pub size_tokens: i64,
    /// What it is.
    pub category: Category,
}
