//! A tape deck.

::statespec::__emitted!(6);

/// A tape deck.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Deck<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

#[allow(clippy::result_large_err)]
impl<Text> Deck<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Deck { state, context }
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

#[allow(clippy::result_large_err)]
impl<Text: ::statespec::FromLiteral> Deck<Text> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Deck {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

#[allow(clippy::result_large_err)]
impl<'e, Text: From<&'e str> + Clone> Deck<Text> {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text> + ?Sized>(
        &self,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// Takes the next entry of a recorded history: an event, or a timer that has elapsed.
    ///
    /// It asks neither for an actor nor for the time, so it is not for input: callers use `apply`, and `Timers` let timers elapse.
    #[inline]
    pub fn replay<P: Predicates<Text> + ?Sized>(
        &mut self,
        event: Recorded<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to<P: Predicates<Text> + ?Sized>(
        &self,
        to: Leaf,
        predicates: &P,
    ) -> Result<Change, Refused> {
        let step = self.direct_step(to, predicates)?;
        let mut next = Clone::clone(self);
        next.take_reaction(&step, ::statespec::__private::Cause::Automatic, predicates);
        next.react(
                step,
                predicates,
                |reason, row| Refused::of_direct(self.state, to, reason, row),
            )
            .map(|(_, change)| change)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    #[allow(clippy::single_match)]
    pub fn transition_to<P: Predicates<Text> + ?Sized>(
        &mut self,
        to: Leaf,
        predicates: &P,
    ) -> Result<Change, Refused> {
        let step = self.direct_step(to, predicates)?;
        let mut next = Clone::clone(self);
        next.take_reaction(&step, ::statespec::__private::Cause::Automatic, predicates);
        let (next, change) = next
            .react(
                step,
                predicates,
                |reason, row| Refused::of_direct(self.state, to, reason, row),
            )?;
        *self = next;
        Ok(change)
    }

    #[inline]
    fn direct_step<P: Predicates<Text> + ?Sized>(
        &self,
        to: Leaf,
        predicates: &P,
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        let _ = predicates;
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, to) {
                    (Leaf::Empty, Leaf::Paused) if self.context.volume > 5 => {
                        Choice::row(Row::EmptyToPaused, Some(Leaf::Empty as u32))
                            .to(Leaf::Paused)
                    }
                    (Leaf::Empty, Leaf::Paused) => Choice::NoGuard,
                    (Leaf::Ended, Leaf::Empty) => {
                        Choice::row(Row::EndedToEmpty, Some(Leaf::Ended as u32))
                            .to(Leaf::Empty)
                    }
                    _ => Choice::NoTransition,
                },
            )
            .map_err(|none| {
                none
                    .refused(|reason, row| Refused::of_direct(
                        self.state,
                        to,
                        reason,
                        row,
                    ))
            })
    }

    /// Takes the steps that follow `step`, which the machine has already taken.
    fn react<P: Predicates<Text> + ?Sized>(
        self,
        step: ::statespec::Step<Leaf>,
        predicates: &P,
        refuse: impl ::core::ops::Fn(::statespec::Reason, Option<Row>) -> Refused,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::react(
            self,
            step,
            |machine, cause| machine.reaction(cause, predicates),
            |machine, step, cause| machine.take_reaction(step, cause, predicates),
            refuse,
        )
    }

    fn reaction<P: Predicates<Text> + ?Sized>(
        &self,
        cause: ::statespec::__private::Cause<<Leaf as ::statespec::State>::Event>,
        predicates: &P,
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        let raised: Option<Recorded<&'e str>> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Chime) => {
                Some(Recorded::Chime)
            }
            _ => None,
        };
        if let Some(event) = raised {
            return ::statespec::__private::Dispatch::decide(self, &event, predicates);
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
                        Leaf::Ended | Leaf::Spent,
                        ::statespec::__private::Cause::Done(done),
                    ) if done == Composite::On as usize => {
                        Choice::row(Row::OnDone, Some(Composite::On.node()))
                            .to(Leaf::Off)
                    }
                    (
                        Leaf::Dark,
                        ::statespec::__private::Cause::Automatic,
                    ) if self.context.plays > 20 => {
                        Choice::row(Row::DarkAutomatically, Some(Leaf::Dark as u32))
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
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
    fn take_reaction<P: Predicates<Text> + ?Sized>(
        &mut self,
        step: &::statespec::Step<Leaf>,
        cause: ::statespec::__private::Cause<<Leaf as ::statespec::State>::Event>,
        predicates: &P,
    ) {
        let raised: Option<Recorded<&'e str>> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Chime) => {
                Some(Recorded::Chime)
            }
            _ => None,
        };
        if let Some(event) = raised {
            return ::statespec::__private::Dispatch::take(
                self,
                step,
                &event,
                predicates,
            );
        }
        for row in step.rows() {
            match row {
                Row::DarkAutomatically => {
                    self.context.plays = 0;
                }
                _ => {}
            }
        }
        if step.leaves_node(Composite::Tape.node()) {
            self.context.last = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Tape)));
        }
        if step.leaves_node(Composite::Meter.node()) {
            self.context.screen = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Meter)))
                .map(|from| match from {
                    Leaf::Bars | Leaf::Needles => Leaf::Bars,
                    _ => from,
                });
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        self.run_by(From::from(event), predicates, host)
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub fn run_due<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        predicates: &P,
        host: &mut H,
    ) -> Option<
        Result<Change, ::statespec::RunError<Leaf, <H as EffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&'e str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by(event, predicates, host);
        timers.after_run(timer, &result, now);
        Some(result)
    }

    fn run_by<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Recorded<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub fn run_to<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        to: Leaf,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as EffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to, predicates).map(|change| (next, change));
        let run = ::statespec::__private::Run::new(self, planned);
        let result = ::statespec::__private::run(
            run,
            host,
            |host, next, change| host.store(next, change),
            |host, next, effect, step| {
                ::statespec::Effects::effect(
                        next,
                        effect,
                        step,
                        Option::<&Recorded<&str>>::None,
                    )
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        self.run_by_async(From::from(event), predicates, host).await
    }

    /// Lets the timer that is due first elapse, with a host; otherwise like `run`. `None` if no timer is due.
    ///
    /// A timer that was refused is over. Where the host failed and the machine did not move, the timer is still due.
    #[allow(clippy::type_complexity)]
    pub async fn run_due_async<
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        timers: &mut Timers,
        now: ::statespec::Timestamp,
        predicates: &P,
        host: &mut H,
    ) -> Option<
        Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&'e str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by_async(event, predicates, host).await;
        timers.after_run(timer, &result, now);
        Some(result)
    }

    async fn run_by_async<
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        event: Recorded<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub async fn run_to_async<
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        to: Leaf,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<Leaf, <H as AsyncEffectHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to, predicates).map(|change| (next, change));
        let mut run = ::statespec::__private::Run::new(self, planned);
        while let Some(task) = run.task() {
            let outcome = match task {
                ::statespec::__private::Task::Perform(effect, step) => {
                    match ::statespec::Effects::effect(
                        run.after(),
                        effect,
                        &step,
                        Option::<&Recorded<&str>>::None,
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
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
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

impl<Text: ::statespec::FromLiteral> Default for Deck<Text> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e, Text: From<&'e str> + Clone> ::statespec::__private::Input<Event<&'e str>>
for Deck<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<'e, Text: From<&'e str> + Clone> ::statespec::__private::Input<Recorded<&'e str>>
for Deck<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<
    'e,
    Text: From<&'e str> + Clone,
    P: Predicates<Text> + ?Sized,
> ::statespec::__private::Dispatch<Recorded<&'e str>, P> for Deck<Text> {
    type State = Leaf;

    #[inline]
    fn kind(event: &Recorded<&'e str>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn decide(
        &self,
        event: &Recorded<&'e str>,
        predicates: &P,
    ) -> Result<::statespec::Step<Leaf>, Refused> {
        use ::statespec::__private::Choice;
        ::statespec::__private::microstep(
                self.state,
                |leaf: Leaf| match (leaf, *event) {
                    (Leaf::Off, Recorded::Press) => {
                        Choice::row(Row::OffPress, Some(Leaf::Off as u32))
                            .to(Leaf::Empty)
                            .to(Leaf::Dark)
                    }
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Running
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles
                        | Leaf::Spent,
                        Recorded::Press,
                    ) => {
                        Choice::row(Row::OnPress, Some(Composite::On.node()))
                            .to(Leaf::Off)
                    }
                    (Leaf::Off, Recorded::Resume) => {
                        Choice::row(Row::OffResume, Some(Leaf::Off as u32))
                            .to(
                                match self.context.last {
                                    Some(last) if last.is_in(Composite::Tape) => last,
                                    _ => Leaf::Empty,
                                },
                            )
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
                    }
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Running
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles
                        | Leaf::Spent,
                        Recorded::Resume,
                    ) => {
                        Choice::row(Row::OnResume, Some(Composite::On.node()))
                            .to(Leaf::Empty)
                            .to(Leaf::Dark)
                    }
                    (Leaf::Empty, Recorded::Insert { .. }) => {
                        Choice::row(Row::EmptyInsert, Some(Leaf::Empty as u32))
                            .to(Leaf::Paused)
                    }
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles
                        | Leaf::Spent,
                        Recorded::Drop,
                    ) => {
                        Choice::row(Row::OnDrop, Some(Composite::On.node()))
                            .to(Leaf::Broken)
                    }
                    (Leaf::Running, Recorded::Drop) => {
                        Choice::row(Row::RunningDrop, Some(Leaf::Running as u32))
                    }
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Running
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Spent,
                        Recorded::Tune,
                    ) => {
                        Choice::row(Row::OnTune, Some(Composite::On.node()))
                            .to(
                                match self.context.screen {
                                    Some(last) if last.is_in(Composite::Meter) => last,
                                    _ => Leaf::Plain,
                                },
                            )
                    }
                    (Leaf::Plain, Recorded::Tune) => {
                        Choice::row(Row::PlainTune, Some(Leaf::Plain as u32))
                            .to(Leaf::Bars)
                    }
                    (Leaf::Bars, Recorded::Tune) => {
                        Choice::row(Row::BarsTune, Some(Leaf::Bars as u32))
                            .to(Leaf::Needles)
                    }
                    (Leaf::Needles, Recorded::Tune) => {
                        Choice::row(Row::NeedlesTune, Some(Leaf::Needles as u32))
                            .to(Leaf::Bars)
                            .divides(self.context.share == 0)
                    }
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Running
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles
                        | Leaf::Spent,
                        Recorded::Go { place },
                    ) => Choice::row(Row::OnGo, Some(Composite::On.node())).to(place),
                    (
                        Leaf::Empty
                        | Leaf::Paused
                        | Leaf::Running
                        | Leaf::Ended
                        | Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles
                        | Leaf::Spent,
                        Recorded::OnTimeout,
                    ) => {
                        Choice::row(Row::OnTimeout, Some(Composite::On.node()))
                            .to(Leaf::Off)
                    }
                    (
                        Leaf::Paused,
                        Recorded::Play,
                    ) if predicates.is_clean(&self.context, event) => {
                        Choice::row(Row::PausedPlay, Some(Leaf::Paused as u32))
                            .to(Leaf::Running)
                    }
                    (Leaf::Running, Recorded::Play) => {
                        Choice::row(Row::RunningPlay, Some(Leaf::Running as u32))
                            .to(Leaf::Running)
                    }
                    (Leaf::Dark, Recorded::Play) => {
                        Choice::row(Row::DarkPlay, Some(Leaf::Dark as u32))
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
                    }
                    (Leaf::Paused, Recorded::Play) => Choice::NoGuard,
                    (Leaf::Paused | Leaf::Running, Recorded::Eject) => {
                        Choice::row(Row::LoadedEject, Some(Composite::Loaded.node()))
                            .to(Leaf::Empty)
                    }
                    (
                        Leaf::Paused | Leaf::Running,
                        Recorded::Split { .. },
                    ) if self.context.share == 0 => Choice::DivisionByZero,
                    (
                        Leaf::Paused | Leaf::Running,
                        Recorded::Split { parts },
                    ) if ::statespec::__private::quotient(parts, self.context.share)
                        > 1 => {
                        Choice::row(Row::LoadedSplit, Some(Composite::Loaded.node()))
                            .divides(parts == 0)
                    }
                    (
                        Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles,
                        Recorded::Split { parts },
                    ) => {
                        Choice::row(Row::LitSplit, Some(Composite::Lit.node()))
                            .divides(parts == 0)
                    }
                    (Leaf::Paused | Leaf::Running, Recorded::Split { .. }) => {
                        Choice::NoGuard
                    }
                    (Leaf::Paused, Recorded::Finish) => {
                        Choice::row(
                                Row::PausedOrRunningFinish,
                                Some(Leaf::Paused as u32),
                            )
                            .to(Leaf::Ended)
                    }
                    (Leaf::Running, Recorded::Finish) => {
                        Choice::row(
                                Row::PausedOrRunningFinish,
                                Some(Leaf::Running as u32),
                            )
                            .to(Leaf::Ended)
                    }
                    (
                        Leaf::Dark,
                        Recorded::Finish,
                    ) if !self.state.is_active(Leaf::Empty) => {
                        Choice::row(Row::DarkOrLitFinish, Some(Leaf::Dark as u32))
                            .to(Leaf::Spent)
                    }
                    (
                        Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles,
                        Recorded::Finish,
                    ) if !self.state.is_active(Leaf::Empty) => {
                        Choice::row(Row::DarkOrLitFinish, Some(Composite::Lit.node()))
                            .to(Leaf::Spent)
                    }
                    (
                        Leaf::Dark
                        | Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles,
                        Recorded::Finish,
                    ) => Choice::NoGuard,
                    (Leaf::Running, Recorded::Stop) => {
                        Choice::row(Row::RunningStop, Some(Leaf::Running as u32))
                            .to(Leaf::Paused)
                    }
                    (Leaf::Dark, Recorded::Show) => {
                        Choice::row(Row::DarkShow, Some(Leaf::Dark as u32))
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
                    }
                    (
                        Leaf::Time
                        | Leaf::Counter
                        | Leaf::Plain
                        | Leaf::Bars
                        | Leaf::Needles,
                        Recorded::Show,
                    ) => {
                        Choice::row(Row::LitShow, Some(Composite::Lit.node()))
                            .to(Leaf::Dark)
                    }
                    (Leaf::Dark, Recorded::DarkTimeout) => {
                        Choice::row(Row::DarkTimeout, Some(Leaf::Dark as u32))
                            .to(Leaf::Spent)
                    }
                    (Leaf::Time, Recorded::Cycle) => {
                        Choice::row(Row::TimeCycle, Some(Leaf::Time as u32))
                            .to(Leaf::Counter)
                    }
                    (
                        Leaf::Counter,
                        Recorded::Cycle,
                    ) if self.state.is_active(Leaf::Running) => {
                        Choice::row(Row::CounterCycle, Some(Leaf::Counter as u32))
                    }
                    (Leaf::Counter, Recorded::Cycle) => {
                        Choice::row(Row::LitCycle, Some(Composite::Lit.node()))
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
                    }
                    (Leaf::Plain | Leaf::Bars | Leaf::Needles, Recorded::Cycle) => {
                        Choice::row(Row::LitCycle, Some(Composite::Lit.node()))
                            .to(Leaf::Time)
                            .to(Leaf::Plain)
                    }
                    (Leaf::Plain, Recorded::Chime) => {
                        Choice::row(Row::PlainChime, Some(Leaf::Plain as u32))
                            .to(Leaf::Bars)
                    }
                    (Leaf::Broken, Recorded::Fix) => {
                        Choice::row(Row::BrokenFix, Some(Leaf::Broken as u32))
                            .to(Leaf::Off)
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
        event: &Recorded<&'e str>,
        _predicates: &P,
    ) {
        let before = Clone::clone(&*self);
        for row in step.rows() {
            match (row, *event) {
                (Row::OffPress, _) => {
                    self.context.plays = before.context.plays.saturating_add(1);
                }
                (Row::EmptyInsert, Recorded::Insert { label }) => {
                    self.context.title = From::from(label);
                }
                (Row::DarkPlay, _) => {
                    self.context.plays = before.context.plays.saturating_add(10);
                }
                (Row::CounterCycle, _) => {
                    self.context.volume = before.context.volume.saturating_add(1);
                }
                (Row::NeedlesTune, _) => {
                    self.context.volume = ::statespec::__private::quotient(
                        before.context.volume,
                        before.context.share,
                    );
                }
                (Row::LoadedSplit, Recorded::Split { parts }) => {
                    self.context.share = ::statespec::__private::quotient(100i64, parts);
                }
                (Row::LitSplit, Recorded::Split { parts }) => {
                    self.context.volume = ::statespec::__private::remainder(
                        before.context.volume,
                        parts,
                    );
                }
                (Row::BrokenFix, _) => {
                    self.context.plays = 0;
                }
                _ => {}
            }
        }
        if step.leaves_node(Composite::Tape.node()) {
            self.context.last = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Tape)));
        }
        if step.leaves_node(Composite::Meter.node()) {
            self.context.screen = step
                .from()
                .and_then(|from| from.leaves().find(|it| it.is_in(Composite::Meter)))
                .map(|from| match from {
                    Leaf::Bars | Leaf::Needles => Leaf::Bars,
                    _ => from,
                });
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(_event: &Recorded<&'e str>) -> bool {
        true
    }

    fn follow(
        mut self,
        first: ::statespec::Step<Leaf>,
        event: &Recorded<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::Dispatch::take(&mut self, &first, event, predicates);
        self.react(
            first,
            predicates,
            |reason, row| Refused::of_event(first.from(), event.kind(), reason, row),
        )
    }

    fn plan(
        &self,
        event: &Recorded<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(
        &mut self,
        event: &Recorded<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

impl<'e, Text: From<&'e str> + Clone> ::statespec::__private::Durations for Deck<Text> {
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
                EventKind::DarkTimeout => Some(::statespec::Duration::from_seconds(30)),
                EventKind::OnTimeout => Some(::statespec::Duration::from_hours(1)),
                _ => None,
            },
        )
    }
}

