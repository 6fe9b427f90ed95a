//! The rows of the spec as data.

use crate::State;

/// One row of the spec.
///
/// Rows are written like this: `Transition::new(State::Idle, EventKind::Start, State::Running)`, and
/// those that say more as `Row::new(…).label("start").done()`.
#[derive(Debug, Clone, Copy)]
pub enum Transition<S: State> {
    /// From one leaf to one leaf, on one event.
    Plain(S, S::Event, S),
    /// Any other row.
    Full(&'static Row<S>),
}

/// A row of the spec, written out.
#[derive(Debug, Clone, Copy)]
pub struct Row<S: State> {
    /// Where it starts.
    pub from: Source<S>,
    /// What takes it.
    pub on: Trigger<S::Event>,
    /// What it comes to.
    pub to: Target<S>,
    /// The guard as written in the spec.
    pub guard: Option<&'static str>,
    /// Effects that must succeed before anything changes.
    pub before: &'static [S::Effect],
    /// Effects after the change.
    pub effects: &'static [S::Effect],
    /// When the store is written.
    pub commit: Commit,
    /// What diagrams show instead of the event.
    pub label: Option<&'static str>,
    /// What it does.
    pub doc: Option<&'static str>,
    /// Why it is in the graph although the source text did not say so.
    pub inferred: Option<&'static str>,
}

impl<S: State> Transition<S> {
    /// The row, written out.
    pub const fn row(&self) -> Row<S> {
        match self {
            Transition::Plain(from, event, to) => Row::new(*from, *event, *to),
            Transition::Full(row) => **row,
        }
    }

    /// Where it starts.
    pub const fn from(&self) -> Source<S> {
        match self {
            Transition::Plain(from, ..) => Source::Leaf(*from),
            Transition::Full(row) => row.from,
        }
    }

    /// What takes it.
    pub const fn on(&self) -> Trigger<S::Event> {
        match self {
            Transition::Plain(_, event, _) => Trigger::Event(*event),
            Transition::Full(row) => row.on,
        }
    }

    /// What it comes to.
    pub const fn to(&self) -> Target<S> {
        match self {
            Transition::Plain(_, _, to) => Target::To(*to),
            Transition::Full(row) => row.to,
        }
    }

    /// Whether a guard must hold.
    pub const fn is_guarded(&self) -> bool {
        matches!(self, Transition::Full(Row { guard: Some(_), .. }))
    }

    /// Whether it starts in this leaf.
    pub fn starts_in(&self, state: S) -> bool {
        match self.from() {
            Source::Birth => false,
            Source::Leaf(leaf) => leaf == state,
            Source::In(leaves) => leaves.contains(&state),
            Source::AnyBut(except) => !except.contains(&state),
        }
    }

    /// Whether this event takes it.
    pub fn is_on(&self, event: S::Event) -> bool {
        match self.on() {
            Trigger::Wish => false,
            Trigger::Event(it) => it == event,
            Trigger::AnyOf(events) => events.contains(&event),
        }
    }
}

impl<S: State> Row<S> {
    /// From one leaf to one leaf, on one event.
    pub const fn new(from: S, event: S::Event, to: S) -> Self {
        Self::of(Source::Leaf(from), Trigger::Event(event), Target::To(to))
    }

    /// Any other row.
    pub const fn of(from: Source<S>, on: Trigger<S::Event>, to: Target<S>) -> Self {
        Row { from, on, to, guard: None, before: &[], effects: &[], commit: Commit::PersistFirst, label: None, doc: None, inferred: None }
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

    /// With the reason why it is there although the source text did not say so.
    pub const fn inferred(mut self, reason: &'static str) -> Self {
        self.inferred = Some(reason);
        self
    }
}

/// Where a transition starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<S: 'static> {
    /// At birth.
    Birth,
    /// In this leaf.
    Leaf(S),
    /// In any of these leaves.
    In(&'static [S]),
    /// In every leaf but these.
    AnyBut(&'static [S]),
}

/// What takes a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger<E: 'static> {
    /// Asking for its target by name.
    Wish,
    /// This event.
    Event(E),
    /// Any of these events.
    AnyOf(&'static [E]),
}

/// What a transition comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<S: 'static> {
    /// The machine stays where it is; nothing is left or entered.
    Stay,
    /// This leaf.
    To(S),
    /// One of these leaves, named by the caller.
    OneOf(&'static [S]),
    /// The leaf that this field of the event's payload names.
    Payload(&'static str),
    /// The event is turned down with this text.
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
