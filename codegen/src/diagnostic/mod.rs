//! Diagnostics: values first, rendered later.

mod catalogue;
mod levels;
mod render;

pub use catalogue::{Code, Level};
pub(crate) use levels::unknown_lint;
pub use levels::{LevelError, Levels, LintLevel};
pub use render::{Style, render};

use crate::source::{SourceId, Span};

/// One thing that is wrong, where, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// How bad it is: as the catalogue says, or as the project says of a lint.
    pub level: Level,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// The place to blame, with what is said there (may be empty).
    pub primary: (Span, String),
    /// Other places that explain the first.
    pub secondary: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic that blames `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            level: code.level(),
            message: shorten(message.into()),
            primary: (span, String::new()),
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Says something at the blamed place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.primary.1 = label.into();
        self
    }

    /// Points at another place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push((span, label.into()));
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shorten(help.into()));
        self
    }
}

/// Cuts what nobody would read to its end.
fn shorten(mut message: String) -> String {
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Collects diagnostics, so that five mistakes give five messages.
///
/// A stage that collects errors and forgets to look at them fails: a collector that is dropped
/// with anything in it panics in debug builds. Take what it holds with [`Diagnostics::finish`].
#[derive(Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

/// Errors that are kept; whoever makes more wants to see how much memory they take.
const MAX_ERRORS: usize = 2_000;

/// Warnings that are kept: fewer, so that there is always a place for an error.
const MAX_WARNINGS: usize = 1_000;

/// The longest message, in characters; what it quotes may be of any length.
const MAX_MESSAGE: usize = 1_000;

/// The names that are looked at for one that is near.
const MAX_NAMES: usize = 500;

impl Diagnostics {
    /// Adds one, unless there are thousands already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let limit = if diagnostic.level == Level::Error { MAX_ERRORS } else { MAX_WARNINGS };
        if self.found.len() < limit {
            self.found.push(diagnostic);
        }
    }

    /// Whether there is no place for more, so that looking for more is a waste.
    pub fn is_full(&self) -> bool {
        self.found.len() >= MAX_ERRORS
    }

    /// Adds what another stage, or another thread, has found.
    pub(crate) fn append(&mut self, mut other: Diagnostics) {
        self.found.append(&mut other.found);
    }

    /// Whether any is an error.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|it| it.level == Level::Error)
    }

    /// Whether any is an error in this file.
    pub fn has_errors_in(&self, source: SourceId) -> bool {
        self.found.iter().any(|it| it.level == Level::Error && it.primary.0.source == source)
    }

    /// All of them, sorted by place, each once.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by(|a, b| (a.primary.0, a.code, &a.message).cmp(&(b.primary.0, b.code, &b.message)));
        found.dedup();
        found
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.found.is_empty() || std::thread::panicking(),
            "diagnostics were collected and never looked at: {:?}",
            self.found
        );
    }
}

/// The known name nearest to a misspelt one, if any is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing very long words is quadratic and helps nobody.
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    let word = word.to_lowercase();
    known
        .into_iter()
        .take(MAX_NAMES)
        .filter(|candidate| candidate.len() <= 64)
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?", or else the list of what is known (at most a dozen).
pub(crate) fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(near) = nearest(word, known.clone()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let known: Vec<_> = known.into_iter().collect();
    match known.len() {
        0 => None,
        n_known => {
            let listed: Vec<_> = known.iter().take(12).map(|it| format!("`{it}`")).collect();
            let more = if n_known > 12 { format!(" and {} more", n_known - 12) } else { String::new() };
            Some(format!("known here: {}{more}", listed.join(", ")))
        }
    }
}
