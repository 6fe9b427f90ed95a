//! What came of a request.

use std::fmt;

use statespec::{Change, Phase, Refused, State};

use crate::{Emitted, Key, Step};

/// What a request asks for: a step of the machine with a key.
pub struct Request<'a, M, S: State, T = ()> {
    pub(crate) key: Key,
    pub(crate) step: Step<'a, M, S, T>,
    pub(crate) fence: Option<i64>,
    pub(crate) command: Option<String>,
    pub(crate) actor: Option<String>,
}

impl<M, S: State, T> fmt::Debug for Request<'_, M, S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Request");
        fields.field("key", &self.key).field("fence", &self.fence).field("command", &self.command).field("actor", &self.actor).finish()
    }
}

impl<'a, M, S: State, T> Request<'a, M, S, T> {
    /// A step of the machine with this key.
    pub fn new(key: impl Into<Key>, step: Step<'a, M, S, T>) -> Self {
        Request { key: key.into(), step, fence: None, command: None, actor: None }
    }

    /// A step of a machine that the program has in memory, ahead of its row: it was loaded, and has taken steps since then that are kept
    /// in memory only (`commit: memory_only`). The step that is stored leads on from there, if the row still has the version that was
    /// loaded.
    pub fn ahead(found: Found<M, T>, step: Step<'a, M, S, T>) -> Self
    where
        M: Send + 'a,
        T: Send + 'a,
    {
        let Found { key, machine, timers, version } = found;
        let ahead = move |stored: &mut M, running: &mut T, now| {
            (*stored, *running) = (machine, timers);
            (step.0)(stored, running, now)
        };
        Request::new(key, Step(Box::new(ahead))).fence(version)
    }

    /// Only if the machine has this version: that of a claim, or of a page that a person looks at.
    pub fn fence(mut self, version: i64) -> Self {
        self.fence = Some(version);
        self
    }

    /// Once, whoever asks and how often: a command has an id of the caller, such as a UUID.
    pub fn command(mut self, id: impl Into<String>) -> Self {
        self.command = Some(id.into());
        self
    }

    /// Who asks, for the journal: `worker-1`.
    pub fn actor(mut self, name: impl Into<String>) -> Self {
        self.actor = Some(name.into());
        self
    }
}

/// A machine as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<M, T = ()> {
    /// The key.
    pub key: Key,
    /// The machine.
    pub machine: M,
    /// The timers that run beside it.
    pub timers: T,
    /// The version.
    pub version: i64,
}

/// What a request came to. Errors of the database are none of these: see [`Error`](crate::Error).
#[derive(Debug)]
#[must_use = "only `Applied` and `Repeated` mean that it was done"]
pub enum Outcome<M, S: State, T = ()> {
    /// It was done.
    Applied(Applied<M, S, T>),
    /// A command with this id was done before, now or by another caller; nothing was done again.
    Repeated(Recorded),
    /// The machine refuses it; nothing changed. The refusal says why, and what is allowed.
    Refused(Refused<S>),
    /// The machine has another version than the fence: somebody was faster. This is what it is.
    LostRace(Found<M, T>),
    /// There is no machine with this key.
    Missing,
    /// The change has effects that must succeed before anything changes, and no transaction may be open meanwhile. Nothing changed:
    /// roll back, perform them, and [`commit`](crate::Store::commit) the plan.
    Before(Box<Planned<M, S, T>>),
    /// No timer was due.
    Nothing,
}

impl<M, S: State, T> Outcome<M, S, T> {
    /// What was done; `None` for every other outcome.
    pub fn applied(self) -> Option<Applied<M, S, T>> {
        match self {
            Outcome::Applied(it) => Some(it),
            _ => None,
        }
    }
}

/// A request that was done.
#[derive(Debug, Clone)]
pub struct Applied<M, S: State, T = ()> {
    /// The machine after it.
    pub found: Found<M, T>,
    /// The change; `None` if a timer elapsed and was refused, or if the machine is new without an event.
    pub change: Option<Change<S>>,
    /// The number of effects that are in the outbox.
    pub n_effects: usize,
}

/// What a machine that is to be created came to.
#[derive(Debug)]
#[must_use = "only `Created` and `Repeated` mean that it is there"]
pub enum Created<M, S: State, T = ()> {
    /// It was created.
    Created(Applied<M, S, T>),
    /// A command with this id was done before; nothing was done again.
    Repeated(Recorded),
    /// There is one with this key already.
    Exists(Found<M, T>),
}

/// A command that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The key of the machine, as [`Key`] shows it.
    pub entity: String,
    /// The version after it.
    pub version: i64,
    /// The stored state before it; `None` at creation.
    pub from: Option<String>,
    /// The stored state after it.
    pub to: String,
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a command that was never done can be given again under another id"]
pub enum Resolved {
    /// It was done.
    Done(Recorded),
    /// It was not done, and never will be under this id: a straggler is refused.
    Never,
}

/// A step that was taken on a copy: nothing is stored.
#[derive(Debug, Clone)]
pub struct Planned<M, S: State, T = ()> {
    pub(crate) next: Found<M, T>,
    pub(crate) from: String,
    pub(crate) change: Option<Change<S>>,
    pub(crate) event: Option<&'static str>,
    pub(crate) actor: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) effects: Vec<Emitted>,
}

impl<M, S: State, T> Planned<M, S, T> {
    /// The key of the machine.
    pub fn key(&self) -> &Key {
        &self.next.key
    }

    /// The machine as it would be.
    pub fn machine(&self) -> &M {
        &self.next.machine
    }

    /// The change; `None` if a timer elapsed and was refused.
    pub fn change(&self) -> Option<&Change<S>> {
        self.change.as_ref()
    }

    /// The effects that must succeed before anything changes, in order.
    pub fn before(&self) -> impl Iterator<Item = &Emitted> {
        self.effects.iter().filter(|it| it.phase == Phase::Before)
    }
}
