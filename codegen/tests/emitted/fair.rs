//! A fair with two rides.

::statespec::__emitted!(6);

/// A fair with two rides.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Fair {
    state: State,
    context: Context,
}

#[allow(clippy::result_large_err)]
impl Fair {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Fair { state, context }
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
        Fair {
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

    /// Takes the steps that follow `step`, which the machine has already taken.
    fn react(
        self,
        step: ::statespec::Step<Leaf>,
        refuse: impl ::core::ops::Fn(::statespec::Reason, Option<Row>) -> Refused,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::react(
            self,
            step,
            |machine, cause| machine.reaction(cause),
            |machine, step, cause| machine.take_reaction(step, cause),
            refuse,
        )
    }

    fn reaction(
        &self,
        cause: ::statespec::__private::Cause<<Leaf as ::statespec::State>::Event>,
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        if let ::statespec::__private::Cause::Done(done) = cause
            && !::statespec::__private::is_done::<Leaf, State>(self.state, done)
        {
            let (reason, row) = (::statespec::Reason::NoTransition, None);
            return Err(Refused::of_direct(self.state, Leaf::INITIAL, reason, row));
        }
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, cause) {
                    (
                        Leaf::WheelOver | Leaf::SwingOver,
                        ::statespec::__private::Cause::Done(done),
                    ) if done == Composite::Open as usize => {
                        Choice::row(Row::OpenDone, Some(Composite::Open.node()))
                            .to(Leaf::Shut)
                    }
                    _ => Choice::NoTransition,
                },
            )
            .map_err(|none| {
                none
                    .refused(|reason, row| Refused::of_direct(
                        self.state,
                        Leaf::INITIAL,
                        reason,
                        row,
                    ))
            })
    }

    fn take_reaction(
        &mut self,
        step: &::statespec::Step<Leaf>,
        cause: ::statespec::__private::Cause<<Leaf as ::statespec::State>::Event>,
    ) {
        let _ = cause;
        if step.leaves_node(Composite::Wheel.node()) {
            self.context.last = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Wheel)));
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: EffectHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as EffectHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |host, next, effect, step| {
                ::statespec::Effects::effect(next, effect, step, Some(&event))
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        event: Event,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost>::Error>> {
        let planned = ::statespec::__private::copy_after(self, None, &event, &());
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, step) => {
                    match ::statespec::Effects::effect(
                        run.after(),
                        effect,
                        &step,
                        Some(&event),
                    ) {
                        Some(effect) => host.perform(effect).await,
                        None => Ok(()),
                    }
                }
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

impl Default for Fair {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Fair {
    type Recorded = Event;
}

impl ::statespec::__private::Dispatch<Event, ()> for Fair {
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
                    (Leaf::Dark, Event::Dusk) => {
                        Choice::row(Row::DarkDusk, Some(Leaf::Dark as u32))
                            .to(Leaf::Bright)
                    }
                    (Leaf::Bright, Event::Dawn) => {
                        Choice::row(Row::BrightDawnOrLock, Some(Leaf::Bright as u32))
                            .to(Leaf::Dark)
                    }
                    (Leaf::Bright, Event::Lock) => {
                        Choice::row(Row::BrightDawnOrLock, Some(Leaf::Bright as u32))
                            .to(Leaf::Dark)
                    }
                    (
                        Leaf::Still
                        | Leaf::Turning
                        | Leaf::WheelOver
                        | Leaf::Hanging
                        | Leaf::Swinging
                        | Leaf::SwingOver,
                        Event::Lock,
                    ) => {
                        Choice::row(Row::OpenLock, Some(Composite::Open.node()))
                            .to(Leaf::Shut)
                    }
                    (Leaf::Shut, Event::Unlock) => {
                        Choice::row(Row::ShutUnlock, Some(Leaf::Shut as u32))
                            .to(Leaf::Still)
                            .to(Leaf::Hanging)
                    }
                    (Leaf::Shut, Event::Resume) if self.state.is_active(Leaf::Bright) => {
                        Choice::row(Row::ShutResume, Some(Leaf::Shut as u32))
                            .to(
                                match self.context.last {
                                    Some(last) if last.is_in(Composite::Wheel) => last,
                                    _ => Leaf::Still,
                                },
                            )
                            .to(Leaf::Swinging)
                    }
                    (Leaf::Shut, Event::Resume) => Choice::NoGuard,
                    (Leaf::Still, Event::Turn) => {
                        Choice::row(Row::StillTurn, Some(Leaf::Still as u32))
                            .to(Leaf::Turning)
                    }
                    (
                        Leaf::Turning
                        | Leaf::WheelOver
                        | Leaf::Swinging
                        | Leaf::SwingOver,
                        Event::Turn,
                    ) => {
                        Choice::row(Row::OpenTurn, Some(Composite::Open.node()))
                            .to(Leaf::Turning)
                    }
                    (Leaf::Hanging, Event::Turn) => {
                        Choice::row(Row::HangingTurn, Some(Leaf::Hanging as u32))
                    }
                    (Leaf::Still, Event::End) => {
                        Choice::row(Row::StillOrTurningEnd, Some(Leaf::Still as u32))
                            .to(Leaf::WheelOver)
                    }
                    (Leaf::Turning, Event::End) => {
                        Choice::row(Row::StillOrTurningEnd, Some(Leaf::Turning as u32))
                            .to(Leaf::WheelOver)
                    }
                    (Leaf::Hanging, Event::End) => {
                        Choice::row(
                                Row::HangingOrSwingingEnd,
                                Some(Leaf::Hanging as u32),
                            )
                            .to(Leaf::SwingOver)
                    }
                    (Leaf::Swinging, Event::End) => {
                        Choice::row(
                                Row::HangingOrSwingingEnd,
                                Some(Leaf::Swinging as u32),
                            )
                            .to(Leaf::SwingOver)
                    }
                    (Leaf::Turning, Event::Stop) => {
                        Choice::row(Row::TurningStop, Some(Leaf::Turning as u32))
                            .to(Leaf::Still)
                    }
                    (Leaf::Swinging, Event::Stop) => {
                        Choice::row(Row::SwingingStop, Some(Leaf::Swinging as u32))
                            .to(Leaf::Hanging)
                    }
                    (Leaf::Hanging, Event::Push) => {
                        Choice::row(Row::HangingPush, Some(Leaf::Hanging as u32))
                            .to(Leaf::Swinging)
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
                Row::StillTurn => {
                    self.context.n_turns = before.context.n_turns.saturating_add(1);
                }
                Row::HangingTurn => {
                    self.context.n_turns = before.context.n_turns;
                }
                _ => {}
            }
        }
        if step.leaves_node(Composite::Wheel.node()) {
            self.context.last = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Wheel)));
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(_event: &Event) -> bool {
        true
    }

    fn follow(
        mut self,
        first: ::statespec::Step<Leaf>,
        event: &Event,
        _predicates: &(),
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::Dispatch::take(&mut self, &first, event, &());
        self.react(
            first,
            |reason, row| Refused::of_event(first.from(), event.kind(), reason, row),
        )
    }

    fn plan(&self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(&mut self, event: &Event, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<Leaf>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<Leaf>;

/// The context of a `fair`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A state of this machine, or `None`.
    pub last: Option<Leaf>,
    /// A whole number.
    pub n_turns: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { last: None, n_turns: 0 }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `lights/dark` → `lights/bright` on `dusk`
    DarkDusk,
    /// `lights/bright` → `lights/dark` on `dawn` or `lock`
    BrightDawnOrLock,
    /// `rides/shut` → `rides/open` on `unlock`
    ShutUnlock,
    /// `rides/open` → `rides/shut` on `lock`
    OpenLock,
    /// `rides/shut` → `rides/open/wheel` and `rides/open/swing/swinging` on `resume`, when `in(bright)`
    ShutResume,
    /// `rides/open/wheel/still` → `rides/open/wheel/turning` on `turn`
    StillTurn,
    /// `rides/open/wheel/turning` → `rides/open/wheel/still` on `stop`
    TurningStop,
    /// `rides/open/swing/hanging` → `rides/open/swing/swinging` on `push`
    HangingPush,
    /// `rides/open/swing/hanging` stays on `turn`
    HangingTurn,
    /// `rides/open/swing/swinging` → `rides/open/swing/hanging` on `stop`
    SwingingStop,
    /// `rides/open/wheel/still` or `rides/open/wheel/turning` → `rides/open/wheel/wheel_over` on `end`
    StillOrTurningEnd,
    /// `rides/open/swing/hanging` or `rides/open/swing/swinging` → `rides/open/swing/swing_over` on `end`
    HangingOrSwingingEnd,
    /// `rides/open` → `rides/open/wheel/turning` on `turn`
    OpenTurn,
    /// `rides/open` → `rides/shut`, when done
    OpenDone,
}

::statespec::__row!(
    pub Row, 14, [DarkDusk, BrightDawnOrLock, ShutUnlock, OpenLock, ShutResume,
    StillTurn, TurningStop, HangingPush, HangingTurn, SwingingStop, StillOrTurningEnd,
    HangingOrSwingingEnd, OpenTurn, OpenDone]
);

/// The innermost states of a `fair`; it may be in several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The state `dark`.
    ///
    /// The default state of `lights`.
    Dark,
    /// The state `bright`.
    ///
    /// Inside `lights`.
    Bright,
    /// The state `shut`.
    ///
    /// The default state of `rides`.
    Shut,
    /// The state `still`.
    ///
    /// The default state of `rides/open/wheel`.
    Still,
    /// The state `turning`.
    ///
    /// Inside `rides/open/wheel`.
    Turning,
    /// The state `wheel_over`.
    ///
    /// Inside `rides/open/wheel`.
    ///
    /// An outcome: the work has ended.
    WheelOver,
    /// The state `hanging`.
    ///
    /// The default state of `rides/open/swing`.
    Hanging,
    /// The state `swinging`.
    ///
    /// Inside `rides/open/swing`.
    Swinging,
    /// The state `swing_over`.
    ///
    /// Inside `rides/open/swing`.
    ///
    /// An outcome: the work has ended.
    SwingOver,
}

