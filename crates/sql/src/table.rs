//! The name of a table.

use std::fmt;

/// A table, with its schema on PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table {
    /// The schema; the usual one of the engine if omitted.
    pub schema: Option<String>,
    /// The name.
    pub name: String,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(schema) => write!(f, "{schema}.{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
