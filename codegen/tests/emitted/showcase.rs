//! Showcase of \<everything> a machine can say.
//!
//! Not a real machine: it uses every feature once, with names and texts that try to get out.
//!
//! assert!(false, "not a doctest");
//!
//! \`\`\`
//! panic!("nor is this");
//! \`\`\`
//! \[Broken\](links) and \[`Vec::nothing`\], \<script>alert(1)\</script>, <https://example.com/a_b?c=1>, \*/ /\* # "quotes" \\ {braces.
//!
//! - Every feature, once.

::statespec::__emitted!(6);

/// Showcase of \<everything> a machine can say.
///
/// Not a real machine: it uses every feature once, with names and texts that try to get out.
///
/// assert!(false, "not a doctest");
///
/// \`\`\`
/// panic!("nor is this");
/// \`\`\`
/// \[Broken\](links) and \[`Vec::nothing`\], \<script>alert(1)\</script>, <https://example.com/a_b?c=1>, \*/ /\* # "quotes" \\ {braces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Showcase<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Showcase<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Showcase { state, context }
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

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    R: Copy + PartialEq,
> Showcase<Text, R> {
    /// Creates a machine with `create`.
    pub fn create<P: Predicates<Text, R> + ?Sized>(
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event, predicates)
    }

    /// The same with a context that the caller has prepared.
    #[allow(clippy::redundant_guards, clippy::comparison_to_empty)]
    pub fn create_with<P: Predicates<Text, R> + ?Sized>(
        context: Context<Text, R>,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Showcase {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Create { called, .. } if called == "nobody" => {
                Outcome::Refuse(Row::CreateRefused)
            }
            Event::Create { .. } => Outcome::To(State::Idle, Row::CreateToIdle),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, predicates)
    }

    /// The same in the name of an actor: refused where the actor may not raise the event.
    pub fn create_as<P: Predicates<Text, R> + ?Sized>(
        actor: Actor,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::permit::<State>(None, event.kind(), actor)?;
        Self::create(event, predicates)
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply_as(self, actor, &event, predicates)
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        self.direct_step(to, predicates).map(Change::new)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    pub fn transition_to<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        let step = self.direct_step(to, predicates)?;
        match step.row() {
            Row::FastToFast => {
                self.context.name = ::statespec::FromLiteral::from_literal(GREETING);
                self.context.note = Some(
                    ::statespec::FromLiteral::from_literal("again"),
                );
            }
            Row::FastToSelf => {
                self.context.count = 1;
            }
            _ => {}
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    #[allow(
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::comparison_to_empty
    )]
    fn direct_step<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, to) {
            (
                State::Idle,
                State::Fast,
            ) if self.context.note.is_none()
                || AsRef::<str>::as_ref(&self.context.name) != "a" => {
                Outcome::To(State::Fast, Row::IdleToFastOrSelf)
            }
            (
                State::Idle,
                State::Self_,
            ) if self.context.note.is_none()
                || AsRef::<str>::as_ref(&self.context.name) != "a" => {
                Outcome::To(State::Self_, Row::IdleToFastOrSelf)
            }
            (State::Crawling, State::Idle) if predicates.ready(&self.context) => {
                Outcome::To(State::Idle, Row::CrawlingToIdleOrLoop)
            }
            (State::Crawling, State::Loop) if predicates.ready(&self.context) => {
                Outcome::To(State::Loop, Row::CrawlingToIdleOrLoop)
            }
            _ => {
                return ::statespec::__direct_table!(
                    State, Row, [(State::Fast, State::Self_, Row::FastToSelf)]
                )
                    .on_direct(self.state, to);
            }
        };
        outcome.on_direct(self.state, to)
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
        self.run_by(None, event, predicates, host)
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub fn run_as<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
        self.run_by(Some(actor), event, predicates, host)
    }

    fn run_by<P: Predicates<Text, R> + ?Sized, H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        actor: Option<Actor>,
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(
            self,
            actor,
            &event,
            predicates,
        );
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
                        Option::<&Event<&str, R>>::None,
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
        event: Event<&'e str, R>,
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
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
        self.run_by_async(None, event, predicates, host).await
    }

    /// Raises an event with a host, in the name of an actor: refused where the actor may not.
    pub async fn run_as_async<
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        actor: Actor,
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
        self.run_by_async(Some(actor), event, predicates, host).await
    }

    async fn run_by_async<
        P: Predicates<Text, R> + ?Sized,
        H: AsyncEffectHost<Text, R> + ?Sized,
    >(
        &mut self,
        actor: Option<Actor>,
        event: Event<&'e str, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(
            self,
            actor,
            &event,
            predicates,
        );
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
                        Option::<&Event<&str, R>>::None,
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
        event: Event<&'e str, R>,
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
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    R: Copy + PartialEq,
> ::statespec::__private::Input<Event<&'e str, R>> for Showcase<Text, R> {
    type Recorded = Event<&'e str, R>;
}

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::__private::Dispatch<Event<&'e str, R>, P> for Showcase<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<&'e str, R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[allow(
        clippy::eq_op,
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::comparison_to_empty
    )]
    fn decide(
        &self,
        event: &Event<&'e str, R>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Idle, Event::Move) if predicates.ready(&self.context) => {
                Outcome::To(State::Fast, Row::IdleMoveToBusy)
            }
            (
                State::Fast,
                Event::Move,
            ) if predicates.quiet(&self.context, event)
                && !(predicates.ready(&self.context) || self.context.done) => {
                Outcome::To(State::InProgress, Row::FastMove)
            }
            (
                State::Idle
                | State::Fast
                | State::Crawling
                | State::InProgress
                | State::Self_,
                Event::Type { context: context_, r#match, .. },
            ) if context_ == "stop"
                || self.context.note.as_ref().map(AsRef::<str>::as_ref) == r#match => {
                Outcome::Stay(Row::AnyButLoopType)
            }
            (
                _,
                Event::Weigh { weight, .. },
            ) if weight >= HOT_ABOVE && self.context.ratio < HOT_ABOVE_MINUS_BUFFER => {
                Outcome::Stay(Row::AnyWeigh)
            }
            (
                State::Idle | State::Crawling | State::InProgress,
                Event::Weigh { amount, .. },
            ) if amount > LIMIT || self.context.r#type == Kind::DailyLogs && STRICT => {
                Outcome::Stay(Row::IdleOrSlowWeigh)
            }
            (
                State::Idle,
                Event::Claim { now, .. },
            ) if self.context.owner.is_none()
                || self.context.claimed_at.is_some()
                    && self
                        .context
                        .claimed_at
                        .unwrap_or_default()
                        .saturating_add(self.context.patience) < now => {
                Outcome::Stay(Row::IdleClaimStays)
            }
            (
                State::Idle,
                Event::Claim { by, .. },
            ) if self.context.owner == Some(by) && self.context.maybe.is_some()
                && self.context.maybe.unwrap_or_default() => {
                Outcome::Stay(Row::IdleClaimStays2)
            }
            (
                State::Fast | State::Crawling | State::InProgress,
                Event::Claim { now, r#for, .. },
            ) if r#for.is_some()
                && now.saturating_sub(LEASE)
                    > now.saturating_sub(r#for.unwrap_or_default()) => {
                Outcome::Stay(Row::BusyClaim)
            }
            (
                State::Idle | State::Loop,
                Event::Jump { target, .. },
            ) if target.is_in(Composite::Busy) && self.context.favourite != target => {
                Outcome::To(target, Row::AnyButSelfOrBusyJump)
            }
            (
                State::Self_,
                Event::Jump { target, wish },
            ) if wish.is_some() && wish.is_some_and(|it| it.is_in(Composite::Slow))
                && wish == Some(State::InProgress) => Outcome::To(target, Row::SelfJump),
            (State::Idle, Event::Tick { level }) if level > 1 => {
                Outcome::To(State::Fast, Row::IdleTick)
            }
            (State::Fast, Event::Tick { level }) if level > 2 => {
                Outcome::To(State::Crawling, Row::FastTick)
            }
            (State::InProgress, Event::Tick { level }) if level > 9 => {
                Outcome::To(State::Idle, Row::InProgressTick)
            }
            (_, Event::Other) if self.context.count == self.context.count => {
                Outcome::Refuse(Row::AnyOther)
            }
            _ => {
                return ::statespec::__table!(
                    State, EventKind, Row, [(State::Fast, EventKind::Nest,
                    Row::FastNest)]
                )
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event<&'e str, R>,
        _predicates: &P,
    ) {
        match (step.row(), *event) {
            (Row::CreateToIdle, Event::Create { founder, called }) => {
                self.context.name = From::from(called);
                self.context.owner = Some(founder);
            }
            (Row::IdleMoveToBusy, _) => {
                let (new_0, new_1) = (
                    self.context.count.saturating_add(1),
                    !self.context.done && self.context.count < LIMIT,
                );
                self.context.count = new_0;
                self.context.done = new_1;
            }
            (Row::AnyButLoopType, Event::Type { self_, r#match, .. }) => {
                self.context.r#type = self_;
                self.context.note = r#match.map(From::from);
            }
            (Row::BusyType, Event::Type { context: context_, event: event_, .. }) => {
                self.context.count = self
                    .context
                    .count
                    .saturating_mul(event_)
                    .saturating_sub(1);
                self.context.name = From::from(context_);
                self.context.note = Some(
                    ::statespec::FromLiteral::from_literal(GREETING),
                );
            }
            (Row::AnyWeigh, Event::Weigh { weight, amount }) => {
                self.context.ratio = weight
                    .saturating_add(<::statespec::Decimal as From<i64>>::from(amount));
            }
            (Row::IdleOrSlowWeigh, Event::Weigh { weight, amount }) => {
                self.context.count = amount;
                self.context.ratio = self
                    .context
                    .ratio
                    .saturating_mul(::statespec::decimal(2, 0))
                    .saturating_sub(weight);
                self.context.patience = self
                    .context
                    .patience
                    .saturating_mul(2)
                    .saturating_sub(LEASE);
            }
            (Row::IdleClaimStays, Event::Claim { by, now, .. }) => {
                self.context.owner = Some(by);
                self.context.claimed_at = Some(now);
                self.context.patience = LEASE.saturating_add(LEASE);
            }
            (Row::IdleClaimStays2, _) => {
                self.context.owner = None;
                self.context.claimed_at = None;
            }
            (Row::BusyClaim, Event::Claim { now, .. }) => {
                self.context.patience = now.saturating_since(now);
            }
            (Row::AnyButSelfOrBusyJump, Event::Jump { target, wish }) => {
                self.context.favourite = target;
                self.context.wanted = wish;
            }
            (Row::FastTick, _) => {
                let (new_0, new_1) = (
                    ::statespec::FromLiteral::from_literal("quoted text"),
                    Some(Clone::clone(&self.context.name)),
                );
                self.context.name = new_0;
                self.context.note = new_1;
            }
            (Row::InProgressTick, _) => {
                self.context.count = 0;
            }
            (Row::CrawlingOrInProgressTick, Event::Tick { level }) => {
                self.context.count = level;
            }
            _ => {}
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(event: &Event<&'e str, R>) -> bool {
        matches!(event.kind(), EventKind::Tick)
    }

    fn follow(
        self,
        first: ::statespec::Step<State>,
        event: &Event<&'e str, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::settle(self, first, event, predicates)
    }

    fn plan(
        &self,
        event: &Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(
        &mut self,
        event: &Event<&'e str, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `showcase`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// Counts.
    pub count: i64,
    /// A keyword as a name.
    pub r#type: Kind,
    /// A decimal number.
    pub ratio: ::statespec::Decimal,
    /// A text with a default.
    pub name: Text,
    /// A text, or `None`.
    pub note: Option<Text>,
    /// The key of an object outside the machine, or `None`.
    pub owner: Option<R>,
    /// A moment, or `None`.
    pub claimed_at: Option<::statespec::Timestamp>,
    /// A duration.
    pub patience: ::statespec::Duration,
    /// A state of this machine.
    pub favourite: State,
    /// A state of this machine, or `None`.
    pub wanted: Option<State>,
    /// `true` or `false`.
    pub done: bool,
    /// `true` or `false`, or `None`.
    pub maybe: Option<bool>,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            count: 0,
            r#type: Kind::Type,
            ratio: ::statespec::decimal(10, 2),
            name: ::statespec::FromLiteral::from_literal("no \"name\" {yet}"),
            note: None,
            owner: None,
            claimed_at: None,
            patience: ::statespec::Duration::from_minutes(5),
            favourite: State::Idle,
            wanted: None,
            done: false,
            maybe: None,
        }
    }
}

/// Three \<b>.
pub const LIMIT: i64 = 3;

/// The constant `hot_above`.
pub const HOT_ABOVE: ::statespec::Decimal = ::statespec::decimal(70, 2);

/// The constant `buffer`.
pub const BUFFER: ::statespec::Decimal = ::statespec::decimal(5, 2);

/// How long a claim holds.
pub const LEASE: ::statespec::Duration = ::statespec::Duration::from_seconds(90);

/// A text.
pub const GREETING: &str = "hi \"there\" {x}";

/// The constant `strict`.
pub const STRICT: bool = true;

/// `hot_above - buffer`, computed exactly.
pub const HOT_ABOVE_MINUS_BUFFER: ::statespec::Decimal = ::statespec::decimal(65, 2);

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation refuses `create`, when `called == 'nobody'`: nobody owns nothing
    CreateRefused,
    /// Creation → `idle` on `create`
    CreateToIdle,
    /// `idle` → `busy` on `move`, when `ready`
    IdleMoveToBusy,
    /// `idle` refuses `move`: not "ready" \<yet> 3
    IdleMoveRefused,
    /// `busy` → `busy/fast` on `move`: move \| within
    BusyMove,
    /// `busy/fast` → `busy/slow/in-progress` on `move`, when `quiet and not (ready or done)`
    FastMove,
    /// Any state except `loop` stays on `type`, when `context == 'stop' or note == match`
    AnyButLoopType,
    /// `busy` stays on `type`
    BusyType,
    /// Any state stays on `weigh`, when `weight >= hot_above and ratio < hot_above - buffer`
    AnyWeigh,
    /// `idle` or `busy/slow` stays on `weigh`, when `amount > limit or type == daily-logs and strict == true`
    IdleOrSlowWeigh,
    /// `idle` stays on `claim`, when `owner == null or claimed_at != null and claimed_at + patience < now`
    IdleClaimStays,
    /// `idle` stays on `claim`, when `owner == by and maybe != null and maybe`
    IdleClaimStays2,
    /// `busy` stays on `claim`, when `for != null and now - lease > now - for`
    BusyClaim,
    /// Any state except `self` and `busy` → the state in `target` on `jump`, when `target in busy and favourite != target`
    AnyButSelfOrBusyJump,
    /// `self` → the state in `target` on `jump`, when `wish != null and wish in slow and wish == in-progress`
    SelfJump,
    /// `idle` → `busy/fast` on `tick`, when `level > 1`
    IdleTick,
    /// `busy/fast` → `busy/slow/crawling` on `tick`, when `level > 2`
    FastTick,
    /// `busy/slow` → `busy/slow/in-progress` on `tick`, when `level > 3`
    SlowTick,
    /// `busy/slow/in-progress` → `idle` on `tick`, when `level > 9`
    InProgressTick,
    /// `busy/slow/crawling` or `busy/slow/in-progress` stays on `tick`
    CrawlingOrInProgressTick,
    /// `busy` → `self` on `stop`
    BusyStop,
    /// `idle` → `busy/fast` or `self`, directly, when `note == null or name != 'a'`
    IdleToFastOrSelf,
    /// `busy/fast` → `busy/fast`, directly
    FastToFast,
    /// `busy/slow/crawling` → `idle` or `loop`, directly, when `ready`
    CrawlingToIdleOrLoop,
    /// `busy/slow/crawling` → `idle`, directly
    CrawlingToIdle,
    /// `busy` → `idle` on `nest`
    BusyNest,
    /// `busy/fast` → `busy/slow` on `nest`
    FastNest,
    /// `busy` → `self`, directly
    BusyToSelf,
    /// `busy/fast` → `self`, directly
    FastToSelf,
    /// Any state refuses `other`, when `count == count`: never \`\`\`rust panic!() \`\`\`
    AnyOther,
}

::statespec::__row!(
    pub Row, 30, [CreateRefused, CreateToIdle, IdleMoveToBusy, IdleMoveRefused, BusyMove,
    FastMove, AnyButLoopType, BusyType, AnyWeigh, IdleOrSlowWeigh, IdleClaimStays,
    IdleClaimStays2, BusyClaim, AnyButSelfOrBusyJump, SelfJump, IdleTick, FastTick,
    SlowTick, InProgressTick, CrawlingOrInProgressTick, BusyStop, IdleToFastOrSelf,
    FastToFast, CrawlingToIdleOrLoop, CrawlingToIdle, BusyNest, FastNest, BusyToSelf,
    FastToSelf, AnyOther]
);

/// The states of a `showcase`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// \# Not a heading.
    Idle,
    /// The state `fast`.
    ///
    /// The default state of `busy`.
    Fast,
    /// The state `crawling`.
    ///
    /// The default state of `busy/slow`.
    Crawling,
    /// The state `in-progress`.
    ///
    /// Inside `busy/slow`.
    ///
    /// Inferred: Someone \[said\] so.
    InProgress,
    /// A keyword.
    ///
    /// An outcome: the work has ended.
    Self_,
    /// The state `loop`.
    ///
    /// An outcome: the work has ended.
    Loop,
}

::statespec::__unit_enum!(
    pub State, "state", 6, [Idle("idle"), Fast("fast"), Crawling("slow | <down>"),
    InProgress("in-progress"), Self_("self"), Loop("loop")], serde
);

impl State {
    /// The name of the state that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 6] = &[
            "idle",
            "fast",
            "Crawling `along`",
            "in-progress",
            "self",
            "loop",
        ];
        TEXTS[self as usize]
    }

    /// The description of the state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &["# Not a heading", "", "", "", "A keyword.", ""];
        TEXTS[self as usize]
    }
}

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Idle;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Creation,
                    Trigger::Event(EventKind::Create),
                    Target::Refuse("nobody owns nothing"),
                )
                .with_guard("called == 'nobody'"),
            Transition::of(
                    Source::Creation,
                    Trigger::Event(EventKind::Create),
                    Target::To(State::Idle),
                )
                .with_effects(&[EffectKind::Shout]),
            Transition::new(State::Idle, EventKind::Move, State::Fast)
                .with_guard("ready")
                .with_before(&[EffectKind::Shout]),
            Transition::of(
                Source::Leaf(State::Idle),
                Trigger::Event(EventKind::Move),
                Target::Refuse("not \"ready\" <yet> 3"),
            ),
            Transition::of(
                    Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Move),
                    Target::To(State::Fast),
                )
                .memory_first()
                .with_label("move | within"),
            Transition::new(State::Fast, EventKind::Move, State::InProgress)
                .with_guard("quiet and not (ready or done)"),
            Transition::of(
                    Source::AnyBut(&[State::Loop]),
                    Trigger::Event(EventKind::Type),
                    Target::Stay,
                )
                .with_guard("context == 'stop' or note == match")
                .with_effects(&[EffectKind::Tell]),
            Transition::of(
                    Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Type),
                    Target::Stay,
                )
                .with_effects(&[EffectKind::Tell]),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Weigh),
                    Target::Stay,
                )
                .with_guard("weight >= hot_above and ratio < hot_above - buffer"),
            Transition::of(
                    Source::In(&[State::Idle, State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Weigh),
                    Target::Stay,
                )
                .with_guard("amount > limit or type == daily-logs and strict == true"),
            Transition::of(
                    Source::Leaf(State::Idle),
                    Trigger::Event(EventKind::Claim),
                    Target::Stay,
                )
                .with_guard(
                    "owner == null or claimed_at != null and claimed_at + patience < now",
                )
                .with_effects(&[EffectKind::ClaimIt]),
            Transition::of(
                    Source::Leaf(State::Idle),
                    Trigger::Event(EventKind::Claim),
                    Target::Stay,
                )
                .with_guard("owner == by and maybe != null and maybe"),
            Transition::of(
                    Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Claim),
                    Target::Stay,
                )
                .with_guard("for != null and now - lease > now - for"),
            Transition::of(
                    Source::AnyBut(
                        &[State::Fast, State::Crawling, State::InProgress, State::Self_],
                    ),
                    Trigger::Event(EventKind::Jump),
                    Target::Payload("target"),
                )
                .with_guard("target in busy and favourite != target"),
            Transition::of(
                    Source::Leaf(State::Self_),
                    Trigger::Event(EventKind::Jump),
                    Target::Payload("target"),
                )
                .with_guard("wish != null and wish in slow and wish == in-progress"),
            Transition::new(State::Idle, EventKind::Tick, State::Fast)
                .with_guard("level > 1"),
            Transition::new(State::Fast, EventKind::Tick, State::Crawling)
                .with_guard("level > 2"),
            Transition::of(
                    Source::In(&[State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Tick),
                    Target::To(State::InProgress),
                )
                .with_guard("level > 3"),
            Transition::new(State::InProgress, EventKind::Tick, State::Idle)
                .with_guard("level > 9"),
            Transition::of(
                Source::In(&[State::Crawling, State::InProgress]),
                Trigger::Event(EventKind::Tick),
                Target::Stay,
            ),
            Transition::of(
                    Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                    Trigger::Event(EventKind::Stop),
                    Target::To(State::Self_),
                )
                .with_effects(&[EffectKind::Shout]),
            Transition::of(
                    Source::Leaf(State::Idle),
                    Trigger::Direct,
                    Target::OneOf(&[State::Fast, State::Self_]),
                )
                .with_guard("note == null or name != 'a'"),
            Transition::of(
                Source::Leaf(State::Fast),
                Trigger::Direct,
                Target::To(State::Fast),
            ),
            Transition::of(
                    Source::Leaf(State::Crawling),
                    Trigger::Direct,
                    Target::OneOf(&[State::Idle, State::Loop]),
                )
                .with_guard("ready"),
            Transition::of(
                Source::Leaf(State::Crawling),
                Trigger::Direct,
                Target::To(State::Idle),
            ),
            Transition::of(
                Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                Trigger::Event(EventKind::Nest),
                Target::To(State::Idle),
            ),
            Transition::new(State::Fast, EventKind::Nest, State::Crawling)
                .with_doc("Further inside, so it comes first."),
            Transition::of(
                Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                Trigger::Direct,
                Target::To(State::Self_),
            ),
            Transition::of(
                    Source::Leaf(State::Fast),
                    Trigger::Direct,
                    Target::To(State::Self_),
                )
                .with_doc("Further inside, too."),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::Event(EventKind::Other),
                    Target::Refuse("never ```rust panic!() ```"),
                )
                .with_guard("count == count"),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 6] = &[
            &[State::Fast, State::Crawling, State::InProgress, State::Self_],
            &[State::Fast, State::Crawling, State::InProgress, State::Self_],
            &[State::Idle, State::Fast, State::Self_, State::Loop],
            &[State::Idle, State::Fast, State::Self_],
            &State::ALL,
            &[State::Fast, State::Crawling, State::InProgress],
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
            &[
                EventKind::Move,
                EventKind::Type,
                EventKind::Weigh,
                EventKind::Claim,
                EventKind::Jump,
                EventKind::Tick,
            ],
            &[
                EventKind::Move,
                EventKind::Type,
                EventKind::Weigh,
                EventKind::Claim,
                EventKind::Tick,
                EventKind::Stop,
                EventKind::Nest,
            ],
            &[
                EventKind::Move,
                EventKind::Type,
                EventKind::Weigh,
                EventKind::Claim,
                EventKind::Tick,
                EventKind::Stop,
                EventKind::Nest,
            ],
            &[
                EventKind::Move,
                EventKind::Type,
                EventKind::Weigh,
                EventKind::Claim,
                EventKind::Tick,
                EventKind::Stop,
                EventKind::Nest,
            ],
            &[EventKind::Type, EventKind::Weigh, EventKind::Jump],
            &[EventKind::Weigh, EventKind::Jump],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Self_ | State::Loop)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 6] = &[
            None,
            Some(Composite::Busy),
            Some(Composite::Slow),
            Some(Composite::Slow),
            None,
            None,
        ];
        PARENTS[self as usize]
    }

    /// The names of the states around this one and its own, outermost first.
    pub const fn path(self) -> &'static str {
        const PATHS: &[&str; 6] = &[
            "idle",
            "busy/fast",
            "busy/slow/crawling",
            "busy/slow/in-progress",
            "self",
            "loop",
        ];
        PATHS[self as usize]
    }

    /// Whether this state lies inside another.
    pub const fn is_in(self, composite: Composite) -> bool {
        match composite {
            Composite::Busy => {
                matches!(self, State::Fast | State::Crawling | State::InProgress)
            }
            Composite::Slow => matches!(self, State::Crawling | State::InProgress),
        }
    }

    /// A sign.
    pub const fn symbol(self) -> &'static str {
        const VALUES: &[&str; 6] = &["\"", "–", "–", "–", "–", "–"];
        VALUES[self as usize]
    }

    /// How heavy.
    pub const fn weight(self) -> Option<::statespec::Decimal> {
        const VALUES: &[Option<::statespec::Decimal>; 6] = &[
            Some(::statespec::decimal(5, 1)),
            None,
            None,
            None,
            None,
            None,
        ];
        VALUES[self as usize]
    }

    /// The attribute `kinds`.
    pub const fn kinds(self) -> &'static [Kind] {
        const VALUES: &[&[Kind]; 6] = &[
            &[Kind::Self_, Kind::Type],
            &[],
            &[],
            &[],
            &[],
            &[],
        ];
        VALUES[self as usize]
    }

    /// The attribute `leads_to`.
    pub const fn leads_to(self) -> &'static [EventKind] {
        const VALUES: &[&[EventKind]; 6] = &[
            &[EventKind::Move],
            &[],
            &[],
            &[],
            &[],
            &[],
        ];
        VALUES[self as usize]
    }

    /// The attribute `rank`.
    pub const fn rank(self) -> i64 {
        const VALUES: &[i64; 6] = &[0, 1, 1, 1, 0, 0];
        VALUES[self as usize]
    }

    /// The attribute `timeout`.
    pub const fn timeout(self) -> Option<::statespec::Duration> {
        const VALUES: &[Option<::statespec::Duration>; 6] = &[
            None,
            Some(::statespec::Duration::from_seconds(30)),
            None,
            None,
            None,
            None,
        ];
        VALUES[self as usize]
    }

    /// The attribute `twin`.
    pub const fn twin(self) -> Option<State> {
        const VALUES: &[Option<State>; 6] = &[
            None,
            Some(State::Crawling),
            None,
            None,
            None,
            None,
        ];
        VALUES[self as usize]
    }

    /// The attribute `final`.
    pub const fn r#final(self) -> bool {
        const VALUES: &[bool; 6] = &[false, false, false, false, false, true];
        VALUES[self as usize]
    }

    /// Heavy first.
    ///
    /// A stable sort keeps the order of equal items.
    pub fn by_weight(
        self,
        a: &ByWeightItem<'_>,
        b: &ByWeightItem<'_>,
    ) -> ::core::cmp::Ordering {
        Ord::cmp(&b.weight, &a.weight)
            .then_with(|| match self {
                State::Idle => {
                    Ord::cmp(&a.seen, &b.seen).then_with(|| Ord::cmp(&a.title, &b.title))
                }
                State::Fast | State::Crawling | State::InProgress => {
                    Ord::cmp(&b.self_, &a.self_)
                }
                State::Self_ | State::Loop => ::core::cmp::Ordering::Equal,
            })
    }
}

