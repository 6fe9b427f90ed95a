//! Machines: a state and a context that events change.

use crate::configuration::ConfigurationOf;
use crate::{Attempt, Change, Named, Observer, Reason, Refused, State, Step};

/// A machine that takes events of type `E`. `P` evaluates the spec's named predicates; it is `()`
/// if there are none.
///
/// A machine with timers implements it for `Event`, and for `Recorded`, which contains the timers: the latter asks neither who
/// raises it nor when, so it is for histories and not for input.
///
/// Emitted machines have methods of the same names, so only code that is generic over machines needs this trait.
pub trait Machine<E, P: ?Sized = ()>: Sized {
    /// The states.
    type State: State;

    /// Whether values of types of the user are converted, which may be out of range.
    #[doc(hidden)]
    const CONVERTS: bool = false;

    /// The event without its payload.
    fn kind(event: &E) -> <Self::State as State>::Event;

    /// The current state.
    fn state(&self) -> ConfigurationOf<Self::State>;

    /// Finds the step that an event takes; the machine does not change.
    #[doc(hidden)]
    fn decide(&self, event: &E, predicates: &P) -> Result<Step<Self::State>, Refused<Self::State>>;

    /// Takes a step that [`Machine::decide`] found: assigns the context and sets the state.
    #[doc(hidden)]
    fn advance(&mut self, step: &Step<Self::State>, event: &E, predicates: &P);

    /// The change that an event would make; the machine does not change.
    #[inline]
    fn plan(&self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        self.decide(event, predicates).map(Change::new)
    }

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    #[inline]
    fn apply(&mut self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        let step = self.decide(event, predicates)?;
        self.advance(&step, event, predicates);
        Ok(Change::new(step))
    }

    /// Raises an event, and shows the attempt to an observer.
    #[inline]
    fn apply_observed(
        &mut self,
        event: &E,
        predicates: &P,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Change<Self::State>, Refused<Self::State>> {
        let result = self.apply(event, predicates);
        observer.observe(&Attempt::of_step(Some(Self::kind(event)), None, &result));
        result
    }
}

/// Fires an event until a transition stays or none is enabled, and returns the resulting machine.
///
/// An event that makes more moves than there are states never settles: it is refused.
#[expect(clippy::type_complexity, reason = "a pair and its refusal, used in one place")]
pub fn settle<M, E, P>(machine: &M, event: &E, predicates: &P) -> Result<(M, Change<M::State>), Refused<M::State>>
where
    M: Machine<E, P> + Clone,
    P: ?Sized,
{
    let first = machine.decide(event, predicates)?;
    settle_from(machine.clone(), first, event, predicates)
}

/// Like `settle`, but from a first step that is not taken yet: an event may settle at creation, too.
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
        settled.advance(&step, event, predicates);
        if step.stays() {
            break;
        }
        n_moves += 1;
        let next = match settled.decide(event, predicates) {
            Ok(next) => next,
            // Only a machine with types of the user has values that are out of range.
            Err(refused) if M::CONVERTS && refused.reason() == Reason::OutOfRange => {
                return Err(refused.at(first.from()));
            }
            Err(_) => break,
        };
        if (n_moves == M::State::ALL.len() && !next.stays()) || !change.push(next) {
            return Err(Refused::of_event(first.from(), M::kind(event), Reason::Unsettled, None));
        }
        step = next;
    }
    Ok((settled, change))
}
