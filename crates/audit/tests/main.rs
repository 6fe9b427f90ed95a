//! The audit over generated and hand-written histories.

mod drafts;
mod formats;
mod planted;
mod reports;
mod support;
