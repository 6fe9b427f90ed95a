//! Transactions of systems: several machines, in one transaction of the caller.

use std::future::Future;

use statespec::{Attempt, Commit, Ended, Failure, Named as _, State, Transacted, Unit};

use crate::commands::Commands;
use crate::memory::stored;
use crate::{Connection, Emitted, Error, Recorded, Resolved, Shelves, Table};

/// What a unit of work has for one transaction of a system: the machines of its parts on [shelves](crate::Shelf).
///
/// Write a struct with a `System` and what its methods need besides, such as the key of the root; implement the emitted trait
/// `UnitOfWork`, each method of which is one call of a shelf; and say [`unit!`](crate::unit). Then [`Transact::run`] runs a transaction.
#[derive(Debug)]
pub struct System<P> {
    /// The parts.
    pub parts: P,
    actor: Option<String>,
    command: Option<(Table, String)>,
    performed: Vec<Emitted>,
    /// When its changes are stored; none before it commits.
    order: Option<Commit>,
    /// Why its changes are not stored.
    kept: Option<Error>,
    /// The name of the transaction, and the actor of the spec.
    ran: Option<(String, Option<&'static str>)>,
}

/// What a transaction of a system came to.
#[derive(Debug)]
#[must_use = "only `Applied` and `Repeated` mean that the machines moved"]
pub enum Ran<V, R> {
    /// Every machine was changed.
    Applied {
        /// What the transaction gives.
        value: V,
        /// The number of machines that were written.
        n_machines: usize,
        /// The number of effects that are in the outboxes.
        n_effects: usize,
    },
    /// A command with this id was done before; nothing was done again. Its entity is the name of the transaction.
    Repeated(Recorded),
    /// The transaction is refused; nothing changed.
    Refused(R),
    /// Effects must succeed before anything changes, and no transaction may be open meanwhile. Nothing changed: roll back, perform
    /// them, and run the transaction again with [`performed`](System::performed).
    Before(Vec<Emitted>),
}

impl<P: Shelves> System<P> {
    /// For one transaction of the database. Another one needs another unit of work.
    pub fn new(parts: P) -> Self {
        System { parts, actor: None, command: None, performed: Vec::new(), order: None, kept: None, ran: None }
    }

    /// Who asks, for the journals; the actor of the transaction if omitted.
    pub fn actor(mut self, name: impl Into<String>) -> Self {
        self.actor = Some(name.into());
        self
    }

    /// Once, whoever asks and how often: a command has an id of the caller. It is noted among the commands of this table, which is
    /// that of a part: of the root.
    pub fn command(mut self, table: Table, id: impl Into<String>) -> Self {
        self.command = Some((table, id.into()));
        self
    }

    /// The effects of [`Ran::Before`], which have succeeded. If the transaction has others meanwhile, it asks for these.
    pub fn performed(mut self, effects: Vec<Emitted>) -> Self {
        self.performed = effects;
        self
    }

    /// As [`Unit::begin`].
    #[doc(hidden)]
    pub fn begin(&mut self) -> Result<(), Error> {
        if self.order.is_some() {
            return Err(Error::unfit(
                "a second transaction of the system began in one `run`, which has room for one: run it in another one",
            ));
        }
        self.rollback();
        Ok(())
    }

    /// As [`Unit::rollback`].
    #[doc(hidden)]
    pub fn rollback(&mut self) {
        self.parts.forget();
        (self.order, self.kept) = (None, None);
    }

    /// As [`Unit::commit`].
    #[doc(hidden)]
    pub fn commit(&mut self, order: Commit) -> Result<(), Error> {
        self.order = Some(order);
        self.parts.committed();
        Ok(())
    }

    /// As [`Unit::observe`].
    #[doc(hidden)]
    pub fn observe<S: State>(&mut self, attempt: &Attempt<'_, S>) {
        if let (Ended::Changed, Some(event)) = (attempt.ended(), attempt.event()) {
            self.parts.changed(S::MACHINE, event.name());
        }
        // A transaction has the least of the orders of its changes: if one of them is stored, all are.
        if let (Some(Commit::MemoryOnly), Some(change)) = (self.order, attempt.change()) {
            self.kept = self.kept.take().or(stored(change, attempt.event().map(|it| it.name())).err());
        }
    }

