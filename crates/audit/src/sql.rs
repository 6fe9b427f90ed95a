//! The question of the audit at the level of pairs as one statement of SQL, for a history that a database has.
//!
//! The result has a row for the first step of each instance that the graph does not have, or that does not continue the step before it:
//! `entity`, `position`, `from_state`, `to_state`, `deviation`, `expected`.

use std::collections::BTreeMap;

use statespec_lang::model::{Machine, StateId};

use super::possible::Possible;

/// A dialect of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3.39 or later.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// DuckDB.
    Duckdb,
    /// Spark SQL.
    Spark,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [Dialect::Sqlite, Dialect::Postgres, Dialect::Duckdb, Dialect::Spark];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Sqlite => "sqlite",
            Dialect::Postgres => "postgresql",
            Dialect::Duckdb => "duckdb",
            Dialect::Spark => "spark",
        }
    }

    /// The engine, for the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Dialect::Sqlite => "SQLite 3.39 or later",
            Dialect::Postgres => "PostgreSQL",
            Dialect::Duckdb => "DuckDB",
            Dialect::Spark => "Spark SQL",
        }
    }

    fn name_of(self, name: &str) -> String {
        match self {
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    fn text(self, text: &str) -> String {
        match self {
            // Spark reads backslashes in texts.
            Dialect::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            _ => format!("'{}'", text.replace('\'', "''")),
        }
    }

    /// The value of a column as a text, compared by its bytes.
    fn as_text(self, column: &str) -> String {
        match self {
            Dialect::Sqlite => format!("CAST({column} AS TEXT) COLLATE BINARY"),
            Dialect::Postgres => format!("CAST({column} AS text) COLLATE \"C\""),
            Dialect::Duckdb => format!("CAST({column} AS VARCHAR)"),
            Dialect::Spark => format!("CAST({column} AS STRING)"),
        }
    }
}

/// The table of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The table, with its schema before a dot if it has one.
    pub table: String,
    /// The columns of the identity of the instance: at least one.
    pub entity: Vec<String>,
    /// The columns that order the records of one instance: at least one.
    pub order: Vec<String>,
    /// The column of the state before; that of the record before if there is none.
    pub from: Option<String>,
    /// The column of the state after.
    pub to: String,
}

/// The statement.
///
/// # Errors
///
/// The machine has too many configurations.
pub fn sql(machine: &Machine, values: &BTreeMap<StateId, Vec<String>>, dialect: Dialect, query: &Query) -> Result<String, String> {
    let possible = Possible::of(machine)?;
    let stored = |at: usize| -> Vec<String> {
        let configuration = &possible.configurations[at];
        let given = configuration.only().and_then(|it| values.get(&it)).cloned().unwrap_or_default();
        let mut texts = given;
        for text in [machine.configuration_text(configuration).into_owned(), machine.configuration_name(configuration).into_owned()] {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    };
    let list = |pairs: Vec<String>| pairs.join(",\n    ");
    let mut pairs = Vec::new();
    for from in 0..possible.configurations.len() {
        let mut targets: Vec<u16> = possible.from(from as u16).iter().map(|it| it.to).collect();
        // Somebody wrote all columns of a row again.
        targets.push(from as u16);
        targets.sort_unstable();
        targets.dedup();
        for to in targets {
            for a in stored(from) {
                pairs.extend(stored(to as usize).iter().map(|b| format!("({}, {})", dialect.text(&a), dialect.text(b))));
            }
        }
    }
    let births = possible.births().into_iter().flat_map(|it| stored(it as usize));
    let births: Vec<String> = births.map(|it| format!("({})", dialect.text(&it))).collect();
    let columns: Vec<String> = query.entity.iter().map(|it| dialect.as_text(&dialect.name_of(it))).collect();
    let entity = match columns.as_slice() {
        [one] => one.clone(),
        several => several.join(" || '/' || "),
    };
    let order: Vec<String> = query.order.iter().map(|it| dialect.name_of(it)).collect();
    let table: Vec<String> = query.table.split('.').map(|it| dialect.name_of(it)).collect();
    let to = dialect.as_text(&dialect.name_of(&query.to));
    // Without a column of the state before, a first record is a birth or the first step from one.
    let (from, first, gap) = match &query.from {
        Some(from) => (
            dialect.as_text(&dialect.name_of(from)),
            "(from_state IS NOT NULL AND from_state NOT IN (SELECT state FROM births))",
            "n > 1 AND previous IS NOT NULL AND (from_state IS NULL OR from_state <> previous)",
        ),
        None => (format!("LAG({to}) OVER (PARTITION BY {entity} ORDER BY {})", order.join(", ")), "(1 = 0)", "(1 = 0)"),
    };
    let is_birth = match &query.from {
        Some(_) => "to_state NOT IN (SELECT state FROM births)".to_owned(),
        None => "to_state NOT IN (SELECT state FROM births) AND NOT EXISTS (SELECT 1 FROM pairs AS p JOIN births AS b ON p.from_state = b.state WHERE p.to_state = s.to_state)".to_owned(),
    };
    let exists = "EXISTS (SELECT 1 FROM pairs AS p WHERE p.from_state = s.from_state AND p.to_state = s.to_state)";
    let named = |name: &str, columns: &str, rows: Vec<String>| match dialect {
        Dialect::Spark => format!("{name} AS (\n  SELECT * FROM VALUES\n    {}\n  AS t ({columns})\n)", list(rows)),
        _ => format!("{name} ({columns}) AS (\n  VALUES\n    {}\n)", list(rows)),
    };
    Ok(format!(
        "-- The first step of each instance that the graph of `{machine_name}` does not have.\nWITH {pairs},\n{births},\nrecords AS (\n  SELECT {entity} AS entity, {from} AS from_state, {to} AS to_state,\n    \
         LAG({to}) OVER (PARTITION BY {entity} ORDER BY {order}) AS previous,\n    \
         ROW_NUMBER() OVER (PARTITION BY {entity} ORDER BY {order}) AS n\n  FROM {table}\n),\nchecked AS (\n  SELECT s.entity, s.n, s.from_state, s.to_state, s.previous,\n    \
         CASE\n      WHEN {gap} THEN 'gap'\n      WHEN n = 1 AND {first} THEN 'gap'\n      WHEN to_state IS NULL THEN NULL\n      \
         WHEN from_state IS NULL AND ({is_birth}) THEN 'birth'\n      WHEN from_state IS NOT NULL AND NOT {exists} THEN 'step'\n    END AS deviation\n  FROM records AS s\n),\n\
         ranked AS (\n  SELECT entity, n, from_state, to_state, previous, deviation, ROW_NUMBER() OVER (PARTITION BY entity ORDER BY n) AS rank_of_entity\n  FROM checked WHERE deviation IS NOT NULL\n)\n\
         SELECT entity, n AS position, from_state, to_state, deviation, previous AS expected\nFROM ranked WHERE rank_of_entity = 1 ORDER BY entity;\n",
        machine_name = machine.name,
        pairs = named("pairs", "from_state, to_state", pairs),
        births = named("births", "state", births),
        order = order.join(", "),
        table = table.join("."),
    ))
}
