//! The audit over generated and hand-written histories, and over public logs.

#[path = "../../../tests/support/checks.rs"]
mod checks;

mod drafts;
mod formats;
mod planted;
mod pm4py;
mod reports;
mod support;
