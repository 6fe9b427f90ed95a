//! Emitted systems, driven by name and compared with the interpreter.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use statespec_lang::interpret::{EffectCall, SystemError, SystemHost, World};
use statespec_lang::model::system::{Input, Transaction};
use statespec_lang::model::{Configuration, Model, PartId, PredicateId, System, Type, Value};

use super::log::effects_that_fail;
use super::{BoundaryValues, Drive, Entry, Holds, Log, Random, SystemValues};

/// A system with a unit of work in memory. The implementations are generated.
pub trait DriveSystem: Default {
    /// Its name.
    const SYSTEM: &'static str;

    /// The effects and writes outside the machines.
    fn log(&mut self) -> &mut Log;

    /// The parts whose instance the caller of the transaction names.
    fn named(transaction: &str) -> &'static [&'static str];

    /// The parts of which the transaction creates instances.
    fn created(_transaction: &str) -> &'static [&'static str] {
        &[]
    }

    /// Runs a transaction; the error is its text for the user.
    fn run(&mut self, transaction: &str, chosen: &Numbers, payload: &SystemValues<'_>) -> Result<(), String>;

    /// The instances of a part.
    fn instances(&self, part: &str, model: &Model) -> Instances;

    /// Checks the invariants.
    fn check(&mut self) -> Result<(), String> {
        Ok(())
    }
}

/// An operation on every system.
pub trait VisitSystems {
    /// Executes the operation on one system.
    fn system<D: DriveSystem>(&mut self);
}

/// The number of the chosen instance, by part.
#[derive(Debug, Clone, Default)]
pub struct Numbers(pub BTreeMap<String, u64>);

impl Numbers {
    /// The instance of a part.
    pub fn number(&self, part: &str) -> u64 {
        self.0[part]
    }
}

/// State and context of every instance, by number.
pub type Instances = BTreeMap<u64, (Configuration, Vec<Value>)>;

/// The instances of one part: the committed ones, and those of the running transaction.
#[derive(Debug)]
pub struct Kept<M> {
    lasting: BTreeMap<u64, M>,
    staged: BTreeMap<u64, M>,
    /// The keys of the next new instances, each if it was chosen.
    wanted: VecDeque<Option<u64>>,
    /// The last key that a new instance of the next transaction got.
    given: Option<u64>,
}

impl<M> Default for Kept<M> {
    fn default() -> Self {
        Kept { lasting: BTreeMap::new(), staged: BTreeMap::new(), wanted: VecDeque::new(), given: None }
    }
}

impl<M: Drive> Kept<M> {
    /// Begins a transaction, or begins it again.
    pub fn begin(&mut self) {
        (self.given, self.wanted) = (None, VecDeque::new());
        self.staged = self.lasting.clone();
    }

    /// Commits the saved instances.
    pub fn commit(&mut self) {
        self.lasting = self.staged.clone();
    }

    /// One instance.
    pub fn get(&self, key: u64) -> Option<M> {
        self.staged.get(&key).cloned()
    }

    /// Saves an instance, if it still is as the transaction loaded it.
    pub fn put(&mut self, key: u64, before: Option<&M>, after: &M) -> Result<(), String> {
        if self.staged.get(&key) != before {
            return Err("somebody else changed it".to_owned());
        }
        self.staged.insert(key, after.clone());
        Ok(())
    }

    /// Chooses the key of one more new instance.
    pub fn want(&mut self, key: Option<u64>) {
        self.wanted.push_back(key);
    }

    /// The key of a new instance.
    pub fn next_key(&mut self) -> u64 {
        let next = self.lasting.keys().last().copied().max(self.given).map_or(1, |it| it + 1);
        let key = self.wanted.pop_front().flatten().unwrap_or(next);
        self.given = self.given.max(Some(key));
        key
    }

    /// The first instance, or the one after another.
    pub fn after(&self, key: Option<u64>) -> Option<(u64, M)> {
        let mut following = self.staged.range(key.map_or(0, |it| it + 1)..);
        following.next().map(|(key, machine)| (*key, machine.clone()))
    }

