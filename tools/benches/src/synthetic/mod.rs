//! One machine of any size in every implementation: a number of states, four edges each, eight events.
//!
//! Every text is a whole `lib.rs` with a function `drive`, so that a release build generates code for the machine.

mod hand;
mod ours;
mod peers;

use std::fmt::Write as _;

use crate::dependencies::{CHECKED_IN, DERIVE};

/// The size of the machine.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The number of states, at least five.
    pub n_states: usize,
}

/// The number of events.
pub const N_EVENTS: usize = 8;

/// The number of edges that leave a state.
pub const N_EDGES: usize = 4;

impl Shape {
    /// All edges as (from, event, to): no two edges of a state lead to the same other state.
    pub fn edges(self) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..self.n_states).flat_map(move |from| self.edges_of(from))
    }

    /// The edges of one state.
    pub fn edges_of(self, from: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..N_EDGES).map(move |nth| (from, (from + nth) % N_EVENTS, (from + 1 + nth * (self.n_states / N_EDGES)) % self.n_states))
    }
}

/// One implementation of the machine.
#[derive(Debug, Clone, Copy)]
pub struct Writing {
    /// Its name in the tables.
    pub name: &'static str,
    /// The name of its package.
    pub slug: &'static str,
    /// Its dependency, with options.
    pub dependency: Option<(&'static str, &'static str)>,
    /// Its files: path and text.
    pub files: Files,
    /// The largest size at which it is measured.
    pub max_states: usize,
}

impl Writing {
    /// Whether it belongs to another project.
    pub fn is_peer(&self) -> bool {
        self.dependency.is_some_and(|(package, _)| package != "statespec")
    }
}

/// An empty crate, which is subtracted from every measurement.
pub const FLOOR: Writing =
    Writing { name: "empty crate", slug: "empty", dependency: None, files: |_| lib("\n".into()), max_states: usize::MAX };

/// All implementations; the others are compared with the first one.
pub const WRITINGS: &[Writing] = &[
    by_hand("hand-written match", "hand-match", |it| lib(hand::match_only(it))),
    by_hand("hand-written, all features", "hand-full", |it| lib(hand::all_features(it))),
    by_statespec("statespec, checked in", "checked-in", CHECKED_IN, |it| lib(ours::checked_in(it))),
    by_statespec("statespec, derive on a struct", "derive-struct", DERIVE, ours::on_struct),
    by_statespec("statespec, derive on an enum", "derive-enum", DERIVE, ours::on_enum),
    by_peer("rust-fsm", |it| lib(peers::rust_fsm(it))),
    by_peer("fsmentry", |it| lib(peers::fsmentry(it))),
    by_peer("ironstate", |it| lib(peers::ironstate(it))),
    by_peer("smlang", |it| lib(peers::smlang(it))),
    by_peer("statum", |it| lib(peers::statum(it))),
    by_peer("state-machines", |it| lib(peers::state_machines(it))),
    by_peer("statig", |it| lib(peers::statig(it))),
    by_peer("finny", |it| lib(peers::finny(it))),
];

type Files = fn(Shape) -> Vec<(String, String)>;

const fn by_hand(name: &'static str, slug: &'static str, files: Files) -> Writing {
    Writing { name, slug, dependency: None, files, max_states: usize::MAX }
}

const fn by_statespec(name: &'static str, slug: &'static str, options: &'static str, files: Files) -> Writing {
    Writing { name, slug, dependency: Some(("statespec", options)), files, max_states: usize::MAX }
}

const fn by_peer(package: &'static str, files: Files) -> Writing {
    Writing { name: package, slug: package, dependency: Some((package, "")), files, max_states: 500 }
}

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

/// The function at the end of every text: `new` creates a machine, `raise` is true if `event` moved it.
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