/// States that contain other states; a machine is in one of the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// Working.
    Busy,
    /// The state `slow`.
    ///
    /// Inside `busy`.
    Slow,
}

::statespec::__unit_enum!(
    pub Composite, "composite state", 2, [Busy("busy"), Slow("slow")], serde
);

impl Composite {
    /// The description of the composite state in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Working.", ""];
        TEXTS[self as usize]
    }
}

impl Composite {
    /// The state that entering this one leads to.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 2] = &[State::Fast, State::Crawling];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 2] = &[None, Some(Composite::Busy)];
        PARENTS[self as usize]
    }

    /// The position among all states: after the innermost ones.
    #[doc(hidden)]
    pub const fn node(self) -> u32 {
        State::ALL.len() as u32 + self as u32
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 7];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Busy.node()),
            entry: &[EffectKind::EnterFast],
            exit: &[EffectKind::LeaveFast],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Slow.node()),
            entry: &[],
            exit: &[EffectKind::LeaveFast],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Slow.node()),
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
            entry: &[EffectKind::EnterBusy],
            exit: &[EffectKind::LeaveBusy],
        },
        ::statespec::__private::Node {
            parent: Some(Composite::Busy.node()),
            entry: &[EffectKind::EnterFast],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "showcase";

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
pub enum Event<Text = &'static str, R = u64> {
    /// The event `create`.
    ///
    /// Raised by `gen`.
    Create {
        /// The key of an object outside the machine.
        founder: R,
        /// A text.
        called: Text,
    },
    /// Moves `it`.
    ///
    /// Raised by `self` or `gen`.
    ///
    /// The work is done by `gen`.
    #[serde(alias = "go", alias = "walk")]
    Move,
    /// The event `type`.
    Type {
        /// A payload with the name of a local value.
        context: Text,
        /// A whole number.
        event: i64,
        /// A value of `kind`.
        #[serde(rename = "self")]
        self_: Kind,
        /// A text, or `None`.
        r#match: Option<Text>,
    },
    /// The event `weigh`.
    Weigh {
        /// A decimal number.
        weight: ::statespec::Decimal,
        /// A whole number.
        amount: i64,
    },
    /// The event `claim`.
    Claim {
        /// The key of an object outside the machine.
        by: R,
        /// A moment.
        now: ::statespec::Timestamp,
        /// A duration, or `None`.
        r#for: Option<::statespec::Duration>,
    },
    /// The event `jump`.
    Jump {
        /// A state of this machine.
        target: State,
        /// A state of this machine, or `None`.
        wish: Option<State>,
    },
    /// Settles.
    ///
    /// Fires again until a transition stays or none is enabled.
    Tick {
        /// A whole number.
        level: i64,
    },
    /// The event `stop`.
    Stop,
    /// The event `nest`.
    Nest,
    /// The event `other`.
    Other,
}

