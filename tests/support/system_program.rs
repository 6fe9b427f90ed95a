//! Executes programs of systems as their documentation says, with nothing but the program and the declarations of the system and
//! its machines: no question that the model answers is asked of it.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::expr::Var;
use statespec_lang::interpret::system::MAX_FIRED;
use statespec_lang::interpret::{Failure, Fired, Instance, Phase, Refused, Request, Step, SystemHost, SystemReason};
use statespec_lang::model::machine::Commit;
use statespec_lang::model::system::{Crossing, Input};
use statespec_lang::model::{ConstantId, EnumId, FieldId, Model, PartId, PredicateId, StateId, System, Value};
use statespec_lang::program::system::{Fire, Given, Invariant, Key, Load, Need, Part, Rule, Stored, Transaction};
use statespec_lang::program::{Cause, Expr, Program, SystemProgram};

use super::run::{self, Call, Values};

/// The keys of instances, by part and role.
pub(crate) type Keys = BTreeMap<PartId, u64>;

/// The instances of a system, by part and key.
pub(crate) type World = BTreeMap<(PartId, u64), Instance>;

/// A transaction that was executed.
pub(crate) struct Done {
    /// The keys of its instances.
    pub(crate) keys: Keys,
    /// The changes, in order.
    pub(crate) fired: Vec<Fired>,
    /// The optional links that were refused.
    pub(crate) skipped: Vec<(usize, SystemReason)>,
    /// The error of a store that failed after the change.
    pub(crate) unsaved: Option<String>,
}

/// The reason why a transaction changed nothing.
#[derive(Debug, PartialEq)]
pub(crate) enum Stop {
    /// The instances do not belong together: they determine different keys of this part.
    Apart(PartId),
    /// The key of this part is unknown.
    Unknown(PartId),
    /// The system refuses it.
    Refused(SystemReason),
    /// An effect or the store failed.
    Failed(Option<PartId>, Failure),
    /// The links fire too many events.
    Endless,
}

/// The program of a system, and those of its machines.
pub(crate) struct Programs<'m> {
    pub(crate) system: SystemProgram<'m>,
    /// By position in the model.
    machines: BTreeMap<usize, Program<'m>>,
}

impl<'m> Programs<'m> {
    pub(crate) fn of(model: &'m Model, system: &'m System) -> Self {
        let machines = system.parts.iter().map(|it| (it.machine, Program::of(&model.machines[it.machine]))).collect();
        Programs { system: SystemProgram::of(model, system), machines }
    }
}

/// The world at the start.
pub(crate) fn start(programs: &Programs<'_>) -> World {
    let mut unit = Unit::new(programs, &(), &World::new());
    let singles = programs.system.system.parts.iter().enumerate().filter(|(_, it)| !it.many);
    unit.begin(&singles.map(|(idx, _)| (PartId::new(idx), 1)).collect()).expect("the owners of single instances are single");
    unit.world
}

/// Executes a transaction.
pub(crate) fn transact(
    programs: &Programs<'_>,
    world: &mut World,
    transaction: usize,
    named: &Keys,
    payload: &[Value],
    host: &mut dyn SystemHost,
) -> Result<Done, Stop> {
    let mut unit = Unit::new(programs, &*host, world);
    let keys = unit.transaction(transaction, named, payload)?;
    let Unit { world: next, fired, skipped, .. } = unit;
    let effects = |before: bool| {
        let effects = fired.iter().flat_map(|it| it.steps.iter().flat_map(|step| &step.effects).map(move |effect| (it, effect)));
        effects.filter(move |(_, it)| (it.phase == Phase::Before) == before)
    };
    for (at, effect) in effects(true) {
        let failed = |message| Stop::Failed(Some(at.part), Failure::Before(effect.effect, message));
        host.before(at.part, at.number, effect).map_err(failed)?;
    }
    let commit = fired.iter().map(|it| it.commit).min().expect("a transaction fires an event");
    let stored = if commit == Commit::MemoryOnly { Ok(()) } else { host.store(&fired) };
    let unsaved = match (stored, commit) {
        (Err(message), Commit::PersistFirst) => return Err(Stop::Failed(None, Failure::Store(message))),
        (stored, _) => stored.err(),
    };
    *world = next;
    for (at, effect) in effects(false) {
        host.effect(at.part, at.number, effect);
    }
    Ok(Done { keys, fired, skipped, unsaved })
}