    /// As [`Unit::observe_transaction`].
    #[doc(hidden)]
    pub fn observe_transaction(&mut self, attempt: &Transacted<'_>) {
        self.ran = Some((format!("{}.{}", attempt.system(), attempt.transaction()), attempt.actor()));
    }
}

/// A unit of work with a [`System`], which [`unit!`](crate::unit) makes one of a store.
pub trait Transact: Unit<Error = Error> + Sized {
    /// The parts.
    type Parts: Shelves;

    /// The system.
    fn system(&mut self) -> &mut System<Self::Parts>;

    /// Runs a transaction of the system: `unit.run(c, |unit| mission_hop::approve_hop_plan(unit, 17))`. What it loads is loaded and
    /// locked, all that it saved is written with a comparison of the version, and its effects go into the outboxes, in the
    /// transaction of the caller.
    ///
    /// The transaction runs in memory, again for each machine that it asks for, so that it must do the same each time.
    ///
    /// # Errors
    ///
    /// The error of the database; a write that a guard refuses; a row that is no such machine; a change that is kept in memory only; a
    /// second transaction. Of [`Class::Retryable`](crate::Class::Retryable) if another transaction was faster. After an error, roll back.
    fn run<C: Connection, V, R>(
        mut self,
        c: &mut C,
        mut transaction: impl FnMut(&mut Self) -> Result<V, Failure<R, Error>>,
    ) -> impl Future<Output = Result<Ran<V, R>, Error>> {
        async move {
            let result = loop {
                self.system().rollback();
                match transaction(&mut self).map_err(Failure::into_host_error) {
                    Ok(value) => break Ok(value),
                    Err(Err(refused)) => break Err(refused),
                    Err(Ok(error)) => {
                        if !self.system().parts.fetch(c).await? {
                            return Err(error);
                        }
                    }
                }
            };
            self.system().end(c, result).await
        }
    }
}

impl<P: Shelves> System<P> {
    /// Writes what a transaction has saved.
    async fn end<C: Connection, V, R>(&mut self, c: &mut C, result: Result<V, R>) -> Result<Ran<V, R>, Error> {
        let (name, by) = self.ran.take().unwrap_or_default();
        let command = self.command.take();
        let commands = command.as_ref().map(|(table, id)| (Commands(table), id.as_str()));
        if let Some((commands, id)) = &commands {
            match commands.known(c, id).await? {
                Some(Resolved::Done(it)) if it.entity == name => return Ok(Ran::Repeated(it)),
                Some(_) => return Err(Error::taken(id)),
                None => {}
            }
        }
        let value = match result {
            Ok(value) => value,
            Err(refused) => return Ok(Ran::Refused(refused)),
        };
        if let Some(error) = self.kept.take() {
            return Err(error);
        }
        let before = self.parts.before();
        if before != self.performed {
            return Ok(Ran::Before(before));
        }
        let actor = self.actor.as_deref().or(by);
        let (n_machines, n_effects) = self.parts.write(c, actor).await?;
        if let Some((commands, id)) = &commands {
            commands.record(c, id, &name, 1, None, "done").await?;
        }
        Ok(Ran::Applied { value, n_machines, n_effects })
    }
}

/// Makes a struct the unit of work of a store: `unit!(Missions, system: Parts)`, with the field that has the [`System`], and the type
/// of its parts.
#[macro_export]
macro_rules! unit {
    ($unit:ty, $system:ident: $parts:ty) => {
        impl $crate::__private::Unit for $unit {
            type Key = <$parts as $crate::Shelves>::Id;

            type Error = $crate::Error;

            fn begin(&mut self) -> Result<(), Self::Error> {
                self.$system.begin()
            }

            fn commit(&mut self, order: $crate::__private::Commit) -> Result<(), Self::Error> {
                self.$system.commit(order)
            }

            fn rollback(&mut self) {
                self.$system.rollback();
            }

            fn observe<S: $crate::__private::State>(&mut self, attempt: &$crate::__private::Attempt<'_, S>) {
                self.$system.observe(attempt);
            }

            fn observe_transaction(&mut self, attempt: &$crate::__private::Transacted<'_>) {
                self.$system.observe_transaction(attempt);
            }
        }

        impl $crate::Transact for $unit {
            type Parts = $parts;

            fn system(&mut self) -> &mut $crate::System<$parts> {
                &mut self.$system
            }
        }
    };
}
