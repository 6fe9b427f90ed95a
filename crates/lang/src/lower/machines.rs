//! The second stage: machines are read together with the shared files that they use, and lowered.

use super::each::each;
use super::name_table::{Health, NameTable};
use super::shared::{self, SharedFiles};
use super::waivers::Waivers;
use super::{limits, machine, placeholders};
use crate::diagnostic::Diagnostics;
use crate::model::Machine;
use crate::read::{Read, Text};
use crate::source::{SourceId, Sources, Span};
use crate::spec;
use crate::yaml::Node;

/// A lowered machine.
struct Lowered {
    name: Text,
    machine: Machine,
    waivers: Waivers,
}

/// The valid machines, sorted by name, and the others, as far as they can be lowered.
pub(super) fn lower(
    sources: &Sources,
    files: Vec<(SourceId, Node)>,
    shared_files: &SharedFiles,
    names: &mut NameTable,
    waivers: &mut Waivers,
    diagnostics: &mut Diagnostics,
) -> (Vec<Machine>, Vec<Machine>) {
    let mut ready = Vec::new();
    let mut n_copied = 0;
    for (id, node) in files {
        let used = shared::find(sources, shared_files, id, &node, diagnostics);
        match used.filter(|it| !shared::too_many(&mut n_copied, sources, it, diagnostics)) {
            Some(used) => ready.push((id, node, used)),
            None => names.miss(),
        }
    }
    let mut all = Vec::new();
    for lowered in each(ready, diagnostics, |(id, node, used), diagnostics| lower_one(sources, id, node, &used, diagnostics)) {
        match lowered {
            Some(it) => {
                names.claim(&it.name, diagnostics);
                all.push(it);
            }
            None => names.miss(),
        }
    }
    // After this point, every error in machines is known.
    let (mut valid, mut broken) = (Vec::new(), Vec::new());
    for it in all {
        let is_valid = it.machine.uses.iter().chain([&it.machine.source]).all(|it| !diagnostics.has_errors_in(*it));
        let health = Health::of(is_valid);
        names.add_machine(&it.machine.name, health);
        waivers.add(it.waivers, health);
        match health {
            Health::Valid => valid.push(it.machine),
            Health::Broken => broken.push(it.machine),
        }
    }
    valid.sort_by(|a, b| a.name.cmp(&b.name));
    (valid, broken)
}

/// Reads and lowers a machine, with the declarations of the shared files that it uses.
fn lower_one(
    sources: &Sources,
    id: SourceId,
    node: Node,
    used: &[(Span, &spec::shared::Shared)],
    diagnostics: &mut Diagnostics,
) -> Option<Lowered> {
    if !limits::constants(&node, &shared::lengths(used), sources.get(id).text().len(), diagnostics) {
        return None;
    }
    let shown = placeholders::named(&node);
    let mut spec = spec::machine::Machine::read(node, diagnostics)?;
    shared::merge(&mut spec, used, diagnostics);
    let uses = used.iter().map(|(_, it)| it.span.source).collect();
    let mut machine = machine::lower(sources, &spec, uses, diagnostics);
    machine::settle_types(&mut machine);
    machine::show_constants(&mut machine, &shown);
    let waivers = Waivers::of_machine(&spec);
    Some(Lowered { name: spec.machine, machine, waivers })
}
