//! sqlx: what its drivers have in common.

use crate::{Class, Error};

/// The class of an error that is not one of the engine.
pub(crate) fn class(error: &sqlx::Error) -> Class {
    match error {
        // No answer of the server: the connection ended, or it was never there.
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => Class::Lost,
        _ => Class::Other,
    }
}

/// The error of a class.
pub(crate) fn error(class: Class, error: sqlx::Error) -> Error {
    let message = error.as_database_error().map_or_else(|| error.to_string(), |it| it.message().to_owned());
    Error::new(class, message).because(error)
}
