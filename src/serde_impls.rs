//! The serde implementations of names and times.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::configuration::{ConfigurationOf, names, only_name};
use crate::timers::named as named_timer;
use crate::{Change, Duration, Ended, Named, Reason, Refused, State, Step, Timers, Timestamp};

/// Implements serde's traits for a [`Named`] type: values are written and read by name.
/// Available with the feature `serde`.
#[macro_export]
macro_rules! named_serde {
    ($ty:ident) => {
        impl $crate::__private::serde::Serialize for $ty {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::named::serialize(self, serializer)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $ty {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::named::deserialize(deserializer)
            }
        }
    };
}

/// Values by name, for fields whose type may have no implementation of its own: `#[serde(with = "…")]`.
pub mod named {
    use super::*;

    /// Writes the name.
    pub fn serialize<N: Named, S: Serializer>(value: &N, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.name())
    }

    /// Reads a value by its name or an alias.
    pub fn deserialize<'de, N: Named, D: Deserializer<'de>>(deserializer: D) -> Result<N, D::Error> {
        deserializer.deserialize_str(NameVisitor(PhantomData))
    }
}

/// The same for values that may be null.
pub mod named_option {
    use super::*;

    /// Writes the name, or null.
    pub fn serialize<N: Named, S: Serializer>(value: &Option<N>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|it| it.name()).serialize(serializer)
    }

    /// Reads a value by its name or an alias, or null.
    pub fn deserialize<'de, N: Named, D: Deserializer<'de>>(deserializer: D) -> Result<Option<N>, D::Error> {
        Ok(Option::<ByName<N>>::deserialize(deserializer)?.map(|it| it.0))
    }

    struct ByName<N>(N);

    impl<'de, N: Named> Deserialize<'de> for ByName<N> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            named::deserialize(deserializer).map(ByName)
        }
    }
}

struct NameVisitor<N>(PhantomData<N>);

impl<N: Named> Visitor<'_> for NameVisitor<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of one {}", N::KIND)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<N, E> {
        N::parse(name).map_err(E::custom)
    }
}

/// Serialized as microseconds.
impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.as_micros())
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Duration::from_micros)
    }
}

/// Serialized as microseconds since 1970-01-01T00:00:00Z.
impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.as_micros())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Timestamp::from_micros)
    }
}

/// Serialized for logs: `{"machine": …, "from": …, "to": …, "steps": […], "effects": […]}`, with the names of the spec.
impl<S: State> Serialize for Change<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut fields = serializer.serialize_struct("Change", 5)?;
        fields.serialize_field("machine", S::MACHINE)?;
        fields.serialize_field("from", &self.from().map(Text::<S>))?;
        fields.serialize_field("to", &Text::<S>(self.to()))?;
        fields.serialize_field("steps", self.steps())?;
        fields.serialize_field("effects", &Names(|| self.effects().map(|it| it.name())))?;
        fields.end()
    }
}

/// A configuration, written as its text.
struct Text<S: State>(ConfigurationOf<S>);

impl<S: State> Serialize for Text<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        match only_name::<S>(self.0) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.collect_str(&names::<S>(self.0)),
        }
    }
}

/// Serialized as `{"from": …, "to": …}`.
impl<S: State> Serialize for Step<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut fields = serializer.serialize_struct("Step", 2)?;
        fields.serialize_field("from", &self.from().map(Text::<S>))?;
        fields.serialize_field("to", &Text::<S>(self.to()))?;
        fields.end()
    }
}

/// Serialized for logs and answers: `{"machine": …, "from": …, "event": …, "to": …, "reason": …, "message": …, "allowed": […]}`.
impl<S: State> Serialize for Refused<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut fields = serializer.serialize_struct("Refused", 7)?;
        fields.serialize_field("machine", S::MACHINE)?;
        fields.serialize_field("from", &self.from().map(Text::<S>))?;
        fields.serialize_field("event", &self.event().map(|it| it.name()))?;
        fields.serialize_field("to", &self.to().map(|it| it.name()))?;
        fields.serialize_field("reason", &self.reason())?;
        fields.serialize_field("message", &format_args!("{self}"))?;
        fields.serialize_field("allowed", &Names(|| self.allowed().map(|it| it.name())))?;
        fields.end()
    }
}

/// Serialized as a map from the names of the running timers to the moments at which they started.
impl<S: State, const N: usize> Serialize for Timers<S, N> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_map(self.started().map(|(timer, started)| (timer.name(), started)))
    }
}

/// A timer that the machine no longer has is ignored.
impl<'de, S: State, const N: usize> Deserialize<'de> for Timers<S, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TimersVisitor(PhantomData))
    }
}

struct TimersVisitor<S, const N: usize>(PhantomData<S>);

impl<'de, S: State, const N: usize> Visitor<'de> for TimersVisitor<S, N> {
    type Value = Timers<S, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from timers to moments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut timers = Timers::new();
        while let Some(TimerName(timer)) = map.next_key::<TimerName<S>>()? {
            match timer {
                Some(timer) => timers.set(timer, Some(map.next_value()?)),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(timers)
    }
}

/// The name of a timer; `None` for a name that no timer has.
struct TimerName<S: State>(Option<S::Event>);

impl<'de, S: State> Deserialize<'de> for TimerName<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TimerNameVisitor::<S>(PhantomData)).map(TimerName)
    }
}

struct TimerNameVisitor<S>(PhantomData<S>);

impl<S: State> Visitor<'_> for TimerNameVisitor<S> {
    type Value = Option<S::Event>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a timer")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(named_timer::<S>(name))
    }
}

/// Serialized by its name.
impl Serialize for Reason {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Serialized by its name.
impl Serialize for Ended {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A list of names.
struct Names<F>(F);

impl<F: Fn() -> I, I: Iterator<Item = &'static str>> Serialize for Names<F> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_seq((self.0)())
    }
}
