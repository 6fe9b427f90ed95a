//! Effects as values, each with the data that it takes.

use crate::machine::Input;
use crate::{Change, RunError, State, Step};

/// The phase of a change in which an effect is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// It must succeed before anything changes: `before` in the spec.
    Before,
    /// It follows the change.
    After,
}

/// A machine whose effects are values: the emitted type `Effect`.
///
/// Only emitted code and the derive implement it. `E` is what happens: the emitted type `Event`, or `Recorded` in a machine with timers.
pub trait Effects<E> {
    /// The states.
    type State: State;

    /// An effect with its data; texts are borrowed from the machine and from the event.
    type Effect<'a>
    where
        Self: 'a,
        E: 'a;

    /// The value of an effect of a step that led to this machine; there is no event in a direct transition.
    /// `None` if the effect takes data that this event does not carry: no step has such an effect.
    fn effect<'a>(&'a self, kind: <Self::State as State>::Effect, step: &Step<Self::State>, event: Option<&E>) -> Option<Self::Effect<'a>>
    where
        E: 'a;
}

/// An effect with its step.
type ByStep<S> = (<S as State>::Effect, Step<S>);

impl<S: State> Change<S> {
    /// All effects as values, in the order in which a host performs them. Takes the machine as it is after the change, and the event.
    ///
    /// ```
    /// use statespec::Phase;
    /// use statespec_machines::mysis::{Effect, Event, Mysis};
    ///
    /// let (mut mysis, _) = Mysis::<String>::create(Event::Create)?;
    /// let event = Event::Message { body: "hello" };
    /// let change = mysis.apply(event)?;
    /// let effects: Vec<_> = change.effects_of(&mysis, event).collect();
    /// assert_eq!(effects, [(Phase::After, Effect::StoreMessage { body: "hello" })]);
    /// # Ok::<(), statespec_machines::mysis::Refused>(())
    /// ```
    pub fn effects_of<'a, E, M>(
        &self,
        machine: &'a M,
        event: E,
    ) -> impl Iterator<Item = (Phase, <M as Effects<<M as Input<E>>::Recorded>>::Effect<'a>)>
    where
        M: Input<E> + Effects<<M as Input<E>>::Recorded, State = S>,
        <M as Input<E>>::Recorded: 'a,
    {
        self.values(machine, Some(From::from(event)))
    }

    /// The same for a direct transition, which has no event.
    pub fn effects_of_direct<'a, E: 'a, M: Effects<E, State = S>>(
        &self,
        machine: &'a M,
    ) -> impl Iterator<Item = (Phase, <M as Effects<E>>::Effect<'a>)> {
        self.values(machine, None)
    }

    fn values<'a, E: 'a, M: Effects<E, State = S>>(
        &self,
        machine: &'a M,
        event: Option<E>,
    ) -> impl Iterator<Item = (Phase, <M as Effects<E>>::Effect<'a>)> {
        let before = self.before_by_step().map(|it| (Phase::Before, it));
        let after = self.after_by_step().map(|it| (Phase::After, it));
        let value = move |(phase, (kind, step)): (Phase, ByStep<S>)| Some((phase, machine.effect(kind, &step, event.as_ref())?));
        before.chain(after).filter_map(value)
    }
}

impl<S: State, X> RunError<S, X> {
    /// The effects of a machine that moved which remain to be performed, as values, in order: the one that failed comes first.
    /// Takes the machine as it is after the change, and the event.
    pub fn remaining_of<'a, E, M>(
        &self,
        machine: &'a M,
        event: E,
    ) -> impl Iterator<Item = <M as Effects<<M as Input<E>>::Recorded>>::Effect<'a>>
    where
        M: Input<E> + Effects<<M as Input<E>>::Recorded, State = S>,
        <M as Input<E>>::Recorded: 'a,
    {
        let event = From::from(event);
        self.remaining_by_step().filter_map(move |(kind, step)| machine.effect(kind, &step, Some(&event)))
    }

    /// The same for a direct transition, which has no event.
    pub fn remaining_of_direct<'a, E: 'a, M: Effects<E, State = S>>(
        &self,
        machine: &'a M,
    ) -> impl Iterator<Item = <M as Effects<E>>::Effect<'a>> {
        self.remaining_by_step().filter_map(|(kind, step)| machine.effect(kind, &step, None))
    }
}