impl<'e, Text: From<&'e str> + Clone> ::statespec::__private::Elapses<Recorded<&'e str>>
for Deck<Text> {
    fn elapsed(timer: EventKind) -> Option<Recorded<&'e str>> {
        match timer {
            EventKind::DarkTimeout => Some(Recorded::DarkTimeout),
            EventKind::OnTimeout => Some(Recorded::OnTimeout),
            _ => None,
        }
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<Leaf>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<Leaf>;

/// The running timers of a machine, with the moments at which they started.
pub type Timers = ::statespec::Timers<Leaf, 2>;

/// The context of a `deck`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str> {
    /// Where the tape was.
    pub last: Option<Leaf>,
    /// A state of this machine, or `None`.
    pub screen: Option<Leaf>,
    /// A text.
    pub title: Text,
    /// A whole number.
    pub volume: i64,
    /// A whole number.
    pub share: i64,
    /// A whole number.
    pub plays: i64,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral> Default for Context<Text> {
    fn default() -> Self {
        Context {
            last: None,
            screen: None,
            title: ::statespec::FromLiteral::from_literal("none"),
            volume: 5,
            share: 1,
            plays: 0,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `off` → `on` on `press`
    OffPress,
    /// `on` → `off` on `press`
    OnPress,
    /// `off` → `on/tape` and `on/panel/lit` on `resume`
    OffResume,
    /// `on` → `on` on `resume`
    OnResume,
    /// `on/tape/empty` → `on/tape/loaded/paused` on `insert`
    EmptyInsert,
    /// `on/tape/loaded/paused` → `on/tape/loaded/running` on `play`, when `is_clean`
    PausedPlay,
    /// `on/tape/loaded/running` → `on/tape/loaded/running` on `play`
    RunningPlay,
    /// `on/tape/loaded/running` → `on/tape/loaded/paused` on `stop`
    RunningStop,
    /// `on/tape/loaded` → `on/tape/empty` on `eject`
    LoadedEject,
    /// `on/panel/dark` → `on/panel/lit` on `show`
    DarkShow,
    /// `on/panel/dark` → `on/panel/lit` on `play`
    DarkPlay,
    /// `on/panel/lit` → `on/panel/dark` on `show`
    LitShow,
    /// `on/panel/lit` → `on/panel/lit` on `cycle`
    LitCycle,
    /// `on/panel/lit/clock/time` → `on/panel/lit/clock/counter` on `cycle`
    TimeCycle,
    /// `on/panel/lit/clock/counter` stays on `cycle`, when `in(running)`
    CounterCycle,
    /// `on/panel/lit/meter/fancy/bars` → `on/panel/lit/meter/fancy/needles` on `tune`
    BarsTune,
    /// `on/panel/lit/meter/fancy/needles` → `on/panel/lit/meter/fancy/bars` on `tune`
    NeedlesTune,
    /// `on/panel/lit/meter/plain` → `on/panel/lit/meter/fancy` on `tune`
    PlainTune,
    /// `on/tape/loaded` stays on `split`, when `parts / share > 1`
    LoadedSplit,
    /// `on/panel/lit` stays on `split`
    LitSplit,
    /// `on/tape/loaded/running` refuses `drop`: the tape runs
    RunningDrop,
    /// `on` → `broken` on `drop`
    OnDrop,
    /// `on/tape/loaded/paused` or `on/tape/loaded/running` → `on/tape/ended` on `finish`
    PausedOrRunningFinish,
    /// `on/panel/dark` or `on/panel/lit` → `on/panel/spent` on `finish`, when `not in(empty)`
    DarkOrLitFinish,
    /// `on` → `off`, when done
    OnDone,
    /// `on` → `on/panel/lit/meter`, where it was last on `tune`
    OnTune,
    /// `on` → the state in `place` on `go`
    OnGo,
    /// `broken` → `off` on `fix`
    BrokenFix,
    /// `on/panel/lit/meter/plain` → `on/panel/lit/meter/fancy` on `chime`
    PlainChime,
    /// `on/panel/dark` → `on/panel/lit`, automatically, when `plays > 20`
    DarkAutomatically,
    /// `on/panel/dark` → `on/panel/spent` on `dark_timeout`
    DarkTimeout,
    /// `on` → `off` on `on_timeout`
    OnTimeout,
    /// `on/tape/ended` → `on/tape/empty`, directly
    EndedToEmpty,
    /// `on/tape/empty` → `on/tape/loaded/paused`, directly, when `volume > 5`
    EmptyToPaused,
}

::statespec::__row!(
    pub Row, 34, [OffPress, OnPress, OffResume, OnResume, EmptyInsert, PausedPlay,
    RunningPlay, RunningStop, LoadedEject, DarkShow, DarkPlay, LitShow, LitCycle,
    TimeCycle, CounterCycle, BarsTune, NeedlesTune, PlainTune, LoadedSplit, LitSplit,
    RunningDrop, OnDrop, PausedOrRunningFinish, DarkOrLitFinish, OnDone, OnTune, OnGo,
    BrokenFix, PlainChime, DarkAutomatically, DarkTimeout, OnTimeout, EndedToEmpty,
    EmptyToPaused]
);

/// The innermost states of a `deck`; it may be in several at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// The state `off`.
    Off,
    /// The state `empty`.
    ///
    /// The default state of `on/tape`.
    Empty,
    /// The state `paused`.
    ///
    /// The default state of `on/tape/loaded`.
    Paused,
    /// The state `running`.
    ///
    /// Inside `on/tape/loaded`.
    Running,
    /// The state `ended`.
    ///
    /// Inside `on/tape`.
    ///
    /// An outcome: the work has ended.
    Ended,
    /// The state `dark`.
    ///
    /// The default state of `on/panel`.
    Dark,
    /// The state `time`.
    ///
    /// The default state of `on/panel/lit/clock`.
    Time,
    /// The state `counter`.
    ///
    /// Inside `on/panel/lit/clock`.
    Counter,
    /// The state `plain`.
    ///
    /// The default state of `on/panel/lit/meter`.
    Plain,
    /// The state `bars`.
    ///
    /// The default state of `on/panel/lit/meter/fancy`.
    Bars,
    /// The state `needles`.
    ///
    /// Inside `on/panel/lit/meter/fancy`.
    Needles,
    /// The state `spent`.
    ///
    /// Inside `on/panel`.
    ///
    /// An outcome: the work has ended.
    Spent,
    /// The state `broken`.
    ///
    /// An outcome: the work has ended.
    Broken,
}

::statespec::__unit_enum!(
    pub Leaf, "state", 13, [Off("off"), Empty("empty"), Paused("paused"),
    Running("playing"), Ended("ended"), Dark("dark"), Time("time"), Counter("counter"),
    Plain("plain"), Bars("bars"), Needles("needles"), Spent("spent"), Broken("broken")],
    serde
);

impl Leaf {
    /// The state that a machine starts in.
    pub const INITIAL: Leaf = Leaf::Off;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<Leaf>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<Leaf>] = &[
            Transition::of(
                Source::Leaf(Leaf::Off),
                Trigger::Event(EventKind::Press),
                Target::All(&[Leaf::Empty, Leaf::Dark]),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Event(EventKind::Press),
                Target::To(Leaf::Off),
            ),
            Transition::of(
                Source::Leaf(Leaf::Off),
                Trigger::Event(EventKind::Resume),
                Target::All(&[Leaf::Empty, Leaf::Time, Leaf::Plain]),
            ),
            Transition::of(
                    Source::In(
                        &[
                            Leaf::Empty,
                            Leaf::Paused,
                            Leaf::Running,
                            Leaf::Ended,
                            Leaf::Dark,
                            Leaf::Time,
                            Leaf::Counter,
                            Leaf::Plain,
                            Leaf::Bars,
                            Leaf::Needles,
                            Leaf::Spent,
                        ],
                    ),
                    Trigger::Event(EventKind::Resume),
                    Target::All(&[Leaf::Empty, Leaf::Dark]),
                )
                .with_reenter(Composite::On.node()),
            Transition::new(Leaf::Empty, EventKind::Insert, Leaf::Paused),
            Transition::new(Leaf::Paused, EventKind::Play, Leaf::Running)
                .with_guard("is_clean")
                .with_effects(&[EffectKind::Beep]),
            Transition::new(Leaf::Running, EventKind::Play, Leaf::Running)
                .with_reenter(Leaf::Running as u32),
            Transition::new(Leaf::Running, EventKind::Stop, Leaf::Paused)
                .with_raised(&[EventKind::Chime]),
            Transition::of(
                    Source::In(&[Leaf::Paused, Leaf::Running]),
                    Trigger::Event(EventKind::Eject),
                    Target::To(Leaf::Empty),
                )
                .with_before(&[EffectKind::Beep]),
            Transition::of(
                Source::Leaf(Leaf::Dark),
                Trigger::Event(EventKind::Show),
                Target::All(&[Leaf::Time, Leaf::Plain]),
            ),
            Transition::of(
                Source::Leaf(Leaf::Dark),
                Trigger::Event(EventKind::Play),
                Target::All(&[Leaf::Time, Leaf::Plain]),
            ),
            Transition::of(
                Source::In(
                    &[Leaf::Time, Leaf::Counter, Leaf::Plain, Leaf::Bars, Leaf::Needles],
                ),
                Trigger::Event(EventKind::Show),
                Target::To(Leaf::Dark),
            ),
            Transition::of(
                    Source::In(
                        &[
                            Leaf::Time,
                            Leaf::Counter,
                            Leaf::Plain,
                            Leaf::Bars,
                            Leaf::Needles,
                        ],
                    ),
                    Trigger::Event(EventKind::Cycle),
                    Target::All(&[Leaf::Time, Leaf::Plain]),
                )
                .with_reenter(Composite::Lit.node()),
            Transition::new(Leaf::Time, EventKind::Cycle, Leaf::Counter),
            Transition::of(
                    Source::Leaf(Leaf::Counter),
                    Trigger::Event(EventKind::Cycle),
                    Target::Stay,
                )
                .with_guard("in(running)"),
            Transition::new(Leaf::Bars, EventKind::Tune, Leaf::Needles),
            Transition::new(Leaf::Needles, EventKind::Tune, Leaf::Bars),
            Transition::new(Leaf::Plain, EventKind::Tune, Leaf::Bars),
            Transition::of(
                    Source::In(&[Leaf::Paused, Leaf::Running]),
                    Trigger::Event(EventKind::Split),
                    Target::Stay,
                )
                .with_guard("parts / share > 1"),
            Transition::of(
                Source::In(
                    &[Leaf::Time, Leaf::Counter, Leaf::Plain, Leaf::Bars, Leaf::Needles],
                ),
                Trigger::Event(EventKind::Split),
                Target::Stay,
            ),
            Transition::of(
                Source::Leaf(Leaf::Running),
                Trigger::Event(EventKind::Drop),
                Target::Refuse("the tape runs"),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Event(EventKind::Drop),
                Target::To(Leaf::Broken),
            ),
            Transition::of(
                Source::In(&[Leaf::Paused, Leaf::Running]),
                Trigger::Event(EventKind::Finish),
                Target::To(Leaf::Ended),
            ),
            Transition::of(
                    Source::In(
                        &[
                            Leaf::Dark,
                            Leaf::Time,
                            Leaf::Counter,
                            Leaf::Plain,
                            Leaf::Bars,
                            Leaf::Needles,
                        ],
                    ),
                    Trigger::Event(EventKind::Finish),
                    Target::To(Leaf::Spent),
                )
                .with_guard("not in(empty)"),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Done,
                Target::To(Leaf::Off),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Event(EventKind::Tune),
                Target::History(Leaf::Plain),
            ),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Event(EventKind::Go),
                Target::Payload("place"),
            ),
            Transition::new(Leaf::Broken, EventKind::Fix, Leaf::Off),
            Transition::new(Leaf::Plain, EventKind::Chime, Leaf::Bars),
            Transition::of(
                    Source::Leaf(Leaf::Dark),
                    Trigger::Automatic,
                    Target::All(&[Leaf::Time, Leaf::Plain]),
                )
                .with_guard("plays > 20"),
            Transition::new(Leaf::Dark, EventKind::DarkTimeout, Leaf::Spent),
            Transition::of(
                Source::In(
                    &[
                        Leaf::Empty,
                        Leaf::Paused,
                        Leaf::Running,
                        Leaf::Ended,
                        Leaf::Dark,
                        Leaf::Time,
                        Leaf::Counter,
                        Leaf::Plain,
                        Leaf::Bars,
                        Leaf::Needles,
                        Leaf::Spent,
                    ],
                ),
                Trigger::Event(EventKind::OnTimeout),
                Target::To(Leaf::Off),
            ),
            Transition::of(
                Source::Leaf(Leaf::Ended),
                Trigger::Direct,
                Target::To(Leaf::Empty),
            ),
            Transition::of(
                    Source::Leaf(Leaf::Empty),
                    Trigger::Direct,
                    Target::To(Leaf::Paused),
                )
                .with_guard("volume > 5"),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [Leaf] {
        const LISTS: &[&[Leaf]; 13] = &[
            &[
                Leaf::Empty,
                Leaf::Paused,
                Leaf::Running,
                Leaf::Ended,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Plain,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Paused,
                Leaf::Running,
                Leaf::Ended,
                Leaf::Dark,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Paused,
                Leaf::Running,
                Leaf::Ended,
                Leaf::Dark,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Paused,
                Leaf::Running,
                Leaf::Ended,
                Leaf::Dark,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Paused,
                Leaf::Running,
                Leaf::Ended,
                Leaf::Dark,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[
                Leaf::Off,
                Leaf::Empty,
                Leaf::Dark,
                Leaf::Time,
                Leaf::Counter,
                Leaf::Plain,
                Leaf::Bars,
                Leaf::Needles,
                Leaf::Spent,
                Leaf::Broken,
            ],
            &[Leaf::Off],
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
        const LISTS: &[&[EventKind]; 13] = &[
            &[EventKind::Press, EventKind::Resume],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Insert,
                EventKind::Drop,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Play,
                EventKind::Eject,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Play,
                EventKind::Stop,
                EventKind::Eject,
                EventKind::Split,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Drop,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Play,
                EventKind::Show,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::DarkTimeout,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Show,
                EventKind::Cycle,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Show,
                EventKind::Cycle,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Show,
                EventKind::Cycle,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::Chime,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Show,
                EventKind::Cycle,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Show,
                EventKind::Cycle,
                EventKind::Split,
                EventKind::Drop,
                EventKind::Finish,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[
                EventKind::Press,
                EventKind::Resume,
                EventKind::Drop,
                EventKind::Tune,
                EventKind::Go,
                EventKind::OnTimeout,
            ],
            &[EventKind::Fix],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Leaf::Ended | Leaf::Spent | Leaf::Broken)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 13] = &[
            None,
            Some(Composite::Tape),
            Some(Composite::Loaded),
            Some(Composite::Loaded),
            Some(Composite::Tape),
            Some(Composite::Panel),
            Some(Composite::Clock),
            Some(Composite::Clock),
            Some(Composite::Meter),
            Some(Composite::Fancy),
            Some(Composite::Fancy),
            Some(Composite::Panel),
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 13] = &[
            "off",
            "on/tape/empty",
            "on/tape/loaded/paused",
            "on/tape/loaded/running",
            "on/tape/ended",
            "on/panel/dark",
            "on/panel/lit/clock/time",
            "on/panel/lit/clock/counter",
            "on/panel/lit/meter/plain",
            "on/panel/lit/meter/fancy/bars",
            "on/panel/lit/meter/fancy/needles",
            "on/panel/spent",
            "broken",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::On => {
                matches!(
                    self,
                    Leaf::Empty
                    | Leaf::Paused
                    | Leaf::Running
                    | Leaf::Ended
                    | Leaf::Dark
                    | Leaf::Time
                    | Leaf::Counter
                    | Leaf::Plain
                    | Leaf::Bars
                    | Leaf::Needles
                    | Leaf::Spent
                )
            }
            Composite::Tape => {
                matches!(self, Leaf::Empty | Leaf::Paused | Leaf::Running | Leaf::Ended)
            }
            Composite::Loaded => matches!(self, Leaf::Paused | Leaf::Running),
            Composite::Panel => {
                matches!(
                    self,
                    Leaf::Dark
                    | Leaf::Time
                    | Leaf::Counter
                    | Leaf::Plain
                    | Leaf::Bars
                    | Leaf::Needles
                    | Leaf::Spent
                )
            }
            Composite::Lit => {
                matches!(
                    self,
                    Leaf::Time | Leaf::Counter | Leaf::Plain | Leaf::Bars | Leaf::Needles
                )
            }
            Composite::Clock => matches!(self, Leaf::Time | Leaf::Counter),
            Composite::Meter => matches!(self, Leaf::Plain | Leaf::Bars | Leaf::Needles),
            Composite::Fancy => matches!(self, Leaf::Bars | Leaf::Needles),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `on`.
    On,
    /// The tape in the deck.
    ///
    /// Inside `on`.
    Tape,
    /// The state `loaded`.
    ///
    /// Inside `on/tape`.
    Loaded,
    /// The state `panel`.
    ///
    /// Inside `on`.
    Panel,
    /// The state `lit`.
    ///
    /// Inside `on/panel`.
    Lit,
    /// The state `clock`.
    ///
    /// Inside `on/panel/lit`.
    Clock,
    /// The state `meter`.
    ///
    /// Inside `on/panel/lit`.
    Meter,
    /// The state `fancy`.
    ///
    /// Inside `on/panel/lit/meter`.
    Fancy,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 8, [On("on"), Tape("tape"), Loaded("loaded"),
    Panel("panel"), Lit("lit"), Clock("clock"), Meter("meter"), Fancy("fancy")], serde
);

impl Composite {
    /// The description of the composite state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &["", "The tape in the deck.", "", "", "", "", "", ""];
        TEXTS[self as usize]
    }
}

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> Leaf {
        const DEFAULTS: &[Leaf; 8] = &[
            Leaf::Empty,
            Leaf::Empty,
            Leaf::Paused,
            Leaf::Dark,
            Leaf::Time,
            Leaf::Time,
            Leaf::Plain,
            Leaf::Bars,
        ];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 8] = &[
            None,
            Some(Composite::On),
            Some(Composite::Tape),
            Some(Composite::On),
            Some(Composite::Panel),
            Some(Composite::Lit),
            Some(Composite::Lit),
            Some(Composite::Meter),
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
            parent: None,
            entry: &[EffectKind::Click],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Tape.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Loaded.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Loaded.node()),
            entry: &[],
            exit: &[EffectKind::Rewind],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Tape.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Panel.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Clock.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Clock.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Meter.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Fancy.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Fancy.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Panel.node()),
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
            entry: &[EffectKind::Click],
            exit: &[EffectKind::Rewind],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::On.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Tape.node()),
            entry: &[EffectKind::Light],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::On.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Panel.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Lit.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Lit.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Meter.node()),
            entry: &[],
            exit: &[],
        },
    ];

    const TIMERS: &'static [::statespec::__private::Timer<EventKind>] = &[
        ::statespec::__private::Timer::new(EventKind::DarkTimeout, &[Leaf::Dark as u32]),
        ::statespec::__private::Timer::new(EventKind::OnTimeout, &[Composite::On.node()]),
    ];
}

