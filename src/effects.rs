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

/// [`Effects`] of a machine in which no effect takes data: an effect is its kind.
#[doc(hidden)]
#[macro_export]
macro_rules! __effects {
    ($(#[$attribute:meta])* [$($parameters:tt)*] $Event:ty, $Machine:ty, $State:ty, $Kind:ty) => {
        $(#[$attribute])*
        impl<$($parameters)*> $crate::Effects<$Event> for $Machine {
            type State = $State;

            type Effect<'effect>
                = $Kind
            where
                Self: 'effect,
                $Event: 'effect;

            #[inline]
            fn effect<'effect>(&'effect self, kind: $Kind, _: &$crate::Step<$State>, _: ::core::option::Option<&$Event>) -> ::core::option::Option<$Kind>
            where
                $Event: 'effect,
            {
                ::core::option::Option::Some(kind)
            }
        }
    };
}

/// The host that takes effects as values, and that every host with a method for each effect is.
///
/// In `[…]`: the parameters of the trait with their defaults, as arguments, and with their bounds.
#[doc(hidden)]
#[macro_export]
macro_rules! __effect_host {
    (
        $(#[$attribute:meta])*
        $vis:vis $Host:ident for $Single:ident, [$($definition:tt)*], [$($arguments:tt)*], [$($bounded:tt)*] $H:ident,
        $Machine:ty, $State:ty, $Effect:ty
    ) => {
        #[doc = concat!(
            "The host that takes each effect as a value: implement it in place of [`", stringify!($Single), "`], which has a method for each."
        )]
        ///
        /// These are two traits, so that the compiler checks both ways: methods that provide each other could all be left out.
        $(#[$attribute])*
        $vis trait $Host<$($definition)*> {
            /// The error of the store or of an effect.
            type Error;

            /// Stores the machine as it is after a change.
            fn store(&mut self, next: &$Machine, change: &$crate::Change<$State>) -> ::core::result::Result<(), Self::Error>;

            /// Performs an effect.
            fn perform(&mut self, effect: $Effect) -> ::core::result::Result<(), Self::Error>;

            /// Sees every attempt, after it has ended: for logs, traces and metrics.
            #[inline]
            fn observe(&mut self, _attempt: &$crate::Attempt<'_, $State>) {}
        }

        $(#[$attribute])*
        impl<$($bounded)* $H: $Single<$($arguments)*> + ?::core::marker::Sized> $Host<$($arguments)*> for $H {
            type Error = <$H as $Single<$($arguments)*>>::Error;

            #[inline]
            fn store(&mut self, next: &$Machine, change: &$crate::Change<$State>) -> ::core::result::Result<(), Self::Error> {
                $Single::store(self, next, change)
            }

            #[inline]
            fn perform(&mut self, effect: $Effect) -> ::core::result::Result<(), Self::Error> {
                effect.perform(self)
            }

            #[inline]
            fn observe(&mut self, attempt: &$crate::Attempt<'_, $State>) {
                $Single::observe(self, attempt)
            }
        }
    };
}

/// The same for asynchronous hosts.
#[doc(hidden)]
#[macro_export]
macro_rules! __async_effect_host {
    (
        $(#[$attribute:meta])*
        $vis:vis $Host:ident for $Single:ident, [$($definition:tt)*], [$($arguments:tt)*], [$($bounded:tt)*] $H:ident,
        $Machine:ty, $State:ty, $Effect:ty
    ) => {
        #[doc = concat!(
            "The asynchronous host that takes each effect as a value: implement it in place of [`", stringify!($Single),
            "`], which has a method for each. Implement its methods as `async fn`."
        )]
        $(#[$attribute])*
        $vis trait $Host<$($definition)*> {
            /// The error of the store or of an effect.
            type Error;

            /// Stores the machine as it is after a change.
            fn store(
                &mut self,
                next: &$Machine,
                change: &$crate::Change<$State>,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<(), Self::Error>>;

            /// Performs an effect.
            fn perform(&mut self, effect: $Effect) -> impl ::core::future::Future<Output = ::core::result::Result<(), Self::Error>>;

            /// Sees every attempt, after it has ended: for logs, traces and metrics.
            #[inline]
            fn observe(&mut self, _attempt: &$crate::Attempt<'_, $State>) {}
        }

        $(#[$attribute])*
        impl<$($bounded)* $H: $Single<$($arguments)*> + ?::core::marker::Sized> $Host<$($arguments)*> for $H {
            type Error = <$H as $Single<$($arguments)*>>::Error;

            #[inline]
            fn store(
                &mut self,
                next: &$Machine,
                change: &$crate::Change<$State>,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<(), Self::Error>> {
                $Single::store(self, next, change)
            }

            #[inline]
            fn perform(&mut self, effect: $Effect) -> impl ::core::future::Future<Output = ::core::result::Result<(), Self::Error>> {
                effect.perform_async(self)
            }

            #[inline]
            fn observe(&mut self, attempt: &$crate::Attempt<'_, $State>) {
                $Single::observe(self, attempt)
            }
        }
    };
}
