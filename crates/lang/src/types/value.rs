//! Types and values of the expression language.

use rust_decimal::Decimal;

use super::{EnumId, EventId, StateId};

/// The type of a field, constant, attribute or expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A whole number, 64 bits with sign.
    Int,
    /// An exact decimal of up to 28 digits.
    Decimal,
    /// A text.
    Text,
    /// A duration in microseconds.
    Duration,
    /// A timestamp in microseconds since 1970-01-01T00:00:00Z.
    Timestamp,
    /// The identity of an object outside the machine.
    Reference,
    /// A leaf state of the same machine.
    State,
    /// An event of the same machine (attributes only).
    Event,
    /// One of the machine's enums.
    Enum(EnumId),
    /// A list (attributes only).
    List(Box<Type>),
}

impl Type {
    /// The type of a declaration whose type is wrong, while its spec is lowered: it is reported once, and what uses the
    /// declaration is not checked. No model contains it.
    pub(crate) const UNKNOWN: Type = Type::Enum(EnumId(u32::MAX));

    /// Whether this is the type of a declaration whose type is wrong.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Type::UNKNOWN
    }

    /// Whether two declarations have the same type, as far as it is known.
    pub(crate) fn agrees_with(&self, other: &Type) -> bool {
        self == other || self.is_unknown() || other.is_unknown()
    }
}

/// A value known when the model is built: of a constant, a default or an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// An exact decimal.
    Decimal(Decimal),
    /// A text.
    Text(String),
    /// Microseconds.
    Duration(i64),
    /// Microseconds since 1970.
    Timestamp(i64),
    /// The value of an enum, by position.
    Enum(EnumId, usize),
    /// A state.
    State(StateId),
    /// An event.
    Event(EventId),
    /// A list.
    List(Vec<Literal>),
}

/// A value while a machine runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// An exact decimal.
    Decimal(Decimal),
    /// A text.
    Text(String),
    /// Microseconds.
    Duration(i64),
    /// Microseconds since 1970.
    Timestamp(i64),
    /// An identity.
    Reference(u64),
    /// A state.
    State(StateId),
    /// A value of an enum, by position.
    Enum(EnumId, usize),
}

impl Literal {
    /// The value at run time; lists and events have none.
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Literal::Null => Value::Null,
            Literal::Bool(it) => Value::Bool(*it),
            Literal::Int(it) => Value::Int(*it),
            Literal::Decimal(it) => Value::Decimal(*it),
            Literal::Text(it) => Value::Text(it.clone()),
            Literal::Duration(it) => Value::Duration(*it),
            Literal::Timestamp(it) => Value::Timestamp(*it),
            Literal::Enum(id, idx) => Value::Enum(*id, *idx),
            Literal::State(it) => Value::State(*it),
            Literal::Event(_) | Literal::List(_) => return None,
        })
    }
}
