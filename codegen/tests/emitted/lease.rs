//! Lease.
//!
//! Guards that test optional values before `set` reads them, and events that share fields at different positions.

::statespec::__emitted!(6);

/// Lease.
///
/// Guards that test optional values before `set` reads them, and events that share fields at different positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Lease<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Lease<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Lease { state, context }
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

impl<Text: ::statespec::FromLiteral, R> Lease<Text, R> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Lease {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<'e, Text: From<&'e str> + Clone + AsRef<str>, R: Copy + PartialEq> Lease<Text, R> {
    /// The change that an event would make; nothing changes.
    #[inline]
    pub fn plan(&self, event: Event<&'e str, R>) -> Result<Change, Refused> {
        ::statespec::Machine::plan(self, &event, &())
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    pub fn apply(&mut self, event: Event<&'e str, R>) -> Result<Change, Refused> {
        ::statespec::Machine::apply(self, &event, &())
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to(&self, to: State) -> Result<Change, Refused> {
        self.direct_step(to).map(Change::new)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    pub fn transition_to(&mut self, to: State) -> Result<Change, Refused> {
        let step = self.direct_step(to)?;
        match step.row() {
            Row::HeldToLost => {
                if let Some(note) = &self.context.note {
                    let (new_0, new_1) = (None, Clone::clone(note));
                    self.context.note = new_0;
                    self.context.last_note = new_1;
                }
            }
            Row::HeldToFree => {
                self.context.n_renewals = self.context.r#type;
                self.context.r#type = None;
            }
            _ => {}
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

    /// Rows without a guard: `State::transitions()`, from which the compiler makes the table.
    #[inline]
    fn direct_step(&self, to: State) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, to) {
            (State::Held, State::Lost) if self.context.note.is_some() => {
                Outcome::To(State::Lost, Row::HeldToLost)
            }
            (State::Held, State::Free) if self.context.r#type.is_some() => {
                Outcome::To(State::Free, Row::HeldToFree)
            }
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
    pub fn run<H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str, R>,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub fn run_to<H: EffectHost<Text, R> + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as EffectHost<Text, R>>::Error>>
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
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

    /// Raises an event with a host: performs `before` effects, stores, changes the machine, performs the other effects.
    ///
    /// A refusal or a failing `before` effect leaves everything as it was; so does a failing store
    /// where the spec stores first.
    pub async fn run_async<H: AsyncEffectHost<Text, R> + ?Sized>(
        &mut self,
        event: Event<&'e str, R>,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub async fn run_to_async<H: AsyncEffectHost<Text, R> + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<
        Change,
        ::statespec::RunError<State, <H as AsyncEffectHost<Text, R>>::Error>,
    >
    where
        Text: Clone,
    {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
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
}

impl<Text: ::statespec::FromLiteral, R> Default for Lease<Text, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<
    'e,
    Text: From<&'e str> + Clone + AsRef<str>,
    R: Copy + PartialEq,
> ::statespec::__private::Input<Event<&'e str, R>> for Lease<Text, R> {
    type Recorded = Event<&'e str, R>;
}

impl<
    'e,
    Text: From<&'e str> + Clone + AsRef<str>,
    R: Copy + PartialEq,
> ::statespec::__private::Dispatch<Event<&'e str, R>, ()> for Lease<Text, R> {
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
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::comparison_to_empty
    )]
    fn decide(
        &self,
        event: &Event<&'e str, R>,
        _predicates: &(),
    ) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, *event) {
            (State::Free, Event::Take { span, .. }) if span.is_some() => {
                Outcome::To(State::Held, Row::FreeTakeOrRetakeToHeld)
            }
            (State::Free, Event::Retake { span, .. }) if span.is_some() => {
                Outcome::To(State::Held, Row::FreeTakeOrRetakeToHeld)
            }
            (_, Event::Send { to, why }) if why != "" && to != State::Lost => {
                Outcome::To(to, Row::AnySendOrBring)
            }
            (_, Event::Bring { why, to, .. }) if why != "" && to != State::Lost => {
                Outcome::To(to, Row::AnySendOrBring)
            }
            (
                State::Held,
                Event::Renew { by, .. },
            ) if self.context.n_renewals.is_some() && by.is_some()
                && !(self.context.expires_at.is_none()
                    || self.context.length.is_none()) => {
                Outcome::Stay(Row::HeldRenewOrExtendStays)
            }
            (
                State::Held,
                Event::Renew { text, .. },
            ) if self.context.note.is_some() && text.is_some() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays2)
            }
            (State::Held, Event::Renew { text, .. }) if text.is_some() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays3)
            }
            (
                State::Held,
                Event::Renew { by, .. },
            ) if by.is_none() || by > Some(3) || self.context.r#type.is_none() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays4)
            }
            (
                State::Held,
                Event::Extend { by, .. },
            ) if self.context.n_renewals.is_some() && by.is_some()
                && !(self.context.expires_at.is_none()
                    || self.context.length.is_none()) => {
                Outcome::Stay(Row::HeldRenewOrExtendStays)
            }
            (
                State::Held,
                Event::Extend { text, .. },
            ) if self.context.note.is_some() && text.is_some() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays2)
            }
            (State::Held, Event::Extend { text, .. }) if text.is_some() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays3)
            }
            (
                State::Held,
                Event::Extend { by, .. },
            ) if by.is_none() || by > Some(3) || self.context.r#type.is_none() => {
                Outcome::Stay(Row::HeldRenewOrExtendStays4)
            }
            (
                State::Held,
                Event::Extend { self_, by, .. },
            ) if self.context.r#type.is_some() && (self_ || by.is_some()) => {
                Outcome::Stay(Row::HeldExtend)
            }
            (
                State::Held,
                Event::Rest,
            ) if self.context.tier.is_some() && self.context.back.is_some()
                && self.context.holder.is_some() && self.context.share.is_some()
                && self.context.urgent.is_some() && self.context.r#type.is_some() => {
                Outcome::To(State::Free, Row::HeldRestToFree)
            }
            (
                State::Held,
                Event::Rest,
            ) if self.context.urgent.is_some() || self.context.r#type.is_some() => {
                Outcome::Stay(Row::HeldRestStays)
            }
            _ => {
                return ::statespec::__table!(State, EventKind, Row, [])
                    .on_event(self.state, event.kind());
            }
        };
        outcome.on_event(self.state, event.kind())
    }

    #[inline]
    #[allow(
        clippy::nonminimal_bool,
        clippy::overly_complex_bool_expr,
        clippy::redundant_guards
    )]
    fn take(
        &mut self,
        step: &::statespec::Step<State>,
        event: &Event<&'e str, R>,
        _predicates: &(),
    ) {
        match (step.row(), *event) {
            (
                Row::FreeTakeOrRetakeToHeld,
                Event::Take { who, at, span } | Event::Retake { span, at, who },
            ) => {
                if let Some(span) = span {
                    self.context.expires_at = Some(at.saturating_add(span));
                    self.context.length = Some(span);
                    self.context.n_renewals = Some(0);
                    self.context.holder = Some(who);
                }
            }
            (
                Row::FreeTakeOrRetakeToHeld2,
                Event::Take { who, at, .. } | Event::Retake { at, who, .. },
            ) => {
                self.context.expires_at = Some(at.saturating_add(GRACE));
                self.context.share = Some(::statespec::decimal(25, 2));
                self.context.holder = Some(who);
                self.context.tier = Some(Tier::Gold);
                self.context.back = Some(State::Held);
                self.context.urgent = Some(true);
                self.context.r#type = Some(3);
            }
            (
                Row::HeldRenewOrExtendStays,
                Event::Renew { by, .. } | Event::Extend { by, .. },
            ) => {
                if let (Some(expires_at), Some(length), Some(n_renewals), Some(by)) = (
                    self.context.expires_at,
                    self.context.length,
                    self.context.n_renewals,
                    by,
                ) {
                    self.context.expires_at = Some(expires_at.saturating_add(length));
                    self.context.n_renewals = Some(n_renewals.saturating_add(by));
                }
            }
            (
                Row::HeldRenewOrExtendStays2,
                Event::Renew { text, .. } | Event::Extend { text, .. },
            ) => {
                if let (Some(note), Some(text)) = (&self.context.note, text) {
                    let (new_0, new_1, new_2) = (
                        Some(From::from(text)),
                        Clone::clone(note),
                        AsRef::<str>::as_ref(note) == text,
                    );
                    self.context.note = new_0;
                    self.context.last_note = new_1;
                    self.context.flag = new_2;
                }
            }
            (
                Row::HeldRenewOrExtendStays3,
                Event::Renew { by, text } | Event::Extend { text, by, .. },
            ) => {
                if let Some(text) = text {
                    self.context.note = Some(From::from(text));
                    self.context.last_note = From::from(text);
                    self.context.r#type = by;
                }
            }
            (
                Row::HeldRenewOrExtendStays4,
                Event::Renew { by, .. } | Event::Extend { by, .. },
            ) => {
                self.context.flag = by.is_some() && by > Some(4);
            }
            (Row::HeldExtend, Event::Extend { self_, .. }) => {
                if let Some(r#type) = self.context.r#type {
                    self.context.flag = self_;
                    self.context.r#type = Some(r#type.saturating_sub(1));
                }
            }
            (Row::HeldRestToFree, _) => {
                if let (
                    Some(share),
                    Some(tier),
                    Some(back),
                    Some(urgent),
                    Some(r#type),
                ) = (
                    self.context.share,
                    self.context.tier,
                    self.context.back,
                    self.context.urgent,
                    self.context.r#type,
                ) {
                    let (new_0, new_1, new_2, new_3, new_4, new_5, new_6, new_7) = (
                        share
                            .saturating_mul(::statespec::decimal(2, 0))
                            .saturating_add(self.context.total),
                        None,
                        self.context.holder,
                        tier,
                        Some(self.context.place),
                        back,
                        urgent || self.context.flag,
                        Some(r#type.saturating_add(1)),
                    );
                    self.context.total = new_0;
                    self.context.holder = new_1;
                    self.context.former = new_2;
                    self.context.best = new_3;
                    self.context.back = new_4;
                    self.context.place = new_5;
                    self.context.flag = new_6;
                    self.context.r#type = new_7;
                }
            }
            (Row::HeldRestStays, _) => {
                self.context.flag = self.context.urgent.is_some()
                    && self.context.urgent.unwrap_or_default();
            }
            (
                Row::AnySendOrBring,
                Event::Send { to, why } | Event::Bring { why, to, .. },
            ) => {
                self.context.last_note = From::from(why);
                self.context.place = to;
            }
            _ => {}
        }
        self.state = step.to();
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `lease`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// A moment, or `None`.
    pub expires_at: Option<::statespec::Timestamp>,
    /// A duration, or `None`.
    pub length: Option<::statespec::Duration>,
    /// A whole number, or `None`.
    pub n_renewals: Option<i64>,
    /// A text, or `None`.
    pub note: Option<Text>,
    /// A text.
    pub last_note: Text,
    /// A decimal number, or `None`.
    pub share: Option<::statespec::Decimal>,
    /// A decimal number.
    pub total: ::statespec::Decimal,
    /// The key of an object outside the machine, or `None`.
    pub holder: Option<R>,
    /// The key of an object outside the machine, or `None`.
    pub former: Option<R>,
    /// A value of `tier`, or `None`.
    pub tier: Option<Tier>,
    /// A value of `tier`.
    pub best: Tier,
    /// A state of this machine, or `None`.
    pub back: Option<State>,
    /// A state of this machine.
    pub place: State,
    /// `true` or `false`, or `None`.
    pub urgent: Option<bool>,
    /// `true` or `false`.
    pub flag: bool,
    /// A whole number, or `None`.
    pub r#type: Option<i64>,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            expires_at: None,
            length: None,
            n_renewals: None,
            note: None,
            last_note: ::statespec::FromLiteral::from_literal(""),
            share: None,
            total: ::statespec::decimal(0, 0),
            holder: None,
            former: None,
            tier: None,
            best: Tier::Basic,
            back: None,
            place: State::Free,
            urgent: None,
            flag: false,
            r#type: None,
        }
    }
}

