//! Studio.
//!
//! Two histories of one region, and histories of several regions as the targets of one row.

::statespec::__emitted!(6);

/// Studio.
///
/// Two histories of one region, and histories of several regions as the targets of one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Studio {
    state: State,
    context: Context,
}

impl Studio {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Studio { state, context }
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
        Studio {
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

impl Default for Studio {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Studio {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Studio {
    type State = Leaf;

    #[inline]
    fn kind(event: &Event) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    fn decide(
        &self,
        event: &Event,
        _predicates: &(),
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, *event) {
                    (Leaf::Dark, Event::Enter) => {
                        Choice::row(Row::DarkEnter, Some(Leaf::Dark as u32))
                            .to(Leaf::Low)
                            .to(Leaf::Idle)
                    }
                    (Leaf::Dark, Event::Resume) if self.context.tape.is_some() => {
                        Choice::row(
                                Row::DarkResumeToKeysOrRecorder,
                                Some(Leaf::Dark as u32),
                            )
                            .to(
                                match self.context.tone {
                                    Some(last) if last.is_in(Composite::Keys) => last,
                                    _ => Leaf::Low,
                                },
                            )
                            .to(
                                match self.context.tape {
                                    Some(last) if last.is_in(Composite::Recorder) => last,
                                    _ => Leaf::Idle,
                                },
                            )
                    }
                    (Leaf::Dark, Event::Resume) => {
                        Choice::row(Row::DarkResumeToHistory, Some(Leaf::Dark as u32))
                            .to(
                                match self.context.bank {
                                    Some(last) if last.is_in(Composite::Keys) => last,
                                    _ => Leaf::Low,
                                },
                            )
                    }
                    (Leaf::Dark, Event::Reset) => {
                        Choice::row(Row::DarkReset, Some(Leaf::Dark as u32))
                            .to(
                                match self.context.bank {
                                    Some(last) if last.is_in(Composite::Keys) => last,
                                    _ => Leaf::Low,
                                },
                            )
                            .to(Leaf::Running)
                    }
                    (
                        Leaf::Low
                        | Leaf::High
                        | Leaf::Soft
                        | Leaf::Loud
                        | Leaf::Idle
                        | Leaf::Running,
                        Event::Reset,
                    ) => {
                        Choice::row(Row::LiveReset, Some(Composite::Live.node()))
                            .to(
                                match self.context.bank {
                                    Some(last) if last.is_in(Composite::Keys) => last,
                                    _ => Leaf::Low,
                                },
                            )
                            .to(
                                match self.context.tape {
                                    Some(last) if last.is_in(Composite::Recorder) => last,
                                    _ => Leaf::Idle,
                                },
                            )
                    }
                    (Leaf::Low, Event::Tune) => {
                        Choice::row(Row::LowTuneOrRecord, Some(Leaf::Low as u32))
                            .to(Leaf::High)
                    }
                    (Leaf::Soft, Event::Tune) => {
                        Choice::row(Row::SoftTune, Some(Leaf::Soft as u32))
                            .to(Leaf::Loud)
                    }
                    (Leaf::Low | Leaf::High, Event::Change) => {
                        Choice::row(Row::OrganChange, Some(Composite::Organ.node()))
                            .to(Leaf::Soft)
                    }
                    (Leaf::Soft | Leaf::Loud, Event::Change) => {
                        Choice::row(Row::StringsChange, Some(Composite::Strings.node()))
                            .to(Leaf::Low)
                    }
                    (Leaf::Low, Event::Record) => {
                        Choice::row(Row::LowTuneOrRecord, Some(Leaf::Low as u32))
                            .to(Leaf::High)
                    }
                    (Leaf::Idle, Event::Record) => {
                        Choice::row(Row::IdleRecord, Some(Leaf::Idle as u32))
                            .to(Leaf::Running)
                    }
                    (Leaf::Running, Event::Record) => {
                        Choice::row(Row::RunningRecord, Some(Leaf::Running as u32))
                            .to(Leaf::Idle)
                    }
                    (
                        Leaf::Low
                        | Leaf::High
                        | Leaf::Soft
                        | Leaf::Loud
                        | Leaf::Idle
                        | Leaf::Running,
                        Event::Leave,
                    ) => {
                        Choice::row(Row::LiveLeave, Some(Composite::Live.node()))
                            .to(Leaf::Dark)
                    }
                    (
                        Leaf::Low
                        | Leaf::High
                        | Leaf::Soft
                        | Leaf::Loud
                        | Leaf::Idle
                        | Leaf::Running,
                        Event::Wipe,
                    ) => {
                        Choice::row(Row::LiveWipe, Some(Composite::Live.node()))
                            .to(Leaf::Dark)
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
    #[allow(clippy::single_match)]
    fn take(
        &mut self,
        step: &::statespec::Step<Leaf>,
        _event: &Event,
        _predicates: &(),
    ) {
        for row in step.rows() {
            match row {
                Row::LiveWipe => {
                    self.context.tone = None;
                    self.context.tape = None;
                }
                _ => {}
            }
        }
        if !step.rows().any(|row| matches!(row, Row::LiveWipe))
            && step.leaves_node(Composite::Keys.node())
        {
            self.context.tone = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Keys)));
        }
        if step.leaves_node(Composite::Keys.node()) {
            self.context.bank = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Keys)))
                .map(|from| match from {
                    Leaf::Low | Leaf::High => Leaf::Low,
                    Leaf::Soft | Leaf::Loud => Leaf::Soft,
                    _ => from,
                });
        }
        if !step.rows().any(|row| matches!(row, Row::LiveWipe))
            && step.leaves_node(Composite::Recorder.node())
        {
            self.context.tape = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Recorder)));
        }
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<Leaf>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<Leaf>;

