//! The level of each lint in a project.

use std::collections::BTreeMap;
use std::fmt;

use super::{Code, Level, suggest};

/// The treatment of a lint's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LintLevel {
    /// They are not shown.
    Allow,
    /// They are shown; the run goes on.
    Warn,
    /// They are errors.
    Deny,
}

impl LintLevel {
    /// All levels, mildest first.
    pub const ALL: &'static [LintLevel] = &[LintLevel::Allow, LintLevel::Warn, LintLevel::Deny];

    /// The name in messages and configuration.
    pub fn word(self) -> &'static str {
        match self {
            LintLevel::Allow => "allow",
            LintLevel::Warn => "warn",
            LintLevel::Deny => "deny",
        }
    }
}

impl fmt::Display for LintLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The level of every lint: that of the catalogue, unless a project configures another.
///
/// ```
/// use statespec_lang::diagnostic::{Code, Levels, LintLevel};
///
/// let levels = Levels::from_pairs([("dead-end", "warn")])?;
/// assert_eq!(levels.of(Code::LintDeadEnd), Some(LintLevel::Warn));
/// assert_eq!(levels.of(Code::LintUnreachableState), Some(LintLevel::Deny));
///
/// let wrong = Levels::from_pairs([("dead-ends", "warn")]).unwrap_err();
/// assert_eq!(wrong[0].help.as_deref(), Some("did you mean `dead-end`?"));
/// # Ok::<(), Vec<statespec_lang::diagnostic::LevelError>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    given: BTreeMap<Code, LintLevel>,
}

/// An invalid pair of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelError {
    /// Whether the level is unknown; otherwise the lint is unknown.
    pub is_level: bool,
    /// The problem, without a final full stop.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, " ({help})"))
    }
}

impl std::error::Error for LevelError {}

impl Levels {
    /// Levels from a configuration: a lint (`dead-end` or `lint::dead-end`) and `allow`, `warn` or `deny`.
    ///
    /// # Errors
    ///
    /// Every pair whose lint or level does not exist.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Levels, Vec<LevelError>> {
        let mut levels = Levels::default();
        let wrong: Vec<LevelError> = pairs.into_iter().filter_map(|(lint, level)| levels.set(lint, level).err()).collect();
        if wrong.is_empty() { Ok(levels) } else { Err(wrong) }
    }

    /// Sets the level of one lint by name; the last call wins.
    ///
    /// # Errors
    ///
    /// If the lint or the level does not exist; nothing is set then.
    pub fn set(&mut self, lint: &str, level: &str) -> Result<(), LevelError> {
        let Some(code) = Code::lint(lint) else {
            let (message, help) = unknown_lint(lint);
            return Err(LevelError { is_level: false, message, help });
        };
        let Some(found) = LintLevel::ALL.iter().find(|it| it.word() == level) else {
            let message = format!("there is no level `{level}`");
            return Err(LevelError { is_level: true, message, help: Some("`allow`, `warn` or `deny`".into()) });
        };
        self.given.insert(code, *found);
        Ok(())
    }

    /// The level of a lint; `None` for a code that is not a lint.
    pub fn of(&self, code: Code) -> Option<LintLevel> {
        let default = code.lint_level()?;
        Some(self.given.get(&code).copied().unwrap_or(default))
    }

    /// The severity at which a finding is reported; `None` if it is not reported.
    pub(crate) fn report(&self, code: Code) -> Option<Level> {
        match self.of(code) {
            Some(LintLevel::Allow) => None,
            Some(LintLevel::Warn) => Some(Level::Warning),
            Some(LintLevel::Deny) => Some(Level::Error),
            None => Some(code.level()),
        }
    }
}

/// The message for a lint that does not exist, and a suggestion.
pub(crate) fn unknown_lint(name: &str) -> (String, Option<String>) {
    let known: Vec<&str> = Code::lints().map(Code::short).collect();
    (format!("there is no lint `{name}`"), suggest(name, known))
}
