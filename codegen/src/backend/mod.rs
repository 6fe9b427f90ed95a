//! One module per output. A backend is one file or folder that renders the model in one format:
//! JSON, pages, or Rust.
//!
//! A backend reads the model and has no special cases for names. If an output needs a fact, the
//! fact belongs in the spec or the model. A project's outputs come from the backends of `list.rs`; the
//! other modules are shared code, and diagrams that commands print.

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

#[cfg(all(feature = "docs", feature = "files"))]
pub use list::Rust;
#[cfg(feature = "docs")]
pub use list::{BACKENDS, Backend, Config, Docs, Job, emit, outputs};
