//! Direct.
//!
//! | From | On | To | When |
//! | --- | --- | --- | --- |
//! | `here` |  | `there` or `nowhere` | `may and text == 'a'` |
//! | `there` |  | `here` | `not must` |
//! | `here` or `there` |  | `nowhere` |  |

/// Direct.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Direct<Text = &'static str, R = u64> {
    state: State,
    context: Context<Text, R>,
}

impl<Text, R> Direct<Text, R> {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State, context: Context<Text, R>) -> Self {
        Direct { state, context }
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

impl<Text: ::statespec::FromLiteral, R> Direct<Text, R> {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        Direct {
            state: State::INITIAL,
            context: Default::default(),
        }
    }
}

impl<Text: ::statespec::FromLiteral, R> Default for Direct<Text, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Text: ::statespec::FromLiteral + AsRef<str>, R: Copy + PartialEq> Direct<Text, R> {
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
            1 => {
                self.context.text = ::statespec::FromLiteral::from_literal("b");
            }
            2 => {
                self.context.who = None;
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
            const { &::statespec::__ways!(State, []) }
        }
        let outcome = match (self.state, to) {
            (
                State::Here,
                State::There,
            ) if predicates.may(&self.context)
                && AsRef::<str>::as_ref(&self.context.text) == "a" => {
                Outcome::To(State::There, 0)
            }
            (
                State::Here,
                State::Nowhere,
            ) if predicates.may(&self.context)
                && AsRef::<str>::as_ref(&self.context.text) == "a" => {
                Outcome::To(State::Nowhere, 0)
            }
            (State::There, State::Here) if !predicates.must(&self.context) => {
                Outcome::To(State::Here, 1)
            }
            _ => return ways::<3>().on_wish(self.state, to),
        };
        outcome.on_wish(self.state, to)
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
    {
        let mut next = Clone::clone(self);
        let change = next.transition_to(to, predicates)?;
        ::statespec::commit(
            self,
            next,
            change,
            host,
            |host, next, change| host.store(next, change),
            |host, effect| effect.perform(host),
        )
    }
}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `direct` knows beside its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Context<Text = &'static str, R = u64> {
    /// The field `text`.
    pub text: Text,
    /// The field `who`.
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

/// What a `direct` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `here`.
    Here,
    /// The state `there`.
    There,
    /// The state `nowhere`.
    Nowhere,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 3] = [State::Here, State::There, State::Nowhere];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 3] = &["here", "there", "nowhere"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Here;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        use ::statespec::{Row, Source, Target, Transition, Trigger};
        const ROWS: &[::statespec::Transition<State>] = &[
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::Here),
                        Trigger::Wish,
                        Target::OneOf(&[State::There, State::Nowhere]),
                    )
                    .guard("may and text == 'a'")
                    .before(&[Effect::Arrive])
                    .memory_first(),
            ),
            Transition::Full(
                &Row::of(
                        Source::Leaf(State::There),
                        Trigger::Wish,
                        Target::To(State::Here),
                    )
                    .guard("not must"),
            ),
            Transition::Full(
                &Row::of(
                    Source::In(&[State::Here, State::There]),
                    Trigger::Wish,
                    Target::To(State::Nowhere),
                ),
            ),
        ];
        ROWS
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 3] = &[
            &[State::There, State::Nowhere],
            &[State::Here, State::Nowhere],
            &[],
        ];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 3] = &[0b110, 0b101, 0b000];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        false
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Nowhere)
    }
}

impl ::statespec::State for State {
    type Event = ::statespec::Never;

    type Effect = Effect;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "direct";

    const INITIAL: Self = State::INITIAL;

    const NODES: &'static [::statespec::Node<Self::Effect>] = &[
        ::statespec::Node {
            parent: None,
            entry: &[],
            exit: &[Effect::Leave],
        },
        ::statespec::Node {
            parent: None,
            entry: &[Effect::Arrive],
            exit: &[],
        },
        ::statespec::Node {
            parent: None,
            entry: &[],
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
        &[]
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

/// What a step makes happen outside the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The effect `leave`.
    Leave,
    /// The effect `arrive`.
    Arrive,
}

impl Effect {
    /// Every effect, in the order of the spec.
    pub const ALL: [Effect; 2] = [Effect::Leave, Effect::Arrive];

    /// The name by which the effect is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 2] = &["leave", "arrive"];
        NAMES[self as usize]
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
        next: &Direct<Text, R>,
        change: &Change,
    ) -> Result<(), Self::Error>;

    /// The effect `leave`.
    fn leave(&mut self) -> Result<(), Self::Error>;

    /// The effect `arrive`.
    fn arrive(&mut self) -> Result<(), Self::Error>;
}

impl Effect {
    /// Performs the effect: calls its method with what it takes from the event.
    pub fn perform<Text, R: Copy, H: Effects<Text, R> + ?Sized>(
        self,
        host: &mut H,
    ) -> Result<(), <H as Effects<Text, R>>::Error> {
        match self {
            Effect::Leave => host.leave(),
            Effect::Arrive => host.arrive(),
        }
    }
}

/// What the guards of `direct` ask and the spec leaves open.
pub trait Predicates<Text = &'static str, R = u64> {
    /// The predicate `may`.
    fn may(&self, context: &Context<Text, R>) -> bool;

    /// The predicate `must`.
    fn must(&self, context: &Context<Text, R>) -> bool;
}
