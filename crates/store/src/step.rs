//! Steps: what a request does to a machine, as a value.

use serde::Serialize;
use statespec::__private::permit;
use statespec::{Change, Elapse, Machine, Named, Never, Phase, Refused, State, Timed, Timers, Timestamp};

use crate::Error;

/// An effect as the outbox has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// Whether it must succeed before anything changes.
    pub phase: Phase,
    /// The name.
    pub effect: String,
    /// The effect with its data, in JSON.
    pub payload: String,
}

/// The effects of a change as the outbox has them: of `change.effects_of(machine, event)`.
///
/// # Errors
///
/// An effect that serde does not write.
pub fn emitted<V: Serialize>(effects: impl IntoIterator<Item = (Phase, V)>) -> Result<Vec<Emitted>, Error> {
    let one = |(phase, value): (Phase, V)| {
        let value = serde_json::to_value(&value)?;
        let name = match &value {
            serde_json::Value::String(name) => Some(name.clone()),
            serde_json::Value::Object(it) => it.keys().next().cloned(),
            _ => None,
        };
        let effect = name.ok_or_else(|| Error::unfit(format!("`{value}` is no effect: expected its name, or an object by its name")))?;
        Ok(Emitted { phase, effect, payload: value.to_string() })
    };
    effects.into_iter().map(one).collect()
}

/// A step that raises an event of a machine with effects: `raise!(event)`.
///
/// Of a machine without effects, [`Step::event`] does the same.
#[macro_export]
macro_rules! raise {
    ($event:expr) => {
        $crate::raise!($event, &())
    };
    ($event:expr, $predicates:expr) => {{
        let event = $event;
        $crate::Step::with_effects(event, $predicates, move |machine, change| $crate::emitted(change.effects_of(machine, event)))
    }};
}

/// The timers that run beside a machine: `()` for a machine without timers, else the emitted type `Timers`.
pub trait Clock<M, S: State>: Clone + Default {
    /// Starts and ends timers after a change.
    fn observe(&mut self, change: &Change<S>, now: Timestamp);

    /// The moment at which the next timer is due.
    fn next_due(&self, machine: &M) -> Option<Timestamp>;
}

impl<M, S: State> Clock<M, S> for () {
    fn observe(&mut self, _: &Change<S>, _: Timestamp) {}

    fn next_due(&self, _: &M) -> Option<Timestamp> {
        None
    }
}

impl<M: Timed<State = S>, S: State, const N: usize> Clock<M, S> for Timers<S, N> {
    fn observe(&mut self, change: &Change<S>, now: Timestamp) {
        Timers::observe(self, change, now);
    }

    fn next_due(&self, machine: &M) -> Option<Timestamp> {
        Timers::next_due(self, machine).map(|it| it.1)
    }
}

/// What a step came to.
pub(crate) struct Made<S: State> {
    pub(crate) result: Result<Change<S>, Refused<S>>,
    /// Whether a refusal is stored: the timer that elapsed is over.
    pub(crate) ends_timer: bool,
    pub(crate) event: Option<&'static str>,
    pub(crate) actor: Option<&'static str>,
    pub(crate) effects: Vec<Emitted>,
}

/// What a step does: `None` if there was nothing to do, because no timer is due.
type Run<'a, M, S, T> = Box<dyn FnOnce(&mut M, &mut T, Timestamp) -> Result<Option<Made<S>>, Error> + Send + 'a>;

/// A step that a request wants: an event, a direct transition, or a timer.
///
/// It is taken on the machine that was loaded, and at the time of the database.
pub struct Step<'a, M, S: State, T = ()>(pub(crate) Run<'a, M, S, T>);

impl<M, S: State, T> std::fmt::Debug for Step<'_, M, S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Step of `{}`", S::MACHINE)
    }
}

impl<'a, M: 'a, S: State, T: Clock<M, S> + 'a> Step<'a, M, S, T> {
    /// An event of a machine without effects.
    pub fn event<E>(event: E) -> Self
    where
        M: Machine<E, State = S>,
        S: State<Effect = Never>,
        E: Send + 'a,
    {
        Self::with_effects(event, &(), |_, _| Ok(Vec::new()))
    }

    /// The same in the name of an actor: refused where the actor may not. The journal has the actor unless the request names another.
    pub fn event_as<E>(actor: <S::Event as statespec::Event>::Actor, event: E) -> Self
    where
        M: Machine<E, State = S>,
        S: State<Effect = Never>,
        E: Send + 'a,
        <S::Event as statespec::Event>::Actor: Send,
    {
        Self::event(event).by(actor)
    }

    /// An event of a machine with effects, which a closure makes values of the outbox: see [`raise!`](crate::raise).
    pub fn with_effects<E, P>(
        event: E,
        predicates: &'a P,
        effects: impl FnOnce(&M, &Change<S>) -> Result<Vec<Emitted>, Error> + Send + 'a,
    ) -> Self
    where
        M: Machine<E, P, State = S>,
        E: Send + 'a,
        P: Sync + ?Sized,
    {
        Step(Box::new(move |machine, timers, now| {
            let result = machine.apply(&event, predicates);
            if let Ok(change) = &result {
                timers.observe(change, now);
            }
            let effects = result.as_ref().map_or_else(|_| Ok(Vec::new()), |change| effects(machine, change))?;
            Ok(Some(Made { result, ends_timer: false, event: Some(M::kind(&event).name()), actor: None, effects }))
        }))
    }

