//! With SeaORM.

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, DbErr, Statement, TransactionTrait as _};

use crate::{CLAIM, GUARD};

/// Attaches the guard.
pub async fn attach(database: &DatabaseConnection) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    transaction.execute_unprepared(GUARD).await?;
    transaction.commit().await
}

/// Whether this worker has the job now: another one may have been faster.
pub async fn claim(database: &DatabaseConnection, id: i64, until: &str) -> Result<bool, DbErr> {
    let statement = Statement::from_sql_and_values(DbBackend::Sqlite, CLAIM, [id.into(), until.into()]);
    let done = database.execute_raw(statement).await?;
    Ok(done.rows_affected() == 1)
}
