//! The texts of statements.
//!
//! Every column of a result is a text. On PostgreSQL, every parameter is one as well, with a cast to the type of its column, so that no
//! statement has to be prepared first: a pooler may give each transaction another connection.

use crate::{Column, Engine, Kind, Part, Table, Value};

/// A name in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text in quotes, whatever the session says about backslashes.
fn literal(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    if quoted.contains('\\') { format!("E'{}'", quoted.replace('\\', "\\\\")) } else { format!("'{quoted}'") }
}

/// A statement with its parameters, as it grows.
pub(crate) struct Statement {
    engine: Engine,
    pub(crate) sql: String,
    pub(crate) parameters: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(engine: Engine, sql: impl Into<String>) -> Self {
        Statement { engine, sql: sql.into(), parameters: Vec::new() }
    }

    pub(crate) fn push(mut self, sql: &str) -> Self {
        self.sql.push_str(sql);
        self
    }

    /// Adds a parameter of this kind.
    pub(crate) fn bind(mut self, kind: Kind, value: impl Into<Value>) -> Self {
        self.add(kind, value.into());
        self
    }

    pub(crate) fn add(&mut self, kind: Kind, value: Value) {
        self.parameters.push(value);
        let n = self.parameters.len();
        self.sql.push_str(&match self.engine {
            Engine::Sqlite => format!("?{n}"),
            Engine::Postgres => format!("${n}::text{}", cast(kind)),
        });
    }

    /// Adds items with a separator between them.
    pub(crate) fn list<T>(mut self, separator: &str, items: impl IntoIterator<Item = T>, mut add: impl FnMut(Self, T) -> Self) -> Self {
        for (idx, item) in items.into_iter().enumerate() {
            if idx > 0 {
                self.sql.push_str(separator);
            }
            self = add(self, item);
        }
        self
    }
}

/// The cast of a text of PostgreSQL to the type of a column.
fn cast(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Enum => "",
        Kind::Integer | Kind::Seconds | Kind::Millis | Kind::Micros => "::bigint",
        Kind::Bool => "::boolean",
        Kind::Decimal => "::numeric",
        Kind::Uuid => "::uuid",
        Kind::Timestamp => "::timestamptz",
        Kind::Duration => "::interval",
        Kind::Json => "::jsonb",
    }
}

/// The microseconds of a time of PostgreSQL, as a whole number.
fn micros(time: &str) -> String {
    format!("(EXTRACT(EPOCH FROM {time}) * 1000000)::bigint")
}

/// The microseconds of a time of SQLite that is a text, to the millisecond.
fn sqlite_micros(time: &str) -> String {
    format!("(CAST(round((julianday({time}) - 2440587.5) * 86400000) AS INTEGER) * 1000)")
}

impl Engine {
    /// A value of a result as a text: drivers of PostgreSQL read each type in a form of its own, and SQLite says what a value is.
    pub(crate) fn text(self, value: &str) -> String {
        match self {
            Engine::Sqlite => value.to_owned(),
            Engine::Postgres => format!("{value}::text"),
        }
    }
}

impl Table {
    /// The table by its whole name.
    pub(crate) fn whole_name(&self) -> String {
        match self.engine {
            Engine::Sqlite => quoted(self.name),
            Engine::Postgres => format!("{}.{}", quoted(self.schema.unwrap_or("public")), quoted(self.name)),
        }
    }

    /// A table of the store.
    pub(crate) fn own(&self, what: &str) -> String {
        match self.engine {
            Engine::Sqlite => quoted(&format!("statespec_{}_{what}", self.machine)),
            Engine::Postgres => format!("statespec.{}", quoted(&format!("{}_{what}", self.machine))),
        }
    }

    /// The time of the database, in microseconds.
    pub(crate) fn now(&self) -> String {
        match self.engine {
            Engine::Sqlite => sqlite_micros("'now'"),
            Engine::Postgres => micros("clock_timestamp()"),
        }
    }

    /// Whether the lease of a row has ended, or the row has none.
    pub(crate) fn is_expired(&self, column: &Column) -> String {
        let (name, now) = (quoted(column.name), self.now());
        let past = match (self.engine, column.kind) {
            (Engine::Sqlite, Kind::Timestamp) => format!("{} < {now}", sqlite_micros(&name)),
            (_, Kind::Seconds) => format!("{name} * 1000000 < {now}"),
            (_, Kind::Millis) => format!("{name} * 1000 < {now}"),
            (Engine::Postgres, Kind::Timestamp) => format!("{name} < clock_timestamp()"),
            _ => format!("{name} < {now}"),
        };
        format!("({name} IS NULL OR {past})")
    }