impl<Text, R> Event<Text, R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create { .. } => EventKind::Create,
            Event::Move => EventKind::Move,
            Event::Type { .. } => EventKind::Type,
            Event::Weigh { .. } => EventKind::Weigh,
            Event::Claim { .. } => EventKind::Claim,
            Event::Jump { .. } => EventKind::Jump,
            Event::Tick { .. } => EventKind::Tick,
            Event::Stop => EventKind::Stop,
            Event::Nest => EventKind::Nest,
            Event::Other => EventKind::Other,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Event<Text, R> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str, R> {
        match self {
            Event::Create { founder, called } => {
                Event::Create {
                    founder: *founder,
                    called: AsRef::as_ref(called),
                }
            }
            Event::Move => Event::Move,
            Event::Type { context: context_, event: event_, self_, r#match } => {
                Event::Type {
                    context: AsRef::as_ref(context_),
                    event: *event_,
                    self_: *self_,
                    r#match: Option::as_ref(r#match).map(AsRef::as_ref),
                }
            }
            Event::Weigh { weight, amount } => {
                Event::Weigh {
                    weight: *weight,
                    amount: *amount,
                }
            }
            Event::Claim { by, now, r#for } => {
                Event::Claim {
                    by: *by,
                    now: *now,
                    r#for: *r#for,
                }
            }
            Event::Jump { target, wish } => {
                Event::Jump {
                    target: *target,
                    wish: *wish,
                }
            }
            Event::Tick { level } => Event::Tick { level: *level },
            Event::Stop => Event::Stop,
            Event::Nest => Event::Nest,
            Event::Other => Event::Other,
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Create`].
    Create,
    /// See [`Event::Move`].
    Move,
    /// See [`Event::Type`].
    Type,
    /// See [`Event::Weigh`].
    Weigh,
    /// See [`Event::Claim`].
    Claim,
    /// See [`Event::Jump`].
    Jump,
    /// See [`Event::Tick`].
    Tick,
    /// See [`Event::Stop`].
    Stop,
    /// See [`Event::Nest`].
    Nest,
    /// See [`Event::Other`].
    Other,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 10, [Create("create"), Move("move"), Type("type"),
    Weigh("weigh"), Claim("claim"), Jump("jump"), Tick("tick"), Stop("stop"),
    Nest("nest"), Other("other")], ignore_case = false, aliases = [("go",
    EventKind::Move), ("walk", EventKind::Move)], serde
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "create",
            "Move; on",
            "type",
            "weigh",
            "claim",
            "jump",
            "tick",
            "stop",
            "nest",
            "other",
        ];
        TEXTS[self as usize]
    }

    /// The description of the event in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 10] = &[
            "",
            "Moves `it`.",
            "",
            "",
            "",
            "",
            "Settles.",
            "",
            "",
            "",
        ];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// The actors that may raise the event; any actor when empty.
    pub const fn by(self) -> &'static [Actor] {
        const BY: &[&[Actor]; 10] = &[
            &[Actor::Gen],
            &[Actor::Self_, Actor::Gen],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
        ];
        BY[self as usize]
    }

    /// The actor that carries out the work, if not the one that raises the event.
    pub const fn performer(self) -> Option<Actor> {
        const PERFORMERS: &[Option<Actor>; 10] = &[
            None,
            Some(Actor::Gen),
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

    ::statespec::__raised_by!(pub Actor);
}

impl ::statespec::Event for EventKind {
    type Actor = Actor;

    ::statespec::__event!(by, performer);
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::EnterBusy`].
    EnterBusy,
    /// See [`Effect::LeaveBusy`].
    LeaveBusy,
    /// See [`Effect::EnterFast`].
    EnterFast,
    /// See [`Effect::LeaveFast`].
    LeaveFast,
    /// See [`Effect::Tell`].
    Tell,
    /// See [`Effect::ClaimIt`].
    ClaimIt,
    /// See [`Effect::Shout`].
    Shout,
    /// See [`Effect::Unused`].
    Unused,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 8, [EnterBusy("enter_busy"), LeaveBusy("leave_busy"),
    EnterFast("enter_fast"), LeaveFast("leave_fast"), Tell("tell"), ClaimIt("claim_it"),
    Shout("shout"), Unused("unused")], serde
);

