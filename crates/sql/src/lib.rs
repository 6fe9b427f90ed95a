//! Guards in a database: from a machine and a mapping to a table, the triggers that refuse every write the graph does not allow.
//!
//! ```text
//! machine ──graph──▶ stored states, births and pairs (which state may follow which, and under which guards)
//!         ──guard──▶ the objects of a dialect, in the order in which they are created
//!                    the statements that a program prepares
//!                    and for each row and rule: enforced, enforced in the statement, or not, with the reason
//! ```
//!
//! Everything is a pure function: this crate knows no disk and no driver.
//! [`guard`] is the entry point; [`Mapping`] is its input besides the machine.

mod condition;
mod dialect;
mod files;
mod graph;
mod guard;
mod mapping;
mod membership;
mod migration;
mod objects;
mod outbox;
mod plan;
mod postgres;
mod rules;
mod sqlite;
mod statements;
mod system;
mod table;
mod verdict;

pub use dialect::name as quoted;
pub use files::{File, Style};
pub use graph::{Call, Calls, Graph, State, TooLarge, Way, Ways};
pub use guard::{Guard, Objection, guard};
pub use mapping::{Births, Column, Deletes, Engine, Kind, Mapping, Part, Unit};
pub use membership::{Held, Membership, Owner};
pub use migration::{Migration, Removed, Revision, Step, attach, migration};
pub use objects::{Object, ObjectKind, Timing};
pub use plan::prefix;
pub use postgres::{SCHEMA, table as quoted_table};
pub use statements::Statement;
pub use system::membership;
pub use table::Table;
pub use verdict::{Rule, Verdict};