/// The context of a `studio`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A state of this machine, or `None`.
    pub tone: Option<Leaf>,
    /// A state of this machine, or `None`.
    pub bank: Option<Leaf>,
    /// A state of this machine, or `None`.
    pub tape: Option<Leaf>,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context {
            tone: None,
            bank: None,
            tape: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `dark` → `live` on `enter`
    DarkEnter,
    /// `dark` → `live/keys` and `live/recorder` on `resume`, when `tape != null`
    DarkResumeToKeysOrRecorder,
    /// `dark` → `live/keys`, where it was last in `bank` on `resume`
    DarkResumeToHistory,
    /// `dark` → `live/keys` and `live/recorder/running` on `reset`
    DarkReset,
    /// `live/keys/organ/low` → `live/keys/organ/high` on `tune` or `record`
    LowTuneOrRecord,
    /// `live/keys/strings/soft` → `live/keys/strings/loud` on `tune`
    SoftTune,
    /// `live/keys/organ` → `live/keys/strings` on `change`
    OrganChange,
    /// `live/keys/strings` → `live/keys/organ` on `change`
    StringsChange,
    /// `live/recorder/idle` → `live/recorder/running` on `record`
    IdleRecord,
    /// `live/recorder/running` → `live/recorder/idle` on `record`
    RunningRecord,
    /// `live` → `dark` on `leave`
    LiveLeave,
    /// `live` → `dark` on `wipe`
    LiveWipe,
    /// `live` → `live/keys` and `live/recorder` on `reset`
    LiveReset,
}

::statespec::__row!(
    pub Row, 13, [DarkEnter, DarkResumeToKeysOrRecorder, DarkResumeToHistory, DarkReset,
    LowTuneOrRecord, SoftTune, OrganChange, StringsChange, IdleRecord, RunningRecord,
    LiveLeave, LiveWipe, LiveReset]
);

/// The innermost states of a `studio`; it may be in several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The state `dark`.
    Dark,
    /// The state `low`.
    ///
    /// The default state of `live/keys/organ`.
    Low,
    /// The state `high`.
    ///
    /// Inside `live/keys/organ`.
    High,
    /// The state `soft`.
    ///
    /// The default state of `live/keys/strings`.
    Soft,
    /// The state `loud`.
    ///
    /// Inside `live/keys/strings`.
    Loud,
    /// The state `idle`.
    ///
    /// The default state of `live/recorder`.
    Idle,
    /// The state `running`.
    ///
    /// Inside `live/recorder`.
    Running,
}

::statespec::__unit_enum!(
    pub Leaf, "state", 7, [Dark("dark"), Low("low"), High("high"), Soft("soft"),
    Loud("loud"), Idle("idle"), Running("running")], serde
);

