//! Values that have names.

use core::fmt;

/// A fieldless enum whose values have names: states, events, effects, actors, enumerations.
///
/// ```
/// use statespec::Named;
///
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// enum Light {
///     Red,
///     Green,
/// }
///
/// impl Named for Light {
///     const KIND: &'static str = "light";
///     const ALL: &'static [Self] = &[Light::Red, Light::Green];
///
///     fn index(self) -> usize {
///         self as usize
///     }
///
///     fn name(self) -> &'static str {
///         ["red", "green"][self.index()]
///     }
/// }
///
/// assert_eq!(Light::parse("green"), Ok(Light::Green));
/// assert_eq!(
///     Light::parse("gren").unwrap_err().to_string(),
///     "`gren` is no light: expected `red` or `green`",
/// );
/// ```
pub trait Named: Copy + Eq + fmt::Debug + 'static {
    /// The kind of the values, in the singular: "state", "event".
    const KIND: &'static str;

    /// All values, in the order of the spec.
    const ALL: &'static [Self];

    /// Other names that [`Named::parse`] accepts.
    const ALIASES: &'static [(&'static str, Self)] = &[];

    /// Whether [`Named::parse`] ignores ASCII case.
    const IGNORE_CASE: bool = false;

    /// The position in [`Named::ALL`].
    fn index(self) -> usize;

    /// The name by which the value is stored and sent.
    fn name(self) -> &'static str;

    /// The value with this name or alias.
    fn parse(name: &str) -> Result<Self, UnknownName> {
        let is_it = |known: &str| if Self::IGNORE_CASE { known.eq_ignore_ascii_case(name) } else { known == name };
        let by_name = Self::ALL.iter().copied().find(|it| is_it(it.name()));
        let by_alias = || Self::ALIASES.iter().find(|(alias, _)| is_it(alias)).map(|(_, it)| *it);
        by_name.or_else(by_alias).ok_or_else(|| UnknownName::new::<Self>(name))
    }
}

/// Implements [`Named`], `Display` and `FromStr` for an enum with a constant `ALL` and a method `name`.
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// enum Light {
///     Red,
///     Green,
/// }
///
/// impl Light {
///     const ALL: [Light; 2] = [Light::Red, Light::Green];
///
///     const fn name(self) -> &'static str {
///         ["red", "green"][self as usize]
///     }
/// }
///
/// statespec::named!(Light, "light", ignore_case = true, aliases = [("go", Light::Green)]);
///
/// assert_eq!(Light::Red.to_string(), "red");
/// assert_eq!("RED".parse(), Ok(Light::Red));
/// assert_eq!("go".parse(), Ok(Light::Green));
/// ```
#[macro_export]
macro_rules! named {
    ($ty:ident, $kind:literal, ignore_case = $ignore_case:literal, aliases = [$($alias:expr),* $(,)?] $(,)?) => {
        $crate::__named!($ty, $kind, [as usize], ignore_case = $ignore_case, aliases = [$($alias),*]);
        $crate::__display!($ty);
        $crate::__from_str!($ty);
    };
    ($ty:ident, $kind:literal) => {
        $crate::named!($ty, $kind, ignore_case = false, aliases = []);
    };
}

/// Writes the constant `ALL` and the method `name` of an enum with these variants; `as usize` or `.index()` is the position of a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __names {
    ($vis:vis $ty:ident, $kind:literal, [$($index:tt)*], $n_values:literal, [$($variant:ident($name:literal)),* $(,)?]) => {
        impl $ty {
            /// In the order of the spec.
            $vis const ALL: [$ty; $n_values] = [$($ty::$variant),*];

            #[doc = concat!("The name of the ", $kind, " that is stored and sent.")]
            #[inline]
            $vis const fn name(self) -> &'static str {
                const NAMES: &[&str; $n_values] = &[$($name),*];
                NAMES[self $($index)*]
            }
        }
    };
}

