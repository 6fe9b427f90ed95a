//! The variables that a text of TypeScript reads.

use std::collections::BTreeSet;

/// The variables that the text of a function reads: its parameters, and what it declares. A text names one by [`Used::name`], which
/// notes it.
#[derive(Debug, Default)]
pub(super) struct Used(BTreeSet<&'static str>);

impl Used {
    /// Notes a variable, and returns how the text names it.
    pub(super) fn name(&mut self, variable: &'static str) -> &'static str {
        self.0.insert(variable);
        variable
    }

    /// Whether the text reads a variable.
    pub(super) fn has(&self, variable: &str) -> bool {
        self.0.contains(variable)
    }

    /// Takes a variable out that is declared here: whether the text reads it.
    pub(super) fn take(&mut self, variable: &str) -> bool {
        self.0.remove(variable)
    }

    /// Notes what another text reads.
    pub(super) fn extend(&mut self, other: Used) {
        self.0.extend(other.0);
    }
}