    /// All committed instances.
    pub fn told(&self, model: &Model, machine: &str) -> Instances {
        let machine = model.machine(machine).expect("a machine");
        self.lasting.iter().map(|(key, it)| (*key, super::side::snapshot(machine, it))).collect()
    }
}

/// The interpreter's host, with the same log.
struct Interpreted<'a> {
    model: &'a Model,
    system: &'a System,
    log: Log,
}

impl Interpreted<'_> {
    fn raise(&mut self, part: PartId, number: u64, effect: &EffectCall) -> Result<(), String> {
        let declared = self.system.part(part);
        let machine = &self.model.machines[declared.machine];
        self.log.speak_of(&declared.name, number);
        self.log.raise(machine, effect)
    }
}

impl SystemHost for Interpreted<'_> {
    fn predicate(&self, part: PartId, id: PredicateId) -> bool {
        self.log.holds.holds(&predicate(self.model, self.system, part, id))
    }

    fn before(&mut self, part: PartId, number: u64, effect: &EffectCall) -> Result<(), String> {
        self.raise(part, number, effect)
    }

    fn store(&mut self, _: &[statespec_lang::interpret::Fired]) -> Result<(), String> {
        self.log.write()
    }

    fn effect(&mut self, part: PartId, number: u64, effect: &EffectCall) {
        // Effects after the store has been written do not fail.
        let _ = self.raise(part, number, effect);
    }
}

/// The name of a predicate in [`Log::holds`].
fn predicate(model: &Model, system: &System, part: PartId, id: PredicateId) -> String {
    let part = system.part(part);
    format!("{}.{}", part.name, model.machines[part.machine].predicates[id.index()].name)
}

/// A host for which every predicate is true.
struct Willing;

impl SystemHost for Willing {
    fn predicate(&self, _: PartId, _: PredicateId) -> bool {
        true
    }
}

/// Both sides of a system, in the same state.
pub struct Pair<'m, D> {
    model: &'m Model,
    system: &'m System,
    world: World,
    emitted: D,
    /// The values to try, by transaction and input.
    inputs: Vec<Vec<Vec<Value>>>,
}

impl<'m, D: DriveSystem> Pair<'m, D> {
    /// The initial world.
    pub fn new(model: &'m Model) -> Self {
        let system = model.systems.iter().find(|it| it.name == D::SYSTEM).expect("a system");
        let world = World::new(model, system).expect("a world");
        let inputs = system.transactions.iter().map(|it| inputs(model, system, it)).collect();
        Pair { model, system, world, emitted: D::default(), inputs }
    }