/// A transaction during its execution.
struct Unit<'a> {
    program: &'a SystemProgram<'a>,
    machines: &'a BTreeMap<usize, Program<'a>>,
    host: &'a dyn SystemHost,
    world: World,
    /// The instances that began.
    begun: Vec<(PartId, u64)>,
    fired: Vec<Fired>,
    skipped: Vec<(usize, SystemReason)>,
}

impl<'a> Unit<'a> {
    fn new(programs: &'a Programs<'a>, host: &'a dyn SystemHost, world: &World) -> Self {
        let Programs { system, machines } = programs;
        Unit { program: system, machines, host, world: world.clone(), begun: Vec::new(), fired: Vec::new(), skipped: Vec::new() }
    }

    fn machine(&self, part: PartId) -> &'a Program<'a> {
        &self.machines[&self.program.system.part(part).machine]
    }

    fn transaction(&mut self, idx: usize, named: &Keys, payload: &[Value]) -> Result<Keys, Stop> {
        let transaction = &self.program.transactions[idx];
        let inputs = (self.program.system.transactions[idx].payload.as_slice(), payload);
        let mut keys = self.determine(&transaction.loads, named)?;
        for distinct in &transaction.distinct {
            let mut seen = BTreeSet::new();
            if !distinct.among.iter().filter_map(|it| keys.get(it)).all(|it| seen.insert(*it)) {
                return Err(Stop::Refused(SystemReason::Same(distinct.part)));
            }
        }
        self.ask(transaction, named, &keys);
        self.complete(&transaction.loads, &transaction.parts, &mut keys)?;
        self.begin(&keys)?;
        self.needs(&transaction.needs, &keys)?;
        self.rules(&transaction.rules, &keys, inputs)?;
        let planned: Result<Vec<Fired>, Stop> = transaction.fires.iter().map(|it| self.plan(it, &keys, inputs, None)).collect();
        let n_fired = transaction.fires.len();
        planned?.into_iter().for_each(|it| self.apply(it));
        for idx in 0..n_fired {
            self.follow(idx)?;
        }
        for (part, key) in std::mem::take(&mut self.begun) {
            if self.program.system.part(part).many && !self.fired.iter().any(|it| (it.part, it.number) == (part, key)) {
                self.world.remove(&(part, key));
            }
        }
        let changes = |it: &Fired| transaction.changes.iter().any(|part| self.program.part(*part).plays == it.part);
        assert!(self.fired.iter().all(changes), "it changes what it is not said to");
        let violated = |it: &&usize| !self.invariant(&self.program.invariants[**it]);
        match transaction.checks.iter().find(violated) {
            Some(idx) => Err(Stop::Refused(SystemReason::Invariant(*idx))),
            None => Ok(keys),
        }
    }

    fn instance(&self, part: PartId, keys: &Keys) -> Option<&Instance> {
        self.world.get(&(self.program.part(part).plays, *keys.get(&part)?))
    }

    /// The key of the owner of an instance.
    fn owner(&self, part: PartId, keys: &Keys) -> Option<u64> {
        match self.instance(part, keys)?.context[self.program.part(part).owner?.field.index()] {
            Value::Reference(key) => Some(key),
            _ => None,
        }
    }

    /// The keys that are given or determined by other instances.
    fn determine(&self, loads: &[Load], named: &Keys) -> Result<Keys, Stop> {
        let mut keys = Keys::new();
        for load in loads {
            let given = match load.key {
                Key::Single => Some(1),
                Key::Named => Some(named[&load.part]),
                Key::New | Key::Owned => None,
            };
            let told: Vec<u64> = given.into_iter().chain(load.owned.iter().filter_map(|it| self.owner(*it, &keys))).collect();
            if told.iter().any(|it| *it != told[0]) {
                return Err(Stop::Apart(load.part));
            }
            keys.extend(told.first().map(|it| (load.part, *it)));
        }
        Ok(keys)
    }

