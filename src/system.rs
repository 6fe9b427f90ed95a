//! Transactions: several machines change together, or none of them does.

use core::fmt;

use crate::{Attempt, Change, Commit, Named, State, Step, Transacted};

/// The unit of work of a transaction: loads and saves instances, and commits.
///
/// Emitted systems add a method to load and a method to save each of their parts. A load must
/// return the instance that was saved last in the same unit. Saving takes an instance into the transaction: whether the store
/// is written, [`commit`](Unit::commit) says. A unit that writes to a database at once undoes that with [`Commit::MemoryOnly`].
pub trait Unit {
    /// The key of an instance.
    type Key: Copy + PartialEq;

    /// The error of a load, a save, a commit or an effect.
    type Error;

    /// Begins a transaction.
    fn begin(&mut self) -> Result<(), Self::Error>;

    /// Commits everything that was saved since the beginning. With [`Commit::PersistFirst`] a failure
    /// leaves everything unchanged; with [`Commit::MemoryFirst`] the change remains in memory
    /// nevertheless. With [`Commit::MemoryOnly`] the change is kept in memory, and the store is not written.
    fn commit(&mut self, order: Commit) -> Result<(), Self::Error>;

    /// Discards everything that was saved since the beginning.
    fn rollback(&mut self);

    /// Sees the change of each machine, after a transaction has changed it: for logs, traces and metrics.
    ///
    /// A transaction that is refused, or that fails before anything changed, changes no machine.
    fn observe<S: State>(&mut self, _attempt: &Attempt<'_, S>) {}

    /// Sees every attempt of a transaction, after it has ended, and after the changes of its machines.
    fn observe_transaction(&mut self, _attempt: &Transacted<'_>) {}
}

/// A unit of work that tries transactions out: nothing is performed or observed, and every commit rolls back.
///
/// The function `plan` of an emitted system makes one.
#[derive(Debug)]
pub struct Planning<'u, U>(&'u mut U);

impl<'u, U> Planning<'u, U> {
    /// Tries transactions of this unit of work out.
    pub fn new(unit: &'u mut U) -> Self {
        Planning(unit)
    }

    /// The unit of work.
    #[doc(hidden)]
    pub fn unit(&self) -> &U {
        self.0
    }

    /// The unit of work.
    #[doc(hidden)]
    pub fn unit_mut(&mut self) -> &mut U {
        self.0
    }
}

impl<U: Unit> Unit for Planning<'_, U> {
    type Key = U::Key;

    type Error = U::Error;

    fn begin(&mut self) -> Result<(), Self::Error> {
        self.0.begin()
    }

    fn commit(&mut self, _order: Commit) -> Result<(), Self::Error> {
        self.0.rollback();
        Ok(())
    }

    fn rollback(&mut self) {
        self.0.rollback();
    }
}

/// One instance in a transaction: its loaded value and its planned value.
#[derive(Debug, Clone)]
pub struct Slot<M, K> {
    key: Option<K>,
    found: Option<M>,
    now: Option<M>,
    /// The least of the commit orders of its changes; `None` if nothing changed.
    order: Option<Commit>,
}

impl<M: Clone, K: Copy> Slot<M, K> {
    /// A slot for a part that the transaction does not load.
    pub const fn empty() -> Self {
        Slot { key: None, found: None, now: None, order: None }
    }

    /// A slot with the loaded instance, or for an instance that may be created.
    pub fn new(key: Option<K>, found: Option<M>) -> Self {
        Slot { key, now: found.clone(), found, order: None }
    }

    /// A slot with the loaded instance; if there is none, a new one begins.
    pub fn found_or(key: Option<K>, found: Option<M>, begin: impl FnOnce() -> M) -> Self {
        let now = found.clone().unwrap_or_else(begin);
        Slot { key, found, now: Some(now), order: None }
    }

    /// A slot with the loaded instance, which is empty if that belongs to another owner; if there is no instance, a new one
    /// begins.
    pub fn owned_or(key: Option<K>, found: Option<M>, belongs: impl FnOnce(&M) -> bool, begin: impl FnOnce() -> M) -> Self {
        match found {
            Some(other) if !belongs(&other) => Slot { key, found: None, now: None, order: None },
            found => Slot::found_or(key, found, begin),
        }
    }

    /// The key of the instance.
    pub fn key(&self) -> Option<K> {
        self.key
    }

    /// The planned value of the instance.
    pub fn now(&self) -> Option<&M> {
        self.now.as_ref()
    }

    /// Changes the instance, or creates it.
    pub fn put(&mut self, next: M, order: Commit) {
        self.now = Some(next);
        self.order = Some(self.order.map_or(order, |it| it.min(order)));
    }

