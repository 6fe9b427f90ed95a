//! Machines: a state and a context that events change.

use crate::configuration::ConfigurationOf;
use crate::refused::permit;
#[cfg(feature = "observe")]
use crate::{Attempt, Observer};
use crate::{Change, Event, Named, Reason, Refused, State, Step};

/// The actors of a machine.
type ActorOf<S> = <<S as State>::Event as Event>::Actor;

/// A machine that takes events of type `E`. `P` evaluates the spec's named predicates; it is `()`
/// if there are none.
///
/// A machine with timers implements it for `Event`, and for `Recorded`, which contains the timers: the latter asks neither who
/// raises it nor when, so it is for histories and not for input.
///
/// Emitted machines have methods of the same names, so only code that is generic over machines needs this trait.
/// Only emitted code and the derive implement it.
pub trait Machine<E, P: ?Sized = ()>: Input<E> + Sized {
    /// The states.
    type State: State;

    /// The event without its payload.
    fn kind(event: &E) -> <Self::State as State>::Event;

    /// The current state.
    fn state(&self) -> ConfigurationOf<Self::State>;

    /// The change that an event would make; the machine does not change.
    fn plan(&self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>>;

    /// Raises an event: the machine changes, or the event is refused and nothing changes.
    fn apply(&mut self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>>;

    /// Raises an event in the name of an actor: refused where the actor may not.
    fn apply_as(
        &mut self,
        actor: <<Self::State as State>::Event as Event>::Actor,
        event: &E,
        predicates: &P,
    ) -> Result<Change<Self::State>, Refused<Self::State>> {
        permit::<Self::State>(Some(self.state()), Self::kind(event), actor)?;
        self.apply(event, predicates)
    }

    /// Raises an event, and shows the attempt to an observer.
    #[cfg(feature = "observe")]
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

/// What emitted code says of an event that a machine takes: the type of everything that can happen, which is that of the event itself
/// in a machine without timers.
pub trait Input<E> {
    /// Everything that can happen.
    type Recorded: From<E>;
}

/// The steps of a machine, which emitted code implements. `E` is everything that can happen.
pub trait Dispatch<E, P: ?Sized>: Sized {
    /// The states.
    type State: State;

    /// Whether values of types of the user are converted, which may be out of range.
    const CONVERTS: bool = false;

    /// The event without its payload.
    fn kind(event: &E) -> <Self::State as State>::Event;

    /// The current state.
    fn state(&self) -> ConfigurationOf<Self::State>;

    /// Finds the step that an event takes; the machine does not change.
    fn decide(&self, event: &E, predicates: &P) -> Result<Step<Self::State>, Refused<Self::State>>;

    /// Takes a step that was found: assigns the context and sets the state.
    fn take(&mut self, step: &Step<Self::State>, event: &E, predicates: &P);

    /// Whether steps may follow the first one: the event settles, or the machine reacts.
    #[inline]
    fn is_followed(_event: &E) -> bool {
        false
    }

    /// Takes a step that was found and the steps that follow it; the machine is a copy, which a refusal drops.
    #[inline]
    fn follow(mut self, first: Step<Self::State>, event: &E, predicates: &P) -> Followed<Self, Self::State> {
        self.take(&first, event, predicates);
        Ok((self, Change::new(first)))
    }

    /// The change that an event would make. A machine in which steps follow a first one takes them on a copy: [`plan_on_copy`].
    #[inline]
    fn plan(&self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        self.decide(event, predicates).map(Change::new)
    }

    /// Raises an event. A machine in which steps follow a first one takes them on a copy: [`apply_on_copy`].
    #[inline]
    fn apply(&mut self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        let step = self.decide(event, predicates)?;
        self.take(&step, event, predicates);
        Ok(Change::new(step))
    }
}

/// A machine after a change, with the change; or the refusal.
pub type Followed<M, S> = Result<(M, Change<S>), Refused<S>>;

impl<E: Copy, P: ?Sized, M> Machine<E, P> for M
where
    M: Input<E> + Dispatch<<M as Input<E>>::Recorded, P>,
{
    type State = <M as Dispatch<M::Recorded, P>>::State;

    #[inline]
    fn kind(event: &E) -> <Self::State as State>::Event {
        <M as Dispatch<M::Recorded, P>>::kind(&From::from(*event))
    }

    #[inline]
    fn state(&self) -> ConfigurationOf<Self::State> {
        Dispatch::state(self)
    }

    #[inline]
    fn plan(&self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        Dispatch::plan(self, &From::from(*event), predicates)
    }

    #[inline]
    fn apply(&mut self, event: &E, predicates: &P) -> Result<Change<Self::State>, Refused<Self::State>> {
        Dispatch::apply(self, &From::from(*event), predicates)
    }
}

/// The change that an event would make, in a machine in which steps follow a first one.
pub fn plan_on_copy<M, E, P>(machine: &M, event: &E, predicates: &P) -> Result<Change<M::State>, Refused<M::State>>
where
    M: Dispatch<E, P> + Clone,
    P: ?Sized,
{
    let first = machine.decide(event, predicates)?;
    if !M::is_followed(event) {
        return Ok(Change::new(first));
    }
    machine.clone().follow(first, event, predicates).map(|(_, change)| change)
}

/// Raises an event in a machine in which steps follow a first one.
pub fn apply_on_copy<M, E, P>(machine: &mut M, event: &E, predicates: &P) -> Result<Change<M::State>, Refused<M::State>>
where
    M: Dispatch<E, P> + Clone,
    P: ?Sized,
{
    let first = machine.decide(event, predicates)?;
    if !M::is_followed(event) {
        machine.take(&first, event, predicates);
        return Ok(Change::new(first));
    }
    let (next, change) = machine.clone().follow(first, event, predicates)?;
    *machine = next;
    Ok(change)
}

/// A copy of the machine after an event, in the name of an actor if there is one.
pub fn copy_after<M, E, P>(machine: &M, actor: Option<ActorOf<M::State>>, event: &E, predicates: &P) -> Followed<M, M::State>
where
    M: Dispatch<E, P> + Clone,
    P: ?Sized,
{
    if let Some(actor) = actor {
        permit::<M::State>(Some(machine.state()), M::kind(event), actor)?;
    }
    let first = machine.decide(event, predicates)?;
    machine.clone().follow(first, event, predicates)
}

/// Takes a first step; an event that settles is fired until a transition stays or none is enabled.
///
/// An event that makes more moves than there are states never settles: it is refused.
pub fn settle<M, E, P>(mut settled: M, first: Step<M::State>, event: &E, predicates: &P) -> Followed<M, M::State>
where
    M: Dispatch<E, P>,
    P: ?Sized,
{
    let mut change = Change::new(first);
    let mut step = first;
    let mut n_moves = 0;
    loop {
        settled.take(&step, event, predicates);
        if step.stays() || !M::is_followed(event) {
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