    /// Asks for the instances one after the other: each is there when another one needs it, and has the key that is determined.
    fn ask(&self, transaction: &Transaction, named: &Keys, keys: &Keys) {
        let mut asked = Keys::new();
        let is_new = |part: &PartId| transaction.creates.contains(part);
        let mut open: BTreeSet<PartId> = transaction.reaches.iter().copied().filter(|it| !is_new(it)).collect();
        for Stored { part, owner_of } in &transaction.stored {
            assert!(open.remove(part), "an instance is asked for twice, or is not reached");
            let Part { begins, owner, .. } = self.program.part(*part);
            let awaited = owner_of.or(owner.map(|it| it.part).filter(|_| begins.is_some()));
            assert!(awaited.is_none_or(|it| !open.contains(&it)), "an instance is asked for too early");
            let single = Some(1).filter(|_| !self.program.system.part(*part).many);
            let key = match owner_of {
                Some(owned) => self.owner(*owned, &asked),
                None => named.get(part).copied().or(single),
            };
            assert!(key.is_some() || owner_of.is_some(), "nothing determines the key of an instance");
            assert!(key.is_none_or(|it| keys.get(part) == Some(&it)), "another instance is asked for");
            asked.extend(key.map(|it| (*part, it)));
        }
        assert!(open.is_empty(), "an instance is not asked for");
    }

    /// Adds the keys of new instances; those of `parts` must be known then.
    fn complete(&self, loads: &[Load], parts: &[PartId], keys: &mut Keys) -> Result<(), Stop> {
        let is_new = |part: PartId| loads.iter().any(|it| it.part == part && it.key == Key::New);
        for part in parts.iter().filter(|it| !is_new(**it)) {
            if !keys.contains_key(part) {
                return Err(Stop::Unknown(*part));
            }
        }
        // The store of a test counts.
        for load in loads.iter().filter(|it| it.key == Key::New) {
            let plays = |part: PartId| self.program.part(part).plays;
            let stored = self.world.keys().filter(|it| it.0 == plays(load.part)).map(|it| it.1);
            let known = keys.iter().filter(|it| plays(*it.0) == plays(load.part)).map(|it| *it.1);
            let next = stored.chain(known).max().unwrap_or(0) + 1;
            keys.entry(load.part).or_insert(next);
        }
        Ok(())
    }

    /// The owner that a new instance gets.
    fn given(&self, part: PartId, keys: &Keys) -> Vec<(FieldId, Value)> {
        let owner = self.program.part(part).owner;
        owner.and_then(|it| Some((it.field, Value::Reference(*keys.get(&it.part)?)))).into_iter().collect()
    }

    fn begin(&mut self, keys: &Keys) -> Result<(), Stop> {
        for (part, key) in keys {
            let program = self.program.part(*part);
            let Some(leaves) = program.begins.as_ref().filter(|_| !self.world.contains_key(&(program.plays, *key))) else { continue };
            let machine = self.machine(*part);
            let context = run::defaults(machine, &self.given(*part, keys));
            if let Some(owner) = program.owner
                && context[owner.field.index()] == Value::Null
                && !machine.machine.fields[owner.field.index()].optional
            {
                return Err(Stop::Unknown(owner.part));
            }
            self.world.insert((program.plays, *key), Instance { configuration: run::configuration(machine, leaves), context });
            self.begun.push((program.plays, *key));
        }
        Ok(())
    }

    fn needs(&self, needs: &[Need], keys: &Keys) -> Result<(), Stop> {
        for need in needs {
            let belongs = || {
                let owner = self.program.part(need.part).owner.expect("only an owned instance belongs to another one");
                self.owner(need.part, keys) == keys.get(&owner.part).copied()
            };
            let is_there = self.instance(need.part, keys).is_some() && (!need.belongs || belongs());
            if !is_there && !need.created {
                return Err(self.missing(need.part));
            }
        }
        Ok(())
    }

