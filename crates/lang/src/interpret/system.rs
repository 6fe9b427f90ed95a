//! One transaction of a system. This file defines the behaviour of systems.
//!
//! [`World::run`] computes everything before it changes anything:
//!
//! 1. The instances are determined: those that the caller names, their owners, and the single
//!    instance of every part without `many`. The instances of a part and of its roles must differ. Every part that the transaction reads or changes
//!    must exist, or be created by it. A machine that no event creates exists from its first use,
//!    in its initial state.
//! 2. All rules, payload expressions and guards read the same snapshot, the world before the
//!    transaction. So the order of its events does not matter.
//! 3. Links are fired one by one, in the order of the changes they watch (states left, then states
//!    entered). Each reads the current world and is followed by the links that it triggers.
//!    The rules apply to their events, too. A refusal undoes everything, unless the link is
//!    optional; then only the link is skipped.
//! 4. The invariants are checked on the resulting world.
//!
//! Only then are the side effects performed, as for a single machine: all `before` effects, the
//! store, the change, all other effects. Either everything happens or nothing.

mod misuse;
mod view;

use std::collections::{BTreeMap, BTreeSet};

pub use self::misuse::SystemMisuse;
use super::machine::{EffectCall, Instance, Plan, Step, check_instance, plan};
use super::refusal::{Error, Failure, Refused};
use super::request::Request;
use super::{Phase, value};
use crate::expr::{DivisionByZero, Expr, eval, eval_bool};
use crate::model::machine::Commit;
use crate::model::system::{Crossing, Fire, Input, Link, Transaction};
use crate::model::{ActorId, EventId, FieldId, Machine, Model, PartId, PredicateId, StateId, System, Value};
use view::View;

/// The maximum number of events that one transaction may fire. Links never form cycles, but each part
/// of a long chain may fire several events in the next.
pub const MAX_FIRED: usize = 1_000;

/// The instances of a system's parts, by part and number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct World {
    instances: BTreeMap<(PartId, u64), Instance>,
}

/// The instance of each part and role that a transaction refers to.
pub type Chosen = BTreeMap<PartId, u64>;

/// The result of one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The instance of every part that is determined, changed or not.
    pub chosen: Chosen,
    /// The events fired: the transaction's own, then those of links.
    pub fired: Vec<Fired>,
    /// Optional links that were refused: position in [`System::links`], and the reason.
    pub passed_over: Vec<(usize, SystemReason)>,
    /// The error of the store, if it failed after the change.
    pub unsaved: Option<String>,
}

/// One event fired in one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// The part.
    pub part: PartId,
    /// The number of the instance.
    pub number: u64,
    /// The event.
    pub event: EventId,
    /// Its payload.
    pub payload: Vec<Value>,
    /// The link that fired it, as a position in [`System::links`].
    pub link: Option<usize>,
    /// The instance before; `None` if this event created it.
    pub before: Option<Instance>,
    /// The instance after.
    pub after: Instance,
    /// The edges taken.
    pub steps: Vec<Step>,
    /// The order of the store and the change.
    pub commit: Commit,
}

/// The reason why a transaction changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemError {
    /// The system refused it.
    Refused(SystemReason),
    /// The call itself is invalid: no instance named for a part with `many`, or the wrong payload.
    Misuse(SystemMisuse),
    /// The environment failed before any change; the part is that of the effect.
    Failed(Option<PartId>, Failure),
}

/// Why a transaction was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemReason {
    /// A part that it refers to does not exist.
    Missing(PartId),
    /// An instance of this part takes two roles.
    Same(PartId),
    /// A rule does not hold: position in [`System::rules`].
    Rule(usize),
    /// A machine refused its event.
    Machine {
        /// The part.
        part: PartId,
        /// The number of the instance.
        number: u64,
        /// The refusal.
        refused: Refused,
    },
    /// An event raised by a link was refused: position in [`System::links`], and the reason.
    Link(usize, Box<SystemReason>),
    /// An invariant would be violated afterwards: position in [`System::invariants`].
    Invariant(usize),
    /// A value of a payload, or the condition of a link, divides by zero.
    DivisionByZero,
}

