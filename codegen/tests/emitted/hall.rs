//! Hall.
//!
//! The hall of a car wash: its lights and its till are two regions of the machine itself.

::statespec::__emitted!(6);

/// Hall.
///
/// The hall of a car wash: its lights and its till are two regions of the machine itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Hall {
    state: State,
    context: Context,
}

impl Hall {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Hall { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Hall {
            state: State::INITIAL,
            context: Default::default(),
        }
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: Host + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as Host>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |_, _, effect, _| match effect {},
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as AsyncHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, _) => match effect {}
                ::statespec::__private::Task::Store(change) => {
                    host.store(run.after(), &change).await
                }
            };
            run.done(task, outcome);
        }
        let result = run.finish();
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }
}

impl Default for Hall {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Hall {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Hall {
    type State = Leaf;

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
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, *event) {
                    (Leaf::Dark, Event::Morning) => {
                        Choice::row(Row::DarkMorning, Some(Leaf::Dark as u32))
                            .to(Leaf::Lit)
                    }
                    (Leaf::Closed, Event::Morning) => {
                        Choice::row(Row::ClosedMorning, Some(Leaf::Closed as u32))
                            .to(Leaf::Cash)
                    }
                    (Leaf::Lit, Event::Evening) => {
                        Choice::row(Row::LitEvening, Some(Leaf::Lit as u32))
                            .to(Leaf::Dark)
                    }
                    (Leaf::Cash | Leaf::Card, Event::Evening) => {
                        Choice::row(Row::OpenEvening, Some(Composite::Open.node()))
                            .to(Leaf::Closed)
                    }
                    (Leaf::Lit, Event::Count) => {
                        Choice::row(Row::LitCount, Some(Leaf::Lit as u32))
                    }
                    (
                        Leaf::Cash | Leaf::Card,
                        Event::Pay { by },
                    ) if by != Leaf::Closed => {
                        Choice::row(Row::OpenPay, Some(Composite::Open.node())).to(by)
                    }
                    (Leaf::Cash | Leaf::Card, Event::Pay { .. }) => Choice::NoGuard,
                    (Leaf::Cash | Leaf::Card, Event::Alarm) => {
                        Choice::row(Row::OpenAlarm, Some(Composite::Open.node()))
                            .to(Leaf::Closed)
                    }
                    _ => Choice::NoTransition,
                },
            )
            .map_err(|none| {
                none
                    .refused(|reason, row| Refused::of_event(
                        Some(self.state),
                        event.kind(),
                        reason,
                        row,
                    ))
            })
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<Leaf>,
        _event: &Event,
        _predicates: &(),
    ) {
        let before = Clone::clone(&*self);
        for row in step.rows() {
            match row {
                Row::OpenPay => {
                    self.context.sold = before.context.sold.saturating_add(1);
                }
                Row::LitCount => {
                    self.context.finished = before.context.finished.saturating_add(1);
                }
                _ => {}
            }
        }
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<Leaf>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<Leaf>;

/// The context of a `hall`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A whole number.
    pub sold: i64,
    /// A whole number.
    pub finished: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { sold: 0, finished: 0 }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `lights/dark` → `lights/lit` on `morning`
    DarkMorning,
    /// `till/closed` → `till/open` on `morning`
    ClosedMorning,
    /// `lights/lit` → `lights/dark` on `evening`
    LitEvening,
    /// `till/open` → `till/closed` on `evening`
    OpenEvening,
    /// `till/open` → the state in `by` on `pay`, when `by != closed`
    OpenPay,
    /// `lights/lit` stays on `count`
    LitCount,
    /// `till/open` → `till/closed` on `alarm`
    OpenAlarm,
}

::statespec::__row!(
    pub Row, 7, [DarkMorning, ClosedMorning, LitEvening, OpenEvening, OpenPay, LitCount,
    OpenAlarm]
);

/// The innermost states of a `hall`; it may be in several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The state `dark`.
    ///
    /// The default state of `lights`.
    Dark,
    /// The state `lit`.
    ///
    /// Inside `lights`.
    Lit,
    /// The state `closed`.
    ///
    /// The default state of `till`.
    Closed,
    /// Cash only.
    ///
    /// The default state of `till/open`.
    Cash,
    /// Cash and cards.
    ///
    /// Inside `till/open`.
    Card,
}

::statespec::__unit_enum!(
    pub Leaf, "state", 5, [Dark("dark"), Lit("lit"), Closed("closed"), Cash("cash"),
    Card("card")], serde
);

impl Leaf {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 5] = &["", "", "", "Cash only.", "Cash and cards."];
        TEXTS[self as usize]
    }
}

