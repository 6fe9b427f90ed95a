//! A kiln with timers.
//!
//! Durations are literals, constants, context fields and expressions; timers of composites, of several states and with guards.

::statespec::__emitted!(6);

/// A kiln with timers.
///
/// Durations are literals, constants, context fields and expressions; timers of composites, of several states and with guards.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Kiln<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Kiln<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Kiln { state, context }
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

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text> {
        &mut self.context
    }
}

impl<Text: ::statespec::FromLiteral> Kiln<Text> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Kiln {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<'e, Text: From<&'e str> + AsRef<str>> Kiln<Text> {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<&'e str>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event<&'e str>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as(
        &mut self,
        actor: Actor,
        event: Event<&'e str>,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply_as(self, actor, &event, &())
    }

    /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
    ///
    /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
    #[inline]
    pub fn replay(&mut self, event: Recorded<&'e str>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        self.run_by(None, From::from(event), host)
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub fn run_as<H: EffectHost<Text> + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        self.run_by(Some(actor), From::from(event), host)
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub fn run_due<H: EffectHost<Text> + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<
        Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&'e str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by(None, event, host);
        timers.after_run(timer, &result, now);
        Some(result)
    }

    fn run_by<H: EffectHost<Text> + ?Sized>(
        &mut self,
        actor: Option<Actor>,
        event: Recorded<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, actor, &event, &());
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
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), actor, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncEffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    >
    where
        Text: Clone,
    {
        self.run_by_async(None, From::from(event), host).await
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub async fn run_as_async<H: AsyncEffectHost<Text> + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    >
    where
        Text: Clone,
    {
        self.run_by_async(Some(actor), From::from(event), host).await
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub async fn run_due_async<H: AsyncEffectHost<Text> + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<
        Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&'e str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by_async(None, event, host).await;
        timers.after_run(timer, &result, now);
        Some(result)
    }

    async fn run_by_async<H: AsyncEffectHost<Text> + ?Sized>(
        &mut self,
        actor: Option<Actor>,
        event: Recorded<&'e str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    >
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, actor, &event, &());
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
        host.observe(&::statespec::Attempt::of_run(Some(event.kind()), actor, &result));
        result
    }

    /// The timers of the current state, each with the time after which it elapses, from the moment when its state was
    /// entered.
    pub fn timers(
        &self,
    ) -> impl ::core::iter::Iterator<Item = (EventKind, ::statespec::Duration)> + '_ {
        ::statespec::__private::running(self)
    }
}

impl<Text: ::statespec::FromLiteral> Default for Kiln<Text> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e, Text: From<&'e str> + AsRef<str>> ::statespec::__private::Input<Event<&'e str>>
for Kiln<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<
    'e,
    Text: From<&'e str> + AsRef<str>,
> ::statespec::__private::Input<Recorded<&'e str>> for Kiln<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<
    'e,
    Text: From<&'e str> + AsRef<str>,
> ::statespec::__private::Dispatch<Recorded<&'e str>, ()> for Kiln<Text> {
    type State = State;

    #[inline]
    fn kind(event: &Recorded<&'e str>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    #[allow(clippy::comparison_to_empty)]
    fn decide(
        &self,
        event: &Recorded<&'e str>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Cold, Recorded::Fire { cone, .. }) if cone != "" => {
                Outcome::To(State::Heating, Row::ColdFireToHot)
            }
            (
                State::Cold | State::Venting,
                Recorded::Reminder,
            ) if self.context.firings > 0 => Outcome::Stay(Row::ColdOrVentingReminder),
            (
                State::Soaking,
                Recorded::SoakingTimeout,
            ) if self.context.firings < STEPS => {
                Outcome::To(State::Cooling, Row::SoakingTimeoutToCooling)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Recorded<&'e str>,
        _predicates: &(),
    ) {
        match (step.row(), *event) {
            (Row::ColdFireToHot, Recorded::Fire { ramp, cone }) => {
                self.context.ramp = ramp;
                self.context.cone = From::from(cone);
            }
            (Row::ColdFireToHot2, Recorded::Fire { ramp, .. }) => {
                self.context.ramp = ramp;
            }
            (Row::HotSlowDown, _) => {
                self.context.ramp = self.context.ramp.saturating_mul(2);
            }
            (Row::SoakingTimeoutToCooling, _) => {
                self.context.firings = self.context.firings.saturating_add(1);
            }
            _ => {}
        }
        self.state = step.to();
    }
}

