//! Showcase of \<everything\> a machine can say.
//!
//! Not a real machine: it uses every feature once, with names and texts that try to get out.
//!
//! assert!(false, "not a doctest");
//!
//! \`\`\`
//! panic!("nor is this");
//! \`\`\`
//! \[Broken\](links) and \[`Vec::nothing`\], \<script\>alert(1)\</script\>, <https://example.com/a_b?c=1>, \*/ /\* # "quotes" \\ {braces.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | birth | `create` | refused: nobody owns nothing | `called == 'nobody'` |
//! | birth | `create` | `idle` |  |
//! | `idle` | `move` | `busy` | `ready` |
//! | `idle` | `move` | refused: not "ready" \<yet\> 3 |  |
//! | `busy` | `move` | `busy/fast` |  |
//! | `busy/fast` | `move` | `busy/slow/in-progress` | `quiet and not (ready or done)` |
//! | anywhere but `loop` | `type` | stays | `context == 'stop' or note == match` |
//! | `busy` | `type` | stays |  |
//! | anywhere | `weigh` | stays | `weight >= hot_above and ratio < hot_above - buffer` |
//! | `idle` or `busy/slow` | `weigh` | stays | `amount > limit or type == daily-logs and strict == true` |
//! | `idle` | `claim` | stays | `owner == null or claimed_at != null and claimed_at + patience < now` |
//! | `idle` | `claim` | stays | `owner == by and maybe != null and maybe` |
//! | `busy` | `claim` | stays | `for != null and now - lease > now - for` |
//! | anywhere but `self` or `busy` | `jump` | what `target` names | `target in busy and favourite != target` |
//! | `self` | `jump` | what `target` names | `wish != null and wish in slow and wish == in-progress` |
//! | `idle` | `tick` | `busy/fast` | `level > 1` |
//! | `busy/fast` | `tick` | `busy/slow/crawling` | `level > 2` |
//! | `busy/slow` | `tick` | `busy/slow/in-progress` | `level > 3` |
//! | `busy/slow/in-progress` | `tick` | `idle` | `level > 9` |
//! | `busy/slow/crawling` or `busy/slow/in-progress` | `tick` | stays |  |
//! | `busy` | `stop` | `self` |  |
//! | `idle` |  | `busy/fast` or `self` | `note == null or name != 'a'` |
//! | `busy/fast` |  | `busy/fast` |  |
//! | `busy/slow/crawling` |  | `idle` or `loop` | `ready` |
//! | `busy/slow/crawling` |  | `idle` |  |
//! | `busy` | `nest` | `idle` |  |
//! | `busy/fast` | `nest` | `busy/slow` |  |
//! | `busy` |  | `self` |  |
//! | `busy/fast` |  | `self` |  |
//! | anywhere | `other` | refused: never \`\`\`rust panic!() \`\`\` | `count == count` |
//!
//! - Every feature, once.

