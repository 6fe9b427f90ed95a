//! `db`: tables that exist, against the graph and its guard.
//!
//! The address of a database comes from an environment variable. No message repeats it, or a text of a driver that may.

mod check;
mod introspect;
mod journal;
mod migrate;
mod postgres;
mod replay;
mod sqlite;

use statespec_codegen::model::{Machine, Model};
use statespec_codegen::report::Report;
use statespec_rust::root::Root;
use statespec_sql::{Engine, Guard, Held, Kind, Mapping, prefix, quoted};

use crate::args::DbCommand;

pub(crate) use journal::journal;

/// The variable that is read if none is named.
pub(crate) const URL_ENV: &str = "DATABASE_URL";

/// Runs one of the commands.
pub(crate) fn run(root: &Root, command: &DbCommand) -> Result<Report, Report> {
    match command {
        DbCommand::Introspect { url_env, .. } => introspect::run(root, url_env),
        DbCommand::Check { machine, replay, replay_env, .. } => check::run(root, machine.as_deref(), replay.then_some(replay_env.as_str())),
        DbCommand::Migrate { old, new, .. } => migrate::run(root, old, new.as_deref()),
        DbCommand::Plan { old, new, .. } => migrate::plan(root, old, new.as_deref()),
    }
}

/// The names of the objects of a guard: those with the prefix of its machine.
struct Names {
    prefix: String,
    /// The prefixes of machines whose names begin with that of this one.
    longer: Vec<String>,
}

impl Names {
    /// The names of a machine among all machines of a model.
    fn new(machine: &Machine, model: &Model) -> Names {
        let own = prefix(&machine.name);
        let longer = model.machines.iter().map(|it| prefix(&it.name)).filter(|it| *it != own && it.starts_with(&own)).collect();
        Names { prefix: own, longer }
    }

    /// Whether an object belongs to the guard of this machine.
    fn has(&self, object: &str) -> bool {
        object.starts_with(&self.prefix) && !self.longer.iter().any(|it| object.starts_with(it))
    }
}

/// What the commands ask of a database. Errors are sentences without the address.
trait Database {
    /// Whether the table of a mapping exists.
    fn has_table(&mut self, mapping: &Mapping) -> Result<bool, String>;

    /// What is wrong with the objects of a guard; empty if they are as this revision of the spec makes them.
    fn objects(&mut self, names: &Names, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String>;

    /// What lets a role past the guard, or hides rows from this check.
    fn rights(&mut self, role: Option<&str>, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String>;

    /// The number of rows outside the graph, and some of them.
    fn rows(&mut self, mapping: &Mapping, stored: &[String]) -> Result<Outside, String>;

    /// The number of rows with one of some values in a column, and some of them.
    fn holding(&mut self, mapping: &Mapping, column: &str, values: &[String]) -> Result<Outside, String>;

    /// The number of rows that break an invariant, and the keys of some of them.
    fn broken(&mut self, held: &Held) -> Result<Outside, String>;

    /// The entries of the journal in their order, each with its number and the texts of the columns: those of the key, then
    /// [`journal::COLUMNS`].
    fn journal(&mut self, machine: &str, mapping: &Mapping, each: Entries<'_>) -> Result<(), String>;

    /// The columns that may be one of a state: those with at most so many different values.
    fn columns(&mut self, max_values: usize) -> Result<Vec<Candidate>, String>;
}

/// Takes the entries of a journal, one after the other.
type Entries<'e> = &'e mut dyn FnMut(u64, &[Option<String>]);

/// Rows outside the graph.
#[derive(Debug, Default)]
struct Outside {
    n_rows: i64,
    /// The keys and the values of the first of them.
    first: Vec<(String, Option<String>)>,
}

/// The finding about a table whose guard was never attached, or is gone as a whole.
const NOT_ATTACHED: &str = "the guard is not attached: nothing of it is there";

/// What only the function or the trigger of a guard has that is about the same column.
fn reads_state(mapping: &Mapping) -> String {
    let column = quoted(&mapping.state);
    match mapping.engine {
        Engine::Postgres => format!(" := OLD.{column}::pg_catalog.text;"),
        Engine::Sqlite => format!("WHEN OLD.{column} COLLATE BINARY IS NOT NEW.{column}"),
    }
}

/// The finding about a trigger that another machine has for the same column.
fn of_another(trigger: &str) -> String {
    format!("the trigger `{trigger}` holds the column to the graph of another machine, perhaps of an earlier name of this one: drop it")
}

/// The number of rows that a report names.
const N_SHOWN: usize = 10;

/// The number of rows whose values are looked at for a proposal.
const N_SAMPLED: usize = 200_000;

/// A column with few different values.
#[derive(Debug)]
struct Candidate {
    /// The table, with its schema where the engine has some.
    table: String,
    column: String,
    /// Whether its values are texts, those of an enum of the database, or whole numbers.
    kind: Kind,
    /// Its values, and the number of rows with each.
    values: Vec<(String, i64)>,
    /// The columns of the primary key.
    key: Vec<String>,
    /// Further unique keys over which a row may be replaced.
    unique: Vec<Vec<String>>,
    /// Why a guard cannot be attached.
    objection: Option<String>,
}

/// A connection to the database whose address is in a variable.
fn connect(variable: &str) -> Result<(Engine, Box<dyn Database>), String> {
    let url = std::env::var(variable).map_err(|_| format!("the environment variable `{variable}` has no address of a database"))?;
    match is_postgres(&url) {
        true => Ok((Engine::Postgres, Box::new(postgres::connect(&url, variable)?))),
        false => Ok((Engine::Sqlite, Box::new(sqlite::connect(&url, variable)?))),
    }
}

/// Whether an address is one of PostgreSQL: a URL, or settings such as `host=… dbname=…`. Another one is a file of SQLite.
fn is_postgres(url: &str) -> bool {
    let schemes = ["postgres://", "postgresql://"];
    let settings = ["host=", "hostaddr=", "dbname=", "user="];
    schemes.iter().any(|it| url.starts_with(it)) || url.split_whitespace().any(|word| settings.iter().any(|it| word.starts_with(it)))
}

/// A count with its noun.
fn counted(n: i64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