/// The constant `grace`.
pub const GRACE: ::statespec::Duration = ::statespec::Duration::from_seconds(30);

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `free` → `held` on `take` or `retake`, when `span != null`
    FreeTakeOrRetakeToHeld,
    /// `free` → `held` on `take` or `retake`
    FreeTakeOrRetakeToHeld2,
    /// `held` stays on `renew` or `extend`, when `n_renewals != null and by != null and not (expires_at == null or length == null)`
    HeldRenewOrExtendStays,
    /// `held` stays on `renew` or `extend`, when `note != null and text != null`
    HeldRenewOrExtendStays2,
    /// `held` stays on `renew` or `extend`, when `text != null`
    HeldRenewOrExtendStays3,
    /// `held` stays on `renew` or `extend`, when `by == null or by > 3 or type == null`
    HeldRenewOrExtendStays4,
    /// `held` stays on `extend`, when `type != null and (self or by != null)`
    HeldExtend,
    /// `held` → `free` on `rest`, when `tier != null and back != null and holder != null and share != null and urgent != null and type != null`
    HeldRestToFree,
    /// `held` stays on `rest`, when `urgent != null or type != null`
    HeldRestStays,
    /// `held` → `lost`, directly, when `note != null`
    HeldToLost,
    /// `held` → `free`, directly, when `type != null`
    HeldToFree,
    /// Any state → the state in `to` on `send` or `bring`, when `why != '' and to != lost`
    AnySendOrBring,
}

