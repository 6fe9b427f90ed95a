//! The rows of the spec as data.

use core::fmt;

use crate::State;

/// A row of the spec: one of the transitions of a machine.
///
/// Emitted modules write a row as in the spec:
/// `Transition::new(State::Idle, EventKind::Start, State::Running).label("start")`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Transition<S: State> {
    /// The source: creation, or states.
    pub source: Source<S>,
    /// The trigger: events, or a direct transition.
    pub trigger: Trigger<S::Event>,
    /// The target.
    pub target: Target<S>,
    /// The guard as written in the spec.
    pub guard: Option<&'static str>,
    /// Effects that must succeed before anything changes.
    pub before: &'static [S::Effect],
    /// Effects after the change.
    pub effects: &'static [S::Effect],
    /// The events that the machine raises itself after the step, in order.
    pub raise: &'static [S::Event],
    /// The composite that is left and entered again in any case, by its position among the nodes.
    pub(crate) reenter: Option<u32>,
    /// The commit order.
    pub commit: Commit,
    /// The label that diagrams show instead of the event.
    pub label: Option<&'static str>,
    /// The description of the transition.
    pub doc: Option<&'static str>,
    /// The reason why the transition is in the graph although the source text does not mention it.
    pub inferred: Option<&'static str>,
}

impl<S: State> Transition<S> {
    /// A row from one leaf to one leaf, on one event.
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
            raise: &[],
            reenter: None,
            commit: Commit::PersistFirst,
            label: None,
            doc: None,
            inferred: None,
        }
    }

    /// Sets the guard.
    pub const fn guard(mut self, guard: &'static str) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Sets the effects that must succeed before anything changes.
    pub const fn before(mut self, effects: &'static [S::Effect]) -> Self {
        self.before = effects;
        self
    }

    /// Sets the effects after the change.
    pub const fn effects(mut self, effects: &'static [S::Effect]) -> Self {
        self.effects = effects;
        self
    }

    /// Sets the commit order: the state moves before the store is written.
    pub const fn memory_first(mut self) -> Self {
        self.commit = Commit::MemoryFirst;
        self
    }

    /// Sets the commit order: the store is not written.
    pub const fn memory_only(mut self) -> Self {
        self.commit = Commit::MemoryOnly;
        self
    }

    /// Sets the label.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Sets the description.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = Some(doc);
        self
    }

    /// Sets the reason why the transition is in the graph although the source text does not mention it.
    pub const fn inferred(mut self, reason: &'static str) -> Self {
        self.inferred = Some(reason);
        self
    }

    /// Whether the row starts in this leaf.
    pub fn starts_in(&self, state: S) -> bool {
        match self.source {
            Source::Creation => false,
            Source::Leaf(leaf) => leaf == state,
            Source::In(leaves) => leaves.contains(&state),
            Source::AnyBut(except) => !except.contains(&state),
        }
    }

    /// Whether this event triggers the row.
    pub fn is_on(&self, event: S::Event) -> bool {
        match self.trigger {
            Trigger::Direct | Trigger::Automatic | Trigger::Done => false,
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

/// The name of a row in a machine with too many rows for an enum: its position in [`State::transitions`].
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

/// The source of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source<S: 'static> {
    /// The creation of the machine.
    Creation,
    /// This leaf.
    Leaf(S),
    /// Any of these leaves.
    In(&'static [S]),
    /// Every leaf except these.
    AnyBut(&'static [S]),
}

/// The trigger of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trigger<E: 'static> {
    /// No event: the caller names the target of the direct transition.
    Direct,
    /// No event: the transition is taken as soon as its guard holds, after every step.
    Automatic,
    /// No event: the transition is taken when the source, a composite, has entered a terminal child.
    Done,
    /// This event.
    Event(E),
    /// Any of these events.
    AnyOf(&'static [E]),
}

/// The target of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target<S: 'static> {
    /// The machine stays in its state, which is neither left nor entered.
    Stay,
    /// This leaf.
    To(S),
    /// One of these leaves, named by the caller.
    OneOf(&'static [S]),
    /// These leaves of different regions at once.
    All(&'static [S]),
    /// The leaf that this field of the event's payload names.
    Payload(&'static str),
    /// The leaf that the context remembers; this one if it remembers none.
    History(S),
    /// No target: the event is refused with this text.
    Refuse(&'static str),
}

/// The commit order: the time when the store is written.
///
/// Several steps, or several machines, have the least of their orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Commit {
    /// Before the state moves: a failing store leaves everything unchanged.
    #[default]
    PersistFirst,
    /// After the state moved: a failing store is reported.
    MemoryFirst,
    /// Never: the change is in memory only.
    MemoryOnly,
}