    /// Whether an event changed the instance.
    pub fn is_changed(&self) -> bool {
        self.order.is_some()
    }

    /// The commit order of this instance; a transaction uses the least of all instances.
    pub fn order(&self) -> Commit {
        self.order.unwrap_or(Commit::MemoryOnly)
    }

    /// Saves the instance if it changed: `save` gets its loaded value and its planned value.
    pub fn save<E>(&self, save: impl FnOnce(Option<&M>, &M) -> Result<(), E>) -> Result<(), E> {
        match &self.now {
            Some(now) if self.is_changed() => save(self.found.as_ref(), now),
            _ => Ok(()),
        }
    }

    /// Saves the instance under its key if it changed.
    pub fn save_by_key<E>(&self, save: impl FnOnce(K, Option<&M>, &M) -> Result<(), E>) -> Result<(), E> {
        // An instance of a part with many instances is loaded or created under a key.
        let Some(key) = self.key else { return Ok(()) };
        self.save(|before, after| save(key, before, after))
    }
}

impl<M, K: PartialEq> Slot<M, K> {
    /// Whether both slots are for the same instance.
    pub fn is(&self, other: &Self) -> bool {
        self.key.is_some() && self.key == other.key
    }
}

/// Whether no instance occurs twice.
pub fn distinct<K: PartialEq>(keys: &[Option<K>]) -> bool {
    keys.iter().enumerate().all(|(idx, key)| key.is_none() || !keys[..idx].contains(key))
}

/// One of the passes in which a transaction is planned: to find out whether it is refused, to perform the effects before
/// everything is stored, and to perform the effects after that.
#[derive(Debug)]
pub struct Phase<'u, U: Unit> {
    stage: Stage<'u, U>,
    /// The number of effects that were performed.
    done: usize,
    /// The effect after the change that failed, and its failure; the effects after it are not performed.
    failed: Option<(&'static str, U::Error)>,
}

#[derive(Debug)]
enum Stage<'u, U> {
    Plan,
    Before(&'u mut U),
    After {
        unit: &'u mut U,
        /// Whether the commit succeeded.
        stored: bool,
    },
}

impl<'u, U: Unit> Phase<'u, U> {
    fn new(stage: Stage<'u, U>) -> Self {
        Phase { stage, done: 0, failed: None }
    }

    /// Performs the effects of one change that are due in this phase. After everything is stored, the unit of work sees the
    /// change.
    pub fn end<S: State, R>(
        &mut self,
        event: S::Event,
        change: &Change<S>,
        mut perform: impl FnMut(&mut U, S::Effect, &Step<S>) -> Result<(), U::Error>,
    ) -> Result<(), Failure<R, U::Error>> {
        let done = &mut self.done;
        match &mut self.stage {
            Stage::Plan => {}
            Stage::Before(unit) => {
                for (effect, step) in change.before_by_step() {
                    perform(unit, effect, &step).map_err(|error| Failure::Before { effect: effect.name(), done: *done, error })?;
                    *done += 1;
                }
            }
            Stage::After { unit, stored } => {
                let mut missed = None;
                for (effect, step) in change.after_by_step() {
                    if self.failed.is_none() {
                        match perform(unit, effect, &step) {
                            Ok(()) => *done += 1,
                            Err(error) => self.failed = Some((effect.name(), error)),
                        }
                    }
                    missed = missed.or(self.failed.is_some().then_some(effect));
                }
                unit.observe(&Attempt::of_part(event, change, *stored, missed));
            }
        }
        Ok(())
    }
}