    /// The system.
    pub fn system(&self) -> &'m System {
        self.system
    }

    /// The interpreter's world; the emitted one is the same.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Runs a transaction on both sides; their results must be equal.
    pub fn run(&mut self, transaction: usize, numbers: &Numbers, payload: &[Value], log: &Log) -> Result<(), String> {
        let declared = &self.system.transactions[transaction];
        let chosen = self.chosen(numbers);
        let mut host = Interpreted { model: self.model, system: self.system, log: log.clone() };
        let outcome = self.world.run(self.model, self.system, transaction, &chosen, payload, &mut host);
        let expected = match outcome {
            Ok(trace) if trace.unsaved.is_some() => Err("the state moved, but the store failed".to_owned()),
            Ok(_) => Ok(()),
            Err(SystemError::Failed(part, failure)) => Err(failed(self.model, self.system, part, &failure)),
            Err(error) => Err(error.show(self.model, self.system)),
        };
        *self.emitted.log() = log.clone();
        let found = self.emitted.run(&declared.name, numbers, &SystemValues::new(self.model, payload));
        let circumstances = format!("{} {numbers:?} {payload:?}", declared.name);
        match (&expected, &found) {
            // Of instances that contradict each other, one is as good as missing, if anything asks for it.
            (Err(expected), Err(_)) if expected.starts_with("which `") && expected.contains("`: ") => {}
            // Without the instance, its owner is unknown.
            (Err(expected), Err(found)) if expected.starts_with("which `") => assert!(found.starts_with("there is no"), "{found}"),
            _ => assert_eq!(found, expected, "{circumstances}"),
        }
        // The store is written even if there are no effects.
        assert_eq!(self.emitted.log().entries, host.log.entries, "{circumstances}");
        self.compare(&circumstances);
        // The invariants hold at the start, so they hold after every transaction.
        assert_eq!(self.world.broken_invariant(self.model, self.system), None, "{circumstances}");
        assert_eq!(self.emitted.check(), Ok(()), "{circumstances}");
        found
    }

    /// A random call: of several successful ones, the one that has succeeded least often, so that walks
    /// reach more states.
    fn promising(&self, went_through: &BTreeMap<String, usize>, random: &mut Random) -> (usize, Numbers, Vec<Value>) {
        let mut best: Option<(usize, usize, Numbers, Vec<Value>)> = None;
        for _ in 0..random.below(12) {
            let (transaction, numbers, payload) = self.any(random);
            let rarity = went_through.get(&self.system.transactions[transaction].name).copied().unwrap_or_default();
            if best.as_ref().is_some_and(|(best, ..)| *best <= rarity) {
                continue;
            }
            let chosen = self.chosen(&numbers);
            if self.world.clone().run(self.model, self.system, transaction, &chosen, &payload, &mut Willing).is_ok() {
                best = Some((rarity, transaction, numbers, payload));
            }
        }
        best.map_or_else(|| self.any(random), |(_, transaction, numbers, payload)| (transaction, numbers, payload))
    }

    fn any(&self, random: &mut Random) -> (usize, Numbers, Vec<Value>) {
        let transaction = random.below(self.system.transactions.len());
        let declared = &self.system.transactions[transaction];
        let number = |random: &mut Random| 1 + [0, 0, 0, 1, 2][random.below(5)];
        let numbers = D::named(&declared.name).iter().map(|part| ((*part).to_owned(), number(random)));
        let numbers = Numbers(numbers.collect());
        let payload = self.inputs[transaction].iter().map(|it| it[random.below(it.len())].clone()).collect();
        (transaction, numbers, payload)
    }

    fn chosen(&self, numbers: &Numbers) -> Vec<(PartId, u64)> {
        let ids = || self.system.part_ids().chain(self.system.role_ids());
        let id = |name: &String| ids().find(|it| self.system.part(*it).name == *name).expect("a part or role");
        numbers.0.iter().map(|(name, number)| (id(name), *number)).collect()
    }

    fn compare(&self, circumstances: &str) {
        for part in self.system.part_ids() {
            let declared = self.system.part(part);
            let expected: Instances =
                self.world.instances(part).map(|(number, it)| (number, (it.configuration.clone(), it.context.clone()))).collect();
            let mut found = self.emitted.instances(&declared.name, self.model);
            let machine = &self.model.machines[declared.machine];
            if machine.edges_from(None).is_empty() {
                // The interpreter's machine exists as soon as it is mentioned; the emitted one exists after a change.
                for (number, instance) in &expected {
                    if instance.0 == machine.initial() {
                        found.entry(*number).or_insert_with(|| instance.clone());
                    }
                }
            }
            assert_eq!(found, expected, "{}: {circumstances}", declared.name);
        }
    }
}

/// The failure in the form of emitted code.
fn failed(model: &Model, system: &System, part: Option<PartId>, failure: &statespec_lang::interpret::Failure) -> String {
    use statespec_lang::interpret::Failure;
    match (failure, part) {
        (Failure::Before(effect, _), Some(part)) => {
            let machine = &model.machines[system.part(part).machine];
            format!("`{}` failed, so nothing changed", machine.effect(*effect).name)
        }
        _ => "the store failed, so nothing changed".to_owned(),
    }
}

