//! Wash bay.
//!
//! A bay of a car wash. While it is in use, its gate and its brushes are two regions.

::statespec::__emitted!(6);

/// Wash bay.
///
/// A bay of a car wash. While it is in use, its gate and its brushes are two regions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Bay {
    state: State,
    context: Context,
}

#[allow(clippy::result_large_err)]
impl Bay {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Bay { state, context }
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
        Bay {
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

    /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
    ///
    /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
    #[inline]
    pub fn replay(&mut self, event: Recorded) -> Result<Change, Refused> {
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
        let raised: Option<Recorded> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Lift) => {
                Some(Recorded::Lift)
            }
            _ => None,
        };
        if let Some(event) = raised {
            return ::statespec::__private::Dispatch::decide(self, &event, &());
        }
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
                        Leaf::Clean,
                        ::statespec::__private::Cause::Done(done),
                    ) if done == Composite::Cycle as usize => {
                        Choice::row(Row::CycleDone, Some(Composite::Cycle.node()))
                            .to(Leaf::Idle)
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

    #[allow(clippy::single_match)]
    fn take_reaction(
        &mut self,
        step: &::statespec::Step<Leaf>,
        cause: ::statespec::__private::Cause<<Leaf as ::statespec::State>::Event>,
    ) {
        let raised: Option<Recorded> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Lift) => {
                Some(Recorded::Lift)
            }
            _ => None,
        };
        if let Some(event) = raised {
            return ::statespec::__private::Dispatch::take(self, step, &event, &());
        }
        let before = Clone::clone(&*self);
        for row in step.rows() {
            match row {
                Row::CycleDone => {
                    self.context.washed = before.context.washed.saturating_add(1);
                }
                _ => {}
            }
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
        self.run_by(From::from(event), host)
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub fn run_due<H: EffectHost + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<Result<Change, ::statespec::RunError<Leaf, <H as EffectHost>::Error>>> {
        let (event, timer, _): (Recorded, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by(event, host);
        timers.after_run(timer, &result, now);
        Some(result)
    }

    fn run_by<H: EffectHost + ?Sized>(
        &mut self,
        event: Recorded,
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
        self.run_by_async(From::from(event), host).await
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub async fn run_due_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        host: &mut H,
    ) -> Option<
        Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost>::Error>>,
    > {
        let (event, timer, _): (Recorded, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by_async(event, host).await;
        timers.after_run(timer, &result, now);
        Some(result)
    }

    async fn run_by_async<H: AsyncEffectHost + ?Sized>(
        &mut self,
        event: Recorded,
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

    /// The timers of the current state, each with the time after which it elapses, from the moment when its state was
    /// entered.
    pub fn timers(
        &self,
    ) -> impl ::core::iter::Iterator<Item = (EventKind, ::statespec::Duration)> + '_ {
        ::statespec::__private::running(self)
    }
}

impl Default for Bay {
    fn default() -> Self {
        Self::new()
    }
}

impl ::statespec::__private::Input<Event> for Bay {
    type Recorded = Recorded;
}

impl ::statespec::__private::Input<Recorded> for Bay {
    type Recorded = Recorded;
}

impl ::statespec::__private::Dispatch<Recorded, ()> for Bay {
    type State = Leaf;

    #[inline]
    fn kind(event: &Recorded) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn decide(
        &self,
        event: &Recorded,
        _predicates: &(),
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, *event) {
                    (Leaf::Locked, Recorded::Unlock) => {
                        Choice::row(Row::LockedUnlock, Some(Leaf::Locked as u32))
                            .to(Leaf::Shut)
                            .to(Leaf::Idle)
                    }
                    (Leaf::Shut, Recorded::Lift) => {
                        Choice::row(Row::ShutLift, Some(Leaf::Shut as u32))
                            .to(Leaf::Raised)
                    }
                    (
                        Leaf::Shut
                        | Leaf::Raised
                        | Leaf::Idle
                        | Leaf::Soaping
                        | Leaf::Rinsing
                        | Leaf::Clean,
                        Recorded::Jam,
                    ) => {
                        Choice::row(Row::InUseJam, Some(Composite::InUse.node()))
                            .to(Leaf::Jammed)
                    }
                    (Leaf::Raised, Recorded::Drop) => {
                        Choice::row(Row::RaisedDrop, Some(Leaf::Raised as u32))
                            .to(Leaf::Shut)
                    }
                    (Leaf::Raised, Recorded::Clear) => {
                        Choice::row(Row::RaisedClear, Some(Leaf::Raised as u32))
                            .to(Leaf::Shut)
                    }
                    (Leaf::Idle, Recorded::Clear) => {
                        Choice::row(Row::IdleOrCycleClear, Some(Leaf::Idle as u32))
                            .to(Leaf::Idle)
                    }
                    (Leaf::Soaping | Leaf::Rinsing | Leaf::Clean, Recorded::Clear) => {
                        Choice::row(Row::IdleOrCycleClear, Some(Composite::Cycle.node()))
                            .to(Leaf::Idle)
                    }
                    (
                        Leaf::Idle,
                        Recorded::Begin { to },
                    ) if self.state.is_active(Leaf::Shut) && to > self.context.washed => {
                        Choice::row(Row::IdleBegin, Some(Leaf::Idle as u32))
                            .to(Leaf::Soaping)
                    }
                    (
                        Leaf::Soaping | Leaf::Rinsing | Leaf::Clean,
                        Recorded::Begin { .. },
                    ) => Choice::row(Row::CycleBegin, Some(Composite::Cycle.node())),
                    (Leaf::Idle, Recorded::Begin { .. }) => Choice::NoGuard,
                    (Leaf::Soaping, Recorded::Soaped) => {
                        Choice::row(Row::SoapingSoaped, Some(Leaf::Soaping as u32))
                            .to(Leaf::Rinsing)
                    }
                    (Leaf::Rinsing, Recorded::Rinsed) => {
                        Choice::row(Row::RinsingRinsed, Some(Leaf::Rinsing as u32))
                            .to(Leaf::Clean)
                    }
                    (Leaf::Jammed, Recorded::Repair) => {
                        Choice::row(Row::JammedRepair, Some(Leaf::Jammed as u32))
                            .to(Leaf::Raised)
                            .to(Leaf::Idle)
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
        _event: &Recorded,
        _predicates: &(),
    ) {
        for row in step.rows() {
            match row {
                Row::LockedUnlock => {
                    self.context.washed = 0;
                }
                _ => {}
            }
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(_event: &Recorded) -> bool {
        true
    }

    fn follow(
        mut self,
        first: ::statespec::Step<Leaf>,
        event: &Recorded,
        _predicates: &(),
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::Dispatch::take(&mut self, &first, event, &());
        self.react(
            first,
            |reason, row| Refused::of_event(first.from(), event.kind(), reason, row),
        )
    }

    fn plan(&self, event: &Recorded, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(&mut self, event: &Recorded, predicates: &()) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

impl ::statespec::__private::Durations for Bay {
    type Of = Leaf;

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
                EventKind::Rinsed => Some(RINSE),
                _ => None,
            },
        )
    }
}

impl ::statespec::__private::Elapses<Recorded> for Bay {
    fn elapsed(timer: EventKind) -> Option<Recorded> {
        match timer {
            EventKind::Rinsed => Some(Recorded::Rinsed),
            _ => None,
        }
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<Leaf>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<Leaf>;

/// The running timers of a machine, with the moments at which they started.
pub type Timers = ::statespec::Timers<Leaf, 1>;

/// The context of a `bay`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// The cars that were washed since the bay was unlocked.
    pub washed: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { washed: 0 }
    }
}

/// The time for which a car is rinsed.
pub const RINSE: ::statespec::Duration = ::statespec::Duration::from_seconds(90);

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `locked` → `in_use` on `unlock`
    LockedUnlock,
    /// `in_use/gate/shut` → `in_use/gate/raised` on `lift`
    ShutLift,
    /// `in_use/gate/raised` → `in_use/gate/shut` on `drop`
    RaisedDrop,
    /// `in_use/brushes/idle` → `in_use/brushes/cycle` on `begin`, when `in(shut) and to > washed`
    IdleBegin,
    /// `in_use/brushes/cycle` refuses `begin`: A car is in the bay.
    CycleBegin,
    /// `in_use/brushes/cycle/soaping` → `in_use/brushes/cycle/rinsing` on `soaped`
    SoapingSoaped,
    /// `in_use/brushes/cycle/rinsing` → `in_use/brushes/cycle/clean` on `rinsed`
    RinsingRinsed,
    /// `in_use/brushes/cycle` → `in_use/brushes/idle`, when done
    CycleDone,
    /// `in_use/gate/raised` → `in_use/gate/shut` on `clear`
    RaisedClear,
    /// `in_use/brushes/idle` or `in_use/brushes/cycle` → `in_use/brushes/idle` on `clear`
    IdleOrCycleClear,
    /// `in_use` → `jammed` on `jam`
    InUseJam,
    /// `jammed` → `in_use/gate/raised` and `in_use/brushes/idle` on `repair`
    JammedRepair,
}

::statespec::__row!(
    pub Row, 12, [LockedUnlock, ShutLift, RaisedDrop, IdleBegin, CycleBegin,
    SoapingSoaped, RinsingRinsed, CycleDone, RaisedClear, IdleOrCycleClear, InUseJam,
    JammedRepair]
);

/// The innermost states of a `bay`; it may be in several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// Nobody can drive in.
    Locked,
    /// The gate is down.
    ///
    /// The default state of `in_use/gate`.
    Shut,
    /// Cars can drive in and out.
    ///
    /// Inside `in_use/gate`.
    Raised,
    /// Nothing turns.
    ///
    /// The default state of `in_use/brushes`.
    Idle,
    /// The brushes turn.
    ///
    /// The default state of `in_use/brushes/cycle`.
    Soaping,
    /// Clear water only.
    ///
    /// Inside `in_use/brushes/cycle`.
    Rinsing,
    /// The car is washed.
    ///
    /// Inside `in_use/brushes/cycle`.
    ///
    /// An outcome: the work has ended.
    Clean,
    /// Somebody must repair the bay.
    Jammed,
}

::statespec::__unit_enum!(
    pub Leaf, "state", 8, [Locked("locked"), Shut("shut"), Raised("raised"),
    Idle("idle"), Soaping("soaping"), Rinsing("rinsing"), Clean("clean"),
    Jammed("jammed")], serde
);

impl Leaf {
    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "Nobody can drive in.",
            "The gate is down.",
            "Cars can drive in and out.",
            "Nothing turns.",
            "The brushes turn.",
            "Clear water only.",
            "The car is washed.",
            "Somebody must repair the bay.",
        ];
        TEXTS[self as usize]
    }
}

