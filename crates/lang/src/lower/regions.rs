//! Checks what has regions: a state or the machine has states inside, or regions with states inside.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::configuration::SEPARATOR;
use crate::model::machine::{Machine, Origin};
use crate::read::{Named, Text};
use crate::source::Span;
use crate::spec;
use crate::spec::machine::State;

/// Whether a machine has states or regions.
pub(super) fn has_states(spec: &spec::machine::Machine, diagnostics: &mut Diagnostics) -> bool {
    if spec.inside().is_none() {
        let diagnostic = Diagnostic::new(Code::MissingKey, spec.machine.span, "a machine needs the key `states`");
        diagnostics.push(diagnostic.label("no `states` here").help("or `regions`, for a machine that is in several states at once"));
    }
    spec.inside().is_some()
}

/// Checks all regions, before any other part refers to them.
pub(super) fn check(spec: &spec::machine::Machine, machine: &mut Machine, diagnostics: &mut Diagnostics) {
    machine.lookup.has_regions = machine.parallel || machine.states.iter().any(|it| it.parallel);
    // Where both keys are given, the states are read, so that a machine without regions can have the error, too.
    if !both(&spec.states, &spec.regions, "the machine", diagnostics)
        && let Some(found) = &spec.regions
    {
        regions(found, "the machine", diagnostics);
    }
    let has_regions = machine.has_regions();
    spec.inside().into_iter().for_each(|it| inside(it, has_regions, diagnostics));
}

/// Checks all states; the depth is limited by that of the YAML.
fn inside(states: &Named<State>, has_regions: bool, diagnostics: &mut Diagnostics) {
    for (name, body) in states.iter() {
        let what = format!("`{}`", name.value);
        if !both(&body.states, &body.regions, &what, diagnostics)
            && let Some(found) = &body.regions
        {
            regions(found, &what, diagnostics);
        }
        let stored = body.wire.as_ref().unwrap_or(name);
        if has_regions && body.inside().is_none() && stored.value.contains(SEPARATOR) {
            let message =
                format!("`{}` cannot be the name of a state in storage: `{SEPARATOR}` separates the states of regions", stored.value);
            diagnostics.push(Diagnostic::new(Code::BadName, stored.span, message).help("write another character"));
        }
        body.inside().into_iter().for_each(|it| inside(it, has_regions, diagnostics));
    }
}

/// Reports states and regions side by side; whether there are.
fn both(states: &Option<Named<State>>, regions: &Option<Named<State>>, what: &str, diagnostics: &mut Diagnostics) -> bool {
    let (Some(_), Some(regions)) = (states, regions) else { return false };
    let Some((first, _)) = regions.iter().next() else { return false };
    let message = format!("{what} has `states` and `regions`");
    diagnostics.push(
        Diagnostic::new(Code::BadRegions, first.span, message)
            .help("move the states into a region of their own, or surround the regions with a state"),
    );
    true
}

/// Checks the regions of one state, or of the machine.
fn regions(regions: &Named<State>, what: &str, diagnostics: &mut Diagnostics) {
    let mut complain = |span: Span, message: String, help: &str| {
        diagnostics.push(Diagnostic::new(Code::BadRegions, span, message).help(help));
    };
    let all: Vec<(&Text, &State)> = regions.iter().collect();
    if let [(only, _)] = all[..] {
        complain(only.span, format!("{what} has one region"), "write its states under `states`; regions are two or more");
    }
    for (name, body) in all {
        if body.inside().is_none_or(|it| it.entries.0.is_empty()) {
            let message = format!("the region `{}` has no states", name.value);
            complain(name.span, message, "add `states` to it: the machine is in one of them at a time");
        } else if body.states.is_none() {
            let message = format!("the region `{}` consists of regions", name.value);
            complain(name.span, message, "a region has `states`; write its regions beside it");
        }
        if let Some(initial) = body.initial.as_ref().filter(|it| it.value) {
            let message = format!("`{}` is a region, which starts with {what} in any case", name.value);
            complain(initial.span, message, "mark the state inside it where it starts");
        }
    }
}

/// Checks what refers to the state of a machine as one leaf, which a machine with regions has not.
pub(super) fn check_bodies(spec: &spec::machine::Machine, machine: &Machine, diagnostics: &mut Diagnostics) {
    if !machine.has_regions() {
        return;
    }
    // In a machine that reacts, no event settles anyway.
    if let Some(settle) = spec.settle.iter().flat_map(|it| &it.0).next().filter(|_| !machine.reacts()) {
        let message = format!("`{}` settles in a machine with regions", settle.value);
        let diagnostic = Diagnostic::new(Code::BadRegions, settle.span, message);
        diagnostics.push(diagnostic.help("write what follows the event as `automatic` transitions, and remove `settle`"));
    }
    for (id, state) in machine.state_ids().zip(&machine.states).filter(|(_, it)| !it.histories.is_empty()) {
        if let Some(region) = machine.state_ids().find(|it| machine.is_region(*it) && *it != id && machine.is_in(*it, id)) {
            let message = format!("the history of `{}` would have to remember several states at once", state.name);
            let diagnostic =
                Diagnostic::new(Code::BadRegions, state.span, message).also(machine.state(region).span, "this region is inside");
            diagnostics
                .push(diagnostic.help("give each region a history of its own, and name all of them as targets: `to: [\"{a}\", \"{b}\"]`"));
        }
    }
    for effect in &machine.effects {
        if let Some(taken) = effect.takes.iter().find(|it| matches!(it.origin, Origin::From | Origin::To)) {
            let message = format!("`{}` takes the state of a step, and a machine with regions is in several at once", effect.name);
            let diagnostic = Diagnostic::new(Code::BadRegions, taken.field.span, message);
            diagnostics.push(diagnostic.help("keep what the effect needs in the context, and let it take that"));
        }
    }
}
