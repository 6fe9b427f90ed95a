//! One statement of a guard with each driver: a worker claims a job.
//!
//! The page about drivers of the guide shows these files.

pub mod diesel;
pub mod rusqlite;
pub mod sea_orm;
pub mod sqlx;

/// The script of the guard, for SQLite.
pub const GUARD: &str = include_str!("../db/sqlite.sql");

/// The event `claim` of `db/sqlite.statements.sql`: its parameters are the key, and the end of the lease.
pub const CLAIM: &str = r#"UPDATE "jobs" SET "status" = 'claimed', "locked_until" = ?2 WHERE "id" = ?1 AND "status" = 'queued'"#;
