//! The rows of the spec as data.

use core::fmt;

use crate::State;

/// A row of the spec: one of the transitions of a machine.
///
/// Emitted modules write a row as it stands in the spec:
/// `Transition::new(State::Idle, EventKind::Start, State::Running).label("start")`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Transition<S: State> {
    /// Where it starts.
    pub source: Source<S>,
    /// What triggers it.
    pub trigger: Trigger<S::Event>,
    /// Where it leads.
    pub target: Target<S>,
    /// The guard as written in the spec.
    pub guard: Option<&'static str>,
    /// Effects that must succeed before anything changes.
    pub before: &'static [S::Effect],
    /// Effects after the change.
    pub effects: &'static [S::Effect],
    /// When the store is written.
    pub commit: Commit,
    /// The label that diagrams show instead of the event.
    pub label: Option<&'static str>,
    /// What the transition does.
    pub doc: Option<&'static str>,
    /// Why the transition is in the graph although the source text did not say so.
    pub inferred: Option<&'static str>,
}

impl<S: State> Transition<S> {
    /// From one leaf to one leaf, on one event.
    pub const fn new(from: S, event: S::Event, to: S) -> Self {
        Self::of(Source::Leaf(from), Trigger::Event(event), Target::To(to))
    }

    /// Any other row.
    pub const fn of(source: Source<S>, trigger: Trigger<S::Event>, target: Target<S>) -> Self {
        Transition {
            source,
            trigger,
            target,
            guard: None,
            before: &[],
            effects: &[],
            commit: Commit::PersistFirst,
            label: None,
            doc: None,
            inferred: None,
        }
    }

    /// With a guard.
    pub const fn guard(mut self, guard: &'static str) -> Self {
        self.guard = Some(guard);
        self
    }

    /// With effects that must succeed before anything changes.
    pub const fn before(mut self, effects: &'static [S::Effect]) -> Self {
        self.before = effects;
        self
    }

    /// With effects after the change.
    pub const fn effects(mut self, effects: &'static [S::Effect]) -> Self {
        self.effects = effects;
        self
    }

    /// With a state that moves before the store is written.
    pub const fn memory_first(mut self) -> Self {
        self.commit = Commit::MemoryFirst;
        self
    }

    /// With a label.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// With a description.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = Some(doc);
        self
    }

    /// With the reason why it is in the graph although the source text did not say so.
    pub const fn inferred(mut self, reason: &'static str) -> Self {
        self.inferred = Some(reason);
        self
    }

    /// Whether it starts in this leaf.
    pub fn starts_in(&self, state: S) -> bool {
        match self.source {
            Source::Creation => false,
            Source::Leaf(leaf) => leaf == state,
            Source::In(leaves) => leaves.contains(&state),
            Source::AnyBut(except) => !except.contains(&state),
        }
    }

    /// Whether this event triggers it.
    pub fn is_on(&self, event: S::Event) -> bool {
        match self.trigger {
            Trigger::Direct => false,
            Trigger::Event(it) => it == event,
            Trigger::AnyOf(events) => events.contains(&event),
        }
    }
}

/// The name of a row: a fieldless enum with a variant for each row, or [`RowNumber`] in large machines.
pub trait Row: Copy + Eq + fmt::Debug + 'static {
    /// The position in [`State::transitions`].
    fn position(self) -> usize;
}

/// The name of a row in a machine that is too large for a name each: its position in [`State::transitions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowNumber(u32);

impl RowNumber {
    /// The row at this position.
    #[doc(hidden)]
    pub const fn at(position: usize) -> Self {
        RowNumber(position as u32)
    }

    /// The position in [`State::transitions`].
    pub const fn position(self) -> usize {
        self.0 as usize
    }
}

impl Row for RowNumber {
    fn position(self) -> usize {
        self.0 as usize
    }
}

/// Implements [`Row`] for a fieldless enum with a constant `ALL`.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    ($ty:ident) => {
        impl $ty {
            #[doc(hidden)]
            pub const fn at(position: usize) -> Self {
                $ty::ALL[position]
            }

            /// The position in the list of transitions.
            pub const fn position(self) -> usize {
                self as usize
            }
        }

        impl $crate::Row for $ty {
            #[inline]
            fn position(self) -> usize {
                self as usize
            }
        }
    };
}

/// Where a transition starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source<S: 'static> {
    /// The machine is created.
    Creation,
    /// In this leaf.
    Leaf(S),
    /// In any of these leaves.
    In(&'static [S]),
    /// In every leaf but these.
    AnyBut(&'static [S]),
}

/// What triggers a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trigger<E: 'static> {
    /// No event: the caller names the target.
    Direct,
    /// This event.
    Event(E),
    /// Any of these events.
    AnyOf(&'static [E]),
}

/// Where a transition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target<S: 'static> {
    /// The machine stays in its state, which is neither left nor entered.
    Stay,
    /// To this leaf.
    To(S),
    /// To one of these leaves, named by the caller.
    OneOf(&'static [S]),
    /// To the leaf that this field of the event's payload names.
    Payload(&'static str),
    /// Nowhere: the event is refused with this text.
    Refuse(&'static str),
}

/// When the store is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Commit {
    /// Before the state moves: a failing store leaves everything as it was.
    #[default]
    PersistFirst,
    /// After the state moved: a failing store is reported.
    MemoryFirst,
}
