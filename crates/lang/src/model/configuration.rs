//! Configurations: the leaves in which a machine is at once.
//!
//! A machine without regions is always in one leaf. A machine with regions is in one leaf of each region of every parallel
//! state that is active, recursively.

use std::borrow::Cow;
use std::fmt;

use super::{Machine, StateId};

/// The active leaves of a machine, in the order of states; at least one.
///
/// A machine without regions has exactly one, and its configuration allocates nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    first: StateId,
    others: Vec<StateId>,
}

impl From<StateId> for Configuration {
    fn from(leaf: StateId) -> Self {
        Configuration { first: leaf, others: Vec::new() }
    }
}

impl Configuration {
    /// The active leaves, in the order of states.
    pub fn leaves(&self) -> impl DoubleEndedIterator<Item = StateId> + Clone + '_ {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// The first of the active leaves: the only one of a machine without regions.
    pub fn first(&self) -> StateId {
        self.first
    }

    /// The active leaf, if there is only one.
    pub fn only(&self) -> Option<StateId> {
        self.others.is_empty().then_some(self.first)
    }

    /// Whether this leaf is active.
    pub fn contains(&self, leaf: StateId) -> bool {
        self.first == leaf || self.others.binary_search(&leaf).is_ok()
    }

    /// A configuration of some leaves, if there are any. They are sorted; whether they go together is not checked.
    fn of(mut leaves: Vec<StateId>) -> Option<Self> {
        leaves.sort_unstable();
        leaves.dedup();
        let first = *leaves.first()?;
        leaves.remove(0);
        Some(Configuration { first, others: leaves })
    }
}

/// The reason why a text or a list of leaves is no configuration of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationError {
    /// No leaf has this name in storage.
    Unknown(String),
    /// The region has no leaf.
    Missing(String),
    /// Two leaves of one region, or of a machine without regions.
    Both(String, String),
    /// The second of these leaves comes first in the spec.
    Order(String, String),
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigurationError::Unknown(leaf) => write!(f, "there is no state `{leaf}`"),
            ConfigurationError::Missing(region) => write!(f, "there is no state of the region `{region}`"),
            ConfigurationError::Both(a, b) => write!(f, "a machine is never in `{a}` and in `{b}` at once"),
            ConfigurationError::Order(a, b) => write!(f, "`{b}` comes before `{a}`"),
        }
    }
}

impl std::error::Error for ConfigurationError {}

/// Separates the leaves of a configuration in texts. No leaf of a machine with regions is stored with this character.
pub const SEPARATOR: char = '+';

impl Machine {
    /// Whether some state, or the machine itself, has regions.
    pub fn has_regions(&self) -> bool {
        self.lookup.has_regions
    }

    /// Whether the children of a state, or the top states, are regions.
    pub fn is_parallel(&self, whole: Option<StateId>) -> bool {
        whole.map_or(self.parallel, |it| self.state(it).parallel)
    }

    /// Whether a state is a region: active whenever the state around it is.
    pub fn is_region(&self, id: StateId) -> bool {
        self.is_parallel(self.state(id).parent)
    }

    /// The first region of the machine, in the order of states.
    pub fn first_region(&self) -> Option<StateId> {
        self.state_ids().find(|it| self.is_region(*it))
    }

