//! Dispatch tables of emitted code, computed from the rows of the spec when the compiler generates code that uses them.
//!
//! The tables are filled by macros because only a macro can use the position of a state in a constant:
//! a constant cannot call a method of a trait.

use crate::change::Plain;
use crate::{Named, Reason, Refused, State, Step, Target, Transition};

/// The outcome of an event in one state, with the row that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome<S: State> {
    /// A transition to a leaf, which may be the current state.
    To(S, S::Row),
    /// The machine stays in its state.
    Stay(S::Row),
    /// The event is refused with the text of the row.
    Refuse(S::Row),
    /// There are rows, but no guard holds.
    NoGuard,
    /// The graph has no such edge.
    NoTransition,
    /// A guard or an assignment divides by zero.
    DivisionByZero,
}

impl<S: Plain> Outcome<S> {
    /// The step that an event takes.
    #[inline]
    pub fn on_event(self, from: S, event: S::Event) -> Result<Step<S>, Refused<S>> {
        self.step(Some(from), from).map_err(|(reason, row)| Refused::of_event(Some(from), event, reason, row))
    }

    /// The step that creates a machine.
    #[inline]
    pub fn on_creation(self, event: S::Event) -> Result<Step<S>, Refused<S>> {
        self.step(None, S::INITIAL).map_err(|(reason, row)| Refused::of_event(None, event, reason, row))
    }

    /// The step that a machine takes by itself.
    #[inline]
    pub fn on_cause(self, from: S) -> Result<Step<S>, Refused<S>> {
        // Nobody asked for it, so nobody sees this refusal.
        self.step(Some(from), from).map_err(|(reason, row)| Refused::of_direct(from, from, reason, row))
    }

    /// The step of a direct transition.
    #[inline]
    pub fn on_direct(self, from: S, to: S) -> Result<Step<S>, Refused<S>> {
        self.step(Some(from), from).map_err(|(reason, row)| Refused::of_direct(from, to, reason, row))
    }

    #[inline]
    fn step(self, from: Option<S>, stay: S) -> Result<Step<S>, (Reason, Option<S::Row>)> {
        match self {
            Outcome::To(to, row) => Ok(Step::new(from, to, row)),
            Outcome::Stay(row) => Ok(Step::new(from, stay, row)),
            Outcome::Refuse(row) => Err((Reason::Text, Some(row))),
            Outcome::NoGuard => Err((Reason::Guard, None)),
            Outcome::NoTransition => Err((Reason::NoTransition, None)),
            Outcome::DivisionByZero => Err((Reason::DivisionByZero, None)),
        }
    }
}

/// The outcome of every event in every state.
///
/// Targets, rows and reasons are separate arrays: a step reads one byte of the targets, and the others
/// are read only by callers that use them.
#[derive(Debug, Clone, Copy)]
pub struct Table<S: State, const STATES: usize, const EVENTS: usize> {
    targets: [[Option<S>; EVENTS]; STATES],
    rows: [[S::Row; EVENTS]; STATES],
    reasons: [[Reason; EVENTS]; STATES],
}

impl<S: Plain, const STATES: usize, const EVENTS: usize> Table<S, STATES, EVENTS> {
    /// The step that an event takes.
    #[inline]
    pub fn on_event(&self, from: S, event: S::Event) -> Result<Step<S>, Refused<S>> {
        let row = || self.rows[from.index()][event.index()];
        match self.targets[from.index()][event.index()] {
            Some(to) => Ok(Step::new(Some(from), to, row())),
            None => {
                let reason = self.reasons[from.index()][event.index()];
                Err(Refused::of_event(Some(from), event, reason, reason.has_text().then(row)))
            }
        }
    }
}

impl<S: State, const STATES: usize, const EVENTS: usize> Table<S, STATES, EVENTS> {
    /// A table without rows; `filler` is the placeholder for missing rows.
    pub const fn empty(filler: S::Row) -> Self {
        Table { targets: [[None; EVENTS]; STATES], rows: [[filler; EVENTS]; STATES], reasons: [[Reason::NoTransition; EVENTS]; STATES] }
    }

