//! The graph of a large machine, written as text.
//!
//! Paths, and a slice for each state, take the compiler longer than everything else about a large machine; so would
//! numbers, each of which is an expression. A text is one token. It is read where code is made of it, and by no `cargo check`.
//!
//! Every line, which begins with its `\n`, is a row or the list of a state; in it stand places among the states or events,
//! each five columns wide.

use crate::{State, Transition};

/// The transitions: in each line the places of source, event and target. `others`, which say more, go to the positions beside them.
pub const fn rows<S: State, const N: usize>(
    states: &[S],
    events: &[S::Event],
    mut text: &[u8],
    others: &[(u32, Transition<S>)],
) -> [Transition<S>; N] {
    let mut rows = [Transition::Plain(states[0], events[0], states[0]); N];
    let (mut idx, mut n_others) = (0, 0);
    while idx < N {
        if n_others < others.len() && others[n_others].0 as usize == idx {
            rows[idx] = others[n_others].1;
            n_others += 1;
        } else {
            let (from, rest) = place(line(text));
            let (event, rest) = place(rest);
            let (to, rest) = place(rest);
            rows[idx] = Transition::Plain(states[from], events[event], states[to]);
            text = rest;
        }
        idx += 1;
    }
    rows
}

/// A list for each state, one behind the other.
#[derive(Debug, Clone, Copy)]
pub struct Lists<T, const LISTS: usize, const ITEMS: usize> {
    items: [T; ITEMS],
    /// Where the list of each state ends.
    ends: [usize; LISTS],
}

impl<T: Copy, const LISTS: usize, const ITEMS: usize> Lists<T, LISTS, ITEMS> {
    /// A line for each list, with the places of its items among `all`.
    pub const fn read(all: &[T], mut text: &[u8]) -> Self {
        let mut lists = Lists { items: [all[0]; ITEMS], ends: [0; LISTS] };
        let (mut n_lists, mut n_items) = (0, 0);
        while let [first, ..] = text {
            if *first == b'\n' {
                n_lists += 1;
                text = line(text);
            } else {
                let (item, rest) = place(text);
                lists.items[n_items] = all[item];
                n_items += 1;
                text = rest;
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

/// A place, and what stands behind it. Blanks count as zeros.
const fn place(text: &[u8]) -> (usize, &[u8]) {
    let [a, b, c, d, e, rest @ ..] = text else { panic!("a place has five columns") };
    let digits = (*a & 15) as u32 * 10_000 + (*b & 15) as u32 * 1000 + (*c & 15) as u32 * 100 + (*d & 15) as u32 * 10 + (*e & 15) as u32;
    (digits as usize, rest)
}

/// What stands in a line, and behind it.
const fn line(text: &[u8]) -> &[u8] {
    let [b'\n', rest @ ..] = text else { panic!("a line begins here") };
    rest
}
