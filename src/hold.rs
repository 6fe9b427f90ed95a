//! The types of a program that hold the values of a spec.

use core::fmt;

use crate::{Duration, Timestamp};

/// A type of yours that holds values of a spec: `T` is the type that the façade has for them.
///
/// | in the spec | `T` | held by |
/// | --- | --- | --- |
/// | `int` | `i64` | all integers of Rust |
/// | `decimal` | [`Decimal`](rust_decimal::Decimal) | |
/// | `duration` | [`Duration`] | `std::time::Duration`, `chrono::TimeDelta`, `jiff::SignedDuration` |
/// | `timestamp` | [`Timestamp`] | `std::time::SystemTime`, `chrono::DateTime<Utc>`, `jiff::Timestamp` |
///
/// Implement it for a type of your own. A value that does not fit is `None`: the event that needs it is refused, with
/// [`Reason::OutOfRange`](crate::Reason::OutOfRange), and nothing changes.
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// struct Percent(u8);
///
/// impl statespec::Holds<i64> for Percent {
///     fn load(self) -> Option<i64> {
///         Some(self.0.into())
///     }
///
///     fn store(value: i64) -> Option<Self> {
///         u8::try_from(value).ok().filter(|it| *it <= 100).map(Percent)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold values of type `{T}`",
    label = "the spec has values of type `{T}` here",
    note = "`i64` is for `int`, `Decimal` for `decimal`, `Duration` for `duration`, `Timestamp` for `timestamp`",
    note = "implement `statespec::Holds<{T}>` for a type of your own; the times of `std`, chrono and jiff need the feature of that name"
)]
pub trait Holds<T>: Copy {
    /// The value, for the guards and assignments of the spec; `None` if it is out of their range.
    fn load(self) -> Option<T>;

    /// Holds a value; `None` if it is out of the range of this type.
    fn store(value: T) -> Option<Self>;

    /// The value of a field.
    #[doc(hidden)]
    #[inline]
    fn load_field(self, field: &'static str) -> Result<T, OutOfRange> {
        self.load().ok_or(OutOfRange { field })
    }

    /// Holds the value of a field.
    #[doc(hidden)]
    #[inline]
    fn store_field(value: T, field: &'static str) -> Result<Self, OutOfRange> {
        Self::store(value).ok_or(OutOfRange { field })
    }
}

/// A value of a field is out of the range of the type that is to hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    field: &'static str,
}

impl OutOfRange {
    /// The error of a field.
    #[doc(hidden)]
    #[inline]
    pub const fn of(field: &'static str) -> Self {
        OutOfRange { field }
    }

    /// The name of the field in the spec; a field of a payload begins with `event.`.
    pub const fn field(self) -> &'static str {
        self.field
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is out of range", self.field)
    }
}

impl core::error::Error for OutOfRange {}

/// A type equal to `T`, perhaps by an alias.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is another type than `{T}`, so the default of this field may not fit",
    label = "the default is of type `{T}`",
    note = "for a type of your own, implement `statespec::Holds<{T}>` and mark the field with `#[machine(held)]`: `new` then returns a `Result`"
)]
pub trait Is<T> {
    /// The same value.
    fn load_field(self) -> T;

    /// The same value.
    fn store_field(value: T) -> Self;
}

impl<T> Is<T> for T {
    #[inline]
    fn load_field(self) -> T {
        self
    }

    #[inline]
    fn store_field(value: T) -> Self {
        value
    }
}

/// The value of a field in the text of a message.
#[derive(Debug, Clone, Copy)]
pub struct Shown<T>(pub Option<T>);

impl<T: fmt::Display> fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("out of range"),
        }
    }
}

/// Types that hold themselves.
macro_rules! holds_itself {
    ($($ty:ty),*) => {$(
        impl Holds<$ty> for $ty {
            #[inline]
            fn load(self) -> Option<$ty> {
                Some(self)
            }

            #[inline]
            fn store(value: $ty) -> Option<Self> {
                Some(value)
            }
        }
    )*};
}

holds_itself!(i64, Duration, Timestamp);
#[cfg(feature = "decimal")]
holds_itself!(crate::Decimal);

/// Types with conversions.
macro_rules! holds_by_conversion {
    ($($value:ty: $($ty:ty),*;)*) => {$($(
        impl Holds<$value> for $ty {
            #[inline]
            fn load(self) -> Option<$value> {
                self.try_into().ok()
            }

            #[inline]
            fn store(value: $value) -> Option<Self> {
                value.try_into().ok()
            }
        }
    )*)*};
}

holds_by_conversion! {
    i64: i8, i16, i32, i128, isize, u8, u16, u32, u64, u128, usize;
    Duration: core::time::Duration;
}
#[cfg(feature = "std")]
holds_by_conversion!(Timestamp: std::time::SystemTime;);
#[cfg(feature = "chrono")]
holds_by_conversion! {
    Timestamp: chrono::DateTime<chrono::Utc>;
    Duration: chrono::TimeDelta;
}
#[cfg(feature = "jiff")]
holds_by_conversion! {
    Timestamp: jiff::Timestamp;
    Duration: jiff::SignedDuration;
}
