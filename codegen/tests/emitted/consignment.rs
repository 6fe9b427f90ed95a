//! Consignment.
//!
//! Every way in which a step causes further ones.

::statespec::__emitted!(6);

/// Consignment.
///
/// Every way in which a step causes further ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Consignment<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

#[allow(clippy::result_large_err)]
impl<Text, R> Consignment<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Consignment { state, context }
    }

    /// The current state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// The context: data stored with the state.
    #[inline]
    pub const fn context(&self) -> &Context<Text, R> {
        &self.context
    }

    /// The context, to be changed by hand; what the caller puts into it is not checked.
    #[inline]
    pub const fn context_mut(&mut self) -> &mut Context<Text, R> {
        &mut self.context
    }
}

#[allow(clippy::result_large_err)]
impl<Text: ::statespec::FromLiteral + Clone, R: Copy + PartialEq> Consignment<Text, R> {
    /// Creates a machine with `create`.
    pub fn create<P: Predicates<Text, R> + ?Sized>(
        event: Event<R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event, predicates)
    }

    /// The same with a context that the caller has prepared.
    pub fn create_with<P: Predicates<Text, R> + ?Sized>(
        context: Context<Text, R>,
        event: Event<R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Consignment {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Create { weight, .. } if weight >= 0 => {
                Outcome::To(State::New, Row::Create)
            }
            Event::Create { .. } => Outcome::NoGuard,
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, predicates)
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
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
    pub fn transition_to<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        to: State,
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

    /// The rows: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn direct_step<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        let _ = predicates;
        ::statespec::__direct_table!(State, Row, []).on_direct(self.state, to)
    }

    /// Takes the steps that follow `step`, which the machine has already taken.
    fn react<P: Predicates<Text, R> + ?Sized>(
        self,
        step: ::statespec::Step<State>,
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

    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn reaction<P: Predicates<Text, R> + ?Sized>(
        &self,
        cause: ::statespec::__private::Cause<<State as ::statespec::State>::Event>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let raised: Option<Event<R>> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Check) => Some(Event::Check),
            ::statespec::__private::Cause::Raised(EventKind::Wrap) => Some(Event::Wrap),
            ::statespec::__private::Cause::Raised(EventKind::Land) => Some(Event::Land),
            ::statespec::__private::Cause::Raised(EventKind::Refuse) => {
                Some(Event::Refuse)
            }
            ::statespec::__private::Cause::Raised(EventKind::Tick) => Some(Event::Tick),
            _ => None,
        };
        if let Some(event) = raised {
            return ::statespec::__private::Dispatch::decide(self, &event, predicates);
        }
        let outcome = match (self.state, cause) {
            (
                State::Checked,
                ::statespec::__private::Cause::Automatic,
            ) if self.context.weight > 100 && !predicates.insured(&self.context) => {
                Outcome::To(State::Heavy, Row::CheckedAutomaticallyToHeavy)
            }
            (
                State::Checked,
                ::statespec::__private::Cause::Automatic,
            ) if self.context.weight > 0 => {
                Outcome::To(State::Boxing, Row::CheckedAutomaticallyToPacking)
            }
            (
                State::Heavy,
                ::statespec::__private::Cause::Automatic,
            ) if self.context.weight > 1000 => Outcome::Stay(Row::HeavyAutomatically),
            (
                State::Packed | State::Torn,
                ::statespec::__private::Cause::Done(done),
            ) if done == Composite::Packing as usize && (self.context.tries < 2) => {
                Outcome::To(State::Loading, Row::PackingDone)
            }
            (
                State::Packed | State::Torn,
                ::statespec::__private::Cause::Done(done),
            ) if done == Composite::Packing as usize => {
                Outcome::To(State::Heavy, Row::PackingOrMovingDone)
            }
            (
                State::Unloaded,
                ::statespec::__private::Cause::Done(done),
            ) if done == Composite::Truck as usize => {
                Outcome::To(State::Plane, Row::TruckDone)
            }
            (
                State::Plane,
                ::statespec::__private::Cause::Done(done),
            ) if done == Composite::Moving as usize => {
                Outcome::To(State::Heavy, Row::PackingOrMovingDone)
            }
            _ => Outcome::NoTransition,
        };
        outcome.on_cause(self.state)
    }

    fn take_reaction<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        step: &::statespec::Step<State>,
        cause: ::statespec::__private::Cause<<State as ::statespec::State>::Event>,
        predicates: &P,
    ) {
        let raised: Option<Event<R>> = match cause {
            ::statespec::__private::Cause::Raised(EventKind::Check) => Some(Event::Check),
            ::statespec::__private::Cause::Raised(EventKind::Wrap) => Some(Event::Wrap),
            ::statespec::__private::Cause::Raised(EventKind::Land) => Some(Event::Land),
            ::statespec::__private::Cause::Raised(EventKind::Refuse) => {
                Some(Event::Refuse)
            }
            ::statespec::__private::Cause::Raised(EventKind::Tick) => Some(Event::Tick),
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
        match step.row() {
            Row::CheckedAutomaticallyToPacking => {
                self.context.note = Some(
                    ::statespec::FromLiteral::from_literal("ready"),
                );
            }
            Row::HeavyAutomatically => {
                self.context.weight = self.context.weight.saturating_sub(1000);
            }
            Row::ReturnedToNewOrChecked => {
                self.context.tries = 0;
            }
            _ => {}
        }
        if !matches!(step.row(), Row::PausedAgain)
            && step.leaves_node(Composite::Packing.node())
        {
            self.context.packed_at = step.from();
        }
        if !matches!(step.row(), Row::MovingAgain)
            && step.leaves_node(Composite::Moving.node())
        {
            self.context.moved_at = step
                .from()
                .map(|from| match from {
                    State::Loading | State::Unloaded => State::Loading,
                    _ => from,
                });
        }
        self.state = step.to();
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        event: Event<R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
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
    pub fn run_to<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
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
                        Option::<&Event<R>>::None,
                    )
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub fn run_created<H: EffectHost<Text, R> + ?Sized>(
        &self,
        change: Change,
        event: Event<R>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>,
    > {
        let run = ::statespec::__private::Run::created(self, change);
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
    pub async fn run_async<
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        event: Event<R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
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
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
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
                        Option::<&Event<R>>::None,
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

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub async fn run_created_async<H: AsyncEffectHost<Text, R> + ?Sized>(
        &self,
        change: Change,
        event: Event<R>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    > {
        let mut run = ::statespec::__private::Run::created(self, change);
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

impl<
    Text: ::statespec::FromLiteral + Clone,
    R: Copy + PartialEq,
> ::statespec::__private::Input<Event<R>> for Consignment<Text, R> {
    type Recorded = Event<R>;
}

impl<
    Text: ::statespec::FromLiteral + Clone,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::__private::Dispatch<Event<R>, P> for Consignment<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn decide(
        &self,
        event: &Event<R>,
        _predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Wrapping, Event::Wrap) if self.context.tries < 3 => {
                Outcome::To(State::Packed, Row::WrappingWrap)
            }
            (State::Heavy, Event::Refuse) if self.context.tries > 4 => {
                Outcome::Refuse(Row::HeavyRefuseRefused)
            }
            (State::Heavy, Event::Refuse) if self.context.tries > 2 => {
                Outcome::To(State::Returned, Row::HeavyRefuseToReturned)
            }
            (State::Heavy, Event::Count { upto }) if upto > self.context.weight => {
                Outcome::Stay(Row::HeavyCount)
            }
            (State::Paused, Event::Resume) if self.context.moved_at.is_some() => {
                Outcome::To(
                    match self.context.moved_at {
                        Some(last) if last.is_in(Composite::Moving) => last,
                        _ => State::Loading,
                    },
                    Row::PausedResumeToHistory,
                )
            }
            (State::Paused, Event::Resume) => {
                Outcome::To(
                    match self.context.packed_at {
                        Some(last) if last.is_in(Composite::Packing) => last,
                        _ => State::Boxing,
                    },
                    Row::PausedResumeToHistory2,
                )
            }
            _ => {
                return ::statespec::__table!(
                    State, EventKind, Row, [(State::Heavy, EventKind::Deliver,
                    Row::HeavyOrArrivedDeliver)]
                )
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event<R>,
        _predicates: &P,
    ) {
        match (step.row(), *event) {
            (Row::Create, Event::Create { weight, carrier }) => {
                self.context.weight = weight;
                self.context.carrier = Some(carrier);
            }
            (Row::PackingTick | Row::HeavyAnyOther, _) => {
                self.context.tries = self.context.tries.saturating_add(1);
            }
            (Row::HeavyCount, Event::Count { upto }) => {
                self.context.weight = upto.saturating_sub(3);
            }
            (Row::PausedAgain, _) => {
                self.context.packed_at = None;
            }
            (Row::MovingAgain, _) => {
                self.context.moved_at = None;
            }
            _ => {}
        }
        if !matches!(step.row(), Row::PausedAgain)
            && step.leaves_node(Composite::Packing.node())
        {
            self.context.packed_at = step.from();
        }
        if !matches!(step.row(), Row::MovingAgain)
            && step.leaves_node(Composite::Moving.node())
        {
            self.context.moved_at = step
                .from()
                .map(|from| match from {
                    State::Loading | State::Unloaded => State::Loading,
                    _ => from,
                });
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(_event: &Event<R>) -> bool {
        true
    }

    fn follow(
        mut self,
        first: ::statespec::Step<State>,
        event: &Event<R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::Dispatch::take(&mut self, &first, event, predicates);
        self.react(
            first,
            predicates,
            |reason, row| Refused::of_event(first.from(), event.kind(), reason, row),
        )
    }

    fn plan(&self, event: &Event<R>, predicates: &P) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(&mut self, event: &Event<R>, predicates: &P) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `consignment`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// A whole number.
    pub weight: i64,
    /// A whole number.
    pub tries: i64,
    /// A text, or `None`.
    pub note: Option<Text>,
    /// The key of an object outside the machine, or `None`.
    pub carrier: Option<R>,
    /// A state of this machine, or `None`.
    pub packed_at: Option<State>,
    /// A state of this machine, or `None`.
    pub moved_at: Option<State>,
}

#[allow(clippy::derivable_impls)]
impl<Text, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            weight: 0,
            tries: 0,
            note: None,
            carrier: None,
            packed_at: None,
            moved_at: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `new` on `create`, when `event.weight >= 0`
    Create,
    /// `new` → `checked` on `check`
    NewCheck,
    /// `checked` → `heavy`, automatically, when `weight > 100 and not insured`
    CheckedAutomaticallyToHeavy,
    /// `checked` → `packing`, automatically, when `weight > 0`
    CheckedAutomaticallyToPacking,
    /// `checked` → `checked` on `again`
    CheckedAgain,
    /// `packing` → `packing/wrapping` on `retry`
    PackingRetry,
    /// `packing/boxing` → `packing/wrapping` on `box`
    BoxingBox,
    /// `packing/wrapping` → `packing/packed` on `wrap`, when `tries < 3`
    WrappingWrap,
    /// `packing` → `packing/torn` on `tear`
    PackingTear,
    /// `packing` stays on `tick`
    PackingTick,
    /// `packing` → `moving`, when done, when `tries < 2`
    PackingDone,
    /// `packing` or `moving` → `heavy`, when done
    PackingOrMovingDone,
    /// `moving/truck/loading` → `moving/truck/unloaded` on `unload`
    LoadingUnload,
    /// `moving/truck` → `moving/plane`, when done
    TruckDone,
    /// `moving/plane` → `arrived` on `land`
    PlaneLand,
    /// `moving` → `moving/plane` on `fly`
    MovingFly,
    /// `heavy` stays on `count`, when `upto > weight`
    HeavyCount,
    /// `heavy` stays on any other event
    HeavyAnyOther,
    /// `heavy` refuses `refuse`, when `tries > 4`: Nobody takes it
    HeavyRefuseRefused,
    /// `heavy` → `returned` on `refuse`, when `tries > 2`
    HeavyRefuseToReturned,
    /// `heavy` stays, automatically, when `weight > 1000`
    HeavyAutomatically,
    /// `heavy` or `arrived` → `returned` on `deliver`
    HeavyOrArrivedDeliver,
    /// `arrived` → `arrived` on `tick`
    ArrivedTick,
    /// `packing` or `moving` → `paused` on `pause`
    PackingOrMovingPause,
    /// `paused` → `moving`, where it was last on `resume`, when `moved_at != null`
    PausedResumeToHistory,
    /// `paused` → `packing`, where it was last on `resume`
    PausedResumeToHistory2,
    /// `paused` stays on `again`
    PausedAgain,
    /// `moving` → `heavy` on `again`
    MovingAgain,
    /// `returned` → `new` or `checked`, directly
    ReturnedToNewOrChecked,
}

::statespec::__row!(
    pub Row, 29, [Create, NewCheck, CheckedAutomaticallyToHeavy,
    CheckedAutomaticallyToPacking, CheckedAgain, PackingRetry, BoxingBox, WrappingWrap,
    PackingTear, PackingTick, PackingDone, PackingOrMovingDone, LoadingUnload, TruckDone,
    PlaneLand, MovingFly, HeavyCount, HeavyAnyOther, HeavyRefuseRefused,
    HeavyRefuseToReturned, HeavyAutomatically, HeavyOrArrivedDeliver, ArrivedTick,
    PackingOrMovingPause, PausedResumeToHistory, PausedResumeToHistory2, PausedAgain,
    MovingAgain, ReturnedToNewOrChecked]
);

/// The states of a `consignment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `new`.
    New,
    /// The state `checked`.
    Checked,
    /// The state `boxing`.
    ///
    /// The default state of `packing`.
    Boxing,
    /// The state `wrapping`.
    ///
    /// Inside `packing`.
    Wrapping,
    /// The state `packed`.
    ///
    /// Inside `packing`.
    ///
    /// An outcome: the work has ended.
    Packed,
    /// The state `torn`.
    ///
    /// Inside `packing`.
    ///
    /// An outcome: the work has ended.
    Torn,
    /// The state `loading`.
    ///
    /// The default state of `moving/truck`.
    Loading,
    /// The state `unloaded`.
    ///
    /// Inside `moving/truck`.
    ///
    /// An outcome: the work has ended.
    Unloaded,
    /// The state `plane`.
    ///
    /// Inside `moving`.
    ///
    /// An outcome: the work has ended.
    Plane,
    /// The state `heavy`.
    Heavy,
    /// The state `paused`.
    Paused,
    /// The state `arrived`.
    ///
    /// An outcome: the work has ended.
    Arrived,
    /// The state `returned`.
    ///
    /// An outcome: the work has ended.
    Returned,
}

::statespec::__unit_enum!(
    pub State, "state", 13, [New("new"), Checked("checked"), Boxing("boxing"),
    Wrapping("wrapping"), Packed("packed"), Torn("torn"), Loading("loading"),
    Unloaded("unloaded"), Plane("plane"), Heavy("heavy"), Paused("paused"),
    Arrived("arrived"), Returned("returned")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::New;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Creation,
                    Trigger::Event(EventKind::Create),
                    Target::To(State::New),
                )
                .with_guard("event.weight >= 0")
                .with_raised(&[EventKind::Check]),
            Transition::new(State::New, EventKind::Check, State::Checked)
                .with_effects(&[EffectKind::Weigh]),
            Transition::of(
                    Source::Leaf(State::Checked),
                    Trigger::Automatic,
                    Target::To(State::Heavy),
                )
                .with_guard("weight > 100 and not insured"),
            Transition::of(
                    Source::Leaf(State::Checked),
                    Trigger::Automatic,
                    Target::To(State::Boxing),
                )
                .with_guard("weight > 0"),
            Transition::new(State::Checked, EventKind::Again, State::Checked),
            Transition::of(
                    Source::In(
                        &[State::Boxing, State::Wrapping, State::Packed, State::Torn],
                    ),
                    Trigger::Event(EventKind::Retry),
                    Target::To(State::Wrapping),
                )
                .with_before(&[EffectKind::Weigh])
                .with_reenter(Composite::Packing.node()),
            Transition::new(State::Boxing, EventKind::Box, State::Wrapping)
                .with_raised(&[EventKind::Wrap, EventKind::Tick]),
            Transition::new(State::Wrapping, EventKind::Wrap, State::Packed)
                .with_guard("tries < 3"),
            Transition::of(
                Source::In(
                    &[State::Boxing, State::Wrapping, State::Packed, State::Torn],
                ),
                Trigger::Event(EventKind::Tear),
                Target::To(State::Torn),
            ),
            Transition::of(
                Source::In(
                    &[State::Boxing, State::Wrapping, State::Packed, State::Torn],
                ),
                Trigger::Event(EventKind::Tick),
                Target::Stay,
            ),
            Transition::of(
                    Source::In(
                        &[State::Boxing, State::Wrapping, State::Packed, State::Torn],
                    ),
                    Trigger::Done,
                    Target::To(State::Loading),
                )
                .with_guard("tries < 2")
                .with_effects(&[EffectKind::Ship]),
            Transition::of(
                Source::In(
                    &[
                        State::Boxing,
                        State::Wrapping,
                        State::Packed,
                        State::Torn,
                        State::Loading,
                        State::Unloaded,
                        State::Plane,
                    ],
                ),
                Trigger::Done,
                Target::To(State::Heavy),
            ),
            Transition::new(State::Loading, EventKind::Unload, State::Unloaded),
            Transition::of(
                    Source::In(&[State::Loading, State::Unloaded]),
                    Trigger::Done,
                    Target::To(State::Plane),
                )
                .with_raised(&[EventKind::Land]),
            Transition::new(State::Plane, EventKind::Land, State::Arrived),
            Transition::of(
                Source::In(&[State::Loading, State::Unloaded, State::Plane]),
                Trigger::Event(EventKind::Fly),
                Target::To(State::Plane),
            ),
            Transition::of(
                    Source::Leaf(State::Heavy),
                    Trigger::Event(EventKind::Count),
                    Target::Stay,
                )
                .with_guard("upto > weight"),
            Transition::of(
                    Source::Leaf(State::Heavy),
                    Trigger::AnyOf(
                        &[
                            EventKind::Check,
                            EventKind::Again,
                            EventKind::Box,
                            EventKind::Wrap,
                            EventKind::Tear,
                            EventKind::Retry,
                            EventKind::Unload,
                            EventKind::Fly,
                            EventKind::Land,
                            EventKind::Deliver,
                            EventKind::Refuse,
                            EventKind::Count,
                            EventKind::Tick,
                            EventKind::Pause,
                            EventKind::Resume,
                        ],
                    ),
                    Target::Stay,
                )
                .with_raised(&[EventKind::Refuse]),
            Transition::of(
                    Source::Leaf(State::Heavy),
                    Trigger::Event(EventKind::Refuse),
                    Target::Refuse("Nobody takes it"),
                )
                .with_guard("tries > 4"),
            Transition::new(State::Heavy, EventKind::Refuse, State::Returned)
                .with_guard("tries > 2"),
            Transition::of(Source::Leaf(State::Heavy), Trigger::Automatic, Target::Stay)
                .with_guard("weight > 1000"),
            Transition::of(
                    Source::In(&[State::Heavy, State::Arrived]),
                    Trigger::Event(EventKind::Deliver),
                    Target::To(State::Returned),
                )
                .with_effects(&[EffectKind::Tell]),
            Transition::new(State::Arrived, EventKind::Tick, State::Arrived)
                .with_raised(&[EventKind::Tick]),
            Transition::of(
                Source::In(
                    &[
                        State::Boxing,
                        State::Wrapping,
                        State::Packed,
                        State::Torn,
                        State::Loading,
                        State::Unloaded,
                        State::Plane,
                    ],
                ),
                Trigger::Event(EventKind::Pause),
                Target::To(State::Paused),
            ),
            Transition::of(
                    Source::Leaf(State::Paused),
                    Trigger::Event(EventKind::Resume),
                    Target::History(State::Loading),
                )
                .with_guard("moved_at != null"),
            Transition::of(
                    Source::Leaf(State::Paused),
                    Trigger::Event(EventKind::Resume),
                    Target::History(State::Boxing),
                )
                .with_before(&[EffectKind::Weigh]),
            Transition::of(
                Source::Leaf(State::Paused),
                Trigger::Event(EventKind::Again),
                Target::Stay,
            ),
            Transition::of(
                Source::In(&[State::Loading, State::Unloaded, State::Plane]),
                Trigger::Event(EventKind::Again),
                Target::To(State::Heavy),
            ),
            Transition::of(
                Source::Leaf(State::Returned),
                Trigger::Direct,
                Target::OneOf(&[State::New, State::Checked]),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 13] = &[
            &[State::Checked],
            &[State::Checked, State::Boxing, State::Heavy],
            &[State::Wrapping, State::Torn, State::Paused],
            &[State::Wrapping, State::Packed, State::Torn, State::Paused],
            &[State::Loading, State::Heavy],
            &[State::Loading, State::Heavy],
            &[State::Unloaded, State::Plane, State::Heavy, State::Paused],
            &[State::Plane],
            &[State::Heavy, State::Arrived],
            &[State::Returned],
            &[
                State::Boxing,
                State::Wrapping,
                State::Packed,
                State::Torn,
                State::Loading,
                State::Unloaded,
                State::Plane,
            ],
            &[State::Arrived, State::Returned],
            &[State::New, State::Checked],
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
        const LISTS: &[&[EventKind]; 13] = &[
            &[EventKind::Check],
            &[EventKind::Again],
            &[
                EventKind::Box,
                EventKind::Tear,
                EventKind::Retry,
                EventKind::Tick,
                EventKind::Pause,
            ],
            &[
                EventKind::Wrap,
                EventKind::Tear,
                EventKind::Retry,
                EventKind::Tick,
                EventKind::Pause,
            ],
            &[EventKind::Tick],
            &[EventKind::Tick],
            &[EventKind::Again, EventKind::Unload, EventKind::Fly, EventKind::Pause],
            &[],
            &[EventKind::Land],
            &[
                EventKind::Check,
                EventKind::Again,
                EventKind::Box,
                EventKind::Wrap,
                EventKind::Tear,
                EventKind::Retry,
                EventKind::Unload,
                EventKind::Fly,
                EventKind::Land,
                EventKind::Deliver,
                EventKind::Refuse,
                EventKind::Count,
                EventKind::Tick,
                EventKind::Pause,
                EventKind::Resume,
            ],
            &[EventKind::Again, EventKind::Resume],
            &[EventKind::Deliver, EventKind::Tick],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            State::Packed
            | State::Torn
            | State::Unloaded
            | State::Plane
            | State::Arrived
            | State::Returned
        )
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 13] = &[
            None,
            None,
            Some(Composite::Packing),
            Some(Composite::Packing),
            Some(Composite::Packing),
            Some(Composite::Packing),
            Some(Composite::Truck),
            Some(Composite::Truck),
            Some(Composite::Moving),
            None,
            None,
            None,
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 13] = &[
            "new",
            "checked",
            "packing/boxing",
            "packing/wrapping",
            "packing/packed",
            "packing/torn",
            "moving/truck/loading",
            "moving/truck/unloaded",
            "moving/plane",
            "heavy",
            "paused",
            "arrived",
            "returned",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Packing => {
                matches!(
                    self,
                    State::Boxing | State::Wrapping | State::Packed | State::Torn
                )
            }
            Composite::Moving => {
                matches!(self, State::Loading | State::Unloaded | State::Plane)
            }
            Composite::Truck => matches!(self, State::Loading | State::Unloaded),
        }
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// The state `packing`.
    Packing,
    /// The state `moving`.
    Moving,
    /// The state `truck`.
    ///
    /// The default state of `moving`.
    Truck,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 3, [Packing("packing"), Moving("moving"),
    Truck("truck")], serde
);

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 3] = &[State::Boxing, State::Loading, State::Loading];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 3] = &[None, None, Some(Composite::Moving)];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 64];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[EffectKind::Weigh],
            exit: &[EffectKind::Sleep],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Packing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Packing.node()),
            entry: &[EffectKind::Label],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Packing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Packing.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Truck.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Truck.node()),
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Moving.node()),
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
            entry: &[EffectKind::Wake],
            exit: &[EffectKind::Sleep],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Moving.node()),
            entry: &[],
            exit: &[],
        },
    ];

    const COMPLETING: &'static [(u32, u32)] = &[
        (State::Packed as u32, Composite::Packing as u32),
        (State::Torn as u32, Composite::Packing as u32),
        (State::Unloaded as u32, Composite::Truck as u32),
        (State::Plane as u32, Composite::Moving as u32),
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "consignment";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Create];

    ::statespec::__state!(events, path);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<R = u64> {
    /// The event `create`.
    Create {
        /// A whole number.
        weight: i64,
        /// The key of an object outside the machine.
        carrier: R,
    },
    /// The event `check`.
    Check,
    /// The event `again`.
    Again,
    /// The event `box`.
    Box,
    /// The event `wrap`.
    Wrap,
    /// The event `tear`.
    Tear,
    /// The event `retry`.
    Retry,
    /// The event `unload`.
    Unload,
    /// The event `fly`.
    Fly,
    /// The event `land`.
    Land,
    /// The event `deliver`.
    Deliver {
        /// The key of an object outside the machine.
        by: R,
        /// A moment.
        now: ::statespec::Timestamp,
    },
    /// The event `refuse`.
    Refuse,
    /// The event `count`.
    Count {
        /// A whole number.
        upto: i64,
    },
    /// The event `tick`.
    Tick,
    /// The event `pause`.
    Pause,
    /// The event `resume`.
    Resume,
}