/// Showcase of \<everything\> a machine can say.
///
/// Not a real machine: it uses every feature once, with names and texts that try to get out.
///
/// assert!(false, "not a doctest");
///
/// \`\`\`
/// panic!("nor is this");
/// \`\`\`
/// \[Broken\](links) and \[`Vec::nothing`\], \<script\>alert(1)\</script\>, <https://example.com/a_b?c=1>, \*/ /\* # "quotes" \\ {braces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Showcase<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Showcase<Text, R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Showcase { state, context }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// What it knows beside its state.
    #[inline]
    pub const fn context(&self) -> &Context<Text, R> {
        &self.context
    }

    /// What it knows beside its state, to be changed by hand.
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
    /// Brings a machine into being by `create`.
    pub fn born<P: Predicates<Text, R> + ?Sized>(
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        Self::born_with(Default::default(), event, predicates)
    }

    /// The same, with a context that the caller has prepared.
    #[allow(clippy::all)]
    pub fn born_with<P: Predicates<Text, R> + ?Sized>(
        context: Context<Text, R>,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<(Self, Change), Refused> {
        let _ = predicates;
        let mut machine = Showcase {
            state: State::INITIAL,
            context,
        };
        use ::statespec::Outcome;
        let outcome = match event {
            Event::Create { called, .. } if called == "nobody" => Outcome::Refuse(0),
            Event::Create { .. } => Outcome::To(State::Idle, 1),
            _ => Outcome::Nothing,
        };
        let step = outcome.at_birth(event.kind())?;
        machine.take(&step, &event);
        Ok((machine, Change::new(step)))
    }
}

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    R: Copy + PartialEq,
> Showcase<Text, R> {
    /// What an event would change; nothing changes.
    #[inline]
    pub fn plan<P: Predicates<Text, R> + ?Sized>(
        &self,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, predicates)
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    pub fn apply<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, predicates)
    }

    /// Raises an event in the name of an actor: refused where the actor may not.
    pub fn apply_as<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        actor: Actor,
        event: Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        if !event.kind().may_be_raised_by(actor) {
            return Err(
                Refused::event_in(
                    Some(self.state),
                    event.kind(),
                    ::statespec::Why::Actor,
                ),
            );
        }
        self.apply(event, predicates)
    }

    #[inline]
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    fn take(&mut self, step: &::statespec::Step<State>, event: &Event<'e, R>) {
        match (step.row(), *event) {
            (1, Event::Create { founder, called }) => {
                self.context.name = From::from(called);
                self.context.owner = Some(founder);
            }
            (2, _) => {
                let (new_0, new_1) = (
                    self.context.count.saturating_add(1),
                    !self.context.done && self.context.count < LIMIT,
                );
                self.context.count = new_0;
                self.context.done = new_1;
            }
            (6, Event::Type { self_, r#match, .. }) => {
                self.context.r#type = self_;
                self.context.note = r#match.map(From::from);
            }
            (7, Event::Type { context: context_, event: event_, .. }) => {
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
            (8, Event::Weigh { weight, amount }) => {
                self.context.ratio = weight
                    .saturating_add(::statespec::Decimal::from(amount));
            }
            (9, Event::Weigh { weight, amount }) => {
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
            (10, Event::Claim { by, now, .. }) => {
                self.context.owner = Some(by);
                self.context.claimed_at = Some(now);
                self.context.patience = ::statespec::Duration::from_micros(180000000);
            }
            (11, _) => {
                self.context.owner = None;
                self.context.claimed_at = None;
            }
            (12, Event::Claim { now, .. }) => {
                self.context.patience = now.saturating_since(now);
            }
            (13, Event::Jump { target, wish }) => {
                self.context.favourite = target;
                self.context.wanted = wish;
            }
            (16, _) => {
                let (new_0, new_1) = (
                    ::statespec::FromLiteral::from_literal("quoted text"),
                    Some(Clone::clone(&self.context.name)),
                );
                self.context.name = new_0;
                self.context.note = new_1;
            }
            (18, _) => {
                self.context.count = 0;
            }
            (19, Event::Tick { level }) => {
                self.context.count = level;
            }
            _ => {}
        }
        self.state = step.to();
    }

    /// What going to a state by name would change; nothing changes.
    #[inline]
    pub fn plan_to<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        self.way_to(to, predicates).map(Change::new)
    }

    /// Goes to a state by name, along an edge that takes no event; or is refused and everything is as it was.
    #[inline]
    #[allow(clippy::single_match, clippy::nonminimal_bool)]
    pub fn transition_to<P: Predicates<Text, R> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
    ) -> Result<Change, Refused> {
        let step = self.way_to(to, predicates)?;
        match step.row() {
            22 => {
                self.context.name = ::statespec::FromLiteral::from_literal(GREETING);
                self.context.note = Some(
                    ::statespec::FromLiteral::from_literal("again"),
                );
            }
            28 => {
                self.context.count = 1;
            }
            _ => {}
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

    #[inline]
    #[allow(clippy::all)]
    fn way_to<P: Predicates<Text, R> + ?Sized>(
        &self,
        to: State,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        #[inline]
        const fn ways<const STATES: usize>() -> &'static ::statespec::Ways<STATES> {
            const { &::statespec::__ways!(State, [(State::Fast, State::Self_, 28)]) }
        }
        let outcome = match (self.state, to) {
            (
                State::Idle,
                State::Fast,
            ) if self.context.note.is_none()
                || AsRef::<str>::as_ref(&self.context.name) != "a" => {
                Outcome::To(State::Fast, 21)
            }
            (
                State::Idle,
                State::Self_,
            ) if self.context.note.is_none()
                || AsRef::<str>::as_ref(&self.context.name) != "a" => {
                Outcome::To(State::Self_, 21)
            }
            (State::Crawling, State::Idle) if predicates.ready(&self.context) => {
                Outcome::To(State::Idle, 23)
            }
            (State::Crawling, State::Loop) if predicates.ready(&self.context) => {
                Outcome::To(State::Loop, 23)
            }
            _ => return ways::<6>().on_wish(self.state, to),
        };
        outcome.on_wish(self.state, to)
    }

    /// Raises an event with a host: performs `before` effects, stores, moves, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec says to store first.
    pub fn run<P: Predicates<Text, R> + ?Sized, H: Effects<Text, R> + ?Sized>(
        &mut self,
        event: Event<'e, R>,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<Text, R>>::Error>>
    where
        Text: Clone,
        R: ::core::fmt::Display,
    {
        let mut next = Clone::clone(self);
        let change = next.apply(event, predicates)?;
        ::statespec::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(Some(&event), host),
        )
    }

    /// Goes to a state by name, with a host; otherwise like `run`.
    pub fn run_to<P: Predicates<Text, R> + ?Sized, H: Effects<Text, R> + ?Sized>(
        &mut self,
        to: State,
        predicates: &P,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Effects<Text, R>>::Error>>
    where
        Text: Clone,
        R: ::core::fmt::Display,
    {
        let mut next = Clone::clone(self);
        let change = next.transition_to(to, predicates)?;
        ::statespec::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(None, host),
        )
    }
}

impl<
    'e,
    Text: From<&'e str> + ::statespec::FromLiteral + Clone + AsRef<str>,
    R: Copy + PartialEq,
    P: Predicates<Text, R> + ?Sized,
> ::statespec::Machine<Event<'e, R>, P> for Showcase<Text, R> {
    type State = State;

    #[inline]
    fn kind(event: &Event<'e, R>) -> EventKind {
        event.kind()
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    #[allow(clippy::all)]
    fn decide(
        &self,
        event: &Event<'e, R>,
        predicates: &P,
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::Outcome;
        #[inline]
        const fn table<const STATES: usize, const EVENTS: usize>() -> &'static ::statespec::Table<
            State,
            STATES,
            EVENTS,
        > {
            const {
                &::statespec::__table!(
                    State, EventKind, [(State::Fast, EventKind::Nest, 26)]
                )
            }
        }
        let outcome = match (self.state, *event) {
            (State::Idle, Event::Move) if predicates.ready(&self.context) => {
                Outcome::To(State::Fast, 2)
            }
            (
                State::Fast,
                Event::Move,
            ) if predicates.quiet(&self.context, event)
                && !(predicates.ready(&self.context) || self.context.done) => {
                Outcome::To(State::InProgress, 5)
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
                Outcome::Stay(6)
            }
            (
                _,
                Event::Weigh { weight, .. },
            ) if weight >= HOT_ABOVE
                && self.context.ratio < ::statespec::decimal(65, 2) => Outcome::Stay(8),
            (
                State::Idle | State::Crawling | State::InProgress,
                Event::Weigh { amount, .. },
            ) if amount > LIMIT || self.context.r#type == Kind::DailyLogs && STRICT => {
                Outcome::Stay(9)
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
                        .saturating_add(self.context.patience) < now => Outcome::Stay(10),
            (
                State::Idle,
                Event::Claim { by, .. },
            ) if self.context.owner == Some(by) && self.context.maybe.is_some()
                && self.context.maybe.unwrap_or_default() => Outcome::Stay(11),
            (
                State::Fast | State::Crawling | State::InProgress,
                Event::Claim { now, r#for, .. },
            ) if r#for.is_some()
                && now.saturating_sub(LEASE)
                    > now.saturating_sub(r#for.unwrap_or_default()) => Outcome::Stay(12),
            (
                State::Idle | State::Loop,
                Event::Jump { target, .. },
            ) if target.is_in(Composite::Busy) && self.context.favourite != target => {
                Outcome::To(target, 13)
            }
            (
                State::Self_,
                Event::Jump { target, wish },
            ) if wish.is_some() && wish.is_some_and(|it| it.is_in(Composite::Slow))
                && wish == Some(State::InProgress) => Outcome::To(target, 14),
            (State::Idle, Event::Tick { level }) if level > 1 => {
                Outcome::To(State::Fast, 15)
            }
            (State::Fast, Event::Tick { level }) if level > 2 => {
                Outcome::To(State::Crawling, 16)
            }
            (State::InProgress, Event::Tick { level }) if level > 9 => {
                Outcome::To(State::Idle, 18)
            }
            (_, Event::Other) if self.context.count == self.context.count => {
                Outcome::Refuse(29)
            }
            _ => return table::<6, 10>().on_event(self.state, event.kind()),
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    fn advance(&mut self, step: &::statespec::Step<State>, event: &Event<'e, R>) {
        self.take(step, event);
    }

    fn plan(&self, event: &Event<'e, R>, predicates: &P) -> Result<Change, Refused> {
        if !matches!(event.kind(), EventKind::Tick) {
            return self.decide(event, predicates).map(Change::new);
        }
        ::statespec::settle(self, event, predicates).map(|(_, change)| change)
    }

    fn apply(
        &mut self,
        event: &Event<'e, R>,
        predicates: &P,
    ) -> Result<Change, Refused> {
        if !matches!(event.kind(), EventKind::Tick) {
            let step = self.decide(event, predicates)?;
            self.take(&step, event);
            return Ok(Change::new(step));
        }
        let (settled, change) = ::statespec::settle(self, event, predicates)?;
        *self = settled;
        Ok(change)
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `showcase` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str, R = u64> {
    /// Counts.
    pub count: i64,
    /// A keyword as a name.
    pub r#type: Kind,
    /// The field `ratio`.
    pub ratio: ::statespec::Decimal,
    /// A text with a default.
    pub name: Text,
    /// The field `note`.
    pub note: Option<Text>,
    /// The field `owner`.
    pub owner: Option<R>,
    /// The field `claimed_at`.
    pub claimed_at: Option<::statespec::Timestamp>,
    /// The field `patience`.
    pub patience: ::statespec::Duration,
    /// The field `favourite`.
    pub favourite: State,
    /// The field `wanted`.
    pub wanted: Option<State>,
    /// The field `done`.
    pub done: bool,
    /// The field `maybe`.
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
            patience: ::statespec::Duration::from_micros(300000000),
            favourite: State::Idle,
            wanted: None,
            done: false,
            maybe: None,
        }
    }
}

/// Three \<b\>.
pub const LIMIT: i64 = 3;

/// The constant `hot_above`.
pub const HOT_ABOVE: ::statespec::Decimal = ::statespec::decimal(70, 2);

/// The constant `buffer`.
pub const BUFFER: ::statespec::Decimal = ::statespec::decimal(5, 2);

/// How long a claim holds.
pub const LEASE: ::statespec::Duration = ::statespec::Duration::from_micros(90000000);

/// A text.
pub const GREETING: &str = "hi \"there\" {x}";

/// The constant `strict`.
pub const STRICT: bool = true;

/// What a `showcase` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// \# Not a heading.
    Idle,
    /// The state `fast`.
    ///
    /// Where `busy` is entered.
    Fast,
    /// The state `crawling`.
    ///
    /// Where `busy/slow` is entered.
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

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 6] = [
        State::Idle,
        State::Fast,
        State::Crawling,
        State::InProgress,
        State::Self_,
        State::Loop,
    ];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 6] = &[
            "idle",
            "fast",
            "slow | <down>",
            "in-progress",
            "self",
            "loop",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the state.
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

    /// What the spec says about the state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 6] = &["# Not a heading", "", "", "", "A keyword.", ""];
        TEXTS[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Idle;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const {
            &[
                Transition::Full(
                    &Row::of(
                            Source::Birth,
                            Trigger::Event(EventKind::Create),
                            Target::Refuse("nobody owns nothing"),
                        )
                        .guard("called == 'nobody'"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Birth,
                            Trigger::Event(EventKind::Create),
                            Target::To(State::Idle),
                        )
                        .effects(&[Effect::Shout]),
                ),
                Transition::Full(
                    &Row::new(State::Idle, EventKind::Move, State::Fast)
                        .guard("ready")
                        .before(&[Effect::Shout]),
                ),
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::Idle),
                        Trigger::Event(EventKind::Move),
                        Target::Refuse("not \"ready\" <yet> 3"),
                    ),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(
                                &[State::Fast, State::Crawling, State::InProgress],
                            ),
                            Trigger::Event(EventKind::Move),
                            Target::To(State::Fast),
                        )
                        .memory_first()
                        .label("move | within"),
                ),
                Transition::Full(
                    &Row::new(State::Fast, EventKind::Move, State::InProgress)
                        .guard("quiet and not (ready or done)"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(&[State::Loop]),
                            Trigger::Event(EventKind::Type),
                            Target::Stay,
                        )
                        .guard("context == 'stop' or note == match")
                        .effects(&[Effect::Tell]),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(
                                &[State::Fast, State::Crawling, State::InProgress],
                            ),
                            Trigger::Event(EventKind::Type),
                            Target::Stay,
                        )
                        .effects(&[Effect::Tell]),
                ),
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(&[]),
                            Trigger::Event(EventKind::Weigh),
                            Target::Stay,
                        )
                        .guard("weight >= hot_above and ratio < hot_above - buffer"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(
                                &[State::Idle, State::Crawling, State::InProgress],
                            ),
                            Trigger::Event(EventKind::Weigh),
                            Target::Stay,
                        )
                        .guard("amount > limit or type == daily-logs and strict == true"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Idle),
                            Trigger::Event(EventKind::Claim),
                            Target::Stay,
                        )
                        .guard(
                            "owner == null or claimed_at != null and claimed_at + patience < now",
                        )
                        .effects(&[Effect::ClaimIt]),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Idle),
                            Trigger::Event(EventKind::Claim),
                            Target::Stay,
                        )
                        .guard("owner == by and maybe != null and maybe"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(
                                &[State::Fast, State::Crawling, State::InProgress],
                            ),
                            Trigger::Event(EventKind::Claim),
                            Target::Stay,
                        )
                        .guard("for != null and now - lease > now - for"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(
                                &[
                                    State::Fast,
                                    State::Crawling,
                                    State::InProgress,
                                    State::Self_,
                                ],
                            ),
                            Trigger::Event(EventKind::Jump),
                            Target::Payload("target"),
                        )
                        .guard("target in busy and favourite != target"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Self_),
                            Trigger::Event(EventKind::Jump),
                            Target::Payload("target"),
                        )
                        .guard("wish != null and wish in slow and wish == in-progress"),
                ),
                Transition::Full(
                    &Row::new(State::Idle, EventKind::Tick, State::Fast)
                        .guard("level > 1"),
                ),
                Transition::Full(
                    &Row::new(State::Fast, EventKind::Tick, State::Crawling)
                        .guard("level > 2"),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(&[State::Crawling, State::InProgress]),
                            Trigger::Event(EventKind::Tick),
                            Target::To(State::InProgress),
                        )
                        .guard("level > 3"),
                ),
                Transition::Full(
                    &Row::new(State::InProgress, EventKind::Tick, State::Idle)
                        .guard("level > 9"),
                ),
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::Crawling, State::InProgress]),
                        Trigger::Event(EventKind::Tick),
                        Target::Stay,
                    ),
                ),
                Transition::Full(
                    &Row::of(
                            Source::In(
                                &[State::Fast, State::Crawling, State::InProgress],
                            ),
                            Trigger::Event(EventKind::Stop),
                            Target::To(State::Self_),
                        )
                        .effects(&[Effect::Shout]),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Idle),
                            Trigger::Wish,
                            Target::OneOf(&[State::Fast, State::Self_]),
                        )
                        .guard("note == null or name != 'a'"),
                ),
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::Fast),
                        Trigger::Wish,
                        Target::To(State::Fast),
                    ),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Crawling),
                            Trigger::Wish,
                            Target::OneOf(&[State::Idle, State::Loop]),
                        )
                        .guard("ready"),
                ),
                Transition::Full(
                    &Row::of(
                        Source::Leaf(State::Crawling),
                        Trigger::Wish,
                        Target::To(State::Idle),
                    ),
                ),
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                        Trigger::Event(EventKind::Nest),
                        Target::To(State::Idle),
                    ),
                ),
                Transition::Full(
                    &Row::new(State::Fast, EventKind::Nest, State::Crawling)
                        .doc("Further inside, so it comes first."),
                ),
                Transition::Full(
                    &Row::of(
                        Source::In(&[State::Fast, State::Crawling, State::InProgress]),
                        Trigger::Wish,
                        Target::To(State::Self_),
                    ),
                ),
                Transition::Full(
                    &Row::of(
                            Source::Leaf(State::Fast),
                            Trigger::Wish,
                            Target::To(State::Self_),
                        )
                        .doc("Further inside, too."),
                ),
                Transition::Full(
                    &Row::of(
                            Source::AnyBut(&[]),
                            Trigger::Event(EventKind::Other),
                            Target::Refuse("never ```rust panic!() ```"),
                        )
                        .guard("count == count"),
                ),
            ]
        }
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 6] = &[
            &State::ALL,
            &[
                State::Idle,
                State::Fast,
                State::Crawling,
                State::InProgress,
                State::Self_,
            ],
            &[State::Idle, State::Fast, State::InProgress, State::Self_, State::Loop],
            &[State::Idle, State::Fast, State::InProgress, State::Self_],
            &State::ALL,
            &State::ALL,
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 6] = &[
            0b11_1111, 0b01_1111, 0b11_1011, 0b01_1011, 0b11_1111, 0b11_1111,
        ];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// The events that some edge takes here, guards aside.
    #[inline]
    pub const fn events(self) -> &'static [EventKind] {
        const PERMITTED: &[&[EventKind]; 6] = &[
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
        PERMITTED[self as usize]
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Self_ | State::Loop)
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
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
            Some(::statespec::Duration::from_micros(30000000)),
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
    /// Equal items keep the order they come in, if the sort is stable.
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

