//! Recorded histories against the graph: what machines did, and where that is not what their spec allows.
//!
//! ```text
//! log, table, trace ──read──▶ recorded attempts, one after the other, with their lines
//!                   ──audit─▶ findings, steps with counts, rows never seen, times in states
//!                   ──draft─▶ a first spec
//! ```
//!
//! Everything is a function of the machine and of what a reader gives: this crate opens no file.
//! [`Audit`] is the entry point; `statespec-record` has the format of recorded attempts.

mod attempt;
mod audit;
mod columns;
mod draft;
mod dwell;
mod entities;
mod findings;
mod format;
mod names;
mod outcome;
mod patch;
mod possible;
mod read;
mod replay;
mod rows;
mod shown;
mod spelling;
mod sql;
mod text;
mod time;
mod versions;

pub use attempt::{Attempt, Ended, Item};
pub use audit::{Audit, Options};
pub use columns::{Cell, Columns, Key, Reading, Unit, columns};
pub use draft::{Draft, draft};
pub use dwell::Dwell;
pub use findings::{Finding, Place};
pub use format::Format;
pub use outcome::{End, Level, Outcome, Seen, Step};
pub use read::read;
pub use rows::Rows;
pub use sql::{Dialect, Query, sql};
pub use text::row_text;