    /// The states directly inside a state, or the top states.
    pub fn inside(&self, whole: Option<StateId>) -> Cow<'_, [StateId]> {
        match whole {
            Some(whole) => Cow::Borrowed(&self.state(whole).children),
            None => self.state_ids().filter(|it| self.state(*it).parent.is_none()).collect(),
        }
    }

    /// The configuration in which a machine starts.
    pub fn initial(&self) -> Configuration {
        let leaves = match self.parallel {
            true => self.inside(None).iter().flat_map(|it| self.default_leaves(*it)).collect(),
            false => self.default_leaves(self.initial_top),
        };
        Configuration::of(leaves).unwrap_or(Configuration { first: self.initial_top, others: Vec::new() })
    }

    /// The leaves that entering `id` ends in, in order: one, or one for each region inside.
    pub fn default_leaves(&self, id: StateId) -> Vec<StateId> {
        let end = self.default_end(id);
        match self.state(end) {
            state if state.parallel => state.children.iter().flat_map(|it| self.default_leaves(*it)).collect(),
            _ => vec![end],
        }
    }

    /// The state that entering `id` certainly ends in: a leaf, or a parallel state, which enters all its regions.
    pub fn default_end(&self, mut id: StateId) -> StateId {
        while let Some(child) = self.state(id).default_child {
            id = child;
        }
        id
    }

    /// The innermost parallel state in which two states lie in different regions; the outer `None` if they do not, the inner one
    /// for the machine itself.
    pub fn parallel_around(&self, a: StateId, b: StateId) -> Option<Option<StateId>> {
        if self.is_in(a, b) || self.is_in(b, a) {
            return None;
        }
        let common = self.ancestors(a).find(|it| self.is_in(b, *it));
        self.is_parallel(common).then_some(common)
    }

    /// The configuration of these leaves, which must be in the order of states and one of each region.
    pub fn configuration(&self, leaves: &[StateId]) -> Result<Configuration, ConfigurationError> {
        let wire = |id: StateId| self.state(id).wire.clone();
        if let Some(unknown) = leaves.iter().find(|it| self.states.get(it.index()).is_none_or(|it| !it.children.is_empty())) {
            return Err(ConfigurationError::Unknown(self.states.get(unknown.index()).map_or_else(String::new, |it| it.name.clone())));
        }
        for (idx, a) in leaves.iter().enumerate() {
            if let Some(b) = leaves[..idx].iter().find(|b| self.parallel_around(*a, **b).is_none()) {
                return Err(ConfigurationError::Both(wire(*b), wire(*a)));
            }
        }
        if let Some([a, b]) = leaves.windows(2).map(|it| [it[0], it[1]]).find(|[a, b]| a > b) {
            return Err(ConfigurationError::Order(wire(a), wire(b)));
        }
        // After this point, all leaves go together.
        let around: Vec<Option<StateId>> = match leaves {
            [] => vec![None],
            leaves => leaves.iter().flat_map(|it| self.ancestors(*it)).map(Some).chain([None]).collect(),
        };
        for whole in around.into_iter().filter(|it| self.is_parallel(*it)) {
            let has_leaf = |region: &&StateId| leaves.iter().any(|it| self.is_in(*it, **region));
            if let Some(region) = self.inside(whole).iter().find(|it| !has_leaf(it)) {
                return Err(ConfigurationError::Missing(self.state(*region).name.clone()));
            }
        }
        Configuration::of(leaves.to_vec()).ok_or_else(|| ConfigurationError::Unknown(String::new()))
    }

    /// A configuration as text: the names of its leaves in storage, in the order of states, with `+` between them.
    pub fn configuration_text(&self, configuration: &Configuration) -> Cow<'_, str> {
        self.joined(configuration, |id| self.state(id).wire.as_str().into())
    }

    /// Reads a configuration back from its text, strictly: each leaf once, all regions, in order.
    pub fn configuration_of(&self, text: &str) -> Result<Configuration, ConfigurationError> {
        let leaf =
            |wire: &str| self.leaves().find(|it| self.state(*it).wire == wire).ok_or_else(|| ConfigurationError::Unknown(wire.to_owned()));
        let leaves: Result<Vec<StateId>, _> = match self.has_regions() {
            true => text.split(SEPARATOR).map(leaf).collect(),
            false => leaf(text).map(|it| vec![it]),
        };
        self.configuration(&leaves?)
    }

    /// The leaves of a configuration by some name, with the separator between them.
    fn joined<'m>(&'m self, configuration: &Configuration, name: impl Fn(StateId) -> Cow<'m, str>) -> Cow<'m, str> {
        match configuration.only() {
            Some(leaf) => name(leaf),
            None => {
                let names: Vec<_> = configuration.leaves().map(name).collect();
                names.join(&SEPARATOR.to_string()).into()
            }
        }
    }

    /// The configuration by the names of the spec.
    pub fn configuration_name(&self, configuration: &Configuration) -> Cow<'_, str> {
        self.joined(configuration, |id| self.state(id).name.as_str().into())
    }

    /// The configuration by the paths of its leaves.
    pub fn configuration_path(&self, configuration: &Configuration) -> Cow<'_, str> {
        self.joined(configuration, |id| self.path_name(id))
    }

    /// The configuration in refusals: see [`Machine::refused_name`].
    pub fn configuration_refused(&self, configuration: &Configuration) -> Cow<'_, str> {
        self.joined(configuration, |id| self.refused_name(id))
    }

    /// Whether a state is active: a leaf of the configuration, or around one.
    pub fn is_active(&self, configuration: &Configuration, whole: StateId) -> bool {
        configuration.leaves().any(|it| self.is_in(it, whole))
    }

    /// The active states, in the order of states.
    pub fn active(&self, configuration: &Configuration) -> Vec<StateId> {
        let mut active: Vec<StateId> = configuration.leaves().flat_map(|it| self.ancestors(it)).collect();
        active.sort_unstable();
        active.dedup();
        active
    }

    /// The configuration of some active states, of which those without an active child are leaves; `None` if there are none.
    pub fn configuration_from(&self, active: impl IntoIterator<Item = StateId>) -> Option<Configuration> {
        Configuration::of(active.into_iter().filter(|it| self.is_leaf(*it)).collect())
    }
}
