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

#[cfg(feature = "project")]
#[doc(hidden)]
pub mod backend;
pub mod build_script;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod changes;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod config;
mod digest;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod expect;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod focus;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod language;
#[doc(hidden)]
pub mod marks;
#[cfg(feature = "project")]
pub mod project;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod registry;
pub mod report;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod rust_test;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod schema;
#[cfg(feature = "project")]
mod subject;
#[doc(hidden)]
pub mod sync;
#[cfg(feature = "project")]
#[doc(hidden)]
pub mod walk;

pub use statespec_lang::check::check;
pub use statespec_lang::lower::{Loaded, load};
pub use statespec_lang::{diagnostic, model, source};
pub use statespec_rust::derive;

/// The address of the repository, if it is known: names below `.example` are reserved, and lead nowhere.
pub(crate) fn repository() -> Option<&'static str> {
    let address = env!("CARGO_PKG_REPOSITORY").trim_end_matches('/');
    (!address.is_empty() && !address.contains(".example/")).then_some(address)
}