impl<'e, Text: From<&'e str> + AsRef<str>> ::statespec::__private::Durations
for Kiln<Text> {
    type Of = State;

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    fn after(
        &self,
        timer: EventKind,
    ) -> Result<Option<::statespec::Duration>, ::statespec::OutOfRange> {
        Ok(
            match timer {
                EventKind::HeatingTimeout => Some(self.context.ramp),
                EventKind::SoakingTimeout => Some(SOAK),
                EventKind::Cooled => {
                    Some(SOAK.saturating_add(self.context.ramp.saturating_mul(STEPS)))
                }
                EventKind::Watchdog => Some(::statespec::Duration::from_days(30)),
                EventKind::Reminder => Some(::statespec::Duration::from_seconds(90)),
                EventKind::VentingTimeout => {
                    Some(
                        ::statespec::Duration::from_days(1)
                            .saturating_add(
                                ::statespec::Duration::from_millis(10)
                                    .saturating_mul(
                                        ::statespec::__private::len(
                                            AsRef::<str>::as_ref(&self.context.cone),
                                        ),
                                    ),
                            ),
                    )
                }
                _ => None,
            },
        )
    }
}

impl<
    'e,
    Text: From<&'e str> + AsRef<str>,
> ::statespec::__private::Elapses<Recorded<&'e str>> for Kiln<Text> {
    fn elapsed(timer: EventKind) -> Option<Recorded<&'e str>> {
        match timer {
            EventKind::HeatingTimeout => Some(Recorded::HeatingTimeout),
            EventKind::SoakingTimeout => Some(Recorded::SoakingTimeout),
            EventKind::Cooled => Some(Recorded::Cooled),
            EventKind::Watchdog => Some(Recorded::Watchdog),
            EventKind::Reminder => Some(Recorded::Reminder),
            EventKind::VentingTimeout => Some(Recorded::VentingTimeout),
            _ => None,
        }
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The running timers of a machine, with the moments at which they started.
pub type Timers = ::statespec::Timers<State, 6>;

/// The context of a `kiln`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str> {
    /// A duration.
    pub ramp: ::statespec::Duration,
    /// A whole number.
    pub firings: i64,
    /// A text.
    pub cone: Text,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral> Default for Context<Text> {
    fn default() -> Self {
        Context {
            ramp: ::statespec::Duration::from_minutes(30),
            firings: 0,
            cone: ::statespec::FromLiteral::from_literal("cone 6"),
        }
    }
}

/// The constant `soak`.
pub const SOAK: ::statespec::Duration = ::statespec::Duration::from_hours(2);

/// The constant `steps`.
pub const STEPS: i64 = 3;

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `cold` → `hot` on `fire`, when `event.cone != ''`
    ColdFireToHot,
    /// `cold` → `hot` on `fire`
    ColdFireToHot2,
    /// `hot/heating` → `hot/soaking` on `heating_timeout`
    HeatingTimeout,
    /// `hot` stays on `slow_down`
    HotSlowDown,
    /// `hot/soaking` → `hot/cooling` on `soaking_timeout`, when `firings < steps`
    SoakingTimeoutToCooling,
    /// `hot/soaking` → `broken` on `soaking_timeout`
    SoakingTimeoutToBroken,
    /// `hot/cooling` → `venting` on `cooled`
    CoolingCooled,
    /// `hot` → `broken` on `watchdog`
    HotWatchdog,
    /// `hot/cooling` or `venting` → `cold` on `open`
    CoolingOrVentingOpen,
    /// `cold` or `venting` stays on `reminder`, when `firings > 0`
    ColdOrVentingReminder,
    /// `venting` → `cold` on `venting_timeout`
    VentingTimeout,
    /// `hot` → `hot` on `open`
    HotOpen,
}

::statespec::__row!(
    pub Row, 12, [ColdFireToHot, ColdFireToHot2, HeatingTimeout, HotSlowDown,
    SoakingTimeoutToCooling, SoakingTimeoutToBroken, CoolingCooled, HotWatchdog,
    CoolingOrVentingOpen, ColdOrVentingReminder, VentingTimeout, HotOpen]
);

/// The states of a `kiln`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Ready to be loaded.
    Cold,
    /// The state `heating`.
    ///
    /// The default state of `hot`.
    Heating,
    /// The state `soaking`.
    ///
    /// Inside `hot`.
    Soaking,
    /// The state `cooling`.
    ///
    /// Inside `hot`.
    Cooling,
    /// The lid is open a little.
    Venting,
    /// The state `broken`.
    ///
    /// An outcome: the work has ended.
    Broken,
}

::statespec::__unit_enum!(
    pub State, "state", 6, [Cold("cold"), Heating("heating"), Soaking("soaking"),
    Cooling("cooling"), Venting("venting"), Broken("broken")], serde
);

