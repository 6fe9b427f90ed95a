//! Which parts of a page are about one machine: by their sections, and by the names of their states.

use std::collections::BTreeSet;

use super::draft::{Draft, From};
use super::held_against::{bare, state_of, without_remark};
use super::markdown::{Machine, is_generic};
use super::page::{Piece, What};
use super::phrase::words;
use super::table::Edges;

/// The diagram that a table describes. Of a diagram of another section, it has nearly all states: those of different things may have
/// states of the same names.
pub(super) fn drawn(edges: &Edges<'_>, piece: &Piece, pieces: &[Piece], machines: &[Machine]) -> Option<usize> {
    let idx = most_alike(edges, piece, pieces, machines, Machine::is_drawn)?;
    let Machine { draft, piece: other, .. } = &machines[idx];
    let names = edges.states();
    let n_shared = names.iter().filter(|name| state_of(draft, name).is_some()).count();
    let diagram = &pieces[*other];
    let is_own_table = |it: &Piece| matches!(&it.what, What::Table(table) if matches!(table.sides(), (Some(_), Some(_))));
    let is_drawn = match pieces.iter().any(|it| is_own_table(it) && are_in_one_section(it, diagram)) {
        _ if are_in_one_section(piece, diagram) => true,
        // The diagram has a table of its own.
        true => n_shared == names.len(),
        false => are_nearly_all(n_shared, names.len().min(draft.states.len())),
    };
    is_drawn.then_some(idx)
}

/// The machine that has most of the states of a table, if it has at least half of them: of equal ones, that of the same section.
pub(super) fn most_alike(
    edges: &Edges<'_>,
    piece: &Piece,
    pieces: &[Piece],
    machines: &[Machine],
    fits: impl Fn(&Machine) -> bool,
) -> Option<usize> {
    let names = edges.states();
    let candidates = machines.iter().enumerate().filter(|(_, it)| fits(it));
    let shared = candidates.map(|(idx, it)| {
        let n_shared = names.iter().filter(|name| state_of(&it.draft, name).is_some()).count();
        (n_shared, pieces[it.piece].headings == piece.headings, idx)
    });
    let best = shared.max_by_key(|(n_shared, near, idx)| (*n_shared, *near, std::cmp::Reverse(*idx)))?;
    (best.0 > 0 && best.0 * 2 >= names.len()).then_some(best.2)
}

/// Whether of two sections one is inside the other, or nothing but headings such as `Transitions` is between them.
fn are_in_one_section(piece: &Piece, other: &Piece) -> bool {
    let (own, other) = (telling(piece), telling(other));
    own.starts_with(other) || other.starts_with(own)
}

/// The headings above a piece, without generic ones right above it.
fn telling(piece: &Piece) -> &[String] {
    let n_told = piece.headings.iter().rposition(|it| !is_generic(it)).map_or(0, |it| it + 1);
    &piece.headings[..n_told]
}

/// Whether a number of common states is nearly that of all.
fn are_nearly_all(n_shared: usize, n_all: usize) -> bool {
    n_shared * 5 > n_all * 4
}

/// Tells where two machines may be one: they have mostly the same states, or one goes on where the other stops.
pub(super) fn tell_shared_states(machines: &mut [Machine], pieces: &[Piece]) {
    let names: Vec<BTreeSet<String>> = machines.iter().map(|it| it.draft.states.iter().map(|it| bare(&it.id)).collect()).collect();
    for later in 1..machines.len() {
        let own = &machines[later];
        let sentence = |(idx, it): (usize, &Machine)| {
            let shared: BTreeSet<&String> = names[idx].intersection(&names[later]).collect();
            let why = match (Pair { a: it, b: own, pieces }).why(shared.len())? {
                Why::Alike => "most of their states".to_owned(),
                Why::Parts => {
                    // Two tables write a state that they share in one way.
                    let has_id = |id: &String| it.draft.states.iter().any(|it| it.id == *id);
                    let ids = own.draft.states.iter().map(|it| &it.id).filter(|it| shared.contains(&bare(it)));
                    if !ids.clone().any(has_id) {
                        return None;
                    }
                    format!(
                        "{} {}",
                        if shared.len() == 1 { "the state" } else { "the states" },
                        ids.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
                    )
                }
            };
            let what = match (it.is_drawn(), own.is_drawn()) {
                (true, _) => format!("the diagram of `{}` and the table of `{}`", it.draft.name, own.draft.name),
                (_, true) => format!("the table of `{}` and the diagram of `{}`", it.draft.name, own.draft.name),
                _ => format!("the tables of `{}` and `{}`", it.draft.name, own.draft.name),
            };
            Some(format!("{what} have {why} in common: they became two machines, though they may be one"))
        };
        let Some(message) = machines[..later].iter().enumerate().find_map(sentence) else { continue };
        let place = own.draft.span;
        machines[later].draft.found.assumed(place, message);
    }
}

