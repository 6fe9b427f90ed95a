//! Account.
//!
//! Numbers and times that types of a user hold, wherever a machine reads and writes values.

::statespec::__emitted!(6);

/// Account.
///
/// Numbers and times that types of a user hold, wherever a machine reads and writes values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Account<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Account<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Account { state, context }
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

impl<Text: Clone> Account<Text> {
    /// Creates a machine with `create`.
    pub fn create<P: Predicates<Text> + ?Sized>(
        event: Event<&str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event, predicates)
    }

    /// The same with a context that the caller has prepared.
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    pub fn create_with<P: Predicates<Text> + ?Sized>(
        context: Context<Text>,
        event: Event<&str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let event: Recorded<&str> = From::from(event);
        let machine = Account {
            state: State::INITIAL,
            context,
        };
        let find = || -> Result<Outcome<State>, ::statespec::OutOfRange> {
            Ok(
                match event {
                    Recorded::Create {
                        balance,
                        ..
                    } if <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(balance, "event.balance")? >= 0
                        && <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(balance, "event.balance")? < 1000000 => {
                        Outcome::To(State::Open, Row::Create)
                    }
                    Recorded::Create { .. } => Outcome::NoGuard,
                    _ => Outcome::NoTransition,
                },
            )
        };
        let refuse = |error| {
            Refused::of_event(None, event.kind(), ::statespec::Reason::OutOfRange, None)
                .out_of_range(error)
        };
        let outcome = find().map_err(refuse)?;
        let step = outcome.on_creation(event.kind())?;
        machine
            .fits(&step, &event, predicates)
            .map_err(|error| {
                Refused::of_event(
                        None,
                        event.kind(),
                        ::statespec::Reason::OutOfRange,
                        None,
                    )
                    .out_of_range(error)
            })?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, predicates)
    }

    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text> + ?Sized>(
        &self,
        event: Event<&str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply<P: Predicates<Text> + ?Sized>(
        &mut self,
        event: Event<&str>,
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
        event: Recorded<&str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    #[inline]
    #[allow(unused_variables, clippy::single_match, clippy::collapsible_match)]
    fn fits<P: Predicates<Text> + ?Sized>(
        &self,
        step: &::statespec::Step<State>,
        event: &Recorded<&str>,
        predicates: &P,
    ) -> Result<(), ::statespec::OutOfRange> {
        match (step.row(), *event) {
            (Row::Create, Recorded::Create { balance, at }) => {
                let _ = <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(balance, "event.balance")?
                    .saturating_mul(2);
            }
            (Row::OpenDepositStays, Recorded::Deposit { amount, .. }) => {
                let _ = self
                    .context
                    .balance
                    .saturating_add(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(amount, "event.amount")?,
                    );
                let _ = Some(
                    <i128 as ::statespec::Holds<
                        i64,
                    >>::store_field(self.context.balance, "reserve")?,
                );
            }
            (Row::OpenDrawStays, Recorded::Draw { amount, at }) => {
                if let Some(amount) = amount {
                    let _ = self
                        .context
                        .balance
                        .saturating_sub(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::load_field(amount, "event.amount")?,
                        );
                    let _ = Some(
                        <std::time::SystemTime as ::statespec::Holds<
                            ::statespec::Timestamp,
                        >>::store_field(
                            <std::time::SystemTime as ::statespec::Holds<
                                ::statespec::Timestamp,
                            >>::load_field(at, "event.at")?
                                .saturating_add(PAUSE),
                            "opened_at",
                        )?,
                    );
                }
            }
            (Row::OpenDrawToFrozen, _) => {
                if let Some(reserve) = self.context.reserve {
                    let _ = <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(reserve, "reserve")?;
                    let _ = <jiff::SignedDuration as ::statespec::Holds<
                        ::statespec::Duration,
                    >>::store_field(
                        <jiff::SignedDuration as ::statespec::Holds<
                            ::statespec::Duration,
                        >>::load_field(self.context.waited, "waited")?
                            .saturating_mul(2),
                        "waited",
                    )?;
                }
            }
            (Row::OpenOrFrozenCount, _) => {
                let _ = <i128 as ::statespec::Holds<
                    i64,
                >>::store_field(
                    <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(self.context.step, "step")?
                        .saturating_add(1),
                    "step",
                )?;
            }
            (Row::FrozenCount, _) => {
                let _ = self
                    .context
                    .balance
                    .saturating_add(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(self.context.step, "step")?,
                    );
                let _ = <i128 as ::statespec::Holds<i64>>::store_field(4, "step")?;
            }
            (Row::OpenIdle, _) => {
                let _ = <i128 as ::statespec::Holds<
                    i64,
                >>::store_field(
                    <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(self.context.step, "step")?
                        .saturating_sub(1),
                    "step",
                )?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to<P: Predicates<Text> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        self.direct_step(to, predicates).map(Change::new)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    pub fn transition_to<P: Predicates<Text> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        let step = self.direct_step(to, predicates)?;
        #[allow(clippy::collapsible_match)]
        let mut assign = || -> Result<(), ::statespec::OutOfRange> {
            match step.row() {
                Row::OpenToClosed => {
                    let (new_0, new_1) = (
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(self.context.step, "step")?,
                        Some(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::store_field(self.context.balance, "reserve")?,
                        ),
                    );
                    self.context.balance = new_0;
                    self.context.reserve = new_1;
                }
                Row::FrozenToOpen => {
                    self.context.balance = self.context.balance.saturating_add(1);
                }
                _ => {}
            }
            Ok(())
        };
        let _ = assign();
        self.state = step.to();
        Ok(Change::new(step))
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn direct_step<P: Predicates<Text> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        let refuse = |error| {
            Refused::of_direct(self.state, to, ::statespec::Reason::OutOfRange, None)
                .out_of_range(error)
        };
        let find = || -> Result<
            Result<::statespec::Step<State>, Refused>,
            ::statespec::OutOfRange,
        > {
            use ::statespec::__private::Outcome;
            let outcome = match (self.state, to) {
                (
                    State::Open,
                    State::Closed,
                ) if self.context.balance == 0 && predicates.known(&self.context) => {
                    Outcome::To(State::Closed, Row::OpenToClosed)
                }
                (
                    State::Frozen,
                    State::Open,
                ) if self.context.rate.is_some()
                    && self
                        .context
                        .rate
                        .map(|it| <crate::Exact as ::statespec::Holds<
                            ::statespec::Decimal,
                        >>::load_field(it, "rate"))
                        .transpose()? > Some(::statespec::decimal(5, 1)) => {
                    Outcome::To(State::Open, Row::FrozenToOpen)
                }
                _ => {
                    return Ok(
                        ::statespec::__direct_table!(State, Row, [])
                            .on_direct(self.state, to),
                    );
                }
            };
            Ok(outcome.on_direct(self.state, to))
        };
        let step = find().unwrap_or_else(|error| Err(refuse(error)))?;
        #[allow(unused_variables, clippy::single_match, clippy::collapsible_match)]
        let fits = || -> Result<(), ::statespec::OutOfRange> {
            match step.row() {
                Row::OpenToClosed => {
                    let _ = <i128 as ::statespec::Holds<
                        i64,
                    >>::load_field(self.context.step, "step")?;
                    let _ = Some(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::store_field(self.context.balance, "reserve")?,
                    );
                }
                _ => {}
            }
            Ok(())
        };
        fits().map_err(refuse)?;
        Ok(step)
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Event<&str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
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
        Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by(event, predicates, host);
        timers.after_run(timer, &result, now);
        Some(result)
    }

    fn run_by<P: Predicates<Text> + ?Sized, H: EffectHost<Text> + ?Sized>(
        &mut self,
        event: Recorded<&str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
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
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>>
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

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub fn run_created<H: EffectHost<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text>>::Error>> {
        let event: Recorded<&str> = From::from(event);
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
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        event: Event<&str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    >
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
        Result<Change, ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>>,
    >
    where
        Text: Clone,
    {
        let (event, timer, _): (Recorded<&str>, _, _) = timers.elapsed(self, now)?;
        let result = self.run_by_async(event, predicates, host).await;
        timers.after_run(timer, &result, now);
        Some(result)
    }

    async fn run_by_async<
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        event: Recorded<&str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
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
        P: Predicates<Text> + ?Sized,
        H: AsyncEffectHost<Text> + ?Sized,
    >(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
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

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub async fn run_created_async<H: AsyncEffectHost<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&str>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text>>::Error>,
    > {
        let event: Recorded<&str> = From::from(event);
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

    /// The timers of the current state, each with the time after which it elapses, from the moment when its state was
    /// entered.
    pub fn timers(
        &self,
    ) -> impl ::core::iter::Iterator<Item = (EventKind, ::statespec::Duration)> + '_ {
        ::statespec::__private::running(self)
    }
}

impl<'e, Text: Clone> ::statespec::__private::Input<Event<&'e str>> for Account<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<'e, Text: Clone> ::statespec::__private::Input<Recorded<&'e str>>
for Account<Text> {
    type Recorded = Recorded<&'e str>;
}

impl<
    Text: Clone,
    P: Predicates<Text> + ?Sized,
> ::statespec::__private::Dispatch<Recorded<&str>, P> for Account<Text> {
    type State = State;

    const CONVERTS: bool = true;

    #[inline]
    fn kind(event: &Recorded<&str>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    #[allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]
    fn decide(
        &self,
        event: &Recorded<&str>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        let refuse = |error| {
            Refused::of_event(
                    Some(self.state),
                    event.kind(),
                    ::statespec::Reason::OutOfRange,
                    None,
                )
                .out_of_range(error)
        };
        let find = || -> Result<
            Result<::statespec::Step<State>, Refused>,
            ::statespec::OutOfRange,
        > {
            use ::statespec::__private::Outcome;
            let outcome = match (self.state, *event) {
                (
                    State::Open,
                    Recorded::Deposit { amount, .. },
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(amount, "event.amount")? > 0
                    && self
                        .context
                        .balance
                        .saturating_add(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::load_field(amount, "event.amount")?,
                        ) < 10000000 => Outcome::Stay(Row::OpenDepositStays),
                (
                    State::Open,
                    Recorded::Deposit { amount, .. },
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(amount, "event.amount")? < 0 => {
                    Outcome::Refuse(Row::OpenDepositRefused)
                }
                (
                    State::Open,
                    Recorded::Draw { amount, at },
                ) if amount.is_some()
                    && amount
                        .map(|it| <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(it, "event.amount"))
                        .transpose()? <= Some(self.context.balance)
                    && (self.context.opened_at.is_none()
                        || <std::time::SystemTime as ::statespec::Holds<
                            ::statespec::Timestamp,
                        >>::load_field(at, "event.at")?
                            .saturating_since(
                                self
                                    .context
                                    .opened_at
                                    .map(|it| <std::time::SystemTime as ::statespec::Holds<
                                        ::statespec::Timestamp,
                                    >>::load_field(it, "opened_at"))
                                    .transpose()?
                                    .unwrap_or_default(),
                            )
                            >= <jiff::SignedDuration as ::statespec::Holds<
                                ::statespec::Duration,
                            >>::load_field(self.context.waited, "waited")?) => {
                    Outcome::Stay(Row::OpenDrawStays)
                }
                (
                    State::Open,
                    Recorded::Draw { .. },
                ) if self.context.reserve.is_some() => {
                    Outcome::To(State::Frozen, Row::OpenDrawToFrozen)
                }
                (
                    State::Open,
                    Recorded::Count,
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(self.context.step, "step")? < LIMIT => {
                    Outcome::To(State::Frozen, Row::OpenOrFrozenCount)
                }
                (
                    State::Frozen,
                    Recorded::Count,
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(self.context.step, "step")? < LIMIT => {
                    Outcome::To(State::Frozen, Row::OpenOrFrozenCount)
                }
                (
                    State::Frozen,
                    Recorded::Count,
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(self.context.step, "step")? == LIMIT => {
                    Outcome::To(State::Open, Row::FrozenCount)
                }
                (
                    State::Open,
                    Recorded::Idle,
                ) if <i128 as ::statespec::Holds<
                    i64,
                >>::load_field(self.context.step, "step")? > 1 => {
                    Outcome::Stay(Row::OpenIdle)
                }
                _ => {
                    return Ok(
                        ::statespec::__table!(State, EventKind, Row, [])
                            .on_event(self.state, event.kind()),
                    );
                }
            };
            Ok(outcome.on_event(self.state, event.kind()))
        };
        let step = find().unwrap_or_else(|error| Err(refuse(error)))?;
        self.fits(&step, event, predicates).map_err(refuse)?;
        Ok(step)
    }

    #[inline]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Recorded<&str>,
        predicates: &P,
    ) {
        #[allow(clippy::collapsible_match)]
        let mut assign = || -> Result<(), ::statespec::OutOfRange> {
            match (step.row(), *event) {
                (Row::Create, Recorded::Create { balance, at }) => {
                    let (new_0, new_1, new_2) = (
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(balance, "event.balance")?
                            .saturating_mul(2),
                        Some(at),
                        predicates.known(&self.context),
                    );
                    self.context.balance = new_0;
                    self.context.opened_at = new_1;
                    self.context.trusted = new_2;
                }
                (Row::OpenDepositStays, Recorded::Deposit { amount, .. }) => {
                    let (new_0, new_1) = (
                        self
                            .context
                            .balance
                            .saturating_add(
                                <i128 as ::statespec::Holds<
                                    i64,
                                >>::load_field(amount, "event.amount")?,
                            ),
                        Some(
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::store_field(self.context.balance, "reserve")?,
                        ),
                    );
                    self.context.balance = new_0;
                    self.context.reserve = new_1;
                }
                (Row::OpenDrawStays, Recorded::Draw { amount, at }) => {
                    if let Some(amount) = amount {
                        let (new_0, new_1, new_2) = (
                            self
                                .context
                                .balance
                                .saturating_sub(
                                    <i128 as ::statespec::Holds<
                                        i64,
                                    >>::load_field(amount, "event.amount")?,
                                ),
                            Some(amount),
                            Some(
                                <std::time::SystemTime as ::statespec::Holds<
                                    ::statespec::Timestamp,
                                >>::store_field(
                                    <std::time::SystemTime as ::statespec::Holds<
                                        ::statespec::Timestamp,
                                    >>::load_field(at, "event.at")?
                                        .saturating_add(PAUSE),
                                    "opened_at",
                                )?,
                            ),
                        );
                        self.context.balance = new_0;
                        self.context.reserve = new_1;
                        self.context.opened_at = new_2;
                    }
                }
                (Row::OpenDrawToFrozen, _) => {
                    if let Some(reserve) = self.context.reserve {
                        let (new_0, new_1, new_2) = (
                            <i128 as ::statespec::Holds<
                                i64,
                            >>::load_field(reserve, "reserve")?,
                            None,
                            <jiff::SignedDuration as ::statespec::Holds<
                                ::statespec::Duration,
                            >>::store_field(
                                <jiff::SignedDuration as ::statespec::Holds<
                                    ::statespec::Duration,
                                >>::load_field(self.context.waited, "waited")?
                                    .saturating_mul(2),
                                "waited",
                            )?,
                        );
                        self.context.balance = new_0;
                        self.context.reserve = new_1;
                        self.context.waited = new_2;
                    }
                }
                (Row::OpenOrFrozenCount, _) => {
                    self.context.step = <i128 as ::statespec::Holds<
                        i64,
                    >>::store_field(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(self.context.step, "step")?
                            .saturating_add(1),
                        "step",
                    )?;
                }
                (Row::FrozenCount, _) => {
                    let (new_0, new_1) = (
                        self
                            .context
                            .balance
                            .saturating_add(
                                <i128 as ::statespec::Holds<
                                    i64,
                                >>::load_field(self.context.step, "step")?,
                            ),
                        <i128 as ::statespec::Holds<i64>>::store_field(4, "step")?,
                    );
                    self.context.balance = new_0;
                    self.context.step = new_1;
                }
                (Row::AnyRate, Recorded::Rate { rate, wait }) => {
                    self.context.waited = wait;
                    self.context.rate = rate;
                }
                (Row::OpenIdle, _) => {
                    self.context.step = <i128 as ::statespec::Holds<
                        i64,
                    >>::store_field(
                        <i128 as ::statespec::Holds<
                            i64,
                        >>::load_field(self.context.step, "step")?
                            .saturating_sub(1),
                        "step",
                    )?;
                }
                _ => {}
            }
            Ok(())
        };
        let _ = assign();
        self.state = step.to();
    }

    #[inline]
    fn is_followed(event: &Recorded<&str>) -> bool {
        matches!(event.kind(), EventKind::Count)
    }

    fn follow(
        self,
        first: ::statespec::Step<State>,
        event: &Recorded<&str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::settle(self, first, event, predicates)
    }

    fn plan(&self, event: &Recorded<&str>, predicates: &P) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(
        &mut self,
        event: &Recorded<&str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

impl<Text: Clone> ::statespec::__private::Durations for Account<Text> {
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
                EventKind::FrozenTimeout => {
                    Some(
                        <jiff::SignedDuration as ::statespec::Holds<
                            ::statespec::Duration,
                        >>::load_field(self.context.waited, "waited")?
                            .saturating_add(PAUSE),
                    )
                }
                EventKind::Idle => Some(::statespec::Duration::from_days(1)),
                _ => None,
            },
        )
    }
}

impl<'e, Text: Clone> ::statespec::__private::Elapses<Recorded<&'e str>>
for Account<Text> {
    fn elapsed(timer: EventKind) -> Option<Recorded<&'e str>> {
        match timer {
            EventKind::FrozenTimeout => Some(Recorded::FrozenTimeout),
            EventKind::Idle => Some(Recorded::Idle),
            _ => None,
        }
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The running timers of a machine, with the moments at which they started.
pub type Timers = ::statespec::Timers<State, 2>;

/// The context of an `account`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str> {
    /// A whole number.
    pub balance: i64,
    /// A whole number, or `None`.
    pub reserve: Option<i128>,
    /// A moment, or `None`.
    pub opened_at: Option<std::time::SystemTime>,
    /// A duration.
    pub waited: jiff::SignedDuration,
    /// A decimal number, or `None`.
    pub rate: Option<crate::Exact>,
    /// A whole number.
    pub step: i128,
    /// A text, or `None`.
    pub remark: Option<Text>,
    /// `true` or `false`.
    pub trusted: bool,
}

#[allow(clippy::derivable_impls)]
impl<Text> Default for Context<Text> {
    fn default() -> Self {
        Context {
            balance: 0,
            reserve: None,
            opened_at: None,
            waited: jiff::SignedDuration::from_secs(5),
            rate: None,
            step: 1,
            remark: None,
            trusted: false,
        }
    }
}

/// The constant `limit`.
pub const LIMIT: i64 = 3;

/// The constant `pause`.
pub const PAUSE: ::statespec::Duration = ::statespec::Duration::from_seconds(10);

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `open` on `create`, when `event.balance >= 0 and event.balance < 1000000`
    Create,
    /// `open` stays on `deposit`, when `amount > 0 and balance + amount < 10000000`
    OpenDepositStays,
    /// `open` refuses `deposit`, when `amount < 0`: nothing negative
    OpenDepositRefused,
    /// `open` stays on `draw`, when `amount != null and amount <= balance and (opened_at == null or at - opened_at >= waited)`
    OpenDrawStays,
    /// `open` → `frozen` on `draw`, when `reserve != null`
    OpenDrawToFrozen,
    /// `open` or `frozen` → `frozen` on `count`, when `step < limit`
    OpenOrFrozenCount,
    /// `frozen` → `open` on `count`, when `step == limit`
    FrozenCount,
    /// Any state stays on `rate`
    AnyRate,
    /// `open` → `closed`, directly, when `balance == 0 and known`
    OpenToClosed,
    /// `open` → `frozen`, directly
    OpenToFrozen,
    /// `frozen` → `open`, directly, when `rate != null and rate > 0.5`
    FrozenToOpen,
    /// `frozen` → `open` on `frozen_timeout`
    FrozenTimeout,
    /// `open` stays on `idle`, when `step > 1`
    OpenIdle,
}

::statespec::__row!(
    pub Row, 13, [Create, OpenDepositStays, OpenDepositRefused, OpenDrawStays,
    OpenDrawToFrozen, OpenOrFrozenCount, FrozenCount, AnyRate, OpenToClosed,
    OpenToFrozen, FrozenToOpen, FrozenTimeout, OpenIdle]
);

/// The states of an `account`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `open`.
    Open,
    /// The state `frozen`.
    Frozen,
    /// The state `closed`.
    ///
    /// An outcome: the work has ended.
    Closed,
}

::statespec::__unit_enum!(
    pub State, "state", 3, [Open("open"), Frozen("frozen"), Closed("closed")]
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Open;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Creation,
                    Trigger::Event(EventKind::Create),
                    Target::To(State::Open),
                )
                .with_guard("event.balance >= 0 and event.balance < 1000000"),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Deposit),
                    Target::Stay,
                )
                .with_guard("amount > 0 and balance + amount < 10000000")
                .with_effects(&[EffectKind::Report]),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Deposit),
                    Target::Refuse("nothing negative"),
                )
                .with_guard("amount < 0"),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Draw),
                    Target::Stay,
                )
                .with_guard(
                    "amount != null and amount <= balance and (opened_at == null or at - opened_at >= waited)",
                )
                .with_effects(&[EffectKind::Note]),
            Transition::new(State::Open, EventKind::Draw, State::Frozen)
                .with_guard("reserve != null"),
            Transition::of(
                    Source::In(&[State::Open, State::Frozen]),
                    Trigger::Event(EventKind::Count),
                    Target::To(State::Frozen),
                )
                .with_guard("step < limit"),
            Transition::new(State::Frozen, EventKind::Count, State::Open)
                .with_guard("step == limit"),
            Transition::of(
                Source::AnyBut(&[]),
                Trigger::Event(EventKind::Rate),
                Target::Stay,
            ),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Direct,
                    Target::To(State::Closed),
                )
                .with_guard("balance == 0 and known"),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Direct,
                Target::To(State::Frozen),
            ),
            Transition::of(
                    Source::Leaf(State::Frozen),
                    Trigger::Direct,
                    Target::To(State::Open),
                )
                .with_guard("rate != null and rate > 0.5"),
            Transition::new(State::Frozen, EventKind::FrozenTimeout, State::Open),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Idle),
                    Target::Stay,
                )
                .with_guard("step > 1"),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 3] = &[
            &[State::Frozen, State::Closed],
            &[State::Open, State::Frozen],
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
        const LISTS: &[&[EventKind]; 3] = &[
            &[
                EventKind::Deposit,
                EventKind::Draw,
                EventKind::Count,
                EventKind::Rate,
                EventKind::Idle,
            ],
            &[EventKind::Count, EventKind::Rate, EventKind::FrozenTimeout],
            &[EventKind::Rate],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Closed)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Closed)
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 4];

    const CONVERTED: &'static [&'static str] = &[
        "reserve",
        "opened_at",
        "waited",
        "rate",
        "step",
        "event.amount",
        "event.at",
        "event.balance",
        "event.rate",
        "event.wait",
    ];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
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
            EventKind::FrozenTimeout,
            &[State::Frozen as u32],
        ),
        ::statespec::__private::Timer::new(EventKind::Idle, &[State::Open as u32]),
    ];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "account";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Create];

    ::statespec::__state!(events);
}