impl<R> Event<R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create { .. } => EventKind::Create,
            Event::Check => EventKind::Check,
            Event::Again => EventKind::Again,
            Event::Box => EventKind::Box,
            Event::Wrap => EventKind::Wrap,
            Event::Tear => EventKind::Tear,
            Event::Retry => EventKind::Retry,
            Event::Unload => EventKind::Unload,
            Event::Fly => EventKind::Fly,
            Event::Land => EventKind::Land,
            Event::Deliver { .. } => EventKind::Deliver,
            Event::Refuse => EventKind::Refuse,
            Event::Count { .. } => EventKind::Count,
            Event::Tick => EventKind::Tick,
            Event::Pause => EventKind::Pause,
            Event::Resume => EventKind::Resume,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Create`].
    Create,
    /// See [`Event::Check`].
    Check,
    /// See [`Event::Again`].
    Again,
    /// See [`Event::Box`].
    Box,
    /// See [`Event::Wrap`].
    Wrap,
    /// See [`Event::Tear`].
    Tear,
    /// See [`Event::Retry`].
    Retry,
    /// See [`Event::Unload`].
    Unload,
    /// See [`Event::Fly`].
    Fly,
    /// See [`Event::Land`].
    Land,
    /// See [`Event::Deliver`].
    Deliver,
    /// See [`Event::Refuse`].
    Refuse,
    /// See [`Event::Count`].
    Count,
    /// See [`Event::Tick`].
    Tick,
    /// See [`Event::Pause`].
    Pause,
    /// See [`Event::Resume`].
    Resume,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 16, [Create("create"), Check("check"), Again("again"),
    Box("box"), Wrap("wrap"), Tear("tear"), Retry("retry"), Unload("unload"), Fly("fly"),
    Land("land"), Deliver("deliver"), Refuse("refuse"), Count("count"), Tick("tick"),
    Pause("pause"), Resume("resume")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Weigh`].
    Weigh,
    /// See [`Effect::Label`].
    Label,
    /// See [`Effect::Ship`].
    Ship,
    /// See [`Effect::Wake`].
    Wake,
    /// See [`Effect::Sleep`].
    Sleep,
    /// See [`Effect::Tell`].
    Tell,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 6, [Weigh("weigh"), Label("label"), Ship("ship"),
    Wake("wake"), Sleep("sleep"), Tell("tell")], serde
);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect<R = u64> {
    /// The effect `weigh`.
    Weigh,
    /// The effect `label`.
    Label,
    /// The effect `ship`.
    Ship {
        /// A whole number.
        weight: i64,
        /// The state before the step; `None` at creation.
        from: Option<State>,
        /// The state after the step.
        to: State,
    },
    /// The effect `wake`.
    Wake,
    /// The effect `sleep`.
    Sleep,
    /// The effect `tell`.
    ///
    /// The message is `{by} took it`.
    Tell {
        /// The key of an object outside the machine.
        by: R,
    },
}

