//! One module per output.

pub mod drive;
pub mod rust;