::statespec::__unit_enum!(
    pub Leaf, "state", 9, [Dark("dark"), Bright("bright"), Shut("shut"), Still("still"),
    Turning("turning"), WheelOver("wheel_over"), Hanging("hanging"),
    Swinging("swinging"), SwingOver("swing_over")], serde
);

impl Leaf {
    /// The state that a machine starts in.
    pub const INITIAL: Leaf = Leaf::Dark;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<Leaf>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<Leaf>] = &[
            Transition::new(Leaf::Dark, EventKind::Dusk, Leaf::Bright),
            Transition::of(
                Source::Leaf(Leaf::Bright),
                Trigger::AnyOf(&[EventKind::Dawn, EventKind::Lock]),
                Target::To(Leaf::Dark),
            ),
            Transition::of(
                    Source::Leaf(Leaf::Shut),
                    Trigger::Event(EventKind::Unlock),
                    Target::All(&[Leaf::Still, Leaf::Hanging]),
                )
                .with_effects(&[EffectKind::Bell]),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Still,
                        Leaf::Turning,
                        Leaf::WheelOver,
                        Leaf::Hanging,
                        Leaf::Swinging,
                        Leaf::SwingOver,
                    ],
                ),
                Trigger::Event(EventKind::Lock),
                Target::To(Leaf::Shut),
            ),
            Transition::of(
                    Source::Leaf(Leaf::Shut),
                    Trigger::Event(EventKind::Resume),
                    Target::All(&[Leaf::Still, Leaf::Swinging]),
                )
                .with_guard("in(bright)"),
            Transition::new(Leaf::Still, EventKind::Turn, Leaf::Turning),
            Transition::new(Leaf::Turning, EventKind::Stop, Leaf::Still),
            Transition::new(Leaf::Hanging, EventKind::Push, Leaf::Swinging),
            Transition::of(
                Source::Leaf(Leaf::Hanging),
                Trigger::Event(EventKind::Turn),
                Target::Stay,
            ),
            Transition::new(Leaf::Swinging, EventKind::Stop, Leaf::Hanging),
            Transition::of(
                Source::In(&[Leaf::Still, Leaf::Turning]),
                Trigger::Event(EventKind::End),
                Target::To(Leaf::WheelOver),
            ),
            Transition::of(
                Source::In(&[Leaf::Hanging, Leaf::Swinging]),
                Trigger::Event(EventKind::End),
                Target::To(Leaf::SwingOver),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Still,
                        Leaf::Turning,
                        Leaf::WheelOver,
                        Leaf::Hanging,
                        Leaf::Swinging,
                        Leaf::SwingOver,
                    ],
                ),
                Trigger::Event(EventKind::Turn),
                Target::To(Leaf::Turning),
            ),
            Transition::of(
                    Source::In(
                        &[
                            Leaf::Still,
                            Leaf::Turning,
                            Leaf::WheelOver,
                            Leaf::Hanging,
                            Leaf::Swinging,
                            Leaf::SwingOver,
                        ],
                    ),
                    Trigger::Done,
                    Target::To(Leaf::Shut),
                )
                .with_effects(&[EffectKind::Bell]),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [Leaf] {
        const LISTS: &[&[Leaf]; 9] = &[
            &[Leaf::Bright],
            &[Leaf::Dark],
            &[
                Leaf::Still,
                Leaf::Turning,
                Leaf::WheelOver,
                Leaf::Hanging,
                Leaf::Swinging,
            ],
            &[Leaf::Shut, Leaf::Turning, Leaf::WheelOver],
            &[Leaf::Shut, Leaf::Still, Leaf::Turning, Leaf::WheelOver],
            &[Leaf::Shut, Leaf::Turning],
            &[Leaf::Shut, Leaf::Swinging, Leaf::SwingOver],
            &[Leaf::Shut, Leaf::Hanging, Leaf::SwingOver],
            &[Leaf::Shut],
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
        const LISTS: &[&[EventKind]; 9] = &[
            &[EventKind::Dusk],
            &[EventKind::Dawn, EventKind::Lock],
            &[EventKind::Unlock, EventKind::Resume],
            &[EventKind::Lock, EventKind::Turn, EventKind::End],
            &[EventKind::Lock, EventKind::Turn, EventKind::Stop, EventKind::End],
            &[EventKind::Lock, EventKind::Turn],
            &[EventKind::Lock, EventKind::Turn, EventKind::Push, EventKind::End],
            &[EventKind::Lock, EventKind::Turn, EventKind::Stop, EventKind::End],
            &[EventKind::Lock, EventKind::Turn],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Leaf::WheelOver | Leaf::SwingOver)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 9] = &[
            Some(Composite::Lights),
            Some(Composite::Lights),
            Some(Composite::Rides),
            Some(Composite::Wheel),
            Some(Composite::Wheel),
            Some(Composite::Wheel),
            Some(Composite::Swing),
            Some(Composite::Swing),
            Some(Composite::Swing),
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 9] = &[
            "lights/dark",
            "lights/bright",
            "rides/shut",
            "rides/open/wheel/still",
            "rides/open/wheel/turning",
            "rides/open/wheel/wheel_over",
            "rides/open/swing/hanging",
            "rides/open/swing/swinging",
            "rides/open/swing/swing_over",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Lights => matches!(self, Leaf::Dark | Leaf::Bright),
            Composite::Rides => {
                matches!(
                    self,
                    Leaf::Shut
                    | Leaf::Still
                    | Leaf::Turning
                    | Leaf::WheelOver
                    | Leaf::Hanging
                    | Leaf::Swinging
                    | Leaf::SwingOver
                )
            }
            Composite::Open => {
                matches!(
                    self,
                    Leaf::Still
                    | Leaf::Turning
                    | Leaf::WheelOver
                    | Leaf::Hanging
                    | Leaf::Swinging
                    | Leaf::SwingOver
                )
            }
            Composite::Wheel => {
                matches!(self, Leaf::Still | Leaf::Turning | Leaf::WheelOver)
            }
            Composite::Swing => {
                matches!(self, Leaf::Hanging | Leaf::Swinging | Leaf::SwingOver)
            }
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `lights`.
    Lights,
    /// The state `rides`.
    Rides,
    /// The state `open`.
    ///
    /// Inside `rides`.
    Open,
    /// The state `wheel`.
    ///
    /// Inside `rides/open`.
    Wheel,
    /// The state `swing`.
    ///
    /// Inside `rides/open`.
    Swing,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 5, [Lights("lights"), Rides("rides"), Open("open"),
    Wheel("wheel"), Swing("swing")], serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> Leaf {
        const DEFAULTS: &[Leaf; 5] = &[
            Leaf::Dark,
            Leaf::Shut,
            Leaf::Still,
            Leaf::Still,
            Leaf::Hanging,
        ];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 5] = &[
            None,
            None,
            Some(Composite::Rides),
            Some(Composite::Open),
            Some(Composite::Open),
        ];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        Leaf::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for Leaf {
    type Steps = ::statespec::__private::Microsteps<Leaf, State, 64, 3, 1>;

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
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
            parent: Some(Composite::Rides.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Wheel.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Wheel.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Wheel.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Swing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Swing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Swing.node()),
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
            parent: Some(Composite::Rides.node()),
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
    ];
}

impl ::statespec::State for Leaf {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "fair";

    const INITIAL: Leaf = Leaf::INITIAL;

    ::statespec::__state!(events, path);
}

/// What a `fair` is in: one state, or one in each region.
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
    /// The region `rides`.
    #[serde(rename = "rides")]
    pub rides: Rides,
}

