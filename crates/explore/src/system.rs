//! The exploration of a system with a population: all transactions, choices of instances, and payloads.
//!
//! The interpreter runs on a world of only the instances that a transaction can read or
//! change, and its answer is cached: it is the same whenever these instances are the same.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::interpret::{Instance, SystemError, SystemHost, SystemReason, World};
use statespec_lang::model::{FieldId, Model, PartId, PredicateId, System, TransitionId, Value};
use statespec_lang::source::Span;

use super::Limits;
use super::answers::each_answer;
use super::relevant::Relevant;
use super::report::{Bound, Limit, Trace};
use super::space::{Locals, Outcome, Ran, Slot, Space};
use super::table::Table;
use super::values::default_of;

mod calls;
mod inputs;
mod replay;

pub use calls::payloads_of;
pub use replay::{literal, trigger};

/// A system during its exploration.
pub(super) struct SystemSpace<'m> {
    model: &'m Model,
    /// The system with `many` for every part of which the population has several.
    system: &'m System,
    /// The system as written, for traces that can be pasted into it.
    original: &'m System,
    slots: Vec<Slot>,
    locals: Locals,
    relevant: Relevant,
    calls: Vec<Call>,
    scopes: Vec<InvariantScope>,
    /// The calls with the answers of predicates, in the order in which they first occurred.
    steps: Vec<(usize, Holds)>,
    /// The step of the last run.
    last: u32,
    taken: BTreeSet<(usize, TransitionId)>,
    bounds: Vec<Bound>,
    population: Vec<(String, u64)>,
}

/// A transaction with certain instances and a certain payload.
struct Call {
    transaction: usize,
    named: Vec<(PartId, u64)>,
    payload: Vec<Value>,
    /// Whether the values of its payload are not all that make a difference.
    omitted: bool,
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
    /// For each key, the answers of the interpreter other than refusals, each with its step.
    answers: Vec<Box<[(u32, Answer)]>>,
}

/// The answer of the interpreter.
#[derive(Clone)]
enum Answer {
    Broken(usize),
    /// Not all answers of predicates, or not all values, were tried.
    Omitted,
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
type Holds = Vec<(PartId, PredicateId)>;

/// A host that answers predicates by a function.
struct Asked<'a>(&'a dyn Fn((PartId, PredicateId)) -> bool);

impl SystemHost for Asked<'_> {
    fn predicate(&self, part: PartId, predicate: PredicateId) -> bool {
        self.0((part, predicate))
    }
}

