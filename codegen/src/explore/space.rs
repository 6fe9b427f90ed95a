//! What the search needs to know of a machine or a system.

use std::collections::{BTreeMap, BTreeSet};

use crate::interpret::Instance;
use crate::model::{FieldId, Machine, Model, PartId, StateId, TransitionId, Value};

use super::relevant::Relevant;
use super::report::{Trace, TraceStep};

/// A place for one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    /// Position in [`Model::machines`].
    pub(super) machine: usize,
    /// The part; none for a machine by itself.
    pub(super) part: Option<PartId>,
    /// Counted from 1.
    pub(super) number: u64,
    /// The slot of the instance that it belongs to.
    pub(super) owner: Option<usize>,
    /// What messages call it: `hop 2`, or `mission` where there is only one.
    pub(super) name: String,
}

/// What a call comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Turned down.
    Refused,
    /// It went through; the next configuration is the one given back.
    Moved,
    /// It would go through, but an invariant does not hold then.
    Broken(usize),
    /// It would bring an instance into being beyond the population.
    Cut,
}

/// Something that can be explored: configurations are rows of numbers, one for each slot, which
/// name the instance there; 0 where there is none.
pub(super) trait Space {
    fn name(&self) -> &str;
    /// Where the spec names it.
    fn span(&self) -> crate::source::Span;
    fn slots(&self) -> &[Slot];
    fn locals(&self) -> &Locals;
    /// Where it can start; every one is another configuration.
    fn starts(&mut self) -> Result<Vec<Vec<u32>>, String>;
    /// The invariant that does not hold at the start.
    fn broken_at_start(&mut self) -> Result<Option<usize>, String>;
    fn n_calls(&self) -> usize;
    /// Does one call to a configuration.
    fn run(&mut self, call: usize, from: &[u32], next: &mut Vec<u32>) -> Result<Outcome, String>;
    /// The transaction of a call, and the names of all.
    fn transaction(&self, call: usize) -> usize;
    fn transactions(&self) -> Vec<(String, crate::source::Span)>;
    /// The slots that a call reads or changes.
    fn touched(&self, call: usize) -> &[usize];
    fn invariant(&self, idx: usize) -> Option<(&str, crate::source::Span)>;
    /// The rows taken on the way, of each machine.
    fn taken(&self) -> &BTreeSet<(usize, TransitionId)>;
    /// Payload combinations were left out.
    fn sampled(&self) -> bool;
    /// How many instances of each part there may be.
    fn population(&self) -> Vec<(String, u64)>;
    /// The calls done one after another by the interpreter itself, from one of the starts, in words. The last one is
    /// turned down if `broken` names the invariant that does it.
    fn replay(&self, start: usize, calls: &[usize], broken: Option<usize>) -> Result<Trace, String>;
}

/// The instances seen so far, each machine's numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Locals {
    numbers: BTreeMap<usize, BTreeMap<(StateId, Vec<Value>), u32>>,
    instances: BTreeMap<usize, Vec<Instance>>,
    relevant: Relevant,
}

impl Locals {
    pub(super) fn new(relevant: Relevant) -> Self {
        Locals { relevant, ..Locals::default() }
    }

    /// The number of an instance, irrelevant fields aside.
    pub(super) fn number(&mut self, model: &Model, machine: usize, instance: &Instance) -> u32 {
        let outline = self.outline(machine, &model.machines[machine], instance);
        let instances = self.instances.entry(machine).or_default();
        let next = instances.len() as u32 + 1;
        let number = *self.numbers.entry(machine).or_default().entry((outline.state, outline.context.clone())).or_insert(next);
        if number == next {
            instances.push(outline);
        }
        number
    }

    /// The instance with every irrelevant field at its default.
    fn outline(&self, idx: usize, machine: &Machine, instance: &Instance) -> Instance {
        let fields = machine.fields.iter().zip(&instance.context).enumerate();
        let context = fields.map(|(position, (field, value))| {
            if self.relevant.fields.contains(&(idx, FieldId::new(position))) {
                return value.clone();
            }
            field.default.as_ref().and_then(|it| it.to_value()).unwrap_or(Value::Null)
        });
        Instance { state: instance.state, context: context.collect() }
    }

    /// The instance with a number; none for 0.
    pub(super) fn instance(&self, machine: usize, number: u32) -> Option<&Instance> {
        self.instances.get(&machine)?.get(number.checked_sub(1)? as usize)
    }

    /// The instances seen in one leaf.
    #[cfg(feature = "files")]
    pub(super) fn instances_in(&self, machine: usize, leaf: StateId) -> impl Iterator<Item = &Instance> {
        self.instances.get(&machine).into_iter().flatten().filter(move |it| it.state == leaf)
    }

    pub(super) fn relevant(&self) -> &Relevant {
        &self.relevant
    }

    /// The leaves seen of a machine.
    pub(super) fn leaves(&self, machine: usize) -> BTreeSet<StateId> {
        self.instances.get(&machine).into_iter().flatten().map(|it| it.state).collect()
    }
}

/// What changed between two instances, in words.
pub(crate) fn change(machine: &Machine, name: &str, before: Option<&Instance>, after: &Instance) -> Option<String> {
    let to = machine.path_name(after.state);
    let mut words = match before {
        None => format!("{name}: created in {to}"),
        Some(it) if it.state != after.state => format!("{name}: {} -> {to}", machine.path_name(it.state)),
        Some(_) => format!("{name}: stays in {to}"),
    };
    let old = |idx: usize| before.and_then(|it| it.context.get(idx));
    let mut sets = Vec::new();
    for (idx, (field, value)) in machine.fields.iter().zip(&after.context).enumerate() {
        let default = field.default.as_ref().and_then(|it| it.to_value());
        if old(idx).or(default.as_ref()) != Some(value) {
            sets.push(format!("{} = {}", field.name, crate::interpret::value::show(machine, value)));
        }
    }
    if sets.is_empty() && before.is_some_and(|it| it.state == after.state) {
        return None;
    }
    if !sets.is_empty() {
        words.push_str(&format!("; {}", sets.join(", ")));
    }
    Some(words)
}

/// The names of actors before what they do.
pub(crate) fn by(names: Vec<&str>) -> String {
    if names.is_empty() { String::new() } else { format!("{}: ", names.join(" or ")) }
}

/// An empty way.
pub(super) fn trace(steps: Vec<TraceStep>, pasteable: bool) -> Trace {
    Trace { steps, pasteable }
}
