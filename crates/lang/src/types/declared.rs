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
    /// What must not be used for a value again.
    pub reserved: Vec<Reserved>,
    /// The span of the declaration.
    pub span: Span,
}

/// Something that was in use once, and must not be used again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reserved {
    /// What it was.
    pub of: Retired,
    /// The place in the spec.
    pub span: Span,
}

/// A number or a name that is not in use any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Retired {
    /// A number in messages.
    Number(i32),
    /// A name in the spec.
    Name(String),
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// The name in the spec.
    pub name: String,
    /// The name in storage and in messages.
    pub wire: String,
    /// The number in messages that carry numbers.
    pub number: Option<i32>,
    /// Earlier names, none of which a sibling has or had.
    pub former: Vec<String>,
    /// The display text.
    pub label: Option<String>,
    /// The description.
    pub doc: Option<String>,
    /// The span of the declaration.
    pub span: Span,
}
