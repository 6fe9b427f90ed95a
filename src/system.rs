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
    touched: bool,
    order: Commit,
}

impl<M: Clone, K: Copy> Slot<M, K> {
    /// A place for a part that the transaction does not speak of.
    pub const fn empty() -> Self {
        Slot { key: None, found: None, now: None, touched: false, order: Commit::MemoryFirst }
    }

    /// An instance as it was found, or the place where one may be born.
    pub fn new(key: Option<K>, found: Option<M>) -> Self {
        Slot { key, now: found.clone(), found, touched: false, order: Commit::MemoryFirst }
    }

    /// An instance as it was found; where there is none, a new one begins.
    pub fn found_or(key: Option<K>, found: Option<M>, begin: impl FnOnce() -> M) -> Self {
        let now = found.clone().unwrap_or_else(begin);
        Slot { key, found, now: Some(now), touched: false, order: Commit::MemoryFirst }
    }

    /// What tells the instance apart.
    pub fn key(&self) -> Option<K> {
        self.key
    }

    /// The instance as it would be.
    pub fn now(&self) -> Option<&M> {
        self.now.as_ref()
    }

    /// Changes the instance, or brings it into being.
    pub fn put(&mut self, next: M, order: Commit) {
        self.now = Some(next);
        self.touched = true;
        self.order = self.order.min(order);
    }

    /// When the store is written, as far as this instance is concerned; the least wins.
    pub fn order(&self) -> Commit {
        self.order
    }

    /// The instance before and after, where it took part.
    pub fn changed(&self) -> Option<(Option<&M>, &M)> {
        self.now.as_ref().filter(|_| self.touched).map(|now| (self.found.as_ref(), now))
    }
}

/// One of the times that a transaction is gone through: to plan it, and to perform its effects
/// before and after everything is stored.
#[derive(Debug)]
pub struct Pass<'u, U>(Stage<'u, U>);

#[derive(Debug)]
enum Stage<'u, U> {
    Plan,
    Before(&'u mut U),
    After(&'u mut U),
}

impl<U: Unit> Pass<'_, U> {
    /// Performs the effects of one change that are due in this pass.
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
/// `load` finds the instances, `plan` computes what becomes of them and may turn the transaction
/// down, `save` saves them and checks that the whole still holds. `plan` is gone through three
/// times with the same snapshot, so nothing has to be remembered for the effects: it must come to
/// the same each time.
///
/// A refusal, and any failure before the commit, leaves everything as it was.
pub fn transact<U: Unit, W: Clone, R>(
    unit: &mut U,
    load: impl FnOnce(&mut U) -> Result<W, Failure<R, U::Error>>,
    plan: impl Fn(&mut W, &mut Pass<'_, U>) -> Result<(), Failure<R, U::Error>>,
    save: impl FnOnce(&mut U, &W) -> Result<Commit, Failure<R, U::Error>>,
) -> Result<(), Failure<R, U::Error>> {
    unit.begin().map_err(Failure::store)?;
    let (snapshot, order) = match stage(unit, load, &plan, save) {
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
    plan(&mut snapshot.clone(), &mut Pass(Stage::After(unit)))?;
    stored.map_err(|error| Failure::Store { moved: true, error })
}

/// Everything up to the commit.
fn stage<U: Unit, W: Clone, R>(
    unit: &mut U,
    load: impl FnOnce(&mut U) -> Result<W, Failure<R, U::Error>>,
    plan: &impl Fn(&mut W, &mut Pass<'_, U>) -> Result<(), Failure<R, U::Error>>,
    save: impl FnOnce(&mut U, &W) -> Result<Commit, Failure<R, U::Error>>,
) -> Result<(W, Commit), Failure<R, U::Error>> {
    let snapshot = load(unit)?;
    let mut world = snapshot.clone();
    plan(&mut world, &mut Pass(Stage::Plan))?;
    let order = save(unit, &world)?;
    plan(&mut snapshot.clone(), &mut Pass(Stage::Before(unit)))?;
    Ok((snapshot, order))
}

/// Why a transaction stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
