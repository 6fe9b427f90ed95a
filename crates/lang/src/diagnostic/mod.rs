//! Diagnostics as values; rendering is a separate step.

mod catalogue;
mod levels;
mod render;

pub use catalogue::{Code, Level};
pub(crate) use levels::unknown_lint;
pub use levels::{LevelError, Levels, LintLevel};
pub use render::{Style, render};

use crate::chars::visible;
use crate::limits::ERRORS as MAX_ERRORS;
use crate::source::{SourceId, Span};

/// One problem, its place, and its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// The severity: that of the catalogue, or the level that the project sets for a lint.
    pub level: Level,
    /// The problem, in one sentence without a final full stop.
    pub message: String,
    /// The primary place, with its label (may be empty).
    pub primary: (Span, String),
    /// Other places that explain the problem.
    pub secondary: Vec<(Span, String)>,
    /// The remedy.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic whose primary place is `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            level: code.level(),
            message: visible(&shorten(message.into())),
            primary: (span, String::new()),
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Sets the label of the primary place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.primary.1 = visible(&label.into());
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push((span, visible(&label.into())));
        self
    }

    /// Sets the remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(visible(&shorten(help.into())));
        self
    }
}

/// Cuts a very long message.
fn shorten(mut message: String) -> String {
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Collects diagnostics, so that five mistakes give five messages.
///
/// A stage must not drop collected errors: dropping a non-empty collector panics in debug builds. [`Diagnostics::finish`]
/// takes the diagnostics out.
#[derive(Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

/// The limit on the number of warnings: lower, so that there is always space for an error.
const MAX_WARNINGS: usize = 1_000;

/// The maximum length of a message in characters; quoted texts may be of any length.
const MAX_MESSAGE: usize = 1_000;

/// The number of names that are compared to find a near one.
const MAX_NAMES: usize = 500;

impl Diagnostics {
    /// Adds one, unless the limit is reached.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let limit = if diagnostic.level == Level::Error { MAX_ERRORS } else { MAX_WARNINGS };
        if self.found.len() < limit {
            self.found.push(diagnostic);
        }
    }

    /// Whether the limit is reached, so that further checks are useless.
    pub fn is_full(&self) -> bool {
        self.found.len() >= MAX_ERRORS
    }

    /// Adds the diagnostics of another stage or thread.
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
    // Comparing very long words takes quadratic time and is useless.
    if word.len() > 64 {
        return None;
    }
    // One letter of two is not near, and one of three is.
    let limit = match word.chars().count() {
        0..=2 => 0,
        n_chars => n_chars / 3,
    };
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

/// "did you mean `x`?", or else the list of known names (at most a dozen).
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
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
