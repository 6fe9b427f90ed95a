//! Direct.

::statespec::__emitted!(6);

/// Direct.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Direct<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Direct<Text, R> {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Direct { state, context }
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

impl<Text: ::statespec::FromLiteral, R> Direct<Text, R> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Direct {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<Text: ::statespec::FromLiteral + AsRef<str>, R: Copy + PartialEq> Direct<Text, R> {
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
            Row::ThereToHere => {
                self.context.text = ::statespec::FromLiteral::from_literal("b");
            }
            Row::HereOrThereToNowhere => {
                self.context.who = None;
            }
            _ => {}
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

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
        const EDGES: &[(u32, u32, ::statespec::__private::Outcome<State>)] = {
            use ::statespec::__private::Outcome;
            &[
                (
                    (State::Here as usize) as u32,
                    (State::There as usize) as u32,
                    Outcome::NoGuard,
                ),
                (
                    (State::Here as usize) as u32,
                    (State::Nowhere as usize) as u32,
                    Outcome::To(State::Nowhere, Row::HereOrThereToNowhere),
                ),
                (
                    (State::There as usize) as u32,
                    (State::Here as usize) as u32,
                    Outcome::NoGuard,
                ),
                (
                    (State::There as usize) as u32,
                    (State::Nowhere as usize) as u32,
                    Outcome::To(State::Nowhere, Row::HereOrThereToNowhere),
                ),
            ]
        };
        let outcome = match (self.state, to) {
            (
                State::Here,
                State::There,
            ) if predicates.may(&self.context)
                && AsRef::<str>::as_ref(&self.context.text) == "a" => {
                Outcome::To(State::There, Row::HereToThereOrNowhere)
            }
            (
                State::Here,
                State::Nowhere,
            ) if predicates.may(&self.context)
                && AsRef::<str>::as_ref(&self.context.text) == "a" => {
                Outcome::To(State::Nowhere, Row::HereToThereOrNowhere)
            }
            (State::There, State::Here) if !predicates.must(&self.context) => {
                Outcome::To(State::Here, Row::ThereToHere)
            }
            _ => {
                return ::statespec::__private::find(
                        EDGES,
                        self.state as usize,
                        to as usize,
                    )
                    .on_direct(self.state, to);
            }
        };
        outcome.on_direct(self.state, to)
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
                ::statespec::Effects::effect(next, effect, step, Option::<&()>::None)
                    .map_or(Ok(()), |it| host.perform(it))
            },
        );
        host.observe(&::statespec::Attempt::of_run(None, None, &result));
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
                        Option::<&()>::None,
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

impl<Text: ::statespec::FromLiteral, R> Default for Direct<Text, R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `direct`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context<Text = &'static str, R = u64> {
    /// A text.
    pub text: Text,
    /// The key of an object outside the machine, or `None`.
    pub who: Option<R>,
}

#[allow(clippy::derivable_impls)]
impl<Text: ::statespec::FromLiteral, R> Default for Context<Text, R> {
    fn default() -> Self {
        Context {
            text: ::statespec::FromLiteral::from_literal("a"),
            who: None,
        }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `here` → `there` or `nowhere`, directly, when `may and text == 'a'`
    HereToThereOrNowhere,
    /// `there` → `here`, directly, when `not must`
    ThereToHere,
    /// `here` or `there` → `nowhere`, directly
    HereOrThereToNowhere,
    /// `here` → `here`, directly, when `1 > 2`
    HereToHere,
}

::statespec::__row!(
    pub Row, 4, [HereToThereOrNowhere, ThereToHere, HereOrThereToNowhere, HereToHere]
);

/// The states of a `direct`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `here`.
    Here,
    /// The state `there`.
    There,
    /// The state `nowhere`.
    Nowhere,
}

