//! Machines that were generated once and checked in, held against their spec by a test.

#[rustfmt::skip]
mod machines;

use machines::ticket::{Event, Ticket};

fn main() {
    let mut ticket = Ticket::default();
    println!("{}", ticket.apply(Event::Solve).unwrap_err());
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_checked_in_says_what_the_specs_say() {
        statespec_codegen::assert_in_sync!();
    }
}
