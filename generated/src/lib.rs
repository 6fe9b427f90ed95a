//! The state machines of this project, as Rust.
//!
//! One module for each machine and each system.
#![no_std]
#![deny(warnings, missing_docs)]

#[rustfmt::skip]
pub mod agent_run;

#[rustfmt::skip]
pub mod eviction_policy;

#[rustfmt::skip]
pub mod hop;

#[rustfmt::skip]
pub mod mission;

#[rustfmt::skip]
pub mod mysis;

#[rustfmt::skip]
pub mod mysis_activity;

#[rustfmt::skip]
pub mod pressure;

#[rustfmt::skip]
pub mod resource;

#[rustfmt::skip]
pub mod run_job;

#[rustfmt::skip]
pub mod session;

#[rustfmt::skip]
pub mod context_os;

#[rustfmt::skip]
pub mod mission_hop;

#[rustfmt::skip]
pub mod mysis_runtime;
