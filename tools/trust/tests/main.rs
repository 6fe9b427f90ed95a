//! Small samples of the measurements of `cargo trust`, in one program; `hostile` counts the memory of its whole process.

mod drift;
mod fuzz;
mod program;
mod random;
