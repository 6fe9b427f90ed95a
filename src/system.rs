//! Several machines that change together: all of them, or none.

use core::fmt;

use crate::{Change, Commit, Named, State};

/// What a transaction works on: it holds the instances, and makes what was saved last.
///
/// Emitted systems add a method to load and one to save each of their parts. What was saved must
/// be what is loaded afterwards in the same unit.
pub trait Unit {
    /// What tells instances apart.
    type Key: Copy + PartialEq;

    /// Why something could not be loaded, saved or performed.
    type Error;

    /// Begins a transaction.
    fn begin(&mut self) -> Result<(), Self::Error>;

    /// Makes last what was saved since the beginning. With [`Commit::PersistFirst`] a failure
    /// leaves everything as it was before; with [`Commit::MemoryFirst`] the change holds in memory
    /// all the same.
    fn commit(&mut self, order: Commit) -> Result<(), Self::Error>;

    /// Forgets what was saved since the beginning.
    fn rollback(&mut self);
}

/// One instance in a transaction: as it was found, and as it would be.
#[derive(Debug, Clone)]
pub struct Slot<M, K> {
    key: Option<K>,
    found: Option<M>,
    now: Option<M>,
    /// The least of the orders of its changes; none where nothing changed.
    order: Option<Commit>,
}

impl<M: Clone, K: Copy> Slot<M, K> {
    /// A place for a part that the transaction does not load.
    pub const fn empty() -> Self {
        Slot { key: None, found: None, now: None, order: None }
    }

    /// An instance as it was found, or the place where one may be created.
    pub fn new(key: Option<K>, found: Option<M>) -> Self {
        Slot { key, now: found.clone(), found, order: None }
    }

    /// An instance as it was found; where there is none, a new one begins.
    pub fn found_or(key: Option<K>, found: Option<M>, begin: impl FnOnce() -> M) -> Self {
        let now = found.clone().unwrap_or_else(begin);
        Slot { key, found, now: Some(now), order: None }
    }

    /// The key of the instance.
    pub fn key(&self) -> Option<K> {
        self.key
    }

    /// The instance as it would be.
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

    /// When the store is written, as far as this instance is concerned; the least of all instances counts.
    pub fn order(&self) -> Commit {
        self.order.unwrap_or(Commit::MemoryFirst)
    }

    /// Saves the instance if it changed: `save` takes it as it was found and as it is.
    pub fn save<E>(&self, save: impl FnOnce(Option<&M>, &M) -> Result<(), E>) -> Result<(), E> {
        match &self.now {
            Some(now) if self.is_changed() => save(self.found.as_ref(), now),
            _ => Ok(()),
        }
    }

    /// Saves the instance under its key if it changed.
    pub fn save_by_key<E>(&self, save: impl FnOnce(K, Option<&M>, &M) -> Result<(), E>) -> Result<(), E> {
        // An instance of which there may be many is loaded or created under a key.
        let Some(key) = self.key else { return Ok(()) };
        self.save(|before, after| save(key, before, after))
    }
}

/// One of the times that a transaction is planned: to find out whether it is refused, to perform the effects before
/// everything is stored, and to perform those after.
#[derive(Debug)]
pub struct Phase<'u, U>(Stage<'u, U>);

#[derive(Debug)]
enum Stage<'u, U> {
    Plan,
    Before(&'u mut U),
    After(&'u mut U),
}

impl<U: Unit> Phase<'_, U> {
    /// Performs the effects of one change that are due in this phase.
    pub fn perform<S: State, R>(
        &mut self,
        change: &Change<S>,
        mut perform: impl FnMut(&mut U, S::Effect) -> Result<(), U::Error>,
    ) -> Result<(), Failure<R, U::Error>> {
        match &mut self.0 {
            Stage::Plan => Ok(()),
            Stage::Before(unit) => change
                .before()
                .try_for_each(|effect| perform(unit, effect).map_err(|error| Failure::Before { effect: effect.name(), error })),
            Stage::After(unit) => {
                change.after().try_for_each(|effect| perform(unit, effect).map_err(|error| Failure::After { effect: effect.name(), error }))
            }
        }
    }
}

/// Runs a transaction.
///
/// `load` finds the instances. `plan` reads the world as it was loaded and changes a copy of it, or refuses the
/// transaction. `save` saves the changed world and checks that the invariants hold. `plan` runs three times on the
/// same world, so that no effect has to be remembered: it must do the same each time.
///
/// A refusal, and any failure before the commit, leaves everything as it was.
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
    plan(&before, &mut before.clone(), &mut Phase(Stage::After(unit)))?;
    stored.map_err(|error| Failure::Store { moved: true, error })
}

/// Everything up to the commit.
fn stage<U: Unit, W: Clone, R>(
    unit: &mut U,
    load: impl FnOnce(&mut U) -> Result<W, U::Error>,
    plan: &impl Fn(&W, &mut W, &mut Phase<'_, U>) -> Result<(), Failure<R, U::Error>>,
    save: impl FnOnce(&W, &mut U) -> Result<Commit, Failure<R, U::Error>>,
) -> Result<(W, Commit), Failure<R, U::Error>> {
    let before = load(unit).map_err(Failure::store)?;
    let mut after = before.clone();
    plan(&before, &mut after, &mut Phase(Stage::Plan))?;
    let order = save(&after, unit)?;
    plan(&before, &mut before.clone(), &mut Phase(Stage::Before(unit)))?;
    Ok((before, order))
}

/// The result of an optional link: a refusal is passed over.
pub fn optional<T: Default, R, X>(result: Result<T, Failure<R, X>>) -> Result<T, Failure<R, X>> {
    match result {
        Err(Failure::Refused(_)) => Ok(T::default()),
        result => result,
    }
}

/// Why a transaction stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure<R, X> {
    /// It was turned down; everything is as it was.
    Refused(R),
    /// An effect that had to succeed first failed; everything is as it was.
    Before {
        /// The effect.
        effect: &'static str,
        /// The failure.
        error: X,
    },
    /// Loading, saving or committing failed.
    Store {
        /// Whether the machines moved all the same.
        moved: bool,
        /// The failure.
        error: X,
    },
    /// An effect after the change failed; the effects after this one were not performed.
    After {
        /// The effect.
        effect: &'static str,
        /// The failure.
        error: X,
    },
}

impl<R, X> Failure<R, X> {
    /// The store failed before anything changed.
    pub fn store(error: X) -> Self {
        Failure::Store { moved: false, error }
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
            Failure::After { effect, .. } => write!(f, "the state moved, but `{effect}` failed"),
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
