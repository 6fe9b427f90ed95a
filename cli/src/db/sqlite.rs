//! SQLite, read only.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::FromSql;
use rusqlite::{Connection, OpenFlags};
use statespec_sql::{Guard, Held, Kind, Mapping, prefix, quoted as name};

use super::journal::COLUMNS;
use super::{Candidate, Database, Entries, N_SAMPLED, N_SHOWN, Outside};

/// Opens the file of an address: a path, or `sqlite:` and a path.
pub(super) fn connect(url: &str, variable: &str) -> Result<Connection, String> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).or_else(|| url.strip_prefix("file:")).unwrap_or(url);
    let path = path.split('?').next().unwrap_or(path);
    if !Path::new(path).is_file() {
        return Err(format!("`{variable}` names no file of SQLite"));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|_| format!("the file that `{variable}` names cannot be opened"))
}

/// The text of SQLite about a failed query, which has no address.
fn said(error: rusqlite::Error) -> String {
    format!("SQLite: {error}")
}

fn pairs<T: FromSql>(connection: &Connection, sql: &str, parameter: &str) -> Result<Vec<(String, T)>, String> {
    let mut statement = connection.prepare(sql).map_err(said)?;
    let rows = statement.query_map([parameter], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)?;
    rows.collect::<Result<_, _>>().map_err(said)
}

/// The triggers and tables of a machine, with their texts as SQLite stores them.
fn objects(connection: &Connection, prefix: &str) -> Result<BTreeMap<String, String>, String> {
    let sql = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'table') AND substr(name, 1, length(?1)) = ?1";
    Ok(pairs(connection, sql, prefix)?.into_iter().collect())
}

/// The rows for which it is so, or not, that a column has one of some values.
fn outside(connection: &Connection, mapping: &Mapping, column: &str, is: &str, values: &[String]) -> Result<Outside, String> {
    let column = name(column);
    let marks = vec!["?"; values.len()].join(", ");
    let condition = format!("(CAST({column} AS TEXT) COLLATE BINARY IN ({marks}) AND typeof({column}) <> 'blob') {is}");
    let table = name(&mapping.table.name);
    let keys: Vec<String> = mapping.key.iter().map(|it| format!("coalesce(CAST({} AS TEXT), 'NULL')", name(it))).collect();
    let parameters = rusqlite::params_from_iter(values);
    let n_rows = connection.query_row(&format!("SELECT count(*) FROM {table} WHERE {condition}"), parameters.clone(), |row| row.get(0));
    let sql = format!("SELECT {} , CAST({column} AS TEXT) FROM {table} WHERE {condition} LIMIT {N_SHOWN}", keys.join(" || ', ' || "));
    let mut statement = connection.prepare(&sql).map_err(said)?;
    let first = statement.query_map(parameters, |row| Ok((row.get(0)?, row.get(1)?)));
    let first = first.map_err(said)?.collect::<Result<_, _>>().map_err(said)?;
    Ok(Outside { n_rows: n_rows.map_err(said)?, first })
}

impl Database for Connection {
    fn has_table(&mut self, mapping: &Mapping) -> Result<bool, String> {
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name = ?1";
        Ok(!pairs::<String>(self, sql, &mapping.table.name)?.is_empty())
    }

    fn objects(&mut self, names: &super::Names, mapping: &Mapping, guard: &Guard) -> Result<Vec<String>, String> {
        let table = &mapping.table.name;
        // A database that has nothing but the guard says how SQLite stores it.
        let wanted = Connection::open_in_memory().map_err(said)?;
        wanted.execute_batch(&format!("CREATE TABLE {} (x);\n{}", name(table), guard.script())).map_err(said)?;
        let prefix = &names.prefix;
        let (wanted, mut present) = (objects(&wanted, prefix)?, objects(self, prefix)?);
        present.retain(|it, _| names.has(it));
        let mut found = Vec::new();
        let is_there = wanted.keys().any(|it| present.contains_key(it));
        found.extend((!is_there).then(|| super::NOT_ATTACHED.to_owned()));
        for (name, sql) in wanted.iter().filter(|_| is_there) {
            match present.get(name) {
                None => found.push(format!("`{name}` is missing")),
                Some(other) if other != sql => found.push(format!("`{name}` is another one than this revision of the spec makes")),
                Some(_) => {}
            }
        }
        let kept = ["journal", "payload"].map(|it| format!("{prefix}{it}"));
        found.extend(
            present.keys().filter(|it| !wanted.contains_key(*it) && !kept.contains(it)).map(|it| format!("`{it}` is of another revision")),
        );
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE AND name LIKE 'statespec\\_%\\_edge' ESCAPE '\\'";
        let own = super::reads_state(mapping);
        let edge = format!("{prefix}edge");
        let others = pairs::<String>(self, sql, table)?.into_iter().filter(|it| it.0 != edge && it.1.contains(&own));
        found.extend(others.map(|it| super::of_another(&it.0)));
        let guarded: Vec<&Vec<String>> = [&mapping.key].into_iter().chain(&mapping.unique).collect();
        for key in unique(self, table)? {
            let is_guarded = guarded.iter().any(|it| it.len() == key.len() && key.iter().all(|column| it.contains(column)));
            if !is_guarded {
                found.push(format!("a row can be replaced over the unique key ({}), which `unique` does not name", key.join(", ")));
            }
        }
        Ok(found)
    }

