//! All tests of the command as one program: linking sixteen takes longer than running them.
//!
//! `cargo test -p cargo-statespec --test it NAME` runs the tests of one module.

#[path = "../../tests/support/checks.rs"]
mod checks;
#[path = "../../tests/support/nested.rs"]
mod nested;
mod support;

mod audit;
mod ci;
mod command;
mod compare;
mod diff;
mod downstream;
mod expect;
mod foreign;
mod guard;
mod import;
mod losses;
mod newcomer;
mod play;
mod regions_in_code;
mod root;
mod scan;
mod scope;
mod three_languages;
mod typescript;
mod watch;
