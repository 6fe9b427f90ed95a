//! Texts that a context keeps.

use core::fmt;

/// Made from a text of the spec: every type that a `&'static str` turns into.
pub trait FromLiteral {
    /// Keeps the text.
    fn from_literal(text: &'static str) -> Self;
}

impl<T: From<&'static str>> FromLiteral for T {
    fn from_literal(text: &'static str) -> Self {
        T::from(text)
    }
}

/// A value for a message; `null` where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrNull<T>(pub Option<T>);

impl<T: fmt::Display> fmt::Display for OrNull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}
