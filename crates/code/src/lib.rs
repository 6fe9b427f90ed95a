//! Machines as source files of languages other than Rust.
//!
//! ```text
//! machine ──Program──▶ typed expressions, ordered arms, effects, timers: no rule that is left to decide
//!         ──printer──▶ a file for the machine: its types, tables, guards and assignments
//!                      one support file of the language: steps, refusals, numbers and JSON, the same for all machines
//! ```
//!
//! A printer decides nothing: it prints a [`Program`](statespec_lang::program::Program) item by item.
//! The behaviour is that of the [interpreter](statespec_lang::interpret); tests compare the two on every machine.
//! Everything is a pure function from a model to texts: this crate knows no disk and no project.

pub(crate) mod expr;
pub mod golang;
pub(crate) mod idents;
pub mod names;
pub mod python;
pub mod systems;
pub mod typescript;
pub mod writer;