impl Leaf {
    /// The state that a machine starts in.
    pub const INITIAL: Leaf = Leaf::Dark;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<Leaf>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<Leaf>] = &[
            Transition::new(Leaf::Dark, EventKind::Morning, Leaf::Lit),
            Transition::new(Leaf::Closed, EventKind::Morning, Leaf::Cash),
            Transition::new(Leaf::Lit, EventKind::Evening, Leaf::Dark),
            Transition::of(
                Source::In(&[Leaf::Cash, Leaf::Card]),
                Trigger::Event(EventKind::Evening),
                Target::To(Leaf::Closed),
            ),
            Transition::of(
                    Source::In(&[Leaf::Cash, Leaf::Card]),
                    Trigger::Event(EventKind::Pay),
                    Target::Payload("by"),
                )
                .with_guard("by != closed"),
            Transition::of(
                Source::Leaf(Leaf::Lit),
                Trigger::Event(EventKind::Count),
                Target::Stay,
            ),
            Transition::of(
                Source::In(&[Leaf::Cash, Leaf::Card]),
                Trigger::Event(EventKind::Alarm),
                Target::To(Leaf::Closed),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [Leaf] {
        const LISTS: &[&[Leaf]; 5] = &[
            &[Leaf::Dark, Leaf::Lit, Leaf::Closed],
            &[Leaf::Dark, Leaf::Lit, Leaf::Closed],
            &[Leaf::Cash],
            &Leaf::ALL,
            &Leaf::ALL,
        ];
        LISTS[self as usize]
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: Leaf) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// The events that a transition accepts here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const LISTS: &[&[EventKind]; 5] = &[
            &[EventKind::Morning],
            &[EventKind::Evening, EventKind::Count],
            &[EventKind::Morning],
            &[EventKind::Evening, EventKind::Pay, EventKind::Alarm],
            &[EventKind::Evening, EventKind::Pay, EventKind::Alarm],
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

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 5] = &[
            Some(Composite::Lights),
            Some(Composite::Lights),
            Some(Composite::Till),
            Some(Composite::Open),
            Some(Composite::Open),
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 5] = &[
            "lights/dark",
            "lights/lit",
            "till/closed",
            "till/open/cash",
            "till/open/card",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Lights => matches!(self, Leaf::Dark | Leaf::Lit),
            Composite::Till => matches!(self, Leaf::Closed | Leaf::Cash | Leaf::Card),
            Composite::Open => matches!(self, Leaf::Cash | Leaf::Card),
        }
    }

    /// Who is next.
    ///
    /// A stable sort keeps the order of equal items.
    pub fn waiting(self, a: &WaitingItem, b: &WaitingItem) -> ::core::cmp::Ordering {
        Ord::cmp(&a.number, &b.number)
            .then_with(|| match self {
                Leaf::Dark | Leaf::Lit | Leaf::Closed | Leaf::Cash => {
                    ::core::cmp::Ordering::Equal
                }
                Leaf::Card => Ord::cmp(&b.member, &a.member),
            })
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `lights`.
    Lights,
    /// The state `till`.
    Till,
    /// The state `open`.
    ///
    /// Inside `till`.
    Open,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 3, [Lights("lights"), Till("till"), Open("open")],
    serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> Leaf {
        const DEFAULTS: &[Leaf; 3] = &[Leaf::Dark, Leaf::Closed, Leaf::Cash];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 3] = &[None, None, Some(Composite::Till)];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        Leaf::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, ::statespec::Never> for Leaf {
    type Steps = ::statespec::__private::Microsteps<Leaf, State, 1, 2, 1>;

    const NODES: &'static [::statespec::__private::Node<::statespec::Never>] = &[
        ::statespec::__private::Node {
            parent: Some(Composite::Lights.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Lights.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Till.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Open.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Open.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Till.node()),
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for Leaf {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "hall";

    const INITIAL: Leaf = Leaf::INITIAL;

    ::statespec::__state!(events, path);
}

/// What a `hall` is in: one state, or one in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct State {
    /// The region `lights`.
    #[serde(rename = "lights")]
    pub lights: Lights,
    /// The region `till`.
    #[serde(rename = "till")]
    pub till: Till,
}

impl State {
    /// Where it starts.
    pub const INITIAL: State = State {
        lights: Lights::INITIAL,
        till: Till::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(State {
            lights: Lights::of_leaves(is_active)?,
            till: Till::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `lights`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Lights {
    /// The state `dark`.
    #[serde(rename = "dark")]
    Dark,
    /// The state `lit`.
    #[serde(rename = "lit")]
    Lit,
}

impl Lights {
    /// Where it starts.
    pub const INITIAL: Lights = Lights::Dark;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Dark) {
            return Some(Lights::Dark);
        }
        if is_active(Leaf::Lit) {
            return Some(Lights::Lit);
        }
        None
    }
}

/// What a machine is in inside the region `till`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Till {
    /// The state `closed`.
    #[serde(rename = "closed")]
    Closed,
    /// Cash only.
    #[serde(rename = "cash")]
    Cash,
    /// Cash and cards.
    #[serde(rename = "card")]
    Card,
}

impl Till {
    /// Where it starts.
    pub const INITIAL: Till = Till::Closed;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Closed) {
            return Some(Till::Closed);
        }
        if is_active(Leaf::Cash) {
            return Some(Till::Cash);
        }
        if is_active(Leaf::Card) {
            return Some(Till::Card);
        }
        None
    }
}

impl State {
    /// The active leaves, in the order of the spec.
    pub fn leaves(self) -> impl ::core::iter::Iterator<Item = Leaf> + Clone {
        Leaf::ALL.into_iter().filter(move |leaf| self.is_active(*leaf))
    }

    /// Whether this leaf is active.
    pub const fn is_active(self, leaf: Leaf) -> bool {
        match leaf {
            Leaf::Dark => matches!(self, State { lights: Lights::Dark, .. }),
            Leaf::Lit => matches!(self, State { lights: Lights::Lit, .. }),
            Leaf::Closed => matches!(self, State { till: Till::Closed, .. }),
            Leaf::Cash => matches!(self, State { till: Till::Cash, .. }),
            Leaf::Card => matches!(self, State { till: Till::Card, .. }),
        }
    }

    /// Whether a leaf inside this state is active.
    pub fn is_in(self, composite: Composite) -> bool {
        self.leaves().any(|leaf| leaf.is_in(composite))
    }

    /// The events that a transition accepts here, guards aside, in the order of the spec.
    pub fn events(self) -> impl ::core::iter::Iterator<Item = EventKind> + Clone {
        ::statespec::Configuration::<Leaf>::accepted(self)
    }

    /// The leaves that a transition leads to from one of the active leaves, guards aside, in the order of the spec.
    pub fn successors(self) -> impl ::core::iter::Iterator<Item = Leaf> + Clone {
        ::statespec::Configuration::<Leaf>::reachable(self)
    }

    /// Whether a transition leads from one of the active leaves to this leaf, guards aside.
    pub fn allows(self, to: Leaf) -> bool {
        self.leaves().any(|leaf| leaf.allows(to))
    }

    /// Whether every active leaf is an outcome: the work has ended, although a transition may lead back.
    pub fn is_terminal(self) -> bool {
        self.leaves().all(Leaf::is_terminal)
    }
}

impl ::statespec::Configuration<Leaf> for State {
    fn leaves(self) -> impl ::core::iter::Iterator<Item = Leaf> + Clone {
        State::leaves(self)
    }

    fn is_active(self, leaf: Leaf) -> bool {
        State::is_active(self, leaf)
    }
}

impl ::statespec::__private::Regions<Leaf> for State {
    const ORDER: &'static [u32] = &[
        Composite::Lights.node(),
        Leaf::Dark as u32,
        Leaf::Lit as u32,
        Composite::Till.node(),
        Leaf::Closed as u32,
        Composite::Open.node(),
        Leaf::Cash as u32,
        Leaf::Card as u32,
    ];

    const REGIONS: &'static [::statespec::__private::Region<Leaf>] = &[
        ::statespec::__private::Region {
            node: Composite::Lights.node(),
            of: None,
            starts: &[Leaf::Dark],
        },
        ::statespec::__private::Region {
            node: Composite::Till.node(),
            of: None,
            starts: &[Leaf::Closed],
        },
    ];

    const MAY_COMPLETE: &'static [(u32, u32)] = &[];

    fn of(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        State::of_leaves(is_active)
    }
}

