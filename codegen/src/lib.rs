//! statespec's library: generates Rust, Mermaid, Markdown and JSON from YAML specs, and checks outputs for drift.
//!
//! ```text
//! text ──parse──▶ spec (as written, every value with its span)
//!      ──lower──▶ model (ids, names resolved, ordered, validated)
//!      ──check──▶ diagnostics (collected, all at once)
//!      ──emit───▶ sorted paths, each with a function that renders its text
//!      ──sync───▶ write | check | dry-run against the disk
//! ```
//!
//! All stages before `sync` are pure functions of texts.
//!
//! # Entry points
//!
//! | purpose | item |
//! | --- | --- |
//! | a `build.rs` | [`build_script`] |
//! | a test that fails if outputs drift | [`assert_in_sync!`] |
//! | a whole project: read, check, generate, write | [`project`], which reports as [`report`] |
//! | specs as data | [`load`], then [`check()`]; the result is a [`model`] with [`diagnostic`]s that point into [`source`]s |
//! | a derive of your own | [`mod@derive`] |
//!
//! The hidden modules serve the command line and the tests of this repository. They change without
//! notice.

#[doc(hidden)]
pub mod backend;
#[cfg(feature = "sync")]
pub mod build_script;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod changes;
mod chars;
#[doc(hidden)]
pub mod check;
#[cfg(feature = "import")]
#[doc(hidden)]
pub mod compare;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod config;
pub mod derive;
pub mod diagnostic;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod expect;
#[cfg(feature = "explore")]
#[doc(hidden)]
pub mod explore;
#[doc(hidden)]
pub mod expr;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod focus;
#[cfg(feature = "import")]
#[doc(hidden)]
pub mod import;
#[doc(hidden)]
pub mod interpret;
#[cfg(feature = "scan")]
mod languages;
mod limits;
#[doc(hidden)]
pub mod lower;
pub mod model;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod output;
mod parallel;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod play;
#[cfg(feature = "project")]
pub mod project;
#[doc(hidden)]
pub mod read;
#[cfg(feature = "sync")]
pub mod report;
#[doc(hidden)]
pub mod root;
#[cfg(feature = "scan")]
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "schema")]
#[doc(hidden)]
pub mod schema;
pub mod source;
#[doc(hidden)]
pub mod spec;
#[cfg(feature = "sync")]
#[doc(hidden)]
pub mod sync;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod template;
#[doc(hidden)]
pub mod types;
#[cfg(feature = "project")]
mod walk;
#[doc(hidden)]
pub mod yaml;

pub use check::check;
pub use lower::{Loaded, load};

/// The address of the repository, if it is known: names below `.example` are reserved, and lead nowhere.
#[cfg(any(feature = "sync", feature = "schema"))]
pub(crate) fn repository() -> Option<&'static str> {
    let address = env!("CARGO_PKG_REPOSITORY").trim_end_matches('/');
    (!address.is_empty() && !address.contains(".example/")).then_some(address)
}