/// States with states inside; a machine is in one of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// Working.
    Busy,
    /// The state `slow`.
    ///
    /// Inside `busy`.
    Slow,
}

impl Composite {
    /// Every composite state, in the order of the spec.
    pub const ALL: [Composite; 2] = [Composite::Busy, Composite::Slow];

    /// The name by which the composite state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["busy", "slow"];
        NAMES[self as usize]
    }

    /// What the spec says about the composite state.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["Working.", ""];
        TEXTS[self as usize]
    }
}

::statespec::named!(Composite, "composite state");

::statespec::named_serde!(Composite);

impl Composite {
    /// The state that entering this one ends in.
    pub const fn default_state(self) -> State {
        const DEFAULTS: &[State; 2] = &[State::Fast, State::Crawling];
        DEFAULTS[self as usize]
    }

    /// The innermost state around this one.
    pub const fn parent(self) -> Option<Composite> {
        const PARENTS: &[Option<Composite>; 2] = &[None, Some(Composite::Busy)];
        PARENTS[self as usize]
    }
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 7];

    const MACHINE: &'static str = "showcase";

    const INITIAL: Self = State::INITIAL;

    const BIRTH_EVENTS: &'static [Self::Event] = &[EventKind::Create];

    const NODES: &'static [::statespec::Node<Self::Effect>] = &[
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: Some(6),
            entry: &[Effect::EnterFast],
            exit: &[Effect::LeaveFast],
        },
        ::statespec::Node {
            parent: Some(7),
            entry: &[],
            exit: &[Effect::LeaveFast],
        },
        ::statespec::Node {
            parent: Some(7),
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::EnterBusy],
            exit: &[Effect::LeaveBusy],
        },
        ::statespec::Node {
            parent: Some(6),
            entry: &[Effect::EnterFast],
            exit: &[],
        },
    ];

    #[inline]
    fn transitions() -> &'static [::statespec::Transition<Self>] {
        State::transitions()
    }

    #[inline]
    fn successors(self) -> &'static [Self] {
        State::successors(self)
    }

    #[inline]
    fn events(self) -> &'static [Self::Event] {
        State::events(self)
    }

    #[inline]
    fn allows(self, to: Self) -> bool {
        State::allows(self, to)
    }

    #[inline]
    fn is_terminal(self) -> bool {
        State::is_terminal(self)
    }

    #[inline]
    fn is_final(self) -> bool {
        State::is_final(self)
    }
}