impl<R> Effect<R> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Weigh => EffectKind::Weigh,
            Effect::Label => EffectKind::Label,
            Effect::Ship { .. } => EffectKind::Ship,
            Effect::Wake => EffectKind::Wake,
            Effect::Sleep => EffectKind::Sleep,
            Effect::Tell { .. } => EffectKind::Tell,
        }
    }
}

impl<Text, R: Copy> ::statespec::Effects<Event<R>> for Consignment<Text, R> {
    type State = State;

    type Effect<'effect> = Effect<R> where Self: 'effect, Event<R>: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        step: &::statespec::Step<State>,
        event: Option<&Event<R>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<R>: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::Weigh, _) => Effect::Weigh,
                (EffectKind::Label, _) => Effect::Label,
                (EffectKind::Ship, _) => {
                    Effect::Ship {
                        weight: self.context.weight,
                        from: step.from(),
                        to: step.to(),
                    }
                }
                (EffectKind::Wake, _) => Effect::Wake,
                (EffectKind::Sleep, _) => Effect::Sleep,
                (EffectKind::Tell, Some(&Event::Deliver { by, .. })) => {
                    Effect::Tell { by }
                }
                _ => return None,
            },
        )
    }
}

impl<R: Copy + ::core::fmt::Display> Effect<R> {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<R> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::Tell { by } => f.write_fmt(format_args!("{} took it", by)),
            _ => Ok(()),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::Weigh => host.weigh(),
            Effect::Label => host.label(),
            Effect::Ship { weight, from, to } => host.ship(weight, from, to),
            Effect::Wake => host.wake(),
            Effect::Sleep => host.sleep(),
            Effect::Tell { by } => host.tell(by, format_args!("{}", self.message())),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::Weigh => host.weigh().await,
            Effect::Label => host.label().await,
            Effect::Ship { weight, from, to } => host.ship(weight, from, to).await,
            Effect::Wake => host.wake().await,
            Effect::Sleep => host.sleep().await,
            Effect::Tell { by } => host.tell(by, self.message()).await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `weigh`.
    fn weigh(&mut self) -> Result<(), Self::Error>;

