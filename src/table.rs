//! The dispatch tables that emitted code looks into.

use crate::{Named, Refused, State, Step, Target, Transition, Why};

/// What an event comes to in a state, with the row of [`State::transitions`] that says so.
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

/// What an event comes to in every state.
///
/// The targets stand apart: taking a step reads one byte of them, and the row or the reason is
/// only read by callers who want to know it.
#[derive(Debug, Clone, Copy)]
pub struct Table<S, const STATES: usize, const EVENTS: usize> {
    targets: [[Option<S>; EVENTS]; STATES],
    rows: [[u32; EVENTS]; STATES],
}

/// In place of a row: the graph has no such edge.
const NOTHING: u32 = u32::MAX;
/// In place of a row: there are edges, but no guard holds.
const NO_GUARD: u32 = u32::MAX - 1;

const fn why(row: u32) -> Why {
    match row {
        NOTHING => Why::NoTransition,
        NO_GUARD => Why::Guard,
        row => Why::Text(row),
    }
}

impl<S: State, const STATES: usize, const EVENTS: usize> Table<S, STATES, EVENTS> {
    /// The step that an event takes.
    #[inline]
    pub fn on_event(&self, from: S, event: S::Event) -> Result<Step<S>, Refused<S>> {
        let row = || self.rows[from.index()][event.index()];
        match self.targets[from.index()][event.index()] {
            Some(to) => Ok(Step::new(Some(from), to, row())),
            None => Err(Refused::event_in(Some(from), event, why(row()))),
        }
    }

    /// A table to which rows are added.
    #[doc(hidden)]
    pub const fn empty() -> Self {
        Table { targets: [[None; EVENTS]; STATES], rows: [[NOTHING; EVENTS]; STATES] }
    }

    /// A row for the event of this position in the state `from` of this position: it counts unless a row without a guard
    /// stands before it.
    #[doc(hidden)]
    pub const fn add(&mut self, (from, state): (S, usize), event: usize, row: &Transition<S>, position: u32) {
        if self.rows[state][event] < NO_GUARD {
            return;
        }
        if row.is_guarded() {
            self.rows[state][event] = NO_GUARD;
            return;
        }
        let target = match row.to() {
            Target::To(to) => Some(to),
            Target::Stay => Some(from),
            Target::Refuse(_) => None,
            // These stand in a match before the table.
            Target::OneOf(_) | Target::Payload(_) => return,
        };
        self.targets[state][event] = target;
        self.rows[state][event] = position;
    }

    /// The same for a row that counts in any case.
    #[doc(hidden)]
    pub const fn put(&mut self, from: (S, usize), event: usize, row: &Transition<S>, position: u32) {
        self.rows[from.1][event] = NOTHING;
        self.targets[from.1][event] = None;
        self.add(from, event, row, position);
    }
}

/// What asking for a state by name comes to in every state: whether the way is open stands apart, as in [`Table`].
#[derive(Debug, Clone, Copy)]
pub struct Ways<const STATES: usize> {
    open: [[bool; STATES]; STATES],
    rows: [[u32; STATES]; STATES],
}

impl<const STATES: usize> Ways<STATES> {
    /// The step to a state asked for by name.
    #[inline]
    pub fn on_wish<S: State>(&self, from: S, to: S) -> Result<Step<S>, Refused<S>> {
        let row = || self.rows[from.index()][to.index()];
        if self.open[from.index()][to.index()] { Ok(Step::new(Some(from), to, row())) } else { Err(Refused::way_to(from, to, why(row()))) }
    }

    /// A table to which rows are added.
    #[doc(hidden)]
    pub const fn empty() -> Self {
        Ways { open: [[false; STATES]; STATES], rows: [[NOTHING; STATES]; STATES] }
    }

    /// A row between states of these positions: it counts unless a row without a guard stands before it.
    #[doc(hidden)]
    pub const fn add(&mut self, from: usize, to: usize, is_guarded: bool, position: u32) {
        if self.rows[from][to] >= NO_GUARD {
            self.open[from][to] = !is_guarded;
            self.rows[from][to] = if is_guarded { NO_GUARD } else { position };
        }
    }

    /// The same for a row that counts in any case.
    #[doc(hidden)]
    pub const fn put(&mut self, from: usize, to: usize, position: u32) {
        self.open[from][to] = true;
        self.rows[from][to] = position;
    }
}

/// Looks a pair up in a sorted list: for graphs whose dense table would be mostly empty.
pub fn find<S: State>(sorted: &[(u32, u32, Outcome<S>)], row: usize, column: usize) -> Outcome<S> {
    match sorted.binary_search_by(|(a, b, _)| (*a as usize, *b as usize).cmp(&(row, column))) {
        Ok(index) => sorted[index].2,
        Err(_) => Outcome::Nothing,
    }
}