impl ::statespec::State for Leaf {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "deck";

    const INITIAL: Leaf = Leaf::INITIAL;

    ::statespec::__state!(events, path);
}

/// What a `deck` is in: one state, or one in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum State {
    /// The state `off`.
    #[serde(rename = "off")]
    Off,
    /// The state `on`.
    #[serde(rename = "on")]
    On(On),
    /// The state `broken`.
    #[serde(rename = "broken")]
    Broken,
}

impl State {
    /// Where it starts.
    pub const INITIAL: State = State::Off;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Off) {
            return Some(State::Off);
        }
        if let Some(inside) = On::of_leaves(is_active) {
            return Some(State::On(inside));
        }
        if is_active(Leaf::Broken) {
            return Some(State::Broken);
        }
        None
    }
}

/// What a machine is in inside `on`: one state in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct On {
    /// The tape in the deck.
    #[serde(rename = "tape")]
    pub tape: Tape,
    /// The region `panel`.
    #[serde(rename = "panel")]
    pub panel: Panel,
}

impl On {
    /// Where it starts.
    pub const INITIAL: On = On {
        tape: Tape::INITIAL,
        panel: Panel::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(On {
            tape: Tape::of_leaves(is_active)?,
            panel: Panel::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `on/tape`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Tape {
    /// The state `empty`.
    #[serde(rename = "empty")]
    Empty,
    /// The state `paused`.
    #[serde(rename = "paused")]
    Paused,
    /// The state `running`.
    #[serde(rename = "playing")]
    Running,
    /// The state `ended`.
    #[serde(rename = "ended")]
    Ended,
}

impl Tape {
    /// Where it starts.
    pub const INITIAL: Tape = Tape::Empty;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Empty) {
            return Some(Tape::Empty);
        }
        if is_active(Leaf::Paused) {
            return Some(Tape::Paused);
        }
        if is_active(Leaf::Running) {
            return Some(Tape::Running);
        }
        if is_active(Leaf::Ended) {
            return Some(Tape::Ended);
        }
        None
    }
}

/// What a machine is in inside the region `on/panel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Panel {
    /// The state `dark`.
    #[serde(rename = "dark")]
    Dark,
    /// The state `lit`.
    #[serde(rename = "lit")]
    Lit(Lit),
    /// The state `spent`.
    #[serde(rename = "spent")]
    Spent,
}

impl Panel {
    /// Where it starts.
    pub const INITIAL: Panel = Panel::Dark;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Dark) {
            return Some(Panel::Dark);
        }
        if let Some(inside) = Lit::of_leaves(is_active) {
            return Some(Panel::Lit(inside));
        }
        if is_active(Leaf::Spent) {
            return Some(Panel::Spent);
        }
        None
    }
}