impl Leaf {
    /// The state that a machine starts in.
    pub const INITIAL: Leaf = Leaf::Dark;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<Leaf>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<Leaf>] = &[
            Transition::of(
                Source::Leaf(Leaf::Dark),
                Trigger::Event(EventKind::Enter),
                Target::All(&[Leaf::Low, Leaf::Idle]),
            ),
            Transition::of(
                    Source::Leaf(Leaf::Dark),
                    Trigger::Event(EventKind::Resume),
                    Target::All(&[Leaf::Low, Leaf::Idle]),
                )
                .with_guard("tape != null"),
            Transition::of(
                Source::Leaf(Leaf::Dark),
                Trigger::Event(EventKind::Resume),
                Target::History(Leaf::Low),
            ),
            Transition::of(
                Source::Leaf(Leaf::Dark),
                Trigger::Event(EventKind::Reset),
                Target::All(&[Leaf::Low, Leaf::Running]),
            ),
            Transition::of(
                Source::Leaf(Leaf::Low),
                Trigger::AnyOf(&[EventKind::Tune, EventKind::Record]),
                Target::To(Leaf::High),
            ),
            Transition::new(Leaf::Soft, EventKind::Tune, Leaf::Loud),
            Transition::of(
                Source::In(&[Leaf::Low, Leaf::High]),
                Trigger::Event(EventKind::Change),
                Target::To(Leaf::Soft),
            ),
            Transition::of(
                Source::In(&[Leaf::Soft, Leaf::Loud]),
                Trigger::Event(EventKind::Change),
                Target::To(Leaf::Low),
            ),
            Transition::new(Leaf::Idle, EventKind::Record, Leaf::Running),
            Transition::new(Leaf::Running, EventKind::Record, Leaf::Idle),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Low,
                        Leaf::High,
                        Leaf::Soft,
                        Leaf::Loud,
                        Leaf::Idle,
                        Leaf::Running,
                    ],
                ),
                Trigger::Event(EventKind::Leave),
                Target::To(Leaf::Dark),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Low,
                        Leaf::High,
                        Leaf::Soft,
                        Leaf::Loud,
                        Leaf::Idle,
                        Leaf::Running,
                    ],
                ),
                Trigger::Event(EventKind::Wipe),
                Target::To(Leaf::Dark),
            ),
            Transition::of(
                    Source::In(
                        &[
                            Leaf::Low,
                            Leaf::High,
                            Leaf::Soft,
                            Leaf::Loud,
                            Leaf::Idle,
                            Leaf::Running,
                        ],
                    ),
                    Trigger::Event(EventKind::Reset),
                    Target::All(&[Leaf::Low, Leaf::Idle]),
                )
                .with_reenter(Composite::Live.node()),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [Leaf] {
        const LISTS: &[&[Leaf]; 7] = &[
            &[Leaf::Low, Leaf::High, Leaf::Soft, Leaf::Loud, Leaf::Idle, Leaf::Running],
            &Leaf::ALL,
            &Leaf::ALL,
            &Leaf::ALL,
            &Leaf::ALL,
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
        const LISTS: &[&[EventKind]; 7] = &[
            &[EventKind::Enter, EventKind::Resume, EventKind::Reset],
            &[
                EventKind::Reset,
                EventKind::Tune,
                EventKind::Change,
                EventKind::Record,
                EventKind::Leave,
                EventKind::Wipe,
            ],
            &[EventKind::Reset, EventKind::Change, EventKind::Leave, EventKind::Wipe],
            &[
                EventKind::Reset,
                EventKind::Tune,
                EventKind::Change,
                EventKind::Leave,
                EventKind::Wipe,
            ],
            &[EventKind::Reset, EventKind::Change, EventKind::Leave, EventKind::Wipe],
            &[EventKind::Reset, EventKind::Record, EventKind::Leave, EventKind::Wipe],
            &[EventKind::Reset, EventKind::Record, EventKind::Leave, EventKind::Wipe],
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
        const PARENTS: &[Option<Composite>; 7] = &[
            None,
            Some(Composite::Organ),
            Some(Composite::Organ),
            Some(Composite::Strings),
            Some(Composite::Strings),
            Some(Composite::Recorder),
            Some(Composite::Recorder),
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 7] = &[
            "dark",
            "live/keys/organ/low",
            "live/keys/organ/high",
            "live/keys/strings/soft",
            "live/keys/strings/loud",
            "live/recorder/idle",
            "live/recorder/running",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Live => {
                matches!(
                    self,
                    Leaf::Low
                    | Leaf::High
                    | Leaf::Soft
                    | Leaf::Loud
                    | Leaf::Idle
                    | Leaf::Running
                )
            }
            Composite::Keys => {
                matches!(self, Leaf::Low | Leaf::High | Leaf::Soft | Leaf::Loud)
            }
            Composite::Organ => matches!(self, Leaf::Low | Leaf::High),
            Composite::Strings => matches!(self, Leaf::Soft | Leaf::Loud),
            Composite::Recorder => matches!(self, Leaf::Idle | Leaf::Running),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `live`.
    Live,
    /// The state `keys`.
    ///
    /// Inside `live`.
    Keys,
    /// The state `organ`.
    ///
    /// The default state of `live/keys`.
    Organ,
    /// The state `strings`.
    ///
    /// Inside `live/keys`.
    Strings,
    /// The state `recorder`.
    ///
    /// Inside `live`.
    Recorder,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 5, [Live("live"), Keys("keys"), Organ("organ"),
    Strings("strings"), Recorder("recorder")], serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> Leaf {
        const DEFAULTS: &[Leaf; 5] = &[
            Leaf::Low,
            Leaf::Low,
            Leaf::Low,
            Leaf::Soft,
            Leaf::Idle,
        ];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 5] = &[
            None,
            Some(Composite::Live),
            Some(Composite::Keys),
            Some(Composite::Keys),
            Some(Composite::Live),
        ];
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
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Organ.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Organ.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Strings.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Strings.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Recorder.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Recorder.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Live.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Keys.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Keys.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Live.node()),
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for Leaf {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "studio";

    const INITIAL: Leaf = Leaf::INITIAL;

    ::statespec::__state!(events, path);
}

/// What a `studio` is in: one state, or one in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum State {
    /// The state `dark`.
    #[serde(rename = "dark")]
    Dark,
    /// The state `live`.
    #[serde(rename = "live")]
    Live(Live),
}

impl State {
    /// Where it starts.
    pub const INITIAL: State = State::Dark;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Dark) {
            return Some(State::Dark);
        }
        if let Some(inside) = Live::of_leaves(is_active) {
            return Some(State::Live(inside));
        }
        None
    }
}

