//! Recorded histories against the graph: what machines did, and where that is not what their spec allows.
//!
//! ```text
//! log, table, trace ──read──▶ recorded attempts, one after the other, with their lines
//!                   ──audit─▶ findings, steps with counts, rows never seen, times in states
//!                   ──draft─▶ a first spec
//! ```
//!
//! Everything is a function of the machine and of what a reader gives: this crate opens no file.
//! [`Audit`] is the entry point; [`mod@line`] is the format of recorded attempts.

pub mod line;

#[cfg(feature = "audit")]
mod attempt;
#[cfg(feature = "audit")]
mod audit;
#[cfg(feature = "audit")]
mod columns;
#[cfg(feature = "audit")]
mod draft;
#[cfg(feature = "audit")]
mod dwell;
#[cfg(feature = "audit")]
mod entities;
#[cfg(feature = "audit")]
mod findings;
#[cfg(feature = "audit")]
mod format;
#[cfg(feature = "audit")]
mod names;
#[cfg(feature = "audit")]
mod outcome;
#[cfg(feature = "audit")]
mod patch;
#[cfg(feature = "audit")]
mod possible;
#[cfg(feature = "audit")]
mod read;
#[cfg(feature = "audit")]
mod replay;
#[cfg(feature = "audit")]
mod rows;
#[cfg(feature = "audit")]
mod shown;
#[cfg(feature = "audit")]
mod sql;
#[cfg(feature = "audit")]
mod text;
#[cfg(feature = "audit")]
mod time;

#[cfg(feature = "audit")]
pub use attempt::{Attempt, Ended, Item};
#[cfg(feature = "audit")]
pub use audit::{Audit, Options};
#[cfg(feature = "audit")]
pub use columns::{Columns, Key, Reading, Unit, columns};
#[cfg(feature = "audit")]
pub use draft::{Draft, draft};
#[cfg(feature = "audit")]
pub use dwell::Dwell;
#[cfg(feature = "audit")]
pub use findings::{Finding, Place};
#[cfg(feature = "audit")]
pub use format::Format;
#[cfg(feature = "audit")]
pub use outcome::{Level, Outcome, Seen, Step};
#[cfg(feature = "audit")]
pub use read::read;
#[cfg(feature = "audit")]
pub use rows::Rows;
#[cfg(feature = "audit")]
pub use sql::{Dialect, Query, sql};
