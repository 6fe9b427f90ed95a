//! With Diesel.

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection as _, QueryResult, RunQueryDsl as _, SqliteConnection, sql_query};

use crate::{CLAIM, GUARD};

/// Attaches the guard.
pub fn attach(connection: &mut SqliteConnection) -> QueryResult<()> {
    connection.transaction(|connection| connection.batch_execute(GUARD))
}

/// Whether this worker has the job now: another one may have been faster.
pub fn claim(connection: &mut SqliteConnection, id: i64, until: &str) -> QueryResult<bool> {
    let n_rows = sql_query(CLAIM).bind::<BigInt, _>(id).bind::<Text, _>(until).execute(connection)?;
    Ok(n_rows == 1)
}