/// The environment of a system.
pub trait SystemHost {
    /// Answers a named predicate of a part's machine.
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        let _ = (part, predicate);
        false
    }

    /// Carries out an effect that must succeed before any change.
    fn before(&mut self, part: PartId, number: u64, effect: &EffectCall) -> Result<(), String> {
        let _ = (part, number, effect);
        Ok(())
    }

    /// Stores the instances that change, all or none.
    fn store(&mut self, fired: &[Fired]) -> Result<(), String> {
        let _ = fired;
        Ok(())
    }

    /// Carries out an effect after the change.
    fn effect(&mut self, part: PartId, number: u64, effect: &EffectCall) {
        let _ = (part, number, effect);
    }
}

/// The default host: no predicate holds, nothing fails, effects are ignored.
impl SystemHost for () {}

impl World {
    /// An initial world: parts without `many` exist from the start if
    /// no event creates them.
    pub fn new(model: &Model, system: &System) -> Result<World, SystemError> {
        let mut unit =
            Unit { model, system, host: &(), world: World::default(), started: Vec::new(), fired: Vec::new(), passed_over: Vec::new() };
        unit.start(&singles(system).collect())?;
        Ok(unit.world)
    }

    /// One instance of a part.
    pub fn instance(&self, part: PartId, number: u64) -> Option<&Instance> {
        self.instances.get(&(part, number))
    }

    /// All instances of a part, with their numbers.
    pub fn instances(&self, part: PartId) -> impl Iterator<Item = (u64, &Instance)> {
        self.instances.range((part, 0)..=(part, u64::MAX)).map(|((_, number), instance)| (*number, instance))
    }

    /// Puts an instance into the world, for callers that start in the middle.
    pub fn put(&mut self, model: &Model, system: &System, part: PartId, number: u64, instance: Instance) -> Result<(), SystemError> {
        let machine = machine_of(model, system, part)?;
        check_instance(machine, &instance).map_err(|error| misuse(error, machine))?;
        self.instances.insert((part, number), instance);
        Ok(())
    }

    /// The position in [`System::invariants`] of the first violated invariant.
    pub fn broken_invariant(&self, model: &Model, system: &System) -> Option<usize> {
        broken_invariant(model, system, self)
    }

    /// Runs a transaction, all or nothing. `chosen` names instances of `many` parts; it determines
    /// their owners. An instance to be created gets the next number if none is named.
    pub fn run(
        &mut self,
        model: &Model,
        system: &System,
        transaction: usize,
        chosen: &[(PartId, u64)],
        payload: &[Value],
        host: &mut dyn SystemHost,
    ) -> Result<Trace, SystemError> {
        let Some(transaction) = system.transactions.get(transaction) else {
            return Err(invalid("the system has no such transaction"));
        };
        let mut unit =
            Unit { model, system, host: &*host, world: self.clone(), started: Vec::new(), fired: Vec::new(), passed_over: Vec::new() };
        let chosen = unit.transaction(transaction, chosen, payload)?;
        unit.forget_unchanged();
        let Unit { world: next, fired, passed_over, .. } = unit;
        if let Some(broken) = broken_invariant(model, system, &next) {
            return Err(SystemError::Refused(SystemReason::Invariant(broken)));
        }
        // After this point, nothing is refused.
        let unsaved = self.carry_out(next, &fired, host)?;
        Ok(Trace { chosen, fired, passed_over, unsaved })
    }

    fn carry_out(&mut self, next: World, fired: &[Fired], host: &mut dyn SystemHost) -> Result<Option<String>, SystemError> {
        let effects = |wanted: fn(Phase) -> bool| {
            let raised = fired.iter().flat_map(|it| it.steps.iter().flat_map(|step| &step.effects).map(move |effect| (it, effect)));
            raised.filter(move |(_, effect)| wanted(effect.phase))
        };
        for (at, effect) in effects(|it| it == Phase::Before) {
            let failed = |message| SystemError::Failed(Some(at.part), Failure::Before(effect.effect, message));
            host.before(at.part, at.number, effect).map_err(failed)?;
        }
        let order = fired.iter().map(|it| it.commit).min().unwrap_or(Commit::MemoryOnly);
        let stored = if order == Commit::MemoryOnly { Ok(()) } else { host.store(fired) };
        let unsaved = match stored {
            Err(message) if order == Commit::PersistFirst => return Err(SystemError::Failed(None, Failure::Store(message))),
            stored => stored.err(),
        };
        *self = next;
        for (at, effect) in effects(|it| it != Phase::Before) {
            host.effect(at.part, at.number, effect);
        }
        Ok(unsaved)
    }
}

/// Whether an actor may trigger a transaction; any actor may if it names none.
pub fn may_trigger(transaction: &Transaction, actor: ActorId) -> bool {
    transaction.by.is_empty() || transaction.by.contains(&actor)
}

