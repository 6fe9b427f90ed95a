//! The exploration of a system with a population: all transactions, choices of instances, and payloads.
//!
//! The interpreter runs on a world of only the instances that a transaction can read or
//! change, and its answer is cached: it is the same whenever these instances are the same.

use std::collections::{BTreeMap, BTreeSet};

use super::Limits;
use super::relevant::Relevant;
use super::report::Trace;
use super::space::{Locals, Outcome, Slot, Space};
use super::table::Table;
use crate::interpret::{Instance, SystemError, SystemHost, SystemReason, World};
use crate::model::{Model, PartId, PredicateId, System, TransitionId, Value};
use crate::source::Span;

mod calls;
mod replay;

#[cfg(feature = "project")]
pub(crate) use calls::payloads_of;
#[cfg(feature = "project")]
pub(crate) use replay::{literal, trigger};

/// A system during its exploration.
pub(super) struct SystemSpace<'m> {
    model: &'m Model,
    /// The system with `many` for every part of which the population has several.
    system: &'m System,
    /// The system as written, for traces that can be pasted into it.
    original: &'m System,
    slots: Vec<Slot>,
    locals: Locals,
    calls: Vec<Call>,
    scopes: Vec<InvariantScope>,
    taken: BTreeSet<(usize, TransitionId)>,
    sampled: bool,
    population: Vec<(String, u64)>,
}

/// A transaction with certain instances and a certain payload.
struct Call {
    transaction: usize,
    named: Vec<(PartId, u64)>,
    payload: Vec<Value>,
    holds: Vec<(PartId, PredicateId)>,
    /// The slots it can read or change, sorted.
    footprint: Vec<usize>,
    /// The slots that must be empty (`created`) and those that must be filled (`after`): instances are created in order.
    created: Vec<usize>,
    after: Vec<usize>,
    /// Whether it creates an instance for which there is no slot.
    beyond: bool,
    /// The further scopes in which invariants must be checked.
    scopes: Vec<usize>,
    keys: Table,
    answers: Vec<Answer>,
}

/// The answer of the interpreter.
#[derive(Clone)]
enum Answer {
    Refused,
    Broken(usize),
    /// The instances of the footprint afterwards.
    Moved(Box<[u32]>),
}

/// A set of instances that an invariant reads together, with cached results.
struct InvariantScope {
    slots: Vec<usize>,
    keys: Table,
    broken: Vec<Option<usize>>,
}

/// The predicates that hold.
struct Holds<'a>(&'a [(PartId, PredicateId)]);

impl SystemHost for Holds<'_> {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.0.contains(&(part, predicate))
    }
}

impl<'m> SystemSpace<'m> {
    pub(super) fn new(model: &'m Model, original: &'m System, system: &'m System, limits: &Limits) -> Result<Self, String> {
        let (slots, population) = slots(system, limits)?;
        let locals = Locals::new(Relevant::of_system(model, system));
        let mut space = SystemSpace {
            model,
            system,
            original,
            slots,
            locals,
            calls: Vec::new(),
            scopes: Vec::new(),
            taken: BTreeSet::new(),
            sampled: false,
            population,
        };
        space.find_scopes();
        space.find_calls();
        Ok(space)
    }

    /// Collects, for every invariant, each instance that it checks together with its owners.
    fn find_scopes(&mut self) {
        let mut all: BTreeSet<Vec<usize>> = BTreeSet::new();
        for declared in &self.system.invariants {
            let read = declared.require.parts();
            let heads: Vec<Option<usize>> = match declared.of {
                Some(part) => self.slots_of(part).map(Some).collect(),
                None => vec![None],
            };
            for head in heads {
                let mut slots: BTreeSet<usize> = std::iter::successors(head, |it| self.slots[*it].owner).collect();
                let singles = |it: &usize| self.slots[*it].part.is_some_and(|part| !self.system.part(part).many && read.contains(&part));
                slots.extend((0..self.slots.len()).filter(singles));
                all.insert(slots.into_iter().collect());
            }
        }
        self.scopes = all.into_iter().map(|slots| InvariantScope { keys: Table::new(slots.len()), slots, broken: Vec::new() }).collect();
    }

