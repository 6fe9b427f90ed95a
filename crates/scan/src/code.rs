//! Reads the machines of many files, Rust with the enums that other files declare.
//!
//! ```text
//! file ──read──▶ machines, what it declares, and the enums of other files that have steps in it
//!      ──modules▶ the declarations of these
//!      ──read──▶ the machines of such a file, again
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use statespec_lang::diagnostic::Diagnostic;
use statespec_lang::parallel;
use statespec_lang::source::{SourceId, Sources, Span};

use super::confirmed::tell_apart;
use super::modules::{EnumNames, Modules};
use crate::compare::{self, Statement, Statements};
use statespec_import::{Known, RustCode, RustMachine};

/// What was read of a source.
#[derive(Default)]
pub(super) struct Read {
    pub(super) statements: Statements,
    /// The steps of which it is open between which states they are.
    pub(super) open: Vec<Diagnostic>,
}

/// What was read of a source, before that of others is known.
struct Draft {
    /// The machines of Rust.
    machines: Vec<RustMachine>,
    read: Read,
}

/// Reads the machines of a source as [`compare::read`] does. What it says of an enum of Rust that another file declares is
/// found through the modules of its crate; paths start at the root.
pub fn read_source(root: &Path, sources: &mut Sources, id: SourceId) -> Statements {
    let Read { mut statements, open } = read(root, sources, &[id], &EnumNames::new()).pop().unwrap_or_default();
    statements.problems.extend(open);
    tell_apart(&mut statements.found);
    statements
}

/// Reads the machines of some sources, in their order. The names tell which files of the project may declare an enum.
pub(super) fn read(root: &Path, sources: &mut Sources, ids: &[SourceId], names: &EnumNames) -> Vec<Read> {
    let is_rust = |id: &SourceId| sources.get(*id).path().ends_with(".rs");
    let code = parallel::map(ids, |id| match is_rust(id) {
        true => Ok(statespec_import::code(sources, *id, &Known::new())),
        false => Err(compare::read(sources, *id)),
    });
    let mut modules = Modules::new(root, sources, names);
    let mut wanted = Vec::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut sets = Vec::new();
    for (idx, read) in code.into_iter().enumerate() {
        drafts.push(match read {
            Ok(code) => {
                sets.extend(code.outline.enums.iter().map(|it| (idx, Arc::clone(it))));
                modules.add(ids[idx], code.outline);
                wanted.extend((!code.wanted.is_empty()).then_some((idx, code.wanted)));
                draft(code.machines, code.problems)
            }
            Err(statements) => Draft { machines: Vec::new(), read: Read { statements, open: Vec::new() } },
        });
    }
    let mut again = Vec::new();
    for (idx, wanted) in wanted {
        let (known, open) = modules.known(ids[idx], &wanted);
        drafts[idx].read.open = open;
        again.extend((!known.is_empty()).then_some((idx, known)));
    }
    let sources = &*sources;
    let code = parallel::map(&again, |(idx, known)| statespec_import::code(sources, ids[*idx], known));
    for ((idx, _), RustCode { machines, problems, .. }) in again.into_iter().zip(code) {
        let open = std::mem::take(&mut drafts[idx].read.open);
        drafts[idx] = draft(machines, problems);
        drafts[idx].read.open = open;
    }
    settle(&mut drafts);
    // An enum of states without steps is a set of states.
    let with_steps: BTreeSet<Span> = drafts.iter().flat_map(|it| &it.machines).map(|it| it.declaration).collect();
    for (file, set) in sets.into_iter().filter(|(_, it)| !with_steps.contains(&it.place())) {
        let statement = set.statement(sources.get(ids[file]).path());
        drafts[file].read.statements.found.push(statement);
    }
    drafts.into_iter().map(finish).collect()
}

fn draft(machines: Vec<RustMachine>, problems: Vec<Diagnostic>) -> Draft {
    let statements = Statements { found: Vec::new(), problems };
    Draft { machines, read: Read { statements, open: Vec::new() } }
}

fn finish(Draft { machines, mut read }: Draft) -> Read {
    read.statements.found.extend(machines.into_iter().map(|it| it.statement));
    read
}

/// Settles what several files say of one enum. Lists of steps, and functions that tell of them, are statements of their own.
/// Code that takes steps does what such a list allows, each file a part of it: beside a list it states nothing, and without one
/// the parts of all files are one statement.
fn settle(drafts: &mut [Draft]) {
    let mut of_enum: BTreeMap<Span, Vec<(usize, usize)>> = BTreeMap::new();
    for (file, draft) in drafts.iter().enumerate() {
        for (idx, machine) in draft.machines.iter().enumerate() {
            of_enum.entry(machine.declaration).or_default().push((file, idx));
        }
    }
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for mut places in of_enum.into_values().filter(|it| it.len() > 1) {
        let of = |place: &(usize, usize)| &drafts[place.0].machines[place.1];
        if places.iter().any(|it| of(it).is_table) {
            gone.extend(places.into_iter().filter(|it| !of(it).is_table));
            continue;
        }
        // The file that declares the enum comes first.
        places.sort_by_key(|it| (!of(it).is_local, *it));
        let (first, others) = (places[0], &places[1..]);
        let mut whole = of(&first).statement.clone();
        others.iter().for_each(|it| join(&mut whole, &of(it).statement));
        drafts[first.0].machines[first.1].statement = whole;
        gone.extend(others);
    }
    // From the last on, so that positions stay.
    gone.sort_unstable();
    for (file, idx) in gone.into_iter().rev() {
        drafts[file].machines.remove(idx);
    }
}

/// Adds the edges of another part.
fn join(whole: &mut Statement, part: &Statement) {
    let position = |state: usize| whole.states.iter().position(|it| it.name == part.states[state].name);
    let moved = part.edges.iter().filter_map(|it| Some(compare::Edge { from: position(it.from)?, to: position(it.to)?, ..*it }));
    let moved: Vec<compare::Edge> = moved.collect();
    let starts: Vec<usize> = part.starts.iter().filter_map(|it| position(*it)).collect();
    for edge in moved {
        if whole.edges.iter().all(|it| (it.from, it.to) != (edge.from, edge.to)) {
            whole.edges.push(edge);
        }
    }
    if whole.starts.is_empty() {
        whole.starts = starts;
    }
    whole.complete = false;
    whole.partial |= part.partial;
}
