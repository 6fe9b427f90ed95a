//! The objects of a guard: what a script creates, and what the catalogue of a database must have.

use super::table::Table;

/// An object with the statement that creates it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The name, without its schema.
    pub name: String,
    /// The kind.
    pub kind: ObjectKind,
    /// The statement, without its semicolon. A later revision repeats it.
    pub sql: String,
}

/// The kind of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// A statement that creates nothing: a setting, a check of the table, an object of an earlier revision that is dropped.
    Preparation,
    /// A table of the guard.
    Table,
    /// A function of PostgreSQL, with its text as the server stores it.
    Function {
        /// The text.
        body: String,
        /// Whether it runs with the rights of its owner.
        definer: bool,
    },
    /// A foreign key of PostgreSQL: the column, and the table and column to which it refers.
    Reference {
        /// The table that has it.
        on: Table,
        /// The column.
        column: String,
        /// The table of the owners.
        to: Table,
        /// Its key.
        key: String,
    },
    /// A trigger.
    Trigger {
        /// The table.
        on: Table,
        /// When it fires.
        timing: Timing,
        /// The function that it calls, on PostgreSQL.
        function: Option<String>,
    },
}

/// When a trigger fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Before the write; else after it.
    pub before: bool,
    /// For each row; else once for a statement.
    pub each_row: bool,
    /// The writes: `INSERT`, `UPDATE` and so on.
    pub on: &'static [&'static str],
    /// When the transaction ends, on PostgreSQL.
    pub deferred: bool,
}

impl Timing {
    pub(crate) const fn after(on: &'static [&'static str]) -> Timing {
        Timing { before: false, each_row: true, on, deferred: false }
    }

    pub(crate) const fn before(on: &'static [&'static str]) -> Timing {
        Timing { before: true, each_row: true, on, deferred: false }
    }

    /// As SQL has it: `AFTER UPDATE`.
    pub fn sql(self) -> String {
        format!("{} {}", if self.before { "BEFORE" } else { "AFTER" }, self.on.join(" OR "))
    }

    /// As `pg_trigger.tgtype` of PostgreSQL has it.
    pub fn bits(self) -> i16 {
        let on = |it: &&str| match *it {
            "INSERT" => 4,
            "DELETE" => 8,
            "UPDATE" => 16,
            _ => 32,
        };
        i16::from(self.each_row) + 2 * i16::from(self.before) + self.on.iter().map(on).sum::<i16>()
    }
}
