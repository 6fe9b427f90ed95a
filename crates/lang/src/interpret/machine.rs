//! One step of one machine. This file defines the behaviour of machines.
//!
//! A call ([`Request`]: an event with its payload, or a direct transition) is processed in two phases.
//!
//! [`plan`] is pure. It finds the edge and computes every change, reading only the values
//! before the step:
//!
//! 1. Edges are tried innermost source first, then outwards, in document order within one
//!    ([`Machine::candidates`]). The first whose guard holds is taken.
//! 2. If the edge refuses, the call is refused with its text. If there is no edge, or none whose guard
//!    holds, the call is refused as well. Every refusal lists what is allowed here.
//! 3. If the edge leads to another state, states are left from the inside out and entered from the
//!    outside in; a composite enters its default child. An edge that stays leaves nothing.
//!    In a machine with regions, each active leaf has an edge of its own; those that are not in conflict are taken together
//!    (the module `microstep`).
//! 4. Right-hand sides of `set`, guards and payload targets all read the snapshot before the step. A division by zero in
//!    the guard of a row that is tried, or in `set` of the edge, refuses the call.
//! 5. An event that settles is tried again in the new state, until an edge stays or none is
//!    enabled. If it moves more often than there are leaves, it does not settle, and the call is refused.
//! 6. In a machine that reacts ([`Machine::reacts`]), further steps follow each step (a macrostep): automatic edges
//!    first, as long as one is enabled; then the next waiting event that an edge takes. A step adds the events that
//!    its row raises to those that wait, then the composites that are done. If there are more than [`Machine::MAX_STEPS`] steps, or more than
//!    [`Machine::MAX_WAITING`] events wait, the machine does not settle, and the call is refused. A waiting event that no edge
//!    takes is dropped; one that an edge refuses refuses the call.
//!
//! [`carry_out`] performs the side effects, in this order: all `before` effects, the store, the change
//! itself, then for each step the exit effects, the entry effects, and `do`. With
//! [`Commit::PersistFirst`], a failing `before` or store leaves everything as it was. With
//! [`Commit::MemoryFirst`], the change comes before the store, and a store failure is only reported. With
//! [`Commit::MemoryOnly`], nothing is stored.

use std::collections::{BTreeSet, VecDeque};

use super::microstep;
use super::refusal::{Error, Failure, Reason, Refused, not_given};
use super::request::Request;
use super::snapshot::Snapshot;
use super::value::{fits, show};
use crate::expr::{DivisionByZero, eval};
use crate::model::machine::{Commit, Edge, Field, On, Origin, Outcome, Piece};
use crate::model::{ActorId, Configuration, EffectId, EventId, FieldId, Machine, PredicateId, StateId, TransitionId, Value};

/// A machine while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The current leaf, or the current leaf of each region.
    pub configuration: Configuration,
    /// A value for every field of the context.
    pub context: Vec<Value>,
}

/// The time of an effect within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before any change; its failure aborts the step.
    Before,
    /// On exit from a state.
    Exit,
    /// On entry to a state.
    Entry,
    /// After the change.
    Do,
}

/// A call of an effect, with the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectCall {
    /// The time of the call.
    pub phase: Phase,
    /// The effect.
    pub effect: EffectId,
    /// A value for everything that it takes.
    pub taken: Vec<Value>,
    /// Its message, with placeholders filled in.
    pub message: Option<String>,
}

/// The edges taken at once: one, or in a machine with regions one or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The rows of the edges, in the order of the active leaves that take them.
    pub transitions: Vec<TransitionId>,
    /// The trigger: of the call in the first step, of the machine itself in those that react.
    pub on: On,
    /// The configuration before; `None` at creation.
    pub from: Option<Configuration>,
    /// The configuration after.
    pub to: Configuration,
    /// States left, innermost first. Empty at creation and where the edge stays.
    pub exited: Vec<StateId>,
    /// States entered, outermost first. Empty where the edge stays.
    pub entered: Vec<StateId>,
    /// The assignments, in field order.
    pub set: Vec<(FieldId, Value)>,
    /// The effects, in the order in which they happen.
    pub effects: Vec<EffectCall>,
}

