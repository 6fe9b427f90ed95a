//! sqlx, for SQLite. Its connection is a thread, so that each operation waits for it: a runtime is needed.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteError, SqliteRow};
use sqlx::{AssertSqlSafe, Pool, Row as _, Sqlite, SqliteConnection, Transaction, TypeInfo as _, ValueRef as _};

use crate::class::of_sqlite;
use crate::{Connection, Database, Engine, Error, Row, Value};

/// A transaction that first reads and then writes is refused as busy if another one has written meanwhile.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// The error of a driver of sqlx, with the class of what SQLite said.
fn error(error: sqlx::Error) -> Error {
    let said = error.as_database_error().filter(|it| it.try_downcast_ref::<SqliteError>().is_some());
    let class = match said.and_then(|it| it.code()?.parse().ok().map(|code| (code, it.message()))) {
        Some((code, message)) => of_sqlite(code, message),
        None => crate::driver_sqlx::class(&error),
    };
    crate::driver_sqlx::error(class, error)
}

fn bound(sql: &str, parameters: &[Value]) -> Query<'static, Sqlite, SqliteArguments> {
    parameters.iter().fold(sqlx::query(AssertSqlSafe(sql)), |it, value| match value {
        Value::Null => it.bind(None::<i64>),
        Value::Integer(value) => it.bind(*value),
        Value::Text(value) => it.bind(value.clone()),
    })
}

/// A column of a result as a text.
fn text(row: &SqliteRow, idx: usize) -> Result<Option<String>, Error> {
    let value = row.try_get_raw(idx).map_err(error)?;
    if value.is_null() {
        return Ok(None);
    }
    // The type of the value itself, and not that of its column.
    let kind = value.type_info().name().to_owned();
    let text = match kind.as_str() {
        "INTEGER" => row.try_get_unchecked::<i64, _>(idx).map(|it| it.to_string()),
        "REAL" => row.try_get_unchecked::<f64, _>(idx).map(|it| it.to_string()),
        _ => row.try_get_unchecked::<String, _>(idx),
    };
    let unfit = |source| Error::unfit("a column has bytes that are no text").because(source);
    text.map(Some).map_err(unfit)
}

impl Connection for Transaction<'_, Sqlite> {
    const ENGINE: Engine = Engine::Sqlite;

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Error> {
        Ok(bound(sql, parameters).execute(&mut **self).await.map_err(error)?.rows_affected())
    }

    async fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, Error> {
        let rows = bound(sql, parameters).fetch_all(&mut **self).await.map_err(error)?;
        rows.iter().map(|row| (0..row.len()).map(|idx| text(row, idx)).collect()).collect()
    }
}

impl Database for SqliteConnection {
    type Transaction<'c> = Transaction<'c, Sqlite>;

    async fn begin(&mut self) -> Result<Transaction<'_, Sqlite>, Error> {
        sqlx::Connection::begin_with(self, BEGIN).await.map_err(error)
    }

    async fn commit<'c>(transaction: Transaction<'c, Sqlite>) -> Result<(), Error>
    where
        Self: 'c,
    {
        transaction.commit().await.map_err(error)
    }
}

/// Each transaction has a connection of the pool.
impl Database for Pool<Sqlite> {
    type Transaction<'c> = Transaction<'c, Sqlite>;

    async fn begin(&mut self) -> Result<Transaction<'_, Sqlite>, Error> {
        Pool::begin_with(self, BEGIN).await.map_err(error)
    }

    async fn commit<'c>(transaction: Transaction<'c, Sqlite>) -> Result<(), Error>
    where
        Self: 'c,
    {
        transaction.commit().await.map_err(error)
    }
}
