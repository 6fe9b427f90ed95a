//! One module per output. A backend is one file, or folder, that answers one question: what does
//! this model look like as JSON, as pages, as Rust?
//!
//! A backend reads the model and keeps no special cases by name. If an output needs a fact, the
//! fact belongs into the spec or the model. What a project makes comes from the backends of `list.rs`; the
//! other modules are what these share, and diagrams that commands print.

#[cfg(all(feature = "explore", feature = "files"))]
pub mod conformance;
#[cfg(feature = "docs")]
pub mod dot;
#[cfg(feature = "docs")]
pub mod json;
#[cfg(feature = "docs")]
mod list;
#[cfg(feature = "docs")]
pub mod markdown;
#[cfg(feature = "systems")]
pub mod mermaid;
#[cfg(feature = "docs")]
mod object;
pub mod rust;
pub mod show;

#[cfg(all(feature = "docs", feature = "files"))]
pub use list::Rust;
#[cfg(feature = "docs")]
pub use list::{BACKENDS, Backend, Config, Docs, Job, emit, outputs};