::statespec::__unit_enum!(
    pub State, "state", 3, [Here("here"), There("there"), Nowhere("nowhere")], serde
);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Here;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                    Source::Leaf(State::Here),
                    Trigger::Direct,
                    Target::OneOf(&[State::There, State::Nowhere]),
                )
                .with_guard("may and text == 'a'")
                .with_before(&[EffectKind::Arrive])
                .memory_first(),
            Transition::of(
                    Source::Leaf(State::There),
                    Trigger::Direct,
                    Target::To(State::Here),
                )
                .with_guard("not must"),
            Transition::of(
                Source::In(&[State::Here, State::There]),
                Trigger::Direct,
                Target::To(State::Nowhere),
            ),
            Transition::of(
                    Source::Leaf(State::Here),
                    Trigger::Direct,
                    Target::To(State::Here),
                )
                .with_guard("1 > 2"),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 3] = &[
            &[State::There, State::Nowhere],
            &[State::Here, State::Nowhere],
            &[],
        ];
        LISTS[self as usize]
    }

    /// Whether a transition leads to this state, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        ::statespec::__contains!(self.successors(), to, [as usize])
    }

    /// Whether this is an outcome: the work has ended, although a transition may lead back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether this is a sink: no transition leads to another state.
    pub const fn is_sink(self) -> bool {
        matches!(self, State::Nowhere)
    }
}

impl ::statespec::__private::Graph<::statespec::Never, EffectKind> for State {
    type Steps = [::statespec::Step<State>; 1];

    const NODES: &'static [::statespec::__private::Node<EffectKind>] = &[
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[EffectKind::Leave],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[EffectKind::Arrive],
            exit: &[],
        },
        ::statespec::__private::Node {
            parent: None,
            entry: &[],
            exit: &[],
        },
    ];
}

impl ::statespec::State for State {
    type Event = ::statespec::Never;

    type Effect = EffectKind;

    type Row = Row;

    const MACHINE: &'static str = "direct";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!();
}

/// The effects of transitions outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// The effect `leave`.
    Leave,
    /// The effect `arrive`.
    Arrive,
}

::statespec::__unit_enum!(
    pub EffectKind, "effect", 2, [Leave("leave"), Arrive("arrive")], serde
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

impl<Text, R: Copy> ::statespec::Effects<()> for Direct<Text, R> {
    type State = State;

    type Effect<'effect> = Effect where Self: 'effect, (): 'effect;

    #[inline]
    fn effect<'effect>(
        &'effect self,
        kind: EffectKind,
        _step: &::statespec::Step<State>,
        _event: Option<&()>,
    ) -> Option<Self::Effect<'effect>>
    where
        (): 'effect,
    {
        Some(kind)
    }
}

impl Effect {
    /// Performs the effect: calls its method of the host.
    pub fn perform<Text, R, H: Host<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Host<Text, R>>::Error> {
        match self {
            Effect::Leave => host.leave(),
            Effect::Arrive => host.arrive(),
        }
    }

    /// Performs the effect: calls its method of the host.
    pub async fn perform_async<Text, R, H: AsyncHost<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as AsyncHost<Text, R>>::Error> {
        match self {
            Effect::Leave => host.leave().await,
            Effect::Arrive => host.arrive().await,
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
        next: &Direct<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `leave`.
    fn leave(&mut self) -> Result<(), Self::Error>;

    /// The effect `arrive`.
    fn arrive(&mut self) -> Result<(), Self::Error>;

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
        next: &Direct<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// Performs an effect.
    fn perform(&mut self, effect: Effect) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

impl<Text, R, H: Host<Text, R> + ?Sized> EffectHost<Text, R> for H {
    type Error = <H as Host<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Direct<Text, R>,
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
pub trait AsyncHost<Text = &'static str, R = u64> {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Direct<Text, R>,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `leave`.
    fn leave(&mut self) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// The effect `arrive`.
    fn arrive(
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
        next: &Direct<Text, R>,
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

impl<Text, R, H: AsyncHost<Text, R> + ?Sized> AsyncEffectHost<Text, R> for H {
    type Error = <H as AsyncHost<Text, R>>::Error;

    #[inline]
    fn store(
        &mut self,
        next: &Direct<Text, R>,
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

/// The predicates of a `direct`: conditions that the spec leaves to your code.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `may`.
    fn may(&self, context: &Context<Text, R>) -> bool;

    /// The predicate `must`.
    fn must(&self, context: &Context<Text, R>) -> bool;
}
