//! All tests of the maintenance commands as one program.

#[path = "../../tests/support/checks.rs"]
mod checks;

mod adopters;
mod book;
mod ci;
mod coverage;
mod drift;
mod packages;
mod scxml_cases;
