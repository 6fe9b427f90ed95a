//! The classes of what engines say, the same for each driver of an engine.

use crate::Class;

/// The class of an error of PostgreSQL, by its SQLSTATE, and whether it has a hint.
#[cfg(any(feature = "tokio-postgres", feature = "sqlx-postgres"))]
pub(crate) fn of_sqlstate(code: &str, has_hint: bool) -> Class {
    match code {
        // A serialization failure, a deadlock, a lock that is not to be had.
        "40001" | "40P01" | "55P03" => Class::Retryable,
        // The guard names itself as the constraint, and has no column of the catalogue; a CHECK has no hint.
        "23514" if has_hint => Class::Guard,
        // A transaction that only reads, as each one on a standby does; a disk without space.
        "25006" | "53100" => Class::Unwritable,
        // No such table, column, schema, or function.
        "42P01" | "42703" | "3F000" | "42883" => Class::Schema,
        // The server shuts down, has crashed, starts, or has ended the session.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => Class::Lost,
        it if it.starts_with("23") => Class::Constraint,
        it if it.starts_with("08") => Class::Lost,
        _ => Class::Other,
    }
}

/// The class of an error of SQLite, by its extended code and its message.
#[cfg(any(feature = "rusqlite", feature = "sqlx-sqlite"))]
pub(crate) fn of_sqlite(extended: i32, message: &str) -> Class {
    const ERROR: i32 = 1;
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const READONLY: i32 = 8;
    const FULL: i32 = 13;
    const CONSTRAINT: i32 = 19;
    const CONSTRAINT_TRIGGER: i32 = 1811;
    match extended & 0xFF {
        _ if extended == CONSTRAINT_TRIGGER => Class::Guard,
        BUSY | LOCKED => Class::Retryable,
        READONLY | FULL => Class::Unwritable,
        CONSTRAINT => Class::Constraint,
        // It has one code for all that is wrong with a statement.
        ERROR if message.contains("no such ") || message.contains(" has no column named ") => Class::Schema,
        _ => Class::Other,
    }
}