    fn slots_of(&self, part: PartId) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots.len()).filter(move |it| self.slots[*it].part == Some(part))
    }

    /// A world of only these slots.
    fn world(&self, slots: &[usize], numbers: &[u32]) -> Result<World, String> {
        let mut world = World::default();
        for (slot, number) in slots.iter().map(|it| &self.slots[*it]).zip(numbers) {
            if let (Some(instance), Some(part)) = (self.locals.instance(slot.machine, *number), slot.part) {
                let put = world.put(self.model, self.system, part, slot.number, instance.clone());
                put.map_err(|it| it.show(self.model, self.system))?;
            }
        }
        Ok(world)
    }

    /// Runs a call on the interpreter for these instances in its footprint.
    fn ask(&mut self, call: usize, key: &[u32]) -> Result<Answer, String> {
        let Call { transaction, named, payload, holds, footprint, .. } = &self.calls[call];
        let mut world = self.world(footprint, key)?;
        let trace = match world.run(self.model, self.system, *transaction, named, payload, &mut Holds(holds)) {
            Ok(trace) => trace,
            Err(SystemError::Refused(SystemReason::Invariant(idx))) => return Ok(Answer::Broken(idx)),
            Err(SystemError::Refused(_)) => return Ok(Answer::Refused),
            Err(error) => {
                let name = &self.system.transactions[*transaction].name;
                return Err(format!("`{name}` cannot be explored with this population: {}", error.show(self.model, self.system)));
            }
        };
        for fired in &trace.fired {
            let machine = self.system.part(fired.part).machine;
            self.taken.extend(fired.steps.iter().map(|it| (machine, it.transition)));
        }
        let after = |slot: &Slot| slot.part.and_then(|part| world.instance(part, slot.number));
        let numbers = footprint.iter().map(|it| &self.slots[*it]).map(|slot| match after(slot) {
            Some(instance) => self.locals.number(self.model, slot.machine, instance),
            None => 0,
        });
        Ok(Answer::Moved(numbers.collect()))
    }

    /// Checks an invariant and caches the answer.
    fn scope(&mut self, scope: usize, world: &[u32]) -> Result<Option<usize>, String> {
        let key: Vec<u32> = self.scopes[scope].slots.iter().map(|it| world[*it]).collect();
        if let Some(idx) = self.scopes[scope].keys.find(&key) {
            return Ok(self.scopes[scope].broken[idx]);
        }
        let part_of_world = self.world(&self.scopes[scope].slots, &key)?;
        let broken = part_of_world.broken_invariant(self.model, self.system);
        let scope = &mut self.scopes[scope];
        scope.keys.push(&key);
        scope.broken.push(broken);
        Ok(broken)
    }
}