impl State {
    /// Where it starts.
    pub const INITIAL: State = State {
        lights: Lights::INITIAL,
        rides: Rides::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(State {
            lights: Lights::of_leaves(is_active)?,
            rides: Rides::of_leaves(is_active)?,
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
    /// The state `bright`.
    #[serde(rename = "bright")]
    Bright,
}

impl Lights {
    /// Where it starts.
    pub const INITIAL: Lights = Lights::Dark;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Dark) {
            return Some(Lights::Dark);
        }
        if is_active(Leaf::Bright) {
            return Some(Lights::Bright);
        }
        None
    }
}

/// What a machine is in inside the region `rides`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Rides {
    /// The state `shut`.
    #[serde(rename = "shut")]
    Shut,
    /// The state `open`.
    #[serde(rename = "open")]
    Open(Open),
}

impl Rides {
    /// Where it starts.
    pub const INITIAL: Rides = Rides::Shut;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Shut) {
            return Some(Rides::Shut);
        }
        if let Some(inside) = Open::of_leaves(is_active) {
            return Some(Rides::Open(inside));
        }
        None
    }
}

/// What a machine is in inside `rides/open`: one state in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Open {
    /// The region `wheel`.
    #[serde(rename = "wheel")]
    pub wheel: Wheel,
    /// The region `swing`.
    #[serde(rename = "swing")]
    pub swing: Swing,
}

