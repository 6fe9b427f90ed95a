//! The parts of a model that a marker in a text names, such as the states of `order.states`.

use std::collections::BTreeSet;

use statespec_lang::diagnostic::nearest;
use statespec_lang::model::machine::{Enum, Machine};
use statespec_lang::model::{Model, StateId};
use statespec_lang::source::Span;

/// Why a name means nothing, and how to mend it.
pub(crate) type Unknown = (String, String);

/// The machine with this name.
pub(crate) fn machine<'m>(name: &str, model: &'m Model) -> Result<&'m Machine, Unknown> {
    model.machine(name).ok_or_else(|| unknown("machine", name, model.machines.iter().map(|it| it.name.as_str())))
}

/// The enum of a machine with this name.
pub(crate) fn enumeration<'m>(name: &str, machine: &'m Machine) -> Result<&'m Enum, Unknown> {
    let known = machine.enums.iter().map(|it| it.name.as_str());
    machine.enums.iter().find(|it| it.name == name).ok_or_else(|| unknown("enum", name, known))
}

/// The error for a name that is none of those known.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Unknown {
    let message = format!("there is no {what} `{name}`");
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.collect::<Vec<_>>().join(", ")),
    };
    (message, help)
}

/// The edges between leaves, by their positions in the list of leaves, each once and with the row that has it first.
pub(crate) fn edges(machine: &Machine) -> Vec<((usize, usize), Span)> {
    let leaves: Vec<StateId> = machine.leaves().collect();
    let position = |id: StateId| leaves.binary_search(&id).ok();
    let mut edges = Vec::new();
    let mut seen = BTreeSet::new();
    for (from, leaf) in leaves.iter().enumerate() {
        for edge in machine.edges_leaving(*leaf) {
            let span = machine.transition(edge.transition).span;
            for to in machine.targets_out_of(edge, *leaf).into_iter().filter_map(position) {
                if seen.insert((from, to)) {
                    edges.push(((from, to), span));
                }
            }
        }
    }
    edges
}
