//! Purse.
//!
//! Divisions wherever a step can divide, lengths of texts, and timestamps.

::statespec::__emitted!(6);

/// Purse.
///
/// Divisions wherever a step can divide, lengths of texts, and timestamps.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Purse<Text = &'static str> {
    state: State,
    context: Context<Text>,
}

impl<Text> Purse<Text> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text>) -> Self {
        Purse { state, context }
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

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
> Purse<Text> {
    /// Creates a machine with `make` or `find`.
    pub fn create<P: Predicates<Text> + ?Sized>(
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::create_with(Default::default(), event, predicates)
    }

    /// The same with a context that the caller has prepared.
    #[allow(clippy::redundant_guards)]
    pub fn create_with<P: Predicates<Text> + ?Sized>(
        context: Context<Text>,
        event: Event<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        use ::statespec::__private::Outcome;
        let machine = Purse {
            state: State::INITIAL,
            context,
        };
        let outcome = match event {
            Event::Make { by, .. } if by == 0 => Outcome::DivisionByZero,
            Event::Make {
                by,
                ..
            } if ::statespec::__private::quotient(100i64, by) > 3 => {
                Outcome::To(State::Open, Row::MakeToOpen)
            }
            Event::Make { paid, .. } if paid == ::statespec::decimal(0, 0) => {
                Outcome::DivisionByZero
            }
            Event::Make { .. } => Outcome::To(State::Split, Row::MakeToSplit),
            Event::Find { by, .. } if by.saturating_sub(1) == 0 => {
                Outcome::DivisionByZero
            }
            Event::Find { to, .. } => Outcome::To(to, Row::Find),
            _ => Outcome::NoTransition,
        };
        let step = outcome.on_creation(event.kind())?;
        ::statespec::__private::Dispatch::follow(machine, step, &event, predicates)
    }

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
        match step.row() {
            Row::OpenToEmptyOrGone => {
                self.context.share = ::statespec::__private::remainder(
                    self.context.coins,
                    self.context.share,
                );
            }
            Row::EmptyToOpen => {
                self.context.price = ::statespec::__private::quotient(
                    self.context.price,
                    self.context.rate.saturating_sub(::statespec::decimal(1, 0)),
                );
            }
            _ => {}
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn direct_step<P: Predicates<Text> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let _ = predicates;
        let outcome = match (self.state, to) {
            (State::Open, State::Empty) if self.context.share == 0 => {
                Outcome::DivisionByZero
            }
            (
                State::Open,
                State::Empty,
            ) if ::statespec::__private::quotient(self.context.coins, self.context.share)
                == 2 => Outcome::To(State::Empty, Row::OpenToEmpty),
            (State::Open, State::Empty) if self.context.share == 0 => {
                Outcome::DivisionByZero
            }
            (State::Open, State::Empty) => {
                Outcome::To(State::Empty, Row::OpenToEmptyOrGone)
            }
            (State::Open, State::Gone) if self.context.share == 0 => {
                Outcome::DivisionByZero
            }
            (State::Open, State::Gone) => {
                Outcome::To(State::Gone, Row::OpenToEmptyOrGone)
            }
            (
                State::Empty,
                State::Open,
            ) if self.context.rate.saturating_sub(::statespec::decimal(1, 0))
                == ::statespec::decimal(0, 0) => Outcome::DivisionByZero,
            (State::Empty, State::Open) => Outcome::To(State::Open, Row::EmptyToOpen),
            _ => {
                return ::statespec::__direct_table!(State, Row, [])
                    .on_direct(self.state, to);
            }
        };
        outcome.on_direct(self.state, to)
    }

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub fn run<P: Predicates<Text> + ?Sized, H: Host<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub fn run_to<P: Predicates<Text> + ?Sized, H: Host<Text> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host<Text>>::Error>>
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
            |_, _, effect, _| match effect {},
        );
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub fn run_created<H: Host<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host<Text>>::Error>> {
        let run = ::statespec::__private::Run::created(self, change);
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
    pub async fn run_async<P: Predicates<Text> + ?Sized, H: AsyncHost<Text> + ?Sized>(
        &mut self,
        event: Event<&'e str>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let planned = ::statespec::__private::copy_after(self, None, &event, predicates);
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub async fn run_to_async<P: Predicates<Text> + ?Sized, H: AsyncHost<Text> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost<Text>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to, predicates).map(|change| (next, change));
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
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
        result
    }

