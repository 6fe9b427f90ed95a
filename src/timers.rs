//! Timers: which of them run, since when, and which is due next. Nothing here reads a clock.

use core::fmt;
use core::marker::PhantomData;

use crate::change::{Step, ancestors};
use crate::configuration::{Configuration, ConfigurationOf};
use crate::state::Graph;
use crate::{Change, Duration, Machine, Named, OutOfRange, Refused, RunError, State, Timestamp};

/// A machine with timers: rows of the spec with `after`.
///
/// Emitted machines implement it; their method `timers` lists the timers that run now.
pub trait Timed: Durations<Of = <Self as Timed>::State> {
    /// The states.
    type State: State;
}

impl<M: Durations> Timed for M {
    type State = M::Of;
}

/// The durations of the timers of a machine, which emitted code implements.
pub trait Durations {
    /// The states.
    type Of: State;

    /// The current state.
    fn state(&self) -> ConfigurationOf<Self::Of>;

    /// The duration of a timer, as the context has it now; `None` for another event.
    fn after(&self, timer: <Self::Of as State>::Event) -> Result<Option<Duration>, OutOfRange>;
}

/// A machine whose timers elapse as values of type `E`: the emitted type `Recorded`.
pub trait Elapse<E>: Timed + Elapses<E> {}

impl<E, M: Elapses<E>> Elapse<E> for M {}

/// The events with which the timers of a machine elapse; emitted code implements it.
pub trait Elapses<E>: Durations {
    /// What happens when a timer elapses; `None` for an event that is no timer.
    fn elapsed(timer: <Self::Of as State>::Event) -> Option<E>;
}

/// A timer that has elapsed, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed<S: State, E> {
    /// The timer.
    pub timer: S::Event,
    /// The timer as an entry of a history, for a step that was taken: the emitted type `Recorded`.
    pub recorded: E,
    /// The moment at which it was due.
    pub due: Timestamp,
    /// The change, or the refusal, such as that no guard holds. The timer is over in both cases.
    pub result: Result<Change<S>, Refused<S>>,
}

/// The events of a machine, without their payloads.
type EventOf<M> = <<M as Timed>::State as State>::Event;

/// A timer of a graph.
#[derive(Debug, Clone, Copy)]
pub struct Timer<E: 'static> {
    event: E,
    nodes: &'static [u32],
}

impl<E> Timer<E> {
    /// A timer that elapses with an event, and the positions of its states among the nodes.
    pub const fn new(event: E, nodes: &'static [u32]) -> Self {
        Timer { event, nodes }
    }

    /// The event with which it elapses.
    pub(crate) const fn event(&self) -> &E {
        &self.event
    }

    /// Whether it runs in a state.
    fn runs<S: State>(&self, state: ConfigurationOf<S>) -> bool {
        state.leaves().any(|leaf| ancestors::<S>(Some(leaf.index())).any(|node| self.is_of(node)))
    }

    fn is_of(&self, node: usize) -> bool {
        self.nodes.iter().any(|it| *it as usize == node)
    }
}

/// The timers of the current state with their durations.
pub fn running<M: Timed>(machine: &M) -> impl Iterator<Item = (EventOf<M>, Duration)> {
    let state = machine.state();
    M::State::TIMERS.iter().filter(move |it| it.runs::<M::State>(state)).map(|it| (it.event, duration(machine, it.event)))
}

/// The duration of a timer. One that is out of range is the longest.
fn duration<M: Timed>(machine: &M, timer: EventOf<M>) -> Duration {
    match machine.after(timer) {
        Ok(Some(duration)) => duration,
        Ok(None) | Err(_) => Duration::MAX,
    }
}

/// The running timers of one machine, with the moments at which they started. Store it with the machine.
///
/// The program tells it the time: at creation, and with each change. It tells which timer is due next.
/// A timer starts when its state is entered, and ends when that state is left or when the timer has elapsed.
/// Its duration is read from the machine as it is: a step that changes the duration changes the moment.
///
/// ```
/// use statespec::{Duration, Timestamp};
/// use statespec_machines::traffic_light::{Event, EventKind, State, Timers, TrafficLight};
///
/// let mut now: Timestamp = "2026-07-01T12:00:00Z".parse()?;
/// let mut light = TrafficLight::new();
/// let mut timers = Timers::start(light.state(), now);
/// assert!(timers.elapse(&mut light, now).is_none()); // Nothing is due.
///
/// while let Some((_, due)) = timers.next_due(&light) {
///     now = now.max(due); // A program sleeps until then, or until another event comes.
///     timers.elapse(&mut light, now);
///     if light.state() == State::Green {
///         break;
///     }
/// }
/// assert_eq!(now.to_string(), "2026-07-01T12:00:30Z");
///
/// timers.observe(&light.apply(Event::Press)?, now);
/// assert_eq!(timers.next_due(&light), Some((EventKind::RequestedTimeout, now + Duration::from_seconds(10))));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Timers<S: State, const N: usize> {
    /// In the order of [`State::TIMERS`].
    started: [Option<Timestamp>; N],
    of: PhantomData<S>,
}

impl<S: State, const N: usize> Timers<S, N> {
    /// No timer runs: there is no machine yet. Its creation is a change that starts timers.
    pub const fn new() -> Self {
        Timers { started: [None; N], of: PhantomData }
    }