/// The names of the active leaves with `+` between them.
impl ::core::fmt::Display for State {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::fmt::Display::fmt(&::statespec::__private::names::<Leaf>(*self), f)
    }
}

/// Reads what `Display` writes: each active leaf once, in the order of the spec.
impl ::core::str::FromStr for State {
    type Err = ::statespec::NoConfiguration<Leaf>;

    fn from_str(text: &str) -> Result<Self, ::statespec::NoConfiguration<Leaf>> {
        ::statespec::__private::parse(text)
    }
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event {
    /// Lights on and till open.
    Morning,
    /// Lights off and till closed.
    Evening,
    /// The event `pay`.
    Pay {
        /// A state of this machine.
        by: Leaf,
    },
    /// A car was washed.
    Count,
    /// A bay is jammed: the till closes.
    Alarm,
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Morning => EventKind::Morning,
            Event::Evening => EventKind::Evening,
            Event::Pay { .. } => EventKind::Pay,
            Event::Count => EventKind::Count,
            Event::Alarm => EventKind::Alarm,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Morning`].
    Morning,
    /// See [`Event::Evening`].
    Evening,
    /// See [`Event::Pay`].
    Pay,
    /// See [`Event::Count`].
    Count,
    /// See [`Event::Alarm`].
    Alarm,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 5, [Morning("morning"), Evening("evening"), Pay("pay"),
    Count("count"), Alarm("alarm")], serde
);

impl EventKind {
    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 5] = &[
            "Lights on and till open.",
            "Lights off and till closed.",
            "",
            "A car was washed.",
            "A bay is jammed: the till closes.",
        ];
        TEXTS[self as usize]
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Hall, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Hall,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// An item that the order `waiting` sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingItem {
    /// The number of the ticket.
    pub number: i64,
    /// Whether the customer is a member.
    pub member: bool,
}
