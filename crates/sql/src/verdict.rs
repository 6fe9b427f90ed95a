//! Who keeps a rule.

use statespec_lang::source::Span;

/// Who keeps a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The database, whoever writes.
    Enforced,
    /// The statement of the program that writes: the database lets other writes pass.
    Statement,
    /// Nobody but the program.
    Not,
}

impl Verdict {
    /// As the page says it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Enforced => "enforced",
            Verdict::Statement => "enforced in the statement",
            Verdict::Not => "not",
        }
    }
}

/// A rule, and who keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The rule.
    pub what: String,
    /// Who keeps it.
    pub verdict: Verdict,
    /// The reason, unless it is simply enforced.
    pub because: Option<String>,
    /// The row of the spec, if it is one.
    pub span: Option<Span>,
}