impl State {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "Ready to be loaded.",
            "",
            "",
            "",
            "The lid is open a little.",
            "",
        ];
        TEXTS[self as usize]
    }
}

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Cold;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::new(State::Cold, EventKind::Fire, State::Heating)
                .with_guard("event.cone != ''"),
            Transition::new(State::Cold, EventKind::Fire, State::Heating),
            Transition::new(State::Heating, EventKind::HeatingTimeout, State::Soaking)
                .with_effects(&[EffectKind::Tell]),
            Transition::of(
                Source::In(&[State::Heating, State::Soaking, State::Cooling]),
                Trigger::Event(EventKind::SlowDown),
                Target::Stay,
            ),
            Transition::new(State::Soaking, EventKind::SoakingTimeout, State::Cooling)
                .with_guard("firings < steps"),
            Transition::new(State::Soaking, EventKind::SoakingTimeout, State::Broken),
            Transition::new(State::Cooling, EventKind::Cooled, State::Venting),
            Transition::of(
                    Source::In(&[State::Heating, State::Soaking, State::Cooling]),
                    Trigger::Event(EventKind::Watchdog),
                    Target::To(State::Broken),
                )
                .with_effects(&[EffectKind::Tell]),
            Transition::of(
                Source::In(&[State::Cooling, State::Venting]),
                Trigger::Event(EventKind::Open),
                Target::To(State::Cold),
            ),
            Transition::of(
                    Source::In(&[State::Cold, State::Venting]),
                    Trigger::Event(EventKind::Reminder),
                    Target::Stay,
                )
                .with_guard("firings > 0")
                .with_effects(&[EffectKind::Beep]),
            Transition::new(State::Venting, EventKind::VentingTimeout, State::Cold),
            Transition::of(
                    Source::In(&[State::Heating, State::Soaking, State::Cooling]),
                    Trigger::Event(EventKind::Open),
                    Target::To(State::Heating),
                )
                .with_reenter(Composite::Hot.node()),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 6] = &[
            &[State::Heating],
            &[State::Heating, State::Soaking, State::Broken],
            &[State::Heating, State::Cooling, State::Broken],
            &[State::Cold, State::Venting, State::Broken],
            &[State::Cold],
            &[],
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
        const LISTS: &[&[EventKind]; 6] = &[
            &[EventKind::Fire, EventKind::Reminder],
            &[
                EventKind::SlowDown,
                EventKind::Open,
                EventKind::HeatingTimeout,
                EventKind::Watchdog,
            ],
            &[
                EventKind::SlowDown,
                EventKind::Open,
                EventKind::SoakingTimeout,
                EventKind::Watchdog,
            ],
            &[
                EventKind::SlowDown,
                EventKind::Open,
                EventKind::Cooled,
                EventKind::Watchdog,
            ],
            &[EventKind::Open, EventKind::Reminder, EventKind::VentingTimeout],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Broken)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Broken)
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 6] = &[
            None,
            Some(Composite::Hot),
            Some(Composite::Hot),
            Some(Composite::Hot),
            None,
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 6] = &[
            "cold",
            "hot/heating",
            "hot/soaking",
            "hot/cooling",
            "venting",
            "broken",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Hot => {
                matches!(self, State::Heating | State::Soaking | State::Cooling)
            }
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The door is locked.
    Hot,
}

::statespec::__unit_enum!(pub Composite, "composite state", 1, [Hot("hot")], serde);

impl Composite {
    /// The description of the composite state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["The door is locked."];
        TEXTS[self as usize]
    }
}

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 1] = &[State::Heating];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 1] = &[None];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Hot.node()),
            entry: &[],
            exit: &[EffectKind::Beep],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Hot.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Hot.node()),
            entry: &[EffectKind::Beep],
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
            parent: None,
            entry: &[],
            exit: &[],
        },
    ];

    const TIMERS: &'static [::statespec::__private::Timer<EventKind>] = &[
        ::statespec::__private::Timer::new(
            EventKind::HeatingTimeout,
            &[State::Heating as u32],
        ),
        ::statespec::__private::Timer::new(
            EventKind::SoakingTimeout,
            &[State::Soaking as u32],
        ),
        ::statespec::__private::Timer::new(EventKind::Cooled, &[State::Cooling as u32]),
        ::statespec::__private::Timer::new(
            EventKind::Watchdog,
            &[Composite::Hot.node()],
        ),
        ::statespec::__private::Timer::new(
            EventKind::Reminder,
            &[State::Cold as u32, State::Venting as u32],
        ),
        ::statespec::__private::Timer::new(
            EventKind::VentingTimeout,
            &[State::Venting as u32],
        ),
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "kiln";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events, path);
}

