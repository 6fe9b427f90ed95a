//! The machines of a source, and names that are the same.

use std::collections::BTreeSet;

use statespec_lang::diagnostic::Level;
use statespec_lang::lower::load_sources;
use statespec_lang::model::Machine;
use statespec_lang::names::snake;
use statespec_lang::source::{SourceId, Sources};

use statespec_import::{Edge, Kind, Named, Stated, Statement, Statements, statements};

/// Whether two names differ only in case and in the marks between words.
pub fn is_same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// The names of a state that count in comparisons, without case and marks between words: its own name, then others.
pub(super) struct Names(Vec<String>);

impl Names {
    /// The names of all states of a statement. The words with which all of them begin or end can be left out: `STATUS_OPEN` and
    /// `OpenState` are also `open`.
    pub(super) fn of_all(statement: &Statement) -> Vec<Names> {
        let of_name = |name: &str| -> Vec<String> { snake(name).split('_').map(str::to_owned).collect() };
        let states: Vec<Vec<String>> = statement.states.iter().map(|it| of_name(&it.name)).collect();
        let (n_before, n_behind) = match states.split_first() {
            Some((first, rest)) if !rest.is_empty() => {
                let n_shared = |has: &dyn Fn(&[String], usize) -> bool| {
                    (1..first.len()).take_while(|n| rest.iter().all(|it| it.len() > *n && has(it, *n))).last().unwrap_or(0)
                };
                let n_before = n_shared(&|it, n| it[..n] == first[..n]);
                (n_before, n_shared(&|it, n| it[it.len() - n..] == first[first.len() - n..]))
            }
            _ => (0, 0),
        };
        let names = statement.states.iter().zip(&states).map(|(state, words)| {
            let without = |before: usize, behind: usize| {
                (before + behind > 0 && before + behind < words.len()).then(|| words[before..words.len() - behind].concat())
            };
            let short = [without(n_before, n_behind), without(n_before, 0), without(0, n_behind)];
            let others = short.into_iter().flatten().chain(state.label.as_deref().map(plain));
            Names([words.concat()].into_iter().chain(others).collect())
        });
        names.collect()
    }

    /// Whether both states have the same name.
    pub(super) fn have_one(a: &Names, b: &Names) -> bool {
        a.0[0] == b.0[0]
    }

    /// Whether some name of one state is some name of the other.
    pub(super) fn share_one(a: &Names, b: &Names) -> bool {
        a.0.iter().any(|it| b.0.contains(it))
    }
}

/// Whether two texts name one fact: one state, or one edge with whatever arrow.
pub fn is_same_fact(a: &str, b: &str) -> bool {
    let parts = |text: &str| text.replace("->", "→").split('→').map(|it| plain(it.trim())).collect::<Vec<String>>();
    parts(a) == parts(b)
}

/// The names by which states of a statement are found in others, each once.
pub(crate) fn state_names(statement: &Statement) -> BTreeSet<String> {
    Names::of_all(statement).into_iter().flat_map(|it| it.0).collect()
}

/// A name without case and without the marks between its words.
pub(super) fn plain(name: &str) -> String {
    snake(name).replace('_', "")
}

/// Reads the machines of a source: a spec, or a text that can be [imported](statespec_import).
pub fn read(sources: &Sources, id: SourceId) -> Statements {
    let source = sources.get(id);
    if let Some(read) = crate::languages::read(sources, id) {
        return read;
    }
    if !source.path().ends_with(".yaml") && !source.path().ends_with(".yml") {
        return statements(sources, id);
    }
    let (model, mut problems) = load_sources(sources, &[id]);
    problems.retain(|it| it.code.level() == Level::Error);
    let machines = model.iter().flat_map(|it| &it.machines);
    Statements { found: machines.map(|it| of_machine(source.path(), it)).collect(), problems }
}

fn of_machine(path: &str, machine: &Machine) -> Statement {
    let leaves: Vec<_> = machine.leaves().collect();
    let position = |state| leaves.iter().position(|it| *it == state);
    let states = leaves.iter().map(|id| {
        let state = machine.state(*id);
        let label = Some(state.wire.clone()).filter(|it| *it != state.name).or_else(|| state.label.clone());
        let inside = machine.ancestors(*id).skip(1).map(|it| machine.state(it).name.clone()).collect();
        Named { label, inside, ..Named::new(&state.name, state.span) }
    });
    let mut edges = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for edge in &machine.edges {
        let span = machine.transition(edge.transition).span;
        for to in machine.targets(edge).into_iter().filter_map(position) {
            match edge.from {
                Some(from) => edges.extend(position(from).map(|from| Edge { from, to, span, stated: Stated::Plainly })),
                None => starts.push(to),
            }
        }
    }
    if starts.is_empty() {
        starts.extend(machine.initial().leaves().filter_map(position));
    }
    starts.sort_unstable();
    starts.dedup();
    let set = Statement::set(path, Kind::Spec, machine.name.clone(), machine.span, states.collect());
    Statement { complete: true, edges, starts, ..set }
}
