//! The YAML as written: one type per YAML shape, every value with its span.

#[cfg(feature = "systems")]
pub mod document;
pub mod machine;
#[cfg(feature = "systems")]
pub mod system;
