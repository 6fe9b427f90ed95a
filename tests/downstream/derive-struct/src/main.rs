//! A struct that follows a graph; the fields of the struct are the context of the spec.

use statespec::StateMachine;

/// A ticket with a customer, whom the spec knows nothing of.
#[derive(Debug, Clone, StateMachine)]
#[machine("machines/ticket.yaml")]
struct Ticket {
    state: TicketState,
    answers: i64,
    customer: String,
}

fn main() -> Result<(), TicketRefused> {
    let mut ticket = Ticket::new("Ada".to_owned());
    println!("{}", ticket.apply(TicketEvent::Solve).unwrap_err());
    ticket.apply(TicketEvent::Answer)?;
    ticket.apply(TicketEvent::Solve)?;
    println!("{} is {} after {} answers", ticket.customer, ticket.state, ticket.answers);
    Ok(())
}
