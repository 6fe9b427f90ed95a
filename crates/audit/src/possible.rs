//! Which configurations a machine may be in after a recorded attempt, guards aside.
//!
//! A record may leave out the state: then an entity is in one of several configurations. Sets of configurations are numbered, so that an
//! entity keeps one small number, and each kind of step from a set is computed once.

use std::collections::{BTreeMap, BTreeSet};

use statespec_lang::model::machine::{Commit, On};
use statespec_lang::model::{Configuration, EventId, Machine};
use statespec_lang::program::Program;
use statespec_lang::types::TransitionId;
use statespec_sql::{Calls, TooLarge};

/// The limit on configurations: that of the sets of them, which are numbered with 15 bits.
const MAX_CONFIGURATIONS: usize = 8_000;
/// The limit on sets.
const MAX_SETS: usize = 0x7fff;

/// A configuration by position; those behind the graph's are states that no machine has.
pub(crate) type At = u16;
/// A set of configurations by position.
pub(crate) type Set = u16;

/// Nothing is known of the entity yet.
pub(crate) const UNBORN: Set = 0;
/// The entity was deleted.
pub(crate) const GONE: Set = 1;
/// Nothing is known of the entity, and its record does not say where it begins: it is not created yet, or is where a machine starts.
pub(crate) const BEGUN: Set = 2;

/// Whether an entity begins with the next record.
pub(crate) fn begins(set: Set) -> bool {
    set <= BEGUN
}

/// One call, from one configuration or at creation.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The event; `None` for a direct transition.
    pub(crate) event: Option<EventId>,
    /// The configuration afterwards.
    pub(crate) to: At,
    /// The rows of its first step.
    pub(crate) rows: BTreeSet<TransitionId>,
    /// Whether it ends a chain whose earlier steps were not stored.
    pub(crate) is_chain: bool,
}

/// Everything that a machine may do as far as its guards are not known.
#[derive(Debug)]
pub(crate) struct Possible {
    /// The configurations, in the order of states.
    pub(crate) configurations: Vec<Configuration>,
    /// The configurations in which a machine starts without an event.
    pub(crate) initial: BTreeSet<At>,
    /// The calls at creation.
    pub(crate) created: Vec<Call>,
    /// The calls from each configuration.
    pub(crate) calls: Vec<Vec<Call>>,
    /// The rows that begin some call.
    pub(crate) beginning: BTreeSet<TransitionId>,
    sets: Vec<Vec<At>>,
    of_set: BTreeMap<Vec<At>, Set>,
}

/// A step to look up: the configurations before, and what was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Asked {
    pub(crate) from: Set,
    pub(crate) event: Trigger,
    pub(crate) to: Target,
    pub(crate) stored_only: bool,
}

/// The recorded trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Trigger {
    Untold,
    Direct,
    Event(u16),
    /// An event that the machine does not have.
    Unknown(u16),
}

/// The recorded state after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    Untold,
    Deleted,
    At(At),
}

/// Whether a step is possible.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The set afterwards; also after a step that is not possible.
    pub(crate) to: Set,
    pub(crate) is_possible: bool,
    /// The rows that may have begun it.
    pub(crate) rows: BTreeSet<TransitionId>,
}

impl Possible {
    /// Computes the calls of a machine.
    pub(crate) fn of(machine: &Machine) -> Result<Possible, String> {
        let told = |why: TooLarge| format!("`{}` cannot be audited: {why}", machine.name);
        let program = Program::of(machine);
        let mut calls = Calls::of(&program);
        let mut found: BTreeSet<Configuration> = BTreeSet::from([machine.initial()]);
        found.extend(calls.from(None).map_err(told)?.into_iter().map(|it| it.to));
        if !machine.has_regions() {
            found.extend(machine.leaves().map(Configuration::from));
        }
        let mut open: Vec<Configuration> = found.iter().cloned().collect();
        while let Some(at) = open.pop() {
            for call in calls.from(Some(&at)).map_err(told)? {
                if found.insert(call.to.clone()) {
                    open.push(call.to);
                }
            }
            if found.len() > MAX_CONFIGURATIONS {
                return Err(format!("`{}` cannot be audited: it has more than {MAX_CONFIGURATIONS} configurations", machine.name));
            }
        }
        let configurations: Vec<Configuration> = found.into_iter().collect();
        let position: BTreeMap<&Configuration, At> = configurations.iter().zip(0..).collect();
        let mut beginning = BTreeSet::new();
        let mut read = |call: statespec_sql::Call, is_chain: bool| {
            if !is_chain {
                beginning.extend(call.rows.iter().copied());
            }
            let event = match call.on {
                On::Event(event) => Some(event),
                On::Direct | On::Automatic | On::Done(_) => None,
            };
            Call { event, to: position[&call.to], rows: if is_chain { BTreeSet::new() } else { call.rows }, is_chain }
        };
        let mut of_each = Vec::new();
        // A machine whose creation was not stored goes on from there.
        let at_creation = calls.from(None).map_err(told)?;
        let loaded: Vec<Configuration> = at_creation.iter().filter(|it| it.commit == Commit::MemoryOnly).map(|it| it.to.clone()).collect();
        for from in &configurations {
            let mut ahead = BTreeSet::from([from.clone()]);
            let mut next = vec![from.clone()];
            next.extend(loaded.iter().filter(|it| ahead.insert((*it).clone())).cloned());
            let mut edges = Vec::new();
            while let Some(at) = next.pop() {
                for call in calls.from(Some(&at)).map_err(told)? {
                    if call.commit != Commit::PersistFirst && ahead.insert(call.to.clone()) {
                        next.push(call.to.clone());
                    }
                    edges.push(read(call, at != *from));
                }
            }
            of_each.push(edges);
        }
        let created = at_creation.into_iter().map(|call| read(call, false)).collect();
        let initial = BTreeSet::from([position[&machine.initial()]]);
        let sets = vec![Vec::new(), Vec::new(), initial.iter().copied().collect()];
        let mut possible =
            Possible { initial, created, calls: of_each, beginning, sets, of_set: BTreeMap::new(), configurations: configurations.clone() };
        // The single configurations first, so that their numbers follow from their positions.
        for at in 0..possible.configurations.len() as At {
            possible.set(vec![at]);
        }
        Ok(possible)
    }

