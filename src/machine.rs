//! A machine: a state, with a context beside it, that events move.

use crate::{Change, Named, Refused, State, Step, Why};

/// A machine that events of type `E` move. `P` decides the spec's named predicates; it is `()`
/// where there are none.
///
/// Emitted machines have methods of the same names, so this trait is only needed by code that is
/// written for any machine.
pub trait Machine<E, P: ?Sized = ()>: Sized {
    /// What it can be in.
    type State: State;

    /// The event without its payload.
    fn kind(event: &E) -> <Self::State as State>::Event;

    /// What it is in.
    fn state(&self) -> Self::State;

    /// Finds the edge that an event takes; nothing changes.
    fn decide(&self, event: &E, predicates: &P) -> Result<Step<Self::State>, Refused<Self::State>>;

    /// Takes a step that [`Machine::decide`] found: assigns the context and moves the state.
    fn advance(&mut self, step: &Step<Self::State>, event: &E);

    /// What an event would change; nothing changes.
    #[inline]
    fn plan(&self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        self.decide(event, predicates).map(Change::new)
    }

    /// Raises an event: the machine moves, or the event is refused and everything is as it was.
    #[inline]
    fn apply(&mut self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        let step = self.decide(event, predicates)?;
        self.advance(&step, event);
        Ok(Change::new(step))
    }
}

/// Fires an event until an edge stays or none is enabled, and returns the machine as it is then.
///
/// More moves than there are states mean that it would never come to rest: the event is refused.
#[expect(clippy::type_complexity, reason = "a pair and its refusal, used in one place")]
pub fn settle<M, E, P>(machine: &M, event: &E, predicates: &P) -> Result<(M, Change<M::State>), Refused<M::State>>
where
    M: Machine<E, P> + Clone,
    P: ?Sized,
{
    let first = machine.decide(event, predicates)?;
    settle_from(machine.clone(), first, event, predicates)
}

/// The same from a first step on, which is not taken yet: an event may settle at birth as well.
#[expect(clippy::type_complexity, reason = "a pair and its refusal, used in one place")]
pub fn settle_from<M, E, P>(
    mut settled: M,
    first: Step<M::State>,
    event: &E,
    predicates: &P,
) -> Result<(M, Change<M::State>), Refused<M::State>>
where
    M: Machine<E, P>,
    P: ?Sized,
{
    let mut change = Change::new(first);
    let mut step = first;
    let mut n_moves = 0;
    loop {
        settled.advance(&step, event);
        if step.stays() {
            break;
        }
        n_moves += 1;
        let Ok(next) = settled.decide(event, predicates) else { break };
        if (n_moves == M::State::ALL.len() && !next.stays()) || !change.push(next) {
            return Err(Refused::event_in(first.from(), M::kind(event), Why::Unsettled));
        }
        step = next;
    }
    Ok((settled, change))
}