/// An event that a caller can raise, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<Text = &'static str> {
    /// The event `create`.
    Create {
        /// A whole number.
        balance: i128,
        /// A moment.
        at: std::time::SystemTime,
    },
    /// The event `deposit`.
    Deposit {
        /// A whole number.
        amount: i128,
        /// A text.
        why: Text,
    },
    /// The event `draw`.
    Draw {
        /// A whole number, or `None`.
        amount: Option<i128>,
        /// A moment.
        at: std::time::SystemTime,
    },
    /// The event `count`.
    ///
    /// Fires again until a transition stays or none is enabled.
    Count,
    /// The event `rate`.
    Rate {
        /// A decimal number, or `None`.
        rate: Option<crate::Exact>,
        /// A duration.
        wait: jiff::SignedDuration,
    },
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Create { .. } => EventKind::Create,
            Event::Deposit { .. } => EventKind::Deposit,
            Event::Draw { .. } => EventKind::Draw,
            Event::Count => EventKind::Count,
            Event::Rate { .. } => EventKind::Rate,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Create { balance, at } => {
                Event::Create {
                    balance: *balance,
                    at: *at,
                }
            }
            Event::Deposit { amount, why } => {
                Event::Deposit {
                    amount: *amount,
                    why: AsRef::as_ref(why),
                }
            }
            Event::Draw { amount, at } => {
                Event::Draw {
                    amount: *amount,
                    at: *at,
                }
            }
            Event::Count => Event::Count,
            Event::Rate { rate, wait } => {
                Event::Rate {
                    rate: *rate,
                    wait: *wait,
                }
            }
        }
    }
}