    /// The effect `label`.
    fn label(&mut self) -> Result<(), Self::Error>;

    /// The effect `ship`.
    fn ship(
        &mut self,
        weight: i64,
        from: Option<State>,
        to: State,
    ) -> Result<(), Self::Error>;

    /// The effect `wake`.
    fn wake(&mut self) -> Result<(), Self::Error>;

    /// The effect `sleep`.
    fn sleep(&mut self) -> Result<(), Self::Error>;

    /// The effect `tell`.
    ///
    /// The message is `{by} took it`.
    fn tell(
        &mut self,
        by: R,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The host that takes each effect as a value: implement it in place of [`Host`], which has a method for each.
///
/// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
pub trait EffectHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<R>) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R: Copy + ::core::fmt::Display, H: Host<Text, R> + ?Sized> EffectHost<Text, R>
for H {
    type Error = <H as Host<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect<R>) -> Result<(), Self::Error> {
        effect.perform(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        Host::observe(self, attempt)
    }
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `weigh`.
    fn weigh(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `label`.
    fn label(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `ship`.
    fn ship(
        &mut self,
        weight: i64,
        from: Option<State>,
        to: State,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `wake`.
    fn wake(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `sleep`.
    fn sleep(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `tell`.
    ///
    /// The message is `{by} took it`.
    fn tell(
        &mut self,
        by: R,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host that takes each effect as a value: implement it in place of [`AsyncHost`], which has a method for each. Implement its methods as `async fn`.
pub trait AsyncEffectHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect<R>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<
    Text,
    R: Copy + ::core::fmt::Display,
    H: AsyncHost<Text, R> + ?Sized,
> AsyncEffectHost<Text, R> for H {
    type Error = <H as AsyncHost<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Consignment<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect<R>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The predicates of a `consignment`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `insured`.
    fn insured(&self, context: &Context<Text, R>) -> bool;
}