    /// A direct transition, which has no event: `Step::direct(|job| job.transition_to(State::Running))`. It has no effects.
    pub fn direct(take: impl FnOnce(&mut M) -> Result<Change<S>, Refused<S>> + Send + 'a) -> Self {
        Self::direct_with_effects(take, |_, change| match change.effects().next() {
            None => Ok(Vec::new()),
            Some(effect) => Err(Error::unfit(format!("the transition has the effect `{}`: use `direct_with_effects`", effect.name()))),
        })
    }

    /// The same with effects, which are `emitted(change.effects_of_direct::<Event, _>(machine))`.
    pub fn direct_with_effects(
        take: impl FnOnce(&mut M) -> Result<Change<S>, Refused<S>> + Send + 'a,
        effects: impl FnOnce(&M, &Change<S>) -> Result<Vec<Emitted>, Error> + Send + 'a,
    ) -> Self {
        Step(Box::new(move |machine, timers, now| {
            let result = take(machine);
            if let Ok(change) = &result {
                timers.observe(change, now);
            }
            let effects = result.as_ref().map_or_else(|_| Ok(Vec::new()), |change| effects(machine, change))?;
            Ok(Some(Made { result, ends_timer: false, event: None, actor: None, effects }))
        }))
    }

    /// A step that needs the time, which is that of the database: `Step::at(|now| Step::event(Event::Reclaim { now }))`.
    pub fn at(step: impl FnOnce(Timestamp) -> Step<'a, M, S, T> + Send + 'a) -> Self {
        Step(Box::new(move |machine, timers, now| step(now).0(machine, timers, now)))
    }

    /// The same step in the name of an actor: refused where the actor may not raise its event. The journal has the actor unless the
    /// request names another.
    pub fn by(self, actor: <S::Event as statespec::Event>::Actor) -> Self
    where
        <S::Event as statespec::Event>::Actor: Send,
    {
        Step(Box::new(move |machine, timers, now| {
            let made = (self.0)(machine, timers, now)?;
            Ok(made.map(|mut made| {
                let event = made.event.and_then(|name| <S::Event as Named>::parse(name).ok());
                // The machine is a copy: nobody stores what the actor may not do.
                let from = made.result.as_ref().map_or_else(Refused::from, Change::from);
                if let Some(Err(refused)) = event.map(|event| permit::<S>(from, event, actor)) {
                    made.result = Err(refused);
                    made.effects.clear();
                }
                made.actor = Some(actor.name());
                made
            }))
        }))
    }
}

impl<'a, M, S: State, const N: usize> Step<'a, M, S, Timers<S, N>>
where
    M: 'a,
{
    /// The timer that is due first, if one is due at the time of the database. `effects` makes values of the outbox:
    /// `|machine, change, event| emitted(change.effects_of(machine, event))`.
    pub fn elapse<E, P>(predicates: &'a P, effects: impl FnOnce(&M, &Change<S>, E) -> Result<Vec<Emitted>, Error> + Send + 'a) -> Self
    where
        M: Elapse<E, State = S> + Machine<E, P, State = S>,
        P: Sync + ?Sized,
    {
        Step(Box::new(move |machine, timers, now| {
            let Some(elapsed) = timers.elapse_with(machine, predicates, now) else { return Ok(None) };
            let effects = match &elapsed.result {
                Ok(change) => effects(machine, change, elapsed.recorded)?,
                Err(_) => Vec::new(),
            };
            Ok(Some(Made { result: elapsed.result, ends_timer: true, event: Some(elapsed.timer.name()), actor: None, effects }))
        }))
    }
}

/// A machine that is to be created.
pub struct Birth<M, S: State, T = ()> {
    pub(crate) machine: M,
    pub(crate) change: Option<Change<S>>,
    pub(crate) event: Option<&'static str>,
    pub(crate) effects: Vec<Emitted>,
    pub(crate) timers: fn(&M, Option<&Change<S>>, Timestamp) -> T,
}

impl<M, S: State, T> std::fmt::Debug for Birth<M, S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Birth of `{}`", S::MACHINE)
    }
}

impl<M, S: State> Birth<M, S> {
    /// A machine that is new without an event.
    pub fn new(machine: M) -> Self {
        Birth { machine, change: None, event: None, effects: Vec::new(), timers: |_, _, _| () }
    }
}

impl<M, S: State, T: Clock<M, S>> Birth<M, S, T> {
    /// A machine that an event has created, with its effects as the outbox has them.
    pub fn created(machine: M, change: Change<S>, event: S::Event, effects: Vec<Emitted>) -> Self {
        let timers = |_: &M, change: Option<&Change<S>>, now: Timestamp| {
            let mut timers = T::default();
            change.into_iter().for_each(|it| timers.observe(it, now));
            timers
        };
        Birth { machine, change: Some(change), event: Some(event.name()), effects, timers }
    }
}

impl<M: Timed<State = S>, S: State, const N: usize> Birth<M, S, Timers<S, N>> {
    /// A machine with timers that is new without an event.
    pub fn with_timers(machine: M) -> Self {
        Birth { machine, change: None, event: None, effects: Vec::new(), timers: |machine, _, now| Timers::start(machine.state(), now) }
    }
}

/// The creation of a machine by an event, with its effects: `create!(Mysis::create, Event::Create)`. The result is a [`Birth`], or the
/// refusal.
#[macro_export]
macro_rules! create {
    ($create:expr, $event:expr) => {{
        let event = $event;
        match ($create)(event) {
            Ok((machine, change)) => {
                let kind = event.kind();
                $crate::emitted(change.effects_of(&machine, event))
                    .map(|effects| Ok($crate::Birth::created(machine, change, kind, effects)))
            }
            Err(refused) => Ok(Err(refused)),
        }
    }};
}
