//! The YAML as written: one type per YAML shape, every value with its span.

pub mod document;
pub mod machine;
pub mod read;
#[cfg(feature = "schema")]
pub mod schema;
pub mod system;
