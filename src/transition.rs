//! The rows of the spec as data.

use core::fmt;

use crate::State;

/// A row of the spec: one of the transitions of a machine.
#[derive(Debug, Clone, Copy)]
pub struct Transition<S: State> {
    pub(crate) source: Source<S>,
    pub(crate) trigger: Trigger<S::Event>,
    pub(crate) target: Target<S>,
    guard: Option<&'static str>,
    before: &'static [S::Effect],
    effects: &'static [S::Effect],
    raised: &'static [S::Event],
    /// The composite that is left and entered again in any case, by its position among the nodes.
    pub(crate) reenter: Option<u32>,
    commit: Commit,
    label: Option<&'static str>,
    doc: Option<&'static str>,
    inferred: Option<&'static str>,
}

/// Emitted modules write a row as in the spec:
/// `Transition::new(State::Idle, EventKind::Start, State::Running).with_label("start")`.
#[doc(hidden)]
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
            raised: &[],
            reenter: None,
            commit: Commit::PersistFirst,
            label: None,
            doc: None,
            inferred: None,
        }
    }

    pub const fn with_guard(mut self, guard: &'static str) -> Self {
        self.guard = Some(guard);
        self
    }

    pub const fn with_before(mut self, effects: &'static [S::Effect]) -> Self {
        self.before = effects;
        self
    }

    pub const fn with_effects(mut self, effects: &'static [S::Effect]) -> Self {
        self.effects = effects;
        self
    }

    pub const fn with_raised(mut self, events: &'static [S::Event]) -> Self {
        self.raised = events;
        self
    }

    /// Sets the composite that is left and entered again even if the target lies inside it, by its position among the nodes.
    pub const fn with_reenter(mut self, node: u32) -> Self {
        self.reenter = Some(node);
        self
    }

    /// The state moves before the store is written.
    pub const fn memory_first(mut self) -> Self {
        self.commit = Commit::MemoryFirst;
        self
    }

    /// The store is not written.
    pub const fn memory_only(mut self) -> Self {
        self.commit = Commit::MemoryOnly;
        self
    }

    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = Some(doc);
        self
    }

    pub const fn with_inferred(mut self, reason: &'static str) -> Self {
        self.inferred = Some(reason);
        self
    }
}

impl<S: State> Transition<S> {
    /// The source: creation, or states.
    pub const fn source(&self) -> Source<S> {
        self.source
    }

    /// The trigger: events, or none.
    pub const fn trigger(&self) -> Trigger<S::Event> {
        self.trigger
    }

    /// The target.
    pub const fn target(&self) -> Target<S> {
        self.target
    }

    /// The guard as written in the spec.
    pub const fn guard(&self) -> Option<&'static str> {
        self.guard
    }

    /// Effects that must succeed before anything changes.
    pub const fn before(&self) -> &'static [S::Effect] {
        self.before
    }

    /// Effects after the change.
    pub const fn effects(&self) -> &'static [S::Effect] {
        self.effects
    }

    /// The events that the machine raises itself after the step, in order.
    pub const fn raised(&self) -> &'static [S::Event] {
        self.raised
    }

    /// The commit order.
    pub const fn commit(&self) -> Commit {
        self.commit
    }

    /// The label that diagrams show instead of the event.
    pub const fn label(&self) -> Option<&'static str> {
        self.label
    }

    /// The description of the transition.
    pub const fn doc(&self) -> Option<&'static str> {
        self.doc
    }

    /// The reason why the transition is in the graph although the source text does not mention it.
    pub const fn inferred(&self) -> Option<&'static str> {
        self.inferred
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

/// Writes the constant `ALL` and [`Row`] for an enum with these variants.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    // A module of an earlier format has one error, that of `__emitted`.
    ($ty:ident) => {};
    ($vis:vis $ty:ident, $n_rows:literal, [$($row:ident),* $(,)?]) => {
        impl $ty {
            /// In the order of the spec.
            $vis const ALL: [$ty; $n_rows] = [$($ty::$row),*];

            #[doc(hidden)]
            $vis const fn at(position: usize) -> Self {
                $ty::ALL[position]
            }

            /// The position in the list of transitions.
            $vis const fn position(self) -> usize {
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