/// What can happen, with the data it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'e, R = u64> {
    /// The event `create`.
    ///
    /// Raised by `gen`.
    Create {
        /// The field `founder`.
        founder: R,
        /// The field `called`.
        called: &'e str,
    },
    /// Moves `it`.
    ///
    /// Raised by `self` or `gen`.
    ///
    /// The work is done by `gen`.
    Move,
    /// The event `type`.
    Type {
        /// A payload with the name of a local value.
        context: &'e str,
        /// The field `event`.
        event: i64,
        /// The field `self`.
        self_: Kind,
        /// The field `match`.
        r#match: Option<&'e str>,
    },
    /// The event `weigh`.
    Weigh {
        /// The field `weight`.
        weight: ::statespec::Decimal,
        /// The field `amount`.
        amount: i64,
    },
    /// The event `claim`.
    Claim {
        /// The field `by`.
        by: R,
        /// The field `now`.
        now: ::statespec::Timestamp,
        /// The field `for`.
        r#for: Option<::statespec::Duration>,
    },
    /// The event `jump`.
    Jump {
        /// The field `target`.
        target: State,
        /// The field `wish`.
        wish: Option<State>,
    },
    /// Settles.
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Tick {
        /// The field `level`.
        level: i64,
    },
    /// The event `stop`.
    Stop,
    /// The event `nest`.
    Nest,
    /// The event `other`.
    Other,
}

