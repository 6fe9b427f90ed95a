//! The machines of a source, and names that are the same.

use crate::diagnostic::{Diagnostic, Level};
use crate::import::{Edge, Named, Statement, statements};
use crate::lower::load_sources;
use crate::model::Machine;
use crate::names::snake;
use crate::source::{SourceId, Sources};

/// Whether two names differ only in case and in the marks between words.
pub fn is_same(a: &str, b: &str) -> bool {
    let plain = |it: &str| snake(it).replace('_', "");
    plain(a) == plain(b)
}

/// Whether both states have the same name, whatever its case and the marks between its words.
pub(super) fn have_one_name(a: &Named, b: &Named) -> bool {
    is_same(&a.name, &b.name)
}

/// Whether a name or a label of one state is a name or a label of the other.
pub(super) fn are_called_alike(a: &Named, b: &Named) -> bool {
    let words = |it: &Named| [Some(it.name.clone()), it.label.clone()].into_iter().flatten().collect::<Vec<_>>();
    words(a).iter().any(|a| words(b).iter().any(|b| is_same(a, b)))
}

/// The machines of one source.
#[derive(Debug, Clone, Default)]
pub struct Statements {
    /// The machines, in the order of the source.
    pub found: Vec<Statement>,
    /// What could not be read, or what a comparison could miss.
    pub problems: Vec<Diagnostic>,
}

/// Reads the machines of a source: a spec, or a text that can be [imported](crate::import).
pub fn read(sources: &Sources, id: SourceId) -> Statements {
    let source = sources.get(id);
    if !source.path().ends_with(".yaml") && !source.path().ends_with(".yml") {
        let (found, problems) = statements(sources, id);
        return Statements { found, problems };
    }
    let (model, diagnostics) = load_sources(sources, &[id]);
    if diagnostics.has_errors() {
        let mut problems = diagnostics.finish();
        problems.retain(|it| it.code.level() == Level::Error);
        return Statements { found: Vec::new(), problems };
    }
    Statements { found: model.machines.iter().map(|it| of_machine(source.path(), it)).collect(), problems: Vec::new() }
}

fn of_machine(path: &str, machine: &Machine) -> Statement {
    let leaves: Vec<_> = machine.leaves().collect();
    let position = |state| leaves.iter().position(|it| *it == state);
    let states = leaves.iter().map(|id| {
        let state = machine.state(*id);
        let label = Some(state.wire.clone()).filter(|it| *it != state.name).or_else(|| state.label.clone());
        Named { name: state.name.clone(), label, span: state.span }
    });
    let mut edges = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for edge in &machine.edges {
        let span = machine.transition(edge.transition).span;
        for to in machine.targets(edge).into_iter().filter_map(position) {
            match edge.from {
                Some(from) => edges.extend(position(from).map(|from| Edge { from, to, span })),
                None => starts.push(to),
            }
        }
    }
    if starts.is_empty() {
        starts.extend(position(machine.initial()));
    }
    starts.sort_unstable();
    starts.dedup();
    Statement { path: path.to_owned(), name: machine.name.clone(), span: machine.span, states: states.collect(), edges, starts }
}