/// What has happened, as a history records it: an event with the data that it carries, or a timer that has elapsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded<Text = &'static str> {
    /// See [`Event::Create`].
    Create {
        /// A whole number.
        balance: i128,
        /// A moment.
        at: std::time::SystemTime,
    },
    /// See [`Event::Deposit`].
    Deposit {
        /// A whole number.
        amount: i128,
        /// A text.
        why: Text,
    },
    /// See [`Event::Draw`].
    Draw {
        /// A whole number, or `None`.
        amount: Option<i128>,
        /// A moment.
        at: std::time::SystemTime,
    },
    /// See [`Event::Count`].
    Count,
    /// See [`Event::Rate`].
    Rate {
        /// A decimal number, or `None`.
        rate: Option<crate::Exact>,
        /// A duration.
        wait: jiff::SignedDuration,
    },
    /// The timer `frozen_timeout`: after waited + 10s.
    FrozenTimeout,
    /// The timer `idle`: after 1d.
    Idle,
}

impl<Text> Recorded<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Recorded::Create { .. } => EventKind::Create,
            Recorded::Deposit { .. } => EventKind::Deposit,
            Recorded::Draw { .. } => EventKind::Draw,
            Recorded::Count => EventKind::Count,
            Recorded::Rate { .. } => EventKind::Rate,
            Recorded::FrozenTimeout => EventKind::FrozenTimeout,
            Recorded::Idle => EventKind::Idle,
        }
    }
}

