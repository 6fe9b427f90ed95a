//! Modules as formatted files: everything that a derive does without.

pub mod chosen;
pub mod file;
pub mod glue;
pub mod output;
pub mod system;