impl Space for SystemSpace<'_> {
    fn name(&self) -> &str {
        &self.system.name
    }

    fn span(&self) -> Span {
        self.system.span
    }

    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn locals(&self) -> &Locals {
        &self.locals
    }

    fn starts(&mut self) -> Result<Vec<Vec<u32>>, String> {
        let world = World::new(self.model, self.system).map_err(|it| it.show(self.model, self.system))?;
        let mut numbers = Vec::new();
        for slot in &self.slots {
            let machine = &self.model.machines[slot.machine];
            let there = slot.part.and_then(|part| world.instance(part, slot.number)).cloned();
            // An instance that no event creates exists from its first use.
            let starts = machine.edges_from(None).is_empty() && slot.owner.is_none();
            let there = match there {
                None if starts => Some(Instance::start(machine, &[]).map_err(|it| it.show(machine))?),
                there => there,
            };
            numbers.push(there.map_or(0, |it| self.locals.number(self.model, slot.machine, &it)));
        }
        Ok(vec![numbers])
    }

    fn broken_at_start(&mut self) -> Result<Option<usize>, String> {
        let start = self.starts()?.remove(0);
        for scope in 0..self.scopes.len() {
            if let Some(broken) = self.scope(scope, &start)? {
                return Ok(Some(broken));
            }
        }
        Ok(None)
    }

    fn n_calls(&self) -> usize {
        self.calls.len()
    }

    fn run(&mut self, call: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Outcome, String> {
        let Call { footprint, created, after, beyond, keys, .. } = &self.calls[call];
        if created.iter().any(|it| from[*it] != 0) || after.iter().any(|it| from[*it] == 0) {
            return Ok(Outcome::Refused);
        }
        let beyond = *beyond;
        next.clear();
        next.extend(footprint.iter().map(|it| from[*it]));
        let known = match keys.find(next) {
            Some(idx) => idx,
            None => {
                let answer = self.ask(call, next)?;
                self.calls[call].answers.push(answer);
                self.calls[call].keys.push(next)
            }
        };
        let changed = match &self.calls[call].answers[known] {
            Answer::Refused => return Ok(Outcome::Refused),
            Answer::Broken(idx) => return Ok(Outcome::Broken(*idx)),
            Answer::Moved(_) if beyond => return Ok(Outcome::Cut),
            Answer::Moved(changed) => changed,
        };
        next.clear();
        next.extend_from_slice(from);
        for (slot, number) in self.calls[call].footprint.iter().zip(changed) {
            next[*slot] = *number;
        }
        for idx in 0..self.calls[call].scopes.len() {
            let scope = self.calls[call].scopes[idx];
            if self.scopes[scope].slots.iter().any(|it| from[*it] != next[*it])
                && let Some(broken) = self.scope(scope, next)?
            {
                return Ok(Outcome::Broken(broken));
            }
        }
        Ok(Outcome::Moved)
    }

    fn transaction(&self, call: usize) -> usize {
        self.calls[call].transaction
    }

    fn transactions(&self) -> Vec<(String, Span)> {
        self.system.transactions.iter().map(|it| (it.name.clone(), it.span)).collect()
    }

    fn touched(&self, call: usize) -> &[usize] {
        &self.calls[call].footprint
    }

    fn invariant(&self, idx: usize) -> Option<(&str, Span)> {
        self.system.invariants.get(idx).map(|it| (it.doc.as_str(), it.span))
    }

    fn taken(&self) -> &BTreeSet<(usize, TransitionId)> {
        &self.taken
    }

    fn sampled(&self) -> bool {
        self.sampled
    }

    fn population(&self) -> Vec<(String, u64)> {
        self.population.clone()
    }

    fn replay(&self, _: usize, calls: &[usize], broken: Option<usize>) -> Result<Trace, String> {
        self.walk(calls, broken)
    }
}

/// The maximum number of instances of each part.
type Population = Vec<(String, u64)>;

/// Allocates a slot for every possible instance. Instances of a part that belongs to another are
/// numbered owner by owner.
fn slots(system: &System, limits: &Limits) -> Result<(Vec<Slot>, Population), String> {
    const MAX_SLOTS: usize = 256;
    let mut by_part: BTreeMap<PartId, Vec<usize>> = BTreeMap::new();
    let mut slots: Vec<Slot> = Vec::new();
    let mut population = Vec::new();
    // Owners come first; ownership has no cycles.
    let mut parts: Vec<PartId> = system.part_ids().collect();
    parts.sort_by_key(|it| (system.owners(*it).count(), *it));
    for part in parts {
        let declared = system.part(part);
        let count = limits.instances.get(&declared.name).copied().unwrap_or(if declared.many { 2 } else { 1 });
        population.push((part, declared.name.clone(), count));
        let owners: Vec<Option<usize>> = match declared.of {
            Some((owner, _)) => by_part.get(&owner).into_iter().flatten().copied().map(Some).collect(),
            None => vec![None],
        };
        let mut number = 0;
        for owner in owners {
            for _ in 0..count {
                number += 1;
                let name = if declared.many { format!("{} {number}", declared.name) } else { declared.name.clone() };
                by_part.entry(part).or_default().push(slots.len());
                slots.push(Slot { machine: declared.machine, part: Some(part), number, owner, name });
            }
        }
        if slots.len() > MAX_SLOTS {
            return Err(format!("the population has more than {MAX_SLOTS} instances"));
        }
    }
    population.sort();
    Ok((slots, population.into_iter().map(|(_, name, count)| (name, count)).collect()))
}