impl Leaf {
    /// The state that a machine starts in.
    pub const INITIAL: Leaf = Leaf::Locked;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<Leaf>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<Leaf>] = &[
            Transition::of(
                Source::Leaf(Leaf::Locked),
                Trigger::Event(EventKind::Unlock),
                Target::All(&[Leaf::Shut, Leaf::Idle]),
            ),
            Transition::new(Leaf::Shut, EventKind::Lift, Leaf::Raised),
            Transition::new(Leaf::Raised, EventKind::Drop, Leaf::Shut),
            Transition::new(Leaf::Idle, EventKind::Begin, Leaf::Soaping)
                .with_guard("in(shut) and to > washed"),
            Transition::of(
                Source::In(&[Leaf::Soaping, Leaf::Rinsing, Leaf::Clean]),
                Trigger::Event(EventKind::Begin),
                Target::Refuse("A car is in the bay."),
            ),
            Transition::new(Leaf::Soaping, EventKind::Soaped, Leaf::Rinsing),
            Transition::new(Leaf::Rinsing, EventKind::Rinsed, Leaf::Clean),
            Transition::of(
                    Source::In(&[Leaf::Soaping, Leaf::Rinsing, Leaf::Clean]),
                    Trigger::Done,
                    Target::To(Leaf::Idle),
                )
                .with_effects(&[EffectKind::Beep])
                .with_raised(&[EventKind::Lift]),
            Transition::new(Leaf::Raised, EventKind::Clear, Leaf::Shut),
            Transition::of(
                Source::In(&[Leaf::Idle, Leaf::Soaping, Leaf::Rinsing, Leaf::Clean]),
                Trigger::Event(EventKind::Clear),
                Target::To(Leaf::Idle),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Shut,
                        Leaf::Raised,
                        Leaf::Idle,
                        Leaf::Soaping,
                        Leaf::Rinsing,
                        Leaf::Clean,
                    ],
                ),
                Trigger::Event(EventKind::Jam),
                Target::To(Leaf::Jammed),
            ),
            Transition::of(
                Source::Leaf(Leaf::Jammed),
                Trigger::Event(EventKind::Repair),
                Target::All(&[Leaf::Raised, Leaf::Idle]),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [Leaf] {
        const LISTS: &[&[Leaf]; 8] = &[
            &[Leaf::Shut, Leaf::Idle],
            &[Leaf::Raised, Leaf::Jammed],
            &[Leaf::Shut, Leaf::Jammed],
            &[Leaf::Idle, Leaf::Soaping, Leaf::Jammed],
            &[Leaf::Idle, Leaf::Rinsing, Leaf::Jammed],
            &[Leaf::Idle, Leaf::Clean, Leaf::Jammed],
            &[Leaf::Idle, Leaf::Jammed],
            &[Leaf::Shut, Leaf::Raised, Leaf::Idle],
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
        const LISTS: &[&[EventKind]; 8] = &[
            &[EventKind::Unlock],
            &[EventKind::Lift, EventKind::Jam],
            &[EventKind::Drop, EventKind::Clear, EventKind::Jam],
            &[EventKind::Begin, EventKind::Clear, EventKind::Jam],
            &[EventKind::Soaped, EventKind::Clear, EventKind::Jam],
            &[EventKind::Clear, EventKind::Jam, EventKind::Rinsed],
            &[EventKind::Clear, EventKind::Jam],
            &[EventKind::Repair],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Leaf::Clean)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 8] = &[
            None,
            Some(Composite::Gate),
            Some(Composite::Gate),
            Some(Composite::Brushes),
            Some(Composite::Cycle),
            Some(Composite::Cycle),
            Some(Composite::Cycle),
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 8] = &[
            "locked",
            "in_use/gate/shut",
            "in_use/gate/raised",
            "in_use/brushes/idle",
            "in_use/brushes/cycle/soaping",
            "in_use/brushes/cycle/rinsing",
            "in_use/brushes/cycle/clean",
            "jammed",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::InUse => {
                matches!(
                    self,
                    Leaf::Shut
                    | Leaf::Raised
                    | Leaf::Idle
                    | Leaf::Soaping
                    | Leaf::Rinsing
                    | Leaf::Clean
                )
            }
            Composite::Gate => matches!(self, Leaf::Shut | Leaf::Raised),
            Composite::Brushes => {
                matches!(self, Leaf::Idle | Leaf::Soaping | Leaf::Rinsing | Leaf::Clean)
            }
            Composite::Cycle => {
                matches!(self, Leaf::Soaping | Leaf::Rinsing | Leaf::Clean)
            }
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// Customers use the bay.
    InUse,
    /// The gate in front of the bay.
    ///
    /// Inside `in_use`.
    Gate,
    /// The brushes and the pump.
    ///
    /// Inside `in_use`.
    Brushes,
    /// A car is washed.
    ///
    /// Inside `in_use/brushes`.
    Cycle,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 4, [InUse("in_use"), Gate("gate"),
    Brushes("brushes"), Cycle("cycle")], serde
);

impl Composite {
    /// The description of the composite state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &[
            "Customers use the bay.",
            "The gate in front of the bay.",
            "The brushes and the pump.",
            "A car is washed.",
        ];
        TEXTS[self as usize]
    }
}

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> Leaf {
        const DEFAULTS: &[Leaf; 4] = &[
            Leaf::Shut,
            Leaf::Shut,
            Leaf::Idle,
            Leaf::Soaping,
        ];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 4] = &[
            None,
            Some(Composite::InUse),
            Some(Composite::InUse),
            Some(Composite::Brushes),
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
    type Steps = ::statespec::__private::Microsteps<Leaf, State, 64, 2, 1>;

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Gate.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Gate.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Brushes.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Cycle.node()),
            entry: &[EffectKind::Pump],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Cycle.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Cycle.node()),
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
            entry: &[EffectKind::LampOn],
            exit: &[EffectKind::LampOff],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::InUse.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::InUse.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Brushes.node()),
            entry: &[],
            exit: &[],
        },
    ];

    const COMPLETING: &'static [(u32, u32)] = &[
        (Leaf::Clean as u32, Composite::Cycle as u32),
    ];

    const TIMERS: &'static [::statespec::__private::Timer<EventKind>] = &[
        ::statespec::__private::Timer::new(EventKind::Rinsed, &[Leaf::Rinsing as u32]),
    ];
}

