//! Machines as rows, and rows as machines.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value as Json};
use statespec::Timestamp;

use crate::{Column, Engine, Error, Kind, Layout, Row, StoredState, Table, Value};

/// What a row has of a machine.
pub(crate) struct Written {
    /// The stored value of the state.
    pub(crate) state: String,
    /// The values of [`Table::columns`], in their order.
    pub(crate) columns: Vec<Value>,
    /// The other fields, for [`Table::rest`].
    pub(crate) rest: Option<String>,
}

/// A row, before its columns make a machine.
pub(crate) struct Read {
    pub(crate) parts: Row,
    pub(crate) state: String,
    pub(crate) version: i64,
    pub(crate) now: Timestamp,
    pub(crate) rest: Option<String>,
    pub(crate) timers: Option<String>,
    pub(crate) columns: Row,
}

impl Read {
    /// Takes a row of [`Table::selection`] apart.
    pub(crate) fn of(table: &Table, mut row: Row) -> Result<Self, Error> {
        let n_before = table.key.len() + 5;
        if row.len() != n_before + table.columns.len() {
            return Err(Error::unfit(format!("a row of {} has {} columns", table.name, row.len())));
        }
        let columns = row.split_off(n_before);
        let mut others = row.split_off(table.key.len()).into_iter();
        let mut next = || others.next().flatten();
        let state = next().ok_or_else(|| Error::unfit(format!("column {} of {} is NULL", table.state, table.name)))?;
        let version = number(table, table.version, next())?;
        let now = Timestamp::from_micros(number(table, "now", next())?);
        Ok(Read { parts: row, state, version, now, rest: next(), timers: next(), columns })
    }

    pub(crate) fn machine<M: DeserializeOwned, S: StoredState>(&self, table: &Table) -> Result<M, Error> {
        let name = table.values.iter().find(|it| it.1 == self.state).map_or(self.state.as_str(), |it| it.0);
        let state =
            S::json(name).map_err(|why| Error::unfit(format!("column {} of {} has `{}`: {why}", table.state, table.name, self.state)))?;
        let mut fields: Map<String, Json> = match &self.rest {
            Some(rest) => serde_json::from_str(rest)?,
            None => Map::new(),
        };
        for (column, value) in table.columns.iter().zip(&self.columns) {
            fields.insert(column.field.to_owned(), read(table, column, value.as_deref())?);
        }
        let machine = match table.layout {
            Layout::Emitted => Map::from_iter([("state".to_owned(), state), ("context".to_owned(), Json::from(fields))]),
            Layout::Own(field) => {
                fields.insert(field.to_owned(), state);
                fields
            }
        };
        serde_json::from_value(Json::from(machine))
            .map_err(|error| Error::unfit(format!("a row of {} is no {}: {error}", table.name, table.machine)).because(error))
    }
}

/// A whole number that a column must have.
pub(crate) fn number(table: &Table, column: &str, value: Option<String>) -> Result<i64, Error> {
    let given = value.as_deref().unwrap_or("NULL");
    given.parse().map_err(|_| Error::unfit(format!("column {column} of {} has `{given}`: expected a whole number", table.name)))
}

pub(crate) fn write<M: Serialize, S: StoredState>(table: &Table, machine: &M) -> Result<Written, Error> {
    let unfit = |what: &str| Error::unfit(format!("{} does not fit table {}: {what}", table.machine, table.name));
    let Json::Object(mut fields) = serde_json::to_value(machine)? else { return Err(unfit("serde writes no object")) };
    let field = match table.layout {
        Layout::Emitted => "state",
        Layout::Own(field) => field,
    };
    let Some(state) = fields.remove(field) else { return Err(unfit(&format!("it has no field `{field}`"))) };
    let name = S::text(state).ok_or_else(|| unfit("serde writes its state neither as a name nor as a configuration"))?;
    let state = table.values.iter().find(|it| it.0 == name).map_or(name, |it| it.1.to_owned());
    if let (Layout::Emitted, Some(Json::Object(context))) = (table.layout, fields.remove("context")) {
        fields = context;
    }
    let columns = table.columns.iter().map(|column| {
        let value = fields.remove(column.field).ok_or_else(|| unfit(&format!("it has no field `{}`", column.field)))?;
        written(table, column, value)
    });
    let columns = columns.collect::<Result<Vec<_>, Error>>()?;
    let rest = match (table.rest, fields.keys().next()) {
        (Some(_), _) => Some(Json::from(fields).to_string()),
        (None, Some(field)) => {
            // A key of a struct of yours is a field, too.
            let kept: Vec<&String> = fields.keys().filter(|it| !table.key.iter().any(|key| key.field == it.as_str())).collect();
            if !kept.is_empty() {
                return Err(unfit(&format!("field `{field}` has no column")));
            }
            None
        }
        (None, None) => None,
    };
    Ok(Written { state, columns, rest })
}

/// The value of a field for its column.
fn written(table: &Table, column: &Column, value: Json) -> Result<Value, Error> {
    let micros = |per: i64, value: &Json| value.as_i64().map(|it| Value::Integer(it.div_euclid(per)));
    let sqlite = table.engine == Engine::Sqlite;
    let written = match (column.kind, value) {
        (_, Json::Null) => Some(Value::Null),
        (Kind::Json, value) => Some(Value::Text(value.to_string())),
        (Kind::Integer, Json::Number(it)) => it.as_i64().map(Value::Integer),
        (Kind::Bool, Json::Bool(it)) if sqlite => Some(Value::Integer(it.into())),
        (Kind::Bool, Json::Bool(it)) => Some(Value::Text(it.to_string())),
        (Kind::Text | Kind::Enum | Kind::Uuid | Kind::Decimal, Json::String(it)) => Some(Value::Text(it)),
        (Kind::Timestamp, Json::Number(it)) => it.as_i64().map(|it| Value::Text(Timestamp::from_micros(it).to_string())),
        (Kind::Duration, Json::Number(it)) if sqlite => it.as_i64().map(Value::Integer),
        (Kind::Duration, Json::Number(it)) => it.as_i64().map(|it| Value::Text(format!("{it} microseconds"))),
        (Kind::Micros, value) => micros(1, &value),
        (Kind::Millis, value) => micros(1_000, &value),
        (Kind::Seconds, value) => micros(1_000_000, &value),
        _ => None,
    };
    written.ok_or_else(|| Error::unfit(format!("field `{}` does not fit column {} of {}", column.field, column.name, table.name)))
}

/// The value of a column for its field.
fn read(table: &Table, column: &Column, value: Option<&str>) -> Result<Json, Error> {
    let Some(text) = value else { return Ok(Json::Null) };
    let number = |per: i64| Some(Json::Number(Number::from(text.parse::<i64>().ok()?.checked_mul(per)?)));
    let read = match column.kind {
        Kind::Text | Kind::Enum | Kind::Uuid | Kind::Decimal => Some(Json::from(text)),
        Kind::Integer | Kind::Micros | Kind::Duration => number(1),
        Kind::Timestamp if table.engine == Engine::Sqlite => text.parse::<Timestamp>().ok().map(|it| Json::from(it.as_micros())),
        Kind::Timestamp => number(1),
        Kind::Millis => number(1_000),
        Kind::Seconds => number(1_000_000),
        Kind::Bool => match text {
            "0" | "false" => Some(Json::from(false)),
            "1" | "true" => Some(Json::from(true)),
            _ => None,
        },
        Kind::Json => serde_json::from_str(text).ok(),
    };
    read.ok_or_else(|| Error::unfit(format!("column {} of {} has `{text}`, which is no {:?}", column.name, table.name, column.kind)))
}
