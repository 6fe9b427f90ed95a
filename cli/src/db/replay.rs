//! The files of migrations, and an empty database in which they run: SQLite in memory, or one of PostgreSQL that the user names.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use statespec_sql::{Engine, File, Style};

use super::Database;

/// The files and folders of a folder of migrations; none if there is no such folder.
pub(super) fn present(folder: &Path, style: Style) -> std::io::Result<Vec<File>> {
    if !folder.try_exists()? {
        return Ok(Vec::new());
    }
    let mut present = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_read = style == Style::Alembic && name.ends_with(".py");
        let text = if is_read { fs::read_to_string(entry.path())? } else { String::new() };
        present.push((name, text));
    }
    present.sort();
    Ok(present)
}

/// An empty database that can be written.
pub(super) enum Empty {
    Sqlite(Connection),
    Postgres(Box<::postgres::Client>),
}

/// Opens one. On PostgreSQL it is the one whose address is in a variable, if it has no table.
pub(super) fn empty(engine: Engine, variable: &str) -> Result<Empty, String> {
    if engine == Engine::Sqlite {
        return Connection::open_in_memory().map(Empty::Sqlite).map_err(|it| format!("SQLite: {it}"));
    }
    let url = std::env::var(variable).map_err(|_| {
        format!("the environment variable `{variable}` has no address of an empty database of PostgreSQL, in which the files run")
    })?;
    let mut client = super::postgres::writing(&url, variable)?;
    let sql = "SELECT count(*) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
               WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";
    let n_tables: i64 = client.query_one(sql, &[]).map_err(super::postgres::said)?.get(0);
    match n_tables {
        0 => Ok(Empty::Postgres(Box::new(client))),
        _ => Err(format!("the database of the address in `{variable}` is not empty, and the files would change it")),
    }
}

impl Empty {
    /// Runs a file.
    pub(super) fn run(&mut self, text: &str) -> Result<(), String> {
        match self {
            Empty::Sqlite(it) => it.execute_batch(text).map_err(|it| format!("SQLite: {it}")),
            Empty::Postgres(it) => it.batch_execute(text).map_err(super::postgres::said),
        }
    }

    /// What the files made, for reading.
    pub(super) fn made(self, variable: &str) -> Result<Box<dyn Database>, String> {
        match self {
            Empty::Sqlite(it) => Ok(Box::new(it)),
            Empty::Postgres(_) => super::connect(variable).map(|it| it.1),
        }
    }
}
