//! The interface of a machine or a system for the search.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::interpret::{Instance, Step};
use statespec_lang::model::{Configuration, Machine, PartId, StateId, TransitionId, Value};

use super::report::{Bound, Trace};

/// A slot for one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    /// Position in [`Model::machines`].
    pub(super) machine: usize,
    /// The part; `None` for a single machine.
    pub(super) part: Option<PartId>,
    /// The number, counted from 1.
    pub(super) number: u64,
    /// The slot of the instance that it belongs to.
    pub(super) owner: Option<usize>,
    /// The name in messages: `hop 2`, or `mission` if there is only one.
    pub(super) name: String,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Refused.
    Refused,
    /// Successful; the next configuration is returned.
    Moved,
    /// A timer elapsed and was refused: it is over; the next configuration is returned.
    Over,
    /// It would succeed, but would violate an invariant.
    Broken(usize),
    /// It would create an instance beyond the population.
    Cut,
    /// Not everything that makes a difference was tried, so it may lead elsewhere.
    Omitted,
}

/// One of the outcomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) outcome: Outcome,
    /// Whether there is a further one.
    pub(super) more: bool,
}

/// A subject of exploration. Configurations are rows of numbers, one for each slot, which
/// identify the instance there; 0 if there is none.
pub(super) trait Space {
    fn name(&self) -> &str;
    /// The span of its name.
    fn span(&self) -> statespec_lang::source::Span;
    fn slots(&self) -> &[Slot];
    fn locals(&self) -> &Locals;
    /// The possible starts, each a different configuration.
    fn starts(&mut self) -> Result<Vec<Vec<u32>>, String>;
    /// The invariant that is violated at the start.
    fn broken_at_start(&mut self) -> Result<Option<usize>, String>;
    fn n_calls(&self) -> usize;
    /// Applies one call to a configuration. Its outcomes depend on values and answers from outside; `variant` counts them from 0.
    fn run(&mut self, call: usize, variant: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Ran, String>;
    /// The number under which the outcome that was returned last can be replayed.
    fn step(&mut self, call: usize, variant: usize) -> u32;
    /// The transaction of a call; [`Space::transactions`] lists the names of all.
    fn transaction(&self, call: usize) -> usize;
    fn transactions(&self) -> Vec<(String, statespec_lang::source::Span)>;
    /// The slots that a call reads or changes.
    fn touched(&self, call: usize) -> &[usize];
    fn invariant(&self, idx: usize) -> Option<(&str, statespec_lang::source::Span)>;
    /// The rows taken during the search, with the machine of each.
    fn taken(&self) -> &BTreeSet<(usize, TransitionId)>;
    /// What was left out.
    fn bounds(&self) -> Vec<Bound>;
    /// The maximum number of instances of each part.
    fn population(&self) -> Vec<(String, u64)>;
    /// Replays steps one after another with the interpreter, from one of the starts, and describes them. The last one is
    /// refused if `broken` names the invariant that it violates.
    fn replay(&self, start: usize, steps: &[usize], broken: Option<usize>) -> Result<Trace, String>;
}

/// The distinct instances seen so far, numbered from 1 for each machine.
#[derive(Debug, Default)]
pub(super) struct Locals {
    numbers: BTreeMap<usize, BTreeMap<(Configuration, Vec<Value>), u32>>,
    instances: BTreeMap<usize, Vec<Instance>>,
    /// The leaves of each machine that some step led to, also where the same call led on.
    passed: BTreeSet<(usize, StateId)>,
}

impl Locals {
    /// The number of an instance. Of the instances with the same configuration and key, the first one stands for all.
    pub(super) fn number(&mut self, machine: usize, at: &Configuration, key: Vec<Value>, instance: impl FnOnce() -> Instance) -> u32 {
        let instances = self.instances.entry(machine).or_default();
        let next = instances.len() as u32 + 1;
        let number = *self.numbers.entry(machine).or_default().entry((at.clone(), key)).or_insert(next);
        if number == next {
            instances.push(instance());
        }
        number
    }

    /// The instance with this number; none for 0.
    pub(super) fn instance(&self, machine: usize, number: u32) -> Option<&Instance> {
        self.instances.get(&machine)?.get(number.checked_sub(1)? as usize)
    }

    /// The instances seen in one leaf.
    pub(super) fn instances_of(&self, machine: usize) -> impl Iterator<Item = &Instance> {
        self.instances.get(&machine).into_iter().flatten()
    }

    /// The number of distinct values of each field, for the machines seen.
    pub(super) fn n_values(&self) -> BTreeMap<(usize, usize), usize> {
        let mut values: BTreeMap<(usize, usize), BTreeSet<&Value>> = BTreeMap::new();
        for (machine, instance) in self.instances.iter().flat_map(|(machine, all)| all.iter().map(move |it| (*machine, it))) {
            for (field, value) in instance.context.iter().enumerate() {
                values.entry((machine, field)).or_default().insert(value);
            }
        }
        values.into_iter().map(|(field, values)| (field, values.len())).collect()
    }

    /// Remembers where steps led.
    pub(super) fn pass(&mut self, machine: usize, steps: &[Step]) {
        if let [passed @ .., _] = steps {
            self.passed.extend(passed.iter().flat_map(|it| it.to.leaves()).map(|it| (machine, it)));
        }
    }

    /// The leaves seen of a machine.
    pub(super) fn leaves(&self, machine: usize) -> BTreeSet<StateId> {
        let rested = self.instances.get(&machine).into_iter().flatten().flat_map(|it| it.configuration.leaves());
        let passed = self.passed.iter().filter(|it| it.0 == machine).map(|it| it.1);
        rested.chain(passed).collect()
    }
}

/// Whether some steps leave a state, although they may end where they began.
pub(crate) fn leaves(steps: &[Step]) -> bool {
    steps.iter().any(|it| !it.exited.is_empty())
}

/// The difference between two instances, in words; `again` if the steps between them leave a state.
pub fn change(machine: &Machine, name: &str, before: Option<&Instance>, after: &Instance, again: bool) -> Option<String> {
    let to = machine.configuration_path(&after.configuration);
    let mut words = match before {
        None => format!("{name}: created in {to}"),
        Some(it) if it.configuration != after.configuration => {
            format!("{name}: {} -> {to}", machine.configuration_path(&it.configuration))
        }
        Some(_) if again => format!("{name}: enters {to} again"),
        Some(_) => format!("{name}: stays in {to}"),
    };
    let old = |idx: usize| before.and_then(|it| it.context.get(idx));
    let mut sets = Vec::new();
    for (idx, (field, value)) in machine.fields.iter().zip(&after.context).enumerate() {
        let default = field.default.as_ref().and_then(|it| it.to_value());
        if old(idx).or(default.as_ref()) != Some(value) {
            sets.push(format!("{} = {}", field.name, statespec_lang::interpret::value::show(machine, value)));
        }
    }
    if sets.is_empty() && !again && before.is_some_and(|it| it.configuration == after.configuration) {
        return None;
    }
    if !sets.is_empty() {
        words.push_str(&format!("; {}", sets.join(", ")));
    }
    Some(words)
}

/// The names of the actors, as a prefix to their action.
pub fn by(names: Vec<&str>) -> String {
    if names.is_empty() { String::new() } else { format!("{}: ", names.join(" or ")) }
}
