//! One module per output.

pub mod rust;
