//! What a spec declares for its expressions: named values, and named sets of values.

use super::{Literal, Type};
use crate::source::Span;

/// A named value.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Literal,
    /// What it stands for.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A named set of values.
#[derive(Debug, Clone)]
pub struct Enum {
    /// The name.
    pub name: String,
    /// What it tells apart.
    pub doc: Option<String>,
    /// Reading pays no attention to ASCII case.
    pub ignore_case: bool,
    /// The values, at least one.
    pub values: Vec<EnumValue>,
    /// Where it is declared.
    pub span: Span,
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// The name, and how it is stored and sent.
    pub name: String,
    /// What a person reads.
    pub label: Option<String>,
    /// What it means.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}
