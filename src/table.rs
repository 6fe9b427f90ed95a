//! The dispatch tables that emitted code looks into.

use crate::{Named, Refused, State, Step, Target, Transition, Why};

/// What an event comes to in a state, with the row of [`State::TRANSITIONS`] that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<S> {
    /// To a leaf, which may be the one it starts in.
    To(S, u32),
    /// The machine stays where it is.
    Stay(u32),
    /// Turned down with a text.
    Refuse(u32),
    /// There are edges, but no guard holds.
    NoGuard,
    /// The graph has no such edge.
    Nothing,
}

impl<S: State> Outcome<S> {
    /// The step that an event takes.
    #[inline]
    pub fn on_event(self, from: S, event: S::Event) -> Result<Step<S>, Refused<S>> {
        self.step(Some(from), from).map_err(|why| Refused::event_in(Some(from), event, why))
    }

    /// The step that an event takes at birth.
    #[inline]
    pub fn at_birth(self, event: S::Event) -> Result<Step<S>, Refused<S>> {
        self.step(None, S::INITIAL).map_err(|why| Refused::event_in(None, event, why))
    }

    /// The step to a state asked for by name.
    #[inline]
    pub fn on_wish(self, from: S, to: S) -> Result<Step<S>, Refused<S>> {
        self.step(Some(from), from).map_err(|why| Refused::way_to(from, to, why))
    }

    #[inline]
    fn step(self, from: Option<S>, stay: S) -> Result<Step<S>, Why> {
        match self {
            Outcome::To(to, row) => Ok(Step::new(from, to, row)),
            Outcome::Stay(row) => Ok(Step::new(from, stay, row)),
            Outcome::Refuse(row) => Err(Why::Text(row)),
            Outcome::NoGuard => Err(Why::Guard),
            Outcome::Nothing => Err(Why::NoTransition),
        }
    }
}

/// The outcome of every pair of a state and an event.
///
/// The targets stand apart: taking a step reads one byte of them, and the row or the reason is
/// only read by callers who want to know it.
#[derive(Debug, Clone, Copy)]
pub struct Table<S, const STATES: usize, const EVENTS: usize> {
    targets: [[Option<S>; EVENTS]; STATES],
    outcomes: [[Outcome<S>; EVENTS]; STATES],
}

impl<S: Copy, const STATES: usize, const EVENTS: usize> Table<S, STATES, EVENTS> {
    /// A table of these outcomes, a line for each of the states.
    pub const fn new(outcomes: [[Outcome<S>; EVENTS]; STATES], states: [S; STATES]) -> Self {
        let mut targets = [[None; EVENTS]; STATES];
        let mut state = 0;
        while state < STATES {
            let mut event = 0;
            while event < EVENTS {
                targets[state][event] = match outcomes[state][event] {
                    Outcome::To(to, _) => Some(to),
                    Outcome::Stay(_) => Some(states[state]),
                    _ => None,
                };
                event += 1;
            }
            state += 1;
        }
        Table { targets, outcomes }
    }
}

impl<S: State, const STATES: usize, const EVENTS: usize> Table<S, STATES, EVENTS> {
    /// The step that an event takes.
    #[inline]
    pub fn on_event(&self, from: S, event: S::Event) -> Result<Step<S>, Refused<S>> {
        let outcome = || self.outcomes[from.index()][event.index()];
        match self.targets[from.index()][event.index()] {
            Some(to) => Ok(Step::new(Some(from), to, outcome().row())),
            None => Err(Refused::event_in(Some(from), event, outcome().why())),
        }
    }
}

/// The outcome of asking for a state by name in every state: whether the way is open stands apart,
/// as in [`Table`].
#[derive(Debug, Clone, Copy)]
pub struct Ways<S, const STATES: usize> {
    open: [[bool; STATES]; STATES],
    outcomes: [[Outcome<S>; STATES]; STATES],
}

impl<S: Copy, const STATES: usize> Ways<S, STATES> {
    /// A table of these outcomes, a line for each of the states.
    pub const fn new(outcomes: [[Outcome<S>; STATES]; STATES]) -> Self {
        let mut open = [[false; STATES]; STATES];
        let mut from = 0;
        while from < STATES {
            let mut to = 0;
            while to < STATES {
                open[from][to] = matches!(outcomes[from][to], Outcome::To(..));
                to += 1;
            }
            from += 1;
        }
        Ways { open, outcomes }
    }
}

