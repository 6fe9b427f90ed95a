//! The language of statespec: texts become a model, the model is checked and interpreted.
//!
//! ```text
//! text ──parse──▶ spec (as written, every value with its span)
//!      ──lower──▶ model (ids, names resolved, ordered, validated)
//!      ──check──▶ diagnostics (collected, all at once)
//! ```
//!
//! Everything here is a pure function of texts.
//! This crate knows no disk, no project and no backend; of outputs it knows only the [form](output).
//!
//! # Entry points
//!
//! | purpose | item |
//! | --- | --- |
//! | specs as data | [`load`]; the result is a [`model`] with [`diagnostic`]s that point into [`source`]s |
//! | lints | [`check()`] |
//! | what a machine or a system does | [`interpret`] |

pub mod chars;
pub mod check;
// The derive does without the tables, and leaves what they tell to the compiler.
#[cfg_attr(not(feature = "confusables"), path = "confusables/unknown.rs")]
mod confusables;
pub mod diagnostic;
pub mod expr;
pub mod interpret;
pub mod limits;
pub mod lower;
pub mod mermaid;
pub mod model;
pub mod names;
pub mod output;
pub mod parallel;
pub mod program;
pub mod read;
pub mod show;
pub mod source;
pub mod spec;
pub mod types;
pub mod yaml;

pub use check::check;
pub use lower::{Loaded, load};
