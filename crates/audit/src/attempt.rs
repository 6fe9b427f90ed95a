//! One recorded attempt, whatever it was read from.

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    /// The machine changed, or accepted an event and stayed.
    #[default]
    Changed,
    /// The machine refused.
    Refused,
    /// Something outside the machine failed before the change.
    Failed,
}

/// One recorded attempt. `None` means not recorded; the inner `None` means that there is nothing: no state before creation or
/// after deletion, no event of a direct transition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attempt<'a> {
    /// The identity of the instance.
    pub entity: &'a str,
    /// The time in microseconds since 1970.
    pub at: Option<i64>,
    /// The machine.
    pub machine: Option<&'a str>,
    /// The state before.
    pub from: Option<Option<&'a str>>,
    /// The state after.
    pub to: Option<Option<&'a str>>,
    /// The event.
    pub event: Option<Option<&'a str>>,
    /// The actor.
    pub actor: Option<&'a str>,
    /// The payload, as JSON.
    pub payload: Option<&'a str>,
    /// The context before the attempt, as JSON; at creation, the values that were given.
    pub context: Option<&'a str>,
    /// The outcome.
    pub ended: Ended,
    /// Whether steps that were not stored are left out, as they are in a history of stored states.
    pub stored_only: bool,
}

/// What a reader finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item<'a> {
    /// An attempt, and its line counted from 1.
    Attempt(u64, Attempt<'a>),
    /// A line that cannot be read.
    Broken {
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong, in one sentence.
        why: String,
    },
    /// A record that is about something else.
    Skipped,
}