    /// Completes the creation of this machine with a host: performs `before` effects, stores, performs the other effects.
    ///
    /// Takes the event that created it, and the change. A machine whose run failed before it `moved` was not created.
    pub async fn run_created_async<H: AsyncHost<Text> + ?Sized>(
        &self,
        change: Change,
        event: Event<&'e str>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost<Text>>::Error>> {
        let mut run = ::statespec::__private::Run::created(self, change);
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

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
> ::statespec::__private::Input<Event<&'e str>> for Purse<Text> {
    type Recorded = Event<&'e str>;
}

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    P: Predicates<Text> + ?Sized,
> ::statespec::__private::Dispatch<Event<&'e str>, P> for Purse<Text> {
    type State = State;

    #[inline]
    fn kind(event: &Event<&'e str>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[allow(
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::redundant_guards
    )]
    fn decide(
        &self,
        event: &Event<&'e str>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Open, Event::Put { by }) if by == 0 => Outcome::DivisionByZero,
            (State::Open, Event::Put { .. }) => Outcome::Stay(Row::OpenPut),
            (
                State::Empty | State::Gone,
                Event::Put { by },
            ) if ::statespec::__private::quotient(self.context.coins, N_OWNERS) <= 1
                && by == 0 => Outcome::DivisionByZero,
            (State::Empty | State::Gone, Event::Put { .. }) => Outcome::Stay(Row::AnyPut),
            (
                State::Open,
                Event::Halve { by, .. },
            ) if by == 0
                || ::statespec::__private::quotient(self.context.coins, by) > 3
                    && (self.context.rest.is_some() && self.context.rest == Some(0)) => {
                Outcome::DivisionByZero
            }
            (
                State::Open,
                Event::Halve { by, .. },
            ) if ::statespec::__private::quotient(self.context.coins, by) > 3
                && !(self.context.rest.is_some()
                    && ::statespec::__private::remainder(
                        self.context.coins,
                        self.context.rest.unwrap_or_default(),
                    ) == 1) && self.context.rate == ::statespec::decimal(0, 0) => {
                Outcome::DivisionByZero
            }
            (
                State::Open,
                Event::Halve { by, .. },
            ) if ::statespec::__private::quotient(self.context.coins, by) > 3
                && !(self.context.rest.is_some()
                    && ::statespec::__private::remainder(
                        self.context.coins,
                        self.context.rest.unwrap_or_default(),
                    ) == 1) => Outcome::To(State::Split, Row::OpenHalveToSplit),
            (
                State::Open,
                Event::Halve { by, paid },
            ) if by != 0 && paid >= ::statespec::decimal(5, 1) => {
                Outcome::Stay(Row::OpenHalveStays)
            }
            (
                State::Open,
                Event::Halve { .. },
            ) if self.context.rest.is_some()
                && predicates.may_split(&self.context, event)
                && self.context.rest == Some(0) => Outcome::DivisionByZero,
            (
                State::Open,
                Event::Halve { .. },
            ) if self.context.rest.is_some()
                && predicates.may_split(&self.context, event) => {
                Outcome::Stay(Row::OpenOrSplitHalve)
            }
            (
                State::Split,
                Event::Halve { .. },
            ) if self.context.rest.is_some()
                && predicates.may_split(&self.context, event)
                && self.context.rest == Some(0) => Outcome::DivisionByZero,
            (
                State::Split,
                Event::Halve { .. },
            ) if self.context.rest.is_some()
                && predicates.may_split(&self.context, event) => {
                Outcome::Stay(Row::OpenOrSplitHalve)
            }
            (
                State::Open,
                Event::Write { text, .. },
            ) if ::statespec::__private::len(text) <= ::statespec::__private::len(MOTTO)
                && ::statespec::__private::len(AsRef::<str>::as_ref(&self.context.note))
                    < 2 && ::statespec::__private::len(text) == 0 => {
                Outcome::DivisionByZero
            }
            (
                State::Open,
                Event::Write { text, .. },
            ) if ::statespec::__private::len(text) <= ::statespec::__private::len(MOTTO)
                && ::statespec::__private::len(AsRef::<str>::as_ref(&self.context.note))
                    < 2 => Outcome::Stay(Row::OpenWriteStays),
            (
                State::Open,
                Event::Write { more, .. },
            ) if self.context.remark.is_some()
                && ::statespec::__private::len(
                    self
                        .context
                        .remark
                        .as_ref()
                        .map(AsRef::<str>::as_ref)
                        .unwrap_or_default(),
                ) == 1 && more.is_some() => Outcome::Stay(Row::OpenWriteStays2),
            (
                State::Open,
                Event::Tick { now },
            ) if now >= LAUNCH
                && now < ::statespec::Timestamp::from_micros(1769907600000000) => {
                Outcome::To(State::Split, Row::OpenTickToSplit)
            }
            (State::Open, Event::Tick { now }) if now != self.context.since => {
                Outcome::Stay(Row::OpenTickStays)
            }
            (
                State::Open,
                Event::Drain { by },
            ) if self.context.share != 2
                && by.saturating_sub(self.context.share) == 0 => Outcome::DivisionByZero,
            (State::Open, Event::Drain { .. }) if self.context.share != 2 => {
                Outcome::To(State::Split, Row::OpenDrain)
            }
            (State::Split, Event::Drain { .. }) if self.context.share == 0 => {
                Outcome::DivisionByZero
            }
            (
                State::Split,
                Event::Drain { by },
            ) if ::statespec::__private::quotient(10i64, self.context.share) > by => {
                Outcome::To(State::Open, Row::SplitDrainToOpen)
            }
            (State::Split, Event::Drain { by }) if by.saturating_add(1) == 0 => {
                Outcome::DivisionByZero
            }
            (State::Split, Event::Drain { .. }) => {
                Outcome::To(State::Empty, Row::SplitDrainToEmpty)
            }
            (State::Split, Event::Spend { by }) if by == 0 => Outcome::DivisionByZero,
            (
                State::Split,
                Event::Spend { by },
            ) if ::statespec::__private::remainder(self.context.coins, by) != 0 => {
                Outcome::Refuse(Row::SplitSpendRefused)
            }
            (State::Split, Event::Spend { by }) if by <= 0 && by == 0 => {
                Outcome::DivisionByZero
            }
            (
                State::Split,
                Event::Spend { by },
            ) if by > 0
                || ::statespec::__private::quotient(self.context.coins, by) < -1 => {
                Outcome::To(State::Empty, Row::SplitSpendToEmpty)
            }
            (
                State::Split | State::Empty,
                Event::Send { by, .. },
            ) if self.context.share.saturating_add(by) == 0 => Outcome::DivisionByZero,
            (State::Split | State::Empty, Event::Send { to, .. }) => {
                Outcome::To(to, Row::SplitOrEmptySend)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
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
        event: &Event<&'e str>,
        _predicates: &P,
    ) {
        match (step.row(), *event) {
            (Row::MakeToOpen, Event::Make { by, paid }) => {
                self.context.coins = ::statespec::__private::quotient(100i64, by);
                self.context.price = ::statespec::__private::quotient(paid, FEE);
            }
            (Row::MakeToSplit, Event::Make { by, paid }) => {
                self.context.coins = ::statespec::__private::remainder(by, N_OWNERS);
                self.context.rate = ::statespec::__private::quotient(
                    self.context.price,
                    paid,
                );
            }
            (Row::Find, Event::Find { by, .. }) => {
                self.context.share = ::statespec::__private::quotient(
                    self.context.coins,
                    by.saturating_sub(1),
                );
            }
            (Row::OpenPut, Event::Put { by }) => {
                self.context.share = ::statespec::__private::quotient(
                    self.context.coins,
                    by,
                );
                self.context.rest = Some(
                    ::statespec::__private::remainder(self.context.coins, by),
                );
            }
            (Row::AnyPut, Event::Put { by }) => {
                self.context.flag = ::statespec::__private::quotient(
                    self.context.coins,
                    N_OWNERS,
                ) > 1 || ::statespec::__private::quotient(1i64, by) == 1;
            }
            (Row::OpenHalveToSplit, Event::Halve { by, paid }) => {
                let (new_0, new_1) = (
                    ::statespec::__private::remainder(paid, self.context.rate),
                    ::statespec::__private::quotient(
                        self.context.price,
                        <::statespec::Decimal as From<i64>>::from(by),
                    ),
                );
                self.context.price = new_0;
                self.context.rate = new_1;
            }
            (Row::OpenHalveStays, Event::Halve { by, paid }) => {
                self.context.share = ::statespec::__private::quotient(
                    self.context.coins,
                    by,
                );
                self.context.rate = ::statespec::__private::quotient(
                        ::statespec::decimal(1, 0),
                        paid,
                    )
                    .saturating_sub(
                        ::statespec::__private::quotient(self.context.price, FEE),
                    );
            }
            (Row::OpenOrSplitHalve, Event::Halve { paid, .. }) => {
                if let Some(rest) = self.context.rest {
                    self.context.share = ::statespec::__private::quotient(
                        self.context.coins,
                        rest,
                    );
                    self.context.rate = ::statespec::__private::quotient(
                        paid,
                        <::statespec::Decimal as From<i64>>::from(rest),
                    );
                }
            }
            (Row::SplitSpendToEmpty, Event::Spend { by }) => {
                self.context.coins = self.context.coins.saturating_sub(by);
            }
            (Row::OpenWriteStays, Event::Write { text, .. }) => {
                self.context.share = ::statespec::__private::len(text).saturating_sub(1);
                self.context.rest = Some(
                    ::statespec::__private::quotient(
                        10i64,
                        ::statespec::__private::len(text),
                    ),
                );
                self.context.note = From::from(text);
            }
            (Row::OpenWriteStays2, Event::Write { more, .. }) => {
                if let (Some(remark), Some(more)) = (&self.context.remark, more) {
                    self.context.coins = ::statespec::__private::len(
                            AsRef::<str>::as_ref(remark),
                        )
                        .saturating_mul(::statespec::__private::len(more));
                    self.context.remark = Some(From::from(more));
                }
            }
            (Row::OpenWriteStays3, Event::Write { more, .. }) => {
                self.context.remark = more.map(From::from);
            }
            (Row::OpenTickToSplit, Event::Tick { now }) => {
                self.context.since = now;
                self.context.metal = Metal::Silver;
            }
            (Row::OpenTickStays, _) => {
                self.context.since = ::statespec::Timestamp::from_micros(-999999);
            }
            (Row::SplitOrEmptySend, Event::Send { by, .. }) => {
                self.context.coins = ::statespec::__private::quotient(
                    self.context.coins,
                    self.context.share.saturating_add(by),
                );
            }
            (Row::OpenDrain, Event::Drain { by }) => {
                self.context.share = ::statespec::__private::quotient(
                    6i64,
                    by.saturating_sub(self.context.share),
                );
            }
            (Row::SplitDrainToOpen, _) => {
                self.context.share = self.context.share.saturating_sub(1);
            }
            (Row::SplitDrainToEmpty, Event::Drain { by }) => {
                self.context.share = ::statespec::__private::quotient(
                    self.context.coins,
                    by.saturating_add(1),
                );
            }
            _ => {}
        }
        self.state = step.to();
    }

    #[inline]
    fn is_followed(event: &Event<&'e str>) -> bool {
        matches!(event.kind(), EventKind::Drain)
    }

    fn follow(
        self,
        first: ::statespec::Step<State>,
        event: &Event<&'e str>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        ::statespec::__private::settle(self, first, event, predicates)
    }

    fn plan(&self, event: &Event<&'e str>, predicates: &P) -> Result<Change, Refused> {
        ::statespec::__private::plan_on_copy(self, event, predicates)
    }

    fn apply(
        &mut self,
        event: &Event<&'e str>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::__private::apply_on_copy(self, event, predicates)
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `purse`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str> {
    /// A whole number.
    pub coins: i64,
    /// A whole number.
    pub share: i64,
    /// A whole number, or `None`.
    pub rest: Option<i64>,
    /// A decimal number.
    pub price: ::statespec::Decimal,
    /// A decimal number.
    pub rate: ::statespec::Decimal,
    /// A text.
    pub note: Text,
    /// A text, or `None`.
    pub remark: Option<Text>,
    /// A moment.
    pub since: ::statespec::Timestamp,
    /// `true` or `false`.
    pub flag: bool,
    /// A value of `metal`.
    pub metal: Metal,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral> Default for Context<Text> {
    fn default() -> Self {
        Context {
            coins: 7,
            share: 0,
            rest: None,
            price: ::statespec::decimal(250, 2),
            rate: ::statespec::decimal(1, 0),
            note: ::statespec::FromLiteral::from_literal(""),
            remark: None,
            since: ::statespec::Timestamp::from_micros(1767225600500000),
            flag: false,
            metal: Metal::Gold,
        }
    }
}

/// The constant `n_owners`.
pub const N_OWNERS: i64 = 3;

/// The constant `fee`.
pub const FEE: ::statespec::Decimal = ::statespec::decimal(25, 2);

/// The day of 3 owners.
pub const LAUNCH: ::statespec::Timestamp = ::statespec::Timestamp::from_micros(
    1769860800000000,
);

/// The constant `motto`.
pub const MOTTO: &str = "haste";

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Creation → `open` on `make`, when `100 / by > 3`
    MakeToOpen,
    /// Creation → `split` on `make`
    MakeToSplit,
    /// Creation → the state in `to` on `find`
    Find,
    /// `open` stays on `put`
    OpenPut,
    /// `split` → `open` on `put`
    SplitPut,
    /// Any state stays on `put`
    AnyPut,
    /// `open` → `split` on `halve`, when `coins / by > 3 and not (rest != null and coins % rest == 1)`
    OpenHalveToSplit,
    /// `open` stays on `halve`, when `by != 0 and paid >= 0.5`
    OpenHalveStays,
    /// `open` or `split` stays on `halve`, when `rest != null and may_split`
    OpenOrSplitHalve,
    /// `split` refuses `spend`, when `coins % by != 0`: no change
    SplitSpendRefused,
    /// `split` → `empty` on `spend`, when `by > 0 or coins / by < -1`
    SplitSpendToEmpty,
    /// `open` stays on `write`, when `len(text) <= len(motto) and len(note) < 2`
    OpenWriteStays,
    /// `open` stays on `write`, when `remark != null and len(remark) == 1 and more != null`
    OpenWriteStays2,
    /// `open` stays on `write`
    OpenWriteStays3,
    /// `open` → `split` on `tick`, when `now >= launch and now < 2026-02-01T00:00:00Z + 1h`
    OpenTickToSplit,
    /// `open` stays on `tick`, when `now != since`
    OpenTickStays,
    /// `split` or `empty` → the state in `to` on `send`
    SplitOrEmptySend,
    /// `open` → `split` on `drain`, when `share != 2`
    OpenDrain,
    /// `split` → `open` on `drain`, when `10 / share > by`
    SplitDrainToOpen,
    /// `split` → `empty` on `drain`
    SplitDrainToEmpty,
    /// `open` → `empty`, directly, when `coins / share == 2`
    OpenToEmpty,
    /// `open` → `empty` or `gone`, directly
    OpenToEmptyOrGone,
    /// `empty` → `gone`, directly
    EmptyToGone,
    /// `empty` → `open`, directly
    EmptyToOpen,
}

::statespec::__row!(
    pub Row, 24, [MakeToOpen, MakeToSplit, Find, OpenPut, SplitPut, AnyPut,
    OpenHalveToSplit, OpenHalveStays, OpenOrSplitHalve, SplitSpendRefused,
    SplitSpendToEmpty, OpenWriteStays, OpenWriteStays2, OpenWriteStays3, OpenTickToSplit,
    OpenTickStays, SplitOrEmptySend, OpenDrain, SplitDrainToOpen, SplitDrainToEmpty,
    OpenToEmpty, OpenToEmptyOrGone, EmptyToGone, EmptyToOpen]
);

/// The states of a `purse`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `open`.
    Open,
    /// The state `split`.
    Split,
    /// The state `empty`.
    Empty,
    /// The state `gone`.
    ///
    /// An outcome: the work has ended.
    Gone,
}

::statespec::__unit_enum!(
    pub State, "state", 4, [Open("open"), Split("split"), Empty("empty"), Gone("gone")],
    serde
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
                    Trigger::Event(EventKind::Make),
                    Target::To(State::Open),
                )
                .with_guard("100 / by > 3"),
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Make),
                Target::To(State::Split),
            ),
            Transition::of(
                Source::Creation,
                Trigger::Event(EventKind::Find),
                Target::Payload("to"),
            ),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Put),
                Target::Stay,
            ),
            Transition::new(State::Split, EventKind::Put, State::Open),
            Transition::of(
                Source::AnyBut(&[]),
                Trigger::Event(EventKind::Put),
                Target::Stay,
            ),
            Transition::new(State::Open, EventKind::Halve, State::Split)
                .with_guard(
                    "coins / by > 3 and not (rest != null and coins % rest == 1)",
                ),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Halve),
                    Target::Stay,
                )
                .with_guard("by != 0 and paid >= 0.5"),
            Transition::of(
                    Source::In(&[State::Open, State::Split]),
                    Trigger::Event(EventKind::Halve),
                    Target::Stay,
                )
                .with_guard("rest != null and may_split"),
            Transition::of(
                    Source::Leaf(State::Split),
                    Trigger::Event(EventKind::Spend),
                    Target::Refuse("no change"),
                )
                .with_guard("coins % by != 0"),
            Transition::new(State::Split, EventKind::Spend, State::Empty)
                .with_guard("by > 0 or coins / by < -1"),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Write),
                    Target::Stay,
                )
                .with_guard("len(text) <= len(motto) and len(note) < 2"),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Write),
                    Target::Stay,
                )
                .with_guard("remark != null and len(remark) == 1 and more != null"),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Event(EventKind::Write),
                Target::Stay,
            ),
            Transition::new(State::Open, EventKind::Tick, State::Split)
                .with_guard("now >= launch and now < 2026-02-01T00:00:00Z + 1h"),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Event(EventKind::Tick),
                    Target::Stay,
                )
                .with_guard("now != since"),
            Transition::of(
                Source::In(&[State::Split, State::Empty]),
                Trigger::Event(EventKind::Send),
                Target::Payload("to"),
            ),
            Transition::new(State::Open, EventKind::Drain, State::Split)
                .with_guard("share != 2"),
            Transition::new(State::Split, EventKind::Drain, State::Open)
                .with_guard("10 / share > by"),
            Transition::new(State::Split, EventKind::Drain, State::Empty),
            Transition::of(
                    Source::Leaf(State::Open),
                    Trigger::Direct,
                    Target::To(State::Empty),
                )
                .with_guard("coins / share == 2"),
            Transition::of(
                Source::Leaf(State::Open),
                Trigger::Direct,
                Target::OneOf(&[State::Empty, State::Gone]),
            ),
            Transition::of(
                Source::Leaf(State::Empty),
                Trigger::Direct,
                Target::To(State::Gone),
            ),
            Transition::of(
                Source::Leaf(State::Empty),
                Trigger::Direct,
                Target::To(State::Open),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 4] = &[
            &[State::Split, State::Empty, State::Gone],
            &State::ALL,
            &State::ALL,
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
        const LISTS: &[&[EventKind]; 4] = &[
            &[
                EventKind::Put,
                EventKind::Halve,
                EventKind::Write,
                EventKind::Tick,
                EventKind::Drain,
            ],
            &[
                EventKind::Put,
                EventKind::Halve,
                EventKind::Spend,
                EventKind::Send,
                EventKind::Drain,
            ],
            &[EventKind::Put, EventKind::Send],
            &[EventKind::Put],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Gone)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Gone)
    }
}

