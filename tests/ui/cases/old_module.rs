//! A checked-in module of an earlier format.
#[path = "../old/ticket.rs"]
mod ticket;

fn main() {
    ticket::Ticket::new().apply(ticket::Event::Answer).unwrap();
}
