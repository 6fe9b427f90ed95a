//! Hand-written implementations: a `match`, and a table.

use crate::Contender;

/// The states of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Queued,
    Running,
    Correcting,
    Optimizing,
    Validating,
    Complete,
    Failed,
    Cancelled,
}

/// A request to a run: to go to a state, or to resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Go(State),
    Resume,
}

impl Ask {
    /// Every request that some state accepts.
    pub const ALL: [Ask; 8] = [
        Ask::Go(State::Running),
        Ask::Go(State::Correcting),
        Ask::Go(State::Optimizing),
        Ask::Go(State::Validating),
        Ask::Go(State::Complete),
        Ask::Go(State::Failed),
        Ask::Go(State::Cancelled),
        Ask::Resume,
    ];

    const fn column(self) -> usize {
        match self {
            Ask::Go(to) => to as usize,
            Ask::Resume => 8,
        }
    }
}

/// The refusal of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// The state before and after.
    pub from: State,
    /// The request.
    pub ask: Ask,
}

/// A `match` over the state and the request.
#[derive(Debug, Clone, Copy)]
pub struct Match {
    state: State,
}

impl Match {
    #[inline]
    fn apply(&mut self, ask: Ask) -> Result<State, Refused> {
        use Ask::{Go, Resume};
        use State::*;
        self.state = match (self.state, ask) {
            (Queued, Go(to @ (Running | Cancelled | Failed))) => to,
            (Running, Go(to @ (Correcting | Optimizing | Validating | Failed | Complete | Cancelled))) => to,
            (Correcting, Go(to @ (Running | Validating | Failed | Cancelled))) => to,
            (Optimizing, Go(to @ (Running | Validating | Failed | Complete | Cancelled))) => to,
            (Validating, Go(to @ (Running | Optimizing | Failed | Complete | Cancelled))) => to,
            (Failed | Cancelled, Resume) => Queued,
            (from, ask) => return Err(Refused { from, ask }),
        };
        Ok(self.state)
    }
}

impl Contender for Match {
    type Event = Ask;

    fn new() -> Self {
        Match { state: State::Queued }
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        self.apply(ask).is_ok()
    }

    fn state(&self) -> State {
        self.state
    }
}

/// A table with a row for each state and a column for each request.
#[derive(Debug)]
pub struct Table {
    state: State,
}

impl Table {
    #[inline]
    fn apply(&mut self, ask: Ask) -> Result<State, Refused> {
        match NEXT[self.state as usize][ask.column()] {
            Some(to) => {
                self.state = to;
                Ok(to)
            }
            None => Err(Refused { from: self.state, ask }),
        }
    }
}

const NEXT: [[Option<State>; 9]; 8] = {
    use State::*;
    [
        [None, Some(Running), None, None, None, None, Some(Failed), Some(Cancelled), None],
        [None, None, Some(Correcting), Some(Optimizing), Some(Validating), Some(Complete), Some(Failed), Some(Cancelled), None],
        [None, Some(Running), None, None, Some(Validating), None, Some(Failed), Some(Cancelled), None],
        [None, Some(Running), None, None, Some(Validating), Some(Complete), Some(Failed), Some(Cancelled), None],
        [None, Some(Running), None, Some(Optimizing), None, Some(Complete), Some(Failed), Some(Cancelled), None],
        [None, None, None, None, None, None, None, None, None],
        [None, None, None, None, None, None, None, None, Some(Queued)],
        [None, None, None, None, None, None, None, None, Some(Queued)],
    ]
};

impl Contender for Table {
    type Event = Ask;

    fn new() -> Self {
        Table { state: State::Queued }
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, ask: Ask) -> bool {
        self.apply(ask).is_ok()
    }

    fn state(&self) -> State {
        self.state
    }
}