/// What a machine is in inside `on/panel/lit`: one state in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Lit {
    /// The region `clock`.
    #[serde(rename = "clock")]
    pub clock: Clock,
    /// The region `meter`.
    #[serde(rename = "meter")]
    pub meter: Meter,
}

impl Lit {
    /// Where it starts.
    pub const INITIAL: Lit = Lit {
        clock: Clock::INITIAL,
        meter: Meter::INITIAL,
    };

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        Some(Lit {
            clock: Clock::of_leaves(is_active)?,
            meter: Meter::of_leaves(is_active)?,
        })
    }
}

/// What a machine is in inside the region `on/panel/lit/clock`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Clock {
    /// The state `time`.
    #[serde(rename = "time")]
    Time,
    /// The state `counter`.
    #[serde(rename = "counter")]
    Counter,
}

impl Clock {
    /// Where it starts.
    pub const INITIAL: Clock = Clock::Time;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Time) {
            return Some(Clock::Time);
        }
        if is_active(Leaf::Counter) {
            return Some(Clock::Counter);
        }
        None
    }
}

/// What a machine is in inside the region `on/panel/lit/meter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub enum Meter {
    /// The state `plain`.
    #[serde(rename = "plain")]
    Plain,
    /// The state `bars`.
    #[serde(rename = "bars")]
    Bars,
    /// The state `needles`.
    #[serde(rename = "needles")]
    Needles,
}

