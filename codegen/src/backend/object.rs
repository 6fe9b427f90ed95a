//! Objects and lists for serde that hold references, and functions for their elements.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// An object with these keys, in this order.
macro_rules! object {
    ($($fields:tt)*) => { $crate::backend::object::Object($crate::backend::object::fields!($($fields)*)) };
}

macro_rules! fields {
    () => { $crate::backend::object::NoMore };
    ($key:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::backend::object::Field($key, $value, $crate::backend::object::fields!($($($rest)*)?))
    };
}

pub(crate) use {fields, object};

/// See [`object!`].
pub(crate) struct Object<F>(pub(crate) F);

/// A key, its value, and the fields behind it.
pub(crate) struct Field<V, R>(pub(crate) &'static str, pub(crate) V, pub(crate) R);

/// Behind the last field.
pub(crate) struct NoMore;

pub(crate) trait Fields {
    const LEN: usize;

    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

impl Fields for NoMore {
    const LEN: usize = 0;

    fn put<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<V: Serialize, R: Fields> Fields for Field<V, R> {
    const LEN: usize = 1 + R::LEN;

    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(self.0, &self.1)?;
        self.2.put(map)
    }
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(F::LEN))?;
        self.0.put(&mut map)?;
        map.end()
    }
}

/// An object whose keys are names of a spec.
pub(crate) struct Pairs<I>(pub(crate) I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Pairs<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// What a function makes of each item.
pub(crate) struct List<I, F>(I, F);

pub(crate) fn list<I: IntoIterator<IntoIter: Clone>, R, F: Fn(I::Item) -> R>(items: I, to_json: F) -> List<I::IntoIter, F> {
    List(items.into_iter(), to_json)
}

impl<I: Iterator + Clone, R: Serialize, F: Fn(I::Item) -> R> Serialize for List<I, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone().map(&self.1))
    }
}