impl EffectKind {
    /// The name of the effect that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "enter_busy",
            "leave_busy",
            "enter_fast",
            "leave_fast",
            "Tell",
            "claim_it",
            "shout",
            "unused",
        ];
        TEXTS[self as usize]
    }

    /// The description of the effect in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 8] = &[
            "On the way in.",
            "",
            "",
            "",
            "",
            "",
            "",
            "On no transition.",
        ];
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
pub enum Effect<Text = &'static str, R = u64> {
    /// On the way in.
    EnterBusy,
    /// The effect `leave_busy`.
    ///
    /// The message is `out of {from}`.
    LeaveBusy {
        /// The state before the step; `None` at creation.
        from: Option<State>,
    },
    /// The effect `enter_fast`.
    ///
    /// The message is `{name} {note} {owner} {wanted} {type}: {from} to {to}`.
    EnterFast {
        /// A keyword as a name.
        r#type: Kind,
        /// A text with a default.
        name: Text,
        /// A text, or `None`.
        note: Option<Text>,
        /// The key of an object outside the machine, or `None`.
        owner: Option<R>,
        /// A moment, or `None`.
        claimed_at: Option<::statespec::Timestamp>,
        /// A state of this machine, or `None`.
        wanted: Option<State>,
        /// Counts.
        count: i64,
        /// The state before the step; `None` at creation.
        from: Option<State>,
        /// The state after the step.
        to: State,
    },
    /// The effect `leave_fast`.
    LeaveFast,
    /// Tell.
    ///
    /// The message is `{context} {x} {event} up to 3, {ratio} {maybe}`.
    Tell {
        /// A payload with the name of a local value.
        context: Text,
        /// A whole number.
        event: i64,
        /// A state of this machine.
        favourite: State,
        /// A decimal number.
        ratio: ::statespec::Decimal,
        /// `true` or `false`, or `None`.
        maybe: Option<bool>,
    },
    /// The effect `claim_it`.
    ///
    /// The message is `by {by} for {for}`.
    ClaimIt {
        /// The key of an object outside the machine.
        by: R,
        /// A duration, or `None`.
        r#for: Option<::statespec::Duration>,
    },
    /// The effect `shout`.
    ///
    /// The message is `says "hi "there" {x}"`.
    Shout,
    /// On no transition.
    Unused,
}