impl<S: State, const STATES: usize> Ways<S, STATES> {
    /// The step to a state asked for by name.
    #[inline]
    pub fn on_wish(&self, from: S, to: S) -> Result<Step<S>, Refused<S>> {
        let outcome = || self.outcomes[from.index()][to.index()];
        if self.open[from.index()][to.index()] {
            Ok(Step::new(Some(from), to, outcome().row()))
        } else {
            Err(Refused::way_to(from, to, outcome().why()))
        }
    }
}

impl<S> Outcome<S> {
    #[inline]
    fn row(&self) -> u32 {
        match self {
            Outcome::To(_, row) | Outcome::Stay(row) | Outcome::Refuse(row) => *row,
            Outcome::NoGuard | Outcome::Nothing => 0,
        }
    }

    #[inline]
    fn why(&self) -> Why {
        match self {
            Outcome::Refuse(row) => Why::Text(*row),
            Outcome::NoGuard => Why::Guard,
            _ => Why::NoTransition,
        }
    }
}

impl<S: State> Outcome<S> {
    /// What a row makes of a cell that rows before it have left open.
    #[doc(hidden)]
    pub const fn or_row(self, row: &Transition<S>, position: u32) -> Self {
        match (self, row.is_guarded(), row.to()) {
            (Outcome::Nothing | Outcome::NoGuard, true, _) => Outcome::NoGuard,
            (Outcome::Nothing | Outcome::NoGuard, false, Target::To(to)) => Outcome::To(to, position),
            (Outcome::Nothing | Outcome::NoGuard, false, Target::Stay) => Outcome::Stay(position),
            (Outcome::Nothing | Outcome::NoGuard, false, Target::Refuse(_)) => Outcome::Refuse(position),
            (decided, ..) => decided,
        }
    }

    /// The same for the wish for a state that the row leads to.
    #[doc(hidden)]
    pub const fn or_wish(self, row: &Transition<S>, to: S, position: u32) -> Self {
        match (self, row.is_guarded()) {
            (Outcome::Nothing | Outcome::NoGuard, true) => Outcome::NoGuard,
            (Outcome::Nothing | Outcome::NoGuard, false) => Outcome::To(to, position),
            (decided, _) => decided,
        }
    }
}

/// Looks a pair up in a sorted list: for graphs whose dense table would be mostly empty.
pub fn find<S: State>(sorted: &[(u32, u32, Outcome<S>)], row: usize, column: usize) -> Outcome<S> {
    match sorted.binary_search_by(|(a, b, _)| (*a as usize, *b as usize).cmp(&(row, column))) {
        Ok(index) => sorted[index].2,
        Err(_) => Outcome::Nothing,
    }
}

/// The values at these places of a list: long lists are emitted as places, which cost the compiler
/// a fraction of what paths do.
#[doc(hidden)]
pub const fn at<T: Copy, const ALL: usize, const N: usize>(all: [T; ALL], places: [u32; N]) -> [T; N] {
    let mut values = [all[0]; N];
    let mut idx = 0;
    while idx < N {
        values[idx] = all[places[idx] as usize];
        idx += 1;
    }
    values
}

/// Plain rows likewise: three places for each, of its source, its event and its target. `others` go to the
/// positions beside them.
#[doc(hidden)]
pub const fn rows<S: State, const STATES: usize, const EVENTS: usize, const PLACES: usize, const N: usize>(
    states: [S; STATES],
    events: [S::Event; EVENTS],
    places: [u32; PLACES],
    others: &[(u32, Transition<S>)],
) -> [Transition<S>; N] {
    let mut rows = [Transition::Plain(states[0], events[0], states[0]); N];
    let mut idx = 0;
    while idx < N {
        let (from, event, to) = (places[3 * idx], places[3 * idx + 1], places[3 * idx + 2]);
        rows[idx] = Transition::Plain(states[from as usize], events[event as usize], states[to as usize]);
        idx += 1;
    }
    let mut idx = 0;
    while idx < others.len() {
        rows[others[idx].0 as usize] = others[idx].1;
        idx += 1;
    }
    rows
}