impl<'m> SystemSpace<'m> {
    pub(super) fn new(model: &'m Model, original: &'m System, system: &'m System, limits: &Limits) -> Result<Self, String> {
        let (slots, population) = slots(system, limits)?;
        let mut space = SystemSpace {
            model,
            system,
            original,
            slots,
            locals: Locals::default(),
            relevant: Relevant::of_system(model, system),
            calls: Vec::new(),
            scopes: Vec::new(),
            steps: Vec::new(),
            last: 0,
            taken: BTreeSet::new(),
            bounds: Vec::new(),
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

    /// Runs a call on the interpreter for these instances in its footprint, once for each combination of answers that it
    /// asks for.
    fn ask(&mut self, call: usize, key: &[u32]) -> Result<Box<[(u32, Answer)]>, String> {
        let Call { transaction, named, payload, footprint, omitted, .. } = &self.calls[call];
        let start = self.world(footprint, key)?;
        if !self.may_elapse(*transaction, named, &start) {
            return Ok(Box::default());
        }
        let mut found = Vec::new();
        let (holds, complete) = each_answer(&mut |holds| {
            let mut world = start.clone();
            let ran = world.run(self.model, self.system, *transaction, named, payload, &mut Asked(holds));
            found.push(match ran {
                Ok(trace) => Some(Ok((world, trace))),
                Err(SystemError::Refused(SystemReason::Invariant(idx))) => Some(Err(idx)),
                Err(SystemError::Refused(_)) => None,
                Err(error) => {
                    let name = &self.system.transactions[*transaction].name;
                    return Err(format!("`{name}` cannot be explored with this population: {}", error.show(self.model, self.system)));
                }
            });
            Ok(())
        })?;
        let omitted = *omitted;
        let footprint = footprint.clone();
        let mut answers = Vec::new();
        for (ran, holds) in found.into_iter().zip(holds) {
            let answer = match ran {
                None => continue,
                Some(Err(invariant)) => Answer::Broken(invariant),
                Some(Ok((world, trace))) => {
                    for fired in &trace.fired {
                        let machine = self.system.part(fired.part).machine;
                        self.locals.pass(machine, &fired.steps);
                        self.taken.extend(fired.steps.iter().flat_map(|it| &it.transitions).map(|it| (machine, *it)));
                    }
                    let after =
                        |slot: &Slot| slot.part.and_then(|part| world.instance(part, slot.number)).map(|it| (slot.machine, it.clone()));
                    let after: Vec<_> = footprint.iter().map(|it| after(&self.slots[*it])).collect();
                    Answer::Moved(after.into_iter().map(|it| it.map_or(0, |(machine, it)| self.number(machine, &it))).collect())
                }
            };
            answers.push((self.steps.len() as u32, answer));
            self.steps.push((call, holds));
        }
        if !complete {
            let transaction = &self.system.transactions[self.calls[call].transaction];
            let message = format!("`{}` has too many combinations of answers of its predicates to try them all", transaction.name);
            let bound = Bound { limit: Limit::Combinations, message, help: None, span: transaction.span };
            if !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
        if !complete || omitted {
            answers.push((self.steps.len() as u32, Answer::Omitted));
            self.steps.push((call, Vec::new()));
        }
        Ok(answers.into())
    }

    /// Whether the timers that a transaction fires can elapse in these instances before others leave their states.
    fn may_elapse(&self, transaction: usize, named: &[(PartId, u64)], world: &World) -> bool {
        self.system.transactions[transaction].fire.iter().all(|fire| {
            let machine = &self.model.machines[self.system.part(fire.part).machine];
            let number = named.iter().find(|it| it.0 == fire.part).map_or(1, |it| it.1);
            let leaf = world.instance(self.system.plays(fire.part), number).and_then(|it| it.configuration.only());
            leaf.is_none_or(|leaf| machine.may_elapse(fire.event, leaf))
        })
    }

    /// The number of an instance, ignoring irrelevant fields.
    fn number(&mut self, machine: usize, instance: &Instance) -> u32 {
        let fields = self.model.machines[machine].fields.iter().zip(&instance.context).enumerate();
        let is_relevant = |position| self.relevant.fields.contains(&(machine, FieldId::new(position)));
        let outline: Vec<Value> =
            fields.map(|(position, (field, value))| if is_relevant(position) { value.clone() } else { default_of(field) }).collect();
        let configuration = instance.configuration.clone();
        self.locals.number(machine, &instance.configuration, outline.clone(), || Instance { configuration, context: outline })
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
        let mut found = Vec::new();
        for slot in &self.slots {
            let machine = &self.model.machines[slot.machine];
            let there = slot.part.and_then(|part| world.instance(part, slot.number)).cloned();
            // An instance that no event creates exists from its first use.
            let starts = machine.edges_from(None).is_empty() && slot.owner.is_none();
            let there = match there {
                None if starts => Some(Instance::start(machine, &[]).map_err(|it| it.show(machine))?),
                there => there,
            };
            found.push(there.map(|it| (slot.machine, it)));
        }
        Ok(vec![found.into_iter().map(|it| it.map_or(0, |(machine, it)| self.number(machine, &it))).collect()])
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

    fn run(&mut self, call: usize, variant: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Ran, String> {
        let Call { footprint, created, after, beyond, keys, .. } = &self.calls[call];
        let refused = Ran { outcome: Outcome::Refused, more: false };
        if created.iter().any(|it| from[*it] != 0) || after.iter().any(|it| from[*it] == 0) {
            return Ok(refused);
        }
        let beyond = *beyond;
        next.clear();
        next.extend(footprint.iter().map(|it| from[*it]));
        let known = match keys.find(next) {
            Some(idx) => idx,
            None => {
                let answers = self.ask(call, next)?;
                self.calls[call].answers.push(answers);
                self.calls[call].keys.push(next)
            }
        };
        let answers = &self.calls[call].answers[known];
        let more = variant + 1 < answers.len();
        let ran = |outcome| Ran { outcome, more };
        let Some((step, answer)) = answers.get(variant) else { return Ok(refused) };
        self.last = *step;
        let changed = match answer {
            Answer::Broken(idx) => return Ok(ran(Outcome::Broken(*idx))),
            Answer::Omitted => return Ok(ran(Outcome::Omitted)),
            Answer::Moved(_) if beyond => return Ok(ran(Outcome::Cut)),
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
                return Ok(ran(Outcome::Broken(broken)));
            }
        }
        Ok(ran(Outcome::Moved))
    }

    fn step(&mut self, _: usize, _: usize) -> u32 {
        self.last
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

    fn bounds(&self) -> Vec<Bound> {
        self.bounds.clone()
    }

    fn population(&self) -> Vec<(String, u64)> {
        self.population.clone()
    }

    fn replay(&self, _: usize, steps: &[usize], broken: Option<usize>) -> Result<Trace, String> {
        self.walk(steps, broken)
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