/// All changes of one call, before they are carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The steps: one, or several where the event settles or the machine reacts.
    pub steps: Vec<Step>,
    /// The machine afterwards.
    pub end: Instance,
    /// The order of the store and the change: the least of the orders of all edges taken.
    pub commit: Commit,
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The edges taken.
    pub steps: Vec<Step>,
    /// The error of the store, if it failed after the change.
    pub unsaved: Option<String>,
}

/// The environment of a machine.
pub trait Host {
    /// Answers a named predicate.
    fn predicate(&self, predicate: PredicateId) -> bool {
        let _ = predicate;
        false
    }

    /// Carries out an effect that must succeed before any change.
    fn before(&mut self, effect: &EffectCall) -> Result<(), String> {
        let _ = effect;
        Ok(())
    }

    /// Stores the next state of the machine; with memory first, the machine already has it.
    fn store(&mut self, next: &Instance) -> Result<(), String> {
        let _ = next;
        Ok(())
    }

    /// Carries out an effect after the change.
    fn effect(&mut self, effect: &EffectCall) {
        let _ = effect;
    }
}

/// The default host: no predicate holds, nothing fails, effects are ignored.
impl Host for () {}

/// A host that answers predicates from a list and fails on request.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The predicates that hold.
    pub holds: BTreeSet<PredicateId>,
    /// The `before` effects that fail.
    pub fails: BTreeSet<EffectId>,
    /// Whether the store fails.
    pub store_fails: bool,
    /// The log of effects, in order; `None` is the store.
    pub log: Vec<Option<EffectId>>,
}

impl Host for Script {
    fn predicate(&self, predicate: PredicateId) -> bool {
        self.holds.contains(&predicate)
    }

    fn before(&mut self, effect: &EffectCall) -> Result<(), String> {
        self.log.push(Some(effect.effect));
        if self.fails.contains(&effect.effect) { Err("told to".into()) } else { Ok(()) }
    }

    fn store(&mut self, _: &Instance) -> Result<(), String> {
        self.log.push(None);
        if self.store_fails { Err("told to".into()) } else { Ok(()) }
    }

    fn effect(&mut self, effect: &EffectCall) {
        self.log.push(Some(effect.effect));
    }
}

impl Instance {
    /// Creates a machine without an event: it is in its initial state, and no effects are carried out.
    pub fn start(machine: &Machine, given: &[(FieldId, Value)]) -> Result<Instance, Error> {
        let instance = Instance { configuration: machine.initial(), context: defaults(machine, given)? };
        complete(machine, &instance)?;
        Ok(instance)
    }

    /// Creates a machine by an event. `given` are values for fields without a default.
    pub fn create(
        machine: &Machine,
        event: EventId,
        payload: &[Value],
        given: &[(FieldId, Value)],
        host: &mut dyn Host,
    ) -> Result<(Instance, Done), Error> {
        let plan = plan(machine, None, Request::Event(event), payload, given, &|it| host.predicate(it))?;
        let mut instance = None;
        let done = carry_out(plan, &mut instance, host)?;
        let instance = instance.ok_or_else(|| Error::Misuse("nothing was created".into()))?;
        Ok((instance, done))
    }

    /// Processes an event.
    pub fn fire(&mut self, machine: &Machine, event: EventId, payload: &[Value], host: &mut dyn Host) -> Result<Done, Error> {
        self.ask(machine, Request::Event(event), payload, host)
    }

    /// Takes a direct transition to a target.
    pub fn transition_to(&mut self, machine: &Machine, target: StateId, host: &mut dyn Host) -> Result<Done, Error> {
        self.ask(machine, Request::Direct(target), &[], host)
    }

    fn ask(&mut self, machine: &Machine, request: Request, payload: &[Value], host: &mut dyn Host) -> Result<Done, Error> {
        let plan = plan(machine, Some(self), request, payload, &[], &|it| host.predicate(it))?;
        let mut instance = Some(self.clone());
        let done = carry_out(plan, &mut instance, host);
        // Also after a failure: the store of a memory-first plan fails after the change.
        if let Some(instance) = instance {
            *self = instance;
        }
        done
    }
}

/// Whether an actor may raise an event; any actor may if the event names none. Nobody raises a timer.
pub fn may_raise(machine: &Machine, event: EventId, actor: ActorId) -> bool {
    let by = &machine.event(event).by;
    machine.timer(event).is_none() && (by.is_empty() || by.contains(&actor))
}

