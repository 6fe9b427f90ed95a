//! One step of one machine. This file is the definition of what a machine does.
//!
//! A call ([`Request`]: an event with its payload, or a target by name) is answered in two halves.
//!
//! [`plan`] is pure. It finds the edge and computes everything that will change, reading only
//! what was there before:
//!
//! 1. Edges are tried innermost source first, then outwards, in document order within one
//!    ([`Machine::candidates`]). The first whose guard holds is taken.
//! 2. An edge that refuses turns the call down with its text. No edge, or none whose guard holds,
//!    turns it down as well. Every refusal says what is allowed here.
//! 3. Where the edge leads elsewhere, states are left from the inside out and entered from the
//!    outside in; a composite enters its default child. An edge that stays leaves nothing.
//! 4. Right sides of `set`, guards and payload targets all read the snapshot before the step.
//! 5. An event that settles is asked again in the new state, until an edge stays or none is
//!    enabled. More moves than there are leaves: it does not settle, and the call is refused.
//!
//! [`carry_out`] touches the world, in this order: all `before` effects, the store, the change
//! itself, then for each step the effects of leaving, of entering, and `do`. With
//! [`Commit::PersistFirst`] a failing `before` or store leaves everything as it was. With
//! [`Commit::MemoryFirst`] the change comes before the store, whose failure is only reported.

use std::collections::BTreeSet;

use super::refusal::{Error, Failure, Reason, Refused, not_given};
use super::value::{fits, show};
use crate::expr::{Env, Expr, Var, eval, eval_bool};
use crate::model::machine::{Commit, Constant, Edge, Field, Outcome, Piece, Transition};
use crate::model::{ActorId, EffectId, EventId, FieldId, Machine, PredicateId, StateId, TransitionId, Value};

/// A machine while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The leaf it is in.
    pub state: StateId,
    /// A value for every field of the context.
    pub context: Vec<Value>,
}

/// What a machine can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// To take an event.
    Event(EventId),
    /// To take an edge without an event, by naming the target. A composite stands for its default leaf.
    Direct(StateId),
}

/// When an effect happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before anything changes; its failure stops the step.
    Before,
    /// On the way out of a state.
    Exit,
    /// On the way into a state.
    Entry,
    /// After the change.
    Do,
}

/// An effect with what it carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectCall {
    /// When it happens.
    pub phase: Phase,
    /// Which one.
    pub effect: EffectId,
    /// A value for every field of its payload.
    pub payload: Vec<Value>,
    /// Its message, filled in.
    pub message: Option<String>,
}

/// One edge taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The row it comes from.
    pub transition: TransitionId,
    /// The event; `None` when the target was named.
    pub event: Option<EventId>,
    /// The leaf before; `None` at creation.
    pub from: Option<StateId>,
    /// The leaf after.
    pub to: StateId,
    /// States left, innermost first. Empty at creation and where the edge stays.
    pub exited: Vec<StateId>,
    /// States entered, outermost first. Empty where the edge stays.
    pub entered: Vec<StateId>,
    /// The assignments, in field order.
    pub set: Vec<(FieldId, Value)>,
    /// The effects, in the order in which they happen.
    pub effects: Vec<EffectCall>,
}

/// Everything one call will change. Nothing has happened yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The edges taken: one, or several where the event settles.
    pub steps: Vec<Step>,
    /// The machine afterwards.
    pub end: Instance,
    /// When the store is written: after the change only if every edge taken says so.
    pub commit: Commit,
}

/// What one call did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The edges taken.
    pub steps: Vec<Step>,
    /// What the store said when it failed after the change.
    pub unsaved: Option<String>,
}

/// The world outside a machine.
pub trait Host {
    /// Answers a named predicate.
    fn predicate(&self, predicate: PredicateId) -> bool {
        let _ = predicate;
        false
    }

    /// Makes an effect happen that must succeed before anything changes.
    fn before(&mut self, effect: &EffectCall) -> Result<(), String> {
        let _ = effect;
        Ok(())
    }

    /// Stores what the machine is going to be, or, memory first, already is.
    fn store(&mut self, next: &Instance) -> Result<(), String> {
        let _ = next;
        Ok(())
    }

    /// Makes an effect happen after the change.
    fn effect(&mut self, effect: &EffectCall) {
        let _ = effect;
    }
}

/// Nothing holds, nothing fails, nobody looks.
impl Host for () {}