impl ::statespec::__private::Graph<EventKind, ::statespec::Never> for State {
    type Steps = [::statespec::Step<State>; 5];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "purse";

    const INITIAL: State = State::INITIAL;

    const CREATION_EVENTS: &'static [EventKind] = &[EventKind::Make, EventKind::Find];

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str> {
    /// The event `make`.
    Make {
        /// A whole number.
        by: i64,
        /// A decimal number.
        paid: ::statespec::Decimal,
    },
    /// The event `find`.
    Find {
        /// A state of this machine.
        to: State,
        /// A whole number.
        by: i64,
    },
    /// The event `put`.
    Put {
        /// A whole number.
        by: i64,
    },
    /// The event `halve`.
    Halve {
        /// A whole number.
        by: i64,
        /// A decimal number.
        paid: ::statespec::Decimal,
    },
    /// The event `spend`.
    Spend {
        /// A whole number.
        by: i64,
    },
    /// The event `write`.
    Write {
        /// A text.
        text: Text,
        /// A text, or `None`.
        more: Option<Text>,
    },
    /// The event `tick`.
    Tick {
        /// A moment.
        now: ::statespec::Timestamp,
    },
    /// The event `send`.
    Send {
        /// A whole number.
        by: i64,
        /// A state of this machine.
        to: State,
    },
    /// The event `drain`.
    ///
    /// Fires again until a transition stays or none is enabled.
    Drain {
        /// A whole number.
        by: i64,
    },
}

impl<Text> Event<Text> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Make { .. } => EventKind::Make,
            Event::Find { .. } => EventKind::Find,
            Event::Put { .. } => EventKind::Put,
            Event::Halve { .. } => EventKind::Halve,
            Event::Spend { .. } => EventKind::Spend,
            Event::Write { .. } => EventKind::Write,
            Event::Tick { .. } => EventKind::Tick,
            Event::Send { .. } => EventKind::Send,
            Event::Drain { .. } => EventKind::Drain,
        }
    }
}