impl Meter {
    /// Where it starts.
    pub const INITIAL: Meter = Meter::Plain;

    fn of_leaves(is_active: impl ::core::ops::Fn(Leaf) -> bool + Copy) -> Option<Self> {
        if is_active(Leaf::Plain) {
            return Some(Meter::Plain);
        }
        if is_active(Leaf::Bars) {
            return Some(Meter::Bars);
        }
        if is_active(Leaf::Needles) {
            return Some(Meter::Needles);
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
            Leaf::Off => matches!(self, State::Off),
            Leaf::Empty => matches!(self, State::On(On { tape: Tape::Empty, .. })),
            Leaf::Paused => matches!(self, State::On(On { tape: Tape::Paused, .. })),
            Leaf::Running => matches!(self, State::On(On { tape: Tape::Running, .. })),
            Leaf::Ended => matches!(self, State::On(On { tape: Tape::Ended, .. })),
            Leaf::Dark => matches!(self, State::On(On { panel: Panel::Dark, .. })),
            Leaf::Time => {
                matches!(
                    self,
                    State::On(
                        On { panel: Panel::Lit(Lit { clock: Clock::Time, .. }), .. },
                    )
                )
            }
            Leaf::Counter => {
                matches!(
                    self,
                    State::On(
                        On { panel: Panel::Lit(Lit { clock: Clock::Counter, .. }), .. },
                    )
                )
            }
            Leaf::Plain => {
                matches!(
                    self,
                    State::On(
                        On { panel: Panel::Lit(Lit { meter: Meter::Plain, .. }), .. },
                    )
                )
            }
            Leaf::Bars => {
                matches!(
                    self,
                    State::On(
                        On { panel: Panel::Lit(Lit { meter: Meter::Bars, .. }), .. },
                    )
                )
            }
            Leaf::Needles => {
                matches!(
                    self,
                    State::On(
                        On { panel: Panel::Lit(Lit { meter: Meter::Needles, .. }), .. },
                    )
                )
            }
            Leaf::Spent => matches!(self, State::On(On { panel: Panel::Spent, .. })),
            Leaf::Broken => matches!(self, State::Broken),
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
        Leaf::Off as u32,
        Composite::On.node(),
        Composite::Tape.node(),
        Leaf::Empty as u32,
        Composite::Loaded.node(),
        Leaf::Paused as u32,
        Leaf::Running as u32,
        Leaf::Ended as u32,
        Composite::Panel.node(),
        Leaf::Dark as u32,
        Composite::Lit.node(),
        Composite::Clock.node(),
        Leaf::Time as u32,
        Leaf::Counter as u32,
        Composite::Meter.node(),
        Leaf::Plain as u32,
        Composite::Fancy.node(),
        Leaf::Bars as u32,
        Leaf::Needles as u32,
        Leaf::Spent as u32,
        Leaf::Broken as u32,
    ];

    const REGIONS: &'static [::statespec::__private::Region<Leaf>] = &[
        ::statespec::__private::Region {
            node: Composite::Tape.node(),
            of: Some(Composite::On.node()),
            starts: &[Leaf::Empty],
        },
        ::statespec::__private::Region {
            node: Composite::Panel.node(),
            of: Some(Composite::On.node()),
            starts: &[Leaf::Dark],
        },
        ::statespec::__private::Region {
            node: Composite::Clock.node(),
            of: Some(Composite::Lit.node()),
            starts: &[Leaf::Time],
        },
        ::statespec::__private::Region {
            node: Composite::Meter.node(),
            of: Some(Composite::Lit.node()),
            starts: &[Leaf::Plain],
        },
    ];

