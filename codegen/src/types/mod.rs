//! The ids, types and values that expressions and the model speak in.
//!
//! Expressions are part of the model, and a model is not needed to write one: what both use lies below both.

mod declared;
mod ids;
mod value;

pub use declared::{Constant, Enum, EnumValue};
pub use ids::*;
pub use value::{Literal, Type, Value};