impl<Text: AsRef<str>> Event<Text> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str> {
        match self {
            Event::Make { by, paid } => {
                Event::Make {
                    by: *by,
                    paid: *paid,
                }
            }
            Event::Find { to, by } => Event::Find { to: *to, by: *by },
            Event::Put { by } => Event::Put { by: *by },
            Event::Halve { by, paid } => {
                Event::Halve {
                    by: *by,
                    paid: *paid,
                }
            }
            Event::Spend { by } => Event::Spend { by: *by },
            Event::Write { text, more } => {
                Event::Write {
                    text: AsRef::as_ref(text),
                    more: Option::as_ref(more).map(AsRef::as_ref),
                }
            }
            Event::Tick { now } => Event::Tick { now: *now },
            Event::Send { by, to } => Event::Send { by: *by, to: *to },
            Event::Drain { by } => Event::Drain { by: *by },
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Make`].
    Make,
    /// See [`Event::Find`].
    Find,
    /// See [`Event::Put`].
    Put,
    /// See [`Event::Halve`].
    Halve,
    /// See [`Event::Spend`].
    Spend,
    /// See [`Event::Write`].
    Write,
    /// See [`Event::Tick`].
    Tick,
    /// See [`Event::Send`].
    Send,
    /// See [`Event::Drain`].
    Drain,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 9, [Make("make"), Find("find"), Put("put"), Halve("halve"),
    Spend("spend"), Write("write"), Tick("tick"), Send("send"), Drain("drain")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The host: stores the machine, and performs the effects.
pub trait Host<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Purse<Text>, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost<Text = &'static str> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Purse<Text>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The predicates of a `purse`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str> {
    /// Decided outside.
    fn may_split(&self, context: &Context<Text>, event: &Event<&str>) -> bool;
}

/// The enum `metal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metal {
    /// The value `gold`.
    Gold,
    /// The value `silver`.
    Silver,
}

::statespec::__unit_enum!(pub Metal, "metal", 2, [Gold("gold"), Silver("Ag")], serde);
