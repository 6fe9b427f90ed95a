//! The ids, types and values of expressions and of the model.
//!
//! They are in a module below both: expressions are part of the model, but can be written without one.

mod declared;
mod ids;
mod value;

pub use declared::{Constant, Enum, EnumValue, Reserved, Retired};
pub use ids::*;
pub use value::{Literal, Type, Value};
