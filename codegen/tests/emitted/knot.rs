//! A knot.

::statespec::__emitted!(6);

/// A knot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Knot {
    state: State,
    context: Context,
}

impl Knot {
    /// The machine as it was stored; what the caller passes is not checked.
    #[inline]
    pub const fn restore(state: State, context: Context) -> Self {
        Knot { state, context }
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
        Knot {
            state: State::INITIAL,
            context: Default::default(),
        }
    }

    /// The change that a direct transition to a state would make; nothing changes.
    #[inline]
    pub fn plan_to(&self, to: State) -> Result<Change, Refused> {
        self.direct_step(to).map(Change::new)
    }

    /// Takes the direct transition to a state, which needs no event; or it is refused and nothing changes.
    #[inline]
    #[allow(clippy::single_match)]
    pub fn transition_to(&mut self, to: State) -> Result<Change, Refused> {
        let step = self.direct_step(to)?;
        match step.row() {
            Row::TiedToTied => {
                self.context.n = ::statespec::__private::quotient(10i64, self.context.n);
            }
        }
        self.state = step.to();
        Ok(Change::new(step))
    }

    #[inline]
    fn direct_step(&self, to: State) -> Result<::statespec::Step<State>, Refused> {
        use ::statespec::__private::Outcome;
        let outcome = match (self.state, to) {
            (State::Tied, State::Tied) if self.context.n == 0 => Outcome::DivisionByZero,
            (State::Tied, State::Tied) => Outcome::To(State::Tied, Row::TiedToTied),
        };
        outcome.on_direct(self.state, to)
    }

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub fn run_to<H: Host + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as Host>::Error>> {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
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

    /// Takes the direct transition to a state with a host; otherwise like `run`.
    pub async fn run_to_async<H: AsyncHost + ?Sized>(
        &mut self,
        to: State,
        host: &mut H,
    ) -> Result<Change, ::statespec::RunError<State, <H as AsyncHost>::Error>> {
        let mut next = Clone::clone(self);
        let planned = next.transition_to(to).map(|change| (next, change));
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
}

impl Default for Knot {
    fn default() -> Self {
        Self::new()
    }
}

/// The change that an event made.
pub type Change = ::statespec::Change<State>;

/// Why an event was refused.
pub type Refused = ::statespec::Refused<State>;

/// The context of a `knot`: data stored with the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[derive(
    ::statespec::__private::serde::Serialize,
    ::statespec::__private::serde::Deserialize
)]
#[serde(crate = "::statespec::__private::serde")]
pub struct Context {
    /// A whole number.
    pub n: i64,
}

#[allow(clippy::derivable_impls)]
impl Default for Context {
    fn default() -> Self {
        Context { n: 0 }
    }
}

/// The rows of the spec, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// `tied` → `tied`, directly
    TiedToTied,
}

::statespec::__row!(pub Row, 1, [TiedToTied]);

/// The states of a `knot`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `tied`.
    Tied,
}

::statespec::__unit_enum!(pub State, "state", 1, [Tied("tied")], serde);

impl State {
    /// The state that a machine starts in.
    pub const INITIAL: State = State::Tied;

    /// The rows of the spec as data, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::of(
                Source::Leaf(State::Tied),
                Trigger::Direct,
                Target::To(State::Tied),
            ),
        ];
        ROWS
    }

    /// The states that a transition leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const LISTS: &[&[State]; 1] = &[&[State::Tied]];
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
        true
    }
}

impl ::statespec::__private::Graph<::statespec::Never, ::statespec::Never> for State {
    type Steps = [::statespec::Step<State>; 1];
}

impl ::statespec::State for State {
    type Event = ::statespec::Never;

    type Effect = ::statespec::Never;

    type Row = Row;

    const MACHINE: &'static str = "knot";

    const INITIAL: State = State::INITIAL;

    ::statespec::__state!();
}

/// The host: stores the machine, and performs the effects.
pub trait Host {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(&mut self, next: &Knot, change: &Change) -> Result<(), Self::Error>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}

/// The asynchronous host: stores the machine, and performs the effects. Implement its methods as `async fn`.
pub trait AsyncHost {
    /// The error of the store or of an effect.
    type Error;

    /// Stores the machine as it is after a change.
    fn store(
        &mut self,
        next: &Knot,
        change: &Change,
    ) -> impl ::core::future::Future<Output = Result<(), Self::Error>>;

    /// Sees every attempt, after it has ended: for logs, traces and metrics.
    #[inline]
    fn observe(&mut self, _attempt: &::statespec::Attempt<'_, State>) {}
}
