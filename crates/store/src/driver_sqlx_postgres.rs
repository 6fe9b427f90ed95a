//! sqlx, for PostgreSQL. No statement stays prepared, whatever the cache of the connection holds.

use sqlx::postgres::{PgArguments, PgDatabaseError, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, PgConnection, Pool, Postgres, Row as _, Transaction};

use crate::class::of_sqlstate;
use crate::{Connection, Database, Engine, Error, Row, Value};

/// The error of a driver of sqlx, with the class of what the server said.
fn error(error: sqlx::Error) -> Error {
    let class = match error.as_database_error().and_then(|it| it.try_downcast_ref::<PgDatabaseError>()) {
        Some(it) => of_sqlstate(it.code(), it.hint().is_some()),
        None => crate::driver_sqlx::class(&error),
    };
    crate::driver_sqlx::error(class, error)
}

/// A statement with its parameters, which are texts.
fn bound(sql: &str, parameters: &[Value]) -> Query<'static, Postgres, PgArguments> {
    let query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
    parameters.iter().fold(query, |it, value| it.bind(value.text()))
}

impl Connection for Transaction<'_, Postgres> {
    const ENGINE: Engine = Engine::Postgres;

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Error> {
        Ok(bound(sql, parameters).execute(&mut **self).await.map_err(error)?.rows_affected())
    }

    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, Error> {
        let rows = bound(sql, parameters).fetch_all(&mut **self).await.map_err(error)?;
        let row = |row: PgRow| (0..row.len()).map(|idx| row.try_get(idx).map_err(error)).collect();
        rows.into_iter().map(row).collect()
    }
}

impl Database for PgConnection {
    type Transaction<'c> = Transaction<'c, Postgres>;

    async fn begin(&mut self) -> Result<Transaction<'_, Postgres>, Error> {
        sqlx::Connection::begin(self).await.map_err(error)
    }

    async fn commit<'c>(transaction: Transaction<'c, Postgres>) -> Result<(), Error>
    where
        Self: 'c,
    {
        transaction.commit().await.map_err(error)
    }
}

/// Each transaction has a connection of the pool.
impl Database for Pool<Postgres> {
    type Transaction<'c> = Transaction<'c, Postgres>;

    async fn begin(&mut self) -> Result<Transaction<'_, Postgres>, Error> {
        Pool::begin(self).await.map_err(error)
    }

    async fn commit<'c>(transaction: Transaction<'c, Postgres>) -> Result<(), Error>
    where
        Self: 'c,
    {
        transaction.commit().await.map_err(error)
    }
}
