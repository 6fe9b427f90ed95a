//! single\_state.

/// single\_state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SingleState {
    state: State,
}

impl SingleState {
    /// The machine as it was stored.
    #[inline]
    pub const fn restore(state: State) -> Self {
        SingleState { state }
    }

    /// What it is in.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }
}

impl SingleState {
    /// A new machine, in its initial state.
    pub fn new() -> Self {
        SingleState {
            state: State::INITIAL,
        }
    }
}

impl Default for SingleState {
    fn default() -> Self {
        Self::new()
    }
}

impl SingleState {}

/// What an event changed.
pub type Change = ::statespec::Change<State>;

/// Why an event was turned down.
pub type Refused = ::statespec::Refused<State>;

/// What a `single_state` can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The state `only`.
    ///
    /// An outcome: the work has ended.
    Only,
}

impl State {
    /// Every state, in the order of the spec.
    pub const ALL: [State; 1] = [State::Only];

    /// The name by which the state is stored and sent.
    #[inline]
    pub const fn name(self) -> &'static str {
        const NAMES: &[&str; 1] = &["only"];
        NAMES[self as usize]
    }
}

::statespec::named!(State, "state");

::statespec::named_serde!(State);

impl State {
    /// Where a machine starts.
    pub const INITIAL: State = State::Only;

    /// The rows of the spec, in its order.
    pub const fn transitions() -> &'static [::statespec::Transition<State>] {
        const ROWS: &[::statespec::Transition<State>] = &[];
        ROWS
    }

    /// The states that an edge leads to, guards aside.
    #[inline]
    pub const fn successors(self) -> &'static [State] {
        const SUCCESSORS: &[&[State]; 1] = &[&[]];
        SUCCESSORS[self as usize]
    }

    /// Whether an edge leads there, guards aside.
    #[inline]
    pub const fn allows(self, to: State) -> bool {
        const ALLOWED: &[u8; 1] = &[0b0];
        ALLOWED[self as usize] >> to as u32 & 1 == 1
    }

    /// Whether this is an outcome: the work has ended, though there may be a way back.
    pub const fn is_terminal(self) -> bool {
        true
    }

    /// Whether there is no way out.
    pub const fn is_final(self) -> bool {
        true
    }
}

impl ::statespec::State for State {
    type Event = ::statespec::Never;

    type Effect = ::statespec::Never;

    type Steps = [::statespec::Step<State>; 1];

    const MACHINE: &'static str = "single_state";

    const INITIAL: Self = State::INITIAL;

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