    /// A column of a result.
    pub(crate) fn selected(&self, column: &Column) -> String {
        let name = quoted(column.name);
        match (self.engine, column.kind) {
            (Engine::Sqlite, _) => name,
            (Engine::Postgres, Kind::Timestamp | Kind::Duration) => self.engine.text(&micros(&name)),
            (Engine::Postgres, _) => self.engine.text(&name),
        }
    }

    /// What every reading statement selects: the key, the state, the version, the time, the rest, the timers, and the columns.
    pub(crate) fn selection(&self) -> String {
        let text = |name: &str| self.engine.text(&quoted(name));
        let or_null = |name: Option<&str>| name.map_or_else(|| "NULL".to_owned(), text);
        let mut all: Vec<String> = self.key.iter().map(|it| text(it.name)).collect();
        all.extend([text(self.state), text(self.version), self.engine.text(&self.now())]);
        all.extend([or_null(self.rest), or_null(self.timers.map(|it| it.started))]);
        all.extend(self.columns.iter().map(|it| self.selected(it)));
        format!("SELECT {} FROM {}", all.join(", "), self.whole_name())
    }

    /// `"id" = $1`.
    pub(crate) fn where_key(&self, statement: Statement, parts: &[Part]) -> Statement {
        statement.list(" AND ", self.key.iter().zip(parts), |it, (column, part)| {
            it.push(&format!("{} = ", quoted(column.name))).bind(column.kind, part)
        })
    }

    /// The columns of the key.
    pub(crate) fn key_columns(&self) -> String {
        self.key.iter().map(|it| quoted(it.name)).collect::<Vec<_>>().join(", ")
    }

    /// The columns of the key, for an order. A name alone would be that of a column of the result, which is a text.
    pub(crate) fn key_order(&self) -> String {
        let of = self.whole_name();
        self.key.iter().map(|it| format!("{of}.{}", quoted(it.name))).collect::<Vec<_>>().join(", ")
    }

    /// The stored value of a state as it stands in a statement. An enum of PostgreSQL takes a literal and no text.
    pub(crate) fn state_literal(&self, stored: &str) -> String {
        match (self.kind, stored.parse::<i64>()) {
            (Kind::Integer, Ok(number)) => number.to_string(),
            _ => literal(stored),
        }
    }

    /// Locks the rows of a result, so that nobody else changes them before the transaction ends.
    pub(crate) fn locked(&self, skips: bool) -> &'static str {
        match (self.engine, skips) {
            (Engine::Sqlite, _) => "",
            (Engine::Postgres, false) => " FOR NO KEY UPDATE",
            (Engine::Postgres, true) => " FOR NO KEY UPDATE SKIP LOCKED",
        }
    }

    /// A script that makes what the store needs besides the table: the outbox and the commands. It may run again.
    ///
    /// The outbox has the columns that the outbox event router of Debezium expects.
    pub fn script(&self) -> String {
        let (outbox, commands) = (self.own("outbox"), self.own("commands"));
        let index = quoted(&format!("statespec_{}_outbox_entity", self.machine));
        let (schema, number, time, json, now) = match self.engine {
            Engine::Sqlite => ("", "INTEGER", "INTEGER", "TEXT", self.now()),
            Engine::Postgres => {
                ("CREATE SCHEMA IF NOT EXISTS statespec;\n\n", "bigint", "timestamptz", "jsonb", "clock_timestamp()".to_owned())
            }
        };
        format!(
            "{schema}CREATE TABLE IF NOT EXISTS {outbox} (\n  id text PRIMARY KEY,\n  aggregatetype text NOT NULL,\n  \
             aggregateid text NOT NULL,\n  type text NOT NULL,\n  payload {json} NOT NULL,\n  version {number} NOT NULL,\n  \
             position {number} NOT NULL,\n  at {time} NOT NULL DEFAULT {now},\n  holder text,\n  until {time},\n  \
             deliveries {number} NOT NULL DEFAULT 0\n);\n\n\
             CREATE UNIQUE INDEX IF NOT EXISTS {index} ON {outbox} (aggregateid, version, position);\n\n\
             CREATE TABLE IF NOT EXISTS {commands} (\n  command text PRIMARY KEY,\n  entity text,\n  version {number},\n  \
             from_state text,\n  to_state text,\n  at {time} NOT NULL DEFAULT {now}\n);\n"
        )
    }
}

impl From<&Part> for Value {
    fn from(it: &Part) -> Self {
        match it {
            Part::Integer(it) => Value::Integer(*it),
            Part::Text(it) => Value::Text(it.clone()),
        }
    }
}