    const MAY_COMPLETE: &'static [(u32, u32)] = &[
        (Leaf::Ended as u32, Composite::On as u32),
        (Leaf::Spent as u32, Composite::On as u32),
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

/// An event that a caller can raise, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str> {
    /// The event `press`.
    Press,
    /// The event `resume`.
    Resume,
    /// The event `insert`.
    Insert {
        /// A text.
        label: Text,
    },
    /// The event `play`.
    Play,
    /// The event `stop`.
    Stop,
    /// The event `eject`.
    Eject,
    /// The event `show`.
    Show,
    /// The event `cycle`.
    Cycle,
    /// The event `split`.
    Split {
        /// A whole number.
        parts: i64,
    },
    /// The event `drop`.
    Drop,
    /// The event `finish`.
    Finish,
    /// The event `tune`.
    Tune,
    /// The event `go`.
    Go {
        /// A state of this machine.
        place: Leaf,
    },
    /// The event `fix`.
    Fix,
    /// The event `chime`.
    Chime,
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Press => EventKind::Press,
            Event::Resume => EventKind::Resume,
            Event::Insert { .. } => EventKind::Insert,
            Event::Play => EventKind::Play,
            Event::Stop => EventKind::Stop,
            Event::Eject => EventKind::Eject,
            Event::Show => EventKind::Show,
            Event::Cycle => EventKind::Cycle,
            Event::Split { .. } => EventKind::Split,
            Event::Drop => EventKind::Drop,
            Event::Finish => EventKind::Finish,
            Event::Tune => EventKind::Tune,
            Event::Go { .. } => EventKind::Go,
            Event::Fix => EventKind::Fix,
            Event::Chime => EventKind::Chime,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Press => Event::Press,
            Event::Resume => Event::Resume,
            Event::Insert { label } => {
                Event::Insert {
                    label: AsRef::as_ref(label),
                }
            }
            Event::Play => Event::Play,
            Event::Stop => Event::Stop,
            Event::Eject => Event::Eject,
            Event::Show => Event::Show,
            Event::Cycle => Event::Cycle,
            Event::Split { parts } => Event::Split { parts: *parts },
            Event::Drop => Event::Drop,
            Event::Finish => Event::Finish,
            Event::Tune => Event::Tune,
            Event::Go { place } => Event::Go { place: *place },
            Event::Fix => Event::Fix,
            Event::Chime => Event::Chime,
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
    /// See [`Event::Press`].
    Press,
    /// See [`Event::Resume`].
    Resume,
    /// See [`Event::Insert`].
    Insert {
        /// A text.
        label: Text,
    },
    /// See [`Event::Play`].
    Play,
    /// See [`Event::Stop`].
    Stop,
    /// See [`Event::Eject`].
    Eject,
    /// See [`Event::Show`].
    Show,
    /// See [`Event::Cycle`].
    Cycle,
    /// See [`Event::Split`].
    Split {
        /// A whole number.
        parts: i64,
    },
    /// See [`Event::Drop`].
    Drop,
    /// See [`Event::Finish`].
    Finish,
    /// See [`Event::Tune`].
    Tune,
    /// See [`Event::Go`].
    Go {
        /// A state of this machine.
        place: Leaf,
    },
    /// See [`Event::Fix`].
    Fix,
    /// See [`Event::Chime`].
    Chime,
    /// The timer `dark_timeout`: after 30s.
    DarkTimeout,
    /// The timer `on_timeout`: after 1h.
    OnTimeout,
}