/// The names of an emitted fieldless enum: `ALL` and `name`, what [`named`] implements and, on request, serde.
#[doc(hidden)]
#[macro_export]
macro_rules! __unit_enum {
    (
        $vis:vis $ty:ident, $kind:literal, $n_values:literal, $names:tt
        $(, ignore_case = $ignore_case:literal, aliases = $aliases:tt)?
        $(, $(#[$condition:meta])* serde)?
    ) => {
        $crate::__names!($vis $ty, $kind, [as usize], $n_values, $names);
        $crate::named!($ty, $kind $(, ignore_case = $ignore_case, aliases = $aliases)?);
        $($(#[$condition])* $crate::named_serde!($ty);)?
    };
}

/// Implements [`Named`] only; `as usize` or `.index()` is the position of a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($ty:ident, $kind:literal, [$($index:tt)*], ignore_case = $ignore_case:literal, aliases = [$($alias:expr),*]) => {
        impl $crate::Named for $ty {
            const KIND: &'static str = $kind;
            const ALL: &'static [Self] = &$ty::ALL;
            const ALIASES: &'static [(&'static str, Self)] = &[$($alias),*];
            const IGNORE_CASE: bool = $ignore_case;

            #[inline]
            fn index(self) -> usize {
                self $($index)*
            }

            #[inline]
            fn name(self) -> &'static str {
                $ty::name(self)
            }
        }
    };
}

/// Implements `Display` only.
#[doc(hidden)]
#[macro_export]
macro_rules! __display {
    ($ty:ident) => {
        impl ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad($ty::name(*self))
            }
        }
    };
}

/// Implements `FromStr` only.
#[doc(hidden)]
#[macro_export]
macro_rules! __from_str {
    ($ty:ident) => {
        impl ::core::str::FromStr for $ty {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::core::result::Result<Self, $crate::UnknownName> {
                $crate::Named::parse(name)
            }
        }
    };
}

/// A type without values: the events of a machine without events, the effects of a machine without effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Never {}

impl Named for Never {
    const KIND: &'static str = "value";
    const ALL: &'static [Self] = &[];

    fn index(self) -> usize {
        match self {}
    }

    fn name(self) -> &'static str {
        match self {}
    }
}

/// The error of [`Named::parse`]: no value has the given name.
#[derive(Clone, Copy)]
pub struct UnknownName {
    given: Excerpt,
    kind: &'static str,
    name_at: fn(usize) -> Option<&'static str>,
}

impl UnknownName {
    fn new<N: Named>(given: &str) -> Self {
        UnknownName { given: Excerpt::new(given), kind: N::KIND, name_at: |index| N::ALL.get(index).map(|it| it.name()) }
    }

    /// The given text, truncated if it is long.
    pub fn given(&self) -> &str {
        self.given.as_str()
    }

    /// The expected kind of value: "state", "event".
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The expected names.
    pub fn expected(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        (0..).map_while(self.name_at)
    }
}

impl PartialEq for UnknownName {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.given == other.given && self.expected().eq(other.expected())
    }
}

impl Eq for UnknownName {}

impl fmt::Debug for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnknownName").field("given", &self.given()).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no {}", self.given, self.kind)?;
        // A long list would hide the message; the spec contains it.
        if self.expected().count() <= 12 {
            f.write_str(": expected ")?;
            write_names(f, self.expected(), "or")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownName {}

/// Writes which actors may do something: "only `user` or `agent`".
pub fn write_actors<A: Named>(f: &mut fmt::Formatter<'_>, actors: &'static [A]) -> fmt::Result {
    f.write_str("only ")?;
    write_names(f, actors.iter().map(|it| it.name()), "or")
}

/// Writes "`a`, `b` or `c`".
pub(crate) fn write_names(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = &'static str> + Clone, last: &str) -> fmt::Result {
    let n_names = names.clone().count();
    if n_names == 0 {
        return f.write_str("nothing");
    }
    for (index, name) in names.enumerate() {
        match index {
            0 => {}
            _ if index + 1 == n_names => write!(f, " {last} ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "`{name}`")?;
    }
    Ok(())
}

/// The beginning of a text, stored without an allocator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Excerpt {
    bytes: [u8; Excerpt::CAPACITY],
    len: u8,
    cut: bool,
}

impl Excerpt {
    const CAPACITY: usize = 46;

    /// Copies as many whole characters as fit.
    pub(crate) fn new(text: &str) -> Self {
        let mut len = text.len().min(Self::CAPACITY);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; Self::CAPACITY];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Excerpt { bytes, len: len as u8, cut: len < text.len() }
    }

    /// The copied part.
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        if self.cut { f.write_str("…") } else { Ok(()) }
    }
}