    /// All timers of a state start now: those of a machine that is new without an event, or that was stored without its timers.
    pub fn start(state: ConfigurationOf<S>, now: Timestamp) -> Self {
        let mut timers = Self::new();
        for (started, timer) in timers.started.iter_mut().zip(S::TIMERS) {
            *started = timer.runs::<S>(state).then_some(now);
        }
        timers
    }

    /// The timers as they were stored: those that ran, with the moments at which they started.
    pub fn restore(started: impl IntoIterator<Item = (S::Event, Timestamp)>) -> Self {
        let mut timers = Self::new();
        for (timer, moment) in started {
            timers.set(timer, Some(moment));
        }
        timers
    }

    /// The running timers with the moments at which they started, to be stored.
    pub fn started(&self) -> impl Iterator<Item = (S::Event, Timestamp)> {
        self.started.iter().zip(S::TIMERS).filter_map(|(started, timer)| Some((timer.event, (*started)?)))
    }

    /// Starts and ends timers after a change, which may be a creation.
    pub fn observe(&mut self, change: &Change<S>, now: Timestamp) {
        change.steps().iter().for_each(|step| self.follow(step, now));
    }

    fn follow(&mut self, step: &Step<S>, now: Timestamp) {
        for (started, timer) in self.started.iter_mut().zip(S::TIMERS) {
            if step.left().any(|node| timer.is_of(node)) || step.transitions().any(|it| it.is_on(timer.event)) {
                *started = None;
            }
            if step.entered().any(|node| timer.is_of(node)) {
                *started = Some(now);
            }
        }
    }

    /// Lets the timer elapse that is due first, if it is due now; the first in the spec of several. `None` if no timer is due.
    ///
    /// A timer that was started again since the program looked is not due, and one that has elapsed is over, so none elapses twice.
    /// One call lets one timer elapse: several may be due, and the step of one may start or end others. A machine with predicates
    /// takes [`Timers::elapse_with`], and one with a host the emitted method `run_due`.
    pub fn elapse<E, M>(&mut self, machine: &mut M, now: Timestamp) -> Option<Elapsed<S, E>>
    where
        M: Elapse<E, State = S> + Machine<E, State = S>,
    {
        self.elapse_with(machine, &(), now)
    }

    /// The same for a machine whose guards ask predicates.
    pub fn elapse_with<E, P, M>(&mut self, machine: &mut M, predicates: &P, now: Timestamp) -> Option<Elapsed<S, E>>
    where
        P: ?Sized,
        M: Elapse<E, State = S> + Machine<E, P, State = S>,
    {
        let (recorded, timer, due) = self.elapsed(machine, now)?;
        let result = machine.apply(&recorded, predicates);
        match &result {
            Ok(change) => self.observe(change, now),
            Err(_) => self.end(timer),
        }
        Some(Elapsed { timer, recorded, due, result })
    }

    /// The timer that is due first, as what happens and as an event, and the moment at which it is due, if that is not after `now`.
    #[doc(hidden)]
    pub fn elapsed<E, M: Elapse<E, State = S>>(&self, machine: &M, now: Timestamp) -> Option<(E, S::Event, Timestamp)> {
        let (timer, due) = self.next_due(machine).filter(|(_, due)| *due <= now)?;
        Some((M::elapsed(timer)?, timer, due))
    }

    /// Starts and ends timers after a run in which one elapsed.
    #[doc(hidden)]
    pub fn after_run<X>(&mut self, timer: S::Event, result: &Result<Change<S>, RunError<S, X>>, now: Timestamp) {
        match result {
            Ok(change) => self.observe(change, now),
            Err(RunError::Refused(_)) => self.end(timer),
            Err(error) if error.moved() => error.change().into_iter().for_each(|it| self.observe(it, now)),
            Err(_) => {}
        }
    }

    /// Ends a timer that has elapsed and was refused. It starts again when its state is entered again.
    pub fn end(&mut self, timer: S::Event) {
        self.set(timer, None);
    }

    pub(crate) fn set(&mut self, timer: S::Event, moment: Option<Timestamp>) {
        let place = self.started.iter_mut().zip(S::TIMERS).find(|(_, it)| it.event == timer);
        if let Some((started, _)) = place {
            *started = moment;
        }
    }

    /// The running timers with the moments at which they are due, in the order of the spec.
    pub fn due<M: Timed<State = S>>(&self, machine: &M) -> impl Iterator<Item = (S::Event, Timestamp)> {
        let state = machine.state();
        let running = self.started.iter().zip(S::TIMERS).filter(move |(_, timer)| timer.runs::<S>(state));
        running.filter_map(|(started, timer)| Some((timer.event, started.as_ref()?.saturating_add(duration(machine, timer.event)))))
    }

    /// The timer that is due next, and when; the first in the spec of several. `None` if no timer runs.
    pub fn next_due<M: Timed<State = S>>(&self, machine: &M) -> Option<(S::Event, Timestamp)> {
        self.due(machine).min_by_key(|(_, due)| *due)
    }
}

/// No timer runs.
impl<S: State, const N: usize> Default for Timers<S, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Formatted as a map from the names of the running timers to the moments at which they started.
impl<S: State, const N: usize> fmt::Debug for Timers<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.started().map(|(timer, started)| (timer.name(), started))).finish()
    }
}

/// The event of a name, if it is a timer's.
#[cfg(feature = "serde")]
pub(crate) fn named<S: State>(name: &str) -> Option<S::Event> {
    let timer = S::Event::parse(name).ok()?;
    S::TIMERS.iter().any(|it| it.event == timer).then_some(timer)
}