    /// Adds a row for an event in a state; the first row without a guard decides.
    pub const fn add(&mut self, (from, state): (S, usize), event: usize, transition: &Transition<S>, row: S::Row) {
        if self.targets[state][event].is_some() || self.reasons[state][event].has_text() {
            return;
        }
        if transition.guard().is_some() {
            self.reasons[state][event] = Reason::Guard;
            return;
        }
        match transition.target {
            Target::To(to) => self.targets[state][event] = Some(to),
            Target::Stay => self.targets[state][event] = Some(from),
            Target::Refuse(_) => self.reasons[state][event] = Reason::Text,
            // A match before the table handles these targets.
            Target::OneOf(_) | Target::All(_) | Target::Payload(_) | Target::History(_) => return,
        }
        self.rows[state][event] = row;
    }

    /// Adds a row that overrides an earlier row, because its source is nested deeper.
    pub const fn replace(&mut self, from: (S, usize), event: usize, transition: &Transition<S>, row: S::Row) {
        self.targets[from.1][event] = None;
        self.reasons[from.1][event] = Reason::NoTransition;
        self.add(from, event, transition, row);
    }
}

/// The direct transitions between all pairs of states.
#[derive(Debug, Clone, Copy)]
pub struct DirectTable<R, const STATES: usize> {
    open: [[bool; STATES]; STATES],
    rows: [[R; STATES]; STATES],
    reasons: [[Reason; STATES]; STATES],
}

impl<R: Copy, const STATES: usize> DirectTable<R, STATES> {
    /// The step of a direct transition.
    #[inline]
    pub fn on_direct<S: Plain + State<Row = R>>(&self, from: S, to: S) -> Result<Step<S>, Refused<S>> {
        if self.open[from.index()][to.index()] {
            Ok(Step::new(Some(from), to, self.rows[from.index()][to.index()]))
        } else {
            Err(Refused::of_direct(from, to, self.reasons[from.index()][to.index()], None))
        }
    }

    /// A table without rows; `filler` is the placeholder for missing rows.
    pub const fn empty(filler: R) -> Self {
        DirectTable { open: [[false; STATES]; STATES], rows: [[filler; STATES]; STATES], reasons: [[Reason::NoTransition; STATES]; STATES] }
    }

    /// Adds a row between two states; the first row without a guard decides.
    pub const fn add(&mut self, from: usize, to: usize, is_guarded: bool, row: R) {
        if self.open[from][to] {
            return;
        }
        self.reasons[from][to] = Reason::Guard;
        if !is_guarded {
            self.open[from][to] = true;
            self.rows[from][to] = row;
        }
    }

    /// Adds a row that overrides an earlier row.
    pub const fn replace(&mut self, from: usize, to: usize, row: R) {
        self.open[from][to] = true;
        self.rows[from][to] = row;
    }
}

/// Finds a pair in a sorted list, for graphs whose table would be mostly empty.
pub fn find<S: State>(sorted: &[(u32, u32, Outcome<S>)], row: usize, column: usize) -> Outcome<S> {
    match sorted.binary_search_by(|(a, b, _)| (*a as usize, *b as usize).cmp(&(row, column))) {
        Ok(index) => sorted[index].2,
        Err(_) => Outcome::NoTransition,
    }
}

/// The [`Table`] of a machine; for a state and an event, the first row without a guard decides.
///
/// A match before the table handles rows with a guard. The list contains the pairs that a later row decides,
/// because its source is nested deeper. The table is a constant of a generic function, so that
/// `cargo check` does not compute it.
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    ($state:ident, $event:ident, $row:ident, [$($inner:expr),* $(,)?]) => {
        $crate::__table!($state, $event, $row, [$($inner),*], [as usize])
    };
    ($state:ident, $event:ident, $row:ident, [$($inner:expr),* $(,)?], $index:tt) => {{
        #[inline]
        const fn table<const STATES: usize, const EVENTS: usize>() -> &'static $crate::__private::Table<$state, STATES, EVENTS> {
            const {
                let transitions = $state::transitions();
                let mut table = $crate::__private::Table::<$state, STATES, EVENTS>::empty($row::at(0));
                let mut row = 0;
                while row < transitions.len() {
                    let trigger = transitions[row].trigger();
                    $crate::__each_source!($state, $index, transitions[row].source(), from => match trigger {
                        $crate::Trigger::Direct | $crate::Trigger::Automatic | $crate::Trigger::Done => {}
                        $crate::Trigger::Event(event) => table.add(from, event as usize, &transitions[row], $row::at(row)),
                        $crate::Trigger::AnyOf(events) => {
                            let mut idx = 0;
                            while idx < events.len() {
                                table.add(from, events[idx] as usize, &transitions[row], $row::at(row));
                                idx += 1;
                            }
                        }
                        _ => ::core::panic!("this trigger needs a newer emitted module"),
                    });
                    row += 1;
                }
                let inner: &[($state, $event, $row)] = &[$($inner),*];
                let mut idx = 0;
                while idx < inner.len() {
                    let (from, event, row) = inner[idx];
                    table.replace((from, $crate::__position!(from, $index)), event as usize, &transitions[row.position()], row);
                    idx += 1;
                }
                &{ table }
            }
        }
        table::<{ $state::ALL.len() }, { $event::ALL.len() }>()
    }};
}