/// Computes the changes of a call. `at` is the machine before, `None` before creation; `given`
/// are values for context fields at creation.
pub fn plan(
    machine: &Machine,
    at: Option<&Instance>,
    request: Request,
    payload: &[Value],
    given: &[(FieldId, Value)],
    predicates: &dyn Fn(PredicateId) -> bool,
) -> Result<Plan, Error> {
    check_call(machine, request, payload)?;
    if let Some(instance) = at {
        check_instance(machine, instance)?;
    }
    let settles = matches!(request, Request::Event(event) if machine.event(event).settles);
    let reacts = machine.reacts();
    // Counted only for a call that takes several steps.
    let mut n_leaves = None;

    let mut steps = Vec::new();
    let mut waiting = VecDeque::new();
    let mut commit = Commit::MemoryOnly;
    let mut configuration = at.map(|it| it.configuration.clone());
    let mut context = match at {
        Some(instance) => instance.context.clone(),
        None => defaults(machine, given)?,
    };
    let refuse = |reason| Err(refused(machine, at.map(|it| &it.configuration), request, reason).into());
    loop {
        let snapshot =
            Snapshot { machine, configuration: configuration.as_ref(), context: &context, event: request.event(), payload, predicates };
        let chosen = match steps.is_empty() || settles {
            true => microstep::select(request.on(), |leaf| request.candidates(machine, leaf), &snapshot).map(Some),
            false => react(&mut waiting, &snapshot),
        };
        let edges = match chosen {
            Ok(Some(edges)) => edges,
            // The first outcome decides the call; later ones only end the settling.
            Ok(None) => break,
            Err(_) if settles && !steps.is_empty() => break,
            Err(reason) => return refuse(reason),
        };
        let (step, next) = match take(&edges, &snapshot) {
            Ok(taken) => taken,
            Err(NotTaken::Division) if settles && !steps.is_empty() => break,
            Err(NotTaken::Division) => return refuse(Reason::DivisionByZero),
            Err(NotTaken::Misuse(error)) => return Err(error),
        };
        let rows = || edges.iter().map(|it| machine.transition(it.transition));
        commit = rows().map(|it| it.commit).fold(commit, Commit::min);
        let stays = edges.iter().all(|it| it.outcome == Outcome::Stay);
        // A step that changes nothing is followed by the same step.
        let repeats = settles && !stays && configuration.as_ref() == Some(&next.configuration) && context == next.context;
        if reacts {
            waiting.extend(rows().flat_map(|it| &it.raise).map(|it| On::Event(*it)));
            waiting.extend(microstep::completed(machine, &step.entered, &step.to).into_iter().map(On::Done));
        }
        steps.push(step);
        configuration = Some(next.configuration);
        context = next.context;
        if !reacts && (stays || !settles) {
            break;
        }
        let too_many = match settles {
            true => steps.len() > 1 && steps.len() > *n_leaves.get_or_insert_with(|| machine.leaves().count()),
            false => steps.len() > Machine::MAX_STEPS || waiting.len() > Machine::MAX_WAITING,
        };
        if repeats || too_many {
            return refuse(Reason::Unsettled);
        }
    }
    let Some(configuration) = configuration else {
        return Err(Error::Misuse("a creation must lead to a state".into()));
    };
    let end = Instance { configuration, context };
    complete(machine, &end)?;
    for step in &mut steps {
        step.effects = effects(machine, step, payload, &end.context);
    }
    Ok(Plan { steps, end, commit })
}

/// Carries out a plan. `instance` is the machine before and after; it also changes when the
/// store fails after the change.
pub fn carry_out(plan: Plan, instance: &mut Option<Instance>, host: &mut dyn Host) -> Result<Done, Error> {
    let effects = |wanted: fn(Phase) -> bool| plan.steps.iter().flat_map(|it| &it.effects).filter(move |it| wanted(it.phase));
    for call in effects(|it| it == Phase::Before) {
        host.before(call).map_err(|message| Error::Failed(Failure::Before(call.effect, message)))?;
    }
    let unsaved = match plan.commit {
        Commit::PersistFirst => {
            host.store(&plan.end).map_err(|message| Error::Failed(Failure::Store(message)))?;
            *instance = Some(plan.end.clone());
            None
        }
        Commit::MemoryFirst => {
            *instance = Some(plan.end.clone());
            host.store(&plan.end).err()
        }
        Commit::MemoryOnly => {
            *instance = Some(plan.end.clone());
            None
        }
    };
    for call in effects(|it| it != Phase::Before) {
        host.effect(call);
    }
    Ok(Done { steps: plan.steps, unsaved })
}

