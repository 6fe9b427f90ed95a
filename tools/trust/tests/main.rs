//! Small samples of the measurements of `cargo trust`, in one program; `hostile` counts the memory of its whole process.

mod drift;
mod fuzz;
mod languages;
mod program;
mod random;

#[path = "../../../tests/support/checks.rs"]
mod checks;
#[path = "../../../tests/support/trials/mod.rs"]
mod trials;
