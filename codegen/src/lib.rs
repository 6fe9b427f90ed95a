//! statespec's library: YAML specs in, Rust, Mermaid, Markdown and JSON out; and the drift check.
//!
//! ```text
//! text ──parse──▶ spec (as written, every value with its span)
//!      ──lower──▶ model (ids, names resolved, ordered, known to be true)
//!      ──check──▶ diagnostics (collected, all at once)
//!      ──emit───▶ sorted paths, each with the way to make its text
//!      ──sync───▶ write | check | dry-run against the disk
//! ```
//!
//! Everything up to `sync` is a pure function of texts.

pub mod backend;
#[cfg(feature = "sync")]
pub mod build_script;
pub mod check;
#[cfg(feature = "project")]
pub mod config;
pub mod derive;
pub mod diagnostic;
#[cfg(feature = "explore")]
pub mod explore;
pub mod expr;
#[cfg(feature = "import")]
pub mod import;
pub mod interpret;
pub mod lower;
pub mod model;
pub mod names;
pub mod output;
mod parallel;
#[cfg(feature = "project")]
pub mod play;
#[cfg(feature = "project")]
pub mod project;
pub mod read;
#[cfg(feature = "sync")]
pub mod report;
#[cfg(feature = "schema")]
pub mod schema;
pub mod source;
pub mod spec;
#[cfg(feature = "sync")]
pub mod sync;
#[cfg(feature = "project")]
pub mod template;
pub mod types;
pub mod yaml;
