//! What a driver does for the store.

use std::future::Future;

use crate::{Engine, Error, Row, Value};

/// A connection inside of a transaction of the caller.
///
/// The store never begins or ends it. On SQLite, begin with `BEGIN IMMEDIATE`: a transaction that first reads and then writes is
/// refused as busy if another one has written meanwhile.
pub trait Connection {
    /// The engine.
    const ENGINE: Engine;

    /// Runs a statement; the result is the number of rows that it changed.
    ///
    /// # Errors
    ///
    /// The error of the driver, by its class.
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> impl Future<Output = Result<u64, Error>>;

    /// Runs a statement with a result.
    ///
    /// # Errors
    ///
    /// The error of the driver, by its class.
    fn query(&mut self, sql: &str, parameters: &[Value]) -> impl Future<Output = Result<Vec<Row>, Error>>;
}

/// A connection outside of transactions, which begins one.
pub trait Database {
    /// A transaction. It is rolled back if it is dropped.
    type Transaction<'c>: Connection
    where
        Self: 'c;

    /// Begins a transaction.
    ///
    /// # Errors
    ///
    /// The error of the driver, by its class.
    fn begin(&mut self) -> impl Future<Output = Result<Self::Transaction<'_>, Error>>;

    /// Commits it.
    ///
    /// # Errors
    ///
    /// [`Class::Lost`](crate::Class::Lost) if the connection broke, so that nobody knows whether the commit happened;
    /// after every other error it did not.
    fn commit<'c>(transaction: Self::Transaction<'c>) -> impl Future<Output = Result<(), Error>>
    where
        Self: 'c;
}