impl Open {
    /// Where it starts.
    pub const INITIAL: Open = Open {
        wheel: Wheel::INITIAL,
        swing: Swing::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(Open {
            wheel: Wheel::of_leaves(is_active)?,
            swing: Swing::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `rides/open/wheel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Wheel {
    /// The state `still`.
    #[serde(rename = "still")]
    Still,
    /// The state `turning`.
    #[serde(rename = "turning")]
    Turning,
    /// The state `wheel_over`.
    #[serde(rename = "wheel_over")]
    WheelOver,
}

impl Wheel {
    /// Where it starts.
    pub const INITIAL: Wheel = Wheel::Still;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Still) {
            return Some(Wheel::Still);
        }
        if is_active(Leaf::Turning) {
            return Some(Wheel::Turning);
        }
        if is_active(Leaf::WheelOver) {
            return Some(Wheel::WheelOver);
        }
        None
    }
}

/// What a machine is in inside the region `rides/open/swing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Swing {
    /// The state `hanging`.
    #[serde(rename = "hanging")]
    Hanging,
    /// The state `swinging`.
    #[serde(rename = "swinging")]
    Swinging,
    /// The state `swing_over`.
    #[serde(rename = "swing_over")]
    SwingOver,
}

impl Swing {
    /// Where it starts.
    pub const INITIAL: Swing = Swing::Hanging;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Hanging) {
            return Some(Swing::Hanging);
        }
        if is_active(Leaf::Swinging) {
            return Some(Swing::Swinging);
        }
        if is_active(Leaf::SwingOver) {
            return Some(Swing::SwingOver);
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
            Leaf::Bright => matches!(self, State { lights: Lights::Bright, .. }),
            Leaf::Shut => matches!(self, State { rides: Rides::Shut, .. }),
            Leaf::Still => {
                matches!(
                    self,
                    State { rides: Rides::Open(Open { wheel: Wheel::Still, .. }), .. }
                )
            }
            Leaf::Turning => {
                matches!(
                    self,
                    State { rides: Rides::Open(Open { wheel: Wheel::Turning, .. }), .. }
                )
            }
            Leaf::WheelOver => {
                matches!(
                    self,
                    State {
                        rides: Rides::Open(Open { wheel: Wheel::WheelOver, .. }),
                        ..
                    }
                )
            }
            Leaf::Hanging => {
                matches!(
                    self,
                    State { rides: Rides::Open(Open { swing: Swing::Hanging, .. }), .. }
                )
            }
            Leaf::Swinging => {
                matches!(
                    self,
                    State { rides: Rides::Open(Open { swing: Swing::Swinging, .. }), .. }
                )
            }
            Leaf::SwingOver => {
                matches!(
                    self,
                    State {
                        rides: Rides::Open(Open { swing: Swing::SwingOver, .. }),
                        ..
                    }
                )
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
        Composite::Lights.node(),
        Leaf::Dark as u32,
        Leaf::Bright as u32,
        Composite::Rides.node(),
        Leaf::Shut as u32,
        Composite::Open.node(),
        Composite::Wheel.node(),
        Leaf::Still as u32,
        Leaf::Turning as u32,
        Leaf::WheelOver as u32,
        Composite::Swing.node(),
        Leaf::Hanging as u32,
        Leaf::Swinging as u32,
        Leaf::SwingOver as u32,
    ];

    const REGIONS: &'static [::statespec::__private::Region<Leaf>] = &[
        ::statespec::__private::Region {
            node: Composite::Lights.node(),
            of: None,
            starts: &[Leaf::Dark],
        },
        ::statespec::__private::Region {
            node: Composite::Rides.node(),
            of: None,
            starts: &[Leaf::Shut],
        },
        ::statespec::__private::Region {
            node: Composite::Wheel.node(),
            of: Some(Composite::Open.node()),
            starts: &[Leaf::Still],
        },
        ::statespec::__private::Region {
            node: Composite::Swing.node(),
            of: Some(Composite::Open.node()),
            starts: &[Leaf::Hanging],
        },
    ];

    const MAY_COMPLETE: &'static [(u32, u32)] = &[
        (Leaf::WheelOver as u32, Composite::Open as u32),
        (Leaf::SwingOver as u32, Composite::Open as u32),
    ];

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
    /// The event `dusk`.
    Dusk,
    /// The event `dawn`.
    Dawn,
    /// The event `unlock`.
    Unlock,
    /// The event `lock`.
    Lock,
    /// The event `resume`.
    Resume,
    /// The event `turn`.
    Turn,
    /// The event `push`.
    Push,
    /// The event `stop`.
    Stop,
    /// The event `end`.
    End,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 9, [Dusk("dusk"), Dawn("dawn"), Unlock("unlock"),
    Lock("lock"), Resume("resume"), Turn("turn"), Push("push"), Stop("stop"),
    End("end")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// The effect `bell`.
    Bell,
}

::statespec::__unit_enum!(pub EffectKind, "effect", 1, [Bell("bell")], serde);

/// An effect. No effect takes data, so an effect is its kind.
pub type Effect = EffectKind;

impl EffectKind {
    /// The effect without its data: itself.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        *self
    }
}

impl ::statespec::Effects<Event> for Fair {
    type State = Leaf;

    type Effect<'effect> = Effect where Self: 'effect, Event: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<Leaf>,
        _event: Option<&Event>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event: 'effect,
    {
        Some(kind)
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<H: Host + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host>::Error> {
        match self {
            Effect::Bell => host.bell(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<H: AsyncHost + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost>::Error> {
        match self {
            Effect::Bell => host.bell().await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Fair, change: &Change) -> Result<(), Self::Error>;

    /// The effect `bell`.
    fn bell(&mut self) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Fair, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

impl<H: Host + ?Sized> EffectHost for H {
    type Error = <H as Host>::Error;

    #[inline]
    fn store(&mut self, next: &Fair, change: &Change) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error> {
        effect.perform(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, Leaf>) {
        Host::observe(self, attempt)
    }
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Fair,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `bell`.
    fn bell(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Fair,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

impl<H: AsyncHost + ?Sized> AsyncEffectHost for H {
    type Error = <H as AsyncHost>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Fair,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, Leaf>) {
        AsyncHost::observe(self, attempt)
    }
}
