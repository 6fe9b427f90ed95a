//! The columns of a table, and how their values are read.

/// The value of a column in one record: `None` if the record says nothing of it, and `Some(None)` if it is empty.
pub type Cell<'a> = Option<Option<&'a str>>;

/// A fact of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The identity of the instance; several columns are one identity.
    Entity,
    /// The time.
    At,
    /// The machine.
    Machine,
    /// The state before.
    From,
    /// The state after.
    To,
    /// The event.
    Event,
    /// The actor.
    Actor,
    /// The payload, as JSON.
    Payload,
    /// The context before, as JSON.
    Context,
    /// Whether it was refused.
    Refused,
}

impl Key {
    /// All facts, in the order of the docs.
    pub const ALL: [Key; 10] =
        [Key::Entity, Key::At, Key::Machine, Key::From, Key::To, Key::Event, Key::Actor, Key::Payload, Key::Context, Key::Refused];

    /// The name on the command line and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Key::Entity => "entity",
            Key::At => "at",
            Key::Machine => "machine",
            Key::From => "from",
            Key::To => "to",
            Key::Event => "event",
            Key::Actor => "actor",
            Key::Payload => "payload",
            Key::Context => "context",
            Key::Refused => "refused",
        }
    }
}

/// The columns that have facts, in the order in which they were named.
pub type Columns = Vec<(Key, String)>;

/// Reads `entity=id,from=old,to=new`.
///
/// # Errors
///
/// A part names no fact or no column.
pub fn columns(text: &str) -> Result<Columns, String> {
    text.split(',').map(|part| column(part.trim())).collect()
}

fn column(part: &str) -> Result<(Key, String), String> {
    let (key, name) = part.split_once('=').ok_or_else(|| format!("`{part}` is no column: write `from=old_state`"))?;
    let known = || Key::ALL.map(Key::name).join(", ");
    let found = Key::ALL.into_iter().find(|it| it.name() == key.trim());
    let key = found.ok_or_else(|| format!("`{}` is no fact of an attempt; there are: {}", key.trim(), known()))?;
    match name.trim() {
        "" => Err(format!("`{part}` names no column")),
        name => Ok((key, name.to_owned())),
    }
}

/// The unit of times that are whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

impl Unit {
    /// All units.
    pub const ALL: [Unit; 3] = [Unit::Seconds, Unit::Millis, Unit::Micros];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::Millis => "ms",
            Unit::Micros => "us",
        }
    }

    /// The line about it in the help of the command line.
    pub fn about(self) -> &'static str {
        match self {
            Unit::Seconds => "Seconds since 1970",
            Unit::Millis => "Milliseconds since 1970",
            Unit::Micros => "Microseconds since 1970",
        }
    }

    fn micros(self) -> i64 {
        match self {
            Unit::Seconds => 1_000_000,
            Unit::Millis => 1_000,
            Unit::Micros => 1,
        }
    }
}

/// How a history is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The columns; those that the format has usually if there are none.
    pub columns: Columns,
    /// The records that count: those in which each of these columns has this value.
    pub only: Vec<(String, String)>,
    /// The unit of times that are whole numbers; such times are not read without one.
    pub unit: Option<Unit>,
    /// What separates the columns of a table: a comma if omitted.
    pub separator: Option<u8>,
}

impl Reading {
    /// The time of a text.
    pub(crate) fn time(&self, text: &str) -> Result<i64, String> {
        if let Some(micros) = crate::time::parse(text) {
            return Ok(micros);
        }
        let shown = crate::shown::quoted(text);
        let whole = text.strip_prefix('-').unwrap_or(text);
        if whole.is_empty() || !whole.bytes().all(|it| it.is_ascii_digit()) {
            return Err(format!("{shown} is no time such as `2026-07-01T12:00:00Z`"));
        }
        let Some(unit) = self.unit else {
            return Err(format!("{shown} is a time as a number: name its unit with `--unit`"));
        };
        let number: Option<i64> = text.parse().ok();
        number.and_then(|it| it.checked_mul(unit.micros())).ok_or_else(|| format!("{shown} is a time out of range"))
    }
}