/// A transaction during its computation. Nothing of it is visible outside.
struct Unit<'a> {
    model: &'a Model,
    system: &'a System,
    host: &'a dyn SystemHost,
    /// The resulting world.
    world: World,
    /// The instances that no event creates, started on first use.
    started: Vec<(PartId, u64)>,
    fired: Vec<Fired>,
    passed_over: Vec<(usize, SystemReason)>,
}

impl Unit<'_> {
    fn transaction(&mut self, transaction: &Transaction, chosen: &[(PartId, u64)], payload: &[Value]) -> Result<Chosen, SystemError> {
        check_payload(self.model, self.system, &transaction.payload, payload)?;
        let parts = self.system.parts_of(transaction);
        let mut created = BTreeSet::new();
        for fire in transaction.fire.iter().filter(|it| self.system.part(it.part).many) {
            created.extend(self.is_created(Some(fire), fire.part)?.then_some(fire.part));
        }
        let distinct = self.system.distinct_in(transaction, |it| created.contains(&it.part));
        let chosen = self.choose(chosen, &parts, &transaction.fire, &created, &distinct)?;
        self.new_instances(transaction, &created, &chosen)?;
        self.start(&chosen)?;
        self.present(&parts, &transaction.fire, &chosen, &created)?;

        // `self.world` is the snapshot until all events are planned.
        for fire in &transaction.fire {
            self.rules(fire, &chosen, &transaction.payload, payload)?;
        }
        let mut planned = Vec::new();
        for fire in &transaction.fire {
            planned.push(self.plan(fire, &chosen, &transaction.payload, payload, None)?);
        }
        let changed = self.fired.len()..self.fired.len() + planned.len();
        for fired in planned {
            self.apply(fired);
        }
        for idx in changed {
            self.follow(idx)?;
        }
        Ok(chosen)
    }

    /// The instance of every part that is determined. An instance determines its owners, up to one of the parts in `created`.
    /// Those in a list of `distinct` differ.
    fn choose(
        &self,
        named: &[(PartId, u64)],
        parts: &[PartId],
        fire: &[Fire],
        created: &BTreeSet<PartId>,
        distinct: &[(PartId, Vec<PartId>)],
    ) -> Result<Chosen, SystemError> {
        let mut chosen = Chosen::new();
        let mut open: Vec<(PartId, u64)> = named.iter().copied().chain(singles(self.system)).collect();
        while let Some((part, number)) = open.pop() {
            if part.index() >= self.system.parts.len() + self.system.roles.len() {
                return Err(invalid("the system has no such part"));
            }
            if let Some(other) = chosen.insert(part, number)
                && other != number
            {
                let numbers = [number.min(other), number.max(other)];
                return Err(SystemError::Misuse(SystemMisuse::Apart { part, numbers }));
            }
            open.extend(owner(self.system, &self.world, part, number).filter(|(owner, _)| !created.contains(owner)));
        }
        for (part, roles) in distinct {
            let mut seen = BTreeSet::new();
            if !roles.iter().filter_map(|it| chosen.get(it)).all(|it| seen.insert(*it)) {
                return Err(SystemError::Refused(SystemReason::Same(*part)));
            }
        }
        for part in parts {
            if chosen.contains_key(part) {
                continue;
            }
            let created = fire.iter().find(|it| it.part == *part);
            if !self.is_created(created, *part)? {
                return Err(SystemError::Misuse(SystemMisuse::Unknown(*part)));
            }
            // The next number, after those of other new instances.
            let plays = self.system.plays(*part);
            let new = chosen.iter().filter(|(it, _)| self.system.plays(**it) == plays).map(|(_, number)| *number);
            let last = self.world.instances(plays).last().map(|(number, _)| number).into_iter().chain(new).max();
            chosen.insert(*part, last.unwrap_or(0).saturating_add(1));
        }
        Ok(chosen)
    }

    /// Checks that the instances which a transaction creates do not exist; the single instance of a part may.
    fn new_instances(&self, transaction: &Transaction, created: &BTreeSet<PartId>, chosen: &Chosen) -> Result<(), SystemError> {
        for (part, number) in chosen.iter().filter(|(part, _)| created.contains(part)) {
            if self.world.instance(self.system.plays(*part), *number).is_some() {
                let (part, transaction) = (&self.system.part(*part).name, &transaction.name);
                return Err(invalid(format!("`{transaction}` creates a `{part}`, and {number} exists already")));
            }
        }
        Ok(())
    }

    /// Starts machines that no event creates, on first use.
    fn start(&mut self, chosen: &Chosen) -> Result<(), SystemError> {
        for (part, number) in chosen {
            let machine = machine_of(self.model, self.system, *part)?;
            let plays = self.system.plays(*part);
            if machine.edges_from(None).is_empty() && self.world.instance(plays, *number).is_none() {
                let given = self.owner(*part, chosen);
                let instance = Instance::start(machine, &given).map_err(|error| misuse(error, machine))?;
                self.world.instances.insert((plays, *number), instance);
                self.started.push((plays, *number));
            }
        }
        Ok(())
    }

    /// Removes instances that were only read: which of `many` instances exist depends on events, not on readers.
    fn forget_unchanged(&mut self) {
        for (part, number) in std::mem::take(&mut self.started) {
            let changed = self.fired.iter().any(|it| (it.part, it.number) == (part, number));
            if self.system.part(part).many && !changed {
                self.world.instances.remove(&(part, number));
            }
        }
    }

    /// The context fields given to a new instance: its owner.
    fn owner(&self, part: PartId, chosen: &Chosen) -> Vec<(FieldId, Value)> {
        let owner = self.system.part(part).of.and_then(|(owner, field)| Some((field, Value::Reference(*chosen.get(&owner)?))));
        owner.into_iter().collect()
    }

    fn is_created(&self, fire: Option<&Fire>, part: PartId) -> Result<bool, SystemError> {
        let machine = machine_of(self.model, self.system, part)?;
        Ok(fire.is_some_and(|fire| fire.part == part && machine.is_creation_event(fire.event)))
    }

    /// Checks that every part exists, or is about to be created and not read before.
    fn present(&self, parts: &[PartId], fire: &[Fire], chosen: &Chosen, created: &BTreeSet<PartId>) -> Result<(), SystemError> {
        let read = self.system.parts_read_before(fire);
        for part in parts {
            let plays = self.system.plays(*part);
            let instance = chosen.get(part).filter(|number| self.world.instance(plays, **number).is_some());
            let there = match instance {
                Some(number) => self.belongs(*part, *number, chosen, created)?,
                None => false,
            };
            let own = fire.iter().find(|it| it.part == *part && !read.contains(part));
            if !there && !self.is_created(own, *part)? {
                return Err(SystemError::Refused(SystemReason::Missing(plays)));
            }
        }
        Ok(())
    }

    /// Whether an instance belongs to the owner that the transaction creates. A machine that begins on first use begins with that
    /// owner; one that began earlier belongs to another.
    fn belongs(&self, part: PartId, number: u64, chosen: &Chosen, created: &BTreeSet<PartId>) -> Result<bool, SystemError> {
        let begins = machine_of(self.model, self.system, part)?.edges_from(None).is_empty();
        let of = self.system.part(part).of.map(|(owner, _)| owner).filter(|owner| begins && created.contains(owner));
        Ok(of.is_none_or(|of| owner(self.system, &self.world, part, number) == chosen.get(&of).map(|number| (of, *number))))
    }

    fn rules(&self, fire: &Fire, chosen: &Chosen, inputs: &[Input], payload: &[Value]) -> Result<(), SystemError> {
        let view = View { model: self.model, system: self.system, world: &self.world, chosen, inputs, payload };
        for (idx, require) in self.system.conditions_for(fire.part, fire.event) {
            if !holds(&require, &view) {
                return Err(SystemError::Refused(SystemReason::Rule(idx)));
            }
        }
        Ok(())
    }

    /// Plans one event on the current world.
    fn plan(&self, fire: &Fire, chosen: &Chosen, inputs: &[Input], payload: &[Value], link: Option<usize>) -> Result<Fired, SystemError> {
        let machine = machine_of(self.model, self.system, fire.part)?;
        let view = View { model: self.model, system: self.system, world: &self.world, chosen, inputs, payload };
        let payload = fire.payload.iter().map(|it| Ok(view.own(eval(it, &view)?)));
        let payload: Vec<Value> = payload.collect::<Result<_, DivisionByZero>>()?;
        let Some(number) = chosen.get(&fire.part).copied() else {
            return Err(SystemError::Misuse(SystemMisuse::Unknown(fire.part)));
        };
        // A machine that is created in memory only takes the place of the one that is there.
        let part = self.system.plays(fire.part);
        let before = self.world.instance(part, number).filter(|_| !machine.is_creation_in_memory(fire.event)).cloned();
        let given = if before.is_none() { self.owner(fire.part, chosen) } else { Vec::new() };
        let predicates = |it| self.host.predicate(part, it);
        match plan(machine, before.as_ref(), Request::Event(fire.event), &payload, &given, &predicates) {
            Ok(Plan { steps, end, commit }) => {
                Ok(Fired { part, number, event: fire.event, payload, link, before, after: end, steps, commit })
            }
            Err(Error::Refused(refused)) => Err(SystemError::Refused(SystemReason::Machine { part, number, refused })),
            Err(error) => Err(misuse(error, machine)),
        }
    }

    fn apply(&mut self, fired: Fired) {
        self.world.instances.insert((fired.part, fired.number), fired.after.clone());
        self.fired.push(fired);
    }

    /// Fires the links that watch the borders crossed by one event.
    fn follow(&mut self, idx: usize) -> Result<(), SystemError> {
        let Fired { part, number, .. } = self.fired[idx];
        let crossings: Vec<(Crossing, StateId)> = self.fired[idx].steps.iter().flat_map(crossings).collect();
        for (on, state) in crossings {
            let watching = |it: &Link| it.part == part && it.on == on && it.state == state;
            let system = self.system;
            for (link_idx, link) in system.links.iter().enumerate().filter(|(_, it)| watching(it)) {
                let fired = self.fired.len();
                match self.link(link_idx, link, number) {
                    Ok(true) => self.follow(fired)?,
                    Ok(false) => {}
                    Err(SystemError::Refused(reason)) if link.optional => self.passed_over.push((link_idx, reason)),
                    Err(SystemError::Refused(reason)) => {
                        return Err(SystemError::Refused(SystemReason::Link(link_idx, Box::new(reason))));
                    }
                    Err(other) => return Err(other),
                }
            }
        }
        Ok(())
    }

    /// Fires one link for an instance of the part that it watches. False if its `when` does not hold.
    fn link(&mut self, idx: usize, link: &Link, number: u64) -> Result<bool, SystemError> {
        let fire = std::slice::from_ref(&link.fire);
        let mut parts = self.system.parts_of_fire(&link.fire);
        let when_parts = link.when.as_ref().map(|it| it.parts()).unwrap_or_default();
        let chosen = self.choose(&[(link.part, number)], &parts, fire, &BTreeSet::new(), &[])?;
        self.present(&when_parts, &[], &chosen, &BTreeSet::new())?;
        let view = View { model: self.model, system: self.system, world: &self.world, chosen: &chosen, inputs: &[], payload: &[] };
        if let Some(when) = &link.when
            && !eval_bool(when, &view)?
        {
            return Ok(false);
        }
        parts.retain(|it| !when_parts.contains(it));
        self.present(&parts, fire, &chosen, &BTreeSet::new())?;
        self.rules(&link.fire, &chosen, &[], &[])?;
        if self.fired.len() == MAX_FIRED {
            return Err(SystemError::Misuse(SystemMisuse::Endless));
        }
        let fired = self.plan(&link.fire, &chosen, &[], &[], Some(idx))?;
        self.apply(fired);
        Ok(true)
    }
}