    fn missing(&self, part: PartId) -> Stop {
        Stop::Refused(SystemReason::Missing(self.program.part(part).plays))
    }

    fn rules(&self, rules: &[Rule], keys: &Keys, inputs: Inputs<'_>) -> Result<(), Stop> {
        let view = View { unit: self, keys, inputs };
        match rules.iter().find(|it| !view.truth(&it.require)) {
            Some(rule) => Err(Stop::Refused(SystemReason::Rule(rule.rule))),
            None => Ok(()),
        }
    }

    fn plan(&self, fire: &Fire, keys: &Keys, inputs: Inputs<'_>, link: Option<usize>) -> Result<Fired, Stop> {
        let view = View { unit: self, keys, inputs };
        let payload = fire.payload.iter().map(|it| view.given(it)).collect::<Result<Vec<Value>, Stop>>()?;
        let (part, number) = (self.program.part(fire.part).plays, keys[&fire.part]);
        let before = self.instance(fire.part, keys).filter(|_| !fire.in_memory).cloned();
        let given = if before.is_none() { self.given(fire.part, keys) } else { Vec::new() };
        let machine = self.machine(fire.part);
        let holds = |it| self.host.predicate(part, it);
        let call = Call { cause: Cause::Event(fire.event), payload: &payload, given: &given, holds: &holds };
        match run::plan(machine, before.as_ref(), call) {
            Ok(plan) => Ok(Fired {
                part,
                number,
                event: fire.event,
                payload,
                link,
                before,
                after: plan.end,
                steps: plan.steps,
                commit: plan.commit,
            }),
            Err(reason) => {
                let from = before.as_ref().map(|it| it.configuration.clone());
                let allowed = run::allowed(machine, before.as_ref());
                let refused = Refused { from, request: Request::Event(fire.event), reason, allowed };
                Err(Stop::Refused(SystemReason::Machine { part, number, refused }))
            }
        }
    }

    fn apply(&mut self, fired: Fired) {
        self.world.insert((fired.part, fired.number), fired.after.clone());
        self.fired.push(fired);
    }

    fn follow(&mut self, idx: usize) -> Result<(), Stop> {
        let program = self.program;
        let Fired { part, number, .. } = self.fired[idx];
        let crossed = |step: &Step| {
            let exits = step.exited.iter().map(|it| (Crossing::Exit, *it));
            exits.chain(step.entered.iter().map(|it| (Crossing::Enter, *it))).collect::<Vec<_>>()
        };
        let crossed: Vec<Vec<(Crossing, StateId)>> = self.fired[idx].steps.iter().map(crossed).collect();
        for step in &crossed {
            let place = |border: &(Crossing, StateId)| program.part(part).borders.iter().position(|it| it == border);
            assert!(step.iter().filter_map(place).is_sorted(), "borders are crossed in another order");
        }
        for (on, state) in crossed.into_iter().flatten() {
            for link in program.watching(part, on, state) {
                let n_fired = self.fired.len();
                match self.link(link, number) {
                    Ok(true) => self.follow(n_fired)?,
                    Ok(false) => {}
                    Err(Stop::Refused(reason)) if program.links[link].optional => self.skipped.push((link, reason)),
                    Err(Stop::Refused(reason)) => return Err(Stop::Refused(SystemReason::Link(link, Box::new(reason)))),
                    Err(other) => return Err(other),
                }
            }
        }
        Ok(())
    }

    /// Whether the condition of the link holds; then its event is fired.
    fn link(&mut self, idx: usize, number: u64) -> Result<bool, Stop> {
        let (link, inputs) = (&self.program.links[idx], (&[][..], &[][..]));
        let mut keys = self.determine(&link.loads, &Keys::from([(link.part, number)]))?;
        self.complete(&link.loads, &link.parts, &mut keys)?;
        if let Some(when) = &link.when {
            if let Some(missing) = when.needs.iter().find(|it| self.instance(**it, &keys).is_none()) {
                return Err(self.missing(*missing));
            }
            let view = View { unit: self, keys: &keys, inputs };
            if when.divides.as_ref().is_some_and(|it| view.truth(it)) {
                return Err(Stop::Refused(SystemReason::DivisionByZero));
            }
            if !view.truth(&when.condition) {
                return Ok(false);
            }
        }
        self.needs(&link.needs, &keys)?;
        self.rules(&link.rules, &keys, inputs)?;
        if self.fired.len() == MAX_FIRED {
            return Err(Stop::Endless);
        }
        let fired = self.plan(&link.fire, &keys, inputs, Some(idx))?;
        self.apply(fired);
        Ok(true)
    }