/// The [`DirectTable`] of a machine, computed in the same way.
#[doc(hidden)]
#[macro_export]
macro_rules! __direct_table {
    ($state:ident, $row:ident, [$($inner:expr),* $(,)?]) => {
        $crate::__direct_table!($state, $row, [$($inner),*], [as usize])
    };
    ($state:ident, $row:ident, [$($inner:expr),* $(,)?], $index:tt) => {{
        #[inline]
        const fn table<const STATES: usize>() -> &'static $crate::__private::DirectTable<$row, STATES> {
            const {
                let transitions = $state::transitions();
                let mut table = $crate::__private::DirectTable::<$row, STATES>::empty($row::at(0));
                let mut row = 0;
                while row < transitions.len() {
                    if let $crate::Trigger::Direct = transitions[row].trigger() {
                        let is_guarded = transitions[row].guard().is_some();
                        $crate::__each_source!($state, $index, transitions[row].source(), from => match transitions[row].target() {
                            $crate::Target::To(to) => table.add(from.1, $crate::__position!(to, $index), is_guarded, $row::at(row)),
                            $crate::Target::OneOf(targets) => {
                                let mut idx = 0;
                                while idx < targets.len() {
                                    table.add(from.1, $crate::__position!(targets[idx], $index), is_guarded, $row::at(row));
                                    idx += 1;
                                }
                            }
                            _ => {}
                        });
                    }
                    row += 1;
                }
                let inner: &[($state, $state, $row)] = &[$($inner),*];
                let mut idx = 0;
                while idx < inner.len() {
                    let (from, to, row) = inner[idx];
                    table.replace($crate::__position!(from, $index), $crate::__position!(to, $index), row);
                    idx += 1;
                }
                &{ table }
            }
        }
        table::<{ $state::ALL.len() }>()
    }};
}

/// The position of a state.
#[doc(hidden)]
#[macro_export]
macro_rules! __position {
    ($state:expr, [$($index:tt)*]) => {
        $state $($index)*
    };
}

/// Runs a block for every source leaf of a row, with the position of the leaf.
#[doc(hidden)]
#[macro_export]
macro_rules! __each_source {
    ($state:ident, [$($index:tt)*], $source:expr, $from:ident => $body:expr) => {
        match $source {
            $crate::Source::Creation => {}
            $crate::Source::Leaf(leaf) => {
                let $from = (leaf, leaf $($index)*);
                $body
            }
            $crate::Source::In(leaves) => {
                let mut leaf = 0;
                while leaf < leaves.len() {
                    let $from = (leaves[leaf], leaves[leaf] $($index)*);
                    $body
                    leaf += 1;
                }
            }
            $crate::Source::AnyBut(except) => {
                let mut leaf = 0;
                while leaf < $state::ALL.len() {
                    let $from = ($state::ALL[leaf], leaf);
                    let mut idx = 0;
                    while idx < except.len() && except[idx] $($index)* != leaf {
                        idx += 1;
                    }
                    if idx == except.len() {
                        $body
                    }
                    leaf += 1;
                }
            }
            _ => ::core::panic!("this source needs a newer emitted module"),
        }
    };
}

/// Whether a list of states contains a state; usable in constants.
#[doc(hidden)]
#[macro_export]
macro_rules! __contains {
    ($states:expr, $state:expr, [$($index:tt)*]) => {{
        let states = $states;
        let mut idx = 0;
        while idx < states.len() && states[idx] $($index)* != $state $($index)* {
            idx += 1;
        }
        idx < states.len()
    }};
}