/// Whether a rule or an invariant holds; one that divides by zero does not.
fn holds(condition: &Expr, view: &View<'_>) -> bool {
    eval_bool(condition, view).unwrap_or(false)
}

/// The borders that one step crosses, in order.
fn crossings(step: &Step) -> impl Iterator<Item = (Crossing, StateId)> {
    let exits = step.exited.iter().map(|it| (Crossing::Exit, *it));
    exits.chain(step.entered.iter().map(|it| (Crossing::Enter, *it)))
}

/// The first invariant that is violated for some instance and its owners.
fn broken_invariant(model: &Model, system: &System, world: &World) -> Option<usize> {
    system.invariants.iter().position(|invariant| {
        let parts = invariant.require.parts();
        let holds = |chosen: &Chosen| {
            let there = |part: &PartId| chosen.get(part).is_some_and(|number| world.instance(*part, *number).is_some());
            let view = View { model, system, world, chosen, inputs: &[], payload: &[] };
            // An invariant holds trivially for parts that do not exist.
            !parts.iter().all(there) || holds(&invariant.require, &view)
        };
        match invariant.of {
            Some(part) => world.instances(part).any(|(number, _)| !holds(&with_owners(system, world, part, number))),
            None => !holds(&singles(system).collect()),
        }
    })
}

