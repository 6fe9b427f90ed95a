//! The fourth stage: documents about valid machines and systems are lowered.

use std::collections::BTreeSet;

use super::name_table::NameTable;
use super::{document, machine};
use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::source::Sources;
use crate::spec;

/// Adds the valid documents to the model, sorted by name, and marks the constants that they show.
pub(super) fn lower(
    sources: &Sources,
    specs: &[(spec::document::Document, BTreeSet<String>)],
    model: &mut Model,
    names: &mut NameTable,
    diagnostics: &mut Diagnostics,
) {
    let mut weight = document::Weight::new(sources);
    for (spec, shown) in specs {
        names.claim(&spec.document, diagnostics);
        let subjects = document::subjects(spec);
        for name in &subjects {
            let machine = model.machines.iter_mut().find(|it| it.name == name.value);
            machine.into_iter().for_each(|it| machine::show_constants(it, shown));
        }
        if !subjects.iter().any(|it| names.hides_subject(&it.value)) {
            let document = document::lower(sources, spec, model, names, &mut weight, diagnostics);
            model.documents.push(document);
        }
    }
    document::check_paths(specs.iter().map(|(it, _)| &it.path), diagnostics);
    model.documents.retain(|it| !diagnostics.has_errors_in(it.source));
    model.documents.sort_by(|a, b| a.name.cmp(&b.name));
}