::statespec::__row!(
    pub Row, 12, [FreeTakeOrRetakeToHeld, FreeTakeOrRetakeToHeld2,
    HeldRenewOrExtendStays, HeldRenewOrExtendStays2, HeldRenewOrExtendStays3,
    HeldRenewOrExtendStays4, HeldExtend, HeldRestToFree, HeldRestStays, HeldToLost,
    HeldToFree, AnySendOrBring]
);

/// The states of a `lease`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `free`.
    Free,
    /// The state `held`.
    Held,
    /// The state `lost`.
    ///
    /// An outcome: the work has ended.
    Lost,
}

::statespec::__unit_enum!(
    pub State, "state", 3, [Free("free"), Held("held"), Lost("lost")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Free;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Leaf(State::Free),
                    Trigger::AnyOf(&[EventKind::Take, EventKind::Retake]),
                    Target::To(State::Held),
                )
                .with_guard("span != null"),
            Transition::of(
                Source::Leaf(State::Free),
                Trigger::AnyOf(&[EventKind::Take, EventKind::Retake]),
                Target::To(State::Held),
            ),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::AnyOf(&[EventKind::Renew, EventKind::Extend]),
                    Target::Stay,
                )
                .with_guard(
                    "n_renewals != null and by != null and not (expires_at == null or length == null)",
                ),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::AnyOf(&[EventKind::Renew, EventKind::Extend]),
                    Target::Stay,
                )
                .with_guard("note != null and text != null"),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::AnyOf(&[EventKind::Renew, EventKind::Extend]),
                    Target::Stay,
                )
                .with_guard("text != null"),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::AnyOf(&[EventKind::Renew, EventKind::Extend]),
                    Target::Stay,
                )
                .with_guard("by == null or by > 3 or type == null"),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::Event(EventKind::Extend),
                    Target::Stay,
                )
                .with_guard("type != null and (self or by != null)"),
            Transition::new(State::Held, EventKind::Rest, State::Free)
                .with_guard(
                    "tier != null and back != null and holder != null and share != null and urgent != null and type != null",
                ),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::Event(EventKind::Rest),
                    Target::Stay,
                )
                .with_guard("urgent != null or type != null"),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::Direct,
                    Target::To(State::Lost),
                )
                .with_guard("note != null"),
            Transition::of(
                    Source::Leaf(State::Held),
                    Trigger::Direct,
                    Target::To(State::Free),
                )
                .with_guard("type != null"),
            Transition::of(
                    Source::AnyBut(&[]),
                    Trigger::AnyOf(&[EventKind::Send, EventKind::Bring]),
                    Target::Payload("to"),
                )
                .with_guard("why != '' and to != lost")
                .with_effects(&[EffectKind::Tell]),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 3] = &[
            &[State::Free, State::Held],
            &State::ALL,
            &[State::Free, State::Held],
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
            &[EventKind::Take, EventKind::Retake, EventKind::Send, EventKind::Bring],
            &[
                EventKind::Renew,
                EventKind::Extend,
                EventKind::Rest,
                EventKind::Send,
                EventKind::Bring,
            ],
            &[EventKind::Send, EventKind::Bring],
        ];
        LISTS[self as usize]
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        matches!(self, State::Lost)
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        false
    }
}