/// The parts that have at most one instance, which has the number 1.
fn singles(system: &System) -> impl Iterator<Item = (PartId, u64)> + '_ {
    system.part_ids().filter(|it| !system.part(*it).many).map(|it| (it, 1))
}

/// One instance, its owners, and the instances of parts without `many`.
fn with_owners(system: &System, world: &World, part: PartId, number: u64) -> Chosen {
    let mut chosen: Chosen = singles(system).collect();
    let mut at = Some((part, number));
    while let Some((part, number)) = at {
        chosen.insert(part, number);
        at = owner(system, world, part, number);
    }
    chosen
}

/// The owner of an instance.
fn owner(system: &System, world: &World, part: PartId, number: u64) -> Option<(PartId, u64)> {
    let (owner, field) = system.part(part).of?;
    match world.instance(system.plays(part), number)?.context.get(field.index())? {
        Value::Reference(number) => Some((owner, *number)),
        _ => None,
    }
}

fn check_payload(model: &Model, system: &System, inputs: &[Input], payload: &[Value]) -> Result<(), SystemError> {
    if inputs.len() != payload.len() {
        return Err(invalid(format!("the transaction takes {} values, not {}", inputs.len(), payload.len())));
    }
    let wrong = inputs.iter().zip(payload).find(|(input, value)| !input_fits(model, system, input, value));
    match wrong {
        Some((input, _)) => Err(invalid(format!("`{}` cannot hold the value given for it", input.field.name))),
        None => Ok(()),
    }
}

