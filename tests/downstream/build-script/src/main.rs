//! Machines that a build script emits.

mod machines {
    include!(concat!(env!("OUT_DIR"), "/machines.rs"));
}

use machines::ticket::{Event, State, Ticket};

fn main() {
    let mut ticket = Ticket::default();
    let refused = ticket.apply(Event::Solve).unwrap_err();
    println!("{} states; {refused}", State::ALL.len());
}
