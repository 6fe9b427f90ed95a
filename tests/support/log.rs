//! Hosts that record effects and writes.

use std::collections::BTreeSet;

use statespec_lang::interpret::{EffectCall, Host, Instance};
use statespec_lang::model::machine::Commit;
use statespec_lang::model::{EffectId, Machine, PredicateId, Value};

/// The predicates that are true, by name; in a system, the name of the part precedes: `hop.ready`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds(pub BTreeSet<String>);

impl Holds {
    /// Whether this predicate is true.
    pub fn holds(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The predicates of one part.
    pub fn of(&self, part: &str) -> Holds {
        let names = self.0.iter().filter_map(|it| it.strip_prefix(part)?.strip_prefix('.'));
        Holds(names.map(str::to_owned).collect())
    }
}

/// An effect that was performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Its name.
    pub name: &'static str,
    /// The values that it took from the payload; states and values of enums by name.
    pub payload: Vec<Value>,
    /// Its message.
    pub message: Option<String>,
}

/// An event outside a machine: an effect, or a write of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// An effect.
    Effect {
        /// In a system: the part, and the number of the instance.
        place: Option<(String, u64)>,
        /// Its name.
        name: String,
        /// The values that it took from the payload.
        payload: Vec<Value>,
        /// Its message.
        message: Option<String>,
    },
    /// The store was written.
    Store,
}

/// A host that records everything, and fails on request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The recorded effects and writes.
    pub entries: Vec<Entry>,
    /// The effects that fail if the store is not written yet.
    pub fails: BTreeSet<String>,
    /// Whether the store fails.
    pub store_fails: bool,
    /// The predicates that are true, if a system evaluates them.
    pub holds: Holds,
    /// The place of the following effects.
    pub place: Option<(String, u64)>,
}

impl Log {
    /// Sets the place of the following effects.
    pub fn speak_of(&mut self, part: &str, number: u64) {
        self.place = Some((part.to_owned(), number));
    }

    /// Performs an effect.
    pub fn perform(&mut self, effect: Effect) -> Result<(), String> {
        self.note(effect.name, effect.payload, effect.message)
    }

    /// Performs an effect of the interpreter.
    pub fn raise(&mut self, machine: &Machine, effect: &EffectCall) -> Result<(), String> {
        let payload = effect.taken.iter().map(|it| named(machine, it)).collect();
        self.note(&machine.effect(effect.effect).name, payload, effect.message.clone())
    }

    fn note(&mut self, name: &str, payload: Vec<Value>, message: Option<String>) -> Result<(), String> {
        let before = !self.entries.contains(&Entry::Store);
        self.entries.push(Entry::Effect { place: self.place.clone(), name: name.to_owned(), payload, message });
        if before && self.fails.contains(name) { Err("told to".to_owned()) } else { Ok(()) }
    }

    /// Writes the store.
    pub fn write(&mut self) -> Result<(), String> {
        self.entries.push(Entry::Store);
        if self.store_fails { Err("told to".to_owned()) } else { Ok(()) }
    }
}

/// The effects that may fail before the change, by name.
///
/// A log tells effects before the change from those after it by the store, which is not written where a step is in memory
/// only: effects after such a step do not fail.
pub fn effects_that_fail(machine: &Machine) -> impl Iterator<Item = String> {
    let in_memory = || machine.transitions.iter().filter(|it| it.commit == Commit::MemoryOnly);
    let crossed = machine.states.iter().flat_map(|it| it.exit.iter().chain(&it.entry)).filter(move |_| in_memory().next().is_some());
    let after: BTreeSet<EffectId> = in_memory().flat_map(|it| &it.effects).chain(crossed).copied().collect();
    let effects = machine.effects.iter().enumerate().filter(move |(idx, _)| !after.contains(&EffectId::new(*idx)));
    effects.map(|(_, it)| it.name.clone())
}

/// The same log, written by the interpreter.
pub struct Interpreted<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The predicates of the machine that are true.
    pub holds: &'a Holds,
    /// The recorded effects and writes.
    pub log: Log,
}

/// States and values of enums by name, as in the emitted log.
fn named(machine: &Machine, value: &Value) -> Value {
    match value {
        Value::State(id) => Value::Text(machine.state(*id).wire.clone()),
        Value::Enum(id, idx) => Value::Text(machine.enums[id.index()].values[*idx].wire.clone()),
        other => other.clone(),
    }
}

impl Host for Interpreted<'_> {
    fn predicate(&self, predicate: PredicateId) -> bool {
        self.holds.holds(&self.machine.predicates[predicate.index()].name)
    }

    fn before(&mut self, effect: &EffectCall) -> Result<(), String> {
        self.log.raise(self.machine, effect)
    }

    fn store(&mut self, _: &Instance) -> Result<(), String> {
        self.log.write()
    }

    fn effect(&mut self, effect: &EffectCall) {
        // Effects after the store has been written do not fail.
        let _ = self.log.raise(self.machine, effect);
    }
}
