//! What a marker names: `order.states`, `order.enums.channel`.

use statespec_lang::model::machine::Constant;
use statespec_lang::model::{Machine, Model};
use statespec_lang::source::Span;

pub(super) use crate::subject::machine;
use crate::subject::{Unknown, edges, enumeration, unknown};

/// Something that a text must name, under any of its names; the first one is that of the spec.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) names: Vec<String>,
    pub(super) span: Span,
}

/// What a text must name.
pub(super) enum Subject<'m> {
    /// States, events or values of an enum.
    Names { what: &'static str, wanted: Vec<Wanted> },
    /// Edges between states, by position, each with its row.
    Edges { states: Vec<Wanted>, wanted: Vec<((usize, usize), Span)> },
    /// A value.
    Constant(&'m Constant),
}

/// The subject of the words after `statespec:expect`: a name, then perhaps `except` and names.
pub(super) fn find<'m>(words: &str, model: &'m Model) -> Result<(&'m Machine, Subject<'m>), Unknown> {
    let (name, except) = words.split_once(" except ").unwrap_or((words, ""));
    let mut parts = name.trim().split('.');
    let machine = machine(parts.next().unwrap_or_default(), model)?;
    let parts: Vec<&str> = parts.collect();
    let mut subject = match parts.as_slice() {
        ["states"] => Subject::Names { what: "state", wanted: states(machine) },
        ["events"] => {
            let names = machine
                .events
                .iter()
                .map(|it| Wanted { names: [&it.name].into_iter().chain(&it.label).chain(&it.aliases).cloned().collect(), span: it.span });
            Subject::Names { what: "event", wanted: names.collect() }
        }
        ["edges"] => Subject::Edges { states: states(machine), wanted: edges(machine) },
        ["enums", name] => {
            let values = enumeration(name, machine)?
                .values
                .iter()
                .map(|it| Wanted { names: [&it.name, &it.wire].into_iter().chain(&it.label).cloned().collect(), span: it.span });
            Subject::Names { what: "value", wanted: values.collect() }
        }
        ["constants", name] => {
            let known = machine.constants.iter().map(|it| it.name.as_str());
            let of = machine.constants.iter().find(|it| it.name == *name);
            Subject::Constant(of.ok_or_else(|| unknown("constant", name, known))?)
        }
        _ => {
            let message = format!("`{}` is nothing that a text can name", name.trim());
            let of = &machine.name;
            return Err((message, format!("`{of}.states`, `{of}.events`, `{of}.edges`, `{of}.enums.NAME` or `{of}.constants.NAME`")));
        }
    };
    for word in except.split([',', ' ']).filter(|it| !it.is_empty()) {
        leave_out(&mut subject, word)?;
    }
    Ok((machine, subject))
}

/// Drops what the marker excepts.
fn leave_out(subject: &mut Subject<'_>, word: &str) -> Result<(), Unknown> {
    let Subject::Names { what, wanted } = subject else {
        return Err(("only names can be excepted, not edges and values".to_owned(), "remove `except`".to_owned()));
    };
    match wanted.iter().position(|it| it.names[0] == word) {
        Some(idx) => {
            wanted.remove(idx);
            Ok(())
        }
        None => Err(unknown(what, word, wanted.iter().map(|it| it.names[0].as_str()))),
    }
}

/// The leaves with their names.
fn states(machine: &Machine) -> Vec<Wanted> {
    let wanted = machine.leaves().map(|id| {
        let state = machine.state(id);
        Wanted { names: [&state.name, &state.wire].into_iter().chain(&state.label).cloned().collect(), span: state.span }
    });
    wanted.collect()
}