impl<'e, R> Event<'e, R> {
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

/// Which event it is, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The event `create`.
    ///
    /// Raised by `gen`.
    Create,
    /// Moves `it`.
    ///
    /// Raised by `self` or `gen`.
    ///
    /// The work is done by `gen`.
    Move,
    /// The event `type`.
    Type,
    /// The event `weigh`.
    Weigh,
    /// The event `claim`.
    Claim,
    /// The event `jump`.
    Jump,
    /// Settles.
    ///
    /// Goes on firing until an edge stays or none is enabled.
    Tick,
    /// The event `stop`.
    Stop,
    /// The event `nest`.
    Nest,
    /// The event `other`.
    Other,
}

impl EventKind {
    /// Every event, in the order of the spec.
    pub const ALL: [EventKind; 10] = [
        EventKind::Create,
        EventKind::Move,
        EventKind::Type,
        EventKind::Weigh,
        EventKind::Claim,
        EventKind::Jump,
        EventKind::Tick,
        EventKind::Stop,
        EventKind::Nest,
        EventKind::Other,
    ];

    /// The name by which the event is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 10] = &[
            "create",
            "move",
            "type",
            "weigh",
            "claim",
            "jump",
            "tick",
            "stop",
            "nest",
            "other",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the event.
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

    /// What the spec says about the event.
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

::statespec::named!(
    EventKind, "event", ignore_case = false, aliases = [("go", EventKind::Move), ("walk",
    EventKind::Move)]
);

::statespec::named_serde!(EventKind);

impl EventKind {
    /// Who may raise the event; anyone when empty.
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

