//! The execution of planned changes by hosts that have a store and effects.

use core::fmt;

use crate::{Change, Commit, Named, Refused, State};

/// Executes a change that was planned on a copy, in the commit order of the spec.
///
/// `next` is the machine after the change. The `before` effects come first, then store and
/// machine (in the order of [`Change::commit`]), then the other effects. If a `before` effect fails
/// or, with [`Commit::PersistFirst`], the store fails, the machine is unchanged. With
/// [`Commit::MemoryFirst`] the machine still moves, the effects are performed, and then the
/// failure is reported.
///
/// The `run` methods of emitted machines call this function.
pub fn commit<M, S, H, X>(
    machine: &mut M,
    next: M,
    change: Change<S>,
    host: &mut H,
    store: impl FnOnce(&mut H, &M, &Change<S>) -> Result<(), X>,
    mut perform: impl FnMut(&mut H, S::Effect) -> Result<(), X>,
) -> Result<Change<S>, RunError<S, X>>
where
    S: State,
    H: ?Sized,
{
    for effect in change.before() {
        perform(host, effect).map_err(|error| RunError::Before { effect, error })?;
    }
    let stored = match change.commit() {
        Commit::PersistFirst => {
            store(host, &next, &change).map_err(|error| RunError::Store { moved: false, error })?;
            *machine = next;
            Ok(())
        }
        Commit::MemoryFirst => {
            *machine = next;
            store(host, machine, &change)
        }
    };
    for effect in change.after() {
        perform(host, effect).map_err(|error| RunError::After { effect, error })?;
    }
    stored.map_err(|error| RunError::Store { moved: true, error })?;
    Ok(change)
}

/// The reason why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError<S: State, X> {
    /// The event was refused; nothing changed.
    Refused(Refused<S>),
    /// An effect that had to succeed first failed; the machine is unchanged.
    Before {
        /// The effect.
        effect: S::Effect,
        /// The failure.
        error: X,
    },
    /// The store failed.
    Store {
        /// Whether the machine moved nevertheless.
        moved: bool,
        /// The failure.
        error: X,
    },
    /// An effect after the change failed; the machine moved, and the effects after this one were not performed.
    After {
        /// The effect.
        effect: S::Effect,
        /// The failure.
        error: X,
    },
}

impl<S: State, X> From<Refused<S>> for RunError<S, X> {
    fn from(refused: Refused<S>) -> Self {
        RunError::Refused(refused)
    }
}

impl<S: State, X: fmt::Debug> fmt::Debug for RunError<S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Refused(refused) => f.debug_tuple("Refused").field(refused).finish(),
            RunError::Before { effect, error } => f.debug_struct("Before").field("effect", effect).field("error", error).finish(),
            RunError::Store { moved, error } => f.debug_struct("Store").field("moved", moved).field("error", error).finish(),
            RunError::After { effect, error } => f.debug_struct("After").field("effect", effect).field("error", error).finish(),
        }
    }
}

impl<S: State, X> fmt::Display for RunError<S, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Refused(refused) => refused.fmt(f),
            RunError::Before { effect, .. } => write!(f, "`{}` failed, so nothing changed", effect.name()),
            RunError::Store { moved: false, .. } => f.write_str("the store failed, so nothing changed"),
            RunError::Store { moved: true, .. } => f.write_str("the state moved, but the store failed"),
            RunError::After { effect, .. } => write!(f, "the state moved, but `{}` failed", effect.name()),
        }
    }
}

impl<S: State, X: core::error::Error + 'static> core::error::Error for RunError<S, X> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            RunError::Refused(_) => None,
            RunError::Before { error, .. } | RunError::Store { error, .. } | RunError::After { error, .. } => Some(error),
        }
    }
}