/// Compares every walkthrough, step by step.
pub fn compare_walkthroughs<D: DriveSystem>(model: &Model) {
    let system = Pair::<D>::new(model).system();
    for told in &system.walkthroughs {
        let mut pair = Pair::<D>::new(model);
        for step in &told.steps {
            let transaction = &system.transactions[step.transaction].name;
            let (named, created) = (D::named(transaction), D::created(transaction));
            let numbers = step.instances.iter().map(|(part, number)| (system.part(*part).name.clone(), *number));
            let numbers = Numbers(numbers.collect());
            // An emitted function finds owners itself, and takes the owner of an instance that may have to begin.
            let taken = |name: &String| named.iter().chain(created).any(|it| it == name);
            if !numbers.0.keys().all(taken) || !named.iter().all(|it| numbers.0.contains_key(*it)) {
                break;
            }
            let payload: Vec<Value> = step.payload.iter().map(|it| it.to_value().unwrap_or(Value::Null)).collect();
            let holds = step.holds.iter().map(|(part, it)| predicate(model, system, *part, *it));
            let log = Log { holds: Holds(holds.collect()), ..Log::default() };
            let outcome = pair.run(step.transaction, &numbers, &payload, &log);
            assert_eq!(outcome.err(), step.refused, "{} of {}", step.number, told.name);
        }
    }
}

/// Compares random transactions, one after the other; returns how often each succeeded.
pub fn compare_transactions<D: DriveSystem>(model: &Model, n_walks: u64, n_calls: usize) -> BTreeMap<String, usize> {
    let mut went_through = BTreeMap::new();
    for seed in 0..n_walks {
        let mut random = Random::new(seed + 100);
        let mut pair = Pair::<D>::new(model);
        let system = pair.system();
        for _ in 0..n_calls {
            if system.transactions.is_empty() {
                break;
            }
            let (transaction, numbers, payload) = pair.promising(&went_through, &mut random);
            let declared = &system.transactions[transaction];
            let log = circumstances(model, system, &mut random);
            let outcome = pair.run(transaction, &numbers, &payload, &log);
            *went_through.entry(declared.name.clone()).or_default() += usize::from(outcome.is_ok());
        }
    }
    went_through
}

fn inputs(model: &Model, system: &System, transaction: &Transaction) -> Vec<Vec<Value>> {
    transaction.payload.iter().map(|it| values(model, system, transaction, it)).collect()
}

/// The values of an input to try.
pub fn values(model: &Model, system: &System, transaction: &Transaction, input: &Input) -> Vec<Value> {
    let part = input.of.unwrap_or(transaction.fire[0].part);
    let mut values: Vec<Value> = match &input.field.ty {
        // The system has enums of its own: those of its machines.
        Type::Enum(id) => (0..system.enums[id.index()].values.len()).map(|it| Value::Enum(*id, it)).collect(),
        _ => return BoundaryValues::new(&model.machines[system.part(part).machine]).of(&input.field),
    };
    if input.field.optional {
        values.push(Value::Null);
    }
    values
}

fn circumstances(model: &Model, system: &System, random: &mut Random) -> Log {
    let machines: Vec<_> = system.parts.iter().map(|it| &model.machines[it.machine]).collect();
    let mut log = Log::default();
    let predicates = system.part_ids().flat_map(|part| {
        let n_predicates = model.machines[system.part(part).machine].predicates.len();
        (0..n_predicates).map(move |it| predicate(model, system, part, PredicateId::new(it)))
    });
    log.holds = Holds(predicates.filter(|_| random.below(4) > 0).collect());
    match random.below(8) {
        0 => log.store_fails = true,
        1 => {
            let effects = machines.iter().flat_map(|it| effects_that_fail(it));
            log.fails = effects.filter(|_| random.below(2) == 0).collect();
        }
        _ => {}
    }
    log
}

/// The number of effects in a log.
pub fn n_effects(log: &Log) -> usize {
    log.entries.iter().filter(|it| matches!(it, Entry::Effect { .. })).count()
}
