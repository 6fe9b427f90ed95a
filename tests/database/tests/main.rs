//! Guards in real databases. `cargo test -p statespec-database --test it NAME` runs the tests of one module.
//!
//! What is legal is decided by the interpreter, run over every state of every reference machine with the values at the boundaries
//! of its guards.

#[path = "../../support/checks.rs"]
mod checks;

mod alembic;
mod alike;
mod audit;
mod bypasses;
mod checked_systems;
mod commands;
mod conditions;
mod drivers;
mod graph;
mod journal;
mod life;
mod migrations;
mod oracle;
mod pairs;
mod plans;
mod server;
mod show;
mod statements;
mod systems;
mod tables;