    fn invariant(&self, invariant: &Invariant) -> bool {
        let holds = |each: Option<(PartId, u64)>| {
            let singles = invariant.parts.iter().filter(|it| !self.program.system.part(**it).many);
            let mut keys: Keys = singles.map(|it| (*it, 1)).collect();
            keys.extend(each);
            let mut at = each.map(|it| it.0);
            for owner in &invariant.owners {
                let key = at.and_then(|it| self.owner(it, &keys));
                keys.extend(key.map(|it| (*owner, it)));
                at = key.map(|_| *owner);
            }
            let is_there = |it: &PartId| self.instance(*it, &keys).is_some();
            let view = View { unit: self, keys: &keys, inputs: (&[], &[]) };
            !invariant.parts.iter().all(is_there) || view.truth(&invariant.require)
        };
        match invariant.each {
            Some(part) => self.world.keys().filter(|it| it.0 == part).all(|it| holds(Some(*it))),
            None => holds(None),
        }
    }
}

/// The declared inputs of a transaction, and their values.
type Inputs<'a> = (&'a [Input], &'a [Value]);

/// The values that expressions read.
struct View<'a> {
    unit: &'a Unit<'a>,
    keys: &'a Keys,
    inputs: Inputs<'a>,
}

impl View<'_> {
    /// A value of a payload, with the enums of the machine.
    fn given(&self, given: &Given) -> Result<Value, Stop> {
        if given.divides.as_ref().is_some_and(|it| self.truth(it)) {
            return Err(Stop::Refused(SystemReason::DivisionByZero));
        }
        Ok(match self.value(&given.value) {
            Value::Enum(id, idx) => Value::Enum(self.unit.program.system.enum_origins[id.index()].1, idx),
            other => other,
        })
    }

    fn instance(&self, part: PartId) -> &Instance {
        self.unit.instance(part, self.keys).expect("an instance that is read is there")
    }
}

impl Values for View<'_> {
    fn read(&self, var: Var) -> Value {
        match var {
            Var::Input(idx) => self.inputs.1[idx].clone(),
            Var::PartId(part) => Value::Reference(self.keys[&part]),
            Var::PartState(part) => Value::State(self.instance(part).configuration.only().expect("a machine without regions")),
            Var::PartContext(part, field) => match self.instance(part).context[field.index()].clone() {
                Value::Enum(id, idx) => {
                    let system = self.unit.program.system;
                    let origin = (system.part(part).machine, id);
                    let shared = system.enum_origins.iter().position(|it| *it == origin).expect("the system has all enums");
                    Value::Enum(EnumId::new(shared), idx)
                }
                other => other,
            },
            Var::Context(_) | Var::Payload(_) => panic!("a system has no context and no event"),
        }
    }

    fn constant(&self, _: ConstantId) -> Value {
        panic!("a system has no constants")
    }

    fn predicate(&self, _: PredicateId) -> bool {
        panic!("a system asks no predicates")
    }

    fn is_in(&self, subject: &Expr, leaf: StateId, whole: StateId) -> bool {
        let part = subject.states_of(self.inputs.0).expect("a state has a part");
        run::around(self.unit.machine(part), leaf).any(|it| it == whole)
    }

    fn part_is_in(&self, part: PartId, whole: StateId) -> bool {
        self.instance(part).configuration.leaves().any(|leaf| run::around(self.unit.machine(part), leaf).any(|it| it == whole))
    }

    fn is_active(&self, _: StateId) -> bool {
        panic!("a system is in no state")
    }
}