impl<Text, R> Effect<Text, R> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::EnterBusy => EffectKind::EnterBusy,
            Effect::LeaveBusy { .. } => EffectKind::LeaveBusy,
            Effect::EnterFast { .. } => EffectKind::EnterFast,
            Effect::LeaveFast => EffectKind::LeaveFast,
            Effect::Tell { .. } => EffectKind::Tell,
            Effect::ClaimIt { .. } => EffectKind::ClaimIt,
            Effect::Shout => EffectKind::Shout,
            Effect::Unused => EffectKind::Unused,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Effect<Text, R> {
    /// The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.
    pub fn borrowed(&self) -> Effect<&str, R> {
        match self {
            Effect::EnterBusy => Effect::EnterBusy,
            Effect::LeaveBusy { from } => Effect::LeaveBusy { from: *from },
            Effect::EnterFast {
                r#type,
                name,
                note,
                owner,
                claimed_at,
                wanted,
                count,
                from,
                to,
            } => {
                Effect::EnterFast {
                    r#type: *r#type,
                    name: AsRef::as_ref(name),
                    note: Option::as_ref(note).map(AsRef::as_ref),
                    owner: *owner,
                    claimed_at: *claimed_at,
                    wanted: *wanted,
                    count: *count,
                    from: *from,
                    to: *to,
                }
            }
            Effect::LeaveFast => Effect::LeaveFast,
            Effect::Tell {
                context: context_,
                event: event_,
                favourite,
                ratio,
                maybe,
            } => {
                Effect::Tell {
                    context: AsRef::as_ref(context_),
                    event: *event_,
                    favourite: *favourite,
                    ratio: *ratio,
                    maybe: *maybe,
                }
            }
            Effect::ClaimIt { by, r#for } => {
                Effect::ClaimIt {
                    by: *by,
                    r#for: *r#for,
                }
            }
            Effect::Shout => Effect::Shout,
            Effect::Unused => Effect::Unused,
        }
    }
}

