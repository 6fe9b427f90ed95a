//! One module per output. A backend is one file or folder that renders the model in one format:
//! JSON, pages, or Rust.
//!
//! A backend reads the model and has no special cases for names. If an output needs a fact, the
//! fact belongs in the spec or the model. A project's outputs come from the backends of `list.rs`; the
//! other modules are shared code, and diagrams that commands print.

pub mod conformance;
pub mod dot;
pub mod json;
pub(crate) mod lints;
mod list;
pub mod markdown;
pub mod mermaid;
mod object;

pub use list::{BACKENDS, Backend, Config, Docs, Job, Rust, emit, outputs};