/// An event that a caller can raise, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str> {
    /// The event `fire`.
    ///
    /// Raised by `potter`.
    Fire {
        /// A duration.
        ramp: ::statespec::Duration,
        /// A text.
        cone: Text,
    },
    /// The event `slow_down`.
    ///
    /// Raised by `potter`.
    SlowDown,
    /// The event `open`.
    ///
    /// Raised by `potter`.
    Open,
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Fire { .. } => EventKind::Fire,
            Event::SlowDown => EventKind::SlowDown,
            Event::Open => EventKind::Open,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Fire { ramp, cone } => {
                Event::Fire {
                    ramp: *ramp,
                    cone: AsRef::as_ref(cone),
                }
            }
            Event::SlowDown => Event::SlowDown,
            Event::Open => Event::Open,
        }
    }
}

/// What has happened, as a history records it: an event with the data that it carries, or a timer that has elapsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Recorded<Text = &'static str> {
    /// See [`Event::Fire`].
    Fire {
        /// A duration.
        ramp: ::statespec::Duration,
        /// A text.
        cone: Text,
    },
    /// See [`Event::SlowDown`].
    SlowDown,
    /// See [`Event::Open`].
    Open,
    /// The timer `heating_timeout`: after ramp.
    HeatingTimeout,
    /// The timer `soaking_timeout`: after 2h.
    SoakingTimeout,
    /// The timer `cooled`: after 2h + ramp * 3.
    Cooled,
    /// The timer `watchdog`: after 30d.
    Watchdog,
    /// The timer `reminder`: after 90s.
    Reminder,
    /// The timer `venting_timeout`: after 1d + 10ms * len(cone).
    VentingTimeout,
}

impl<Text> Recorded<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Recorded::Fire { .. } => EventKind::Fire,
            Recorded::SlowDown => EventKind::SlowDown,
            Recorded::Open => EventKind::Open,
            Recorded::HeatingTimeout => EventKind::HeatingTimeout,
            Recorded::SoakingTimeout => EventKind::SoakingTimeout,
            Recorded::Cooled => EventKind::Cooled,
            Recorded::Watchdog => EventKind::Watchdog,
            Recorded::Reminder => EventKind::Reminder,
            Recorded::VentingTimeout => EventKind::VentingTimeout,
        }
    }
}

impl<Text: AsRef<str>> Recorded<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Recorded<&str> {
        match self {
            Recorded::Fire { ramp, cone } => {
                Recorded::Fire {
                    ramp: *ramp,
                    cone: AsRef::as_ref(cone),
                }
            }
            Recorded::SlowDown => Recorded::SlowDown,
            Recorded::Open => Recorded::Open,
            Recorded::HeatingTimeout => Recorded::HeatingTimeout,
            Recorded::SoakingTimeout => Recorded::SoakingTimeout,
            Recorded::Cooled => Recorded::Cooled,
            Recorded::Watchdog => Recorded::Watchdog,
            Recorded::Reminder => Recorded::Reminder,
            Recorded::VentingTimeout => Recorded::VentingTimeout,
        }
    }
}

impl<Text> From<Event<Text>> for Recorded<Text> {
    #[inline]
    fn from(event: Event<Text>) -> Self {
        match event {
            Event::Fire { ramp, cone } => Recorded::Fire { ramp, cone },
            Event::SlowDown => Recorded::SlowDown,
            Event::Open => Recorded::Open,
        }
    }
}

/// The names of the events and of the timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Fire`].
    Fire,
    /// See [`Event::SlowDown`].
    SlowDown,
    /// See [`Event::Open`].
    Open,
    /// The timer `heating_timeout`: after ramp.
    HeatingTimeout,
    /// The timer `soaking_timeout`: after 2h.
    SoakingTimeout,
    /// The timer `cooled`: after 2h + ramp * 3.
    Cooled,
    /// The timer `watchdog`: after 30d.
    Watchdog,
    /// The timer `reminder`: after 90s.
    Reminder,
    /// The timer `venting_timeout`: after 1d + 10ms * len(cone).
    VentingTimeout,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 9, [Fire("fire"), SlowDown("slow_down"), Open("open"),
    HeatingTimeout("heating_timeout"), SoakingTimeout("soaking_timeout"),
    Cooled("cooled"), Watchdog("watchdog"), Reminder("reminder"),
    VentingTimeout("venting_timeout")], serde
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 9] = &[
            "fire",
            "slow_down",
            "open",
            "after ramp",
            "after 2h",
            "after 2h + ramp * 3",
            "after 30d",
            "after 90s",
            "after 1d + 10ms * len(cone)",
        ];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// Whether this is a timer: it elapses, and nobody raises it.
    pub const fn is_timer(self) -> bool {
        matches!(
            self,
            EventKind::HeatingTimeout
            | EventKind::SoakingTimeout
            | EventKind::Cooled
            | EventKind::Watchdog
            | EventKind::Reminder
            | EventKind::VentingTimeout
        )
    }

    /// The actors that may raise the event; any actor when empty, and none if this is a timer.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 9] = &[
            &[Actor::Potter],
            &[Actor::Potter],
            &[Actor::Potter],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
        ];
        BY[self as usize]
    }

    ::statespec::__raised_by!(pub Actor, no performer);
}