impl<'e, Text: AsRef<str>, R: Copy> ::statespec::Effects<Event<&'e str, R>>
for Showcase<Text, R> {
    type State = State;

    type Effect<'effect> = Effect<&'effect str, R>
    where
        Self: 'effect,
        Event<&'e str, R>: 'effect;
    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        step: &::statespec::Step<State>,
        event: Option<&Event<&'e str, R>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<&'e str, R>: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::EnterBusy, _) => Effect::EnterBusy,
                (EffectKind::LeaveBusy, _) => {
                    Effect::LeaveBusy {
                        from: step.from(),
                    }
                }
                (EffectKind::EnterFast, _) => {
                    Effect::EnterFast {
                        r#type: self.context.r#type,
                        name: AsRef::<str>::as_ref(&self.context.name),
                        note: self.context.note.as_ref().map(AsRef::<str>::as_ref),
                        owner: self.context.owner,
                        claimed_at: self.context.claimed_at,
                        wanted: self.context.wanted,
                        count: self.context.count,
                        from: step.from(),
                        to: step.to(),
                    }
                }
                (EffectKind::LeaveFast, _) => Effect::LeaveFast,
                (
                    EffectKind::Tell,
                    Some(&Event::Type { context: context_, event: event_, .. }),
                ) => {
                    Effect::Tell {
                        context: context_,
                        event: event_,
                        favourite: self.context.favourite,
                        ratio: self.context.ratio,
                        maybe: self.context.maybe,
                    }
                }
                (EffectKind::ClaimIt, Some(&Event::Claim { by, r#for, .. })) => {
                    Effect::ClaimIt { by, r#for }
                }
                (EffectKind::Shout, _) => Effect::Shout,
                (EffectKind::Unused, _) => Effect::Unused,
                _ => return None,
            },
        )
    }
}