/// Finds the edges that follow a step: automatic ones, else those that the next waiting event takes; `None` at rest.
fn react(waiting: &mut VecDeque<On>, snapshot: &Snapshot) -> Result<Option<Vec<Edge>>, Reason> {
    let mut on = On::Automatic;
    loop {
        let snapshot = Snapshot { event: on.event(), payload: &[], ..*snapshot };
        match microstep::select(on, |leaf| snapshot.machine.tried(leaf, on).iter(), &snapshot) {
            Ok(edges) => return Ok(Some(edges)),
            Err(refused @ (Reason::Text(_) | Reason::DivisionByZero)) => return Err(refused),
            Err(_) => {}
        }
        match waiting.pop_front() {
            Some(next) => on = next,
            None => return Ok(None),
        }
    }
}

/// Why a step could not be taken.
enum NotTaken {
    /// An assignment divides by zero.
    Division,
    /// The edge leads nowhere.
    Misuse(Error),
}

/// Computes one step along some edges that are not in conflict, and the resulting machine.
fn take(edges: &[Edge], snapshot: &Snapshot) -> Result<(Step, Instance), NotTaken> {
    let Snapshot { machine, configuration: from, .. } = *snapshot;
    let rows = || edges.iter().map(|it| machine.transition(it.transition));
    let Some(microstep::Crossed { exited, entered, to }) = microstep::cross(edges, snapshot) else {
        return Err(NotTaken::Misuse(Error::Misuse("the edge leads nowhere".into())));
    };
    // Of several rows that set a field, the last one has the last word.
    let mut set = Vec::<(FieldId, Value)>::new();
    for (field, value) in rows().flat_map(|it| &it.set) {
        let value = eval(value, snapshot).map_err(|DivisionByZero| NotTaken::Division)?;
        set.retain(|(it, _)| it != field);
        set.push((*field, value));
    }
    if let Some(from) = from {
        // What a row itself assigns takes precedence.
        let is_set = |field: FieldId| rows().flat_map(|it| &it.set).any(|(it, _)| *it == field);
        let remembered = machine.remembers(from, &exited).into_iter().filter(|(field, _)| !is_set(*field));
        set.extend(remembered.map(|(field, leaf)| (field, Value::State(leaf))));
    }
    set.sort_by_key(|(field, _)| *field);
    let mut context = snapshot.context.to_vec();
    for (field, value) in &set {
        context[field.index()] = value.clone();
    }
    let transitions = edges.iter().map(|it| it.transition).collect();
    let on = edges.first().map_or(On::Automatic, |it| it.on);
    let step = Step { transitions, on, from: from.cloned(), to: to.clone(), exited, entered, set, effects: Vec::new() };
    Ok((step, Instance { configuration: to, context }))
}

/// The effects of one step, in the order in which they happen. They take the context as it is after the whole change.
fn effects(machine: &Machine, step: &Step, payload: &[Value], context: &[Value]) -> Vec<EffectCall> {
    let rows = || step.transitions.iter().map(|it| machine.transition(*it));
    let exits = step.exited.iter().flat_map(|it| &machine.state(*it).exit);
    let entries = step.entered.iter().flat_map(|it| &machine.state(*it).entry);
    let phases = rows().flat_map(|it| &it.before).map(|it| (Phase::Before, it));
    let phases = phases.chain(exits.map(|it| (Phase::Exit, it))).chain(entries.map(|it| (Phase::Entry, it)));
    let phases = phases.chain(rows().flat_map(|it| &it.effects).map(|it| (Phase::Do, it)));
    phases.map(|(phase, effect)| effect_call(machine, phase, *effect, step, payload, context)).collect()
}

