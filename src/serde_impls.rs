//! The serde implementations of names and times.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Duration, Named, Timestamp};

/// Implements serde's traits for a [`Named`] type: values are written and read by name.
/// Available with the feature `serde`.
#[macro_export]
macro_rules! named_serde {
    ($ty:ident) => {
        impl $crate::__private::serde::Serialize for $ty {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::Named::name(*self))
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $ty {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::deserialize(deserializer)
            }
        }
    };
}

/// Reads a value by its name or an alias.
pub fn deserialize<'de, N: Named, D: Deserializer<'de>>(deserializer: D) -> Result<N, D::Error> {
    deserializer.deserialize_str(NameVisitor(PhantomData))
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