/// What a machine is in inside `live`: one state in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Live {
    /// The region `keys`.
    #[serde(rename = "keys")]
    pub keys: Keys,
    /// The region `recorder`.
    #[serde(rename = "recorder")]
    pub recorder: Recorder,
}

impl Live {
    /// Where it starts.
    pub const INITIAL: Live = Live {
        keys: Keys::INITIAL,
        recorder: Recorder::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(Live {
            keys: Keys::of_leaves(is_active)?,
            recorder: Recorder::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `live/keys`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Keys {
    /// The state `low`.
    #[serde(rename = "low")]
    Low,
    /// The state `high`.
    #[serde(rename = "high")]
    High,
    /// The state `soft`.
    #[serde(rename = "soft")]
    Soft,
    /// The state `loud`.
    #[serde(rename = "loud")]
    Loud,
}

impl Keys {
    /// Where it starts.
    pub const INITIAL: Keys = Keys::Low;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Low) {
            return Some(Keys::Low);
        }
        if is_active(Leaf::High) {
            return Some(Keys::High);
        }
        if is_active(Leaf::Soft) {
            return Some(Keys::Soft);
        }
        if is_active(Leaf::Loud) {
            return Some(Keys::Loud);
        }
        None
    }
}

/// What a machine is in inside the region `live/recorder`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Recorder {
    /// The state `idle`.
    #[serde(rename = "idle")]
    Idle,
    /// The state `running`.
    #[serde(rename = "running")]
    Running,
}

impl Recorder {
    /// Where it starts.
    pub const INITIAL: Recorder = Recorder::Idle;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Idle) {
            return Some(Recorder::Idle);
        }
        if is_active(Leaf::Running) {
            return Some(Recorder::Running);
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
            Leaf::Dark => matches!(self, State::Dark),
            Leaf::Low => matches!(self, State::Live(Live { keys: Keys::Low, .. })),
            Leaf::High => matches!(self, State::Live(Live { keys: Keys::High, .. })),
            Leaf::Soft => matches!(self, State::Live(Live { keys: Keys::Soft, .. })),
            Leaf::Loud => matches!(self, State::Live(Live { keys: Keys::Loud, .. })),
            Leaf::Idle => {
                matches!(self, State::Live(Live { recorder: Recorder::Idle, .. }))
            }
            Leaf::Running => {
                matches!(self, State::Live(Live { recorder: Recorder::Running, .. }))
            }
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
        Leaf::Dark as u32,
        Composite::Live.node(),
        Composite::Keys.node(),
        Composite::Organ.node(),
        Leaf::Low as u32,
        Leaf::High as u32,
        Composite::Strings.node(),
        Leaf::Soft as u32,
        Leaf::Loud as u32,
        Composite::Recorder.node(),
        Leaf::Idle as u32,
        Leaf::Running as u32,
    ];

    const REGIONS: &'static [::statespec::__private::Region<Leaf>] = &[
        ::statespec::__private::Region {
            node: Composite::Keys.node(),
            of: Some(Composite::Live.node()),
            starts: &[Leaf::Low],
        },
        ::statespec::__private::Region {
            node: Composite::Recorder.node(),
            of: Some(Composite::Live.node()),
            starts: &[Leaf::Idle],
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

/// An event. No event carries data, so an event is its kind.
pub type Event = EventKind;

impl EventKind {
    /// The event without its payload: itself.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        *self
    }
}

/// The events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `enter`.
    Enter,
    /// The event `resume`.
    Resume,
    /// The event `reset`.
    Reset,
    /// The event `tune`.
    Tune,
    /// The event `change`.
    Change,
    /// The event `record`.
    Record,
    /// The event `leave`.
    Leave,
    /// The event `wipe`.
    Wipe,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 8, [Enter("enter"), Resume("resume"), Reset("reset"),
    Tune("tune"), Change("change"), Record("record"), Leave("leave"), Wipe("wipe")],
    serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Studio, change: &Change) -> Result<(), Self::Error>;

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
        next: &Studio,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}
