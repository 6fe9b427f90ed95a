//! A table that has the state of a machine: facts of a deployment, which no spec has.

/// A database engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// SQLite 3.35 or later.
    Sqlite,
    /// PostgreSQL 14 or later.
    Postgres,
}

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text; an enum of the database for the state only.
    Text,
    /// A whole number.
    Integer,
    /// A truth value; 0 or 1 on SQLite.
    Bool,
    /// An exact decimal; a text on SQLite.
    Decimal,
    /// A UUID; a text on SQLite.
    Uuid,
    /// A time of the engine; a text in RFC 3339 on SQLite.
    Timestamp,
    /// A span of time of the engine; microseconds on SQLite.
    Duration,
    /// A time or a span as a whole number of seconds, cut off.
    Seconds,
    /// A time or a span as a whole number of milliseconds, cut off.
    Millis,
    /// A time or a span as a whole number of microseconds.
    Micros,
    /// JSON; a text on SQLite.
    Json,
    /// An enum of PostgreSQL; for the column of the state.
    Enum,
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The field of the machine; of the columns of a key, the name of the column again.
    pub field: &'static str,
    /// The name of the column.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
}

impl Column {
    /// A column with the name of its field.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Column { field: name, name, kind }
    }
}

/// How serde writes a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `{"state": …, "context": {…}}`, as emitted machines are written.
    Emitted,
    /// A struct of yours, whose state is the field with this name.
    Own(&'static str),
}

/// The columns of timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerColumns {
    /// The running timers with their starts, in JSON: `jsonb` on PostgreSQL, a text on SQLite.
    pub started: &'static str,
    /// The moment of the next one: `timestamptz` on PostgreSQL, whole microseconds since 1970 on SQLite. NULL if none runs.
    pub next_due: &'static str,
}

/// The lease under which a holder has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The field that says when the lease ends; it has a column.
    pub expires: &'static str,
    /// The states from which a row that nobody has is claimed, by name.
    pub free: &'static [&'static str],
    /// The states in which somebody has a row, by name.
    pub held: &'static [&'static str],
}

/// A table that has the state of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// The machine.
    pub machine: &'static str,
    /// The engine.
    pub engine: Engine,
    /// The schema, on PostgreSQL; `public` if omitted.
    pub schema: Option<&'static str>,
    /// The name.
    pub name: &'static str,
    /// The columns of the key: at least one, each an integer, a text or a UUID.
    pub key: &'static [Column],
    /// The column of the state.
    pub state: &'static str,
    /// Its kind: a text, an enum or an integer.
    pub kind: Kind,
    /// The stored values of states that are not stored by name: the name first.
    pub values: &'static [(&'static str, &'static str)],
    /// The column of the version, a whole number that grows with each write.
    pub version: &'static str,
    /// The columns of fields.
    pub columns: &'static [Column],
    /// The column of all other fields, as one object of JSON; `jsonb` on PostgreSQL.
    pub rest: Option<&'static str>,
    /// The columns of timers.
    pub timers: Option<TimerColumns>,
    /// The lease.
    pub lease: Option<Lease>,
    /// Whether the guard of the table records each change in its journal.
    pub journal: bool,
    /// How serde writes the machine.
    pub layout: Layout,
}

impl Table {
    /// A table of an emitted machine, with texts as states and nothing but a state and a version.
    pub const fn new(
        engine: Engine,
        machine: &'static str,
        name: &'static str,
        key: &'static [Column],
        state: &'static str,
        version: &'static str,
    ) -> Self {
        Table {
            machine,
            engine,
            schema: None,
            name,
            key,
            state,
            kind: Kind::Text,
            values: &[],
            version,
            columns: &[],
            rest: None,
            timers: None,
            lease: None,
            journal: false,
            layout: Layout::Emitted,
        }
    }
}