/// Tells of states with a remark, `open (late)`, that another machine of the page has without one.
pub(super) fn tell_remarked_states(machines: &mut [Machine]) {
    let names: Vec<BTreeSet<String>> = machines.iter().map(|it| it.draft.states.iter().map(|it| bare(&it.id)).collect()).collect();
    for (own, machine) in machines.iter_mut().enumerate().filter(|(_, it)| !it.is_drawn()) {
        let mut told = Vec::new();
        for state in &machine.draft.states {
            let Some(name) = without_remark(&state.id) else { continue };
            let is_elsewhere = names.iter().enumerate().any(|(idx, it)| idx != own && it.contains(&bare(name)));
            if is_elsewhere && !names[own].contains(&bare(name)) {
                told.push((state.span, format!("`{}` became a state of its own, beside `{name}` of another table", state.id)));
            }
        }
        told.into_iter().for_each(|(place, message)| machine.draft.found.assumed(place, message));
    }
}

/// Why two machines may be one.
enum Why {
    /// Most of their states are the same.
    Alike,
    /// They are parts of one text, and have states in common.
    Parts,
}

/// Two machines of a page.
struct Pair<'a> {
    a: &'a Machine,
    b: &'a Machine,
    pieces: &'a [Piece],
}

impl Pair<'_> {
    fn why(&self, n_shared: usize) -> Option<Why> {
        let n_least = self.a.draft.states.len().min(self.b.draft.states.len());
        let (a, b) = (self.headings(self.a), self.headings(self.b));
        let is_most = n_shared * 2 > n_least;
        match (self.a.is_drawn(), self.b.is_drawn()) {
            (true, true) => None,
            (false, false) if n_shared == 0 => None,
            (false, false) if a == b && is_most => Some(Why::Alike),
            (false, false) if a == b => self.goes_on().then_some(Why::Parts),
            // All states of one are states of the other.
            (false, false) if n_shared == n_least && n_shared > 2 => Some(Why::Alike),
            (false, false) => {
                let (own, other) = (a.split_last()?.1, b.split_last()?.1);
                if own != other {
                    return None;
                }
                // What is right below the title of the page is about something of its own.
                let is_alike = own.len() > 1 && are_nearly_all(n_shared, n_least);
                let last = || [a, b].into_iter().filter_map(|it| it.last());
                // Numbered sections are about things of their own.
                let is_mostly_same = is_most && !last().any(|it| it.starts_with(|it: char| it.is_ascii_digit()));
                let is_of_one =
                    |it: &String| speaks_of_one(it) && !last().any(|it| names_a_machine(it)) && (is_mostly_same || self.goes_on());
                let are_parts = own.last().is_some_and(|it| is_generic(it) || is_of_one(it));
                if is_alike { Some(Why::Alike) } else { are_parts.then_some(Why::Parts) }
            }
            // The diagram of another section, which the table was not compared with.
            _ => is_most.then_some(Why::Alike),
        }
    }

    fn headings(&self, of: &Machine) -> &[String] {
        &self.pieces[of.piece].headings
    }

    /// Whether one machine begins where the other stops: in a state that the one only enters and the other only leaves.
    fn goes_on(&self) -> bool {
        let leaves = |draft: &Draft, state: usize| draft.rows.iter().any(|it| it.from == From::State(state));
        let enters = |draft: &Draft, state: usize| draft.rows.iter().any(|it| it.to == Some(state));
        let stops = |of: &Draft, other: &Draft| {
            let is_entered = |(idx, _): &(usize, _)| enters(of, *idx) && !leaves(of, *idx);
            let begins = |state: usize| leaves(other, state) && !enters(other, state);
            let mut ends = of.states.iter().enumerate().filter(is_entered);
            ends.any(|(_, it)| state_of(other, &it.id).is_some_and(begins))
        };
        stops(&self.a.draft, &self.b.draft) || stops(&self.b.draft, &self.a.draft)
    }
}

/// Whether a heading is that of one machine: `Transitions of an order`, but not `State machines`.
fn speaks_of_one(heading: &str) -> bool {
    const ONE: &[&str] = &["transition", "transitions", "lifecycle", "cycle", "workflow", "flow", "machine", "process"];
    const SEVERAL: &[&str] = &["lifecycles", "cycles", "workflows", "flows", "machines", "processes"];
    let words = words(heading);
    let has = |set: &[&str]| words.iter().any(|it| set.contains(&it.as_str()));
    has(ONE) && !has(SEVERAL)
}

/// Whether a heading is that of a machine of its own: `Order lifecycle`.
fn names_a_machine(heading: &str) -> bool {
    const MACHINES: &[&str] = &["lifecycle", "workflow", "machine"];
    words(heading).iter().any(|it| MACHINES.contains(&it.as_str()))
}
