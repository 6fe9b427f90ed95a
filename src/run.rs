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
    for (done, effect) in change.before().enumerate() {
        perform(host, effect).map_err(|error| RunError::Before { change, effect, done, error })?;
    }
    let stored = match change.commit() {
        Commit::PersistFirst => {
            store(host, &next, &change).map_err(|error| RunError::Store { change, moved: false, error })?;
            *machine = next;
            Ok(())
        }
        Commit::MemoryFirst => {
            *machine = next;
            store(host, machine, &change)
        }
    };
    for (done, effect) in change.after().enumerate() {
        if let Err(error) = perform(host, effect) {
            return Err(RunError::After { change, effect, done, error, store: stored.err() });
        }
    }
    match stored {
        Ok(()) => Ok(change),
        Err(error) => Err(RunError::Store { change, moved: true, error }),
    }
}

/// The reason why a run stopped, and how far it came.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError<S: State, X> {
    /// The event was refused; nothing changed.
    Refused(Refused<S>),
    /// An effect that had to succeed first failed; the machine is unchanged, and nothing was stored.
    Before {
        /// The change that was planned.
        change: Change<S>,
        /// The effect that failed.
        effect: S::Effect,
        /// The number of effects of [`Change::before`] that succeeded.
        done: usize,
        /// The failure.
        error: X,
    },
    /// The store failed.
    Store {
        /// The change: made if `moved`, else planned.
        change: Change<S>,
        /// Whether the machine moved nevertheless. Then its effects were performed, too.
        moved: bool,
        /// The failure.
        error: X,
    },
    /// An effect after the change failed; the machine moved, and the effects after this one were not performed.
    After {
        /// The change that was made.
        change: Change<S>,
        /// The effect that failed.
        effect: S::Effect,
        /// The number of effects of [`Change::after`] that succeeded.
        done: usize,
        /// The failure.
        error: X,
        /// The failure of the store, if that failed as well: only with [`Commit::MemoryFirst`].
        store: Option<X>,
    },
}

impl<S: State, X> RunError<S, X> {
    /// The change that was planned or made; `None` if the event was refused.
    pub fn change(&self) -> Option<&Change<S>> {
        match self {
            RunError::Refused(_) => None,
            RunError::Before { change, .. } | RunError::Store { change, .. } | RunError::After { change, .. } => Some(change),
        }
    }

    /// Whether the machine moved. If it did not, the event can be raised again.
    pub fn moved(&self) -> bool {
        match self {
            RunError::Refused(_) | RunError::Before { .. } => false,
            RunError::Store { moved, .. } => *moved,
            RunError::After { .. } => true,
        }
    }

    /// The effects of a machine that moved which remain to be performed, in order: the one that failed comes first.
    pub fn remaining(&self) -> impl Iterator<Item = S::Effect> {
        let after = match self {
            RunError::After { change, done, .. } => Some(change.after().skip(*done)),
            RunError::Refused(_) | RunError::Before { .. } | RunError::Store { .. } => None,
        };
        after.into_iter().flatten()
    }
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
            RunError::Before { change, effect, done, error } => {
                let mut fields = f.debug_struct("Before");
                fields.field("change", change).field("effect", effect).field("done", done).field("error", error).finish()
            }
            RunError::Store { change, moved, error } => {
                f.debug_struct("Store").field("change", change).field("moved", moved).field("error", error).finish()
            }
            RunError::After { change, effect, done, error, store } => {
                let mut fields = f.debug_struct("After");
                fields.field("change", change).field("effect", effect).field("done", done);
                fields.field("error", error).field("store", store).finish()
            }
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
            RunError::After { effect, store: None, .. } => write!(f, "the state moved, but `{}` failed", effect.name()),
            RunError::After { effect, store: Some(_), .. } => write!(f, "the state moved, but the store and `{}` failed", effect.name()),
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
