//! The execution of planned changes by hosts that have a store and effects.

use core::fmt;

use crate::machine::Followed;
use crate::{Change, Commit, Named, Refused, State, Step};

/// The run of a planned change, as a sequence of tasks for the host in the commit order of the spec.
///
/// The `before` effects come first, then store and machine (in the order of [`Change::commit`]), then the other effects.
/// If a `before` effect fails or, with [`Commit::PersistFirst`], the store fails, the machine is unchanged. With
/// [`Commit::MemoryFirst`] the machine still moves, the effects are performed, and then the failure is reported. With
/// [`Commit::MemoryOnly`] nothing is stored.
///
/// The `run` methods of emitted machines carry the tasks out, and wait for each of them if the host is asynchronous.
#[derive(Debug)]
pub struct Run<'m, M, S: State, X> {
    place: Place<'m, M>,
    result: Result<Change<S>, RunError<S, X>>,
    stage: Stage,
    /// The failure of the store of a machine that moved first.
    stored: Option<X>,
}

/// Where the machine after the change is.
#[derive(Debug)]
enum Place<'m, M> {
    /// The change is planned on a copy, which takes the place of the machine when this moves.
    Copy { machine: &'m mut M, next: M, moved: bool },
    /// The machine itself.
    Here(&'m M),
}

impl<M> Place<'_, M> {
    fn move_on(&mut self) {
        if let Place::Copy { machine, next, moved } = self {
            core::mem::swap(*machine, next);
            *moved = true;
        }
    }
}

/// A task of a [`Run`].
#[derive(Debug, Clone, Copy)]
pub enum Task<S: State> {
    /// Perform the effect of the step.
    Perform(S::Effect, Step<S>),
    /// Store the machine as it is after the change.
    Store(Change<S>),
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    /// The number of `before` effects that were performed.
    Before(usize),
    Store,
    /// The number of effects after the change that were performed.
    After(usize),
}

impl<'m, M, S: State, X> Run<'m, M, S, X> {
    /// The run of a change that was planned on a copy of the machine, or that was refused.
    pub fn new(machine: &'m mut M, planned: Followed<M, S>) -> Self {
        let (place, result) = match planned {
            Ok((next, change)) => (Place::Copy { machine, next, moved: false }, Ok(change)),
            Err(refused) => (Place::Here(machine), Err(RunError::Refused(refused))),
        };
        Run { place, result, stage: Stage::Before(0), stored: None }
    }

    /// The run of a change that has created the machine, which does not move.
    pub fn created(machine: &'m M, change: Change<S>) -> Self {
        Run { place: Place::Here(machine), result: Ok(change), stage: Stage::Before(0), stored: None }
    }

    /// The machine as it is after the change, whether it has moved or not.
    pub fn after(&self) -> &M {
        match &self.place {
            Place::Copy { next, moved: false, .. } => next,
            Place::Copy { machine, moved: true, .. } => machine,
            Place::Here(machine) => machine,
        }
    }

    /// The next task; `None` at the end.
    pub fn task(&mut self) -> Option<Task<S>> {
        let change = self.result.as_ref().ok()?;
        if let Stage::Before(done) = self.stage
            && change.before().nth(done).is_none()
        {
            let commit = change.commit();
            if commit != Commit::PersistFirst {
                self.place.move_on();
            }
            self.stage = if commit == Commit::MemoryOnly { Stage::After(0) } else { Stage::Store };
        }
        match self.stage {
            Stage::Before(done) => change.before_by_step().nth(done).map(|(effect, step)| Task::Perform(effect, step)),
            Stage::Store => Some(Task::Store(*change)),
            Stage::After(done) => change.after_by_step().nth(done).map(|(effect, step)| Task::Perform(effect, step)),
        }
    }

    /// Notes the outcome of the task.
    pub fn done(&mut self, task: Task<S>, outcome: Result<(), X>) {
        let Ok(change) = &self.result else { return };
        let (change, persist_first) = (*change, change.commit() == Commit::PersistFirst);
        match (task, outcome, self.stage) {
            (Task::Perform(effect, _), Err(error), Stage::Before(done)) => {
                self.result = Err(RunError::Before { change, effect, done, error });
            }
            (Task::Perform(effect, _), Err(error), Stage::After(done)) => {
                self.result = Err(RunError::After { change, effect, done, error, store: self.stored.take() });
            }
            (Task::Store(_), Err(error), _) if persist_first => self.result = Err(RunError::Store { change, moved: false, error }),
            (_, outcome, stage) => {
                self.stored = self.stored.take().or(outcome.err());
                self.stage = match stage {
                    Stage::Before(done) => Stage::Before(done + 1),
                    Stage::Store => {
                        if persist_first {
                            self.place.move_on();
                        }
                        Stage::After(0)
                    }
                    Stage::After(done) => Stage::After(done + 1),
                };
            }
        }
    }

    /// The result of the whole run.
    ///
    /// # Errors
    ///
    /// The refusal, or the first failure; if the store of a machine that moved failed as well, that is part of it.
    pub fn finish(self) -> Result<Change<S>, RunError<S, X>> {
        match (self.result, self.stored) {
            (Ok(change), Some(error)) => Err(RunError::Store { change, moved: true, error }),
            (result, _) => result,
        }
    }
}

/// Carries a run out to its end: the host stores and performs.
///
/// # Errors
///
/// As [`Run::finish`].
pub fn run<M, S: State, H: ?Sized, X>(
    mut run: Run<'_, M, S, X>,
    host: &mut H,
    mut store: impl FnMut(&mut H, &M, &Change<S>) -> Result<(), X>,
    mut perform: impl FnMut(&mut H, &M, S::Effect, &Step<S>) -> Result<(), X>,
) -> Result<Change<S>, RunError<S, X>> {
    while let Some(task) = run.task() {
        let outcome = match task {
            Task::Perform(effect, step) => perform(host, run.after(), effect, &step),
            Task::Store(change) => store(host, run.after(), &change),
        };
        run.done(task, outcome);
    }
    run.finish()
}

/// The reason why a run stopped, and how far it came.
#[derive(Clone, Copy, PartialEq, Eq)]
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

    /// The failure of the host: of the effect, where the store failed as well; `None` if the event was refused.
    pub fn host_error(&self) -> Option<&X> {
        match self {
            RunError::Refused(_) => None,
            RunError::Before { error, .. } | RunError::Store { error, .. } | RunError::After { error, .. } => Some(error),
        }
    }

    /// The failure of the host, given back; a refusal has none.
    ///
    /// # Errors
    ///
    /// The refusal: `failed.into_host_error().map_or_else(Answer::Refused, Answer::Failed)` is an answer in each case.
    pub fn into_host_error(self) -> Result<X, Refused<S>> {
        match self {
            RunError::Refused(refused) => Err(refused),
            RunError::Before { error, .. } | RunError::Store { error, .. } | RunError::After { error, .. } => Ok(error),
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
        self.remaining_by_step().map(|(effect, _)| effect)
    }

    /// The same, each with its step.
    pub fn remaining_by_step(&self) -> impl Iterator<Item = (S::Effect, Step<S>)> {
        let after = match self {
            RunError::After { change, done, .. } => Some(change.after_by_step().skip(*done)),
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
        self.host_error().map(|it| it as _)
    }
}