impl<Text: AsRef<str>> Recorded<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Recorded<&str> {
        match self {
            Recorded::Create { balance, at } => {
                Recorded::Create {
                    balance: *balance,
                    at: *at,
                }
            }
            Recorded::Deposit { amount, why } => {
                Recorded::Deposit {
                    amount: *amount,
                    why: AsRef::as_ref(why),
                }
            }
            Recorded::Draw { amount, at } => {
                Recorded::Draw {
                    amount: *amount,
                    at: *at,
                }
            }
            Recorded::Count => Recorded::Count,
            Recorded::Rate { rate, wait } => {
                Recorded::Rate {
                    rate: *rate,
                    wait: *wait,
                }
            }
            Recorded::FrozenTimeout => Recorded::FrozenTimeout,
            Recorded::Idle => Recorded::Idle,
        }
    }
}

impl<Text> From<Event<Text>> for Recorded<Text> {
    #[inline]
    fn from(event: Event<Text>) -> Self {
        match event {
            Event::Create { balance, at } => Recorded::Create { balance, at },
            Event::Deposit { amount, why } => Recorded::Deposit { amount, why },
            Event::Draw { amount, at } => Recorded::Draw { amount, at },
            Event::Count => Recorded::Count,
            Event::Rate { rate, wait } => Recorded::Rate { rate, wait },
        }
    }
}

