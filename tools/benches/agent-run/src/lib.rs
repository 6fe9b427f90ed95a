//! The seeds' agent run (`machines/agent_run.yaml`), in every implementation that is compared.
//!
//! A contender is a machine that takes requests, and returns whether it moved.
//! The requests are converted to its events beforehand, so that only its own work is measured.

mod asks;
mod hand;
mod ours;
mod peers;

use std::hint::black_box;

pub use asks::{asks, asks_without_end};
pub use hand::{Ask, State};

/// One implementation of the agent run.
pub trait Contender: Sized {
    /// Its own type of events.
    type Event: Clone;

    /// A queued run.
    fn new() -> Self;

    /// Its own event for a request.
    fn event(ask: Ask) -> Self::Event;

    /// Raises an event, and returns whether the run moved.
    fn raise(&mut self, event: Self::Event) -> bool;

    /// The current state.
    fn state(&self) -> State;
}

/// A contender by name.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name in the tables.
    pub name: &'static str,
    /// The crate whose version and build time are in its row; `None` for hand-written code.
    pub package: Option<&'static str>,
    /// Converts the requests; every call of the result drives a new run through all of them and counts its moves.
    pub prepare: fn(&[Ask]) -> Box<dyn Fn() -> u64>,
    /// The result of every request, and the state after it. A complete run is followed by a new one.
    pub trace: fn(&[Ask]) -> Vec<(bool, State)>,
}

impl Entry {
    const fn of<C: Contender + 'static>(name: &'static str, package: Option<&'static str>) -> Self
    where
        C::Event: 'static,
    {
        Entry { name, package, prepare: prepare::<C>, trace: trace::<C> }
    }
}

/// All contenders; the others are compared with the first one.
pub const CONTENDERS: &[Entry] = &[
    Entry::of::<hand::Match>("hand-written match", None),
    Entry::of::<hand::Table>("hand-written table", None),
    Entry::of::<ours::CheckedIn>("statespec, checked in", Some("statespec")),
    Entry::of::<ours::OnStruct>("statespec, derive on a struct", Some("statespec")),
    Entry::of::<ours::OnEnum>("statespec, derive on an enum", Some("statespec")),
    Entry::of::<peers::rust_fsm::Peer>("rust-fsm", Some("rust-fsm")),
    Entry::of::<peers::fsmentry::Peer>("fsmentry", Some("fsmentry")),
    Entry::of::<peers::ironstate::Peer>("ironstate", Some("ironstate")),
    Entry::of::<peers::smlang::Peer>("smlang", Some("smlang")),
    Entry::of::<peers::statum::Peer>("statum", Some("statum")),
    Entry::of::<peers::state_machines::Peer>("state-machines", Some("state-machines")),
    Entry::of::<peers::statig::Peer>("statig", Some("statig")),
    Entry::of::<peers::finny::Peer>("finny", Some("finny")),
];

/// The loop without a machine, which is subtracted from every measurement.
pub const FLOOR: Entry = Entry::of::<Floor>("empty loop", None);

fn prepare<C: Contender + 'static>(asks: &[Ask]) -> Box<dyn Fn() -> u64>
where
    C::Event: 'static,
{
    let events: Vec<C::Event> = asks.iter().map(|it| C::event(*it)).collect();
    Box::new(move || drive::<C>(&events))
}

#[inline(never)]
fn drive<C: Contender>(events: &[C::Event]) -> u64 {
    let mut machine = C::new();
    let mut n_moves = 0;
    for event in events {
        // The machine is in memory and the event is not known in advance, as in a program with other work in between.
        n_moves += u64::from(black_box(&mut machine).raise(black_box(event.clone())));
    }
    black_box(machine.state());
    n_moves
}

fn trace<C: Contender>(asks: &[Ask]) -> Vec<(bool, State)> {
    let mut machine = C::new();
    let mut trace = Vec::with_capacity(asks.len());
    for ask in asks {
        trace.push((machine.raise(C::event(*ask)), machine.state()));
        if machine.state() == State::Complete {
            machine = C::new();
        }
    }
    trace
}

/// The contender without a machine.
struct Floor;

impl Contender for Floor {
    type Event = Ask;

    fn new() -> Self {
        Floor
    }

    fn event(ask: Ask) -> Ask {
        ask
    }

    #[inline]
    fn raise(&mut self, event: Ask) -> bool {
        event == Ask::Resume
    }

    fn state(&self) -> State {
        State::Queued
    }
}
