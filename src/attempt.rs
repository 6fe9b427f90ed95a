//! Attempts: what a host or a unit of work sees of each try to change a machine.

use core::fmt;

use crate::configuration::ConfigurationOf;
use crate::{Change, Event, Failure, Named, Refused, RunError, State};

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
}

impl<S: State> fmt::Debug for Attempt<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Attempt");
        fields.field("machine", &S::MACHINE).field("from", &self.from()).field("to", &self.to());
        fields.field("event", &self.event).field("actor", &self.actor);
        fields.field("ended", &self.ended()).field("error_type", &self.error_type()).finish()
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
}

impl fmt::Debug for Transacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Transacted");
        fields.field("system", &self.system).field("transaction", &self.transaction).field("actor", &self.actor);
        fields.field("ended", &self.ended).field("error_type", &self.error_type).finish()
    }
}