impl ::statespec::__private::Graph<EventKind, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];
}

impl ::statespec::State for State {
    type Event = EventKind;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "lease";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!(events);
}

/// An event, with the data that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Event<Text = &'static str, R = u64> {
    /// The event `take`.
    Take {
        /// The key of an object outside the machine.
        who: R,
        /// A moment.
        at: ::statespec::Timestamp,
        /// A duration, or `None`.
        span: Option<::statespec::Duration>,
    },
    /// The event `retake`.
    Retake {
        /// A duration, or `None`.
        span: Option<::statespec::Duration>,
        /// A moment.
        at: ::statespec::Timestamp,
        /// The key of an object outside the machine.
        who: R,
    },
    /// The event `renew`.
    Renew {
        /// A whole number, or `None`.
        by: Option<i64>,
        /// A text, or `None`.
        text: Option<Text>,
    },
    /// The event `extend`.
    Extend {
        /// `true` or `false`.
        #[serde(rename = "self")]
        self_: bool,
        /// A text, or `None`.
        text: Option<Text>,
        /// A whole number, or `None`.
        by: Option<i64>,
    },
    /// The event `rest`.
    Rest,
    /// The event `send`.
    Send {
        /// A state of this machine.
        to: State,
        /// A text.
        why: Text,
    },
    /// The event `bring`.
    Bring {
        /// A text.
        why: Text,
        /// A whole number.
        event: i64,
        /// A state of this machine.
        to: State,
    },
}

