//! The cells of the dispatch table that emitted code looks into.

use crate::{Refused, State, Step, Why};

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

/// Looks a pair up in a sorted list: for graphs whose dense table would be mostly empty.
pub fn find<S: State>(sorted: &[(u32, u32, Outcome<S>)], row: usize, column: usize) -> Outcome<S> {
    match sorted.binary_search_by(|(a, b, _)| (*a as usize, *b as usize).cmp(&(row, column))) {
        Ok(index) => sorted[index].2,
        Err(_) => Outcome::Nothing,
    }
}