    /// Who does the work that the event starts, where that is somebody else.
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

    /// Whether this actor may raise the event.
    pub fn may_be_raised_by(self, actor: Actor) -> bool {
        self.by().is_empty() || self.by().contains(&actor)
    }
}

impl ::statespec::Event for EventKind {
    type Actor = Actor;

    fn by(self) -> &'static [Actor] {
        EventKind::by(self)
    }

    fn performer(self) -> Option<Actor> {
        EventKind::performer(self)
    }
}

/// What a step makes happen outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// On the way in.
    EnterBusy,
    /// The effect `leave_busy`.
    LeaveBusy,
    /// The effect `enter_fast`.
    EnterFast,
    /// The effect `leave_fast`.
    LeaveFast,
    /// Tell.
    Tell,
    /// The effect `claim_it`.
    ClaimIt,
    /// The effect `shout`.
    Shout,
    /// On no transition.
    Unused,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 8] = [
        Effect::EnterBusy,
        Effect::LeaveBusy,
        Effect::EnterFast,
        Effect::LeaveFast,
        Effect::Tell,
        Effect::ClaimIt,
        Effect::Shout,
        Effect::Unused,
    ];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 8] = &[
            "enter_busy",
            "leave_busy",
            "enter_fast",
            "leave_fast",
            "tell",
            "claim_it",
            "shout",
            "unused",
        ];
        NAMES[self as usize]
    }

    /// What a person reads for the effect.
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

    /// What the spec says about the effect.
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