impl ::statespec::State for Leaf {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "bay";

    const INITIAL: Leaf = Leaf::INITIAL;

    ::statespec::__state!(events, path);
}

/// What a `bay` is in: one state, or one in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum State {
    /// Nobody can drive in.
    #[serde(rename = "locked")]
    Locked,
    /// Customers use the bay.
    #[serde(rename = "in_use")]
    InUse(InUse),
    /// Somebody must repair the bay.
    #[serde(rename = "jammed")]
    Jammed,
}

impl State {
    /// Where it starts.
    pub const INITIAL: State = State::Locked;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Locked) {
            return Some(State::Locked);
        }
        if let Some(inside) = InUse::of_leaves(is_active) {
            return Some(State::InUse(inside));
        }
        if is_active(Leaf::Jammed) {
            return Some(State::Jammed);
        }
        None
    }
}

/// What a machine is in inside `in_use`: one state in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct InUse {
    /// The gate in front of the bay.
    #[serde(rename = "gate")]
    pub gate: Gate,
    /// The brushes and the pump.
    #[serde(rename = "brushes")]
    pub brushes: Brushes,
}

impl InUse {
    /// Where it starts.
    pub const INITIAL: InUse = InUse {
        gate: Gate::INITIAL,
        brushes: Brushes::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(InUse {
            gate: Gate::of_leaves(is_active)?,
            brushes: Brushes::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `in_use/gate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Gate {
    /// The gate is down.
    #[serde(rename = "shut")]
    Shut,
    /// Cars can drive in and out.
    #[serde(rename = "raised")]
    Raised,
}

impl Gate {
    /// Where it starts.
    pub const INITIAL: Gate = Gate::Shut;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Shut) {
            return Some(Gate::Shut);
        }
        if is_active(Leaf::Raised) {
            return Some(Gate::Raised);
        }
        None
    }
}

/// What a machine is in inside the region `in_use/brushes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Brushes {
    /// Nothing turns.
    #[serde(rename = "idle")]
    Idle,
    /// The brushes turn.
    #[serde(rename = "soaping")]
    Soaping,
    /// Clear water only.
    #[serde(rename = "rinsing")]
    Rinsing,
    /// The car is washed.
    #[serde(rename = "clean")]
    Clean,
}

impl Brushes {
    /// Where it starts.
    pub const INITIAL: Brushes = Brushes::Idle;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Idle) {
            return Some(Brushes::Idle);
        }
        if is_active(Leaf::Soaping) {
            return Some(Brushes::Soaping);
        }
        if is_active(Leaf::Rinsing) {
            return Some(Brushes::Rinsing);
        }
        if is_active(Leaf::Clean) {
            return Some(Brushes::Clean);
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
            Leaf::Locked => matches!(self, State::Locked),
            Leaf::Shut => matches!(self, State::InUse(InUse { gate: Gate::Shut, .. })),
            Leaf::Raised => {
                matches!(self, State::InUse(InUse { gate: Gate::Raised, .. }))
            }
            Leaf::Idle => {
                matches!(self, State::InUse(InUse { brushes: Brushes::Idle, .. }))
            }
            Leaf::Soaping => {
                matches!(self, State::InUse(InUse { brushes: Brushes::Soaping, .. }))
            }
            Leaf::Rinsing => {
                matches!(self, State::InUse(InUse { brushes: Brushes::Rinsing, .. }))
            }
            Leaf::Clean => {
                matches!(self, State::InUse(InUse { brushes: Brushes::Clean, .. }))
            }
            Leaf::Jammed => matches!(self, State::Jammed),
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
        Leaf::Locked as u32,
        Composite::InUse.node(),
        Composite::Gate.node(),
        Leaf::Shut as u32,
        Leaf::Raised as u32,
        Composite::Brushes.node(),
        Leaf::Idle as u32,
        Composite::Cycle.node(),
        Leaf::Soaping as u32,
        Leaf::Rinsing as u32,
        Leaf::Clean as u32,
        Leaf::Jammed as u32,
    ];

    const REGIONS: &'static [::statespec::__private::Region<Leaf>] = &[
        ::statespec::__private::Region {
            node: Composite::Gate.node(),
            of: Some(Composite::InUse.node()),
            starts: &[Leaf::Shut],
        },
        ::statespec::__private::Region {
            node: Composite::Brushes.node(),
            of: Some(Composite::InUse.node()),
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

/// An event that a caller can raise, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event {
    /// The day begins.
    Unlock,
    /// The gate goes up.
    Lift,
    /// The gate goes down.
    Drop,
    /// A customer has put in a ticket.
    Begin {
        /// The number of the last ticket.
        to: i64,
    },
    /// The brushes have done their rounds.
    Soaped,
    /// The bay is put back: gate down, brushes still.
    Clear,
    /// A brush is stuck.
    Jam,
    /// Somebody has repaired it.
    Repair,
}

impl Event {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Unlock => EventKind::Unlock,
            Event::Lift => EventKind::Lift,
            Event::Drop => EventKind::Drop,
            Event::Begin { .. } => EventKind::Begin,
            Event::Soaped => EventKind::Soaped,
            Event::Clear => EventKind::Clear,
            Event::Jam => EventKind::Jam,
            Event::Repair => EventKind::Repair,
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
pub enum Recorded {
    /// See [`Event::Unlock`].
    Unlock,
    /// See [`Event::Lift`].
    Lift,
    /// See [`Event::Drop`].
    Drop,
    /// See [`Event::Begin`].
    Begin {
        /// The number of the last ticket.
        to: i64,
    },
    /// See [`Event::Soaped`].
    Soaped,
    /// See [`Event::Clear`].
    Clear,
    /// See [`Event::Jam`].
    Jam,
    /// See [`Event::Repair`].
    Repair,
    /// The timer `rinsed`: after 90s.
    Rinsed,
}

impl Recorded {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Recorded::Unlock => EventKind::Unlock,
            Recorded::Lift => EventKind::Lift,
            Recorded::Drop => EventKind::Drop,
            Recorded::Begin { .. } => EventKind::Begin,
            Recorded::Soaped => EventKind::Soaped,
            Recorded::Clear => EventKind::Clear,
            Recorded::Jam => EventKind::Jam,
            Recorded::Repair => EventKind::Repair,
            Recorded::Rinsed => EventKind::Rinsed,
        }
    }
}

impl From<Event> for Recorded {
    #[inline]
    fn from(event: Event) -> Self {
        match event {
            Event::Unlock => Recorded::Unlock,
            Event::Lift => Recorded::Lift,
            Event::Drop => Recorded::Drop,
            Event::Begin { to } => Recorded::Begin { to },
            Event::Soaped => Recorded::Soaped,
            Event::Clear => Recorded::Clear,
            Event::Jam => Recorded::Jam,
            Event::Repair => Recorded::Repair,
        }
    }
}

/// The names of the events and of the timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Unlock`].
    Unlock,
    /// See [`Event::Lift`].
    Lift,
    /// See [`Event::Drop`].
    Drop,
    /// See [`Event::Begin`].
    Begin,
    /// See [`Event::Soaped`].
    Soaped,
    /// See [`Event::Clear`].
    Clear,
    /// See [`Event::Jam`].
    Jam,
    /// See [`Event::Repair`].
    Repair,
    /// The timer `rinsed`: after 90s.
    Rinsed,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 9, [Unlock("unlock"), Lift("lift"), Drop("drop"),
    Begin("begin"), Soaped("soaped"), Clear("clear"), Jam("jam"), Repair("repair"),
    Rinsed("rinsed")], serde
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 9] = &[
            "unlock",
            "lift",
            "drop",
            "begin",
            "soaped",
            "clear",
            "jam",
            "repair",
            "after 90s",
        ];
        TEXTS[self as usize]
    }

    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 9] = &[
            "The day begins.",
            "The gate goes up.",
            "The gate goes down.",
            "A customer has put in a ticket.",
            "The brushes have done their rounds.",
            "The bay is put back: gate down, brushes still.",
            "A brush is stuck.",
            "Somebody has repaired it.",
            "",
        ];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// Whether this is a timer: it elapses, and nobody raises it.
    pub const fn is_timer(self) -> bool {
        matches!(self, EventKind::Rinsed)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;

    ::statespec::__event!(is_timer);
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::LampOn`].
    LampOn,
    /// See [`Effect::LampOff`].
    LampOff,
    /// See [`Effect::Pump`].
    Pump,
    /// See [`Effect::Beep`].
    Beep,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 4, [LampOn("lamp_on"), LampOff("lamp_off"), Pump("pump"),
    Beep("beep")], serde
);

impl EffectKind {
    /// The description of the effect in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 4] = &["", "", "", "The customer may drive out."];
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
pub enum Effect {
    /// The effect `lamp_on`.
    LampOn,
    /// The effect `lamp_off`.
    LampOff,
    /// The effect `pump`.
    Pump {
        /// The cars that were washed since the bay was unlocked.
        washed: i64,
    },
    /// The customer may drive out.
    Beep,
}

impl Effect {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::LampOn => EffectKind::LampOn,
            Effect::LampOff => EffectKind::LampOff,
            Effect::Pump { .. } => EffectKind::Pump,
            Effect::Beep => EffectKind::Beep,
        }
    }
}

impl ::statespec::Effects<Recorded> for Bay {
    type State = Leaf;

    type Effect<'effect> = Effect where Self: 'effect, Recorded: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<Leaf>,
        _event: Option<&Recorded>,
    ) -> Option<Self::Effect<'effect>>
    where
        Recorded: 'effect,
    {
        Some(
            match kind {
                EffectKind::LampOn => Effect::LampOn,
                EffectKind::LampOff => Effect::LampOff,
                EffectKind::Pump => {
                    Effect::Pump {
                        washed: self.context.washed,
                    }
                }
                EffectKind::Beep => Effect::Beep,
            },
        )
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<H: Host + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host>::Error> {
        match self {
            Effect::LampOn => host.lamp_on(),
            Effect::LampOff => host.lamp_off(),
            Effect::Pump { washed } => host.pump(washed),
            Effect::Beep => host.beep(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<H: AsyncHost + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost>::Error> {
        match self {
            Effect::LampOn => host.lamp_on().await,
            Effect::LampOff => host.lamp_off().await,
            Effect::Pump { washed } => host.pump(washed).await,
            Effect::Beep => host.beep().await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Bay, change: &Change) -> Result<(), Self::Error>;

    /// The effect `lamp_on`.
    fn lamp_on(&mut self) -> Result<(), Self::Error>;

    /// The effect `lamp_off`.
    fn lamp_off(&mut self) -> Result<(), Self::Error>;

    /// The effect `pump`.
    fn pump(&mut self, washed: i64) -> Result<(), Self::Error>;

    /// The customer may drive out.
    fn beep(&mut self) -> Result<(), Self::Error>;

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
    fn store(&mut self, next: &Bay, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

impl<H: Host + ?Sized> EffectHost for H {
    type Error = <H as Host>::Error;

    #[inline]
    fn store(&mut self, next: &Bay, change: &Change) -> Result<(), Self::Error> {
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
        next: &Bay,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `lamp_on`.
    fn lamp_on(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `lamp_off`.
    fn lamp_off(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `pump`.
    fn pump(
        &mut self,
        washed: i64,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The customer may drive out.
    fn beep(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

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
        next: &Bay,
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
        next: &Bay,
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
