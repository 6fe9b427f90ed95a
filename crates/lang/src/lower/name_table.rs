//! The names of a project: machines, systems and documents share one name space.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::names::snake;
use crate::read::Text;

/// The names so far, and whether what they name has errors.
#[derive(Default)]
pub(super) struct NameTable {
    /// Each name with its place, by its form in regions and modules.
    taken: BTreeMap<String, Text>,
    machines: BTreeMap<String, Health>,
    systems: BTreeMap<String, Health>,
    /// Some file could not be read, so an unknown name may be one of its names.
    incomplete: bool,
}

/// Whether a machine or system has errors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Health {
    Broken,
    Valid,
}

impl Health {
    pub(super) fn of(is_valid: bool) -> Self {
        if is_valid { Health::Valid } else { Health::Broken }
    }
}

impl NameTable {
    /// Records that a file could not be read.
    pub(super) fn miss(&mut self) {
        self.incomplete = true;
    }

    /// Reserves a name. Regions and modules are named after machines, systems and documents.
    pub(super) fn claim(&mut self, name: &Text, diagnostics: &mut Diagnostics) {
        let key = snake(&name.value);
        if let Some(first) = self.taken.get(&key) {
            let message = format!("the name `{}` is taken", name.value);
            diagnostics.push(
                Diagnostic::new(Code::NameCollision, name.span, message)
                    .also(first.span, "by this")
                    .help("machines, systems and documents need names of their own"),
            );
        } else {
            self.taken.insert(key, name.clone());
        }
    }

    /// Adds a machine. Of two with the same name, a valid one counts.
    pub(super) fn add_machine(&mut self, name: &str, health: Health) {
        add(&mut self.machines, name, health);
    }

    /// Adds a system. Of two with the same name, a valid one counts.
    pub(super) fn add_system(&mut self, name: &str, health: Health) {
        add(&mut self.systems, name, health);
    }

    /// Whether errors in a spec that names this machine would only be follow-on errors.
    pub(super) fn hides_machine(&self, name: &str) -> bool {
        self.machines.get(name).map_or(self.incomplete, |it| *it == Health::Broken)
    }

    /// Whether errors in a document that shows this machine or system would only be follow-on errors.
    pub(super) fn hides_subject(&self, name: &str) -> bool {
        self.machines.get(name).or_else(|| self.systems.get(name)).map_or(self.incomplete, |it| *it == Health::Broken)
    }

    /// All names.
    pub(super) fn finish(self) -> Vec<Text> {
        self.taken.into_values().collect()
    }

    /// The names of all machines, for suggestions.
    pub(super) fn machines(&self) -> impl Iterator<Item = &str> + Clone {
        self.machines.keys().map(String::as_str)
    }

    /// The names of all machines, then of all systems, for suggestions.
    pub(super) fn subjects(&self) -> impl Iterator<Item = &str> + Clone {
        self.machines().chain(self.systems.keys().map(String::as_str))
    }
}

fn add(names: &mut BTreeMap<String, Health>, name: &str, health: Health) {
    let known = names.entry(name.to_owned()).or_insert(health);
    *known = health.max(*known);
}