/// A host that answers from a list and fails where it is told to.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The predicates that hold.
    pub holds: BTreeSet<PredicateId>,
    /// The `before` effects that fail.
    pub fails: BTreeSet<EffectId>,
    /// The store fails.
    pub store_fails: bool,
    /// What happened, in order: names of effects are up to the reader, the store is `None`.
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
    /// A machine that is created by no event: it is in its initial state, and nothing happens on the way.
    pub fn start(machine: &Machine, given: &[(FieldId, Value)]) -> Result<Instance, Error> {
        let instance = Instance { state: machine.initial(), context: defaults(machine, given)? };
        complete(machine, &instance)?;
        Ok(instance)
    }

    /// A machine brought into being by an event. `given` are values for fields without a default.
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

    /// Takes an event.
    pub fn fire(&mut self, machine: &Machine, event: EventId, payload: &[Value], host: &mut dyn Host) -> Result<Done, Error> {
        self.ask(machine, Request::Event(event), payload, host)
    }

    /// Takes an edge without an event, by naming its target.
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

/// Whether an actor may raise an event; anyone may where the event names nobody.
pub fn may_raise(machine: &Machine, event: EventId, actor: ActorId) -> bool {
    let by = &machine.event(event).by;
    by.is_empty() || by.contains(&actor)
}

/// Computes what a call would change. `at` is the machine before, `None` before creation; `given`
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
    let n_leaves = machine.leaves().count();

    let mut steps = Vec::new();
    let mut commit = Commit::MemoryFirst;
    let mut state = at.map(|it| it.state);
    let mut context = match at {
        Some(instance) => instance.context.clone(),
        None => defaults(machine, given)?,
    };
    loop {
        let snapshot = Snapshot { machine, context: &context, payload, predicates };
        let edge = match choose(machine, state, request, &snapshot) {
            Ok(edge) => edge,
            // The first answer decides about the call; later ones only end the settling.
            Err(_) if !steps.is_empty() => break,
            Err(reason) => return Err(refused(machine, state, request, reason).into()),
        };
        let (step, next) = take(machine, state, request, edge, &snapshot)?;
        if machine.transition(edge.transition).commit == Commit::PersistFirst {
            commit = Commit::PersistFirst;
        }
        let stays = edge.outcome == Outcome::Stay;
        steps.push(step);
        state = Some(next.state);
        context = next.context;
        if stays || !settles {
            break;
        }
        if steps.len() > n_leaves {
            return Err(refused(machine, at.map(|it| it.state), request, Reason::Unsettled).into());
        }
    }
    let Some(state) = state else {
        return Err(Error::Misuse("a creation must lead to a state".into()));
    };
    let end = Instance { state, context };
    complete(machine, &end)?;
    Ok(Plan { steps, end, commit })
}

/// Makes a plan happen. `instance` is the machine before and after; it also changes when the
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
    };
    for call in effects(|it| it != Phase::Before) {
        host.effect(call);
    }
    Ok(Done { steps: plan.steps, unsaved })
}

/// Finds the edge that a call takes, or says why there is none.
fn choose(machine: &Machine, state: Option<StateId>, request: Request, snapshot: &Snapshot) -> Result<Edge, Reason> {
    let candidates: Vec<&Edge> = match request {
        Request::Event(event) => machine.candidates(state, Some(event)).iter().collect(),
        Request::Direct(target) => {
            let outcome = Outcome::Leaf(machine.default_leaf(target));
            machine.candidates(state, None).iter().filter(|it| it.outcome == outcome).collect()
        }
    };
    if candidates.is_empty() {
        return Err(Reason::NoTransition);
    }
    for edge in candidates {
        let row = machine.transition(edge.transition);
        if row.guard.as_ref().is_none_or(|guard| eval_bool(guard, snapshot)) {
            return if edge.outcome == Outcome::Refuse { Err(Reason::Text(edge.transition)) } else { Ok(*edge) };
        }
    }
    Err(Reason::Guard)
}

/// Computes one step along an edge, and the machine after it.
fn take(machine: &Machine, from: Option<StateId>, request: Request, edge: Edge, snapshot: &Snapshot) -> Result<(Step, Instance), Error> {
    let row = machine.transition(edge.transition);
    let to = match (edge.outcome, from) {
        (Outcome::Leaf(to), _) => Some(to),
        (Outcome::Payload(idx), _) => match snapshot.payload.get(idx) {
            Some(Value::State(to)) => Some(*to),
            _ => None,
        },
        (Outcome::Stay | Outcome::Refuse, from) => from,
    };
    let Some(to) = to else {
        return Err(Error::Misuse("the edge leads nowhere".into()));
    };
    let (exited, entered) = match (edge.outcome, from) {
        (Outcome::Stay, _) => (Vec::new(), Vec::new()),
        (_, Some(from)) => machine.path(from, to),
        (_, None) => (Vec::new(), machine.creation_path(to)),
    };

    let set: Vec<(FieldId, Value)> = row.set.iter().map(|(field, value)| (*field, eval(value, snapshot))).collect();
    let mut context = snapshot.context.to_vec();
    for (field, value) in &set {
        context[field.index()] = value.clone();
    }
    let event = match request {
        Request::Event(event) => Some(event),
        Request::Direct(_) => None,
    };
    let effects = effects(machine, row, event, &exited, &entered, snapshot.payload);
    let step = Step { transition: edge.transition, event, from, to, exited, entered, set, effects };
    Ok((step, Instance { state: to, context }))
}

