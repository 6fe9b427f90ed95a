//! Observation: what logs, traces and metrics learn of each attempt to change a machine.

use core::fmt;

use crate::configuration::{ConfigurationOf, only_name};
use crate::{Change, Event, Failure, Named, Refused, RunError, State};

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

/// The actors of a machine.
type Actor<S> = <<S as State>::Event as Event>::Actor;

/// One attempt to change a machine, after it has ended.
#[derive(Clone, Copy)]
pub struct Attempt<'a, S: State> {
    event: Option<S::Event>,
    actor: Option<Actor<S>>,
    ending: Ending<'a, S>,
}

#[derive(Clone, Copy)]
enum Ending<'a, S: State> {
    Changed(&'a Change<S>),
    Refused(&'a Refused<S>),
    /// The effect that failed; `None` for the store.
    Failed {
        change: &'a Change<S>,
        moved: bool,
        effect: Option<S::Effect>,
    },
}

/// The outcome of an [`Attempt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ended {
    /// The machine changed, and its host did everything.
    Changed,
    /// The event or the direct transition was refused.
    Refused,
    /// The store or an effect failed; [`Attempt::moved`] tells whether the machine changed.
    Failed,
}

impl Ended {
    /// `changed`, `refused` or `failed`.
    pub const fn name(self) -> &'static str {
        match self {
            Ended::Changed => "changed",
            Ended::Refused => "refused",
            Ended::Failed => "failed",
        }
    }
}

impl<'a, S: State> Attempt<'a, S> {
    /// An attempt without a host.
    pub fn of_step(event: Option<S::Event>, actor: Option<Actor<S>>, result: &'a Result<Change<S>, Refused<S>>) -> Self {
        let ending = match result {
            Ok(change) => Ending::Changed(change),
            Err(refused) => Ending::Refused(refused),
        };
        Attempt { event, actor, ending }
    }

    /// An attempt with a host.
    pub fn of_run<X>(event: Option<S::Event>, actor: Option<Actor<S>>, result: &'a Result<Change<S>, RunError<S, X>>) -> Self {
        let ending = match result {
            Ok(change) => Ending::Changed(change),
            Err(RunError::Refused(refused)) => Ending::Refused(refused),
            Err(RunError::Store { change, moved, .. }) => Ending::Failed { change, moved: *moved, effect: None },
            Err(RunError::Before { change, effect, .. }) => Ending::Failed { change, moved: false, effect: Some(*effect) },
            Err(RunError::After { change, effect, .. }) => Ending::Failed { change, moved: true, effect: Some(*effect) },
        };
        Attempt { event, actor, ending }
    }

    /// The change of one machine in a transaction; an effect was `missed` if it, or one before it, failed.
    pub(crate) fn of_part(event: S::Event, change: &'a Change<S>, stored: bool, missed: Option<S::Effect>) -> Self {
        let ending = match missed {
            None if stored => Ending::Changed(change),
            effect => Ending::Failed { change, moved: true, effect },
        };
        Attempt { event: Some(event), actor: None, ending }
    }

    /// The name of the machine in the spec.
    pub fn machine(&self) -> &'static str {
        S::MACHINE
    }

    /// The event; `None` for a direct transition.
    pub fn event(&self) -> Option<S::Event> {
        self.event
    }

    /// The actor, if the caller named one.
    pub fn actor(&self) -> Option<Actor<S>> {
        self.actor
    }

    /// The outcome.
    pub fn ended(&self) -> Ended {
        match self.ending {
            Ending::Changed(_) => Ended::Changed,
            Ending::Refused(_) => Ended::Refused,
            Ending::Failed { .. } => Ended::Failed,
        }
    }

    /// Whether the machine changed.
    pub fn moved(&self) -> bool {
        match self.ending {
            Ending::Changed(_) => true,
            Ending::Refused(_) => false,
            Ending::Failed { moved, .. } => moved,
        }
    }

    /// The state before; `None` at creation.
    pub fn from(&self) -> Option<ConfigurationOf<S>> {
        match self.ending {
            Ending::Changed(change) | Ending::Failed { change, .. } => change.from(),
            Ending::Refused(refused) => refused.from(),
        }
    }

    /// The state that the change leads to; `None` for a refusal. [`Refused::to`] has the target of a direct transition.
    pub fn to(&self) -> Option<ConfigurationOf<S>> {
        self.change().map(Change::to)
    }

    /// The change that was made or planned; `None` for a refusal.
    pub fn change(&self) -> Option<&'a Change<S>> {
        match self.ending {
            Ending::Changed(change) | Ending::Failed { change, .. } => Some(change),
            Ending::Refused(_) => None,
        }
    }

    /// The refusal, with its reason.
    pub fn refused(&self) -> Option<&'a Refused<S>> {
        match self.ending {
            Ending::Refused(refused) => Some(refused),
            Ending::Changed(_) | Ending::Failed { .. } => None,
        }
    }

    /// The kind of error in one word: the reason of a refusal, or the effect that failed, or `store`; `None` for a change.
    pub fn error_type(&self) -> Option<&'static str> {
        match self.ending {
            Ending::Changed(_) => None,
            Ending::Refused(refused) => Some(refused.reason().name()),
            Ending::Failed { effect, .. } => Some(effect.map_or("store", |it| it.name())),
        }
    }

    /// The facts that are names: few different values, as labels of metrics must have.
    pub fn labels(&self) -> Labels {
        Labels {
            machine: S::MACHINE,
            from: self.from().and_then(only_name::<S>),
            to: match self.refused() {
                Some(refused) => refused.to().map(|it| it.name()),
                None => self.to().and_then(only_name::<S>),
            },
            event: self.event.map(|it| it.name()),
            actor: self.actor.map(|it| it.name()),
            ended: self.ended(),
            error_type: self.error_type(),
        }
    }
}

