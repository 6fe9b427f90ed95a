//! The graph of a large machine, packed into one text.
//!
//! Paths and a slice for each state would take most of the compile time of a large machine; so would numbers, each of
//! which is an expression. A text is one token. It is decoded when the compiler generates code that uses it, and not by
//! `cargo check`.
//!
//! Every line begins with its `\n`, and is a row or the list of a state. It contains positions of states or events, each
//! five columns wide.

use crate::{State, Transition};

/// Reads a position, and advances the text. Blanks count as zeros.
///
/// The compiler interprets this for every number. A function would cost it as much again for each call, and a row that is
/// built and then copied as much as decoding it: the functions below assign fields in place.
macro_rules! position {
    ($text:ident) => {{
        let [a, b, c, d, e, rest @ ..] = $text else { panic!("a position has five columns") };
        $text = rest;
        (*a & 15) as usize * 10_000 + (*b & 15) as usize * 1000 + (*c & 15) as usize * 100 + (*d & 15) as usize * 10 + (*e & 15) as usize
    }};
}

/// The transitions: each line contains the positions of source, event and target. `others` are the rows with more fields,
/// with their positions.
pub const fn rows<S: State, const N: usize>(
    states: &[S],
    events: &[S::Event],
    mut text: &[u8],
    others: &[(usize, Transition<S>)],
) -> [Transition<S>; N] {
    let mut rows = [Transition::of(crate::Source::Creation, crate::Trigger::Direct, crate::Target::Stay); N];
    let (mut idx, mut n_others) = (0, 0);
    while idx < N {
        if n_others < others.len() && others[n_others].0 == idx {
            rows[idx] = others[n_others].1;
            n_others += 1;
        } else {
            let [b'\n', numbers @ ..] = text else { panic!("a line begins here") };
            text = numbers;
            rows[idx].source = crate::Source::Leaf(states[position!(text)]);
            rows[idx].trigger = crate::Trigger::Event(events[position!(text)]);
            rows[idx].target = crate::Target::To(states[position!(text)]);
        }
        idx += 1;
    }
    rows
}

/// A list for each state.
#[derive(Debug, Clone, Copy)]
pub struct Lists<T, const LISTS: usize, const ITEMS: usize> {
    items: [T; ITEMS],
    /// The end of each state's list in `items`.
    ends: [usize; LISTS],
}

impl<T: Copy, const LISTS: usize, const ITEMS: usize> Lists<T, LISTS, ITEMS> {
    /// Decodes one line for each list; a line contains the positions of the items in `all`.
    pub const fn read(all: &[T], mut text: &[u8]) -> Self {
        let mut lists = Lists { items: [all[0]; ITEMS], ends: [0; LISTS] };
        let (mut n_lists, mut n_items) = (0, 0);
        while let [first, numbers @ ..] = text {
            if *first == b'\n' {
                n_lists += 1;
                text = numbers;
            } else {
                lists.items[n_items] = all[position!(text)];
                n_items += 1;
            }
            lists.ends[n_lists - 1] = n_items;
        }
        lists
    }

    /// The list of the state at this position.
    pub const fn of(&self, list: usize) -> &[T] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        self.items.split_at(self.ends[list]).0.split_at(start).1
    }
}

/// The transitions of a large machine. The list is a constant of a generic function, so that `cargo check` does not
/// compute it.
#[doc(hidden)]
#[macro_export]
macro_rules! __packed_rows {
    ($state:ident, $events:expr, $n_rows:literal, $text:literal, [$($other:expr),* $(,)?]) => {{
        // A separate constant, because references to computed values live long enough only there.
        const OTHERS: &[(usize, $crate::Transition<$state>)] = &[$($other),*];
        const fn rows<const ROWS: usize>() -> &'static [$crate::Transition<$state>; ROWS] {
            const { &$crate::__private::rows(&$state::ALL, $events, $text.as_bytes(), OTHERS) }
        }
        rows::<$n_rows>()
    }};
}

/// The list of one state of a large machine, decoded in the same way.
#[doc(hidden)]
#[macro_export]
macro_rules! __packed_list {
    ($ty:ident, $n_lists:literal, $n_items:literal, $text:literal, $index:expr) => {{
        #[inline]
        const fn lists<const LISTS: usize, const ITEMS: usize>() -> &'static $crate::__private::Lists<$ty, LISTS, ITEMS> {
            const { &$crate::__private::Lists::read(&$ty::ALL, $text.as_bytes()) }
        }
        lists::<$n_lists, $n_items>().of($index)
    }};
}