/// Passes an effect the values that it takes, and fills in its message.
fn effect_call(machine: &Machine, phase: Phase, id: EffectId, step: &Step, payload: &[Value], context: &[Value]) -> EffectCall {
    let effect = machine.effect(id);
    let taken = effect.takes.iter().map(|it| match it.origin {
        Origin::Payload(id) => {
            let idx = step.on.event().and_then(|event| machine.payload_position(event, id));
            idx.and_then(|idx| payload.get(idx)).cloned().unwrap_or(Value::Null)
        }
        Origin::Context(id) => context[id.index()].clone(),
        // In a machine with regions, no effect takes a state.
        Origin::From => step.from.as_ref().map_or(Value::Null, |it| Value::State(it.first())),
        Origin::To => Value::State(step.to.first()),
    });
    let taken: Vec<Value> = taken.collect();
    let message = effect.message.as_ref().map(|pieces| {
        let piece = |it: &Piece| match it {
            Piece::Text(text) => text.clone(),
            Piece::Taken(idx) => taken.get(*idx).map_or_else(String::new, |it| show(machine, it)),
        };
        pieces.iter().map(piece).collect()
    });
    EffectCall { phase, effect: id, taken, message }
}

/// The events that some edge accepts here, guards aside, without refusals and without timers, which nobody raises.
pub fn allowed(machine: &Machine, configuration: Option<&Configuration>) -> Vec<EventId> {
    let mut accepted = match configuration {
        Some(it) => machine.accepted(it),
        None => machine.accepted_from(None),
    };
    accepted.retain(|it| machine.timer(*it).is_none());
    accepted
}

fn refused(machine: &Machine, from: Option<&Configuration>, request: Request, reason: Reason) -> Refused {
    Refused { from: from.cloned(), request, reason, allowed: allowed(machine, from) }
}

/// The context at creation; fields without a default are null until they are given a value.
fn defaults(machine: &Machine, given: &[(FieldId, Value)]) -> Result<Vec<Value>, Error> {
    let default = |it: &Field| it.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null);
    let mut context: Vec<Value> = machine.fields.iter().map(default).collect();
    for (field, value) in given {
        let declared = machine.fields.get(field.index());
        match declared {
            Some(it) if fits(machine, it, value) => context[field.index()] = value.clone(),
            Some(it) => return Err(Error::Misuse(format!("`{}` cannot hold the value given for it", it.name))),
            None => return Err(Error::Misuse("a value was given for a field that is not there".into())),
        }
    }
    Ok(context)
}

/// Checks that every non-optional field has a value.
fn complete(machine: &Machine, instance: &Instance) -> Result<(), Error> {
    let missing = machine.fields.iter().zip(&instance.context).position(|(field, value)| *value == Value::Null && !field.optional);
    match missing {
        Some(idx) => Err(not_given(machine, FieldId::new(idx))),
        None => Ok(()),
    }
}

/// Checks that the instance belongs to this machine.
pub(super) fn check_instance(machine: &Machine, instance: &Instance) -> Result<(), Error> {
    let is_configuration = match instance.configuration.only().filter(|_| !machine.has_regions()) {
        Some(leaf) => leaf.index() < machine.states.len() && machine.is_leaf(leaf),
        None => machine.configuration(&instance.configuration.leaves().collect::<Vec<StateId>>()).is_ok(),
    };
    let fields = &machine.fields;
    let fitting =
        fields.len() == instance.context.len() && fields.iter().zip(&instance.context).all(|(field, value)| fits(machine, field, value));
    if is_configuration && fitting { Ok(()) } else { Err(Error::Misuse(format!("the instance is none of `{}`", machine.name))) }
}

/// Checks that the call refers to this machine and that the payload matches the event.
fn check_call(machine: &Machine, request: Request, payload: &[Value]) -> Result<(), Error> {
    let (name, declared) = match request {
        Request::Event(event) => match machine.events.get(event.index()) {
            Some(it) => (it.name.as_str(), it.payload.as_slice()),
            None => return Err(Error::Misuse("the machine has no such event".into())),
        },
        Request::Direct(state) if state.index() < machine.states.len() => ("a named target", &[][..]),
        Request::Direct(_) => return Err(Error::Misuse("the machine has no such state".into())),
    };
    if declared.len() != payload.len() {
        return Err(Error::Misuse(format!("`{name}` carries {} values, not {}", declared.len(), payload.len())));
    }
    match declared.iter().zip(payload).find(|(field, value)| !fits(machine, field, value)) {
        Some((field, _)) => Err(Error::Misuse(format!("`{}` of `{name}` cannot hold the value given for it", field.name))),
        None => Ok(()),
    }
}