impl<Text, R> Event<Text, R> {
    /// The event without its payload.
    #[inline]
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Take { .. } => EventKind::Take,
            Event::Retake { .. } => EventKind::Retake,
            Event::Renew { .. } => EventKind::Renew,
            Event::Extend { .. } => EventKind::Extend,
            Event::Rest => EventKind::Rest,
            Event::Send { .. } => EventKind::Send,
            Event::Bring { .. } => EventKind::Bring,
        }
    }
}

impl<Text: AsRef<str>, R: Copy> Event<Text, R> {
    /// The event with its texts borrowed, as a machine takes it: a stored or received event owns them.
    pub fn borrowed(&self) -> Event<&str, R> {
        match self {
            Event::Take { who, at, span } => {
                Event::Take {
                    who: *who,
                    at: *at,
                    span: *span,
                }
            }
            Event::Retake { span, at, who } => {
                Event::Retake {
                    span: *span,
                    at: *at,
                    who: *who,
                }
            }
            Event::Renew { by, text } => {
                Event::Renew {
                    by: *by,
                    text: Option::as_ref(text).map(AsRef::as_ref),
                }
            }
            Event::Extend { self_, text, by } => {
                Event::Extend {
                    self_: *self_,
                    text: Option::as_ref(text).map(AsRef::as_ref),
                    by: *by,
                }
            }
            Event::Rest => Event::Rest,
            Event::Send { to, why } => {
                Event::Send {
                    to: *to,
                    why: AsRef::as_ref(why),
                }
            }
            Event::Bring { why, event: event_, to } => {
                Event::Bring {
                    why: AsRef::as_ref(why),
                    event: *event_,
                    to: *to,
                }
            }
        }
    }
}

