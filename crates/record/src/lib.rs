//! The format of recorded attempts: JSON lines, version 1.
//!
//! ```json
//! {"v":1,"machine":"run_job","entity":"17","at":"2026-07-01T12:00:00Z","from":"queued","event":"claim","to":"claimed"}
//! ```
//!
//! Each line is one attempt to change one machine, in the order in which they ended. A key that is left out was not recorded:
//! the audit says what it could not compare for that reason.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::value::RawValue;

/// The version of the format. It increases when a key changes its meaning or is removed; new keys do not increase it.
pub const VERSION: u64 = 1;

/// One recorded attempt.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Attempt")]
pub struct Line<'a> {
    /// The version of the format: 1.
    pub v: u64,
    /// The machine, by its name in the spec.
    #[serde(borrow, default)]
    pub machine: Option<Text<'a>>,
    /// The identity of the instance: a text or a whole number.
    #[serde(borrow)]
    pub entity: Text<'a>,
    /// The time of the attempt in RFC 3339, in UTC, with up to six digits behind the seconds.
    #[serde(borrow, default)]
    #[schemars(with = "Option<String>")]
    pub at: Option<Text<'a>>,
    /// The state before, by its stored name; that of a machine with regions is the names of its leaves with `+` between them.
    /// `null` at creation.
    #[serde(borrow, default, deserialize_with = "told")]
    pub from: Option<Option<Text<'a>>>,
    /// The state after. `null` if the instance was deleted; left out if the attempt changed nothing.
    #[serde(borrow, default, deserialize_with = "told")]
    pub to: Option<Option<Text<'a>>>,
    /// The event, by its name in the spec; `null` for a direct transition.
    #[serde(borrow, default, deserialize_with = "told")]
    pub event: Option<Option<Text<'a>>>,
    /// The actor, by its name in the spec.
    #[serde(borrow, default)]
    pub actor: Option<Text<'a>>,
    /// The payload of the event, by field.
    #[serde(borrow, default)]
    #[schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub payload: Option<&'a RawValue>,
    /// The context before the attempt, by field; at creation, the values that were given for fields without a default.
    #[serde(borrow, default)]
    #[schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub context: Option<&'a RawValue>,
    /// The reason, if the machine refused: `guard`, for example, or `true`.
    #[serde(borrow, default)]
    pub refused: Option<Answer<'a>>,
    /// What failed, if something outside the machine did: an effect, `store`, or `true`.
    #[serde(borrow, default)]
    pub failed: Option<Answer<'a>>,
}

/// A text, or a whole number as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

/// A reason, or `true` without one; `false` as if it were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<'a> {
    /// With a reason or not.
    Yes(Option<Cow<'a, str>>),
    /// It was not.
    No,
}

impl Answer<'_> {
    /// Whether it was.
    pub fn is_yes(&self) -> bool {
        matches!(self, Answer::Yes(_))
    }
}

/// A key that is there, with its value or `null`.
fn told<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Text<'de>>>, D::Error> {
    Option::<Text<'de>>::deserialize(deserializer).map(Some)
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Texts)
    }
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a whole number")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Answer<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Answers)
    }
}

struct Answers;

impl<'de> Visitor<'de> for Answers {
    type Value = Answer<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reason, true or false")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(if value { Answer::Yes(None) } else { Answer::No })
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Answer::Yes(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Answer::Yes(Some(Cow::Owned(text.to_owned()))))
    }
}

impl JsonSchema for Text<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"] })
    }
}

impl JsonSchema for Answer<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Answer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "boolean"] })
    }
}
