//! Dispatch tables, computed from the rows of the spec when emitted code is compiled.
//!
//! These are macros because the position of a state is only known in constants where its type is.

/// The [`Table`](crate::Table) of a machine.
///
/// Of the rows for a state and an event the first one without a guard counts; guards stand in a
/// match before the table. The last argument lists pairs that a later row decides, because its
/// source lies further inside.
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    ($state:ident, $n_states:literal, $event:ident, $n_events:literal, [$($inner:expr),* $(,)?] $(,)?) => {
        $crate::__table!($state, $n_states, $event, $n_events, [$($inner),*], [as usize])
    };
    ($state:ident, $n_states:literal, $event:ident, $n_events:literal, [$($inner:expr),* $(,)?], $index:tt $(,)?) => {{
        let rows: &'static [$crate::Transition<$state>] = <$state as $crate::State>::TRANSITIONS;
        let mut outcomes = [[$crate::Outcome::Nothing; $n_events]; $n_states];
        let mut row = 0;
        while row < rows.len() {
            $crate::__each_source!($state, $index, rows[row].from(), from => match rows[row].on() {
                $crate::Trigger::Wish => {}
                $crate::Trigger::Event(event) => {
                    outcomes[from][event as usize] = outcomes[from][event as usize].or_row(&rows[row], row as u32);
                }
                $crate::Trigger::AnyOf(events) => {
                    let mut idx = 0;
                    while idx < events.len() {
                        let event = events[idx] as usize;
                        outcomes[from][event] = outcomes[from][event].or_row(&rows[row], row as u32);
                        idx += 1;
                    }
                }
            });
            row += 1;
        }
        let inner: &[($state, $event, u32)] = &[$($inner),*];
        let mut idx = 0;
        while idx < inner.len() {
            let (from, event, row) = inner[idx];
            outcomes[$crate::__position!(from, $index)][event as usize] = $crate::Outcome::Nothing.or_row(&rows[row as usize], row);
            idx += 1;
        }
        $crate::Table::new(outcomes, $state::ALL)
    }};
}

/// The [`Ways`](crate::Ways) of a machine, likewise.
#[doc(hidden)]
#[macro_export]
macro_rules! __ways {
    ($state:ident, $n_states:literal, [$($inner:expr),* $(,)?] $(,)?) => {
        $crate::__ways!($state, $n_states, [$($inner),*], [as usize])
    };
    ($state:ident, $n_states:literal, [$($inner:expr),* $(,)?], $index:tt $(,)?) => {{
        let rows: &'static [$crate::Transition<$state>] = <$state as $crate::State>::TRANSITIONS;
        let mut outcomes = [[$crate::Outcome::Nothing; $n_states]; $n_states];
        let mut row = 0;
        while row < rows.len() {
            if let $crate::Trigger::Wish = rows[row].on() {
                $crate::__each_source!($state, $index, rows[row].from(), from => match rows[row].to() {
                    $crate::Target::To(to) => {
                        let column = $crate::__position!(to, $index);
                            outcomes[from][column] = outcomes[from][column].or_wish(&rows[row], to, row as u32);
                    }
                    $crate::Target::OneOf(targets) => {
                        let mut idx = 0;
                        while idx < targets.len() {
                            let to = targets[idx];
                            let column = $crate::__position!(to, $index);
                            outcomes[from][column] = outcomes[from][column].or_wish(&rows[row], to, row as u32);
                            idx += 1;
                        }
                    }
                    _ => {}
                });
            }
            row += 1;
        }
        let inner: &[($state, $state, u32)] = &[$($inner),*];
        let mut idx = 0;
        while idx < inner.len() {
            let (from, to, row) = inner[idx];
            outcomes[$crate::__position!(from, $index)][$crate::__position!(to, $index)] = $crate::Outcome::To(to, row);
            idx += 1;
        }
        $crate::Ways::new(outcomes)
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

/// Does something for the position of every leaf that a row starts in.
#[doc(hidden)]
#[macro_export]
macro_rules! __each_source {
    ($state:ident, [$($index:tt)*], $source:expr, $from:ident => $body:expr) => {
        match $source {
            $crate::Source::Birth => {}
            $crate::Source::Leaf(leaf) => {
                let $from = leaf $($index)*;
                $body
            }
            $crate::Source::In(leaves) => {
                let mut leaf = 0;
                while leaf < leaves.len() {
                    let $from = leaves[leaf] $($index)*;
                    $body
                    leaf += 1;
                }
            }
            $crate::Source::AnyBut(except) => {
                let mut $from = 0;
                while $from < $state::ALL.len() {
                    let mut idx = 0;
                    while idx < except.len() && except[idx] $($index)* != $from {
                        idx += 1;
                    }
                    if idx == except.len() {
                        $body
                    }
                    $from += 1;
                }
            }
        }
    };
}