fn input_fits(model: &Model, system: &System, input: &Input, value: &Value) -> bool {
    if let Value::Enum(id, idx) = value {
        let known = system.enums.get(id.index()).is_some_and(|it| *idx < it.values.len());
        return known && input.field.ty == crate::model::Type::Enum(*id);
    }
    let machine = match input.of {
        Some(part) => machine_of(model, system, part).ok(),
        None => model.machines.first(),
    };
    machine.is_some_and(|machine| value::fits(machine, &input.field, value))
}

fn machine_of<'a>(model: &'a Model, system: &System, part: PartId) -> Result<&'a Machine, SystemError> {
    let known = part.index() < system.parts.len() + system.roles.len();
    let machine = known.then(|| system.part(part)).and_then(|it| model.machines.get(it.machine));
    machine.ok_or_else(|| invalid("the system has no such part"))
}

/// Another mistake of the caller.
pub(super) fn invalid(message: impl Into<String>) -> SystemError {
    SystemError::Misuse(SystemMisuse::Other(message.into()))
}

fn misuse(error: Error, machine: &Machine) -> SystemError {
    invalid(format!("`{}`: {}", machine.name, error.show(machine)))
}

impl From<DivisionByZero> for SystemError {
    fn from(_: DivisionByZero) -> Self {
        SystemError::Refused(SystemReason::DivisionByZero)
    }
}

impl SystemError {
    /// The error in words: the text in the spec, if any.
    pub fn show(&self, model: &Model, system: &System) -> String {
        match self {
            SystemError::Refused(reason) => reason.show(model, system),
            SystemError::Misuse(misuse) => misuse.show(system),
            SystemError::Failed(part, failure) => {
                let machine = part.and_then(|it| machine_of(model, system, it).ok());
                match (failure, machine) {
                    (Failure::Before(effect, message), Some(machine)) => format!("`{}` failed: {message}", machine.effect(*effect).name),
                    (Failure::Before(_, message), None) => message.clone(),
                    (Failure::Store(message), _) => format!("the store failed: {message}"),
                }
            }
        }
    }
}

impl SystemReason {
    /// The refusal in words: the text in the spec, if any.
    pub fn show(&self, model: &Model, system: &System) -> String {
        match self {
            SystemReason::Missing(part) => format!("there is no {}", system.part(*part).name),
            SystemReason::Same(part) => format!("the same {} takes two roles", system.part(*part).name),
            SystemReason::Rule(idx) => system.rules[*idx].doc.clone(),
            SystemReason::Invariant(idx) => system.invariants[*idx].doc.clone(),
            SystemReason::DivisionByZero => "a divisor is zero".into(),
            SystemReason::Link(_, reason) => reason.show(model, system),
            SystemReason::Machine { part, refused, .. } => match machine_of(model, system, *part) {
                Ok(machine) => refused.show(machine).to_string(),
                Err(error) => error.show(model, system),
            },
        }
    }
}
