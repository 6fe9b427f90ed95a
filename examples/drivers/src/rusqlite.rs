//! With rusqlite.

use rusqlite::{Connection, Error, params};

use crate::{CLAIM, GUARD};

/// Attaches the guard.
pub fn attach(connection: &mut Connection) -> Result<(), Error> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(GUARD)?;
    transaction.commit()
}

/// Whether this worker has the job now: another one may have been faster.
pub fn claim(connection: &Connection, id: i64, until: &str) -> Result<bool, Error> {
    let n_rows = connection.execute(CLAIM, params![id, until])?;
    Ok(n_rows == 1)
}