    /// The set with these configurations, in order and each once.
    pub(crate) fn set(&mut self, members: Vec<At>) -> Set {
        if let Some(found) = self.of_set.get(&members) {
            return *found;
        }
        let all: Vec<At> = (0..self.configurations.len() as At).collect();
        // Beyond the limit, an entity may be in any configuration: no step of it is called impossible for a wrong reason.
        let members = if self.sets.len() >= MAX_SETS - 1 { all } else { members };
        if let Some(found) = self.of_set.get(&members) {
            return *found;
        }
        let set = self.sets.len() as Set;
        self.sets.push(members.clone());
        self.of_set.insert(members, set);
        set
    }

    /// Admits histories that begin in any configuration.
    pub(crate) fn admit_all(&mut self) {
        self.initial = (0..self.configurations.len() as At).collect();
        self.sets[BEGUN as usize] = self.initial.iter().copied().collect();
    }

    /// The members of a set.
    pub(crate) fn members(&self, set: Set) -> &[At] {
        &self.sets[set as usize]
    }

    /// The only member of a set, if it is one of the graph.
    pub(crate) fn only(&self, set: Set) -> Option<At> {
        match self.members(set) {
            [at] if (*at as usize) < self.configurations.len() => Some(*at),
            _ => None,
        }
    }

    /// The calls from a configuration; none from a state that no machine has.
    pub(crate) fn from(&self, at: At) -> &[Call] {
        self.calls.get(at as usize).map_or(&[], Vec::as_slice)
    }

    /// Answers for a step that was recorded.
    pub(crate) fn answer(&mut self, asked: Asked) -> Answer {
        if asked.to == Target::Deleted {
            return Answer { to: GONE, is_possible: true, rows: BTreeSet::new() };
        }
        let mut reached = BTreeSet::new();
        let mut rows = BTreeSet::new();
        let fits = |call: &Call| {
            let event = match (asked.event, call.event) {
                (Trigger::Untold, _) | (Trigger::Direct, None) => true,
                (Trigger::Event(id), Some(event)) => event.index() == id as usize,
                _ => false,
            };
            let to = match asked.to {
                Target::At(at) => call.to == at,
                Target::Untold | Target::Deleted => true,
            };
            event && to && (asked.stored_only || !call.is_chain)
        };
        let is_new = begins(asked.from);
        let sources: Vec<At> = self.members(asked.from).to_vec();
        let calls = sources.iter().flat_map(|it| self.from(*it)).chain(self.created.iter().filter(|_| is_new));
        for call in calls.filter(|it| fits(it)) {
            reached.insert(call.to);
            rows.extend(call.rows.iter().copied());
        }
        let may_start = is_new && matches!(asked.event, Trigger::Untold | Trigger::Direct);
        if let (true, Target::At(at)) = (may_start, asked.to)
            && self.initial.contains(&at)
        {
            reached.insert(at);
        }
        // A record that has the state alone may stay where it is: somebody wrote all columns of a row again.
        if let (Trigger::Untold, Target::At(at)) = (asked.event, asked.to)
            && sources.contains(&at)
        {
            reached.insert(at);
        }
        let is_possible = !reached.is_empty();
        let to = match asked.to {
            Target::At(at) => self.set(vec![at]),
            _ if is_possible => self.set(reached.into_iter().collect()),
            // The entity is where it was: the event happened, and the graph has nowhere to go.
            _ => asked.from,
        };
        Answer { to, is_possible, rows }
    }

    /// The configurations in which a history may begin: those of a creation.
    pub(crate) fn births(&self) -> BTreeSet<At> {
        self.initial.iter().copied().chain(self.created.iter().map(|it| it.to)).collect()
    }
}
