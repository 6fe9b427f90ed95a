//! With sqlx.

use sqlx::{Error, Executor as _, SqlitePool};

use crate::{CLAIM, GUARD};

/// Attaches the guard.
pub async fn attach(pool: &SqlitePool) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    transaction.execute(GUARD).await?;
    transaction.commit().await
}

/// Whether this worker has the job now: another one may have been faster.
pub async fn claim(pool: &SqlitePool, id: i64, until: &str) -> Result<bool, Error> {
    let done = sqlx::query(CLAIM).bind(id).bind(until).execute(pool).await?;
    Ok(done.rows_affected() == 1)
}