::statespec::named!(Effect, "effect");

::statespec::named_serde!(Effect);

/// What performs the effects, and the store.
pub trait Effects<Text = &'static str, R = u64> {
    /// Why an effect or the store failed.
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
    fn leave_busy(&mut self) -> Result<(), Self::Error>;

    /// The effect `enter_fast`.
    fn enter_fast(&mut self) -> Result<(), Self::Error>;

    /// The effect `leave_fast`.
    fn leave_fast(&mut self) -> Result<(), Self::Error>;

    /// Tell.
    ///
    /// The message is `{context} {x} {event} up to 3`.
    fn tell(
        &mut self,
        context_: &str,
        event_: i64,
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
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<Text, R: Copy + ::core::fmt::Display, H: Effects<Text, R> + ?Sized>(
        self,
        event: Option<&Event<'_, R>>,
        host: &mut H,
    ) -> Result<(), <H as Effects<Text, R>>::Error> {
        match (self, event.copied()) {
            (Effect::EnterBusy, _) => host.enter_busy(),
            (Effect::LeaveBusy, _) => host.leave_busy(),
            (Effect::EnterFast, _) => host.enter_fast(),
            (Effect::LeaveFast, _) => host.leave_fast(),
            (
                Effect::Tell,
                Some(Event::Type { context: context_, event: event_, .. }),
            ) => {
                host.tell(
                    context_,
                    event_,
                    format_args!("{} {{x}} {} up to 3", context_, event_),
                )
            }
            (Effect::ClaimIt, Some(Event::Claim { by, r#for, .. })) => {
                host.claim_it(
                    by,
                    r#for,
                    format_args!("by {} for {}", by, ::statespec::OrNull(r#for)),
                )
            }
            (Effect::Shout, _) => {
                host.shout(format_args!("says \"hi \"there\" {{x}}\"",))
            }
            (Effect::Unused, _) => host.unused(),
            _ => Ok(()),
        }
    }
}

/// What the guards of `showcase` ask and the spec leaves open.
pub trait Predicates<Text = &'static str, R = u64> {
    /// Whether \[it\] is ready.
    fn ready(&self, context: &Context<Text, R>) -> bool;

    /// The predicate `quiet`.
    fn quiet(&self, context: &Context<Text, R>, event: &Event<'_, R>) -> bool;
}

/// Who raises events, or does the work that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The machine itself.
    Self_,
    /// A generator of events.
    Gen,
}

impl Actor {
    /// Every actor, in the order of the spec.
    pub const ALL: [Actor; 2] = [Actor::Self_, Actor::Gen];

    /// The name by which the actor is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["self", "gen"];
        NAMES[self as usize]
    }

    /// What the spec says about the actor.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 2] = &["The machine itself.", "A generator of events."];
        TEXTS[self as usize]
    }
}

::statespec::named!(Actor, "actor");

::statespec::named_serde!(Actor);

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

impl Kind {
    /// Every kind, in the order of the spec.
    pub const ALL: [Kind; 3] = [Kind::Self_, Kind::Type, Kind::DailyLogs];

    /// The name by which the kind is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["Self", "type", "daily-logs"];
        NAMES[self as usize]
    }

    /// What a person reads for the kind.
    pub const fn label(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["its <self>", "type", "daily logs"];
        TEXTS[self as usize]
    }

    /// What the spec says about the kind.
    pub const fn doc(self) -> &'static str {
        const TEXTS: &[&str; 3] = &["Itself.", "A type.", ""];
        TEXTS[self as usize]
    }
}

::statespec::named!(Kind, "kind", ignore_case = true, aliases = []);

::statespec::named_serde!(Kind);

/// What the order `by_weight` sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByWeightItem<'e> {
    /// What it is.
    pub kind: Kind,
    /// The field `weight`.
    pub weight: ::statespec::Decimal,
    /// The field `title`.
    pub title: &'e str,
    /// The field `seen`.
    pub seen: Option<::statespec::Timestamp>,
    /// The field `self`.
    pub self_: i64,
}
