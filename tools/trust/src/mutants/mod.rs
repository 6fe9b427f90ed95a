//! Mutation tests of the drift check: the repository is changed in every possible way, one at a time, and each must be found.

mod code;
mod configuration;
mod enums;
mod layout;
mod meaning;
mod run;
mod spec;
mod table;
mod templates;
mod text;
mod tree;

pub use run::{Amount, run};
pub(crate) use spec::parse;
pub use table::{Row, Table};
pub(crate) use tree::Tree;
