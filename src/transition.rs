//! The rows of the spec as data.

use crate::State;

/// One row of the spec.
#[derive(Debug, Clone, Copy)]
pub struct Transition<S: State> {
    /// Where it starts.
    pub from: Source<S>,
    /// What triggers it; empty when it is taken by naming its target.
    pub events: &'static [S::Event],
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
    /// A row with a source, events and a target, and nothing else.
    pub const fn new(from: Source<S>, events: &'static [S::Event], to: Target<S>) -> Self {
        Transition {
            from,
            events,
            to,
            guard: None,
            before: &[],
            effects: &[],
            commit: Commit::PersistFirst,
            label: None,
            doc: None,
            inferred: None,
        }
    }
}

/// Where a transition starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<S: 'static> {
    /// At birth.
    Birth,
    /// In any of these leaves.
    In(&'static [S]),
    /// In every leaf but these.
    AnyBut(&'static [S]),
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
