//! One machine of any size, in every way to write it: so many states, four edges each, eight events.
//!
//! Every text is a whole `lib.rs` with a function `drive`, so that a release build has to make code of the machine.

mod hand;
mod ours;
mod peers;

use std::fmt::Write as _;

/// The machine that all texts are about.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many states it has, at least five.
    pub n_states: usize,
}

/// How many events there are.
pub const N_EVENTS: usize = 8;

/// How many edges leave a state.
pub const N_EDGES: usize = 4;

impl Shape {
    /// All edges as (from, event, to): no two lead from one state to the same other one.
    pub fn edges(self) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..self.n_states).flat_map(move |from| self.edges_of(from))
    }

    /// The edges of one state.
    pub fn edges_of(self, from: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..N_EDGES).map(move |nth| (from, (from + nth) % N_EVENTS, (from + 1 + nth * (self.n_states / N_EDGES)) % self.n_states))
    }
}

/// One way to write the machine.
#[derive(Debug, Clone, Copy)]
pub struct Writing {
    /// What the tables call it.
    pub name: &'static str,
    /// The name of its package.
    pub slug: &'static str,
    /// The peer it needs.
    pub package: Option<&'static str>,
    /// Its files: path and text.
    pub files: fn(Shape) -> Vec<(String, String)>,
    /// The sizes beyond which it is not measured.
    pub max_states: usize,
}

/// An empty crate: what is taken off every measurement.
pub const FLOOR: Writing =
    Writing { name: "empty crate", slug: "empty", package: None, files: |_| lib("\n".into()), max_states: usize::MAX };

/// All ways; the first one is what the others are compared with.
pub const WRITINGS: &[Writing] = &[
    Writing {
        name: "hand-written match",
        slug: "hand-match",
        package: None,
        files: |it| lib(hand::match_only(it)),
        max_states: usize::MAX,
    },
    Writing {
        name: "hand-written, all features",
        slug: "hand-full",
        package: None,
        files: |it| lib(hand::all_features(it)),
        max_states: usize::MAX,
    },
    Writing {
        name: "statespec, checked in",
        slug: "checked-in",
        package: Some("statespec"),
        files: |it| lib(ours::checked_in(it)),
        max_states: usize::MAX,
    },
    Writing { name: "rust-fsm", slug: "rust-fsm", package: Some("rust-fsm"), files: |it| lib(peers::rust_fsm(it)), max_states: 500 },
    Writing { name: "fsmentry", slug: "fsmentry", package: Some("fsmentry"), files: |it| lib(peers::fsmentry(it)), max_states: 500 },
    Writing { name: "ironstate", slug: "ironstate", package: Some("ironstate"), files: |it| lib(peers::ironstate(it)), max_states: 500 },
    Writing { name: "smlang", slug: "smlang", package: Some("smlang"), files: |it| lib(peers::smlang(it)), max_states: 500 },
    Writing { name: "statum", slug: "statum", package: Some("statum"), files: |it| lib(peers::statum(it)), max_states: 500 },
    Writing {
        name: "state-machines",
        slug: "state-machines",
        package: Some("state-machines"),
        files: |it| lib(peers::state_machines(it)),
        max_states: 500,
    },
    Writing { name: "statig", slug: "statig", package: Some("statig"), files: |it| lib(peers::statig(it)), max_states: 500 },
    Writing { name: "finny", slug: "finny", package: Some("finny"), files: |it| lib(peers::finny(it)), max_states: 500 },
];

fn lib(text: String) -> Vec<(String, String)> {
    vec![("src/lib.rs".into(), text)]
}

/// A line for each number, with the number for `@`.
fn lines(numbers: std::ops::Range<usize>, line: &str) -> String {
    numbers.map(|it| line.replace('@', &it.to_string()) + "\n").collect()
}

/// A line for each edge, with its numbers for `#from`, `#event` and `#to`.
fn edge_lines(edges: impl Iterator<Item = (usize, usize, usize)>, line: &str) -> String {
    let mut text = String::new();
    for (from, event, to) in edges {
        let line = line.replace("#from", &from.to_string()).replace("#event", &event.to_string()).replace("#to", &to.to_string());
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The function that every text ends with: `new` makes a machine, `raise` is true where `event` moved it.
fn drive(event_type: &str, new: &str, raise: &str) -> String {
    format!(
        "
fn event(byte: u8) -> {event_type} {{
    match byte % {N_EVENTS} {{
{}        _ => {event_type}::E{last},
    }}
}}

/// How many of these events moved a new machine.
pub fn drive(bytes: &[u8]) -> usize {{
    let mut machine = {new};
    bytes.iter().filter(|byte| {{ let event = event(**byte); {raise} }}).count()
}}
",
        lines(0..N_EVENTS - 1, &format!("        @ => {event_type}::E@,")),
        last = N_EVENTS - 1,
    )
}
