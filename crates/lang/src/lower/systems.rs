//! The third stage: systems of valid machines are lowered.

use super::name_table::{Health, NameTable};
use super::system;
use super::waivers::Waivers;
use crate::diagnostic::Diagnostics;
use crate::model::{Machine, System};
use crate::spec;

/// The valid systems, sorted by name.
pub(super) fn lower(
    specs: &[spec::system::System],
    machines: &[Machine],
    names: &mut NameTable,
    waivers: &mut Waivers,
    diagnostics: &mut Diagnostics,
) -> Vec<System> {
    let mut systems = Vec::new();
    for spec in specs {
        names.claim(&spec.system, diagnostics);
        let is_hidden = spec.parts.iter().any(|(_, part)| names.hides_machine(&part.machine.value));
        let lowered = if is_hidden { None } else { system::lower(spec, machines, names, diagnostics) };
        let valid = lowered.filter(|it| !diagnostics.has_errors_in(it.source));
        let health = Health::of(valid.is_some());
        names.add_system(&spec.system.value, health);
        waivers.add(Waivers::of_system(spec), health);
        systems.extend(valid);
    }
    systems.sort_by(|a, b| a.name.cmp(&b.name));
    systems
}
