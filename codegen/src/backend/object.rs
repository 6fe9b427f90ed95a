//! JSON objects and lists that serialize from references and functions without a tree, and their layout.

use std::io::{Result, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::Formatter;

/// An object with these keys, in this order. A key with `?` is absent where its value is `None`.
macro_rules! object {
    ($($fields:tt)*) => { $crate::backend::object::Object($crate::backend::object::fields!($($fields)*)) };
}

macro_rules! fields {
    () => { $crate::backend::object::NoMore };
    ($key:literal?: $value:expr $(, $($rest:tt)*)?) => {
        $crate::backend::object::MaybeField($key, $value, $crate::backend::object::fields!($($($rest)*)?))
    };
    ($key:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::backend::object::Field($key, $value, $crate::backend::object::fields!($($($rest)*)?))
    };
}

pub(crate) use {fields, object};

/// See [`object!`].
pub(crate) struct Object<F>(pub(crate) F);

/// A key, its value, and the following fields.
pub(crate) struct Field<V, R>(pub(crate) &'static str, pub(crate) V, pub(crate) R);

/// A key that may be absent, its value, and the following fields.
pub(crate) struct MaybeField<V, R>(pub(crate) &'static str, pub(crate) Option<V>, pub(crate) R);

/// The end of the fields.
pub(crate) struct NoMore;

pub(crate) trait Fields {
    fn len(&self) -> usize;

    fn put<M: SerializeMap>(&self, map: &mut M) -> std::result::Result<(), M::Error>;
}

impl Fields for NoMore {
    fn len(&self) -> usize {
        0
    }

    fn put<M: SerializeMap>(&self, _: &mut M) -> std::result::Result<(), M::Error> {
        Ok(())
    }
}

impl<V: Serialize, R: Fields> Fields for Field<V, R> {
    fn len(&self) -> usize {
        1 + self.2.len()
    }

    fn put<M: SerializeMap>(&self, map: &mut M) -> std::result::Result<(), M::Error> {
        map.serialize_entry(self.0, &self.1)?;
        self.2.put(map)
    }
}

impl<V: Serialize, R: Fields> Fields for MaybeField<V, R> {
    fn len(&self) -> usize {
        usize::from(self.1.is_some()) + self.2.len()
    }

    fn put<M: SerializeMap>(&self, map: &mut M) -> std::result::Result<(), M::Error> {
        if let Some(value) = &self.1 {
            map.serialize_entry(self.0, value)?;
        }
        self.2.put(map)
    }
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.put(&mut map)?;
        map.end()
    }
}

/// An object whose keys are names of a spec.
pub(crate) struct Pairs<I>(pub(crate) I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Pairs<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// A list with the result of a function for each item.
pub(crate) struct List<I, F>(I, F);

pub(crate) fn list<I: IntoIterator<IntoIter: Clone>, R, F: Fn(I::Item) -> R>(items: I, to_json: F) -> List<I::IntoIter, F> {
    List(items.into_iter(), to_json)
}

impl<I: Iterator + Clone, R: Serialize, F: Fn(I::Item) -> R> Serialize for List<I, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone().map(&self.1))
    }
}

/// The layout of [`serde_json::ser::PrettyFormatter`]; a line end and its indent are one write, because there are many.
#[derive(Default)]
pub(crate) struct Indented {
    depth: usize,
    /// Whether the innermost array or object has an element.
    filled: bool,
}

/// A line end with the maximum usual indent.
const LINE: &[u8] = b",\n                ";

impl Indented {
    fn line<W: ?Sized + Write>(&self, out: &mut W, comma: bool) -> Result<()> {
        let start = usize::from(!comma);
        let width = 2 * self.depth;
        match LINE.get(start..2 + width) {
            Some(line) => out.write_all(line),
            None => write!(out, "{}{:width$}", if comma { ",\n" } else { "\n" }, ""),
        }
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, sign: &[u8]) -> Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(sign)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, sign: &[u8]) -> Result<()> {
        self.depth -= 1;
        if self.filled {
            self.line(out, false)?;
        }
        out.write_all(sign)
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.line(out, !first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.line(out, !first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        self.filled = true;
        Ok(())
    }
}
