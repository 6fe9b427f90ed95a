//! The database: a file of SQLite, or one of a server of PostgreSQL.

use std::time::Duration;

use statespec_store::Error;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// The variable with the address.
pub(crate) const URL: &str = "LIFE_URL";

pub(crate) struct Place {
    pub(crate) url: String,
}

/// A connection.
pub(crate) enum Opened {
    Sqlite(rusqlite::Connection),
    Postgres(Runtime, Client),
}

impl Place {
    pub(crate) fn is_postgres(&self) -> bool {
        ["postgres://", "postgresql://"].iter().any(|it| self.url.starts_with(it))
    }

    /// The engine, as files and sections name it.
    pub(crate) fn engine(&self) -> &'static str {
        if self.is_postgres() { "postgresql" } else { "sqlite" }
    }

    pub(crate) fn open(&self) -> Result<Opened, Error> {
        if !self.is_postgres() {
            let connection = rusqlite::Connection::open(&self.url)?;
            connection.busy_timeout(Duration::from_secs(60))?;
            connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")?;
            return Ok(Opened::Sqlite(connection));
        }
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime needs no rights");
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await?;
            tokio::spawn(connection);
            Ok::<_, Error>(client)
        })?;
        Ok(Opened::Postgres(runtime, client))
    }

    /// Runs statements.
    pub(crate) fn run(&self, sql: &str) -> Result<(), Error> {
        match self.open()? {
            Opened::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Opened::Postgres(runtime, client) => Ok(runtime.block_on(client.batch_execute(sql))?),
        }
    }

    /// The rows of a query with one column, a text.
    pub(crate) fn ask(&self, sql: &str) -> Result<Vec<String>, Error> {
        match self.open()? {
            Opened::Sqlite(connection) => {
                let mut query = connection.prepare(sql)?;
                let rows = query.query_map([], |row| row.get(0))?;
                Ok(rows.collect::<Result<_, _>>()?)
            }
            Opened::Postgres(runtime, client) => {
                let messages = runtime.block_on(client.simple_query(sql))?;
                let text = |it: SimpleQueryMessage| match it {
                    SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                    _ => None,
                };
                Ok(messages.into_iter().filter_map(text).collect())
            }
        }
    }
}
