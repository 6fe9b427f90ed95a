//! Dispatch tables, computed from the rows of the spec when code is made of them.
//!
//! These are macros because the position of a state is only known in constants where its type is.

/// The [`Table`](crate::Table) of a machine.
///
/// Of the rows for a state and an event the first one without a guard counts; guards stand in a
/// match before the table. The list names pairs that a later row decides, because its source lies further inside.
#[doc(hidden)]
#[macro_export]
macro_rules! __table {
    ($state:ident, $event:ident, [$($inner:expr),* $(,)?] $(,)?) => {
        $crate::__table!($state, $event, [$($inner),*], [as usize])
    };
    ($state:ident, $event:ident, [$($inner:expr),* $(,)?], $index:tt $(,)?) => {{
        let rows = $state::transitions();
        let mut table = $crate::Table::empty();
        let mut row = 0;
        while row < rows.len() {
            $crate::__each_source!($state, $index, rows[row].from(), from => match rows[row].on() {
                $crate::Trigger::Wish => {}
                $crate::Trigger::Event(event) => table.add(from, event as usize, &rows[row], row as u32),
                $crate::Trigger::AnyOf(events) => {
                    let mut idx = 0;
                    while idx < events.len() {
                        table.add(from, events[idx] as usize, &rows[row], row as u32);
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
            table.put((from, $crate::__position!(from, $index)), event as usize, &rows[row as usize], row);
            idx += 1;
        }
        table
    }};
}

/// The [`Ways`](crate::Ways) of a machine, likewise.
#[doc(hidden)]
#[macro_export]
macro_rules! __ways {
    ($state:ident, [$($inner:expr),* $(,)?] $(,)?) => {
        $crate::__ways!($state, [$($inner),*], [as usize])
    };
    ($state:ident, [$($inner:expr),* $(,)?], $index:tt $(,)?) => {{
        let rows = $state::transitions();
        let mut ways = $crate::Ways::empty();
        let mut row = 0;
        while row < rows.len() {
            if let $crate::Trigger::Wish = rows[row].on() {
                let is_guarded = rows[row].is_guarded();
                $crate::__each_source!($state, $index, rows[row].from(), from => match rows[row].to() {
                    $crate::Target::To(to) => ways.add(from.1, $crate::__position!(to, $index), is_guarded, row as u32),
                    $crate::Target::OneOf(targets) => {
                        let mut idx = 0;
                        while idx < targets.len() {
                            ways.add(from.1, $crate::__position!(targets[idx], $index), is_guarded, row as u32);
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
            ways.put($crate::__position!(from, $index), $crate::__position!(to, $index), row);
            idx += 1;
        }
        ways
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

/// Does something for every leaf that a row starts in, and its position.
#[doc(hidden)]
#[macro_export]
macro_rules! __each_source {
    ($state:ident, [$($index:tt)*], $source:expr, $from:ident => $body:expr) => {
        match $source {
            $crate::Source::Birth => {}
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
        }
    };
}
