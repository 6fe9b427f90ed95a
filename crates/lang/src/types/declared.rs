//! Declarations that expressions use: constants and enums.

use super::{Literal, Type};
use crate::source::Span;

/// A constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Literal,
    /// The description.
    pub doc: Option<String>,
    /// Whether a text of the machine or of a document shows it.
    pub shown: bool,
    /// The span of the declaration.
    pub span: Span,
}

/// An enum.
#[derive(Debug, Clone)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// Whether reading ignores ASCII case.
    pub ignore_case: bool,
    /// The values, at least one.
    pub values: Vec<EnumValue>,
    /// The span of the declaration.
    pub span: Span,
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// The name in the spec.
    pub name: String,
    /// The name in storage and in messages.
    pub wire: String,
    /// Earlier names, none of which a sibling has or had.
    pub former: Vec<String>,
    /// The display text.
    pub label: Option<String>,
    /// The description.
    pub doc: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}
