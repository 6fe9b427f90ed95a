//! Texts that a context stores.

use core::fmt;

/// The conversion of a text of the spec, for every type that implements `From<&'static str>`.
pub trait FromLiteral {
    /// Converts the text.
    fn from_literal(text: &'static str) -> Self;
}

impl<T: From<&'static str>> FromLiteral for T {
    fn from_literal(text: &'static str) -> Self {
        T::from(text)
    }
}

/// The message of an effect, written by a function: it can be held while an asynchronous host waits.
pub struct Message<F>(pub F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Message<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// A value in a message; `null` if there is none.
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
