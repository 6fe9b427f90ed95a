//! Configurations: what a machine is in. That is one leaf, or in a machine with regions one leaf of each that is active.

use core::fmt;

use crate::change::{Step, Steps, StepsOf};
use crate::{Named, State, UnknownName};

/// What a machine with these leaves is in: the leaf itself, or in a machine with regions the emitted type `State`.
pub type ConfigurationOf<S> = <StepsOf<S> as Steps<S>>::Configuration;

/// What a machine with the leaves `S` is in.
pub trait Configuration<S: State>: Copy + Eq + fmt::Debug + 'static {
    /// The active leaves, in the order of the spec; at least one.
    fn leaves(self) -> impl Iterator<Item = S> + Clone;

    /// Whether this leaf is active.
    fn is_active(self, leaf: S) -> bool {
        self.leaves().any(|it| it == leaf)
    }

    /// The events that some transition accepts in one of the active leaves, in the order of the spec, regardless of guards.
    fn accepted(self) -> impl Iterator<Item = S::Event> + Clone {
        let leaves = self.leaves();
        let all = S::Event::ALL.iter().copied();
        all.filter(move |event| leaves.clone().any(|it| it.events().contains(event)))
    }

    /// The leaves that a transition leads to from one of the active leaves, in the order of the spec, regardless of guards.
    fn reachable(self) -> impl Iterator<Item = S> + Clone {
        let leaves = self.leaves();
        S::ALL.iter().copied().filter(move |to| leaves.clone().any(|it| it.allows(*to)))
    }
}

/// A machine without regions is in one leaf.
impl<S: State> Configuration<S> for S {
    #[inline]
    fn leaves(self) -> impl Iterator<Item = S> + Clone {
        core::iter::once(self)
    }

    fn accepted(self) -> impl Iterator<Item = S::Event> + Clone {
        self.events().iter().copied()
    }

    fn reachable(self) -> impl Iterator<Item = S> + Clone {
        self.successors().iter().copied()
    }
}

/// What a step records beside its first row.
pub trait Crossed<S: State>: Copy + Eq {
    /// The rows taken at once with the first one.
    fn further(self) -> impl Iterator<Item = S::Row>;

    /// Whether the step leaves this leaf.
    fn leaves(step: &Step<S>, leaf: S) -> bool;

    /// Whether the step enters this leaf.
    fn enters(step: &Step<S>, leaf: S) -> bool;

    /// The nodes that the step leaves, innermost first.
    fn left(step: Step<S>) -> impl Iterator<Item = usize>;

    /// The nodes that the step enters, outermost first.
    fn entered(step: Step<S>) -> impl Iterator<Item = usize>;

    /// The positions of the composites that are done after the step.
    fn completes(step: Step<S>) -> impl Iterator<Item = usize>;
}

/// Separates the leaves of a configuration in texts. No leaf of a machine with regions has a name with this character.
pub(crate) const SEPARATOR: char = '+';

/// The names of the active leaves with the separator between them: the configuration as text.
pub fn names<S: State>(configuration: impl Configuration<S>) -> impl fmt::Display {
    Joined(configuration.leaves().map(|it| it.name()))
}

/// The same with the names in refusals.
pub(crate) fn paths<S: State>(configuration: impl Configuration<S>) -> impl fmt::Display {
    Joined(configuration.leaves().map(State::path))
}

/// The name, if it is one leaf's: only a machine with regions has configurations without a name of their own.
#[cfg(any(feature = "observe", feature = "serde"))]
pub(crate) fn only_name<S: State>(configuration: impl Configuration<S>) -> Option<&'static str> {
    let mut leaves = configuration.leaves();
    leaves.next().filter(|_| leaves.next().is_none()).map(|it| it.name())
}

struct Joined<I>(I);

impl<I: Iterator<Item = &'static str> + Clone> fmt::Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, name) in self.0.clone().enumerate() {
            if idx > 0 {
                f.write_fmt(format_args!("{SEPARATOR}"))?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// The reason why a text is no configuration of a machine with regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoConfiguration<S> {
    /// No leaf has this name.
    Unknown(UnknownName),
    /// The leaves do not go together: two of them are in one region, or a region has none.
    Apart,
    /// The second of these leaves comes first in the spec.
    Order(S, S),
}

impl<S: State> fmt::Display for NoConfiguration<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoConfiguration::Unknown(error) => error.fmt(f),
            NoConfiguration::Apart => write!(f, "a machine `{}` is never in these states at once", S::MACHINE),
            NoConfiguration::Order(a, b) => write!(f, "`{}` comes before `{}`", b.name(), a.name()),
        }
    }
}

impl<S: State> core::error::Error for NoConfiguration<S> {}