impl<S: State> fmt::Debug for Attempt<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.labels().fmt(f)
    }
}

/// One attempt of a transaction, after it has ended.
#[derive(Clone, Copy)]
pub struct Transacted<'a> {
    system: &'static str,
    transaction: &'static str,
    actor: Option<&'static str>,
    ended: Ended,
    error_type: Option<&'static str>,
    moved: bool,
    refused: Option<&'a dyn fmt::Display>,
}

impl<'a> Transacted<'a> {
    /// An attempt; `reason` is the kind of a refusal in one word.
    #[doc(hidden)]
    pub fn new<T, R: fmt::Display, X>(
        system: &'static str,
        transaction: &'static str,
        actor: Option<&'static str>,
        result: &'a Result<T, Failure<R, X>>,
        reason: impl Fn(&R) -> &'static str,
    ) -> Self {
        let (ended, error_type) = match result {
            Ok(_) => (Ended::Changed, None),
            Err(Failure::Refused(refused)) => (Ended::Refused, Some(reason(refused))),
            Err(Failure::Before { effect, .. } | Failure::After { effect, .. }) => (Ended::Failed, Some(*effect)),
            Err(Failure::Store { .. }) => (Ended::Failed, Some("store")),
        };
        let refused = match result {
            Err(Failure::Refused(refused)) => Some(refused as &dyn fmt::Display),
            _ => None,
        };
        let moved = result.as_ref().map_or_else(Failure::moved, |_| true);
        Transacted { system, transaction, actor, ended, error_type, moved, refused }
    }

    /// The name of the system in the spec.
    pub fn system(&self) -> &'static str {
        self.system
    }

    /// The name of the transaction in the spec.
    pub fn transaction(&self) -> &'static str {
        self.transaction
    }

    /// The actor, if the unit of work names one.
    pub fn actor(&self) -> Option<&'static str> {
        self.actor
    }

    /// The outcome.
    pub fn ended(&self) -> Ended {
        self.ended
    }

    /// Whether the machines changed.
    pub fn moved(&self) -> bool {
        self.moved
    }

    /// The refusal, as it is shown; `None` for a change or a failure.
    pub fn refused(&self) -> Option<&'a dyn fmt::Display> {
        self.refused
    }

    /// The kind of error in one word: the reason of a refusal, or the effect that failed, or `store`; `None` for a change.
    pub fn error_type(&self) -> Option<&'static str> {
        self.error_type
    }

    /// The facts that are names; the system is the machine, and the transaction the event.
    pub fn labels(&self) -> Labels {
        let Transacted { system, transaction, actor, ended, error_type, .. } = *self;
        Labels { machine: system, from: None, to: None, event: Some(transaction), actor, ended, error_type }
    }
}

impl fmt::Debug for Transacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.labels().fmt(f)
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

/// An observer that emits an event of the crate `tracing` for every attempt, with the target `statespec`: a change at the
/// level `info`, a refusal at `warn`, a failure at `error`.
///
/// The fields are those of [`Labels`]. `error.type` has the name and the meaning that OpenTelemetry gives it.
#[cfg(feature = "tracing")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Tracing;

#[cfg(feature = "tracing")]
impl Observer for Tracing {
    fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        // Each call site of `tracing` has one level.
        macro_rules! emit {
            ($level:ident, $($message:tt)*) => {{
                let Labels { machine, from, to, event, actor, ended: _, error_type } = attempt.labels();
                let effects = attempt.change().map(|it| tracing::field::debug(EffectNames(it)));
                tracing::$level!(target: "statespec", machine, from, to, event, actor, effects, error.type = error_type, $($message)*)
            }};
        }
        match attempt.ending {
            Ending::Changed(change) => emit!(info, "{change}"),
            Ending::Refused(refused) => emit!(warn, "{refused}"),
            Ending::Failed { change, moved: true, .. } => emit!(error, "{change}, but not everything was done"),
            Ending::Failed { change, moved: false, .. } => emit!(error, "not {change}: nothing changed"),
        }
    }

    fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        macro_rules! emit {
            ($level:ident, $($message:tt)*) => {{
                let (system, transaction) = (attempt.system(), attempt.transaction());
                let (actor, error_type) = (attempt.actor(), attempt.error_type());
                tracing::$level!(target: "statespec", system, transaction, actor, error.type = error_type, $($message)*)
            }};
        }
        match (attempt.refused, attempt.ended(), attempt.moved) {
            (Some(refused), ..) => emit!(warn, "{refused}"),
            (None, Ended::Failed, true) => emit!(error, "the machines changed, but not everything was done"),
            (None, Ended::Failed, false) => emit!(error, "nothing changed"),
            (None, ..) => emit!(info, "done"),
        }
    }
}

#[cfg(feature = "tracing")]
struct EffectNames<'a, S: State>(&'a Change<S>);

#[cfg(feature = "tracing")]
impl<S: State> fmt::Debug for EffectNames<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.effects().map(|it| it.name())).finish()
    }
}
