//! The YAML as written: one type per YAML shape, every value with its span.

pub mod machine;
pub mod read;