    fn rights(&mut self, _: Option<&str>, _: &Mapping, _: &Guard) -> Result<Vec<String>, String> {
        // Whoever can write the file can do everything.
        Ok(Vec::new())
    }

    fn rows(&mut self, mapping: &Mapping, stored: &[String]) -> Result<Outside, String> {
        outside(self, mapping, &mapping.state, "IS NOT 1", stored)
    }

    fn holding(&mut self, mapping: &Mapping, column: &str, values: &[String]) -> Result<Outside, String> {
        outside(self, mapping, column, "IS 1", values)
    }

    fn broken(&mut self, _: &Held) -> Result<Outside, String> {
        // A guard of SQLite holds no invariant.
        Ok(Outside::default())
    }

    fn journal(&mut self, machine: &str, mapping: &Mapping, each: Entries<'_>) -> Result<(), String> {
        let columns = mapping.key.iter().map(String::as_str).chain(COLUMNS);
        let columns: Vec<String> = columns.map(|it| format!("CAST({} AS TEXT)", name(it))).collect();
        let table = name(&format!("{}journal", prefix(machine)));
        let mut statement = self.prepare(&format!("SELECT entry, {} FROM {table} ORDER BY entry", columns.join(", "))).map_err(said)?;
        let mut rows = statement.query([]).map_err(said)?;
        while let Some(row) = rows.next().map_err(said)? {
            let values: Result<Vec<Option<String>>, _> = (1..=columns.len()).map(|idx| row.get(idx)).collect();
            let entry: i64 = row.get(0).map_err(said)?;
            each(entry.unsigned_abs(), &values.map_err(said)?);
        }
        Ok(())
    }

    fn columns(&mut self, max_values: usize) -> Result<Vec<Candidate>, String> {
        let tables = pairs::<String>(
            self,
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE ?1 ESCAPE '\\' ORDER BY name",
            "statespec\\_%",
        )?;
        let mut candidates = Vec::new();
        for (table, _) in tables {
            let mut statement = self.prepare("SELECT name, pk FROM pragma_table_info(?1)").map_err(said)?;
            let rows = statement.query_map([&table], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)?;
            let columns: Vec<(String, i64)> = rows.collect::<Result<_, _>>().map_err(said)?;
            let mut keys: Vec<&(String, i64)> = columns.iter().filter(|it| it.1 > 0).collect();
            keys.sort_by_key(|it| it.1);
            let key: Vec<String> = keys.into_iter().map(|it| it.0.clone()).collect();
            let others: Vec<Vec<String>> = unique(self, &table)?.into_iter().filter(|it| *it != key).collect();
            for (column, _) in &columns {
                // A column of SQLite has values of any type: texts and whole numbers are two candidates.
                for (ty, kind) in [("text", Kind::Text), ("integer", Kind::Integer)] {
                    let sql = format!(
                        "SELECT CAST(v AS TEXT), count(*) FROM (SELECT {0} AS v FROM {1} LIMIT {N_SAMPLED}) WHERE typeof(v) = '{ty}' GROUP BY 1 LIMIT {2}",
                        name(column),
                        name(&table),
                        max_values + 1
                    );
                    let mut statement = self.prepare(&sql).map_err(said)?;
                    let values = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)?;
                    let values: Vec<(String, i64)> = values.collect::<Result<_, _>>().map_err(said)?;
                    if !values.is_empty() && values.len() <= max_values {
                        let (table, column) = (table.clone(), column.clone());
                        let (key, unique) = (key.clone(), others.clone());
                        candidates.push(Candidate { table, column, kind, values, key, unique, objection: None });
                    }
                }
            }
        }
        Ok(candidates)
    }
}

/// The unique keys of a table, and its row id if a row can be replaced over it.
fn unique(connection: &Connection, table: &str) -> Result<Vec<Vec<String>>, String> {
    let sql = "SELECT list.name, info.name FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info \
               WHERE list.\"unique\" = 1 ORDER BY list.seq, info.seqno";
    let mut keys = BTreeMap::<String, Vec<String>>::new();
    for (index, column) in pairs::<Option<String>>(connection, sql, table)? {
        keys.entry(index).or_default().push(column.unwrap_or_else(|| "an expression".to_owned()));
    }
    let mut keys: Vec<Vec<String>> = keys.into_values().collect();
    let sql = "SELECT name, upper(type) FROM pragma_table_info(?1) WHERE pk > 0";
    let primary = pairs::<String>(connection, sql, table)?;
    let is_row_id = matches!(&primary[..], [(_, ty)] if ty == "INTEGER");
    let has_row_id = connection.prepare(&format!("SELECT rowid FROM {} LIMIT 0", name(table))).is_ok();
    match (is_row_id, &primary[..]) {
        (true, [(column, _)]) => keys.push(vec![column.clone()]),
        _ if has_row_id => keys.push(vec!["rowid".to_owned()]),
        _ => {}
    }
    keys.dedup();
    Ok(keys)
}