impl<'a, R: Copy + ::core::fmt::Display> Effect<&'a str, R> {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<'a, R> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::LeaveBusy { from } => {
                f.write_fmt(
                    format_args!("out of {}", ::statespec::__private::OrNull(from)),
                )
            }
            Effect::EnterFast { r#type, name, note, owner, wanted, from, to, .. } => {
                f.write_fmt(
                    format_args!(
                        "{} {} {} {} {}: {} to {}",
                        name,
                        ::statespec::__private::OrNull(note),
                        ::statespec::__private::OrNull(owner),
                        ::statespec::__private::OrNull(wanted),
                        r#type,
                        ::statespec::__private::OrNull(from),
                        to,
                    ),
                )
            }
            Effect::Tell { context: context_, event: event_, ratio, maybe, .. } => {
                f.write_fmt(
                    format_args!(
                        "{} {{x}} {} up to 3, {} {}",
                        context_,
                        event_,
                        ratio,
                        ::statespec::__private::OrNull(maybe),
                    ),
                )
            }
            Effect::ClaimIt { by, r#for } => {
                f.write_fmt(
                    format_args!(
                        "by {} for {}",
                        by,
                        ::statespec::__private::OrNull(r#for),
                    ),
                )
            }
            Effect::Shout => f.write_fmt(format_args!("says \"hi \"there\" {{x}}\"")),
            _ => Ok(()),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::EnterBusy => host.enter_busy(),
            Effect::LeaveBusy { from } => {
                host.leave_busy(from, format_args!("{}", self.message()))
            }
            Effect::EnterFast {
                r#type,
                name,
                note,
                owner,
                claimed_at,
                wanted,
                count,
                from,
                to,
            } => {
                host.enter_fast(
                    r#type,
                    name,
                    note,
                    owner,
                    claimed_at,
                    wanted,
                    count,
                    from,
                    to,
                    format_args!("{}", self.message()),
                )
            }
            Effect::LeaveFast => host.leave_fast(),
            Effect::Tell {
                context: context_,
                event: event_,
                favourite,
                ratio,
                maybe,
            } => {
                host.tell(
                    context_,
                    event_,
                    favourite,
                    ratio,
                    maybe,
                    format_args!("{}", self.message()),
                )
            }
            Effect::ClaimIt { by, r#for } => {
                host.claim_it(by, r#for, format_args!("{}", self.message()))
            }
            Effect::Shout => host.shout(format_args!("{}", self.message())),
            Effect::Unused => host.unused(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::EnterBusy => host.enter_busy().await,
            Effect::LeaveBusy { from } => host.leave_busy(from, self.message()).await,
            Effect::EnterFast {
                r#type,
                name,
                note,
                owner,
                claimed_at,
                wanted,
                count,
                from,
                to,
            } => {
                host.enter_fast(
                        r#type,
                        name,
                        note,
                        owner,
                        claimed_at,
                        wanted,
                        count,
                        from,
                        to,
                        self.message(),
                    )
                    .await
            }
            Effect::LeaveFast => host.leave_fast().await,
            Effect::Tell {
                context: context_,
                event: event_,
                favourite,
                ratio,
                maybe,
            } => {
                host.tell(context_, event_, favourite, ratio, maybe, self.message())
                    .await
            }
            Effect::ClaimIt { by, r#for } => {
                host.claim_it(by, r#for, self.message()).await
            }
            Effect::Shout => host.shout(self.message()).await,
            Effect::Unused => host.unused().await,
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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// On the way in.
    fn enter_busy(&mut self) -> Result<(), Self::Error>;

    /// The effect `leave_busy`.
    ///
    /// The message is `out of {from}`.
    fn leave_busy(
        &mut self,
        from: Option<State>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `enter_fast`.
    ///
    /// The message is `{name} {note} {owner} {wanted} {type}: {from} to {to}`.
    #[allow(clippy::too_many_arguments)]
    fn enter_fast(
        &mut self,
        r#type: Kind,
        name: &str,
        note: Option<&str>,
        owner: Option<R>,
        claimed_at: Option<::statespec::Timestamp>,
        wanted: Option<State>,
        count: i64,
        from: Option<State>,
        to: State,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `leave_fast`.
    fn leave_fast(&mut self) -> Result<(), Self::Error>;

    /// Tell.
    ///
    /// The message is `{context} {x} {event} up to 3, {ratio} {maybe}`.
    fn tell(
        &mut self,
        context_: &str,
        event_: i64,
        favourite: State,
        ratio: ::statespec::Decimal,
        maybe: Option<bool>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `claim_it`.
    ///
    /// The message is `by {by} for {for}`.
    fn claim_it(
        &mut self,
        by: R,
        r#for: Option<::statespec::Duration>,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `shout`.
    ///
    /// The message is `says "hi "there" {x}"`.
    fn shout(&mut self, message: ::core::fmt::Arguments<'_>) -> Result<(), Self::Error>;

    /// On no transition.
    fn unused(&mut self) -> Result<(), Self::Error>;

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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<&str, R>) -> Result<(), Self::Error>;

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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect<&str, R>) -> Result<(), Self::Error> {
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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// On the way in.
    fn enter_busy(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `leave_busy`.
    ///
    /// The message is `out of {from}`.
    fn leave_busy(
        &mut self,
        from: Option<State>,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `enter_fast`.
    ///
    /// The message is `{name} {note} {owner} {wanted} {type}: {from} to {to}`.
    #[allow(clippy::too_many_arguments)]
    fn enter_fast(
        &mut self,
        r#type: Kind,
        name: &str,
        note: Option<&str>,
        owner: Option<R>,
        claimed_at: Option<::statespec::Timestamp>,
        wanted: Option<State>,
        count: i64,
        from: Option<State>,
        to: State,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `leave_fast`.
    fn leave_fast(
        &mut self,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Tell.
    ///
    /// The message is `{context} {x} {event} up to 3, {ratio} {maybe}`.
    fn tell(
        &mut self,
        context_: &str,
        event_: i64,
        favourite: State,
        ratio: ::statespec::Decimal,
        maybe: Option<bool>,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `claim_it`.
    ///
    /// The message is `by {by} for {for}`.
    fn claim_it(
        &mut self,
        by: R,
        r#for: Option<::statespec::Duration>,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `shout`.
    ///
    /// The message is `says "hi "there" {x}"`.
    fn shout(
        &mut self,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// On no transition.
    fn unused(
        &mut self,
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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect<&str, R>,
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
        next: &Showcase<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        AsyncHost::store(self, next, change)
    }

    #[inline]
    fn perform(
        &mut self,
        effect: Effect<&str, R>,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>> {
        effect.perform_async(self)
    }

    #[inline]
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The predicates of a `showcase`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str, R = u64> {
    /// Whether \[it\] is ready.
    fn ready(&self, context: &Context<Text, R>) -> bool;

    /// The predicate `quiet`.
    fn quiet(&self, context: &Context<Text, R>, event: &Event<&str, R>) -> bool;
}

/// The actors that raise events, or do the work that events start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The machine itself.
    Self_,
    /// A generator of events.
    Gen,
}

::statespec::__unit_enum!(pub Actor, "actor", 2, [Self_("self"), Gen("gen")], serde);

impl Actor {
    /// The description of the actor in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["The machine itself.", "A generator of events."];
        TEXTS[self as usize]
    }
}

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Itself.
    Self_,
    /// A type.
    Type,
    /// The value `daily-logs`.
    DailyLogs,
}

::statespec::__unit_enum!(
    pub Kind, "kind", 3, [Self_("Self"), Type("type"), DailyLogs("Daily logs")],
    ignore_case = true, aliases = [], serde
);

impl Kind {
    /// The name of the kind that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["its <self>", "type", "daily logs"];
        TEXTS[self as usize]
    }

    /// The description of the kind in the spec.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Itself.", "A type.", ""];
        TEXTS[self as usize]
    }
}

/// An item that the order `by_weight` sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByWeightItem<'e> {
    /// What it is.
    pub kind: Kind,
    /// A decimal number.
    pub weight: ::statespec::Decimal,
    /// A text.
    pub title: &'e str,
    /// A moment, or `None`.
    pub seen: Option<::statespec::Timestamp>,
    /// A whole number.
    pub self_: i64,
}