impl ::statespec::Event for EventKind {
    type Actor = Actor;

    ::statespec::__event!(is_timer, by, performer);
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Beep`].
    Beep,
    /// See [`Effect::Tell`].
    Tell,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 2, [Beep("beep"), Tell("tell")], serde
);

impl EffectKind {
    /// The description of the effect in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["makes a noise", "tells the potter"];
        TEXTS[self as usize]
    }
}

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect<Text = &'static str> {
    /// Makes a noise.
    Beep,
    /// Tells the potter.
    Tell {
        /// A whole number.
        firings: i64,
        /// A text.
        cone: Text,
        /// The state before the step; `None` at creation.
        from: Option<State>,
        /// The state after the step.
        to: State,
    },
}

impl<Text> Effect<Text> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Beep => EffectKind::Beep,
            Effect::Tell { .. } => EffectKind::Tell,
        }
    }
}

impl<Text: AsRef<str>> Effect<Text> {
    /// The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.
    pub fn borrowed(&self) -> Effect<&str> {
        match self {
            Effect::Beep => Effect::Beep,
            Effect::Tell { firings, cone, from, to } => {
                Effect::Tell {
                    firings: *firings,
                    cone: AsRef::as_ref(cone),
                    from: *from,
                    to: *to,
                }
            }
        }
    }
}

impl<'e, Text: AsRef<str>> ::statespec::Effects<Recorded<&'e str>> for Kiln<Text> {
    type State = State;

    type Effect<'effect> = Effect<&'effect str>
    where
        Self: 'effect,
        Recorded<&'e str>: 'effect;
    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        step: &::statespec::Step<State>,
        _event: Option<&Recorded<&'e str>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Recorded<&'e str>: 'effect,
    {
        Some(
            match kind {
                EffectKind::Beep => Effect::Beep,
                EffectKind::Tell => {
                    Effect::Tell {
                        firings: self.context.firings,
                        cone: AsRef::<str>::as_ref(&self.context.cone),
                        from: step.from(),
                        to: step.to(),
                    }
                }
            },
        )
    }
}

impl Effect<&str> {
    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text>>::Error> {
        match self {
            Effect::Beep => host.beep(),
            Effect::Tell { firings, cone, from, to } => {
                host.tell(firings, cone, from, to)
            }
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text>>::Error> {
        match self {
            Effect::Beep => host.beep().await,
            Effect::Tell { firings, cone, from, to } => {
                host.tell(firings, cone, from, to).await
            }
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Kiln<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Makes a noise.
    fn beep(&mut self) -> Result<(), Self::Error>;

    /// Tells the potter.
    fn tell(
        &mut self,
        firings: i64,
        cone: &str,
        from: Option<State>,
        to: State,
    ) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Kiln<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, H: Host<Text> + ?Sized> EffectHost<Text> for H {
    type Error = <H as Host<Text>>::Error;

    #[inline]
    fn store(&mut self, next: &Kiln<Text>, change: &Change) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error> {
        effect.perform(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        Host::observe(self, attempt)
    }
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Kiln<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Makes a noise.
    fn beep(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Tells the potter.
    fn tell(
        &mut self,
        firings: i64,
        cone: &str,
        from: Option<State>,
        to: State,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Kiln<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect<&str>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, H: AsyncHost<Text> + ?Sized> AsyncEffectHost<Text> for H {
    type Error = <H as AsyncHost<Text>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Kiln<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect<&str>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The actors that raise events, or do the work that events start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// Who fires the kiln.
    Potter,
}

::statespec::__unit_enum!(pub Actor, "actor", 1, [Potter("potter")], serde);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 1] = &["who fires the kiln"];
        TEXTS[self as usize]
    }
}
