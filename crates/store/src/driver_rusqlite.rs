//! rusqlite. Each operation does its work when it is called, and its future is ready: [`wait`](crate::wait) needs no runtime.

use std::future::{Future, ready};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ToSql, Transaction, TransactionBehavior, params_from_iter};

use crate::class::of_sqlite;
use crate::{Class, Connection, Database, Engine, Error, Row, Value};

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(it) => ValueRef::Integer(*it),
            Value::Text(it) => ValueRef::Text(it.as_bytes()),
        }))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let message = error.to_string();
        let class = error.sqlite_error().map_or(Class::Other, |it| of_sqlite(it.extended_code, &message));
        Error::new(class, message).because(error)
    }
}

/// A value of a result as a text.
fn text(value: ValueRef<'_>) -> Result<Option<String>, Error> {
    Ok(Some(match value {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(it) => it.to_string(),
        ValueRef::Real(it) => it.to_string(),
        ValueRef::Text(it) | ValueRef::Blob(it) => {
            String::from_utf8(it.to_vec()).map_err(|error| Error::unfit("a column has bytes that are no text").because(error))?
        }
    }))
}

fn execute(c: &rusqlite::Connection, sql: &str, parameters: &[Value]) -> Result<u64, Error> {
    Ok(c.prepare_cached(sql)?.execute(params_from_iter(parameters))? as u64)
}

fn query(c: &rusqlite::Connection, sql: &str, parameters: &[Value]) -> Result<Vec<Row>, Error> {
    let mut statement = c.prepare_cached(sql)?;
    let n_columns = statement.column_count();
    let (mut rows, mut all) = (statement.query(params_from_iter(parameters))?, Vec::new());
    while let Some(row) = rows.next()? {
        let columns = (0..n_columns).map(|idx| text(row.get_ref(idx)?));
        all.push(columns.collect::<Result<Row, Error>>()?);
    }
    Ok(all)
}

impl Connection for Transaction<'_> {
    const ENGINE: Engine = Engine::Sqlite;

    fn execute(&mut self, sql: &str, parameters: &[Value]) -> impl Future<Output = Result<u64, Error>> {
        ready(execute(self, sql, parameters))
    }

    fn query(&mut self, sql: &str, parameters: &[Value]) -> impl Future<Output = Result<Vec<Row>, Error>> {
        ready(query(self, sql, parameters))
    }
}

impl Database for rusqlite::Connection {
    type Transaction<'c> = Transaction<'c>;

    fn begin(&mut self) -> impl Future<Output = Result<Transaction<'_>, Error>> {
        ready(self.transaction_with_behavior(TransactionBehavior::Immediate).map_err(Error::from))
    }

    fn commit<'c>(transaction: Transaction<'c>) -> impl Future<Output = Result<(), Error>>
    where
        Self: 'c,
    {
        ready(transaction.commit().map_err(Error::from))
    }
}
