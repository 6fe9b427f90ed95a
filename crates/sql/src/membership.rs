//! What the tables of a system ask of one of them.

use std::collections::BTreeSet;

use super::table::Table;
use super::verdict::Rule;

/// What the other tables of a system ask of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The system.
    pub system: String,
    /// The owner of each row, where the columns say it.
    pub owner: Option<Owner>,
    /// The tables whose rows belong to those of this one, each with the column that refers to them.
    pub owned: Vec<(Table, String)>,
    /// The invariants that the database holds and that read this table.
    pub invariants: Vec<Held>,
    /// Each rule and invariant of the system, and who keeps it.
    pub rules: Vec<Rule>,
    /// The columns of this table that the invariants read.
    pub(crate) read: BTreeSet<String>,
}

/// The owner of each row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The column that refers to the owner.
    pub column: String,
    /// The table of the owners.
    pub table: Table,
    /// Its key.
    pub key: String,
}

/// An invariant that the database holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The description.
    pub doc: String,
    /// A query of the keys of the rows that break it.
    pub broken: String,
    /// The condition under which the query is about one row of the table, `NEW`.
    pub(crate) about: String,
    /// The part of the outermost row, and a query of its key; `None` if the invariant reads one row only.
    pub(crate) fence: Option<(String, String)>,
}

impl Membership {
    /// The table in which transactions wait for each other, on PostgreSQL: its name without the schema.
    pub(crate) fn fence(&self) -> Option<String> {
        self.invariants.iter().any(|it| it.fence.is_some()).then(|| format!("{}_fence", self.system))
    }
}