/// Runs a transaction.
///
/// `load` loads the instances. `plan` reads the loaded world and changes a copy of it, or refuses the transaction.
/// `save` saves the changed world and checks that the invariants hold. `plan` runs three times on the same world, so
/// that effects need not be stored: it must do the same each time.
///
/// A refusal, or any failure before the commit, leaves everything unchanged.
pub fn transact<U: Unit, W: Clone, R>(
    unit: &mut U,
    load: impl FnOnce(&mut U) -> Result<W, U::Error>,
    plan: impl Fn(&W, &mut W, &mut Phase<'_, U>) -> Result<(), Failure<R, U::Error>>,
    save: impl FnOnce(&W, &mut U) -> Result<Commit, Failure<R, U::Error>>,
) -> Result<(), Failure<R, U::Error>> {
    unit.begin().map_err(Failure::store)?;
    let (before, order) = match stage(unit, load, &plan, save) {
        Ok(staged) => staged,
        Err(failure) => {
            unit.rollback();
            return Err(failure);
        }
    };
    let stored = match (unit.commit(order), order) {
        (Err(error), Commit::PersistFirst) => return Err(Failure::store(error)),
        (stored, _) => stored,
    };
    let mut phase = Phase::new(Stage::After { unit, stored: stored.is_ok() });
    plan(&before, &mut before.clone(), &mut phase)?;
    match phase.failed {
        Some((effect, error)) => Err(Failure::After { effect, done: phase.done, error, store: stored.err() }),
        None => stored.map_err(|error| Failure::Store { moved: true, error }),
    }
}

/// Runs everything up to the commit.
fn stage<U: Unit, W: Clone, R>(
    unit: &mut U,
    load: impl FnOnce(&mut U) -> Result<W, U::Error>,
    plan: &impl Fn(&W, &mut W, &mut Phase<'_, U>) -> Result<(), Failure<R, U::Error>>,
    save: impl FnOnce(&W, &mut U) -> Result<Commit, Failure<R, U::Error>>,
) -> Result<(W, Commit), Failure<R, U::Error>> {
    let before = load(unit).map_err(Failure::store)?;
    let mut after = before.clone();
    plan(&before, &mut after, &mut Phase::new(Stage::Plan))?;
    let order = save(&after, unit)?;
    plan(&before, &mut before.clone(), &mut Phase::new(Stage::Before(unit)))?;
    Ok((before, order))
}

/// The result of an optional link: a refusal is ignored.
pub fn optional<T: Default, R, X>(result: Result<T, Failure<R, X>>) -> Result<T, Failure<R, X>> {
    match result {
        Err(Failure::Refused(_)) => Ok(T::default()),
        result => result,
    }
}

/// The reason why a transaction stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure<R, X> {
    /// The transaction was refused; nothing changed.
    Refused(R),
    /// An effect that had to succeed first failed; nothing changed.
    Before {
        /// The effect.
        effect: &'static str,
        /// The number of effects before the change that succeeded.
        done: usize,
        /// The failure.
        error: X,
    },
    /// Loading, saving or committing failed.
    Store {
        /// Whether the machines moved nevertheless.
        moved: bool,
        /// The failure.
        error: X,
    },
    /// An effect after the change failed; the machines moved, and the effects after this one were not performed.
    After {
        /// The effect.
        effect: &'static str,
        /// The number of effects after the change that succeeded.
        done: usize,
        /// The failure.
        error: X,
        /// The failure of the commit, if that failed as well: only with [`Commit::MemoryFirst`].
        store: Option<X>,
    },
}

impl<R, X> Failure<R, X> {
    /// The failure of the store before anything changed.
    pub fn store(error: X) -> Self {
        Failure::Store { moved: false, error }
    }

    /// The failure of the unit of work: of the effect, where the commit failed as well; `None` if the transaction was refused.
    pub fn host_error(&self) -> Option<&X> {
        match self {
            Failure::Refused(_) => None,
            Failure::Before { error, .. } | Failure::Store { error, .. } | Failure::After { error, .. } => Some(error),
        }
    }

    /// The failure of the unit of work, given back; a refusal has none.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn into_host_error(self) -> Result<X, R> {
        match self {
            Failure::Refused(refused) => Err(refused),
            Failure::Before { error, .. } | Failure::Store { error, .. } | Failure::After { error, .. } => Ok(error),
        }
    }

    /// Whether the machines moved. If they did not, the transaction can be tried again.
    pub fn moved(&self) -> bool {
        match self {
            Failure::Refused(_) | Failure::Before { .. } => false,
            Failure::Store { moved, .. } => *moved,
            Failure::After { .. } => true,
        }
    }
}

impl<R, X> From<R> for Failure<R, X> {
    fn from(refused: R) -> Self {
        Failure::Refused(refused)
    }
}

impl<R: fmt::Display, X> fmt::Display for Failure<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(refused) => refused.fmt(f),
            Failure::Before { effect, .. } => write!(f, "`{effect}` failed, so nothing changed"),
            Failure::Store { moved: false, .. } => f.write_str("the store failed, so nothing changed"),
            Failure::Store { moved: true, .. } => f.write_str("the state moved, but the store failed"),
            Failure::After { effect, store: None, .. } => write!(f, "the state moved, but `{effect}` failed"),
            Failure::After { effect, store: Some(_), .. } => write!(f, "the state moved, but the store and `{effect}` failed"),
        }
    }
}

impl<R: core::error::Error + 'static, X: core::error::Error + 'static> core::error::Error for Failure<R, X> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Failure::Refused(_) => None,
            Failure::Before { error, .. } | Failure::Store { error, .. } | Failure::After { error, .. } => Some(error),
        }
    }
}