impl<Text> Recorded<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Recorded::Press => EventKind::Press,
            Recorded::Resume => EventKind::Resume,
            Recorded::Insert { .. } => EventKind::Insert,
            Recorded::Play => EventKind::Play,
            Recorded::Stop => EventKind::Stop,
            Recorded::Eject => EventKind::Eject,
            Recorded::Show => EventKind::Show,
            Recorded::Cycle => EventKind::Cycle,
            Recorded::Split { .. } => EventKind::Split,
            Recorded::Drop => EventKind::Drop,
            Recorded::Finish => EventKind::Finish,
            Recorded::Tune => EventKind::Tune,
            Recorded::Go { .. } => EventKind::Go,
            Recorded::Fix => EventKind::Fix,
            Recorded::Chime => EventKind::Chime,
            Recorded::DarkTimeout => EventKind::DarkTimeout,
            Recorded::OnTimeout => EventKind::OnTimeout,
        }
    }
}

impl<Text: AsRef<str>> Recorded<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Recorded<&str> {
        match self {
            Recorded::Press => Recorded::Press,
            Recorded::Resume => Recorded::Resume,
            Recorded::Insert { label } => {
                Recorded::Insert {
                    label: AsRef::as_ref(label),
                }
            }
            Recorded::Play => Recorded::Play,
            Recorded::Stop => Recorded::Stop,
            Recorded::Eject => Recorded::Eject,
            Recorded::Show => Recorded::Show,
            Recorded::Cycle => Recorded::Cycle,
            Recorded::Split { parts } => Recorded::Split { parts: *parts },
            Recorded::Drop => Recorded::Drop,
            Recorded::Finish => Recorded::Finish,
            Recorded::Tune => Recorded::Tune,
            Recorded::Go { place } => Recorded::Go { place: *place },
            Recorded::Fix => Recorded::Fix,
            Recorded::Chime => Recorded::Chime,
            Recorded::DarkTimeout => Recorded::DarkTimeout,
            Recorded::OnTimeout => Recorded::OnTimeout,
        }
    }
}