/// The effects of one step, in the order in which they happen.
fn effects(
    machine: &Machine,
    row: &Transition,
    event: Option<EventId>,
    exited: &[StateId],
    entered: &[StateId],
    payload: &[Value],
) -> Vec<EffectCall> {
    let exits = exited.iter().flat_map(|it| &machine.state(*it).exit);
    let entries = entered.iter().flat_map(|it| &machine.state(*it).entry);
    let phases = row.before.iter().map(|it| (Phase::Before, it));
    let phases = phases.chain(exits.map(|it| (Phase::Exit, it))).chain(entries.map(|it| (Phase::Entry, it)));
    let phases = phases.chain(row.effects.iter().map(|it| (Phase::Do, it)));
    phases.map(|(phase, effect)| effect_call(machine, phase, *effect, event, payload)).collect()
}

/// Gives an effect the payload fields it takes, by name, and fills in its message.
fn effect_call(machine: &Machine, phase: Phase, id: EffectId, event: Option<EventId>, payload: &[Value]) -> EffectCall {
    let effect = machine.effect(id);
    let carried = event.map_or(&[][..], |event| &machine.event(event).payload);
    let taken = effect.payload.iter().map(|field| {
        let idx = carried.iter().position(|it| it.name == field.name);
        idx.and_then(|idx| payload.get(idx)).cloned().unwrap_or(Value::Null)
    });
    let payload: Vec<Value> = taken.collect();
    let message = effect.message.as_ref().map(|pieces| {
        let piece = |it: &Piece| match it {
            Piece::Text(text) => text.clone(),
            Piece::Payload(idx) => payload.get(*idx).map_or_else(String::new, |it| show(machine, it)),
        };
        pieces.iter().map(piece).collect()
    });
    EffectCall { phase, effect: id, payload, message }
}

/// What expressions read: the machine as it was before the step.
struct Snapshot<'a> {
    machine: &'a Machine,
    context: &'a [Value],
    payload: &'a [Value],
    predicates: &'a dyn Fn(PredicateId) -> bool,
}

impl Env for Snapshot<'_> {
    fn var(&self, var: Var) -> Value {
        let value = match var {
            Var::Context(field) => self.context.get(field.index()),
            Var::Payload(idx) => self.payload.get(idx),
            // The expressions of a machine know nothing of parts.
            Var::PartState(_) | Var::PartContext(..) | Var::PartId(_) => None,
        };
        value.cloned().unwrap_or(Value::Null)
    }

    fn constants(&self) -> &[Constant] {
        &self.machine.constants
    }

    fn predicate(&self, predicate: PredicateId) -> bool {
        (self.predicates)(predicate)
    }

    fn is_in(&self, _: &Expr, state: StateId, whole: StateId) -> bool {
        self.machine.is_in(state, whole)
    }
}

/// The events that some edge takes from here, guards aside, refusals left out.
pub fn allowed(machine: &Machine, state: Option<StateId>) -> Vec<EventId> {
    let takes = machine.edges_from(state).iter().filter(|it| it.outcome != Outcome::Refuse);
    let mut events: Vec<_> = takes.filter_map(|it| it.event).collect();
    events.dedup();
    events
}

fn refused(machine: &Machine, from: Option<StateId>, request: Request, reason: Reason) -> Refused {
    Refused { from, request, reason, allowed: allowed(machine, from) }
}

/// The context at creation; fields without a default are null until someone gives them a value.
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

/// Every field that may not be null has a value.
fn complete(machine: &Machine, instance: &Instance) -> Result<(), Error> {
    let missing = machine.fields.iter().zip(&instance.context).position(|(field, value)| *value == Value::Null && !field.optional);
    match missing {
        Some(idx) => Err(not_given(machine, FieldId::new(idx))),
        None => Ok(()),
    }
}

/// The instance is one of this machine.
pub(super) fn check_instance(machine: &Machine, instance: &Instance) -> Result<(), Error> {
    let in_leaf = instance.state.index() < machine.states.len() && machine.is_leaf(instance.state);
    let fields = &machine.fields;
    let fitting =
        fields.len() == instance.context.len() && fields.iter().zip(&instance.context).all(|(field, value)| fits(machine, field, value));
    if in_leaf && fitting { Ok(()) } else { Err(Error::Misuse(format!("the instance is none of `{}`", machine.name))) }
}

/// The call speaks of this machine, and the payload is the one that the event carries.
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
