//! The question of the audit at the level of pairs as one statement of SQL, for a history that a database has.
//!
//! The result has a row for the first step of each instance that the graph does not have, or that does not continue the step before it:
//! `entity`, `position`, `from_state`, `to_state`, `deviation`, `expected`. States are read as the audit reads them, by their stored
//! texts, and shown by their names; an identity of several columns is one text, as in a finding of the audit. Records without an
//! identity are one row, `broken`. The names of its parts begin with `statespec_`, so that they hide no table.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::{Machine, StateId};

use super::possible::{At, Possible};

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
        let column = self.name_of(column);
        match self {
            Dialect::Sqlite => format!("CAST({column} AS TEXT) COLLATE BINARY"),
            Dialect::Postgres => format!("CAST({column} AS text) COLLATE \"C\""),
            Dialect::Duckdb => format!("CAST({column} AS VARCHAR)"),
            Dialect::Spark => format!("CAST({column} AS STRING)"),
        }
    }

    /// The rows of a small table.
    fn table(self, name: &str, columns: &str, rows: &[String]) -> String {
        let rows = rows.join(",\n    ");
        match self {
            Dialect::Spark => format!("{name} AS (\n  SELECT * FROM VALUES\n    {rows}\n  AS t ({columns})\n)"),
            _ => format!("{name} ({columns}) AS (\n  VALUES\n    {rows}\n)"),
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
    /// The column of the machine: records of others are left out.
    pub machine: Option<String>,
    /// The records that count: those in which each of these columns has this value.
    pub only: Vec<(String, String)>,
}

/// The statement.
///
/// # Errors
///
/// The machine has too many configurations.
pub fn sql(machine: &Machine, values: &BTreeMap<StateId, Vec<String>>, dialect: Dialect, query: &Query) -> Result<String, String> {
    let possible = Possible::of(machine)?;
    let name = |at: At| machine.configuration_name(&possible.configurations[at as usize]).into_owned();
    let states = States::of(machine, &possible, values, dialect);
    let all = 0..possible.configurations.len() as At;
    let pairs: Vec<String> = all
        .flat_map(|from| {
            // Somebody wrote all columns of a row again.
            let targets: BTreeSet<At> = possible.from(from).iter().map(|it| it.to).chain([from]).collect();
            targets.into_iter().map(move |to| (from, to))
        })
        .map(|(from, to)| format!("({}, {})", dialect.text(&name(from)), dialect.text(&name(to))))
        .collect();
    let births: Vec<String> = possible.births().into_iter().map(|it| format!("({})", dialect.text(&name(it)))).collect();
    let order = || (1..=query.order.len()).map(|it| format!("order_{it}"));
    let mut columns = vec![format!("{} AS entity", identity(dialect, &query.entity))];
    columns.extend(query.from.iter().map(|it| format!("{} AS from_state", states.of_column(it))));
    columns.push(format!("{} AS to_state", states.of_column(&query.to)));
    columns.extend(query.order.iter().zip(order()).map(|(column, order)| format!("{} AS {order}", dialect.name_of(column))));
    let mut conditions: Vec<String> =
        query.only.iter().map(|(column, value)| format!("{} = {}", dialect.as_text(column), dialect.text(value))).collect();
    conditions.extend(query.machine.iter().map(|it| {
        let column = dialect.as_text(it);
        format!("({column} = {} OR {} IS NULL)", dialect.text(&machine.name), dialect.name_of(it))
    }));
    let filter = if conditions.is_empty() { String::new() } else { format!("\n  WHERE {}", conditions.join(" AND ")) };
    let window = format!("OVER (PARTITION BY entity ORDER BY {})", order().collect::<Vec<_>>().join(", "));
    let before = format!("LAG(to_state) {window}");
    let from = if query.from.is_some() { "from_state".to_owned() } else { format!("{before} AS from_state") };
    let is_birth = "to_state IN (SELECT state FROM statespec_births)";
    // Without a column of the state before, a first record is a birth or the first step from one.
    let (gaps, begins) = match &query.from {
        Some(_) => (
            "\n      WHEN n > 1 AND previous IS NOT NULL AND (from_state IS NULL OR from_state <> previous) THEN 'gap'\n      \
             WHEN n = 1 AND from_state IS NOT NULL AND from_state NOT IN (SELECT state FROM statespec_births) THEN 'gap'",
            is_birth.to_owned(),
        ),
        None => (
            "",
            format!(
                "{is_birth} OR EXISTS (SELECT 1 FROM statespec_pairs AS p JOIN statespec_births AS b ON p.from_state = b.state WHERE p.to_state = s.to_state)"
            ),
        ),
    };
    let exists = "EXISTS (SELECT 1 FROM statespec_pairs AS p WHERE p.from_state = s.from_state AND p.to_state = s.to_state)";
    Ok(format!(
        "-- The first step of each instance that the graph of `{machine_name}` does not have.\nWITH {pairs},\n{births},\n\
         statespec_history AS (\n  SELECT {columns}\n  FROM {table}{filter}\n),\n\
         statespec_records AS (\n  SELECT entity, {from}, to_state, {before} AS previous, ROW_NUMBER() {window} AS n\n  FROM statespec_history\n),\n\
         statespec_checked AS (\n  SELECT s.entity, s.n, s.from_state, s.to_state, s.previous,\n    CASE\n      \
         WHEN entity IS NULL THEN 'broken'{gaps}\n      WHEN to_state IS NULL THEN NULL\n      \
         WHEN from_state IS NULL AND NOT ({begins}) THEN 'birth'\n      \
         WHEN from_state IS NOT NULL AND NOT {exists} THEN 'step'\n    END AS deviation\n  FROM statespec_records AS s\n),\n\
         statespec_ranked AS (\n  SELECT entity, n, from_state, to_state, previous, deviation, ROW_NUMBER() OVER (PARTITION BY entity ORDER BY n) AS rank_of_entity\n  \
         FROM statespec_checked WHERE deviation IS NOT NULL\n)\n\
         SELECT entity, n AS position, from_state, to_state, deviation, previous AS expected\nFROM statespec_ranked WHERE rank_of_entity = 1 ORDER BY entity;\n",
        machine_name = machine.name,
        pairs = dialect.table("statespec_pairs", "from_state, to_state", &pairs),
        births = dialect.table("statespec_births", "state", &births),
        columns = columns.join(",\n    "),
        table = query.table.split('.').map(|it| dialect.name_of(it)).collect::<Vec<_>>().join("."),
    ))
}

/// The columns of an identity as one text, in which `\` stands before each `/` and `\` of a part; NULL if one of them is missing.
fn identity(dialect: Dialect, columns: &[String]) -> String {
    let part = |column: &String| format!("NULLIF({}, '')", dialect.as_text(column));
    let escaped = |column: &String| {
        let (one, two, slash) = (dialect.text("\\"), dialect.text("\\\\"), dialect.text("\\/"));
        format!("REPLACE(REPLACE({}, {one}, {two}), '/', {slash})", part(column))
    };
    match columns {
        [one] => part(one),
        several => several.iter().map(escaped).collect::<Vec<_>>().join(" || '/' || "),
    }
}

/// The texts of states, as names of the spec.
struct States {
    dialect: Dialect,
    /// Each text that is not the name itself, with the name.
    others: Vec<(String, String)>,
}

impl States {
    fn of(machine: &Machine, possible: &Possible, values: &BTreeMap<StateId, Vec<String>>, dialect: Dialect) -> States {
        let texts = super::names::texts_of_states(machine, possible, values);
        let name = |at: At| machine.configuration_name(&possible.configurations[at as usize]).into_owned();
        States { dialect, others: texts.into_iter().map(|(text, at)| (text, name(at))).filter(|it| it.0 != it.1).collect() }
    }

    /// The state in a column.
    fn of_column(&self, column: &str) -> String {
        let text = self.dialect.as_text(column);
        if self.others.is_empty() {
            return text;
        }
        let cases = self.others.iter().map(|(text, name)| format!("WHEN {} THEN {}", self.dialect.text(text), self.dialect.text(name)));
        format!("CASE {text} {} ELSE {text} END", cases.collect::<Vec<_>>().join(" "))
    }
}