/// The events, without their payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// See [`Event::Take`].
    Take,
    /// See [`Event::Retake`].
    Retake,
    /// See [`Event::Renew`].
    Renew,
    /// See [`Event::Extend`].
    Extend,
    /// See [`Event::Rest`].
    Rest,
    /// See [`Event::Send`].
    Send,
    /// See [`Event::Bring`].
    Bring,
}

::statespec::__unit_enum!(
    pub EventKind, "event", 7, [Take("take"), Retake("retake"), Renew("renew"),
    Extend("extend"), Rest("rest"), Send("send"), Bring("bring")], serde
);

impl ::statespec::Event for EventKind {
    type Actor = ::statespec::Never;
}

/// The effects of transitions outside the machine, without their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// See [`Effect::Tell`].
    Tell,
}

::statespec::__unit_enum!(pub EffectKind, "effect", 1, [Tell("tell")], serde);

/// An effect, with the data that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde", rename_all = "snake_case")]
pub enum Effect<Text = &'static str> {
    /// The effect `tell`.
    ///
    /// The message is `{to}: {why}`.
    Tell {
        /// A text.
        why: Text,
        /// A state of this machine.
        to: State,
    },
}

impl<Text> Effect<Text> {
    /// The effect without its data.
    #[inline]
    pub const fn kind(&self) -> EffectKind {
        match self {
            Effect::Tell { .. } => EffectKind::Tell,
        }
    }
}

impl<Text: AsRef<str>> Effect<Text> {
    /// The effect with its texts borrowed, as a host takes it: a stored or received effect owns them.
    pub fn borrowed(&self) -> Effect<&str> {
        match self {
            Effect::Tell { why, to } => {
                Effect::Tell {
                    why: AsRef::as_ref(why),
                    to: *to,
                }
            }
        }
    }
}

impl<'e, Text, R: Copy> ::statespec::Effects<Event<&'e str, R>> for Lease<Text, R> {
    type State = State;

    type Effect<'effect> = Effect<&'effect str>
    where
        Self: 'effect,
        Event<&'e str, R>: 'effect;
    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        event: Option<&Event<&'e str, R>>,
    ) -> Option<Self::Effect<'effect>>
    where
        Event<&'e str, R>: 'effect,
    {
        Some(
            match (kind, event) {
                (
                    EffectKind::Tell,
                    Some(&Event::Send { why, to }) | Some(&Event::Bring { why, to, .. }),
                ) => Effect::Tell { why, to },
                _ => return None,
            },
        )
    }
}

impl<'a> Effect<&'a str> {
    /// The message of the effect; empty for an effect without one.
    pub fn message(self) -> impl ::core::fmt::Display + use<'a> {
        ::statespec::__private::Message(move |f: &mut ::core::fmt::Formatter<'_>| match self {
            Effect::Tell { why, to } => f.write_fmt(format_args!("{}: {}", to, why)),
        })
    }

    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, R, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::Tell { why, to } => {
                host.tell(why, to, format_args!("{}", self.message()))
            }
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, R, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::Tell { why, to } => host.tell(why, to, self.message()).await,
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
        next: &Lease<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `tell`.
    ///
    /// The message is `{to}: {why}`.
    fn tell(
        &mut self,
        why: &str,
        to: State,
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
        next: &Lease<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect<&str>) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R, H: Host<Text, R> + ?Sized> EffectHost<Text, R> for H {
    type Error = <H as Host<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Lease<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error> {
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
pub trait AsyncHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Lease<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `tell`.
    ///
    /// The message is `{to}: {why}`.
    fn tell(
        &mut self,
        why: &str,
        to: State,
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
        next: &Lease<Text, R>,
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

impl<Text, R, H: AsyncHost<Text, R> + ?Sized> AsyncEffectHost<Text, R> for H {
    type Error = <H as AsyncHost<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Lease<Text, R>,
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

/// The enum `tier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The value `basic`.
    Basic,
    /// The value `gold`.
    Gold,
}

::statespec::__unit_enum!(pub Tier, "tier", 2, [Basic("basic"), Gold("gold")], serde);
