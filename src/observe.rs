//! Observers: logs, traces and metrics of every attempt to change a machine, of whatever kind the machine is.

use crate::configuration::only_name;
use crate::{Attempt, Ended, Named, State, Transacted};

/// Sees every attempt to change a machine, of whatever kind the machine is.
///
/// A host forwards its attempts in `observe`, and [`Machine::apply_observed`](crate::Machine::apply_observed) takes an
/// observer. Code that uses neither contains no trace of observers.
///
/// ```
/// use statespec::{Attempt, Machine, Observer, State};
/// use statespec_machines::run_job::{Event, RunJob};
///
/// #[derive(Default)]
/// struct Refusals(Vec<String>);
///
/// impl Observer for Refusals {
///     fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
///         self.0.extend(attempt.refused().map(|refused| format!("{}: {refused}", attempt.machine())));
///     }
/// }
///
/// let mut refusals = Refusals::default();
/// let reclaim = Event::Reclaim { now: "2026-07-01T12:00:00Z".parse()? };
/// RunJob::new().apply_observed(&reclaim, &(), &mut refusals).unwrap_err();
/// assert_eq!(refusals.0, ["run_job: `reclaim` is refused in `queued`: allowed here is `claim`"]);
/// # Ok::<(), statespec::TimeError>(())
/// ```
pub trait Observer {
    /// Sees one attempt, after it has ended.
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>);

    /// Sees one attempt of a transaction of a system, after it has ended, and after the changes of its machines.
    fn observe_transaction(&mut self, _attempt: &Transacted<'_>) {}
}

/// Sees nothing.
impl Observer for () {
    fn observe<S: State>(&mut self, _attempt: &Attempt<'_, S>) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        (**self).observe(attempt);
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        (**self).observe_transaction(attempt);
    }
}

/// The names in an [`Attempt`] or a [`Transacted`], the same type for every machine and system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Labels {
    /// The machine, or the system.
    pub machine: &'static str,
    /// The state before; `None` at creation, for a transaction, and in several states at once, which have no name of their own.
    pub from: Option<&'static str>,
    /// The state that the change leads to, or to which a direct transition was refused; `None` as in `from`.
    pub to: Option<&'static str>,
    /// The event, or the transaction; `None` for a direct transition.
    pub event: Option<&'static str>,
    /// The actor, if the caller named one.
    pub actor: Option<&'static str>,
    /// The outcome.
    pub ended: Ended,
    /// The kind of error, see [`Attempt::error_type`].
    pub error_type: Option<&'static str>,
}

impl<S: State> Attempt<'_, S> {
    /// The facts that are names: few different values, as labels of metrics must have.
    pub fn labels(&self) -> Labels {
        Labels {
            machine: S::MACHINE,
            from: self.from().and_then(only_name::<S>),
            to: match self.refused() {
                Some(refused) => refused.to().map(|it| it.name()),
                None => self.to().and_then(only_name::<S>),
            },
            event: self.event().map(|it| it.name()),
            actor: self.actor().map(|it| it.name()),
            ended: self.ended(),
            error_type: self.error_type(),
        }
    }
}

impl Transacted<'_> {
    /// The facts that are names; the system is the machine, and the transaction the event.
    pub fn labels(&self) -> Labels {
        Labels {
            machine: self.system(),
            from: None,
            to: None,
            event: Some(self.transaction()),
            actor: self.actor(),
            ended: self.ended(),
            error_type: self.error_type(),
        }
    }
}

/// An observer that counts: it calls a function for every attempt, which adds one to a counter of any metrics library.
///
/// ```
/// use std::collections::BTreeMap;
/// use statespec::{Counter, Ended, Machine};
/// use statespec_machines::hop::{Event, Hop};
///
/// let mut counts = BTreeMap::new();
/// let mut counter = Counter(|labels: statespec::Labels| *counts.entry((labels.machine, labels.ended)).or_insert(0) += 1);
/// let (mut hop, _) = Hop::<u64>::create(Event::Create)?;
/// hop.apply_observed(&Event::Create, &(), &mut counter).unwrap_err();
/// assert_eq!(counts[&("hop", Ended::Refused)], 1);
/// # Ok::<(), statespec_machines::hop::Refused>(())
/// ```
#[derive(Debug, Clone)]
pub struct Counter<F>(pub F);

impl<F: FnMut(Labels)> Observer for Counter<F> {
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        (self.0)(attempt.labels());
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        (self.0)(attempt.labels());
    }
}
