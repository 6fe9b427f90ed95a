//! tokio-postgres. Every statement is one round trip, and none is prepared first.

use std::error::Error as _;

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Transaction};

use crate::class::of_sqlstate;
use crate::{Class, Connection, Database, Engine, Error, Row, Value};

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let (class, message) = match error.as_db_error() {
            Some(it) => (of_sqlstate(it.code().code(), it.hint().is_some()), it.message().to_owned()),
            // No answer of the server: the connection ended, or it was never there.
            None if error.is_closed() || is_io(&error) => (Class::Lost, error.to_string()),
            None => (Class::Other, error.to_string()),
        };
        Error::new(class, message).because(error)
    }
}

fn is_io(error: &tokio_postgres::Error) -> bool {
    error.source().is_some_and(|it| it.is::<std::io::Error>())
}

/// The parameters as texts.
struct Texts(Vec<Option<String>>);

impl Texts {
    fn of(parameters: &[Value]) -> Self {
        Texts(parameters.iter().map(Value::text).collect())
    }

    fn typed(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.0.iter().map(|it| (it as &(dyn ToSql + Sync), Type::TEXT)).collect()
    }
}

impl Connection for Transaction<'_> {
    const ENGINE: Engine = Engine::Postgres;

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Error> {
        let texts = Texts::of(parameters);
        Ok(self.execute_typed(sql, &texts.typed()).await?)
    }

    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, Error> {
        let texts = Texts::of(parameters);
        let rows = self.query_typed(sql, &texts.typed()).await?;
        let row = |row: tokio_postgres::Row| (0..row.len()).map(|idx| row.try_get(idx).map_err(Error::from)).collect();
        rows.into_iter().map(row).collect()
    }
}

impl Database for Client {
    type Transaction<'c> = Transaction<'c>;

    async fn begin(&mut self) -> Result<Transaction<'_>, Error> {
        Ok(self.transaction().await?)
    }

    async fn commit<'c>(transaction: Transaction<'c>) -> Result<(), Error>
    where
        Self: 'c,
    {
        Ok(transaction.commit().await?)
    }
}
