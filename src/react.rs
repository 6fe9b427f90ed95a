//! Machines that react: a step may cause further ones, within the same call.

use crate::{Change, Reason, Refused, State, Step};

/// The maximum number of events that wait within one call. The generator's interpreter has the same limit; that of steps is
/// [`Graph::Steps`](crate::state::Graph::Steps).
pub const MAX_WAITING: usize = 64;

/// What a machine reacts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause<E> {
    /// Nothing: an automatic transition is enabled.
    Automatic,
    /// An event that the machine has raised itself.
    Raised(E),
    /// The composite at this position has entered a terminal child.
    Done(usize),
}

/// The events that wait, oldest first.
struct Waiting<E> {
    causes: [Cause<E>; MAX_WAITING],
    first: usize,
    len: usize,
}

impl<E: Copy> Waiting<E> {
    /// Adds one; `false` if there is no room for it.
    fn push(&mut self, cause: Cause<E>) -> bool {
        let has_room = self.len < MAX_WAITING;
        if has_room {
            self.causes[(self.first + self.len) % MAX_WAITING] = cause;
            self.len += 1;
        }
        has_room
    }

    fn pop(&mut self) -> Option<Cause<E>> {
        let next = (self.len > 0).then(|| self.causes[self.first])?;
        self.first = (self.first + 1) % MAX_WAITING;
        self.len -= 1;
        Some(next)
    }
}

/// Takes the steps that follow a first one, which the machine has already taken: automatic ones as long as one is enabled, else
/// one for the next waiting event. An event that no row takes is dropped; one that a row refuses refuses the call, and so does a division
/// by zero or a value out of range.
///
/// # Errors
///
/// The refusal of such a row, or [`Reason::Unsettled`] if there are more steps or waiting events than the limit.
pub fn react<M, S: State>(
    mut machine: M,
    first: Step<S>,
    decide: impl Fn(&M, Cause<S::Event>) -> Result<Step<S>, Refused<S>>,
    advance: impl Fn(&mut M, &Step<S>, Cause<S::Event>),
    refuse: impl Fn(Reason, Option<S::Row>) -> Refused<S>,
) -> Result<(M, Change<S>), Refused<S>> {
    let mut waiting = Waiting { causes: [Cause::Automatic; MAX_WAITING], first: 0, len: 0 };
    let mut change = Change::new(first);
    let mut step = first;
    loop {
        let raised = step.transitions().flat_map(|it| it.raised()).map(|event| Cause::Raised(*event));
        if !raised.chain(step.completes().map(Cause::Done)).all(|it| waiting.push(it)) {
            return Err(refuse(Reason::Unsettled, None));
        }
        let mut cause = Cause::Automatic;
        let next = loop {
            match decide(&machine, cause) {
                Ok(next) => break next,
                Err(refused) if matches!(refused.reason(), Reason::Text | Reason::DivisionByZero | Reason::OutOfRange) => {
                    return Err(refuse(refused.reason(), refused.row()).in_field_of(refused));
                }
                Err(_) => {}
            }
            match waiting.pop() {
                Some(waiting) => cause = waiting,
                None => return Ok((machine, change)),
            }
        };
        if !change.push(next) {
            return Err(refuse(Reason::Unsettled, None));
        }
        advance(&mut machine, &next, cause);
        step = next;
    }
}