/// The names of the events and of the timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Create`].
    Create,
    /// See [`Event::Deposit`].
    Deposit,
    /// See [`Event::Draw`].
    Draw,
    /// See [`Event::Count`].
    Count,
    /// See [`Event::Rate`].
    Rate,
    /// The timer `frozen_timeout`: after waited + 10s.
    FrozenTimeout,
    /// The timer `idle`: after 1d.
    Idle,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 7, [Create("create"), Deposit("deposit"), Draw("draw"),
    Count("count"), Rate("rate"), FrozenTimeout("frozen_timeout"), Idle("idle")]
);

impl EventKind {
    /// The name of the event that a person reads.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 7] = &[
            "create",
            "deposit",
            "draw",
            "count",
            "rate",
            "after waited + 10s",
            "after 1d",
        ];
        TEXTS[self as usize]
    }
}

impl EventKind {
    /// Whether this is a timer: it elapses, and nobody raises it.
    pub const fn is_timer(self) -> bool {
        matches!(self, EventKind::FrozenTimeout | EventKind::Idle)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;

    ::statespec::__event!(is_timer);
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Report`].
    Report,
    /// See [`Effect::Note`].
    Note,
}

::statespec::__unit_enum!(pub EffectKind, "effect", 2, [Report("report"), Note("note")]);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The effect `report`.
    ///
    /// The message is `{amount} of {balance} since {opened_at}, waited {waited}`.
    Report {
        /// A whole number.
        amount: i128,
        /// A whole number.
        balance: i64,
        /// A moment, or `None`.
        opened_at: Option<std::time::SystemTime>,
        /// A duration.
        waited: jiff::SignedDuration,
    },
    /// The effect `note`.
    Note {
        /// A whole number.
        balance: i64,
        /// A whole number, or `None`.
        reserve: Option<i128>,
    },
}

impl Effect {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Report { .. } => EffectKind::Report,
            Effect::Note { .. } => EffectKind::Note,
        }
    }
}

impl<'e, Text> ::statespec::Effects<Recorded<&'e str>> for Account<Text> {
    type State = State;

    type Effect<'effect> = Effect where Self: 'effect, Recorded<&'e str>: 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        event: Option<&Recorded<&'e str>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Recorded<&'e str>: 'effect,
    {
        Some(
            match (kind, event) {
                (EffectKind::Report, Some(&Recorded::Deposit { amount, .. })) => {
                    Effect::Report {
                        amount,
                        balance: self.context.balance,
                        opened_at: self.context.opened_at,
                        waited: self.context.waited,
                    }
                }
                (EffectKind::Note, _) => {
                    Effect::Note {
                        balance: self.context.balance,
                        reserve: self.context.reserve,
                    }
                }
                _ => return None,
            },
        )
    }
}

impl Effect {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::Report { amount, balance, opened_at, waited } => {
                f.write_fmt(
                    format_args!(
                        "{} of {} since {}, waited {}",
                        ::statespec::__private::Shown(
                            <i128 as ::statespec::Holds<i64>>::load(amount),
                        ),
                        balance,
                        ::statespec::__private::OrNull(
                            opened_at
                                .map(|it| ::statespec::__private::Shown(
                                    <std::time::SystemTime as ::statespec::Holds<
                                        ::statespec::Timestamp,
                                    >>::load(it),
                                )),
                        ),
                        ::statespec::__private::Shown(
                            <jiff::SignedDuration as ::statespec::Holds<
                                ::statespec::Duration,
                            >>::load(waited),
                        ),
                    ),
                )
            }
            _ => Ok(()),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, H: Host<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text>>::Error> {
        match self {
            Effect::Report { amount, balance, opened_at, waited } => {
                host.report(
                    amount,
                    balance,
                    opened_at,
                    waited,
                    format_args!("{}", self.message()),
                )
            }
            Effect::Note { balance, reserve } => host.note(balance, reserve),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, H: AsyncHost<Text> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text>>::Error> {
        match self {
            Effect::Report { amount, balance, opened_at, waited } => {
                host.report(amount, balance, opened_at, waited, self.message()).await
            }
            Effect::Note { balance, reserve } => host.note(balance, reserve).await,
        }
    }
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Account<Text>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `report`.
    ///
    /// The message is `{amount} of {balance} since {opened_at}, waited {waited}`.
    fn report(
        &mut self,
        amount: i128,
        balance: i64,
        opened_at: Option<std::time::SystemTime>,
        waited: jiff::SignedDuration,
        message: ::core::fmt::Arguments<'_>,
    ) -> Result<(), Self::Error>;

    /// The effect `note`.
    fn note(&mut self, balance: i64, reserve: Option<i128>) -> Result<(), Self::Error>;

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
    fn store(
        &mut self,
        next: &Account<Text>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, H: Host<Text> + ?Sized> EffectHost<Text> for H {
    type Error = <H as Host<Text>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Account<Text>,
        change: &Change,
    ) -> Result<(), Self::Error> {
        Host::store(self, next, change)
    }

    #[inline]
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error> {
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
        next: &Account<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `report`.
    ///
    /// The message is `{amount} of {balance} since {opened_at}, waited {waited}`.
    fn report(
        &mut self,
        amount: i128,
        balance: i64,
        opened_at: Option<std::time::SystemTime>,
        waited: jiff::SignedDuration,
        message: impl ::core::fmt::Display,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `note`.
    fn note(
        &mut self,
        balance: i64,
        reserve: Option<i128>,
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
        next: &Account<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Performs an effect.
    fn perform(
        &mut self,
        effect: Effect,
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
        next: &Account<Text>,
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
    fn observe(&mut self, attempt: &::statespec::Attempt<'_, State>) {
        AsyncHost::observe(self, attempt)
    }
}

/// The predicates of an `account`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str> {
    /// The holder is known.
    fn known(&self, context: &Context<Text>) -> bool;
}
