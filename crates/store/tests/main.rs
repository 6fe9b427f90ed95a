//! The store on both engines. `cargo test -p statespec-store --test it NAME` runs the tests of one module.
//!
//! Every test of `suite` runs with each driver.

#[path = "../../../tests/support/checks.rs"]
mod checks;
#[path = "../../../tests/database/tests/server.rs"]
mod server;

mod clock;
mod crash;
mod faults;
mod guards;
mod kills;
mod kit;
mod pooler;
mod processes;
mod proxy;
mod regions;
mod shards;
mod suite;
mod systems;
mod workers;
