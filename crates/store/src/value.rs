//! Values of parameters, and keys of rows.

use std::fmt;

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A text; on PostgreSQL, every other value is written as one, too.
    Text(String),
}

impl Value {
    /// The value as a text, as PostgreSQL takes it; `None` for no value.
    pub fn text(&self) -> Option<String> {
        match self {
            Value::Null => None,
            Value::Integer(it) => Some(it.to_string()),
            Value::Text(it) => Some(it.clone()),
        }
    }
}

impl From<i64> for Value {
    fn from(it: i64) -> Self {
        Value::Integer(it)
    }
}

impl From<&str> for Value {
    fn from(it: &str) -> Self {
        Value::Text(it.to_owned())
    }
}

impl<V: Into<Value>> From<Option<V>> for Value {
    fn from(it: Option<V>) -> Self {
        it.map_or(Value::Null, Into::into)
    }
}

/// A row of a result: each column as a text, `None` for NULL.
pub type Row = Vec<Option<String>>;

/// The value of one column of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A whole number.
    Integer(i64),
    /// A text, or a UUID as a text.
    Text(String),
}

/// The key of a row, with a value for each column of the key.
///
/// ```
/// use statespec_store::{Key, Part};
///
/// assert_eq!(Key::from(17).to_string(), "17");
/// assert_eq!(Key::from(vec![Part::Text("a".into()), Part::Integer(1)]).to_string(), r#"["a",1]"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Vec<Part>);

impl Key {
    /// The values, in the order of the columns.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }
}

impl From<i64> for Part {
    fn from(it: i64) -> Self {
        Part::Integer(it)
    }
}

impl From<&str> for Part {
    fn from(it: &str) -> Self {
        Part::Text(it.to_owned())
    }
}

impl From<i64> for Key {
    fn from(it: i64) -> Self {
        Key(vec![Part::Integer(it)])
    }
}

impl From<&str> for Key {
    fn from(it: &str) -> Self {
        Key(vec![Part::Text(it.to_owned())])
    }
}

impl From<String> for Key {
    fn from(it: String) -> Self {
        Key(vec![Part::Text(it)])
    }
}

impl From<Vec<Part>> for Key {
    fn from(it: Vec<Part>) -> Self {
        Key(it)
    }
}

/// As the outbox and the table of commands have it: the value, or a list in JSON if the key has several columns.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [Part::Integer(it)] => it.fmt(f),
            [Part::Text(it)] => f.write_str(it),
            parts => {
                let values = parts.iter().map(|it| match it {
                    Part::Integer(it) => serde_json::Value::from(*it),
                    Part::Text(it) => serde_json::Value::from(it.as_str()),
                });
                serde_json::Value::from_iter(values).fmt(f)
            }
        }
    }
}
