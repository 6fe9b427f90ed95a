//! Errors, by what a program does about them.

use std::error::Error as StdError;
use std::fmt;

/// An error of the database or of a value.
///
/// After an error, roll the transaction back.
#[derive(Debug)]
pub struct Error {
    class: Class,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// Nothing is wrong with the request: the whole transaction can be tried again. Another one was in its way, such as a
    /// serialization failure, a deadlock, or a file of SQLite that is busy.
    Retryable,
    /// The guard of the table refuses the write.
    Guard,
    /// A constraint refuses the write, such as a unique key.
    Constraint,
    /// The connection is lost. Before a commit, nothing was stored.
    Lost,
    /// The connection was lost around the commit, so that nobody knows whether it happened; a command tells.
    Unknown,
    /// The database takes no writes: its disk is full, or it is read-only, as a standby of PostgreSQL is. Nothing was stored; the same
    /// again helps when somebody has mended it, or on a connection to another server.
    Unwritable,
    /// A table or a column is missing, as in a database of an older schema: run what makes it.
    Schema,
    /// A row or a value does not fit the machine, or a machine does not fit the table.
    Unfit,
    /// Anything else: see the source.
    Other,
}

impl Error {
    /// An error of a class.
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Error { class, message: message.into(), source: None }
    }

    /// The same with its source.
    pub fn because(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    pub(crate) fn unfit(message: impl Into<String>) -> Self {
        Error::new(Class::Unfit, message)
    }

    pub(crate) fn taken(command: &str) -> Self {
        Error::new(Class::Constraint, format!("the command `{command}` was given for another machine, or given up"))
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether the whole transaction can be tried again.
    pub fn is_retryable(&self) -> bool {
        self.class == Class::Retryable
    }

    /// The error of a commit: a connection that is lost there leaves the outcome unknown.
    pub(crate) fn of_commit(mut self) -> Self {
        if self.class == Class::Lost {
            self.class = Class::Unknown;
            self.message = format!("nobody knows whether the commit happened: {}", self.message);
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|it| it as _)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Error::unfit(format!("a value does not fit: {error}")).because(error)
    }
}