impl<Text> From<Event<Text>> for Recorded<Text> {
    #[inline]
    fn from(event: Event<Text>) -> Self {
        match event {
            Event::Press => Recorded::Press,
            Event::Resume => Recorded::Resume,
            Event::Insert { label } => Recorded::Insert { label },
            Event::Play => Recorded::Play,
            Event::Stop => Recorded::Stop,
            Event::Eject => Recorded::Eject,
            Event::Show => Recorded::Show,
            Event::Cycle => Recorded::Cycle,
            Event::Split { parts } => Recorded::Split { parts },
            Event::Drop => Recorded::Drop,
            Event::Finish => Recorded::Finish,
            Event::Tune => Recorded::Tune,
            Event::Go { place } => Recorded::Go { place },
            Event::Fix => Recorded::Fix,
            Event::Chime => Recorded::Chime,
        }
    }
}

/// The names of the events and of the timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Press`].
    Press,
    /// See [`Event::Resume`].
    Resume,
    /// See [`Event::Insert`].
    Insert,
    /// See [`Event::Play`].
    Play,
    /// See [`Event::Stop`].
    Stop,
    /// See [`Event::Eject`].
    Eject,
    /// See [`Event::Show`].
    Show,
    /// See [`Event::Cycle`].
    Cycle,
    /// See [`Event::Split`].
    Split,
    /// See [`Event::Drop`].
    Drop,
    /// See [`Event::Finish`].
    Finish,
    /// See [`Event::Tune`].
    Tune,
    /// See [`Event::Go`].
    Go,
    /// See [`Event::Fix`].
    Fix,
    /// See [`Event::Chime`].
    Chime,
    /// The timer `dark_timeout`: after 30s.
    DarkTimeout,
    /// The timer `on_timeout`: after 1h.
    OnTimeout,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 17, [Press("press"), Resume("resume"), Insert("insert"),
    Play("play"), Stop("stop"), Eject("eject"), Show("show"), Cycle("cycle"),
    Split("split"), Drop("drop"), Finish("finish"), Tune("tune"), Go("go"), Fix("fix"),
    Chime("chime"), DarkTimeout("dark_timeout"), OnTimeout("on_timeout")], serde
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 17] = &[
            "press",
            "resume",
            "insert",
            "play",
            "stop",
            "eject",
            "show",
            "cycle",
            "split",
            "drop",
            "finish",
            "tune",
            "go",
            "fix",
            "chime",
            "after 30s",
            "after 1h",
        ];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// Whether this is a timer: it elapses, and nobody raises it.
    pub const fn is_timer(self) -> bool {
        matches!(self, EventKind::DarkTimeout | EventKind::OnTimeout)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;

    ::statespec::__event!(is_timer);
}

/// The effects of transitions outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// The effect `click`.
    Click,
    /// The effect `rewind`.
    Rewind,
    /// The effect `light`.
    Light,
    /// The effect `beep`.
    Beep,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 4, [Click("click"), Rewind("rewind"), Light("light"),
    Beep("beep")], serde
);

/// An effect. No effect takes data, so an effect is its kind.
pub type Effect = EffectKind;

impl EffectKind {
    /// The effect without its data: itself.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        *self
    }
}

impl<'e, Text> ::statespec::Effects<Recorded<&'e str>> for Deck<Text> {
    type State = Leaf;

    type Effect<'effect> = Effect where Self: 'effect, Recorded<&'e str>: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<Leaf>,
        _event: Option<&Recorded<&'e str>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Recorded<&'e str>: 'effect,
    {
        Some(kind)
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text>>::Error> {
        match self {
            Effect::Click => host.click(),
            Effect::Rewind => host.rewind(),
            Effect::Light => host.light(),
            Effect::Beep => host.beep(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text>>::Error> {
        match self {
            Effect::Click => host.click().await,
            Effect::Rewind => host.rewind().await,
            Effect::Light => host.light().await,
            Effect::Beep => host.beep().await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Deck<Text>, change: &Change) -> Result<(), Self::Error>;

    /// The effect `click`.
    fn click(&mut self) -> Result<(), Self::Error>;

    /// The effect `rewind`.
    fn rewind(&mut self) -> Result<(), Self::Error>;

    /// The effect `light`.
    fn light(&mut self) -> Result<(), Self::Error>;

    /// The effect `beep`.
    fn beep(&mut self) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Deck<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

impl<Text, H: Host<Text> + ?Sized> EffectHost<Text> for H {
    type Error = <H as Host<Text>>::Error;

    #[inline]
    fn store(&mut self, next: &Deck<Text>, change: &Change) -> Result<(), Self::Error> {
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
pub trait AsyncHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Deck<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `click`.
    fn click(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `rewind`.
    fn rewind(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `light`.
    fn light(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `beep`.
    fn beep(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, Leaf>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Deck<Text>,
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

impl<Text, H: AsyncHost<Text> + ?Sized> AsyncEffectHost<Text> for H {
    type Error = <H as AsyncHost<Text>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Deck<Text>,
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

/// The predicates of a `deck`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str> {
    /// The predicate `is_clean`.
    fn is_clean(&self, context: &Context<Text>, event: &Recorded<&str>) -> bool;
}
